// The answer while its card lies below the view, as under open settings on a phone: one line at the foot of the screen, which leads there.

import { useEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { streams } from '../../app/store';

/** A card above the view counts as seen: who scrolled past it knows where it is. Within another site's frame the browser takes no margin. */
const ABOVE = { rootMargin: '1000000px 0px 0px' };

export function AnswerBelow({ card, sentence }: { card: RefObject<HTMLElement | null>; sentence: string }) {
  const [below, setBelow] = useState(false);
  useEffect(() => {
    // The last entry: a busy page hears of several at once.
    const seen = new IntersectionObserver((entries) => {
      const now = entries.at(-1);
      setBelow(!!now && !now.isIntersecting && now.boundingClientRect.top > 0);
    }, ABOVE);
    if (card.current) seen.observe(card.current);
    return () => seen.disconnect();
  }, []);
  // The messages about an address stream ask for another tab, and the answer is of what was there before.
  if (!below || streams.value.length > 0) return null;
  return (
    <button type="button" class="answer-below" onClick={() => card.current?.scrollIntoView()}>
      <span>{sentence}</span>
      <span aria-hidden="true">↓</span>
    </button>
  );
}
