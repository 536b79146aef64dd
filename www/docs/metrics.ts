// Unit, formula and source of each term of the glossary. Its meaning is in `definitions.ts`. The documentation's glossary is made of both.

import type { TermId } from '../content/glossary';

interface Metric {
  /** What a number of it counts; absent where the term is no number. */
  unit?: string;
  formula?: string;
  /** Where the term or its rule comes from. */
  source: string;
}

const HPCA = 'Nugteren et al., HPCA 2014';
const OURS = 'Warpscope';
const MACHINE = 'docs/machine-model.md';
const NCU = 'Nsight Compute, metrics of the same name';
const REUSE = 'Mattson et al., IBM Systems Journal 1970';
const CUI = 'Cui et al., IPDPS 2012';
const HUANG = 'Huang & Li, CLUSTER 2017';
const THESIS = 'The thesis of TU Munich on the memory topology of GPUs';
const DRAM = 'JEDEC DDR standards';

export const metrics: Record<TermId, Metric> = {
  request: {
    unit: 'requests',
    formula: 'distinct lines of the lanes of one warp access',
    source: HPCA,
  },
  miss_rate: { unit: 'fraction', formula: '(compulsory + capacity + associativity) ÷ requests', source: HPCA },
  reuse_distance: {
    unit: 'lines',
    formula: 'distinct lines of the set since the last use of this line',
    source: HPCA,
  },
  compulsory: { unit: 'requests', formula: 'distance = ∞, line never asked for', source: 'Hill & Smith, IEEE TC 1989' },
  capacity: {
    unit: 'requests',
    formula: 'misses in a fully associative cache of the same size, less the compulsory ones',
    source: 'Hill & Smith, IEEE TC 1989',
  },
  associativity: {
    unit: 'requests',
    formula: 'misses in the set, but not in a fully associative cache',
    source: 'Hill & Smith, IEEE TC 1989 (conflict misses)',
  },
  latency: { unit: 'requests', formula: 'requests of lines in flight', source: `${HPCA}, section 4.2` },
  mshr_class: { unit: 'misses', formula: 'misses − misses with unlimited MSHRs', source: `${HPCA}, section 4.5` },
  mshr: { unit: 'registers per core', source: 'Kroft, ISCA 1981' },
  hit: { unit: 'requests', formula: 'distance < ways', source: REUSE },
  set: { source: 'Hill & Smith, IEEE TC 1989' },
  ways: { unit: 'lines per set', source: 'Hill & Smith, IEEE TC 1989' },
  tick: { unit: 'ticks', formula: 'one issue of the warp at the front of the queue', source: HPCA },
  attributed: { source: OURS },
  differential: { unit: 'misses', formula: 'differences between four runs', source: `${HPCA}, section 4` },
  fingerprint: {
    unit: '128 bits',
    formula: 'the first 16 bytes of the SHA-256 of the numbers of the result',
    source: OURS,
  },
  model_paper: { source: HPCA },
  model_reference: { source: `${HPCA}, the authors’ program` },
  model_gpu: { source: MACHINE },
  launch_state: { source: 'Nsight Compute, option --cache-control; nvprof, kernel replay' },
  gpu_time: { unit: 'seconds', formula: 'cycles ÷ core clock', source: MACHINE },
  time_error: { unit: 'percent', formula: 'mean of |modelled − measured| ÷ measured', source: 'docs/accuracy.md' },
  cycle: { unit: 'core cycles', source: MACHINE },
  warp_instruction: { unit: 'instructions', source: `${NCU}: smsp__inst_executed` },
  warp_load: { unit: 'instructions', source: MACHINE },
  sector: { unit: 'sectors of 32 bytes', source: 'Nsight Compute, Kernel Profiling Guide' },
  sectors_per_load: { unit: 'sectors per load', formula: 'sectors ÷ loads', source: OURS },
  least_sectors: {
    unit: 'sectors per load',
    formula: 'bytes of the lanes’ elements ÷ 32, or their distinct bytes ÷ 32 where fewer',
    source: OURS,
  },
  least_bytes: { unit: 'bytes', formula: 'distinct lines or sectors that loads touch × their size', source: OURS },
  requests_per_load: { unit: 'requests per load', formula: 'requests ÷ loads', source: OURS },
  least_requests: {
    unit: 'requests per load',
    formula: 'bytes of the lanes’ elements ÷ line size, or their distinct bytes ÷ line size where fewer',
    source: OURS,
  },
  l1_fetched: { unit: 'bytes', formula: 'misses without latency misses × line size', source: OURS },
  l2_to_l1: { unit: 'bytes', formula: 'L2 reads × 32', source: MACHINE },
  l2_traffic: { unit: 'bytes', formula: '(L2 reads + writes + atomics) × 32', source: MACHINE },
  dram_to_l2: { unit: 'bytes', formula: 'DRAM reads × 32', source: MACHINE },
  busiest: { unit: 'fraction', formula: 'busy cycles ÷ (cycles − cost of a launch)', source: MACHINE },
  l1_hit_rate: { unit: 'fraction', formula: 'L1 hits ÷ sectors that loads ask for', source: MACHINE },
  sector_compulsory: {
    unit: 'sectors',
    formula: 'first fetch of the sector by this core',
    source: 'Hill & Smith, IEEE TC 1989, per sector',
  },
  sector_capacity: {
    unit: 'sectors',
    formula: 'misses in a fully associative LRU cache of as many lines, fetched before',
    source: 'Hill & Smith, IEEE TC 1989, per sector',
  },
  sector_conflict: {
    unit: 'sectors',
    formula: 'misses that a fully associative LRU cache of as many lines would not have',
    source: 'Hill & Smith, IEEE TC 1989, per sector',
  },
  sector_dropped: { unit: 'sectors', source: MACHINE },
  line_there: { unit: 'sectors', source: MACHINE },
  lane_operation: { unit: 'operations', formula: 'floating-point warp instructions × 32', source: OURS },
  l2_hit_rate: { unit: 'fraction', formula: 'L2 read hits ÷ L2 reads', source: MACHINE },
  occupancy: {
    unit: 'fraction',
    formula: 'resident warps ÷ most warps of a core',
    source: 'CUDA C++ Programming Guide',
  },
  working_cores: { unit: 'cores', source: MACHINE },
  wavefront: { unit: 'wavefronts', source: 'Nsight Compute, Kernel Profiling Guide' },
  counted_sectors: { unit: 'sectors', source: MACHINE },
  atomic_sectors: { unit: 'sectors', source: MACHINE },
  part_issue: { unit: 'fraction', formula: 'issued warp instructions ÷ (schedulers × cycles)', source: MACHINE },
  part_pipe: { unit: 'fraction', source: MACHINE },
  part_links: { unit: 'fraction', source: MACHINE },
  part_l2: { unit: 'fraction', source: MACHINE },
  part_dram: { unit: 'fraction', formula: 'bytes ÷ (peak bandwidth × time)', source: MACHINE },
  stall_issued: { unit: 'scheduler cycles', source: MACHINE },
  stall_load: { unit: 'scheduler cycles', source: MACHINE },
  stall_pipe: { unit: 'scheduler cycles', source: MACHINE },
  stall_shared: { unit: 'scheduler cycles', source: MACHINE },
  stall_barrier: { unit: 'scheduler cycles', source: MACHINE },
  stall_launch: { unit: 'scheduler cycles', source: MACHINE },
  stall_arithmetic: { unit: 'scheduler cycles', source: MACHINE },
  seed: { unit: 'a whole number below 2⁵³', source: OURS },
  cancel: { unit: 'issues', source: HPCA },
  reuse_distance_stream: { unit: 'lines', formula: 'distinct lines since the last use of this line', source: REUSE },
  miss_ratio_curve: { unit: 'fraction by lines', formula: 'accesses with distance ≥ n ÷ accesses', source: REUSE },
  reuse_engine: { source: 'docs/reuse.md' },
  hp_rda: { source: CUI },
  error_e: { unit: 'fraction', formula: 'mean over H bins of |share − exact share|', source: CUI },
  shards: { source: 'Waldspurger et al., FAST 2015' },
  placement: { source: HUANG },
  t_comp: { unit: 'cycles', source: HUANG },
  t_mem: { unit: 'cycles', source: HUANG },
  t_overlap: { unit: 'cycles', formula: 'Tcomp + Tmem − time', source: HUANG },
  tie: { unit: 'placements', source: OURS },
  chance: { unit: 'fraction', source: OURS },
  gap: { unit: 'fraction', source: OURS },
  replay: { unit: 'instructions', source: HUANG },
  row_buffer: { source: DRAM },
  address_mapping: { source: DRAM },
  reduced_distance: { unit: 'cycles', formula: '√ Σ (time − smallest time)²', source: THESIS },
  rise_foot: { unit: 'bytes', source: OURS },
  best_split: { unit: 'bytes', source: `${THESIS}, section 3.3.3` },
  pelt: { unit: 'bytes', source: 'Killick, Fearnhead and Eckley, JASA 2012' },
  quarter_octave: { unit: 'bytes', formula: 'size × 2^¼', source: OURS },
};
