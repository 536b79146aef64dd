// The answer while its card lies below the view, as under open settings on a phone: one line at the foot of the screen, which leads there.

import { useEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** A card above the view counts as seen: who scrolled past it knows where it is. */
const ABOVE = '1000000px 0px 0px';

export function AnswerBelow({ card, sentence }: { card: RefObject<HTMLElement | null>; sentence: string }) {
  const [below, setBelow] = useState(false);
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => setBelow(entry?.isIntersecting === false), {
      rootMargin: ABOVE,
    });
    if (card.current) seen.observe(card.current);
    return () => seen.disconnect();
  }, []);
  if (!below) return null;
  return (
    <button type="button" class="answer-below" onClick={() => card.current?.scrollIntoView()}>
      <span>{sentence}</span>
      <span aria-hidden="true">↓</span>
    </button>
  );
}
