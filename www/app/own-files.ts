// What a link that is handed out says of files. It names those of the result that it shares, and no others: a name can be private.

import { PATTERNS } from '../engine/reuse/protocol';
import type { ExampleInfo, PresetInfo, Scenario } from '../engine/types';
import { withoutNames } from './names';
import { freshScenario } from './scenario';

type View = Scenario['view'];

const isGenerated = (view: View) => PATTERNS.some((pattern) => pattern === view['reuse.input']);

/** Whether the open tab shows what came of the files of the Cache tab. */
function usesCache({ gpu, view }: Scenario): boolean {
  switch (view['tab']) {
    case 'reuse':
      return !isGenerated(view) && view['reuse.files'] === undefined;
    case 'placement':
      return view['placement.mode'] !== 'memory';
    case 'topology':
      return gpu === 'file';
    case 'learn':
    case 'check':
      return false;
    default:
      return true;
  }
}

/** Without the stream of the Reuse tab, unless it is what is on show. */
function withoutStream(view: View): View {
  if (view['tab'] === 'reuse' && !isGenerated(view)) return view;
  if (view['reuse.files'] === undefined) return view;
  const about = view['tab'] === 'reuse' ? ['files', 'format'] : ['files', 'format', 'result', 'part'];
  return Object.fromEntries(Object.entries(view).filter(([key]) => !about.some((word) => key === `reuse.${word}`)));
}

/** The same without files that only other tabs have. Where those are the Cache tab's, it has `example` on `gpu` instead. */
export function withOwnFiles(scenario: Scenario, example: ExampleInfo | null, gpu: PresetInfo | null): Scenario {
  const own = { ...scenario, view: withoutStream(scenario.view) };
  const { files, base, view } = own;
  const ofBase = base?.files ?? [];
  if (!usesCache(own) && files.length + ofBase.length > 0)
    return { ...freshScenario(example, gpu), view: withoutNames(view) };
  // The Cache tab alone shows the baseline.
  const compares = view['tab'] === undefined || view['tab'] === 'kernel';
  const known = ofBase.every((file) => files.some(({ sha256 }) => sha256 === file.sha256));
  return compares || known ? own : { ...own, base: null };
}
