// What the words of the glossary mean, as the models really use them. The page loads them when the first one is opened.

import { allTimeErrors } from './accuracy';
import type { TermId } from './glossary';

export const definitions: Record<TermId, string> = {
  request:
    'One cache line asked for by one access of a warp. The lanes of a warp that want the same line share one request (coalescing), so a warp’s load makes between 1 and 32 requests, or twice as many when accesses cross lines.',
  miss_rate:
    'Compulsory, capacity and associativity misses, divided by all requests. Latency misses are left out, as a hardware profiler leaves them out; they are shown apart.',
  reuse_distance:
    'How many different lines of the same set were used since this line was last used. A request hits when its distance is less than the number of ways. A line never seen before, or still on its way, has the distance ∞.',
  compulsory: 'The first request ever for the line on this core. No cache avoids it; only touching fewer lines does.',
  capacity:
    'The line was used before, but would have been pushed out even of a fully associative cache of the same size: more lines are used between two uses than the cache holds. Other ways let other requests miss, so this number changes with them.',
  associativity:
    'Misses in its set, but would hit in a fully associative cache of the same size: too many lines that are in use fall into one set.',
  latency:
    'The line was asked for before and is still on its way. The request joins the one in flight and waits for it; it causes no traffic of its own and is not part of the miss rate.',
  mshr_class:
    'How many misses (latency misses aside) this run has more than the same run with unlimited MSHRs. The number can be negative: then waiting for MSHRs saved misses, by slowing warps that would have pushed each other’s lines out.',
  mshr: 'Miss-status holding register. Each remembers one line on its way to the cache. When all are busy, a warp that needs another one goes back to the queue and tries again.',
  hit: 'The line is in its set: fewer different lines were used since its last use than the set has ways.',
  set: 'A small group of places in the cache. The line’s address decides its set, and within it the line may take any of the ways.',
  ways: 'How many lines a set holds: the associativity.',
  tick: 'The model’s unit of time: in each tick the warp at the front of the queue issues one access. A tick is not a clock cycle.',
  attributed:
    'Each miss is put into one class at the moment it happens. So the classes can be told apart per array, per instruction and per set, and hits and misses add up to the requests.',
  differential:
    'The classes as the HPCA 2014 paper counts them, by the differences between four runs: the full model, one with a single set, one without latency, and one with unlimited MSHRs. The four runs take different courses, so a difference is not a count of single misses and can even be negative.',
  fingerprint: 'A short code computed from the whole result. Two runs with the same fingerprint gave the same result.',
  model_paper: 'The extended reuse-distance model as its HPCA 2014 paper describes it. All cores are modelled.',
  model_reference:
    'Exactly what the authors’ own program computes, quirks included, so that the two can be compared bit for bit.',
  model_gpu:
    'The whole GPU, event by event, in cycles: schedulers, coalescing, L1s, network, L2 slices and DRAM. Its numbers come from the GPU’s facts, each with its source; its notes say what it leaves out.',
  launch_state:
    'What the caches hold when the kernel starts. Profilers differ: Nsight Compute empties them, nvprof runs the kernel twice. The L1s are always empty.',
  time_error: `The mean difference, without sign, between modelled times and times that others measured, with the number of launches: ${allTimeErrors()}. docs/accuracy.md has each launch.`,
  gpu_time: 'Cycles divided by the core clock of the GPU. The cost of the launch is in it.',
  cycle: 'Core cycles from the launch to the end of the last warp, and the cost of a launch as profilers count it.',
  warp_instruction: 'One instruction that a warp of 32 threads runs together.',
  warp_load: 'Warp instructions that load from global, local or texture memory.',
  sector: '32 bytes, the unit in which data moves between the caches and DRAM. A line of 128 bytes has four.',
  sectors_per_load:
    'Distinct sectors that one load of a warp asks for, in the mean. 32 lanes that load 4 bytes side by side need 4; far apart, they need 32.',
  least_sectors:
    'The sectors that a load would ask for if its lanes’ elements lay side by side: their bytes divided by 32. Where lanes share elements it can be fewer, and then that number counts.',
  least_bytes:
    'The bytes of each line, or each sector in the model “gpu”, that the loads of the launch touch, and its stores where they bring lines in, counted once. Any cache has to fetch them once, unless it held them before.',
  requests_per_load:
    'Lines that one load of a warp asks for, in the mean. 32 lanes that load 4 bytes side by side need one; far apart, they need 32.',
  least_requests:
    'The lines that a load would ask for if its lanes’ elements lay side by side: their bytes divided by the line size. Where lanes share elements it can be fewer, and then that number counts.',
  l1_fetched:
    'Bytes that misses bring into the L1s of all cores: a line for each miss, without latency misses, which wait for a line that comes anyway.',
  l2_to_l1: 'Bytes that the cores read from the L2: sectors times 32.',
  l2_traffic:
    'Bytes that move between the cores and the L2 in both directions: what L1 misses bring in, what stores write, and what atomics change.',
  dram_to_l2: 'Bytes that the L2 reads from main memory: sectors times 32.',
  busiest:
    'The share of the time in which a part works, without the cost of the launch: the mean of all L2 slices or DRAM channels, for the others the mean of the cores that have work. A part near 100 % limits the kernel. When no part is near it, the kernel waits for latencies.',
  l1_hit_rate: 'Of the distinct sectors that loads ask for, the share that the L1 holds or that is on its way to it.',
  sector_compulsory:
    'This core’s L1 had never fetched the sector, so a cache of any size would miss. Only asking for fewer sectors avoids it. Sectors that several cores use count once for each L1.',
  sector_capacity:
    'The L1 had the sector before, but a fully associative LRU cache with as many lines would have lost it too. A larger L1, or more reuse before other lines come, avoids it.',
  sector_conflict:
    'A fully associative LRU cache with as many lines would still hold the sector: too many lines in use share a set, or the L1 replaced the line at random, as from Turing on. The model “paper” calls this an associativity miss.',
  sector_dropped:
    'The L1 had the sector, but a store dropped its line. Only an L1 whose stores evict the line (write-evict, as on Fermi) has such misses.',
  line_there:
    'The L1 held the line, but not this sector of it: a line has a tag for four sectors, and only those that are asked for are fetched. It is a part of the misses of any class.',
  lane_operation:
    'A floating-point instruction of one lane: 32 for each warp instruction, also where some lanes are switched off. A fused multiply-add counts once, because the trace does not tell it from others. Times include the cost of the launch.',
  l2_hit_rate: 'Of the sectors that the cores read from the L2, the share that it holds or that is on its way to it.',
  occupancy:
    'Warps that can be resident on a core, over the most that it can hold. Threads, blocks, registers and shared memory limit it.',
  working_cores:
    'Cores that had at least one block. Blocks are dealt to the cores one by one, so a launch with fewer blocks than cores leaves some without work.',
  wavefront:
    'One pass over the banks of shared memory. A warp’s access of words takes one, and one more for each further word that a bank has to serve.',
  counted_sectors:
    'Sectors of loads as the counters of this generation count them: on Maxwell and Pascal per group of eight lanes, else per warp.',
  atomic_sectors: 'Atomics on global memory run at the L2. This counts the sectors that they change there.',
  part_issue:
    'Each scheduler of a core issues at most one warp instruction per cycle. Busy: the share of these slots that are used.',
  part_pipe:
    'Takes the memory instructions of a core: a cycle or more for each line of a global access and each wavefront of shared memory.',
  part_links:
    'The network between a core and the L2: requests and written data one way, loaded data the other, a fixed number of bytes per cycle.',
  part_l2: 'The L2 is cut into slices by address. Each serves about one sector per cycle.',
  part_dram: 'Main memory’s channels share its peak bandwidth.',
  stall_issued: 'Cycles in which a scheduler issued a warp instruction.',
  stall_load: 'The next warp waits for a value from the L1, the L2 or DRAM, or from an atomic.',
  stall_pipe:
    'The load-store pipe has as much work as it takes in advance. Fewer sectors per load, or fewer bank conflicts, would relieve it.',
  stall_shared: 'The next warp waits for a value from shared memory.',
  stall_launch: 'A block ended, and the block that takes its place has not started yet.',
  stall_barrier: 'All warps that could go on wait for other warps of their block.',
  stall_arithmetic: 'The next warp waits for the result of an arithmetic instruction.',
  seed: 'Miss latencies vary at random. The seed fixes them: the same seed gives the same result, everywhere.',
  cancel: 'A warp found no free MSHR for its access, went to the back of the queue and tried again later.',
  reuse_distance_stream:
    'How many different lines were used since this line was last used, over the whole stream. A fully associative LRU cache of n lines hits exactly when the distance is below n. A line never used before has the distance ∞.',
  miss_ratio_curve:
    'For every number of lines, the share of accesses that miss in a fully associative cache of that size which drops the least recently used line. Follows from the distances alone, so one pass gives all sizes.',
  reuse_engine:
    'How the distances are found. Rank bits and inversion count are exact and give the same histogram; a sample is an estimate.',
  hp_rda:
    'Highly parallel reuse-distance analysis (IPDPS 2012): the stream is cut into thread traces, each is analysed alone, and distances across cuts are added up as if no line were in two traces. The effective factor ef shrinks what exceeds the number of lines.',
  error_e:
    'As the HP-RDA paper defines it: the mean over H bins (24 here: distance 0, then powers of two) of the share of accesses by which a bin differs from the exact one. Small bins make it small, so the largest errors stand beside it.',
  shards:
    'Spatially hashed sampling (FAST 2015): keeps all accesses to a line or none, by the line’s hash, and scales distances by the rate.',
  placement:
    'For each array of a kernel, the memory that it lives in: global, a texture fetched by one index (1D) or by row and column (2D), constant, or shared memory filled by a cooperative copy.',
  t_comp:
    'Time that issuing all instructions takes: the kernel’s own, those that compute addresses, replays of instructions whose lanes could not be served at once, and copies into shared memory.',
  t_mem:
    'Time that the loads wait: how many a warp waits for, one after the other, times the mean latency of the caches and of main memory with its queues.',
  t_overlap:
    'The part of Tcomp and Tmem that happens at the same time, because other warps compute while one waits. The predicted time is Tcomp + Tmem − Toverlap.',
  tie: 'No slower than the placement put first in 35 % of the draws or more, when times vary as for the chance. The model cannot tell them apart; choose by what is easier to write.',
  chance:
    'In how many of the draws this placement is the fastest of all that ran. In a draw the times of rewritten texts vary by 18 %, and those of a moved trace by 40 %. The spreads were chosen on a part of the measured placements of a convolution on an A100 and of a matrix product on an RTX 2080 Ti. How far a time is off is another number (see Accuracy).',
  gap: 'By how much the best placement that was found can at most be slower than the best there is, as far as the model goes. It is 0, and the search exact, only when every other placement was looked at or ruled out by a bound.',
  replay:
    'An instruction is issued again for lanes that could not be served together: different segments of global memory, different words of constant memory, or different rows of one bank of shared memory.',
  row_buffer:
    'Each bank of main memory keeps one row open. A request to the open row is a hit; to a bank without an open row a miss; to another row than the open one a conflict, the slowest.',
  address_mapping:
    'Which bits of an address choose the column in a row, the bank, and the row. Vendors do not publish it; latencies reveal it.',
  reduced_distance:
    'One number for all times of an array size: how far they lie from the smallest times that any size has, as the root of the summed squares, in cycles. It is small while the array fits and rises where loads begin to miss. With delays cut, a time counts at most as one that a tenth of a row reaches.',
  rise_foot:
    'The last size before the series leaves its flat part. A cache that overflows set by set makes a slope, and its size is at the foot. This is our own rule: the slope is cut off a little above the flat part, and the best split of what is left is taken.',
  best_split:
    'The split into two parts whose values deviate least from the mean of their part, by the summed squares. It is the estimator of the thesis. On a slope it lies within the slope.',
  pelt: 'Pruned exact linear time (Killick, Fearnhead and Eckley 2012): the changes of the mean that deviate least, with a price for each change. The first of them is shown.',
  quarter_octave:
    'Each array is a quarter of an octave larger than the one before: about 19 %, so four of them double the size. That finds a change anywhere with few arrays. A step in bytes then finds its exact place.',
};
