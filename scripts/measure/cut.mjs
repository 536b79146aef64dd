// Texts that are cut in a window of 390 pixels, on every tab of dist/ with all details open, in each language.
//
//   npm run measure:cut -- [--width 390] [--lang zh]
import { parseArgs } from 'node:util';
import { atRest, cutTexts } from '../../tests/e2e/cut.mjs';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';
import { latin } from '../../tests/e2e/latin.mjs';
import { LANGUAGES, reveal, STATES } from './states.mjs';

const { values } = parseArgs({
  options: {
    width: { type: 'string', default: '390' },
    lang: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
  },
});

const site = await serveDist();
const browser = await launch();
let [cut, untold, working, looked] = [0, 0, 0, 0];
for (const lang of LANGUAGES.filter((one) => values.lang === '' || one === values.lang)) {
  const context = await browser.newContext({
    viewport: { width: Number(values.width), height: 844 },
    serviceWorkers: 'block',
  });
  await context.addInitScript(() => localStorage.setItem('warpscope.unfolded', 'all'));
  for (const [name, hash] of Object.entries(STATES).filter(([state]) => state.includes(values.only))) {
    const page = await context.newPage();
    await page.goto(`${site.url}#${hash}&lang=${lang}`);
    await page.waitForLoadState('networkidle');
    const rests = await atRest(page).then(
      () => true,
      () => false,
    );
    if (!rests) {
      console.log(`${lang}, ${name}: still at work after a minute`);
      working += 1;
    }
    await reveal(page);
    await page.waitForTimeout(700);
    const texts = await page.evaluate(cutTexts);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) texts.push(`the page is ${wide} px too wide`);
    // Sources of values are citations.
    const english = lang === 'en' ? [] : (await page.evaluate(latin)).filter((text) => !text.startsWith('来源：'));
    looked += 1;
    cut += texts.length;
    untold += english.length;
    for (const text of texts) console.log(`${lang}, ${name}: cut: ${text}`);
    for (const text of english) console.log(`${lang}, ${name}: English: ${text.slice(0, 160)}`);
    await page.close();
  }
  await context.close();
}
await browser.close();
site.close();
console.log(
  `${looked} states: ${cut} texts are cut, ${untold} are not translated, ${working} states did not come to rest`,
);
process.exit(looked > 0 && cut + untold + working === 0 ? 0 : 1);
