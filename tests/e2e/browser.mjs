// The harness of the browser tests: dist/ under a sub-path, in a headless browser.
//
//   test('…', () => withPage(async ({ page, site }) => { … }));
//
// `withPage` fails the test when the page logged an error, threw, broke its Content-Security-Policy,
// asked for something that is not there or spoke to another host.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { dist, inFirefox, launch, OPTIMISE_LATE, serveDist } from './launch.mjs';

export { drop } from './drop.mjs';

/** `LATE=300`: each worker hears the page 300 ms late, as on a busy machine. A test that reads before a worker has answered fails then. */
const LATE = Number(process.env.LATE ?? 0);

let shared = null;
after(() => shared?.close());

/** A browser for the whole file: a start takes as long as a short test. Other arguments get one of their own. */
async function browserWith(args) {
  if (args.length > 0) return { browser: await launch([OPTIMISE_LATE, ...args]), done: (browser) => browser.close() };
  if (!shared?.isConnected()) shared = await launch([OPTIMISE_LATE]);
  // With their pages, workers and storage.
  return { browser: shared, done: (browser) => Promise.all(browser.contexts().map((context) => context.close())) };
}

/**
 * Opens the page in a fresh profile and hands it to `use`.
 *
 * `at` is appended to the address (a link's query or fragment), `context` goes to Playwright (viewport, colorScheme,
 * reducedMotion …), `args` to Chromium, `folded` leaves the details of the result folded away, `expectTrouble` is a pattern of console messages that the test provokes on purpose, `foreign` says that it tries to reach others, `headers` are what the host sends.
 */
export async function withPage(
  use,
  { at = '', context = {}, args = [], folded = false, expectTrouble = null, foreign: tries = false, headers = {} } = {},
) {
  const { browser, done } = await browserWith(args);
  const site = await serveDist({ headers });
  try {
    const own = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      // It would fetch the whole site beside each test; the tests of it ask for it.
      serviceWorkers: 'block',
      ...(folded ? {} : { storageState: unfolded(site.url) }),
      ...context,
    });
    const trouble = [];
    const foreign = [];
    own.on('weberror', (error) => trouble.push(`error: ${error.error().message}`));
    own.on('console', (message) => message.type() === 'error' && trouble.push(`console: ${message.text()}`));
    own.on('request', (request) => {
      const url = request.url();
      if (/^(https?|wss?):/.test(url) && !url.startsWith(site.url)) foreign.push(url);
    });
    const page = await own.newPage();
    if (LATE) await page.addInitScript(delayWorkers, LATE);
    await page.goto(site.url + at);
    const result = await use({ page, site, context: own, browser });
    assert.deepEqual(
      trouble.filter((text) => !expectTrouble?.test(text)),
      [],
      'the page reported trouble',
    );
    if (!tries) assert.deepEqual(foreign, [], 'the page spoke to someone else');
    assert.deepEqual(
      site.seen.filter((line) => !line.startsWith('200 ')),
      [],
      'the page asked for what is not there',
    );
    return result;
  } catch (error) {
    for (const context of browser.contexts()) for (const page of context.pages()) await tell(page);
    throw error;
  } finally {
    // A browser that has crashed must not leave the server behind: the file would never end.
    site.close();
    await done(browser);
  }
}

/** Runs in the page, before its scripts. */
function delayWorkers(ms) {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (...message) {
    setTimeout(() => postMessage.apply(this, message), ms);
  };
}

/** Prints where a page is and what it says, for a failure that does not come twice. */
async function tell(page) {
  const said = page.evaluate(() => `${location.href}\n${document.body.innerText.slice(0, 3000)}`);
  const late = setTimeout(2000, 'no answer within 2 s', { ref: false });
  console.error(`--- a page at the failure: ${await Promise.race([said, late]).catch(String)}`);
}

/** What the browser of a visitor has in store who opened all details before, and runs texts only when asked. */
const unfolded = (url) => ({
  cookies: [],
  origins: [
    {
      origin: new URL(url).origin,
      localStorage: [
        { name: 'warpscope.unfolded', value: 'all' },
        { name: 'warpscope.auto-run', value: 'off' },
      ],
    },
  ],
});

/** Repeats a check until it holds, and fails as it failed last. For what the page draws a moment after it was asked. */
export async function eventually(check, within = 20_000) {
  const end = performance.now() + within;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await setTimeout(25);
  }
}

/** Waits until the result on show is held by a worker: its file can be saved then. */
export async function saveReport(page) {
  const saved = page.waitForEvent('download');
  await page.locator('.export').getByRole('button', { name: 'JSON' }).click();
  return JSON.parse(await readFile(await (await saved).path(), 'utf8'));
}

/**
 * The page's address, asked of the page itself. `page.url()` is what Playwright heard last: just after the page wrote its link it can
 * still give the address before.
 */
export const address = (page) => page.evaluate(() => location.href);

/** Waits until the address, as it stands or decoded, has what is expected: the page writes it after a worker has answered. */
export const linked = (page, expected) =>
  eventually(async () => {
    const at = await address(page);
    assert.match(`${at}\n${decodeURIComponent(at)}`, expected);
  });

/** The window of a phone. */
export const PHONE = { viewport: { width: 390, height: 844 } };

/** Both sizes of the window and both themes. `LOOKS=all` has each size in each theme: colours do not depend on the size. */
export const LOOKS = [
  { colorScheme: 'light' },
  { ...PHONE, colorScheme: 'dark' },
  ...(process.env.LOOKS === 'all' ? [{ colorScheme: 'dark' }, { ...PHONE, colorScheme: 'light' }] : []),
];

/** Fails when something sticks out of the window sideways. */
export async function assertFits(page) {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(beyond <= 0, `${beyond} pixels too wide`);
}

/** Fails with rule, element and help of each accessibility fault that axe sees. */
export async function assertAccessible(page, options = {}) {
  // Playwright reads this property beside the page, and a Firefox that is then asked by the page itself crashes. Axe reads the attribute too.
  if (inFirefox) await page.evaluate(() => delete Element.prototype.ariaLabelledByElements);
  // Over the debugging protocol, which the page's policy does not bind; a <script> element would be refused.
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  // What passes is not described: a selector for each element takes most of the time.
  const asked = { resultTypes: ['violations'], ...options };
  const { violations } = await page.evaluate((o) => globalThis.axe.run(document, o), asked);
  const faults = violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(' ')}: ${v.help}`));
  assert.deepEqual(faults, []);
}

/** Saves screenshots/<name>.png, a folder git ignores, for a person to look at. */
export const screenshot = (page, name) =>
  page.screenshot({ path: path.join(dist, '..', 'screenshots', `${name}.png`), fullPage: true });
