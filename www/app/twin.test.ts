import assert from 'node:assert/strict';
import { test } from 'node:test';
import { d } from '../content/difference';
import type { ExampleInfo } from '../engine/types';
import { AS_IT_IS, freshScenario } from './scenario';
import { twinOf, twinSizes } from './twin';

const example = (id: string, better: ExampleInfo['better'] = null): ExampleInfo => ({
  id,
  title: id,
  lesson: '',
  better,
});
const LIBRARY = [
  example('naive', { id: 'tiled', sizes: {} }),
  example('tiled'),
  example('strided', { id: 'strided', sizes: { stride: '1' } }),
  example('alone'),
];
const of = (id: string, sizes: Record<string, string> = {}) =>
  twinOf({ ...freshScenario(), example: id, cuda: { ...AS_IT_IS, sizes } }, LIBRARY);

test('a kernel has its better form, and that one the naive form', () => {
  assert.deepEqual(of('naive'), { id: 'tiled', title: 'tiled', sizes: {}, differs: {}, better: true });
  assert.deepEqual(of('tiled'), { id: 'naive', title: 'naive', sizes: {}, differs: {}, better: false });
  assert.equal(of('alone'), null);
});

test('a size can make the better form, and only it tells the forms apart', () => {
  const better = of('strided', { n: '64' });
  assert.deepEqual(better?.sizes, { n: '64', stride: '1' });
  assert.equal(d.sizes(better.differs, better.better), 'stride = 1');
  assert.deepEqual(of('strided', { n: '64', stride: '1' }), {
    id: 'strided',
    title: 'strided',
    sizes: { n: '64' },
    differs: { stride: '1' },
    better: false,
  });
  assert.equal(d.sizes({ stride: '1' }, false), 'the text’s own stride');
});

test('a launch of one’s own, or chosen kernels, have no twin', () => {
  const scenario = { ...freshScenario(), example: 'naive' };
  assert.equal(twinOf({ ...scenario, kernels: [1] }, LIBRARY), null);
  assert.equal(twinOf({ ...scenario, cuda: { ...AS_IT_IS, launch: 'k<<<1, 1>>>()' } }, LIBRARY), null);
});

test('a twin runs with the sizes of the kernel beside it', () => {
  const outline = (sizes: Record<string, string>) => [
    {
      line: 1,
      last_line: 1,
      kernel: 'k',
      blocks: '1',
      threads: '1',
      shared: null,
      blocks_origin: '',
      threads_origin: '',
      items: [
        { name: 'A', declaration: 'float[n]', value: 'zero', origin: '' },
        ...Object.entries(sizes).map(([name, value]) => ({ name, declaration: '', value, origin: '' })),
      ],
    },
  ];
  const [own, twin] = [outline({ n: '96', rows: '2' }), outline({ n: '128', width: '4', rows: '2' })];
  assert.deepEqual(twinSizes(own, twin, {}, {}), { n: '96' });
  assert.deepEqual(twinSizes(own, twin, { n: '128', rows: '3' }, {}), { rows: '3' });
  assert.deepEqual(twinSizes(own, twin, {}, { n: '7' }), { n: '7' });
});
