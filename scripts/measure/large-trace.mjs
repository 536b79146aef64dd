// Large .traceg files by the grammar, for the scripts that measure. Every run writes the same ones.

import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

/** A small generator of its own (Lehmer, 2^31 - 1), so that every run writes the same file. */
function randomizer(seed) {
  let state = seed;
  return (below) => (state = (state * 48271) % 2147483647) % below;
}

const BASE = 0x7f0000000000;
const hex = (n) => `0x${n.toString(16)}`;

/** One warp's memory line of each kind. */
const line = {
  // Coalesced, every line of the array used once.
  stream: (warp, step) => `0010 ffffffff 1 R2 LDG.E 1 R4 4 1 ${hex(BASE + (warp * 24 + step) * 128)} 4 0`,
  // Random words of a 16 MB array, one per lane.
  gather: (warp, step, next) => {
    const first = next(1 << 22) * 4;
    let at = first;
    const steps = [];
    for (let lane = 1; lane < 32; lane++) {
      const to = next(1 << 22) * 4;
      steps.push(to - at);
      at = to;
    }
    return `0020 ffffffff 1 R2 LDG.E 1 R4 4 2 ${hex(BASE + first)} ${steps.join(' ')} 0`;
  },
  // A small matrix that every block walks through.
  reuse: (warp, step) =>
    `0030 ffffffff 1 R2 LDG.E.64 1 R4 8 1 ${hex(BASE + ((step * 32 + (warp % 8)) % 4096) * 256)} 8 0`,
};

function block(kind, number, next) {
  let text = `\n#BEGIN_TB\n\nthread block = ${number},0,0\n`;
  for (let warp = 0; warp < 8; warp++) {
    text += `\nwarp = ${warp}\ninsts = 72\n`;
    for (let step = 0; step < 24; step++) {
      const of = kind === 'mixed' ? ['stream', 'reuse', 'gather', 'stream'][step % 4] : kind;
      text += `0000 ffffffff 1 R1 IMAD.MOV.U32 3 R1 R2 R3 0 0\n${line[of](number * 8 + warp, step, next)}\n`;
      text += '0040 ffffffff 1 R6 FFMA 3 R6 R2 R3 0 0\n';
    }
  }
  return `${text}\n#END_TB\n`;
}

/** Writes a .traceg of about `megabytes`; packed where `pack` is a stream that packs. */
export async function generate(path, kind, megabytes, pack = null) {
  const next = randomizer(2014);
  const file = createWriteStream(path, { highWaterMark: 1 << 22 });
  if (pack) pack.pipe(file);
  const out = pack ?? file;
  const limit = megabytes * 1e6;
  const blocks = Math.max(1, Math.round(limit / block(kind, 100000, randomizer(1)).length));
  out.write(
    `-kernel name = ${kind}\n-kernel id = 1\n-grid dim = (${blocks},1,1)\n-block dim = (256,1,1)\n-shmem = 0\n-nregs = 32\n` +
      '-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x00007e0000000000\n' +
      '-local mem base_addr = 0x00007d0000000000\n-nvbit version = 1.7\n-accelsim tracer version = 5\n-enable lineinfo = 0\n',
  );
  for (let number = 0; number < blocks; number++) {
    if (!out.write(block(kind, number, next))) await once(out, 'drain');
  }
  out.end();
  await once(file, 'finish');
}
