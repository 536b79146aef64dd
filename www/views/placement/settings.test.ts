import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AS_IT_IS } from '../../app/scenario';
import { fromText, moved, overlapName, readSettings, same, terminalCommand } from './settings';

test('a link says what is asked for, and nonsense in it is left out', () => {
  const plain = readSettings({});
  assert.deepEqual(
    [plain.gpu, plain.kernel, plain.from, plain.model, plain.queue, plain.without, plain.look, plain.seed],
    [null, 0, [], 'default', null, [], null, 1],
  );
  const asked = readSettings({
    'placement.gpu': 'k20c',
    'placement.kernel': '3',
    'placement.from': 'global,texture1d',
    'placement.model': 'seed',
    'placement.queue': 'klb',
    'placement.without': 'mapping,counting',
    'placement.look': 'shared,constant',
    'placement.seed': '7',
    'placement.hashed': '1',
    'placement.mode': 'memory',
  });
  assert.deepEqual(asked.from, ['global', 'texture1d']);
  assert.deepEqual(asked.without, ['counting', 'mapping']);
  assert.deepEqual(
    [asked.gpu, asked.kernel, asked.model, asked.queue, asked.look, asked.seed, asked.hashed, asked.mode],
    ['k20c', 3, 'paper', 'klb', ['shared', 'constant'], 7, true, 'memory'],
  );
  const wrong = readSettings({
    'placement.from': 'global,rom',
    'placement.queue': 'x',
    'placement.kernel': '-1',
    'placement.seed': '1.5',
    'placement.look': '',
  });
  assert.deepEqual([wrong.from, wrong.queue, wrong.kernel, wrong.seed, wrong.look], [[], null, 0, 1, null]);
});

test('the printed model takes a measured sample from the link, and says so at the terminal', () => {
  const asked = readSettings({
    'placement.model': 'paper',
    'placement.time_us': '812.5',
    'placement.inst_issued': '6000',
    'placement.inst_executed': '-3',
    'placement.rule': 'sim',
    'placement.gamma': '0',
    'placement.arrivals': 'cycle',
  });
  assert.deepEqual(asked.sample, {
    time_us: 812.5,
    inst_executed: null,
    inst_issued: 6000,
    static_constants: null,
  });
  assert.deepEqual([asked.rule, asked.gamma, asked.cycleArrivals], ['sim', 0, true]);
  assert.equal(
    terminalCommand(asked, 'k80', [], 'gather', AS_IT_IS, []),
    'warpscope place example:gather --gpu k80 --model paper --sample time_us=812.5,inst_issued=6000 --assume overlap=sim,gamma=0,arrivals=cycle --format json',
  );
});

test('placements are compared and written', () => {
  assert.equal(fromText(['global', 'global']), null);
  assert.equal(fromText(['global', 'shared']), 'global,shared');
  assert.ok(same(['global'], ['global']) && !same(['global'], ['shared']) && !same(['global'], ['global', 'global']));
  assert.deepEqual(moved(['global', 'shared', 'constant'], ['global', 'global', 'constant']), [1]);
  assert.notEqual(overlapName('{"a":1}'), overlapName('{"a":2}'));
  assert.match(overlapName(''), /^[0-9a-f]{8}$/);
});

test('the terminal does the same', () => {
  const settings = readSettings({
    'placement.from': 'texture1d,global',
    'placement.without': 'queue',
    'placement.kernel': '2',
  });
  assert.equal(
    terminalCommand(settings, 'k20c', ['a b.traceg', 'c.traceg'], null, AS_IT_IS, ['A', 'B']),
    "warpscope place 'a b.traceg' c.traceg --gpu k20c --kernel 2 --from A=texture1d --without queue --format json",
  );
  assert.equal(
    terminalCommand(readSettings({}), 'a100', [], 'gather', AS_IT_IS, []),
    'warpscope place example:gather --gpu a100 --format json',
  );
  const cuda = { ...AS_IT_IS, form: 'written' as const, sizes: { n: '64' } };
  assert.equal(
    terminalCommand(readSettings({}), 'a100', ['k.cu'], null, cuda, []),
    'warpscope place k.cu --gpu a100 --form written --size n=64 --format json',
  );
  assert.equal(terminalCommand(readSettings({}), 'a100', ['k.cu'], null, { ...cuda, text: 'edited' }, []), null);
  assert.equal(
    terminalCommand(readSettings({ 'placement.ranges': 'A 0 4' }), 'a100', [], 'gather', AS_IT_IS, []),
    null,
  );
});
