// Which files belong to a program: CUDA text, headers of it and host code.

export const SOURCE = /\.(cu|cuh|c|cc|cpp|cxx|h|hpp|hh|hxx|inl|inc)$/i;

/** Most bytes of such a file. */
export const MOST_BYTES = 4 << 20;
