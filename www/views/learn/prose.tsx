// A text of an exercise. Text between backticks is code; nothing else is markup.

import type { Words } from '../../engine/generated';
import { said } from './said';

export function Prose({ words }: { words: Words }) {
  const parts = said(words).split('`');
  return <>{parts.map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>;
}
