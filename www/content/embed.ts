// The words around one figure in another page, and in a browser that cannot run the engine.

/** Below a single figure in another page. */
export const EMBED = {
  open: 'Open in Warpscope',
  wanted: 'This result needs files. Open it in Warpscope to give them.',
} as const;

/** Above the command that does the same at the terminal. */
export const AT_THE_TERMINAL = 'At the terminal, the same analysis runs without a browser:';
