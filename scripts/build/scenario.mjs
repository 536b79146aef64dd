// A scenario for scripts and tests that call the engine without the page: all of its fields, as the engine wants them.

/** The smallest Fermi L1 in the model `paper`, with all defaults, but for `more`. */
export const scenario = (more = {}) => ({
  version: 1,
  example: null,
  files: [],
  gpu: 'gtx470-16k',
  model: 'paper',
  seed: 1,
  set: {},
  kernels: [],
  classes: false,
  warm: false,
  view: {},
  fingerprint: null,
  ...more,
});
