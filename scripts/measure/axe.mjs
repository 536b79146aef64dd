// What axe finds in dist/ in both themes, at 1280 and 390 px: after each interaction of each tab in English, and in every tab, mode and
// exercise with all details open, in each language. Exercises show verdict, hints and solution.
//
//   npm run measure:axe -- [--only WORD] [--look 1|2|3|4]
//
// It prints a line per width and theme, and each fault with the state it stands in. The exit code is 1 if there is one, or if a page is
// wider than its screen. All of it takes about half an hour.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { atRest } from '../../tests/e2e/cut.mjs';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';
import { SCENES, settle } from './interactions.mjs';
import { LANGUAGES, reveal, STATES } from './states.mjs';

const { values: options } = parseArgs({
  options: { only: { type: 'string', default: '' }, look: { type: 'string', default: '' } },
});
const LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
].filter((_, index) => options.look === '' || index + 1 === Number(options.look));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rule, element and help of each fault, and by how much the page is too wide. */
async function faultsOf(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const found = violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(' ')}: ${v.help}`));
  return beyond > 0 ? [...found, `${beyond} px too wide`] : found;
}

const site = await serveDist();
const browser = await launch();
let faults = 0;
try {
  for (const { width, colorScheme } of LOOKS) {
    const found = new Map();
    let states = 0;
    for (const { name, at, steps } of SCENES.filter((scene) => scene.name.includes(options.only))) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      for (const [what, act, until] of [['opened', () => page.goto(site.url + at)], ...steps]) {
        // These two change the theme that is looked at.
        if (what === 'dark' || what === 'light') continue;
        try {
          await act(page);
          if (until) await page.locator(until).first().waitFor({ timeout: 60_000 });
          await settle(page);
        } catch (error) {
          throw new Error(`${name}: ${what}, ${width} px: ${error.message}`, { cause: error });
        }
        states += 1;
        for (const fault of await faultsOf(page)) found.set(fault, found.get(fault) ?? `${name}: ${what}`);
      }
      await context.close();
    }
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      serviceWorkers: 'block',
    });
    await context.addInitScript(() => localStorage.setItem('warpscope.unfolded', 'all'));
    for (const lang of LANGUAGES)
      for (const [name, hash] of Object.entries(STATES).filter(([state]) => state.includes(options.only))) {
        const page = await context.newPage();
        await page.goto(`${site.url}#${hash}&lang=${lang}`);
        await page.waitForLoadState('networkidle');
        await atRest(page);
        await reveal(page);
        await settle(page);
        states += 1;
        for (const fault of await faultsOf(page)) found.set(fault, found.get(fault) ?? `${lang}, ${name}`);
        await page.close();
      }
    await context.close();
    console.log(`${width} px, ${colorScheme}: ${states} states, ${found.size} faults`);
    for (const [fault, state] of found) console.log(`  ${state}: ${fault}`);
    faults += found.size;
  }
} finally {
  await browser.close();
  site.close();
}
process.exitCode = faults === 0 ? 0 : 1;
