// The self-check: rows run and show their values, red ones stay in sight, a cancel keeps what is done, a row opens its run.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assertAccessible, assertFits, eventually, LOOKS, withPage } from './browser.mjs';
import { native } from '../native.mjs';

const at = '#v=1&view.tab=check';
const row = (page, id) => page.locator(`[data-row="${id}"]`);

/** Opens a row and runs it. */
async function runRow(page, id) {
  const one = row(page, id);
  await one.locator('summary').click();
  await one.getByRole('button', { name: 'Run this row' }).click();
  await one.locator('table').waitFor({ timeout: 60_000 });
  return one;
}

test('a row shows published, ours and the difference, is saved as the terminal prints it, and opens its run', () =>
  withPage(
    async ({ page }) => {
      const intro = page.locator('.intro');
      await intro.getByText(/Nothing has run yet/).waitFor();
      const table5 = await runRow(page, 'hpca14.table-5');
      await intro.getByText(/The page has computed 1 of \d+ rows/).waitFor();
      assert.match(await table5.locator('.badge').innerText(), /exact/);
      const line = table5.getByRole('row', { name: /status/ });
      assert.match(await line.innerText(), /miss cancel hit miss miss\s+miss cancel hit miss miss\s+equal/);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as JSON' }).click();
      const saved = readFileSync(await (await download).path(), 'utf8');
      assert.equal(`${saved}\n`, native('check', '--only', 'hpca14.table-5', '--format', 'json'));
      await table5.getByRole('link', { name: 'Open this run' }).click();
      // The result from before stays on show until the run of the row has ended.
      await page.locator('.cache-view .verdict .kernel-name', { hasText: 'pairs' }).waitFor({ timeout: 60_000 });
      await page.waitForFunction(() => /result=/.test(location.hash));
    },
    { at },
  ));

test('a known disagreement is red and open, and the filter keeps it', () =>
  withPage(
    async ({ page }) => {
      const red = await runRow(page, 'ipdps12.figure-14');
      assert.match(await red.locator('.badge').innerText(), /differs, red/);
      await page.locator('input[name=papers-show][value=red]').check();
      await eventually(async () => assert.equal(await page.locator('[data-row]').count(), 1));
      await red.locator('table').waitFor();
      await page.waitForFunction(() => /check\.show=red/.test(location.hash));
    },
    { at },
  ));

test('a cancel ends the run, and the rows that are done stay', () =>
  withPage(
    async ({ page }) => {
      await page.getByRole('button', { name: 'Run all rows' }).click();
      await page.locator('.intro', { hasText: 'The page computes it now' }).waitFor();
      await page.locator('.badge.good').first().waitFor({ timeout: 60_000 });
      await page.keyboard.press('Escape');
      await page.locator('[data-testid=papers-progress]').waitFor({ state: 'detached', timeout: 5000 });
      await page
        .getByTestId('papers-outcome')
        .getByText(/Cancelled\. The \d+ of \d+ rows that were done stay\./)
        .waitFor();
      assert.ok((await page.locator('.badge.good').count()) > 0);
      await page.getByTestId('papers-totals').waitFor();
    },
    { at },
  ));

test('in Chinese each row says in Chinese what it compares, and what makes it red', () =>
  withPage(
    async ({ page }) => {
      await page.locator('.paper-what').first().waitFor();
      const said = await page.locator('.paper-what').allInnerTexts();
      assert.ok(said.length > 90);
      assert.deepEqual(
        said.filter((text) => !/[\u4e00-\u9fff]/.test(text)),
        ['T = Tcomp + Tmem − Toverlap'],
      );
      const one = row(page, 'ipdps12.figure-14');
      await one.locator('summary').click();
      await one.locator('.buttons button').click();
      await one.getByText('差异超过 1 个百分点').waitFor({ timeout: 60_000 });
    },
    { at: `${at}&lang=zh` },
  ));

test('axe finds nothing and nothing scrolls sideways', async () => {
  for (const context of LOOKS) {
    await withPage(
      async ({ page }) => {
        await runRow(page, 'hpca14.table-5');
        await runRow(page, 'ipdps12.figure-14');
        await assertAccessible(page);
        await assertFits(page);
      },
      { at, context },
    );
  }
});
