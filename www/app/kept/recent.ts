// The scenarios that were run last.

export interface Recent {
  /** The example or the files. */
  name: string;
  gpu: string;
  model: string;
  link: string;
  /** When it was run, in milliseconds. */
  at: number;
}

const MOST = 12;

/** `list` with `run` at its top, in place of an earlier run of the same trace on the same GPU and model. */
export function withRun(list: Recent[], run: Recent): Recent[] {
  const others = list.filter(({ name, gpu, model }) => name !== run.name || gpu !== run.gpu || model !== run.model);
  return [run, ...others].slice(0, MOST);
}
