// A visitor who does anything: random actions on all tabs of dist/ in headless Chromium. Nothing may break, and memory must come back.
//
//   npm run measure:soak                          300 actions of each of 20 seeds
//   npm run measure:soak -- --seeds 1 --actions 60
//
// An action presses a button, opens a tab or a fold, chooses from a list, types a value, presses a key, drops a file, or goes back or forward.
// After them the page opens the first example again and runs it. Its heap, after a collection, is compared with that before the actions.
import { parseArgs } from 'node:util';
import { drop } from '../../tests/e2e/drop.mjs';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';

const { values: options } = parseArgs({
  options: { seeds: { type: 'string', default: '20' }, actions: { type: 'string', default: '300' } },
});
/** More growth of the heap than this share is a leak. */
const MOST_GROWTH = 0.2;

/** Numbers below 1 from a seed: the 32-bit generator of a linear congruence, whose upper bits are used. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

const KEYS = [
  '1',
  '2',
  '3',
  '4',
  '5',
  'r',
  'c',
  't',
  'v',
  'j',
  'k',
  'Escape',
  'Tab',
  'ArrowLeft',
  'ArrowRight',
  '?',
  '+',
  '0',
];
const VALUES = ['0', '1', '8', '64', '-1', '1e9', 'x', '', '128'];
const FILES = [
  { name: 'a.trc', content: 'blocksize: 32 1 1\n0 0 4096 4\n1 0 4100 4\n' },
  {
    name: 'b.cu',
    content:
      '// launch: t<<<2, 32>>>(x: float[n] = iota, n = 64)\n__global__ void t(float *x, int n)\n{\n    x[threadIdx.x] *= 2;\n}\n',
  },
  { name: 'bad.cu', content: '__global__ void t(float *x { x[0] = ; }\n' },
  { name: 'noise.bin', content: '\u0000\u0001\u0002 <img src=x onerror=alert(1)>' },
];

/** Presses the n-th visible thing of a kind, if there is one. */
async function some(page, selector, next, act) {
  const all = page.locator(`${selector}:visible:not(:disabled)`);
  const count = await all.count();
  if (count > 0) await act(all.nth(Math.floor(next() * count)));
}

const ACTIONS = {
  button: (page, next) =>
    some(page, '#tab-panel button, dialog[open] button', next, (one) => one.click({ timeout: 1000 })),
  tab: (page, next) => some(page, '[role=tab]', next, (one) => one.click({ timeout: 1000 })),
  fold: (page, next) => some(page, 'summary', next, (one) => one.click({ timeout: 1000 })),
  radio: (page, next) =>
    some(page, 'input[type=radio], input[type=checkbox]', next, (one) => one.click({ timeout: 1000, force: true })),
  list: (page, next) =>
    some(page, 'select', next, async (one) => {
      const count = await one.locator('option').count();
      await one.selectOption({ index: Math.floor(next() * count) }, { timeout: 1000 });
    }),
  value: (page, next) =>
    some(page, 'input[type=text], input:not([type]), input[type=number]', next, async (one) => {
      await one.fill(VALUES[Math.floor(next() * VALUES.length)], { timeout: 1000 });
      await one.press('Enter', { timeout: 1000 });
    }),
  key: (page, next) => page.keyboard.press(KEYS[Math.floor(next() * KEYS.length)]),
  file: (page, next) => drop(page, 'body', [FILES[Math.floor(next() * FILES.length)]]),
  history: (page, next) => page.evaluate((back) => history.go(back ? -1 : 1), next() < 0.6),
};
/** How often each is done. */
const WEIGHTS = { button: 6, tab: 3, fold: 3, radio: 3, list: 3, value: 2, key: 5, file: 1, history: 1 };
const POOL = Object.entries(WEIGHTS).flatMap(([name, weight]) => Array.from({ length: weight }, () => name));

async function settle(page) {
  await page.keyboard.press('Escape');
  await page.evaluate(() => (location.hash = '#v=1&example=vector-add&gpu=rtx3060&model=gpu'));
  await page.waitForFunction(() => /example=vector-add.*result=/.test(location.hash), null, { timeout: 120_000 });
  await page.waitForTimeout(1500);
}

async function heap(session) {
  for (let i = 0; i < 3; i += 1) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize').value;
}

async function soak(browser, site, seed) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: 'block' });
  const page = await context.newPage();
  const trouble = [];
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on('crash', () => trouble.push('the page crashed'));
  page.on('dialog', (dialog) => (trouble.push(`a dialog: ${dialog.message()}`), void dialog.dismiss()));
  await page.goto(site.url);
  await page.getByTestId('verdict').waitFor({ timeout: 60_000 });
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  // What comes once, such as the code of each tab, is no leak.
  for (const key of ['2', '3', '4', '5', '1']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(1500);
  }
  await settle(page);
  const before = await heap(session);
  const next = random(seed);
  const last = [];
  for (let i = 0; i < Number(options.actions) && trouble.length === 0; i += 1) {
    const name = POOL[Math.floor(next() * POOL.length)];
    last.push(name);
    // What vanished or is covered meanwhile cannot be pressed; that is no fault of the page.
    await ACTIONS[name](page, next).catch(() => {});
    if (next() < 0.2) await page.waitForTimeout(next() * 400);
    const broken = page.getByRole('heading', { name: 'Something broke' });
    if (await broken.count()) trouble.push(`crash card: ${await page.locator('.crash pre').first().textContent()}`);
  }
  let after = NaN;
  try {
    await settle(page);
    after = await heap(session);
  } catch (error) {
    trouble.push(`the page did not run again: ${error.message.split('\n')[0]}`);
  }
  await context.close();
  const growth = after / before - 1;
  if (growth > MOST_GROWTH) trouble.push(`the heap grew by ${Math.round(100 * growth)} %`);
  const mib = (bytes) => (bytes / 2 ** 20).toFixed(1);
  console.log(
    `seed ${seed}: ${last.length} actions, heap ${mib(before)} -> ${mib(after)} MiB${trouble.length ? `\n  ${trouble.join('\n  ')}\n  last: ${last.slice(-8).join(', ')}` : ''}`,
  );
  return trouble.length === 0;
}

const site = await serveDist();
const browser = await launch();
let good = 0;
const seeds = Number(options.seeds);
for (let seed = 1; seed <= seeds; seed += 1) if (await soak(browser, site, seed)) good += 1;
await browser.close();
site.close();
console.log(`${good} of ${seeds} seeds without trouble`);
process.exit(good === seeds ? 0 : 1);
