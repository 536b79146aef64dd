import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withRun, type Recent } from './recent';

const run = (name: string, gpu: string, at: number): Recent => ({ name, gpu, model: 'gpu', link: `${name}${at}`, at });

test('the newest run stands first, once for a trace on a GPU, and the list ends', () => {
  let list: Recent[] = [];
  for (let i = 0; i < 20; i += 1) list = withRun(list, run(`t${i}`, 'a', i));
  assert.equal(list.length, 12);
  list = withRun(list, run('t15', 'a', 30));
  list = withRun(list, run('t15', 'b', 31));
  assert.deepEqual(
    list.slice(0, 3).map(({ link }) => link),
    ['t1531', 't1530', 't1919'],
  );
  assert.equal(list.filter(({ name }) => name === 't15').length, 2);
});
