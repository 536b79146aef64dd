// What each array and each instruction asks of each level, folded away. The tables' code comes when one is opened.

import { arrayNames } from '../../../app/store';
import { Lazy } from '../../../components/lazy';
import { Folded } from '../../../components/section';
import { bytes } from '../../../content/format';
import { g, l2Sectors, SECTOR } from '../../../content/gpu';
import { s } from '../../../content/strings';
import type { GpuArrayRow, GpuKernelReport } from '../../../engine/types';

const tables = () => import(/* webpackChunkName: 'gpu-rows' */ './tables');
const arrayTable = () => tables().then((module) => module.ArrayTable);
const instructionTable = () => tables().then((module) => module.InstructionTable);

interface Props {
  kernel: GpuKernelReport;
  /** The rows count a part of the accesses. */
  part: boolean;
}

export function GpuArrays({ kernel, part }: Props) {
  const names = arrayNames.value;
  const rows = kernel.rows.arrays.map((row) => ({ ...row, name: names[row.base] ?? row.name }));
  const most = rows.reduce<GpuArrayRow | null>((a, b) => (a && l2Sectors(a) >= l2Sectors(b) ? a : b), null);
  return (
    <Folded
      title={g.rows.arrays}
      name="arrays"
      brief={most ? `${most.name}, ${bytes(SECTOR * l2Sectors(most))}` : undefined}
    >
      <Lazy load={arrayTable} props={{ rows, part }} />
    </Folded>
  );
}

export function GpuInstructions({ kernel, part }: Props) {
  const { instructions: rows } = kernel.rows;
  return (
    <Folded title={g.rows.instructions} name="instructions" brief={s.part.rows(rows.length)}>
      <Lazy load={instructionTable} props={{ rows, part }} />
    </Folded>
  );
}
