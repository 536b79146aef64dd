//! The event loop of the simulated GPU, in which warps issue instructions, requests travel and replies wake warps.

use super::memory::{Channel, MemoryConfig, SetCache, Waiting};
use super::program::Put;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use trace::{Kind, Space, Trace};

/// Configuration of a GPU or of a slice of one. Times are in SM cycles.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub sms: usize,
    pub schedulers: usize,
    /// Time during which a warp instruction occupies its scheduler, in 1/16 cycles.
    pub issue_16ths: u64,
    pub alu_cycles: u64,
    pub max_threads: u64,
    pub max_blocks: u64,
    pub shared_bytes: u64,
    pub registers: u64,
    /// Lines of the L1 for global loads; 0 without an L1.
    pub l1_lines: usize,
    pub texture_lines: usize,
    pub unified: bool,
    /// Bytes that L1 and shared memory share.
    pub carve: Option<u64>,
    pub l1_cycles: u64,
    pub texture_cycles: u64,
    pub constant_cycles: u64,
    pub constant_fill_cycles: u64,
    pub shared_cycles: u64,
    pub mshrs: usize,
    /// Sectors that an SM receives from the crossbar per cycle.
    pub port_sectors: u64,
    pub memory: MemoryConfig,
}

/// The cache that a request goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Path {
    L1,
    Texture,
    Constant,
    Around,
}

#[derive(Clone, Debug)]
enum Instruction {
    Alu(u32),
    Use,
    Barrier,
    Shared {
        passes: u64,
        load: bool,
    },
    /// Lines with their sectors. A store has no path.
    Lines {
        path: Path,
        passes: u64,
        lines: Vec<(u64, u8)>,
        load: bool,
    },
}

struct Warp {
    code: std::rc::Rc<Vec<Instruction>>,
    at: usize,
    left: u32,
    outstanding: u32,
    waiting: bool,
    block: usize,
    sm: usize,
    scheduler: usize,
}

#[derive(Default)]
struct Block {
    alive: usize,
    arrived: Vec<usize>,
    sm: usize,
}

/// Outstanding requests of a line: the sectors of each one, and the tokens that wait for it.
type OnTheWay = Vec<(u8, Vec<u32>)>;

struct Sm {
    schedulers: Vec<u64>,
    lsu: u64,
    out: u64,
    back: u64,
    l1: SetCache,
    texture: SetCache,
    constant: SetCache,
    constant_fill: SetCache,
    /// The sectors in flight of each line, and the tokens that wait for them.
    pending: HashMap<(Path, u64), OnTheWay>,
    outstanding: usize,
    stalled: VecDeque<(Path, u64, u8, u32)>,
    blocks: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Issue(usize),
    /// A line of a token has arrived.
    Line(u32),
    Slice {
        sm: usize,
        line: u64,
        sectors: u8,
        path: u8,
        store: bool,
    },
    Channel(usize),
    Fill(u64),
    Reply {
        sm: usize,
        line: u64,
        path: u8,
        sectors: u8,
    },
}

const PATHS: [Path; 4] = [Path::L1, Path::Texture, Path::Constant, Path::Around];

/// The simulation of one kernel.
pub struct Sim<'a> {
    gpu: &'a Gpu,
    events: BinaryHeap<Reverse<(u64, u64, Event)>>,
    sequence: u64,
    warps: Vec<Warp>,
    blocks: Vec<Block>,
    sms: Vec<Sm>,
    tokens: Vec<(usize, u32)>,
    slices: Vec<u64>,
    l2: Vec<SetCache>,
    l2_pending: HashMap<u64, Vec<(usize, u64, u8, u8)>>,
    channels: Vec<Channel>,
    scheduled: Vec<u64>,
    queue: VecDeque<Vec<std::rc::Rc<Vec<Instruction>>>>,
    per_sm: u64,
    end: u64,
    /// Lines read from memory.
    pub fetched: u64,
}

/// Cycles of `trace` with its arrays in the memories of `puts`.
pub fn cycles(gpu: &Gpu, trace: &Trace, puts: &[Put], widths: &[u64], elements: &[u64]) -> u64 {
    Sim::new(gpu, trace, puts, widths, elements).run()
}

impl<'a> Sim<'a> {
    pub fn new(gpu: &'a Gpu, trace: &Trace, puts: &[Put], widths: &[u64], elements: &[u64]) -> Self {
        let threads = trace.launch.block.count().max(1);
        let shared = u64::from(trace.launch.shared_bytes);
        let per_sm = (gpu.max_threads / threads)
            .min(gpu.max_blocks)
            .min(gpu.shared_bytes.checked_div(shared).unwrap_or(u64::MAX))
            .min(gpu.registers / (u64::from(trace.launch.registers).max(1) * threads))
            .max(1);
        let queue = trace.blocks.iter().map(|block| {
            let warps = &trace.warps[block.warps.start as usize..block.warps.end as usize];
            warps.iter().map(|warp| std::rc::Rc::new(decode(trace, warp, puts, widths, elements))).collect()
        });
        let l1 = match gpu.carve {
            Some(all) => gpu
                .l1_lines
                .min((all.saturating_sub(per_sm.min(trace.blocks.len() as u64) * shared) / 128) as usize)
                .max(64),
            None => gpu.l1_lines,
        };
        let sm = |_| Sm {
            schedulers: vec![0; gpu.schedulers],
            lsu: 0,
            out: 0,
            back: 0,
            l1: SetCache::new(l1, 8),
            texture: SetCache::new(gpu.texture_lines, 8),
            constant: SetCache::new(32, 4),
            constant_fill: SetCache::new(128, 8),
            pending: HashMap::new(),
            outstanding: 0,
            stalled: VecDeque::new(),
            blocks: 0,
        };
        let memory = &gpu.memory;
        Self {
            gpu,
            events: BinaryHeap::new(),
            sequence: 0,
            warps: Vec::new(),
            blocks: Vec::new(),
            sms: (0..gpu.sms).map(sm).collect(),
            tokens: Vec::new(),
            slices: vec![0; memory.slices],
            l2: vec![SetCache::new(memory.l2_lines_per_slice, 16); memory.slices],
            l2_pending: HashMap::new(),
            channels: vec![Channel::new(memory); memory.channels],
            scheduled: vec![u64::MAX; memory.channels],
            queue: queue.collect(),
            per_sm,
            end: 0,
            fetched: 0,
        }
    }

    /// Runs to the end and returns the time of the last instruction.
    pub fn run(&mut self) -> u64 {
        while self.sms.iter().any(|sm| sm.blocks < self.per_sm) && !self.queue.is_empty() {
            for sm in 0..self.sms.len() {
                if self.sms[sm].blocks < self.per_sm {
                    self.start(sm, 0);
                }
            }
        }
        while let Some(Reverse((now, _, event))) = self.events.pop() {
            match event {
                Event::Issue(warp) => self.issue(warp, now),
                Event::Line(token) => self.line(token, now),
                Event::Slice { sm, line, sectors, path, store } => self.slice(sm, line, sectors, path, store, now),
                Event::Channel(channel) => self.channel(channel, now),
                Event::Fill(line) => self.fill(line, now),
                Event::Reply { sm, line, path, sectors } => self.reply(sm, line, path, sectors, now),
            }
        }
        self.end
    }

    pub fn row_hits(&self) -> (u64, u64) {
        self.channels.iter().fold((0, 0), |sum, c| (sum.0 + c.row_hits, sum.1 + c.row_others))
    }

    fn at(&mut self, time: u64, event: Event) {
        self.sequence += 1;
        self.events.push(Reverse((time, self.sequence, event)));
    }

    fn start(&mut self, sm: usize, now: u64) {
        let Some(warps) = self.queue.pop_front() else { return };
        self.sms[sm].blocks += 1;
        let block = self.blocks.len();
        self.blocks.push(Block { alive: warps.len(), arrived: Vec::new(), sm });
        for (i, code) in warps.into_iter().enumerate() {
            let scheduler = (i + block) % self.gpu.schedulers;
            self.warps.push(Warp { code, at: 0, left: 0, outstanding: 0, waiting: false, block, sm, scheduler });
            self.at(now, Event::Issue(self.warps.len() - 1));
        }
    }

    /// Takes a slot of the warp's scheduler and returns the time of issue.
    fn slot(&mut self, warp: usize, now: u64) -> u64 {
        let (sm, scheduler) = (self.warps[warp].sm, self.warps[warp].scheduler);
        let free = &mut self.sms[sm].schedulers[scheduler];
        *free = (*free).max(now * 16) + self.gpu.issue_16ths;
        (*free - self.gpu.issue_16ths).div_ceil(16)
    }

    fn issue(&mut self, id: usize, now: u64) {
        self.end = self.end.max(now);
        let warp = &mut self.warps[id];
        let code = warp.code.clone();
        let Some(instruction) = code.get(warp.at) else {
            // Loads whose values are unused still have to return before the block finishes.
            if warp.outstanding > 0 {
                warp.waiting = true;
                return;
            }
            return self.finish(id, now);
        };
        match instruction {
            Instruction::Alu(count) => {
                warp.left = if warp.left == 0 { *count } else { warp.left };
                warp.left -= 1;
                if warp.left == 0 {
                    warp.at += 1;
                }
                let issued = self.slot(id, now);
                self.at(issued + self.gpu.alu_cycles, Event::Issue(id));
            }
            Instruction::Use => {
                if warp.outstanding > 0 {
                    warp.waiting = true;
                } else {
                    warp.at += 1;
                    self.at(now, Event::Issue(id));
                }
            }
            Instruction::Barrier => self.barrier(id, now),
            Instruction::Shared { passes, load } => {
                warp.at += 1;
                let (passes, load) = (*passes, *load);
                let done = self.lsu(id, passes, now);
                if load {
                    let token = self.token(id, 1);
                    self.at(done.1 + self.gpu.shared_cycles, Event::Line(token));
                }
                self.at(done.2, Event::Issue(id));
            }
            Instruction::Lines { path, passes, lines, load } => {
                warp.at += 1;
                let (start, _, next) = self.lsu(id, *passes, now);
                let sm = self.warps[id].sm;
                let token = if *load { self.token(id, lines.len() as u32) } else { 0 };
                for (i, &(line, sectors)) in lines.iter().enumerate() {
                    // The last line leaves with the last pass.
                    let time = start + ((i as u64 + 1) * passes / lines.len() as u64).max(1) - 1;
                    match load {
                        true => self.request(sm, *path, line, sectors, token, time),
                        false => self.send(sm, line, sectors, Path::Around, true, time),
                    }
                }
                self.at(next, Event::Issue(id));
            }
        }
    }

    /// Takes a slot and the load-store unit. Returns the times of the first pass, of the last pass and of the warp's
    /// next issue.
    fn lsu(&mut self, id: usize, passes: u64, now: u64) -> (u64, u64, u64) {
        let issued = self.slot(id, now);
        let sm = self.warps[id].sm;
        let start = issued.max(self.sms[sm].lsu);
        self.sms[sm].lsu = start + passes;
        // The unit queues some instructions. When the queue is full, warps wait to issue.
        (start, start + passes - 1, (issued + 2).max((start + passes).saturating_sub(32)))
    }

    fn token(&mut self, warp: usize, lines: u32) -> u32 {
        self.warps[warp].outstanding += 1;
        self.tokens.push((warp, lines));
        (self.tokens.len() - 1) as u32
    }

    fn line(&mut self, token: u32, now: u64) {
        let (id, left) = &mut self.tokens[token as usize];
        *left -= 1;
        if *left > 0 {
            return;
        }
        let id = *id;
        self.end = self.end.max(now);
        let warp = &mut self.warps[id];
        warp.outstanding -= 1;
        if warp.outstanding == 0 && warp.waiting {
            warp.waiting = false;
            self.at(now, Event::Issue(id));
        }
    }

    fn barrier(&mut self, id: usize, now: u64) {
        self.warps[id].at += 1;
        let block = self.warps[id].block;
        self.blocks[block].arrived.push(id);
        self.release(block, now);
    }

    fn release(&mut self, block: usize, now: u64) {
        if self.blocks[block].arrived.len() >= self.blocks[block].alive {
            for warp in std::mem::take(&mut self.blocks[block].arrived) {
                self.at(now + 4, Event::Issue(warp));
            }
        }
    }

    fn finish(&mut self, id: usize, now: u64) {
        let block = self.warps[id].block;
        self.blocks[block].alive -= 1;
        if self.blocks[block].alive == 0 {
            let sm = self.blocks[block].sm;
            self.sms[sm].blocks -= 1;
            self.start(sm, now + 100);
        } else {
            self.release(block, now);
        }
    }

    /// Requests one line of a load.
    fn request(&mut self, sm: usize, path: Path, line: u64, sectors: u8, token: u32, now: u64) {
        let gpu = self.gpu;
        let unit = &mut self.sms[sm];
        // Both share one cache, but the path through the texture unit has its own latency.
        let asked = path;
        let near = if path == Path::Texture { gpu.texture_cycles } else { gpu.l1_cycles };
        let path = match path {
            Path::Texture if gpu.unified => Path::L1,
            Path::L1 if gpu.l1_lines == 0 => Path::Around,
            path => path,
        };
        let (key, hit) = match path {
            Path::Constant => {
                // `line` is a line of 64 bytes here. The request is for the 256 bytes around it. The line is filled
                // only when the request is in flight or the next level has it, because a stalled one comes back.
                if unit.constant.touch(line, 1, false, false).0 == 0 && !unit.pending.contains_key(&(path, line / 4)) {
                    return self.at(now + gpu.constant_cycles, Event::Line(token));
                }
                let known = unit.constant_fill.touch(line / 4, 1, false, false).0 == 0;
                if known || unit.outstanding < gpu.mshrs {
                    unit.constant.touch(line, 1, true, false);
                    unit.constant_fill.touch(line / 4, 1, true, false);
                }
                (line / 4, known.then_some(gpu.constant_fill_cycles))
            }
            Path::L1 => {
                let missing = unit.l1.touch(line, sectors, false, false).0;
                (line, (missing == 0).then_some(near))
            }
            Path::Texture => {
                let missing = unit.texture.touch(line, sectors, false, false).0;
                (line, (missing == 0).then_some(near))
            }
            Path::Around => (line, None),
        };
        let wanted = if path == Path::Constant { 0xf } else { sectors };
        if let Some(cycles) = hit.filter(|_| !unit.pending.contains_key(&(path, key))) {
            return self.at(now + cycles, Event::Line(token));
        }
        let valid = match path {
            Path::L1 => sectors & !unit.l1.touch(line, sectors, false, false).0,
            Path::Texture => sectors & !unit.texture.touch(line, sectors, false, false).0,
            Path::Constant | Path::Around => 0,
        };
        let mut rest = wanted & !valid;
        if rest == 0 {
            return self.at(now + near, Event::Line(token));
        }
        let on_the_way = unit.pending.get(&(path, key)).map_or(0, |list| list.iter().fold(0, |all, e| all | e.0));
        if rest & !on_the_way != 0 && unit.outstanding >= gpu.mshrs {
            return unit.stalled.push_back((asked, line, sectors, token));
        }
        // The token waits for every request that brings a part of the line. Each is a reply in addition to the line's
        // own.
        let list = unit.pending.entry((path, key)).or_default();
        let mut replies = 0;
        for (brings, tokens) in list.iter_mut() {
            if *brings & rest == 0 {
                continue;
            }
            tokens.push(token);
            replies += 1;
            rest &= !*brings;
        }
        if rest != 0 {
            list.push((rest, vec![token]));
            unit.outstanding += 1;
            replies += 1;
        }
        self.tokens[token as usize].1 += replies - 1;
        match path {
            _ if rest == 0 => {}
            // The request has two lines of 128 bytes. Only the reply to the first one counts.
            Path::Constant => {
                self.send(sm, key * 2, 0xf, path, false, now);
                self.send(sm, key * 2 + 1, 0xf, path, false, now);
            }
            _ => self.send(sm, line, rest, path, false, now),
        }
    }

    /// Sends a request into the crossbar. An SM sends one request per cycle, and one sector of stored data per cycle.
    fn send(&mut self, sm: usize, line: u64, sectors: u8, path: Path, store: bool, now: u64) {
        let time = if store { u64::from(sectors.count_ones()) } else { 1 };
        let out = &mut self.sms[sm].out;
        *out = (*out).max(now) + time;
        let arrive = *out + self.gpu.memory.l2_cycles / 3;
        let path = PATHS.iter().position(|p| *p == path).unwrap_or(0) as u8;
        self.at(arrive, Event::Slice { sm, line, sectors, path, store });
    }

    fn slice(&mut self, sm: usize, line: u64, sectors: u8, path: u8, store: bool, now: u64) {
        let slice = ((line ^ line >> 7) % self.gpu.memory.slices as u64) as usize;
        // A slice moves two sectors per cycle.
        let start = self.slices[slice].max(now);
        self.slices[slice] = start + u64::from(sectors.count_ones()).div_ceil(2);
        self.at_slice(start, sm, line, sectors, path, store, slice);
    }

    #[allow(clippy::too_many_arguments)]
    fn at_slice(&mut self, now: u64, sm: usize, line: u64, sectors: u8, path: u8, store: bool, slice: usize) {
        let (missing, victim) = self.l2[slice].touch(line, sectors, true, store);
        if let Some((line, sectors)) = victim {
            self.queue_for_memory(Waiting { line, sectors, reply: None, arrived: now }, now);
        }
        if store {
            return;
        }
        if let Some(list) = self.l2_pending.get_mut(&line) {
            list.push((sm, line, path, sectors));
            if missing != 0 {
                self.queue_for_memory(Waiting { line, sectors: missing, reply: Some(1), arrived: now }, now);
            }
        } else if missing != 0 {
            self.l2_pending.insert(line, vec![(sm, line, path, sectors)]);
            self.queue_for_memory(Waiting { line, sectors: missing, reply: Some(1), arrived: now }, now);
        } else {
            self.answer(sm, line, path, sectors, now);
        }
    }

    fn queue_for_memory(&mut self, request: Waiting, now: u64) {
        self.fetched += u64::from(request.reply.is_some());
        let channel = (request.line / 2 % self.gpu.memory.channels as u64) as usize;
        self.channels[channel].push(request);
        self.wake(channel, now);
    }

    fn wake(&mut self, channel: usize, time: u64) {
        if self.scheduled[channel] > time {
            self.scheduled[channel] = time;
            self.at(time, Event::Channel(channel));
        }
    }

    fn channel(&mut self, channel: usize, now: u64) {
        if self.scheduled[channel] != now {
            return;
        }
        self.scheduled[channel] = u64::MAX;
        let (served, again) = self.channels[channel].decide(&self.gpu.memory, now);
        if let Some((request, done)) = served {
            if request.reply.is_some() {
                self.at(done, Event::Fill(request.line));
            }
        }
        if let Some(again) = again {
            self.wake(channel, again);
        }
    }

    fn fill(&mut self, line: u64, now: u64) {
        for (sm, line, path, sectors) in self.l2_pending.remove(&line).unwrap_or_default() {
            self.answer(sm, line, path, sectors, now);
        }
    }

    /// Sends a reply back through the crossbar. An SM receives one sector per cycle.
    fn answer(&mut self, sm: usize, line: u64, path: u8, sectors: u8, now: u64) {
        let arrive = now + self.gpu.memory.l2_cycles * 2 / 3;
        let back = &mut self.sms[sm].back;
        *back = (*back).max(arrive) + u64::from(sectors.count_ones()).div_ceil(self.gpu.port_sectors);
        let time = *back;
        self.at(time, Event::Reply { sm, line, path, sectors });
    }

    fn reply(&mut self, sm: usize, line: u64, path: u8, sectors: u8, now: u64) {
        let path = PATHS[usize::from(path)];
        let key = if path == Path::Constant { line / 2 } else { line };
        let unit = &mut self.sms[sm];
        let Some(list) = unit.pending.get_mut(&(path, key)) else { return };
        let Some(found) = list.iter().position(|(brings, _)| *brings == sectors || path == Path::Constant) else {
            return;
        };
        let (sectors, tokens) = list.remove(found);
        if list.is_empty() {
            unit.pending.remove(&(path, key));
        }
        unit.outstanding -= 1;
        match path {
            Path::L1 => {
                unit.l1.touch(line, sectors, true, false);
            }
            Path::Texture => {
                unit.texture.touch(line, sectors, true, false);
            }
            Path::Constant | Path::Around => {}
        }
        for token in tokens {
            self.at(now, Event::Line(token));
        }
        // A register is free, so the requests that waited for it try again.
        let waiting = self.sms[sm].stalled.len();
        for _ in 0..waiting {
            if self.sms[sm].outstanding >= self.gpu.mshrs {
                break;
            }
            let Some((path, line, sectors, token)) = self.sms[sm].stalled.pop_front() else { break };
            self.request(sm, path, line, sectors, token, now);
        }
    }
}

/// Offset in a block-linear surface: groups of 64 bytes by 8 rows, as the Tegra X1 manual describes them.
fn block_linear(offset: u64, element: u64, width: u64) -> u64 {
    let (x, y) = (offset / element % width * element, offset / element / width);
    let groups = (width * element).div_ceil(64);
    let group = y / 8 * groups + x / 64;
    let (x, y) = (x % 64, y % 8);
    group * 512 + (x / 32 * 256 + y / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16)
}

/// The instructions of a warp with its arrays in the memories of `puts`.
fn decode(trace: &Trace, warp: &trace::Warp, puts: &[Put], widths: &[u64], elements: &[u64]) -> Vec<Instruction> {
    let mut code = Vec::new();
    let mut list = [0u64; 32];
    let mut counted = 0;
    for access in trace.accesses(warp) {
        counted += u64::from(access.gap) + 1;
        if access.gap > 0 {
            code.push(Instruction::Alu(access.gap));
        }
        let site = &trace.sites[access.site as usize];
        match &*site.opcode {
            "USE" => code.push(Instruction::Use),
            "BAR" => code.push(Instruction::Barrier),
            _ => {
                let lanes = access.addresses(&mut list);
                let load = site.kind == Kind::Load;
                if site.space == Space::Shared {
                    let lane = |i: usize| nth_lane(access.mask, i);
                    code.push(Instruction::Shared { passes: passes(&list[..lanes], lane, site.bytes.into()), load });
                    continue;
                }
                let array = trace.array_of(list[0]).unwrap_or(0);
                code.push(lines(
                    &list[..lanes],
                    site.bytes.into(),
                    puts[array],
                    load,
                    &trace.arrays[array],
                    widths[array],
                    elements[array],
                ));
            }
        }
    }
    let rest = warp.instructions.saturating_sub(counted);
    if rest > 0 {
        code.push(Instruction::Use);
        code.push(Instruction::Alu(rest as u32));
    }
    code
}

fn nth_lane(mask: u32, n: usize) -> usize {
    (0..32).filter(|lane| mask >> lane & 1 != 0).nth(n).unwrap_or(0)
}

fn lines(
    addresses: &[u64],
    bytes: u64,
    put: Put,
    load: bool,
    array: &trace::Array,
    width: u64,
    element: u64,
) -> Instruction {
    let mut sectors: BTreeMap<u64, u8> = BTreeMap::new();
    if put == Put::Const && load {
        let words: std::collections::BTreeSet<u64> = addresses.iter().map(|a| a / bytes.max(4)).collect();
        addresses.iter().for_each(|a| *sectors.entry(a / 64).or_insert(0) |= 1);
        let lines = sectors.into_iter().collect();
        return Instruction::Lines { path: Path::Constant, passes: words.len() as u64, lines, load };
    }
    for &address in addresses {
        let address = match put {
            Put::Tex2 if load => array.base + block_linear(address - array.base, element, width),
            _ => address,
        };
        for byte in [address, address + bytes - 1] {
            *sectors.entry(byte / 128).or_insert(0) |= 1 << (byte % 128 / 32);
        }
    }
    let path = match put {
        Put::Tex1 | Put::Tex2 => Path::Texture,
        _ => Path::L1,
    };
    let lines: Vec<(u64, u8)> = sectors.into_iter().collect();
    // Wide elements take more than one pass even if they are adjacent.
    let least = (addresses.len() as u64 * bytes).div_ceil(128);
    Instruction::Lines { path, passes: least.max(lines.len() as u64), lines, load }
}

/// Passes through 32 banks of four bytes. Equal words are read once, and wide elements are read by parts of the warp.
fn passes(addresses: &[u64], lane: impl Fn(usize) -> usize, bytes: u64) -> u64 {
    let part = match bytes {
        8 => 16,
        16 => 8,
        _ => 32,
    };
    let mut groups: BTreeMap<usize, Vec<std::collections::BTreeSet<u64>>> = BTreeMap::new();
    for (i, &address) in addresses.iter().enumerate() {
        let banks = groups.entry(lane(i) / part).or_insert_with(|| vec![std::collections::BTreeSet::new(); 32]);
        for word in address / 4..=(address + bytes - 1) / 4 {
            banks[(word % 32) as usize].insert(word);
        }
    }
    groups.values().map(|banks| banks.iter().map(|words| words.len() as u64).max().unwrap_or(1)).sum::<u64>().max(1)
}

#[cfg(test)]
mod tests {
    use super::super::memory::tests::config;
    use super::super::program::{Index, Program};
    use super::*;

    fn gpu() -> Gpu {
        Gpu {
            sms: 1,
            schedulers: 1,
            issue_16ths: 16,
            alu_cycles: 4,
            max_threads: 1024,
            max_blocks: 8,
            shared_bytes: 49_152,
            registers: 65_536,
            l1_lines: 64,
            texture_lines: 64,
            unified: false,
            carve: None,
            l1_cycles: 30,
            texture_cycles: 40,
            constant_cycles: 20,
            constant_fill_cycles: 50,
            shared_cycles: 25,
            mshrs: 4,
            port_sectors: 2,
            memory: config(),
        }
    }

    /// Cycles of a program with its first array in `put`.
    fn time(program: &Program, put: Put) -> u64 {
        let mut puts = vec![Put::Global; program.data.len()];
        puts[0] = put;
        let trace = program.compile(&puts, true, 49_152, true).expect("it fits");
        let widths: Vec<u64> = program.data.iter().map(|data| data.width).collect();
        let elements: Vec<u64> = program.data.iter().map(|data| data.element).collect();
        cycles(&gpu(), &trace, &puts, &widths, &elements)
    }

    fn loads(times: u64, stride: u64) -> Program {
        let mut program = Program::new("loads", (1, 1), (32, 1));
        let data = program.array("data", 4096, 4, 64, Index::Walk);
        program.code(|w| {
            for _ in 0..times {
                w.load(data, |t| t.x * stride);
                w.alu(1);
            }
        })
    }

    #[test]
    fn a_cold_load_takes_the_whole_way_and_a_warm_one_a_hit() {
        let (one, two) = (time(&loads(1, 1), Put::Global), time(&loads(2, 1), Put::Global));
        // 33 to the slice, then the slice, 26 for memory, 66 back, and two cycles on each port. The using instruction
        // follows.
        assert!((120..150).contains(&one), "{one}");
        // A hit and the next instruction.
        assert!((two - one).abs_diff(30 + 4) <= 4, "{}", two - one);
    }

    #[test]
    fn memories_differ_as_they_should() {
        let warm = |put| time(&loads(9, 1), put) - time(&loads(8, 1), put);
        assert!(warm(Put::Global) < warm(Put::Tex1), "texture hits take longer");
        // 32 different words of constant memory are read one by one.
        assert!(warm(Put::Const) >= 20 + 31, "{}", warm(Put::Const));
        let spread = |put| time(&loads(9, 32), put) - time(&loads(8, 32), put);
        // Elements that are 32 words apart are in 32 lines, but a tile keeps them adjacent.
        assert!(spread(Put::Global) >= 30 + 31);
        assert!(spread(Put::Shared) < spread(Put::Global));
    }

    #[test]
    fn warps_hide_each_others_waits() {
        let program = |threads: u32| {
            let mut program = Program::new("hide", (1, 1), (threads, 1));
            let data = program.array("data", 65_536, 4, 256, Index::Walk);
            program.code(|w| {
                for k in 0..8 {
                    w.load(data, |t| t.x + 1024 * k);
                    w.alu(1);
                }
            })
        };
        let (one, eight) = (time(&program(32), Put::Global), time(&program(256), Put::Global));
        assert!(eight < 2 * one, "eight warps {eight}, one {one}");
    }

    #[test]
    fn block_linear_keeps_columns_together() {
        let lines =
            |list: Vec<u64>| list.into_iter().map(|at| at / 128).collect::<std::collections::BTreeSet<_>>().len();
        let at = |x: u64, y: u64| block_linear((y * 64 + x) * 4, 4, 64);
        assert_eq!(lines((0..8).map(|y| at(0, y)).collect()), 2);
        let all: std::collections::BTreeSet<u64> = (0..64 * 64).map(|i| at(i % 64, i / 64)).collect();
        assert_eq!(all.len(), 64 * 64);
    }
}
