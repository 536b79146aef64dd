// How files are read where their content alone does not settle it: as a person chose, or as a link needs it.

import type { Source } from '../engine/protocol';
import type { FileId, FileInfo } from '../engine/types';

/** `source` with one file read as `format`; null: as what it looks like. */
export function withFormat(source: Source, number: number, format: string | null): Source {
  const { [number]: before, ...rest } = source.reading ?? {};
  const own = { ...before, format };
  return { ...source, reading: format === null && own.name === undefined ? rest : { ...rest, [number]: own } };
}

/** What a file is read as by choice; null when it is what it looks like. */
export function chosenFormat(source: Source, number: number): string | null {
  return source.reading?.[number]?.format ?? null;
}

/** Files that nobody has chosen a format for although several fit. */
export function undecided(files: FileInfo[], source: Source): number[] {
  return files.flatMap((file, i) => (file.candidates.length > 1 && chosenFormat(source, i) === null ? [i] : []));
}

/**
 * `source` as a link's files were read when it was made; null when it was read so already. The name of a file tells its
 * format where the content does not, and puts several files in order: files that were renamed go by the link's names.
 */
export function asLinked(source: Source, wanted: FileId[], came: FileId[]): Source | null {
  const reading = { ...source.reading };
  let differs = false;
  came.forEach((file, i) => {
    const want = wanted.find((w) => w.sha256 === file.sha256);
    if (!want) return;
    const renamed = came.length > 1 && want.name !== file.name;
    if (!renamed && want.format === file.format) return;
    differs = true;
    reading[i] = { name: want.name, format: want.format };
  });
  return differs ? { ...source, reading } : null;
}

/** `more` files behind those of `source`. */
export function joined(source: Source, more: Source): Source {
  const reading = { ...source.reading };
  for (const [i, how] of Object.entries(more.reading ?? {})) reading[Number(i) + source.files.length] = how;
  return { ...source, files: [...source.files, ...more.files], reading };
}
