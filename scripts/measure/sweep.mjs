// Times a sweep of 25 points on two workers against the same points on one, in turn.
//
//   npm run measure:sweep -- [--rounds 5]
import { parseArgs } from 'node:util';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const CASES = [
  ['paper', '#v=1&example=matvec-rows&gpu=gtx470-16k&model=paper', 'latency', '100..124'],
  ['paper, larger', '#v=1&example=matmul-naive&gpu=gtx470-16k&model=paper', 'latency', '100..124'],
  ['gpu', '#v=1&example=matmul-naive&gpu=rtx3060&model=gpu', 'l2_bytes', 'factors'],
];

/** Milliseconds from the click to the last row. */
async function timed(browser, url, [, hash, key, values], workers) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addInitScript((n) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => n });
  }, workers);
  const page = await context.newPage();
  await page.goto(url + hash);
  await page.waitForFunction(() => /result=/.test(location.hash));
  await page.locator('[data-part=sweep] summary').click();
  await page.getByLabel('Parameter', { exact: true }).selectOption(key);
  await page.getByLabel('Values', { exact: true }).first().fill(values);
  if (values === 'factors') {
    await page.getByLabel('Second parameter').selectOption('l1_bytes');
    await page.getByLabel('Values', { exact: true }).last().fill('factors');
  }
  await page.waitForTimeout(3000); // what runs behind the result is done
  const ms = await page.evaluate(async () => {
    const began = performance.now();
    document.querySelector('.sweep-form button').click();
    const told = () =>
      [...document.querySelectorAll('[role=status]')].some((e) => e.textContent.includes('25 points are'));
    while (!told()) await new Promise((next) => setTimeout(next, 10));
    return performance.now() - began;
  });
  await context.close();
  return ms;
}

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const site = await serveDist();
const browser = await launch();
try {
  for (const one of CASES) {
    const times = { 1: [], 2: [] };
    for (let round = 0; round < Number(options.rounds); round += 1)
      for (const workers of [1, 2]) times[workers].push(await timed(browser, site.url, one, workers));
    const [alone, both] = [median(times[1]), median(times[2])];
    console.log(
      `${one[0]}: one worker ${alone.toFixed(0)} ms, two ${both.toFixed(0)} ms, ratio ${(both / alone).toFixed(2)}`,
    );
  }
} finally {
  await browser.close();
  site.close();
}
