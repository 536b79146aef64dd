// HP-RDA on WebGPU: on Chromium's software adapter, where only its answers count, and where there is no adapter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { executablePath, serveDist } from './launch.mjs';

const GPU = [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--enable-features=Vulkan',
  '--ignore-gpu-blocklist',
];

/** Runs the comparison of a link and gives the note on WebGPU. */
async function note(hash, args = GPU) {
  const site = await serveDist();
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...args],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`${site.url}#v=1&view.tab=reuse&${hash}`);
    await page.getByTestId('reuse-sentence').waitFor();
    await page.locator('[data-part=reuse-compare] summary').first().click();
    await page.getByRole('button', { name: 'Run the comparison' }).click();
    await page.getByTestId('reuse-comparison').waitFor({ timeout: 240_000 });
    const notes = await page.locator('.reuse-notes li').allInnerTexts();
    return notes.find((text) => text.startsWith('HP-RDA on WebGPU'));
  } finally {
    await browser.close();
    site.close();
  }
}

const stream = (pattern, n, m, st, nb) =>
  `view.reuse.input=${pattern}&view.reuse.n=${n}&view.reuse.m=${m}&view.reuse.st=${st}&view.reuse.nb=${nb}&view.reuse.workers=1`;

for (const [pattern, n, m, st, nb] of [
  ['zipf', 100_000, 5_000, 2048, 64],
  ['uniform', 50_000, 3_000, 64, 8],
  ['phased', 60_000, 2_000, 100, 3],
  ['loop', 40_000, 700, 512, 4],
  ['matmul', 30_000, 300, 1 << 20, 1],
  ['zipf', 1_200_000, 20_000, 128, 16],
]) {
  test(
    `equal to the CPU version, bit for bit: ${pattern}, N ${n}, M ${m}, ST ${st}, NB ${nb}`,
    { timeout: 300_000 },
    async () => {
      assert.match(await note(stream(pattern, n, m, st, nb)), /equal to the CPU version’s histogram, bit for bit/);
    },
  );
}

test('without an adapter the CPU version stands, and the page says why', { timeout: 120_000 }, async () => {
  assert.match(await note(stream('zipf', 20_000, 500, 256, 4), ['--disable-gpu']), /no WebGPU|no graphics adapter/);
});
