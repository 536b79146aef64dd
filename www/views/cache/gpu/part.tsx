// What a picked part of the accesses counts, beside all of them.

import { useEffect } from 'preact/hooks';
import { arrayNames } from '../../../app/store';
import { l2Sectors, SECTOR } from '../../../content/gpu';
import { o } from '../../../content/only';
import type { GpuKernelReport, GpuLevels } from '../../../engine/types';
import { OnlyChip } from '../only';
import { partWords } from './part-words';

const sums = (rows: GpuLevels[]): [number, number] => [
  rows.reduce((n, row) => n + row.requests, 0),
  SECTOR * rows.reduce((n, row) => n + l2Sectors(row), 0),
];

export function PartChip({ kernel, counts }: { kernel: GpuKernelReport; counts: GpuKernelReport | null }) {
  useEffect(() => void (partWords.value = o.whole), []);
  const names = arrayNames.value;
  const arrays = kernel.rows.arrays.map((row) => ({ ...row, name: names[row.base] ?? row.name }));
  const told = (part: GpuKernelReport) => {
    const [own, all] = [sums(part.rows.instructions), sums(kernel.rows.instructions)];
    return (name: string) => o.gpuChip(name, [own[0], all[0]], [own[1], all[1]]);
  };
  return <OnlyChip arrays={arrays} told={counts && told(counts)} />;
}
