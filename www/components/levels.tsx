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

/** Sectors that loads look up, stores write and atomics change. */
const askedFor = (row: GpuLevels) => row.l1_sectors + row.l2_writes + row.l2_atomics;

/** A column of the sectors that one of the `own` warp instructions of a row asks for. */
function eachColumn<Row>(
  key: string,
  label: string,
  sectors: (row: Row) => number,
  own: (row: Row) => number,
  term: TermId,
): Column<Row> {
  const value = (row: Row) => share(sectors(row), own(row));
  return { ...numberColumn(key, label, value, mean, term), show: (row) => (value(row) > 0 ? mean(value(row)) : '–') };
}

/**
 * Sectors of one load, and of one store where there are stores. Loads and stores that a row counts together are not told apart, as those
 * of an array that a kernel updates in place.
 */
function kindColumns<Row extends GpuLevels & Kinds>(rows: Row[]): Column<Row>[] {
  const alone = (row: Row, sectors: number) => (sectors === askedFor(row) ? row.requests : 0);
  const loads = (row: Row) => row.loads ?? alone(row, row.l1_sectors);
  const stores = (row: Row) => row.stores ?? alone(row, row.l2_writes);
  const columns = [eachColumn('perLoad', g.rows.perLoad, (r: Row) => r.l1_sectors, loads, 'sectors_per_load')];
  if (rows.some((r) => r.l2_writes > 0))
    columns.push(eachColumn('perStore', g.rows.perStore, (r: Row) => r.l2_writes, stores, 'sector'));
  return columns;
}

/** Columns of levels. Wavefronts of shared memory are left out where there are none. */
export function levelColumns<Row extends GpuLevels & Kinds>(rows: Row[], each = kindColumns(rows)): Column<Row>[] {
  const columns: Column<Row>[] = [
    numberColumn('moved', g.rows.moved, (r) => SECTOR * l2Sectors(r), bytes, 'l2_traffic'),
    shareColumn('share', g.rows.share, l2Sectors),
    ...each,
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

/**
 * The same for instructions, whose table has many columns of its own: without shares, and without the definitions that a table before it
 * has. An instruction loads or stores, so one column has the sectors of either.
 */
export function instructionLevelColumns<Row extends GpuLevels>(rows: Row[]): Column<Row>[] {
  return levelColumns(rows, [eachColumn('each', g.rows.each, askedFor, (r) => r.requests, 'sector')])
    .filter(({ key }) => key !== 'share')
    .map(({ term: _, ...column }) => column);
}
