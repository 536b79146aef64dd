// The error of modelled times on each GPU, from the tables of docs/accuracy.md.

/** A row of a table of errors whose counter is the time or the cycles: GPU, counter, launches, mean error. */
const ROW = /^\| ([\w-]+) \| (?:time, µs|cycles) \| (\d+) \| ([\d.]+) % \|/gm;

/** By the id of a GPU: the launches that were compared, and the mean of their errors without sign, a share. */
export function timeErrors(text) {
  const found = {};
  for (const [, gpu, launches, error] of text.matchAll(ROW)) {
    const all = (found[gpu] ??= { launches: 0, sum: 0 });
    all.launches += Number(launches);
    all.sum += (Number(launches) * Number(error)) / 100;
  }
  const rows = Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    rows.map(([gpu, { launches, sum }]) => [gpu, { launches, error: Number((sum / launches).toFixed(3)) }]),
  );
}
