// The Reuse tab: streams in, distances and curves out, exact against approximate.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { address, assertAccessible, assertFits, drop, linked, PHONE, withPage } from './browser.mjs';

const zipf = '#v=1&view.tab=reuse&view.reuse.input=zipf&view.reuse.n=60000&view.reuse.m=3000';
const sentence = (page) => page.getByTestId('reuse-sentence');
const said = (page, text) => sentence(page).filter({ hasText: text }).waitFor();
const settled = (page) =>
  page.waitForFunction(
    () =>
      document.querySelector('[data-testid=reuse-sentence]') && !document.querySelector('[data-testid=reuse-progress]'),
  );

/** A lackey file: a loop over 500 lines of 64 bytes, with a repeat of each. */
const lackey =
  Array.from({ length: 20_000 }, (_, i) => ` L ${(0x10000 + (Math.floor(i / 2) % 500) * 64).toString(16)},8`).join(
    '\n',
  ) + '\n';

test('the smallest cache below a miss ratio is told exactly, and the ratio is in the link', () =>
  withPage(async ({ page }) => {
    await page.locator('.sentence').first().waitFor();
    await page.keyboard.press('3');
    await settled(page);
    await drop(page, 'main', [{ name: 'loop.lackey', content: lackey }]);
    const told = (text) => page.getByTestId('reuse-below').filter({ hasText: text }).waitFor();
    // 500 lines hold the loop; what is left is the first access of each line.
    await told(/^500 lines, 32\s000 bytes \(2\.500/);
    // What is typed counts before it is left.
    await page.locator('#reuse-below').fill('2');
    await told(/^no size: 2\.500\s% miss from 500 lines, 32\s000 bytes on/);
    await page.locator('#reuse-below').press('Enter');
    await page.waitForFunction(() => location.hash.includes('view.reuse.below=2'));
    await page.locator('#reuse-below').fill('50');
    await page.locator('#reuse-below').press('Enter');
    await told(/^1 line, 64 bytes/);
    // What is no share leaves the field, also where it changes nothing.
    for (const text of ['150', '-1']) {
      await page.locator('#reuse-below').fill(text);
      await page.locator('#reuse-below').press('Enter');
      await told(/^500 lines/);
      assert.equal(await page.locator('#reuse-below').inputValue(), '5');
    }
    await assertFits(page);
  }));

test('a stream larger than the memory of a tab is refused with a message, and the next one runs', () =>
  withPage(async ({ page }) => {
    await page.goto(`${page.url().split('#')[0]}#v=1&view.tab=reuse&view.reuse.input=loop&view.reuse.n=1000000000`);
    await page.getByRole('button', { name: 'Try it here anyway' }).click();
    await page.getByText('a stream that fits in memory').first().waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Something broke' }).count(), 0);
    await page.getByLabel('Accesses, N').fill('1000');
    await page.locator('#tab-panel button.primary').last().click();
    await said(page, /1\s000 accesses/);
  }));

test('the tab opens with the trace of the Cache tab, split by array', () =>
  withPage(async ({ page }) => {
    await page.locator('.sentence').first().waitFor();
    await page.keyboard.press('3');
    await settled(page);
    assert.match(await sentence(page).innerText(), /accesses to .* distinct lines/);
    assert.match(await page.getByTestId('reuse-engine').innerText(), /Rank bits, because they give each access/);
    await page.locator('[data-part=reuse-parts] .table-frame').first().locator('tbody button').nth(1).click();
    await page.locator('.banner').waitFor();
    assert.match(await page.locator('.banner').innerText(), /Shown:/);
    await page.waitForFunction(() => /view\.tab=reuse/.test(location.hash));
    await page.getByLabel('Order of requests').selectOption('model');
    await settled(page);
    await page.waitForFunction(
      () => /view\.reuse\.order=model/.test(location.hash) && !document.querySelector('[data-testid=reuse-progress]'),
    );
    assert.match(await sentence(page).innerText(), /accesses/);
  }));

test('a stream without reuse misses at every size, and one access is one', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const chart = page.locator('.figure', { hasText: 'Miss ratio (%)' });
      await chart.locator('svg polyline').first().waitFor({ state: 'attached' });
      await chart.getByText('The numbers as a table').click();
      assert.match(await chart.locator('tbody').innerText(), /^1\s+128\sbytes\s+100\.0\s%/);
      await drop(page, 'body', [{ name: 'one.csv', content: 'address,size,rw\n0x1000,4,r\n' }]);
      await said(page, /^1 access to 1 distinct line\./);
    },
    { at: '#v=1&example=vector-add&view.tab=reuse' },
  ));

test('a generated stream is analysed, and its link reproduces it', () =>
  withPage(
    async ({ page, site }) => {
      await settled(page);
      assert.match(await sentence(page).innerText(), /60\s000 accesses to 2\s9\d\d distinct lines/);
      assert.match(await page.getByTestId('reuse-engine').innerText(), /Rank bits: up to 5 million distinct lines/);
      await page.waitForFunction(() => /view\.reuse\.result=[0-9a-f]{16}/.test(location.hash));
      const hash = new URL(await address(page)).hash;
      const other = await page.context().newPage();
      await other.goto(`${site.url}${hash}`);
      await other.getByTestId('reuse-reproduced').waitFor();
      await other.goto(`${site.url}?2${hash.replace('view.reuse.n=60000', 'view.reuse.n=50000')}`);
      await other.getByTestId('reuse-not-reproduced').waitFor();
      await other.close();
    },
    { at: zipf },
  ));

test('bins, exact distances, axes and tables', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const histogram = page.locator('section', { has: page.getByRole('heading', { name: 'Reuse distances' }) }).last();
      await histogram.getByRole('radio', { name: 'exact distances' }).check();
      await page.getByLabel('to', { exact: true }).fill('9');
      await page.getByLabel('to', { exact: true }).press('Enter');
      await histogram.locator('summary').click();
      await histogram.locator('tbody th').nth(9).filter({ hasText: /^9$/ }).waitFor();
      const curve = page.locator('section', { has: page.getByRole('heading', { name: 'Miss-ratio curve' }) }).last();
      await curve.locator('svg.drawing').waitFor();
      const before = await curve.locator('svg.drawing').innerHTML();
      await curve.getByRole('radio', { name: 'linear' }).check();
      await page.waitForFunction((old) => document.querySelectorAll('svg.drawing')[0]?.innerHTML !== old, before);
      assert.match(await page.getByTestId('reuse-knees').innerText(), /[Kk]nee/);
      // What is shown is part of the link.
      await page.waitForFunction(
        () =>
          /view\.reuse\.axis=linear/.test(location.hash) &&
          /view\.reuse\.bins=exact/.test(location.hash) &&
          /view\.reuse\.to=9(&|$)/.test(location.hash),
      );
    },
    { at: zipf },
  ));

test('another line size needs no second reading', () =>
  withPage(async ({ page }) => {
    await page.locator('.sentence').first().waitFor();
    await page.keyboard.press('3');
    await settled(page);
    await drop(page, 'body', [{ name: 'loop.lackey.gz', content: gzipSync(lackey) }]);
    await said(page, /20\s000 accesses to 500 distinct lines/);
    assert.match(await page.locator('.setup').innerText(), /loop\.lackey\.gz.*lackey/is);
    assert.match(await page.locator('.setup').innerText(), /needs no second reading/);
    await page.getByLabel('Line size').press('ArrowRight');
    await said(page, /20\s000 accesses to 250 distinct lines/);
    await linked(page, /view\.reuse\.line=128/);
    assert.match(
      decodeURIComponent(new URL(await address(page)).hash),
      /view\.reuse\.files=loop\.lackey\.gz:\d+:[0-9a-f]{64}/,
    );
  }));

test('a file that is too large to be kept is read again for each analysis', () =>
  withPage(
    async ({ page }) => {
      await page.getByRole('heading', { name: 'This link is about a file that it does not contain' }).waitFor();
      await drop(page, 'body', [{ name: 'loop.lackey', content: lackey }]);
      await said(page, /20\s000 accesses to 500 distinct lines/);
      assert.match(await page.getByTestId('reuse-engine').innerText(), /because the file is too large to be kept/);
      await page.getByLabel('Line size').press('ArrowRight');
      await said(page, /20\s000 accesses to 250 distinct lines/);
      assert.equal(await page.getByRole('button', { name: 'Run the comparison' }).isDisabled(), true);
      await page.getByRole('button', { name: 'Take a sample' }).click();
      await page.getByTestId('reuse-sample').waitFor();
    },
    { at: `#v=1&view.tab=reuse&view.reuse.keep=0&view.reuse.files=loop.lackey%3A5%3A${'0'.repeat(64)}` },
  ));

test('an address stream dropped on the Cache tab leads here', () =>
  withPage(async ({ page }) => {
    await page.locator('.sentence').first().waitFor();
    await drop(page, 'body', [{ name: 'loop.lackey', content: lackey }]);
    await page.getByText(/^loop\.lackey: an address stream, with no warps/).waitFor();
    await page.getByRole('button', { name: 'Analyse it in the Reuse tab' }).click();
    await said(page, /20\s000 accesses to 500 distinct lines/);
    // The Cache tab still has its example.
    await page.getByRole('tab', { name: /Cache/ }).click();
    await page.locator('.sentence').first().waitFor();
  }));

test('the messages about an address stream are not covered by the answer of what was there before', () =>
  withPage(
    async ({ page }) => {
      await page.locator('.sentence').first().waitFor();
      await page.locator('.settings-fold > summary').click();
      await page.locator('.answer-below').waitFor();
      await drop(page, 'body', [{ name: 'loop.lackey', content: lackey }]);
      await page.getByRole('button', { name: 'Analyse it in the Reuse tab' }).waitFor();
      await page.evaluate(() => scrollTo(0, 0));
      await page.waitForTimeout(300);
      assert.equal(await page.locator('.answer-below').count(), 0);
    },
    { context: PHONE },
  ));

test('a link with files asks for them', () =>
  withPage(
    async ({ page }) => {
      await page.getByRole('heading', { name: 'This link is about a file that it does not contain' }).waitFor();
      await drop(page, 'body', [{ name: 'loop.lackey', content: lackey }]);
      await said(page, /20\s000 accesses to 500 distinct lines/);
      assert.equal(
        await page.getByRole('heading', { name: 'This link is about a file that it does not contain' }).count(),
        0,
      );
    },
    { at: `#v=1&view.tab=reuse&view.reuse.files=loop.lackey%3A5%3A${'0'.repeat(64)}` },
  ));

test('sequential, parallel and HP-RDA side by side, with reasons; sweep; sample', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.getByRole('button', { name: 'Run the comparison' }).click();
      await page.getByTestId('reuse-comparison').waitFor({ timeout: 60_000 });
      const rows = await page.getByTestId('reuse-comparison').locator('tbody tr').allInnerTexts();
      assert.equal(rows.length, 5);
      assert.match(rows[1], /exact in parallel, 3 workers.*0\s%.*0\.00 points/s);
      const notes = await page.locator('.reuse-notes').innerText();
      assert.match(notes, /equal to the sequential histogram, bit for bit/);
      assert.match(notes, /HP-RDA on WebGPU: (This browser has no WebGPU|WebGPU is there)/);
      assert.match(await page.getByTestId('reuse-reasons').innerText(), /as if no line were in two of them/);
      assert.match(await page.getByTestId('reuse-reasons').innerText(), /divides by its 24 bins/);
      await page.getByRole('button', { name: 'Run the sweep' }).click();
      await page.waitForFunction(
        () =>
          !document.querySelector('[data-testid=reuse-progress]') &&
          document.querySelector('[data-testid=reuse-sweep]'),
        null,
        { timeout: 60_000 },
      );
      await page.getByTestId('reuse-sweep').locator('summary').first().click();
      assert.equal(await page.getByTestId('reuse-sweep').locator('details[open] tbody tr').count(), 6);
      await page.locator('#reuse-sample-rate').selectOption('0.1');
      await settled(page);
      await page.getByRole('button', { name: 'Take a sample' }).click();
      await page.getByTestId('reuse-sample').waitFor();
      assert.match(
        await page.getByTestId('reuse-sample').innerText(),
        /of 60\s000 accesses in .* lies within the bound at \d+ of \d+ sizes/s,
      );
    },
    { at: `${zipf}&view.reuse.workers=3&view.reuse.st=512` },
  ));

test('a run that will not fit says so before, with the command', () =>
  withPage(
    async ({ page }) => {
      await page.getByRole('heading', { name: 'This may not fit' }).waitFor();
      assert.match(
        await page.locator('.too-big pre').innerText(),
        /warpscope generate uniform --n 900000000 .*\nwarpscope reuse stream\.u64/,
      );
    },
    { at: '#v=1&view.tab=reuse&view.reuse.input=uniform&view.reuse.n=900000000&view.reuse.m=100000' },
  ));

test('progress is the engine’s, and a cancel is heard', () =>
  withPage(
    async ({ page }) => {
      await page.waitForFunction(
        () => Number(document.querySelector('[data-testid=reuse-progress] progress')?.getAttribute('value')) > 0,
        null,
        { timeout: 60_000 },
      );
      const reached = await page.evaluate(async () => {
        dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
        let reached = 0;
        for (;;) {
          const bar = document.querySelector('[data-testid=reuse-progress] progress');
          if (!bar) return reached;
          if (bar.hasAttribute('value')) reached = bar.value / bar.max;
          await new Promise((go) => setTimeout(go, 5));
        }
      });
      assert.ok(reached < 0.9, `cancelled only after ${reached} of the work`);
      await page.getByText('Cancelled; what was there before stays.').waitFor();
    },
    { at: '#v=1&view.tab=reuse&view.reuse.input=zipf&view.reuse.n=30000000&view.reuse.m=2000000' },
  ));

for (const [name, viewport] of [
  ['wide', { width: 1280, height: 900 }],
  ['narrow', { width: 390, height: 844 }],
]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`accessible, and nothing wider than the screen: ${name}, ${colorScheme}`, () =>
      withPage(
        async ({ page }) => {
          await settled(page);
          await page.getByRole('button', { name: 'Run the comparison' }).click();
          await page.getByTestId('reuse-comparison').waitFor({ timeout: 60_000 });
          await page.getByRole('button', { name: 'Take a sample' }).click();
          await page.getByTestId('reuse-sample').waitFor();
          await assertAccessible(page);
          await assertFits(page);
        },
        { at: zipf, context: { viewport, colorScheme } },
      ));
  }
}
