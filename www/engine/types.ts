// The plain data that crosses from the engine (Rust, in a worker) to the page. Field names equal the CLI's JSON.
// Rates are fractions, sizes bytes, times model ticks unless a name says otherwise.

export type {
  AccessCounts,
  ArrayInfo,
  ArrayRow,
  CoreRow,
  CudaSettings,
  Diagnostic,
  ExampleInfo,
  FileId,
  FileInfo,
  InstructionRow,
  Intake,
  KernelInfo,
  KernelReport,
  Misses,
  Model,
  PageError,
  Parameter,
  PresetInfo,
  Report,
  Scenario,
  SetRow,
  Severity,
  TextsStep,
  TimeRow,
  Total,
} from './generated';

export type FigureKind = 'classes' | 'histogram' | 'sets' | 'timeline';
