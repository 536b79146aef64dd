// What the engine asks of the browser, which node has as well: streams of files, random numbers, marks on the clock.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import engine, { compiled, until } from './engine.mjs';

test('a file is streamed in pieces of at most 64 KiB', async () => {
  const content = Uint8Array.from({ length: 300_001 }, (_, i) => (i * 31) >> 3);
  const [hasher, stream] = [new engine.Hasher(), new engine.FileStream(new File([content], 'numbers'))];
  const pieces = [];
  while (await stream.next()) {
    for (let took = hasher.take(stream); took > 0; took = hasher.take(stream)) pieces.push(took);
  }
  assert.equal(hasher.finish(), createHash('sha256').update(content).digest('hex'));
  assert.ok(pieces.length >= 5 && Math.max(...pieces) === 64 << 10, `${pieces}`);
  assert.equal(await stream.next(), false, 'and at its end it stays there');
});

test('a stream that was cancelled gives no more', async () => {
  const stream = new engine.FileStream(new File([new Uint8Array(1 << 20)], 'zeros'));
  await stream.next();
  await stream.cancel();
  assert.equal(await stream.next(), false);
});

test('drawn seeds lie in their range and differ', () => {
  const seeds = Array.from({ length: 200 }, () => engine.draw_seed(6));
  assert.deepEqual([...new Set(seeds)].sort(), [1, 2, 3, 4, 5, 6]);
  assert.ok(new Set(Array.from({ length: 20 }, () => engine.draw_seed(0xffff_ffff))).size > 15);
});

test('reading, emulation and run are marked on the clock, the last of each', () => {
  const lab = new engine.Lab();
  for (let i = 0; i < 2; i++) {
    lab.clear();
    lab.set_cuda(compiled);
    lab.example('matvec-rows');
    lab.begin_texts();
    until((budget) => lab.intake_step(budget), 'intake');
    lab.start({ version: 1, gpu: 'gtx470-16k', model: 'paper', seed: 1, set: {}, files: [] });
    until((budget) => lab.step(budget), 'report');
  }
  for (const name of ['reading', 'emulation', 'run']) {
    const marked = performance.getEntriesByName(`warpscope: ${name}`, 'measure');
    assert.equal(marked.length, 1, name);
    assert.ok(marked[0].duration >= 0);
  }
});
