// A profiler's file with a kernel: its counters beside the model's, on the page as at the terminal.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { nativeJson } from '../native.mjs';
import { address, assertAccessible, drop, saveReport, withPage } from './browser.mjs';

const KERNEL = {
  name: 'copy.cu',
  content: `// launch: copy<<<64, 256>>>(a: float[16384] = random(1), b: float[16384])
__global__ void copy(const float *a, float *b) { int i = blockIdx.x * 256 + threadIdx.x; b[i] = a[i]; }
`,
};
const NSIGHT = {
  name: 'ncu.csv',
  content: `==PROF== Connected to process 7
"ID","Kernel Name","gpu__time_duration.sum","dram__bytes_read.sum","lts__t_sectors_srcunit_tex_op_read.sum"
"","","nsecond","byte","sector"
"0","copy(const float *, float *)","3,500","66,560","2048"
`,
};
const KTT = {
  name: 'results.json',
  content: JSON.stringify({
    Metadata: { ComputeApi: 'CUDA', Device: 'TITAN X (Pascal)', KttVersion: '2.1', TimeUnit: 'Milliseconds' },
    Results: [1, 64].map((blocks) => ({
      KernelName: 'copy',
      Status: 'Ok',
      Configuration: [{ Name: 'BLOCKS', IsDouble: false, Value: blocks }],
      ComputationResults: [
        {
          KernelFunction: 'copy',
          Duration: 0.0045,
          Overhead: 0,
          GlobalSize: { X: blocks, Y: 1, Z: 1 },
          LocalSize: { X: 256, Y: 1, Z: 1 },
          ProfilingData: {
            RemainingProfilingRuns: 0,
            Counters: [{ Name: 'dram_read_transactions', Type: 'UnsignedInt', Value: 0 }],
          },
        },
      ],
    })),
  }),
};

const idle = (page) => page.waitForFunction(() => !document.querySelector('[data-testid=progress]'));
const plain = (text) => text.replaceAll('\u202f', ' ');
const measured = (page) => page.locator('.measured');

async function started(page) {
  await page.getByTestId('verdict').waitFor();
  await idle(page);
}

/** The report of the terminal for these files. */
async function atTheTerminal(files, ...args) {
  const folder = await mkdtemp(path.join(tmpdir(), 'measured-'));
  try {
    const names = files.map(({ name }) => path.join(folder, name));
    await Promise.all(files.map(({ content }, i) => writeFile(names[i], content)));
    return nativeJson('cache', ...names, ...args);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('dropped with its kernel, it gives the report of the terminal', () =>
  withPage(
    async ({ page }) => {
      await started(page);
      await drop(page, 'main', [KERNEL, NSIGHT]);
      await measured(page).waitFor();
      await idle(page);
      const { measured: expected, fingerprint } = await atTheTerminal([KERNEL, NSIGHT], '--gpu', 'rtx3060');
      const report = await saveReport(page);
      assert.deepEqual([report.fingerprint, report.measured], [fingerprint, expected]);
      const rows = (await measured(page).locator('tbody tr').allInnerTexts()).map((row) => plain(row).split(/\t/));
      assert.deepEqual(
        rows.map(([counter]) => counter.trim()),
        ['time, µs', 'L2 reads', 'DRAM reads'],
      );
      assert.deepEqual(
        rows[1].slice(1).map((cell) => cell.trim()),
        ['2 048', '2 048', 'exact'],
      );
      assert.equal(rows[2][1].trim(), '2 080', 'bytes as sectors');
      assert.match(await measured(page).innerText(), /as Nsight Compute measured it/);
      assert.match(await measured(page).innerText(), /holds the clock at its base/);
    },
    { at: '#v=1&example=matvec-rows&gpu=rtx3060&model=gpu&state=warm' },
  ));

test('dropped after its kernel, it sets the model and the state, and says so', () =>
  withPage(
    async ({ page, browser }) => {
      await started(page);
      await drop(page, 'main', [KERNEL]);
      await page.locator('.verdict .kernel-name', { hasText: 'copy' }).waitFor();
      await idle(page);
      assert.equal(await page.locator('#model').inputValue(), 'paper');
      await drop(page, 'main', [KTT]);
      await measured(page).waitFor();
      await idle(page);
      assert.equal(await page.locator('#model').inputValue(), 'gpu');
      assert.equal(await page.locator('#state').inputValue(), 'replay');
      assert.match(await page.getByRole('status').first().innerText(), /KTT has set the model to “gpu”.*“replay”/);
      const text = plain(await measured(page).innerText());
      assert.match(text, /copy with BLOCKS=64, as KTT measured it on the GPU TITAN X \(Pascal\)/);
      assert.match(text, /the model ran gtx470-16k\./);
      assert.match(await page.locator('.files').innerText(), /2 launches measured with KTT/);
      // A state that a person chooses stays, and the difference is told.
      await page.locator('#state').selectOption('cold');
      await page.waitForFunction(() => /measures from the state/.test(document.querySelector('.measured').innerText));
      // The link asks for both files. The page writes it after the table.
      await page.waitForFunction(() => !location.hash.includes('state=replay'));
      const fresh = await (await browser.newContext()).newPage();
      await fresh.goto(await address(page));
      await fresh.locator('.wanted').first().waitFor();
      await drop(fresh, 'main', [KERNEL, KTT]);
      await fresh.getByTestId('reproduced').waitFor();
      assert.equal(
        await measured(fresh).locator('tbody').innerText(),
        await measured(page).locator('tbody').innerText(),
      );
    },
    { at: '#v=1&example=matvec-rows&gpu=gtx470-16k' },
  ));

test('a profile of the example on show joins it, and another kernel is told', () =>
  withPage(
    async ({ page }) => {
      await started(page);
      await drop(page, 'main', [NSIGHT]);
      await measured(page).waitFor();
      await idle(page);
      assert.match(await measured(page).innerText(), /No launch that Nsight Compute measured is one of these kernels/);
      assert.match(await page.locator('.verdict .kernel-name').innerText(), /matvec/);
    },
    { at: '#v=1&example=matvec-rows&gpu=rtx3060&model=gpu' },
  ));

test('what is known to differ is said in the language of the page, and leads to the page about accuracy', () =>
  withPage(
    async ({ page }) => {
      await started(page);
      await drop(page, 'main', [KERNEL, NSIGHT]);
      const notes = measured(page).locator('.notes');
      await notes.getByRole('link').waitFor();
      await page.waitForFunction(
        () => !/[a-z] [a-z]+ [a-z]/.test(document.querySelector('.measured .notes').innerText),
      );
      const accuracy = await page.request.get(await notes.getByRole('link').evaluate((link) => link.href));
      assert.ok(accuracy.ok());
    },
    { at: '#v=1&lang=zh' },
  ));

test('files that are cut off, empty or binary say so and leave the result', () =>
  withPage(async ({ page }) => {
    await started(page);
    const before = await page.getByTestId('verdict').innerText();
    const bad = [
      [{ name: 'results.json', content: KTT.content.slice(0, 300) }, /cut off/],
      [{ name: 'p.prof', content: '12\n' }, /cut off/],
      [{ name: 'report.ncu-rep', content: 'NVR\0\u0001\u0002' }, /ncu --import FILE --csv/],
      [{ name: 'ncu.csv', content: NSIGHT.content.split('\n').slice(0, 3).join('\n') }, /cut off/],
    ];
    for (const [file, said] of bad) {
      await drop(page, 'main', [file]);
      await page.locator('.diagnostics', { hasText: said }).waitFor();
      await idle(page);
      assert.equal(await page.getByTestId('verdict').innerText(), before, file.name);
    }
  }));

test('axe finds nothing and nothing scrolls sideways', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await withPage(
      async ({ page }) => {
        await started(page);
        await drop(page, 'main', [KERNEL, NSIGHT]);
        await measured(page).waitFor();
        await idle(page);
        await assertAccessible(page);
        // Without the scroll bar, which has a width in Firefox.
        const [whole, seen] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.documentElement.clientWidth,
        ]);
        assert.equal(whole, seen);
      },
      { context: { colorScheme, viewport: { width: 390, height: 844 } } },
    );
  }
});
