// A scenario that the page saved as a file, because no link held it.

import { SCENARIO_FILE } from '../content/scenario-file';
import { isPageError } from '../engine/lost';
import type { PageError, Scenario } from '../engine/types';
import { freshScenario } from './scenario';

/** As crates/share/src/scenario_file.rs has it. */
const MOST_BYTES = 4 * 2 ** 20;

const refused = (file: File, found: string): PageError => ({
  diagnostics: [
    {
      severity: 'error',
      file: file.name,
      line: null,
      expected: SCENARIO_FILE.expected,
      found,
      help: SCENARIO_FILE.help,
    },
  ],
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields that a scenario has, and no others; those that the file leaves out are the first ones. */
function fieldsOf(value: unknown): Scenario | null {
  if (!isObject(value)) return null;
  const defaults = freshScenario();
  const known = Object.keys(defaults).map((key) => [
    key,
    Object.hasOwn(value, key) ? value[key] : defaults[key as keyof Scenario],
  ]);
  return Object.fromEntries(known) as Scenario;
}

/** Reads a file, or says what is wrong with it; `write` asks the engine for a link, which tells what is no scenario. */
export async function readScenario(
  file: File,
  write: (scenario: Scenario) => Promise<string>,
): Promise<Scenario | PageError> {
  if (file.size > MOST_BYTES) return refused(file, SCENARIO_FILE.tooLarge(file.size));
  let whole: unknown;
  try {
    whole = JSON.parse(await file.text());
  } catch (error) {
    return refused(file, String(error));
  }
  const scenario = fieldsOf(isObject(whole) ? whole['scenario'] : null);
  if (!scenario) return refused(file, SCENARIO_FILE.none);
  scenario.base = fieldsOf(scenario.base);
  if (scenario.base?.base) return refused(file, SCENARIO_FILE.nested);
  const version = [scenario, scenario.base].find((one) => one && one.version !== 1)?.version;
  if (version !== undefined) return refused(file, SCENARIO_FILE.version(String(version)));
  try {
    await write(scenario);
  } catch (error) {
    const first = isPageError(error) ? error.diagnostics[0] : undefined;
    if (!first) throw error;
    // Too long for a link is no fault of a file; everything else that the engine refuses is.
    if (!/characters long/.test(first.found)) return refused(file, first.found);
  }
  return scenario;
}
