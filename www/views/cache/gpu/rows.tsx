// What each array and each instruction asks of each level.

import { arrayNames } from '../../../app/store';
import { DataTable, type Column } from '../../../components/data-table';
import { levelColumns, narrowLevelColumns } from '../../../components/levels';
import { Section } from '../../../components/section';
import { SourceLine } from '../../../components/source-line';
import { bytes } from '../../../content/format';
import { g } from '../../../content/gpu';
import { s } from '../../../content/strings';
import type { GpuArrayRow, GpuInstructionRow, GpuKernelReport } from '../../../engine/types';

export function GpuArrays({ kernel }: { kernel: GpuKernelReport }) {
  const names = arrayNames.value;
  const rows = kernel.rows.arrays.map((row) => ({ ...row, name: names[row.base] ?? row.name }));
  const columns: Column<GpuArrayRow>[] = [
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
    ...levelColumns(rows),
    { key: 'bytes', label: s.arrays.size, numeric: true, value: (r) => r.bytes, show: (r) => bytes(r.bytes) },
  ];
  return (
    <Section title={g.rows.arrays}>
      <DataTable caption={g.rows.arrays} columns={columns} rows={rows} sort={{ key: 'moved', down: true }} />
    </Section>
  );
}

export function GpuInstructions({ kernel }: { kernel: GpuKernelReport }) {
  const rows = kernel.rows.instructions;
  const columns: Column<GpuInstructionRow>[] = [
    {
      key: 'opcode',
      label: s.instructions.opcode,
      head: true,
      value: (r) => r.opcode,
      show: (r) => r.opcode || r.kind,
    },
    ...narrowLevelColumns(rows),
  ];
  // A column that says the same in every row, or nothing, only takes room.
  if (new Set(rows.map((r) => r.space)).size > 1) {
    columns.splice(1, 0, { key: 'space', label: s.instructions.space, value: (r) => r.space });
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
    <Section title={g.rows.instructions}>
      <DataTable caption={g.rows.instructions} columns={columns} rows={rows} sort={{ key: 'moved', down: true }} />
    </Section>
  );
}
