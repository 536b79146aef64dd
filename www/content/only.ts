// Words of the filter by array, line of code, set or distance.

import { count, percent1, share } from './format';

export const o = {
  list: 'Filter',
  pick: 'Show everything for this only',
  all: 'Show all',
  counting: (name: string) => `${name}: counting…`,
  chip: (name: string, part: number, all: number, misses: number) =>
    `Only ${name}: ${count(part)} of ${count(all)} requests, ${percent1(share(misses, part))} miss`,
  names: {
    array: (value: string) => `array ${value}`,
    line: (value: string) => `line ${value}`,
    pc: (value: string) => `instruction ${value}`,
    set: (value: string) => `set ${value}`,
    distance: (value: string) => `distance ${value.replace('inf', '∞').replace('-', '–')}`,
  },
};
