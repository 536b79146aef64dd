// How the gate and the tests that need the command line call cargo.

/** The crates and features that every native stage builds: with other ones, cargo would build the crates again. */
export const WORKSPACE = ['--locked', '--workspace', '--features', 'warpscope/types'];

/** What the tests of the page and of the wasm engine compare with. */
export const COMMAND = ['--bin', 'warpscope', '--example', 'reports'];
