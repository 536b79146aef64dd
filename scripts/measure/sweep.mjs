// Times a sweep of 25 points on two workers against the same points on one worker and against 25 single runs, in turn. A single run is a link
// that is opened in the page, from one result to the next.
//
//   npm run measure:sweep -- [--rounds 5]
import { parseArgs } from 'node:util';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const COUNT = 25;
/** A name, the link of a scenario, the parameter that varies, its first value and the step to the next. No value is the one of the scenario. */
const CASES = [
  ['paper', '#v=1&example=matvec-rows&gpu=gtx470-16k&model=paper', 'latency', 101, 1],
  ['paper, larger', '#v=1&example=matmul-naive&gpu=gtx470-16k&model=paper', 'latency', 101, 1],
  ['gpu', '#v=1&example=matmul-naive&gpu=rtx3060&model=gpu', 'l1_hit_cycles', 101, 1],
];

/** A page with the scenario's result, after what runs behind it is done. */
async function opened(browser, url, hash, workers) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addInitScript((n) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => n });
  }, workers);
  const page = await context.newPage();
  await page.goto(url + hash);
  await page.waitForFunction(() => /result=/.test(location.hash));
  await page.waitForTimeout(3000);
  return page;
}

/** Milliseconds from the click to the last row. */
async function swept(browser, url, [, hash, key, first, step], workers) {
  const page = await opened(browser, url, hash, workers);
  await page.locator('[data-part=sweep] summary').click();
  await page.getByLabel('Parameter', { exact: true }).selectOption(key);
  const values = Array.from({ length: COUNT }, (_, i) => first + i * step).join(',');
  await page.getByLabel('Values', { exact: true }).first().fill(values);
  const ms = await page.evaluate(async (count) => {
    const began = performance.now();
    document.querySelector('.sweep-form button').click();
    const told = () =>
      [...document.querySelectorAll('[role=status]')].some((e) => e.textContent.includes(`${count} points are`));
    while (!told()) await new Promise((next) => setTimeout(next, 10));
    return performance.now() - began;
  }, COUNT);
  await page.context().close();
  return ms;
}

/** Milliseconds of the same points as single runs. */
async function single(browser, url, [, hash, key, first, step]) {
  const page = await opened(browser, url, hash, 2);
  const ms = await page.evaluate(
    async ([link, values]) => {
      const result = () => location.hash.match(/result=[0-9a-f]+/)?.[0];
      const began = performance.now();
      for (const value of values) {
        const before = result();
        location.hash = link + value;
        while (!result() || result() === before) await new Promise((next) => setTimeout(next, 5));
      }
      return performance.now() - began;
    },
    [`${hash}&set.${key}=`, Array.from({ length: COUNT }, (_, i) => first + i * step)],
  );
  await page.context().close();
  return ms;
}

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const site = await serveDist();
const browser = await launch();
try {
  for (const one of CASES) {
    const times = { alone: [], both: [], single: [] };
    for (let round = 0; round < Number(options.rounds); round += 1) {
      times.alone.push(await swept(browser, site.url, one, 1));
      times.both.push(await swept(browser, site.url, one, 2));
      times.single.push(await single(browser, site.url, one));
    }
    const [alone, both, singly] = [median(times.alone), median(times.both), median(times.single)];
    console.log(
      `${one[0]}: two workers ${both.toFixed(0)} ms; one worker ${alone.toFixed(0)} ms, ratio ${(both / alone).toFixed(2)}; ` +
        `${COUNT} single runs ${singly.toFixed(0)} ms, ratio ${(both / singly).toFixed(2)}`,
    );
  }
} finally {
  await browser.close();
  site.close();
}
