// Measures the self-check of the page as built in dist/: the time of all rows, how long a cancel takes, and the longest
// task of the page. Beside it, the same rows at the terminal, if a program is named.
//
//   npm run build && node scripts/measure/self-check.mjs [target/release/warpscope]
import { execFileSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';

const CANCELS = 5;
const site = await serveDist();
const browser = await launch();

async function open() {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    globalThis.blocked = [];
    new PerformanceObserver((list) =>
      globalThis.blocked.push(...list.getEntries().map((entry) => Math.round(entry.duration))),
    ).observe({ type: 'longtask' });
  });
  await page.goto(`${site.url}#v=1&view.tab=check`);
  await page.getByRole('button', { name: 'Run all rows' }).waitFor({ timeout: 60_000 });
  return page;
}

/** Milliseconds, and the sentence below the list. */
async function whole() {
  const page = await open();
  const began = performance.now();
  await page.getByRole('button', { name: 'Run all rows' }).click();
  await page.getByTestId('papers-progress').waitFor();
  await page.getByTestId('papers-progress').waitFor({ state: 'detached', timeout: 600_000 });
  const ms = performance.now() - began;
  const said = (await page.getByTestId('papers-totals').innerText()).replaceAll('\n', ' ');
  const longest = Math.max(0, ...(await page.evaluate(() => globalThis.blocked)));
  await page.close();
  return { ms, said, longest };
}

/** Milliseconds from the key until no row runs, after a part of the list. */
async function cancelled(after) {
  const page = await open();
  await page.getByRole('button', { name: 'Run all rows' }).click();
  await page.getByTestId('papers-progress').waitFor();
  await page.waitForTimeout(after);
  // Inside the page, so that the way from this program to the browser does not count.
  const ms = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const began = performance.now();
        const gone = () => !document.querySelector('[data-testid=papers-progress]');
        const look = () => (gone() ? resolve(performance.now() - began) : setTimeout(look, 1));
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        look();
      }),
  );
  await page.close();
  return Math.round(ms);
}

function terminal(program) {
  const began = performance.now();
  const report = JSON.parse(
    execFileSync(program, ['check', '--format', 'json'], { encoding: 'utf8', maxBuffer: 1 << 26 }),
  );
  return { ms: performance.now() - began, totals: report.totals };
}

try {
  console.log(
    `${availableParallelism()} cores; load before: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  );
  if (process.argv[2]) {
    const { ms, totals } = terminal(process.argv[2]);
    console.log(`terminal: ${(ms / 1000).toFixed(1)} s, ${JSON.stringify(totals)}`);
  }
  const { ms, said, longest } = await whole();
  console.log(
    `page: ${(ms / 1000).toFixed(1)} s; longest task of the page ${longest} ms (those below 50 ms are not reported)`,
  );
  console.log(said);
  const times = [];
  for (let turn = 0; turn < CANCELS; turn++) times.push(await cancelled(500 + 1500 * turn));
  console.log(`cancel after 0.5, 2, 3.5, 5 and 6.5 s: ${times.join(', ')} ms`);
  console.log(
    `load after: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  );
} finally {
  await browser.close();
  site.close();
}
