// The other form of a kernel of the library: the better one of a naive kernel, and back.

import type { LaunchOutline } from '../engine/scenario/cuda';
import type { ExampleInfo, Scenario } from '../engine/types';

export interface Twin {
  id: string;
  title: string;
  /** Sizes to run it with. */
  sizes: Record<string, string>;
  /** Those in which the two forms of one text differ, with their values in the better one; none where the forms are two texts. */
  differs: Record<string, string>;
  /** It is the better one. */
  better: boolean;
}

/** The other form of what a scenario runs; null where the library has none. */
export function twinOf({ example, cuda, kernels }: Scenario, examples: ExampleInfo[]): Twin | null {
  const own = examples.find(({ id }) => id === example);
  if (!own || cuda.launch !== null || kernels.length > 0) return null;
  const { better } = own;
  if (better?.id === own.id) {
    const there = Object.entries(better.sizes).every(([name, value]) => cuda.sizes[name] === value);
    const rest = Object.entries(cuda.sizes).filter(([name]) => !(name in better.sizes));
    const sizes = { ...Object.fromEntries(rest), ...(there ? {} : better.sizes) };
    return { id: own.id, title: own.title, sizes, differs: better.sizes, better: !there };
  }
  const other = examples.find(({ id, better: its }) => (better ? id === better.id : its?.id === own.id));
  return other ? { id: other.id, title: other.title, sizes: better?.sizes ?? {}, differs: {}, better: !!better } : null;
}

/** Sizes that a launch can be given, with their values. */
function sizesOf(outlines: LaunchOutline[]): Record<string, string> {
  const plain = outlines.flatMap(({ items }) => items.filter(({ declaration }) => declaration === ''));
  return Object.fromEntries(plain.map(({ name, value }) => [name, value]));
}

/**
 * The sizes to run a twin with, so that both do the same work: those of the kernel on show, `set` included, where the twin has a
 * size of that name and another value; and `fixed`, which make it the other form.
 */
export function twinSizes(
  own: LaunchOutline[],
  twin: LaunchOutline[],
  set: Record<string, string>,
  fixed: Record<string, string>,
): Record<string, string> {
  const mine: Record<string, string> = { ...sizesOf(own), ...set };
  const shared = Object.entries(sizesOf(twin)).filter(([name, value]) => name in mine && mine[name] !== value);
  return { ...Object.fromEntries(shared.map(([name]) => [name, mine[name]!])), ...fixed };
}
