// What a person hands on: links, files of scenarios that no link holds, Markdown, a citation.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { native } from '../native.mjs';
import { address, drop, linked, withPage } from './browser.mjs';

const CLIPBOARD = { context: { permissions: ['clipboard-read', 'clipboard-write'] } };
const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());
const ready = (page) => page.waitForFunction(() => document.querySelector('.export button:not([disabled])'));
const press = (page, name) => page.locator('.export').getByRole('button', { name, exact: true }).first().click();
const run = (page) => page.waitForFunction(() => /result=/.test(location.hash));

/** CUDA text that no link holds: noise in comments does not pack. */
const LONG = `// launch: twice<<<2, 32>>>(x: float[n] = iota, n = 64)
${Array.from({ length: 200 }, (_, i) => `// ${[1, 2, 3, 4].map((k) => Math.imul(i * 4 + k, 0x9e3779b1) >>> 0).join('x')}`).join('\n')}
__global__ void twice(float *x, int n)
{
    x[blockIdx.x * 32 + threadIdx.x] *= 2;
}
`;

test('a state that is too long for a link is a file, which opens here and at the terminal', { timeout: 120_000 }, () =>
  withPage(async ({ page, browser, site }) => {
    await ready(page);
    await drop(page, 'body', [{ name: 'long.cu', content: LONG }]);
    await page.waitForFunction(() => /file=long\.cu.*result=/.test(location.hash));
    const promised = /result=([0-9a-f]{32})/.exec(await address(page))[1];
    await press(page, 'Copy link');
    await page.getByText('This state is too long for a link.').first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the scenario file' }).click(),
    ]);
    const path = await download.path();
    assert.match(native('open', path), /\nreproduced\n$/);
    // In another browser, which has never seen the text.
    const other = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    await other.goto(site.url);
    await other.getByTestId('verdict').waitFor();
    await drop(other, 'body', [{ name: 'warpscope-scenario.json', content: readFileSync(path, 'utf8') }]);
    await other.getByTestId('reproduced').waitFor();
    assert.ok((await address(other)).includes(promised));
  }, CLIPBOARD),
);

test('a file that is no scenario says what is wrong, and what is on screen stays', () =>
  withPage(async ({ page }) => {
    await ready(page);
    const before = await page.getByTestId('verdict').innerText();
    const bad = {
      '{"warpscope":"scenario"}': 'JSON without a scenario',
      '{"warpscope":"scenario",': 'SyntaxError',
      '{"warpscope":"scenario","scenario":{"version":2}}': 'version 2; this page reads version 1',
      '{"warpscope":"scenario","scenario":{"version":1,"seed":"<img src=x onerror=alert(1)>"}}': 'invalid type',
      [`{"warpscope":"scenario","scenario":${'{"version":1,"base":'.repeat(3000)}null${'}'.repeat(3000)}}`]:
        'a baseline of its own',
    };
    for (const [content, message] of Object.entries(bad)) {
      await drop(page, 'body', [{ name: 'bad.json', content }]);
      await page.locator('[role=alert], .card', { hasText: message }).first().waitFor();
      assert.equal(await page.getByTestId('verdict').innerText(), before, message);
    }
  }));

test('a result is copied as Markdown with its sentence, numbers, figure and link', () =>
  withPage(async ({ page }) => {
    await ready(page);
    await run(page);
    await press(page, 'Copy as Markdown');
    await page.getByText('Copied as Markdown').first().waitFor();
    const text = await clipboard(page);
    assert.ok(text.startsWith('**Takes '), text.slice(0, 200));
    assert.match(text, /\n\nmatvec\\_rows on .+, model “gpu”\n\n/);
    assert.match(text, /\| loads \| [\d\s\u202f]+ \|/);
    assert.doesNotMatch(text, /[↕▾▴]/);
    assert.match(text, /!\[.+\]\(data:image\/svg\+xml;base64,[A-Za-z0-9+/=]+\)/);
    assert.match(
      text,
      /\[Open this result in Warpscope\]\(http:\/\/127\.0\.0\.1:\d+\/repo\/#v=1&.*result=[0-9a-f]{32}\)/,
    );
    const svg = Buffer.from(/base64,([^)]+)\)/.exec(text)[1], 'base64').toString();
    assert.match(svg, /^<svg [^]*<\/svg>$/);
    await press(page, 'Copy citation');
    await page.getByText('Citation copied.').first().waitFor();
    assert.match(await clipboard(page), /^The Warpscope authors\. .*Version \d.*#v=1&.*\(opened on \d{4}-\d\d-\d\d\)/);
  }, CLIPBOARD));

test('a copied link says so at its button, in every tab, in sight and for screen readers', () =>
  withPage(async ({ page, site }) => {
    const copied = async (button) => {
      await button.scrollIntoViewIfNeeded();
      // All at once: what is said for some seconds is gone when a slow machine looks for one after the other.
      await Promise.all([
        button.getByText('✓ Link copied.').waitFor(),
        page.getByRole('status').getByText('Link copied.', { exact: true }).first().waitFor(),
        page.locator('.toast .status-text').waitFor(),
        button.click(),
      ]);
    };
    const open = async (link) => {
      await page.goto('about:blank'); // a link followed in place runs its example, and the page tells of that too
      await page.goto(`${site.url}${link}`);
    };
    for (const [tab, result] of [
      ['reuse', 'reuse-sentence'],
      ['placement', 'placement-sentence'],
    ]) {
      await open(`#v=1&view.tab=${tab}`);
      await page.getByTestId(result).waitFor({ timeout: 60_000 });
      await copied(page.locator('.export').getByRole('button', { name: 'Copy link', exact: true }));
    }
    await open('#v=1&exercise=strides&seed=3');
    await page.getByTestId('learn-answer').waitFor();
    await copied(page.getByRole('button', { name: 'Link to this exercise with this seed' }));
    assert.match(await clipboard(page), /exercise=strides/);
  }, CLIPBOARD));

test('a copied link names no file that only another tab has', () =>
  withPage(async ({ page }) => {
    const link = async () => {
      await press(page, 'Copy link');
      await page.locator('.export').getByText('✓ Link copied.').waitFor();
      return decodeURIComponent(await clipboard(page));
    };
    await ready(page);
    await page.getByRole('tab', { name: 'Reuse' }).click();
    await page.getByTestId('reuse-sentence').waitFor({ timeout: 60_000 });
    await drop(page, 'body', [{ name: 'private.lackey', content: ' L 1000,4\n L 2000,4\n L 1000,4\n' }]);
    await page.waitForFunction(() => /private\.lackey.*reuse\.result=/.test(decodeURIComponent(location.hash)));
    const sha = /private\.lackey:\d+:([0-9a-f]{64})/.exec(decodeURIComponent(await address(page)))[1];
    assert.ok((await link()).includes(sha));
    await page.getByRole('tab', { name: 'Cache' }).click();
    await ready(page);
    const shared = await link();
    assert.doesNotMatch(shared, /private/);
    assert.ok(!shared.includes(sha));
    // A reload still has it.
    await linked(page, /private\.lackey/);
  }, CLIPBOARD));
