// How much is kept in this browser, and what goes first.

const MIB = 2 ** 20;
/** The largest file that is kept, and all of them together, in bytes. */
export const FILE_LIMIT = 32 * MIB;
export const TOTAL_LIMIT = 128 * MIB;

export interface KeptFile {
  sha256: string;
  size: number;
  /** When it was last opened, in milliseconds. */
  used: number;
}

/** The files that stay when `added` is kept as well, `added` among them, and those that go: the oldest first. */
export function withFile(
  kept: KeptFile[],
  added: KeptFile,
  limit = TOTAL_LIMIT,
): { stays: KeptFile[]; goes: KeptFile[] } {
  const stays = [added];
  const goes: KeptFile[] = [];
  let size = added.size;
  for (const file of kept.filter((f) => f.sha256 !== added.sha256).sort((a, b) => b.used - a.used)) {
    // Once one does not fit, none that is older stays: a small old file would outlive larger ones in use.
    if (goes.length === 0 && size + file.size <= limit) stays.push(file);
    else goes.push(file);
    size += file.size;
  }
  return { stays, goes };
}
