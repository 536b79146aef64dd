// The options of `npm run campaign`: which part takes which, and what is refused. An option that a part would ignore is refused, since a
// report under it would say more than was tried.
import { parseArgs } from 'node:util';

/** The options that each part takes, besides `--part` and `--report`. */
export const TAKES = {
  commands: ['cases', 'from', 'seed', 'only'],
  seeds: ['cases', 'from', 'only'],
  bombs: ['cases', 'from', 'only'],
  determinism: ['cases', 'from', 'seed', 'only'],
  hostile: ['cases', 'from', 'seed'],
  kills: ['cases', 'from', 'seed', 'only'],
  actions: ['cases', 'from', 'seed'],
  ways: [],
};

/** The least value of each option that is a number. */
const LEAST = { cases: 1, from: 0, seed: 0 };

/** What the command line asks for cannot be done: a line for each reason. */
export class Refused extends Error {
  constructor(lines) {
    super(lines.join('; '));
    this.lines = lines;
  }
}

const TEXT = { type: 'string' };

function parsed(args) {
  try {
    const options = { part: { ...TEXT, multiple: true }, only: { ...TEXT, multiple: true }, report: TEXT };
    return parseArgs({ args, options: { ...options, cases: TEXT, from: TEXT, seed: TEXT } }).values;
  } catch (error) {
    throw new Refused([error.message]);
  }
}

/**
 * What a command line asks for: the parts, the report's file, and what the parts are given. `names` are what `--only` may name, by part,
 * for the parts whose names are known before they run.
 */
export function settle(args, names) {
  const values = parsed(args);
  const parts = values.part ?? Object.keys(TAKES);
  const known = parts.filter((part) => Object.hasOwn(TAKES, part));
  const refused = parts
    .filter((part) => !known.includes(part))
    .map((part) => `no part ${part}; there are: ${Object.keys(TAKES).join(', ')}`);
  const numbers = { from: 0, seed: 1 };
  for (const [name, least] of Object.entries(LEAST)) {
    if (values[name] === undefined) continue;
    const number = /^\d+$/.test(values[name]) ? Number(values[name]) : NaN;
    if (Number.isSafeInteger(number) && number >= least) numbers[name] = number;
    else refused.push(`--${name} takes a whole number from ${least}, not ${values[name]}`);
  }
  const only = values.only ?? [];
  for (const part of known) {
    const ignored = ['cases', 'from', 'seed', 'only'].filter((name) => name in values && !TAKES[part].includes(name));
    if (ignored.length > 0) refused.push(notTaken(part, ignored));
    for (const name of ignored.includes('only') ? [] : only.filter((one) => names[part]?.includes(one) === false))
      refused.push(`part ${part} has no ${name}; there are: ${names[part].join(', ')}`);
  }
  if (refused.length > 0) throw new Refused(refused);
  return { parts, report: values.report ?? 'campaign.json', given: { ...numbers, only } };
}

function notTaken(part, options) {
  const takes = TAKES[part].map((name) => `--${name}`).join(', ');
  const not = options.map((name) => `--${name}`).join(', ');
  return `part ${part} does not take ${not}; it takes ${takes || 'no options'}; name the parts with --part`;
}
