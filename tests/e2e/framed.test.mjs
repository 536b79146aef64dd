// The page inside a frame of another page, where the host sends no headers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertAccessible, drop, withPage } from './browser.mjs';

/** Opens a page that shows `address` in a frame, and gives the frame. The host's server does not know that page. */
async function frame(page, site, address) {
  const inner = `<iframe title=inner width=900 height=700 src="${address.replaceAll('&', '&amp;')}"></iframe>`;
  const body = `<html lang=en><title>host</title><main><h1>host</h1>${inner}</main>`;
  await page.route(`${site.url}host.html`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(`${site.url}host.html`);
  return page.frameLocator('iframe');
}

// The time limit is for the wait for the engine.
test('a frame that nobody asked for shows a note and takes no file', { timeout: 60_000 }, () =>
  withPage(async ({ page, site }) => {
    // The page that the test opened first has its engine.
    const engines = () => site.seen.filter((line) => line.includes('.wasm')).length;
    while (engines() === 0) await setTimeout(10);
    const inner = await frame(page, site, `${site.url}#v=1&example=matmul-naive`);
    const link = inner.getByRole('link', { name: 'Open Warpscope in its own tab' });
    await link.waitFor();
    assert.equal(await link.getAttribute('href'), `${site.url}#v=1&example=matmul-naive`);
    assert.equal(await link.getAttribute('target'), '_blank');
    assert.equal(await inner.locator('input, button, [data-testid=verdict]').count(), 0);
    await assertAccessible(page.frames()[1]);
    // Neither a key nor a dropped file starts anything: shortcuts and the drop layer are not there.
    await link.focus();
    for (const key of ['r', '2', 't']) await page.keyboard.press(key);
    await drop(page.frames()[1], 'body', [{ name: 'a.trc', content: 'blocksize: 32 1 1\n0 0 4096 4\n' }]);
    await page.waitForTimeout(300);
    assert.equal(await inner.locator('main').count(), 1);
    await link.waitFor();
    // The frame loads no engine.
    assert.equal(engines(), 1);
  }),
);

const LINKS = {
  'the whole GPU': 'example=matvec-rows&gpu=rtx3060&model=gpu',
  'one L1': 'example=matvec-rows',
  'reuse distances': 'example=stencil&view.tab=reuse',
  placements: 'example=matmul-naive&cuda.size.n=32&gpu=k20c&view.tab=placement',
};

for (const [what, link] of Object.entries(LINKS)) {
  test(`?embed shows one figure and nothing to change: ${what}`, { timeout: 120_000 }, () =>
    withPage(async ({ page, site }) => {
      const inner = await frame(page, site, `${site.url}?embed#v=1&${link}`);
      await inner.locator('.sentence').first().waitFor({ timeout: 60_000 });
      await inner.locator('.figure-frame > svg').first().waitFor();
      const visible = (selector) => inner.locator(`${selector}:visible`).count();
      assert.equal(await visible('.figure'), 1);
      for (const chrome of ['.top', '[role=tab]', '.setup', 'input[type=file]', 'select', '.export'])
        assert.equal(await visible(chrome), 0, chrome);
      assert.equal(await inner.locator('input[type=file]').count(), 0);
      const open = inner.getByRole('link', { name: 'Open in Warpscope' });
      assert.ok((await open.getAttribute('href')).startsWith(`${site.url}#v=1&`));
      // Neither keys nor files do anything.
      await drop(page.frames()[1], 'body', [{ name: 'a.trc', content: 'blocksize: 32 1 1\n0 0 4096 4\n' }]);
      await page.frames()[1].locator('body').press('2');
      await page.waitForTimeout(200);
      assert.equal(await visible('.figure'), 1);
      await assertAccessible(page.frames()[1]);
    }),
  );
}

test('?embed shows one exercise, which can be answered', { timeout: 60_000 }, () =>
  withPage(async ({ page, site }) => {
    const inner = await frame(page, site, `${site.url}?embed#v=1&exercise=strides&seed=3`);
    await inner.getByTestId('learn-answer').waitFor({ timeout: 60_000 });
    const visible = (selector) => inner.locator(`${selector}:visible`).count();
    for (const chrome of ['.top', '[role=tab]', '.setup', 'input[type=file]', '.intro'])
      assert.equal(await visible(chrome), 0, chrome);
    // The starting state opens in a window of its own, since there is no way back from it here.
    const start = inner.getByTestId('learn-start');
    assert.deepEqual(
      [await start.getAttribute('target'), /\?embed/.test(await start.getAttribute('href'))],
      ['_blank', false],
    );
    await inner.getByLabel('Answer').fill('12');
    await inner.getByRole('button', { name: 'Check', exact: true }).click();
    await inner.getByText('Right.').first().waitFor();
    assert.equal(await inner.getByRole('button', { name: 'Next exercise' }).count(), 0);
    await assertAccessible(page.frames()[1]);
  }),
);
