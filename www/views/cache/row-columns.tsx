// Columns that tables of arrays and of instructions have whatever the model, around the columns of the model.

import { type Column, numberColumn } from '../../components/data-table';
import { SourceLine } from '../../components/source-line';
import { bytes } from '../../content/format';
import { s } from '../../content/strings';

interface ArrayRow {
  name: string;
  guessed: boolean;
  bytes: number;
}

/** Columns of a table of arrays. `last` stands before the size. */
export function arrayColumns<Row extends ArrayRow>(model: Column<Row>[], last: Column<Row>[] = []): Column<Row>[] {
  return [
    {
      key: 'name',
      label: s.arrays.name,
      head: true,
      value: (r) => r.name,
      show: (r) => (
        <>
          {r.name}{' '}
          {r.guessed && (
            <span class="badge" title={s.arrays.guessedHelp}>
              {s.arrays.guessed}
            </span>
          )}
        </>
      ),
    },
    ...model,
    ...last,
    numberColumn('bytes', s.arrays.size, (r) => r.bytes, bytes),
  ];
}

interface InstructionRow {
  opcode: string;
  kind: string;
  line: number | null;
  pc: string;
  space: string;
}

/** Columns of a table of instructions. A column that says the same in every row, or nothing, is left out. */
export function instructionColumns<Row extends InstructionRow>(rows: Row[], model: Column<Row>[]): Column<Row>[] {
  const columns: Column<Row>[] = [
    {
      key: 'opcode',
      label: s.instructions.opcode,
      head: true,
      value: (r) => r.opcode,
      show: (r) => r.opcode || r.kind,
    },
  ];
  if (rows.some((r) => r.line !== null)) {
    columns.push({
      key: 'line',
      label: s.instructions.line,
      numeric: true,
      value: (r) => r.line ?? 0,
      show: (r) => <SourceLine line={r.line} />,
    });
  }
  if (rows.some((r) => r.pc !== '')) {
    columns.push({ key: 'pc', label: s.instructions.pc, value: (r) => r.pc, show: (r) => <code>{r.pc}</code> });
  }
  if (new Set(rows.map((r) => r.space)).size > 1) {
    columns.push({ key: 'space', label: s.instructions.space, value: (r) => r.space });
  }
  return [...columns, ...model];
}
