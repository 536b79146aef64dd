// The gallery of examples, and the run after an edit pauses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, assertFits, LOOKS, withPage } from './browser.mjs';

test('the gallery is grouped and searched, and a picture is chosen by mouse or key', () =>
  withPage(async ({ page }) => {
    await page.locator('.verdict').waitFor();
    await page.getByRole('button', { name: 'Browse…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Examples' });
    await dialog.locator('li').last().waitFor();
    assert.equal(await dialog.locator('li').count(), 36);
    // A row per lane touches 32 lines: 32 stretches in each of its rows.
    const rows = dialog.locator('li', { hasText: 'one row per thread: neighbouring' });
    assert.ok((await rows.locator('rect').count()) >= 4 * 32 + 4);
    await dialog.getByLabel('Search', { exact: true }).fill('shared tree');
    await page.waitForFunction(() => document.querySelectorAll('dialog[open] li').length < 4);
    await dialog.getByRole('button', { name: /Sum by a tree/ }).focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForFunction(() => /example=reduce-tree/.test(location.hash));
    await page.getByRole('button', { name: 'Browse…' }).click();
    await dialog.getByLabel('Search', { exact: true }).fill('no such thing');
    await dialog.getByText('No example has these words.').waitFor();
    // The first one empties the search.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }));

test('the gallery fits and axe finds nothing', async () => {
  for (const context of LOOKS)
    await withPage(
      async ({ page }) => {
        await page.locator('.verdict').waitFor();
        await page.getByRole('button', { name: 'Browse…' }).click();
        await page.locator('dialog[open] .pattern').last().waitFor();
        await assertAccessible(page);
        await assertFits(page);
      },
      { context, folded: true },
    );
});

test('a changed text runs when its keys pause, unless that is switched off', () =>
  withPage(
    async ({ page }) => {
      const editor = page.locator('.cm-content');
      await editor.waitFor();
      await page.waitForFunction(() => /result=/.test(location.hash));
      await editor.click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('// typed here');
      await page.keyboard.press('Enter');
      await page.getByText('Changed: run it').waitFor();
      await page.getByText('Changed: run it').waitFor({ state: 'detached', timeout: 30_000 });
      assert.match(await editor.innerText(), /typed here/);
      await page.getByLabel('Run when I pause').uncheck();
      await editor.click();
      await page.keyboard.type('// more ');
      await page.getByText('Changed: run it').waitFor();
      await page.waitForTimeout(2500);
      assert.equal(await page.getByText('Changed: run it').count(), 1);
    },
    { at: '#v=1&view.tab=kernel', folded: true },
  ));

test('a long run gives way to a change, and a cancelled one leaves no result in this tab', () =>
  withPage(
    async ({ page }) => {
      const tab = (name) => page.getByRole('tab', { name }).click();
      const before = page.locator('.progress', { hasText: 'Below is still the result from before.' });
      await page.locator('.cm-content').waitFor();
      await page.getByTestId('kernel-time').waitFor();
      await tab('Reuse');
      await page.locator('.cache-view[aria-busy=false]').waitFor();
      await tab('Kernel');
      const size = page.getByLabel('n', { exact: true });
      await size.fill('512');
      await size.press('Control+Enter');
      await page.locator('.progress', { hasText: 'Running the CUDA text' }).waitFor();
      await tab('Reuse');
      await before.waitFor();
      await tab('Kernel');
      await page.locator('.progress', { hasText: 'Simulating' }).waitFor();
      await tab('Cache');
      await before.waitFor();
      await tab('Kernel');
      await page.keyboard.press('Escape');
      await page.getByText('Not run yet under these settings.').waitFor();
      assert.equal(await page.locator('.miss').count(), 0);
      await page.getByLabel('Run when I pause').check();
      await size.fill('500');
      await page.locator('.progress').waitFor();
      await size.fill('64');
      await page.waitForFunction(() => /cuda\.size\.n=64.*result=/.test(location.hash));
      await page.getByTestId('kernel-time').waitFor();
    },
    { at: '#v=1&view.tab=kernel&example=matmul-naive&gpu=rtx3060&model=gpu' },
  ));
