// Every text of the help sheet.

export const help = {
  documentation: 'Documentation: guide, models and their limits, formats, commands, licences',
  keys: 'Keyboard',
  single: 'Use single-key shortcuts',
  bindings: {
    '?': 'this sheet',
    o: 'open files',
    e: 'go to the examples',
    r: 'run',
    Esc: 'cancel',
    c: 'copy the link',
    t: 'change the colours',
    v: 'go to the verdict',
    'j / k': 'next / previous kernel',
    '1 2 3 …': 'open a tab',
    '← →': 'on a chart: read the next value; in “Why this access?”: step back, forward',
    '↑ ↓': 'in “Why this access?”: previous, next miss',
    '+ − 0': 'on a chart: zoom in, zoom out, show all',
    'Shift + ← →': 'on a zoomed chart: move along the axis',
    Enter: 'on the name of an array or instruction, or a chart of sets or distances: filter by it; Esc shows all',
  } as Record<string, string>,
  terms: 'Words',
  how: 'How this tab works',
  /** By tab. */
  tabs: {
    cache: [
      'The trace’s warps are dealt to the cores as the hardware would. The model “gpu” then runs them event by event through schedulers, L1s, L2 and DRAM, in cycles. The models “paper” and “reference” answer each request to one Fermi L1 with hit or miss and name the kind of miss.',
      'Words with a dotted line have a definition: click them. Below the picture, each line opens a part of the result.',
      '“Keep to compare” keeps a result. Then change the GPU, a parameter or the kernel: the next results show their differences to it, and the link holds both.',
    ],
    kernel: [
      'The text is compiled to a bytecode and runs here on real data, block by block. Each load and store becomes an access of the trace, and the model of the Cache tab answers it.',
      'The launch form rewrites the comment above the text, so that the text alone says how it is run.',
    ],
    reuse: [
      'The reuse distance of an access is the number of distinct lines touched since the last use of its line. A fully associative LRU cache hits where the distance is smaller than its number of lines, so that one pass gives the miss ratio of every size.',
      'Several engines compute the same distances. HP-RDA is the parallel algorithm of IPDPS 2012; its error and its time stand beside the exact ones.',
    ],
    topology: [
      'Look: tables of GPUs, each value with its source. Discover: a virtual GPU answers pointer chases with times, and you find its sizes, line and sharing. Measure: the same chases on this machine’s processor and, where the browser has WebGPU, its GPU.',
    ],
    placement: [
      'The equations of CLUSTER’17 predict the time of each legal placement from one trace. The best ones then run on the model of the whole GPU, each as your text rewritten for it, or as the trace with its arrays moved if there is no text.',
      'Memory mapping hides a mapping of address bits to banks and rows; you find it by timing pairs of accesses.',
    ],
    learn: [
      'Each exercise begins in a state of the lab, asks a question and checks the answer. The seed in the link fixes its numbers and texts. The engine computes the right answer from them when you press “Check”.',
      'Progress is kept in this browser. “Hand in” saves one file with your answers. A lecturer verifies it with `warpscope exercise grade`.',
    ],
  } as Record<string, string[]>,
  worker: 'Everything runs in workers of this browser.',
  numbers: 'How sure the numbers are',
  numbersText:
    'No model here is a cycle-accurate simulator. Each result lists what it leaves out, and each parameter says whether its value is official, measured or assumed.',
};
