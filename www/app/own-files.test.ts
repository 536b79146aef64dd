import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExampleInfo, FileId, Scenario } from '../engine/types';
import { withOwnFiles } from './own-files';
import { freshScenario } from './scenario';

const file = (name: string): FileId => ({ name, size: 1, sha256: name.padEnd(64, '0'), format: null });
const example = { id: 'first' } as ExampleInfo;
const at = (view: Scenario['view'], more: Partial<Scenario> = {}) =>
  withOwnFiles({ ...freshScenario(example), view, ...more }, example, null);
const STREAM = { 'reuse.files': `mine.din:1:${'0'.repeat(64)}`, 'reuse.format': 'din', 'reuse.result': 'ab' };

test('a link of another tab does not name the stream of the Reuse tab', () => {
  const tabs: Scenario['view'][] = [{}, { tab: 'kernel' }, { tab: 'placement' }, { tab: 'topology' }];
  for (const tab of tabs)
    assert.deepEqual(at({ ...tab, ...STREAM, 'reuse.line': '64' }).view, { ...tab, 'reuse.line': '64' });
  const shown = { tab: 'reuse', ...STREAM };
  assert.deepEqual(at(shown).view, shown);
  const generated = { tab: 'reuse', 'reuse.input': 'zipf', 'reuse.result': 'ab' };
  assert.deepEqual(at({ ...STREAM, ...generated }).view, generated);
});

test('a link of a tab that has nothing of the Cache tab does not name its files', () => {
  const files = [file('mine.cu')];
  const own = { example: null, files };
  const using: Scenario['view'][] = [{}, { tab: 'kernel' }, { tab: 'reuse' }, { tab: 'placement' }];
  for (const view of using) assert.deepEqual(at(view, own).files, files, JSON.stringify(view));
  const others: Scenario['view'][] = [
    { tab: 'reuse', 'reuse.input': 'zipf' },
    { tab: 'reuse', ...STREAM },
    { tab: 'learn' },
  ];
  for (const view of others) {
    const linked = at({ ...view, 'name.0x10': 'weights' }, { ...own, fingerprint: 'ab' });
    assert.deepEqual([linked.example, linked.files, linked.fingerprint, linked.view], ['first', [], null, view]);
  }
});

test('the files of a baseline go where the baseline is shown', () => {
  const base = { ...freshScenario(null), files: [file('before.cu')] };
  assert.deepEqual(at({}, { base }).base, base);
  assert.equal(at({ tab: 'placement' }, { base }).base, null);
  assert.deepEqual(at({ tab: 'placement' }, { base, files: base.files }).base, base);
});
