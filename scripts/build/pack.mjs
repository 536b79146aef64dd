// dist/ -> a brotli and a gzip copy beside each file that they make smaller, for hosts that pick one by the request.
//
//   node scripts/build/pack.mjs [folder]
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Packed already, or a copy. */
const LEFT_OUT = /\.(png|br|gz)$/;
/** A smaller gain is not worth a file. */
const WORTH = 0.95;

const PACKERS = {
  br: (bytes) =>
    brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gz: (bytes) => gzipSync(bytes, { level: 9 }),
};

/** Packing the engine takes seconds, so what was packed before is kept by its hash. */
const KEPT = fileURLToPath(new URL('../../node_modules/.cache/packed/', import.meta.url));

function packed(kind, bytes, used) {
  const name = `${createHash('sha256').update(bytes).digest('hex')}.${kind}`;
  used.add(name);
  if (existsSync(KEPT + name)) return readFileSync(KEPT + name);
  const made = PACKERS[kind](bytes);
  mkdirSync(KEPT, { recursive: true });
  writeFileSync(KEPT + name, made);
  return made;
}

/** Writes the copies, and forgets what no file needs any more. */
export function pack(folder) {
  const used = new Set();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || LEFT_OUT.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    for (const kind of Object.keys(PACKERS)) {
      const made = packed(kind, bytes, used);
      if (made.length < bytes.length * WORTH) writeFileSync(`${file}.${kind}`, made);
      else rmSync(`${file}.${kind}`, { force: true });
    }
  }
  for (const name of existsSync(KEPT) ? readdirSync(KEPT) : []) if (!used.has(name)) rmSync(KEPT + name);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) pack(process.argv[2] ?? 'dist');
