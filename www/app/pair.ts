// Pure questions about two runs.

import type { Report, Scenario } from '../engine/types';
import { nameKey, namesOf } from './names';
import { worstKernel } from './scenario';

/** A scenario as the baseline of a link: without tabs and charts, and without a baseline of its own. */
export function baseScenario(scenario: Scenario, fingerprint: string | null): Scenario {
  const names = Object.entries(namesOf(scenario.view)).map(([base, name]) => [nameKey(base), name] as const);
  return { ...scenario, view: Object.fromEntries(names), fingerprint, base: null };
}

/** Whether two scenarios run launches of the same text or the same files. */
export const sameSource = (a: Scenario, b: Scenario) => sourceKey(a) === sourceKey(b);

const sourceKey = ({ example, files }: Scenario) => JSON.stringify([example, files.map((f) => [f.sha256, f.format])]);

/**
 * Which kernel of the baseline stands beside kernel `index` of a result: the one that a person chose, the same launch of the same
 * files, one of the same name, or the worst.
 */
export function kernelBeside(
  base: { report: Report; scenario: Scenario },
  now: { report: Report; scenario: Scenario },
  index: number,
  chosen: number | null,
): { index: number; sameSource: boolean } {
  const own = now.report.kernels[index];
  const same = sameSource(base.scenario, now.scenario);
  const kernels: { number: number; name: string }[] = base.report.kernels;
  const launch = same ? kernels.findIndex((k) => k.number === own?.number) : -1;
  const named = kernels.findIndex((k) => k.name === own?.name);
  const found = [chosen ?? -1, launch, named].find((at) => at >= 0 && at < kernels.length);
  return { index: found ?? worstKernel(base.report), sameSource: same };
}
