// The pointer chase itself: sixteen dependent loads in a row, and nothing else in the loop but its count. Written as
// WebAssembly by hand, because a compiler adds a bounds check and an addition to every load, and those would be measured.

const PAGE = 65_536;
/** Loads between two looks at the count. */
export const UNROLLED = 16;

const section = (id: number, bytes: number[]) => [id, bytes.length, ...bytes];
const text = (s: string) => [s.length, ...new TextEncoder().encode(s)];

/** `walk(address, n)`: follows the chain for 16 n loads and gives the address where it stands then. */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  const I32 = 0x7f;
  const load = [0x28, 2, 0]; // i32.load, aligned to 4, no offset
  const body = [
    0, // no locals beyond the parameters
    0x03,
    0x40, // loop
    0x20,
    0,
    ...Array.from({ length: UNROLLED }, () => load).flat(),
    0x21,
    0, // address = load(load(…(address)))
    0x20,
    1,
    0x41,
    1,
    0x6b,
    0x22,
    1,
    0x0d,
    0, // n = n - 1; again unless it is 0
    0x0b,
    0x20,
    0,
    0x0b,
  ];
  return new Uint8Array([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, [1, 0x60, 2, I32, I32, 1, I32]),
    ...section(2, [1, ...text('m'), ...text('memory'), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('walk'), 0, 0]),
    ...section(10, [1, body.length, ...body]),
  ]);
}

export class Chaser {
  readonly #memory: WebAssembly.Memory;
  readonly #walk: (address: number, groups: number) => number;
  #at = 0;

  /** Takes `bytes` of memory at once; they go back to the system only with the worker. */
  constructor(bytes: number, most: number) {
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE), maximum: Math.ceil(most / PAGE) });
    const instance = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()), { m: { memory: this.#memory } });
    this.#walk = instance.exports['walk'] as (address: number, groups: number) => number;
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Makes room for a longer array; false when the browser does not give it. */
  grow(bytes: number): boolean {
    try {
      if (bytes > this.bytes) this.#memory.grow(Math.ceil((bytes - this.bytes) / PAGE));
      return true;
    } catch {
      return false;
    }
  }

  /** Lays a chain: every address leads to the next, the last to the first. */
  lay(order: Uint32Array) {
    const words = new Uint32Array(this.#memory.buffer);
    for (let k = 0; k + 1 < order.length; k++) words[order[k]! >> 2] = order[k + 1]!;
    words[order[order.length - 1]! >> 2] = order[0]!;
    this.#at = order[0]!;
  }

  /** Walks on for `loads` loads, rounded up to sixteens; gives how many they were. */
  walk(loads: number): number {
    const groups = Math.max(1, Math.ceil(loads / UNROLLED));
    this.#at = this.#walk(this.#at, groups);
    return groups * UNROLLED;
  }

  /** Where the walk stands. */
  get at(): number {
    return this.#at;
  }
}
