// The longest task of the page's main thread in each interaction of each tab of dist/.
//
//   npm run measure:tasks -- [--rounds 3] [--only WORD] [--most 50]
//
// Each line has the processor time of the longest task (the median of the rounds), its time by the clock, which counts other programs of
// the machine too, and what the task did for longest. `--only` takes the scenes whose name has the word. The exit code is 1 if a task
// took more than `--most` ms of processor time. All of it takes about 4 minutes.
import { parseArgs } from 'node:util';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';
import { SCENES, settle } from './interactions.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    most: { type: 'string', default: '50' },
  },
});

/** Tracing tells tasks, and what they do, with their processor time. */
const CATEGORIES = ['disabled-by-default-devtools.timeline', 'devtools.timeline', 'v8', 'disabled-by-default-v8.gc'];

/** What a task can spend its time on. Inner ones count for themselves: layout inside a function is layout. */
const PARTS = new Map([
  ['EvaluateScript', 'script'],
  ['FunctionCall', 'script'],
  ['RunMicrotasks', 'script'],
  ['TimerFire', 'script'],
  ['EventDispatch', 'script'],
  ['v8.compile', 'compiling'],
  ['UpdateLayoutTree', 'style'],
  ['Layout', 'layout'],
  ['PrePaint', 'paint'],
  ['Paint', 'paint'],
  ['Layerize', 'paint'],
  ['Commit', 'paint'],
  ['ParseHTML', 'parsing HTML'],
  ['MinorGC', 'garbage'],
  ['MajorGC', 'garbage'],
]);

/** The task of the pages' main threads that took most processor time, in ms. */
function longestTask(trace) {
  const events = JSON.parse(trace).traceEvents;
  const named = events.filter((e) => e.ph === 'M' && e.name === 'thread_name' && e.args.name === 'CrRendererMain');
  const main = new Set(named.map((e) => `${e.pid}:${e.tid}`));
  const own = events.filter((e) => e.ph === 'X' && main.has(`${e.pid}:${e.tid}`));
  const tasks = own.filter((e) => e.name === 'RunTask');
  const longest = tasks.reduce((a, b) => ((b.tdur ?? 0) > (a?.tdur ?? 0) ? b : a), null);
  if (!longest) return { cpu: 0, wall: 0, did: '' };
  const inside = own.filter(
    (e) =>
      e.tid === longest.tid && e.pid === longest.pid && e.ts >= longest.ts && e.ts + e.dur <= longest.ts + longest.dur,
  );
  return { cpu: longest.tdur / 1000, wall: longest.dur / 1000, did: mostly(inside) };
}

/** The two parts of a task that took longest, without what lies inside them. */
function mostly(events) {
  const parts = events.filter((e) => PARTS.has(e.name)).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const sums = new Map();
  const add = (part, time) => sums.set(part, (sums.get(part) ?? 0) + time / 1000);
  const open = [];
  for (const event of parts) {
    while (open.length > 0 && event.ts >= open.at(-1).ts + open.at(-1).dur) open.pop();
    const part = PARTS.get(event.name);
    add(part, event.tdur ?? 0);
    if (open.length > 0) add(PARTS.get(open.at(-1).name), -(event.tdur ?? 0));
    open.push(event);
  }
  const most = [...sums].sort((a, b) => b[1] - a[1]).slice(0, 2);
  return most.map(([part, ms]) => `${part} ${ms.toFixed(0)}`).join(', ');
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const site = await serveDist();
const browser = await launch();
/** By scene and step, the longest task of each round. */
const found = new Map();

async function walk({ name, at, context, steps }) {
  const own = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context });
  const page = await own.newPage();
  const opening = ['opened', async () => page.goto(site.url + at)];
  for (const [what, act, until] of [opening, ...steps]) {
    await browser.startTracing(page, { categories: CATEGORIES });
    const key = `${name}: ${what}`;
    try {
      await act(page);
      if (until) await page.locator(until).first().waitFor({ timeout: 60_000 });
      await settle(page);
    } catch (error) {
      throw new Error(`${key}: ${error.message}`, { cause: error });
    }
    found.set(key, [...(found.get(key) ?? []), longestTask(await browser.stopTracing())]);
  }
  await own.close();
}

const problems = [];
try {
  for (let round = 0; round < Number(options.rounds); round += 1)
    for (const scene of SCENES) if (scene.name.includes(options.only)) await walk(scene);
} finally {
  await browser.close();
  site.close();
}
console.log(
  '| interaction | longest task, ms of the processor | by the clock | mostly, ms |\n| --- | --- | --- | --- |',
);
for (const [what, rounds] of found) {
  const [cpu, wall] = [median(rounds.map((r) => r.cpu)), median(rounds.map((r) => r.wall))];
  const { did } = rounds.find((r) => r.cpu === cpu);
  console.log(`| ${what} | ${cpu.toFixed(0)} | ${wall.toFixed(0)} | ${did} |`);
  if (cpu > Number(options.most)) problems.push(`${what} (${cpu.toFixed(0)} ms)`);
}
console.log(problems.length === 0 ? `No task took more than ${options.most} ms.` : `Too long: ${problems.join('; ')}`);
process.exitCode = problems.length === 0 ? 0 : 1;
