//! Combines the equations of our own model into the time of a placement. [`crate::paper`] has those of the paper.
//!
//! In: [`Traffic`]. Out: a [`Prediction`]. No equation depends on a later one in this order, so no fixed point is
//! needed: EIT (15 to 13), Tcomp (2), banks (6 to 10), AMAT, parallelism, Tmem (4), and T from chains and resources.

use crate::model::equations as eq;
use crate::model::evaluator::Prediction;
use crate::model::kernel::{PlacementKernel, LINE, SECTOR};
use crate::model::longest_chain::{longest_chain, ChainCycles};
use crate::model::machine::Machine;
use crate::model::settings::Settings;
use crate::model::traffic::{AnswerLevel, Traffic};
use crate::paper::predict::{PaperSample, PaperTerms};
use dram::{analyse_decoded, BankSettings, Banks, DramAddress, Outstanding, Service};

/// Bytes that an SM can send to the L2 per cycle.
const STORE_BYTES_PER_CYCLE: f64 = 32.0;

/// The inputs of the equations for one placement.
pub(crate) struct Terms<'a> {
    pub kernel: &'a PlacementKernel,
    pub machine: &'a Machine,
    pub settings: &'a Settings,
    /// Bank and row of every line.
    pub dram_addresses: &'a [DramAddress],
    pub mlp: f64,
    pub sms: f64,
    pub scale: f64,
    pub warps: f64,
    pub addressing: f64,
    /// The terms of the sample placement, for the model of the paper.
    pub sample: Option<&'a PaperSample>,
}

impl Terms<'_> {
    pub fn predict(&self, traffic: Traffic) -> Prediction {
        if let Some(paper) = &self.settings.paper {
            return PaperTerms::new(self, paper).predict(traffic);
        }
        let machine = self.machine;
        let sms = traffic.sms.max(1.0);
        let per_sm = |count: u64| count as f64 / sms * self.scale;
        let warps_per_sm = self.kernel.total_warps() / sms;
        let counted = if self.settings.counting { 1.0 } else { 0.0 };
        let executed = self.kernel.instructions() as f64 / self.sms * self.scale;
        let replays = counted * per_sm(traffic.replays.iter().sum());
        let addressing = counted * self.addressing / sms * self.scale;
        let copies = per_sm(traffic.copy_instructions);
        let itilp_max = eq::itilp_max(machine.instruction_latency, machine.simd_width);
        let itilp = eq::itilp(eq::ILP, self.warps, itilp_max);
        let eit = eq::eit(machine.instruction_latency, itilp, machine.issue_width);
        let issued = executed + copies + addressing + replays;
        let memory = self.memory(&traffic, issued * eit, warps_per_sm);
        let instructions = issued.max(1.0);
        // Replays take passes of the load-store unit, which Tmem counts, and no issue slots.
        let comp = eq::t_comp(instructions / warps_per_sm, warps_per_sm, eit, -(replays * eit));
        let waits = traffic.waits.iter().sum::<u64>();
        let (requests, bytes, departure) = self.requests(&traffic, waits, sms);
        let latency = memory.amat.max(1.0);
        let peak = eq::mwp_peak_bw(machine.peak_gbs / machine.clock_ghz, bytes, latency, sms);
        let mwp = eq::mwp(latency, departure, peak, self.warps);
        let limit = peak.min(latency / departure.max(f64::MIN_POSITIVE));
        // Groups of loads count once, so the count already includes their parallelism. CWP would bound the number of
        // waiting warps only by a time that the overlap subtracts again.
        let itmlp = eq::itmlp(1.0, mwp.max(1.0), limit);
        let mem = eq::t_mem(eq::effective_requests(requests / warps_per_sm, warps_per_sm, itmlp.max(1e-9)), latency);
        // The rough estimate has counts per array and none per warp, so it uses a mean chain.
        let mean = (instructions * machine.instruction_latency / eq::ILP + requests * latency) / self.warps;
        let time = self.time(&traffic, comp, [memory.latency, latency, mean, addressing + copies]);
        // T is by chains and resources. Waits beyond the mean of the warps count as Tmem, and Toverlap is what is left.
        let mem = mem.max(time - comp);
        let overlap = (comp + mem - time).clamp(0.0, comp.min(mem));
        Prediction {
            cycles: eq::total(comp, mem, overlap),
            comp,
            mem,
            overlap,
            instructions: [executed, addressing, replays, copies],
            amat: memory.amat,
            memory_latency: memory.latency,
            warps: self.warps,
            paper: None,
            traffic,
            banks: memory.banks,
        }
    }

    /// T by resources and chains.
    fn time(&self, traffic: &Traffic, comp: f64, [memory, first, mean, more]: [f64; 4]) -> f64 {
        let machine = self.machine;
        let per_sm = |count: f64| count / traffic.sms.max(1.0) * self.scale;
        let blocks = per_sm(self.kernel.blocks.len() as f64);
        let resident = self.warps / self.kernel.warps_per_block();
        // The first blocks fill their tiles before any other work, so nothing hides these copies.
        let part = (resident / blocks.max(1.0)).min(1.0);
        let [near, far] = traffic.copied_sectors.map(|sectors| (sectors * SECTOR) as f64 * self.scale * part);
        let copied =
            [near / traffic.sms.max(1.0) / machine.l2_bytes_per_cycle, far * machine.clock_ghz / machine.peak_gbs];
        let [chain, fill] = match traffic.per_warp.is_empty() {
            true => [mean, 0.0],
            false => {
                let [all, without] = [1.0, 0.0].map(|fills| self.longest_chain(traffic, memory, more, fills));
                [without + (all - without) * (1.0 - part), ((all - without) * part).max(copied[0]).max(copied[1])]
            }
        };
        let loaded = (traffic.l2_sectors - traffic.l2_stored) as f64;
        let port = (traffic.reply_cycles as f64).max(loaded * SECTOR as f64 / machine.l2_bytes_per_cycle);
        let out = (traffic.l2_load_requests + traffic.l2_stored) as f64;
        let passes = traffic.passes as f64 * LINE as f64 / machine.lsu_bytes_per_cycle;
        let sm = per_sm(passes.max(port).max(out)).max(per_sm(self.held(traffic)));
        let bytes = (traffic.memory_sectors * SECTOR) as f64 * self.scale;
        let bus = (bytes * machine.clock_ghz / machine.peak_gbs - copied[1]).max(0.0);
        let updates = traffic.updates as f64 * self.scale;
        eq::time_of_resources(fill, chain, [comp, sm, bus.max(updates)], first)
    }

    /// Cycles during which the miss registers are occupied. Every line beyond the L1 holds one for its latency.
    fn held(&self, traffic: &Traffic) -> f64 {
        let [l2, memory] = [0, 1].map(|i| (traffic.l2_lines[i] - traffic.paired_l2_lines[i]) as f64);
        (l2 * self.machine.l2_latency + memory * self.machine.memory_latency) / self.machine.mshrs
    }

    /// The longest chain of waits and instructions. The placement adds `more` instructions per SM. `fills` is the
    /// share of the waits for tile copies that counts.
    fn longest_chain(&self, traffic: &Traffic, memory_latency: f64, more: f64, fills: f64) -> f64 {
        let machine = self.machine;
        let instruction = machine.instruction_latency / eq::ILP;
        let warps = self.kernel.warps.len() as f64 / traffic.sms.max(1.0) * self.scale;
        let mut waits = hit_latencies(machine);
        waits[AnswerLevel::Memory as usize] += memory_latency;
        let pass = LINE as f64 / machine.lsu_bytes_per_cycle;
        let near = SECTOR as f64 / machine.l2_bytes_per_cycle;
        let far = SECTOR as f64 * machine.clock_ghz / machine.peak_gbs;
        let more = more / warps.max(1.0) * instruction;
        let cycles = ChainCycles { waits, fills, pass, sectors: [near, far], instruction, more };
        let resident = (self.warps / self.kernel.warps_per_block()) as u64;
        longest_chain(self.kernel, traffic, &cycles, traffic.sms as usize, resident, self.scale)
    }

    /// Loads per SM, bytes of main memory per load, and cycles between the departures of two loads. The transactions
    /// of a load leave one after the other and wait together.
    fn requests(&self, traffic: &Traffic, waits: u64, sms: f64) -> (f64, f64, f64) {
        let count = (waits.max(1)) as f64;
        let bytes = (traffic.memory_sectors * SECTOR) as f64 / count;
        // A pass of the SM's load-store unit moves a line. The ports from and to the L2 have their own widths.
        let passes = traffic.passes as f64 * LINE as f64 / self.machine.lsu_bytes_per_cycle;
        let stored = (traffic.l2_stored * SECTOR) as f64 / STORE_BYTES_PER_CYCLE;
        let loaded = (traffic.l2_sectors - traffic.l2_stored) * SECTOR;
        let port = (loaded as f64 / self.machine.l2_bytes_per_cycle).max(stored);
        let departure = passes.max(port).max(self.held(traffic)) / count;
        (count / sms * self.scale, bytes, departure)
    }

    /// AMAT and the latency of main memory, in cycles.
    fn memory(&self, traffic: &Traffic, issue: f64, warps_per_sm: f64) -> MemoryTerms {
        let (machine, settings) = (self.machine, self.settings);
        let loads = traffic.waits.map(|count| count as f64);
        let all = loads.iter().sum::<f64>().max(1.0);
        let banks = match settings.queueing {
            true => self.banks(traffic, issue, warps_per_sm),
            false => Banks::default(),
        };
        let fixed = machine.memory_latency - machine.l2_latency;
        let latency = if settings.queueing { banks.latency_ns * machine.clock_ghz } else { fixed };
        let cached = all - loads[0];
        let hits = hit_latencies(machine).into_iter().skip(1);
        let sum: f64 = loads.iter().skip(1).zip(hits).map(|(count, cycles)| count * cycles).sum();
        let hit = if cached > 0.0 { sum / cached } else { 0.0 };
        let amat = eq::amat(latency, loads[6] / all, hit, machine.shared_latency, loads[0] / all);
        MemoryTerms { amat, latency, banks }
    }

    /// The banks of main memory, with arrivals at the rate of the instructions or at the lower rate that the kernel
    /// can sustain.
    fn banks(&self, traffic: &Traffic, issue: f64, warps_per_sm: f64) -> Banks {
        let (machine, settings) = (self.machine, self.settings);
        let Some(&(last, _)) = traffic.memory_stream.last() else { return Banks::default() };
        let bytes = (traffic.memory_sectors * SECTOR) as f64;
        let waits = traffic.waits[6] as f64 / traffic.sms.max(1.0);
        let waiting = self.warps.min(warps_per_sm);
        let pace = (issue / self.scale)
            .max(bytes * machine.clock_ghz / machine.peak_gbs)
            .max(waits * machine.memory_latency / waiting);
        let ns = pace / machine.clock_ghz / f64::from(last).max(1.0);
        let outstanding = self.mlp * waiting * traffic.sms / f64::from(machine.mapping.banks());
        let bank = BankSettings {
            queue: settings.queue,
            service: Service::Occupancy,
            even: !settings.mapping,
            outstanding: Outstanding::Each(outstanding.max(1.0)),
        };
        let requests = requests_in_time(traffic, self.dram_addresses, ns);
        analyse_decoded(&requests, machine.mapping.banks(), &machine.timing, &bank)
    }
}

/// The requests that reach main memory in order of time, if an instruction takes `ns`. SMs run at about the same rate,
/// but not in lockstep.
pub(crate) fn requests_in_time(traffic: &Traffic, addresses: &[DramAddress], ns: f64) -> Vec<(f64, DramAddress)> {
    // Counts of instructions are not negative, so their bits sort like the numbers, and the index keeps requests of
    // equal time in order.
    let keys = (0u64..).zip(&traffic.memory_stream).map(|(i, (at, _))| u64::from(at.to_bits()) << 32 | i);
    let mut keys: Vec<u64> = keys.collect();
    keys.sort_unstable();
    let request = |key: u64| {
        let (at, line) = traffic.memory_stream[(key & 0xffff_ffff) as usize];
        (f64::from(at) * ns, addresses[line as usize])
    };
    keys.into_iter().map(request).collect()
}

/// Cycles of a hit at every level. Main memory takes additional time beyond the L2.
pub(crate) fn hit_latencies(machine: &Machine) -> [f64; 7] {
    let m = machine;
    let (constant, fill) = (m.constant_latency, m.constant_l15_latency);
    [m.shared_latency, constant, fill, m.l1_latency, m.texture_latency, m.l2_latency, m.l2_latency]
}

/// The memory times of a placement, in cycles.
struct MemoryTerms {
    amat: f64,
    latency: f64,
    banks: Banks,
}
