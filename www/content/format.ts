// Numbers as a person reads them: grouped by thin spaces, with their unit, never more digits than are known.

const THIN = '\u202f';

/** 245459 → "245 459". By hand: the browser takes 10 ms to make its first `Intl.NumberFormat`, and the first screen waits. */
export function count(n: number): string {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, THIN);
}

/** 1 → "1 launch", 2000 → "2 000 launches". */
export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** A fraction as a percentage: 0.6132 → "61 %", 0.0312 → "3.1 %". Never rounds something to nothing. */
export function percent(fraction: number): string {
  if (!Number.isFinite(fraction)) return '–';
  const p = fraction * 100;
  if (p === 0) return `0${THIN}%`;
  if (Math.abs(p) < 0.1) return `${p < 0 ? '> −' : `<${THIN}`}0.1${THIN}%`;
  const digits = Math.abs(p) < 10 || (p > 99 && p < 100) ? 1 : 0;
  const text = p > 99.9 && p < 100 ? '99.9' : p.toFixed(digits).replace(/\.0$/, '');
  return `${minus(text)}${THIN}%`;
}

/** A fraction as a percentage with one digit after the point, for columns that are compared. What is neither nothing nor the whole does not read so. */
export function percent1(fraction: number): string {
  const p = fraction * 100;
  if ((p > 99.9 && p < 100) || (p !== 0 && Math.abs(p) < 0.05)) return percent(fraction);
  return Number.isFinite(p) ? `${minus(p.toFixed(1))}${THIN}%` : '–';
}

/** A mean with one digit after the point where it is not whole. */
export function mean(value: number): string {
  return value >= 99.95 ? count(value) : value.toFixed(1).replace(/\.0$/, '');
}

/** A signed count, with a real minus sign. */
export function signed(n: number): string {
  return n < 0 ? `−${count(-n)}` : count(n);
}

function minus(text: string): string {
  return text.replace('-', '−');
}

/** Bytes in the unit a person would pick: 16384 → "16 KiB", 394752 → "385.5 KiB". As pictures have them (`size_text`, crates/lab/src/topology_tab/hierarchy.rs). */
export function bytes(n: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let i = 0;
  let v = n;
  while (v >= 1024 && i < units.length - 1) {
    v /= 1024;
    i += 1;
  }
  const text = Number.isInteger(v) ? count(v) : v.toFixed(1).replace('.0', '');
  return `${text}${THIN}${units[i]}`;
}

/** Grid and block sizes: [128, 1, 1] → "128", [32, 8, 1] → "32 × 8". */
export function dimensions(size: number[]): string {
  const used = size.slice();
  while (used.length > 1 && used[used.length - 1] === 1) used.pop();
  return used.map(count).join(' × ');
}

/** A kernel's name without return type and parameters: C++ names are long, and differ in the middle. As `crates/trace/src/kernel_name.rs`. */
export function shortName(name: string): string {
  if (name.startsWith('_Z')) return demangled(name);
  const open = parametersStart(name);
  return isolated((open > 0 ? name.slice(0, open) : name).replace(/^void /, ''));
}

/** Letters from right to left, and marks that turn the direction of what follows. */
const TURNS = /[\p{Bidi_C}\p{sc=Arab}\p{sc=Hebr}]/u;

/** A name inside of a sentence. One that is written from right to left stays apart, so that it does not reorder the words behind it. */
export const isolated = (name: string): string => (TURNS.test(name) ? `\u2068${name}\u2069` : name);

/** The name in one that a C++ compiler has mangled (Itanium ABI), without parameters: "_Z4axpyILi4EEvPf" → "axpy<…>". */
function demangled(name: string): string {
  const nested = /^_ZN[VKrRO]*/.exec(name);
  const parts: string[] = [];
  let rest = name.slice(nested ? nested[0].length : 2);
  for (let length = /^L?(\d+)/.exec(rest); length && (nested || parts.length === 0); length = /^L?(\d+)/.exec(rest)) {
    const from = length[0].length;
    const part = rest.slice(from, from + Number(length[1]));
    if (part.length < Number(length[1])) break;
    parts.push(part.startsWith('_GLOBAL__N_') ? '(anonymous)' : part);
    rest = rest.slice(from + Number(length[1]));
  }
  if (parts.length === 0) return name;
  return `${parts.join('::')}${rest.startsWith('I') ? '<…>' : ''}`;
}

/** Where the parenthesis opens that the name's last one closes, or -1. */
function parametersStart(name: string): number {
  if (!name.endsWith(')')) return -1;
  let depth = 0;
  for (let i = name.length - 1; i >= 0; i--) {
    if (name[i] === ')') depth++;
    if (name[i] === '(' && --depth === 0) return i;
  }
  return -1;
}

/** `part` of `whole`, nothing of nothing being nothing. */
export function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
