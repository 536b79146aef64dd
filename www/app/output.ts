// What leaves the page by the person's own hand: links, files, clipboard.

import { s } from '../content/strings';
import { copyText, save } from './hand-out';

export { copyText, save };
import { engine, held, tell } from './session';
import * as store from './store';

/** Copies a command for the terminal and says so. */
export async function copyCommand(command: string) {
  if (await copyText(command)) store.confirm(s.memory.copied);
}

/** What shares the result with others. It comes when it is asked for first. */
const sharing = () => import(/* webpackChunkName: 'sharing' */ './sharing');
type Sharing = Awaited<ReturnType<typeof sharing>>;

async function shared(act: (module: Sharing) => Promise<void>) {
  try {
    await act(await sharing());
  } catch (error) {
    tell(error);
  }
}

export const copyLink = () => shared((module) => module.shareLink());
export const copyMarkdown = () => shared((module) => module.copyMarkdown());
export const copyCitation = () => shared((module) => module.copyCitation());
/** The state as a file, for one that no link holds. */
export const saveScenario = () => shared((module) => module.saveScenario());

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
