// What a kernel asks for and moves, beside the least, and what to try: the numbers that a headline leads with, whatever the
// model. A rate of misses cannot lead: a kernel that asks for each line many times misses rarely.

import type { Work, WorkAdvice } from '../engine/types';
import { bytes, mean, plural } from './format';
import { perInstruction } from './shares';

/** Up to this factor a number counts as near the least. */
const NEAR = 1.02;

/** "Loads make 300 requests, 3 each; 1 would do." `asks` has the word before the number, and the name of one thing after it. */
export function askedSentence(w: Work, asks: [string, string]): string {
  if (w.loads.instructions === 0) return 'No load goes to the L1.';
  const each = perInstruction(w.loads);
  const [asked, least] = [mean(each.asked), mean(each.least)];
  const beside = asked === least ? ', the least there can be' : `; ${least} would do`;
  return `Loads ${asks[0]} ${plural(w.loads.requests, asks[1])}, ${asked} each${beside}.`;
}

/** What moves, "12 KiB come into the L1s", beside the least. Caches that hold data before the launch can move less. */
export function besideLeast(w: Work, moved: number, what: string): string {
  const least = w.least_bytes;
  if (moved < least || least === 0) return what;
  if (moved <= NEAR * least) return `${what}, ${moved === least ? 'the least there can be' : 'near the least'}`;
  return `${what}; ${bytes(least)} would do`;
}

/** The headline of a model of one L1. */
export function workSentence(w: Work): string {
  const asked = askedSentence(w, ['make', 'request']);
  if (w.loads.instructions === 0) return asked;
  return `${asked} ${besideLeast(w, w.l1_bytes, `${bytes(w.l1_bytes)} come into the L1s`)}.`;
}

/** What to try, from the cause that the engine found. */
export function advice(w: Work): string {
  const a = w.advice;
  const where = a.array === null ? '' : `, most of them in “${a.array.name}”`;
  const times = a.factor < 1.95 ? `${a.factor.toFixed(1)} times` : `${mean(a.factor)} times`;
  switch (a.cause) {
    case 'idle':
      return '';
    case 'coalescing':
      return coalescing(w, a);
    case 'sharing_in_block':
      return a.of === 'atomics'
        ? `Sharing: the threads of a block change the same words again and again (${times} each${where}). Add up in shared memory, and change global memory once per block.`
        : `Sharing: the threads of a block load the same words again and again (${times} each${where}). Keep them in shared memory, as a tile, or in registers.`;
    case 'sharing_across_blocks':
      return `Sharing: several blocks ${a.of === 'atomics' ? 'change' : 'load'} the same words (${times} each${where}). Larger tiles, or more work for each block, ask for them less often.`;
    case 'sets':
      return `Sets: lines are fetched ${times}, because too many lines in use share a set, or the L1 replaced them at random (from Turing on). Padding the rows of the array, fewer lines in use, or more ways would help.`;
    case 'capacity':
      return `Capacity: lines are fetched ${times}, because more of them are used between two uses than the L1 holds. Smaller tiles, fewer resident blocks or a larger cache would help.`;
    case 'lost':
      return `The L1s fetch data ${times} as often as the blocks need it. “Misses by class” below tells whether room or sets are short.`;
    case 'least':
      return w.l1_bytes <= 1.25 * w.least_bytes
        ? 'Nothing to win in requests and bytes: both are near the least.'
        : 'No cause stands out: requests are near the least, and little data is loaded more than twice.';
  }
}

function coalescing(w: Work, { of, array }: WorkAdvice): string {
  const each = perInstruction(of === 'stores' ? w.stores : w.loads);
  const verb = of === 'stores' ? 'store' : 'load';
  const most = array === null ? '' : ` (most in “${array.name}”)`;
  if (each.asked <= each.least + 1.05)
    return `Coalescing: a warp’s ${verb} touches ${mean(each.asked)} places of ${bytes(w.request_bytes)} where ${mean(each.least)} would hold its bytes${most}. Begin it at a multiple of ${bytes(w.request_bytes)}.`;
  const unit = w.l2_bytes === null ? 'request' : 'sector';
  const least = mean(each.least);
  const few = `${least} ${unit}${least === '1' ? '' : 's'}`;
  return `Coalescing: the lanes of a warp ${verb} far apart${most}. If neighbouring lanes took neighbouring elements, a ${verb} would ask for ${few} instead of ${mean(each.asked)}.`;
}
