// HP-RDA (IPDPS'12) on WebGPU: step 3, the thread traces, and step 4, joining by formula 1 among the threads of a block
// and then among blocks. Steps 1, 2 and 5 are the host's. The accesses by distance equal those of the CPU version.
//
// A fragment of the trace is on the device at a time: whole blocks of `nb` thread traces of `st` references. Thread trace
// t has the references from t * st, and of every table twice as many places, as in the paper (HS = 2 N). Addresses are
// dense numbers; a key is a number plus one, 0 a free place.

struct Task {
  st: u32,
  nb: u32,
  /// References and thread traces of the fragment.
  refs: u32,
  threads: u32,
  /// Words of a thread's local array.
  words: u32,
  /// The references of each thread trace, or its distinct addresses, that this dispatch works on.
  begin: u32,
  end: u32,
  spare: u32,
}

@group(0) @binding(0) var<uniform> task: Task;
@group(0) @binding(1) var<storage, read_write> addresses: array<u32>;
/// Keys of the tables: of threads, then of blocks. One dispatch uses one of the two.
@group(0) @binding(2) var<storage, read_write> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> shared_keys: array<atomic<u32>>;
/// By place in a table. Of threads: index of the latest reference. Of blocks: distinct addresses behind it in its trace.
@group(0) @binding(3) var<storage, read_write> latest: array<u32>;
/// By place in a block's table: distinct addresses of the block's traces up to and with the last that has the address.
@group(0) @binding(4) var<storage, read_write> behind: array<u32>;
/// By place in a block's table: distinct addresses of the block before the first reference.
@group(0) @binding(5) var<storage, read_write> first: array<u32>;
/// Three words for each distinct address of a thread trace: number, distinct ones before its first reference and after
/// its last one.
@group(0) @binding(6) var<storage, read_write> infos: array<u32>;
/// Local arrays: bit i is set while reference i is the latest one to its address.
@group(0) @binding(7) var<storage, read_write> local: array<u32>;
/// Distinct addresses by thread trace.
@group(0) @binding(8) var<storage, read_write> counts: array<u32>;
/// Accesses by distance.
@group(0) @binding(9) var<storage, read_write> histogram: array<atomic<u32>>;
/// By block: distinct addresses, and the sum of its threads' distinct addresses.
@group(0) @binding(10) var<storage, read_write> blocks: array<atomic<u32>>;
/// Distinct addresses of all blocks before this one; number of this block in the fragment; then by address: behind its last
/// reference in its block, and distinct addresses of all blocks up to and with that one (0: never seen).
@group(0) @binding(11) var<storage, read_write> seen: array<u32>;

fn mixed(address: u32) -> u32 {
  let h = (address ^ (address >> 16u)) * 0x9e3779b1u;
  return h ^ (h >> 15u);
}

/// Bits of the local array at `base` that are set after `index`; nothing is set beyond the reference under way.
fn set_after(base: u32, index: u32, end: u32) -> u32 {
  let word = index / 32u;
  var sum = countOneBits((local[base + word] >> (index % 32u)) >> 1u);
  let last = (end + 31u) / 32u;
  for (var w = word + 1u; w < last; w++) {
    sum += countOneBits(local[base + w]);
  }
  return sum;
}

/// The place of `key` in the table of `size` places at `base`, or the free one it can take.
fn find(base: u32, size: u32, key: u32) -> u32 {
  var at = mixed(key) % size;
  loop {
    let there = keys[base + at];
    if (there == key || there == 0u) {
      return base + at;
    }
    at++;
    if (at == size) {
      at = 0u;
    }
  }
  return base;
}

/// Step 3: references `begin..end` of every thread trace.
@compute @workgroup_size(64)
fn analyse(@builtin(global_invocation_id) id: vec3u) {
  let thread = id.x;
  if (thread >= task.threads) {
    return;
  }
  let start = thread * task.st;
  let length = min(task.st, task.refs - start);
  let base = thread * task.words;
  var count = counts[thread];
  for (var i = task.begin; i < min(task.end, length); i++) {
    let key = addresses[start + i] + 1u;
    let place = find(2u * start, 2u * length, key);
    if (keys[place] == key) {
      let before = latest[place];
      atomicAdd(&histogram[set_after(base, before, i)], 1u);
      local[base + before / 32u] &= ~(1u << (before % 32u));
    } else {
      keys[place] = key;
      infos[3u * (start + count)] = key - 1u;
      infos[3u * (start + count) + 1u] = count;
      count++;
    }
    local[base + i / 32u] |= 1u << (i % 32u);
    latest[place] = i;
  }
  counts[thread] = count;
}

/// The end of step 3: what comes after the last reference to the distinct addresses `begin..end` of every thread trace.
@compute @workgroup_size(64)
fn look_back(@builtin(global_invocation_id) id: vec3u) {
  let thread = id.x;
  if (thread >= task.threads) {
    return;
  }
  let start = thread * task.st;
  let length = min(task.st, task.refs - start);
  for (var k = task.begin; k < min(task.end, counts[thread]); k++) {
    let place = find(2u * start, 2u * length, infos[3u * (start + k)] + 1u);
    infos[3u * (start + k) + 2u] = set_after(thread * task.words, latest[place], length);
  }
}

/// Step 4 among the threads of a block: a workgroup for each block. Its traces go in order; the addresses of one trace are
/// distinct, so lanes do not meet.
@compute @workgroup_size(256)
fn join_threads(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let block = group.x;
  let start = block * task.nb * task.st;
  let size = 2u * min(task.nb * task.st, task.refs - start);
  var until_here = 0u;
  for (var k = 0u; k < task.nb; k++) {
    let thread = block * task.nb + k;
    if (thread >= task.threads) {
      break;
    }
    let count = counts[thread];
    for (var j = lane; j < count; j += 256u) {
      let info = 3u * (thread * task.st + j);
      let key = infos[info] + 1u;
      var at = mixed(key) % size;
      var known = false;
      loop {
        let there = atomicLoad(&shared_keys[2u * start + at]);
        if (there == key) {
          known = true;
          break;
        }
        if (there == 0u) {
          let taken = atomicCompareExchangeWeak(&shared_keys[2u * start + at], 0u, key);
          if (taken.exchanged) {
            break;
          }
          // Somebody else took it, or it was a spurious failure: look again.
          continue;
        }
        at++;
        if (at == size) {
          at = 0u;
        }
      }
      let place = 2u * start + at;
      if (known) {
        // Formula 1.
        atomicAdd(&histogram[latest[place] + (until_here - behind[place]) + infos[info + 1u]], 1u);
      } else {
        first[place] = until_here + infos[info + 1u];
        atomicAdd(&blocks[2u * block], 1u);
      }
      latest[place] = infos[info + 2u];
      behind[place] = until_here + count;
    }
    until_here += count;
    storageBarrier();
  }
  if (lane == 0u) {
    atomicStore(&blocks[2u * block + 1u], until_here);
  }
}

/// Step 4 among blocks: one block, by the places of its table.
@compute @workgroup_size(256)
fn join_blocks(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let block = seen[1];
  let start = block * task.nb * task.st;
  let size = 2u * min(task.nb * task.st, task.refs - start);
  let until_here = seen[0];
  let all = atomicLoad(&blocks[2u * block + 1u]);
  let distinct = atomicLoad(&blocks[2u * block]);
  for (var at = id.x; at < size; at += groups.x * 256u) {
    let place = 2u * start + at;
    let key = atomicLoad(&shared_keys[place]);
    if (key == 0u) {
      continue;
    }
    let mine = 2u * key;
    if (seen[mine + 1u] != 0u) {
      atomicAdd(&histogram[seen[mine] + (until_here - seen[mine + 1u]) + first[place]], 1u);
    }
    seen[mine] = latest[place] + (all - behind[place]);
    seen[mine + 1u] = until_here + distinct;
  }
}

/// Goes on to the next block.
@compute @workgroup_size(1)
fn next_block() {
  seen[0] += atomicLoad(&blocks[2u * seen[1]]);
  seen[1] += 1u;
}
