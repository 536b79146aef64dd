// Damage to files and to values on the command line. Each kind of damage is one that people meet, or one that an attacker tries.
import { gzipSync } from 'node:zlib';

const HUGE = [
  '99999999999999999999999999',
  '18446744073709551616',
  '-9223372036854775809',
  '1e308',
  '4294967296',
  'NaN',
  '-1',
  '0',
];

const lines = (bytes) => bytes.toString('latin1').split('\n');
const joined = (parts) => Buffer.from(parts.join('\n'), 'latin1');

/** What can happen to a file. Each takes the bytes, the generator and another file's bytes. */
export const DAMAGE = {
  truncated: (bytes, r) => bytes.subarray(0, r.below(bytes.length)),
  flipped: (bytes, r) => {
    const copy = Buffer.from(bytes);
    for (let n = 1 + r.below(16); n > 0 && copy.length > 0; n--) copy[r.below(copy.length)] ^= 1 << r.below(8);
    return copy;
  },
  spliced: (bytes, r, other) => {
    const at = r.below(bytes.length);
    const from = r.below(other.length);
    return Buffer.concat([bytes.subarray(0, at), other.subarray(from, from + r.below(4096)), bytes.subarray(at)]);
  },
  shuffled: (bytes, r) => {
    const parts = lines(bytes);
    for (let i = parts.length - 1; i > 0; i--) {
      const j = r.below(i + 1);
      [parts[i], parts[j]] = [parts[j], parts[i]];
    }
    return joined(parts);
  },
  repeated: (bytes, r) => {
    const parts = lines(bytes);
    const at = r.below(parts.length);
    const again = parts.slice(at, at + 1 + r.below(8));
    return joined([
      ...parts.slice(0, at),
      ...Array.from({ length: 1 + r.below(20) }, () => again).flat(),
      ...parts.slice(at),
    ]);
  },
  removed: (bytes, r) => {
    const [a, b] = [r.below(bytes.length), r.below(bytes.length)].sort((x, y) => x - y);
    return Buffer.concat([bytes.subarray(0, a), bytes.subarray(b)]);
  },
  numbers: (bytes, r) => {
    const text = bytes.toString('latin1');
    const numbers = [...text.matchAll(/\d+/g)];
    if (numbers.length === 0) return bytes;
    const { index, 0: old } = r.one(numbers);
    return Buffer.from(text.slice(0, index) + r.one(HUGE) + text.slice(index + old.length), 'latin1');
  },
  crlf: (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
  nul: (bytes, r) => {
    const at = r.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(1 + r.below(64)), bytes.subarray(at)]);
  },
  utf16: (bytes) => Buffer.from(`\ufeff${bytes.toString('latin1')}`, 'utf16le'),
  mark: (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  high: (bytes, r) => {
    const at = r.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xe9, 0xff, 0xc3, 0x28]), bytes.subarray(at)]);
  },
  nested: (bytes, r) => {
    let packed = bytes;
    for (let n = 1 + r.below(3); n > 0; n--) packed = gzipSync(packed, { level: 1 });
    return packed;
  },
  torn: (bytes, r) => {
    const packed = gzipSync(bytes, { level: 1 });
    return packed.subarray(0, r.below(packed.length));
  },
  noise: (_, r) => Buffer.from(Array.from({ length: r.below(2048) }, () => r.below(256))),
  empty: () => Buffer.alloc(0),
};

/** The bytes after one to three kinds of damage, and their names. */
export function damage(bytes, r, other) {
  const names = Array.from({ length: 1 + r.below(3) }, () => r.one(Object.keys(DAMAGE)));
  return { names, bytes: names.reduce((now, name) => DAMAGE[name](now, r, other), bytes) };
}

/** Endings that a file can have by mistake. */
export const ENDINGS = [
  '.trc',
  '.traceg',
  '.trace',
  '.cu',
  '.json',
  '.csv',
  '.u64',
  '.lackey',
  '.gz',
  '.zip',
  '.xz',
  '.zst',
  '.prof',
  '.g',
  '',
];

/** A value of an option, damaged or replaced by one that no option expects. */
export function strangeValue(value, r) {
  const kinds = [
    () => r.one(HUGE),
    () => '',
    () => value.slice(0, r.below(value.length)),
    () => `${value}${value}`,
    () => value.replace('=', '=='),
    () => value.replace(/\d+/, () => r.one(HUGE)),
    () => `__proto__=${value}`,
    () => '\u202e\u0000<b>'.replace('\u0000', ''),
    () => 'é'.repeat(1 + r.below(300)),
  ];
  return r.one(kinds)();
}
