// What leaves the page by the person's own hand: links, files, clipboard.

import { s } from '../content/strings';
import { engine, held, linkHash, tell } from './session';
import * as store from './store';
import { linkOf, showHash } from './url';

/** Copies text; false when the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copies a command for the terminal and says so. */
export async function copyCommand(command: string) {
  if (await copyText(command)) store.confirm(s.memory.copied);
}

export async function copyLink() {
  try {
    const hash = await linkHash();
    showHash(hash);
    const link = linkOf(hash);
    const copied = await copyText(link);
    store.shownLink.value = copied ? '' : link;
    store.confirm(copied ? s.export.copied : s.export.copyFailed, !copied);
  } catch (error) {
    tell(error);
  }
}

/** Hands a file to the person. */
export function save(name: string, type: string, text: BlobPart) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const a = document.createElement('a');
  a.href = url;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The class bar as the engine draws it, for slides and papers. */
export async function saveClassBar(kernel: number, dark: boolean) {
  try {
    await held();
    save(
      'warpscope-classes.svg',
      'image/svg+xml',
      await engine.figure(kernel, 'classes', { width: 800, dark, range: [0, 1] }),
    );
  } catch (error) {
    tell(error);
  }
}

export async function saveReport(kind: 'json' | 'csv') {
  const { view } = store.scenario.value;
  try {
    await held();
    if (kind === 'json') save('warpscope-report.json', 'application/json', await engine.reportJson(view));
    else save('warpscope-report.csv', 'text/csv', await engine.reportCsv(view));
  } catch (error) {
    tell(error);
  }
}

/** The chosen GPU in our own format, to be edited and dropped again. */
export async function saveTopology(gpu: string) {
  try {
    save(`${gpu}.topology.json`, 'application/json', await engine.topologyJson(gpu));
  } catch (error) {
    tell(error);
  }
}
