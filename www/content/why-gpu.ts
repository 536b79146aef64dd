// Every text of the steps through a run of the model `gpu`: where an access was served, why it missed in the L1, and what would
// have made it hit.

import type {
  GpuWhyReport,
  GpuWhyStep,
  GpuWhyUse,
  GpuWhyWhatIf,
  InstructionPlace,
  WhyLevel,
  WhyWarp,
} from '../engine/types';
import { bytes, count, plural } from './format';

const warp = ({ block, warp: index }: { block: number; warp: number }) => `warp ${index} of block ${count(block)}`;

const verbs: Record<string, string> = { load: 'loads', store: 'stores', atomic: 'changes' };

const from: Record<WhyLevel, string> = { l1: 'hit in the L1', l2: 'from the L2', dram: 'from DRAM' };

const levelName: Record<WhyLevel, string> = { l1: 'the L1', l2: 'the L2', dram: 'DRAM' };

const lineOf = (step: GpuWhyStep) => step.lines[step.focus];

function outcome(step: GpuWhyStep): string {
  if (step.served === null) return 'store';
  if (step.class === null) return from[step.served];
  return `${className(step)}, ${from[step.served]}`;
}

function className(step: GpuWhyStep): string {
  if (step.dropped) return 'miss after a store';
  return step.class === 'associativity' ? 'conflict miss' : `${step.class} miss`;
}

/** "Cycle 1 234: warp 3 of block 5, access 7 (line 18), loads 8 sectors of “A” in 2 lines." */
function headline(step: GpuWhyStep, array: string, place: InstructionPlace | undefined): string {
  const at = place?.line ? ` (line ${place.line})` : place?.pc ? ` (${place.pc})` : '';
  const verb = verbs[place?.kind ?? 'load'] ?? 'asks for';
  return `Cycle ${count(step.cycle)}: ${warp(step)}, access ${count(step.access)}${at}, ${verb} ${plural(step.sectors, 'sector')}${array && ` of “${array}”`} in ${plural(step.lines.length, 'line')}.`;
}

/** "2 sectors came from the L1, 4 from the L2 and 2 from DRAM. The data are there 512 cycles later." */
function served(step: GpuWhyStep): string {
  if (step.served === null) return 'A store goes on to the L2, and no warp waits for it.';
  const parts = [
    [step.l1_sectors, levelName.l1],
    [step.l2_sectors, levelName.l2],
    [step.dram_sectors, levelName.dram],
  ] as const;
  const own = parts
    .filter(([n]) => n > 0)
    .map(([n, name], i) => `${i === 0 ? plural(n, 'sector') : count(n)} from ${name}`);
  const list = own.length > 1 ? `${own.slice(0, -1).join(', ')} and ${own[own.length - 1]}` : own.join('');
  const wait = step.ready === null ? '' : `, ${plural(Math.max(0, step.ready - step.cycle), 'cycle')} after the issue`;
  return `It gets ${list}${wait}.`;
}

const since = (step: GpuWhyStep, before: GpuWhyUse) =>
  `Since its last use (step ${count(before.step)} by ${warp(before)}, ${plural(step.cycle - before.cycle, 'cycle')} ago)`;

const kindOf = (step: GpuWhyStep, report: GpuWhyReport) => report.instructions[step.instruction - 1]?.kind ?? 'load';

/** Why the line that the answer is about was not in the L1. */
function cause(step: GpuWhyStep, report: GpuWhyReport): string {
  const line = lineOf(step);
  if (!line || step.served === null) return '';
  if (kindOf(step, report) === 'atomic') return `Atomics are done at the L2. ${below(step)}`;
  if (step.texture) return `This load goes through the texture cache, which is not explained here. ${levels(step)}`;
  if (!step.in_l1)
    return step.served === 'l1'
      ? 'The line was already on its way.'
      : `This access does not use the L1. ${below(step)}`;
  if (step.class === null) {
    const arrives = step.stack.find((way) => way.line === line.line)?.arrives;
    return arrives
      ? `The line was on its way and arrives at cycle ${count(arrives)}.`
      : 'The L1 held every sector, or they were on their way.';
  }
  return [above(step, line.line, line.set, report), below(step)].filter(Boolean).join(' ');
}

function above(step: GpuWhyStep, line: string, set: number, report: GpuWhyReport): string {
  if (step.dropped) return `A store dropped line ${line} from the L1 since it was there.`;
  if (step.line_there)
    return `The L1 had line ${line} without this sector: a miss fetches only the sectors that are asked for.`;
  if (step.class === 'compulsory')
    return step.before
      ? `This L1 has never had these sectors of line ${line}.`
      : `This L1 is asked for line ${line} for the first time.`;
  if (!step.before) return `The L1 had line ${line} before, and gave up its place.`;
  const lines = plural(step.set_distance ?? 0, 'other line');
  const [whole, all] = [step.whole_distance ?? 0, report.ways * report.sets];
  const beside =
    report.sets === 1
      ? ''
      : step.class === 'associativity'
        ? ` In all sets together only ${count(whole)} were, fewer than the ${count(all)} lines of the L1.`
        : ` In all sets together ${count(whole)} were, and the L1 has ${count(all)} lines.`;
  const chance = report.lru
    ? ''
    : ' This L1 does not always replace the line that was used longest ago, so a line can go at each miss of its set.';
  return `${since(step, step.before)}, ${lines} of set ${set} were used, and a set has ${plural(report.ways, 'way')}.${beside}${chance}`;
}

/** Where a texture load found its line, as far as that is known. */
const levels = (step: GpuWhyStep) => (lineOf(step)?.l2 || lineOf(step)?.dram ? below(step) : '');

/** Why the L2 had it, or had not. */
function below(step: GpuWhyStep): string {
  const line = lineOf(step);
  if (!line || line.dram === 0) return 'The L2 held it.';
  return step.l2_had
    ? 'The L2 had it earlier in this launch, and gave its place to other lines.'
    : 'Nobody asked the L2 for it before in this launch.';
}

/** As many ways as keep the line: not fewer than the L1 has and one more. */
const waysFor = (step: GpuWhyStep, report: GpuWhyReport) =>
  plural(Math.max(step.set_distance ?? 0, report.ways) + 1, 'way');

/** What would have made it hit. It is derived from the state: another run can order the accesses differently. */
function remedy(step: GpuWhyStep, report: GpuWhyReport): string {
  if (step.served === null || lineOf(step) === undefined) return '';
  if (step.texture || kindOf(step, report) !== 'load') return '';
  if (!step.in_l1) return step.served === 'l1' ? '' : 'It could hit on a GPU whose global loads use the L1.';
  if (step.class === null) return '';
  if (step.dropped) return 'It would hit if stores left the line in the L1.';
  if (step.line_there) return 'It would hit if a miss fetched whole lines.';
  if (step.class === 'compulsory' && step.before)
    return `It would hit if a miss fetched whole lines and the line had stayed${report.lru ? `: with ${waysFor(step, report)} in each set` : ''}.`;
  if (step.class === 'compulsory')
    return 'Nothing would have made it hit in the L1: the first use of a line always misses.';
  if (step.set_distance === null) return 'It would hit in a larger L1.';
  if (!report.lru) return 'More ways, or fewer lines in use, would make it likelier that the line stays.';
  const hash = step.class === 'associativity' ? ', or with a set index that spreads these lines' : '';
  return `With ${waysFor(step, report)} in each set it would hit, if the order stays${hash}.`;
}

function change({ change: kind, value }: GpuWhyWhatIf): string {
  switch (kind) {
    case 'ways':
      return `${plural(Number(value), 'way')} in each set of the L1`;
    case 'one_set':
      return 'a fully associative L1 of the same size';
    case 'one_block':
      return 'one block at a time';
    case 'stores':
      return 'stores that leave the line';
    case 'through_l1':
      return 'global loads that use the L1';
    case 'whole_lines':
      return 'misses that fetch whole lines';
    case 'l2_bytes':
      return `an L2 of ${bytes(Number(value))}`;
    case 'copies':
      return 'caches as the host’s copies leave them';
    default:
      return kind;
  }
}

const waits: Record<string, string> = {
  ready: 'ready',
  arithmetic: 'arithmetic',
  load: 'a load',
  shared: 'shared memory',
  pipe: 'the pipe',
  barrier: 'a barrier',
  launch: 'its block to start',
};

export const wg = {
  outcome,
  /** The colour of the outcome, a class of the style sheet. */
  colour: (step: GpuWhyStep) =>
    step.class ?? (step.served === null ? 'store' : step.served === 'l1' ? 'hit' : 'capacity'),
  headline,
  served,
  cause,
  remedy,
  hint: ({ line_by_line, parts }: GpuWhyReport) =>
    `Each step is a warp access of a core${line_by_line ? ', one line of it at a time' : ' with all its lines'}, with the state before it.${
      parts > 1 ? ` A core has ${count(parts)} parts with an L1 each.` : ''
    }`,
  whatIf: (list: GpuWhyWhatIf[]) =>
    list.map((one) => ({ change: change(one), outcome: from[one.served], hits: one.served === 'l1' })),
  lines: (step: GpuWhyStep) => `Its ${plural(step.lines.length, 'line')}`,
  sectors: 'Sectors',
  stack: (set: number, sets: number) => (sets === 1 ? 'Lines of the L1' : `Set ${set} of the L1`),
  there: (arrives: number | null) => (arrives === null ? 'there' : `arrives at ${count(arrives)}`),
  flight: (busy: number, all: number) => `Places that wait for data, ${count(busy)} of ${count(all)} MSHRs busy`,
  arrives: 'Arrives at',
  queue: 'Warps of the scheduler',
  waits: ({ until }: WhyWarp, wait: string) =>
    wait === 'ready' ? waits['ready'] : `${waits[wait] ?? wait}${until === null ? '' : `, until ${count(until)}`}`,
  waitsFor: 'Waits for',
  kinds: [
    { value: 'misses', name: 'misses in the L1' },
    { value: 'compulsory', name: 'compulsory misses' },
    { value: 'capacity', name: 'capacity misses' },
    { value: 'conflict', name: 'conflict misses' },
    { value: 'level:dram', name: 'served by DRAM' },
    { value: 'level:l2', name: 'served by the L2' },
    { value: 'level:l1', name: 'served by the L1' },
    { value: '', name: 'any' },
  ],
};
