// Measures dist/ in headless Chromium: bytes and time to the first result, and the longest task of the main thread.
//
//   npm run measure -- [--at '?…'] [--ready 'css selector'] [--runs 5] [--cpu 4] [--seconds 3] [FILE…]
//
// `--at` is appended to the address (a link to an example), `--ready` is what stands on the page once the result is
// there, `--cpu 4` slows the processor fourfold, `--seconds` is how long tasks are watched after the result. Files are
// opened on the page after its first result; tasks are watched until theirs stands.
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
  },
});

async function measure() {
  const site = await serveDist();
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: Number(options.cpu) });
    await page.addInitScript(() => {
      globalThis.longTasks = [];
      new PerformanceObserver((list) =>
        globalThis.longTasks.push(...list.getEntries().map((e) => [e.startTime, e.duration])),
      ).observe({ type: 'longtask', buffered: true });
    });
    await page.goto(site.url + options.at, { waitUntil: 'commit' });
    await page.waitForSelector(options.ready, { state: 'visible', timeout: 120_000 });
    // The page's own clock starts at navigation.
    const ready = await page.evaluate(() => performance.now());
    const files = new Set(
      site.seen.map((line) => new URL(line.split(' ')[1], site.url).pathname.slice('/repo/'.length) || 'index.html'),
    );
    if (dropped.length > 0) {
      // Through the file button: handing over bytes by script would be work of the page's main thread.
      await page.setInputFiles('input[type=file]', dropped);
      await page.locator('.files', { hasText: path.basename(dropped[0]) }).waitFor({ timeout: 600_000 });
      await page.waitForFunction(() => !document.querySelector('[data-testid=progress]'), null, { timeout: 600_000 });
    }
    await page.waitForTimeout(1000 * Number(options.seconds));
    const { loaded, tasks } = await page.evaluate(() => ({
      loaded: performance.getEntriesByType('navigation')[0].loadEventEnd,
      tasks: globalThis.longTasks,
    }));
    const longest = (list) => Math.max(0, ...list.map(([, duration]) => duration));
    return {
      bytes: [...files].reduce(
        (sum, file) => sum + gzipSync(readFileSync(path.join('dist', file)), { level: 9 }).length,
        0,
      ),
      files: files.size,
      ready,
      anyTask: longest(tasks),
      lateTask: longest(tasks.filter(([start]) => start >= loaded)),
    };
  } finally {
    await browser.close();
    site.close();
  }
}

const runs = [];
for (let i = 0; i < Number(options.runs); i += 1) runs.push(await measure());

const column = (key) => runs.map((run) => run[key]).sort((a, b) => a - b);
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
row('longest main-thread task (0: none over 50 ms)', 'anyTask', 'ms');
row('the same, after the load event', 'lateTask', 'ms');
