// The same scenario gives the same report and fingerprint natively and in wasm: every kernel of the library and every
// trace of tests/data/oracle in two caches and both models of one L1, and every kernel of the library in the model `gpu` on
// GPUs of six generations.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { scenario } from '../../scripts/build/scenario.mjs';
import { nativeGpuReports, nativeReports } from '../native.mjs';
import engine, { openExample, openFile } from './engine.mjs';

const folder = fileURLToPath(new URL('../data/oracle/', import.meta.url));
const traces = readdirSync(folder).filter((name) => name.endsWith('.trc.xz'));
const native = nativeReports(traces.map((name) => folder + name));

function finish(lab, asked) {
  lab.start(asked);
  for (;;) {
    const { report } = lab.step(200_000);
    if (report) return report;
  }
}

/** GPUs that differ in what the model does: parts of a core, coalescing, L1s, slices, lanes. */
const GPUS = ['k20c', 'gtx1080', 'v100', 'rtx3060', 'h100', 'mi210'];

function compare(lab, name) {
  const reports = native.get(name);
  assert.equal(reports?.length, 4, `${name}: two caches, two models`);
  for (const { gpu, model, report } of reports) {
    const here = finish(lab, scenario({ gpu, model }));
    assert.equal(here.fingerprint, report.fingerprint, `${name} ${gpu} ${model}`);
    assert.deepEqual(JSON.parse(lab.report_json({})), report, `${name} ${gpu} ${model}`);
  }
}

test('kernels of the library', () => {
  const list = engine.library();
  assert.equal(list.length + traces.length, native.size, 'the native build knows the same kernels');
  const lab = new engine.Lab();
  for (const { id } of list) {
    lab.clear();
    assert.equal(openExample(lab, id).files.length, 0);
    compare(lab, id);
  }
});

test('traces of the oracle', () => {
  assert.equal(traces.length, 14);
  for (const name of traces) {
    const lab = new engine.Lab();
    assert.deepEqual(openFile(lab, name, readFileSync(folder + name)).diagnostics, []);
    compare(lab, name);
  }
});

test('kernels of the library in the model gpu', () => {
  const whole = nativeGpuReports(GPUS);
  const list = engine.library();
  assert.equal(whole.size, list.length);
  const lab = new engine.Lab();
  for (const { id } of list) {
    lab.clear();
    openExample(lab, id);
    const reports = whole.get(id);
    assert.deepEqual(
      reports.map(({ gpu }) => gpu),
      GPUS,
    );
    for (const { gpu, model, report } of reports) {
      const here = finish(lab, scenario({ gpu, model }));
      assert.equal(here.fingerprint, report.fingerprint, `${id} ${gpu}`);
      assert.deepEqual(JSON.parse(lab.report_json({})), report, `${id} ${gpu}`);
    }
  }
});
