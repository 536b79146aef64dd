// Opens the links of tests/links/reproduced.txt on dist/ in headless Chromium: each says that its result is reproduced.
//
//   npm run links            all of them
//   npm run links -- 5       every fifth
import { launch, serveDist } from '../../tests/e2e/launch.mjs';
import { filesOf, linksOf, openLink } from '../../tests/links/open.mjs';

const every = Number(process.argv[2] ?? 1);
const site = await serveDist();
const browser = await launch();
const failed = [];
const links = linksOf().filter((_, i) => i % every === 0);
for (const link of links) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    const why = await openLink({
      open: (hash) => page.goto(`${site.url}#${hash}`),
      give: (files) => page.setInputFiles('input[type=file]', files),
      wait: (test, more) => page.waitForFunction(test, more, { timeout: 60_000 }),
      ask: (question) => page.evaluate(question),
      link,
    });
    if (why) failed.push(`${link}\n  ${why}`);
  } catch (error) {
    failed.push(`${link}\n  ${error.message}`);
  }
  await context.close();
}
await browser.close();
site.close();
console.log(failed.join('\n'));
console.log(`${links.length - failed.length} of ${links.length} links are reproduced (${filesOf().length} files)`);
process.exit(failed.length === 0 ? 0 : 1);
