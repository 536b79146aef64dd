// A baseline: pinned, compared with the next run, and opened from one link; the other form of a kernel in one click.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { WORST_TIME_ERROR } from './accuracy.mjs';
import { address, assertAccessible, assertFits, linked, PHONE, saveReport, withPage } from './browser.mjs';
import { native } from '../native.mjs';

const card = (page) => page.getByTestId('compare');
const cells = (page) => card(page).locator('tbody tr');

/** The row of a number: baseline, now, change. */
async function row(page, name) {
  const found = cells(page).filter({ has: page.getByRole('rowheader', { name, exact: false }) });
  return found.first().locator('td').allInnerTexts();
}

/** A count as the page writes it, back as a number. */
const number = (text) => Number(text.replace(/[^\d.−+-]/g, '').replace('−', '-'));

/** What the terminal says of two reports. */
function compared(base, now) {
  const folder = mkdtempSync(path.join(tmpdir(), 'warpscope-pair-'));
  const files = [base, now].map((report, i) => path.join(folder, `${i}.json`));
  [base, now].forEach((report, i) => writeFileSync(files[i], JSON.stringify(report)));
  return JSON.parse(native('compare', ...files, '--format', 'json'));
}

test('after a change, the run before is one click away as the baseline', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('verdict').waitFor();
      const before = page.getByRole('button', { name: 'Compare with the run before' });
      assert.equal(await before.count(), 0, 'there is none yet');
      await page.locator('.parameters > summary').click();
      await page.locator('#set-ways').fill('8');
      await page.locator('#set-ways').press('Tab');
      await before.click();
      await card(page).getByText('Ways: 4 → 8').waitFor();
      await linked(page, /&base=/);
      assert.equal(await before.getAttribute('aria-pressed'), 'true');
      await before.click();
      await linked(page, /^(?!.*&base=)/);
    },
    { at: '#v=1&model=paper' },
  ));

test('a pinned run stands beside the next one, and the pair is one link', () =>
  withPage(
    async ({ page, context, site }) => {
      await page.getByTestId('verdict').waitFor();
      const base = await saveReport(page);
      await page.getByRole('button', { name: 'Keep to compare' }).click();
      await card(page).getByText('This run is the baseline.').waitFor();
      // Who kept a run is told what comes next.
      await page.locator('.toast', { hasText: 'Kept. Now change the GPU, a parameter or the kernel.' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Kept ✓' }).getAttribute('aria-pressed'), 'true');
      await page.waitForFunction(() => location.hash.includes('&base='));
      const drawn = () => page.locator('.drawing[aria-label^="Histogram"]').innerHTML();
      const alone = await drawn();
      await page.locator('.parameters > summary').click();
      await page.locator('#set-ways').fill('8');
      await page.locator('#set-ways').press('Tab');
      await card(page).getByText('Ways: 4 → 8').waitFor();
      await card(page).getByText('Capacity misses differ although the size does not').waitFor();
      const now = await saveReport(page);
      const told = compared(base, now);
      assert.deepEqual(told.inputs, [['ways', '4', '8']]);
      const ticks = told.kernels[0].numbers.find((line) => line.number === 'ticks');
      assert.equal(ticks.difference, now.kernels[0].ticks - base.kernels[0].ticks);
      const [before, after, change] = await row(page, 'ticks');
      assert.deepEqual([number(before), number(after)], [base.kernels[0].ticks, now.kernels[0].ticks]);
      assert.equal(number(change.split('×')[0]), ticks.difference);
      assert.ok(change.includes(ticks.verdict), change);
      // The same numbers in the same order as at the terminal.
      await card(page).getByRole('button', { name: /^Show/ }).click();
      assert.equal(await cells(page).count(), told.kernels[0].numbers.length);
      // Facts, rows of tables and charts show the baseline too.
      const fact = page.locator('.verdict .facts div', { hasText: 'ticks' }).locator('.difference');
      assert.equal(number(await fact.innerText()), ticks.difference);
      // Each run's share is of its own misses, so what one array gains the others lose.
      const gains = await page
        .locator('section', { has: page.getByRole('heading', { name: 'Misses by array' }) })
        .locator('tbody tr td:nth-of-type(2) .difference')
        .allInnerTexts();
      const points = gains.map((text) => Number(text.replace('−', '-').replace('±', '').split(' ')[0]));
      assert.ok(points.length > 1 && points.some((n) => n !== 0), gains.join());
      assert.ok(Math.abs(points.reduce((sum, n) => sum + n)) < 0.2, gains.join());
      const misses = (report) => {
        const { compulsory, capacity, associativity } = report.kernels[0].arrays.find(({ name }) => name === 'A');
        return compulsory + capacity + associativity;
      };
      const array = page.locator('tr', { has: page.locator('th[scope=row]', { hasText: /^A\b/ }) }).first();
      const difference = await array.locator('.difference').first().innerText();
      assert.equal(number(difference), misses(now) - misses(base));
      await page.getByText('The line is the baseline.').waitFor();
      await page.waitForFunction((old) => {
        const chart = document.querySelector('.drawing[aria-label^="Histogram"]');
        return chart && chart.innerHTML !== old && chart.innerHTML.includes('polyline');
      }, alone);
      await assertAccessible(page);
      await assertFits(page);
      const link = await address(page);
      await card(page).getByRole('button', { name: 'Swap' }).click();
      await card(page).getByText('Ways: 8 → 4').waitFor();
      await card(page).getByRole('button', { name: 'Stop comparing' }).click();
      await card(page).waitFor({ state: 'detached' });
      await page.waitForFunction(() => !location.hash.includes('base='));
      assert.equal(await page.locator('.difference').count(), 0);
      // A fresh page runs both and compares the fingerprints of both.
      const other = await context.newPage();
      await other.goto(`${site.url}${new URL(link).hash}`);
      await card(other).getByText('Ways: 4 → 8').waitFor();
      assert.equal(await other.getByTestId('reproduced').count(), 2);
      assert.deepEqual(await row(other, 'ticks'), [before, after, change]);
    },
    { at: '#v=1&example=matvec-rows&gpu=gtx470-16k&model=paper' },
  ));

test('the first screen’s kernel and its better form are one click apart, on a phone too', () =>
  withPage(
    async ({ page }) => {
      await page.getByRole('button', { name: /Compare with the better form/ }).click();
      await card(page).getByText('kernel: matvec-rows → matvec-columns').waitFor();
      const [, , change] = await row(page, 'cycles');
      assert.match(change, /^−.*×.*better/);
      const answer = page.getByTestId('conclusion');
      assert.match(
        await answer.innerText(),
        /^1\.\d+ times as fast: loads ask for 6\.6 times fewer sectors\. That is more than/,
      );
      assert.ok(
        (await card(page).locator('p').first().innerText()) === (await answer.innerText()),
        'the answer is first',
      );
      await card(page).getByText('The lower L1 hit rate is no loss').waitFor();
      // A number that is written alike has not changed, and says nothing else.
      const changes = await cells(page).locator('td:last-child').allInnerTexts();
      assert.ok(changes.includes('same'), changes.join('; '));
      assert.deepEqual(
        changes.filter((text) => /[+−]0(\.0)? points|\d.*same|±/.test(text)),
        [],
      );
      await linked(page, /example=matvec-columns.*base=.*example%3Dmatvec-rows/);
      await page.locator('.drawing', { hasText: 'Baseline' }).first().waitFor();
      assert.equal(await page.getByRole('button', { name: /Compare with the/ }).count(), 0);
      await card(page).getByText('Most cycles of the schedulers').waitFor();
      await card(page).getByRole('columnheader', { name: 'Change' }).getByRole('button').click();
      const ratios = (await cells(page).allInnerTexts()).flatMap((text) => /×\s*([\d.\s]+)/.exec(text)?.[1] ?? []);
      const moves = ratios.map((ratio) => Math.abs(Math.log(number(ratio))));
      assert.ok(moves.length > 3 && moves.every((move, i) => i === 0 || move <= moves[i - 1]), ratios.join(', '));
      // Another model: only what means the same is compared.
      await page.locator('.settings-fold > summary').click();
      // The answer is below the open settings: a line at the foot of the screen has it, and leads there.
      const below = page.locator('.answer-below');
      await below.getByText(await page.getByTestId('verdict').innerText()).waitFor();
      await assertAccessible(page);
      await below.click();
      await below.waitFor({ state: 'detached' });
      assert.ok((await page.getByTestId('verdict').boundingBox()).y < PHONE.viewport.height);
      // Who has scrolled past the answer needs no way down to it.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.waitForTimeout(300);
      assert.equal(await below.count(), 0);
      await page.evaluate(() => scrollTo(0, 0));
      await below.waitFor();
      await page.locator('#model').selectOption('paper');
      await card(page).getByText('numbers are not compared').click();
      await card(page)
        .getByText(/cycles.*a tick is no cycle/)
        .waitFor();
      await assertAccessible(page);
      await assertFits(page);
    },
    { context: { ...PHONE, colorScheme: 'dark' } },
  ));

test('the baseline is the run that was on show at the press, though its code comes after the next run', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('verdict').waitFor();
      const asked = [];
      await page.route(/\/compare\.\w+\.js$/, (route) => void asked.push(route));
      await page.getByRole('button', { name: 'Keep to compare' }).click();
      await page.locator('#gpu').selectOption('rtx4090');
      await linked(page, /gpu=rtx4090/);
      assert.equal(asked.length, 1, 'the code is on its way');
      await asked[0].continue();
      await linked(page, /gpu=rtx4090.*&base=(?!.*gpu=rtx4090)/);
      await card(page)
        .getByText(/RTX 3060.* → .*RTX 4090/)
        .first()
        .waitFor();
    },
    { at: '#v=1&gpu=rtx3060' },
  ));

test('another clock is told apart from other work, a small difference is no difference, and two models can be made one', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('verdict').waitFor();
      await page.getByRole('button', { name: 'Keep to compare' }).click();
      await page.locator('#gpu').selectOption('rtx4090');
      const answer = page.getByTestId('conclusion');
      await answer.getByText(/times as fast: the same cycles at a faster clock \(1\.78.GHz → 2\.52.GHz\)/).waitFor();
      // More cycles of a faster clock are no loss.
      assert.match((await row(page, 'time'))[2], /better$/);
      assert.doesNotMatch((await row(page, 'cycles'))[2], /better|worse/);
      await page.locator('#gpu').selectOption('rtx3060ti');
      const assumed = `${(100 * WORST_TIME_ERROR).toFixed(0)}.% assumed`;
      await answer
        .getByText(new RegExp(`No difference that the model can tell: .* is unknown \\(${assumed}\\)`))
        .waitFor();
      assert.match((await row(page, 'time'))[2], /too close to tell$/);
      await page.locator('#gpu').selectOption('rtx3060');
      await card(page).getByText('This run is the baseline.').waitFor();
      await page.locator('#model').selectOption('paper');
      await card(page).getByText('The models differ').waitFor();
      await card(page).getByRole('button', { name: 'Run this in the model “gpu”' }).click();
      await card(page).getByText('This run is the baseline.').waitFor();
      await page.getByRole('button', { name: 'Kept ✓' }).click();
      await card(page).waitFor({ state: 'detached' });
    },
    { at: '#v=1&example=matvec-rows&gpu=rtx3060&model=gpu' },
  ));

test('a parameter that only the baseline’s model has is called by its name', () =>
  withPage(
    async ({ page }) => {
      await card(page).getByText('The models differ').waitFor();
      const inputs = card(page).locator('.changed-input');
      await inputs.filter({ hasText: /→ the GPU’s own/ }).waitFor();
      await page.waitForFunction(() => !/l1_/.test(document.querySelector('[data-testid=compare] .chips').textContent));
    },
    {
      at: `#v=1&example=matvec-rows&gpu=rtx3060&model=paper&base=${encodeURIComponent(
        'v=1&example=matvec-rows&gpu=rtx3060&model=gpu&set.l1_ways=4',
      )}`,
    },
  ));

test('a twin runs with the sizes of its kernel, and a bad baseline says why', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('verdict').waitFor();
      await page.getByRole('button', { name: /Compare with the better form/ }).click();
      await card(page).getByText('kernel: matmul-naive → matmul-tiled').waitFor();
      await linked(page, /example=matmul-tiled&cuda\.size\.n=64&/);
      await page.evaluate(() => (location.hash = '#v=1&example=stencil&base=v%3D1%26example%3Dnone'));
      await card(page).getByText('The baseline could not be run.').waitFor();
      assert.match(await card(page).innerText(), /none/);
    },
    { at: '#v=1&example=matmul-naive&cuda.size.n=64&gpu=rtx3060&model=gpu' },
  ));

test('a changed parameter stands beside the own value of the GPU', () =>
  withPage(({ page }) => card(page).locator('.changed-input', { hasText: 'L1 ways: 256 → 128' }).waitFor(), {
    at: `#v=1&example=matvec-rows&gpu=rtx3060&model=gpu&set.l1_ways=128&base=${encodeURIComponent(
      'v=1&example=matvec-rows&gpu=rtx3060&model=gpu',
    )}`,
  }));
