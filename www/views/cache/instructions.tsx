// Requests and misses per instruction.

import { DataTable, type Column } from '../../components/data-table';
import { Section } from '../../components/section';
import { s } from '../../content/strings';
import type { InstructionRow, KernelReport } from '../../engine/types';
import { countColumns } from './counts';

export function Instructions({ kernel }: { kernel: KernelReport }) {
  const rows = kernel.instructions;
  const columns: Column<InstructionRow>[] = [
    { key: 'pc', label: s.instructions.pc, head: true, value: (r) => r.pc, show: (r) => <code>{r.pc}</code> },
    { key: 'opcode', label: s.instructions.opcode, value: (r) => r.opcode, show: (r) => r.opcode || r.kind },
    ...countColumns(rows),
    { key: 'space', label: s.instructions.space, value: (r) => r.space },
    { key: 'bytes', label: s.instructions.width, numeric: true, value: (r) => r.bytes },
  ];
  if (rows.some((r) => r.line !== null)) {
    columns.splice(2, 0, { key: 'line', label: s.instructions.line, numeric: true, value: (r) => r.line ?? 0, show: (r) => r.line ?? '–' });
  }
  return (
    <Section title={s.instructions.heading}>
      <DataTable caption={s.instructions.heading} columns={columns} rows={rows} sort={{ key: 'misses', down: true }} />
    </Section>
  );
}
