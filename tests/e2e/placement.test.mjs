// The Placement tab as a person uses it: matrix, ranking, looks, ablations, links, files, training.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { traceOf } from './arrays-trace.mjs';
import { address, assertAccessible, assertFits, drop, linked, LOOKS, withPage } from './browser.mjs';
import { zip } from './zip.mjs';
import { nativeJson as native } from '../native.mjs';

const at = (more = '') => `#v=1&example=matmul-naive&gpu=k20c&view.tab=placement${more}`;

/** The search is over and everything is drawn. */
const settled = async (page) => {
  await page.getByTestId('look').waitFor({ timeout: 60_000 });
  await page.waitForFunction(() => !document.querySelector('[data-testid=placement-progress]'), null, {
    timeout: 60_000,
  });
  await page.waitForFunction(
    () => document.querySelectorAll('.drawing').length === document.querySelectorAll('.figure').length,
  );
};
const sentence = (page) => page.getByTestId('placement-sentence').innerText();
/** The time of the present placement. */
const now = async (page) =>
  (await page.locator('.verdict .facts div', { hasText: 'As in the trace' }).locator('dd').innerText()).split('\n')[0];
const plain = (text) => text.replaceAll(/[\u202f ]/g, '');
async function saved(page, name) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}

test('the tab opens by key; the matrix says what is legal and why not', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('verdict').waitFor();
      await page.keyboard.press(
        String((await page.getByRole('tab').allInnerTexts()).findIndex((text) => text.includes('Placement')) + 1),
      );
      await settled(page);
      const rows = page.locator('.matrix tbody tr');
      assert.equal(await rows.count(), 3);
      assert.match(await rows.nth(2).innerText(), /no the kernel writes it, and this memory is read only/);
      assert.equal(await rows.nth(2).getByRole('radio').count(), 1, 'C is written once, so it stays in global memory');
      assert.equal(await rows.nth(0).getByRole('radio').count(), 5);
      await page.waitForFunction(
        () => document.querySelectorAll('.matrix .effect.faster, .matrix .effect.slower').length > 4,
      );
      assert.match(await page.getByTestId('gap').innerText(), /^exact/);
      // What is faster is beyond the noise here.
      assert.match(plain(await sentence(page)), /^Put“A”insharedmemory:predictedtobeabout[\d.]+timesasfastasnow\./);
      await page.getByRole('heading', { name: 'Recommended placement', exact: true }).waitFor();
      assert.deepEqual(await page.locator('.matrix .advice').allInnerTexts(), ['recommended', 'keep', 'keep']);
      assert.equal(await page.locator('.matrix').getByText('best', { exact: true }).count(), 0);
      assert.match(await page.getByTestId('chance').innerText(), /one of the \d that tie: /);
      // The fastest stands first, and a tag says why another one is the answer.
      const ranked = page.locator('.ranking .table-frame').last().locator('tbody tr');
      const times = (await ranked.locator('td:nth-child(3)').allInnerTexts()).map(Number);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      const tag = ranked.filter({ hasText: 'recommended: moves the fewest arrays' });
      assert.match(await tag.innerText(), /^1 =\s+A → shared/);
      assert.ok((await page.locator('.ranking tr.tied').count()) > 1);
      const present = page.getByRole('button', { name: 'Show the present one' });
      await present.click();
      await page.getByText('No array has moved.').waitFor();
      assert.equal(
        await page.getByTestId('look').innerText().then(plain),
        `${plain(await now(page))}onthewholeGPU,asnow`,
      );
      assert.ok(await present.isDisabled());
      // One that did not run on the whole GPU is held against the present one by the clock of the equations.
      for (const name of ['A', 'B'])
        await page.getByRole('radio', { name: `${name} in constant`, exact: true }).check();
      const alone = page.getByTestId('look').filter({ hasText: 'This placement did not run on the whole GPU.' });
      await alone.waitFor();
      assert.match(plain(await alone.innerText()), /^Bytheequationsalone:\d+cycles,.*now\(\d+cycles\)\.[^µ]*$/);
      await present.click();
      await page.getByText('No array has moved.').waitFor();
      // Only a 2D texture has rows.
      assert.match(await rows.nth(0).innerText(), /the equations take rows of \d+/);
      assert.doesNotMatch(await rows.nth(2).innerText(), /rows/);
    },
    { at: '#v=1&example=matmul-naive&gpu=rtx2060' },
  ));

test('what is faster within the error of the model is told, and the arrays stay', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      assert.match(
        plain(await sentence(page)),
        /^Cannottell:“x”inconstantmemoryispredictedtotake[\d.]+%lesstime,[^.]*\.Leavethearrayswheretheyare,/,
      );
      assert.deepEqual(await page.locator('.matrix .advice').allInnerTexts(), ['keep', 'keep', 'keep']);
      const ranked = page.locator('.ranking .table-frame').last().locator('tbody tr');
      assert.match(
        await ranked.filter({ hasText: 'recommended: moves the fewest arrays' }).innerText(),
        /^1 =\s+as now/,
      );
    },
    { at: '#v=1&example=matvec-rows&gpu=rtx2060&view.tab=placement' },
  ));

test("the ranking is the command line's, as JSON and as CSV", () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const expected = native(
        'place',
        'example:matmul-naive',
        '--gpu',
        'k20c',
        '--queue',
        'kingman',
        '--from',
        'A=texture1d',
      );
      assert.deepEqual(JSON.parse(await saved(page, 'Save JSON')), expected);
      const [head, first, ...more] = (await saved(page, 'Save CSV'))
        .trim()
        .split('\n')
        .map((line) => line.split(','));
      assert.deepEqual(head, [
        'rank',
        'A',
        'B',
        'C',
        'cycles',
        'microseconds',
        'machine_microseconds',
        't_comp',
        't_mem',
        't_overlap',
        'tie',
        'chance',
      ]);
      assert.equal(Number(first[4]), expected.ranking[0].cycles);
      assert.equal(more.length + 1, expected.evaluated);
      assert.equal(plain(await page.getByTestId('evaluated').innerText()), String(expected.evaluated));
      // The page answers with the one that the terminal recommends.
      const ties = expected.ranking.filter((row) => row.tie);
      const answer = ties.find(({ placement }) => isDeepStrictEqual(placement, expected.recommended));
      assert.ok(answer.reasons.length > 0);
      // It is tagged, and those that tie share the first rank.
      const ranked = page.locator('.ranking .table-frame').last().locator('tbody tr');
      const tag = ranked.filter({ hasText: 'recommended: moves the fewest arrays' });
      assert.equal(await tag.getByRole('button').getAttribute('aria-pressed'), 'true');
      const ranks = await ranked.locator('td:first-child').allInnerTexts();
      assert.equal(ranks.filter((rank) => rank === '1 =').length, Math.min(ranks.length, ties.length));
      // The page has its own names of the texture memories and its own quotes, and writes large numbers in groups.
      const words = (reason) => reason.replaceAll(/texture([12])d/g, '$1D texture').replaceAll(/`(.+?)`/g, '“$1”');
      const shown = (reason) => plain(`${words(reason)}.`);
      assert.deepEqual(
        (await page.getByTestId('reasons').locator('li').allInnerTexts()).map(plain),
        answer.reasons.map(shown),
      );
      assert.match(
        await page.locator('.export pre').innerText(),
        /^warpscope place example:matmul-naive --gpu k20c --from A=texture1d --queue kingman/,
      );
    },
    { at: at('&view.placement.queue=kingman&view.placement.from=texture1d,global,global') },
  ));

test('a placement is chosen in the matrix and in the ranking, and shown in detail; the link keeps it', () =>
  withPage(
    async ({ page, context, site }) => {
      await settled(page);
      await page.getByRole('radio', { name: 'A in constant', exact: true }).check();
      await page.locator('[data-testid=reasons]', { hasText: '“A” in constant instead of global' }).waitFor();
      await page.getByRole('radio', { name: 'B in global', exact: true }).check();
      await page.waitForFunction(() => document.querySelectorAll('[data-testid=reasons] li').length === 1);
      assert.match(await page.getByTestId('snippet').innerText(), /__constant__ float A\[/);
      const look = await page.getByTestId('look').innerText();
      await linked(page, /view\.placement\.look=constant(,|%2C)global(,|%2C)global/);
      const again = await context.newPage();
      await again.goto(site.url + new URL(await address(page)).hash);
      await settled(again);
      assert.equal(await again.getByTestId('look').innerText(), look);
      assert.equal(await sentence(again), await sentence(page));
      await again.close();
      await page
        .locator('.ranking .table-frame')
        .last()
        .getByRole('button', { name: 'as now', exact: true })
        .or(page.getByRole('button', { name: 'Show the present one' }))
        .first()
        .click();
      await page.getByText('No array has moved.').waitFor();
      await page.getByRole('button', { name: 'Show the recommended one' }).click();
      await page.getByRole('heading', { name: 'The recommended placement in detail' }).waitFor();
      await page.locator('.look').getByText('Show all counts').click();
      assert.ok((await page.locator('.look tbody tr').count()) > 12);
    },
    { at: at() },
  ));

test('a link promises its ranking: the same one says so, with any number of workers, and another one does not', () =>
  withPage(
    async ({ page, context }) => {
      await settled(page);
      const promised = async () => /view\.placement\.result=([0-9a-f]+)/.exec(await address(page))[1];
      await page.waitForFunction(() => location.hash.includes('view.placement.result='));
      const first = await promised();
      assert.match(first, /^[0-9a-f]{32}$/);
      const said = page.getByTestId('placement-reproduced');
      assert.equal(await said.count(), 0, 'nobody promised anything');
      const link = await address(page);

      const other = await context.newPage();
      await other.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 1 }));
      await other.goto(link);
      await other.getByTestId('placement-reproduced').waitFor({ timeout: 60_000 });
      await other.close();

      const wrong = await context.newPage();
      await wrong.goto(link.replace(first, 'f'.repeat(32)));
      await wrong.getByTestId('placement-not-reproduced').waitFor({ timeout: 60_000 });
      await wrong.close();

      // What is changed here is no longer what the link promised.
      await page.locator('#placement-gpu').selectOption('v100');
      await page.waitForFunction((was) => !location.hash.includes(was), first);
      await page.waitForFunction(() => location.hash.includes('view.placement.result='), null, { timeout: 60_000 });
      assert.equal((await said.count()) + (await page.getByTestId('placement-not-reproduced').count()), 0);
    },
    { at: at('&cuda.size.n=48') },
  ));

test('ablations, the printed model and the present placement change the answer; a measured sample is taken', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.locator('.setup summary', { hasText: 'Model' }).click();
      // The equations have a part in the ranking's cycles only: the times of the verdict are the machine's.
      const now = () => page.evaluate(() => document.querySelector('.ranking tbody').textContent);
      const plainNow = await now();
      const changed = async (act, key) => {
        const before = await now();
        await act();
        await page.waitForFunction((text) => document.querySelector('.ranking tbody')?.textContent !== text, before);
        await settled(page);
        await linked(page, key);
      };
      await changed(
        () => page.getByRole('checkbox', { name: /queue and row buffers/ }).check(),
        /view\.placement\.without=queue/,
      );
      await page.getByText('The queue is left out, so there are no banks to show.').waitFor();
      await changed(() => page.getByRole('checkbox', { name: /queue and row buffers/ }).uncheck(), /placement/);
      assert.equal(await now(), plainNow);
      await changed(
        () => page.getByLabel('Where the trace has A').selectOption('texture1d'),
        /view\.placement\.from=texture1d(,|%2C)global/,
      );
      await changed(
        () => page.getByLabel('Equations', { exact: true }).selectOption('paper'),
        /view\.placement\.model=paper/,
      );
      // Nobody measured the sample, so the model of the whole GPU says its time, and the page says so.
      const time = page.getByTestId('sample-time');
      await time.filter({ hasText: 'on the model of the whole GPU. Nothing was measured.' }).waitFor();
      await changed(
        () =>
          page
            .getByLabel('Time, µs')
            .fill('812')
            .then(() => page.keyboard.press('Tab')),
        /time_us=812/,
      );
      await time.filter({ hasText: '812\u202fµs, as you measured it.' }).waitFor();
      await changed(() => page.getByLabel('Overlap (equations 11, 12)').selectOption('sim'), /placement\.rule=sim/);
      await assertAccessible(page);
      await changed(() => page.locator('#placement-gpu').selectOption('a100'), /view\.placement\.gpu=a100/);
    },
    // The equations agree with the machine on this placement, so they show their banks.
    { at: at('&view.placement.look=texture2d,global,global') },
  ));

test('a cancelled search keeps the best it found', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await drop(page, 'main', [
        { name: 'many.traceg', content: traceOf({ arrays: 5, bytes: 1 << 13, blocks: 64, steps: 24 }) },
      ]);
      const progress = page.getByTestId('placement-progress');
      await progress.filter({ hasText: /of 3.?125, best/ }).waitFor({ timeout: 60_000 });
      await page.keyboard.press('Escape');
      await page.getByText(/^Cancelled after .* placements\. The best so far is kept\.$/).waitFor();
      const evaluated = Number(plain(await page.getByTestId('evaluated').innerText()));
      assert.ok(evaluated > 0 && evaluated < 3125, String(evaluated));
      assert.equal(await page.getByTestId('gap').innerText(), 'not finished: nothing is certain');
      assert.match(await sentence(page), /^The search was stopped\. So far, [^.]*/);
      assert.equal(await page.locator('.verdict.provisional').count(), 1);
      assert.equal(await page.locator('.matrix .badge.good, .matrix .advice').count(), 0, 'nothing is recommended');
      assert.equal(await page.getByTestId('chance').count(), 0);
      assert.equal((await saved(page, 'Save CSV')).trim().split('\n').length, evaluated + 1);
    },
    { at: at() },
  ));

test('a space too large for all is searched with a gap; guessed arrays are confirmed, renamed and cut', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await drop(page, 'main', [
        { name: 'six.traceg', content: traceOf({ arrays: 6, bytes: 1 << 13, blocks: 4, steps: 4 }) },
      ]);
      await page.waitForFunction(() => document.querySelectorAll('.matrix tbody tr').length === 6);
      await settled(page);
      assert.match(
        await page.getByTestId('gap').innerText(),
        /^(exact|by the equations the best there is takes at most)/,
      );
      assert.match(plain(await page.locator('.verdict .facts').innerText()), /10000/);
      await page.getByRole('button', { name: 'These ranges are right' }).click();
      await settled(page);
      assert.equal(await page.locator('.matrix .badge', { hasText: 'guessed' }).count(), 0);
      const name = page.getByRole('textbox', { name: 'Name of array A' });
      await name.fill('weights');
      await name.press('Tab');
      await page.getByRole('textbox', { name: 'Name of array weights' }).waitFor();
      await settled(page);
      await page.getByText('Correct the ranges').click();
      const ranges = page.getByRole('textbox', { name: 'Ranges of the arrays' });
      await ranges.fill((await ranges.inputValue()).split('\n').slice(0, 2).join('\n'));
      await page.getByRole('button', { name: 'Use these ranges' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.matrix tbody tr').length === 2);
      await settled(page);
      await ranges.fill('one two');
      await page.getByRole('button', { name: 'Use these ranges' }).click();
      await page.locator('.diagnostics', { hasText: 'first byte and the length' }).waitFor();
    },
    { at: at() },
  ));

test('measured times train the overlap; it is used at once, saved, and forgotten', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.getByRole('button', { name: 'Train on the whole-GPU model' }).isDisabled();
      const names = ['one', 'two', 'three'];
      await drop(
        page,
        'main',
        names.map((name, i) => ({
          name: `${name}.traceg`,
          content: traceOf({ arrays: 2, bytes: 1 << (13 + i), blocks: 4 + 4 * i, steps: 4, name }),
        })),
      );
      await page.locator('#placement-kernel').waitFor();
      await settled(page);
      const best = () => page.locator('.ranking .table-frame').last().innerText();
      const before = await best();
      const placements = ['A=global B=global', 'A=texture1d', 'B=texture1d', 'A=constant', 'A=texture2d B=texture2d'];
      const csv = [
        'kernel,placement,time_us',
        ...names.flatMap((name, i) =>
          placements.map((text, k) => `${name},${text},${((i + 1) * (0.2 + 0.02 * k)).toFixed(3)}`),
        ),
      ].join('\n');
      // Times whose columns have other names are no addresses.
      await drop(page, 'main', [{ name: 'mine.csv', content: 'gpu,kernel,variant,time_ms\nA100,k,global,0.5\n' }]);
      const told = page.locator('.diagnostics', { hasText: 'mine.csv, line 1' });
      await told.waitFor();
      assert.match(await told.innerText(), /kernel, placement and time_us[\s\S]*gpu,kernel,variant,time_ms/);
      assert.doesNotMatch(await told.innerText(), /address/);
      await drop(page, 'main', [{ name: 'times.csv', content: csv }]);
      await page.getByTestId('trained').filter({ hasText: '15 measured times of 3 kernels from times.csv' }).waitFor();
      await settled(page);
      assert.notEqual(await best(), before);
      await linked(page, /view\.placement\.overlap=[0-9a-f]{8}/);
      const json = await saved(page, 'Save coefficients as JSON');
      assert.equal(JSON.parse(json).rows, 15);
      const trained = await best();
      await page.getByRole('button', { name: 'Use no coefficients' }).click();
      await page.getByTestId('trained').waitFor({ state: 'detached' });
      await settled(page);
      assert.equal(await best(), before);
      await drop(page, 'main', [{ name: 'mine.json', content: json }]);
      await page.getByTestId('trained').filter({ hasText: 'times.csv' }).waitFor();
      await settled(page);
      assert.equal(await best(), trained);
      await drop(page, 'main', [{ name: 'few.csv', content: csv.split('\n').slice(0, 4).join('\n') }]);
      await page.locator('.diagnostics', { hasText: 'at least 15 rows of 3 kernels' }).waitFor();
      await page.getByRole('button', { name: 'Train on the whole-GPU model' }).click();
      await page.getByTestId('trained').filter({ hasText: 'on our model of the whole Tesla K20c' }).waitFor();
      await settled(page);
    },
    { at: at('&view.placement.model=paper') },
  ));

test("a link's own overlap is asked for", () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.locator('.sure', { hasText: 'coefficients (01234567) that this page does not have' }).waitFor();
    },
    { at: at('&view.placement.overlap=01234567') },
  ));

test('files of the command line and of the page agree for a dropped trace', () =>
  withPage(
    async ({ page }) => {
      const folder = mkdtempSync(join(tmpdir(), 'placement-'));
      try {
        const path = join(folder, 'three.traceg');
        writeFileSync(path, traceOf({ arrays: 3, bytes: 1 << 15, blocks: 8, steps: 4, written: true }));
        await settled(page);
        await page.setInputFiles('#file-input', path);
        await page.waitForFunction(() => document.querySelectorAll('.matrix tbody tr').length === 4);
        await settled(page);
        assert.deepEqual(JSON.parse(await saved(page, 'Save JSON')), native('place', path, '--gpu', 'k20c'));
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    { at: at() },
  ));

test('a dropped CUDA kernel is run, and its arrays have their names', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const text = `// launch: scale<<<64, 128>>>(table: float[64] = iota, in: float[8192] = iota, out: float[8192] = zero)
#include "size.h"
__global__ void scale(const float* table, const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * table[i % SIZE];
}
`;
      const files = [
        { name: 'scale.cu', content: text },
        { name: 'size.h', content: '#define SIZE 64\n' },
      ];
      await drop(page, 'main', files);
      await page.getByRole('textbox', { name: 'Name of array table' }).waitFor();
      await settled(page);
      const rows = await page.locator('.matrix tbody tr').allInnerTexts();
      assert.equal(rows.length, 3);
      assert.ok(
        rows.every((row) => !row.includes('guessed')),
        rows.join(),
      );
      assert.match(await page.getByTestId('snippet').innerText(), /__global__ void scale\(/);
      // The same program in a zip, beside what else lies in its folder.
      const makefile = { name: 'Makefile', content: 'all:\n' };
      await drop(page, 'main', [
        { name: 'scale.zip', content: zip([{ ...files[0], name: 'zipped.cu' }, files[1], makefile]) },
      ]);
      await page.waitForFunction(() => /zipped\.cu/.test(location.hash));
      await settled(page);
      assert.deepEqual(await page.locator('.matrix tbody tr').allInnerTexts(), rows);
      await drop(page, 'main', [{ name: 'odd.bin', content: 'no trace at all' }]);
      await page.locator('.diagnostics[role=alert]', { hasText: 'odd.bin' }).waitFor();
      assert.equal(await page.locator('.matrix tbody tr').count(), 3, 'what was there stays');
    },
    { at: at() },
  ));

test('axe finds nothing, at both sizes, in both themes, in both parts', async () => {
  for (const context of LOOKS) {
    await withPage(
      async ({ page }) => {
        await settled(page);
        await page.getByText('Correct the ranges').click();
        await assertAccessible(page);
        await assertFits(page);
        await page.getByRole('radio', { name: 'Memory mapping' }).check();
        await page.locator('.answer').waitFor();
        await page.getByRole('button', { name: 'Measure', exact: true }).click();
        await page.locator('.bench svg').waitFor();
        await page.getByRole('button', { name: 'Reveal and score' }).click();
        await page.locator('.revealed').waitFor();
        await assertAccessible(page);
        await assertFits(page);
      },
      { context, at: at() },
    );
  }
});
