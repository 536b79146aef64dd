// The short form of the campaign's parts in a page: some hostile links, names and files, and some random actions. `npm run campaign` does many.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soak } from '../campaign/actions.mjs';
import { harm, hostileCase, RAN, tryInPage } from '../campaign/hostile.mjs';
import { killsOf, killOnce } from '../campaign/kills.mjs';
import { rightResult, runsRight } from '../campaign/pages.mjs';
import { drop, withPage } from './browser.mjs';

/** A case of the kind `course` that does not end its worker while the page loads. */
const LATE = 1;

test('hostile links, names and files run nothing, and each is answered', { timeout: 60_000 }, async () => {
  const wanted = await rightResult();
  await withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    for (let index = 0; index < 16; index += 1) {
      const one = hostileCase(index, 2);
      assert.equal(await tryInPage(page, one, { drop, wanted }), null, JSON.stringify(one).slice(0, 300));
    }
    assert.equal(await runsRight(page), wanted);
  });
});

test('a page that ignores a dropped file or a link has not answered, whatever it showed before', async () => {
  const wanted = await rightResult();
  await withPage(async ({ page }) => {
    // Before the page listens, since listeners of a window hear in the order in which they came.
    await page.addInitScript(() =>
      addEventListener('hashchange', (event) => /ignored/.test(location.hash) && event.stopImmediatePropagation()),
    );
    await page.reload();
    await page.getByTestId('verdict').waitFor();
    const file = { name: 'a.cu', content: '__global__ void k(float *x { x[0] = ; }\n' };
    const tried = (one, dropped) => tryInPage(page, one, { drop: dropped, wanted, patience: 1500 });
    // After a result, and after a message that a file has caused.
    assert.equal(await tried({ file }, () => {}), 'not answered');
    assert.equal(await tried({ file }, drop), null);
    assert.ok((await page.locator('.diagnostic').count()) > 0);
    assert.equal(await tried({ file }, () => {}), 'not answered');
    assert.equal(await tried({ link: 'v=1&example=ignored' }), 'not answered');
    assert.equal(await tried({ link: 'v=1&example=heard' }), null);
  });
});

test('what an input does in the page is found', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('verdict').waitFor();
      assert.equal(await harm(page), null);
      for (const [markup, found] of [
        ['<iframe></iframe>', /markup of the input/],
        ['<p onload="x()">', /markup of the input/],
        ['<a href=" javascript:x()">x</a>', /runs a script/],
        ['<div class="card crash">x</div>', /crash card/],
      ]) {
        const box = await page.evaluateHandle((text) => {
          const element = document.createElement('div');
          element.innerHTML = text;
          document.querySelector('#tab-panel').append(element);
          return element;
        }, markup);
        assert.match(await harm(page), found);
        await box.evaluate((element) => element.remove());
      }
      await page.evaluate((ran) => (Object.prototype[ran] = 1), RAN);
      assert.match(await harm(page), /something ran/);
    },
    { expectTrouble: /Content Security Policy/ },
  ));

test(
  'a worker that ends loses neither what was typed nor the next run; a case that ends none is told',
  {
    timeout: 120_000,
  },
  async () => {
    const one = await killsOf('course', { cases: 2, from: 1, seed: 1 });
    assert.deepEqual(one.flaws, []);
    const spared = (...given) => killOnce(...given, { end: () => 0 });
    const { flaws, more } = await killsOf('course', { cases: 1, from: 1, seed: 1, kill: spared });
    assert.deepEqual(
      flaws.map(({ flaw }) => flaw),
      ['no worker of this kind was ended in any case'],
      more,
    );
  },
);

test(
  'a field that vanishes or changes with the worker, and another result of the next run, are found',
  {
    timeout: 120_000,
  },
  async () => {
    const tried = async (harmed, expected) => {
      const end = (page) => page.evaluate(harmed).then(() => 1);
      return (await killOnce('course', LATE, 1, { end, ...(expected && { expected: async () => expected }) })).flaw;
    };
    assert.match(await tried(() => document.querySelector('#learn-kernel').remove()), /are gone/);
    assert.match(
      await tried(() => void (document.querySelector('#learn-kernel').value = 'other')),
      /what was typed is lost/,
    );
    assert.match(await tried(() => {}, '0'.repeat(32)), /^the next run gives [0-9a-f]{32}, and 0{32} in a page/);
  },
);

test('random actions from the first millisecond leave a page that runs', { timeout: 60_000 }, () =>
  withPage(async ({ browser, site }) => {
    const { trouble, done } = await soak(browser, site, 3, { actions: 30, early: true });
    assert.deepEqual(trouble, []);
    assert.equal(done, 30);
  }),
);
