// What a person did and gave to the page is not lost: Back and Forward, files and texts that a reload brings back, and
// having all of it forgotten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceOf } from './arrays-trace.mjs';
import { address, assertAccessible, drop, linked, withPage } from './browser.mjs';
import { textOf, TWICE, write } from './typing.mjs';

const shows = (page, part) => page.waitForFunction((p) => new RegExp(`${p}.*result=`).test(location.hash), part);
/** The address of a step comes before its result. */
const says = (page, verdict) =>
  page.waitForFunction((v) => document.querySelector('[data-testid=verdict]')?.innerText === v, verdict);
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

test('Back undoes each change and Forward redoes it; quick edits of one field are one step, and results are none', () =>
  withPage(
    async ({ page }) => {
      await shows(page, 'example=matvec-rows');
      await page.evaluate(() => document.querySelector('details.parameters').setAttribute('open', ''));
      const ways = page.locator('#set-ways');
      const [verdict, entries] = [
        await page.getByTestId('verdict').innerText(),
        () => page.evaluate(() => history.length),
      ];
      const before = await entries();
      const set = async (value) => {
        await ways.fill(value);
        await ways.press('Enter');
        await shows(page, `set.ways=${value}`);
      };
      const own = await ways.inputValue();
      assert.equal(own, '4');
      await set('8');
      const changed = await page.getByTestId('verdict').innerText();
      assert.notEqual(changed, verdict);
      assert.equal(await entries(), before + 1);
      await page.goBack();
      await page.waitForFunction(() => document.querySelector('#set-ways').value === '4');
      await says(page, verdict);
      await page.goForward();
      await page.waitForFunction(() => document.querySelector('#set-ways').value === '8');
      await says(page, changed);
      // A tab, without a run.
      await page.getByRole('tab', { name: /Topology/ }).click();
      await page.waitForFunction(() => /view\.tab=topology/.test(location.hash));
      assert.equal(await page.title(), 'Topology · Warpscope');
      assert.equal(await entries(), before + 2);
      await page.goBack();
      await page.getByTestId('verdict').waitFor();
      assert.match(await page.title(), /^Warpscope: /);
      assert.equal(await entries(), before + 2);
      // Another source, and back to the edited one.
      await page.evaluate(() => (location.hash = '#v=1&example=vector-add&gpu=gtx470-16k&model=paper'));
      await shows(page, 'example=vector-add');
      await page.goBack();
      await says(page, changed);
    },
    { at: '#v=1&example=matvec-rows&gpu=gtx470-16k&model=paper' },
  ));

test('a tab that is chosen while a link runs is a step after the link', () =>
  withPage(
    async ({ page }) => {
      // Where the run ends before the click, the tab is a step as well.
      await page.getByTestId('progress').waitFor();
      const entries = () => page.evaluate(() => history.length);
      const before = await entries();
      await page.getByRole('tab', { name: 'Topology' }).click();
      await page.waitForURL(/view\.tab=topology/);
      await shows(page, 'example=matmul-naive');
      await linked(page, /view\.tab=topology/);
      assert.equal(await entries(), before + 1);
      await page.goBack();
      await shows(page, 'example=matmul-naive');
      assert.doesNotMatch(await address(page), /view/);
      assert.equal(await entries(), before + 1);
    },
    { at: '#v=1&example=matmul-naive&gpu=a100&model=gpu&cuda.size.n=256' },
  ));

test('a tab that is chosen the moment a link has run leaves the result in the address', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    await page.evaluate(() => {
      const seen = document.querySelector('[data-testid=verdict]');
      const before = seen.innerText;
      // Before the worker has made the link of the run.
      new MutationObserver((_, observer) => {
        if (document.querySelector('[data-testid=verdict]')?.innerText === before) return;
        observer.disconnect();
        [...document.querySelectorAll('[role=tab]')][1].click();
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
      location.hash = '#v=1&example=transpose&model=paper&seed=5';
    });
    await page.waitForFunction(() => location.hash.includes('view.tab=kernel'));
    await linked(page, /example=transpose.*view\.tab=kernel.*result=/);
  }));

test('a change that waits to be run is a step too', () =>
  withPage(
    async ({ page }) => {
      // A clock that makes every run a long one, after which changes wait.
      await page.addInitScript(() => {
        const now = performance.now.bind(performance);
        performance.now = () => 1000 * now();
      });
      await page.reload();
      await shows(page, '');
      const verdict = await page.getByTestId('verdict').innerText();
      const waits = page.getByRole('button', { name: 'Run with the new settings' });
      await page.locator('.parameters > summary').click();
      await page.locator('#set-ways').fill('8');
      await page.locator('#set-ways').press('Tab');
      await page.waitForFunction(() => /set\.ways=8/.test(location.hash));
      await waits.waitFor();
      assert.doesNotMatch(await address(page), /result=/);
      await page.goBack();
      await shows(page, '');
      await waits.waitFor({ state: 'detached' });
      assert.equal(await page.locator('#set-ways').inputValue(), '4');
      await page.goForward();
      await waits.waitFor();
      assert.equal(await page.getByTestId('verdict').innerText(), verdict, 'nobody ran it');
      await waits.click();
      await shows(page, '');
      await linked(page, /set\.ways=8/);
      assert.notEqual(await page.getByTestId('verdict').innerText(), verdict);
    },
    { at: '#v=1&example=matvec-rows&gpu=gtx470-16k&model=paper' },
  ));

test('unrun drafts survive another example and a reload; a run text too long for the link survives a reload', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.getByRole('checkbox', { name: /pause/i }).uncheck();
      await write(page, `${TWICE}// not run`);
      await page.locator('#example').selectOption('vector-add');
      await page.getByText('Changed and not run:').waitFor();
      await page.getByRole('button', { name: /^edited\.cu, / }).click();
      await holds(page, `${TWICE}// not run`);
      await shows(page, 'example=vector-add'); // a reload before would open the example of before, with the text put aside
      await page.reload();
      await holds(page, `${TWICE}// not run`);
      await page.getByText('Changed: run it').waitFor();
      await write(page, LONG);
      await page.keyboard.press('Control+Enter');
      await shows(page, 'file=edited.cu');
      await kept(page, 1);
      assert.doesNotMatch(await address(page), /cuda\.text/);
      await page.reload();
      await holds(page, LONG);
      await shows(page, 'file=edited.cu');
      assert.equal(await textOf(page), LONG);
    },
    { at: '#v=1&view.tab=kernel' },
  ));

test('a dropped file survives a reload and stands among the recent runs, until all is forgotten', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    await drop(page, 'body', [{ name: 'kept.traceg', content: traceOf({ blocks: 2, steps: 2 }) }]);
    await shows(page, 'file=kept.traceg');
    await kept(page, 1);
    const verdict = await page.getByTestId('verdict').innerText();
    await page.reload();
    await says(page, verdict);
    await page.evaluate(() => (location.hash = '#v=1&example=vector-add'));
    await shows(page, 'example=vector-add');
    await page.locator('[data-fold=recent] summary').click();
    const recent = page.locator('.recent');
    await recent.getByRole('link', { name: 'vector-add' }).waitFor();
    await assertAccessible(page, { runOnly: ['wcag2a', 'wcag2aa'] });
    await recent.getByRole('link', { name: 'kept.traceg' }).click();
    await says(page, verdict);
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.evaluate(() => sessionStorage.setItem('warpscope.drafts', '{}'));
    await page.getByRole('button', { name: 'Forget all' }).click();
    await page.getByText('All that was kept in this browser is deleted.').waitFor();
    await recent.getByRole('link').first().waitFor({ state: 'detached' });
    assert.deepEqual(await page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage })), []);
    await page.reload();
    await page.getByRole('heading', { name: 'This link needs a file' }).waitFor();
  }));

test('where storage is forbidden the page goes on without it, and Back still finds a dropped file', () =>
  withPage(
    async ({ page }) => {
      await page.addInitScript(() => {
        const forbidden = {
          get() {
            throw new DOMException('no', 'SecurityError');
          },
        };
        for (const name of ['indexedDB', 'localStorage', 'sessionStorage'])
          Object.defineProperty(globalThis, name, forbidden);
      });
      await page.reload();
      await settled(page);
      await drop(page, 'body', [{ name: 'twice.cu', content: LONG }]);
      await holds(page, LONG);
      await shows(page, 'file=twice.cu');
      await page.locator('#example').selectOption('vector-add');
      await shows(page, 'example=vector-add');
      await page.goBack();
      await holds(page, LONG);
      await page.getByRole('tab', { name: /Cache/ }).click();
      await page.locator('[data-fold=recent] summary').click();
      await page.getByText('Nothing is kept.').waitFor();
      await page.getByRole('button', { name: 'Forget all' }).click();
      await page.getByText('The browser’s storage does not answer.').waitFor();
      assert.equal(await page.getByRole('heading', { name: 'Something broke' }).count(), 0);
    },
    { at: '#v=1&view.tab=kernel' },
  ));

test('a link that comes while another one is read keeps nothing of its view', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    // Each has its event before the first one has been read.
    await page.evaluate(async () => {
      for (const link of ['view.tab=kernel&view.kernel.line=3', 'gpu=gtx470-16k&seed=3']) {
        const heard = new Promise((done) => addEventListener('hashchange', done, { once: true }));
        location.hash = `#v=1&example=vector-add&${link}`;
        await heard;
      }
    });
    await shows(page, 'seed=3');
    assert.doesNotMatch(await address(page), /view/);
    assert.equal(await page.getByRole('tab', { name: /Cache/ }).getAttribute('aria-selected'), 'true');
  }));
