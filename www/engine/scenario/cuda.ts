// What the engine says of CUDA text.

export type { ArrayRun, KernelRun, LaunchItem, LaunchOutline, LaunchRun } from '../generated';
