// The note in a frame.

export const FRAMED = {
  title: 'Warpscope is shown in a frame',
  note: 'Another page shows this one inside itself and could cover parts of it. So nothing runs here, and no file is taken.',
  open: 'Open Warpscope in its own tab',
} as const;
