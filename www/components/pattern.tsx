// Which lanes of a warp touch the same line: a row per access, a column per lane.

import { gallery } from '../content/gallery';

const CELL = 3;
const GAP = 1;

/** Stretches of lanes that touch one line: where each begins, how long it is, and its tone. A dot rests. */
export function stretches(row: string): { at: number; length: number; tone: number }[] {
  const found: { at: number; length: number; tone: number }[] = [];
  for (let at = 0; at < row.length;) {
    let end = at + 1;
    while (row[end] === row[at]) end += 1;
    if (row[at] !== '.') found.push({ at, length: end - at, tone: Number.parseInt(row[at]!, 32) % 4 });
    at = end;
  }
  return found;
}

export function Pattern({ rows }: { rows: string[] }) {
  const lines = rows.map((row) => new Set(row.replaceAll('.', '')).size);
  return (
    <svg
      class="pattern"
      role="img"
      aria-label={gallery.pattern(Math.max(...lines))}
      viewBox={`0 0 ${32 * CELL} ${8 * (CELL + GAP)}`}
    >
      {rows.flatMap((row, y) =>
        stretches(row).map(({ at, length, tone }) => (
          <rect
            key={`${y} ${at}`}
            class={`tone-${tone}`}
            x={at * CELL}
            y={y * (CELL + GAP)}
            width={length * CELL - 0.4}
            height={CELL}
          />
        )),
      )}
    </svg>
  );
}
