// CUDA sources out of gzip, and out of a zip archive (PKWARE's APPNOTE: end record 4.3.16, central directory 4.3.12, local header 4.3.7). An
// archive with anything that may be a trace is left to the engine, which reads it as it comes.

import { MOST_BYTES, SOURCE } from './source-files';

/** Most files of an archive. */
const MOST_FILES = 512;

/** What lies beside sources in a project and is no trace. */
const BESIDE = /\/$|(^|\/)(Makefile|README|LICENSE|CMakeLists\.txt)[^/]*$|\.(md|py|sh|ya?ml|toml)$/i;

interface Entry {
  name: string;
  at: number;
  packed: number;
  size: number;
  stored: boolean;
}

/** The sources of an archive with their paths. `null` if it has no `.cu`, other files as well, or cannot be read here. */
export async function sourcesIn(archive: File): Promise<{ path: string; file: File }[] | null> {
  const bytes = new Uint8Array(await archive.arrayBuffer());
  const entries = directory(new DataView(bytes.buffer));
  if (!entries?.every(({ name }) => SOURCE.test(name) || BESIDE.test(name))) return null;
  const sources = entries.filter(({ name, size }) => SOURCE.test(name) && size <= MOST_BYTES);
  if (!sources.some(({ name }) => /\.cu$/i.test(name))) return null;
  const found: { path: string; file: File }[] = [];
  for (const entry of sources) {
    const content = await contents(bytes, entry);
    if (content === null) return null;
    found.push({ path: entry.name, file: new File([content], entry.name.replace(/^.*\//, '')) });
  }
  return found;
}

/** A source without its packing, so that a link and the editor have its text. `null` if it is too large, or cannot be read here. */
export async function gunzipped(file: File): Promise<File | null> {
  const parts = await inflated(file, 'gzip', MOST_BYTES);
  return parts && new File(parts, file.name.slice(0, -3));
}

function directory(view: DataView): Entry[] | null {
  const last = view.byteLength - 22;
  let end = last;
  while (end >= 0 && end > last - 0xffff && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) return null;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const entries: Entry[] = [];
  for (let i = 0; i < count && i < MOST_FILES; i++) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) return null;
    const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true)) as [
      number,
      number,
      number,
    ];
    const method = view.getUint16(at + 10, true);
    // Encrypted and otherwise packed files are for the engine, which says what is wrong.
    if ((view.getUint16(at + 8, true) & 1) === 1 || (method !== 0 && method !== 8)) return null;
    entries.push({
      name: new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, Math.min(name, end - at - 46))),
      at: view.getUint32(at + 42, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      stored: method === 0,
    });
    at += 46 + name + extra + comment;
  }
  return count > MOST_FILES ? null : entries;
}

/** The bytes of an entry. Unpacking stops at the size that the archive states. */
async function contents(bytes: Uint8Array<ArrayBuffer>, entry: Entry): Promise<Uint8Array<ArrayBuffer> | null> {
  const view = new DataView(bytes.buffer);
  if (entry.at + 30 > bytes.length || view.getUint32(entry.at, true) !== 0x04034b50) return null;
  const start = entry.at + 30 + view.getUint16(entry.at + 26, true) + view.getUint16(entry.at + 28, true);
  const packed = bytes.subarray(start, start + entry.packed);
  if (entry.stored) return packed.length === entry.size ? packed : null;
  const parts = await inflated(new Blob([packed]), 'deflate-raw', entry.size);
  const content = parts && new Uint8Array(await new Blob(parts).arrayBuffer());
  return content?.length === entry.size ? content : null;
}

/** What is packed. `null` if it has more than `most` bytes, or is broken. */
async function inflated(
  packed: Blob,
  format: CompressionFormat,
  most: number,
): Promise<Uint8Array<ArrayBuffer>[] | null> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = packed.stream().pipeThrough(new DecompressionStream(format)).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return parts;
      size += value.length;
      if (size > most) return null;
      parts.push(value);
    }
  } catch {
    return null;
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
