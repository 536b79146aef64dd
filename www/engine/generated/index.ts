// Written by `npm run types` from the Rust structs. Change those instead.

/** The requests of one part of a kernel by outcome. */
export type AccessCounts = {
  /** Line requests to the L1. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Compulsory misses. In `reference` these are all requests at infinite distance. */
  compulsory: number,
  /** Capacity misses. In `reference` these are all misses at a finite distance. */
  capacity: number,
  /** Associativity misses. There are none in `reference`. */
  associativity: number,
  /** Latency misses. There are none in `reference`. */
  latency: number };

/** One size by three rules. */
export type Agreement = {
  /** The name of the file. */
  file: string,
  /** The memory, or the number of the level: `level_1`. */
  memory: string,
  /** The size by the thesis' rule, in bytes. */
  thesis: number | null,
  /** The size by mt4g's rule, in bytes. */
  mt4g: number | null,
  /** The size by our rule, in bytes. */
  ours: number | null,
  /** The steps of the sizes tried between the smallest and the largest of these. `None` if a rule finds none. */
  steps: number | null,
  /** `agree` (within one step), `rise` (further apart, but no further than the rise is long), `none` (at least one rule
   * finds no change) or `differ`. */
  why: string,
  /** Sizes from the last flat one to the first at nine tenths of the next level. */
  rise: number };

/** What the visitor fills in. */
export type AnswerForm = { "kind": "number",
  /** Its unit. */
  unit: Words | null } | { "kind": "choice",
  /** Several may have to be chosen. */
  several: boolean,
  /** The options with their numbers in the file. */
  options: Array<[number, Words]> } | { "kind": "order",
  /** The items with their numbers in the file, in the order in which they are shown. */
  items: Array<[number, Words]> } | { "kind": "row",
  /** The label of each cell. */
  labels: Array<string> } | { "kind": "kernel",
  /** The text to start from. */
  text: string,
  /** The unit of the figure. */
  unit: Words } | { "kind": "locked" };

/** An array of a kernel. */
export type ArrayInfo = { name: string,
  /** The first byte address, as hexadecimal text. */
  base: string, bytes: number,
  /** True if the range was guessed from gaps in the address space. */
  guessed: boolean };

/** An array of a trace. */
export type ArrayPlace = {
  /** Its name. */
  name: string,
  /** The first byte address, as hexadecimal text. */
  base: string,
  /** Its length. */
  bytes: number,
  /** True if the range was guessed from gaps in the address space. */
  guessed: boolean };

/** The requests to one array. */
export type ArrayRow = {
  /** Its name. */
  name: string,
  /** The first byte address, as hexadecimal text. */
  base: string,
  /** Its length. */
  bytes: number,
  /** True if the range was guessed from gaps in the address space. */
  guessed: boolean,
  /** Line requests to the L1. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Compulsory misses. In `reference` these are all requests at infinite distance. */
  compulsory: number,
  /** Capacity misses. In `reference` these are all misses at a finite distance. */
  capacity: number,
  /** Associativity misses. There are none in `reference`. */
  associativity: number,
  /** Latency misses. There are none in `reference`. */
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

/** The predicted load of one bank of main memory. */
export type BankRow = {
  /** The number of the bank. */
  bank: number,
  /** The number of requests. */
  requests: number,
  /** The numbers of row hits, row misses and row conflicts. */
  rows: [number, number, number],
  /** The share of the time that the bank is busy. */
  utilisation: number,
  /** The mean wait in ns. */
  wait_ns: number,
  /** True if the requests exceed what the bank can serve. */
  saturated: boolean,
  /** The coefficients of variation of the times between arrivals and of the service times (equation 10). */
  variation: [number, number] };

/** The accesses at a range of distances, for a chart and its table. */
export type Bar = {
  /** The least distance of the range. */
  low: number,
  /** The largest distance of the range. */
  high: number,
  /** The number of accesses. */
  count: number };

/** Which direction of a number is better. */
export type Better = "lower" | "neither";

/** The part of the DRAM address that an address bit selects. */
export type BitKind = "column" | "bank" | "row";

/** The guess about one cache. */
export type CacheGuess = {
  /** The bytes that fit. For the constant L1.5, the size of constant memory or more means that the cache is larger
   * than that. */
  size: number | null,
  /** The line size in bytes. */
  line_size: number | null,
  /** The bytes that a miss fetches. */
  fetch_granularity: number | null,
  /** The cycles of a hit. */
  latency: number | null,
  /** Instances per core. */
  amount: number | null,
  /** The memories in the same cache. */
  shared_with: Array<string> };

/** The result of a run of a model of one L1 over the kernels of a scenario. */
export type CacheReport = {
  /** The model that ran. */
  model: 'paper' | 'reference',
  /** The identifier of the preset, or `file` for a topology among the files. */
  gpu: string,
  /** The seed of the random miss latencies. */
  seed: number,
  /** A hash of all numbers of the result. It is empty until the crate `share` computes it. */
  fingerprint: string,
  /** The values of all parameters by key, those of the defaults included. */
  parameters: { [key in string]: string },
  /** One report per kernel launch that was run, in launch order. */
  kernels: Array<KernelReport>,
  /** The sums over all kernels. */
  total: Total,
  /** Everything that this run does not model, assumes or ignores, in sentences. */
  notes: Array<string> };

/** One of the four runs of `reference`. */
export type Case = {
  /** The requests by reuse distance. */
  histogram: Record<string, number>,
  /** The tick at which the last warp finished. */
  ticks: number,
  /** The number of issues that were postponed. */
  cancels: number };

/** A change of a kernel's text, as the row of changes has it. */
export type ChangeAsk = {
  /** Memories of the arrays, by name. */
  placement: { [key in string]: string },
  /** Names of the other changes. */
  changes: Array<string> };

/** A text with changes. */
export type ChangedText = {
  /** The whole file. */
  text: string,
  /** What the reader has to know, in sentences. */
  notes: Array<string> };

/** A line of a chart. */
export type ChartLine = {
  /** The meaning of the line. */
  tone: Tone,
  /** Points in the units of both axes, in ascending order of x. */
  points: Array<[number, number]>,
  /** The error of the value at some x. */
  errors?: Array<[number, number]> };

/** One counter of a launch. */
export type CheckedCounter = {
  /** Which, with its unit. */
  counter: string,
  /** `points` or `%`, or `% of` another counter. */
  error_unit: string,
  /** What the hardware counted. */
  measured: number,
  /** What the model says. */
  modelled: number,
  /** The model's error. `None` where the hardware counted nothing and the model something. */
  error: number | null,
  /** The values of other simulators, with their errors. */
  others: Array<OtherModel> };

/** A kernel with its counters. */
export type ComparedKernel = {
  /** The number of the kernel in the report. */
  number: number,
  /** The kernel as the profiler writes it, with the values of a tuner's parameters. */
  measured_kernel: string,
  /** The counters. */
  counters: Array<CheckedCounter> };

/** A number of a kernel that is compared. */
export type ComparedNumber = {
  /** Its name. */
  key: string,
  /** The path of the field in the JSON of a kernel. */
  path: string,
  /** The path of the field that it is divided by, if it is a ratio. */
  over: string | null,
  /** What the field is multiplied by. */
  factor: number,
  /** Its unit. */
  unit: ComparedUnit,
  /** Which direction is better. */
  better: Better,
  /** Between which models it is compared. */
  scope: ComparedScope };

/** Between which models a number means the same. */
export type ComparedScope = "all" | "unit" | "time" | "model";

/** The unit of a number. */
export type ComparedUnit = "count" | "bytes" | "seconds" | "share" | "mean";

/** The requests of one core. */
export type CoreRow = {
  /** The number of the core, counted from 0. */
  core: number,
  /** The tick at which the last warp of the core finished. */
  ticks: number,
  /** Line requests to the L1. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Compulsory misses. In `reference` these are all requests at infinite distance. */
  compulsory: number,
  /** Capacity misses. In `reference` these are all misses at a finite distance. */
  capacity: number,
  /** Associativity misses. There are none in `reference`. */
  associativity: number,
  /** Latency misses. There are none in `reference`. */
  latency: number };

/** The part of a kernel that is counted. */
export type CountFilter = { "array": string } | { "line": number } | { "pc": string } | { "set": number } | { "distances": [number, number | null] } | { "core": number };

/** What a step on an exercise gave. One of the last three is there when it is finished. */
export type CourseStep = {
  /** Units that are done. */
  done: number,
  /** Units in all; 0 while that is not known. */
  total: number,
  /** Nothing is left to do. */
  finished: boolean,
  /** The exercise on show. */
  view: ExerciseView | null,
  /** What the check found. */
  verdict: ExerciseVerdict | null,
  /** The solution. */
  solution: Words | null };

/** How CUDA text is run to make a trace. It also applies to the text of an example. */
export type CudaSettings = {
  /** Selects the accesses of the text, or those that remain after compilation. */
  form: 'written' | 'compiled',
  /** A launch that replaces those of the text. */
  launch: string | null,
  /** Values that replace the launch's own sizes, by name. */
  sizes: { [key in string]: string },
  /** The text, if a link carries it. It replaces the content of the first file. */
  text: string | null };

/** A size measurement with its change point. */
export type Curve = {
  /** The name of the file or of the experiment. */
  name: string,
  /** The memory that the loads went through. */
  memory: string,
  /** Array sizes in bytes, ascending. */
  sizes: Array<number>,
  /** The raw times of each size, in cycles. */
  times: Array<[number, number, number, number, number]>,
  /** The number of times in all sizes together. */
  count: number,
  /** The rule that reduced the times. */
  reduction: Reduction,
  /** The reduced number of each size. */
  series: Array<number>,
  /** The significance level of the test. */
  alpha: number,
  /** The permutation p-value of a change. It is `None` if the series could not be tested. */
  p: number | null,
  /** The last size before the change point. It is `None` unless p is at most α. */
  change: number | null,
  /** The array sizes between which the change lies at 95 %. They are at least one step apart. */
  interval: [number, number] | null,
  /** The sizes that single estimators found, by the name of the estimator. */
  estimators: { [key in string]: number },
  /** Both sides of the split with the largest D. */
  samples: Samples | null };

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

/** The values of two topologies at one path. */
export type Difference = {
  /** The path in the JSON, such as `l1.bytes`. */
  path: string,
  /** As in [`FactRow`]. */
  part: string,
  /** As in [`FactRow`]. */
  label: string,
  /** As in [`FactRow`]. */
  unit: string,
  /** The value of the first GPU, if it has one. */
  first: unknown,
  /** The value of the second GPU, if it has one. */
  second: unknown,
  /** True if the values differ, or if only one GPU has a value. */
  differs: boolean,
  /** The second value divided by the first, if both are numbers and the first is not zero. */
  ratio: number | null };

/** The difference between an approximation and the exact result. */
export type DifferenceNote = {
  /** e of IPDPS'12, section V-C, in percent. */
  e_percent: number,
  /** The largest difference of the cumulative shares at the ends of the bins, in percentage points. */
  binned_points: number,
  /** The largest difference of the miss ratios over all cache sizes, in percentage points. */
  curve_points: number };

/** The hidden values beside the findings. */
export type Discovered = {
  /** The name of the GPU and the source of its values. */
  gpu: string,
  /** The seed of the GPU, or of the noise of its times. */
  seed: number,
  /** The hidden values. */
  truth: Truth,
  /** The values that the experiments found. */
  found: Finding,
  /** Whether each finding is right. */
  score: Scores,
  /** What the experiments of the thesis' outlook found, beside the hidden values. Empty for a visitor's answer. */
  outlook: Array<OutlookRow> };

/** A visitor's answer about an address mapping. */
export type DramAnswer = {
  /** The kind of each bit, from the lowest on. It is null for bits without an answer. */
  kinds: Array<BitKind | null>,
  /** Groups of bits that enter the same bank bit. */
  together: Array<Array<number>> };

/** The hidden mapping, the mappings that two probes found, and whether they are right. */
export type DramMapReport = {
  /** The seed of the memory. */
  seed: number,
  /** True if some bank bits are XORed with row bits. */
  hashed: boolean,
  /** The hidden mapping. */
  truth: MappingBits,
  /** The mapping that Algorithm 1 found. */
  algorithm_1: MappingBits,
  /** The mapping that it found with the pair probe. */
  pair_probe: MappingBits,
  /** Whether the mapping of Algorithm 1 and that of the pair probe are right. */
  right: [boolean, boolean] };

/** The truth, and the scores of the answer and of the probes. */
export type DramReveal = {
  /** The hidden mapping and the mappings that the probes found. */
  report: DramMapReport,
  /** The score of the visitor's answer. */
  yours: DramScore,
  /** The scores of Algorithm 1 and of the pair probe. */
  probes: [DramScore, DramScore] };

/** The score of an answer. */
export type DramScore = {
  /** The number of bits whose kind is right. */
  bits: number,
  /** The number of bits. */
  of_bits: number,
  /** The number of hashed bank bits for which the answer has exactly their address bits. */
  groups: number,
  /** The number of hashed bank bits. */
  of_groups: number,
  /** The number of groups in the answer that are no hashed bank bit. */
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
  /** The identifier that links carry. */
  id: string,
  /** The name in the page's menu. */
  title: string,
  /** A sentence about what the example shows and what to try. */
  lesson: string,
  /** The better form of the same work, if the library has one. */
  better: ExampleTwin | null };

/** The better form of an example, for the page. */
export type ExampleTwin = {
  /** The identifier of the example. */
  id: string,
  /** The sizes that make it the better form. All others are those of the naive form. */
  sizes: { [key in string]: string } };

/** What the check found. */
export type ExerciseVerdict = {
  /** Whether the answer is right. */
  right: boolean,
  /** What to tell, the most helpful first. It is empty for a right answer of most kinds. */
  say: Array<Say>,
  /** A hash of the exercise, the seed, its values, the answer and whether it is right. */
  digest: string };

/** An exercise on show. */
export type ExerciseView = {
  /** The identifier. */
  id: string,
  /** 1 to 3. */
  level: number,
  /** The seed of the parameters. */
  seed: number,
  /** The title. */
  title: Words,
  /** What the visitor learns. */
  goal: Words,
  /** The hash of the link of the starting state, without `#`. Null where there is none. */
  start: string | null,
  /** What to do, in order. */
  steps: Array<Words>,
  /** The question. */
  question: Words,
  /** What the visitor fills in. */
  form: AnswerForm,
  /** Two hints, the weaker one first. */
  hints: Array<Words>,
  /** What to read, by section. */
  reading: Array<Words>,
  /** The name of the solution's figure. Null where there is none. */
  figure: string | null };

/** An experiment on a hidden GPU. */
export type Experiment = { "kind": "sizes",
  /** The memory that the loads go through. */
  memory: string,
  /** The size of the first array, in bytes. */
  from: number,
  /** The size of the last array, in bytes. */
  to: number,
  /** The step from array to array, in bytes. With 0, each array is a quarter octave larger. */
  step: number } | { "kind": "walk",
  /** The memory that the loads go through. */
  memory: string,
  /** The size of the array, in bytes. */
  bytes: number,
  /** The distance from load to load, in bytes. */
  stride: number,
  /** Selects a round of loads before the timed one. */
  warm: boolean } | { "kind": "sharing",
  /** The memory of the first thread. */
  first: string,
  /** The memory of the second thread. */
  second: string,
  /** The size of the first thread's array, in bytes. */
  first_bytes: number,
  /** The size of the second thread's array, in bytes. */
  second_bytes: number } | { "kind": "amount",
  /** The memory that the loads go through. */
  memory: string,
  /** The size of each thread's array, in bytes. */
  bytes: number };

/** One value of a topology. */
export type FactRow = {
  /** The path in the JSON, such as `l1.bytes`. */
  path: string,
  /** The cache or memory that the value belongs to, in words. It is empty for the GPU as a whole. */
  part: string,
  /** The name of the value in words. */
  label: string,
  /** The unit. It is empty for counts and words. */
  unit: string,
  /** The value as JSON. */
  value: unknown,
  /** `official`, `measured` or `assumed`. */
  status: Status,
  /** The document or measurement that the value is from. */
  source: string };

/** A file that a link asks for. */
export type FileId = {
  /** The name without folders. */
  name: string,
  /** The length in bytes as dropped, compressed or not. */
  size: number,
  /** The SHA-256 of these bytes, as lower-case hexadecimal digits. */
  sha256: string,
  /** The format that the file must be read as, one of [`Format::KEYS`](trace::Format::KEYS). It is `None` if the
   * content alone determines the format. */
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
  role: 'trace' | 'address stream' | 'kernels list' | 'topology' | 'profile' | 'unknown',
  /** Parts that were not read. */
  skipped: Array<Skipped> };

/** The findings about a GPU. */
export type Finding = {
  /** Whether global loads use the L1. */
  global_in_l1: boolean,
  /** The caches by memory. */
  caches: { [key in string]: FoundCache },
  /** The latency of shared memory. */
  shared_latency: Times,
  /** The latency of main memory. */
  main_latency: Times };

/** The latencies after flipping address bits. */
export type FlipTimes = {
  /** The bit that was flipped together with each of `bits`. It is null if each was flipped alone. */
  with: number | null,
  /** The flipped address bits. */
  bits: Array<number>,
  /** The least, the median and the largest of nine latencies in ns, for each bit. */
  ns: Array<[number, number, number]> };

/** The findings about a cache. */
export type FoundCache = {
  /** The bytes that fit. It is null if even the largest array fitted. */
  size: number | null,
  /** The bytes of the largest array, if that array still fitted. */
  larger_than: number | null,
  /** The step of the sweep, in bytes. */
  step: number,
  /** The array sizes between which the change lies at 95 %. They are at least one step apart and hold the size. */
  interval: [number, number] | null,
  /** The largest two-sample Kolmogorov–Smirnov D. */
  ks_d: number | null,
  /** The permutation p-value of the change point. */
  p: number | null,
  /** The sizes that single estimators found, by the name of the estimator. */
  estimators: { [key in string]: number },
  /** The line size in bytes. */
  line_size: number | null,
  /** The distance between misses, in bytes. */
  fetch_granularity: number | null,
  /** The latency of a hit. */
  latency: Times,
  /** The additional cycles of a miss. */
  miss_penalty: number | null,
  /** Instances per core. */
  amount: number | null,
  /** The memories that were found to be in the same cache. */
  shared_with: Array<string> };

/** An answer as the visitor gave it. Numbers of options and items are those of the file, from 0. */
export type GivenAnswer = { "text": string } | { "choice": Array<number> } | { "order": Array<number> } | { "row": Array<string> } | { "kernel": string };

/** The accesses to one array. */
export type GpuArrayRow = {
  /** Its name. */
  name: string,
  /** The first byte address, as hexadecimal text. */
  base: string,
  /** Its length. */
  bytes: number,
  /** True if the range was guessed from gaps in the address space. */
  guessed: boolean,
  /** Warp instructions. */
  requests: number,
  /** Sectors that loads looked up in the L1. */
  l1_sectors: number,
  /** Those that were there. */
  l1_hits: number,
  /** Sectors read from the L2. */
  l2_reads: number,
  /** Those that the L2 held. */
  l2_read_hits: number,
  /** Sectors written to the L2. */
  l2_writes: number,
  /** Sectors changed by atomics at the L2. */
  l2_atomics: number,
  /** Sectors read from DRAM. */
  dram_reads: number,
  /** Wavefronts of shared memory. */
  wavefronts: number,
  /** Why sectors missed in the L1, if the scenario asks for it and loads use the L1. */
  classes?: GpuMissClasses };

/** Shares of the time in which the parts of the GPU were busy, 0 to 1. Those of L2 and DRAM are averaged over all slices
 * and channels, the others over the cores that had a block. */
export type GpuBusy = {
  /** Issue slots of the schedulers. */
  issue: number,
  /** Load-store pipes. */
  pipe: number,
  /** L2 slices. */
  l2: number,
  /** DRAM channels. */
  dram: number,
  /** Links from the L2 to the cores. */
  replies: number,
  /** Links from the cores to the L2. */
  requests: number };

/** Loads of constants, in lines of the first level of the constant cache. */
export type GpuConstants = {
  /** Distinct lines of the warp instructions. */
  lines: number,
  /** Those that the first level lacked. */
  misses: number,
  /** Those that the second level lacked too. The L2 serves them. */
  second_misses: number };

/** The loads of one core. */
export type GpuCoreRow = {
  /** Its number. */
  core: number,
  /** Sectors that its loads looked up in the L1. */
  l1_sectors: number,
  /** Those that were there. */
  l1_hits: number };

/** Traffic at DRAM. */
export type GpuDram = {
  /** Sectors read. */
  reads: number,
  /** Sectors written. */
  writes: number };

/** The accesses of one instruction. */
export type GpuInstructionRow = {
  /** The program counter as hexadecimal text. It is empty if the trace has none. */
  pc: string,
  /** The opcode. It is empty if the trace has none. */
  opcode: string,
  /** The memory space. */
  space: string,
  /** `load`, `store` or `atomic`. */
  kind: string,
  /** Bytes per lane. */
  bytes: number,
  /** The line of the source file, if the trace names it. */
  line: number | null,
  /** Warp instructions. */
  requests: number,
  /** Sectors that loads looked up in the L1. */
  l1_sectors: number,
  /** Those that were there. */
  l1_hits: number,
  /** Sectors read from the L2. */
  l2_reads: number,
  /** Those that the L2 held. */
  l2_read_hits: number,
  /** Sectors written to the L2. */
  l2_writes: number,
  /** Sectors changed by atomics at the L2. */
  l2_atomics: number,
  /** Sectors read from DRAM. */
  dram_reads: number,
  /** Wavefronts of shared memory. */
  wavefronts: number,
  /** Why sectors missed in the L1, if the scenario asks for it and loads use the L1. */
  classes?: GpuMissClasses };

/** One kernel launch. */
export type GpuKernelReport = {
  /** The number of the kernel among all that were read, counted from 1. */
  number: number,
  /** The name of the kernel as the trace has it. */
  name: string,
  /** The number of blocks in the grid, in x, y and z. */
  grid: [number, number, number],
  /** The number of threads in a block, in x, y and z. */
  block: [number, number, number],
  /** What the model says. */
  gpu: GpuNumbers,
  /** What it computes and moves, beside what the GPU can. It is `None` if the trace does not say what its instructions
   * are. It follows from the trace, `gpu` and the GPU, and is no part of the fingerprint. */
  roofline: GpuRoofline | null,
  /** What it asks for and moves, beside the least. It is no part of the fingerprint. */
  work: Work,
  /** The same by array, instruction, core and time. */
  rows: GpuRows };

/** Loads at the L1. */
export type GpuL1 = {
  /** Warp instructions that load. */
  requests: number,
  /** Sectors as the generation's own counters count them: on Maxwell and Pascal per group of eight lanes, else per warp. */
  accesses: number,
  /** Distinct sectors per warp instruction. */
  sectors: number,
  /** The sectors that would do if the elements that a warp instruction loads lay side by side. */
  least_sectors: number,
  /** Of `sectors`, those that the L1 held or that were on their way to it. */
  hits: number,
  /** `hits` over `sectors`. */
  hit_rate: number,
  /** Why the other sectors missed, if the scenario asks for it and loads use the L1. */
  classes?: GpuMissClasses };

/** Traffic between the cores and the L2. */
export type GpuL2 = {
  /** Sectors read by the cores. */
  reads: number,
  /** Those that the L2 held or that were on their way to it. */
  read_hits: number,
  /** Sectors written by the cores. */
  writes: number,
  /** Those whose line the L2 held. */
  write_hits: number,
  /** Sectors changed by atomics. */
  atomics: number };

/** Counts in sectors of 32 bytes, unless a field says otherwise. */
export type GpuLevels = {
  /** Warp instructions. */
  requests: number,
  /** Sectors that loads looked up in the L1. */
  l1_sectors: number,
  /** Those that were there. */
  l1_hits: number,
  /** Sectors read from the L2. */
  l2_reads: number,
  /** Those that the L2 held. */
  l2_read_hits: number,
  /** Sectors written to the L2. */
  l2_writes: number,
  /** Sectors changed by atomics at the L2. */
  l2_atomics: number,
  /** Sectors read from DRAM. */
  dram_reads: number,
  /** Wavefronts of shared memory. */
  wavefronts: number,
  /** Why sectors missed in the L1, if the scenario asks for it and loads use the L1. */
  classes?: GpuMissClasses };

/** Sectors that loads missed in the L1, by class. All but the last add up to the misses. */
export type GpuMissClasses = {
  /** This L1 never had the sector. */
  compulsory: number,
  /** A store dropped the line since this L1 had the sector. */
  dropped: number,
  /** A fully associative LRU cache with as many lines misses too. */
  capacity: number,
  /** A fully associative LRU cache with as many lines holds the sector. */
  conflict: number,
  /** Of all these, sectors whose line was there without them. */
  line_there: number };

/** The numbers of a kernel. Data are counted in sectors of 32 bytes, unless a field says otherwise. */
export type GpuNumbers = {
  /** Core cycles from the launch to the end, with the cost of a launch. */
  cycles: number,
  /** The same in seconds, at the core clock of the topology. */
  seconds: number,
  /** Warp instructions. */
  instructions: number,
  /** Global, local and texture loads at the L1. */
  l1: GpuL1,
  /** Traffic at the L2. */
  l2: GpuL2,
  /** Traffic at DRAM. */
  dram: GpuDram,
  /** Shared memory. */
  shared: GpuShared,
  /** Loads of constants, if there are any and the GPU's constant caches are known. */
  constants: GpuConstants | null,
  /** Warps that can be resident on a core, over the most that it can hold. */
  occupancy: number,
  /** Cores that had a block. */
  working_cores: number,
  /** Cores that were simulated in place of all of them, if not all were. */
  sampled: number | null,
  /** Scheduler cycles without an issue, by cause. */
  stalls: GpuStalls,
  /** Shares of the time in which the parts of the GPU were busy, 0 to 1. */
  busy: GpuBusy };

/** The result of a run of the model `gpu` over the kernels of a scenario. */
export type GpuReport = {
  /** Always `gpu`. */
  model: 'gpu',
  /** The identifier of the preset, or `file` for a topology among the files. */
  gpu: string,
  /** Cores of the GPU. */
  cores: number,
  /** The state of the caches before each launch. */
  state: LaunchState,
  /** The values of the GPU that the scenario sets, by key. */
  set: { [key in string]: string },
  /** A hash of all numbers of the result. It is empty until the crate `share` computes it. */
  fingerprint: string,
  /** One report per kernel launch that was run, in launch order. */
  kernels: Array<GpuKernelReport>,
  /** The same kernels as a profiler measured them, if its output is among the files. */
  measured?: ProfileComparison,
  /** Everything that this run does not model, assumes or ignores, in sentences. */
  notes: Array<string> };

/** What a kernel computes and moves, beside what the GPU can. An operation is a floating-point instruction of one lane. */
export type GpuRoofline = {
  /** Warp instructions of `float` and half arithmetic. */
  fp32: number,
  /** Warp instructions of `double` arithmetic. */
  fp64: number,
  /** Operations: 32 lanes times these instructions. */
  operations: number,
  /** Operations per second over the time of the kernel. */
  operations_per_second: number,
  /** Bytes between the cores and the L2, in both directions. */
  l2_bytes: number,
  /** Bytes between the L2 and DRAM, in both directions. */
  dram_bytes: number,
  /** Operations per byte of the L2. It is `None` if no byte moves. */
  per_l2_byte: number | null,
  /** Operations per byte of DRAM. It is `None` if no byte moves. */
  per_dram_byte: number | null,
  /** Operations per second that the units can do, in the kernel's mix of `float` and `double`. */
  peak_operations_per_second: number,
  /** Bytes per second that the L2 and its links can move, in the kernel's mix of reads and writes. */
  peak_l2_bytes_per_second: number,
  /** Bytes per second that DRAM can move. */
  peak_dram_bytes_per_second: number,
  /** Operations per second that the lowest ceiling over the kernel allows. */
  attainable_operations_per_second: number,
  /** That ceiling: `units`, `L2` or `DRAM`. */
  limit: string };

/** Who asked for what, at which level. */
export type GpuRows = {
  /** By array, in order of their addresses. */
  arrays: Array<GpuArrayRow>,
  /** By instruction, those with most L2 sectors first. */
  instructions: Array<GpuInstructionRow>,
  /** By core, for cores with loads. */
  cores: Array<GpuCoreRow>,
  /** By interval of time. */
  timeline: Array<GpuTimeRow> };

/** Shared memory. */
export type GpuShared = {
  /** Wavefronts of loads. Without bank conflicts a warp's load of words takes one. */
  load_wavefronts: number,
  /** Wavefronts of stores. */
  store_wavefronts: number };

/** Scheduler cycles without an issue, by what the warp that could go on first waited for. */
export type GpuStalls = {
  /** The result of an arithmetic instruction. */
  arithmetic: number,
  /** A load through the L1, or an atomic. */
  load: number,
  /** A load from shared memory. */
  shared: number,
  /** Room in the load-store pipe. */
  pipe: number,
  /** Other warps of the block, at a barrier. */
  barrier: number,
  /** The start of a block in the place of another. */
  launch: number };

/** One interval of time. */
export type GpuTimeRow = {
  /** The first cycle of the interval. */
  cycle: number,
  /** Warp instructions that were issued in it. */
  instructions: number,
  /** Sectors that the accesses issued in it moved between the cores and the L2. */
  l2_sectors: number,
  /** Sectors that they read from DRAM. */
  dram_reads: number };

/** A line of an access. Sectors are counts. */
export type GpuWhyLine = {
  /** Its first byte address, as hexadecimal text. */
  line: string,
  /** Its set in the L1. */
  set: number,
  /** Sectors that the access asks for. */
  sectors: number,
  /** Those that the L1 held or that were on their way to it. */
  l1: number,
  /** Sectors that the L2 was asked for and held. */
  l2: number,
  /** Sectors that DRAM gave. */
  dram: number };

/** The answer to a question about an access of a kernel. */
export type GpuWhyReport = {
  /** The number of the kernel among all that were read, counted from 1. */
  kernel: number,
  /** Its name. */
  name: string,
  /** The core of the steps. */
  core: number,
  /** The number of cores that are simulated. */
  cores: number,
  /** The wanted step. */
  step: number,
  /** The number of steps of the core. */
  core_steps: number,
  /** How many accesses fit the filter, if the question was for one of them. */
  matches: number | null,
  /** Ways of a set of the L1. */
  ways: number,
  /** Sets of the L1 of a part of a core. */
  sets: number,
  /** Parts of a core with an L1 each. */
  parts: number,
  /** Bytes of a line. */
  line_bytes: number,
  /** Registers for misses of a part of a core. */
  mshrs: number,
  /** Whether a turn of the load-store pipe is a step: the pipe takes one line at a time. */
  line_by_line: boolean,
  /** Whether the L1 replaces the line of a set that was used longest ago. If not, neither the uses since nor the ways say what stays. */
  lru: boolean,
  /** The arrays of the kernel. */
  arrays: Array<ArrayPlace>,
  /** The instructions of the kernel that access memory. */
  instructions: Array<InstructionPlace>,
  /** The wanted step with its neighbours, in order. */
  steps: Array<GpuWhyStep>,
  /** What would have made the wanted access hit, as runs of the kernel say. It is empty if that was not asked for. */
  what_if: Array<GpuWhyWhatIf> };

/** A step of a core, with the state before it. Lists have at most 32 entries, and the counts are those of the whole lists. */
export type GpuWhyStep = {
  /** Its number on the core, counted from 1. */
  step: number,
  /** Its cycle. */
  cycle: number,
  /** The linear index of its block in the grid. */
  block: number,
  /** The index of its warp in the block. */
  warp: number,
  /** The number of the warp's access, counted from 1. */
  access: number,
  /** The number of its instruction, counted from 1: its place in [`GpuWhyReport::instructions`]. */
  instruction: number,
  /** The index of its array in [`GpuWhyReport::arrays`]. */
  array: number | null,
  /** Where its last data came from. It is `None` for a store. */
  served: WhyLevel | null,
  /** Sectors that it asks for. */
  sectors: number,
  /** Those that the L1 held or that were on their way to it. */
  l1_sectors: number,
  /** Sectors that the L2 was asked for and held. */
  l2_sectors: number,
  /** Sectors that DRAM gave. */
  dram_sectors: number,
  /** The cycle at which the data of a load are there. */
  ready: number | null,
  /** Its lines. A warp asks for each line once. */
  lines: Array<GpuWhyLine>,
  /** The place in `lines` of the line that the rest is about: the first that fits the question, else the first that was
   * fetched, else the first. */
  focus: number,
  /** Whether the L1 was asked for that line. */
  in_l1: boolean,
  /** Whether it goes through a texture cache of its own. What happens there has no reasons here. */
  texture: boolean,
  /** Why its sectors missed in the L1. It is `None` for a hit, a store, and a load that does not use the L1. */
  class: WhyOutcome | null,
  /** Whether a store dropped it from the L1 since its last use. */
  dropped: boolean,
  /** Whether the L1 held the line without these sectors. */
  line_there: boolean,
  /** Whether the L2 held the sectors that DRAM gave before in this launch. */
  l2_had: boolean,
  /** The last access to the line through the same L1. */
  before: GpuWhyUse | null,
  /** Other lines of its set that were used since. */
  set_distance: number | null,
  /** The same over all sets. */
  whole_distance: number | null,
  /** The set of the line in the L1, the most recently used line first. If the line is there, it is listed: in its place, or
   * last. */
  stack: Array<GpuWhyWay>,
  /** The number of lines in that set. */
  stack_count: number,
  /** The place of the line in that set, counted from 0. */
  stack_at: number | null,
  /** Lines on their way to the L1, by their arrival. */
  pending: Array<WhyPending>,
  /** The number of lines on their way. */
  pending_count: number,
  /** Busy registers for misses (MSHRs). */
  busy_mshrs: number,
  /** The other warps of the scheduler. A warp has the cycle from which it can issue, if that is known and to come. */
  warps: Array<WhyWarp>,
  /** For each of them, what it waits for: `ready`, `arithmetic`, `load`, `shared`, `pipe`, `barrier` or `launch`. */
  waits: Array<string>,
  /** The number of those warps. */
  warp_count: number };

/** The last access of the same part of the core to the same line. */
export type GpuWhyUse = {
  /** Its step. */
  step: number,
  /** Its cycle. */
  cycle: number,
  /** The linear index of its block in the grid. */
  block: number,
  /** The index of its warp in the block. */
  warp: number };

/** A line in a set of the L1. */
export type GpuWhyWay = {
  /** Its first byte address, as hexadecimal text. */
  line: string,
  /** Sectors that are there or on their way. */
  sectors: number,
  /** The cycle at which the last of them arrives, if some are on their way. */
  arrives: number | null };

/** A run with a change, and where the same line comes from in it. */
export type GpuWhyWhatIf = {
  /** What is changed. */
  change: WhyChange,
  /** The new value. */
  value: string,
  /** Where its data come from in that run. */
  served: WhyLevel };

/** A visitor's guess about a hidden GPU. Absent values count as wrong. */
export type Guess = {
  /** Whether global loads use the L1. */
  global_in_l1: boolean,
  /** The guess about each cache, by memory. */
  caches: { [key in string]: CacheGuess },
  /** The latency of shared memory, in cycles. */
  shared_cycles: number,
  /** The latency of main memory, in cycles. */
  main_cycles: number };

/** What a visitor hands in. */
export type HandIn = {
  /** The version of this format, which is 1. */
  warpscope_answers: number,
  /** Who hands in: a person or a group. */
  name: string,
  /** The answers. */
  answers: Array<HandedAnswer> };

/** One answer of a hand-in. */
export type HandedAnswer = {
  /** The identifier of the exercise. */
  exercise: string,
  /** The seed of its parameters. */
  seed: number,
  /** The answer. */
  given: GivenAnswer,
  /** Whether the page found it right. */
  right: boolean,
  /** The fingerprint of the verdict under the name. */
  fingerprint: string,
  /** How often the visitor had it checked. */
  tries: number,
  /** How many hints the visitor opened. */
  hints: number };

/** The selection of a hidden GPU. */
export type Hidden = {
  /** The seed of the mystery GPU and of the noise of its times. */
  seed: number,
  /** A preset instead of a mystery GPU. */
  gpu: string | null,
  /** The standard deviation of the times as a share of them, at most 0.5. The default is the GPU's own. */
  noise: number | null,
  /** The share of loads that something other than the GPU delays, at most 0.5. The default is the GPU's own. */
  outliers: number | null };

/** The parameters of a run of HP-RDA. */
export type HpRdaNote = {
  /** ST: references in a thread trace. */
  st: number,
  /** NB: threads in a block. */
  nb: number,
  /** NTB: blocks. */
  ntb: number,
  /** ef, formula 3 of IPDPS'12. */
  ef: number,
  /** True if distances above M were multiplied by ef. */
  adjusted: boolean };

/** What HP-RDA's step 1 found. */
export type HpRdaTrace = {
  /** Accesses. */
  references: number,
  /** Distinct lines. */
  distinct: number,
  /** Accesses whose line was accessed before. */
  repeats: number };

/** The input that was read. */
export type InputInfo = {
  /** `stream`, `kernels` or `none`. */
  kind: 'stream' | 'kernels' | 'none',
  /** The line size that suits the input: 1 for numbers that already are lines, 64 for CPU streams, and 128 for GPU
   * traces. */
  line_bytes: number,
  /** The names of the kernels, in launch order. */
  kernels: Array<string>,
  /** The accesses of address streams without instruction fetches. */
  accesses: number,
  /** The bytes of the compressed addresses. It is `None` if they are too many to be kept. Every analysis then reads
   * the files again. */
  kept_bytes: number | null,
  /** The name, size and hash of each file. */
  files: Array<FileId>,
  /** The formats of the address streams among the files. */
  formats: Array<string>,
  /** Keys of the formats that the content of one file fits equally well. It is empty if there is no doubt. */
  candidates: Array<string>,
  /** The key of the format that this file was read as. */
  read_as: string,
  /** The diagnostics of all files. */
  diagnostics: Array<Diagnostic> };

/** Warp instructions by class; loads, stores and atomics of global, shared, local, constant and texture memory. */
export type InstructionCounts = { integer: number, fp32: number, fp64: number, special: number, loads: [number, number, number, number, number], stores: [number, number, number, number, number], atomics: [number, number, number, number, number], branch: number, barrier: number, other: number };

/** An instruction of a trace that accesses memory. */
export type InstructionPlace = {
  /** The program counter as hexadecimal text. It is empty if the trace has none. */
  pc: string,
  /** The opcode. It is empty if the trace has none. */
  opcode: string,
  /** The memory space. */
  space: string,
  /** `load`, `store` or `atomic`. */
  kind: string,
  /** Bytes per lane. */
  bytes: number,
  /** The line of the source file, if the trace names it. */
  line: number | null };

/** The requests of one instruction. */
export type InstructionRow = {
  /** The program counter as hexadecimal text. It is empty if the trace has none. */
  pc: string,
  /** The opcode. It is empty if the trace has none. */
  opcode: string,
  /** The memory space. */
  space: string,
  /** `load`, `store` or `atomic`. */
  kind: string,
  /** Bytes per lane. */
  bytes: number,
  /** The line of the source file, if the trace names it. */
  line: number | null,
  /** Line requests to the L1. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Compulsory misses. In `reference` these are all requests at infinite distance. */
  compulsory: number,
  /** Capacity misses. In `reference` these are all misses at a finite distance. */
  capacity: number,
  /** Associativity misses. There are none in `reference`. */
  associativity: number,
  /** Latency misses. There are none in `reference`. */
  latency: number };

/** What the dropped files, or an example, hold. */
export type Intake = {
  /** The files, in the order in which they came. */
  files: Array<FileInfo>,
  /** The kernels of all files, by number. */
  kernels: Array<KernelInfo>,
  /** Launches whose traces do not fit in memory, which the model `gpu` runs block by block. Their numbers follow those
   * of the kernels. */
  long_launches: number,
  /** Name of the dropped topology, if there was one; run with the GPU `file`. */
  topology: string | null,
  /** The model that runs for this topology where nobody chose one. */
  topology_model: Model | null,
  /** What a profiler measured, if its output is among the files. */
  profile: ProfileInfo | null,
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
  /** The number of the kernel among all that were read, counted from 1, as `--kernel` takes it. */
  number: number,
  /** The name of the kernel as the trace has it. */
  name: string,
  /** The number of blocks in the grid, in x, y and z. */
  grid: [number, number, number],
  /** The number of threads in a block, in x, y and z. */
  block: [number, number, number],
  /** The number of blocks in the trace. */
  blocks_present: number,
  /** The number of threads in these blocks. */
  threads: number,
  /** The number of warps in the trace. */
  warps: number,
  /** The number of lines in the trace. */
  instructions: number,
  /** The number of lines with active lanes and an address. */
  memory_instructions: number,
  /** The number of lane addresses by space and kind, such as `global_load`. */
  accesses: { [key in string]: number },
  /** The arrays in order of address. */
  arrays: Array<ArrayInfo> };

/** The result of one kernel launch. */
export type KernelReport = {
  /** The number of the kernel among all that were read, counted from 1. */
  number: number,
  /** The name of the kernel as the trace has it. */
  name: string,
  /** The number of blocks in the grid, in x, y and z. */
  grid: [number, number, number],
  /** The number of threads in a block, in x, y and z. */
  block: [number, number, number],
  /** Line requests to the L1. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** All misses but latency misses, divided by the requests. In `reference` it is the rate that the program reports. */
  miss_rate: number,
  /** All misses divided by the requests. */
  miss_rate_with_latency: number,
  /** The misses by class, as the model counts them. */
  misses: Misses,
  /** The misses by class, as differences between the four runs. It is `None` in `reference`, where `misses` already
   * are these differences. */
  differential: Misses | null,
  /** The requests by reuse distance within their set. */
  histogram: Record<string, number>,
  /** The tick at which the last warp finished. */
  ticks: number,
  /** The number of issues that were postponed because the MSHRs were busy. */
  cancels: number,
  /** The four runs of `reference`: full, one set, no latency, and unlimited MSHRs. It is empty in `paper`. */
  cases: Array<Case>,
  /** The requests by array. */
  arrays: Array<ArrayRow>,
  /** The requests by instruction. */
  instructions: Array<InstructionRow>,
  /** The requests by set. */
  sets: Array<SetRow>,
  /** The requests of the warps with most misses. */
  warps: Array<WarpRow>,
  /** The requests by core. */
  cores: Array<CoreRow>,
  /** The miss rate and the use of MSHRs over time. */
  timeline: Array<TimeRow>,
  /** The main cause of the misses. */
  verdict: Verdict,
  /** What the kernel asks for and moves, beside the least. It is `None` if only some of the cores are modelled. It is no
   * part of the fingerprint. */
  work: Work | null };

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
  value: string,
  /** Where a guessed value comes from, such as `host line 12`; empty if the text gives it. */
  origin: string };

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
  items: Array<LaunchItem>,
  /** Where guessed blocks come from; empty if the text gives them. */
  blocks_origin: string,
  /** Where guessed threads come from. */
  threads_origin: string };

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

/** The caches before each launch, in the model `gpu`. */
export type LaunchState = "cold" | "copies" | "replay" | "warm";

/** How a figure is drawn. */
export type Look = {
  /** The width in px. */
  width: number,
  /** Selects the dark theme. */
  dark: boolean,
  /** The part of a long axis that is drawn, as shares of the whole: 0 and 1 are its ends. */
  range: [number, number] };

/** The measurement of a machine, from which a topology is made. */
export type Machine = {
  /** `CPU in this browser`, or the name of the GPU adapter. */
  name: string,
  /** The vendor, or `unknown`. */
  vendor: string,
  /** How and where the values were measured. It becomes the source of each measured value. */
  source: string,
  /** The number of cores, if the browser tells it. The source of the value then names the browser. */
  cores: number | null,
  /** The lanes of a warp. A CPU has 1. */
  lanes: number,
  /** The size of each level in bytes, nearest first. */
  sizes: Array<number>,
  /** The latency in nanoseconds of each level, and of the memory beyond the last one. */
  latencies: Array<number>,
  /** The line size in bytes, if a vote of the measurements determined it. */
  line: number | null,
  /** True if a program emulates the GPU. No value then counts as measured. */
  software: boolean };

/** The levels of a latency curve, as plain numbers. */
export type MachineLevels = {
  /** Array sizes in bytes, ascending. */
  sizes: Array<number>,
  /** The least time per load over the repetitions, in nanoseconds, by array size. */
  least: Array<number>,
  /** The largest time per load over the repetitions, in nanoseconds, by array size. */
  most: Array<number>,
  /** Each flat part of the curve: its latency in nanoseconds, and its first and last size in bytes. */
  levels: Array<[number, number, number]>,
  /** Each boundary between levels: the sizes in bytes where the step has risen by 70 %, by 15 % and by 85 %. */
  boundaries: Array<[number, number, number]> };

/** An address mapping, as bit numbers. */
export type MappingBits = {
  /** The address bits that select the column. */
  column: Array<number>,
  /** For each bit of the bank number, the address bits whose parity it is. */
  bank: Array<Array<number>>,
  /** The address bits that select the row and take no part in the bank number. */
  row: Array<number> };

/** What files of measurements hold. */
export type Measured = {
  /** The GPU that they describe. */
  topology: TopologyView | null,
  /** The sizes, judged. */
  measurements: Array<Measurement>,
  /** The sizes by three rules. */
  agreement: Array<Agreement>,
  /** What was wrong. */
  diagnostics: Array<Diagnostic> };

/** One value by one rule. */
export type Measurement = {
  /** The name of the file that holds the value. */
  file: string,
  /** `l1`, `texture`, `read_only`, `constant_l1`, `constant_l1_5`, `l2`, `l3`, `scalar_l1`, `shared` or `main`; of a
   * curve of gpu-benches `level_1` to `level_8`, because it does not tell which memory answers. */
  memory: string,
  /** `size`, `line_size`, `fetch_granularity`, `segment_size`, `latency_mean`, `latency_p50`, `latency_p95` or
   * `bandwidth`. */
  kind: string,
  /** `thesis` or `mt4g` for a value by that rule, `warpscope` for one by our rule, and `reported` for one in mt4g's
   * JSON. */
  rule: 'thesis' | 'mt4g' | 'warpscope' | 'reported',
  /** The value. It is null if the rule finds no change point. */
  value: number | null,
  /** `bytes`, `cycles` or `GB/s`. */
  unit: string,
  /** The 95 % interval, if the rule computes one. */
  interval: [number, number] | null,
  /** The two-sample Kolmogorov–Smirnov D, if the rule computes it. */
  ks_d: number | null,
  /** The permutation p-value, if the rule computes it. */
  p: number | null,
  /** The values that single estimators found, by the name of the estimator. */
  estimators: { [key in string]: number } };

/** A memory that a programmer can choose for an array. */
export type Memory = "global" | "texture1d" | "texture2d" | "constant" | "shared";

/** The misses of one run by class. */
export type Misses = {
  /** The first request for the line on its core. */
  compulsory: number,
  /** Misses that would also occur in a fully associative cache of the same size. */
  capacity: number,
  /** Misses that would be hits in a fully associative cache of the same size. */
  associativity: number,
  /** Misses of a line that is already in flight. */
  latency: number,
  /** The misses in excess of those with unlimited MSHRs. The number is negative if limited MSHRs save misses. */
  mshr: number };

/** A model of the Cache tab. */
export type Model = "paper" | "reference" | "gpu";

/** What another simulator says. */
export type OtherModel = {
  /** Its name. */
  name: string,
  /** Its value, as published. */
  value: number,
  /** Its error, in the unit of ours. */
  error: number | null };

/** The result of an experiment. */
export type Outcome = { "kind": "sizes" } & Curve | { "kind": "walk" } & WalkOutcome | { "kind": "shares" } & SharesOutcome;

/** What a step of an experiment on a hidden GPU says. */
export type OutcomeStep<T> = {
  /** Work done. */
  done: number,
  /** Work in all. */
  total: number,
  /** What was found, when the experiment is over. */
  outcome: T | null };

/** A value of the outlook's experiments. */
export type OutlookRow = {
  /** `instruction_cache`, `page`, `tlb`, `bandwidth`, `l2_parts` or `cores_sharing`. */
  quantity: string,
  /** The number of the level from 1, or the name of the memory. */
  of: string,
  /** `bytes`, `bytes_per_cycle` (of a core, when all cores read) or `count`. */
  unit: string,
  /** The value found. It is null if there was no change or only a bound is known. */
  found: number | null,
  /** The value is at least this. */
  at_least: number | null,
  /** The 95 % interval. */
  interval: [number, number] | null,
  /** The hidden value. */
  truth: number,
  /** Whether the finding is right. */
  right: boolean };

/** What is thrown: something to read. */
export type PageError = {
  /** Why, and what to do. */
  diagnostics: Array<Diagnostic> };

/** A row before it ran. */
export type PaperOutline = {
  /** The row. */
  id: string,
  /** The key of the paper. */
  paper: string,
  /** The title of the paper. */
  title: string,
  /** The place in the paper. */
  item: string,
  /** What is compared. */
  what: string };

/** All rows that ran. */
export type PaperReport = {
  /** The counts. */
  totals: PaperTotals,
  /** The rows in the order of the list. */
  rows: Array<PaperResult> };

/** A row that ran. */
export type PaperResult = {
  /** The row. */
  id: string,
  /** The key of the paper. */
  paper: string,
  /** The place in the paper. */
  item: string,
  /** What is compared. */
  what: string,
  /** The unit of the values, or an empty text. */
  unit: string,
  /** What the published values are: `printed`, `hardware`, `own` or `none`. */
  origin: 'printed' | 'hardware' | 'own' | 'none',
  /** Published and ours. */
  values: Array<PaperValue>,
  /** The largest difference, with its sign. */
  worst: number | null,
  /** A larger difference makes the row red. `None` where nothing can be compared. */
  bound: number | null,
  /** How it came out. */
  verdict: PaperVerdict,
  /** A difference is larger than the bound, or ours could not be computed. */
  red: boolean,
  /** The row is red where that is known, and not red elsewhere. */
  expected: boolean,
  /** Why values differ, or why nothing can be compared. It is empty for rows that must be exact. */
  because: string,
  /** The hash of a link that opens the run, where there is one. */
  link: string | null };

/** How many rows came out how. */
export type PaperTotals = {
  /** Rows that ran. */
  rows: number,
  /** All values equal. */
  exact: number,
  /** A value differs. */
  differs: number,
  /** Nothing can be compared. */
  cannot: number,
  /** Ours could not be computed. */
  failed: number,
  /** Red. */
  red: number,
  /** Red where that is not known, or not red where it is. */
  unexpected: number };

/** One published value beside ours. */
export type PaperValue = {
  /** What of the row it is, such as `128 threads`. */
  label: string,
  /** The published value, or `–`. */
  published: string,
  /** Ours, or `–`. */
  ours: string,
  /** Ours minus the published value, for numbers. In percent of it for a relative value. */
  difference: number | null,
  /** The difference is in percent of the published value. */
  relative: boolean,
  /** Both are the same, in the digits that were published. `None` where only one of them exists. */
  equal: boolean | null };

/** How a row came out. */
export type PaperVerdict = "exact" | "differs" | "cannot" | "failed";

/** A parameter as the page's form and `warpscope presets` show it. */
export type Parameter = {
  /** The key for `--set` and links. */
  key: string,
  /** The name that people read. */
  label: string,
  /** The unit. It is empty for counts and choices. */
  unit: string,
  /** The value that the topology gives. */
  value: string,
  /** `integer`, `number`, `boolean` or `choice`, or `fact` for a value that cannot be set. */
  kind: 'integer' | 'number' | 'boolean' | 'choice' | 'fact',
  /** The values of a choice. It is empty for other kinds. */
  choices: Array<string>,
  /** What a number may be, in words. It is empty for other kinds. */
  range: string,
  /** A sentence that says what the parameter does. */
  help: string,
  /** `official`, `measured` or `assumed` for a value of the GPU, and `option` for a switch of the model. */
  status: string,
  /** The document or measurement that the value is from. */
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

/** An array and the memories that it may go to. */
export type PlaceArray = {
  /** The name of the array. */
  name: string,
  /** True if the range was guessed from gaps between addresses. */
  guessed: boolean,
  /** The first byte as hexadecimal text. */
  base: string,
  /** The length in bytes. */
  bytes: number,
  /** The bytes of an element. */
  element: number,
  /** The number of elements in a row if the array is a 2D texture. */
  width: number,
  /** The numbers of warp loads, stores and atomics. */
  accesses: [number, number, number],
  /** The bytes of the array that a block keeps in shared memory, and how often it fills them. It is null if the
   * tiles were not analysed. */
  tile: [number, number] | null,
  /** By memory, the reason why the array may not go there. It is null if it may. */
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
  model: 'default' | 'paper',
  /** What the printed model is given. */
  paper: PlacePaper,
  /** The model of the banks' queues; empty: the model's own. */
  queue: string,
  /** Terms that are left out. */
  without: Array<string>,
  /** Coefficients of the overlap as JSON; null without. */
  overlap: string | null,
  /** Names by first byte. */
  names: { [key in string]: string },
  /** Ranges of arrays that a person changed. */
  ranges: string,
  /** Whether a person has confirmed guessed ranges. */
  confirmed: boolean };

/** Changes of the text, alone or together, in one placement, and what became of them. */
export type PlaceChange = {
  /** The names of the changes: `restrict`, `readonly`, `padding`, `block=32x8` (with a grid of as many threads) or
   * `threads=32x8` (with the grid as it is), and `block` for all blocks that are not possible for one reason. It is empty for a placement without
   * other changes. */
  changes: Array<string>,
  /** The memory of each array, by its name. */
  placement: { [key in string]: Memory },
  /** The time on the whole GPU in microseconds. It is null if the change is not possible. */
  machine_microseconds: number | null,
  /** The chance to be the fastest of all placements and changes that ran. It is null if it did not run. */
  chance: number | null,
  /** True if the time is so close to the best that the model cannot distinguish the two. */
  tie: boolean,
  /** Why the time is another than that of the placement without the changes, or why the change is not possible. It is empty
   * for a placement without other changes. */
  reason: string };

/** A count or a time of the model, in the trace's placement and in the placement whose details are shown. */
export type PlaceCount = {
  /** The key of the count. */
  key: string,
  /** The value in the trace's placement. */
  before: number,
  /** The value in this placement. */
  after: number };

/** The input that was read. */
export type PlaceInput = {
  /** The kernels in launch order. */
  kernels: Array<PlaceKernel>,
  /** The name of the topology among the files, if there is one. */
  topology: string | null,
  /** The diagnostics of all files. */
  diagnostics: Array<Diagnostic> };

/** A kernel that the visitor can select. */
export type PlaceKernel = {
  /** The number of the kernel, counted from 1. */
  number: number,
  /** The name of the kernel as the trace has it. */
  name: string,
  /** The number of warp accesses in the trace. */
  accesses: number };

/** A placement and its predicted time, as a line of the page's ranking. */
export type PlaceLine = {
  /** The memory of each array, in order of address. */
  placement: Array<Memory>,
  /** T of the equations in SM cycles. */
  cycles: number,
  /** T of the equations in microseconds at the GPU's clock. */
  microseconds: number,
  /** The time of the moved kernel on the whole GPU in microseconds. It is null if this placement did not run there. */
  machine_microseconds: number | null,
  /** The same in SM cycles. */
  machine_cycles: number | null,
  /** Of these, the cycles in which a scheduler issued, on average over the schedulers. In the others it waited. */
  machine_issuing: number | null,
  /** Tcomp in cycles. */
  t_comp: number,
  /** Tmem in cycles. */
  t_mem: number,
  /** Toverlap in cycles. */
  t_overlap: number,
  /** True if the time is so close to the best that the model cannot distinguish the two. */
  tie: boolean,
  /** The chance to be the fastest of those that ran on the machine. It is null for others, or if it was not requested. */
  chance: number | null };

/** The details of one placement. */
export type PlaceLook = {
  /** The placement with its predicted time. */
  line: PlaceLine,
  /** The reason why the placement is not possible. It is null if it is. */
  illegal: string | null,
  /** Why the time is another than in the trace: a sentence for all moves if several ran on the machine together, then one
   * for each array that has another memory than in the trace. */
  reasons: Array<string>,
  /** What the machine counted, if the trace's placement and this one ran there. */
  machine_counts: Array<PlaceCount>,
  /** The terms and counts of the equations. It is empty if they contradict the machine: if they have this placement
   * faster and the machine has it slower, or the other way round. */
  counts: Array<PlaceCount>,
  /** The banks of main memory by the equations. */
  banks: Array<BankRow>,
  /** The events that lie outside of the range on which the overlap was trained. */
  outside: Array<string>,
  /** CUDA text that puts the arrays into these memories. */
  snippet: string,
  /** True if it is the whole file that the kernel comes from, rewritten. Otherwise it is a text to start from. */
  rewritten: boolean,
  /** What the reader of a rewritten text has to know, in sentences. */
  rewrite_notes: Array<string> };

/** What was measured of the sample placement, and choices where the paper is open. */
export type PlacePaper = {
  /** The sample's time, µs; null: the model of the whole GPU supplies it. */
  time_us: number | null,
  /** Whether the time is by the model of the whole GPU. */
  simulated: boolean,
  /** Executed warp instructions of the launch. */
  inst_executed: number | null,
  /** Issued warp instructions of the launch. */
  inst_issued: number | null,
  /** Bytes of constant memory that the module keeps. */
  static_constants: number,
  /** The rule of the overlap; empty: coefficients decide. */
  overlap: '' | 'sample' | 'trained' | 'sample+trained' | 'sim',
  /** Γ of equation 16; null: 0. */
  gamma: number | null,
  /** The time of an instruction between two arrivals; empty: EIT. */
  arrivals: '' | 'eit' | 'cycle' };

/** A kernel that is ready for the search. */
export type PlacePrepared = {
  /** The number of the kernel, counted from 1. */
  number: number,
  /** The name of the kernel. */
  kernel: string,
  /** The name of the GPU. */
  gpu: string,
  /** The arrays in order of address. */
  arrays: Array<PlaceArray>,
  /** The placement in the trace. */
  sample: PlaceLine,
  /** The time from which the model `paper` predicts. It is null for the other model, and before the sample ran on
   * the whole GPU. */
  sample_time: SampleTime | null,
  /** The product of the numbers of memories that each array may go to. */
  nominal: number,
  /** The same number if the search evaluates every placement. It is null if the search is guided by a bound. */
  numbers: number | null,
  /** The number of warp accesses in the trace. */
  accesses: number,
  /** The number of blocks in the trace, and in the launch. */
  blocks: [number, number],
  /** Everything that the model leaves out or assumes for this kernel, in sentences. */
  notes: Array<string>,
  /** True if other changes of the kernel's text can run too. */
  changeable: boolean };

/** The best placements that a search has found so far. */
export type PlaceRanking = {
  /** The number of legal placements. It is null if there are too many to enumerate. */
  legal: number | null,
  /** The number of evaluated placements. */
  evaluated: number,
  /** The greatest possible excess of the best time found over the best time that exists, as a share. It is 0 if the
   * placement found is the best, and null as long as there is no bound. */
  gap: number | null,
  /** The placements, best first. */
  lines: Array<PlaceLine>,
  /** The number of the placement to choose among them: of those that tie with the best one, the first that moves the
   * fewest arrays. It is null if nothing was found yet. */
  recommended: number | null };

/** The progress of a search. */
export type PlaceStanding = {
  /** The units of work that are done. */
  done: number,
  /** The units of work in all. */
  total: number,
  /** The number of evaluated placements. */
  evaluated: number,
  /** The least predicted time so far in cycles. It is null before the first evaluation. */
  best: number | null,
  /** True if this session has no work left. */
  finished: boolean };

/** What a step of a sweep's point says. */
export type PointStep = {
  /** Work done, in the model's units. */
  done: number,
  /** Work in all. */
  total: number,
  /** The row, when the point is over. */
  row: SweepRow | null };

/** The properties of the input that are known before an analysis. */
export type Prepared = {
  /** The number of accesses in the stream. */
  accesses: number,
  /** The number of distinct lines, exact or estimated with a standard error below 0.8 %. */
  distinct: number,
  /** True if the distinct lines were counted exactly. */
  distinct_exact: boolean,
  /** The line size in bytes. It is larger than requested if the cache model has larger lines. */
  line_bytes: number,
  /** True if every line number fits in 32 bits. */
  narrow: boolean,
  /** The bytes of the input that are kept in memory. */
  held_bytes: number,
  /** The bytes at the peak of an exact analysis with rank bits. */
  rank_bytes: number,
  /** The bytes at the peak of an exact analysis with the inversion count. */
  offline_bytes: number,
  /** The bytes at the peak of HP-RDA. */
  hp_rda_bytes: number,
  /** The engine that [`SessionEngine::Auto`] selects. */
  engine: 'rank' | 'offline',
  /** The reason for this engine: `streamed_survey`, `groups`, `few-lines`, `many-accesses` or `many-lines`. */
  why: 'passing' | 'groups' | 'few-lines' | 'many-accesses' | 'many-lines',
  /** True if the analysis counts kernels and arrays separately. */
  grouped: boolean };

/** A GPU that needs no file. */
export type PresetInfo = {
  /** The identifier that `--gpu` takes. */
  id: string,
  /** The name that people read. */
  name: string,
  /** The vendor, such as `NVIDIA`. */
  vendor: string,
  /** The L1's size, lines and ways, and the number of cores, in one line. */
  summary: string,
  /** The model that runs where nobody chose one. */
  default_model: Model };

/** A report of the model beside a profile. */
export type ProfileComparison = {
  /** The tool that measured. */
  tool: string,
  /** The GPU that was measured, as the tool names it. It is empty if the file does not say. */
  device: string,
  /** The kernels that the profile has, in the order of the report. */
  kernels: Array<ComparedKernel>,
  /** What is known to differ, and what could not be compared, in sentences. */
  notes: Array<string> };

/** What a profiler measured. */
export type ProfileInfo = {
  /** The name of the tool. */
  tool: string,
  /** The state of the caches that it measures from. */
  state: LaunchState,
  /** How many launches it measured. */
  launches: number };

/** A rule that reduces the times of an array size to one number (thesis 3.3.2). */
export type Reduction = "cut" | "distance" | "sliding" | "angle" | "mean" | "rms";

/** The report of any model. Its field `model` tells the two kinds apart, also in JSON and for the page. */
export type Report = CacheReport | GpuReport;

/** A chart of the Reuse tab. */
export type ReuseChart = { "kind": "distances",
  /** The least distance, the largest distance and the accesses of each bar, ascending. */
  bars: Array<[number, number, number]>,
  /** Accesses at infinite distance. It is `None` if they are not shown. */
  firsts: number | null } | { "kind": "curve",
  /** One line per curve. */
  lines: Array<ChartLine>,
  /** Cache sizes and miss ratios of the knees to mark. */
  knees: Array<[number, number]>,
  /** Selects a logarithmic axis of sizes instead of a straight one. */
  logarithmic: boolean,
  /** Bytes of a line. With more than 1, the axis shows the sizes in bytes too. */
  line_bytes?: number } | { "kind": "sweep",
  /** One line per series of values. */
  lines: Array<ChartLine>,
  /** The name of the value, with its unit. */
  title: string };

/** The result of one analysis. */
export type ReuseResult = {
  /** The name of the engine that ran. */
  engine: string,
  /** The number of distinct lines. It is estimated if a sample was taken. */
  distinct: number,
  /** The series of all accesses. */
  all: Series,
  /** One series per kernel, if the input has kernels. */
  kernels: Array<Series>,
  /** One series per array, if the input has arrays. */
  arrays: Array<Series>,
  /** Properties of the sample, if one was taken. */
  sample: SampleNote | null,
  /** Properties of the run of HP-RDA, if that engine ran. */
  hp_rda: HpRdaNote | null,
  /** The difference to the exact result, if there is one and this result is another. */
  difference: DifferenceNote | null,
  /** The largest number of bytes that the analysis took. */
  bytes: number,
  /** A hash of all counts. Two results with the same hash have the same histogram. */
  fingerprint: string };

/** What a step of the Reuse tab's analyses says; one of the options is there when the task is over. */
export type ReuseStep = {
  /** Work done. */
  done: number,
  /** Work in all. */
  total: number,
  /** Accesses of the stream that was generated. */
  generated: number | null,
  /** What is known before an analysis. */
  prepared: Prepared | null,
  /** What the analysis found. */
  result: ReuseResult | null,
  /** HP-RDA's step 1. */
  trace: HpRdaTrace | null };

/** The size of a sample and its error. */
export type SampleNote = {
  /** The sampled share of the lines. */
  rate: number,
  /** The number of accesses in the sample. */
  sampled: number,
  /** Cache sizes from 1/rate lines on, each with the error of its miss ratio at 95 % confidence. */
  error_95: Array<[number, number]> };

/** The time of the sample placement from which the printed model predicts. */
export type SampleTime = {
  /** The time in microseconds. */
  microseconds: number,
  /** True if the model of the whole GPU supplied it, and false if it was given as measured. */
  simulated: boolean };

/** The Kolmogorov–Smirnov test of the two sides of a split. */
export type Samples = {
  /** The last size left of the split. It is the result of mt4g's rule if the reduction is mt4g's. */
  split: number,
  /** The reduced numbers left of the split, ascending. */
  left: Array<number>,
  /** The reduced numbers right of the split, ascending. */
  right: Array<number>,
  /** D = max |F − G|. */
  d: number,
  /** The critical D at α for a split that was chosen before the test. */
  critical: number };

/** Something to tell the visitor. */
export type Say = { "words": Words } | { "message": {
  /** Its key. */
  key: string,
  /** What stands in its places. */
  values: { [key in string]: string } } };

/** Everything that a run depends on. */
export type Scenario = {
  /** The version of this format, which is 1. */
  version: number,
  /** The identifier of a built-in example, if no files are the source. */
  example: string | null,
  /** The files that are the source. */
  files: Array<FileId>,
  /** How CUDA text is run, if the source is CUDA text. */
  cuda: CudaSettings,
  /** The identifier of a preset, or `file` for the topology among the files. */
  gpu: string,
  /** The model to run. A link without one means `paper`, the only model of the first links. */
  model: Model,
  /** The state of the caches before each launch. Only the model `gpu` has states. */
  state: LaunchState,
  /** Whether the misses in the L1 get classes, which takes time. The models of one L1 always give them, and only the
   * model `gpu` has this switch. */
  classes: boolean,
  /** The seed of the random miss latencies. The model `gpu` has none. */
  seed: number,
  /** The parameters that differ from those of the topology. */
  set: { [key in string]: string },
  /** The numbers of the kernels to run, counted from 1. It is empty for all kernels. */
  kernels: Array<number>,
  /** True if the caches keep their lines from one kernel to the next. The model `gpu` has [`LaunchState::Warm`] for
   * that. */
  warm: boolean,
  /** The state of the page beside the run. The lab passes it on unread. Its keys are `tab` and keys that begin with
   * the name of a tab. */
  view: { [key in string]: string },
  /** The fingerprint of the result that a link promises. */
  fingerprint: string | null,
  /** The run that the result is compared with. It has no baseline of its own, and its run does not depend on this one. */
  base: Scenario | null };

/** Whether each finding is right. */
export type Scores = {
  /** The number of right findings. */
  right: number,
  /** The number of findings that were compared. */
  of: number,
  /** Whether the use of the L1 by global loads was found. */
  global_in_l1: boolean,
  /** Whether exactly the sharing pairs of memories were found. */
  sharing: boolean,
  /** Whether the latencies of shared and main memory are right. */
  memories: boolean,
  /** Whether each compared value is right, by memory and by value. */
  caches: { [key in string]: { [key in string]: boolean } } };

/** The distances and the miss-ratio curve of all accesses or of a part of them. */
export type Series = {
  /** The key of the series: `all`, `kernel:N`, `array:N`, `sample`, `hp-rda` or `hp-rda-ef`.
   * [`crate::reuse_tab::session::ReuseSession::distance_bars`] takes it. */
  key: string,
  /** The name of the kernel or array. It is empty for other series. */
  name: string,
  /** The number of accesses. */
  accesses: number,
  /** The number of first accesses to a line. */
  firsts: number,
  /** The largest finite distance. It is `None` if there is none. */
  largest: number | null,
  /** Accesses at distance 0, then at distances in powers of two: 1, 2 to 3, 4 to 7 … */
  log2_bins: Array<number>,
  /** The miss ratio by cache size in lines. */
  miss_ratio_curve: Array<[number, number]>,
  /** Cache sizes beyond which a larger cache brings less, with their miss ratios. */
  knees: Array<[number, number]> };

/** The requests to one set. */
export type SetRow = {
  /** Its number. */
  set: number,
  /** Line requests to the L1. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Compulsory misses. In `reference` these are all requests at infinite distance. */
  compulsory: number,
  /** Capacity misses. In `reference` these are all misses at a finite distance. */
  capacity: number,
  /** Associativity misses. There are none in `reference`. */
  associativity: number,
  /** Latency misses. There are none in `reference`. */
  latency: number };

/** What the flaw did to the input. */
export type Severity = "note" | "warning" | "error";

/** Shares of slow loads, alone and beside another thread. */
export type SharesOutcome = {
  /** The labels of the bars: memories or warps. */
  labels: Array<string>,
  /** The share of slow loads of each when it runs alone. */
  alone: Array<number>,
  /** The share of slow loads of each beside the other thread. */
  together: Array<number>,
  /** The limit of a share beside another thread. A share above it means that the two disturb each other. */
  limit: number };

/** A part of a file that is not used. */
export type Skipped = {
  /** What the part is. */
  what: string,
  /** The line of the file, if the part has one. */
  line: number | null,
  /** The reason why it is not used. */
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

/** A key of a scenario and the values that it takes in turn. */
export type SweepAxis = {
  /** A parameter as for `--set`, or one of `gpu`, `model`, `state`, `seed` and `without`. */
  key: string,
  /** Values as text. `x2` and `x1/4` multiply the value that the scenario has without the axis. */
  values: Array<string> };

/** The points of a sweep. */
export type SweepOutline = {
  /** What varies. */
  axes: Array<SweepAxis>,
  /** How many points there are. */
  points: number };

/** The row of a point. */
export type SweepRow = {
  /** The position of the point among all, counted from 1. The last axis varies fastest. */
  point: number,
  /** The values of the axes. */
  values: Array<string>,
  /** The model that ran. It is empty if nothing ran. */
  model: string,
  /** The numbers by name. Which ones there are depends on the model. */
  measures: Record<string, number>,
  /** The fingerprint of the result, as a single run of the point has it. */
  fingerprint: string,
  /** Why the point has no result. */
  error?: string };

/** All rows of a sweep. */
export type SweepTable = {
  /** What varies. */
  axes: Array<SweepAxis>,
  /** The rows in the order of their points. */
  rows: Array<SweepRow> };

/** A placement as a bar of the chart of terms. For a time on the machine, Tcomp are the cycles in which it issued, Tmem the
 * others, and Toverlap is 0. */
export type TermBar = {
  /** The label before the bar. */
  label: string,
  /** Tcomp in cycles. */
  t_comp: number,
  /** Tmem in cycles. */
  t_mem: number,
  /** Toverlap in cycles. */
  t_overlap: number,
  /** True for the placement in the trace. */
  present: boolean,
  /** True for the placement whose details are shown. */
  chosen: boolean };

/** How far the runs of CUDA texts are, for a service that shows nothing of them. */
export type TextsStep = {
  /** Warp instructions that were run. */
  done: number,
  /** Warp instructions in all. */
  total: number,
  /** Whether all texts were run. */
  finished: boolean };

/** The requests of one interval of time. */
export type TimeRow = {
  /** The first tick of the interval. */
  tick: number,
  /** The requests issued in the interval. */
  requests: number,
  /** The misses of any class among them. */
  misses: number,
  /** The mean number of busy MSHRs per issue. */
  mshrs: number };

/** A latency in cycles. */
export type Times = {
  /** The mean without outliers. */
  mean: number,
  /** The standard deviation without outliers. */
  deviation: number, p50: number, p95: number };

/** The meaning of a line, which determines its colour and dash. */
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

/** The sums over the kernels of a report. */
export type Total = {
  /** Line requests to the L1. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** The sums of the misses by class. */
  misses: Misses,
  /** The miss rate over all kernels, defined as in [`KernelReport::miss_rate`]. */
  miss_rate: number,
  /** All misses divided by all requests. */
  miss_rate_with_latency: number,
  /** The sum of the kernels' ticks. The kernels run one after the other. */
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
  /** The same without training. */
  untrained: number,
  /** Placements in the training. */
  rows: number,
  /** Kernels in the training. */
  kernels: number };

/** How far a training is. */
export type TrainingStep = {
  /** Placements that ran. */
  done: number,
  /** Placements in all. */
  total: number,
  /** The coefficients; null until all ran. */
  trained: Trained | null };

/** The hidden values of a cache. */
export type TrueCache = {
  /** The size of an instance, in bytes. */
  size: number,
  /** The bytes that fit before misses begin. They are less than the size if the replacement policy evicts early. */
  usable: number,
  /** The line size in bytes. */
  line_size: number,
  /** The bytes that a miss fetches. */
  fetch_granularity: number, ways: number,
  /** The replacement policy. */
  replacement: string,
  /** The latency of a hit, in cycles. */
  latency: number,
  /** Instances per core. For the L2 it is instances per GPU. */
  amount: number,
  /** The memories in the same cache. */
  shared_with: Array<string> };

/** The hidden values of a GPU. */
export type Truth = {
  /** The standard deviation of the times as a share of them. */
  noise: number,
  /** The share of loads that something other than the GPU delays. */
  outliers: number,
  /** Whether global loads use the L1. */
  global_in_l1: boolean,
  /** The caches by memory. */
  caches: { [key in string]: TrueCache },
  /** The latency of shared memory, in cycles. */
  shared_cycles: number,
  /** The latency of main memory, in cycles. */
  main_cycles: number };

/** The main cause of the misses, from which the page forms a sentence. */
export type Verdict = {
  /** The largest class among the misses. */
  class: keyof Misses | null,
  /** The share of that class in all misses. */
  class_share: number,
  /** The array with most misses of that class. */
  array: string | null,
  /** The share of that array in the class. */
  array_share: number };

/** The times of one walk. */
export type WalkOutcome = {
  /** The memory that the loads went through. */
  memory: string,
  /** The distance from load to load, in bytes. */
  stride: number,
  /** The time of each load in order, in cycles. */
  times: Array<number>,
  /** The limit above which times are slow, in cycles. It is null if the loads do not fall into two groups. */
  slow_from: number | null,
  /** The most frequent distance between slow loads in bytes, and its share of all such distances. */
  distance: [number, number] | null,
  /** The mean without outliers, in cycles. With two groups of loads it is the mean of the fast ones. */
  mean: number,
  /** The median of the same loads, in cycles. */
  p50: number,
  /** The 95th percentile of the same loads, in cycles. */
  p95: number };

/** The requests of one warp. */
export type WarpRow = {
  /** The linear index of the block in the grid. */
  block: number,
  /** The index of the warp in its block. */
  warp: number,
  /** Line requests to the L1. */
  requests: number,
  /** Requests that hit. */
  hits: number,
  /** Compulsory misses. In `reference` these are all requests at infinite distance. */
  compulsory: number,
  /** Capacity misses. In `reference` these are all misses at a finite distance. */
  capacity: number,
  /** Associativity misses. There are none in `reference`. */
  associativity: number,
  /** Latency misses. There are none in `reference`. */
  latency: number };

/** A change of a parameter that could have made an access hit. */
export type WhyChange = "ways" | "one_set" | "set_index" | "no_latency" | "mshrs" | "one_block" | "stores" | "through_l1" | "whole_lines" | "l2_bytes" | "copies";

/** Where the last data of an access came from. */
export type WhyLevel = "l1" | "l2" | "dram";

/** What a step is, or how the cache answers it. */
export type WhyOutcome = "hit" | "compulsory" | "capacity" | "associativity" | "latency" | "cancelled" | "store";

/** A request in flight. */
export type WhyPending = {
  /** The first byte address of the line, as hexadecimal text. */
  line: string,
  /** The tick of its effect. */
  due: number,
  /** True if it holds an MSHR. */
  mshr: boolean };

/** What a step of a question about an access says. */
export type WhyProgress = {
  /** Work done. */
  done: number,
  /** Work in all. */
  total: number,
  /** The answer, when the question is over. */
  report: WhyReport | null,
  /** The answer for the model `gpu`. */
  gpu: GpuWhyReport | null };

/** The answer to a question about an access of a kernel. */
export type WhyReport = {
  /** The number of the kernel among all that were read, counted from 1. */
  kernel: number,
  /** Its name. */
  name: string,
  /** The core of the steps. */
  core: number,
  /** The number of cores that run the kernel. */
  cores: number,
  /** The wanted step. */
  step: number,
  /** The number of steps of the core. */
  core_steps: number,
  /** How many of them are tries of an access that was cancelled. */
  core_cancelled: number,
  /** How many accesses fit the filter, if the question was for one of them. */
  matches: number | null,
  /** Ways of a set. */
  ways: number,
  /** Sets of the cache. */
  sets: number,
  /** Bytes of a line. */
  line_bytes: number,
  /** MSHRs of a core. It is `None` if they are unlimited. */
  mshrs: number | null,
  /** The arrays of the kernel. */
  arrays: Array<ArrayPlace>,
  /** The instructions of the kernel that access memory. */
  instructions: Array<InstructionPlace>,
  /** For each of them, the index of the array in [`WhyReport::arrays`]. It is `None` where there are several or none. */
  instruction_arrays: Array<number | null>,
  /** The wanted step with its neighbours, in order. */
  steps: Array<WhyStep>,
  /** What would have made the wanted access hit, as runs of the kernel say. It is empty if that was not asked for. */
  what_if: Array<WhyWhatIf> };

/** A step of a core, with the state before it. Lists have at most 32 entries, and the counts are those of the whole lists. */
export type WhyStep = {
  /** Its number on the core, counted from 1. */
  step: number,
  /** Its tick. */
  tick: number,
  /** The linear index of its block in the grid. */
  block: number,
  /** The index of its warp in the block. */
  warp: number,
  /** The number of the warp's access, counted from 1. */
  access: number,
  /** The number of its instruction, counted from 1: its place in [`WhyReport::instructions`]. */
  instruction: number,
  /** The index of its array in [`WhyReport::arrays`]. */
  array: number | null,
  /** The first byte address of the line, as hexadecimal text. */
  line: string,
  /** The set of the line. */
  set: number,
  /** What happens. */
  outcome: WhyOutcome,
  /** The number of other lines of the set that were used since. It is `None` for a line that is not on the stack. */
  distance: number | null,
  /** The same over all sets. */
  whole_distance: number | null,
  /** The tick at which the line arrives, if it is in flight. */
  arrives: number | null,
  /** The tick at which the request takes effect on the stack. It is `None` for a cancelled access or a store. */
  due: number | null,
  /** Busy MSHRs before the step. */
  busy_mshrs: number,
  /** Busy MSHRs after it. */
  busy_mshrs_after: number,
  /** MSHRs that a cancelled access needs. */
  needed_mshrs: number | null,
  /** The last request for the line. */
  before: WhyUse | null,
  /** The stack of the set by lines, the most recent one first. */
  stack: Array<string>,
  /** The number of lines on that stack. */
  stack_lines: number,
  /** The requests in flight, by the tick of their effect. */
  pending: Array<WhyPending>,
  /** The number of requests in flight. */
  pending_count: number,
  /** The warps in the queue behind this one, the next one first, and then those that wait for their requests. */
  warps: Array<WhyWarp>,
  /** The number of warps in the queue behind this one. */
  ready_count: number,
  /** The number of warps that wait. */
  waiting_count: number };

/** The last request for the same line on the same core. */
export type WhyUse = {
  /** Its step. */
  step: number,
  /** Its tick. */
  tick: number,
  /** The linear index of its block in the grid. */
  block: number,
  /** The index of its warp in the block. */
  warp: number,
  /** The number of its instruction. */
  instruction: number,
  /** How the cache answered it. */
  outcome: WhyOutcome,
  /** How many requests of the core came between the two. */
  requests_between: number };

/** A warp behind the one that issues. */
export type WhyWarp = {
  /** The linear index of its block in the grid. */
  block: number,
  /** Its index in the block. */
  warp: number,
  /** The tick at which it returns to the queue. It is `None` for a warp in the queue. */
  until: number | null };

/** A run with a change, and how it answers the same access. */
export type WhyWhatIf = {
  /** What is changed. */
  change: WhyChange,
  /** The new value. */
  value: string,
  /** How that run answers the access. */
  outcome: WhyOutcome };

/** A text by language, as `en` or `zh`. Every text has English. */
export type Words = { [key in string]: string };

/** The work of a launch. */
export type Work = {
  /** Bytes of a request: a line in the models of one L1, a sector in `gpu`. */
  request_bytes: number,
  /** Loads through the L1. */
  loads: WorkAsked,
  /** Stores to global and local memory. */
  stores: WorkAsked,
  /** Atomics on global memory, which run at the L2. */
  atomics: WorkAsked,
  /** Bytes that the L1s, or the cores where loads pass by the L1, fetch from the level below. */
  l1_bytes: number,
  /** Bytes that the L2 reads from DRAM, in the model `gpu`. */
  l2_bytes: number | null,
  /** The least of both: each line or sector that the launch's loads touch, once. */
  least_bytes: number,
  /** Each line or sector that a block's loads touch, once per block. */
  block_bytes: number,
  /** How often the loads ask for each word of their data. The lanes of a warp instruction count once. */
  uses: number,
  /** What makes it more than the least. */
  advice: WorkAdvice };

/** The main reason why a kernel asks for more, or moves more, than its data would take. */
export type WorkAdvice = {
  /** The reason. */
  cause: WorkCause,
  /** How many times the least. It is 1 where there is nothing to win. */
  factor: number,
  /** The instructions that it is about. */
  of: 'loads' | 'stores' | 'atomics',
  /** The array with most of it, where that is known. */
  array: ArrayPlace | null };

/** What the warp instructions of one kind ask for. */
export type WorkAsked = {
  /** Warp instructions. */
  instructions: number,
  /** Their requests. */
  requests: number,
  /** The requests that would do if the bytes of an instruction's lanes lay side by side. */
  least: number };

/** Why a kernel asks for or moves more than the least. */
export type WorkCause = "idle" | "coalescing" | "sharing_in_block" | "sharing_across_blocks" | "sets" | "capacity" | "lost" | "least";
