// What the Placement tab says of its answer: while it is searched for, beside the Cache tab's time, and on a phone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, PHONE, withPage } from './browser.mjs';

const at = (more = '') => `#v=1&example=matmul-naive&gpu=k20c&view.tab=placement${more}`;

/** The search is over. */
const ready = async (page) => {
  await page.getByTestId('look').waitFor({ timeout: 60_000 });
  await page.waitForFunction(() => !document.querySelector('[data-testid=placement-progress]'), null, {
    timeout: 60_000,
  });
};
const sentence = (page) => page.getByTestId('placement-sentence').innerText();

test('while placements still run on the whole GPU nothing is recommended', () =>
  withPage(
    async ({ page, site }) => {
      const open = page.locator('.verdict.provisional');
      await open.getByText(/^So far, .* \d+ of \d+ placements ran on the model of the whole GPU\.$/).waitFor();
      const shown = await page.evaluate(() => ({
        advice: document.querySelectorAll('.matrix .badge.good, .matrix .advice, .ranking .advice, tr.tied').length,
        chance: document.querySelectorAll('[data-testid=chance]').length,
        provisional: document.querySelectorAll('.verdict.provisional').length,
      }));
      assert.deepEqual(shown, { advice: 0, chance: 0, provisional: 1 });
      await assertAccessible(page, { runOnly: ['color-contrast'] });
      await page.goto(site.url + at('&cuda.size.n=32'));
      await open.waitFor({ state: 'detached', timeout: 60_000 });
      await ready(page);
      assert.doesNotMatch(await sentence(page), /So far/);
    },
    // Large, so that the search is still under way when the page has loaded on a busy machine.
    { at: at('&cuda.size.n=160') },
  ));

test('beside the present time stands the state of the caches, and why the Cache tab has another time', () =>
  withPage(
    async ({ page, site }) => {
      const note = page.getByTestId('caches');
      await ready(page);
      assert.match(await note.innerText(), /state “copies”.*Cache tab.*its state is “cold”$/);
      await page.goto(site.url + at('&cuda.size.n=48&model=gpu&state=copies'));
      await ready(page);
      await note.filter({ hasText: /state “copies”\)$/ }).waitFor();
    },
    { at: at('&cuda.size.n=48&model=gpu') },
  ));

test('on a phone the names of the arrays stay while the memories move', () =>
  withPage(
    async ({ page }) => {
      await ready(page);
      const name = page.getByRole('textbox', { name: 'Name of array B' });
      const before = await name.boundingBox();
      const scroll = page.locator('.matrix .table-scroll');
      const moved = await scroll.evaluate((box) => ((box.scrollLeft = 200), box.scrollLeft));
      assert.equal(moved, 200);
      assert.equal((await name.boundingBox()).x, before.x);
      await name.scrollIntoViewIfNeeded();
      const on = await name.evaluate((input) => {
        const { left, top, width, height } = input.getBoundingClientRect();
        return document.elementFromPoint(left + width - 4, top + height / 2) === input;
      });
      assert.ok(on, 'nothing lies over the name');
    },
    { context: PHONE, at: at('&cuda.size.n=48') },
  ));

test('beside a recommendation that ties stands the shortest time, in the digits of the Cache tab', () =>
  withPage(
    async ({ page }) => {
      const ties = await page.getByTestId('ties').innerText({ timeout: 60_000 });
      const [, shortest] = /shortest time is predicted for .+ memory: ([\d.]+)\sµs\.$/.exec(ties) ?? assert.fail(ties);
      const facts = await page.locator('.verdict .facts').innerText();
      const [, recommended] = /Predicted time\s+([\d.]+)\sµs/.exec(facts) ?? assert.fail(facts);
      assert.ok(Number(shortest) < Number(recommended));
      assert.match(facts, /As in the trace\s+32\.4\sµs/);
    },
    { at: '#v=1&example=matvec-rows&gpu=rtx3060&model=gpu&view.tab=placement' },
  ));
