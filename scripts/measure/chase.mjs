// Measures this machine's caches by the page itself in headless Chromium, and compares with what Linux says of them.
//
//   npm run measure:chase -- [--runs 10] [--quick]        needs a built dist/, and Linux' /sys
//
// Every second run is made under load: a program per core that walks through memory. Not part of `npm test`: times of a
// shared machine prove nothing there.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '10' }, quick: { type: 'boolean', default: false } },
});

const folder = '/sys/devices/system/cpu/cpu0/cache';
const text = (index, name) => readFileSync(`${folder}/${index}/${name}`, 'utf8').trim();
const bytes = (size) => Number.parseInt(size, 10) * ({ K: 1024, M: 1024 ** 2 }[size.at(-1)] ?? 1);

/** Data caches by level, and the line. */
function truth() {
  if (!existsSync(folder)) throw new Error(`${folder} is not there: nothing to compare with`);
  const caches = readdirSync(folder).filter((name) => name.startsWith('index') && text(name, 'type') !== 'Instruction');
  const levels = caches
    .map((name) => [Number(text(name, 'level')), bytes(text(name, 'size'))])
    .sort((a, b) => a[0] - b[0]);
  return { levels: levels.map(([, size]) => size), line: Number(text(caches[0], 'coherency_line_size')) };
}

/** Walks through 64 MiB for ever. */
const LOAD = 'const a = new Uint32Array(1 << 24); for (let i = 0; ; i = (i + 4097) & 16777215) a[i] += 1;';

async function run(loaded) {
  const others = loaded
    ? Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', LOAD]))
    : [];
  const site = await serveDist();
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`${site.url}#v=1&view.tab=topology&view.topology.mode=machine`);
    const card = page.locator('.machine-cpu');
    await card.getByRole('checkbox').setChecked(options.quick);
    await card.getByRole('button', { name: 'Measure this CPU' }).click();
    await page.getByTestId('levels-cpu').locator('svg').waitFor({ timeout: 300_000 });
    await page.getByTestId('line').waitFor();
    const line = Number(/Line: (\d+) bytes/.exec(await page.getByTestId('line').innerText())?.[1] ?? 0);
    const seconds = Number(/It took ([\d.]+) s/.exec(await card.innerText())[1]);
    // The numbers as the page's own topology has them; without a step there is none.
    if (!(await card.getByRole('button', { name: 'Save as JSON' }).isVisible()))
      return { sizes: [], boundaries: 0, line, seconds };
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      card.getByRole('button', { name: 'Save as JSON' }).click(),
    ]);
    const topology = JSON.parse(readFileSync(await saved.path(), 'utf8'));
    const boundaries =
      (await page.getByTestId('levels-cpu').locator('.table-frame').first().locator('tbody tr').count()) - 1;
    const sizes = ['l1', 'l2', 'l3'].flatMap((level) => topology[level]?.bytes?.value ?? []);
    return { sizes, boundaries, line, seconds };
  } finally {
    await browser.close();
    site.close();
    others.forEach((other) => other.kill());
  }
}

const known = truth();
const kib = (n) => `${(n / 1024).toFixed(n < 102_400 ? 1 : 0)} KiB`;
console.log(`sysfs: ${known.levels.map(kib).join(', ')}; line ${known.line} B`);
const within = (found, is, factor) => found !== undefined && Math.max(found / is, is / found) <= factor;
const count = { l1: 0, l2: 0, levels: 0, line: 0 };
const runs = Number(options.runs);
for (let i = 0; i < runs; i += 1) {
  const loaded = i % 2 === 1;
  const { sizes, boundaries, line, seconds } = await run(loaded);
  const right = {
    l1: within(sizes[0], known.levels[0], 1.25),
    l2: within(sizes[1], known.levels[1], 1.5),
    levels: boundaries === known.levels.length,
    line: line === known.line,
  };
  for (const key of Object.keys(count)) count[key] += Number(right[key]);
  const verdict = Object.entries(right)
    .map(([key, is]) => `${key} ${is ? 'right' : 'WRONG'}`)
    .join(', ');
  console.log(
    `${String(i + 1).padStart(2)} ${loaded ? 'under load' : 'alone     '} ${boundaries} boundaries: ${sizes.map(kib).join(', ').padEnd(34)} line ${line || 'none'}  ${seconds} s  ${verdict}`,
  );
}
console.log(
  `of ${runs}: L1 within 1.25× ${count.l1}, L2 within 1.5× ${count.l2}, exactly the visible levels ${count.levels}, line ${count.line}`,
);
