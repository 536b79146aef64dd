// Real files, where the sample data is: NVBit traces of bfs and mt4g's A100, dropped together.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { drop, withPage } from './browser.mjs';

const data = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const skip = existsSync(data) ? false : 'no sample data';

function bfs() {
  const folder = `${data}traceg/bfs/`;
  const traces = readdirSync(folder).map((name) => ({ name, content: readFileSync(folder + name) }));
  const a100 = 'NVIDIA A100-PCIE-40GB.json';
  return [...traces, { name: a100, content: readFileSync(`${data}mt4g/json/${a100}`) }];
}

test('bfs and the A100 dropped together: four kernels, a link that reproduces', { skip }, async () => {
  const hash = await withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    await drop(page, 'main', bfs());
    await page.waitForFunction(() => document.querySelectorAll('.kernels tbody tr').length === 4);
    const text = await page.locator('.kernels').innerText();
    assert.match(text, /Together, 4 kernels take/);
    assert.equal(await page.locator('#model').inputValue(), 'gpu', 'an A100 is no Fermi');
    assert.match(await page.locator('#gpu').innerText(), /A100/);
    await page.waitForFunction(() => /gpu=file&model=gpu.*result=/.test(location.hash));
    return page.evaluate(() => location.hash);
  });
  await withPage(
    async ({ page }) => {
      await page.getByText('kernel-7.traceg.gz').first().waitFor();
      await drop(page, 'main', bfs());
      await page.getByTestId('reproduced').waitFor();
    },
    { at: hash },
  );
});
