// What each array and each instruction asks of each level.

import { arrayNames } from '../../../app/store';
import { arrayKey, gpuRows, instructionKey } from '../../../app/baseline';
import { DataTable } from '../../../components/data-table';
import { l2Sectors, levelColumns, narrowLevelColumns } from '../../../components/levels';
import { Folded } from '../../../components/section';
import { bytes } from '../../../content/format';
import { g, SECTOR } from '../../../content/gpu';
import { s } from '../../../content/strings';
import type { GpuArrayRow, GpuKernelReport } from '../../../engine/types';
import { arrayColumns, instructionColumns } from '../row-columns';

export function GpuArrays({ kernel }: { kernel: GpuKernelReport }) {
  const names = arrayNames.value;
  const rows = kernel.rows.arrays.map((row) => ({ ...row, name: names[row.base] ?? row.name }));
  const most = rows.reduce<GpuArrayRow | null>((a, b) => (a && l2Sectors(a) >= l2Sectors(b) ? a : b), null);
  const columns = arrayColumns(levelColumns(rows));
  return (
    <Folded
      title={g.rows.arrays}
      name="arrays"
      brief={most ? `${most.name}, ${bytes(SECTOR * l2Sectors(most))}` : undefined}
    >
      <DataTable
        caption={g.rows.arrays}
        columns={columns}
        rows={rows}
        sort={{ key: 'moved', down: true }}
        base={gpuRows((k) => k.rows.arrays, arrayKey)}
      />
    </Folded>
  );
}

export function GpuInstructions({ kernel }: { kernel: GpuKernelReport }) {
  const rows = kernel.rows.instructions;
  const columns = instructionColumns(rows, narrowLevelColumns(rows));
  return (
    <Folded title={g.rows.instructions} name="instructions" brief={s.part.rows(rows.length)}>
      <DataTable
        caption={g.rows.instructions}
        columns={columns}
        rows={rows}
        sort={{ key: 'moved', down: true }}
        base={gpuRows((k) => k.rows.instructions, instructionKey)}
      />
    </Folded>
  );
}
