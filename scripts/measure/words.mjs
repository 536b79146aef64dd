// Counts what each tab of dist/ shows before anything is unfolded: its words, and how far down its answer ends.
//
//   npm run measure:words
//
// Words are those in sight, without the options of menus. Pixels are measured at 1280 and 390 px wide from the top of the page to the
// end of the answer. `wider` is by how many pixels the page at 390 px is wider than the screen. The exit code is 1 if a limit is broken.
import { launch, serveDist } from '../../tests/e2e/launch.mjs';
import { TABS, glance } from '../../tests/e2e/glance.mjs';

const site = await serveDist();
const browser = await launch();
const problems = [];
try {
  console.log(
    '| tab | words | at most | answer ends at, 1280 px | 390 px | wider |\n| --- | --- | --- | --- | --- | --- |',
  );
  for (const tab of TABS) {
    const { wide, narrow, problems: found } = await glance(browser, site.url, tab);
    console.log(`| ${tab.name} | ${wide.words} | ${tab.words} | ${wide.bottom} | ${narrow.bottom} | ${narrow.wider} |`);
    problems.push(...found);
  }
} finally {
  await browser.close();
  site.close();
}
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
