// What holds for the page whatever it shows: it works from a sub-path, keeps to its host, ships one engine.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { address, assertAccessible, withPage } from './browser.mjs';

const dist = new URL('../../dist/', import.meta.url);
/** Copies that hosts send to browsers that take them. */
const PACKED = /\.(br|gz)$/;
const names = readdirSync(dist, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
const shipped = names.filter((name) => !PACKED.test(name));

test('the page starts from a sub-path without trouble and is accessible', () =>
  withPage(async ({ page }) => {
    await page.waitForLoadState('networkidle');
    assert.match(await page.title(), /Warpscope/);
    await assertAccessible(page);
  }));

/**
 * The most bytes that each shipped file may have when gzipped, by its name without the hash of its content. `main.zh.js` is the same
 * file in Chinese and may have a tenth more: a character of it takes three bytes.
 */
const BUDGET = {
  // With a note in each language for browsers without scripts.
  'index.html': 1_250,
  // Chooses the language.
  'start.js': 1_000,
  // 68,000 before the switch of languages, two more tabs and the line about a newer version; 71,000 before the words of comparing said what to do;
  // 71,800 before a refused value said so at its chip; 72,100 before settings that were refused were not offered again;
  // 72,200 before a changed run could be compared with the one before, and the list of values stayed open in a narrow window;
  // 72,500 before schedulers waited for blocks to start; 72,700 before an L1 replaced lines at random;
  // 72,900 before a tab with a result from before said so during a run; 73,000 before the browser's title named the tab;
  // 73,200 before a result of another input said so, and names from right to left stood apart;
  // 73,400 before sentences with a count were right for one thing.
  'main.js': 73_500,
  // 6,000 before the figures of a dark page were printed.
  'main.css': 6_050,
  'worker.js': 24_000,
  // 1,500,000 before the self-check and the course, whose answers and rows the engine computes; 1,650,000 before the probes of instruction
  // caches, TLBs and bandwidths, and the host code of more programs; 1,675,000 before each solution of the course had a figure;
  // 1,682,000 before friends of class templates, and constructors that index an array member;
  // 1,687,000 before the contradiction that a changed value makes named its parameter; 1,687,500 before the host code of CUDA texts had vectors;
  // 1,695,000 before arrays had the contents that the host gives them, and the host code of several files was followed;
  // 1,708,000 before other changes of a text ran beside the placements; 1,721,000 before rows of a numeric length, and tiles without bounds tests.
  // 1,728,500 before lanes that cross the end of a line asked the L2 again, and each move of the best placement ran by itself;
  // 1,730,500 before the compiler counted which instructions wait, and padding looked at all warps;
  // 1,734,000 before blocks started some cycles after those in their places, and atomics of shared memory counted lanes.
  // 1,739,000 before a board said how cores count at barriers, and what the L1 replaces;
  // 1,740,000 before loops that go over a sum in parts kept their parts, and loads of pairs were joined;
  // 1,742,500 before the staging of a text could be taken back;
  // 1,760,000 before conditions, barriers and values decided what a rewritten text may leave out;
  // 1,772,000 before classes of PyTorch and GLM, mt4g's devices without a preset, and profiles in several files;
  // 1,788,000 before names of CUDA texts had scopes, lambdas types of their own, and guessed types were tried in turn.
  // 1,796,000 before numbers of 8 bits, a carry of PTX, conversions by classes, and more objects of host code;
  // 1,809,000 before placement ran parts of long launches and each kernel of a program, and rewrote templates, histograms and pointers into shared memory;
  // 1,837,000 before clamped and chosen indices had tiles;
  // 1,847,500 before sentences with a count were right for one thing, and launches of host code were told with their line.
  'warpscope_bg.wasm': 1_851_500,
  'drawings-light.js': 6_000,
  'drawings-dark.js': 6_000,
  // 9,500 before fields of the launch followed the rules of the editor; 9,800 before changes during a run, cancelled runs, files beside the text and
  // sizes with fractions were told apart; 10,400 before a dropped text with errors was in the editor.
  'kernel.js': 10_750,
  'code.js': 6_500,
  'kernel.css': 1_500,
  // The text editor: CodeMirror.
  'editor.js': 170_000,
  'reuse.js': 19_000,
  'reuse.css': 1_500,
  // 21,500 before the table of what the outlook's probes find; 22,500 before the game showed what was measured and looked closer by itself.
  'topology.js': 23_500,
  'topology.css': 1_500,
  // 19,000 before the printed model and its sample; 21,000 before the verdict told a tie, a search that goes on and the state of the caches;
  // 22,500 before other changes of the text; 24,000 before cycles of the equations stood by themselves;
  // 24,100 before measured times with other columns were no addresses.
  'placement.js': 24_400,
  'placement.css': 1_500,
  'check.js': 5_000,
  'check.css': 700,
  // 4,000 before GPUs were picked by name and the fastest was named; 4,900 before the table named parameters as people read them.
  'sweep.js': 5_000,
  'l1.js': 6_000,
  'contents.js': 5_000,
  'live.js': 5_500,
  'live.css': 1_000,
  'why.js': 8_500,
  'gpu-rows.js': 3_500,
  'folds.js': 2_000,
  'definitions.js': 7_000,
  // What is kept in the browser.
  'kept.js': 2_000,
  'recent.js': 1_500,
  'measured.js': 3_000,
  'gallery.js': 5_000,
  'gallery.css': 1_000,
  'sure.js': 4_000,
  // 7,500 before the card began with its answer in a sentence.
  // 10_000 before a difference of times was held against the error.
  'compare.js': 10_200,
  'compare.css': 700,
  'help.js': 4_500,
  // What the engine says, in a language other than English: a text for every sentence of it. It was 27,000 with half of them. The values of
  // marks of drawings took 900 of it. 52,000 before values that rest on an open number said so; 52,300
  // before other changes of a text.
  // 53,000 before a board said how cores count at barriers, and what the L1 replaces;
  // 53,200 before the staging of a text could be taken back, with reasons why not; 53,900 before copies under conditions had reasons too;
  // 54,100 before the last rows of the self-check were Chinese; 54,200 before notes on missing blocks and on launches of other sizes;
  // 54,500 before private copies and templates had reasons; 55,000 before messages of the compiler were Chinese as a whole;
  // 55,500 before tables without addresses, launches with their lines and arrays of pointers were told.
  'messages.js': 55_800,
  'unzip.js': 1_200,
  'sharing.js': 3_000,
  'scenario-file.js': 1_500,
  'embed.js': 1_500,
  'missing.js': 600,
  'embed.css': 600,
  // What keeps the page for a visit without a network.
  'offline.js': 1_500,
  'sw.js': 9_000,
  'manifest.webmanifest': 500,
  'icon-192.png': 2_000,
  'icon-512.png': 6_000,
  'icon-whole-512.png': 4_000,
  'learn.js': 60_000,
  'learn.css': 700,
  'exercise-bar.js': 700,
  // 4,500 before a block took shared memory besides its own.
  'topology.schema.json': 4_600,
  'exercise.schema.json': 4_500,
};

test('no shipped file is larger than its budget, and each has one', () => {
  const packed = (name) => gzipSync(readFileSync(new URL(name, dist)), { level: 9 }).length;
  const sizes = shipped.map((name) => [name.replace(/\.[0-9a-f]{8}\./, '.'), packed(name)]);
  const source = (name) => name.replace(/\.(?!test)[a-z]{2}\.js$/, '.js');
  assert.deepEqual([...new Set(sizes.map(([name]) => source(name)))].sort(), Object.keys(BUDGET).sort());
  assert.deepEqual(
    sizes.filter(([name, bytes]) => bytes > BUDGET[source(name)] * (source(name) === name ? 1 : 1.1)),
    [],
  );
});

test('the packed copies hold what their files hold', () => {
  const copies = names.filter((name) => PACKED.test(name));
  for (const name of copies) {
    const unpack = name.endsWith('.br') ? brotliDecompressSync : gunzipSync;
    const file = readFileSync(new URL(name.replace(PACKED, ''), dist));
    assert.ok(unpack(readFileSync(new URL(name, dist))).equals(file), name);
  }
  for (const name of shipped.filter((file) => /\.(js|css|html|wasm)$/.test(file)))
    assert.deepEqual(
      copies.filter((copy) => copy.replace(PACKED, '') === name),
      [`${name}.br`, `${name}.gz`],
    );
});

test('docs/hosting.md says how large the engine is', () => {
  const engine = names.find((name) => name.endsWith('.wasm'));
  const [br, gz, plain] = ['.br', '.gz', ''].map((ending) =>
    (readFileSync(new URL(`${engine}${ending}`, dist)).length / 1e6).toFixed(1),
  );
  const text = readFileSync(new URL('../../docs/hosting.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');
  assert.ok(
    text.includes(`engine as ${br} MB (brotli) or ${gz} MB (gzip) in place of ${plain} MB.`),
    `${br}, ${gz}, ${plain}`,
  );
});

test('workers share the engine files: none is published twice', () => {
  const modules = readdirSync(dist)
    .filter((name) => name.endsWith('.wasm'))
    .map((name) => readFileSync(new URL(name, dist)).toString('base64'));
  assert.ok(modules.length >= 1);
  assert.equal(new Set(modules).size, modules.length);
});

test('the policy keeps scripts of the page from speaking to another host', () =>
  withPage(
    async ({ page }) => {
      // The page's own port under its other name: reachable, so that only the policy can refuse it.
      const other = (await address(page)).replace('127.0.0.1', 'localhost');
      // `no-cors`, or the missing permission of the other host would refuse it first.
      const outcome = await page.evaluate(
        (url) =>
          fetch(url, { mode: 'no-cors' }).then(
            () => 'answered',
            (error) => error.name,
          ),
        other,
      );
      assert.equal(outcome, 'TypeError');
    },
    { expectTrouble: /Content Security Policy|Refused to connect/ },
  ));

test('the policy refuses inline scripts and styles', () =>
  withPage(
    async ({ page }) => {
      const csp = await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', 'content');
      assert.match(csp, /default-src 'none'/);
      assert.doesNotMatch(csp, /'unsafe-inline'|'unsafe-eval'|https?:/);
      const refused = await page.evaluate(() => {
        const script = document.createElement('script');
        script.textContent = 'globalThis.ranInline = true';
        const style = document.createElement('style');
        style.textContent = 'body { outline: 7px solid red; }';
        document.head.append(script, style);
        return [globalThis.ranInline === undefined, getComputedStyle(document.body).outlineWidth !== '7px'];
      });
      assert.deepEqual(refused, [true, true]);
    },
    { expectTrouble: /Content Security Policy|Refused to (execute|apply)/ },
  ));
