// The plain data that crosses from the engine (Rust, in a worker) to the page. Field names equal the CLI's JSON.
// Rates are fractions, sizes bytes, times model ticks unless a name says otherwise.

export type {
  AccessCounts,
  ArrayInfo,
  ArrayRow,
  CacheReport,
  CoreRow,
  CudaSettings,
  Diagnostic,
  ExampleInfo,
  FileId,
  FileInfo,
  GpuArrayRow,
  GpuInstructionRow,
  GpuKernelReport,
  GpuLevels,
  GpuNumbers,
  GpuReport,
  InstructionRow,
  Intake,
  KernelInfo,
  KernelReport,
  LaunchState,
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

/** `flow` is of the model `gpu`, the others of the models of one L1. */
export type FigureKind = 'classes' | 'flow' | 'histogram' | 'sets' | 'timeline';
