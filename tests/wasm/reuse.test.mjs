// Reuse distances through the boundary: steps, chunks of any size, partitions merged as bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import engine from './engine.mjs';

const lines = BigUint64Array.from({ length: 30_000 }, (_, i) => BigInt((i * i * 7 + (i >> 5)) % 911));

function whole() {
  const lab = new engine.ReuseLab();
  lab.push_u64(lines);
  return lab;
}

const outcome = (lab) => ({ ...lab.result(), distances: lab.distances(), counts: lab.counts() });

test('equals a list, most recent first', () => {
  const list = [];
  const counts = new Map();
  for (const line of lines) {
    const place = list.lastIndexOf(line);
    const distance = place < 0 ? 'inf' : list.length - 1 - place;
    if (place >= 0) list.splice(place, 1);
    list.push(line);
    counts.set(distance, (counts.get(distance) ?? 0) + 1);
  }
  const found = outcome(whole());
  assert.equal(found.accesses, lines.length);
  assert.equal(found.distinct, counts.get('inf'));
  found.distances.forEach((distance, i) => assert.equal(found.counts[i], counts.get(distance)));
  assert.equal(found.distances.length, counts.size - 1);
});

test('steps are bounded and their progress is true', () => {
  const lab = new engine.ReuseLab();
  lab.push_u64(lines);
  assert.equal(lab.step(100).done, 100);
  assert.deepEqual([lab.step(50).done, lab.step(0).total], [150, lines.length]);
  lab.push_u32(Uint32Array.of(1, 2, 3));
  assert.equal(lab.step(0xffffffff).done, lines.length + 3);
});

test('partitions merge to the whole, in any tree', () => {
  const expected = outcome(whole());
  const parts = [0, 1, 7_000, 7_000, 20_001, lines.length].map((end, i, cuts) => lines.subarray(cuts[i - 1] ?? 0, end));
  const summaries = parts.map((part) => {
    const lab = new engine.ReuseLab();
    lab.push_u64(part);
    return lab.summary();
  });
  const merged = (list) => {
    const lab = new engine.ReuseLab();
    list.forEach((summary) => lab.merge(summary));
    return lab;
  };
  assert.deepEqual(outcome(merged(summaries)), expected);
  const halves = [merged(summaries.slice(0, 4)).summary(), merged(summaries.slice(4)).summary()];
  assert.deepEqual(outcome(merged(halves)), expected);
  assert.throws(
    () => merged([Uint8Array.of(1, 2, 3)]),
    (e) => e.diagnostics[0].file === 'partition',
  );
});

test('bytes may be cut anywhere', () => {
  const bytes = new Uint8Array(lines.buffer);
  const lab = new engine.ReuseLab();
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 3) % 1_009) {
    lab.push_bytes(bytes.subarray(at, at + size), 1);
  }
  assert.deepEqual(outcome(lab), outcome(whole()));
});

test('generated streams are the native ones', () => {
  const lab = new engine.ReuseLab();
  assert.equal(lab.generate('zipf', 1, 1_000, 50, 3), true);
  assert.equal(lab.generate('nothing', 1, 1_000, 50, 3), false);
  assert.equal(lab.result().accesses, 1_000);
});
