// Random actions in a page: a button, a tab, a fold, a list, a value, a key, a dropped file, back and forward. Nothing may break, and memory must
// come back. `scripts/measure/soak.mjs` and the long form of the campaign do many, a browser test does some.
import { atRest } from '../e2e/cut.mjs';
import { drop } from '../e2e/drop.mjs';
import { rightResult, runsRight } from './pages.mjs';
import { random as generator } from './random.mjs';

/** Numbers below 1 from a seed. */
const random = (seed) => {
  const { bits } = generator(seed);
  return () => bits() / 2 ** 32;
};

/** More growth of the heap than this share is a leak. */
const MOST_GROWTH = 0.2;
/** Some actions find nothing to press. Where fewer than this share did something, the page was not tried. */
const LEAST_DONE = 0.4;
/** A third of the actions, and so many at most, come before the heap is looked at first: texts of exercises, say, come once. */
const FIRST = 100;
/** Actions of which the share is judged: of few it says little. */
const ENOUGH = 20;

const KEYS = [
  '6',
  '7',
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

/** Does something with the n-th visible thing of a kind; false if there is none. */
async function some(page, selector, next, act) {
  const all = page.locator(`${selector}:visible:not(:disabled)`);
  const count = await all.count();
  if (count === 0) return false;
  await act(all.nth(Math.floor(next() * count)));
  return true;
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
  // Back from the first step leaves the page, and nothing after it would try the page.
  history: (page, next) =>
    page.evaluate((back) => {
      const can = back ? navigation.canGoBack : navigation.canGoForward;
      if (can) history.go(back ? -1 : 1);
      return can;
    }, next() < 0.6),
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

/**
 * Brings each tab to a result of its main button, and the page to the run of `settle` with all parts folded. Each tab keeps its last result, of
 * a size that hangs on what was asked, and a part stays open: only like can be compared with like.
 */
async function fill(page) {
  await settle(page);
  // An open part of the result holds its tables and charts, and a folded one its last tree until the next result. The button opens all, and then
  // folds all.
  const parts = page.locator('.fold-all button');
  await parts.click();
  if ((await page.locator('[data-part] > details[open]').count()) > 0) await parts.click();
  for (const tab of await page.locator('[role=tab]').all()) {
    await tab.click();
    await page.waitForTimeout(1000);
    const main = page.locator('#tab-panel button.primary:visible:not(:disabled)').last();
    if ((await main.count()) === 0) continue;
    await main.click();
    await page.waitForTimeout(1000);
    await atRest(page);
  }
  await settle(page);
}

/** What V8 keeps of scripts: it grows with each function that runs for the first time, and is no leak of the page. */
const OF_SCRIPTS = new Set(['code', 'object shape', 'hidden', 'native', 'synthetic']);

/** Bytes of the page's own objects after a collection, without what V8 keeps of scripts; NaN where the browser does not tell. */
async function heap(session) {
  if (!session) return NaN;
  const parts = [];
  const take = ({ chunk }) => parts.push(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', take);
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', take);
  return ownBytes(JSON.parse(parts.join('')));
}

/** The bytes of the page's own objects in a snapshot of the heap. */
export function ownBytes({ snapshot: { meta }, nodes }) {
  const [type, size] = ['type', 'self_size'].map((name) => meta.node_fields.indexOf(name));
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += meta.node_fields.length)
    if (!OF_SCRIPTS.has(meta.node_types[type][nodes[at + type]])) bytes += nodes[at + size];
  return bytes;
}

/** What is wrong with the figures of a page: `measured` says that its heap can be told before and after. */
export function flawsOf({ done, acted, before, after, measured }) {
  const flaws = [];
  if (done >= ENOUGH && acted < LEAST_DONE * done) flaws.push(`only ${acted} of ${done} actions did something`);
  if (!measured) return flaws;
  const growth = after / before - 1;
  if (!Number.isFinite(growth)) flaws.push('the heap was not measured');
  else if (growth > MOST_GROWTH) flaws.push(`the heap grew by ${Math.round(100 * growth)} %`);
  return flaws;
}

/**
 * Does `actions` things on a fresh page of `site`. With `early` they begin in the first millisecond of loading; `throttled` makes the processor
 * four times slower, where the browser can. Gives what went wrong, and the heap after the first actions and after all where the browser tells it.
 */
export async function soak(browser, site, seed, { actions, early = false, throttled = false }) {
  const expected = await rightResult();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: 'block' });
  const page = await context.newPage();
  const trouble = [];
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on('crash', () => trouble.push('the page crashed'));
  page.on('dialog', (dialog) => (trouble.push(`a dialog: ${dialog.message()}`), void dialog.dismiss()));
  const session = await context.newCDPSession(page).catch(() => null);
  if (throttled) await session?.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const next = random(seed);
  const last = [];
  let before = NaN;
  if (early) await page.goto(site.url, { waitUntil: 'commit' });
  else {
    await page.goto(site.url);
    await page.getByTestId('verdict').waitFor({ timeout: 60_000 });
  }
  let acted = 0;
  const first = early ? -1 : Math.min(FIRST, Math.floor(actions / 3));
  for (let i = 0; i < actions && trouble.length === 0; i += 1) {
    if (i === first) {
      await fill(page).catch((error) => trouble.push(`a tab did not come to rest: ${error.message.split('\n')[0]}`));
      before = await heap(session);
    }
    const name = POOL[Math.floor(next() * POOL.length)];
    last.push(name);
    // What vanished or is covered meanwhile cannot be pressed; that is no fault of the page.
    const could = await ACTIONS[name](page, next).catch(() => false);
    if (could !== false) acted += 1;
    if (next() < 0.2) await page.waitForTimeout(next() * 400);
    const broken = page.getByRole('heading', { name: 'Something broke' });
    if (await broken.count()) trouble.push(`crash card: ${await page.locator('.crash pre').first().textContent()}`);
  }
  let after = NaN;
  if (throttled) await session?.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  try {
    await (early ? settle : fill)(page);
    after = await heap(session);
    const right = await runsRight(page);
    if (right !== expected) trouble.push(`the run afterwards gives ${right}, not ${expected}`);
  } catch (error) {
    trouble.push(`the page did not run again: ${error.message.split('\n')[0]}`);
  }
  await context.close();
  trouble.push(...flawsOf({ done: last.length, acted, before, after, measured: session !== null && !early }));
  return { trouble, done: last.length, acted, last: last.slice(-8), before, after };
}
