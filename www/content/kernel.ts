// Texts of the Kernel tab.

import { plural } from './format';

export const k = {
  setup: 'Kernel and launch',
  intro:
    'Write or paste a CUDA kernel, with its host code if you like. It runs here on real data, and its accesses go to the model of the Cache tab. Each line shows its misses, or the bytes that it moves.',
  loading: 'Loading the kernel’s text…',

  library: {
    heading: 'Kernel',
    label: 'Library',
    own: 'your kernel',
    open: 'Open a .cu file…',
    left: 'Changed and not run:',
    unrun: (name: string, at: Date) => `${name}, ${at.toLocaleTimeString('en-GB', { timeStyle: 'short' })}`,
  },

  form: {
    label: 'Which accesses',
    compiled: 'As compiled',
    written: 'As written',
    help: {
      compiled:
        'The loads and stores that a compiler leaves: values kept in registers, neighbouring loads merged, loops unrolled.',
      written: 'Each load and store of the text, one by one.',
    },
  },

  launch: {
    auto: 'Run when I pause',
    heading: 'Launch',
    run: 'Run the changes',
    again: 'Run again',
    key: 'Ctrl Enter',
    instead: 'Launch in place of the text’s own',
    host: 'Launch of the host',
    hostHelp:
      'A number, to run the launch of this number of each kernel, or “all”. Empty: the launch with the most threads.',
    of: (kernel: string) => `Launch of ${kernel}`,
    guessed: 'guessed',
    given: 'given',
    notRun: 'Not run yet',
    fraction: (name: string, value: string) => ({
      expected: `a whole number for \`${name}\``,
      found: `\`${value}\``,
      help: 'Blocks, threads or the length of an array follow from it.',
    }),
    blocks: 'Blocks',
    threads: 'Threads',
    shared: 'Shared bytes',
  },

  code: {
    heading: 'Kernel',
    label: 'CUDA text',
    marks: 'CUDA text with counts per line',
    hint: (bytes: boolean) =>
      `The figures beside the lines are ${bytes ? 'bytes that each moves between the cores and the L2' : 'misses in the L1'}.`,
    keys: 'Tab leaves the editor; Ctrl + Enter runs it.',
    mark: (misses: number, part: string, requests: number) =>
      `${plural(misses, 'miss', 'misses')}, ${part} of all, of ${plural(requests, 'request')}`,
    /** `before`: of the text before the edit. */
    time: (now: string, before: string | null) => `Time: ${before === null ? now : `${before} before, ${now} now`}.`,
    marked: 'The marks belong to the result of the Cache tab.',
    changed: 'Changed: run it to see what its lines cost.',
    unfinished: 'Not run yet under these settings. The Cache tab shows the result from before.',
    broken: 'Its run ended with an error, see below. The Cache tab shows the result from before.',
    refused: 'This text did not run. The messages below say why.',
    outdated: 'These messages are about the text before its last change.',
    failed: 'This gave nothing to run. The messages say why. The other tabs still show the result from before.',
  },

  lines: {
    heading: 'Misses per line',
    hint: 'All launches together, under the settings of the Cache tab.',
    line: 'Line',
    goTo: (line: number) => `Go to line ${line}`,
    code: 'Text',
    why: 'See why in the Cache tab',
  },

  launches: {
    heading: 'Instructions',
    hint: 'Warp instructions. Memory accesses are counted exactly; the others by a table of costs: in 35 of the library’s 36 kernels within a quarter of what a compiler makes.',
    kernel: 'Kernel',
    grid: 'Blocks',
    block: 'Threads',
    columns: {
      instructions: 'All',
      integer: 'Integer',
      fp32: 'FP32',
      fp64: 'FP64',
      special: 'Special',
      global: 'Global',
      shared: 'Shared',
      local: 'Local',
      constant: 'Constant',
      texture: 'Texture',
      branch: 'Branches',
      barrier: 'Barriers',
      other: 'Other',
    },
    save: (launch: string, format: string) => `Save trace${launch && ` ${launch}`} (.${format})`,
  },

  arrays: {
    heading: 'Arrays',
    hint: 'Contents before the first launch and after the last.',
    name: 'Array',
    element: 'Element',
    elements: 'Elements',
    changed: 'Written',
    yes: 'yes',
    no: 'no',
    file: 'File',
    save: 'CSV',
    saveOf: (name: string) => `Save ${name} as CSV`,
  },

  output: 'Output of printf',

  limits: {
    heading: 'What is run, and what is not',
    list: [
      'Kernels of one file run one after the other, as `// launch:` comments say; without one the host code decides the launch, and each value says where it comes from.',
      'Host code is followed as far as launches need it; the rest is skipped and listed. Not run: recursion, dynamic parallelism. Products of tensor cores make their accesses, but no values. Short texts of ours stand for the headers of half precision, cuRAND, CUB and Thrust.',
      'Warps of a block take turns in lock-step between barriers; atomics follow that order. A GPU may order them otherwise.',
      'Counts of memory accesses equal those of NVIDIA’s compiler for all 36 kernels of the library; instructions lie within 25 % for 35 of them. The table of costs was tuned on the same kernels.',
    ],
  },
};
