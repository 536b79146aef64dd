// Measures dist/ in headless Chromium: bytes and time to the first result, and the longest task of the main thread.
//
//   npm run measure -- [--at '?…'] [--ready 'css selector'] [--runs 5] [--cpu 4] [--seconds 3] [--tasks] [FILE…]
//
// `--at` is appended to the address (a link to an example), `--ready` is what stands on the page once the result is
// there, `--cpu 4` slows the processor fourfold, `--seconds` is how long tasks are watched after the result, `--tasks` lists
// the longest tasks with what they did. Files are opened on the page after its first result; tasks are watched until theirs
// stands. The bytes are those of the files that were asked for before the result stood. A task counts by its time on the
// clock and by its time on the processor, which a busy machine changes less.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';

const { values: options, positionals: dropped } = parseArgs({
  allowPositionals: true,
  options: {
    at: { type: 'string', default: '' },
    ready: { type: 'string', default: '.verdict' },
    runs: { type: 'string', default: '5' },
    cpu: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '3' },
    tasks: { type: 'boolean', default: false },
  },
});

/** Notes when `selector` first stands on the page, by the page's own clock, which starts at navigation. */
function watchFor(selector) {
  const look = () => {
    if (globalThis.readyAt || !document.querySelector(selector)) return;
    globalThis.readyAt = performance.now();
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
}

/** Tasks of the page's main thread as [start, wall, processor], in ms since navigation, and what ran inside the long ones. */
function tasksOf(events) {
  const start = events.find((e) => e.name === 'navigationStart' && e.args.data?.isOutermostMainFrame !== false);
  const mine = events.filter((e) => e.pid === start.pid && e.tid === start.tid && e.ph === 'X' && e.ts >= start.ts);
  const ms = (us) => us / 1000;
  const tasks = mine.filter((e) => e.name === 'RunTask' || e.name === 'ThreadControllerImpl::RunTask');
  return tasks.map((task) => ({
    start: ms(task.ts - start.ts),
    wall: ms(task.dur),
    processor: ms(task.tdur ?? task.dur),
    did: mine
      .filter((e) => e !== task && e.ts >= task.ts && e.ts + (e.dur ?? 0) <= task.ts + task.dur && (e.dur ?? 0) > 4000)
      .map((e) => `${e.name} ${ms(e.tdur ?? e.dur).toFixed(0)}`),
  }));
}

async function measure() {
  const site = await serveDist();
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: Number(options.cpu) });
    await page.addInitScript(watchFor, options.ready);
    await browser.startTracing(page, {
      categories: ['toplevel', 'blink.user_timing', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
    });
    await page.goto(site.url + options.at, { waitUntil: 'commit' });
    await page.waitForFunction(() => globalThis.readyAt, null, { timeout: 120_000 });
    const { ready, asked } = await page.evaluate(() => ({
      ready: globalThis.readyAt,
      asked: performance
        .getEntriesByType('resource')
        .filter((entry) => entry.startTime <= globalThis.readyAt)
        .map((entry) => entry.name),
    }));
    if (dropped.length > 0) {
      // Through the file button: handing over bytes by script would be work of the page's main thread.
      await page.setInputFiles('input[type=file]', dropped);
      await page.locator('.files', { hasText: path.basename(dropped[0]) }).waitFor({ timeout: 600_000 });
      await page.waitForFunction(() => !document.querySelector('[data-testid=progress]'), null, { timeout: 600_000 });
    }
    await page.waitForTimeout(1000 * Number(options.seconds));
    // The worker that owns the scenario marks its work; after files were opened it is their reading and run.
    const marks = await page
      .workers()[0]
      ?.evaluate(() =>
        performance
          .getEntriesByType('measure')
          .map(({ name, duration }) => [name.replace('warpscope: ', ''), duration]),
      );
    const loaded = await page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd);
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
    const tasks = tasksOf(traceEvents).sort((a, b) => b.processor - a.processor);
    if (options.tasks) {
      for (const { start, wall, processor, did } of tasks.slice(0, 8))
        console.log(`${start.toFixed(0)} ms: ${wall.toFixed(0)} ms (${processor.toFixed(0)}): ${did.join(', ')}`);
    }
    const files = [site.url, ...asked.filter((address) => address.startsWith(site.url))];
    const names = new Set(files.map((address) => new URL(address).pathname.slice('/repo/'.length) || 'index.html'));
    const packed = (file) => gzipSync(readFileSync(path.join('dist', file)), { level: 9 }).length;
    const longest = (key, list) => Math.max(0, ...list.map((task) => task[key]));
    const late = tasks.filter(({ start }) => start >= loaded);
    return {
      bytes: [...names].reduce((sum, file) => sum + packed(file), 0),
      files: names.size,
      ready,
      ...Object.fromEntries(marks ?? []),
      anyTask: longest('wall', tasks),
      anyProcessor: longest('processor', tasks),
      lateTask: longest('wall', late),
      lateProcessor: longest('processor', late),
    };
  } finally {
    await browser.close();
    site.close();
  }
}

const runs = [];
for (let i = 0; i < Number(options.runs); i += 1) runs.push(await measure());

const column = (key) => runs.map((run) => run[key] ?? NaN).sort((a, b) => a - b);
const row = (label, key, unit, scale = 1) => {
  const all = column(key).map((value) => (value / scale).toFixed(scale === 1 ? 0 : 1));
  console.log(
    `${label.padEnd(44)}${all[Math.floor(all.length / 2)].padStart(9)} ${unit.padEnd(4)}${`${all[0]} … ${all.at(-1)}`.padStart(18)}`,
  );
};
console.log(`${runs.length} runs, processor slowed ×${options.cpu}, ready: ${options.ready}`);
console.log(`${''.padEnd(44)}${'median'.padStart(9)} ${''.padEnd(4)}${'least … most'.padStart(18)}`);
row('files to the first result', 'files', '');
row('gzipped size of them', 'bytes', 'kB', 1000);
row('navigation to the first result', 'ready', 'ms');
row('reading in the worker', 'reading', 'ms');
row('running CUDA text there', 'emulation', 'ms');
row('running the model there', 'run', 'ms');
row('longest main-thread task', 'anyTask', 'ms');
row('  on the processor', 'anyProcessor', 'ms');
row('longest after the load event', 'lateTask', 'ms');
row('  on the processor', 'lateProcessor', 'ms');
