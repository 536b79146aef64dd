// How the gate and the tests that need the command line call cargo.

/** The crates and features that every native stage builds: with other ones, cargo would build the crates again. */
export const WORKSPACE = ['--locked', '--workspace', '--features', 'warpscope/types'];
