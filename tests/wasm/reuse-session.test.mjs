// The session of the Reuse tab through the boundary: tasks in steps, files in chunks, and the memory that was announced.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { scenario } from '../../scripts/build/scenario.mjs';
import engine from './engine.mjs';

/** Steps until `pick` finds something. */
function done(session, pick) {
  for (;;) {
    const step = session.step(100_000);
    const found = pick(step);
    if (found !== null) return found;
    assert.ok(step.done >= 0);
  }
}

function prepared(session, line = 1) {
  return session.prepare(line, false, scenario()) ?? done(session, (step) => step.prepared);
}

function generated(pattern, n, m) {
  const session = new engine.ReuseSession(1 << 29);
  assert.equal(session.generate(pattern, 1, n, m, 3), true);
  done(session, (step) => step.generated);
  return session;
}

const analyse = (session, engine) => {
  session.start(engine);
  return done(session, (step) => step.result);
};

test('partitions by other workers have the session’s histogram', () => {
  const session = generated('zipf', 200_000, 5_000);
  const ready = prepared(session);
  assert.deepEqual([ready.accesses, ready.narrow, ready.why], [200_000, true, 'few-lines']);
  const { all, fingerprint } = analyse(session, { engine: 'auto' });
  assert.equal(all.accesses, 200_000);
  session.read_lines();
  const summaries = [90_000, 70_000, 40_000].map((length) => {
    const lab = new engine.ReuseLab();
    lab.push_u32(session.next_u32(length));
    return lab.summary();
  });
  assert.equal(session.next_u32(10).length, 0);
  const merged = new engine.ReuseLab();
  summaries.forEach((summary) => merged.merge(summary));
  assert.equal(session.equals_exact(merged.summary()), true);
  assert.equal(session.equals_exact(summaries[0]), false);
  assert.equal(session.equals_exact(Uint8Array.of(1)), undefined);
  assert.equal(analyse(session, { engine: 'offline' }).fingerprint, fingerprint);
  const sum = session.window('all', 0, all.largest, 50).reduce((n, bar) => n + bar.count, 0);
  assert.equal(sum, all.accesses - all.firsts);
});

test('HP-RDA, its adjustment, and another machine’s version of it', () => {
  const session = generated('uniform', 100_000, 2_000);
  prepared(session);
  analyse(session, { engine: 'rank' });
  session.start({ engine: 'hp-rda-trace' });
  const trace = done(session, (step) => step.trace);
  assert.equal(session.hp_rda_addresses().length, trace.references);
  assert.equal(trace.references + trace.repeats, 100_000);
  const plain = analyse(session, { engine: 'hp-rda', st: 256, nb: 8, adjust: false });
  const adjusted = session.adjust_hp_rda();
  assert.ok(adjusted.difference.curve_points < plain.difference.curve_points);
  assert.equal(plain.hp_rda.ef, adjusted.hp_rda.ef);
  assert.equal(session.equals_hp_rda(new Uint32Array(10), 5), false);
});

test('wrong wishes are messages', () => {
  const session = new engine.ReuseSession(1 << 20);
  assert.equal(session.generate('nothing', 1, 10, 10, 1), false);
  assert.throws(
    () => session.prepare(64, false, scenario()),
    (e) => e.diagnostics[0].file === 'input',
  );
  assert.throws(
    () => session.start({ engine: 'magic' }),
    (e) => e.diagnostics[0].found === 'magic',
  );
  assert.throws(
    () => session.begin_file('a', 'magic', 64),
    (e) => /magic/.test(e.diagnostics[0].found),
  );
  assert.throws(
    () => session.report_json(1),
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
    { width: 400, dark: false, range: [0, 1] },
  );
  assert.match(svg, /^<svg .*Miss ratio/s);
  assert.throws(
    () => engine.reuse_chart({ kind: 'pie' }, { width: 400, dark: false, range: [0, 1] }),
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
    const session = new engine.ReuseSession(1 << 29);
    // A file: random 64-bit addresses, the worst case for packing.
    const bytes = new Uint8Array(8 * 65_536);
    // Both halves of each address as 32 bits: 64-bit numbers of JavaScript would take most of the test.
    const halves = new Uint32Array(bytes.buffer);
    session.begin_file('a.u64', undefined, 64);
    let state = 2463534242;
    for (let sent = 0; sent < n; sent += halves.length / 2) {
      for (let i = 0; i < halves.length; i += 2) {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        halves[i] = ((state >>> 0) % m) * 64;
        halves[i + 1] = 0x7f00;
      }
      session.push(bytes);
    }
    session.end_file();
    session.finish_files();
    const ready = prepared(session, 64);
    assert.ok(Math.abs(ready.distinct / Math.min(m, n) - 1) < 0.4);
    analyse(session, { engine: 'rank' });
    const [said, took] = [ready.rank_bytes, memory.buffer.byteLength];
    assert.ok(Math.abs(took / said - 1) < 0.2, `announced ${said}, took ${took}: ${(took / said).toFixed(3)}`);
  });
}
