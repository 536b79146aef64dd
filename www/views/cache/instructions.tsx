// Requests and misses per instruction.

import { instructionKey, l1Rows } from '../../app/baseline';
import type { Part } from '../../app/only';
import { countColumns } from '../../components/counts';
import { DataTable, type Column } from '../../components/data-table';
import { Folded } from '../../components/section';
import { s } from '../../content/strings';
import type { InstructionRow, KernelReport } from '../../engine/types';
import { isPicked, Pick } from './only';
import { instructionColumns } from './row-columns';

const WIDTH: Column<InstructionRow> = {
  key: 'bytes',
  label: s.instructions.width,
  numeric: true,
  value: (r) => r.bytes,
};

/** What an instruction is picked by: the line of its text, or else its program counter. */
const placeOf = (r: InstructionRow): [Part, string] => (r.line === null ? ['pc', r.pc] : ['line', String(r.line)]);

export function Instructions({ kernel: { instructions: rows } }: { kernel: KernelReport }) {
  const [opcode, ...others] = instructionColumns(rows, [...countColumns(rows), WIDTH]);
  const show = (r: InstructionRow) => {
    const [part, value] = placeOf(r);
    const name = opcode?.show?.(r);
    return value === '' ? (
      name
    ) : (
      <Pick part={part} value={value}>
        {name}
      </Pick>
    );
  };
  return (
    <Folded title={s.instructions.heading} name="instructions" brief={s.part.rows(rows.length)}>
      <DataTable
        caption={s.instructions.heading}
        columns={[...(opcode ? [{ ...opcode, show }] : []), ...others]}
        rows={rows}
        sort={{ key: 'misses', down: true }}
        base={l1Rows((k) => k.instructions, instructionKey)}
        rowClass={(r) => (isPicked(...placeOf(r)) ? 'chosen' : '')}
      />
    </Folded>
  );
}
