// A worker that fails, closes itself or hangs is replaced, what was asked for is offered again, and links open without a reload.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPage } from './browser.mjs';

const crash = (page) => page.getByRole('heading', { name: 'Something broke' });
const shows = (page, part) =>
  page.waitForFunction((p) => new RegExp(`${p}.*result=`).test(location.hash), part, { timeout: 60_000 });

/** What can go wrong in a worker, as code that runs in it. */
const HARMS = {
  /** Each step of a job looks at the clock. A fault of the engine reaches the service in the same way. */
  trap: () => {
    performance.now = () => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
  },
  close: () => self.close(),
  hang: () => {
    for (;;);
  },
};

/**
 * Loads the page with workers that can be harmed by a message. Playwright's own list of workers is late: just after a
 * replacement it can have the old one and lack the new one.
 */
async function harmable(page) {
  await page.addInitScript(() => {
    globalThis.started = [];
    globalThis.Worker = class extends Worker {
      constructor(...given) {
        super(...given);
        globalThis.started.push(this);
      }
    };
  });
  const cases = Object.entries(HARMS).map(([name, harm]) => `${name}: ${harm}`);
  const heard = `\naddEventListener('message', ({ data }) => ({ ${cases.join(', ')} })[data?.harm]?.());\n`;
  await page.route(/worker[^/]*\.js$/, async (route) => {
    try {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()) + heard });
    } catch {
      // The page has closed.
    }
  });
  await page.reload();
}

/** Harms all workers of the page. One that ended hears nothing. */
const harmAll = (page, harm) =>
  page.evaluate((name) => globalThis.started.forEach((worker) => worker.postMessage({ harm: name })), harm);

const CASES = [
  { what: 'a fault inside the engine', harm: 'trap', silent: false },
  // These make no event, so the page notices by the worker's silence.
  { what: 'a worker that closes itself', harm: 'close', silent: true },
  { what: 'a worker that hangs', harm: 'hang', silent: true },
];

/** A page that runs nothing beside what it is asked for: no study of the result, and no question about an access. */
const QUIET = { at: '#v=1&model=gpu', folded: true };

/** Waits for the crash card. The page asks a worker once a second; its clock runs ahead of the worker's. */
async function noticed(page, silent) {
  for (let tries = 0; silent && tries < 20 && (await crash(page).count()) === 0; tries++) {
    await page.waitForTimeout(300); // for the call to be on its way
    await page.clock.runFor(25_000);
  }
  await crash(page).waitFor();
}

/** Chooses warm caches, and runs them where the page waits to be asked, as it does after a slow run. */
async function runsWarm(page, choose) {
  await choose();
  await page.waitForFunction(() => location.hash.includes('state=warm'));
  const run = page.getByRole('button', { name: 'Run with the new settings' });
  const ran = shows(page, 'state=warm');
  await Promise.race([ran, run.click().catch(() => {})]);
  await ran;
}

for (const { what, harm, silent } of CASES) {
  test(`after ${what} the run is offered again, and later links open`, () =>
    withPage(async ({ page }) => {
      await page.clock.install();
      await harmable(page);
      await shows(page, 'model=gpu');
      // The address can have its result since before the reload. With a verdict the worker is up.
      await page.getByTestId('verdict').waitFor();
      await harmAll(page, harm);
      await page.locator('#state').selectOption('warm');
      await noticed(page, silent);
      await runsWarm(page, () => page.getByRole('button', { name: 'Start again' }).click());
      assert.equal(await crash(page).count(), 0);
      await harmAll(page, harm);
      await page.evaluate(() => (location.hash = '#v=1&example=transpose'));
      await noticed(page, silent);
      // The link is opened, not what ran before it.
      await page.getByRole('button', { name: 'Start again' }).click();
      await shows(page, 'example=transpose');
      await harmAll(page, harm);
      await page.evaluate(() => (location.hash = '#v=1&example=matvec-rows'));
      await noticed(page, silent);
      // Another link needs no click.
      await page.evaluate(() => (location.hash = '#v=1&example=vector-add'));
      await shows(page, 'example=vector-add');
      assert.equal(await crash(page).count(), 0);
    }, QUIET));
}

test('a setting that waits to be run is kept when the worker fails', () =>
  withPage(async ({ page }) => {
    await page.clock.install();
    // Each run counts as slow, so that the next one waits to be asked for.
    await page.addInitScript(() => {
      const now = performance.now.bind(performance);
      performance.now = () => 1e6 * now();
    });
    await harmable(page);
    await shows(page, 'model=gpu');
    // With a verdict the worker is up.
    await page.getByTestId('verdict').waitFor();
    await harmAll(page, 'close');
    await page.locator('#state').selectOption('warm');
    await noticed(page, true);
    await runsWarm(page, () => page.getByRole('button', { name: 'Start again' }).click());
    assert.equal(await crash(page).count(), 0);
  }, QUIET));

test('the workers of other tabs are replaced as well', () =>
  withPage(
    async ({ page }) => {
      await harmable(page);
      await page.getByRole('heading', { name: 'Reuse distances' }).first().waitFor();
      await page.waitForFunction(() => /view\.reuse\.result=/.test(location.hash));
      await harmAll(page, 'trap');
      await page.evaluate(() => (location.hash = '#v=1&view.tab=reuse&view.reuse.line=64'));
      const again = page.waitForFunction(
        () => /view\.reuse\.line=64.*view\.reuse\.result=/.test(location.hash),
        undefined,
        { timeout: 60_000 },
      );
      // The worker that owns the scenario and the one of the tab fail at once, or one after the other.
      let clicks = 0;
      for (let i = 0; i < 2; i++) {
        await Promise.race([again, crash(page).waitFor({ timeout: 60_000 })]);
        if ((await crash(page).count()) === 0) break;
        await page.getByRole('button', { name: 'Start again' }).click();
        clicks += 1;
      }
      await again;
      assert.ok(clicks > 0);
      assert.equal(await crash(page).count(), 0);
    },
    { at: '#v=1&view.tab=reuse' },
  ));

test('a setting that is changed after a link failed to open does not take its place', () =>
  withPage(async ({ page }) => {
    const scripts = /worker[^/]*\.js$/;
    await page.route(scripts, async (route) => {
      try {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${await response.text()}\n(${HARMS.trap})();\n` });
      } catch {
        // The page has closed, or it was loaded anew.
      }
    });
    await page.reload();
    await crash(page).waitFor();
    await page.locator('#state').selectOption('warm');
    await crash(page).waitFor();
    await page.unroute(scripts);
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByTestId('verdict').waitFor();
    assert.equal(await crash(page).count(), 0);
  }, QUIET));

test('a number that is being typed stays while the page draws itself again', () =>
  withPage(
    async ({ page }) => {
      const field = page.locator('#reuse-nb');
      await page.locator('details.parameters').evaluate((details) => (details.open = true));
      await field.focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('77');
      await page.waitForFunction(() => /view\.reuse\.result=/.test(location.hash));
      // Another setting of the same form.
      await page.locator('#reuse-st').evaluate((other) => {
        other.value = '8';
        other.dispatchEvent(new Event('change', { bubbles: true }));
      });
      await page.waitForFunction(() => /view\.reuse\.st=8/.test(location.hash));
      assert.equal(await field.inputValue(), '77');
      assert.equal(await field.evaluate((element) => element === document.activeElement), true);
      await page.keyboard.press('Tab');
      await page.waitForFunction(() => /view\.reuse\.nb=77/.test(location.hash));
      // What cannot be used goes back to what was there.
      await field.fill('0');
      await page.keyboard.press('Tab');
      assert.equal(await field.inputValue(), '77');
    },
    { at: '#v=1&example=matvec-rows&view.tab=reuse' },
  ));

test('what is typed into the bench before the first question of the game stays', () =>
  withPage(
    async ({ page }) => {
      // Typed at the first moment.
      await page.addInitScript(() => {
        new MutationObserver(() => {
          const field = document.querySelector('#experiment-from');
          if (!field || field.dataset.typed) return;
          field.dataset.typed = 'yes';
          field.value = '4096';
          field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        }).observe(document, { childList: true, subtree: true });
      });
      await page.reload();
      await page.locator('#game-answer').waitFor();
      await page.waitForTimeout(300);
      assert.equal(await page.locator('#experiment-from').inputValue(), '4096');
    },
    { at: '#v=1&view.tab=topology&view.topology.mode=discover' },
  ));

test('what was typed into the editor stays when a new engine opens the link again', () =>
  withPage(
    async ({ page }) => {
      await page.clock.install();
      await harmable(page);
      await shows(page, 'view.tab=kernel');
      await page.locator('.cm-content').click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('// typed\n');
      await harmAll(page, 'close');
      // The link is what was asked for last.
      await page.evaluate(() => (location.hash = '#v=1&example=vector-add&model=gpu&view.tab=kernel'));
      await noticed(page, true);
      await page.getByRole('button', { name: 'Start again' }).click();
      await shows(page, 'view.tab=kernel');
      assert.match(await page.locator('.cm-content').innerText(), /^\/\/ typed\n/);
    },
    { at: '#v=1&example=vector-add&model=gpu&view.tab=kernel', folded: true },
  ));
