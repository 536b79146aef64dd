// Pure questions about scenarios and files.

import { s } from '../content/strings';
import { outright } from '../content/shares';
import { cudaFlags, quoted } from './terminal';
import type {
  CudaSettings,
  ExampleInfo,
  FileId,
  Intake,
  KernelReport,
  Model,
  Parameter,
  PresetInfo,
  ProfileInfo,
  Report,
  Scenario,
} from '../engine/types';

export const DEFAULT_SEED = 1;
/** The engine's own limit. The model `reference` says itself that its program takes less. */
export const MAX_SEED = Number.MAX_SAFE_INTEGER;

/** CUDA text as the compiler leaves it, launched as it says. */
export const AS_IT_IS: CudaSettings = { form: 'compiled', launch: null, sizes: {}, text: null };

export function freshScenario(example: ExampleInfo | null = null, gpu: PresetInfo | null = null): Scenario {
  return {
    version: 1,
    example: example?.id ?? null,
    files: [],
    cuda: AS_IT_IS,
    gpu: gpu?.id ?? '',
    model: gpu?.default_model ?? 'paper',
    state: 'cold',
    classes: false,
    seed: DEFAULT_SEED,
    set: {},
    kernels: [],
    warm: false,
    view: {},
    fingerprint: null,
    base: null,
  };
}

/** Settings of CUDA text that tell runs apart: the text itself is a file. */
const cudaKey = ({ form, launch, sizes }: CudaSettings) => [form, launch, Object.entries(sizes).sort()];

/** Whether two settings make the same trace of a text. */
export const sameCuda = (a: CudaSettings, b: CudaSettings) => JSON.stringify(cudaKey(a)) === JSON.stringify(cudaKey(b));

/** Whether two scenarios run the same thing; what a link promises does not matter. */
export function sameRun(a: Scenario, b: Scenario): boolean {
  const key = (x: Scenario) =>
    JSON.stringify([
      x.example,
      x.files.map((f) => [f.sha256, f.format]),
      cudaKey(x.cuda),
      x.gpu,
      x.model,
      x.model === 'gpu' ? [x.state, x.classes] : [x.seed, x.warm],
      Object.entries(x.set).sort(),
      x.kernels,
    ]);
  return key(a) === key(b);
}

/** What changes with the model: states of the caches and the switch for classes belong to `gpu`, seeds and warm L1s to the others. */
export function withModel(model: Model): Pick<Scenario, 'model' | 'state' | 'classes' | 'warm'> {
  return { model, state: 'cold', classes: false, warm: false };
}

/** The settings that a profile is compared under: the model of the whole GPU, from the state that the tool measures from. */
export function profiled(scenario: Scenario, profile: ProfileInfo | null): Scenario {
  if (!profile) return scenario;
  const set = scenario.model === 'gpu' ? scenario.set : {};
  return { ...scenario, ...withModel('gpu'), set, state: profile.state };
}

/** The model of a GPU where nobody chose one; `file` is the dropped topology. */
export function defaultModel(gpu: string, presets: PresetInfo[], intake: Intake | null): Model {
  const preset = presets.find((p) => p.id === gpu)?.default_model;
  return (gpu === 'file' ? intake?.topology_model : preset) ?? 'paper';
}

/** `set` with one value changed; a value that is the GPU's own is left out. */
export function withValue(
  set: Record<string, string>,
  parameter: Pick<Parameter, 'key' | 'value'>,
  value: string,
): Record<string, string> {
  const { [parameter.key]: _, ...rest } = set;
  return value === parameter.value ? rest : { ...rest, [parameter.key]: value };
}

/** `set` without keys that no parameter has, or only one that cannot be set. */
export function onlyKnown(set: Record<string, string>, parameters: Parameter[]): Record<string, string> {
  const settable = (key: string) => parameters.some((p) => p.key === key && p.kind !== 'fact');
  return Object.fromEntries(Object.entries(set).filter(([key]) => settable(key)));
}

/** Why the files that came are not the ones a link wants; empty when they are. */
export function whyNotWanted(wanted: FileId[], came: FileId[]): string[] {
  return wanted.flatMap((want) => {
    if (came.some((file) => file.sha256 === want.sha256)) return [];
    const namesake =
      came.find((file) => file.name === want.name) ?? (wanted.length === 1 && came.length === 1 ? came[0] : undefined);
    return [namesake ? s.wanted.different(want, namesake.size) : s.wanted.missing(want)];
  });
}

/** Something to run came out of the files. */
export function usable(intake: Intake): boolean {
  return intake.kernels.length + intake.long_launches > 0;
}

/** The kernel that takes longest, or has most misses: what a person with many kernels looks for. */
export function worstKernel(report: Report): number {
  const weights =
    report.model === 'gpu' ? report.kernels.map((k) => k.gpu.cycles) : report.kernels.map((k) => outright(k.misses));
  return Math.max(0, weights.indexOf(Math.max(...weights)));
}

/** The same run at the terminal, for what a browser cannot hold. */
export function terminalCommand(scenario: Scenario): string {
  const set = Object.entries(scenario.set).map(([key, value]) => ` --set ${key}=${value}`);
  const example = scenario.example === null ? [] : [`example:${scenario.example}`];
  const from = [...example, ...scenario.files.map((f) => quoted(f.name))].join(' ');
  const gpu = scenario.gpu === 'file' ? '' : ` --gpu ${scenario.gpu}`;
  const formats = scenario.files.flatMap((f) =>
    f.format === null ? [] : [` --as ${quoted(`${f.name}=${f.format}`)}`],
  );
  const kernels = scenario.kernels.map((number) => ` --kernel ${number}`).join('');
  const warm = scenario.warm ? ' --warm' : '';
  const own =
    scenario.model === 'gpu'
      ? `--state ${scenario.state}${scenario.classes ? ' --classes' : ''}`
      : `--seed ${scenario.seed}`;
  return `warpscope cache ${from}${formats.join('')}${cudaFlags(scenario.cuda)}${gpu} --model ${scenario.model} ${own}${set.join('')}${kernels}${warm}`;
}

/** `chosen` with one kernel of `count` in or out; all of them are written as none. The last one stays. */
export function withKernel(chosen: number[], number: number, into: boolean, count: number): number[] {
  const now = new Set(chosen.length > 0 ? chosen : Array.from({ length: count }, (_, i) => i + 1));
  if (into) now.add(number);
  else if (now.size > 1) now.delete(number);
  return now.size === count ? [] : [...now].sort((a, b) => a - b);
}

/** Work of a run: its time grows with the memory instructions of the chosen kernels. */
export function memoryInstructions(intake: Intake, chosen: number[]): number {
  return intake.kernels.reduce((sum, k) => sum + (isChosen(chosen, k.number) ? k.memory_instructions : 0), 0);
}

/** A kernel's report with the names that the person gave to its arrays. */
export function withNames(kernel: KernelReport, names: Record<string, string>): KernelReport {
  const renamed = new Map(
    kernel.arrays.flatMap((a) => (names[a.base] === undefined ? [] : [[a.name, names[a.base]!] as const])),
  );
  if (renamed.size === 0) return kernel;
  const name = (old: string) => renamed.get(old) ?? old;
  const { verdict } = kernel;
  return {
    ...kernel,
    arrays: kernel.arrays.map((a) => ({ ...a, name: name(a.name) })),
    verdict: { ...verdict, array: verdict.array === null ? null : name(verdict.array) },
  };
}

/** Whether a kernel is run. */
export function isChosen(chosen: number[], number: number): boolean {
  return chosen.length === 0 || chosen.includes(number);
}

/** Whether a cache can have so many sets. */
const isWhole = (sets: number) => Number.isInteger(sets) && sets > 0;

const L1_KEYS = ['cache_bytes', 'line_bytes', 'ways'];

/** What a GPU is in a few words, with the values that a person changed; the preset's own words where none of them did. */
export function gpuSummary(own: string, list: Parameter[], set: Record<string, string>): string {
  const ofL1 = list.some(({ key }) => key === 'l1_ways') ? ['l1_bytes', 'l1_line_bytes', 'l1_ways'] : L1_KEYS;
  const keys = [...ofL1, 'cores'];
  if (!keys.some((key) => key in set)) return own;
  const [size = NaN, line = NaN, ways = NaN, cores = NaN] = keys.map((key) =>
    Number(set[key] ?? list.find((p) => p.key === key)?.value),
  );
  // A link can set what is no number; the run says so.
  if ([size, line, ways, cores].some(Number.isNaN) || !isWhole(size / line / ways)) return own;
  return s.settings.summary(size, line, ways, cores);
}
