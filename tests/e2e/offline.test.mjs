// The page without a network, and what happens when a newer version is published.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { writeWorker } from '../../scripts/build/offline.mjs';
import { serve } from '../../scripts/build/serve.mjs';
import { dist, inFirefox, launch, OPTIMISE_LATE } from './launch.mjs';
import { withPage } from './browser.mjs';

const WORKER = { context: { serviceWorkers: 'allow' } };
const kept = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
const verdict = (page) => page.getByTestId('verdict');
const idle = (page) =>
  page.waitForFunction(() => !document.querySelector('[data-testid$=progress], [aria-busy=true]'), null, {
    timeout: 60_000,
  });

/** Opens each tab, and runs something in it. */
async function useAllTabs(page) {
  await verdict(page).waitFor();
  const before = await verdict(page).innerText();
  await page.locator('#example').selectOption('transpose');
  await page.waitForFunction(() => /example=transpose.*result=/.test(location.hash));
  assert.notEqual(await verdict(page).innerText(), before);
  await page.getByRole('tab', { name: /Kernel/ }).click();
  await page.locator('.cm-content', { hasText: 'void transpose' }).waitFor();
  await page.getByRole('tab', { name: /Reuse/ }).click();
  await page.getByTestId('reuse-sentence').waitFor();
  await page.getByRole('tab', { name: /Topology/ }).click();
  await page.locator('.hierarchy svg').first().waitFor();
  await page.getByRole('radio', { name: 'Discover', exact: true }).check();
  await page.locator('.bench').first().waitFor();
  await page.getByRole('tab', { name: /Placement/ }).click();
  await page.getByTestId('look').waitFor({ timeout: 60_000 });
  await idle(page);
}

test('after the first visit all tabs work with the network cut', { timeout: 180_000 }, () =>
  withPage(async ({ page, site }) => {
    await verdict(page).waitFor();
    await kept(page);
    site.cut();
    const asked = site.seen.length;
    await page.reload();
    await useAllTabs(page);
    await page.getByRole('button', { name: '?', exact: true }).or(page.locator('button.round')).first().click();
    await page.locator('dialog.help dl.keys').waitFor();
    assert.equal(site.seen.length, asked, 'a request reached the server');
  }, WORKER),
);

test('a visit asks for the files that it keeps only after its result and its engine', () =>
  withPage(async ({ page, site }) => {
    await kept(page);
    const at = (pattern) => site.seen.findIndex((line) => pattern.test(line));
    assert.ok(at(/\.wasm$/) > 0);
    assert.ok(at(/sw\.js$/) > at(/\.wasm$/));
    // What only other tabs need comes after it.
    assert.ok(at(/topology\.[0-9a-f]+\.js$/) > at(/sw\.js$/));
  }, WORKER));

const ofChromium = inFirefox && 'only Chromium tells a test whether a page can be installed';
test('the page can be installed', { skip: ofChromium }, () =>
  withPage(async ({ page, context }) => {
    await kept(page);
    const session = await context.newCDPSession(page);
    const { data, errors } = await session.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    const { icons, start_url: start } = JSON.parse(data);
    assert.equal(start, './');
    for (const { src, sizes } of icons) {
      const size = await page.evaluate(async (name) => {
        const image = new Image();
        image.src = name;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      assert.equal(size, sizes, src);
    }
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    assert.deepEqual(installabilityErrors, []);
  }, WORKER),
);

const folder = mkdtempSync(path.join(tmpdir(), 'site-'));
after(() => rmSync(folder, { recursive: true }));

/** Makes a newer version of the site in `folder`: a mark in the document, and the code of a tab under another name. */
async function publish() {
  const [old] = readdirSync(folder).filter((name) => /^topology\.[0-9a-f]{8}\.js$/.test(name));
  const hash = old.split('.')[1];
  for (const name of readdirSync(folder)) {
    if (!/\.(js|html)$/.test(name)) continue;
    const file = path.join(folder, name);
    const text = readFileSync(file, 'utf8').replaceAll(hash, '0badcafe');
    writeFileSync(file, name === 'index.html' ? text.replace('<html', '<html data-newer') : text);
  }
  renameSync(path.join(folder, old), path.join(folder, 'topology.0badcafe.js'));
  await writeWorker(folder);
}

const marked = () => document.documentElement.hasAttribute('data-newer');
const isNewer = (page) => page.evaluate(marked);
const newer = (page) => page.getByText('A newer version of this page is ready.');

// Not the harness's pages: the site changes under them.
test(
  'a newer version says so, waits for a word, and leaves other windows their files',
  { timeout: 120_000 },
  async () => {
    cpSync(dist, folder, { recursive: true, filter: (file) => !/\.(br|gz)$/.test(file) });
    const site = await serve(folder, { prefix: '/repo/' });
    const browser = await launch([OPTIMISE_LATE]);
    try {
      const context = await browser.newContext({ serviceWorkers: 'allow' });
      const [page, other] = [await context.newPage(), await context.newPage()];
      await page.goto(site.url);
      await kept(page);
      await other.goto(site.url);
      await verdict(other).waitFor();
      // The first worker took over quietly.
      assert.equal(await newer(page).count(), 0);
      await publish();
      await page.reload();
      await newer(page).waitFor();
      await page.waitForTimeout(300);
      assert.equal(await isNewer(page), false, 'the page changed without a word');
      await page.getByRole('button', { name: 'Reload' }).click();
      await page.waitForFunction(marked);
      await verdict(page).waitFor();
      // The other window stays as it is, says so, and still finds the code of a tab that is published no more.
      await newer(other).waitFor();
      assert.equal(await isNewer(other), false);
      await other.getByRole('tab', { name: /Topology/ }).click();
      await other.locator('.hierarchy svg').first().waitFor();
      await other.getByRole('button', { name: 'Reload' }).click();
      await other.waitForFunction(marked);
      // With one window left, the files of the version before go.
      await other.close();
      await page.reload();
      await page.waitForFunction(async () => {
        const [name] = await caches.keys();
        const files = (await (await caches.open(name)).keys()).map(({ url }) => url);
        const tabs = files.filter((url) => url.includes('/topology.') && url.endsWith('.js'));
        return tabs.length === 1 && tabs[0].endsWith('0badcafe.js');
      });
    } finally {
      await browser.close();
      site.close();
    }
  },
);
