// Words of a profiler's counters beside the model's.

import type { CheckedCounter, ProfileComparison, ProfileInfo } from '../engine/types';
import { count } from './format';

const THIN = '\u202f';

/** A value of a counter: whole numbers in groups, small ones with two digits after the point. */
export function counted(value: number): string {
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return count(value);
  return value.toFixed(2);
}

/** The model's error with its sign. */
export function errorOf({ error, error_unit }: CheckedCounter): string {
  if (error === null) return m.noShare;
  if (Math.abs(error) < 0.005) return m.exact;
  const unit = error_unit === 'points' ? 'pt' : '%';
  const size = Math.abs(error);
  return `${error < 0 ? '−' : '+'}${size < 10 ? size.toFixed(2) : count(size)}${THIN}${unit}`;
}

const on = (device: string) => (device === '' ? '' : ` on the GPU ${device}`);

export const m = {
  heading: 'Measured beside modelled',
  lead: ({ tool, device }: ProfileComparison, kernel: string) =>
    `${kernel}, as ${tool} measured it${on(device)}, and as the model has it.`,
  set: ({ tool, state }: ProfileInfo) =>
    `The file of ${tool} has set the model to “gpu” and the caches before the launch to “${state}”, as this tool measures.`,
  other: (tool: string) => `${tool} has no launch of this kernel. Choose another kernel above.`,
  none: (tool: string) => `No launch that ${tool} measured is one of these kernels.`,
  counter: 'Counter',
  measured: 'Measured',
  modelled: 'Modelled',
  error: 'Error',
  exact: 'exact',
  noShare: 'no share',
  differs: 'What is known to differ',
  file: ({ tool, launches }: ProfileInfo) =>
    `Profile: ${launches === 1 ? '1 launch' : `${count(launches)} launches`} measured with ${tool}, compared in the model “gpu”`,
};
