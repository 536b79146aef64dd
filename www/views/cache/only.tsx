// What is picked, and the buttons that pick.

import type { ComponentChildren } from 'preact';
import { only, pick, showAll } from '../../app/filter';
import type { Part } from '../../app/only';
import { o } from '../../content/only';
import type { KernelReport } from '../../engine/types';

interface PickProps {
  part: Part;
  value: string;
  children: ComponentChildren;
}

/** The name of a row as a button: it shows everything else for this row only. */
export function Pick({ part, value, children }: PickProps) {
  const pressed = isPicked(part, value);
  return (
    <button
      type="button"
      class="link-button pick"
      aria-pressed={pressed}
      title={pressed ? o.all : o.pick}
      onClick={() => pick(part, value)}
    >
      {children}
    </button>
  );
}

export const isPicked = (part: Part, value: string) => only.value?.part === part && only.value.value === value;

/** The way back from a filter, and what it counts. `counts` is null while they are counted. */
export function OnlyChip({ kernel, counts }: { kernel: KernelReport; counts: KernelReport | null }) {
  const picked = only.value;
  if (!picked) return null;
  const array = kernel.arrays.find((row) => row.base === picked.value)?.name;
  const name = o.names[picked.part](picked.part === 'array' ? (array ?? picked.value) : picked.value);
  return (
    <div class="chips only" role="group" aria-label={o.list}>
      <span class="chip" role="status">
        {counts ? o.chip(name, counts.requests, kernel.requests, counts.requests - counts.hits) : o.counting(name)}
      </span>
      <button type="button" class="link-button" onClick={showAll}>
        {o.all}
      </button>
    </div>
  );
}
