// The page where the browser has less to give: no storage, a full one, no SIMD; and two windows at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drop, saveReport, withPage } from './browser.mjs';

const TRACE = { name: 'a.trc', content: 'blocksize: 32 1 1\n0 0 4096 4\n1 0 8192 4\n' };

/** Opens the page anew with what `change` does to the browser before any script runs. */
async function anew(page, site, change, at = '') {
  await page.addInitScript(change);
  await page.goto('about:blank');
  await page.goto(site.url + at);
}

/** Reads a file, runs it, and makes its report. */
async function works(page) {
  await page.getByTestId('verdict').waitFor();
  await drop(page, 'body', [TRACE]);
  await page.waitForFunction(() => /file=a\.trc.*result=/.test(location.hash));
  // What another visit has opened is folded where nothing is kept.
  const folded = page.getByRole('button', { name: 'Open all details' });
  if ((await folded.count()) > 0) await folded.first().click();
  assert.match((await saveReport(page)).fingerprint, /^[0-9a-f]{32}$/);
}

test('a browser that forbids its storage has a page that works', () =>
  withPage(async ({ page, site }) => {
    await anew(page, site, () => {
      const forbidden = {
        get: () => {
          throw new DOMException('forbidden', 'SecurityError');
        },
      };
      for (const name of ['indexedDB', 'localStorage', 'sessionStorage', 'caches'])
        Object.defineProperty(globalThis, name, forbidden);
    });
    await works(page);
  }));

test('a full storage keeps nothing, and the page works', () =>
  withPage(async ({ page, site }) => {
    await anew(page, site, () => {
      const full = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
      IDBObjectStore.prototype.put = full;
      Storage.prototype.setItem = full;
    });
    await works(page);
    // Its link names a file that the browser could not keep.
    await page.reload();
    await page.getByText('This link needs a file').first().waitFor();
  }));

test('a browser without SIMD is told what is missing, and the command that does the same', () =>
  withPage(async ({ page, site }) => {
    const link = '#v=1&example=stencil&gpu=a100&model=gpu';
    await anew(
      page,
      site,
      () => {
        WebAssembly.validate = () => false;
      },
      link,
    );
    await page.getByText('Warpscope needs WebAssembly SIMD').waitFor();
    assert.equal(await page.locator('pre').innerText(), "warpscope open 'v=1&example=stencil&gpu=a100&model=gpu'");
  }));

test('two windows share what is kept, and neither breaks the other', { timeout: 120_000 }, () =>
  withPage(async ({ page, context, site }) => {
    const other = await context.newPage();
    await other.goto(site.url);
    await other.getByTestId('verdict').waitFor();
    await page.getByTestId('verdict').waitFor();
    await Promise.all([
      drop(page, 'body', [TRACE]),
      drop(other, 'body', [{ ...TRACE, name: 'b.trc', content: `${TRACE.content}2 0 12288 4\n` }]),
    ]);
    const done = (one, name) =>
      one.waitForFunction((n) => location.hash.includes(`file=${n}`) && location.hash.includes('result='), name);
    await Promise.all([done(page, 'a.trc'), done(other, 'b.trc')]);
    // Each finds the other's file.
    const link = await other.evaluate(() => location.hash);
    await page.waitForTimeout(500);
    await page.evaluate((hash) => (location.hash = hash), link);
    await page.getByTestId('reproduced').waitFor();
    // All is forgotten in one window while the other runs.
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Forget all' }).click();
    await other.locator('#gpu').selectOption('a100');
    await other.waitForFunction(() => /gpu=a100.*result=/.test(location.hash));
    assert.equal(await other.getByRole('heading', { name: 'Something broke' }).count(), 0);
  }),
);
