// The kernels of the library by lesson, and the words of the gallery.

/** Headings, each with the kernels that teach it. */
export const LESSONS: { name: string; kernels: string[] }[] = [
  {
    name: 'Neighbouring lanes',
    kernels: [
      'matvec-rows',
      'matvec-columns',
      'vector-add',
      'copy-strided',
      'copy-offset',
      'row-copy',
      'transpose',
      'transpose-tiled',
    ],
  },
  { name: 'Sharing through tiles', kernels: ['matmul-naive', 'matmul-tiled', 'gemm', 'neural-layer', 'nbody'] },
  { name: 'Neighbourhoods', kernels: ['stencil', 'stencil-9', 'stencil-7', 'conv2d', 'conv3d'] },
  { name: 'Rows and columns at once', kernels: ['atax', 'bicg', 'mvt', 'gesummv'] },
  {
    name: 'Irregular addresses',
    kernels: ['gather', 'spmv-csr', 'spmv-ell', 'bfs-step', 'md-lj', 'pointer-chase'],
  },
  {
    name: 'Sums and counters',
    kernels: ['reduce-tree', 'reduce-shuffle', 'scan', 'histogram-global', 'histogram-private'],
  },
  { name: 'The cache seen from outside', kernels: ['stride-4096', 'mb-associativity', 'mb-mshr'] },
];

export const gallery = {
  open: 'Browse…',
  heading: 'Examples',
  search: 'Search',
  close: 'Close',
  hint: 'Each picture has a row for each of a warp’s first accesses and a column for each lane. Neighbours of one colour touch the same line of 128 bytes.',
  none: 'No example has these words.',
  inUse: 'in use',
  pattern: (most: number) => `A warp’s accesses touch up to ${most} ${most === 1 ? 'line' : 'lines'}.`,
};
