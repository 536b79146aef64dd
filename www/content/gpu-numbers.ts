// Which numbers of the model `gpu` are shown, and how. Every language has these.

import type { GpuLevels, GpuMissClasses, GpuNumbers } from '../engine/types';
import { count, share } from './format';
import type { TermId } from './glossary';

/** Bytes of a sector, in which the report counts data. */
export const SECTOR = 32;

/** Sectors between the cores and the L2, in both directions. */
export const l2Sectors = (row: GpuLevels) => row.l2_reads + row.l2_writes + row.l2_atomics;

const THIN = '\u202f';

/** Seconds in the unit a person would pick: 0.0000213 → "21.3 µs". */
export function time(seconds: number): string {
  const units: [number, string][] = [
    [1, 's'],
    [1e-3, 'ms'],
    [1e-6, 'µs'],
    [1e-9, 'ns'],
  ];
  const [size, unit] = units.find(([least]) => seconds >= least * 0.9995) ?? [1e-9, 'ns'];
  const value = seconds / size;
  return `${value >= 99.95 ? count(value) : value.toFixed(value >= 9.995 ? 1 : 2)}${THIN}${unit}`;
}

/** Sectors that a warp's load asks for, and those that would do. */
export function perLoad(n: GpuNumbers): { sectors: number; least: number } {
  return { sectors: share(n.l1.sectors, n.l1.requests), least: share(n.l1.least_sectors, n.l1.requests) };
}

export type PartId = keyof GpuNumbers['busy'];

/** The parts of the GPU in the order from the warps to DRAM. */
export const PARTS: PartId[] = ['issue', 'pipe', 'requests', 'l2', 'dram', 'replies'];

export const partTerm: Record<PartId, TermId> = {
  issue: 'part_issue',
  pipe: 'part_pipe',
  requests: 'part_links',
  l2: 'part_l2',
  dram: 'part_dram',
  replies: 'part_links',
};

/** Below this share no part limits the kernel: its warps wait for answers. */
export const LIMITS = 0.5;

/** The part that is busy the largest share of the time. Ties go to the part nearest to the warps, as in the picture. */
export function busiestPart(n: GpuNumbers): PartId {
  const order: PartId[] = ['issue', 'pipe', 'l2', 'dram', 'replies', 'requests'];
  return order.reduce((best, part) => (n.busy[part] > n.busy[best] ? part : best));
}

export type StallId = 'issued' | keyof GpuNumbers['stalls'];

/** Scheduler cycles by use. A warp instruction takes one. */
export function schedulerCycles(n: GpuNumbers): Record<StallId, number> {
  return { issued: n.instructions, ...n.stalls };
}

/** The use that takes most scheduler cycles, and its part of them. */
export function mainStall(n: GpuNumbers): { id: StallId; part: number } {
  const cycles = Object.entries(schedulerCycles(n)) as [StallId, number][];
  const [id, most] = cycles.reduce((best, next) => (next[1] > best[1] ? next : best));
  const all = cycles.reduce((sum, [, own]) => sum + own, 0);
  return { id, part: share(most, all) };
}

/** The clock in hertz. */
export const clockOf = (n: GpuNumbers) => share(n.cycles, n.seconds);

export type ClassId = Exclude<keyof GpuMissClasses, 'line_there'>;

/** A number with three digits and a prefix: 1723884000000 → "1.72 T". */
export function prefixed(value: number, unit = ''): string {
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P'];
  const at = Math.min(prefixes.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3));
  const text = `${Number((value / 1000 ** at).toPrecision(3))}`;
  return `${text}${THIN}${prefixes[at]}${unit}`;
}

/** A rate: 1723884000000 → "1.72 T/s". */
export const perSecond = (value: number, unit = '') => `${prefixed(value, unit)}/s`;

/** Operations per byte; a dash where no byte moves. */
export const perByte = (value: number | null) => (value === null ? '–' : `${Number(value.toPrecision(3))}`);

/** Sectors that missed. */
export const missesOf = (classes: GpuMissClasses) =>
  classes.compulsory + classes.capacity + classes.conflict + classes.dropped;
