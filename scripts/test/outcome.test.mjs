// The gate's reader of outputs: what runners print, as they print it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Outcome } from './outcome.mjs';

const counts = ({ passed, failed, skipped }) => ({ passed, failed, skipped });

// As cargo prints it: two programs, one of which has a failure, and the stream of errors beside.
const STDOUT = `
running 3 tests
test plain ... ok
test the_h100 ... ok
test slow ... ignored, takes an hour

test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s

running 2 tests
test one ... ok
test two ... FAILED

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s
`;
const STDERR = `     Running tests/probe.rs (target/debug/deps/probe-2f7e)
SKIPPED the_h100: no ../shared/data/mt4g: a folder
     Running tests/other.rs (target/debug/deps/other-99aa)
error: test failed, to rerun pass \`--test other\`
`;

test('a Rust test that reports itself as skipped is no passed one', () => {
  const outcome = new Outcome();
  outcome.take(STDERR, 'stderr');
  outcome.take(STDOUT, 'stdout');
  assert.deepEqual(counts(outcome), { passed: 2, failed: 1, skipped: 2 });
  assert.deepEqual(outcome.reasons, ['the_h100: no ../shared/data/mt4g: a folder', 'slow: takes an hour']);
});

test('pieces that end anywhere, mixed between the streams, give the same', () => {
  const outcome = new Outcome();
  for (let at = 0; at < Math.max(STDOUT.length, STDERR.length); at += 7) {
    outcome.take(STDOUT.slice(at, at + 7), 'stdout');
    outcome.take(STDERR.slice(at, at + 7), 'stderr');
  }
  assert.deepEqual(counts(outcome), { passed: 2, failed: 1, skipped: 2 });
});

test('a last line without a line break counts, colours do not', () => {
  const outcome = new Outcome();
  outcome.take('\x1b[34mℹ pass 4\x1b[39m\n\x1b[34mℹ fail 1\x1b[39m');
  assert.deepEqual(counts(outcome), { passed: 4, failed: 0, skipped: 0 });
  outcome.end();
  assert.deepEqual(counts(outcome), { passed: 4, failed: 1, skipped: 0 });
});

test('text that only speaks of skipping is not counted', () => {
  const outcome = new Outcome();
  outcome.take('skipped: nothing\n  SKIPPED a: b\ntest result: pending\nSKIPPED\n');
  assert.deepEqual(counts(outcome), { passed: 0, failed: 0, skipped: 0 });
  assert.deepEqual(outcome.reasons, []);
});

test('what this node reports of a file of its own', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'outcome-'));
  try {
    const file = path.join(folder, 'a.test.mjs');
    writeFileSync(
      file,
      `import { describe, test } from 'node:test';
       test('passes', () => {});
       test('fails', () => { throw new Error('on purpose'); });
       test('has no data (yet)', { skip: 'no sample data' }, () => {});
       describe('a suite', () => test('inner', { skip: true }, () => {}));
       test('finds out late', (t) => t.skip('no GPU: none'));`,
    );
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const ran = spawnSync(process.execPath, ['--test', '--test-reporter=spec', file], { encoding: 'utf8', env });
    const outcome = new Outcome();
    outcome.take(ran.stdout);
    outcome.end();
    assert.deepEqual(counts(outcome), { passed: 1, failed: 1, skipped: 3 });
    assert.deepEqual(outcome.reasons, [
      'has no data (yet): no sample data',
      'inner: SKIP',
      'finds out late: no GPU: none',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
