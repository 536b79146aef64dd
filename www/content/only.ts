// Words of the filter by array, line of code, set, core or distance.

import { bytes, count, percent1, plural, share } from './format';

export const o = {
  list: 'Filter',
  pick: 'Show everything for this only',
  all: 'Show all',
  counting: (name: string) => `${name}: counting…`,
  chip: (name: string, part: number, all: number, misses: number) =>
    `Only ${name}: ${count(part)} of ${plural(all, 'request')}, ${percent1(share(misses, part))} miss`,
  /** Of the model `gpu`: warp accesses, and bytes between the cores and the L2. */
  gpuChip: (name: string, [part, all]: [number, number], [moved, allMoved]: [number, number]) =>
    `Only ${name}: ${count(part)} of ${count(all)} accesses, ${bytes(moved)} of ${bytes(allMoved)} to and from the L2`,
  whole: {
    flow: 'The arrow to DRAM counts all accesses: a line is written there when another one takes its place in the L2. How busy the parts are belongs to no access either.',
    stalls:
      'Waits for these accesses, out of all cycles. A wait for the pipe counts for the access that waits, whichever keeps the pipe busy. Issuing, arithmetic, barriers and starts of blocks belong to no access, so they are among the others.',
    parts: 'How busy a part is belongs to no single access. This counts all of them, and so does the roofline.',
    others: 'others',
  },
  names: {
    array: (value: string) => `array ${value}`,
    line: (value: string) => `line ${value}`,
    pc: (value: string) => `instruction ${value}`,
    set: (value: string) => `set ${value}`,
    core: (value: string) => `core ${value}`,
    distance: (value: string) => `distance ${value.replace('inf', '∞').replace('-', '–')}`,
  },
};
