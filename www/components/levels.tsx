// Columns that every table of the model `gpu` shares: what array, instruction or line asks of each level.

import { type Column, numberColumn, shareColumn } from './data-table';
import { bytes, count, mean, percent1, share } from '../content/format';
import type { TermId } from '../content/glossary';
import { g, l2Sectors, SECTOR } from '../content/gpu';
import type { GpuLevels } from '../engine/types';

/** A column of hit rates, from the hits of a row and its look-ups. A row without look-ups has no rate. */
function rateColumn<Row>(key: string, label: string, of: (row: Row) => [number, number], term: TermId): Column<Row> {
  const show = ([hits, all]: [number, number]) => (all === 0 ? '–' : percent1(share(hits, all)));
  const value = (row: Row) => share(...of(row));
  return { key, label, term, numeric: true, value, show: (row) => show(of(row)), format: percent1 };
}

/** Warp instructions by what they do; a row that counts the instructions of a line has them. */
interface Kinds {
  loads?: number;
  stores?: number;
}

/**
 * A column of the sectors that one load, or one store, asks for. Loads and stores that a row counts together are not told apart, as those
 * of an array that a kernel updates in place.
 */
function eachColumn<Row extends GpuLevels & Kinds>(
  key: string,
  label: string,
  sectors: (row: Row) => number,
  own: (row: Row) => number | undefined,
  term: TermId,
): Column<Row> {
  const value = (row: Row) => {
    const alone = sectors(row) === row.l1_sectors + row.l2_writes + row.l2_atomics;
    return share(sectors(row), own(row) ?? (alone ? row.requests : 0));
  };
  return { ...numberColumn(key, label, value, mean, term), show: (row) => (value(row) > 0 ? mean(value(row)) : '–') };
}

/** Columns of levels. Stores, and wavefronts of shared memory, are left out where there are none. */
export function levelColumns<Row extends GpuLevels & Kinds>(rows: Row[]): Column<Row>[] {
  const columns: Column<Row>[] = [
    numberColumn('moved', g.rows.moved, (r) => SECTOR * l2Sectors(r), bytes, 'l2_traffic'),
    shareColumn('share', g.rows.share, l2Sectors),
    eachColumn(
      'perLoad',
      g.rows.perLoad,
      (r) => r.l1_sectors,
      (r) => r.loads,
      'sectors_per_load',
    ),
    ...(rows.some((r) => r.l2_writes > 0)
      ? [
          eachColumn<Row>(
            'perStore',
            g.rows.perStore,
            (r) => r.l2_writes,
            (r) => r.stores,
            'sector',
          ),
        ]
      : []),
    numberColumn('dram', g.rows.dram, (r) => SECTOR * r.dram_reads, bytes, 'dram_to_l2'),
    rateColumn('l1', g.facts.l1, (r) => [r.l1_hits, r.l1_sectors], 'l1_hit_rate'),
    rateColumn('l2', g.facts.l2, (r) => [r.l2_read_hits, r.l2_reads], 'l2_hit_rate'),
    numberColumn('requests', g.rows.requests, (r) => r.requests, count, 'warp_instruction'),
  ];
  if (rows.some((r) => r.wavefronts > 0)) {
    columns.push(numberColumn('wavefronts', g.rows.wavefronts, (r) => r.wavefronts, count, 'wavefront'));
  }
  return columns;
}

/** The same for a table with many columns of its own: without shares, and without the definitions that a table before it has. */
export function narrowLevelColumns<Row extends GpuLevels & Kinds>(rows: Row[]): Column<Row>[] {
  return levelColumns(rows)
    .filter(({ key }) => key !== 'share')
    .map(({ term: _, ...column }) => column);
}
