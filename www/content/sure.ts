// Every text about how sure a result is.

import type { Model } from '../engine/types';
import { count, percent, percent1 } from './format';
import { time } from './gpu-numbers';
import { timeErrors } from './time-errors';

/** The number that a study follows, and how it reads. */
export const FOLLOWED: Record<Model, { name: string; title: string; show: (value: number) => string }> = {
  paper: { name: 'miss_rate', title: 'Miss rate', show: percent },
  reference: { name: 'miss_rate', title: 'Miss rate', show: percent },
  gpu: { name: 'seconds', title: 'Time', show: time },
};

/** "15–17 %", or one value where both read the same. */
function between(model: Model, [low, high]: [number, number]): string {
  const [a, b] = [low, high].map(FOLLOWED[model].show) as [string, string];
  return a === b ? a : `${a} to ${b}`;
}

/** How far off the model's times were against measured ones, and how much that is of a time, in sentences. */
export function errorSentence(gpu: string, isChanged: boolean, seconds: number): string {
  const own = isChanged ? undefined : timeErrors[gpu];
  const all = Object.values(timeErrors).map(({ error }) => error);
  const range = `${percent(Math.min(...all))} to ${percent(Math.max(...all))} (${count(all.length)} GPUs)`;
  const here = `${time(seconds * (own?.error ?? Math.max(...all)))} of the ${time(seconds)} here`;
  return own
    ? `Against hardware: on this GPU the time of ${count(own.launches)} measured launches is ${percent(own.error)} off in the mean: ${here}. On the GPUs that were measured this mean error runs from ${range}.`
    : `Against hardware: unknown here, since nobody measured ${isChanged ? 'such a changed GPU' : 'this GPU'}. On the GPUs that were measured the mean error of the time runs from ${range}. The largest of these means is ${here}; a single time can be farther off.`;
}

export const q = {
  seeds: (model: Model, range: [number, number], runs: number, alone: boolean) =>
    `${FOLLOWED[model].title}${alone ? '' : ' of all kernels'}, seeds 1 to ${count(runs)}: ${between(model, range)}.`,
  /** `now`: the number of the result; `at`: that at half and at double the value; null where the parameter cannot have it. */
  /** `aside`: official values move it more, which are in no doubt. */
  most: (model: Model, label: string, now: number, at: [number | null, number | null], aside: boolean) => {
    const told = at.flatMap((value, i) =>
      value === null ? [] : [`${FOLLOWED[model].show(value)} at ${i === 0 ? 'half' : 'double'}`],
    );
    return `${aside ? 'Official values aside, it' : 'It'} depends most on “${label}”: ${told.join(', ')} its value, now ${FOLLOWED[model].show(now)}.`;
  },
  /** The assumed value that moves the number most; null where none moves it. */
  assumed: (most: { label: string; change: number } | null) =>
    most === null
      ? 'No assumed value moves it by 0.05\u202f%.'
      : `Of the assumed values, “${most.label}” moves it most: by ${percent1(most.change)}.`,
  none: 'No parameter moves it by 0.05\u202f% when it is halved or doubled.',
  models: (model: Model, other: string, value: number) => `The model “${other}”: ${FOLLOWED[model].show(value)}.`,
  hint: (model: Model, alone: boolean) =>
    `${FOLLOWED[model].title} of ${alone ? 'the kernel' : 'all kernels'}, when one parameter at a time is halved or doubled and the others stay. A parameter that changes it by less than 0.05\u202f% is left out.`,
  /** `part` is busy most of the time, and none of the parameters is about it. */
  beyond: (part: string) =>
    `The busiest part decides this time, and no parameter is about it (${part}), so the table says little here.`,
  parameter: 'Parameter',
  known: 'How known',
  value: 'Value',
  half: 'At half',
  double: 'At double',
  change: 'Largest change',
  refused: '–',
  running: 'Running the kernels under other seeds and parameters…',
  run: 'Run it',
  stopped: 'Stopped. What was found stays.',
};
