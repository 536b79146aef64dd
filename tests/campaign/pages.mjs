// A page of dist/ in headless Chromium for the parts of the campaign that need one, and what must not happen in it.
import { drop } from '../e2e/drop.mjs';
import { launch, serveDist } from '../e2e/launch.mjs';

/** Hands `use` a fresh page, and a list of the troubles that it met. */
export async function withFresh(use, { at = '', context: more = {}, init } = {}) {
  const site = await serveDist();
  const browser = await launch();
  try {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      serviceWorkers: 'block',
      locale: 'en-GB',
      ...more,
    });
    const page = await context.newPage();
    const trouble = [];
    page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
    page.on('crash', () => trouble.push('the page crashed'));
    page.on('dialog', (dialog) => (trouble.push(`a dialog: ${dialog.message()}`), void dialog.dismiss()));
    page.on('popup', (other) => trouble.push(`a window: ${other.url()}`));
    context.on('request', (request) => {
      const url = request.url();
      if (/^(https?|wss?):/.test(url) && !url.startsWith(site.url)) trouble.push(`asked for ${url}`);
    });
    if (init) await init(page);
    await page.goto(site.url + at);
    return await use({ page, site, context, trouble });
  } finally {
    await browser.close();
    site.close();
  }
}

export { drop };

/** A run of a known link whose result is known, after whatever came before. */
export async function runsRight(page, timeout = 60_000) {
  await page.evaluate(() => (location.hash = '#v=1&example=vector-add&view.tab=cache'));
  await page.evaluate(() => (location.hash = '#v=1&example=vector-add&gpu=gtx470-16k&seed=3'));
  // Of the Cache tab: the address can hold the result of another tab first.
  const found = await page
    .waitForFunction(() => /example=vector-add.*seed=3.*&result=([0-9a-f]{32})/.exec(location.hash)?.[1], null, {
      timeout,
    })
    .then((handle) => handle.jsonValue())
    .catch(() => null);
  return found;
}

let undisturbed = null;

/** The result of that run in a page of its own that nothing has disturbed; asked for once in a process. */
export function rightResult() {
  undisturbed ??= withFresh(async ({ page, trouble }) => {
    const result = await runsRight(page);
    if (result === null || trouble.length > 0)
      throw new Error(`a page that nothing disturbs gives ${result} for the known run: ${trouble.join('; ')}`);
    return result;
  });
  return undisturbed;
}
