// A part of a kernel's requests that a person picked, as the link and the engine have it. Pure.

import type { CountFilter } from '../engine/types';

/** What can be picked. The words are those of the link: `view.only=set:3`. */
export type Part = 'array' | 'line' | 'pc' | 'set' | 'distance' | 'core';

export interface Only {
  part: Part;
  /** The base of an array, a program counter, the number of a line, set or core; of distances `4`, `4-7` or `inf`. */
  value: string;
}

const NUMBER = /^\d{1,9}$/;
const ADDRESS = /^0x[0-9a-f]{1,16}$/i;

/** As the engine takes it; null where the value is none. */
export function filterOf({ part, value }: Only): CountFilter | null {
  if (part === 'array') return value === '' || ADDRESS.test(value) ? { array: value } : null;
  if (part === 'pc') return ADDRESS.test(value) ? { pc: value } : null;
  if (part === 'distance' && value === 'inf') return { distances: [0, null] };
  const [low = '', high = low, ...more] = part === 'distance' ? value.split('-') : [value];
  if (!NUMBER.test(low) || !NUMBER.test(high) || more.length > 0) return null;
  if (part === 'distance') return { distances: [Number(low), Number(high)] };
  if (part === 'core') return { core: Number(low) };
  return part === 'line' ? { line: Number(low) } : { set: Number(low) };
}

/** What a link says is picked; null where it says nothing that can be. */
export function readOnly(text: string | undefined): Only | null {
  const [, part, value] = /^(array|line|pc|set|distance|core):(.*)$/.exec(text ?? '') ?? [];
  if (part === undefined || value === undefined) return null;
  const only = { part: part as Part, value };
  return filterOf(only) && only;
}

/** What a mark of a chart stands for, by its name; null where a mark is no part, such as a mean of sets. */
export function partOfMark(name: string): Only | null {
  const plain = name.replaceAll('\u202f', '');
  const [, what, number] = /^(Set|Core) (\d+)$/.exec(plain) ?? [];
  if (number !== undefined) return { part: what === 'Set' ? 'set' : 'core', value: number };
  const distance = /^Distance (∞|\d+)(?:–(\d+))?$/.exec(plain);
  if (!distance) return null;
  const [, low, high] = distance;
  return { part: 'distance', value: low === '∞' ? 'inf' : high === undefined ? low! : `${low}-${high}` };
}
