// The texts of the other changes of a kernel's text, in the Placement tab.

import { plural } from './format';
import { withNumbers } from './placement-numbers';

/** A change of the text by its name in the engine. */
function changeName(name: string): string {
  const [what = '', shape] = name.split('=');
  const threads = shape?.replaceAll('x', '×');
  if (what === 'restrict') return '__restrict__';
  if (what === 'readonly') return '__ldg';
  if (what === 'padding') return 'padding';
  if (!threads) return 'other blocks';
  return what === 'threads' ? `blocks of ${threads}, same grid` : `blocks of ${threads}`;
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** `against` writes a change of a time, and `microseconds` a time. */
export const placementChanges = (against: (ratio: number) => string, microseconds: (us: number) => string) => ({
  heading: 'Other changes of the text',
  hint: 'What people try beside placements: “__restrict__” pointers, reads with “__ldg”, padded rows of shared arrays, other blocks. Each runs with the arrays as they are now and as recommended, alone and with what else is faster. A text that gives other results is left out.',
  start: 'Try other changes',
  goOn: 'Go on',
  change: 'Change',
  arrays: 'Arrays',
  tie: '(tie)',
  refused: 'Not possible',
  names: (changes: string[]) => (changes.length === 0 ? 'none' : changes.map(changeName).join(', ')),
  text: (change: string, where: string) => `${capital(change)}; arrays: ${where}`,
  /** Times in microseconds. `placed`: the recommended placement alone; null where it is the present one. */
  faster: (change: string, where: string, best: number, now: number, placed: number | null, tie: boolean) =>
    `Fastest: ${change}; arrays: ${where}. It takes ${microseconds(best)}, ${against(best / now - 1)}.${
      placed === null ? '' : ` The recommended placement alone takes ${microseconds(placed)}.`
    }${tie ? ' The two are so close that the model cannot tell which is faster.' : ''}`,
  none: 'No other change is faster than the recommended placement.',
  reason: (text: string) => capital(withNumbers(text)),
  done: (n: number) => `Done: ${plural(n, 'change')}.`,
});
