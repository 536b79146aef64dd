// Files out of a drop, folders included.

/** A folder of traces is welcome; a whole disk is not. */
const MOST_FILES = 2000;

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
    found.push(await new Promise<File>((yes, no) => (entry as FileSystemFileEntry).file(yes, no)));
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
