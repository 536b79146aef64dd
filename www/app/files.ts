// Files out of a drop, folders included.

import { MOST_BYTES, SOURCE } from './source-files';

/** A folder of traces is welcome; a whole disk is not. */
const MOST_FILES = 2000;

/** Where the files of dropped folders lie. */
const paths = new WeakMap<File, string>();

const pathOf = (file: File) => paths.get(file) ?? (file.webkitRelativePath || file.name);

/**
 * CUDA files, joined with the headers among them: each file that runs becomes one text, which a link can name by its hash. The
 * files that were included are no longer on their own.
 */
export async function withHeaders(
  dropped: File[],
  join: (paths: string[], texts: string[]) => Promise<[number, string][]>,
): Promise<File[]> {
  const files = dropped.some(isPacked) ? (await Promise.all(dropped.map(unpacked))).flat() : dropped;
  const sources = files.filter((f) => SOURCE.test(f.name) && f.size <= MOST_BYTES);
  if (sources.length < 2) return files;
  const texts = await Promise.all(sources.map((file) => file.text()));
  const joined = await join(sources.map(pathOf), texts);
  const running = joined.map(([at, text]) => (text === texts[at] ? sources[at]! : new File([text], sources[at]!.name)));
  return [...running, ...files.filter((file) => !sources.includes(file))];
}

const isGzip = (file: File) => /\.gz$/i.test(file.name) && SOURCE.test(file.name.slice(0, -3));
const isPacked = (file: File) => /\.zip$/i.test(file.name) || isGzip(file);

/** The CUDA sources of an archive that has nothing else to read, so that they open like dropped ones. Any other file itself. */
async function unpacked(file: File): Promise<File[]> {
  if (!isPacked(file)) return [file];
  const { gunzipped, sourcesIn } = await import(/* webpackChunkName: 'unzip' */ './unzip');
  if (isGzip(file)) return [(await gunzipped(file)) ?? file];
  const sources = await sourcesIn(file);
  sources?.forEach((source) => paths.set(source.file, source.path));
  return sources?.map((source) => source.file) ?? [file];
}

/** All files of a drop. Must be called while the event is being handled: later its items are gone. */
export async function droppedFiles(data: DataTransfer): Promise<File[]> {
  const plain = [...data.files];
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some((entry) => entry?.isDirectory)) return plain;
  const found: File[] = [];
  for (const entry of entries) if (entry) await walk(entry, found);
  return found;
}

async function walk(entry: FileSystemEntry, found: File[]): Promise<void> {
  if (found.length >= MOST_FILES) return;
  if (entry.isFile) {
    const file = await new Promise<File>((yes, no) => (entry as FileSystemFileEntry).file(yes, no));
    paths.set(file, entry.fullPath.slice(1));
    found.push(file);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader hands out its entries in portions; an empty one is the end.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((yes, no) => reader.readEntries(yes, no));
    if (part.length === 0) return;
    for (const child of part) await walk(child, found);
  }
}

/** A file of a scenario says so in its first bytes. */
export async function isScenarioFile(file: File): Promise<boolean> {
  return /^\s*\{\s*"warpscope"\s*:\s*"scenario"/.test(await file.slice(0, 200).text());
}
