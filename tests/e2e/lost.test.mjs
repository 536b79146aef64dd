// A worker that fails, closes itself or hangs is replaced, what was asked for is offered again, and links open without a reload.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saveReport, withPage } from './browser.mjs';

const crash = (page) => page.getByRole('heading', { name: 'Something broke' });
const shows = (page, part) =>
  page.waitForFunction((p) => new RegExp(`${p}.*result=`).test(location.hash), part, { timeout: 60_000 });

/** Each step of a job looks at the clock. A fault of the engine reaches the service in the same way. */
function trap() {
  performance.now = () => {
    throw new WebAssembly.RuntimeError('unreachable');
  };
}

/** What can go wrong in a worker. The last two make no event, so the page notices by their silence. */
const HARMS = [
  { what: 'a fault inside the engine', harm: trap, silent: false },
  { what: 'a worker that closes itself', harm: () => self.close(), silent: true },
  {
    what: 'a worker that hangs',
    harm: () => {
      for (;;);
    },
    silent: true,
  },
];

/** Harms all workers of the page. Those that never answer are not waited for. */
function harmAll(page, harm) {
  const harmed = page.workers().map((worker) => worker.evaluate(harm).catch(() => {}));
  return Promise.race([Promise.all(harmed), page.waitForTimeout(500)]);
}

for (const { what, harm, silent } of HARMS) {
  test(`after ${what} the run is offered again, and later links open`, () =>
    withPage(async ({ page }) => {
      await page.clock.install();
      await page.reload();
      await saveReport(page); // by now the worker is up
      const noticed = async () => {
        // The page asks once a second. Its clock runs ahead, the worker's does not.
        if (silent) {
          await page.waitForTimeout(300); // the call is on its way by then
          await page.clock.runFor(25_000);
        }
        await crash(page).waitFor();
      };
      await harmAll(page, harm);
      await page.locator('#state').selectOption('warm');
      await noticed();
      await page.getByRole('button', { name: 'Start again' }).click();
      await shows(page, 'state=warm');
      assert.equal(await crash(page).count(), 0);
      await harmAll(page, harm);
      await page.evaluate(() => (location.hash = '#v=1&example=transpose'));
      await noticed();
      // Another link needs no click.
      await page.evaluate(() => (location.hash = '#v=1&example=vector-add'));
      await shows(page, 'example=vector-add');
      assert.equal(await crash(page).count(), 0);
    }));
}

test('the workers of other tabs are replaced as well', () =>
  withPage(
    async ({ page }) => {
      await page.getByRole('heading', { name: 'Reuse distances' }).first().waitFor();
      await page.waitForFunction(() => /view\.reuse\.result=/.test(location.hash));
      await harmAll(page, trap);
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
