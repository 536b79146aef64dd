import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshScenario } from '../../../app/scenario';
import type { Report, Scenario } from '../../../engine/types';
import { changedInputs } from './inputs';

const names = {
  gpu: (id: string) => id,
  parameter: (key: string) => key,
  state: (id: string) => id,
  own: ({ gpu }: Scenario, key: string) => (gpu === 'p100' && key === 'l1_ways' ? '48' : null),
};

function run(more: Partial<Scenario>, parameters: Record<string, string> = {}) {
  const scenario = { ...freshScenario(), example: 'stencil', gpu: 'gtx470-16k', ...more };
  return { scenario, report: { model: scenario.model, parameters } as unknown as Report };
}

const told = (a: ReturnType<typeof run>, b: ReturnType<typeof run>) =>
  changedInputs(a, b, names).map(({ name, before, now }) => `${name}: ${before} → ${now}`);

test('a run beside itself has no changed input', () =>
  assert.deepEqual(told(run({}), run({ view: { tab: 'reuse' } })), []));

test('parameters come with the value of both runs', () => {
  const four = run({}, { ways: '4', mshrs: '64' });
  const eight = run({ set: { ways: '8' } }, { ways: '8', mshrs: '64' });
  assert.deepEqual(told(four, eight), ['ways: 4 → 8']);
  assert.deepEqual(told(eight, four), ['ways: 8 → 4']);
});

test('a changed parameter of the model of the whole GPU stands beside the own value of the GPU, where that is known', () => {
  const changed = (gpu: string, set = {}) => run({ gpu, model: 'gpu', set });
  assert.deepEqual(told(changed('p100'), changed('p100', { l1_ways: '96' })), ['l1_ways: 48 → 96']);
  assert.deepEqual(told(changed('p100', { l1_ways: '96' }), changed('p100')), ['l1_ways: 96 → 48']);
  assert.deepEqual(told(changed('a100'), changed('a100', { l1_ways: '96' })), ['l1_ways: the GPU’s own → 96']);
});

test('GPU, model, seed, kernel and sizes are named, and parameters of another GPU are not', () => {
  const before = run({ seed: 1 }, { ways: '4' });
  assert.deepEqual(told(before, run({ seed: 7, model: 'reference' }, { ways: '4' })), [
    'model: paper → reference',
    'seed: 1 → 7',
  ]);
  assert.deepEqual(told(before, run({ gpu: 'a100', model: 'gpu', seed: 7 })), [
    'GPU: gtx470-16k → a100',
    'model: paper → gpu',
  ]);
  const cuda = { ...before.scenario.cuda, sizes: { n: '64' } };
  assert.deepEqual(told(before, run({ example: 'conv2d', cuda }, { ways: '4' })), [
    'kernel: stencil → conv2d',
    'n: as written → 64',
  ]);
});

test('an edited text of the same name is told', () => {
  const file = (sha256: string) => ({ example: null, files: [{ name: 'a.cu', size: 1, sha256, format: null }] });
  assert.deepEqual(told(run(file('1')), run(file('2'))), ['kernel: a.cu → a.cu (edited)']);
});
