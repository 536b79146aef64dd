// The model `gpu` in the Cache tab: its answer, its picture, its settings, its link, and the way to the models of one L1.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { nativeJson } from '../native.mjs';
import { WORST_TIME_ERROR } from './accuracy.mjs';
import {
  address,
  assertAccessible,
  assertFits,
  drop,
  eventually,
  linked,
  PHONE,
  saveReport,
  withPage,
} from './browser.mjs';

const verdict = (page) => page.getByTestId('verdict');
const idle = (page) => page.waitForFunction(() => !document.querySelector('[data-testid=progress]'));
const plain = (text) => text.replaceAll('\u202f', ' ');

/** Waits until a result of the model stands with its picture. */
async function settled(page) {
  await verdict(page).waitFor();
  await idle(page);
  await page.waitForFunction(
    () => document.querySelectorAll('.drawing').length === document.querySelectorAll('.figure').length,
  );
}

const fact = (page, name) =>
  page
    .locator('.facts > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}`) }) })
    .locator('dd')
    .innerText();

test('the headline leads with work, and its numbers are those of the terminal', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const { kernels, fingerprint } = nativeJson('cache', 'example:matmul-naive', '--gpu', 'rtx3060');
      const { gpu } = kernels[0];
      const said = plain(await verdict(page).innerText());
      const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ' ');
      assert.match(said, new RegExp(`^Takes [\\d.]+ .s \\(${grouped(gpu.cycles)} cycles\\)\\. Loads ask for`));
      const meaning = plain(await page.locator('.verdict .meaning').first().innerText());
      assert.match(meaning, /move from the L2 to the L1s; .* move from DRAM to the L2\..*bus.*hit in the L1\.$/);
      assert.equal(plain(await fact(page, 'cycles')), grouped(gpu.cycles));
      const perLoad = gpu.l1.sectors / gpu.l1.requests;
      assert.equal(Number(await fact(page, 'sectors per load')), Number(perLoad.toFixed(1)));
      assert.equal(
        Number(await fact(page, 'least possible')),
        Number((gpu.l1.least_sectors / gpu.l1.requests).toFixed(1)),
      );
      const report = await saveReport(page);
      assert.deepEqual([report.fingerprint, report.kernels], [fingerprint, kernels]);
    },
    { at: '#v=1&example=matmul-naive&gpu=rtx3060&model=gpu' },
  ));

test('the picture has amounts, names the busiest part and has its numbers beside it', () =>
  withPage(async ({ page }) => {
    await settled(page);
    const drawing = page.locator('.drawing');
    assert.match(await drawing.getAttribute('aria-label'), /Registers read .* from DRAM\. .*Busiest part: /);
    const text = await drawing.textContent();
    for (const part of ['Registers', 'L1', 'L2', 'DRAM', 'busiest: ']) assert.ok(text.includes(part), part);
    await page.locator('.figure summary').click();
    const rows = await page.locator('.figure tbody tr').allInnerTexts();
    assert.equal(rows.length, 6);
    assert.match(plain(rows[1]), /^L2 → L1\s+[\d ]+\s+[\d.]+ .?i?B/);
    assert.match(
      await page.locator('.class-bar [role=img]').getAttribute('aria-label'),
      /issuing .* waiting for a load/,
    );
    assert.equal(await page.locator('tr', { hasText: 'busiest' }).count(), 1);
    const button = page.locator('.verdict').getByRole('button', { name: 'sectors per load' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator('.term-note:popover-open', { hasText: 'Distinct sectors' }).waitFor();
    await page.keyboard.press('Escape');

    // An array, then a line of code, filters everything else; Back and Escape give it back.
    const part = (name) => page.locator(`[data-part=${name}]`);
    const bytesRead = () =>
      drawing.getAttribute('aria-label').then((label) => /Registers read (.*?) through/.exec(label)[1]);
    const whole = await bytesRead();
    const allWaits = await page.locator('.class-bar [role=img]').first().getAttribute('aria-label');
    const array = part('arrays').locator('tbody tr').first();
    await array.getByRole('button').waitFor();
    const [name, , , , , dram] = (await array.locator('th, td').allInnerTexts()).map(plain);
    await array.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.getByText(new RegExp(`^Only array ${name}: \\d`)).waitFor();
    await page.waitForFunction(
      (old) => !document.querySelector('.drawing').getAttribute('aria-label').includes(`Registers read ${old} `),
      whole,
    );
    assert.match(plain(await drawing.getAttribute('aria-label')), new RegExp(`the L2 reads ${dram} from DRAM`));
    assert.notEqual(await page.locator('.class-bar [role=img]').first().getAttribute('aria-label'), allWaits);
    await page.getByText('belongs to no single access').waitFor();
    assert.equal(await part('arrays').locator('tr.chosen').count(), 1);
    assert.ok((await part('arrays').locator('tbody tr').count()) > 1, 'the other arrays stay');
    await assertAccessible(page);
    await linked(page, /view\.only=array:0x/);
    await part('instructions').locator('tbody tr').first().getByRole('button').first().click();
    await page.getByText(/^Only (line|instruction) .*: \d/).waitFor();
    await page.goBack();
    await page.getByText(new RegExp(`^Only array ${name}: \\d`)).waitFor();
    await page.goForward();
    await page.getByText(/^Only (line|instruction) .*: \d/).waitFor();
    await page.goBack();
    await page.getByText(new RegExp(`^Only array ${name}: \\d`)).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.only').waitFor({ state: 'detached' });
    await page.waitForFunction(
      (old) => document.querySelector('.drawing').getAttribute('aria-label').includes(`Registers read ${old} `),
      whole,
    );
  }));

test('another GPU keeps the model of the whole GPU; one of a single L1 gives way to it until a person chooses one', () =>
  withPage(async ({ page, site }) => {
    await settled(page);
    const model = () => page.locator('#model').inputValue();
    assert.equal(await model(), 'gpu');
    await page.locator('#gpu').selectOption('gtx470-48k');
    await page.waitForFunction(() => /gpu=gtx470-48k&model=gpu/.test(location.hash));
    assert.equal(await model(), 'gpu');
    await page.goto(`${site.url}#v=1&example=vector-add&gpu=gtx470-48k`);
    await page.waitForFunction(() => document.querySelector('#model')?.value === 'paper');
    await page.locator('.legend', { hasText: 'capacity' }).waitFor();
    await page.locator('#gpu').selectOption('h100');
    await page.waitForFunction(() => /gpu=h100&model=gpu/.test(location.hash));
    await page.locator('#model').selectOption('paper');
    await page.waitForFunction(() => /gpu=h100/.test(location.hash) && !/model=/.test(location.hash));
    await page.locator('#gpu').selectOption('rtx4090');
    await page.waitForFunction(() => /gpu=rtx4090/.test(location.hash));
    assert.equal(await model(), 'paper', 'a choice stays');
  }));

test('the state before the launch is a setting, in the link, and comes back', () =>
  withPage(async ({ page, browser }) => {
    await settled(page);
    const cold = await fact(page, 'DRAM → L2');
    await page.locator('#state').selectOption('replay');
    await page.waitForFunction(() => /state=replay/.test(location.hash));
    await idle(page);
    assert.notEqual(await fact(page, 'DRAM → L2'), cold);
    assert.equal(await page.locator('#seed').count(), 0, 'the model has no seed');
    const fresh = await (await browser.newContext()).newPage();
    await fresh.goto(await address(page));
    await fresh.getByTestId('reproduced').waitFor();
    assert.equal(await fresh.locator('#state').inputValue(), 'replay');
    assert.equal(await verdict(fresh).innerText(), await verdict(page).innerText());
  }));

const fold = (page, name) => page.locator(`details[data-fold=${name}]`);

test('one click tells why loads miss, by array and instruction, and the numbers are those of the terminal', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const before = await verdict(page).innerText();
      await page.getByRole('button', { name: 'Why did they miss?' }).click();
      const legend = page.locator('.why .legend');
      await legend.waitFor();
      await page.waitForFunction(() => /classes=1/.test(location.hash));
      assert.equal(await verdict(page).innerText(), before, 'the classes change no other number');
      const { kernels, fingerprint } = nativeJson('cache', 'example:matmul-naive', '--gpu', 'gtx1080', '--classes');
      const report = await saveReport(page);
      assert.deepEqual([report.fingerprint, report.kernels], [fingerprint, kernels]);
      const { l1 } = kernels[0].gpu;
      const numbers = (await legend.locator('.quiet').allInnerTexts()).map((text) =>
        Number(text.replaceAll(/\D/g, '')),
      );
      const { compulsory, capacity, conflict } = l1.classes;
      assert.deepEqual(numbers, [compulsory, capacity, conflict]);
      assert.equal(compulsory + capacity + conflict, l1.sectors - l1.hits);
      for (const [name, rows] of [
        ['class-arrays', kernels[0].rows.arrays],
        ['class-instructions', kernels[0].rows.instructions],
      ]) {
        await fold(page, name).locator('summary').click();
        const rowsShown = fold(page, name).locator('tbody tr');
        await rowsShown.first().waitFor();
        const shown = await rowsShown.count();
        const loading = rows.filter((row) => row.l1_sectors > 0).length;
        assert.equal(shown, Math.min(10, loading), `${name}: a table begins with ten rows`);
      }
      await page.getByRole('button', { name: 'Run without the classes' }).click();
      await page.getByRole('button', { name: 'Why did they miss?' }).waitFor();
      await eventually(async () => assert.doesNotMatch(await address(page), /classes/));
    },
    { at: '#v=1&example=matmul-naive&gpu=gtx1080&model=gpu' },
  ));

test('the roofline and the cores unfold, with their numbers', () =>
  withPage(async ({ page }) => {
    await settled(page);
    await fold(page, 'roofline').locator('> summary').click();
    const roofline = fold(page, 'roofline').locator('.drawing');
    await roofline.waitFor();
    assert.match(
      plain(await roofline.getAttribute('aria-label')),
      /operations per second, .* % of the .* that .* allows/,
    );
    assert.equal(await roofline.locator('circle').count(), 4, 'two marks of the key and two points');
    await fold(page, 'roofline').locator('.figure summary').click();
    assert.equal(await fold(page, 'roofline').locator('tbody tr').count(), 8);
    await fold(page, 'cores').locator('> summary').click();
    const cores = fold(page, 'cores').locator('.drawing');
    await cores.waitFor();
    const text = await fold(page, 'cores').locator('p').first().innerText();
    assert.match(plain(text), /^\d+ cores of 28 load; .* Grey: /);
    const loading = Number(text.match(/^\d+/)[0]);
    assert.equal(await cores.locator('rect').count(), 2 * loading);

    // A core that is picked, by its row or its bar, filters everything else.
    await fold(page, 'cores').locator('.figure summary').click();
    const row = fold(page, 'cores').locator('tbody tr').nth(1);
    const core = plain(await row.locator('th').innerText());
    await row.getByRole('button').click();
    await page.getByText(new RegExp(`^Only core ${core}: \\d`)).waitFor();
    const told = plain(await page.locator('.only .chip').innerText());
    const [own, all] = /: ([\d ]+) of ([\d ]+) accesses/
      .exec(told)
      .slice(1)
      .map((text) => Number(text.replace(/ /g, '')));
    assert.ok(own > 0 && own < all, told);
    assert.equal(await fold(page, 'cores').locator('tr.chosen').count(), 1);
    assert.equal(await cores.locator('rect').count(), 2 * loading, 'the other cores stay');
    await linked(page, new RegExp(`view\\.only=core:${core}`));
    await fold(page, 'cores').getByRole('slider').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByText(/^Only core 0: \d/).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.only').waitFor({ state: 'detached' });
  }));

test('a trace without opcodes has words in place of a roofline', () =>
  withPage(async ({ page }) => {
    await settled(page);
    const content = `blocksize: 64 1 1\n${Array.from({ length: 64 }, (_, i) => `${i} 0 ${4096 * i} 4`).join('\n')}\n`;
    const before = await verdict(page).innerText();
    await drop(page, 'main', [{ name: 'plain.trc', content }]);
    await page.waitForFunction((old) => document.querySelector('[data-testid=verdict]').innerText !== old, before);
    await fold(page, 'roofline').locator('> summary').click();
    await fold(page, 'roofline').getByText('does not say what its instructions are').waitFor();
    assert.equal(await fold(page, 'roofline').locator('.figure').count(), 0);
  }));

test('one click leads to the model of one Fermi L1 and its classes of misses', () =>
  withPage(async ({ page }) => {
    await settled(page);
    await page.getByRole('button', { name: 'Run this in the model “paper” on a Fermi GPU' }).click();
    await page.locator('.legend', { hasText: 'capacity' }).waitFor();
    assert.match(await verdict(page).innerText(), /^Loads make .* come into the L1s/);
    assert.match(await page.locator('.verdict .meaning').first().innerText(), /of requests miss/);
    assert.match(await page.locator('#gpu').inputValue(), /^gtx470/);
  }));

test('several kernels are listed with their times, and one is shown', () =>
  withPage(async ({ page }) => {
    await settled(page);
    const trace = (loads) =>
      `blocksize: 64 1 1\n${Array.from({ length: 64 * loads }, (_, i) => `${i % 64} 0 ${4096 * i} 4`).join('\n')}\n`;
    await drop(page, 'main', [
      { name: 'short.trc', content: trace(1) },
      { name: 'long.trc', content: trace(16) },
    ]);
    const rows = page.locator('.kernels tbody tr');
    await rows.nth(1).waitFor();
    assert.match(await rows.first().getAttribute('class'), /chosen/, 'the longest first, and on show');
    const before = await verdict(page).innerText();
    await rows.nth(1).getByRole('button').click();
    await page.waitForFunction((old) => document.querySelector('[data-testid=verdict]').innerText !== old, before);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const csv = await readFile(await (await download).path(), 'utf8');
    assert.match(csv, /^kernel,name,number,value\n/);
    assert.match(csv, /\n2,[^\n]*,gpu\.l2\.reads,\d+\n/);
  }));

test('a long run shows its progress and is cancelled', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const before = await verdict(page).innerText();
      const line = (i) => `${i % 1024} 0 ${(i * 2654435761) % 2 ** 30} 4`;
      const content = `blocksize: 256 1 1\n${Array.from({ length: 1024 * 1200 }, (_, i) => line(i)).join('\n')}\n`;
      await drop(page, 'main', [{ name: 'long.trc', content }]);
      await page.locator('.progress-text', { hasText: '%' }).waitFor();
      await page.keyboard.press('Escape');
      await idle(page);
      assert.match(await page.getByRole('status').first().innerText(), /Cancelled/);
      assert.equal(await verdict(page).innerText(), before);
    },
    // A replay runs the kernel twice, so that the run is still under way when the key is pressed.
    { at: '#v=1&example=matvec-rows&gpu=rtx3060&model=gpu&state=replay' },
  ));

test('how sure: the error in the unit of the time, and the value in doubt that moves it most', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const part = page.locator('[data-part=sure]');
      const against = await part.getByTestId('against-hardware').innerText();
      assert.match(against, /^Against hardware: unknown here/);
      const [, largest, here] =
        plain(against).match(/\. The largest of these means is ([\d.]+)\sµs of the ([\d.]+)\sµs here; a single/) ?? [];
      assert.ok(Math.abs(largest - WORST_TIME_ERROR * here) < 0.02, against);
      await part.getByRole('button', { name: 'Run it' }).click();
      // A pipe that is busy all the time, whose value half a cycle is tried too.
      await part.getByRole('row', { name: /Load-store pipe per line.*official/ }).waitFor();
      await part.getByText(/Official values aside, it depends most on “.+”: 32\.\d/).waitFor({ timeout: 60_000 });
    },
    { at: '#v=1&example=matvec-rows&gpu=rtx3060&model=gpu' },
  ));

test('a kernel without loads has no hit rates, as in the picture', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const content = `// launch: set<<<2, 64>>>(x: float[n], n = 128)
__global__ void set(float *x, int n) { x[blockIdx.x * 64 + threadIdx.x] = n; }
`;
      await drop(page, 'body', [{ name: 'set.cu', content }]);
      await page.getByTestId('verdict').filter({ hasText: 'No load goes to the L1.' }).waitFor();
      for (const name of ['L1 hit rate', 'L2 hit rate']) assert.equal(await fact(page, name), '–', name);
      await page.locator('.figure svg').getByText('not used').first().waitFor();
    },
    { at: '#v=1&example=matvec-rows&gpu=rtx3060&model=gpu' },
  ));

test('axe finds nothing and nothing scrolls sideways, open and on a phone', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await withPage(
      async ({ page }) => {
        await settled(page);
        await page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
        await page.setViewportSize(PHONE.viewport);
        await page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
        await page.waitForTimeout(200);
        await assertAccessible(page);
        await assertFits(page);
      },
      { context: { colorScheme }, at: '#v=1&example=matmul-tiled&gpu=gtx1080&model=gpu&state=copies' },
    );
  }
});
