// The short form of the campaign's parts in a page: some hostile links, names and files, and some random actions. `npm run campaign` does many.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soak } from '../campaign/actions.mjs';
import { hostileCase, tryInPage } from '../campaign/hostile.mjs';
import { runsRight } from '../campaign/pages.mjs';
import { drop, withPage } from './browser.mjs';

test('hostile links, names and files run nothing, and each is answered', { timeout: 60_000 }, () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    for (let index = 0; index < 16; index += 1) {
      const one = hostileCase(index, 2);
      assert.equal(await tryInPage(page, one, drop), null, JSON.stringify(one).slice(0, 300));
    }
    assert.match(await runsRight(page), /^[0-9a-f]{32}$/);
  }),
);

test('random actions from the first millisecond leave a page that runs', { timeout: 60_000 }, () =>
  withPage(async ({ browser, site }) => {
    const { trouble, done } = await soak(browser, site, 3, { actions: 30, early: true });
    assert.deepEqual(trouble, []);
    assert.equal(done, 30);
  }),
);
