// Words of a baseline on the first screen: to pin a run, and to open a kernel's other form.

export const d = {
  before: 'Compare with the run before',
  pin: 'Keep to compare',
  pinned: 'Kept ✓',
  pinHelp: 'Keep this run, and compare the next ones with it',
  twin: (name: string, better: boolean) => `Compare with ${better ? 'the better form' : 'the naive form'}: ${name}`,
  /** What makes one form of a text the other one: sizes that the better form sets. */
  sizes: (sizes: Record<string, string>, better: boolean) =>
    better
      ? Object.entries(sizes)
          .map(([name, value]) => `${name} = ${value}`)
          .join(', ')
      : `the text’s own ${Object.keys(sizes).join(', ')}`,
  baseline: 'baseline',
};
