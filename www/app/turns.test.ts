import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns';

test('the newest wish wins and jobs never overlap', async () => {
  let stopFirst = () => {};
  const log: string[] = [];
  const turns = new Turns(async () => stopFirst());
  const first = turns.take(async () => {
    log.push('first begins');
    await new Promise<void>((resolve) => (stopFirst = resolve));
    log.push('first ends');
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = turns.take(async () => void log.push('second'));
  const third = turns.take(async () => void log.push('third'));
  await Promise.all([first, second, third]);
  assert.deepEqual(log, ['first begins', 'first ends', 'third']);
});

test('a job that fails does not block the next', async () => {
  const turns = new Turns(async () => {});
  await assert.rejects(turns.take(async () => Promise.reject(new Error('no'))));
  let ran = false;
  await turns.take(async () => void (ran = true));
  assert.ok(ran);
});
