// Words of the model `gpu`: the headline, the picture of bytes, stalls, and parts of the GPU.

import type { GpuKernelReport, GpuMissClasses, GpuNumbers, GpuRoofline, Work } from '../engine/types';
import { bytes, count, percent, plural, share } from './format';
import type { TermId } from './glossary';
import {
  busiestPart,
  type ClassId,
  LIMITS,
  mainStall,
  missesOf,
  type PartId,
  perByte,
  prefixed,
  SECTOR,
  type StallId,
  time,
} from './gpu-numbers';
import { askedSentence, besideLeast } from './work';

export * from './gpu-numbers';

export const partName: Record<PartId, string> = {
  issue: 'Schedulers',
  pipe: 'Load-store pipes',
  requests: 'Links to the L2',
  l2: 'L2 slices',
  dram: 'DRAM channels',
  replies: 'Links from the L2',
};

/** The first sentence: how long, and how much the loads ask for. */
export function gpuSentence(n: GpuNumbers, w: Work): string {
  return `Takes ${time(n.seconds)} (${plural(n.cycles, 'cycle')}). ${askedSentence(w, ['ask for', 'sector'])}`;
}

/** A launch that leaves this share of the cores without work is worth a word. */
const FEW = 0.5;

/** A name in the middle of a sentence: “L2” and “DRAM” stay. */
const within = (name: string) => (/^[A-Z][a-z]/.test(name) ? name[0]!.toLowerCase() + name.slice(1) : name);

/** The second: what moves, what is busy, and only then what hits. `cores` are those of the GPU. */
export function gpuMeaning(n: GpuNumbers, w: Work, cores: number): string {
  const fetched = besideLeast(w, w.l1_bytes, `${bytes(w.l1_bytes)} move from the L2 to the L1s`);
  const moved = `${fetched}. ${bytes(SECTOR * n.dram.reads)} move from DRAM to the L2.`;
  const part = busiestPart(n);
  const most = n.busy[part];
  const busy =
    most >= LIMITS
      ? ` ${partName[part]} are busy ${percent(most)} of the time, more than any other part.`
      : ` No part is busy half of the time (${within(partName[part])}, the busiest: ${percent(most)}), so warps mostly wait for answers.`;
  const hits = n.l1.sectors === 0 ? '' : ` ${percent(n.l1.hit_rate)} of the sectors hit in the L1.`;
  const few =
    n.working_cores < FEW * cores
      ? ` Only ${coresWord(n.working_cores)} of ${count(cores)} ${n.working_cores === 1 ? 'has' : 'have'} work.`
      : '';
  return moved + busy + few + hits;
}

const coresWord = (n: number) => (n === 1 ? '1 core' : `${count(n)} cores`);

/** Where cycles of the schedulers go, with the colour of each. */
export const STALLS: { id: StallId; colour: string; term: TermId; name: string }[] = [
  { id: 'issued', colour: 'hits', term: 'stall_issued', name: 'issuing' },
  { id: 'load', colour: 'capacity', term: 'stall_load', name: 'waiting for a load' },
  { id: 'pipe', colour: 'associativity', term: 'stall_pipe', name: 'waiting for the pipe' },
  { id: 'shared', colour: 'compulsory', term: 'stall_shared', name: 'waiting for shared memory' },
  { id: 'barrier', colour: 'latency', term: 'stall_barrier', name: 'waiting at a barrier' },
  { id: 'launch', colour: 'block-start', term: 'stall_launch', name: 'waiting for a block to start' },
  { id: 'arithmetic', colour: 'mshr', term: 'stall_arithmetic', name: 'waiting for arithmetic' },
];

/** Classes of misses in the L1, with the colour of each. */
export const CLASSES: { id: ClassId; colour: string; term: TermId; name: string }[] = [
  { id: 'compulsory', colour: 'compulsory', term: 'sector_compulsory', name: 'compulsory' },
  { id: 'capacity', colour: 'capacity', term: 'sector_capacity', name: 'capacity' },
  { id: 'conflict', colour: 'associativity', term: 'sector_conflict', name: 'conflict' },
  { id: 'dropped', colour: 'latency', term: 'sector_dropped', name: 'dropped by a store' },
];

const limitName: Record<string, string> = { units: 'arithmetic', L2: 'the L2', DRAM: 'DRAM' };

type CoreRows = GpuKernelReport['rows']['cores'];

/** The least and the most sectors of a core. */
function spreadOf(rows: CoreRows, cores: number): string {
  const sectors = rows.map((row) => row.l1_sectors);
  const [least, most] = [Math.min(...sectors), Math.max(...sectors)];
  return `${coresWord(rows.length)} of ${count(cores)} ${rows.length === 1 ? 'loads' : 'load'}; the one with most looks up ${plural(most, 'sector')}, the one with least ${count(least)}.`;
}

export const g = {
  of: (gpu: string) => `on ${gpu}, model “gpu”`,
  facts: {
    time: 'time',
    cycles: 'cycles',
    loads: 'loads',
    perLoad: 'sectors per load',
    least: 'least possible',
    l2ToL1: 'L2 → L1',
    dramToL2: 'DRAM → L2',
    leastBytes: 'least to move',
    busiest: 'busiest part',
    l1: 'L1 hit rate',
    l2: 'L2 hit rate',
    instructions: 'instructions',
    grid: 'grid',
    block: 'block',
  },
  busy: (part: PartId, n: GpuNumbers) => `${partName[part]}, ${percent(n.busy[part])}`,
  mostly: (n: GpuNumbers) => {
    const { id, part } = mainStall(n);
    return g.stall(STALLS.find((stall) => stall.id === id)!.name, part);
  },
  stall: (name: string, part: number) => `${name}, ${percent(part)}`,
  sampled: (cores: number) => `${cores === 1 ? '1 core was' : `${count(cores)} cores were`} simulated in place of all.`,
  flow: {
    heading: 'Where do the bytes go?',
    hint: 'Blue arrows: what is read. Green arrows: what is written.',
    label: (n: GpuNumbers) =>
      `Bytes between the levels. Registers read ${bytes(SECTOR * n.l1.sectors)} through the L1, the L1s read ${bytes(SECTOR * n.l2.reads)} from the L2, the L2 reads ${bytes(SECTOR * n.dram.reads)} from DRAM. ${bytes(SECTOR * (n.l2.writes + n.l2.atomics))} are written to the L2, ${bytes(SECTOR * n.dram.writes)} to DRAM. Busiest part: ${g.busy(busiestPart(n), n)}.`,
    path: 'From → to',
    sectors: 'Sectors',
    bytes: 'Bytes',
    hits: 'Hits',
    rate: 'Hit rate',
    rows: {
      load: 'L1 → registers',
      read: 'L2 → L1',
      fetch: 'DRAM → L2',
      write: 'registers → L2',
      atomic: 'atomics at the L2',
      back: 'L2 → DRAM',
    },
  },
  stalls: {
    heading: 'What do the warps wait for?',
    hint: 'Cycles summed over all schedulers that had a warp, so more than those of the kernel: those that issued an instruction, and those that waited, by what the next warp waited for.',
    bar: (parts: string) => `Cycles summed over all schedulers: ${parts}`,
  },
  parts: {
    heading: 'How busy is each part?',
    part: 'Part',
    busy: 'Busy',
    share: 'Share of the time',
    mark: 'busiest',
  },
  roofline: {
    heading: 'Roofline: what the kernel computes for each byte',
    what: 'Number',
    value: 'Value',
    unknown: 'The trace does not say what its instructions are, so there is no roofline.',
    none: 'The kernel has no floating-point instructions, so there is no roofline.',
    notFlop: 'Operations are lanes times instructions, not ',
    flop: 'FLOP',
    sentence: (r: GpuRoofline) =>
      `${prefixed(r.operations_per_second)} operations per second, ${percent(share(r.operations_per_second, r.attainable_operations_per_second))} of the ${prefixed(r.attainable_operations_per_second)} that ${limitName[r.limit] ?? r.limit} allows at so many bytes.`,
    label: (r: GpuRoofline) =>
      `Roofline. ${g.roofline.sentence(r)} Operations per byte of DRAM: ${perByte(r.per_dram_byte)}, of the L2: ${perByte(r.per_l2_byte)}.`,
    rows: {
      operations: 'Operations',
      reached: 'Operations per second',
      attainable: 'Attainable at these bytes',
      perDram: 'Operations per byte of DRAM',
      perL2: 'Operations per byte of the L2',
      units: 'Ceiling of arithmetic',
      l2: 'Ceiling of the L2',
      dram: 'Ceiling of DRAM',
    },
  },
  cores: {
    heading: 'Work of each core (SM)',
    core: 'Core',
    sentence: (rows: CoreRows, cores: number) =>
      `${spreadOf(rows, cores)} Grey: sectors that the L1 held. Orange: those that it did not.`,
    label: (rows: CoreRows, cores: number) => `Sectors that loads look up, by core. ${spreadOf(rows, cores)}`,
  },
  shared: {
    heading: 'Launch, occupancy and shared memory',
    brief: (n: GpuNumbers) => `occupancy ${percent(n.occupancy)}`,
    loads: 'wavefronts of loads',
    stores: 'wavefronts of stores',
    occupancy: 'occupancy',
    cores: 'cores with work',
    counted: 'sectors as counters count',
    atomics: 'sectors changed by atomics',
  },
  rows: {
    arrays: 'Bytes moved by array',
    instructions: 'Bytes moved by instruction',
    lines: 'Bytes by line of code',
    moved: 'L2 bytes',
    share: 'Of all',
    dram: 'DRAM bytes',
    perLoad: 'Sectors per load',
    perStore: 'Sectors per store',
    each: 'Sectors per request',
    requests: 'Requests',
    wavefronts: 'Wavefronts',
    mark: (moved: number, part: string, requests: number) =>
      `${bytes(SECTOR * moved)} between the cores and the L2, ${part} of all, in ${plural(requests, 'request')}`,
    hint: 'Bytes that each line moves between the cores and the L2.',
  },
  kernels: {
    time: 'Time',
    cycles: 'Cycles',
    perLoad: 'Sectors per load',
    total: (n: number, seconds: number) => `Together, ${count(n)} kernels take ${time(seconds)}.`,
  },
  why: {
    heading: 'Misses by class',
    ask: 'Each sector that misses in an L1 is used for the first time there, or did not find room, or had to share its set. To tell them apart, the kernels run once more, which takes a little longer.',
    none: 'No sector of a load misses in the L1.',
    run: 'Why did they miss?',
    without: 'Run without the classes',
    sentence: (c: GpuMissClasses) =>
      `${plural(missesOf(c), 'sector')} missed in the L1s.${c.line_there > 0 ? ` For ${percent(share(c.line_there, missesOf(c)))} of them, the line was there without the sector: a miss brings sectors of ${SECTOR} bytes, not the whole line, so the first use of each sector is compulsory.` : ''}`,
    bar: (parts: string) => `Sectors that missed: ${parts}`,
    misses: 'Misses',
    lineThere: 'Line was there',
    arrays: 'Misses by array',
    instructions: 'Misses by instruction',
    text: 'The model “paper” puts each miss of one Fermi L1 into a class, by array, instruction, set and line of code.',
    open: 'Run this in the model “paper” on a Fermi GPU',
  },
  state: {
    label: 'Caches before the launch',
    names: {
      cold: 'cold: empty',
      copies: 'copies: after the host’s copies',
      replay: 'replay: as nvprof measures',
      warm: 'warm: after the previous kernel',
    } as Record<string, string>,
    help: {
      cold: 'All caches are empty, as Nsight Compute leaves them by default.',
      copies: 'The host has just copied the arrays that have data, so the L2 holds the last of them.',
      replay: 'The kernel runs, the arrays that it wrote are restored, and the second run counts.',
      warm: 'The L2 holds what the previous kernel left. The first kernel starts as in “copies”.',
    } as Record<string, string>,
  },
  warm: 'The model “gpu” has the state “warm” for this.',
  facts_of_gpu: 'All values of the GPU',
  facts_help:
    'Change a value to ask what another GPU would do. For a value that cannot be changed here, save the GPU as JSON, change it, and drop it on the page.',
};
