// The pointer chase as a compute shader: by way of a storage buffer, a uniform buffer or a texture; by one lane or by 32.

export const WAYS = ['storage', 'storage_rw', 'uniform', 'texture'] as const;
export type Way = (typeof WAYS)[number];
export const LANES = [1, 32] as const;
export type Lanes = (typeof LANES)[number];

/** Loads between two looks at the count. */
export const GPU_UNROLLED = 8;
/** Words in a row of the texture. */
export const ROW = 2048;
/** Bytes of the uniform buffer: what every browser gives at least. */
export const UNIFORM_BYTES = 65_536;
/** Words before the marks of the visit in the result buffer: a zero per lane, then the place of every lane. */
export const MARKS = 128;

const CHAIN: Record<Way, { declared: string; load: string }> = {
  storage: { declared: 'var<storage, read> chain: array<u32>;', load: 'chain[i]' },
  storage_rw: { declared: 'var<storage, read_write> chain: array<u32>;', load: 'chain[i]' },
  uniform: { declared: `var<uniform> chain: array<vec4<u32>, ${UNIFORM_BYTES / 16}>;`, load: 'chain[i >> 2u][i & 3u]' },
  texture: {
    declared: 'var chain: texture_2d<u32>;',
    load: `textureLoad(chain, vec2<u32>(i % ${ROW}u, i / ${ROW}u), 0).x`,
  },
};

/** `visit` also counts how often it stands on each link of 16 words. */
export function shader(way: Way, lanes: Lanes, visit: boolean): string {
  const { declared, load } = CHAIN[way];
  const step = `i = ${load};`;
  const loop = visit
    ? `for (var k = 0u; k < task.loads; k += 1u) { if (lane == 0u) { result[${MARKS}u + i / 16u] += 1u; } ${step} }`
    : `for (var k = 0u; k < task.loads / ${GPU_UNROLLED}u; k += 1u) { ${step.repeat(GPU_UNROLLED)} }`;
  return `
struct Task { loads: u32, start: u32 }
@group(0) @binding(0) ${declared}
@group(0) @binding(1) var<uniform> task: Task;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(${lanes})
fn walk(@builtin(local_invocation_index) lane: u32) {
  // A zero from memory: no compiler may know that all lanes go the same way.
  var i = task.start + result[lane];
  ${loop}
  result[64u + lane] = i;
}`;
}

const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|software|basic render|\bwarp\b|\bcpu\b/i;

/** Whether an adapter is a program that plays a GPU. */
export function isSoftware(info: {
  vendor?: string;
  architecture?: string;
  device?: string;
  description?: string;
  isFallbackAdapter?: boolean;
}): boolean {
  return (
    info.isFallbackAdapter === true ||
    SOFTWARE.test([info.vendor, info.architecture, info.device, info.description].join(' '))
  );
}

/** Loads of one dispatch such that it stays below `ms`; whole groups. */
export function loadsWithin(ms: number, nsPerLoad: number): number {
  return Math.max(GPU_UNROLLED, Math.floor((ms * 1e6) / Math.max(nsPerLoad, 0.05) / GPU_UNROLLED) * GPU_UNROLLED);
}

/** Median and how far the middle half reaches, as a share of it. */
export function middle(values: number[]): { median: number; spread: number } {
  const sorted = values.slice().sort((a, b) => a - b);
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
  return { median: at(0.5), spread: (at(0.75) - at(0.25)) / Math.abs(at(0.5)) };
}
