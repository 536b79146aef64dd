// The Topology tab as a person uses it: look, compare, edit, drop, discover, measure.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertAccessible, assertFits, drop, eventually, linked, LOOKS, PHONE, withPage } from './browser.mjs';
import { inFirefox } from './launch.mjs';
import { zip } from './zip.mjs';

const samples = fileURLToPath(new URL('../../../shared/data/mt4g/', import.meta.url));
const data = (name) => readFileSync(new URL(`../../crates/gpu/tests/data/${name}`, import.meta.url));
const preset = (id) => readFileSync(new URL(`../../crates/gpu/src/presets/${id}.json`, import.meta.url), 'utf8');
const at = (more = '') => `#v=1&view.tab=topology${more}`;
const SOFTWARE_GPU = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

const settled = async (page) => {
  await page.locator('.hierarchy svg, .bench, .machine-cpu').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[data-testid=topology-progress]'));
  await page.waitForFunction(
    () => document.querySelectorAll('.drawing').length === document.querySelectorAll('.figure').length,
  );
};
const toMode = (page, name) => page.getByRole('radio', { name, exact: true }).check();

/** Raw files as mt4g writes them, of a cache of `kib` KiB: 64 times per size, slow ones beyond it. */
function raw(device, kib) {
  const line = (bytes) =>
    [
      bytes,
      ...Array.from({ length: 64 }, (_, i) =>
        bytes > kib * 1024 && i % 4 < (bytes - kib * 1024) / 256 ? 210 + (i % 5) : 32 + (i % 3),
      ),
    ].join(',');
  const sizes = Array.from({ length: 80 }, (_, i) => kib * 512 + i * 128 * Math.round(kib / 16));
  return [
    { name: `${device} - L1 Size.txt`, content: sizes.map(line).join('\n') },
    { name: `${device} - L1 Latency.txt`, content: Array.from({ length: 200 }, (_, i) => 32 + (i % 3)).join('\n') },
  ];
}

test('a preset is drawn, its values have sources, and the tab opens by key', () =>
  withPage(async ({ page }) => {
    await page.getByTestId('verdict').waitFor();
    await page.getByRole('tab', { name: /Topology/ }).click();
    await settled(page);
    assert.match(await page.locator('.hierarchy svg').textContent(), /L1, Texture, Read Only[\s\S]*Main memory/);
    const rows = page.locator('.values tbody tr');
    assert.ok((await rows.count()) > 40);
    for (const row of await rows.allInnerTexts()) assert.match(row, /official|measured|assumed/);
    await page.locator('#topology-first').selectOption('mi210');
    await page.locator('.hierarchy svg[aria-label*="MI210"]').waitFor();
    await linked(page, /view\.topology\.gpu=mi210/);
  }));

test('two GPUs stand side by side and what differs is marked', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.locator('.comparison').waitFor();
      assert.equal(await page.locator('.hierarchy svg').count(), 2);
      const all = await page.locator('.comparison tbody tr').count();
      const different = await page.locator('.comparison tr.different').count();
      assert.ok(different > 5 && different < all);
      await page.getByRole('checkbox', { name: 'Show only what differs' }).check();
      assert.equal(await page.locator('.comparison tbody tr').count(), different);
      await page.setViewportSize(PHONE.viewport);
      const hidden = await page.locator('.comparison .table-scroll').evaluate((el) => el.scrollWidth - el.clientWidth);
      assert.equal(hidden, 0, 'on a phone all columns are in view');
    },
    { at: at('&view.topology.gpu=v100&view.topology.second=a100') },
  ));

test('values are edited, checked, saved, read back, and used in the Cache tab', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.getByText('Edit the values').click();
      const size = page.getByRole('textbox', { name: 'L1, size (bytes)', exact: true });
      await size.fill('1000');
      await size.press('Tab');
      await page.getByText('1 value is wrong.').waitFor();
      assert.match(await page.locator('.edit-row.wrong .edit-said').innerText(), /multiple of the line/);
      await size.fill('64 KiB');
      await size.press('Tab');
      await page.getByText('The topology is valid.').waitFor();
      await page.getByLabel('Name', { exact: true }).fill('My GPU');
      await page.getByLabel('Name', { exact: true }).press('Tab');
      await page.locator('.hierarchy svg[aria-label*="My GPU"]').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as JSON' }).first().click(),
      ]);
      const text = readFileSync(await download.path(), 'utf8');
      assert.equal(JSON.parse(text).l1.bytes.value, 65536);
      await drop(page, 'main', [{ name: 'mine.json', content: text }]);
      await page.locator('#topology-first option[value=file]').waitFor({ state: 'attached' });
      await settled(page);
      const [again] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as JSON' }).first().click(),
      ]);
      assert.equal(readFileSync(await again.path(), 'utf8'), text, 'the same after a round trip');
      await page.getByRole('button', { name: 'Use in the Cache tab' }).click();
      await page.getByTestId('verdict').waitFor();
      await page.locator('#gpu').waitFor();
      await page.waitForFunction(() => document.querySelector('#gpu')?.value === 'file');
      assert.match(await page.locator('#gpu option:checked').innerText(), /My GPU/);
    },
    { at: at('&view.topology.gpu=v100') },
  ));

test('a configuration of GPGPU-Sim beside a preset: words instead of JSON, and all columns in view', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await drop(page, 'main', [{ name: 'fermi-like.config', content: data('fermi-like.config') }]);
      await page.waitForFunction(() => document.querySelector('#topology-first')?.value === 'file');
      await page.locator('.comparison').waitFor();
      const cells = await page.locator('.comparison tbody td').allInnerTexts();
      assert.deepEqual(
        cells.filter((text) => /[{}[\]]/.test(text)),
        [],
      );
      assert.ok(
        cells.some((text) => /xor masks: 0x/.test(text)),
        'the hash of its sets is in words',
      );
      const beyond = await page
        .locator('.comparison .table-scroll')
        .evaluate((box) => box.scrollWidth - box.clientWidth);
      assert.ok(beyond <= 0, `${beyond} pixels of the comparison are out of view`);
    },
    { at: at('&view.topology.second=a100') },
  ));

test('mt4g’s JSON, its CSV of version 0.1 and gpgpusim.config become topologies; a trace goes to the Cache tab', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      for (const [name, size] of [
        ['nvidia-like.json', /\d/],
        ['turing-like.csv', /\d/],
        ['fermi-like.config', /\d/],
      ]) {
        await drop(page, 'main', [{ name, content: data(name) }]);
        await page.waitForFunction(() => document.querySelector('#topology-first')?.value === 'file');
        await settled(page);
        assert.match(await page.locator('.values tbody tr').first().innerText(), size, name);
      }
      await drop(page, 'main', [{ name: 'a.trc', content: 'blocksize: 32 1 1\n0 0 4096 4\n1 0 4100 4\n' }]);
      await page.waitForFunction(() => !document.querySelector('[data-testid=topology-progress]'));
      await page.keyboard.press('1');
      await page.locator('.files', { hasText: 'a.trc' }).waitFor();
    },
    { at: at() },
  ));

test('raw timings in a zip: both rules, the noise, the change and the test', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await drop(page, 'main', [{ name: 'raw.zip', content: zip(raw('Test GPU', 32)) }]);
      await page.locator('.measured').waitFor();
      await settled(page);
      assert.match(
        await page.locator('.measured tbody tr').first().innerText(),
        /L1\s+Size\s+–\s+32\sKiB[^\t]*\t32\.5\sKiB[\s\S]+\s32\sKiB/,
      );
      assert.equal(await page.locator('.noise svg').count(), 3);
      const change = page.getByTestId('change');
      assert.match(await change.innerText(), /Change after 32\D?768 bytes/);
      await page.locator('#reduction').selectOption('rms');
      await page.locator('.noise', { hasText: 'after 32' }).waitFor();
      await page.locator('#alpha').selectOption('0.1');
      await assertAccessible(page);
    },
    { at: at() },
  ));

/** An output of gpu-latency: 30, 215 and 430 cycles, with changes after 128 KiB and 6 MiB. */
function latencies() {
  const rows = [];
  for (let size = 1; size < 100_000; size *= 1.1) {
    const cycles = size <= 128 ? 30 : size <= 6144 ? 215 : 430;
    rows.push(`  1000000  1380 ${Math.round(size)} ${(cycles / 1.38).toFixed(1)} ${cycles.toFixed(1)}`);
  }
  return `clock: 1380 1380 \n${rows.join('\n')}\n`;
}

test('an output of gpu-benches: its levels by three rules, and its curve', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await drop(page, 'main', [{ name: 'v100.txt', content: latencies() }]);
      await page.locator('.agreement').waitFor();
      await settled(page);
      const rows = await page.locator('.agreement tbody tr').allInnerTexts();
      assert.equal(rows.length, 2);
      for (const row of rows) assert.match(row, /v100\.txt[\s\S]*within one step/);
      const latency = page
        .locator('.measured tbody tr', { hasText: 'Level 2 (v100.txt)' })
        .filter({ hasText: 'median' });
      assert.match(await latency.innerText(), /215 cycles/);
      assert.equal(await page.locator('.noise svg').count(), 3);
      await assertAccessible(page);
    },
    { at: at() },
  ));

test('the H100’s raw files give mt4g’s numbers', { skip: existsSync(samples) ? false : 'no sample data' }, () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const folder = `${samples}raw/NVIDIA H100 80GB HBM3/`;
      const files = readdirSync(folder).map((name) => folder + name);
      await page.setInputFiles('input[type=file]', [...files, `${samples}json/NVIDIA H100 80GB HBM3.json`]);
      await page.locator('.measured').waitFor({ timeout: 60_000 });
      const row = async (memory, kind) =>
        (
          await page
            .locator('.measured tbody tr')
            .filter({ hasText: memory })
            .filter({ hasText: kind })
            .first()
            .innerText()
        ).replaceAll(/[\u202f ]/g, '');
      assert.match(await row('Texture', 'Size'), /243456[\s\S]*243456/);
      assert.match(await row('L2', 'Segment'), /26214400[\s\S]*26214400/);
      assert.match(await row('Constant L1', 'Size'), /2112[\s\S]*2112/);
      assert.equal(await page.locator('.measured .differs').count(), 0, 'mt4g’s rule gives what mt4g reports');
    },
    { at: at() },
  ),
);

test('a link’s mystery GPU is measured, guessed, found and revealed', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      assert.equal(await page.locator('#hidden-seed').inputValue(), '4');
      await page.locator('#experiment-memory').selectOption('texture');
      await page.getByRole('button', { name: 'Measure', exact: true }).click();
      await page.locator('.bench svg').nth(2).waitFor();
      await page.locator('#experiment').selectOption('walk');
      await page.locator('#experiment-bytes').fill('1 MiB');
      await page.getByRole('button', { name: 'Measure', exact: true }).click();
      await page.getByTestId('outcome').filter({ hasText: 'Slow loads are mostly' }).waitFor();
      await page.locator('#experiment').selectOption('amount');
      await page.locator('#experiment-bytes').fill('4 KiB');
      await page.getByRole('button', { name: 'Measure', exact: true }).click();
      await page.getByTestId('outcome').filter({ hasText: 'of 31' }).waitFor();
      await page.locator('#experiment-bytes').fill('nothing');
      await page.getByRole('button', { name: 'Measure', exact: true }).click();
      await page.getByText('A size such as').waitFor();
      await page.getByText('Answer everything at once').click();
      await page.getByLabel('Texture: Size').fill('1 KiB');
      await page.getByRole('button', { name: 'Reveal and score' }).click();
      const byHand = await page.getByTestId('score').innerText();
      await page.locator('.game').getByRole('button', { name: 'Let the page find out' }).click();
      await page.locator('.sweeps').waitFor({ timeout: 60_000 });
      const [right, of] = (await page.getByTestId('score').innerText()).match(/\d+/g).map(Number);
      assert.equal(right, of, 'all of seed 4 is found');
      const beyond = page.locator('.outlook tbody tr');
      assert.ok((await beyond.count()) > 10);
      assert.match(await beyond.filter({ hasText: 'Reach of the TLB, level 1' }).innerText(), /right[\s\S]*95 %/);
      assert.match(await beyond.filter({ hasText: 'Throughput of a core Main memory' }).innerText(), /B per cycle/);
      assert.ok(Number(byHand.match(/\d+/)[0]) < right, byHand);
      await page.locator('#hidden-noise').fill('0');
      await page.locator('#hidden-noise').press('Tab');
      await page.waitForFunction(() => /topology\.noise=0/.test(location.hash) && !document.querySelector('.revealed'));
      await page.locator('#hidden-gpu').selectOption('840m');
      await page.locator('.game').getByRole('button', { name: 'Let the page find out' }).click();
      await page.locator('.revealed', { hasText: 'thesis table 5.5' }).waitFor({ timeout: 60_000 });
    },
    { at: at('&view.topology.mode=discover&view.topology.seed=4') },
  ));

/** Presses “Measure”, or another button that measures, and gives the sentence that the outcome has. */
async function measure(page, name = 'Measure') {
  await page.getByRole('button', { name, exact: true }).click();
  await page.waitForFunction(() => !document.querySelector('[data-testid=topology-progress]'));
  const said = page.locator('.bench [data-testid=outcome], .bench [data-testid=change]').first();
  await said.waitFor();
  return (await said.innerText()).replaceAll(/[\u202f\u00a0,](?=\d{3})/g, '');
}

/** The number that a pattern finds in a sentence. */
const numberIn = (said, pattern) => Number(pattern.exec(said)?.[1] ?? assert.fail(`${pattern} in “${said}”`));

test('the game is played to its end, by keyboard, on a phone', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const [score, said] = [page.getByTestId('game-score'), page.getByTestId('game-said')];
      await score.waitFor();
      assert.match(await score.innerText(), /Question 1 of \d[\s\S]*0 found/);
      /** Answers, and waits until the game says what is expected: a worker judges the answer. */
      const reply = async (value, expected) => {
        const field = page.getByLabel('Your answer');
        if ((await field.evaluate((node) => node.tagName)) === 'SELECT') {
          await field.selectOption(value);
          await page.getByRole('button', { name: 'Check' }).click();
        } else {
          await field.fill(String(value));
          await field.press('Enter');
        }
        await eventually(async () => assert.match(await said.innerText(), expected));
      };
      const right = async (value) => {
        await reply(value, /^Right\./);
        // The button takes the focus once it is drawn.
        await page.waitForFunction(() => document.activeElement.textContent === 'Next question');
        await page.keyboard.press('Enter');
      };
      const inView = async () => {
        const box = await score.boundingBox();
        assert.ok(box.y >= 0 && box.y + box.height <= 844, 'the score is in view');
      };
      await inView();

      await reply('lots', /Give a size/);
      await reply('2 KiB', /^Too small/);
      const rough = await measure(page);
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await inView();
      const [low, high] = [/interval (\d+)/, /interval \d+ to (\d+)/].map((pattern) => numberIn(rough, pattern));
      assert.ok(low < high, 'an interval has a width');
      const finer = 'Measure this interval in steps of 64\u202fbytes';
      const fine = await measure(page, finer);
      const asked = await page.locator('.bench .choices input').evaluateAll((all) => all.map((input) => input.value));
      assert.deepEqual(asked.map(Number), [low - 512, high + 512, 64]);
      assert.equal(await page.getByRole('button', { name: finer }).count(), 0, 'nothing is finer');
      await right(numberIn(fine, /after (\d+) bytes/));

      await right(numberIn(await measure(page), /mostly (\d+) bytes apart/));
      const slow = [];
      for (const stride of [60, 120]) {
        await page.locator('#experiment-stride').fill(String(stride));
        slow.push(await measure(page));
      }
      assert.notEqual(slow[0], slow[1]);
      await right(64);
      await right(numberIn(await measure(page), /(?:median|take) (\d+) cycles/) - 2);
      const disturbed = numberIn(await measure(page), /^(\d+) of 31/);
      await right(Math.round(32 / (disturbed + 1)));
      await right(numberIn(await measure(page), /^(\d+) of 2/) > 0 ? '1' : '0');
      await page.getByRole('button', { name: 'Show this answer' }).click();
      await eventually(async () => assert.match(await said.innerText(), /^Shown\./));
      await page.getByRole('button', { name: 'Next question' }).click();
      await page.locator('.game', { hasText: 'You found 6 of 7.' }).waitFor();
      await inView();
      await assertAccessible(page);
      await assertFits(page);
    },
    { context: PHONE, at: at('&view.topology.mode=discover') },
  ));

test('on a phone the bar covers nothing that has the focus, and what was measured comes into view', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const score = page.getByTestId('game-score');
      await score.waitFor();
      const button = page.getByRole('button', { name: 'Measure', exact: true });
      await button.focus();
      const below = await button.boundingBox();
      assert.ok(below.y + below.height <= (await score.boundingBox()).y, 'the bar does not cover what has the focus');
      const rough = await measure(page);
      await page.waitForFunction(() => {
        const shown = document.querySelector('.bench .drawing')?.getBoundingClientRect();
        return (
          shown && shown.top >= 0 && shown.bottom <= document.querySelector('.game-bar').getBoundingClientRect().top
        );
      });
      assert.match(
        (await score.innerText()).replaceAll(/[\u202f\u00a0,](?=\d{3})/g, ''),
        new RegExp(numberIn(rough, /after (\d+) bytes/)),
      );
      await page.getByTestId('game-score').getByRole('button', { name: 'Answer now' }).click();
      await eventually(async () => {
        const field = await page.locator('#game-answer:focus').boundingBox({ timeout: 1000 });
        assert.ok(field.y >= 0 && field.y + field.height <= (await score.boundingBox()).y, 'the answer is in view');
      });
    },
    { context: PHONE, at: at('&view.topology.mode=discover') },
  ));

test('this CPU is measured only when asked, can be stopped, and becomes a topology', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      assert.equal(page.workers().length, 1, 'no worker measures anything yet');
      const button = page.getByRole('button', { name: 'Measure this CPU' });
      assert.match(
        await page.locator('.machine-cpu').innerText(),
        /fingerprint[\s\S]*nothing is uploaded[\s\S]*stop it at any time/,
      );
      await button.click();
      await page.getByTestId('topology-progress').waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('Stopped.', { exact: true }).waitFor();
      await page.locator('.machine-cpu').getByRole('checkbox').check();
      await button.click();
      const levels = page.getByTestId('levels-cpu');
      await levels.locator('svg').waitFor({ timeout: 120_000 });
      // Each browser makes its clock coarse in its own way.
      const clock = inFirefox
        ? /Step of the clock: 1\.0\d ms[\s\S]*Line: /
        : /Step of the clock: 0\.1\d ms[\s\S]*Line: /;
      assert.match(await levels.innerText(), clock);
      assert.ok(!page.workers().some((worker) => worker.url().includes('machine')), 'the worker has ended');
      if (await page.getByRole('button', { name: 'Look at its topology' }).isVisible()) {
        await page.getByRole('button', { name: 'Look at its topology' }).click();
        await page.locator('.hierarchy svg[aria-label*="CPU in this browser"]').waitFor();
        assert.match(await page.locator('.values').innerText(), /pointer chase in this browser/);
      }
    },
    { at: at('&view.topology.mode=machine') },
  ));

const ofChromium = inFirefox && 'only Chromium has a software adapter of WebGPU';
test('a software GPU’s chase visits the whole chain and is no measurement', { skip: ofChromium }, () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      await page.locator('.machine-gpu').getByRole('checkbox').check();
      for (const [way, lanes] of [
        ['storage', '1'],
        ['uniform', '32'],
      ]) {
        await page.locator('#gpu-way').selectOption(way);
        await page.locator('#gpu-lanes').selectOption(lanes);
        await page.getByRole('button', { name: 'Measure this GPU' }).click();
        const visits = page.getByTestId('visits');
        await visits.waitFor({ timeout: 120_000 });
        assert.equal(
          (await visits.innerText()).match(/256 of 256 links visited/g).length,
          8,
          'four ways, one lane and 32',
        );
        assert.match(await page.getByTestId('software').innerText(), /software adapter, not a measurement/);
      }
    },
    { at: at('&view.topology.mode=machine'), args: SOFTWARE_GPU },
  ),
);

test('without a GPU the page says so', () =>
  withPage(
    async ({ page }) => {
      await settled(page);
      const button = page.getByRole('button', { name: 'Measure this GPU' });
      if (await button.isVisible()) {
        await button.click();
        await page.locator('.machine-gpu [role=alert]').waitFor();
      }
      assert.match(await page.locator('.machine-gpu').innerText(), /no WebGPU|no adapter|refused the work/);
    },
    { at: at('&view.topology.mode=machine'), expectTrouble: /WebGPU|adapter/ },
  ));

test('axe finds nothing, at both sizes, in both themes, in every part', async () => {
  for (const context of LOOKS) {
    await withPage(
      async ({ page }) => {
        await settled(page);
        await page.getByText('Edit the values').click();
        await assertAccessible(page);
        await toMode(page, 'Discover');
        await settled(page);
        await page.locator('.game').getByRole('button', { name: 'Let the page find out' }).click();
        await page.locator('.sweeps svg').waitFor({ timeout: 60_000 });
        await assertAccessible(page);
        await toMode(page, 'Measure');
        await settled(page);
        await assertAccessible(page);
        await assertFits(page);
      },
      { context, at: at('&view.topology.second=v100') },
    );
  }
});

test('of GPUs dropped in another tab, the one that the page uses is shown, and the next one after it', () =>
  withPage(async ({ page }) => {
    const gpu = (id) => ({ name: `${id}.json`, content: preset(id) });
    const name = (id) => JSON.parse(preset(id)).name;
    const heading = (id) => page.getByRole('heading', { name: `Memory hierarchy of ${name(id)}` });
    await drop(page, 'main', [gpu('h100'), gpu('v100')]);
    await page.getByText(`GPU from file: ${name('v100')}`).waitFor();
    await page.getByRole('tab', { name: 'Topology' }).click();
    await heading('v100').waitFor();
    assert.equal(await page.locator('.diagnostics').count(), 0);
    await page.getByRole('tab', { name: 'Cache' }).click();
    await drop(page, 'main', [gpu('a100')]);
    await page.getByText(`GPU from file: ${name('a100')}`).waitFor();
    await page.getByRole('tab', { name: 'Topology' }).click();
    await heading('a100').waitFor();
  }));
