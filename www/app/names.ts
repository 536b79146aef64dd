// Names that a person gives to arrays. They live in the scenario's view, by base address, so that a link keeps them.

const PREFIX = 'name.';

type View = Record<string, string>;

export const nameKey = (base: string) => PREFIX + base;

/** Names by base address. */
export function namesOf(view: View): Record<string, string> {
  const named = Object.entries(view).filter(([key]) => key.startsWith(PREFIX));
  return Object.fromEntries(named.map(([key, name]) => [key.slice(PREFIX.length), name]));
}

/** What else in a view belongs to one trace: its kernel, choices array by array, a part of its requests, and a step of its run. */
const OF_TRACE = [
  ...['kernel', 'from', 'look', 'ranges', 'confirmed'].map((key) => `placement.${key}`),
  'only',
  'why',
  'why.core',
];

/** The view for other files: their arrays are others. */
export function withoutNames(view: View): View {
  return Object.fromEntries(Object.entries(view).filter(([key]) => !key.startsWith(PREFIX) && !OF_TRACE.includes(key)));
}
