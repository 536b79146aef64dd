//! Time in a timed simulation: when the servers of the SMs and of main memory are free, and when requests arrive.
//!
//! In: instructions, passes and line requests in order of time. Out: the times at which they issue, leave and arrive.
//! Every SM has a server for instruction issue, one for passes of the load-store unit, and ports to and from the L2.
//! It also has miss registers (MSHRs) for the lines in flight. Every channel of main memory has a bus.
//!
//! Not modelled: rows of the memory banks. Equations 6 to 10 model them as a part of Tmem.

use crate::model::kernel::{LINE, SECTOR};
use crate::model::machine::Machine;
use crate::model::traffic::AnswerLevel;
use dram::DramAddress;
use std::collections::VecDeque;

/// The servers of an SM, each with the time at which it becomes free.
#[derive(Clone, Debug, Default)]
struct SmServers {
    issue: f64,
    passes: f64,
    request_port: f64,
    reply_port: f64,
    /// Times at which the miss registers (MSHRs) become free, in ascending order.
    registers: VecDeque<f64>,
    /// Number of warps that wait for a register.
    waiting: usize,
}

/// The servers of all SMs and of main memory, and the times of the current access.
#[derive(Clone, Debug)]
pub(crate) struct Clock<'a> {
    /// Time at which the current request leaves.
    pub now: f64,
    /// Time at which all requests of the current load have arrived.
    pub done: f64,
    /// Time at which the line requested last arrives.
    pub arrival: f64,
    servers: Vec<SmServers>,
    buses: Vec<f64>,
    /// Bus of every line.
    channels: &'a [u16],
    /// Cycles of a hit at every level.
    hits: [f64; 7],
    /// Cycles between instructions of a full scheduler; `instruction` is the latency of one.
    pub slot: f64,
    pub instruction: f64,
    pub pass: f64,
    l2: f64,
    memory_beyond_l2: f64,
    /// Cycles that a reply occupies an SM's port, by its number of sectors.
    replies: [f64; 8],
    /// Cycles of a sector on a channel's bus.
    sector: f64,
    registers: usize,
}

/// The larger of two times. `f64::max` also handles NaN and is therefore a call in WebAssembly. No time is NaN.
#[inline(always)]
pub(crate) fn later(a: f64, b: f64) -> f64 {
    if a < b {
        b
    } else {
        a
    }
}

/// Banks of a channel in the mappings that have channels.
const CHANNEL_BANKS: u32 = 16;

/// Number of channels of main memory, and the channel of each address.
pub(crate) fn channels_of_lines(machine: &Machine, dram_addresses: &[DramAddress]) -> (u32, Vec<u16>) {
    let channels = (machine.mapping.banks() / CHANNEL_BANKS).clamp(1, u16::MAX.into());
    (channels, dram_addresses.iter().map(|address| (address.bank / CHANNEL_BANKS % channels) as u16).collect())
}

impl<'a> Clock<'a> {
    /// A clock at time 0. `channels` holds the number of memory channels and the channel of every line, and `hits` the
    /// cycles of a hit at every level.
    pub fn new(machine: &Machine, sms: usize, ilp: f64, channels: (u32, &'a [u16]), hits: [f64; 7]) -> Self {
        let (channels, of_lines) = channels;
        let slot = (32.0 / machine.simd_width).max(1.0 / machine.issue_width);
        Self {
            now: 0.0,
            done: 0.0,
            arrival: 0.0,
            servers: vec![SmServers::default(); sms],
            buses: vec![0.0; channels as usize],
            channels: of_lines,
            hits,
            slot,
            instruction: machine.instruction_latency / ilp.max(1.0),
            pass: LINE as f64 / machine.lsu_bytes_per_cycle,
            l2: machine.l2_latency,
            memory_beyond_l2: machine.memory_latency - machine.l2_latency,
            replies: std::array::from_fn(|sectors| {
                (sectors as f64 * SECTOR as f64 / machine.l2_bytes_per_cycle).max(1.0)
            }),
            sector: SECTOR as f64 * machine.clock_ghz / machine.peak_gbs * f64::from(channels),
            registers: (machine.mshrs as usize).max(1),
        }
    }

    /// Issues `count` instructions of a warp that is ready at `ready`. Returns the time at which the last one issues.
    pub fn issue(&mut self, sm: usize, ready: f64, count: f64) -> f64 {
        let free = &mut self.servers[sm].issue;
        *free = later(*free, ready) + count * self.slot;
        later(*free - self.slot, ready + later(count - 1.0, 0.0) * self.instruction)
    }

    /// Occupies the load-store unit for `count` passes. Returns the time of the first pass.
    pub fn pass_lsu(&mut self, sm: usize, ready: f64, count: f64) -> f64 {
        let free = &mut self.servers[sm].passes;
        let start = later(*free, ready);
        *free = start + count * self.pass;
        start
    }

    pub fn record_hit(&mut self, level: AnswerLevel) {
        self.done = later(self.done, self.now + self.hits[level as usize]);
    }

    /// Cycles of a hit at `level`.
    pub fn hit_cycles(&self, level: AnswerLevel) -> f64 {
        self.hits[level as usize]
    }

    /// Whether a line that arrives at `then` is still in flight. If so, the current load waits for it.
    pub fn wait_if_in_flight(&mut self, then: u32) -> bool {
        let in_flight = f64::from(then) > self.now;
        if in_flight {
            self.done = later(self.done, f64::from(then));
        }
        in_flight
    }

    /// Occupies an SM's port to the L2 for some cycles. Returns the time at which the port is free.
    pub fn send_to_l2(&mut self, sm: usize, cycles: f64) -> f64 {
        let request_port = &mut self.servers[sm].request_port;
        *request_port = later(*request_port, self.now) + cycles;
        *request_port
    }

    /// Requests a line from the L2 and returns the time at which the L2 has it. `there` is that time for a line in
    /// flight. Missing sectors come from memory over the bus of a channel.
    pub fn request_line(&mut self, sm: usize, sectors: u8, there: f64, missing: Option<(u8, usize)>) -> f64 {
        // Lines queue as if all left now, because other lines fill the gaps of those that wait for a register.
        let sent = self.send_to_l2(sm, 1.0);
        let server = &mut self.servers[sm];
        // If a load has more lines than there are registers, its lines leave when registers become free.
        let over = server.registers.len().checked_sub(self.registers);
        let leaves = later(sent, over.map_or(0.0, |over| server.registers[over]));
        let reply = self.replies[sectors.count_ones() as usize & 7];
        server.reply_port = later(server.reply_port, self.now) + reply;
        let queued = server.reply_port;
        let mut has = later(leaves + self.l2 / 2.0, there);
        if let Some((missing, channel)) = missing {
            let bus = &mut self.buses[channel];
            *bus = later(*bus, self.now) + f64::from(missing.count_ones()) * self.sector;
            has = later(has, later(leaves, *bus) + self.l2 / 2.0 + self.memory_beyond_l2);
        }
        self.arrival = later(has + self.l2 / 2.0, queued + self.l2);
        let arrival = self.arrival;
        match server.registers.back() {
            Some(last) if *last > arrival => {
                // Most lines arrive nearly in order, so the search starts at the end.
                let after = server.registers.iter().rev().take_while(|free| **free > arrival).count();
                server.registers.insert(server.registers.len() - after, arrival);
            }
            _ => server.registers.push_back(arrival),
        }
        self.done = later(self.done, self.arrival);
        has
    }

    /// The time at which a warp can get a register; `None` if one is free now.
    pub fn register_free_at(&mut self, sm: usize, now: f64) -> Option<f64> {
        let server = &mut self.servers[sm];
        while server.registers.front().is_some_and(|free| *free <= now) {
            server.registers.pop_front();
        }
        let over = server.registers.len().checked_sub(self.registers)?;
        let free = server.registers[(over + server.waiting).min(server.registers.len() - 1)];
        server.waiting += 1;
        Some(free)
    }

    /// A warp that waited for a register continues.
    #[inline]
    pub fn leave_register_queue(&mut self, sm: usize) {
        self.servers[sm].waiting -= 1;
    }

    /// Writes sectors to memory over the bus of `channel`.
    pub fn write_to_memory(&mut self, sectors: u8, channel: usize) {
        let bus = &mut self.buses[channel];
        *bus = later(*bus, self.now) + f64::from(sectors.count_ones()) * self.sector;
    }

    pub fn channel_of_line(&self, line: u32) -> usize {
        self.channels[line as usize].into()
    }

    /// The time at which the last server is idle.
    pub fn end(&self) -> f64 {
        let servers = self.servers.iter().flat_map(|server| [server.issue, server.passes, server.request_port]);
        servers.chain(self.buses.iter().copied()).fold(0.0, f64::max)
    }
}
