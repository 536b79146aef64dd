// Measures the Reuse tab as built in dist/: two workers against one, and a 100 MB address stream dropped on the page.
// Times mean something on a machine with two free cores only; the memory and its estimate on any.
//
//   npm run build && node scripts/measure/reuse.mjs
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';

const TURNS = 5;
const site = await serveDist();
const browser = await launch();
const idle = (page) =>
  page.waitForFunction(
    () =>
      document.querySelector('[data-testid=reuse-sentence]') && !document.querySelector('[data-testid=reuse-progress]'),
    null,
    { timeout: 600_000 },
  );

async function workers(pattern) {
  const page = await browser.newPage();
  await page.goto(
    `${site.url}#v=1&view.tab=reuse&view.reuse.input=${pattern}&view.reuse.n=20000000&view.reuse.m=500000&view.reuse.workers=2`,
  );
  await idle(page);
  // The comparison is folded, as a person finds it.
  await page.locator('[data-part=reuse-compare] summary').click();
  for (let turn = 0; turn < TURNS; turn++) {
    await page
      .getByRole('button', { name: turn ? 'Run it again' : 'Run the comparison' })
      .first()
      .click();
    await page.getByTestId('reuse-progress').waitFor();
    await idle(page);
    const rows = await page.getByTestId('reuse-comparison').locator('tbody tr').allInnerTexts();
    console.log(
      `${pattern}: ${rows
        .slice(0, 2)
        .map((row) => row.split('\t').slice(0, 3).join(' '))
        .join('; ')}`,
    );
  }
  console.log((await page.locator('[data-part=reuse-compare] li').allInnerTexts()).slice(0, 2).join('\n'));
  await page.close();
}

/** 100 MB of addresses over 1.5 million lines, some far more often than others. */
async function write(path) {
  const out = createWriteStream(path);
  const words = new BigUint64Array(65_536);
  let x = 123_456_789;
  for (let bytes = 0; bytes < 100e6; bytes += words.byteLength) {
    for (let i = 0; i < words.length; i++) {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
      words[i] = 0x7f0000000000n + BigInt(Math.floor(1_500_000 * ((x >>> 0) / 2 ** 32) ** 3) * 64);
    }
    if (!out.write(Buffer.from(words.buffer.slice(0)))) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

async function large(path) {
  const page = await browser.newPage();
  await page.goto(`${site.url}#v=1&view.tab=reuse&view.reuse.input=loop&view.reuse.n=1000&view.reuse.m=10`);
  await idle(page);
  await page.evaluate(() => {
    globalThis.blocked = [];
    new PerformanceObserver((list) =>
      globalThis.blocked.push(...list.getEntries().map((e) => Math.round(e.duration))),
    ).observe({ type: 'longtask' });
  });
  const began = performance.now();
  await page.locator('#file-input').setInputFiles(path);
  await page.locator('.file-name').waitFor();
  await idle(page);
  console.log(
    `100 MB: ${Math.round(performance.now() - began)} ms; ${(await page.locator('.facts').innerText()).replaceAll('\n', ' ')}`,
  );
  console.log(
    `longest the page was blocked: ${Math.max(0, ...(await page.evaluate(() => globalThis.blocked)))} ms (tasks below 50 ms are not reported)`,
  );
  await page.close();
}

const folder = mkdtempSync(join(tmpdir(), 'warpscope-reuse-'));
try {
  await write(join(folder, 'addresses.u64'));
  await large(join(folder, 'addresses.u64'));
  await workers('uniform');
  await workers('zipf');
} finally {
  rmSync(folder, { recursive: true, force: true });
  await browser.close();
  site.close();
}
