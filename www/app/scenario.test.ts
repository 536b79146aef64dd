import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileId, Intake, KernelReport, Model, Parameter, PresetInfo, Report } from '../engine/types';
import {
  defaultModel,
  freshScenario,
  gpuSummary,
  isChosen,
  onlyKnown,
  profiled,
  sameRun,
  terminalCommand,
  whyNotWanted,
  withKernel,
  withModel,
  withNames,
  withValue,
  worstKernel,
} from './scenario';

const ways: Parameter = {
  key: 'l1.ways',
  label: 'Ways',
  unit: '',
  value: '4',
  kind: 'integer',
  choices: [],
  range: '',
  help: '',
  status: '',
  source: '',
};
const file = (name: string, sha256: string, size = 1): FileId => ({ name, size, sha256, format: null });

test('a fingerprint does not make another run; a seed does', () => {
  const a = freshScenario();
  assert.ok(sameRun(a, { ...a, fingerprint: 'x' }));
  assert.ok(!sameRun(a, { ...a, seed: 2 }));
  assert.ok(sameRun({ ...a, set: { x: '1', y: '2' } }, { ...a, set: { y: '2', x: '1' } }));
});

test('a profile sets the model of the whole GPU and its own state', () => {
  const before = { ...freshScenario(), model: 'paper' as const, warm: true, set: { ways: '8' } };
  const after = profiled(before, { tool: 'KTT', state: 'replay', launches: 1 });
  assert.deepEqual([after.model, after.state, after.warm, after.set], ['gpu', 'replay', false, {}]);
  assert.deepEqual(profiled({ ...after, set: { sms: '4' } }, { tool: 'KTT', state: 'cold', launches: 1 }).set, {
    sms: '4',
  });
  assert.equal(profiled(before, null), before);
});

test('the command for the terminal names an example and the files beside it', () => {
  const scenario = { ...freshScenario(), example: 'copy', files: [file('ncu.csv', 'aa')], gpu: 'v100' };
  assert.match(terminalCommand(scenario), /^warpscope cache example:copy ncu\.csv --gpu v100 /);
});

test('only what differs is set', () => {
  assert.deepEqual(withValue({}, ways, '8'), { 'l1.ways': '8' });
  assert.deepEqual(withValue({ 'l1.ways': '8' }, ways, '4'), {});
  assert.deepEqual(onlyKnown({ 'l1.ways': '8', gone: '1' }, [ways]), { 'l1.ways': '8' });
});

test('files are known by their contents, not by their names', () => {
  assert.deepEqual(whyNotWanted([file('a.trc', 'aa')], [file('renamed.trc', 'aa')]), []);
  assert.match(whyNotWanted([file('a.trc', 'aa', 5)], [file('a.trc', 'bb', 5)])[0]!, /right size but other contents/);
  assert.match(whyNotWanted([file('a.trc', 'aa', 5)], [file('b.trc', 'bb', 6)])[0]!, /6 bytes instead of 5/);
  assert.match(whyNotWanted([file('a', 'aa'), file('b', 'bb')], [file('a', 'aa')])[0]!, /b is missing/);
});

test('all kernels are written as none, and one always stays', () => {
  assert.deepEqual(withKernel([], 2, false, 3), [1, 3]);
  assert.deepEqual(withKernel([1, 3], 2, true, 3), []);
  assert.deepEqual(withKernel([3], 1, true, 3), [1, 3]);
  assert.deepEqual(withKernel([3], 3, false, 3), [3]);
  assert.ok(isChosen([], 7) && isChosen([7], 7) && !isChosen([6], 7));
  assert.ok(!sameRun(freshScenario(), { ...freshScenario(), kernels: [1] }));
  assert.ok(!sameRun(freshScenario(), { ...freshScenario(), warm: true }));
});

test('arrays go by the names that were given to them', () => {
  const row = (name: string, base: string) => ({ name, base });
  const kernel = { arrays: [row('A', '0x100'), row('B', '0x200')], verdict: { array: 'B' } } as unknown as KernelReport;
  const named = withNames(kernel, { '0x200': 'weights' });
  assert.deepEqual(
    named.arrays.map((a) => a.name),
    ['A', 'weights'],
  );
  assert.equal(named.verdict.array, 'weights');
  assert.equal(withNames(kernel, { '0x300': 'gone' }), kernel);
});

test('a run of the model gpu depends on its state, and not on what it ignores', () => {
  const whole = { ...freshScenario(), model: 'gpu' as const };
  assert.ok(!sameRun(whole, { ...whole, state: 'replay' }));
  assert.ok(sameRun(whole, { ...whole, seed: 2, warm: true }));
  assert.match(terminalCommand({ ...whole, gpu: 'rtx3060', state: 'copies' }), / --model gpu --state copies$/);
});

test('a GPU has its own default model, also the dropped one', () => {
  const preset = (id: string, default_model: Model): PresetInfo => ({
    id,
    default_model,
    name: '',
    vendor: '',
    summary: '',
  });
  const presets = [preset('fermi', 'paper'), preset('later', 'gpu')];
  const dropped = { topology_model: 'gpu' } as Intake;
  assert.equal(defaultModel('fermi', presets, null), 'paper');
  assert.equal(defaultModel('later', presets, dropped), 'gpu');
  assert.equal(defaultModel('file', presets, dropped), 'gpu');
  assert.equal(defaultModel('file', presets, null), 'paper');
  assert.deepEqual(freshScenario(null, presets[1]).model, 'gpu');
  assert.deepEqual(withModel('gpu'), { model: 'gpu', state: 'cold', classes: false, warm: false });
});

test('the line of a GPU has the changed values, in both kinds of model', () => {
  const list = (values: Record<string, string>) =>
    Object.entries(values).map(([key, value]): Parameter => ({ ...ways, key, value }));
  const whole = list({ l1_bytes: '131072', l1_line_bytes: '128', l1_ways: '256', cores: '28' });
  const one = list({ cache_bytes: '16384', line_bytes: '128', ways: '4', cores: '14' });
  assert.equal(gpuSummary('own', whole, {}), 'own');
  assert.match(gpuSummary('own', whole, { l1_ways: '128' }), / 8 sets of 128 ways, 28 cores$/);
  assert.match(gpuSummary('own', one, { ways: '8' }), / 16 sets of 8 ways, 14 cores$/);
  for (const ways of ['many', '3', '4096']) assert.equal(gpuSummary('own', whole, { l1_ways: ways }), 'own');
});

test('facts of a GPU cannot be set', () =>
  assert.deepEqual(onlyKnown({ cores: '4' }, [{ ...ways, key: 'cores', kind: 'fact' }]), {}));

test('the longest kernel is shown first', () => {
  const kernels = [3, 9, 4].map((cycles) => ({ gpu: { cycles } }));
  assert.equal(worstKernel({ model: 'gpu', kernels } as unknown as Report), 1);
  assert.equal(worstKernel({ model: 'gpu', kernels: [] } as unknown as Report), 0);
});

test('the terminal command quotes odd names', () => {
  const scenario = { ...freshScenario(), files: [file("it's.trc", 'aa')], gpu: 'gtx470', set: { 'l1.ways': '8' } };
  assert.equal(
    terminalCommand(scenario),
    "warpscope cache 'it'\\''s.trc' --gpu gtx470 --model paper --seed 1 --set l1.ways=8",
  );
  assert.match(
    terminalCommand({ ...freshScenario(), example: 'transpose', gpu: 'v100' }),
    /^warpscope cache example:transpose --gpu v100 /,
  );
  assert.match(terminalCommand({ ...freshScenario(), kernels: [1, 4], warm: true }), / --kernel 1 --kernel 4 --warm$/);
});
