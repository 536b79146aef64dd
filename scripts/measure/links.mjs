// Opens the links of tests/links/reproduced.txt on dist/ in the headless browser: each says that its result is reproduced. Those of exercises.txt open
// their exercise, and take the stored answer where it is typed.
//
//   npm run links            all of them
//   npm run links -- 5       every fifth
import { launch, serveDist } from '../../tests/e2e/launch.mjs';
import { exercisesOf, filesOf, linksOf, openLink } from '../../tests/links/open.mjs';

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
const exercises = exercisesOf().filter((_, i) => i % every === 0);
for (const { link, answer } of exercises) {
  const page = await browser.newPage();
  try {
    await page.goto(`${site.url}#${link}`);
    const form = page.getByTestId('learn-answer');
    await form.waitFor({ timeout: 60_000 });
    const cells = answer?.row ?? (answer?.text === undefined ? [] : [answer.text]);
    for (const [i, cell] of cells.entries()) await form.locator('input').nth(i).fill(cell);
    if (cells.length > 0) {
      await form.locator('button[type=submit]').click();
      await page.locator('[data-testid=learn-verdict].good').waitFor({ timeout: 60_000 });
    }
  } catch (error) {
    failed.push(`${link}\n  ${error.message.split('\n')[0]}`);
  }
  await page.close();
}
await browser.close();
site.close();
console.log(failed.join('\n'));
const all = links.length + exercises.length;
console.log(`${all - failed.length} of ${all} links hold (${filesOf().length} files, ${exercises.length} exercises)`);
process.exit(failed.length === 0 ? 0 : 1);
