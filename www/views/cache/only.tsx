// What is picked, and the buttons that pick.

import type { ComponentChildren } from 'preact';
import { only, pick, showAll } from '../../app/filter';
import type { Part } from '../../app/only';
import type { Column } from '../../components/data-table';
import { o } from '../../content/only';

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

/** What an instruction is picked by: the line of its text, or else its program counter. */
export const placeOf = (r: { line: number | null; pc: string }): [Part, string] =>
  r.line === null ? ['pc', r.pc] : ['line', String(r.line)];

/** The name of an instruction as a button, if there is something to pick it by. */
export function PickInstruction({
  of,
  children,
}: {
  of: { line: number | null; pc: string };
  children: ComponentChildren;
}) {
  const [part, value] = placeOf(of);
  if (value === '') return <>{children}</>;
  return (
    <Pick part={part} value={value}>
      {children}
    </Pick>
  );
}

/** A column of numbers that name parts: sets or cores. */
export const pickColumn = <Row,>(part: Part, label: string, number: (row: Row) => number): Column<Row> => ({
  key: part,
  label,
  head: true,
  value: number,
  show: (row) => (
    <Pick part={part} value={`${number(row)}`}>
      {number(row)}
    </Pick>
  ),
});

export const isPicked = (part: Part, value: string) => only.value?.part === part && only.value.value === value;

interface ChipProps {
  /** All arrays of the kernel. */
  arrays: { base: string; name: string }[];
  /** Says what the part with this name counts; null while it is counted. */
  told: ((name: string) => string) | null;
}

/** The way back from a filter, and what it counts. */
export function OnlyChip({ arrays, told }: ChipProps) {
  const picked = only.value;
  if (!picked) return null;
  const array = arrays.find((row) => row.base === picked.value)?.name;
  const name = o.names[picked.part](picked.part === 'array' ? (array ?? picked.value) : picked.value);
  return (
    <div class="chips only" role="group" aria-label={o.list}>
      <span class="chip" role="status">
        {told ? told(name) : o.counting(name)}
      </span>
      <button type="button" class="link-button" onClick={showAll}>
        {o.all}
      </button>
    </div>
  );
}
