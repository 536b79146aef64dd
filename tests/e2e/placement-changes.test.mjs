// Other changes of the text in the Placement tab: `__restrict__`, `__ldg`, padding, other blocks.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { traceOf } from './arrays-trace.mjs';
import { address, assertAccessible, assertFits, drop, eventually, linked, LOOKS, withPage } from './browser.mjs';
import { nativeJson as native } from '../native.mjs';

const at = (example, more = '') => `#v=1&example=${example}&gpu=a100&view.tab=placement${more}`;
const ASKED = '&view.placement.changes=1';
const start = (page) => page.getByRole('button', { name: 'Try other changes' });
const rows = (page) => page.locator('.changes tbody tr');

/** The changes and their times on the GPU, as the table has them. */
const shown = async (page) =>
  (await rows(page).locator('th, td:nth-child(3)').allInnerTexts()).reduce(
    (pairs, text, i) => (i % 2 ? [...pairs.slice(0, -1), [...pairs.at(-1), text]] : [...pairs, [text]]),
    [],
  );

async function json(page) {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save JSON' }).click();
  return readFileSync(await (await saved).path(), 'utf8');
}

test('they run at a press and stand in the order of the terminal’s; each has its reason and its text', () =>
  withPage(
    async ({ page }) => {
      await start(page).click();
      await page.getByTestId('change-reason').waitFor({ timeout: 60_000 });
      assert.equal(await start(page).count(), 0);
      const { changes } = native('place', 'example:gemm', '--gpu', 'a100', '--changes');
      const ran = changes.filter((row) => row.machine_microseconds !== null);
      const names = { restrict: '__restrict__', readonly: '__ldg' };
      const word = (name) => names[name] ?? name.replace(/^block=/, 'blocks of ').replaceAll('x', '×');
      assert.deepEqual(
        (await shown(page)).map(([name, time]) => [name.replaceAll('\n', ''), time]),
        ran
          .slice(0, 10)
          .map((row) => [row.changes.map(word).join(', ') || 'none', row.machine_microseconds.toFixed(1)]),
      );
      assert.match(
        await page.getByTestId('changes-refused').innerText(),
        /^padding: the kernel declares no shared array with several dimensions\.$/m,
      );
      // Without a gain beyond the recommended placement, the sentence says so.
      assert.equal(
        await page.getByTestId('changes-sentence').innerText(),
        'No other change is faster than the recommended placement.',
      );
      const [now, alone] = [{ hasText: 'as now' }, { hasNotText: 'blocks of' }];
      const restricted = rows(page).filter({ hasText: '__restrict__' }).filter(now).filter(alone);
      await restricted.getByRole('button').click();
      await eventually(async () =>
        assert.match(
          await page.getByTestId('change-reason').innerText(),
          /^Restrict saves [\d.]+\s% on the whole GPU: scheduler cycles waiting for loads /,
        ),
      );
      await eventually(async () =>
        assert.match(await page.getByTestId('changed-text').innerText(), /gemm\(float \*__restrict__ A/),
      );
      assert.equal(await restricted.getByRole('button').getAttribute('aria-pressed'), 'true');
      // The link asks for them, and so does the terminal.
      await linked(page, /view\.placement\.changes=1/);
      const link = await address(page);
      assert.match(await page.locator('.export pre').innerText(), / --changes --format json$/);
      await page.goto('about:blank');
      await page.goto(link);
      await page.getByTestId('change-reason').waitFor({ timeout: 60_000 });
      await page.getByTestId('placement-reproduced').waitFor();
      assert.deepEqual(JSON.parse(await json(page)), native('place', 'example:gemm', '--gpu', 'a100', '--changes'));
    },
    { at: at('gemm') },
  ));

test('a link that asks for them shows what is faster, on every screen', async () => {
  const { changes } = native('place', 'example:stencil-9', '--gpu', 'a100', '--changes');
  const time = (names, memory) =>
    changes.find((row) => String(row.changes) === names && row.placement.source === memory).machine_microseconds;
  const [fastest, now, moved] = [time('block=64', 'shared'), time('', 'global'), time('', 'shared')];
  const expected =
    `Fastest: blocks of 64; arrays: source → shared. It takes ${fastest.toFixed(2)} µs, −${(100 * (1 - fastest / now)).toFixed(1)} % against now. ` +
    `The recommended placement alone takes ${moved.toFixed(2)} µs. The two are so close that the model cannot tell which is faster.`;
  for (const context of LOOKS)
    await withPage(
      async ({ page }) => {
        await page.getByTestId('changed-text').waitFor({ timeout: 60_000 });
        assert.equal((await page.getByTestId('changes-sentence').innerText()).replaceAll('\u202f', ' '), expected);
        await assertFits(page);
        await assertAccessible(page);
      },
      { at: at('stencil-9', ASKED), context, folded: true },
    );
});

test('a cancel keeps those that ran, and the rest follows', () =>
  withPage(
    async ({ page }) => {
      await start(page).click({ timeout: 60_000 });
      await page
        .getByTestId('placement-progress')
        .filter({ hasText: /[3-9] of \d+/ })
        .waitFor({ timeout: 60_000 });
      await page.keyboard.press('Escape');
      const more = page.getByRole('button', { name: 'Go on', exact: true });
      await more.waitFor();
      const before = await rows(page).count();
      assert.ok(before > 1, String(before));
      assert.equal(await page.getByTestId('changes-sentence').count(), 0, 'it is no answer yet');
      await more.click();
      await page.getByTestId('changes-sentence').waitFor({ timeout: 60_000 });
      assert.equal(await more.count(), 0);
    },
    { at: at('gemm', '&cuda.size.NI=128&cuda.size.NJ=128&cuda.size.NK=128') },
  ));

test('a trace has no text to change, and a new search forgets what was tried', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('changes-sentence').waitFor({ timeout: 60_000 });
      await drop(page, 'main', [
        { name: 'a.traceg', content: traceOf({ arrays: 2, bytes: 1 << 13, blocks: 4, steps: 4 }) },
      ]);
      await page.waitForFunction(() => document.querySelectorAll('.matrix tbody tr').length === 2);
      await page.waitForFunction(() => !document.querySelector('[data-testid=placement-progress]'));
      assert.equal(await page.locator('.changes').count(), 0);
    },
    { at: at('vector-add', ASKED) },
  ));
