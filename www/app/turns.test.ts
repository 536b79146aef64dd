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

test('a job that waits for idleness cancels nobody', async () => {
  let stopped = 0;
  const log: string[] = [];
  const turns = new Turns(async () => void (log.length > 0 && log.length < 2 && (stopped += 1)));
  const wish = turns.take(async () => {
    log.push('wish begins');
    await new Promise((resolve) => setTimeout(resolve, 5));
    log.push('wish ends');
  });
  await Promise.all([wish, turns.takeWhenIdle(async () => void log.push('confirmed'))]);
  assert.deepEqual([log, stopped], [['wish begins', 'wish ends', 'confirmed'], 0]);
});
