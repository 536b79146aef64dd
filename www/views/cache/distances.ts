// The reuse-distance histogram as rows, and what it says about a number of ways.

export interface DistanceRow {
  /** Infinity for first uses. */
  distance: number;
  requests: number;
  share: number;
  /** Share of this and all smaller distances. */
  upTo: number;
}

/** Keys are decimal distances and `inf`. */
export function distanceRows(histogram: Record<string, number>): DistanceRow[] {
  const rows = Object.entries(histogram)
    .map(([key, requests]) => ({ distance: /^\d+$/.test(key) ? Number(key) : Infinity, requests }))
    .sort((a, b) => (a.distance === b.distance ? 0 : a.distance - b.distance));
  const all = rows.reduce((sum, row) => sum + row.requests, 0);
  let sum = 0;
  return rows.map(({ distance, requests }) => {
    sum += requests;
    return { distance, requests, share: all ? requests / all : 0, upTo: all ? sum / all : 0 };
  });
}

/** Share of the requests with a distance below `ways`. */
export function shareBelow(rows: DistanceRow[], ways: number): number {
  return rows.reduce((sum, row) => (row.distance < ways ? sum + row.share : sum), 0);
}

/** The run's ways of L1, if the engine tells. */
export function waysOf(parameters: Record<string, string>): number | null {
  const n = Number(parameters['l1.ways'] ?? parameters['ways']);
  return Number.isInteger(n) && n > 0 ? n : null;
}
