// A large packed .traceg through the page (dist/, headless Chromium): time, memory beside the estimate shown, every task of
// the main thread above 50 ms with the moment it fell in, and how long a cancel takes while reading and while running.
//
//   node scripts/measure/large.mjs [size in MB before packing, default 200] [kind, default mixed] [slowdown, default 1]
//
// The kinds are those of measure-memory.mjs. A slowdown of the main thread brings out what a busy machine would show.
//
// Linux only: memory is the renderer's, as the system counts it (RssAnon; the peak of all looks).

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';
import { generate } from './large-trace.mjs';

const megabytes = Number(process.argv[2] ?? 200);
const kind = process.argv[3] ?? 'mixed';
const slowdown = Number(process.argv[4] ?? 1);
const ASKED = { memory: 0.2, task: 50, cancel: 200 };
const WAIT = { timeout: 600_000 };

/** Runs in the page before everything: notes long tasks, and what the page shows at any time. */
function observe() {
  globalThis.notes = { tasks: [], phases: [] };
  new PerformanceObserver((list) =>
    globalThis.notes.tasks.push(...list.getEntries().map((e) => [e.startTime, e.duration])),
  ).observe({ type: 'longtask', buffered: true });
  addEventListener('DOMContentLoaded', () => {
    let last = '';
    const look = () => {
      const phase = document.querySelector('.progress-text')?.textContent?.split(' ')[0] ?? 'idle';
      if (phase !== last) globalThis.notes.phases.push([performance.now(), (last = phase)]);
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

const phaseAt = (phases, time) => phases.filter(([start]) => start <= time).at(-1)?.[1] ?? 'start';

/** The renderer's memory in bytes, now. */
async function memory(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return Math.max(
    ...processInfo
      .filter((p) => p.type === 'renderer')
      .map((p) => {
        try {
          return 1024 * Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${p.id}/status`, 'utf8'))?.[1] ?? 0);
        } catch {
          return 0; // it has ended
        }
      }),
  );
}

async function opened(browser, site) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(observe);
  await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(site.url);
  await page.getByTestId('verdict').waitFor(WAIT);
  await page.waitForFunction(() => !document.querySelector('[data-testid=progress]'), null, WAIT);
  return page;
}

async function through(browser, site, path) {
  const session = await browser.newBrowserCDPSession();
  const page = await opened(browser, site);
  await page.waitForTimeout(2000);
  const before = await memory(session);
  const settled = await page.evaluate(() => performance.now());
  let peak = 0;
  const timer = setInterval(() => void memory(session).then((now) => (peak = Math.max(peak, now))), 25);
  await page.setInputFiles('input[type=file]', path);
  await page.locator('.files', { hasText: 'large' }).waitFor(WAIT);
  await page.waitForFunction(
    () => !document.querySelector('[data-testid=progress]') && document.querySelectorAll('.drawing').length > 0,
    null,
    WAIT,
  );
  await page.waitForTimeout(3000);
  clearInterval(timer);
  const { notes, said } = await page.evaluate(() => ({
    notes: globalThis.notes,
    said: document.querySelector('.contents summary').textContent,
  }));
  await page.close();
  return {
    growth: peak - before,
    tasks: notes.tasks.filter(([start]) => start > settled),
    phases: notes.phases.filter(([start]) => start > settled),
    said,
  };
}

/** Milliseconds from the key to the end of the work that shows `phase`. */
async function cancelled(browser, site, path, phase) {
  const page = await opened(browser, site);
  await page.setInputFiles('input[type=file]', path);
  await page.waitForFunction(
    (text) => document.querySelector('.progress-text')?.textContent?.startsWith(text),
    phase,
    WAIT,
  );
  await page.waitForTimeout(phase === 'Reading' ? 500 : 60);
  const took = await page.evaluate(async () => {
    const began = performance.now();
    if (!document.querySelector('[data-testid=progress]')) return null;
    dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    while (document.querySelector('[data-testid=progress]')) await new Promise((go) => setTimeout(go, 1));
    return performance.now() - began;
  });
  await page.close();
  return took;
}

const mib = (bytes) => (bytes / 1048576).toFixed(0);
const folder = mkdtempSync(join(tmpdir(), 'warpscope-large-'));
const site = await serveDist();
const browser = await launch();
let missed = 0;
const hold = (good) => {
  if (!good) missed += 1;
  return good ? '' : '  MISSED';
};
try {
  const path = join(folder, 'large.traceg.gz');
  await generate(path, kind, megabytes, createGzip({ level: 6 }));
  console.log(`${kind}: ${megabytes} MB, ${(statSync(path).size / 1e6).toFixed(0)} MB packed`);
  const { growth, tasks, phases, said } = await through(browser, site, path);
  const [, size, unit] = /about ([\d.,\s]+)\s*([kMG]i?B)/.exec(said);
  const scale = { kB: 1e3, MB: 1e6, GB: 1e9, KiB: 1 << 10, MiB: 1 << 20, GiB: 2 ** 30 };
  const estimate = Number(size.replaceAll(/[\s,]/g, '')) * scale[unit];
  const off = estimate / growth - 1;
  phases.forEach(([start, phase], i) =>
    console.log(`  ${phase.padEnd(10)} ${((phases[i + 1]?.[0] ?? start) - start).toFixed(0).padStart(6)} ms`),
  );
  console.log(
    `memory: grew by ${mib(growth)} MiB, estimate ${mib(estimate)} MiB, off ${(100 * off).toFixed(1)} %${hold(Math.abs(off) <= ASKED.memory)}`,
  );
  const long = tasks.filter(([, duration]) => duration > ASKED.task);
  console.log(`tasks of the main thread above ${ASKED.task} ms: ${long.length}${hold(long.length === 0)}`);
  for (const [start, duration] of long)
    console.log(
      `  ${duration.toFixed(0)} ms while ${phaseAt(phases, start)}, ${(start - phases[0][0]).toFixed(0)} ms after the drop`,
    );
  for (const phase of ['Reading', 'Simulating']) {
    const took = await cancelled(browser, site, path, phase);
    console.log(
      `cancel while ${phase.toLowerCase()}: ${took === null ? 'it had ended' : `${took.toFixed(0)} ms`}${hold(took === null || took <= ASKED.cancel)}`,
    );
  }
} finally {
  await browser.close();
  site.close();
  rmSync(folder, { recursive: true });
}
process.exitCode = missed > 0 ? 1 : 0;
