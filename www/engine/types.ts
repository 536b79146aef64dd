// The plain data that crosses from the engine (Rust, in a worker) to the page. Field names equal the CLI's JSON.
// Rates are fractions, sizes bytes, times model ticks unless a name says otherwise.

export type Severity = 'note' | 'warning' | 'error';

export interface Diagnostic {
  severity: Severity;
  file: string;
  line: number | null;
  expected: string;
  found: string;
  help: string;
}

export type Model = 'paper' | 'reference';

/** A file the person dropped. The link carries these three and asks for the file again. */
export interface FileId {
  name: string;
  size: number;
  sha256: string;
  /** What it must be read as where its content alone does not say so. */
  format: string | null;
}

/** How CUDA text is made into a trace. */
export interface CudaSettings {
  /** The accesses of the text, or those that the compiler leaves. */
  form: 'written' | 'compiled';
  /** A launch in place of the text's own. */
  launch: string | null;
  /** Sizes in place of the launch's own. */
  sizes: Record<string, string>;
  /** The text, where a link carries it. */
  text: string | null;
}

/** What to run: everything a link has to say. `set` holds only what differs from the GPU's own values. */
export interface Scenario {
  version: 1;
  /** Id of a built-in example, or null when files are the source. */
  example: string | null;
  files: FileId[];
  cuda: CudaSettings;
  /** Preset id, or `file` for the dropped topology. */
  gpu: string;
  model: Model;
  seed: number;
  set: Record<string, string>;
  /** Numbers, from 1, of the kernels to run; empty for all. */
  kernels: number[];
  /** Whether caches keep their lines from one kernel to the next. */
  warm: boolean;
  /** What the page shows beside the run: `tab`, and keys that begin with a tab's name. The engine carries it unread. */
  view: Record<string, string>;
  /** Fingerprint of the result that the link promises, or null. */
  fingerprint: string | null;
}

export interface ExampleInfo {
  id: string;
  title: string;
  /** One sentence: what it shows and what to try. */
  lesson: string;
}

/** One row of the parameter form; `key` is what `--set` and `Scenario.set` take. */
export interface Parameter {
  key: string;
  label: string;
  unit: string;
  /** Value of the chosen GPU and model. */
  value: string;
  kind: 'integer' | 'number' | 'boolean' | 'choice';
  choices: string[];
  help: string;
  /** Official, measured or assumed, with its source. */
  status: string;
  source: string;
}

export interface PresetInfo {
  id: string;
  name: string;
  vendor: string;
  /** One line: L1 size, line, ways, cores. */
  summary: string;
}

export interface FileInfo {
  id: FileId;
  format: string;
  /** The word for the format. */
  read_as: string;
  /** Words for formats that the content fits equally well; empty where it fits one at most. */
  candidates: string[];
  /** Whether the content told the format, or only the name, or a person. */
  recognised_by: 'content' | 'name' | 'choice';
  kernels: number;
  role: 'trace' | 'address stream' | 'kernels list' | 'topology' | 'unknown';
  skipped: { what: string; line: number | null; why: string }[];
}

export interface ArrayInfo {
  name: string;
  base: string;
  bytes: number;
  guessed: boolean;
}

export interface KernelInfo {
  /** From 1, as `Scenario.kernels` and `--kernel` take it. */
  number: number;
  name: string;
  /** Name of the file that holds it. */
  file: string;
  grid: number[];
  block: number[];
  blocks_present: number;
  threads: number;
  warps: number;
  instructions: number;
  memory_instructions: number;
  /** Addresses of lanes by space and kind, such as `global_load`. */
  accesses: Record<string, number>;
  arrays: ArrayInfo[];
}

/** What the dropped files (or an example) hold. */
export interface Intake {
  files: FileInfo[];
  kernels: KernelInfo[];
  /** Name of the dropped topology, if there was one; run with `gpu: 'file'`. */
  topology: string | null;
  diagnostics: Diagnostic[];
  /** Estimated peak memory of the run, bytes. */
  memory_bytes: number;
}

export interface Misses {
  compulsory: number;
  capacity: number;
  associativity: number;
  latency: number;
  /** Against unlimited MSHRs; negative when MSHRs save misses. */
  mshr: number;
}

/** Counts that hold for a kernel, an array, an instruction, a set or a core alike. */
export interface Counts {
  requests: number;
  hits: number;
  compulsory: number;
  capacity: number;
  associativity: number;
  latency: number;
}

export interface ArrayRow extends Counts {
  name: string;
  base: string;
  bytes: number;
  guessed: boolean;
}
export interface InstructionRow extends Counts {
  pc: string;
  opcode: string;
  space: string;
  kind: string;
  bytes: number;
  line: number | null;
}
export interface SetRow extends Counts {
  set: number;
}
export interface CoreRow extends Counts {
  core: number;
  ticks: number;
}
/** One bucket of time. `mshrs` is the mean number of busy MSHRs. */
export interface TimeRow {
  tick: number;
  requests: number;
  misses: number;
  mshrs: number;
}

export interface Case {
  histogram: Record<string, number>;
  ticks: number;
  cancels: number;
}

/** Sums over the kernels of a report. */
export interface Total {
  requests: number;
  hits: number;
  misses: Misses;
  miss_rate: number;
  miss_rate_with_latency: number;
  ticks: number;
}

export interface KernelReport {
  /** Its number among the kernels that were read, from 1. */
  number: number;
  name: string;
  grid: number[];
  block: number[];
  requests: number;
  hits: number;
  miss_rate: number;
  miss_rate_with_latency: number;
  misses: Misses;
  /** The paper's classes by differences between four runs; null where not run. */
  differential: Misses | null;
  histogram: Record<string, number>;
  ticks: number;
  cancels: number;
  cases: Case[];
  arrays: ArrayRow[];
  instructions: InstructionRow[];
  sets: SetRow[];
  cores: CoreRow[];
  timeline: TimeRow[];
  /** Facts the verdict's sentence is made of. */
  verdict: {
    /** Largest class among the misses, and its share of them; null when nothing misses. */
    class: keyof Misses | null;
    class_share: number;
    /** Array with most misses, and its share of that class. */
    array: string | null;
    array_share: number;
  };
}

export interface Report {
  model: Model;
  gpu: string;
  seed: number;
  fingerprint: string;
  /** Values the run used, by key of Parameter. */
  parameters: Record<string, string>;
  kernels: KernelReport[];
  total: Total;
  /** What is not modelled, assumed or ignored in this run, as sentences. */
  notes: string[];
}

/** What `Lab.step` returns: progress in model work units, or the report. */
export interface StepOutcome {
  done: number;
  total: number;
  report: Report | null;
}

export type FigureKind = 'classes' | 'histogram' | 'sets' | 'timeline';

/** Thrown by the engine for a person to read. */
export interface PageError {
  diagnostics: Diagnostic[];
}
