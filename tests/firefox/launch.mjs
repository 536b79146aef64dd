// Firefox ESR, driven as the tests drive Chromium.
import { fileURLToPath } from 'node:url';
import { firefox } from 'playwright-core';

const relay = fileURLToPath(new URL('relay.mjs', import.meta.url));
/** A longer text is put in at once: by keys it takes seconds. */
const TYPED = 100;

/** Headless Firefox ESR. What `npm run test:firefox` installs must be there. */
export async function launchFirefox() {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: relay,
    headless: true,
    // The panel takes the focus from the page, which then hears of no change of a field.
    firefoxUserPrefs: { 'browser.download.alwaysOpenPanel': false },
    timeout: 60_000,
  });
  const page = await browser.newPage();
  typeToFill(Object.getPrototypeOf(page.locator('html')));
  await page.close();
  return browser;
}

/** Firefox tells no change of a field that a program filled, as Playwright does here. A person types, and so does this. */
function typeToFill(locator) {
  const { fill } = locator;
  locator.fill = async function (text, options) {
    if (text.length > TYPED || text.includes('\n')) return fill.call(this, text, options);
    await this.selectText(options);
    const { keyboard } = this.page();
    return text === '' ? keyboard.press('Delete') : keyboard.type(text);
  };
}
