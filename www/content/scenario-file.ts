// What is said about a file that is no scenario.

import { bytes } from './format';

export const SCENARIO_FILE = {
  expected: 'a scenario that the page saved',
  help: 'Save it again with “Download the scenario file”.',
  none: 'JSON without a scenario',
  nested: 'a baseline that has a baseline of its own',
  tooLarge: (size: number) => `${bytes(size)}; a scenario has at most 4 MiB`,
  version: (version: string) => `version ${version}; this page reads version 1`,
} as const;
