// Every text of the steps through a run: what a step does, why it hit or missed, and what would have made it hit.

import type { Diagnostic, InstructionPlace, WhyOutcome, WhyReport, WhyStep, WhyUse, WhyWhatIf } from '../engine/types';
import { count, plural } from './format';

const outcomes: Record<WhyOutcome, string> = {
  hit: 'hit',
  compulsory: 'compulsory miss',
  capacity: 'capacity miss',
  associativity: 'associativity miss',
  latency: 'latency miss',
  cancelled: 'cancelled',
  store: 'store',
};

type Warp = { block: number; warp: number };

const warp = ({ block, warp: index }: Warp) => `warp ${index} of block ${count(block)}`;

/** "since its last use (step 3 by warp 1 of block 0, 5 requests and 7 ticks ago)" */
const since = (step: WhyStep, before: WhyUse) =>
  `since its last use (step ${count(before.step)} by ${warp(before)}, ${plural(before.requests_between, 'request')} and ${plural(step.tick - before.tick, 'tick')} ago)`;

/** Other lines of the set that were used since, beside the ways. */
function others(step: WhyStep, { ways }: WhyReport): string {
  const lines = plural(step.distance ?? 0, 'other line');
  const when = step.before ? since(step, step.before) : 'since its last use by the kernel before';
  return `${when[0]?.toUpperCase()}${when.slice(1)}, ${lines} of set ${step.set} came on top, and a set has ${plural(ways, 'way')}.`;
}

function cause(step: WhyStep, report: WhyReport): string {
  switch (step.outcome) {
    case 'hit':
      return step.distance === 0 && step.stack[0] !== step.line
        ? 'An earlier request for the line takes effect at this tick.'
        : others(step, report);
    case 'compulsory':
      return `Core ${report.core} asks for this line for the first time.`;
    case 'latency':
      return `The line is on its way: ${step.before ? `step ${count(step.before.step)} asked for it ${plural(step.tick - step.before.tick, 'tick')} ago, and ` : ''}it arrives at tick ${count(step.arrives ?? 0)}.`;
    case 'cancelled':
      return `The access needs ${plural(step.needed_mshrs ?? 0, 'MSHR')}, and ${count(free(step, report))} of ${count(report.mshrs ?? 0)} are free. The warp goes to the back of the queue.`;
    case 'store':
      return 'A store takes the tick, brings in no line and waits for nothing.';
    default:
      return step.distance === null ? 'A store removed the line from the cache.' : missed(step, report);
  }
}

function missed(step: WhyStep, report: WhyReport): string {
  const all = report.ways * report.sets;
  const whole = step.whole_distance ?? 0;
  if (report.sets === 1) return others(step, report);
  const beside =
    step.outcome === 'associativity'
      ? `In all sets together only ${count(whole)} did, fewer than the ${count(all)} lines of the cache`
      : `In all sets together ${count(whole)} did, and the cache has ${count(all)} lines`;
  return `${others(step, report)} ${beside}.`;
}

const free = (step: WhyStep, report: WhyReport) => Math.max(0, (report.mshrs ?? 0) - step.busy_mshrs);

/** What would have made it hit. It is derived from the state: another run can order the accesses differently. */
function remedy(step: WhyStep, report: WhyReport): string {
  switch (step.outcome) {
    case 'hit':
    case 'store':
      return '';
    case 'compulsory':
      return 'Nothing would have made it hit: the first use of a line always misses.';
    case 'latency':
      return `It would hit ${plural((step.arrives ?? 0) - step.tick, 'tick')} later.`;
    case 'cancelled':
      return `With ${plural((step.needed_mshrs ?? 0) - free(step, report), 'more MSHR')} it would go ahead.`;
    default: {
      if (step.distance === null) return 'It would hit if stores left the line in the cache.';
      const hash = step.outcome === 'associativity' ? ', or with a set index that spreads these lines' : '';
      return `With ${plural(step.distance + 1, 'way')} it would hit, if the order stays${hash}.`;
    }
  }
}

/** The changes that the model `paper` can have. */
function change({ change: kind, value }: WhyWhatIf): string {
  switch (kind) {
    case 'ways':
      return plural(Number(value), 'way');
    case 'one_set':
      return 'one fully associative set';
    case 'set_index':
      return `set index ${value}`;
    case 'no_latency':
      return 'no latency';
    case 'mshrs':
      return 'unlimited MSHRs';
    case 'one_block':
      return 'one block at a time';
    case 'stores':
      return 'stores that leave the line';
    default:
      return kind;
  }
}

export const w = {
  outcome: (outcome: WhyOutcome) => outcomes[outcome],
  cause,
  remedy,
  headline: (step: WhyStep, array: string, instruction: string) =>
    `Tick ${count(step.tick)}: ${warp(step)}, access ${count(step.access)}${instruction}, asks for line ${step.line}${array} in set ${step.set}.`,
  ofArray: (name: string) => ` of “${name}”`,
  ofLine: (line: number | null, pc: string) => (line !== null ? ` (line ${line})` : pc === '' ? '' : ` (${pc})`),
  hint: ({ core, core_steps, core_cancelled }: WhyReport) =>
    `Each step is a request of a core, a store, or a try of an access that found too few free MSHRs, with the state before it. ${
      core_cancelled === 0
        ? `No try of core ${core} found too few.`
        : `${count(core_cancelled)} of the ${count(core_steps)} steps of core ${core} are such tries.`
    }`,
  stepper:
    'Steps. The left and right arrow keys step, the up and down arrow keys go to a miss, Home goes to the first step.',
  first: 'First',
  back: 'Back',
  forward: 'Forward',
  previousMiss: 'Previous miss',
  nextMiss: 'Next miss',
  previousMatch: 'Previous match',
  nextMatch: 'Next match',
  step: 'Step',
  core: 'Core',
  go: 'Go',
  of: (steps: number) => `of ${count(steps)}`,
  check: 'Check by running it',
  checking: 'The kernel runs again',
  checked: 'The same access with one change, each in a run of its own:',
  noChange: 'No change was run for this access.',
  change,
  stack: (set: number) => `Stack of set ${set}`,
  stackNone: 'empty',
  place: 'Place',
  line: 'Line',
  state: 'State',
  wanted: 'asked for',
  inside: 'in the cache',
  outside: 'evicted',
  more: (n: number) => `${plural(n, 'more', 'more')}`,
  flight: (busy: number, all: number | null) =>
    `In flight, ${count(busy)} of ${all === null ? 'unlimited' : count(all)} MSHRs busy`,
  flightNone: 'nothing',
  arrives: 'Takes effect at',
  holds: 'MSHR',
  yes: 'yes',
  no: 'no',
  queue: 'Warp queue',
  warp: 'Warp',
  warpName: ({ block, warp: index }: Warp) => `${count(block)}:${index}`,
  now: 'issues now',
  next: 'ready',
  until: (tick: number) => `until tick ${count(tick)}`,
  warpHint: 'A warp is block:warp.',
  pick: 'Pick an access',
  array: 'Array',
  instruction: 'Instruction',
  set: 'Set',
  address: 'Address in the line',
  any: 'any',
  kind: 'Outcome',
  kinds: [
    { value: 'misses', name: 'misses of all classes' },
    ...(['compulsory', 'capacity', 'associativity', 'latency'] as const).map((value) => ({
      value,
      name: outcomes[value],
    })),
    { value: '', name: 'any' },
  ],
  find: 'Find',
  clear: 'All accesses again',
  matches: (n: number) => `${plural(n, 'access fits', 'accesses fit')}.`,
  /** "3: load of A, line 13, at 0x130" */
  instructionName: (number: number, array: string, { line, kind, pc }: InstructionPlace) =>
    [
      `${number}: ${kind}${array && ` of ${array}`}`,
      ...(line === null ? [] : [`line ${line}`]),
      ...(pc === '' ? [] : [`at ${pc}`]),
    ].join(', '),
  onlyPaper:
    'Single accesses can be stepped through in the models “paper” and “gpu”. The authors’ program counts them in groups of lanes.',
  problem: (d: Diagnostic) => `Expected ${d.expected}, found ${d.found}: ${d.help}.`,
  openPaper: 'Use the model “paper”',
  gone: 'Run the kernels first. A result of files that are no longer here cannot be stepped through.',
  whatIf: (list: WhyWhatIf[]) =>
    list.map((one) => ({ change: change(one), outcome: outcomes[one.outcome], hits: one.outcome === 'hit' })),
};
