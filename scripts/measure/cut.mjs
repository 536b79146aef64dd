// Texts that are cut in a window of 390 pixels, on every tab of dist/ with all details open, in each language.
//
//   npm run measure:cut -- [--width 390] [--lang zh]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { atRest, cutTexts } from '../../tests/e2e/cut.mjs';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';
import { latin } from '../../tests/e2e/latin.mjs';

const { values } = parseArgs({
  options: {
    width: { type: 'string', default: '390' },
    lang: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
  },
});
const languages = Object.keys(JSON.parse(readFileSync(new URL('../../www/content/languages.json', import.meta.url))));

const RUN = 'v=1&example=matvec-rows&gpu=rtx3060&model=gpu';
const BASE = encodeURIComponent('v=1&example=matvec-columns&gpu=rtx3060&model=gpu');
const course = JSON.parse(readFileSync(new URL('../../crates/course/course.json', import.meta.url)));
/** Every tab and mode, and every exercise. */
export const STATES = {
  'the whole GPU': RUN,
  'one L1': 'v=1&example=matmul-naive&gpu=gtx470-16k',
  'a pair': `${RUN}&base=${BASE}`,
  'a step': 'v=1&example=matmul-naive&gpu=gtx470-16k&view.why=12',
  'a link that is wrong': 'v=1&example=stencil&set.ways=0',
  'a missing file': `v=1&file=a.trc%3A12%3A${'ab'.repeat(32)}`,
  kernel: `${RUN}&view.tab=kernel`,
  reuse: `${RUN}&view.tab=reuse`,
  topology: `${RUN}&view.tab=topology`,
  discover: `${RUN}&view.tab=topology&view.topology.mode=discover`,
  measure: `${RUN}&view.tab=topology&view.topology.mode=machine`,
  placement: 'v=1&example=matmul-naive&cuda.size.n=32&gpu=k20c&view.tab=placement',
  memory: `${RUN}&view.tab=placement&view.placement.mode=memory`,
  learn: `${RUN}&view.tab=learn`,
  'self-check': `${RUN}&view.tab=check`,
  ...Object.fromEntries(course.map((id) => [`exercise ${id}`, `v=1&exercise=${id}&seed=2`])),
};

const site = await serveDist();
const browser = await launch();
let [cut, untold, working, looked] = [0, 0, 0, 0];
for (const lang of languages.filter((one) => values.lang === '' || one === values.lang)) {
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
