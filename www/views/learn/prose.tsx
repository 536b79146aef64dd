// A text of an exercise. Text between backticks is code; nothing else is markup.

import { inLanguage } from '../../content/exercise-text';
import type { Words } from '../../engine/generated';

export function Prose({ words }: { words: Words }) {
  const parts = inLanguage(words).split('`');
  return <>{parts.map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>;
}

/** Steps, hints: texts by number. Reading has no order. */
export function ProseList({ list, testId, ordered = true }: { list: Words[]; testId?: string; ordered?: boolean }) {
  const items = list.map((words, i) => (
    <li key={i}>
      <Prose words={words} />
    </li>
  ));
  return ordered ? <ol data-testid={testId}>{items}</ol> : <ul data-testid={testId}>{items}</ul>;
}
