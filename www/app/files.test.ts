import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withHeaders } from './files';

test('CUDA files are joined with their headers, and other files are left alone', async () => {
  const files = [
    new File(['a'], 'a.h'),
    new File(['trace'], 't.trc'),
    new File(['k'], 'k.cu'),
    new File(['m'], 'm.cu'),
  ];
  const asked: unknown[] = [];
  const joined = await withHeaders(files, (paths, texts) => {
    asked.push(paths, texts);
    return Promise.resolve([
      [1, 'k and a'],
      [2, 'm'],
    ]);
  });
  assert.deepEqual(asked, [
    ['a.h', 'k.cu', 'm.cu'],
    ['a', 'k', 'm'],
  ]);
  assert.deepEqual(
    joined.map((file) => file.name),
    ['k.cu', 'm.cu', 't.trc'],
  );
  assert.equal(await joined[0]!.text(), 'k and a');
  assert.equal(joined[1], files[3], 'a file that includes none of the others keeps its identity');
  const alone = [files[1]!, files[2]!];
  assert.equal(await withHeaders(alone, () => assert.fail('nothing to join')), alone);
});
