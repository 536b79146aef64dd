// What each array and each instruction asks of each level.

import { arrayNames } from '../../../app/store';
import { DataTable } from '../../../components/data-table';
import { levelColumns, narrowLevelColumns } from '../../../components/levels';
import { Section } from '../../../components/section';
import { g } from '../../../content/gpu';
import type { GpuKernelReport } from '../../../engine/types';
import { arrayColumns, instructionColumns } from '../row-columns';

export function GpuArrays({ kernel }: { kernel: GpuKernelReport }) {
  const names = arrayNames.value;
  const rows = kernel.rows.arrays.map((row) => ({ ...row, name: names[row.base] ?? row.name }));
  const columns = arrayColumns(levelColumns(rows));
  return (
    <Section title={g.rows.arrays}>
      <DataTable caption={g.rows.arrays} columns={columns} rows={rows} sort={{ key: 'moved', down: true }} />
    </Section>
  );
}

export function GpuInstructions({ kernel }: { kernel: GpuKernelReport }) {
  const rows = kernel.rows.instructions;
  const columns = instructionColumns(rows, narrowLevelColumns(rows));
  return (
    <Section title={g.rows.instructions}>
      <DataTable caption={g.rows.instructions} columns={columns} rows={rows} sort={{ key: 'moved', down: true }} />
    </Section>
  );
}
