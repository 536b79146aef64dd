// Columns that every table of the model `gpu` shares: what array, instruction or line asks of each level.

import type { Column } from './data-table';
import { bytes, count, percent1, share } from '../content/format';
import { g, mean, SECTOR } from '../content/gpu';
import type { GpuLevels } from '../engine/types';

/** Sectors between the cores and the L2, in both directions. */
export const l2Sectors = (row: GpuLevels) => row.l2_reads + row.l2_writes + row.l2_atomics;

/** Columns of levels. Wavefronts of shared memory are left out where there are none. */
export function levelColumns<Row extends GpuLevels>(rows: Row[]): Column<Row>[] {
  const all = rows.reduce((sum, row) => sum + l2Sectors(row), 0);
  const columns: Column<Row>[] = [
    {
      key: 'moved',
      label: g.rows.moved,
      term: 'l2_traffic',
      numeric: true,
      value: l2Sectors,
      show: (r) => bytes(SECTOR * l2Sectors(r)),
    },
    {
      key: 'share',
      label: g.rows.share,
      numeric: true,
      value: l2Sectors,
      show: (r) => percent1(share(l2Sectors(r), all)),
    },
    {
      key: 'dram',
      label: g.rows.dram,
      term: 'dram_to_l2',
      numeric: true,
      value: (r) => r.dram_reads,
      show: (r) => bytes(SECTOR * r.dram_reads),
    },
    {
      key: 'perLoad',
      label: g.rows.perLoad,
      term: 'sectors_per_load',
      numeric: true,
      value: (r) => share(r.l1_sectors, r.requests),
      show: (r) => (r.l1_sectors === 0 ? '–' : mean(share(r.l1_sectors, r.requests))),
    },
    {
      key: 'l1',
      label: g.facts.l1,
      term: 'l1_hit_rate',
      numeric: true,
      value: (r) => share(r.l1_hits, r.l1_sectors),
      show: (r) => (r.l1_sectors === 0 ? '–' : percent1(share(r.l1_hits, r.l1_sectors))),
    },
    {
      key: 'l2',
      label: g.facts.l2,
      term: 'l2_hit_rate',
      numeric: true,
      value: (r) => share(r.l2_read_hits, r.l2_reads),
      show: (r) => (r.l2_reads === 0 ? '–' : percent1(share(r.l2_read_hits, r.l2_reads))),
    },
    {
      key: 'requests',
      label: g.rows.requests,
      numeric: true,
      value: (r) => r.requests,
      show: (r) => count(r.requests),
    },
  ];
  if (rows.some((r) => r.wavefronts > 0)) {
    columns.push({
      key: 'wavefronts',
      label: g.rows.wavefronts,
      term: 'wavefront',
      numeric: true,
      value: (r) => r.wavefronts,
      show: (r) => count(r.wavefronts),
    });
  }
  return columns;
}

/** The same for a table with many columns of its own: without shares, and without the definitions that a table before it has. */
export function narrowLevelColumns<Row extends GpuLevels>(rows: Row[]): Column<Row>[] {
  return levelColumns(rows)
    .filter(({ key }) => key !== 'share')
    .map(({ term: _, ...column }) => column);
}
