// Every text of the self-check.

import type { PaperVerdict } from '../engine/types';
import { count } from './format';

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)}\u202fs`;

function standing(runs: boolean, done: number, all: number): string {
  if (runs) return 'The page computes it now, on this computer.';
  if (done === 0) return 'Nothing has run yet: “Run all rows” computes all of it, on this computer.';
  return `The page has computed ${done < all ? `${count(done)} of ${count(all)} rows` : 'all of it'}, on this computer.`;
}

export const p = {
  setup: 'Run',
  /** `done`: rows that have run. */
  intro: (runs: boolean, done: number, all: number) =>
    `What four papers print or measured, beside what the models of this page give. ${standing(runs, done, all)} Rows that disagree stay in the list.`,
  run: 'Run all rows',
  again: 'Run all again',
  runOne: 'Run this row',
  runs: 'running…',
  working: 'Running the rows',
  rows: (done: number, all: number) => `${count(done)} of ${count(all)} rows`,
  done: (all: number, ms: number) => `${all === 1 ? '1 row is' : `${count(all)} rows are`} done, in ${seconds(ms)}.`,
  cancelled: (done: number, all: number) => `Cancelled. The ${count(done)} of ${count(all)} rows that were done stay.`,
  show: 'Show',
  filters: { all: 'all', red: 'red', differs: 'not exact' },
  none: 'No row of this kind has run.',
  json: 'Save as JSON',
  csv: 'Save as CSV',
  terminal: 'The same at the terminal:',
  command: 'warpscope check',
  totals: (exact: number, differs: number, cannot: number, red: number) =>
    `${count(exact)} exact, ${count(differs)} differ, ${count(cannot)} cannot be compared. ${count(red)} are red.`,
  unexpected: (n: number) =>
    n === 1
      ? 'One row came out other than this list says. This is a defect: please report it.'
      : `${count(n)} rows came out other than this list says. This is a defect: please report it.`,
  verdicts: {
    exact: 'exact',
    differs: 'differs',
    cannot: 'cannot',
    failed: 'failed',
  } satisfies Record<PaperVerdict, string>,
  notRun: 'not run',
  red: 'red',
  meaning: [
    ['exact', 'All values are equal, in the digits that were published.'],
    ['differs', 'At least one value is not. The row says why.'],
    ['cannot', 'Nothing can be compared. The row says why.'],
    ['red', 'A difference is larger than the bound that the row states.'],
  ],
  words: 'Words',
  open: 'Open this run',
  label: 'Value',
  published: { printed: 'Printed', hardware: 'Measured', own: 'In our documents', none: 'Published' },
  ours: 'Ours',
  difference: 'Difference',
  equal: 'equal',
  unequal: 'not equal',
  values: (item: string) => `Values of ${item}`,
  unit: (unit: string) => `Unit: ${unit}.`,
  /** Differences of percentages are points, where they are not relative. */
  bound: (bound: number, unit: string, relative: boolean) =>
    `A difference above ${bound}${relative ? '\u202f%' : unit === '%' ? ` point${bound === 1 ? '' : 's'}` : ` ${unit}`} makes the row red.`,
  worst: (text: string) => `largest difference ${text}`,
  number: (value: number, relative: boolean) => {
    const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 4;
    return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}${relative ? '\u202f%' : ''}`;
  },
};
