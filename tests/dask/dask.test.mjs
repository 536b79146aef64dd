// One stream, and one sweep, as independent jobs on Dask's local cluster: equal to one process.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { program } from '../native.mjs';

const folder = mkdtempSync(join(tmpdir(), 'warpscope-dask-'));
const text = { encoding: 'utf8', maxBuffer: 1 << 28 };
let python;

before(() => {
  python = execFileSync('bash', ['scripts/dask/venv.sh'], { ...text, stdio: ['ignore', 'pipe', 'inherit'] }).trim();
});
after(() => rmSync(folder, { recursive: true, force: true }));

const script = (name, given) =>
  spawnSync(
    python,
    [`scripts/dask/${name}`, '--program', program, '--workers', '2', '--folder', folder, ...given],
    text,
  );
const dask = (...given) => script('reuse.py', given);

for (const [pattern, parts] of [
  ['phased', 7],
  ['loop', 1],
]) {
  test(`${pattern} in ${parts} jobs equals one process`, { timeout: 300_000 }, () => {
    const file = join(folder, `${pattern}.u64`);
    execFileSync(program, ['generate', pattern, '--n', '200000', '--m', '5000', '--seed', '2', '-o', file]);
    const done = dask(file, '--parts', String(parts), '--check');
    assert.equal(done.status, 0, done.stderr);
    assert.match(done.stderr, /equal: True/);
    const report = JSON.parse(done.stdout);
    assert.equal(report.accesses, 200_000);
    assert.equal(report.histogram.inf, report.distinct);
    assert.deepEqual(
      readdirSync(folder).filter((name) => !name.endsWith('.u64')),
      [],
      'nothing is left behind',
    );
  });
}

test('a job that fails says why', { timeout: 300_000 }, () => {
  const done = dask(join(folder, 'missing.u64'), '--parts', '2');
  assert.notEqual(done.status, 0);
  assert.match(done.stderr, /missing\.u64: error: expected a readable file/);
});

test('a sweep in 3 jobs equals one process', { timeout: 300_000 }, () => {
  const given = ['example:stencil', '--vary', 'ways=1,2,4,8', '--vary', 'mshrs=x1/2,x1'];
  const done = script('sweep.py', [...given, '--parts', '3', '--format', 'json', '--check']);
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stderr, /equal: True/);
  assert.equal(JSON.parse(done.stdout).rows.length, 8);
});
