// CUDA text through the boundary: runs, forms, messages, files of the outcome, and the result that is made with the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { zip } from '../e2e/zip.mjs';
import engine, { compiled, openExample, openFile, runText, until } from './engine.mjs';

const TWICE =
  '// launch: twice<<<2, 32>>>(x: float[n] = iota, n = 64)\n__global__ void twice(float *x, int n)\n{\n  x[blockIdx.x * 32 + threadIdx.x] *= 2;\n}\n';

test('the result that is made with the page is that of its link', () => {
  const made = (name) => JSON.parse(readFileSync(new URL(`../../pkg/first/${name}.json`, import.meta.url), 'utf8'));
  const first = made('first');
  assert.deepEqual(first.library, engine.library());
  assert.equal(first.library.length, 36);
  const lab = new engine.Lab();
  const scenario = lab.parse_link(first.link);
  assert.deepEqual([scenario.example, scenario.gpu], [first.library[0].id, first.gpu]);
  assert.deepEqual(openExample(lab, scenario.example, scenario.cuda), first.intake);
  lab.start(scenario);
  const { report } = until((budget) => lab.step(budget), 'report');
  assert.deepEqual(JSON.parse(JSON.stringify(report)), first.report);
  assert.equal(report.fingerprint, scenario.fingerprint);
  for (const [name, dark] of [
    ['light', false],
    ['dark', true],
  ]) {
    for (const [kind, drawn] of Object.entries(made(name))) {
      for (const [width, svg] of Object.entries(drawn))
        assert.equal(svg, lab.figure(0, kind, { width: Number(width), dark, range: [0, 1] }));
    }
  }
});

test('CUDA text in a zip is run where it lies', () => {
  const text = new TextEncoder().encode(TWICE);
  const { kernels, files } = openFile(new engine.Lab(), 'both.zip', zip([{ name: 'twice.cu', content: text }]));
  assert.deepEqual([kernels.length, kernels[0].name, files[0].kernels], [1, 'twice', 1]);
});

test('a text is run in steps and gives counts, arrays and files', () => {
  const { lab, run } = runText('twice.cu', TWICE);
  assert.deepEqual(run.diagnostics, []);
  assert.equal(run.launches.length, 1);
  const { grid, block, accesses, counts, instructions } = run.launches[0];
  assert.deepEqual([grid, block, accesses], [[2, 1, 1], [32, 1, 1], 4]);
  assert.deepEqual([counts.loads[0], counts.stores[0]], [2, 2]);
  assert.ok(instructions > 4);
  assert.deepEqual(run.arrays, [{ name: 'x', element: 'float', elements: 64, changed: true }]);
  assert.match(lab.array_csv('x'), /^index,before,after\n0,0,0\n1,1,2\n/);
  assert.equal(new TextDecoder().decode(lab.trace(0, 'trc')).trim().split('\n').length, 1 + 128);
  assert.match(new TextDecoder().decode(lab.trace(0, 'traceg')), /kernel name = twice/);
  assert.throws(
    () => lab.trace(1, 'trc'),
    (e) => e.diagnostics[0].file === 'trace',
  );
  assert.throws(
    () => lab.array_csv('y'),
    (e) => e.diagnostics[0].file === 'array',
  );
});

test('sizes and launches come from outside, forms differ', () => {
  const bigger = runText('twice.cu', TWICE, { ...compiled, sizes: { n: '128' } });
  assert.equal(bigger.run.arrays[0].elements, 128);
  const other = runText('twice.cu', TWICE, {
    ...compiled,
    launch: 'twice<<<1, 64>>>(x: float[64], n = 64)',
  });
  assert.deepEqual(other.run.launches[0].block, [64, 1, 1]);
  const id = 'matmul-tiled';
  const text = engine.example_text(id);
  const [asWritten, asCompiled] = ['written', 'compiled'].map(
    (form) => runText(`${id}.cu`, text, { ...compiled, form }).run.launches[0].accesses,
  );
  assert.ok(asCompiled < asWritten, `${asCompiled} ${asWritten}`);
});

test('the launches of a text are shown in pieces, guessed ones too', () => {
  const [launch] = engine.launch_outline(TWICE);
  assert.deepEqual(
    [launch.line, launch.last_line, launch.blocks, launch.threads, launch.shared],
    [1, 1, '2', '32', null],
  );
  assert.deepEqual(launch.items, [
    { name: 'x', declaration: 'float[n]', value: 'iota', origin: '' },
    { name: 'n', declaration: '', value: '64', origin: '' },
  ]);
  const [guess] = engine.launch_outline(TWICE.split('\n').slice(1).join('\n'));
  assert.ok(guess.last_line < guess.line);
});

test('errors have a line', () => {
  const { run } = runText('twice.cu', TWICE.replace('*= 2;', '*= 2'));
  assert.equal(run.launches.length, 0);
  assert.equal(run.diagnostics[0].severity, 'error');
  assert.deepEqual(run.position?.[0], run.diagnostics[0].line);
  const beyond = runText('twice.cu', TWICE.replace('blockIdx.x * 32', '64')).run.diagnostics[0];
  assert.equal(beyond.line, 4);
  assert.match(beyond.found, /x/);
  assert.throws(
    () => engine.example_text('nothing'),
    (e) => /matvec-rows/.test(e.diagnostics[0].help),
  );
});
