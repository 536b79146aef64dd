// The first result stands before the engine is there; the engine confirms it; what a person does meanwhile waits for the engine.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { address, drop, linked, saveReport, withPage } from './browser.mjs';
import { dist } from './launch.mjs';
import { TWICE } from './typing.mjs';

const verdict = (page) => page.getByTestId('verdict');
const first = JSON.parse(await readFile(new URL('../../pkg/first/first.json', import.meta.url), 'utf8'));

/** Opens the page anew with an engine that does not arrive until the returned function is called. */
async function withoutEngine(page, context, at = '') {
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  await context.route('**/*.wasm', async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto('about:blank');
  await page.goto(at);
  return arrive;
}

test('the result that was made with the page stands without the engine, which then has the same', () =>
  withPage(async ({ page, context, site }) => {
    const arrive = await withoutEngine(page, context, site.url);
    await verdict(page).waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.drawing').length === 1);
    assert.equal(new URL(await address(page)).hash, `#${first.link}`);
    assert.match(await page.locator('.export').innerText(), new RegExp(first.report.fingerprint));
    // All that the page asked for by now but the engine: more than stood before the result.
    const asked = new Set(
      site.seen.map((line) => new URL(line.split(' ')[1], site.url).pathname.slice('/repo/'.length)),
    );
    const packed = (name) => gzipSync(readFileSync(path.join(dist, name || 'index.html')), { level: 9 }).length;
    const bytes = [...asked].filter((name) => !name.endsWith('.wasm')).reduce((sum, name) => sum + packed(name), 0);
    assert.ok(bytes < 150_000, `${bytes} bytes`);
    arrive();
    const report = await saveReport(page);
    assert.equal(report.fingerprint, first.report.fingerprint);
    // The address now names the run: a visit to it shows the result at once as well, and says that it was reproduced.
    await page.reload();
    await page.getByTestId('reproduced').waitFor();
  }));

test('a tab that is chosen before the link has been read is a step after it', () =>
  withPage(async ({ page, context, site }) => {
    const arrive = await withoutEngine(page, context, `${site.url}#v=1&example=vector-add&gpu=a100`);
    await page.getByRole('tab', { name: 'Topology' }).click();
    arrive();
    await page.waitForFunction(() => /example=vector-add.*view\.tab=topology.*result=/.test(location.hash));
    await page.goBack();
    await page.locator('[role=tab][aria-selected=true]', { hasText: 'Cache' }).waitFor();
    await page.waitForFunction(() => /example=vector-add.*result=/.test(location.hash) && !/view/.test(location.hash));
    await page.locator('.verdict .kernel-name', { hasText: /add/i }).waitFor();
  }));

test('a link shows its own GPU from the first moment', () =>
  withPage(async ({ page, site }) => {
    await page.addInitScript(() => {
      globalThis.titles = [];
      const look = () => {
        const title = document.querySelector('.hierarchy h3, .hierarchy h2')?.textContent ?? '';
        if (title !== globalThis.titles.at(-1)) globalThis.titles.push(title);
      };
      new MutationObserver(look).observe(document, { childList: true, subtree: true });
    });
    await page.goto('about:blank');
    await page.goto(`${site.url}#v=1&example=vector-add&gpu=a100&view.tab=topology`);
    await page.waitForFunction(() => /result=/.test(location.hash));
    // Its drawing may come after the result.
    await page.locator('.hierarchy').waitFor();
    assert.deepEqual(await page.evaluate(() => globalThis.titles), ['', 'Memory hierarchy of NVIDIA A100-PCIE-40GB']);
  }));

test('work that waits for the engine is cancelled without it', () =>
  withPage(async ({ page, context, site }) => {
    const arrive = await withoutEngine(page, context, site.url);
    await verdict(page).waitFor();
    const before = await verdict(page).innerText();
    await drop(page, 'main', [{ name: 'copy.trc', content: 'blocksize: 32 1 1\n0 0 4096 4\n' }]);
    await page.getByTestId('progress').waitFor();
    await page.keyboard.press('Escape');
    // The engine has not arrived, so that nothing but the cancel can end the work.
    await page.getByTestId('progress').waitFor({ state: 'detached' });
    await page.locator('[role=status]', { hasText: 'Cancelled' }).first().waitFor();
    assert.equal(await verdict(page).innerText(), before);
    arrive();
    assert.equal((await saveReport(page)).fingerprint, first.report.fingerprint);
  }));

test('a tab, a setting and a link that come before the engine wait for it', () =>
  withPage(async ({ page, context, site }) => {
    const arrive = await withoutEngine(page, context, site.url);
    await verdict(page).waitFor();
    await page.locator('#state').selectOption('warm');
    for (const name of ['Reuse', 'Topology', 'Placement', 'Kernel', 'Cache'])
      await page.getByRole('link', { name }).or(page.getByRole('tab', { name })).first().click();
    arrive();
    await page.waitForFunction(() => /state=warm/.test(location.hash) && !/view\.tab/.test(location.hash));
    await page.waitForFunction(() => !document.querySelector('[data-testid=progress]'));
    assert.equal((await saveReport(page)).state, 'warm');
  }));

test('tabs and keys that come before the engine can read a link wait for it, and the link is not lost', () =>
  withPage(async ({ page, context, site }) => {
    const link = '#v=1&example=transpose&gpu=a100&model=gpu';
    const arrive = await withoutEngine(page, context, site.url + link);
    await page.getByRole('tab', { name: /Kernel/ }).waitFor();
    await page.getByRole('tab', { name: /Placement/ }).click();
    for (const key of ['3', '4', 'r', 'c', 'v', '1', '2']) await page.keyboard.press(key);
    assert.equal(new URL(await address(page)).hash, link);
    arrive();
    await page.locator('.cm-content', { hasText: 'void transpose' }).waitFor();
    await page.waitForFunction(() =>
      /example=transpose&gpu=a100&model=gpu&view\.tab=kernel&result=/.test(location.hash),
    );
    assert.equal(await page.getByRole('heading', { name: 'Something broke' }).count(), 0);
  }));

for (const at of ['', '#v=1&example=transpose']) {
  test(`files that are dropped before the engine is up outlive its start, at the address ‘${at}’`, () =>
    withPage(async ({ page, context, site }) => {
      const arrive = await withoutEngine(page, context, site.url + at);
      await page.getByRole('tab', { name: /Kernel/ }).waitFor();
      await drop(page, 'body', [{ name: 'twice.cu', content: TWICE }]);
      arrive();
      await page.waitForFunction(() => /file=twice\.cu.*result=/.test(location.hash));
      await saveReport(page);
      await linked(page, /file=twice\.cu/);
    }));
}

test('a result of this browser that differs from the one made with the page is shown and said', () =>
  withPage(async ({ page, context, site }) => {
    const other = first.report.fingerprint.replace(/./g, (digit) => (digit === '0' ? '1' : '0'));
    await context.route('**/main*.js', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replaceAll(first.report.fingerprint, other),
      });
    });
    await page.goto('about:blank');
    await page.goto(site.url);
    await page.locator('.status-text', { hasText: 'another result' }).waitFor();
    assert.match(await page.locator('.export').innerText(), new RegExp(first.report.fingerprint));
    await page.waitForFunction((print) => location.hash.includes(print), first.report.fingerprint);
  }));

test('a link with a key that no parameter has is refused with a remedy', () =>
  withPage(
    async ({ page }) => {
      const told = page.locator('.diagnostic').first();
      await told.waitFor();
      assert.match(await told.innerText(), /tracks/);
      assert.match(await told.innerText(), /What to do/);
      assert.equal(await verdict(page).count(), 0, 'nothing was run');
      // A change in the form leaves the key out.
      await page.locator('#seed').fill('3');
      await page.locator('#seed').press('Tab');
      await verdict(page).waitFor();
      assert.doesNotMatch(await address(page), /tracks/);
    },
    { at: '#v=1&example=matvec-rows&set.tracks=8' },
  ));

for (const [part, told] of [
  ['model=paper&seed=9007199254740992', /up to 9007199254740991/],
  ['cuda.size.zzz=5', /zzz[^]*use one of columns, rows/],
  ['cuda.size.rows=NaN', /NaN[^]*give a number/],
])
  test(`a link with ${part} is refused with a remedy`, () =>
    withPage(
      async ({ page }) => {
        const diagnostic = page.locator('.diagnostic').first();
        await diagnostic.waitFor();
        assert.match(await diagnostic.innerText(), told);
      },
      { at: `#v=1&example=matvec-rows&${part}` },
    ));

test('seeds are drawn by chance', () =>
  withPage(
    async ({ page }) => {
      await verdict(page).waitFor();
      const seen = new Set();
      for (let i = 0; i < 3; i++) {
        const before = await page.locator('#seed').inputValue();
        await page.getByRole('button', { name: 'Draw a seed by chance' }).click();
        await page.waitForFunction((old) => document.querySelector('#seed').value !== old, before);
        seen.add(await page.locator('#seed').inputValue());
      }
      assert.ok(
        seen.size >= 2 && [...seen].every((seed) => Number(seed) >= 1 && Number(seed) <= 999_999),
        `${[...seen]}`,
      );
    },
    { at: '#v=1&example=matvec-rows' },
  ));
