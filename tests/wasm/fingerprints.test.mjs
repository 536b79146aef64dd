// The same scenario gives the same fingerprint natively and in wasm: every example, and the sample traces where they
// are, in both cache configurations and both models.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nativeJson } from '../native.mjs';
import engine, { finishIntake, openExample } from './engine.mjs';

const folder = fileURLToPath(new URL('../../../shared/data/oracle/', import.meta.url));
const gpus = ['gtx470-16k', 'gtx470-48k'];
const models = ['paper', 'reference'];

export function finish(lab, scenario) {
  lab.start(scenario);
  for (;;) {
    const { report } = lab.step(200_000);
    if (report) return report;
  }
}

export const scenario = (more) => ({
  version: 1,
  example: null,
  files: [],
  gpu: gpus[0],
  model: 'paper',
  seed: 1,
  set: {},
  fingerprint: null,
  ...more,
});

function compare(lab, name, file) {
  for (const gpu of gpus) {
    for (const model of models) {
      const here = finish(lab, scenario({ gpu, model }));
      const there = nativeJson('cache', file, '--gpu', gpu, '--model', model);
      assert.equal(here.fingerprint, there.fingerprint, `${name} ${gpu} ${model}`);
      assert.deepEqual(JSON.parse(lab.report_json({})), there, `${name} ${gpu} ${model}`);
    }
  }
}

test('examples', () => {
  const lab = new engine.Lab();
  // Those with most different ways to address memory; each of them takes sixteen runs.
  for (const id of [
    'matvec-rows',
    'matmul-tiled',
    'stencil',
    'spmv-csr',
    'histogram-private',
    'reduce-shuffle',
    'atax',
    'md-lj',
  ]) {
    lab.clear();
    assert.equal(openExample(lab, id).files.length, 0);
    compare(lab, id, `example:${id}`);
  }
});

test('sample traces', { skip: existsSync(folder) ? false : 'no sample data' }, () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.trc.gz'));
  assert.equal(files.length, 13);
  for (const name of files) {
    const lab = new engine.Lab();
    lab.begin_file(name);
    lab.push(readFileSync(folder + name));
    lab.end_file();
    assert.deepEqual(finishIntake(lab).diagnostics, []);
    compare(lab, name, folder + name);
  }
});
