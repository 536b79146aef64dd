// The Placement tab's engine through the boundary: the ranking is the command line's, alone and shared; what else it gives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nativeJson as native } from '../native.mjs';
import engine, { compiled, until } from './engine.mjs';

const { PlaceLab } = engine;

/** Nothing is measured or chosen for the printed model. */
const NOTHING = {
  time_us: null,
  simulated: false,
  inst_executed: null,
  inst_issued: null,
  static_constants: 0,
  overlap: '',
  gamma: null,
  arrivals: '',
};

const ask = (more = {}) => ({
  gpu: 'k20c',
  kernel: 0,
  from: [],
  model: 'default',
  paper: NOTHING,
  queue: '',
  without: [],
  overlap: null,
  names: {},
  ranges: '',
  confirmed: false,
  ...more,
});

function opened(...ids) {
  const lab = new PlaceLab();
  lab.set_cuda(compiled);
  for (const id of ids) lab.example(id);
  until((budget) => lab.texts_step(budget), 'finished');
  lab.finish_files();
  return lab;
}

function finish(lab) {
  while (!lab.step(10).finished);
}

function judge(lab) {
  while (!lab.judge(10).finished);
}

const said = (run) => {
  try {
    run();
  } catch (error) {
    return error.diagnostics.map((d) => `${d.expected} ${d.found}`).join('\n');
  }
  return assert.fail('nothing was refused');
};

test("the ranking is the command line's, bit for bit, alone and shared by two", () => {
  for (const [id, more, flags] of [
    ['matmul-naive', {}, []],
    [
      'stencil',
      { gpu: 'a100', model: 'paper', without: ['mapping'], queue: 'klb' },
      ['--model', 'paper', '--without', 'mapping', '--queue', 'klb'],
    ],
    [
      'matvec-rows',
      {
        gpu: 'k80',
        model: 'paper',
        paper: { ...NOTHING, time_us: 90, inst_executed: 90000, inst_issued: 95000, gamma: 0 },
      },
      ['--sample', 'time_us=90,inst_executed=90000,inst_issued=95000', '--assume', 'gamma=0'],
    ],
  ]) {
    const expected = native('place', `example:${id}`, '--gpu', more.gpu ?? 'k20c', ...flags);
    const alone = opened(id);
    alone.prepare(ask(more));
    while (!alone.sample(10).finished);
    const prepared = alone.prepared();
    finish(alone);
    judge(alone);
    assert.deepEqual(JSON.parse(alone.report_json()), expected, id);
    const [lead, helper] = [opened(id), opened(id)];
    lead.prepare(ask(more));
    while (!lead.sample(10).finished);
    // A helper takes the time of the sample from the leader.
    const time = prepared.sample_time;
    helper.prepare(
      ask(
        time
          ? { ...more, paper: { ...NOTHING, ...more.paper, time_us: time.microseconds, simulated: time.simulated } }
          : more,
      ),
    );
    const half = Math.floor(prepared.numbers / 2);
    lead.part(0, half);
    helper.part(half, prepared.numbers);
    finish(lead);
    finish(helper);
    lead.absorb(prepared.numbers - half, helper.found());
    judge(lead);
    assert.deepEqual(JSON.parse(lead.report_json()), expected, `${id}, shared`);
    const { lines, evaluated } = lead.ranking(5, true);
    assert.deepEqual(
      lines.map((line) => [line.cycles, line.machine_microseconds]),
      expected.ranking.slice(0, 5).map((row) => [row.cycles, row.machine_microseconds]),
    );
    assert.deepEqual(
      lines.map((line) => [line.chance, line.tie]),
      expected.ranking.slice(0, 5).map((row) => [row.chance, row.tie]),
    );
    assert.equal(lead.csv().trim().split('\n').length, evaluated + 1);
    const found = lead.look(lines[0].placement);
    assert.deepEqual(found.reasons, expected.ranking[0].reasons);
    assert.equal(found.banks.length, expected.banks.length);
  }
});

test('times that were measured train an overlap that is used at once', () => {
  const ids = ['matvec-rows', 'transpose', 'gather'];
  const lab = opened(...ids);
  const csv = ['kernel,placement,time_us'];
  for (let number = 1; number <= ids.length; number++) {
    const { kernel: name, arrays } = lab.prepare(ask({ kernel: number }));
    finish(lab);
    for (const line of lab.ranking(6, false).lines)
      csv.push(
        `${name},${arrays.map((a, i) => `${a.name}=${line.placement[i]}`).join(' ')},${1.1 * line.microseconds}`,
      );
  }
  const printed = { model: 'paper', paper: { ...NOTHING, time_us: 50 } };
  const before = lab.prepare(ask({ kernel: 2, ...printed })).sample.cycles;
  const trained = lab.retrain('mine.csv', csv.join('\n'), ask());
  // Six of two kernels; the third has three legal placements.
  assert.deepEqual([trained.rows, trained.kernels, trained.gpu], [15, 3, 'k20c']);
  assert.match(trained.provenance, /15 measured times of 3 kernels from mine\.csv/);
  assert.deepEqual(lab.read_overlap('again.json', trained.json), trained);
  const with_it = { ...printed, paper: { ...printed.paper, overlap: 'trained' }, overlap: trained.json };
  assert.notEqual(lab.prepare(ask({ kernel: 2, ...with_it })).sample.cycles, before);
  assert.match(
    said(() => lab.prepare(ask({ overlap: trained.json }))),
    /`paper`, which alone takes a sample/,
  );
  assert.ok(trained.error >= 0 && trained.untrained >= 0);
  lab.begin_training(ask());
  let step = lab.train(1);
  while (!step.trained) step = lab.train(50);
  assert.match(step.trained.provenance, /model of the whole Tesla K20c/);
  assert.match(
    said(() => lab.retrain('few.csv', csv.slice(0, 4).join('\n'), ask())),
    /at least 15 rows/,
  );
  assert.match(
    said(() => lab.read_overlap('bad.json', '{}')),
    /coefficients/,
  );
});

test('names, present placements and ranges are taken; what cannot be is refused', () => {
  const lab = opened('matmul-naive');
  const plain = lab.prepare(ask());
  const named = lab.prepare(
    ask({ names: { [plain.arrays[0].base]: 'left' }, from: ['texture1d', 'global', 'global'] }),
  );
  assert.deepEqual([named.arrays[0].name, named.sample.placement[0]], ['left', 'texture1d']);
  assert.equal(lab.moves(0)[0] < Infinity && lab.moves(2)[3], null, 'what is written is never constant');
  assert.match(
    said(() => lab.prepare(ask({ from: ['global'] }))),
    /a memory for each array, 3 in all/,
  );
  assert.match(
    said(() => lab.prepare(ask({ ranges: 'x y z' }))),
    /first byte and the length/,
  );
  assert.match(
    said(() => lab.prepare(ask({ gpu: 'abacus' }))),
    /a preset/,
  );
  assert.match(
    said(() => new PlaceLab().step(1)),
    /was prepared/,
  );
});

test("the hidden memory is the command line's, and figures are drawn", () => {
  const lab = new PlaceLab();
  assert.match(
    said(() => lab.flip(undefined)),
    /was drawn/,
  );
  assert.equal(lab.hide_memory(4, true).length, 28);
  const times = lab.flip(undefined);
  assert.equal(times.ns.length, 28);
  assert.match(lab.figure('flips', [], { width: 640, dark: false, range: [0, 1] }), /^<svg /);
  const { report, yours, probes } = lab.reveal({ kinds: times.bits.map(() => 'row'), together: [] });
  assert.deepEqual(report, native('dram-map', '--seed', '4', '--hashed'));
  assert.equal(yours.bits, report.truth.row.length);
  assert.ok(probes[1].groups === probes[1].of_groups && probes[0].groups === 0);
  const bars = [{ label: 'now', t_comp: 3, t_mem: 5, t_overlap: 2, present: true, chosen: false }];
  assert.match(lab.figure('terms', bars, { width: 320, dark: true, range: [0, 1] }), /^<svg [\s\S]*now/);
  assert.match(
    said(() => lab.figure('pie', [], { width: 320, dark: true, range: [0, 1] })),
    /something to draw/,
  );
});
