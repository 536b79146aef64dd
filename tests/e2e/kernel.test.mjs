// The Kernel tab as a person uses it: look, change, run, mend, share, save.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { address, assertAccessible, assertFits, drop, linked, PHONE, withPage } from './browser.mjs';
import { inFirefox } from './launch.mjs';
import { native } from '../native.mjs';
import { textOf, typeWhileRunning, write } from './typing.mjs';
import { zip } from './zip.mjs';

const KERNEL = '#v=1&view.tab=kernel';
const TWICE =
  '// launch: twice<<<2, 32>>>(x: float[n] = iota, n = 64)\n__global__ void twice(float *x, int n)\n{\n    x[blockIdx.x * 32 + threadIdx.x] *= 2;\n}\n';

const editor = (page) => page.locator('.cm-content');
const marks = (page) => page.locator('.miss');
const settled = async (page) => {
  await editor(page).waitFor();
  await page.waitForFunction(() => !document.querySelector('.progress'));
};
/** Waits until the address names this result: the address changes after the run that it names. */
const shows = (page, fingerprint) => page.waitForFunction((f) => location.hash.includes(`result=${f}`), fingerprint);
/** Waits until the Cache tab of a page that was opened by a link says that the run gave the link's result. */
async function reproduced(page) {
  await settled(page);
  await page.getByRole('tab', { name: 'Cache' }).click();
  await page.getByTestId('reproduced').waitFor();
}
const fingerprint = async (page) => (await address(page)).match(/result=([0-9a-f]+)/)?.[1];
test('the first screen’s kernel is shown with its misses, and its lines lead to each other', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    await page
      .getByRole('button', { name: /Show line \d+ of the kernel/ })
      .first()
      .click();
    await settled(page);
    assert.match(await editor(page).innerText(), /__global__ void matvec_rows/);
    await marks(page).first().waitFor();
    const rows = await page.locator('.kernel table').first().locator('tbody tr').allInnerTexts();
    assert.equal(rows.length, await marks(page).count());
    assert.match(rows[0], /A\[i \* columns \+ j\]/);
    await linked(page, /view\.kernel\.line=\d+/);
    await page.getByRole('button', { name: 'See why in the Cache tab' }).click();
    await page.getByTestId('verdict').waitFor();
  }));

test('a kernel of the library with another size is the run of the terminal, and its link reproduces it', () =>
  withPage(
    async ({ page, browser }) => {
      await settled(page);
      await page.locator('#example').selectOption('matmul-tiled');
      await page.waitForFunction(() => /example=matmul-tiled/.test(location.hash));
      // Text and form change together.
      await editor(page).filter({ hasText: 'matmul_tiled' }).waitFor();
      await settled(page);
      await page.getByLabel('n', { exact: true }).fill('64');
      await page.getByLabel('n', { exact: true }).press('Tab');
      await page.getByText('Changed: run it').waitFor();
      // The editor takes them away in its next turn; marks belong to what was run.
      await marks(page).first().waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /Run the changes/ }).click();
      await page.waitForFunction(() => /cuda\.size\.n=64/.test(location.hash));
      const report = JSON.parse(native('cache', 'example:matmul-tiled', '--size', 'n=64', '--format', 'json'));
      await shows(page, report.fingerprint);
      const fresh = await browser.newPage();
      await fresh.goto(await address(page));
      await fresh.locator('.cm-content').waitFor();
      assert.equal(await fresh.getByLabel('n', { exact: true }).inputValue(), '64');
      await reproduced(fresh);
    },
    { at: `${KERNEL}&example=transpose` },
  ));

test('own text is run by keyboard, is in the link, and equals the terminal’s run', () =>
  withPage(
    async ({ page, browser }) => {
      await settled(page);
      // A key over a selection leaves no style behind that the page's policy would refuse.
      await editor(page).click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('x');
      assert.equal(await textOf(page), 'x');
      await write(page, TWICE);
      await page.keyboard.press('Control+Enter');
      await page.waitForFunction(() => /cuda\.text=/.test(location.hash));
      await marks(page).first().waitFor();
      const folder = mkdtempSync(path.join(tmpdir(), 'warpscope-'));
      const name = await page.locator('.code h2').innerText();
      writeFileSync(path.join(folder, name), TWICE);
      const report = JSON.parse(native('cache', path.join(folder, name), '--format', 'json'));
      await shows(page, report.fingerprint);
      const fresh = await browser.newPage();
      await fresh.goto(await address(page));
      await fresh.locator('.cm-content').waitFor();
      assert.equal((await fresh.locator('.cm-content').innerText()).trim(), TWICE.trim());
      await reproduced(fresh);
    },
    { at: KERNEL },
  ));

test('errors stand at their line, the last result stays, and the mended text runs', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await write(page, TWICE.replace('*= 2;', '*= 2'));
      await page.keyboard.press('Control+Enter');
      await page.locator('.cm-lint-marker-error').waitFor();
      assert.match(await page.locator('.diagnostics').innerText(), /line [45]/);
      await write(page, TWICE.replace('blockIdx.x * 32 +', '64 +'));
      await page.keyboard.press('Control+Enter');
      await page
        .getByText(/thread \(0, 0, 0\)|thread 0/)
        .first()
        .waitFor();
      assert.match(await page.locator('.diagnostics').innerText(), /line 4/);
      await write(page, TWICE);
      await page.keyboard.press('Control+Enter');
      await marks(page).first().waitFor();
      assert.equal(await page.locator('.diagnostics').count(), 0);
    },
    { at: KERNEL },
  ));

test('what is typed stays as it was typed, while runs finish underneath and on a slow machine', () =>
  withPage(async ({ browser, site }) => {
    // The pages wait for keys most of the time. scripts/measure/typing.mjs types much more.
    const typed = [
      // Only Chromium can be slowed.
      { delay: 0, rate: inFirefox ? 1 : 4 },
      { delay: 40, rate: 1 },
      { delay: 100, rate: 1 },
    ].map(async (how) => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(site.url + KERNEL);
      await settled(page);
      const { expected, text, finished } = await typeWhileRunning(page, { ...how, length: 150, every: 50 });
      assert.equal(text, expected, `${how.delay} ms a key, ${how.rate} times slower`);
      assert.ok(finished > 0, `no run finished at ${how.delay} ms a key`);
    });
    await Promise.all(typed);
  }));

test('a launch that is changed in the form while its comment moves is changed where it stands now', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await write(page, TWICE);
      const threads = page.getByLabel('Threads', { exact: true });
      await page.locator('.launch summary', { hasText: 'twice' }).waitFor();
      await threads.fill('16');
      // Within the pause after which the launches are looked up. The field says its value when the editor takes the focus.
      await page.evaluate(() => {
        const { view } = document.querySelector('.editor').shadowRoot.querySelector('.cm-content').cmTile;
        view.dispatch({ changes: { from: 0, insert: '// one\n\n// two\n\n' } });
        document.activeElement.blur();
      });
      await editor(page).filter({ hasText: 'twice<<<2, 16>>>' }).waitFor();
      const comment = '// launch: twice<<<2, 16>>>(\n//     x: float[n] = iota, n = 64)\n';
      assert.equal(await textOf(page), `// one\n\n// two\n\n${comment}${TWICE.slice(TWICE.indexOf('\n') + 1)}`);
    },
    { at: KERNEL },
  ));

test('choosing another kernel can be undone: the edited text comes back', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await write(page, TWICE);
      await page.locator('#example').selectOption('transpose');
      await editor(page).filter({ hasText: 'void transpose' }).waitFor();
      await editor(page).click();
      await page.keyboard.press('Control+z');
      await editor(page).filter({ hasText: 'void twice' }).waitFor();
      // Also when the kernel is chosen in another tab.
      await page.getByRole('tab', { name: /Cache/ }).click();
      await page.locator('#example').selectOption('vector-add');
      await page.waitForFunction(() => /example=vector-add.*result=/.test(location.hash));
      await page.getByRole('tab', { name: /Kernel/ }).click();
      await editor(page).filter({ hasText: 'void vector_add' }).waitFor();
      await editor(page).click();
      await page.keyboard.press('Control+z');
      await editor(page).filter({ hasText: 'void twice' }).waitFor();
    },
    { at: KERNEL },
  ));

test('the form rewrites the launch comment', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await write(page, TWICE);
      const threads = page.getByLabel('Threads', { exact: true });
      await page.waitForFunction(
        () =>
          document.querySelector('summary')?.textContent !== undefined &&
          [...document.querySelectorAll('.launch summary')].some((s) => /twice/.test(s.textContent)),
      );
      await threads.fill('16');
      await threads.press('Tab');
      await page.waitForFunction(() =>
        [...document.querySelectorAll('.editor')].some((e) => /twice<<<2, 16>>>/.test(e.shadowRoot.textContent)),
      );
      await page.getByRole('button', { name: /Run the changes/ }).click();
      await page.getByRole('cell', { name: '16', exact: true }).waitFor();
    },
    { at: KERNEL },
  ));

test('a field of the launch is run by keyboard and by a pause, and says until then that it was not', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const size = page.getByLabel('n', { exact: true });
      const own = await size.inputValue();
      await size.fill('32768');
      const field = page.locator('.field', { has: page.locator('#size-n') });
      await field.getByText('Not run yet').waitFor();
      await page.getByText('Changed: run it').waitFor();
      await size.press('Control+Enter');
      await page.waitForFunction(() => /cuda\.size\.n=32768.*result=/.test(location.hash));
      await field.getByText('Not run yet').waitFor({ state: 'detached' });
      await page.getByLabel('Run when I pause').check();
      await size.fill('8192');
      await page.waitForFunction(() => /cuda\.size\.n=8192.*result=/.test(location.hash));
      // An empty field takes the text's own value.
      await size.fill('');
      await size.press('Control+Enter');
      await page.waitForFunction(() => !/cuda\.size/.test(location.hash));
      assert.equal(await size.inputValue(), own);
      // A size with a fraction would run without it.
      await size.fill('1.5');
      await size.press('Control+Enter');
      await page.locator('.diagnostics', { hasText: 'a whole number for n' }).waitFor();
      assert.doesNotMatch(await address(page), /1\.5/);
      await size.fill('8192');
      await page.waitForFunction(() => /cuda\.size\.n=8192.*result=/.test(location.hash));
      // The comment of the launch follows in the same way.
      await write(page, TWICE);
      await page.locator('.launch summary', { hasText: 'twice' }).waitFor();
      const threads = page.getByLabel('Threads', { exact: true });
      await page.waitForFunction(() => /cuda\.text=.*result=/.test(location.hash));
      await threads.fill('16');
      await page.getByText('Not run yet').waitFor();
      assert.equal(await threads.inputValue(), '16');
      await page.getByRole('cell', { name: '16', exact: true }).waitFor();
      assert.equal(await page.getByText('Not run yet').count(), 0);
      assert.match(await textOf(page), /twice<<<2, 16>>>/);
    },
    { at: `${KERNEL}&example=copy-strided` },
  ));

test('a text with an error says so when its keys pause, and the editor stays where it is', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.getByLabel('Run when I pause').check();
      // Where it lies on the page: Firefox's driver scrolls to what it types into.
      const topOf = (what) => what.evaluate((element) => element.getBoundingClientRect().top + scrollY);
      const top = await topOf(page.locator('.editor'));
      await write(page, TWICE.replace('*= 2;', '*= (2;'));
      await page.locator('.cm-lint-marker-error').waitFor();
      const said = page.locator('.diagnostics');
      assert.match(
        await said.innerText(),
        /This gave nothing to run.*The other tabs still show the result from before/,
      );
      // Code in messages is code, without the backticks that mark it.
      assert.equal(await said.locator('dd code').first().innerText(), ')');
      assert.doesNotMatch(await said.innerText(), /`/);
      assert.equal(await topOf(page.locator('.editor')), top);
      assert.ok((await topOf(said)) > top);
      // It is not run again and again.
      await page.waitForTimeout(2500);
      assert.equal(await page.locator('.progress').count(), 0);
      await write(page, TWICE);
      await marks(page).first().waitFor();
      assert.equal(await said.count(), 0);
    },
    { at: KERNEL },
  ));

test('a text with another kernel has neither the name nor the description of the library’s', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.locator('.lesson').waitFor();
      const name = page.locator('.code h2');
      assert.equal(await name.innerText(), 'matvec-rows.cu');
      assert.match(await page.locator('.code .hint').innerText(), /bytes that each moves/);
      await write(page, TWICE);
      await name.filter({ hasText: 'edited.cu' }).waitFor();
      assert.equal(await page.locator('.lesson').count(), 0);
      await page.keyboard.press('Control+Enter');
      await page.waitForFunction(() => /file=edited\.cu/.test(location.hash));
      // The library's text that comes back has both again.
      await page.keyboard.press('Control+z');
      await name.filter({ hasText: 'matvec-rows.cu' }).waitFor();
      await page.locator('.lesson').waitFor();
    },
    { at: `${KERNEL}&gpu=rtx3060&model=gpu` },
  ));

test('the caption of the editor follows the model that ran', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await marks(page).first().waitFor();
      assert.match(await page.locator('.code .hint').innerText(), /are misses in the L1\./);
    },
    { at: `${KERNEL}&gpu=gtx470-16k&model=paper&example=matvec-rows` },
  ));

test('a line that loads and stores has the sectors of each', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await marks(page).first().waitFor();
      const table = page.locator('section', { hasText: 'Bytes by line of code' }).locator('table').last();
      const heads = await table.locator('thead th').allInnerTexts();
      const cells = await table.locator('tbody tr').first().locator('th, td').allInnerTexts();
      const of = (name) => cells[heads.findIndex((text) => text.startsWith(name))];
      assert.deepEqual(
        ['Sectors per load', 'Sectors per store', 'Requests'].map((name) => Number(of(name).replace(/\D/g, ''))),
        [32, 4, 1024],
      );
    },
    { at: `${KERNEL}&gpu=a100&model=gpu&example=copy-strided` },
  ));

test('a dropped .cu file is run, also in the Cache tab, and its trace and arrays are saved', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    await drop(page, 'body', [{ name: 'twice.cu', content: TWICE }]);
    await page.waitForFunction(() => /file=twice\.cu/.test(location.hash));
    await page.getByRole('tab', { name: /Kernel/ }).click();
    await settled(page);
    assert.equal((await editor(page).innerText()).trim(), TWICE.trim());
    const saved = async (button) => {
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
    };
    const array = await saved(page.getByRole('button', { name: 'Save x as CSV' }));
    assert.equal(array.name, 'x.csv');
    assert.match(array.text, /\n63,63,126\n$/);
    const trace = await saved(page.getByRole('button', { name: 'Save trace (.trc)' }));
    assert.equal(trace.name, 'twice.trc');
    await drop(page, 'body', [{ name: 'twice.trc', content: trace.text }]);
    await page.waitForFunction(() => /file=twice\.trc/.test(location.hash));
  }));

test('a .cu file in a zip opens in the editor with its header', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    const text = TWICE.replace('*= 2;', '*= FACTOR;');
    assert.notEqual(text, TWICE);
    const archive = zip([
      { name: 'app/src/twice.cu', content: `#include "factor.h"\n${text}` },
      { name: 'app/src/factor.h', content: '#define FACTOR 2\n' },
      { name: 'app/README.md', content: 'Doubles numbers.\n' },
    ]);
    await drop(page, 'body', [{ name: 'app.zip', content: archive }]);
    await page.waitForFunction(() => /file=twice\.cu/.test(location.hash));
    await page.getByRole('tab', { name: /Kernel/ }).click();
    await settled(page);
    const shown = await editor(page).innerText();
    assert.match(shown, /#include "factor\.h"/);
    assert.match(shown, /#define FACTOR 2/);
  }));

test('a dropped main.cpp decides the launch of the kernels beside it', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    const kernels =
      '__global__ void twice(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= 2; }\n' +
      'void run(float *a, int n) { twice<<<(n + 63) / 64, 64>>>(a, n); }\n';
    const main =
      'void run(float *a, int n);\n' +
      'int main() { int n = 1000; float *a; cudaMalloc(&a, n * sizeof(float)); run(a, n); }\n';
    await drop(page, 'body', [
      { name: 'main.cpp', content: main },
      { name: 'kernels.cu', content: kernels },
    ]);
    await page.waitForFunction(() => /file=kernels\.cu/.test(location.hash));
    await page.getByTestId('verdict').filter({ hasText: 'Takes' }).waitFor();
    assert.match(await page.locator('.verdict').innerText(), /twice/);
    await page.getByRole('tab', { name: /Kernel/ }).click();
    await settled(page);
    assert.match(await editor(page).innerText(), /#include "main\.cpp"/);
    const values = await page.locator('#tab-panel input').evaluateAll((all) => all.map((input) => input.value));
    assert.ok(values.includes('16') && values.includes('1000'), values.join(' | '));
  }));

test('a dropped folder opens like its files', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    // A script cannot put a folder into a drop, so the drop's item answers as a browser's does for one.
    await page.evaluate(() => {
      DataTransferItem.prototype.webkitGetAsEntry = function () {
        const file = this.getAsFile();
        const entry = { isFile: true, isDirectory: false, fullPath: `/app/${file.name}`, file: (yes) => yes(file) };
        const portions = [[entry], []];
        const createReader = () => ({ readEntries: (yes) => yes(portions.shift()) });
        return { isFile: false, isDirectory: true, fullPath: '/app', createReader };
      };
    });
    await drop(page, 'body', [
      { name: 'factor.h', content: '#define FACTOR 2\n' },
      { name: 'twice.cu', content: `#include "factor.h"\n${TWICE.replace('*= 2;', '*= FACTOR;')}` },
    ]);
    await page.waitForFunction(() => /file=twice\.cu/.test(location.hash));
    await page.getByRole('tab', { name: /Kernel/ }).click();
    await settled(page);
    assert.match(await editor(page).innerText(), /#define FACTOR 2/);
  }));

test('the link names a dropped text by its own hash, however large its recording is', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    // A quarter of a million accesses: far more than what is hashed beside the reading.
    const text =
      '// launch: many<<<256, 256>>>(x: float[4096] = zero)\n__global__ void many(float *x)\n{\n    for (int i = 0; i < 64; i++) x[(threadIdx.x * 97 + i * 31) & 4095] += 1;\n}\n';
    await drop(page, 'body', [{ name: 'many.cu', content: text }]);
    await page.waitForFunction(() => /file=many\.cu.*result=/.test(location.hash), undefined, { timeout: 60_000 });
    const [, file] = /file=([^&]*)/.exec(await address(page));
    assert.equal(decodeURIComponent(file), `many.cu:${text.length}:${createHash('sha256').update(text).digest('hex')}`);
  }));

test('a run that never ends is stopped by Escape, and nothing is lost', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const before = await fingerprint(page);
      await write(
        page,
        '// launch: spin<<<64, 256>>>(x: int[64] = zero)\n__global__ void spin(int *x)\n{\n    for (int i = 0; i < 1000000; i++) x[threadIdx.x & 31] += i;\n}\n',
      );
      await page.keyboard.press('Control+Enter');
      await page.locator('.progress').waitFor();
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => !document.querySelector('.progress'));
      assert.equal(await fingerprint(page), before);
      assert.match(await editor(page).innerText(), /void spin/, 'the text stays');
    },
    { at: KERNEL },
  ));

for (const [width, context] of [
  ['wide', {}],
  ['narrow', PHONE],
]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`the tab is accessible, ${width} and ${colorScheme}`, () =>
      withPage(
        async ({ page }) => {
          await settled(page);
          await marks(page).first().waitFor();
          await assertAccessible(page);
          await assertFits(page);
        },
        { at: KERNEL, context: { ...context, colorScheme } },
      ));
  }
}

test('after an edit the times of the text before it and of the text now stand under the editor', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const told = page.getByTestId('kernel-time');
      await told.getByText(/^Time: [\d.]+.µs\.$/).waitFor();
      const first = /[\d.]+.µs/.exec(await told.innerText())[0];
      const text = await textOf(page);
      await write(page, text.replace('j < columns', 'j < columns / 2'));
      await told.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+Enter');
      await told.getByText(new RegExp(`^Time: ${first} before, [\\d.]+.µs now\\.$`)).waitFor();
      assert.doesNotMatch(await told.innerText(), new RegExp(`, ${first} now`));
      // Another kernel is no edit of it.
      await write(page, TWICE);
      await page.keyboard.press('Control+Enter');
      await told.getByText(/^Time: [\d.]+.[µn]s\.$/).waitFor();
      // Kernels of another file are not in it.
      const alone = await told.innerText();
      const trace = readFileSync(new URL('../links/files/stride.trc', import.meta.url), 'utf8');
      await drop(page, 'body', [
        { name: 'a.cu', content: TWICE },
        { name: 'stride.trc', content: trace },
      ]);
      await page.locator('.code h2', { hasText: 'a.cu' }).waitFor();
      await told.waitFor();
      assert.equal(await told.innerText(), alone);
    },
    { at: `${KERNEL}&gpu=rtx3060&model=gpu` },
  ));
