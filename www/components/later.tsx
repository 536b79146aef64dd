// A part of the page that is rendered in a task of its own.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { showLater } from '../app/parts';

/** Renders its children after what came before it was painted. Once they are there, they are rendered like any others. */
export function Later({ children }: { children: ComponentChildren }) {
  const [due, setDue] = useState(false);
  // A layout effect runs before the task ends, so parts inside of a part wait as soon as that part is shown.
  useLayoutEffect(() => showLater(() => setDue(true)), []);
  return due ? <>{children}</> : null;
}
