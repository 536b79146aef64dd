// Requests and misses per line of the text. Pure.

import type { AccessCounts, CacheReport } from '../../engine/types';

export interface LineRow extends AccessCounts {
  line: number;
}

const KEYS = ['requests', 'hits', 'compulsory', 'capacity', 'associativity', 'latency'] as const;

/** AccessCounts of all kernels of a report, line by line. */
export function linesOf(report: CacheReport): LineRow[] {
  const rows = new Map<number, LineRow>();
  for (const row of report.kernels.flatMap((kernel) => kernel.instructions)) {
    if (row.line === null) continue;
    const sum = rows.get(row.line) ?? {
      line: row.line,
      requests: 0,
      hits: 0,
      compulsory: 0,
      capacity: 0,
      associativity: 0,
      latency: 0,
    };
    for (const key of KEYS) sum[key] += row[key];
    rows.set(row.line, sum);
  }
  return [...rows.values()].sort((a, b) => a.line - b.line);
}
