// Stand-ins for CUDA text: the text is run in a worker of its own, and the engines read what that recorded.

import first from '../../pkg/recorded/first.recording';
import type { KernelEngine } from '../engine/kernel/engine';
import { EXAMPLE, type OnProgress, type Source } from '../engine/protocol';
import type { CudaSettings, Intake } from '../engine/types';
import { AS_IT_IS, sameCuda } from './scenario';
import * as store from './store';

let engine: Promise<KernelEngine> | null = null;

/** The engine of CUDA text, which the first screen does without. */
export function kernelEngine(): Promise<KernelEngine> {
  engine ??= import('../engine/kernel/engine').then(({ KernelEngine }) => new KernelEngine());
  engine.catch(() => (engine = null)); // a failed attempt is not kept
  return engine;
}

/** Ends a recording that is under way. */
export async function cancelRecording() {
  await (await engine)?.cancel();
}

/** Places of CUDA text among the files that nothing stands in for. */
export function unrecorded(source: Source, intake: Intake): number[] {
  return intake.files.flatMap((file, i) => (file.read_as === 'cuda' && !source.recordings?.[i] ? [i] : []));
}

/** The text of an example, or of the only CUDA text among the files. */
export async function textOf(source: Source, intake: Intake | null): Promise<{ name: string; text: string } | null> {
  if (source.example !== null)
    return { name: `${source.example}.cu`, text: await (await kernelEngine()).exampleText(source.example) };
  const at = intake?.files.findIndex((file) => file.read_as === 'cuda') ?? -1;
  const file = source.files[at];
  return file ? { name: file.name, text: await file.text() } : null;
}

/** Has something stand in for the example; false when cancelled. */
export async function recordExample(source: Source, onProgress: OnProgress): Promise<boolean> {
  const { example } = source;
  if (example === null || source.recordings?.[EXAMPLE]) return true;
  const settings = source.cuda ?? AS_IT_IS;
  if (example === store.examples[0]?.id && sameCuda(settings, AS_IT_IS)) {
    // Recorded when the page was built, so that it opens without the engine.
    const answer = await fetch(first);
    if (!answer.ok) throw new Error(`${first}: ${answer.status}`);
    store.kernelRun.value = null;
    put(source, EXAMPLE, [await answer.arrayBuffer()], example);
    return true;
  }
  const text = await (await kernelEngine()).exampleText(example);
  return record(source, EXAMPLE, `${example}.cu`, text, example, settings, onProgress);
}

/** Has something stand in for a file that is CUDA text; false when cancelled. */
export async function recordFile(source: Source, at: number, onProgress: OnProgress): Promise<boolean> {
  const file = source.files[at]!;
  return record(source, at, file.name, await file.text(), null, source.cuda ?? AS_IT_IS, onProgress);
}

async function record(
  source: Source,
  at: number,
  name: string,
  text: string,
  example: string | null,
  settings: CudaSettings,
  onProgress: OnProgress,
): Promise<boolean> {
  const recorded = await (await kernelEngine()).record(name, text, example, settings, onProgress);
  if (!recorded) return false;
  store.kernelRun.value = recorded.run;
  put(source, at, [recorded.bytes], name);
  return true;
}

function put(source: Source, at: number, bytes: BlobPart[], name: string) {
  source.recordings = { ...source.recordings, [at]: new File(bytes, name) };
}
