// Words of a baseline on the first screen: to pin a run, and to open a kernel's other form.

export const d = {
  pin: 'Pin as baseline',
  pinShort: 'Pin',
  pinRest: ' as baseline',
  pinHelp: 'Keep this run, and compare the next ones with it',
  pinned: 'This run is the baseline. Change an input to see what differs.',
  twin: (name: string, better: boolean) => `Compare with ${better ? 'the better form' : 'the naive form'}: ${name}`,
  sizes: (sizes: Record<string, string>) =>
    Object.entries(sizes)
      .map(([name, value]) => `${name} = ${value}`)
      .join(', ') || 'its own sizes',
  baseline: 'baseline',
};
