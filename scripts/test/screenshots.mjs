// Pictures of the page for people to look at: 1280 and 390 pixels wide, light and dark, into screenshots/.
//
//   node scripts/test/screenshots.mjs [hash | state] [name]      needs a built dist/
import { mkdirSync } from 'node:fs';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';

/** States that have a name of their own. */
const STATES = {
  placement: 'v=1&example=matmul-naive&gpu=k20c&view.tab=placement',
  'placement-look': 'v=1&example=stencil&gpu=a100&view.tab=placement&view.placement.look=shared,global',
  'placement-ablation':
    'v=1&example=spmv-csr&gpu=v100&view.tab=placement&view.placement.model=seed&view.placement.without=queue,mapping',
  'placement-memory': 'v=1&view.tab=placement&view.placement.mode=memory&view.placement.seed=4&view.placement.hashed=1',
};

const [wanted = '', name = STATES[wanted] ? wanted : 'example'] = process.argv.slice(2);
const hash = STATES[wanted] ?? wanted;
mkdirSync('screenshots', { recursive: true });
const site = await serveDist();
const browser = await launch();
for (const width of [1280, 390]) {
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport: { width, height: width === 390 ? 844 : 900 }, colorScheme });
    const page = await context.newPage();
    await page.goto(site.url + (hash ? `#${hash}` : ''));
    await page.waitForSelector('[data-testid="verdict"], .verdict, .miss, .answer', { timeout: 20_000 });
    await page.waitForTimeout(1200); // figures arrive from the worker after the verdict
    const file = `screenshots/${name}-${width}-${colorScheme}`;
    await page.screenshot({ path: `${file}-top.png` });
    await page.screenshot({ path: `${file}.png`, fullPage: true });
    await context.close();
  }
}
await browser.close();
site.close();
