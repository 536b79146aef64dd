// What a person did and gave to the page is not lost: Back and Forward, files and texts that a reload brings back, and
// having all of it forgotten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceOf } from './arrays-trace.mjs';
import { drop, withPage } from './browser.mjs';
import { textOf, TWICE, write } from './typing.mjs';

const shows = (page, part) => page.waitForFunction((p) => new RegExp(`${p}.*result=`).test(location.hash), part);
const settled = async (page) => {
  await page.locator('.cm-content').waitFor();
  await page.waitForFunction(() => !document.querySelector('.progress'));
};
const holds = (page, text) =>
  page.waitForFunction(
    (t) =>
      document.querySelector('.editor')?.shadowRoot?.querySelector('.cm-content')?.cmTile.view.state.doc.toString() ===
      t,
    text,
  );

/** Waits until the database holds `count` files: a person's reload comes later than a test's. */
const kept = (page, count) =>
  page.waitForFunction(
    (n) =>
      new Promise((give) => {
        const open = indexedDB.open('warpscope');
        open.onupgradeneeded = () => open.transaction.abort();
        open.onerror = () => give(false);
        open.onsuccess = () => {
          const list = open.result.transaction('kept').objectStore('kept').get('files');
          list.onsuccess = () => (open.result.close(), give(list.result?.length === n));
        };
      }),
    count,
  );

/** More than a link carries, even packed. */
const LONG = `${TWICE}${Array.from({ length: 700 }, (_, i) => `// ${(Math.imul(i + 1, 2654435761) >>> 0).toString(36)}${i}`).join('\n')}`;

test('unrun drafts survive another example and a reload; a run text too long for the link survives a reload', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await write(page, `${TWICE}// not run`);
      await page.locator('#example').selectOption('vector-add');
      await page.getByText('Changed and not run:').waitFor();
      await page.getByRole('button', { name: /^matvec-rows\.cu, / }).click();
      await holds(page, `${TWICE}// not run`);
      await page.reload();
      await holds(page, `${TWICE}// not run`);
      await page.getByText('Changed: run it').waitFor();
      await write(page, LONG);
      await page.keyboard.press('Control+Enter');
      await shows(page, 'file=matvec-rows.cu');
      await kept(page, 1);
      assert.doesNotMatch(page.url(), /cuda\.text/);
      await page.reload();
      await holds(page, LONG);
      await shows(page, 'file=matvec-rows.cu');
      assert.equal(await textOf(page), LONG);
    },
    { at: '#v=1&view.tab=kernel' },
  ));

test('dropped files survive a reload', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    await drop(page, 'body', [{ name: 'kept.traceg', content: traceOf({ blocks: 2, steps: 2 }) }]);
    await shows(page, 'file=kept.traceg');
    await kept(page, 1);
    const verdict = await page.getByTestId('verdict').innerText();
    await page.reload();
    await shows(page, 'file=kept.traceg');
    assert.equal(await page.getByTestId('verdict').innerText(), verdict);
  }));
