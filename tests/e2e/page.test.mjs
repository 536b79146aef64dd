// What a person does with the page: look, drop, change, link, cancel; with the mouse, the keyboard and a small screen.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { address, assertAccessible, assertFits, drop, LOOKS, PHONE, withPage } from './browser.mjs';

/** The first example in the model of one Fermi L1. */
const L1 = '#v=1&example=matvec-rows';

/** `threads` threads that load `loads` times with a stride, in the .trc format. */
function trace({ threads = 64, loads = 8, stride = 4096, base = 1 << 20 } = {}) {
  const lines = [`blocksize: ${threads} 1 1`];
  for (let k = 0; k < loads; k++) {
    for (let t = 0; t < threads; t++) lines.push(`${t} 0 ${base + t * stride + k * 4} 4`);
  }
  return `${lines.join('\n')}\n`;
}

const verdict = (page) => page.getByTestId('verdict');
const idle = (page) => page.waitForFunction(() => !document.querySelector('[data-testid=progress]'));

/** Waits until the first result stands, with all its charts. */
async function settled(page) {
  await verdict(page).waitFor();
  await idle(page);
  await page.waitForFunction(
    () => document.querySelectorAll('.drawing').length === document.querySelectorAll('.figure').length,
  );
}

async function dropTrace(page, name, content) {
  await drop(page, 'main', [{ name, content }]);
  await page.locator('.files', { hasText: name }).waitFor();
  await idle(page);
}

test('the first screen says how long the kernel takes and that nothing leaves the browser', async () => {
  for (const context of [{}, PHONE]) {
    await withPage(
      async ({ page }) => {
        await settled(page);
        assert.match(await verdict(page).innerText(), /cycles.*sectors/);
        const { y, height } = await verdict(page).boundingBox();
        assert.ok(y + height < page.viewportSize().height, 'the verdict is in the first viewport');
        assert.ok(await page.getByText('Nothing leaves your browser.').first().isVisible());
      },
      { context },
    );
  }
});

test('a dropped trace is analysed', () =>
  withPage(async ({ page }) => {
    await settled(page);
    await dropTrace(page, 'strided.trc', trace());
    assert.match(await page.locator('.files').innerText(), /1 kernel/);
    await page.locator('#example').waitFor();
    assert.equal(await page.locator('#example').inputValue(), '');
    assert.match(await verdict(page).innerText(), /cycles/);
  }));

test('several files can be dropped at once; the kernels are listed', () =>
  withPage(async ({ page }) => {
    await settled(page);
    await drop(page, 'main', [
      { name: 'one.trc', content: trace() },
      { name: 'two.trc', content: trace({ stride: 128 }) },
    ]);
    const rows = page.locator('.kernels tbody tr');
    await rows.nth(1).waitFor();
    assert.equal(await rows.count(), 2);
    const before = await page.locator('.kernels tr.chosen').innerText();
    await rows
      .filter({ hasNot: page.locator('[aria-pressed=true]') })
      .getByRole('button')
      .click();
    assert.notEqual(await page.locator('.kernels tr.chosen').innerText(), before);
  }));

test('a flaw in a file is told with its line, and the good part is kept', () =>
  withPage(async ({ page }) => {
    await settled(page);
    await drop(page, 'main', [{ name: 'flawed.trc', content: `${trace()}5 0 not-a-number 4\n` }]);
    const place = page.locator('.diagnostic .place').first();
    await place.waitFor();
    assert.match(await place.innerText(), /flawed\.trc, line 514/);
    assert.match(await page.locator('.diagnostic').first().innerText(), /Expected[\s\S]*Found[\s\S]*What to do/);
    await page.locator('.files', { hasText: 'flawed.trc' }).waitFor();
  }));

test('a file of no use leaves the result on screen', () =>
  withPage(async ({ page }) => {
    await settled(page);
    const before = await verdict(page).innerText();
    await drop(page, 'main', [{ name: 'cat.jpg', content: 'meow' }]);
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').innerText(), /still shows the result from before/);
    assert.equal(await verdict(page).innerText(), before);
    await page.keyboard.press('r');
    await idle(page);
    assert.equal(await verdict(page).innerText(), before, 'and can be run again');
  }));

test('a link to an example reproduces the result in a fresh browser', () =>
  withPage(
    async ({ page, browser }) => {
      await settled(page);
      await page.locator('#seed').fill('7');
      await page.locator('#seed').press('Tab');
      await idle(page);
      await page.waitForFunction(() => /seed=7/.test(location.hash));
      const fresh = await (await browser.newContext()).newPage();
      await fresh.goto(await address(page));
      await fresh.getByTestId('reproduced').waitFor();
      assert.equal(await fresh.locator('#seed').inputValue(), '7');
      assert.equal(await verdict(fresh).innerText(), await verdict(page).innerText());
    },
    { at: L1 },
  ));

test('a link to dropped files asks for them, refuses others and reproduces with the right ones', () =>
  withPage(async ({ page, browser }) => {
    await settled(page);
    await page.waitForFunction(() => location.hash.length > 1);
    const first = new URL(await address(page)).hash;
    await dropTrace(page, 'mine.trc', trace());
    await page.waitForFunction((old) => location.hash !== old, first);
    const fresh = await (await browser.newContext()).newPage();
    await fresh.goto(await address(page));
    await fresh.getByRole('heading', { name: 'This link needs a file' }).waitFor();
    const card = fresh.locator('.wanted');
    assert.match(await card.innerText(), /mine\.trc, [\d\s]+ bytes, SHA-256\s+[0-9a-f]{64}/);
    await drop(fresh, 'main', [{ name: 'mine.trc', content: trace({ loads: 2 }) }]);
    await fresh.locator('.mismatch').waitFor();
    await drop(fresh, 'main', [{ name: 'renamed.trc', content: trace() }]);
    await fresh.getByTestId('reproduced').waitFor();
  }));

test('a broken link is told and the example is shown', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.locator('.diagnostic').first().waitFor();
    },
    { at: '#this-is-no-link' },
  ));

test('another link in the same tab is followed', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.waitForFunction(() => location.hash.length > 1);
      const first = new URL(await address(page)).hash;
      await page.locator('#seed').fill('9');
      await page.locator('#seed').press('Tab');
      await page.waitForFunction((old) => location.hash !== old, first);
      await page.evaluate((hash) => {
        location.hash = hash;
      }, first);
      await page.getByTestId('reproduced').waitFor();
      assert.equal(await page.locator('#seed').inputValue(), '1');
    },
    { at: L1 },
  ));

test('a long read shows its progress and is cancelled at once', () =>
  withPage(async ({ page }) => {
    await settled(page);
    const before = await verdict(page).innerText();
    // Parts that repeat one string: hundreds of megabytes for the engine, one for the test.
    await page.evaluate(
      (part) => {
        const data = new DataTransfer();
        data.items.add(new File(['blocksize: 64 1 1\n', ...Array(400).fill(part)], 'large.trc'));
        dispatchEvent(new DragEvent('drop', { dataTransfer: data }));
      },
      trace({ loads: 800 }).replace(/^.*\n/, ''),
    );
    await page.getByTestId('progress').waitFor();
    await page.waitForFunction(() => /of/.test(document.querySelector('.progress-text')?.textContent ?? ''));
    // How long a cancel takes is for `npm run measure`; here it must come before the end of the file.
    const reached = await page.evaluate(async () => {
      dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
      let reached = 0;
      for (;;) {
        const bar = document.querySelector('[data-testid=progress] progress');
        if (!bar) return reached;
        if (bar.hasAttribute('value')) reached = bar.value / bar.max;
        await new Promise((go) => setTimeout(go, 5));
      }
    });
    assert.ok(reached < 0.9, `cancelled only after ${reached} of the file`);
    assert.match(await page.locator('.status-text').innerText(), /Cancelled/);
    assert.equal(await verdict(page).innerText(), before);
    await page.keyboard.press('r');
    await idle(page);
    assert.equal(await verdict(page).innerText(), before, 'the engine works on');
  }));

test('axe finds nothing, light and dark, wide and narrow', async () => {
  for (const [context, at] of LOOKS.flatMap((look) => ['', L1].map((at) => [look, at]))) {
    await withPage(
      async ({ page }) => {
        await settled(page);
        await assertAccessible(page);
        if (at !== '') return;
        await page.locator('header .round').click();
        await assertAccessible(page);
      },
      { at, context },
    );
  }
});

test('nothing scrolls sideways on a phone', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.evaluate(() =>
        document.querySelectorAll('details').forEach((d) => {
          d.open = true;
        }),
      );
      await page.waitForTimeout(200);
      await assertFits(page);
    },
    { context: PHONE },
  ));

test('a name that is longer than a line breaks on a phone', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const name = `an_array_${'with_a_long_name_'.repeat(4)}`;
      const content = `// launch: walk<<<2, 32>>>(${name}: float[n] = iota, n = 2048)
__global__ void walk(float *${name}, int n) { ${name}[(blockIdx.x * 32 + threadIdx.x) * 32] = ${name}[threadIdx.x * 32] + n; }
`;
      await drop(page, 'body', [{ name: 'long.cu', content }]);
      await page.locator('.advice', { hasText: name }).waitFor();
      await assertFits(page);
    },
    { context: PHONE },
  ));

test('the keyboard does it all', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      page.on('filechooser', () => {}); // asked for early: the browser is told of it only some time later
      const focused = () => page.evaluate(() => document.activeElement?.id);
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.className), 'skip');
      await page.keyboard.press('Enter');
      assert.equal(await focused(), 'result');
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.keyboard.press('e');
      assert.equal(await focused(), 'example');
      await page.locator('#result').focus();
      const chooser = page.waitForEvent('filechooser');
      await page.keyboard.press('o');
      await chooser;
      await page.keyboard.press('t');
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
      await page.locator('#seed').focus();
      await page.keyboard.press('t');
      assert.equal(await page.locator('input[name=theme]:checked').inputValue(), 'light', 'no shortcuts while typing');
    },
    { at: L1 },
  ));

test('a word is explained one key away', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const button = page.locator('.legend').getByRole('button', { name: /^capacity$/i });
      await button.focus();
      await page.keyboard.press('Enter');
      const note = page.locator('.term-note:popover-open');
      await note.getByText(/fully associative cache of the same size/).waitFor();
      await page.keyboard.press('Escape');
      assert.equal(await note.count(), 0);
    },
    { at: L1 },
  ));

test('tables sort by a click and charts have their numbers beside them', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.locator('.figure summary').first().click();
      const table = page.locator('.figure table').first();
      assert.ok((await table.locator('tbody tr').count()) > 0);
      await table.getByRole('button', { name: 'Requests' }).click();
      assert.equal(await table.locator('th[aria-sort=descending]').count(), 1);
      assert.match(await page.locator('.drawing').first().getAttribute('aria-label'), /reuse distances/);
    },
    { at: L1 },
  ));

test('the colours chosen are remembered', () =>
  withPage(async ({ page }) => {
    await settled(page);
    await page.locator('.segments label', { hasText: 'Dark' }).click();
    await page.reload();
    await settled(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  }));

test('a fault of the page ends in a card with a way on', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.evaluate(() =>
        setTimeout(() => {
          throw new Error('made by the test');
        }),
      );
      await page.getByRole('button', { name: 'Start again' }).waitFor();
      assert.match(await page.locator('.crash pre').textContent(), /made by the test/);
      await page.getByRole('button', { name: 'Start again' }).click();
      await settled(page);
    },
    { expectTrouble: /made by the test/ },
  ));

const open = (page) => page.locator('.contents > summary').click();

test('the drop report says what is in the files, and names can be given to arrays', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      assert.equal(await page.locator('.contents').count(), 0, 'an example has no files');
      await drop(page, 'main', [
        { name: 'mine.trc', content: `${trace()}5 0 not-a-number 4\n` },
        { name: 'notes.txt', content: 'meow\n' },
      ]);
      await page.locator('.contents').waitFor();
      // The time of a run is known when one has ended.
      const told = /2 files, 1 kernel\. A run takes about [\d.]+\sMiB of memory and less than a second\./;
      await page.locator('.contents > summary').filter({ hasText: told }).waitFor();
      await idle(page);
      await page.locator('.contents > summary').focus();
      await page.keyboard.press('Enter');
      const files = await page.locator('.contents table').first().innerText();
      assert.match(files, /mine\.trc\s+Ocelot \.trc\s+its content\s+trace/);
      assert.match(files, /notes\.txt[\s\S]*nothing[\s\S]*1 item/);
      await page.locator('.contents td details summary').first().click();
      assert.match(await page.locator('.skipped').first().innerText(), /Line 514: .*not-a-number.*expected an address/);
      const kernels = await page.locator('.contents table').nth(1).innerText();
      assert.match(kernels, /global load 512/);
      assert.match(await page.locator('.contents table').nth(2).innerText(), /guessed[\s\S]*0x100000/);
      const name = page.locator('.array-name');
      await name.fill('weights');
      await name.press('Tab');
      await page.locator('.cache-view', { hasText: 'weights' }).waitFor();
      await page.waitForFunction(() => /view\.name\.0x100000=weights/.test(location.hash));
      const link = await address(page);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).click();
      assert.match(await readFile(await (await download).path(), 'utf8'), /array,weights,/);
      await drop(page, 'main', [{ name: 'other.trc', content: trace({ loads: 4 }) }]);
      await page.locator('.files', { hasText: 'other.trc' }).waitFor();
      await page.waitForFunction(() => /file=other/.test(location.hash) && !/view\.name/.test(location.hash));
      await page.evaluate((to) => {
        location.href = to;
      }, link);
      // The files are kept in the browser.
      await page.locator('.cache-view', { hasText: 'weights' }).waitFor();
      await page.getByTestId('reproduced').waitFor();
      if ((await page.locator('.contents[open]').count()) === 0) await page.locator('.contents > summary').click();
      await assertAccessible(page);
    },
    { at: L1 },
  ));

test('kernels are chosen one, several or all, cold or warm, and the link says so', () =>
  withPage(
    async ({ page, browser }) => {
      await settled(page);
      const twice = { loads: 1, stride: 128 };
      const files = ['a.trc', 'b.trc', 'c.trc'].map((name, i) => ({
        name,
        content: trace({ ...twice, loads: i === 2 ? 2 : 1 }),
      }));
      await drop(page, 'main', files);
      const rows = page.locator('.kernels tbody tr');
      await rows.nth(2).waitFor();
      await idle(page);
      await open(page);
      assert.match(await page.locator('.contents [role=status]').innerText(), /All 3 kernels are run\./);
      const cold = await page.locator('.together').innerText();
      await page.getByRole('checkbox', { name: 'Keep the caches warm' }).check();
      await page.waitForFunction(() => /warm=1/.test(location.hash));
      await idle(page);
      assert.notEqual(await page.locator('.together').innerText(), cold, 'a warm cache misses less');
      await page.getByRole('checkbox', { name: /^Run kernel 2,/ }).press('Space');
      await page.waitForFunction(() => /kernels=1(%2C|,)3/.test(location.hash));
      await idle(page);
      assert.equal(await rows.count(), 2);
      const hash = new URL(await address(page)).hash;
      await page.getByRole('button', { name: /^Only this: kernel 3,/ }).click();
      await page.waitForFunction(() => /kernels=3(&|$)/.test(location.hash));
      await idle(page);
      assert.equal(await rows.count(), 0, 'one kernel needs no list');
      const last = page.getByRole('checkbox', { name: /^Run kernel 3,/ });
      await last.click();
      assert.ok(await last.isChecked(), 'one kernel always stays');
      await page.getByRole('button', { name: 'All kernels' }).click();
      await rows.nth(2).waitFor();
      await assertAccessible(page);
      const fresh = await (await browser.newContext()).newPage();
      await fresh.goto((await address(page)).split('#')[0] + hash);
      await fresh.locator('.wanted').waitFor();
      await drop(fresh, 'main', files);
      await fresh.getByTestId('reproduced').waitFor();
      assert.match(await fresh.getByTestId('reproduced').innerText(), /^\W*Reproduced/);
    },
    { at: L1 },
  ));

test('topologies of other tools are taken as the GPU', () =>
  withPage(async ({ page }) => {
    await settled(page);
    const config = await readFile(new URL('../../crates/gpu/tests/data/fermi-like.config', import.meta.url));
    await drop(page, 'main', [
      { name: 'mine.trc', content: trace() },
      { name: 'gpgpusim.config', content: config },
    ]);
    await page.locator('.contents').waitFor();
    await idle(page);
    await open(page);
    assert.match(
      await page.locator('.contents table').first().innerText(),
      /gpgpusim\.config\s+gpgpusim\.config\s+its content\s+GPU/,
    );
    assert.equal(await page.locator('#gpu').inputValue(), 'file');
    // Of two the last is taken.
    await drop(page, 'main', [
      { name: 'mine.trc', content: trace() },
      { name: 'gpgpusim.config', content: config },
      { name: 'later.config', content: `${config}\n` },
    ]);
    const files = page.locator('.contents table').first().locator('tbody tr');
    await files.filter({ hasText: 'later.config' }).waitFor();
    assert.match(await files.nth(1).innerText(), /nothing: a later GPU is used/);
    assert.match(await files.nth(2).innerText(), /its content\s+GPU\s/);
    assert.match(await page.locator('#gpu option[value=file]').innerText(), /later/);
  }));
