// What the schedulers do with their cycles, as one bar with its legend, and how busy each part of the GPU is.

import { comparing, gpuRows } from '../../../app/baseline';
import { DataTable, type Column, numberColumn } from '../../../components/data-table';
import { Folded } from '../../../components/section';
import { type BarPart, ShareBar } from '../../../components/share-bar';
import { Term } from '../../../components/term';
import { percent1, share } from '../../../content/format';
import { busiestPart, g, partName, PARTS, partTerm, schedulerCycles, STALLS, type PartId } from '../../../content/gpu';
import type { GpuKernelReport, GpuNumbers } from '../../../engine/types';
import { GpuRooflineFold } from './folds';

/** The scheduler cycles of a part of the accesses: waits for these, and all others. */
function shareOf(whole: GpuNumbers, part: GpuNumbers, others: string): BarPart[] {
  const [all, own] = [schedulerCycles(whole), schedulerCycles(part)];
  const mine = STALLS.filter(({ id }) => ['load', 'pipe', 'shared'].includes(id));
  const sum = mine.reduce((n, { id }) => n + own[id], 0);
  const rest = STALLS.reduce((n, { id }) => n + all[id], 0) - sum;
  return [
    ...mine.map((one) => ({ ...one, value: own[one.id] })),
    { id: 'others', colour: 'hits', name: others, value: rest },
  ];
}

interface StallProps {
  numbers: GpuNumbers;
  /** Those of a part of the accesses, and the words for what it is. */
  part: GpuNumbers | null;
  words?: { stalls: string; others: string };
}

export function GpuStalls({ numbers, part, words }: StallProps) {
  const cycles = schedulerCycles(numbers);
  const before = part ? null : comparing.value?.gpu;
  const parts: BarPart[] =
    part && words ? shareOf(numbers, part, words.others) : STALLS.map((one) => ({ ...one, value: cycles[one.id] }));
  const most = parts.reduce((a, b) => (b.value > a.value ? b : a));
  const all = parts.reduce((sum, { value }) => sum + value, 0);
  return (
    <Folded
      title={g.stalls.heading}
      hint={(part && words?.stalls) ?? g.stalls.hint}
      name="stalls"
      brief={g.stall(most.name, share(most.value, all))}
    >
      <ShareBar parts={parts} label={g.stalls.bar} base={before && schedulerCycles(before.gpu)} />
    </Folded>
  );
}

interface Row {
  part: PartId;
  busy: number;
}

/** `whole`: why it counts all accesses where others count a part. */
export function GpuParts({ kernel, index, whole }: { kernel: GpuKernelReport; index: number; whole?: string }) {
  const numbers = kernel.gpu;
  const most = busiestPart(numbers);
  const columns: Column<Row>[] = [
    {
      key: 'part',
      label: g.parts.part,
      head: true,
      show: (r) => (
        <>
          <Term id={partTerm[r.part]}>{partName[r.part]}</Term>{' '}
          {r.part === most && <span class="badge changed">{g.parts.mark}</span>}
        </>
      ),
    },
    numberColumn('busy', g.parts.busy, (r) => r.busy, percent1),
    {
      key: 'bar',
      label: g.parts.share,
      show: (r) => (
        <span class="bar busy-bar" aria-hidden="true">
          <span
            class={`bar-part ${r.part === most ? 'capacity' : 'compulsory'}`}
            style={{ width: `${100 * Math.min(1, r.busy)}%` }}
          />
        </span>
      ),
    },
  ];
  const rowsOf = (n: GpuNumbers) => PARTS.map((part) => ({ part, busy: n.busy[part] }));
  const rows = rowsOf(numbers);
  return (
    <Folded title={g.parts.heading} term="busiest" name="parts" brief={g.busy(most, numbers)} hint={whole}>
      <DataTable
        caption={g.parts.heading}
        columns={columns}
        rows={rows}
        sort={{ key: 'busy', down: true }}
        base={gpuRows(
          (k) => rowsOf(k.gpu),
          (row) => row.part,
        )}
      />
      <GpuRooflineFold kernel={kernel} index={index} />
    </Folded>
  );
}
