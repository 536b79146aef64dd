import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { droppedFiles, withHeaders } from './files';

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

/** A zip archive. `size` is what the archive says of a file, if it is not the truth. */
function zip(files: { name: string; content: string; stored?: boolean; size?: number }[]): File {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const { name, content, stored = false, size = Buffer.byteLength(content) } of files) {
    const body = stored ? Buffer.from(content) : deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt32LE(body.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04'), fields, Buffer.from(name), body);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, tail, Buffer.from(name));
    at += 30 + name.length + body.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(at, 12);
  return new File([Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06'), end])], 'all.zip');
}

const own = (paths: string[], texts: string[]) =>
  Promise.resolve(texts.map((text, i) => [i, text] as [number, string]).filter(([i]) => /\.cu$/.test(paths[i]!)));
const long = '__global__ void k() {}\n'.repeat(100);

test('CUDA sources of a zip are files of their own, and a zip with traces is left as it is', async () => {
  const asked: string[] = [];
  const sources = zip([
    { name: 'app/', content: '', stored: true },
    { name: 'app/src/k.cu', content: long },
    { name: 'app/include/sizes.h', content: '#define N 4\n', stored: true },
    { name: 'app/README.md', content: 'words' },
  ]);
  const found = await withHeaders([sources], (paths, texts) => (asked.push(...paths), own(paths, texts)));
  assert.deepEqual(asked, ['app/src/k.cu', 'app/include/sizes.h']);
  assert.deepEqual(
    found.map((file) => file.name),
    ['k.cu'],
  );
  assert.equal(await found[0]!.text(), long);
  const mixed = zip([
    { name: 'k.cu', content: long },
    { name: 'kernel-1.traceg', content: '-kernel name = k\n' },
  ]);
  assert.deepEqual(await withHeaders([mixed], own), [mixed]);
});

test('a zip that is cut off or lies about its sizes is left to the engine', async () => {
  const whole = zip([{ name: 'k.cu', content: long }]);
  for (const size of [whole.size - 30, 40, 3]) {
    const cut = new File([whole.slice(0, size)], 'cut.zip');
    assert.deepEqual(await withHeaders([cut], own), [cut]);
  }
  for (const size of [1, 1 << 20]) {
    const lying = zip([{ name: 'k.cu', content: long, size }]);
    assert.deepEqual(await withHeaders([lying], own), [lying]);
  }
});

test('a dropped folder is walked, and its files have their paths', async () => {
  const file = (path: string) => ({
    isFile: true,
    isDirectory: false,
    fullPath: path,
    file: (yes: (f: File) => void) => yes(new File([path], path.replace(/^.*\//, ''))),
  });
  const folder = (path: string, portions: unknown[][]) => ({
    isFile: false,
    isDirectory: true,
    fullPath: path,
    createReader: () => {
      const left = [...portions, []];
      return { readEntries: (yes: (found: unknown[]) => void) => yes(left.shift() ?? []) };
    },
  });
  const tree = folder('/app', [[file('/app/k.cu')], [folder('/app/inc', [[file('/app/inc/a.h')]])]]);
  const data = { files: [new File([''], 'app')], items: [{ webkitGetAsEntry: () => tree }] };
  const files = await droppedFiles(data as unknown as DataTransfer);
  const asked: string[] = [];
  await withHeaders(files, (paths, texts) => (asked.push(...paths), own(paths, texts)));
  assert.deepEqual(asked, ['app/k.cu', 'app/inc/a.h']);
});
