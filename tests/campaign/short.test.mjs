// The short form of the campaign, for the gate: some cases of each command. `npm run campaign` runs as many as asked.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { native, program } from '../native.mjs';
import { flawsOf } from './actions.mjs';
import { memoryFlaw } from './bombs.mjs';
import { campaign } from './campaign.mjs';
import { COMMANDS } from './commands.mjs';
import { KINDS as SCENARIOS, sameEverywhere, scenarioOf } from './determinism.mjs';
import { hostileCase } from './hostile.mjs';
import { judge } from './judge.mjs';
import { Refused, settle, TAKES } from './options.mjs';
import { PARTS } from './parts.mjs';
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
    // Where every case is refused, nothing behind the command line was tried.
    assert.ok(ended[0] > 0, 'no case ran');
  });
}

test('an equal command line without files is run once, and one with chance each time', async () => {
  const at = path.join(folder, 'counts');
  writeFileSync(`${at}-runs`, '');
  writeFileSync(at, `#!/bin/sh\necho "$*" >> ${at}-runs; echo 1\n`, { mode: 0o755 });
  const tried = async (name, count) => {
    writeFileSync(`${at}-runs`, '');
    const { runs, ended } = await campaign(at, name, { count, seed: 1, files, folder });
    const lines = readFileSync(`${at}-runs`, 'latin1').trimEnd().split('\n');
    assert.equal(ended[0], count, 'each case has an end');
    return { runs, lines };
  };
  const list = await tried('exercise list', 60);
  assert.ok(list.runs < 30 && list.runs >= new Set(list.lines).size, `${list.runs} runs`);
  assert.equal((await tried('info', 20)).runs, 20);
  const { lines } = await tried('discover', 300);
  const drawn = lines.filter((line) => line === 'discover --seed=random');
  assert.ok(drawn.length > 1, 'a random seed is another run each time');
});

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
  assert.equal(said({ writes: true, written: 0 }), 'empty answer');
  assert.equal(said({ writes: true, written: 8, stdout: '' }), null);
  assert.equal(said({ stdout: '{', json: true }), 'answer is no JSON');
  assert.equal(said({ status: 1 }), 'status 1 without a message');
  assert.equal(said({ status: 1, stderr: 'a.trc:3: error: expected a number, found x; remove it' }), null);
  const error = 'a.trc:3: error: expected a number, found x';
  assert.match(said({ status: 1, stderr: error }), /^message without a remedy: a\.trc:3/);
  // Each message has its own.
  assert.match(said({ status: 1, stderr: `${error}; remove it\n${error}` }), /^message without a remedy/);
  const about = (place) => said({ status: 1, stderr: `${place}: error: expected a number, found x; remove it` });
  assert.equal(about('--set'), null);
  assert.equal(about('gpu'), null);
  assert.match(about('b.trc:3'), /^message without a place: b\.trc:3/);
  assert.match(about('error'), /^message without a place/);
});

test('a bomb whose memory was not measured, or is large, is a flaw', () => {
  const ended = { timedOut: false, stderr: '', peak: 1 << 30 };
  assert.equal(memoryFlaw(ended, 0.5), null);
  assert.equal(memoryFlaw(ended, 2), '1024 MiB');
  assert.equal(memoryFlaw({ ...ended, peak: 5 * 2 ** 30 }, 0.5), 'above 4 GiB');
  assert.equal(memoryFlaw({ ...ended, peak: NaN }, NaN), 'the memory was not measured');
  assert.equal(memoryFlaw({ timedOut: true, stderr: 'about 18 s left; 10 % is done', peak: NaN }, NaN), null);
});

test('each part has a row of options, and refuses those that it would ignore', () => {
  assert.deepEqual(Object.keys(PARTS).sort(), Object.keys(TAKES).sort());
  const refused = (...args) => {
    try {
      return settle(args, { kills: ['hash'] });
    } catch (error) {
      assert.ok(error instanceof Refused, error.stack);
      return error.lines.join('\n');
    }
  };
  for (const [part, takes] of Object.entries(TAKES))
    for (const option of ['cases', 'from', 'seed']) {
      const got = refused('--part', part, `--${option}`, '7');
      if (takes.includes(option)) assert.equal(got.given[option], 7, `${part} --${option}`);
      else assert.match(got, new RegExp(`part ${part} does not take --${option}`));
    }
  assert.deepEqual(refused('--part', 'kills', '--only', 'hash').given, { from: 0, seed: 1, only: ['hash'] });
  assert.match(refused('--part', 'kills', '--only', 'hush'), /has no hush; there are: hash/);
  assert.match(refused('--part', 'kills', '--cases', '0'), /whole number from 1, not 0/);
  assert.match(refused('--part', 'kills', '--from', 'x'), /whole number from 0, not x/);
  assert.match(refused('--part', 'nothing'), /no part nothing/);
  assert.match(refused('--bogus'), /bogus/);
  // Without `--part` all of them run, and some take no number of cases.
  assert.match(refused('--cases', '3'), /part ways does not take --cases; it takes no options/);
  assert.deepEqual(refused().parts, Object.keys(TAKES));
});

test('the campaign ends with status 2 where it refuses an option', () => {
  const main = fileURLToPath(new URL('main.mjs', import.meta.url));
  const run = spawnSync('node', [main, '--part', 'hostile', '--only', 'x'], { encoding: 'utf8' });
  assert.equal(run.status, 2, run.stderr);
  assert.match(run.stderr, /^campaign: part hostile does not take --only; it takes --cases, --from, --seed/);
  assert.equal(run.stdout, '');
});

test('an option does something: other cases from another seed or another first case', () => {
  const made = (index, seed) => JSON.stringify([hostileCase(index, seed), scenarioOf('cache', index, seed)]);
  assert.equal(made(3, 1), made(3, 1));
  assert.notEqual(made(3, 1), made(4, 1));
  assert.notEqual(made(3, 1), made(3, 2));
});

test('determinism tries every command that takes --threads', () => {
  const words = Object.entries(COMMANDS).map(([name, { command }]) => command ?? name.split(' '));
  const takes = words.filter((command) => /^ +--threads /m.test(native(...command, '--help'))).map(([first]) => first);
  const tried = Object.keys(SCENARIOS).filter((kind) => SCENARIOS[kind].varies === 'threads');
  assert.deepEqual([...new Set(takes)].sort(), tried.sort());
});

test('runs that differ, fail, or have other threads than asked for are found', async () => {
  const at = path.join(folder, 'program');
  const tried = async (script, scenario) => {
    writeFileSync(at, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return sameEverywhere(at, { kind: 'x', args: ['x'], ...scenario }, () => 'b');
  };
  const threads = { varies: 'threads' };
  const number = 'n=${2#--threads=}';
  assert.deepEqual(await tried('echo 1', threads), { compared: 2, flaw: null });
  assert.match((await tried(`${number}; echo $n`, threads)).flaw, /the runs differ/);
  assert.match((await tried('exit 1', threads)).flaw, /^x: x: /);
  assert.match((await tried(`echo '{"threads": 1}'`, { ...threads, says: true })).flaw, /--threads=2 ran on another/);
  const told = await tried(`${number}; echo '{"seconds": '$n', "threads": '$n'}'`, { ...threads, says: true });
  assert.deepEqual(told, { compared: 2, flaw: null });
  const linked = { varies: 'page', link: 'v=1' };
  assert.match(
    (await tried(`echo '{"run": {"report": {"fingerprint": "a"}}}'`, linked)).flaw,
    /a at the terminal, b in/,
  );
  const same = await tried(`echo '{"run": {"report": {"fingerprint": "b"}}}'`, linked);
  assert.deepEqual(same, { compared: 2, flaw: null });
});

test('actions that do nothing, and a heap that grows or is not measured, are flaws', () => {
  const good = { done: 100, acted: 80, before: 100, after: 110, measured: true };
  assert.deepEqual(flawsOf(good), []);
  assert.match(flawsOf({ ...good, acted: 10 })[0], /only 10 of 100/);
  assert.match(flawsOf({ ...good, after: 130 })[0], /grew by 30 %/);
  assert.match(flawsOf({ ...good, after: NaN })[0], /not measured/);
  assert.deepEqual(flawsOf({ ...good, after: NaN, measured: false }), []);
});
