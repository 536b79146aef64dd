// Parameters that differ from the GPU's own: above the verdict, in the settings, and the way back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { address, assertAccessible, assertFits, drop, eventually, PHONE, withPage } from './browser.mjs';
import { atRest } from './cut.mjs';

const at = '#v=1&example=matvec-rows&gpu=gtx470-16k&model=paper&set.ways=8&set.mshrs=32';

/** Where a thing stands once the page is at rest and the thing has stood there for a second: charts above it come late. */
async function stillBox(page, locator) {
  await atRest(page);
  let box = await locator.boundingBox();
  for (let tries = 0; tries < 30; tries += 1) {
    await page.waitForTimeout(1000);
    const later = await locator.boundingBox();
    if (isDeepStrictEqual(box, later)) return box;
    box = later;
  }
  return assert.fail('it does not stand still');
}

test('a changed value contradicts nothing, and its chip gives back the GPU’s own by the keyboard', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('verdict').waitFor();
      const chips = page.getByRole('list', { name: 'Changed parameters' }).getByRole('listitem');
      await chips.first().waitFor();
      assert.deepEqual((await chips.allInnerTexts()).map((text) => text.replace(/\s*×$/, '').trim()).sort(), [
        'MSHRs: 32 instead of 64',
        'Ways: 8 instead of 4',
      ]);
      assert.match(await page.locator('#verdict-title').innerText(), /, 2 values changed$/);
      const settings = page.locator('.panel', { has: page.locator('#gpu') });
      assert.match(await settings.innerText(), /16 sets of 8 ways/);
      assert.doesNotMatch(await settings.innerText(), /32 sets of 4 ways/);
      await page.locator('.parameters > summary').click();
      const row = page.locator('.parameter', { has: page.locator('#set-ways') });
      assert.equal(await row.locator('.badge').innerText(), 'changed');
      await assertAccessible(page);
      await page.setViewportSize(PHONE.viewport);
      await assertFits(page);
      const before = await page.locator('.verdict').innerText();
      await page.locator('.chips').getByRole('button', { name: 'Reset Ways' }).press('Enter');
      await page.waitForFunction((old) => document.querySelector('.verdict').innerText !== old, before);
      await atRest(page);
      assert.equal(await chips.count(), 1);
      assert.equal(await page.evaluate(() => document.activeElement.id), 'result', 'the focus is not lost');
      await eventually(async () => assert.doesNotMatch(new URL(await address(page)).hash, /ways/));
    },
    { at },
  ));

/** Gives a parameter a value, and gives its field and its row. */
async function setInForm(page, key, value) {
  await page.getByTestId('verdict').waitFor();
  await page.locator('.parameters > summary').click();
  const field = page.locator(`#set-${key}`);
  await field.fill(value);
  await field.press('Enter');
  return { field, row: page.locator('.parameter', { has: field }) };
}

test('a refused value says so at its field and at its chip', () =>
  withPage(
    async ({ page }) => {
      const { field, row } = await setInForm(page, 'ways', '3');
      await row.getByText('refused', { exact: true }).waitFor();
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      assert.match(await row.locator('.problem').innerText(), /a multiple of line_bytes × ways.*3 ways\.$/);
      assert.match(await field.getAttribute('aria-describedby'), /^set-ways-error /);
      assert.match(await page.locator('.chips').innerText(), /Ways: 3 instead of 4\s+refused/);
      const again = page.getByRole('button', { name: 'Run with the new settings' });
      assert.equal(await again.count(), 0, 'what was refused is not offered again');
      await assertAccessible(page);
      await field.fill('2');
      await field.press('Enter');
      await row.getByText('changed', { exact: true }).waitFor();
      assert.equal(await field.getAttribute('aria-invalid'), 'false');
      assert.equal(await row.locator('.problem').count(), 0);
    },
    { at: '#v=1&example=matvec-rows&gpu=gtx470-16k&model=paper' },
  ));

test('in the model of the whole GPU, ways that do not fit are refused at their field, and the GPU is not described by them', () =>
  withPage(
    async ({ page }) => {
      const { field, row } = await setInForm(page, 'l1_ways', '4096');
      await row.locator('.problem', { hasText: /a divisor of the 1,?024 lines/ }).waitFor();
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      await page.getByText(/4 sets of 256 ways/).waitFor();
      assert.equal(await page.getByText(/ 0 sets/).count(), 0);
    },
    { at: '#v=1&example=matvec-rows&gpu=rtx3060&model=gpu' },
  ));

test('a person finds the size of the L1 by “cache size” and its ways by “sets”', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('verdict').waitFor();
      await page.locator('.parameters > summary').click();
      for (const [words, key] of [
        ['cache size', 'l1_bytes'],
        ['sets', 'l1_ways'],
      ]) {
        await page.getByLabel('Search the parameters').fill(words);
        assert.ok(await page.locator(`#set-${key}`).isVisible(), words);
        assert.equal(await page.locator('#set-l1_mshrs').count(), 0, words);
      }
    },
    { at: '#v=1&example=matvec-rows&gpu=rtx3060&model=gpu' },
  ));

test('a confirmation is in sight from below, and nothing moves', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    const button = page.locator('.export').getByRole('button', { name: 'Copy link' });
    await button.scrollIntoViewIfNeeded();
    const before = await stillBox(page, button);
    await button.click();
    const toast = page.locator('.toast > :not(.unseen)').first();
    await toast.waitFor();
    const box = await toast.boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= page.viewportSize().height, JSON.stringify(box));
    assert.deepEqual(await button.boundingBox(), before);
  }));

test('a truncated trace says so, unfolded, above its verdict', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    const lines = Array.from({ length: 20_000 }, (_, i) => `${i % 64} 0 ${4096 * i} 4`);
    const whole = gzipSync(`blocksize: 64 1 1\n${lines.join('\n')}\n`);
    await drop(page, 'body', [{ name: 'cut.trc.gz', content: whole.subarray(0, whole.length - 4000) }]);
    await page.locator('.verdict .kernel-name', { hasText: 'cut' }).waitFor();
    const told = page.locator('.diagnostics .diagnostic').first();
    assert.ok(await told.isVisible());
    const [warning, verdict] = [await told.boundingBox(), await page.getByTestId('verdict').boundingBox()];
    assert.ok(warning.y < verdict.y);
  }));

test('on a phone, a changed value of the model of the whole GPU is in the line of the GPU, and nothing passes its card', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('verdict').waitFor();
      await page.locator('.settings-fold > summary').click();
      await page.locator('.parameters > summary').click();
      await page.getByText('L1 128 KiB, 128 B lines, 8 sets of 128 ways, 28 cores').waitFor();
      const rows = page.locator('.parameter.changed');
      assert.equal(await rows.count(), 2);
      const past = await rows.evaluateAll(
        (all) =>
          all.flatMap((row) =>
            [...row.querySelectorAll('*')].filter(
              (one) => one.getBoundingClientRect().right > row.getBoundingClientRect().right + 0.5,
            ),
          ).length,
      );
      assert.equal(past, 0);
      await assertFits(page);
    },
    { at: '#v=1&example=matvec-rows&gpu=rtx3060&model=gpu&set.l1_ways=128&set.stores=none', context: PHONE },
  ));

test('on a phone the tools of the verdict stay in its card, and no tab moves when another is opened', () =>
  withPage(
    async ({ page, site }) => {
      await page.waitForFunction(() => /result=/.test(location.hash));
      const { hash } = new URL(await address(page));
      await page.goto('about:blank');
      await page.goto(site.url + hash);
      await page.getByTestId('reproduced').waitFor();
      const [card, tools] = await Promise.all(
        ['.card.verdict', '.verdict-tools'].map((name) => page.locator(name).first().boundingBox()),
      );
      assert.ok(tools.x >= card.x && tools.x + tools.width <= card.x + card.width, JSON.stringify([card, tools]));
      const tabs = page.getByRole('tab');
      const places = () =>
        tabs.evaluateAll((all) =>
          all.map((one) => ({ row: one.offsetTop - all[0].offsetTop, cut: one.scrollWidth > one.clientWidth })),
        );
      const before = await places();
      assert.ok(before.every(({ cut }) => !cut));
      for (const name of ['Placement', 'Self-check']) {
        await tabs.filter({ hasText: name }).click();
        assert.deepEqual(await places(), before, name);
      }
    },
    { context: PHONE },
  ));
