// The sweep of the Cache tab: two parameters on several workers, its chart and table, a cancel, and what cannot run.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assertAccessible, assertFits, LOOKS, withPage } from './browser.mjs';
import { native } from '../native.mjs';

const at = '#v=1&example=matvec-rows&gpu=gtx470-16k&model=paper';

/** Opens the sweep once the result is there. */
async function open(page) {
  await page.locator('.cache-view .verdict').waitFor({ timeout: 60_000 });
  await page.getByLabel('Parameter', { exact: true }).waitFor();
}

const run = (page) => page.locator('.sweep-form').getByRole('button').click();
const points = (page) => page.locator('[data-testid=sweep-result] tbody tr');

test('two parameters vary on all cores, and the table is the terminal’s', () =>
  withPage(
    async ({ page }) => {
      await open(page);
      await page.getByLabel('Parameter', { exact: true }).selectOption('ways');
      await page.getByLabel('Values', { exact: true }).first().fill('2,3,4');
      await page.getByLabel('Second parameter').selectOption('mshrs');
      await page.getByLabel('Values', { exact: true }).last().fill('32,64');
      await run(page);
      await page.getByText('6 points are done.').waitFor({ timeout: 120_000 });
      await page.locator('[data-testid=sweep-result] .drawing').waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as CSV' }).click();
      const csv = readFileSync(await (await download).path(), 'utf8');
      const vary = ['--vary', 'ways=2,3,4', '--vary', 'mshrs=32,64'];
      assert.equal(csv, native('sweep', 'example:matvec-rows', '--gpu', 'gtx470-16k', ...vary, '--format', 'csv'));
      await page.getByText('2 points have no result:').waitFor();
      await page.locator('[data-testid=sweep-result] .figure summary').click();
      assert.equal(await points(page).count(), 6);
      await page.getByLabel('The chart shows').selectOption('ticks');
      await page.locator('[data-testid=sweep-result] svg', { hasText: 'ticks' }).waitFor();
    },
    { at },
  ));

test('a sweep is cancelled and its rows stay; values that are none are refused', () =>
  withPage(
    async ({ page }) => {
      await open(page);
      await page.getByLabel('Parameter', { exact: true }).selectOption('ways');
      await page.getByLabel('Values', { exact: true }).fill('two');
      await run(page);
      await page.getByText('One point has no result:').waitFor();
      await page.getByLabel('Parameter', { exact: true }).selectOption('seed');
      await page.getByLabel('Values', { exact: true }).fill('1..1,2');
      await run(page);
      await page.locator('.sweep .problems', { hasText: /^Expected .*, found .*\.$/ }).waitFor();
      // What is on show is of other values.
      await page.getByText('These points are of the sweep before.').waitFor();
      await page.getByLabel('Values', { exact: true }).fill('1..500');
      await run(page);
      await page.waitForFunction(
        () => Number(document.querySelector('[data-testid=sweep-progress] progress')?.value) >= 1,
      );
      await page.keyboard.press('Escape');
      await page.getByText(/Cancelled\. The \d+ of 500 points that were done stay\./).waitFor();
      await page.locator('[data-testid=sweep-result]').waitFor();
    },
    { at },
  ));

test('GPUs are varied from the present one on, picked by name, and told apart by time', () =>
  withPage(
    async ({ page }) => {
      await open(page);
      const values = page.getByLabel('Values', { exact: true });
      assert.equal(await values.inputValue(), 'rtx3080,rtx3060,a100,h100');
      await values.fill('rtx3080,a100');
      await page.getByLabel('Add a GPU…').selectOption({ label: 'NVIDIA GeForce RTX 4090' });
      assert.equal(await values.inputValue(), 'rtx3080,a100,rtx4090');
      const button = page.locator('.sweep-form').getByRole('button');
      await button.press('Enter');
      await page.getByText('3 points are done.').waitFor({ timeout: 120_000 });
      assert.ok(await button.evaluate((element) => element === document.activeElement));
      const result = page.getByTestId('sweep-result');
      assert.equal(await page.getByLabel('The chart shows').inputValue(), 'seconds');
      assert.match(await result.innerText(), /Fastest: NVIDIA GeForce RTX 4090, [\d.]+ µs\./);
      await result.getByText('These values have no order, so no line joins their points.', { exact: true }).waitFor();
    },
    { at: '#v=1&example=matvec-rows&gpu=rtx3080&model=gpu' },
  ));

test('axe finds nothing and nothing scrolls sideways', async () => {
  for (const context of LOOKS) {
    await withPage(
      async ({ page }) => {
        await open(page);
        await page.getByLabel('Values', { exact: true }).fill('2,4');
        await run(page);
        await page.locator('[data-testid=sweep-result] .drawing').waitFor({ timeout: 60_000 });
        await assertAccessible(page);
        await assertFits(page);
      },
      { at, context },
    );
  }
});
