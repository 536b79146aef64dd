// What each tab shows before anything is unfolded: few words, the answer first. And the folds themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, LOOKS, withPage } from './browser.mjs';
import { glance, TABS } from './glance.mjs';

test('each tab says its answer in the first screen, in few words, and fits a phone', () =>
  withPage(
    async ({ browser, site }) => {
      const problems = [];
      for (const tab of TABS) problems.push(...(await glance(browser, site.url, tab)).problems);
      assert.deepEqual(problems, []);
    },
    { folded: true },
  ));

test('a part opens by mouse and by key, stays open over runs and visits, and all open at once', () =>
  withPage(
    async ({ page }) => {
      const part = (name) => page.locator(`[data-part=${name}]`);
      const table = (name) => part(name).locator('table');
      await part('arrays').locator('summary').click();
      await table('arrays').waitFor();
      await part('instructions').locator('summary').focus();
      await page.keyboard.press('Enter');
      await table('instructions').waitFor();
      await page.locator('#example').selectOption('matmul-tiled');
      await page.waitForFunction(() => /example=matmul-tiled/.test(location.hash));
      await table('arrays').waitFor();
      await page.reload();
      await table('instructions').waitFor();
      await part('instructions').locator('summary').click();
      await table('instructions').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Open all details' }).click();
      await table('instructions').waitFor();
      await part('stalls').locator('.legend').waitFor();
      await page.getByRole('button', { name: 'Fold all details' }).click();
      await table('arrays').waitFor({ state: 'detached' });
    },
    { folded: true },
  ));

test('axe finds nothing while the parts are folded, at both sizes, in both themes', async () => {
  for (const context of LOOKS)
    await withPage(
      async ({ page }) => {
        await page.locator('.folded').nth(6).waitFor();
        await assertAccessible(page);
      },
      { context, folded: true },
    );
});

test('the help says how the open tab works, and has the keys', () =>
  withPage(async ({ page }) => {
    const dialog = page.getByRole('dialog');
    await page.locator('.verdict').waitFor();
    await page.keyboard.press('?');
    await dialog.getByText('then runs them event by event').waitFor();
    await dialog.getByText('next / previous kernel').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('3');
    await page.getByTestId('reuse-sentence').waitFor();
    await page.keyboard.press('?');
    await dialog.getByText('one pass gives the miss ratio').waitFor();
  }));

test('how sure: seeds and parameters are tried behind the result', () =>
  withPage(
    async ({ page }) => {
      const line = page.getByTestId('sure');
      await line.getByText(/Miss rate, seeds 1 to 8: [\d.]+.% to [\d.]+.%\./).waitFor({ timeout: 60_000 });
      await line.getByText(/depends most on “.*”: .* at half, .* at double its value/).waitFor({ timeout: 60_000 });
      await page.locator('[data-part=sure] summary').click();
      await page.locator('[data-part=sure] tbody tr').nth(2).waitFor();
      await line.getByText(/The model “reference”: 32.%\./).waitFor();
      // The verdict has said it.
      assert.doesNotMatch(await page.locator('[data-part=sure]').innerText(), /seeds 1 to 8/);
      const changes = await page.locator('[data-part=sure] tbody td:nth-child(2)').allInnerTexts();
      assert.ok(changes.every((change) => /^\d+\.\d\s%$/.test(change)) && changes.length > 2, changes.join());
      assert.deepEqual(
        changes.filter((change) => /^0\.0\D/.test(change)),
        [],
      );
      // Of several kernels, the one on show.
      await page.evaluate(() => (location.hash = '#v=1&example=atax&gpu=gtx470-16k&model=paper'));
      await line.getByText(/The model “reference”: 5.1.%\./).waitFor({ timeout: 60_000 });
      await page.getByRole('button', { name: 'atax_columns' }).click();
      await line.getByText(/The model “reference”: 52.%\./).waitFor({ timeout: 60_000 });
    },
    { at: '#v=1&gpu=gtx470-16k&model=paper', folded: true },
  ));
