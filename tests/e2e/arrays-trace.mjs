// A .traceg of a kernel that reads several arrays and writes one, for tests and measurements of placements.

const BASE = 0x7f0000000000;
/** Arrays begin so far apart, so that none is taken for part of another. */
const APART = 1 << 22;
const WARPS = 8;

/**
 * `arrays` are read, of `bytes` each; one more is written where `written`. `shared` is what the kernel's own shared memory
 * takes: at 48 KiB no tile fits on a Kepler. Every warp makes `steps` accesses to each array, one line each.
 */
export function traceOf({
  arrays = 6,
  bytes = 1 << 17,
  blocks = 32,
  steps = 13,
  shared = 0,
  written = false,
  name = 'many_arrays',
} = {}) {
  let text =
    `-kernel name = ${name}\n-kernel id = 1\n-grid dim = (${blocks},1,1)\n-block dim = (${32 * WARPS},1,1)\n-shmem = ${shared}\n-nregs = 16\n` +
    '-binary version = 35\n-cuda stream id = 0\n-shmem base_addr = 0x00007e0000000000\n' +
    '-local mem base_addr = 0x00007d0000000000\n-nvbit version = 1.7\n-accelsim tracer version = 5\n-enable lineinfo = 0\n';
  let state = 2017;
  const next = (below) => (state = (state * 48271) % 2147483647) % below;
  const at = (array, line) => `0x${(BASE + array * APART + (line % (bytes / 128)) * 128).toString(16)}`;
  for (let block = 0; block < blocks; block++) {
    text += `\n#BEGIN_TB\n\nthread block = ${block},0,0\n`;
    for (let warp = 0; warp < WARPS; warp++) {
      let lines = '';
      let count = 0;
      for (let step = 0; step < steps; step++) {
        for (let array = 0; array < arrays; array++) {
          // By turns: a stream, a few lines that all read, lines at random.
          const line = [(block * WARPS + warp) * steps + step, step * 97, next(1 << 20)][array % 3];
          lines += `0000 ffffffff 1 R4 IMAD.WIDE 3 R1 R2 R3 0 0\n00${(16 + array).toString(16)} ffffffff 1 R2 LDG.E 1 R4 4 1 ${at(array, line)} 4 0\n`;
          lines += '0040 ffffffff 1 R6 FFMA 3 R6 R2 R3 0 0\n';
          count += 3;
        }
      }
      if (written) {
        lines += `0050 ffffffff 0 STG.E 2 R4 R6 4 1 ${at(arrays, block * WARPS + warp)} 4 0\n`;
        count += 1;
      }
      text += `\nwarp = ${warp}\ninsts = ${count}\n${lines}`;
    }
    text += '\n#END_TB\n';
  }
  return text;
}
