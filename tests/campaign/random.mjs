// Seeded random numbers, so that a case of the campaign can be run again from its number.

/** A generator of 32-bit numbers (mulberry32, Tommy Ettinger 2017, public domain). Equal seeds give equal numbers. */
export function random(seed) {
  let state = seed >>> 0;
  const bits = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return (x ^ (x >>> 14)) >>> 0;
  };
  /** A whole number from 0 to `n` − 1. */
  const below = (n) => Math.floor((bits() / 2 ** 32) * Math.max(n, 1));
  return { bits, below, one: (list) => list[below(list.length)] };
}

/** One seed from the campaign's seed, the name of a command and the number of a case (FNV-1a). */
export function seedOf(seed, name, index) {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${seed} ${name} ${index}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
