// A text of an exercise. Text between backticks is code; nothing else is markup.

import { inLanguage } from '../../content/exercise-text';
import type { Words } from '../../engine/generated';

export function Prose({ words }: { words: Words }) {
  const parts = inLanguage(words).split('`');
  return <>{parts.map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>;
}
