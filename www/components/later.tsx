// Parts of the page that are rendered one by one, each in a task of its own, so that no task keeps the page from answering.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const waiting: (() => void)[] = [];

/** Renders the parts that wait, in the order in which they came. */
function work() {
  waiting.shift()?.();
  if (waiting.length > 0) setTimeout(work);
}

/** Renders its children after what came before it was painted. Once they are there, they are rendered like any others. */
export function Later({ children }: { children: ComponentChildren }) {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const show = () => setDue(true);
    if (waiting.push(show) === 1) setTimeout(work);
    return () => {
      const at = waiting.indexOf(show);
      if (at >= 0) waiting.splice(at, 1);
    };
  }, []);
  return due ? <>{children}</> : null;
}
