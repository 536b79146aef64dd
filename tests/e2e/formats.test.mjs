// Files whose content fits several formats: the page asks, a person chooses, and the link carries the choice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { address, assertAccessible, drop, linked, saveReport, withPage } from './browser.mjs';

/** Lines of a .trc without its first one: a table of four columns fits just as well. */
const numbers = Array.from(
  { length: 640 },
  (_, i) => `${i % 64} 0 ${(1 << 20) + (i % 64) * 4096 + (i >> 6) * 4} 4\n`,
).join('');

const idle = (page) => page.waitForFunction(() => !document.querySelector('[data-testid=progress]'));
const link = (page, pattern) => page.waitForFunction((text) => new RegExp(text).test(location.hash), pattern);
const verdict = (page) => page.getByTestId('verdict');

test('a tie is asked about in sight, and the answer can be changed', () =>
  withPage(async ({ page }) => {
    await verdict(page).waitFor();
    await drop(page, 'main', [{ name: 'numbers', content: numbers }]);
    const ask = page.locator('.ask');
    await ask.waitFor();
    assert.match(
      await ask.innerText(),
      /numbers could be Ocelot \.trc or CSV of addresses\. It was read as Ocelot \.trc\./,
    );
    await link(page, 'file=numbers.*result=');
    assert.doesNotMatch(await page.evaluate(() => location.hash), /as\.1/, 'its content is enough');
    const before = await verdict(page).innerText();
    await assertAccessible(page);

    await ask.getByRole('button', { name: 'Read as CSV of addresses' }).click();
    const refused = page.locator('.contents', { hasText: 'Address streams, for the Reuse tab' });
    await refused.waitFor();
    assert.equal(await ask.count(), 0, 'it is settled');
    assert.equal(await verdict(page).innerText(), before, 'the result stays');
    await refused.locator('summary').first().click();
    const row = refused.locator('tbody tr').first();
    assert.match(await row.innerText(), /your choice/);
    assert.equal(await row.getByRole('combobox').inputValue(), 'csv');
    await assertAccessible(page);

    await row.getByRole('combobox').selectOption('trc');
    await refused.waitFor({ state: 'detached' });
    await idle(page);
    assert.equal(await ask.count(), 0);
    assert.equal(await verdict(page).innerText(), before);
  }));

test('a choice travels in the link and reproduces the result under any name', () =>
  withPage(async ({ page, browser }) => {
    await verdict(page).waitFor();
    // By its name it is a table, of which no kernel comes.
    await drop(page, 'main', [{ name: 'kernel.csv', content: numbers }]);
    const refused = page.locator('.contents', { hasText: 'Address streams, for the Reuse tab' });
    await refused.locator('summary').first().click();
    await refused.getByRole('combobox', { name: 'Read kernel.csv as' }).selectOption('trc');
    await link(page, 'as\\.1=trc.*result=');
    for (const name of ['kernel.csv', 'other', 'other.csv']) {
      const fresh = await (await browser.newContext()).newPage();
      await fresh.goto(await address(page));
      await fresh.locator('.wanted').waitFor();
      await drop(fresh, 'main', [{ name, content: numbers }]);
      await fresh.getByTestId('reproduced').waitFor();
      await linked(fresh, /as\.1=trc/, name);
      await fresh.context().close();
    }
  }));

test('a large file is hashed by a worker of its own, to the same hash', () =>
  withPage(async ({ page, site }) => {
    await verdict(page).waitFor();
    // The worker that owns the scenario is there, and does nothing that a drop would end.
    await saveReport(page);
    let helpers = 0;
    page.on('worker', () => (helpers += 1));
    const made = await page.evaluate(async (part) => {
      const file = new File(['blocksize: 64 1 1\n', ...Array(1000).fill(part)], 'large.trc');
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
      const data = new DataTransfer();
      data.items.add(file);
      dispatchEvent(new DragEvent('drop', { dataTransfer: data }));
      return { size: file.size, hash: [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('') };
    }, numbers);
    assert.ok(made.size > 4 << 20, `${made.size}`);
    await link(page, `file=large\\.trc%3A${made.size}%3A${made.hash}`);
    assert.equal(helpers, 1, 'a worker was started');
    assert.equal(
      site.seen.filter((line) => line.endsWith('.wasm')).length,
      1,
      'with the engine that was compiled before',
    );
  }));
