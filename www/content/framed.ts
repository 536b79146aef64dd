// The note in a frame of another site.

export const FRAMED = {
  title: 'Warpscope is shown in a frame',
  note: 'Another site shows this page inside its own. That site could cover parts of it, so nothing runs here and no file is taken.',
  open: 'Open Warpscope in its own tab',
} as const;
