// Names of the kernels that a CUDA text defines, also of one with errors, which has no outline. Pure.

/** Attributes such as `__launch_bounds__(256)` look like a name too. */
const NAME = /__global__\b(?:[^;{}()]|__\w+__\s*\([^)]*\))*?\b(?!__\w+__\s*\()(\w+)\s*\(/g;

export const kernelNames = (text: string): string[] => [...text.matchAll(NAME)].map(([, name]) => name!);

/** Whether a text has kernels, but none of `known`. */
export function isOtherKernel(text: string, known: string[]): boolean {
  const own = kernelNames(text);
  return known.length > 0 && own.length > 0 && !own.some((name) => known.includes(name));
}
