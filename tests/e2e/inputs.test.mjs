// What the page shows of an input that gave no result, and of names that are hard to show: never an old result as if it were the new one's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { address, assertFits, drop, eventually, linked, PHONE, withPage } from './browser.mjs';
import { textOf, write } from './typing.mjs';

const BROKEN =
  '__global__ void saxpy(float a, const float *x, float *y, int n)\n{\n    int i = threadIdx.x\n    y[i] = a * x[i];\n}\n';
const TWICE =
  '// launch: twice<<<2, 32>>>(x: float[n] = iota, n = 64)\n__global__ void twice(float *x, int n)\n{\n    x[blockIdx.x * 32 + threadIdx.x] *= 2;\n}\n';
const ENDLESS =
  '// launch: spin<<<1, 32>>>(a: int[32], n = 32)\n__global__ void spin(int *a, int n)\n{\n    while (a[threadIdx.x] >= 0)\n        a[(threadIdx.x + 1) % n] = 1;\n}\n';
const LONG = `// launch: product<<<dim3(64, 64), dim3(16, 16)>>>(a: float[1048576] = random(1), b: float[1048576] = random(2), c: float[1048576], n = 1024)
__global__ void product(const float *a, const float *b, float *c, int n)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
`;
/** A warp that loads neighbouring words. */
const TRACE = `blocksize: 32 1 1\n${Array.from({ length: 32 }, (_, t) => `${t} 0 ${(1 << 20) + 4 * t} 4\n`).join('')}`;

const idle = (page) => page.waitForFunction(() => !document.querySelector('.progress'));
const dropText = (page, name, content) => drop(page, 'main', [{ name, content }]);
const open = (page, name) => page.getByRole('tab', { name }).click();
const banner = (page) => page.locator('.banner').first();

test('a dropped text with an error is in the editor, with the error at its line, and a mended one follows it', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    await dropText(page, 'broken.cu', BROKEN);
    await page.getByText('broken.cu, line 3').waitFor();
    await open(page, 'Kernel');
    await page.locator('.code h2', { hasText: 'broken.cu' }).waitFor();
    assert.equal((await textOf(page)).trim(), BROKEN.trim());
    await page.locator('.cm-lint-marker-error').waitFor();
    assert.match(await page.locator('.code [role=status]').innerText(), /did not run/);
    // Also while the tab is open. What was typed meanwhile is kept beside it.
    await write(page, '// my own\n');
    await dropText(page, 'second.cu', BROKEN.replace('saxpy', 'other'));
    await page.locator('.code h2', { hasText: 'second.cu' }).waitFor();
    assert.match(await textOf(page), /void other/);
    await page.locator('.kernel .setup').getByText('broken.cu').waitFor();
    await dropText(page, 'mended.cu', TWICE);
    await page.locator('.code h2', { hasText: 'mended.cu' }).waitFor();
    await page.locator('.miss').first().waitFor();
    assert.equal(await page.locator('.diagnostics').count(), 0);
  }));

test('a packed text is text in the editor and in the link, and one that the page cannot unpack is neither', () =>
  withPage(async ({ page, context }) => {
    await page.getByTestId('verdict').waitFor();
    await dropText(page, 'twice.cu.gz', gzipSync(TWICE));
    await page.locator('#verdict-title', { hasText: 'twice' }).waitFor();
    await linked(page, /cuda\.text=.*result=/);
    await open(page, 'Kernel');
    await page.locator('.code h2', { hasText: 'twice.cu' }).waitFor();
    assert.equal((await textOf(page)).trim(), TWICE.trim());
    const fresh = await context.newPage();
    await fresh.goto(await address(page));
    await fresh.locator('.cm-content').waitFor();
    await fresh.getByRole('tab', { name: 'Cache' }).click();
    await fresh.getByTestId('reproduced').waitFor();
    // Its name tells nothing, so only the engine unpacks it.
    await open(page, 'Cache');
    await dropText(page, 'thrice.cu', gzipSync(TWICE.replaceAll('twice', 'thrice')));
    await page.locator('#verdict-title', { hasText: 'thrice' }).waitFor();
    await linked(page, /thrice\.cu.*result=/);
    assert.doesNotMatch(await address(page), /cuda\.text=/);
    await open(page, 'Kernel');
    await page.locator('.cm-content').waitFor();
    assert.doesNotMatch(await textOf(page), /\ufffd/);
  }));

test('each tab says that a file gave nothing, above the result from before', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    await dropText(page, 'broken.cu', BROKEN);
    for (const tab of ['Cache', 'Reuse', 'Placement']) {
      await open(page, tab);
      await page.locator('.verdict, .sentence').first().waitFor();
      const said = await page.locator('.diagnostics').innerText();
      assert.match(said, /still shows the result from before[\s\S]*broken\.cu, line 3/, tab);
    }
    // A stream that Reuse can use is no cause to speak of the file before.
    await open(page, 'Reuse');
    await dropText(page, 'loop.lackey', Array.from({ length: 64 }, (_, i) => ` L ${(i % 8) * 64},8\n`).join(''));
    await page.getByText('64 accesses to 8 distinct lines').first().waitFor();
    assert.equal(await page.locator('.diagnostics').count(), 0);
  }));

test('a run that fails or is cancelled leaves no result that seems to be of the new input', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    await dropText(page, 'long.cu', LONG);
    // Cancelled before, the file would not be in use.
    await page.locator('.progress', { hasText: 'Simulating' }).waitFor();
    await page.getByRole('button', { name: /^Cancel/ }).click();
    await banner(page).waitFor();
    assert.match(
      await banner(page).innerText(),
      /^The new input has no result yet\. Below is the result from before\.\s+Run$/,
    );
    await open(page, 'Reuse');
    await page.locator('.diagnostics').waitFor({ timeout: 60_000 });
    await idle(page);
    assert.doesNotMatch(await page.locator('#result').innerText(), /no kernel in these files/);
    await open(page, 'Cache');
    await dropText(page, 'endless.cu', ENDLESS);
    await eventually(async () => assert.match(await banner(page).innerText(), /run of the new input failed/), 60_000);
    assert.equal(await banner(page).getByRole('button').count(), 0);
    await open(page, 'Kernel');
    await page.getByText('Its run ended with an error').waitFor();
    await open(page, 'Placement');
    await page.locator('.diagnostics').waitFor({ timeout: 60_000 });
    await idle(page);
    assert.doesNotMatch(await page.locator('#result').innerText(), /No trace yet/);
  }));

test('messages about a text from before say so in the editor', () =>
  withPage(
    async ({ page }) => {
      await page.locator('.cm-content').waitFor();
      await idle(page);
      await write(page, BROKEN);
      await page.keyboard.press('Control+Enter');
      await page.locator('.diagnostics').waitFor();
      const old = page.locator('.diagnostics', { hasText: 'about the text before' });
      assert.equal(await old.count(), 0);
      await write(page, ENDLESS);
      await old.waitFor();
      await page.keyboard.press('Control+Enter');
      await page.getByRole('button', { name: /^Cancel/ }).click();
      await idle(page);
      await old.waitFor();
      await write(page, BROKEN);
      await old.waitFor({ state: 'detached' });
    },
    { at: '#v=1&view.tab=kernel' },
  ));

test('a long file name fits on a phone in each tab', () =>
  withPage(
    async ({ page }) => {
      await page.getByTestId('verdict').waitFor();
      await dropText(page, `${'a_long_name_'.repeat(20)}.trc`, TRACE);
      await page.locator('.files').waitFor();
      for (const tab of ['Cache', 'Kernel', 'Reuse', 'Placement']) {
        await open(page, tab);
        await page.locator('#result h2').first().waitFor();
        await idle(page);
        await assertFits(page);
      }
    },
    { context: PHONE },
  ));

test('a name that is written from right to left does not turn the words behind it', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    // The mark turns everything behind it, as far as nothing ends it.
    await dropText(page, 'ذاكرة\u202Egz.trc', TRACE);
    await page.locator('.files').waitFor();
    await idle(page);
    for (const [where, name, behind] of [
      ['#verdict-title', 'gz', 'NVIDIA'],
      ['.files .file-name', 'gz.trc', 'bytes'],
    ]) {
      const lefts = await page
        .locator(where)
        .first()
        .evaluate(
          (element, words) => {
            const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
            const found = {};
            for (let node = texts.nextNode(); node; node = texts.nextNode()) {
              for (const word of words) {
                const at = node.data.lastIndexOf(word);
                if (at < 0) continue;
                const range = document.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + 1);
                const first = range.getBoundingClientRect().left;
                range.setStart(node, at + word.length - 1);
                range.setEnd(node, at + word.length);
                found[word] = [first, range.getBoundingClientRect().left];
              }
            }
            return found;
          },
          [name, behind],
        );
      const [first, last] = lefts[behind];
      assert.ok(first < last, `${behind} is mirrored`);
      assert.ok(lefts[name][0] < first, `${behind} stands before the name`);
    }
  }));

test('on paper the figures of a dark page are dark on white, and so are their legends', () =>
  withPage(
    async ({ page }) => {
      await page.locator('.ranking .drawing text').first().waitFor();
      // The search may draw them anew meanwhile.
      const filtered = (filter) =>
        page.waitForFunction(
          (filter) =>
            ['.drawing', '.swatch'].every((name) => {
              const mark = document.querySelector(`.ranking ${name}`);
              return mark && getComputedStyle(mark).filter.startsWith(filter);
            }),
          filter,
        );
      await filtered('none');
      await page.emulateMedia({ media: 'print' });
      await filtered('invert(1)');
    },
    { at: '#v=1&view.tab=placement', context: { colorScheme: 'dark' } },
  ));
