// One small good file for every reader. The command itself writes the traces and parts; the other formats are texts of this file.
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const lanes = (width, base) => Array.from({ length: width }, (_, lane) => base + 4 * lane);
const hex = (n) => `0x${n.toString(16).padStart(16, '0')}`;

const CUDA = `#define N 64
template <typename T> __device__ T twice(T x) { return x + x; }
// launch: scale<<<2, 32>>>(x: float[64] = random(1), n = 64)
__global__ void scale(float *x, int n) {
  __shared__ float tile[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int k = 0; k < 4; k++) if (i < n) x[i] += twice(tile[(threadIdx.x + k) % 32]);
}
int main() { float *d; cudaMalloc(&d, N * sizeof(float)); scale<<<N / 32, 32>>>(d, N); }
`;

const top = fileURLToPath(new URL('../../', import.meta.url));
/** Files of the project that stand for a format. */
const COPIES = {
  'traces.zip': 'crates/trace/tests/data/small.zip',
  'piped.zip': 'crates/trace/tests/data/small.pipe.zip',
  'kernel-1.trc.xz': 'crates/trace/tests/data/small.xz',
  'kernel-1.trc.zst': 'crates/trace/tests/data/small.zst',
  'own.json': 'crates/gpu/src/presets/k20c.json',
  'mt4g.json': 'crates/gpu/tests/data/nvidia-like.json',
  'amd.json': 'crates/gpu/tests/data/amd-like.json',
  ...Object.fromEntries(
    ['strides', 'table-2', 'order-patterns', 'queue', 'curve', 'half-bytes'].map((id) => [
      `${id}.json`,
      `crates/course/exercises/${id}.json`,
    ]),
  ),
};

/** An exercise whose answer is locked: the only kind that the course has not. */
function lockedExercise() {
  const exercise = JSON.parse(readFileSync(`${top}crates/course/exercises/table-2.json`, 'utf8'));
  const [salt, hash] = ['a-salt-of-nine', 'ab'.repeat(32)];
  return JSON.stringify({ ...exercise, id: 'locked', answer: { kind: 'locked', salt, hashes: [hash] } }, null, 1);
}

const SCENARIO = { version: 1, example: 'vector-add', gpu: 'gtx470-16k', model: 'paper', seed: 1, set: {}, files: [] };
const scenario = (more) => JSON.stringify({ warpscope: 'scenario', scenario: { ...SCENARIO, ...more } }, null, 2);

const TEXTS = {
  'locked.json': lockedExercise(),
  'scenario.json': scenario({ set: { ways: '8' }, view: { tab: 'kernel' } }),
  'scenario-base.json': scenario({ base: { ...SCENARIO, seed: 2 } }),
  'titan.csv':
    'benchmark,arguments,kernel,cycles,instructions,l1_accesses,l1_hit_rate_pct,l2_reads,l2_read_hits,l2_read_hit_rate_pct,l2_write_hits,dram_reads,dram_writes\nvectorAdd,32_1024,vectorAdd,2500,20000,256,0,256,128,50,128,128,0\nvectorAdd,64_1024,vectorAdd,2600,20000,512,0,512,256,50,256,256,0\n',
  'gv100.csv':
    'Benchmark,Kernel,L1_RH,L1_RM,L2_RH,L2_RM,L2_WH,L2_WM,DRAM_Rd,DRAM_Wr,Elapsed_Cycles\nrodinia,unknown_kernel,1,2,3,4,5,6,7,8,9\n',
  'kernel.cu': CUDA,
  'kernelslist.g': 'MemcpyHtoD,0x00007f0000000000,4096\nkernel-1.traceg\nkernel-2.traceg\n',
  'a.lackey': '==7== Lackey\nI  04001000,3\n L 1ffefff8,8\n S 1ffefff0,8\n M 0421c7cc,4\n',
  'a.din': '2 1000\n0 7ffe1234\n1 10\n4 0\n0 fffffffffffffff8\n',
  'pinatrace.out': '0x401000: R 0x7ffe1234\n0x401004: W 0x7ffe1238 8\n0 R 7ffe\n#eof\n',
  'a.csv': 'time,rw,addr,size\n1,R,0x7ffe,8\n2,W,4096,4\n"3","load","0x10","1"\n',
  'mem_trace.log': `MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x1 - Kernel name k - grid launch id 0 - grid size 1,1,1 - block size 32,1,1 - nregs 8 - shmem 0 - cuda stream id 0
MEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E - ${lanes(32, 0x7f00).map(hex).join(' ')} \n`,
  'cutracer.ndjson': `${JSON.stringify({ addrs: lanes(32, 0x7f00), cta: [0, 0, 0], ctx: '0x5', grid_launch_id: 1, pc: '0x10', warp: 0, type: 'mem_addr_trace', sass: 'LDG.E R0, [R2] ;' })}\n`,
  'gpgpusim.config':
    '-gpgpu_n_clusters 15\n-gpgpu_n_cores_per_cluster 1\n-gpgpu_shader_core_pipeline 1536:32\n-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,S:64:8,8\n-gpgpu_cache:dl2 S:64:128:8,L:B:m:W:L,A:32:4,4:0,32\n-gpgpu_n_mem 6\n',
  'turing.csv': 'GPU_name; "GeForce"\nL1_size; 65536\n',
  'ncu.csv':
    '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n"0","scale(float *, int)","gpu__time_duration.sum","nsecond","2,500"\n"0","scale(float *, int)","dram__bytes_read.sum","Kbyte","4.096"\n',
  'nvprof.csv':
    '==7== NVPROF is profiling process 7\n"Device","Kernel","Invocations","Metric Name","Metric Description","Min","Max","Avg"\n"TITAN X (Pascal) (0)","scale(float*)",2,"gld_transactions","Loads",128,128,128\n',
  'ktt.json': JSON.stringify({
    Metadata: { Device: 'GPU', KttVersion: '2.1', TimeUnit: 'Milliseconds' },
    Results: [{ Status: 'Ok', ComputationResults: [{ KernelFunction: 'scale', Duration: 0.003 }] }],
  }),
  'printed.prof': 'Kernel: scale\n        l1_global_load_hit, 10 20 30\n        l1_global_load_miss, 1 2 3\n',
  'NVIDIA X - L1 Size.txt': `${Array.from({ length: 40 }, (_, i) => `${1024 * (i + 1)} ${i < 20 ? 33 : 200} ${i < 20 ? 34 : 210}`).join('\n')}\n`,
};

/** A hand-in with a right and a wrong answer. Its fingerprints are made up, so both count as forged. */
function handIn(run) {
  const shown = run('exercise', 'show', 'table-2', '--seed', '4', '--solution');
  const row = /^answer +(.*)$/m.exec(shown)[1].split(' ');
  const common = { fingerprint: '0'.repeat(32), tries: 1, hints: 0 };
  const answers = [
    { exercise: 'table-2', seed: 4, given: { row }, right: true, ...common },
    { exercise: 'queue', seed: 2, given: { text: '12.5' }, right: false, ...common },
  ];
  return { warpscope_answers: 1, name: 'Ada L.', answers };
}

/** Writes all files into a new folder. `run` runs the command and throws if it fails. Gives the files' names and bytes, and the folder. */
export function seedFiles(run) {
  const folder = mkdtempSync(path.join(tmpdir(), 'warpscope-campaign-'));
  const at = (name) => path.join(folder, name);
  for (const [name, text] of Object.entries(TEXTS)) writeFileSync(at(name), text);
  for (const [name, from] of Object.entries(COPIES)) copyFileSync(top + from, at(name));
  writeFileSync(at('answers.json'), JSON.stringify(handIn(run), null, 1));
  const kernel = at('kernel.cu');
  for (const ending of ['trc', 'traceg', 'trc.gz']) run('trace', kernel, '--output', at(`kernel-1.${ending}`));
  run('generate', 'zipf', '--n', '200', '--m', '50', '--output', at('stream.u64'));
  for (const part of ['1/2', '2/2']) {
    const name = part.replace('/', '-of-');
    run('reuse', at('stream.u64'), '--part', part, '--output', at(`reuse-${name}.part`));
    run(
      'sweep',
      kernel,
      '--model',
      'paper',
      '--vary',
      'ways=1,2,4',
      '--part',
      part,
      '--output',
      at(`sweep-${name}.json`),
    );
  }
  for (const ways of [4, 8]) {
    const report = run('cache', kernel, '--model', 'paper', '--set', `ways=${ways}`, '--format', 'json');
    writeFileSync(at(`report-${ways}.json`), report);
  }
  const names = readdirSync(folder).sort();
  return { folder, files: new Map(names.map((name) => [name, readFileSync(at(name))])) };
}
