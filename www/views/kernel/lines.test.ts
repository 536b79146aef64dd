import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instructionLevelColumns, levelColumns } from '../../components/levels';
import type { Column } from '../../components/data-table';
import type { GpuInstructionRow, GpuReport, Intake } from '../../engine/types';
import { levelLinesOf, ofText } from './lines';

const row = (kind: string, line: number, requests: number, more: Partial<GpuInstructionRow>): GpuInstructionRow => ({
  ...{ pc: '', opcode: '', space: 'global', bytes: 4, kind, line, requests },
  ...{ l1_sectors: 0, l1_hits: 0, l2_reads: 0, l2_read_hits: 0, l2_writes: 0, l2_atomics: 0, dram_reads: 0 },
  wavefronts: 0,
  ...more,
});

/** What a table says of each row in its columns of sectors. */
const said = <Row>(rows: Row[], columns: Column<Row>[]) =>
  rows.map((one) => columns.filter(({ key }) => /^(per|each)/.test(key)).map(({ show }) => show?.(one, rows)));

test('a line that loads and stores has the sectors of each by its own warp instructions', () => {
  const load = row('load', 7, 16, { l1_sectors: 512 });
  const store = row('store', 7, 16, { l2_writes: 64 });
  const shared = row('load', 7, 16, { space: 'shared', wavefronts: 16 });
  const report = { kernels: [{ rows: { instructions: [load, store, shared] } }] } as unknown as GpuReport;
  const lines = levelLinesOf(report);
  assert.equal(lines[0]?.requests, 48);
  assert.deepEqual(said(lines, levelColumns(lines)), [['32', '4']]);
  // The instructions alone say the same.
  const alone = [load, store, shared];
  assert.deepEqual(said(alone, instructionLevelColumns(alone)), [['32'], ['4'], ['–']]);
  // An array that is loaded and stored does not tell which of its instructions did what.
  const arrays = [load, store, { ...load, requests: 32, l2_writes: 64 }];
  assert.deepEqual(said(arrays, levelColumns(arrays)), [
    ['32', '–'],
    ['–', '4'],
    ['–', '–'],
  ]);
});

test('kernels of files beside the text are left out, and those of no known file stay', () => {
  const file = (name: string, read_as: string) => ({ id: { name }, read_as });
  const from = (number: number, of: string) => ({ number, file: of });
  const left = (files: object[], kernels: object[]) => {
    const report = { model: 'gpu', kernels: [1, 2, 3].map((number) => ({ number })) } as unknown as GpuReport;
    return ofText(report, { files, kernels } as unknown as Intake).kernels.map(({ number }) => number);
  };
  assert.deepEqual(left([file('x.trc', 'trc'), file('a.cu', 'cuda')], [from(1, 'x.trc'), from(2, 'a.cu')]), [2, 3]);
  assert.deepEqual(left([file('p.csv', 'ncu')], [from(1, 'example:copy'), from(2, 'example:copy')]), [1, 2, 3]);
});
