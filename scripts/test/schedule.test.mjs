import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schedule } from './schedule.mjs';

/** Runs jobs by name, each for some turns of the event loop, and gives the log of what began and ended. */
async function log(jobs, slots, turns = {}, failing = null) {
  const lines = [];
  await schedule(jobs, slots, async ({ name }) => {
    lines.push(`+${name}`);
    for (let turn = 0; turn < (turns[name] ?? 1); turn++) await new Promise(setImmediate);
    lines.push(`-${name}`);
    return name !== failing;
  });
  return lines.join(' ');
}

const jobs = [{ name: 'a' }, { name: 'b', after: ['a'] }, { name: 'c' }, { name: 'd', after: ['b', 'c'] }];

test('a job begins when those it waits for are done, in the order of the list', async () => {
  assert.equal(await log(jobs, 1), '+a -a +b -b +c -c +d -d');
  assert.equal(await log(jobs, 2, { c: 9 }), '+a +c -a +b -b -c +d -d');
});

test('after a failure nothing begins, what runs is waited for', async () => {
  assert.equal(await log(jobs, 2, { c: 9 }, 'a'), '+a +c -a -c');
});

test('a part of the jobs runs without those that are left out', async () => {
  assert.equal(await log(jobs.slice(1), 1), '+b -b +c -c +d -d');
});

test('jobs that wait for each other are refused', async () => {
  await assert.rejects(
    log(
      [
        { name: 'a', after: ['b'] },
        { name: 'b', after: ['a'] },
      ],
      1,
    ),
    /wait for each other: a,b/,
  );
});
