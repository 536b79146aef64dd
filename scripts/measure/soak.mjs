// Lets a stranger do anything: random actions on all tabs of dist/ in headless Chromium. Nothing may break, and memory must come back.
//
//   npm run measure:soak                                          300 actions of each of 20 seeds
//   npm run measure:soak -- --seeds 1 --actions 60
//   npm run measure:soak -- --actions 1000 --early --throttled    from the first millisecond, on a processor four times slower
//
// After the actions each tab's main button is pressed, and the page opens an example, runs it and folds all parts of the result. Its own objects in
// the heap, after a collection, are compared with those after the first hundred actions and the same buttons; with `--early` they are not. What V8 keeps of
// scripts is left out: it grows with each function that runs for the first time.
import { parseArgs } from 'node:util';
import { soak } from '../../tests/campaign/actions.mjs';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    actions: { type: 'string', default: '300' },
    from: { type: 'string', default: '1' },
    early: { type: 'boolean', default: false },
    throttled: { type: 'boolean', default: false },
  },
});

const site = await serveDist();
const browser = await launch();
const [seeds, actions, from] = [options.seeds, options.actions, options.from].map(Number);
const { early, throttled } = options;
let good = 0;
for (let seed = from; seed < from + seeds; seed += 1) {
  const { trouble, done, last, before, after } = await soak(browser, site, seed, { actions, early, throttled });
  if (trouble.length === 0) good += 1;
  const mib = (bytes) => (bytes / 2 ** 20).toFixed(1);
  console.log(`seed ${seed}: ${done} actions, heap ${mib(before)} -> ${mib(after)} MiB`);
  if (trouble.length > 0) console.log(`  ${trouble.join('\n  ')}\n  last: ${last.join(', ')}`);
}
await browser.close();
site.close();
console.log(`${good} of ${seeds} seeds without trouble`);
process.exit(good === seeds ? 0 : 1);
