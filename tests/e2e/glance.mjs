// What a tab shows at a glance: words in sight and where its answer ends.

/** Each tab on its built-in example, the element that holds its answer, and how many words it may show. */
export const TABS = [
  { name: 'Cache', at: '', answer: '.verdict', words: 450 },
  // Its verdict is whole when the other seeds and parameters have run.
  { name: 'Cache, one L1', at: '#v=1&gpu=gtx470-48k', answer: '.verdict', words: 450, after: 'depends most' },
  { name: 'Kernel', at: '#v=1&view.tab=kernel', answer: '.code', words: 450 },
  { name: 'Reuse', at: '#v=1&view.tab=reuse', answer: '.verdict', words: 450 },
  { name: 'Topology', at: '#v=1&view.tab=topology', answer: '.hierarchy', words: 450 },
  { name: 'Placement', at: '#v=1&view.tab=placement', answer: '.verdict', words: 600 },
];

/** The answer of a screen of 1280 pixels ends in its first ones. */
const FIRST_PX = 900;

/** Opens a tab, measures it at both widths and says what is beyond a limit. */
export async function glance(browser, url, { name, at, answer, words: most, after = '' }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(url + at);
  await page.locator(answer).first().waitFor();
  await page.locator('.folded, .code').first().waitFor();
  await page.waitForFunction(
    () =>
      !document.querySelector('[aria-busy="true"], progress') &&
      document.querySelectorAll('.figure-frame > svg').length === document.querySelectorAll('.figure-frame').length,
  );
  await page.locator(answer).first().filter({ hasText: after }).waitFor({ timeout: 60_000 });
  const wide = await page.evaluate(measure, answer);
  await page.setViewportSize({ width: 390, height: 844 });
  const narrow = await page.evaluate(measure, answer);
  await context.close();
  const problems = [];
  if (wide.words > most) problems.push(`${name}: ${wide.words} words in sight, at most ${most}`);
  if (wide.bottom > FIRST_PX) problems.push(`${name}: the answer ends at ${wide.bottom} px, after ${FIRST_PX}`);
  if (narrow.wider > 0) problems.push(`${name}: ${narrow.wider} px wider than a screen of 390 px`);
  return { wide, narrow, problems };
}

/** Words without the options of menus, the lower edge of the answer, and by how much the page is wider than the screen. */
function measure(answer) {
  const options = [...document.querySelectorAll('option')].map((option) => [option, option.textContent]);
  for (const [option] of options) option.textContent = '';
  const words = document.body.innerText.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  for (const [option, text] of options) option.textContent = text;
  return {
    words,
    bottom: Math.round(document.querySelector(answer).getBoundingClientRect().bottom + scrollY),
    wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
}
