import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, nextStep, type Step } from './history';
import { freshScenario } from './scenario';

const scenario = freshScenario();
/** The steps that a row of scenarios makes: true where the history gets an entry. */
function entries(row: [Partial<typeof scenario>, number][]): boolean[] {
  let step: Step | null = null;
  return row.map(([part, at]) => {
    const next = nextStep(step, fieldsOf({ ...scenario, ...part }), at);
    step = next.step;
    return next.isNew;
  });
}

test('the first state is no step, a change is one, and its fingerprint or a fold of the view is none', () => {
  assert.deepEqual(
    entries([
      [{}, 0],
      [{ gpu: 'a100' }, 100],
      [{ gpu: 'a100', fingerprint: '12' }, 5000],
      [{ gpu: 'a100', view: { 'kernel.line': '3', 'reuse.result': 'ab' } }, 9000],
      [{ gpu: 'a100', view: { tab: 'kernel' } }, 9100],
    ]),
    [false, true, false, false, true],
  );
});

test('quick changes of one field are one step, of different fields or after a pause they are several', () => {
  const ways = (n: number) => ({ set: { ways: String(n) } });
  assert.deepEqual(
    entries([
      [ways(4), 0],
      [ways(5), 10_000],
      [ways(6), 10_900],
      [ways(7), 11_800],
      [ways(8), 12_801],
      [{ ...ways(8), seed: 2 }, 12_900],
    ]),
    [false, true, false, false, true, true],
  );
});

test('each part that is picked is a step, however quick', () => {
  const only = (part: string) => ({ view: { only: part } });
  assert.deepEqual(
    entries([
      [{}, 0],
      [only('array:0x10'), 5000],
      [only('line:3'), 5100],
    ]),
    [false, true, true],
  );
});

test('the first change after the page has opened is a step, however quick', () => {
  assert.deepEqual(
    entries([
      [{}, 0],
      [{ seed: 2 }, 1],
    ]),
    [false, true],
  );
});

test('a text that runs as it is typed is one step', () => {
  const file = (sha256: string) => ({
    files: [{ name: 'a.cu', size: 1, sha256, format: null }],
    example: null,
  });
  assert.deepEqual(
    entries([
      [{ example: 'x' }, 0],
      [file('1'), 2000],
      [file('2'), 4000],
      [file('3'), 9000],
      [file('4'), 60_000],
    ]),
    [false, true, true, false, true],
  );
});
