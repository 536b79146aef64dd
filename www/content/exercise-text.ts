// Texts that exercises bring, in the language of the page.

import messages from '../../crates/course/messages.json';
import type { Say, Words } from '../engine/generated';
import { page } from './document';

/** A text of an exercise. English stands in where a lecturer's file lacks the language. */
export const inLanguage = (words: Words): string => words[page.language] ?? words['en'] ?? '';

const sentences: Record<string, Record<string, string>> = messages;

/** What a verdict says. */
export function sayText(say: Say): string {
  if ('words' in say) return inLanguage(say.words);
  const { key, values } = say.message;
  return inLanguage(sentences[key] ?? {}).replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
