// Requests and misses per instruction.

import { instructionKey, l1Rows } from '../../app/baseline';
import { countColumns } from '../../components/counts';
import { DataTable, type Column } from '../../components/data-table';
import { Folded } from '../../components/section';
import { s } from '../../content/strings';
import type { InstructionRow, KernelReport } from '../../engine/types';
import { isPicked, PickInstruction, placeOf } from './only';
import { instructionColumns } from './row-columns';

const WIDTH: Column<InstructionRow> = {
  key: 'bytes',
  label: s.instructions.width,
  numeric: true,
  value: (r) => r.bytes,
};

export function Instructions({ kernel: { instructions: rows } }: { kernel: KernelReport }) {
  const [opcode, ...others] = instructionColumns(rows, [...countColumns(rows), WIDTH]);
  const show = (r: InstructionRow, all: InstructionRow[]) => (
    <PickInstruction of={r}>{opcode?.show?.(r, all)}</PickInstruction>
  );
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
