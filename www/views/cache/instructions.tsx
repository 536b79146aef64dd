// Requests and misses per instruction.

import { DataTable, type Column } from '../../components/data-table';
import { Section } from '../../components/section';
import { SourceLine } from '../../components/source-line';
import { s } from '../../content/strings';
import type { InstructionRow, KernelReport } from '../../engine/types';
import { countColumns } from '../../components/counts';

export function Instructions({ kernel }: { kernel: KernelReport }) {
  const rows = kernel.instructions;
  const columns: Column<InstructionRow>[] = [
    {
      key: 'opcode',
      label: s.instructions.opcode,
      head: true,
      value: (r) => r.opcode,
      show: (r) => r.opcode || r.kind,
    },
    ...countColumns(rows),
    { key: 'bytes', label: s.instructions.width, numeric: true, value: (r) => r.bytes },
  ];
  // A column that says the same in every row, or nothing, only takes room.
  if (new Set(rows.map((r) => r.space)).size > 1) {
    columns.splice(-1, 0, { key: 'space', label: s.instructions.space, value: (r) => r.space });
  }
  if (rows.some((r) => r.pc !== '')) {
    columns.splice(1, 0, { key: 'pc', label: s.instructions.pc, value: (r) => r.pc, show: (r) => <code>{r.pc}</code> });
  }
  if (rows.some((r) => r.line !== null)) {
    columns.splice(1, 0, {
      key: 'line',
      label: s.instructions.line,
      numeric: true,
      value: (r) => r.line ?? 0,
      show: (r) => <SourceLine line={r.line} />,
    });
  }
  return (
    <Section title={s.instructions.heading}>
      <DataTable caption={s.instructions.heading} columns={columns} rows={rows} sort={{ key: 'misses', down: true }} />
    </Section>
  );
}
