// The desk of the Reuse tab through the boundary: tasks in steps, files in chunks, and the memory that was announced.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import engine from './engine.mjs';

const scenario = {
  version: 1,
  example: null,
  files: [],
  gpu: 'gtx470-16k',
  model: 'paper',
  seed: 1,
  set: {},
  kernels: [],
  warm: false,
  view: {},
  fingerprint: null,
};

/** Steps until `pick` finds something. */
function done(desk, pick) {
  for (;;) {
    const step = desk.step(100_000);
    const found = pick(step);
    if (found !== null) return found;
    assert.ok(step.done >= 0);
  }
}

function prepared(desk, line = 1) {
  return desk.prepare(line, false, scenario) ?? done(desk, (step) => step.prepared);
}

function generated(pattern, n, m) {
  const desk = new engine.ReuseDesk(1 << 29);
  assert.equal(desk.generate(pattern, 1, n, m, 3), true);
  done(desk, (step) => step.generated);
  return desk;
}

const analyse = (desk, engine) => {
  desk.start(engine);
  return done(desk, (step) => step.result);
};

test('partitions by other workers have the desk’s histogram', () => {
  const desk = generated('zipf', 200_000, 5_000);
  const ready = prepared(desk);
  assert.deepEqual([ready.accesses, ready.narrow, ready.why], [200_000, true, 'few-lines']);
  const { all, fingerprint } = analyse(desk, { engine: 'auto' });
  assert.equal(all.accesses, 200_000);
  desk.read_lines();
  const summaries = [90_000, 70_000, 40_000].map((length) => {
    const lab = new engine.ReuseLab();
    lab.push_u32(desk.next_u32(length));
    return lab.summary();
  });
  assert.equal(desk.next_u32(10).length, 0);
  const merged = new engine.ReuseLab();
  summaries.forEach((summary) => merged.merge(summary));
  assert.equal(desk.equals_exact(merged.summary()), true);
  assert.equal(desk.equals_exact(summaries[0]), false);
  assert.equal(desk.equals_exact(Uint8Array.of(1)), undefined);
  assert.equal(analyse(desk, { engine: 'offline' }).fingerprint, fingerprint);
  const sum = desk.window('all', 0, all.largest, 50).reduce((n, bar) => n + bar.count, 0);
  assert.equal(sum, all.accesses - all.firsts);
});

test('HP-RDA, its adjustment, and another machine’s version of it', () => {
  const desk = generated('uniform', 100_000, 2_000);
  prepared(desk);
  analyse(desk, { engine: 'rank' });
  desk.start({ engine: 'hp-rda-trace' });
  const trace = done(desk, (step) => step.trace);
  assert.equal(desk.hp_rda_addresses().length, trace.references);
  assert.equal(trace.references + trace.repeats, 100_000);
  const plain = analyse(desk, { engine: 'hp-rda', st: 256, nb: 8, adjust: false });
  const adjusted = desk.adjust_hp_rda();
  assert.ok(adjusted.difference.curve_points < plain.difference.curve_points);
  assert.equal(plain.hp_rda.ef, adjusted.hp_rda.ef);
  assert.equal(desk.equals_hp_rda(new Uint32Array(10), 5), false);
});

test('wrong wishes are messages', () => {
  const desk = new engine.ReuseDesk(1 << 20);
  assert.equal(desk.generate('nothing', 1, 10, 10, 1), false);
  assert.throws(
    () => desk.prepare(64, false, scenario),
    (e) => e.diagnostics[0].file === 'input',
  );
  assert.throws(
    () => desk.start({ engine: 'magic' }),
    (e) => e.diagnostics[0].found === 'magic',
  );
  assert.throws(
    () => desk.begin_file('a', 'magic', 64),
    (e) => /magic/.test(e.diagnostics[0].found),
  );
  assert.throws(
    () => desk.report_json(1),
    (e) => e.diagnostics[0].file === 'report',
  );
});

test('charts are drawn from what the page sends', () => {
  const svg = engine.reuse_chart(
    {
      kind: 'curve',
      lines: [
        {
          tone: 'exact',
          points: [
            [1, 1],
            [8, 0.5],
          ],
        },
      ],
      knees: [[8, 0.5]],
      logarithmic: true,
    },
    400,
    false,
  );
  assert.match(svg, /^<svg .*Miss ratio/s);
  assert.throws(
    () => engine.reuse_chart({ kind: 'pie' }, 400, false),
    (e) => e.diagnostics[0].file === 'figure',
  );
});

// An instance of its own for each size: memory only grows.
for (const [n, m] of [
  [4_000_000, 1_000_000],
  [3_000_000, 30_000],
  [8_000_000, 4_000_000],
]) {
  test(`the memory of ${n} accesses to ${m} lines is what was announced, within 20 %`, async () => {
    const engine = await import(`../../pkg/engine/warpscope.js?${m}`);
    const { memory } = engine.initSync({
      module: readFileSync(new URL('../../pkg/engine/warpscope_bg.wasm', import.meta.url)),
    });
    const desk = new engine.ReuseDesk(1 << 29);
    // A file: random 64-bit addresses, the worst case for packing.
    const bytes = new Uint8Array(8 * 65_536);
    const words = new BigUint64Array(bytes.buffer);
    desk.begin_file('a.u64', undefined, 64);
    let state = 88172645463325252n;
    const mask = (1n << 64n) - 1n;
    for (let sent = 0; sent < n; sent += words.length) {
      for (let i = 0; i < words.length; i++) {
        state ^= (state << 13n) & mask;
        state ^= state >> 7n;
        state ^= (state << 17n) & mask;
        words[i] = 0x7f0000000000n + (state % BigInt(m)) * 64n;
      }
      desk.push(bytes);
    }
    desk.end_file();
    desk.finish_files();
    const ready = prepared(desk, 64);
    assert.ok(Math.abs(ready.distinct / Math.min(m, n) - 1) < 0.4);
    analyse(desk, { engine: 'rank' });
    const [said, took] = [ready.rank_bytes, memory.buffer.byteLength];
    assert.ok(Math.abs(took / said - 1) < 0.2, `announced ${said}, took ${took}: ${(took / said).toFixed(3)}`);
  });
}
