// The native figures that `cargo bench` left, beside those of wasm.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The median of each benchmark of a group, in nanoseconds, by its name. Ends the script if there are none. */
export function nativeMedians(group, wanted) {
  const folder = new URL(`../../target/criterion/${group}/`, import.meta.url);
  const file = (id) => new URL(`${id}/new/estimates.json`, folder);
  // Folders of other benches, or of scenarios that are no more, are passed over.
  const names = existsSync(folder) ? readdirSync(folder).filter((id) => wanted.test(id) && existsSync(file(id))) : [];
  if (names.length === 0) {
    console.error(`no native figures: run \`cargo bench --bench ${group}\` first`);
    process.exit(1);
  }
  return names.sort().map((id) => [id, JSON.parse(readFileSync(file(id), 'utf8')).median.point_estimate]);
}

/** Prints a row per scenario with `{ id, native, wasm }` in nanoseconds per unit, and the median and largest ratio. */
export function printRatios(rows) {
  console.log('scenario                                     native ns    wasm ns   ratio');
  const ratios = rows.map(({ id, native, wasm }) => {
    const [here, there, ratio] = [native.toFixed(1), wasm.toFixed(1), (wasm / native).toFixed(2)];
    console.log(`${id.padEnd(42)} ${here.padStart(10)} ${there.padStart(10)} ${ratio.padStart(7)}`);
    return wasm / native;
  });
  ratios.sort((a, b) => a - b);
  console.log(`median ratio ${ratios[ratios.length >> 1].toFixed(2)}, largest ${ratios.at(-1).toFixed(2)}`);
}
