// The short form of the campaign, for the gate: some cases of each command. `npm run campaign` runs as many as asked.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, test } from 'node:test';
import { native, program } from '../native.mjs';
import { campaign } from './campaign.mjs';
import { COMMANDS } from './commands.mjs';
import { judge } from './judge.mjs';
import { seedFiles } from './seeds.mjs';

const CASES = 24;
const SLOW_CASES = 4;
const { folder, files } = seedFiles(native);
after(() => rmSync(folder, { recursive: true, force: true }));

for (const [name, { slow }] of Object.entries(COMMANDS)) {
  const count = slow ? SLOW_CASES : CASES;
  test(`${name}: ${count} cases end with an answer or a message`, async () => {
    const { flaws, ended } = await campaign(program, name, { count, seed: 1, files, folder });
    assert.deepEqual(flaws, []);
    assert.equal(ended[0] + ended[1] + ended[2], count);
  });
}

test('the judge finds each flaw', () => {
  const run = { status: 0, signal: null, timedOut: false, stdout: 'x', stderr: '', json: false, writes: false };
  const said = (change) => judge({ ...run, ...change }, ['a.trc']);
  assert.equal(said({}), null);
  assert.equal(said({ timedOut: true }), 'hang');
  assert.equal(said({ status: 101, stderr: "thread 'main' panicked at x.rs:1" }), 'panic');
  assert.equal(
    said({ status: null, signal: 'SIGABRT', stderr: 'memory allocation of 9 bytes failed' }),
    'out of memory',
  );
  assert.equal(said({ stdout: '' }), 'empty answer');
  assert.equal(said({ stdout: '{', json: true }), 'answer is no JSON');
  assert.equal(said({ status: 1 }), 'status 1 without a message');
  assert.equal(said({ status: 1, stderr: 'a.trc:3: error: expected a number, found x; remove it' }), null);
  assert.equal(said({ status: 1, stderr: 'a.trc:3: error: expected a number, found x' }), 'message without a remedy');
});
