// The page in Firefox: a result, a comparison, a sweep, Back and Forward, a chart by keys, steps of a run. The same things have their full
// tests in Chromium.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { serveDist } from '../e2e/launch.mjs';
import { linksOf, openLink } from '../links/open.mjs';

const at = '#v=1&example=matvec-rows&gpu=gtx470-16k&model=paper';
let browser, site;

before(async () => {
  site = await serveDist();
  browser = await puppeteer.launch({ browser: 'firefox', executablePath: '/usr/bin/firefox-esr', headless: true });
});
after(async () => {
  await browser?.close();
  site?.close();
});

/** Opens the page with all details open in a profile of its own, and fails on what the page reports as trouble. */
async function withPage(use, hash = at) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const trouble = [];
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
  await page.setViewport({ width: 1280, height: 900 });
  await page.evaluateOnNewDocument(() => {
    if (location.protocol === 'http:') localStorage.setItem('warpscope.unfolded', 'all');
  });
  await page.goto(site.url + hash);
  await page.locator('[data-testid=verdict]').setTimeout(60_000).wait();
  await use(page);
  assert.deepEqual(trouble, []);
  await context.close();
}

const shown = (page, selector) => page.$eval(selector, (element) => element.innerText.replaceAll('\u202f', ''));
const says = (page, selector, text) =>
  page.waitForFunction((s, t) => document.querySelector(s)?.innerText.includes(t), { timeout: 60_000 }, selector, text);
const reads = (page, selector, text) =>
  page.waitForFunction(
    (s, t) => document.querySelector(s)?.innerText.replaceAll('\u202f', '') === t,
    { timeout: 60_000 },
    selector,
    text,
  );
const press = (page, name) => page.locator(`::-p-aria([name="${name}"][role="button"])`).click();

async function setWays(page, value) {
  await page.evaluate(() => (document.querySelector('.parameters').open = true));
  const input = await page.waitForSelector('#set-ways');
  await input.evaluate((element, text) => {
    element.value = text;
    element.dispatchEvent(new Event('change', { bubbles: true }));
  }, value);
}

test('the first result, and the same fingerprint as in Chromium', () =>
  withPage(async (page) => {
    assert.match(await shown(page, '[data-testid=verdict]'), /^Takes .* Loads ask for 101376 sectors/);
    // The engine runs again what was made with the page by node, and would say that it differs.
    await page.waitForFunction(() => document.querySelector('#result .export button:not([disabled])'));
    assert.doesNotMatch(await shown(page, '#result'), /differs/);
  }, ''));

test('a pinned run is compared with the next one', () =>
  withPage(async (page) => {
    await press(page, 'Pin as baseline');
    await says(page, '[data-testid=compare]', 'This run is the baseline.');
    await setWays(page, '8');
    await says(page, '[data-testid=compare]', 'Ways: 4 → 8');
    assert.match(await page.evaluate(() => location.hash), /base=/);
  }));

test('Back and Forward undo and redo a change', () =>
  withPage(async (page) => {
    const first = await shown(page, '[data-testid=verdict]');
    await setWays(page, '8');
    await page.waitForFunction(() => /set\.ways=8.*result=/.test(location.hash));
    await page.waitForFunction((old) => document.querySelector('[data-testid=verdict]').innerText !== old, {}, first);
    const second = await shown(page, '[data-testid=verdict]');
    await page.goBack();
    await reads(page, '[data-testid=verdict]', first);
    await page.waitForFunction(() => !/set\.ways/.test(location.hash));
    assert.equal(await page.$eval('#set-ways', (input) => input.value), '4');
    await page.goForward();
    await page.waitForFunction(() => document.querySelector('#set-ways')?.value === '8');
    // The field has its value before the run has its result.
    await reads(page, '[data-testid=verdict]', second);
  }));

test('a sweep runs on its workers', () =>
  withPage(async (page) => {
    await page.waitForSelector('.sweep-form button');
    await page.locator('.sweep-form button').click();
    await page.waitForFunction(() => document.querySelectorAll('[data-testid=sweep-result] tbody tr').length >= 4, {
      timeout: 60_000,
    });
    await page.waitForSelector('[data-testid=sweep-result] .drawing');
  }));

test('a chart is read by keys', () =>
  withPage(async (page) => {
    const slider = await page.waitForSelector('[role=slider]', { timeout: 60_000 });
    await slider.focus();
    await page.keyboard.press('Home');
    const told = () => slider.evaluate((element) => element.getAttribute('aria-valuetext'));
    assert.match(await told(), /^Distance 0,/);
    await page.keyboard.press('ArrowRight');
    assert.match(await told(), /^Distance 1,/);
  }));

test('an array is picked, and Back shows all again', () =>
  withPage(async (page) => {
    const row = await page.waitForSelector('[data-part=arrays] tbody button', { timeout: 60_000 });
    await row.click();
    await says(page, '.only .chip', 'Only');
    await page.goBack();
    await page.waitForFunction(() => !document.querySelector('.only .chip'));
    await page.goForward();
    await says(page, '.only .chip', 'Only');
  }, ''));

test('a miss of the whole GPU is found, explained and checked', () =>
  withPage(async (page) => {
    await page.waitForFunction(() => document.querySelector('.stepper input')?.value === '1', { timeout: 60_000 });
    await page.select('.why-pick select[name=outcome]', 'misses');
    await press(page, 'Find');
    await page.waitForFunction(() => /\d/.test(document.querySelector('.why-pick [role=status]')?.innerText ?? ''));
    await says(page, '.why-now', 'miss');
    await press(page, 'Check by running it');
    await page.waitForFunction(() => /one change|No change/.test(document.querySelector('.why-now')?.innerText ?? ''), {
      timeout: 60_000,
    });
  }, ''));

test('a run is stepped through', () =>
  withPage(async (page) => {
    await page.waitForFunction(() => document.querySelector('.stepper input')?.value === '1', { timeout: 60_000 });
    await says(page, '.why-now', 'compulsory miss');
    await press(page, 'Forward ▸');
    await page.waitForFunction(() => document.querySelector('.stepper input')?.value === '2');
  }));

test('stored links of all kinds are reproduced', { timeout: 900_000 }, async () => {
  const failed = [];
  for (const link of linksOf()) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    const why = await openLink({
      open: (hash) => page.goto(`${site.url}#${hash}`),
      give: async (files) => (await page.waitForSelector('input[type=file]')).uploadFile(...files),
      wait: (question, more) => page.waitForFunction(question, { timeout: 60_000 }, more),
      ask: (question) => page.evaluate(question),
      link,
    });
    if (why) failed.push(`${link}\n  ${why}`);
    await context.close();
  }
  assert.deepEqual(failed, []);
});
