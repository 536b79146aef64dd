import assert from 'node:assert/strict';
import { test } from 'node:test';
import { belongs, exerciseOf, pathText, placeOf, valueAt, withValue } from './paths';

test('a path is written as the engine names it', () => {
  assert.equal(pathText(['answer', 'options', 2, 'right']), 'answer.options[2].right');
  const expected = '`answer.options[2].right`: a number, a name or a formula';
  const place = placeOf({ severity: 'error', file: 'a', line: null, expected, found: 'x', help: '' });
  assert.equal(place, 'answer.options[2].right');
  assert.ok(belongs(place, 'answer.options') && belongs(place, 'answer.options[2].right'));
  assert.ok(!belongs(place, 'answer.options[20]') && !belongs('answer.is', 'answer.i') && !belongs(null, 'answer'));
  assert.equal(placeOf({ severity: 'error', file: 'a', line: 2, expected: 'JSON', found: 'x', help: '' }), null);
});

test('a value is changed, added and removed, and everything else stays in its order', () => {
  const from = { id: 'a', answer: { kind: 'number', is: 'x' }, hints: [{ en: 'one' }, { en: 'two' }] };
  const changed = withValue(from, ['answer', 'is'], 'y');
  assert.equal(JSON.stringify(changed), JSON.stringify({ ...from, answer: { kind: 'number', is: 'y' } }));
  assert.deepEqual(valueAt(withValue(from, ['hints', 1, 'zh'], '二'), ['hints', 1]), { en: 'two', zh: '二' });
  assert.deepEqual(valueAt(withValue(from, ['hints', 0], undefined), ['hints']), [{ en: 'two' }]);
  assert.deepEqual(valueAt(withValue(from, ['figure', 'of'], 'run'), ['figure']), { of: 'run' });
  assert.deepEqual(Object.keys(withValue(from, ['id'], undefined) as object), ['answer', 'hints']);
  assert.equal(from.answer.is, 'x');
});

test('keys of a prototype are keys like others', () => {
  const hostile = JSON.parse('{"__proto__": {"x": 1}, "a": 1}') as never;
  assert.equal(valueAt({ a: 1 }, ['constructor']), undefined);
  const changed = withValue(hostile, ['a'], 2);
  assert.deepEqual(Object.keys(changed as object), ['__proto__', 'a']);
  assert.equal(({} as { x?: number }).x, undefined);
  assert.equal(exerciseOf('[]'), null);
  assert.equal(exerciseOf('{'), null);
});
