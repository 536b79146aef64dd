// Texts of exercises, and what verdicts say, in the language of the page.

import messages from '../../../crates/course/messages.json';
import { page } from '../../content/document';
import type { Say, Words } from '../../engine/generated';

/** A text of an exercise in the language of the page; English stands in. */
export const said = (words: Words): string => words[page.language] ?? words['en'] ?? '';

const sentences: Record<string, Record<string, string>> = messages;

/** What a verdict says. */
export function sayText(say: Say): string {
  if ('words' in say) return said(say.words);
  const { key, values } = say.message;
  const text = said(sentences[key] ?? {});
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
