// The Topology tab's engine through the boundary: topologies, files, hidden GPUs, chains.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nativeJson as native } from '../native.mjs';
import engine, { finishIntake, give, openExample } from './engine.mjs';

const raw = fileURLToPath(new URL('../../../shared/data/mt4g/raw/NVIDIA H100 80GB HBM3/', import.meta.url));

function discovered(lab, hidden) {
  lab.hide({ seed: 1, gpu: null, noise: null, outliers: null, ...hidden });
  for (;;) {
    const { outcome } = lab.discover();
    if (outcome) return outcome;
  }
}

const said = (run) => {
  try {
    run();
  } catch (error) {
    return error.diagnostics.map((d) => d.expected).join('\n');
  }
  return assert.fail('nothing was refused');
};

test('a hidden GPU is found the same natively and in wasm', () => {
  const lab = new engine.TopologyLab();
  assert.deepEqual(discovered(lab, { seed: 4 }), native('discover', '--seed', '4'));
  assert.deepEqual(discovered(lab, { seed: 2, gpu: '840m' }), native('discover', '--seed', '2', '--gpu', '840m'));
});

test(
  "raw files give the command line's numbers, and their curves",
  { skip: existsSync(raw) ? false : 'no sample data' },
  () => {
    const lab = new engine.TopologyLab();
    for (const name of readdirSync(raw)) {
      lab.begin_file(name);
      lab.push(readFileSync(raw + name));
    }
    const found = lab.finish_files();
    const values = (rows) =>
      rows
        .map(({ file, ...row }) => ({ file: file.split('/').pop(), ...row }))
        .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    assert.deepEqual(values(found.measurements), values(native('topology', raw).measurements));
    const curves = lab.curves('distance', 0.01);
    assert.equal(curves.length, 6);
    const l1 = curves.find((curve) => curve.memory === 'l1');
    assert.equal(l1.change, 238_592);
    const byMt4g = lab.curves('rms', 0.01).find((curve) => curve.memory === 'l1');
    assert.equal(byMt4g.samples.split, 238_848);
    for (const kind of ['times', 'reduced', 'samples'])
      assert.match(lab.figure(kind, '0', { width: 640, dark: false, range: [0, 1] }), /^<svg /);
  },
);

test('a topology survives reading, editing and drawing; a wrong value names its field', () => {
  const lab = new engine.TopologyLab();
  for (const { id } of lab.presets()) {
    const view = lab.preset(id);
    assert.deepEqual(lab.read('again', view.json), { ...view, diagnostics: [] });
    assert.match(lab.figure('hierarchy', view.json, { width: 320, dark: true, range: [0, 1] }), /^<svg /);
  }
  const { json } = lab.preset('v100');
  const edited = JSON.parse(json);
  edited.l1.bytes.value = 1000;
  assert.match(
    said(() => lab.read('edited', JSON.stringify(edited))),
    /`l1\.bytes`: a multiple of the line/,
  );
  const rows = lab.compare(json, lab.preset('a100').json);
  assert.ok(rows.find((row) => row.path === 'l2.bytes').differs && rows.some((row) => !row.differs));
});

test('an answer is scored; what cannot be is refused', () => {
  const lab = new engine.TopologyLab();
  assert.match(
    said(() => lab.discover()),
    /one that was drawn/,
  );
  assert.match(
    said(() => lab.hide({ seed: 1, gpu: 'nope', noise: null, outliers: null })),
    /a preset/,
  );
  const { found, score: all, outlook } = discovered(lab, { seed: 8, noise: 0.01 });
  // A visitor does not answer for the outlook.
  const right = outlook.filter((row) => row.right).length;
  const score = { ...all, of: all.of - outlook.length, right: all.right - right };
  const caches = Object.fromEntries(
    Object.entries(found.caches).map(([memory, c]) => [
      memory,
      {
        size: c.size ?? c.larger_than,
        line_size: c.line_size,
        fetch_granularity: c.fetch_granularity,
        latency: c.latency.p50,
        amount: c.amount,
        shared_with: c.shared_with,
      },
    ]),
  );
  const guess = {
    global_in_l1: found.global_in_l1,
    caches,
    shared_cycles: found.shared_latency.p50,
    main_cycles: found.main_latency.p50,
  };
  assert.deepEqual(lab.score(guess).score, score);
  assert.ok(lab.score({ ...guess, caches: {} }).score.right < score.right);
});

test('experiments come in steps and are drawn', () => {
  const lab = new engine.TopologyLab();
  assert.deepEqual(lab.hide({ seed: 5, gpu: null, noise: 0.02, outliers: 0.01 }).slice(-2), ['shared', 'main']);
  assert.equal(lab.experiment({ kind: 'sizes', memory: 'texture', from: 1024, to: 1 << 18, step: 0 }).outcome, null);
  let steps = 0;
  for (let now; !now?.outcome; steps += 1) now = lab.experiment_step(2_000);
  assert.ok(steps > 3);
  assert.match(lab.figure('reduced', 'experiment', { width: 640, dark: false, range: [0, 1] }), /^<svg /);
  const walk = lab.experiment({ kind: 'walk', memory: 'main', bytes: 1 << 18, stride: 512, warm: false }).outcome;
  assert.equal(walk.times.length, 512);
  assert.match(lab.figure('walk', '', { width: 640, dark: false, range: [0, 1] }), /^<svg /);
  assert.match(
    said(() => lab.experiment({ kind: 'walk', memory: 'l1', bytes: 1, stride: 4, warm: true })),
    /`bytes`/,
  );
  assert.match(
    said(() => lab.experiment({ kind: 'dance' })),
    /settings of this page/,
  );
});

test('levels of a curve become a topology', () => {
  const lab = new engine.TopologyLab();
  const sizes = Float64Array.from({ length: 113 }, (_, i) => 4096 * 2 ** (i / 8));
  const once = [...sizes].map((size) => (size <= 32_768 ? 1 : size <= 1 << 20 ? 4 : 30));
  const found = lab.levels(0, sizes, Float64Array.from([...once, ...once.map((ns) => ns * 1.1)]), 8);
  assert.equal(found.boundaries.length, 2);
  const { json } = lab.machine({
    name: 'CPU',
    vendor: 'unknown',
    source: 'a test',
    cores: 2,
    lanes: 1,
    sizes: found.boundaries.map(([size]) => size),
    latencies: found.levels.map(([ns]) => ns),
    line: 64,
    software: false,
  });
  assert.ok(lab.read('cpu', json).facts.find((fact) => fact.path === 'l1.bytes').status === 'measured');
  assert.match(lab.figure('levels', '0', { width: 640, dark: false, range: [0, 1] }), /^<svg /);
});

test('chains visit every place once', () => {
  for (const [bytes, stride] of [
    [1 << 16, 64],
    [5000, 64],
    [1 << 20, 64],
  ]) {
    const order = engine.Chains.local(bytes, stride, 3);
    assert.equal(new Set(order).size, Math.floor(bytes / stride));
    assert.ok(order.every((at) => at % stride === 0 && at < bytes));
  }
  assert.equal(engine.Chains.local(1e300, 64, 1).length, 0);
  assert.equal(engine.Chains.majority(Uint32Array.of(64, 0, 64, 128, 64)), 64);
  assert.equal(engine.Chains.majority(Uint32Array.of(64, 0, 64, 128, 0)), 0);
});

test('a topology that joins an example leaves its kernels to run', () => {
  const lab = new engine.Lab();
  const { kernels } = openExample(lab, 'matvec-rows');
  lab.clear();
  give(lab, 'gpu.json', new TextEncoder().encode(new engine.TopologyLab().preset('v100').json));
  lab.example('matvec-rows');
  const intake = finishIntake(lab);
  assert.equal(intake.topology, 'Tesla V100-PCIE-16GB');
  assert.deepEqual(
    intake.kernels.map((k) => k.name),
    kernels.map((k) => k.name),
  );
  assert.equal(intake.files.length, 1);
});
