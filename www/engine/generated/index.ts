// Written by `npm run types` from the Rust structs. Change those instead.

/** Counts of one part of a kernel. */
export type AccessCounts = {
  /** Line requests. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Compulsory misses; in `reference` all infinite distances. */
  compulsory: number,
  /** Capacity misses; in `reference` all finite distances that miss. */
  capacity: number,
  /** Associativity misses. */
  associativity: number,
  /** Latency misses. */
  latency: number };

/** An array of a kernel. */
export type ArrayInfo = {
  /** Name. */
  name: string,
  /** First byte address, hexadecimal. */
  base: string,
  /** Length in bytes. */
  bytes: number,
  /** The range was guessed from gaps in the address space. */
  guessed: boolean };

/** Counts of an array. */
export type ArrayRow = {
  /** Its name. */
  name: string,
  /** First byte address, hexadecimal. */
  base: string,
  /** Length. */
  bytes: number,
  /** The range was guessed from gaps in the address space. */
  guessed: boolean,
  /** Line requests. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Compulsory misses; in `reference` all infinite distances. */
  compulsory: number,
  /** Capacity misses; in `reference` all finite distances that miss. */
  capacity: number,
  /** Associativity misses. */
  associativity: number,
  /** Latency misses. */
  latency: number };

/** An array of a CUDA text after its launches. */
export type ArrayRun = {
  /** Its name in the text. */
  name: string,
  /** The type of its elements. */
  element: string,
  /** How many it has. */
  elements: number,
  /** Whether the launches changed it. */
  changed: boolean };

/** Banks of main memory under the best placement. */
export type BankRow = {
  /** Number. */
  bank: number,
  /** Requests. */
  requests: number,
  /** Row hits, misses, conflicts. */
  rows: [number, number, number],
  /** Utilisation. */
  utilisation: number,
  /** Mean wait, ns. */
  wait_ns: number,
  /** Asked for more than it can do. */
  saturated: boolean };

/** Accesses of each distance or bin of distances, for a chart and its table. */
export type Bar = {
  /** Least distance. */
  low: number,
  /** Largest distance. */
  high: number,
  /** Accesses. */
  count: number };

/** What an address bit is for. */
export type BitKind = "column" | "bank" | "row";

/** One cache of a guess. */
export type CacheGuess = {
  /** Bytes that fit. For the constant L1.5, as much as there is constant memory, or more, says "larger than that". */
  size: number | null,
  /** Line, bytes. */
  line_size: number | null,
  /** Fetched at a miss, bytes. */
  fetch_granularity: number | null,
  /** Cycles of a hit. */
  latency: number | null,
  /** Instances per core. */
  amount: number | null,
  /** Memories in the same cache. */
  shared_with: Array<string> };

/** One of the program's four runs. */
export type Case = {
  /** Reuse distances. */
  histogram: Record<string, number>,
  /** Ticks until the last warp was done. */
  ticks: number,
  /** Issues put off. */
  cancels: number };

/** A line of a chart. */
export type ChartLine = {
  /** How it is drawn. */
  tone: Tone,
  /** Places on both axes, ascending. */
  points: Array<[number, number]>,
  /** How far the values may be off, at some places. */
  errors?: Array<[number, number]> };

/** Counts of a core. */
export type CoreRow = {
  /** Core number. */
  core: number,
  /** Tick at which its last warp was done. */
  ticks: number,
  /** Line requests. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Compulsory misses; in `reference` all infinite distances. */
  compulsory: number,
  /** Capacity misses; in `reference` all finite distances that miss. */
  capacity: number,
  /** Associativity misses. */
  associativity: number,
  /** Latency misses. */
  latency: number };

/** How CUDA text, an example's too, is made into a trace. */
export type CudaSettings = {
  /** The accesses of the text, or those that the compiler leaves. */
  form: 'written' | 'compiled',
  /** A launch in place of the text's own. */
  launch: string | null,
  /** Sizes of the launch by name, in place of its own. */
  sizes: { [key in string]: string },
  /** The text itself, where a link carries it: the first of the files has it. */
  text: string | null };

/** A size measurement, judged. */
export type Curve = {
  /** File or experiment. */
  name: string,
  /** The memory. */
  memory: string,
  /** Array sizes, bytes, ascending. */
  sizes: Array<number>,
  /** Raw times of each size, cycles. */
  times: Array<[number, number, number, number, number]>,
  /** Times in all. */
  count: number,
  /** How the times were reduced. */
  reduction: Reduction,
  /** The reduced number of each size. */
  series: Array<number>,
  /** Level of the test. */
  alpha: number,
  /** Permutation p-value of a change. */
  p: number | null,
  /** The last size before the change, where p is at most α. */
  change: number | null,
  /** Its 95 % bootstrap interval. */
  interval: [number, number] | null,
  /** Sizes by single estimators. */
  estimators: { [key in string]: number },
  /** Both sides of the split with the largest D. */
  samples: Samples | null };

/** What an analysis found. */
export type DeskResult = {
  /** Engine that ran. */
  engine: string,
  /** Distinct lines; estimated where a sample was taken. */
  distinct: number,
  /** All accesses. */
  all: Series,
  /** By kernel and by array, where the input has such. */
  kernels: Array<Series>,
  /** See above. */
  arrays: Array<Series>,
  /** Where a sample was taken. */
  sample: SampleNote | null,
  /** Where HP-RDA ran. */
  hp_rda: HpRdaNote | null,
  /** Against the exact result, where there is one and this is another. */
  difference: DifferenceNote | null,
  /** Most bytes that the analysis took. */
  bytes: number,
  /** A short code of all counts: two results with the same one have the same histogram. */
  fingerprint: string };

/** What a step of the Reuse tab's analyses says; one of the options is there when the task is over. */
export type DeskStep = {
  /** Work done. */
  done: number,
  /** Work in all. */
  total: number,
  /** Accesses of the stream that was generated. */
  generated: number | null,
  /** What is known before an analysis. */
  prepared: Prepared | null,
  /** What the analysis found. */
  result: DeskResult | null,
  /** HP-RDA's step 1. */
  trace: HpRdaTrace | null };

/** One message about one line of the input, or about a whole file. */
export type Diagnostic = {
  /** What the flaw did to the input. */
  severity: Severity,
  /** Name of the file as the person gave it. */
  file: string,
  /** One-based line, when the format has lines. */
  line: number | null,
  /** What the grammar allows here. */
  expected: string,
  /** What the input holds there, shortened by [`excerpt`]. */
  found: string,
  /** What the parser did about it, or what the person can do. It may be empty. */
  help: string };

/** One place of two topologies. */
export type Difference = {
  /** Place in the JSON. */
  path: string,
  /** As in [`FactRow`]. */
  part: string,
  /** As in [`FactRow`]. */
  label: string,
  /** As in [`FactRow`]. */
  unit: string,
  /** Of the first GPU. */
  first: unknown,
  /** Of the second GPU. */
  second: unknown,
  /** The values differ, or only one GPU has one. */
  differs: boolean,
  /** Second over first, where both are numbers and the first is not zero. */
  ratio: number | null };

/** How far an approximation is from the exact result. */
export type DifferenceNote = {
  /** e of IPDPS'12, V-C, percent. */
  e_percent: number,
  /** Largest difference of the accumulated shares at the ends of the bins, percentage points. */
  binned_points: number,
  /** Largest difference of the miss ratios over all cache sizes, percentage points. */
  curve_points: number };

/** Truth beside finding. */
export type Discovered = {
  /** Name of the GPU and where its values are from. */
  gpu: string,
  /** Seed of the GPU, or of its noise. */
  seed: number,
  /** What was hidden. */
  truth: Truth,
  /** What the experiments found. */
  found: Finding,
  /** Whether each finding is right. */
  score: Scores };

/** What a visitor says. */
export type DramAnswer = {
  /** Kind of each bit, from the lowest on; null where nothing is said. */
  kinds: Array<BitKind | null>,
  /** Bits that enter the same bank bit. */
  together: Array<Array<number>> };

/** What was hidden, what was found and whether it is right. */
export type DramMapReport = {
  /** Seed of the memory. */
  seed: number,
  /** Bank bits are hashed. */
  hashed: boolean,
  /** What was hidden. */
  truth: MappingBits,
  /** What Algorithm 1 found. */
  algorithm_1: MappingBits,
  /** What it found with the pair probe. */
  pair_probe: MappingBits,
  /** Whether each is right. */
  right: [boolean, boolean] };

/** Truth and scores. */
export type DramReveal = {
  /** Truth and what the probes found. */
  report: DramMapReport,
  /** Of the visitor. */
  yours: DramScore,
  /** Of Algorithm 1 and of the pair probe. */
  probes: [DramScore, DramScore] };

/** How right an answer is. */
export type DramScore = {
  /** Bits whose kind is right. */
  bits: number,
  /** Bits. */
  of_bits: number,
  /** Hashed bank bits whose address bits are right, all of them. */
  groups: number,
  /** Hashed bank bits. */
  of_groups: number,
  /** Groups that are none. */
  wrong_groups: number };

/** How to analyse, as the page says it. */
export type EngineSpec = {
  /** The engine. */
  engine: 'auto' | 'rank' | 'offline' | 'sample' | 'hp-rda' | 'hp-rda-trace',
  /** Of a million lines, how many are sampled. */
  per_million?: number,
  /** Accesses of a thread's trace. */
  st?: number,
  /** Threads of a block. */
  nb?: number,
  /** Whether the error function `ef` adjusts the result. */
  adjust?: boolean };

/** A built-in example. */
export type ExampleInfo = {
  /** Identifier, as links carry it. */
  id: string,
  /** Name in the menu. */
  title: string,
  /** What it shows and what to try. */
  lesson: string };

/** What to run. */
export type Experiment = { "kind": "sizes",
  /** By way of which memory. */
  memory: string,
  /** First array, bytes. */
  from: number,
  /** Last array, bytes. */
  to: number,
  /** From array to array, bytes; 0: each a quarter octave larger. */
  step: number } | { "kind": "walk",
  /** By way of which memory. */
  memory: string,
  /** Array, bytes. */
  bytes: number,
  /** From load to load, bytes. */
  stride: number,
  /** A round before times are taken. */
  warm: boolean } | { "kind": "sharing",
  /** By way of which memory. */
  first: string,
  /** The other thread's. */
  second: string,
  /** Array of the first, bytes. */
  first_bytes: number,
  /** Array of the second, bytes. */
  second_bytes: number } | { "kind": "amount",
  /** By way of which memory. */
  memory: string,
  /** Array of each, bytes. */
  bytes: number };

/** One value of a topology. */
export type FactRow = {
  /** Place in the JSON, such as `l1.bytes`. */
  path: string,
  /** The cache or memory that it is about, in words; empty for the GPU as a whole. */
  part: string,
  /** What it is, in words. */
  label: string,
  /** Unit; empty for counts and words. */
  unit: string,
  /** As JSON. */
  value: unknown,
  /** `official`, `measured` or `assumed`. */
  status: Status,
  /** Who says so. */
  source: string };

/** A file that a link asks for. */
export type FileId = {
  /** Name without folders. */
  name: string,
  /** Bytes as dropped, compressed or not. */
  size: number,
  /** SHA-256 of these bytes, lower-case hexadecimal. */
  sha256: string,
  /** Format that it must be read as, one of [`Format::KEYS`](trace::Format::KEYS), where its content alone does
   * not say so. */
  format: string | null };

/** A file that was read. */
export type FileInfo = {
  /** Name, size and hash. */
  id: FileId,
  /** Its format and packing, for people. */
  format: string,
  /** The word for the format. */
  read_as: string,
  /** Words for formats that the content fits equally well; empty where it fits one at most. */
  candidates: Array<string>,
  /** Whether the content told the format, or only the name, or a person. */
  recognised_by: 'content' | 'name' | 'choice',
  /** How many kernels it holds. */
  kernels: number,
  /** What it is for. */
  role: 'trace' | 'address stream' | 'kernels list' | 'topology' | 'unknown',
  /** Parts that were not read. */
  skipped: Array<Skipped> };

/** What was found. */
export type Finding = {
  /** Whether global loads use the L1. */
  global_in_l1: boolean,
  /** By memory. */
  caches: { [key in string]: FoundCache },
  /** Latency of shared memory, cycles. */
  shared_latency: Times,
  /** Latency of main memory, cycles. */
  main_latency: Times };

/** Latencies after flipping bits. */
export type FlipTimes = {
  /** The bit that was flipped together with each; null: each alone. */
  with: number | null,
  /** Address bits. */
  bits: Array<number>,
  /** Least, median and largest of nine latencies, ns. */
  ns: Array<[number, number, number]> };

/** A cache as found. */
export type FoundCache = {
  /** Bytes that fit; null if even the largest array did. */
  size: number | null,
  /** The largest array, where it still fitted. */
  larger_than: number | null,
  /** Step of the sweep, bytes. */
  step: number,
  /** 95 % bootstrap interval of the size. */
  interval: [number, number] | null,
  /** Largest two-sample Kolmogorov–Smirnov D. */
  ks_d: number | null,
  /** Permutation p-value of the change. */
  p: number | null,
  /** Sizes by single estimators. */
  estimators: { [key in string]: number },
  /** Line, bytes. */
  line_size: number | null,
  /** Distance between misses, bytes. */
  fetch_granularity: number | null,
  /** Latency of a hit. */
  latency: Times,
  /** Cycles that a miss costs more. */
  miss_penalty: number | null,
  /** Instances per core. */
  amount: number | null,
  /** Memories that were found to live in the same cache. */
  shared_with: Array<string> };

/** What a visitor says about a hidden GPU. */
export type Guess = {
  /** Whether global loads use the L1. */
  global_in_l1: boolean,
  /** By memory. */
  caches: { [key in string]: CacheGuess },
  /** Latency of shared memory, cycles. */
  shared_cycles: number,
  /** Latency of main memory, cycles. */
  main_cycles: number };

/** Which GPU is hidden. */
export type Hidden = {
  /** Seed of the mystery GPU and of the noise of its times. */
  seed: number,
  /** A preset instead of a mystery GPU. */
  gpu: string | null,
  /** Standard deviation of the times as a share of them, up to 0.5; the GPU's own where not given. */
  noise: number | null,
  /** Share of loads that something else delays, up to 0.5; the GPU's own where not given. */
  outliers: number | null };

/** How HP-RDA cut the stream. */
export type HpRdaNote = {
  /** ST: references in a thread trace. */
  st: number,
  /** NB: threads in a block. */
  nb: number,
  /** NTB: blocks. */
  ntb: number,
  /** ef, formula 3. */
  ef: number,
  /** Whether distances above M were multiplied by ef. */
  adjusted: boolean };

/** What HP-RDA's step 1 found. */
export type HpRdaTrace = {
  /** Accesses. */
  references: number,
  /** Distinct lines. */
  distinct: number,
  /** Accesses whose line was accessed before. */
  repeats: number };

/** What the input is. */
export type InputInfo = {
  /** `stream`, `kernels` or `none`. */
  kind: 'stream' | 'kernels' | 'none',
  /** Line size that suits it: 1 for numbers that are lines already, 64 for CPU streams, 128 for GPU traces. */
  line_bytes: number,
  /** Names of the kernels. */
  kernels: Array<string>,
  /** Accesses of address streams, instruction fetches left out. */
  accesses: number,
  /** Bytes of the packed addresses; `None` where they are too many to be kept, and every analysis reads the files again. */
  kept_bytes: number | null,
  /** The files. */
  files: Array<FileId>,
  /** Formats of the address streams among them. */
  formats: Array<string>,
  /** Keys of the formats that the content of one of these fits alike; empty where there is no doubt. */
  candidates: Array<string>,
  /** Key of the format that it was read as. */
  read_as: string,
  /** What there is to say. */
  diagnostics: Array<Diagnostic> };

/** Warp instructions by class; loads, stores and atomics of global, shared, local, constant and texture memory. */
export type InstructionCounts = { integer: number, fp32: number, fp64: number, special: number, loads: [number, number, number, number, number], stores: [number, number, number, number, number], atomics: [number, number, number, number, number], branch: number, barrier: number, other: number };

/** Counts of an instruction. */
export type InstructionRow = {
  /** Program counter, hexadecimal; empty where the trace has none. */
  pc: string,
  /** Opcode; empty where the trace has none. */
  opcode: string,
  /** Memory space. */
  space: string,
  /** Load, store or atomic. */
  kind: string,
  /** Bytes per lane. */
  bytes: number,
  /** Source line. */
  line: number | null,
  /** Line requests. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Compulsory misses; in `reference` all infinite distances. */
  compulsory: number,
  /** Capacity misses; in `reference` all finite distances that miss. */
  capacity: number,
  /** Associativity misses. */
  associativity: number,
  /** Latency misses. */
  latency: number };

/** What the dropped files, or an example, hold. */
export type Intake = {
  /** The files, in the order in which they came. */
  files: Array<FileInfo>,
  /** The kernels of all files, by number. */
  kernels: Array<KernelInfo>,
  /** Name of the dropped topology, if there was one; run with the GPU `file`. */
  topology: string | null,
  /** What was wrong. */
  diagnostics: Array<Diagnostic>,
  /** Estimated peak memory of the run, bytes. */
  memory_bytes: number };

/** What a step of an intake says. */
export type IntakeStep = {
  /** Warp instructions of CUDA text that were run. */
  done: number,
  /** Warp instructions in all. */
  total: number,
  /** What the files hold, when the intake is over. */
  intake: Intake | null,
  /** What the run of the first CUDA text gave. */
  text: KernelRun | null };

/** A kernel that was read. */
export type KernelInfo = {
  /** Name of the file that holds it. */
  file: string,
  /** Its number among all kernels that were read, from 1, as `--kernel` takes it. */
  number: number,
  /** Name. */
  name: string,
  /** Blocks in the grid. */
  grid: [number, number, number],
  /** Threads in a block. */
  block: [number, number, number],
  /** Blocks that the trace holds. */
  blocks_present: number,
  /** Threads of the blocks that the trace holds. */
  threads: number,
  /** Warps that the trace holds. */
  warps: number,
  /** Lines of the trace. */
  instructions: number,
  /** Of these, those with active lanes and an address. */
  memory_instructions: number,
  /** Addresses of lanes, by space and kind, such as `global_load`. */
  accesses: { [key in string]: number },
  /** Its arrays. */
  arrays: Array<ArrayInfo> };

/** Result of one kernel launch. */
export type KernelReport = {
  /** Its number among the kernels that were read, from 1. */
  number: number,
  /** Kernel name. */
  name: string,
  /** Blocks in the grid. */
  grid: [number, number, number],
  /** Threads in a block. */
  block: [number, number, number],
  /** Line requests to the L1. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Misses without latency misses / requests (in `reference`: as the program's report has it). */
  miss_rate: number,
  /** All misses / requests. */
  miss_rate_with_latency: number,
  /** Misses by class. */
  misses: Misses,
  /** The same by differences between four runs; `None` in `reference`, where `misses` are those already. */
  differential: Misses | null,
  /** Reuse distances within the sets. */
  histogram: Record<string, number>,
  /** Ticks until the last warp was done. */
  ticks: number,
  /** Issues put off because the MSHRs were busy. */
  cancels: number,
  /** The four runs of `reference`: full, one set, no latency, unlimited MSHRs. */
  cases: Array<Case>,
  /** Counts per array. */
  arrays: Array<ArrayRow>,
  /** Counts per instruction. */
  instructions: Array<InstructionRow>,
  /** Counts per set. */
  sets: Array<SetRow>,
  /** The warps with most misses. */
  warps: Array<WarpRow>,
  /** Counts per core. */
  cores: Array<CoreRow>,
  /** Miss rate and MSHR use over time. */
  timeline: Array<TimeRow>,
  /** What to say first. */
  verdict: Verdict };

/** What running a CUDA text gave. */
export type KernelRun = {
  /** Its launches, in order. */
  launches: Array<LaunchRun>,
  /** Its arrays. */
  arrays: Array<ArrayRun>,
  /** Text of `printf`. */
  output: string,
  /** What was wrong. */
  diagnostics: Array<Diagnostic>,
  /** Line and column of the first error, from 1. */
  position: [number, number] | null };

/** An argument or size of a launch. */
export type LaunchItem = {
  /** Its name. */
  name: string,
  /** Its type; empty for a plain value, which can be set from outside. */
  declaration: string,
  /** What it is set to. */
  value: string };

/** A launch comment in pieces. Where there is none, `line` is the kernel's and `last_line` one less. */
export type LaunchOutline = {
  /** Its first line, from 1. */
  line: number,
  /** Its last line. */
  last_line: number,
  /** Name of the kernel. */
  kernel: string,
  /** Blocks, as written. */
  blocks: string,
  /** Threads of a block, as written. */
  threads: string,
  /** Bytes of dynamic shared memory, as written. */
  shared: string | null,
  /** Arguments and sizes. */
  items: Array<LaunchItem> };

/** A launch that was run. */
export type LaunchRun = {
  /** Name of the kernel. */
  kernel: string,
  /** Blocks in x, y and z. */
  grid: [number, number, number],
  /** Threads of a block in x, y and z. */
  block: [number, number, number],
  /** Memory accesses of warps in the trace. */
  accesses: number,
  /** Warp instructions. */
  instructions: number,
  /** The same by class. */
  counts: InstructionCounts };

/** What was measured, and on what. */
export type Machine = {
  /** `CPU in this browser`, or the adapter's name. */
  name: string,
  /** Vendor, or `unknown`. */
  vendor: string,
  /** How and where: the source of every measured value. */
  source: string,
  /** Cores, if the browser says; the source says that it does. */
  cores: number | null,
  /** Lanes of a warp; 1 for a CPU. */
  lanes: number,
  /** Bytes of each level, nearest first. */
  sizes: Array<number>,
  /** Nanoseconds of each level, and of what lies beyond the last. */
  latencies: Array<number>,
  /** Line, where a vote found one. */
  line: number | null,
  /** The numbers are of a program that plays a GPU: nothing of it counts as measured. */
  software: boolean };

/** Levels of a curve, in plain numbers. */
export type MachineLevels = {
  /** Array sizes, bytes. */
  sizes: Array<number>,
  /** Least time per load over the repetitions, nanoseconds. */
  least: Array<number>,
  /** Largest. */
  most: Array<number>,
  /** Flat parts: latency (nanoseconds), first and last size (bytes). */
  levels: Array<[number, number, number]>,
  /** Boundaries: where the step has risen by 70 %, by 15 % and by 85 % (bytes). */
  boundaries: Array<[number, number, number]> };

/** An address mapping, as bit numbers. */
export type MappingBits = {
  /** Column bits. */
  column: Array<number>,
  /** For every bit of the bank the address bits whose parity it is. */
  bank: Array<Array<number>>,
  /** Bits that only name rows. */
  row: Array<number> };

/** What files of measurements hold. */
export type Measured = {
  /** The GPU that they describe. */
  topology: TopologyView | null,
  /** The sizes, judged. */
  measurements: Array<Measurement>,
  /** What was wrong. */
  diagnostics: Array<Diagnostic> };

/** One value by one rule. */
export type Measurement = {
  /** File it came from. */
  file: string,
  /** `l1`, `texture`, `read_only`, `constant_l1`, `constant_l1_5`, `l2`, `l3`, `scalar_l1`, `shared` or `main`. */
  memory: string,
  /** `size`, `line_size`, `fetch_granularity`, `segment_size`, `latency_mean`, `latency_p50` or `latency_p95`. */
  kind: string,
  /** `mt4g`: recomputed by its rule; `warpscope`: by ours; `reported`: as mt4g's JSON has it. */
  rule: 'mt4g' | 'warpscope' | 'reported',
  /** The value; null where the rule finds no change. */
  value: number | null,
  /** `bytes` or `cycles`. */
  unit: string,
  /** 95 % interval. */
  interval: [number, number] | null,
  /** Two-sample Kolmogorov–Smirnov D. */
  ks_d: number | null,
  /** Permutation p-value. */
  p: number | null,
  /** Single estimators beside it. */
  estimators: { [key in string]: number } };

/** A memory that a programmer can choose for an array. */
export type Memory = "global" | "texture1d" | "texture2d" | "constant" | "shared";

/** Misses by class. */
export type Misses = {
  /** First request for the line on its core. */
  compulsory: number,
  /** Misses in a fully associative cache of the same size too. */
  capacity: number,
  /** Would hit in a fully associative cache of the same size. */
  associativity: number,
  /** The line was on its way. */
  latency: number,
  /** More misses than with unlimited MSHRs; negative when MSHRs save misses. */
  mshr: number };

/** Which cache model. */
export type Model = "paper" | "reference";

/** What an experiment gave. */
export type Outcome = { "kind": "sizes" } & Curve | { "kind": "walk" } & WalkOutcome | { "kind": "shares" } & SharesOutcome;

/** What a step of an experiment on a hidden GPU says. */
export type OutcomeStep<T> = {
  /** Work done. */
  done: number,
  /** Work in all. */
  total: number,
  /** What was found, when the experiment is over. */
  outcome: T | null };

/** What is thrown: something to read. */
export type PageError = {
  /** Why, and what to do. */
  diagnostics: Array<Diagnostic> };

/** One parameter as the page's form and `warpscope presets` show it. */
export type Parameter = {
  /** Name for `--set` and links. */
  key: string,
  /** Name shown to people. */
  label: string,
  /** Unit, empty where there is none. */
  unit: string,
  /** Value from the topology. */
  value: string,
  /** `integer`, `number`, `boolean` or `choice`. */
  kind: 'integer' | 'number' | 'boolean' | 'choice',
  /** Allowed values of a choice. */
  choices: Array<string>,
  /** What it does. */
  help: string,
  /** `official`, `measured`, `assumed`, or `option` for a switch of the model. */
  status: string,
  /** Where the value comes from. */
  source: string };

/** Where the analysis of a stretch of a stream stands. */
export type PartStep = {
  /** Accesses done. */
  done: number,
  /** Accesses in all. */
  total: number,
  /** Distinct lines so far. */
  distinct: number,
  /** Memory that it takes, bytes. */
  bytes: number };

/** An array and what it may go to. */
export type PlaceArray = {
  /** Name. */
  name: string,
  /** Its range was guessed from gaps between addresses. */
  guessed: boolean,
  /** First byte, hexadecimal. */
  base: string,
  /** Length, bytes. */
  bytes: number,
  /** Bytes of an element. */
  element: number,
  /** Elements of a row that a 2D texture would have. */
  width: number,
  /** Warp loads, stores and atomics. */
  accesses: [number, number, number],
  /** Bytes of it that a block keeps in shared memory, and how often it fills them. */
  tile: [number, number] | null,
  /** By memory: why not, or null. */
  legality: { [key in string]: string | null } };

/** Which placements are asked for; lists in order of the arrays' addresses. */
export type PlaceAsk = {
  /** Preset, or `file`. */
  gpu: string,
  /** From 1; 0 is the one with most accesses. */
  kernel: number,
  /** Memories of the arrays in the trace; empty: all in global memory. */
  from: Array<string>,
  /** The model's equations. */
  model: 'default' | 'seed',
  /** The model of the banks' queues; empty: the model's own. */
  queue: string,
  /** Terms that are left out. */
  without: Array<string>,
  /** Coefficients of the overlap as JSON; null for those that are shipped. */
  overlap: string | null,
  /** Names by first byte. */
  names: { [key in string]: string },
  /** Ranges of arrays that a person changed. */
  ranges: string,
  /** Whether a person has confirmed guessed ranges. */
  confirmed: boolean };

/** A count or time of the model, in the trace's placement and in the one that is looked at. */
export type PlaceCount = {
  /** What is counted. */
  key: string,
  /** In the trace's placement. */
  before: number,
  /** In this placement. */
  after: number };

/** What was read. */
export type PlaceInput = {
  /** Kernels in launch order. */
  kernels: Array<PlaceKernel>,
  /** Name of the topology among the files. */
  topology: string | null,
  /** What there is to say. */
  diagnostics: Array<Diagnostic> };

/** A kernel to choose. */
export type PlaceKernel = {
  /** Its number, from 1. */
  number: number,
  /** Name. */
  name: string,
  /** Warp accesses. */
  accesses: number };

/** A placement and its predicted time. */
export type PlaceLine = {
  /** Memory of every array. */
  placement: Array<Memory>,
  /** T, SM cycles. */
  cycles: number,
  /** T, microseconds at the GPU's clock. */
  microseconds: number,
  /** Tcomp, cycles. */
  t_comp: number,
  /** Tmem, cycles. */
  t_mem: number,
  /** Toverlap, cycles. */
  t_overlap: number,
  /** So close to the best that the model cannot tell them apart. */
  tie: boolean,
  /** Chance to be the fastest of the report's ranking; null where it was not asked for, or without trained coefficients. */
  chance: number | null };

/** One placement, closely. */
export type PlaceLook = {
  /** Its time. */
  line: PlaceLine,
  /** Why it is not possible; null where it is. */
  illegal: string | null,
  /** A sentence for each array that is not where the trace has it, with its number. */
  reasons: Array<[number, string]>,
  /** Terms and counts. */
  counts: Array<PlaceCount>,
  /** Banks of main memory. */
  banks: Array<BankRow>,
  /** Features that lie outside what the overlap was trained or tried on. */
  outside: Array<string>,
  /** CUDA text that puts the arrays there. */
  snippet: string };

/** A kernel that is ready to be placed. */
export type PlacePrepared = {
  /** Number of the kernel, from 1. */
  number: number,
  /** Its name. */
  kernel: string,
  /** Name of the GPU. */
  gpu: string,
  /** Arrays by address. */
  arrays: Array<PlaceArray>,
  /** Where the trace has them. */
  sample: PlaceLine,
  /** Products of the arrays' options. */
  nominal: number,
  /** As many, where all of them are looked at; null where a bound chooses. */
  numbers: number | null,
  /** Warp accesses of the trace. */
  accesses: number,
  /** Blocks that the trace holds, and of the launch. */
  blocks: [number, number],
  /** What was left out or assumed. */
  notes: Array<string> };

/** What a search knows by now. */
export type PlaceRanking = {
  /** Legal placements; null where they were too many to look at. */
  legal: number | null,
  /** Of these, evaluated. */
  evaluated: number,
  /** How far the best can at most be above the best there is; null when nothing bounds it yet, 0 when it is the best. */
  gap: number | null,
  /** Best first. */
  lines: Array<PlaceLine> };

/** How far a search is. */
export type PlaceStanding = {
  /** Units done. */
  done: number,
  /** Units in all. */
  total: number,
  /** Placements evaluated. */
  evaluated: number,
  /** Least predicted time so far, cycles; null before the first. */
  best: number | null,
  /** Nothing is left to do here. */
  finished: boolean };

/** What is known before an analysis. */
export type Prepared = {
  /** Accesses. */
  accesses: number,
  /** Distinct lines, exact or estimated (standard error below 0.8 %). */
  distinct: number,
  /** True where they were counted. */
  distinct_exact: boolean,
  /** Bytes of a line; more than was asked for where the cache model has larger ones. */
  line_bytes: number,
  /** True where every line number fits 32 bits. */
  narrow: boolean,
  /** Bytes of what is kept of the input. */
  held_bytes: number,
  /** Bytes at the peak of an exact analysis by rank bits. */
  rank_bytes: number,
  /** Bytes at the peak of one by inversions. */
  offline_bytes: number,
  /** Bytes at the peak of HP-RDA. */
  hp_rda_bytes: number,
  /** Engine that [`DeskEngine::Auto`] takes. */
  engine: 'rank' | 'offline',
  /** Why: `passing`, `groups`, `few-lines`, `many-accesses` or `many-lines`. */
  why: 'passing' | 'groups' | 'few-lines' | 'many-accesses' | 'many-lines',
  /** Kernels and arrays are told apart. */
  grouped: boolean };

/** A GPU that needs no file. */
export type PresetInfo = {
  /** Identifier, as `--gpu` takes it. */
  id: string,
  /** Name shown to people. */
  name: string,
  /** Vendor. */
  vendor: string,
  /** L1 size, lines, ways and cores in one line. */
  summary: string };

/** How the times of an array size become one number (thesis 3.3.2). */
export type Reduction = "distance" | "sliding" | "angle" | "mean" | "rms";

/** Result of a scenario. */
export type Report = {
  /** Cache model. */
  model: Model,
  /** Identifier of the topology. */
  gpu: string,
  /** Seed of the latencies. */
  seed: number,
  /** Hash of everything that the run found; see [`share`]. Empty until sealed there. */
  fingerprint: string,
  /** Values of all parameters. */
  parameters: { [key in string]: string },
  /** One per kernel launch that was run. */
  kernels: Array<KernelReport>,
  /** All of them together. */
  total: Total,
  /** What is not modelled, assumed or ignored in this run. */
  notes: Array<string> };

/** A chart. */
export type ReuseChart = { "kind": "distances",
  /** Least and largest distance of each bar, and its accesses; ascending. */
  bars: Array<[number, number, number]>,
  /** Accesses at infinite distance; absent where they are not shown. */
  firsts: number | null } | { "kind": "curve",
  /** The curves. */
  lines: Array<ChartLine>,
  /** Cache sizes and miss ratios to be marked. */
  knees: Array<[number, number]>,
  /** A logarithmic axis of sizes, not a straight one. */
  logarithmic: boolean } | { "kind": "sweep",
  /** The lines. */
  lines: Array<ChartLine>,
  /** What the value is, with its unit. */
  title: string };

/** What a sample was and how far it can be trusted. */
export type SampleNote = {
  /** Share of the lines. */
  rate: number,
  /** Accesses in the sample. */
  sampled: number,
  /** Cache sizes from 1/rate lines on, and how far the miss ratio at each may be off with 95 % confidence. */
  error_95: Array<[number, number]> };

/** The Kolmogorov–Smirnov test of the two sides of a split. */
export type Samples = {
  /** The last size left of the split: mt4g's rule, if the reduction is its own. */
  split: number,
  /** Reduced numbers left of it, ascending. */
  left: Array<number>,
  /** Reduced numbers right of it, ascending. */
  right: Array<number>,
  /** D = max |F − G|. */
  d: number,
  /** Critical D at α for a split that was chosen beforehand. */
  critical: number };

/** Everything that a run depends on. */
export type Scenario = {
  /** Version of this format; 1. */
  version: number,
  /** Built-in example, when no files are the source. */
  example: string | null,
  /** Files that are the source. */
  files: Array<FileId>,
  /** How CUDA text is run, where that is the source. */
  cuda: CudaSettings,
  /** Preset, or `file` for the topology among the files. */
  gpu: string,
  /** Cache model. */
  model: Model,
  /** Seed of the latencies. */
  seed: number,
  /** Parameters that differ from the topology's. */
  set: { [key in string]: string },
  /** Numbers, from 1, of the kernels to run; empty for all. */
  kernels: Array<number>,
  /** The caches keep their lines from one kernel to the next. */
  warm: boolean,
  /** What the page shows beside the run, carried unread: `tab`, and keys that begin with a tab's name. */
  view: { [key in string]: string },
  /** Fingerprint of the result that a link promises. */
  fingerprint: string | null };

/** What is right. */
export type Scores = {
  /** Findings that are right. */
  right: number,
  /** Findings that could be. */
  of: number,
  /** Whether global loads' use of the L1 was told. */
  global_in_l1: boolean,
  /** Whether exactly the sharing pairs were found. */
  sharing: boolean,
  /** Whether the latencies of shared and main memory are right. */
  memories: boolean,
  /** By memory: each value that was compared. */
  caches: { [key in string]: { [key in string]: boolean } } };

/** Accesses by distance and the miss ratio of every cache size, of all accesses or a part of them. */
export type Series = {
  /** `all`, `kernel:N`, `array:N`, `sample`, `hp-rda` or `hp-rda-ef`: what [`crate::reuse_tab::desk::ReuseDesk::window`] takes. */
  key: string,
  /** Name of the kernel or array; empty where it has none. */
  name: string,
  /** Accesses. */
  accesses: number,
  /** First accesses to a line. */
  firsts: number,
  /** Largest finite distance; `None` where there is none. */
  largest: number | null,
  /** Accesses at distance 0, then in powers of two: 1, 2 to 3, 4 to 7 … */
  log2_bins: Array<number>,
  /** Miss ratio by cache size in lines. */
  miss_ratio_curve: Array<[number, number]>,
  /** Sizes after which growth pays less. */
  knees: Array<[number, number]> };

/** Counts of a set. */
export type SetRow = {
  /** Set number. */
  set: number,
  /** Line requests. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Compulsory misses; in `reference` all infinite distances. */
  compulsory: number,
  /** Capacity misses; in `reference` all finite distances that miss. */
  capacity: number,
  /** Associativity misses. */
  associativity: number,
  /** Latency misses. */
  latency: number };

/** What the flaw did to the input. */
export type Severity = "note" | "warning" | "error";

/** Shares of slow loads, alone and beside another thread. */
export type SharesOutcome = {
  /** What the bars are: memories, or warps. */
  labels: Array<string>,
  /** Share of slow loads of each when it runs alone. */
  alone: Array<number>,
  /** Share beside the other thread. */
  together: Array<number>,
  /** Above this a share beside another means disturbance. */
  limit: number };

/** Something that is not used. */
export type Skipped = {
  /** What it is. */
  what: string,
  /** Line of the file. */
  line: number | null,
  /** Why it is not used. */
  why: string };

/** How a value is known. */
export type Status = "official" | "measured" | "assumed";

/** What a step of a run says. */
export type StepOutcome = {
  /** Work done, in the model's units. */
  done: number,
  /** Work in all. */
  total: number,
  /** The report, when the run is over. */
  report: Report | null };

/** A placement for a drawing. */
export type TermBar = {
  /** What stands before it. */
  label: string,
  /** Tcomp, cycles. */
  t_comp: number,
  /** Tmem, cycles. */
  t_mem: number,
  /** Toverlap, cycles. */
  t_overlap: number,
  /** It is the trace's placement. */
  present: boolean,
  /** It is looked at. */
  chosen: boolean };

/** How far the runs of CUDA texts are, for a service that shows nothing of them. */
export type TextsStep = {
  /** Warp instructions that were run. */
  done: number,
  /** Warp instructions in all. */
  total: number,
  /** Whether all texts were run. */
  finished: boolean };

/** A stretch of time. */
export type TimeRow = {
  /** First tick. */
  tick: number,
  /** Requests issued. */
  requests: number,
  /** Of these, misses of any kind. */
  misses: number,
  /** Mean busy MSHRs per issue. */
  mshrs: number };

/** A latency, cycles. */
export type Times = {
  /** Mean without outliers. */
  mean: number,
  /** Standard deviation without outliers. */
  deviation: number,
  /** Median. */
  p50: number,
  /** 95th percentile. */
  p95: number };

/** How a line is drawn. */
export type Tone = "exact" | "plain" | "adjusted" | "sample";

/** A topology as the page shows and edits it. */
export type TopologyView = {
  /** Our own format. */
  json: string,
  /** Word for links and files. */
  id: string,
  /** Name for people. */
  name: string,
  /** One line. */
  summary: string,
  /** Every value with its source. */
  facts: Array<FactRow>,
  /** Values that the topology does not state, and the placement model uses. */
  inherited: Array<FactRow>,
  /** Warnings of the validator. */
  diagnostics: Array<Diagnostic> };

/** Sums over the kernels. */
export type Total = {
  /** Line requests. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Misses by class. */
  misses: Misses,
  /** As [`KernelReport::miss_rate`]. */
  miss_rate: number,
  /** All misses / requests. */
  miss_rate_with_latency: number,
  /** Ticks of the kernels, one after the other. */
  ticks: number };

/** What is known of trained coefficients. */
export type Trained = {
  /** As `warpscope place --overlap` reads it. */
  json: string,
  /** What they were trained on. */
  provenance: string,
  /** The GPU. */
  gpu: string,
  /** Mean relative error on kernels left out of the training. */
  error: number,
  /** Placements in the training. */
  rows: number,
  /** Kernels in the training. */
  kernels: number };

/** A hidden cache. */
export type TrueCache = {
  /** Size of an instance, bytes. */
  size: number,
  /** Bytes that fit before misses begin; less than the size where the replacement evicts early. */
  usable: number,
  /** Line, bytes. */
  line_size: number,
  /** Bytes fetched at a miss. */
  fetch_granularity: number,
  /** Lines of a set. */
  ways: number,
  /** Replacement. */
  replacement: string,
  /** Latency of a hit, cycles. */
  latency: number,
  /** Instances per core (L2: per GPU). */
  amount: number,
  /** Memories that live in the same cache. */
  shared_with: Array<string> };

/** A hidden GPU. */
export type Truth = {
  /** Standard deviation of the times as a share of them. */
  noise: number,
  /** Share of loads that something else delays. */
  outliers: number,
  /** Whether global loads use the L1. */
  global_in_l1: boolean,
  /** By memory. */
  caches: { [key in string]: TrueCache },
  /** Latency of shared memory, cycles. */
  shared_cycles: number,
  /** Latency of main memory, cycles. */
  main_cycles: number };

/** What the verdict's sentence is made of. */
export type Verdict = {
  /** Largest class among the misses. */
  class: keyof Misses | null,
  /** Its share of all misses. */
  class_share: number,
  /** Array with most misses of that class. */
  array: string | null,
  /** Its share of that class. */
  array_share: number };

/** Times of one walk. */
export type WalkOutcome = {
  /** The memory. */
  memory: string,
  /** From load to load, bytes. */
  stride: number,
  /** Time of each load, cycles. */
  times: Array<number>,
  /** Times above this are slow; null if there is only one kind. */
  slow_from: number | null,
  /** The commonest distance between slow loads, bytes, and its share. */
  distance: [number, number] | null,
  /** Mean without outliers, cycles; of the fast loads where there are two kinds. */
  mean: number,
  /** Median. */
  p50: number,
  /** 95th percentile. */
  p95: number };

/** Counts of a warp. */
export type WarpRow = {
  /** Block, linear index in the grid. */
  block: number,
  /** Warp in its block. */
  warp: number,
  /** Line requests. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Compulsory misses; in `reference` all infinite distances. */
  compulsory: number,
  /** Capacity misses; in `reference` all finite distances that miss. */
  capacity: number,
  /** Associativity misses. */
  associativity: number,
  /** Latency misses. */
  latency: number };
