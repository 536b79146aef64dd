// Measures the Placement tab as built in dist/: 729 placements of a trace of 20,000 requests, with the second worker and
// without. Times mean something on a machine with two free cores only.
//
//   npm run build && node scripts/measure/placement.mjs
import { traceOf } from '../../tests/e2e/arrays-trace.mjs';
import { launch, serveDist } from '../../tests/e2e/launch.mjs';

const TURNS = 7;
const site = await serveDist();
const browser = await launch();
const page = await browser.newPage();
// The kernel's own shared memory leaves no room for tiles, and its arrays are too large for constant memory: three each.
const content = traceOf({ arrays: 6, bytes: 1 << 17, blocks: 32, steps: 13, shared: 49_152, name: 'six_arrays' });

async function measured() {
  await page.goto(`${site.url}#v=1&example=gather&gpu=k20c&view.tab=placement`);
  await page.getByTestId('look').waitFor();
  await page.setInputFiles('#file-input', { name: 'six.traceg', mimeType: 'text/plain', buffer: Buffer.from(content) });
  await page.waitForFunction(() => document.querySelector('[data-testid=evaluated]')?.textContent === '729', null, {
    timeout: 120_000,
  });
  const took = [await page.getByTestId('took').innerText()];
  for (let turn = 1; turn < TURNS; turn++) {
    await page.waitForFunction(() => !document.querySelector('[data-testid=placement-progress]'));
    await page.getByRole('button', { name: 'Search again' }).click();
    await page.getByTestId('placement-progress').waitFor();
    await page.waitForFunction(() => !document.querySelector('[data-testid=placement-progress]'), null, {
      timeout: 120_000,
    });
    took.push(await page.getByTestId('took').innerText());
  }
  return took;
}

console.log(`729 placements: ${(await measured()).join('; ')}`);
await browser.close();
site.close();
