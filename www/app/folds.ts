// Which parts of the result a person has opened. It lasts over runs, tabs and visits.

import { signal } from '@preact/signals';
import { recall, remember } from './memory';

/** Kept in place of names: every part is open. */
const ALL = 'all';

const opened = signal<ReadonlySet<string>>(new Set((recall('unfolded') ?? '').split(' ').filter(Boolean)));

export const isOpen = (name: string) => opened.value.has(ALL) || opened.value.has(name);
export const allOpen = () => opened.value.has(ALL);

function keep(names: Set<string>) {
  opened.value = names;
  remember('unfolded', [...names].join(' '));
}

/** Opens or folds one part; `others` are the names of all parts on show. */
export function setOpen(name: string, open: boolean, others: string[]) {
  if (isOpen(name) === open) return;
  const names = new Set(allOpen() ? others : opened.value);
  if (open) names.add(name);
  else names.delete(name);
  keep(names);
}

export const openAll = (open: boolean) => keep(new Set(open ? [ALL] : []));
