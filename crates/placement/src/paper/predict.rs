//! Equations 1 to 5 and 11 to 19 for one placement, in the order in which they depend on each other.
//!
//! In: the counts of the simulated caches, and the terms of the sample placement. Out: a [`Prediction`]. Counts are per
//! SM unless a name says otherwise.

use crate::model::equations as eq;
use crate::model::evaluator::{Evaluator, Prediction};
use crate::model::kernel::{LINE, SECTOR};
use crate::model::terms::{requests_in_time, Terms};
use crate::model::traffic::Traffic;
use crate::paper::settings::{Arrivals, Coefficients, PaperOverlap, PaperSettings, EVENTS};
use crate::space::legal::Memory;
use dram::{analyse_decoded, BankSettings, Banks, Outstanding, Service};

/// The departure delay of Hong & Kim for one transaction, cycles.
const DEPARTURE: f64 = 1.0;

/// What only the model of the paper computes for a placement. Times are in SM cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PaperPrediction {
    /// Issued instructions of a warp, with replays (#inst of equation 2).
    pub instructions_per_warp: f64,
    /// Replays (1) to (4), per SM.
    pub replays_1_to_4: f64,
    /// Effective instruction throughput (13).
    pub eit: f64,
    /// W_serial (16): of barriers and of special functions.
    pub serial: [f64; 2],
    /// L2 misses over all requests, and shared requests over all requests, of equation 5.
    pub ratios: [f64; 2],
    /// Effective memory requests of an SM (17).
    pub effective_requests: f64,
    /// Memory requests of an SM that are served at once (18).
    pub itmlp: f64,
    /// Warps that compute while one waits, and warps whose requests overlap (Hong & Kim).
    pub parallel: [f64; 2],
    /// The copy of tiles at the peak bandwidth, which is part of Tmem here and which nothing overlaps.
    pub copy: f64,
    /// Toverlap_ratio (11).
    pub ratio: f64,
    /// Events of equation 11, in the order of [`EVENTS`].
    pub events: [f64; EVENTS.len()],
}

/// The terms of the sample placement that equations 3, 11 and 12 of a target need.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PaperSample {
    /// Replays (1) to (4), per SM.
    replays_1_to_4: f64,
    /// Toverlap_ratio: (Tcomp + Tmem − T) / Tmem with the measured T. `None` without one.
    ratio: Option<f64>,
    events: [f64; EVENTS.len()],
}

impl PaperSample {
    /// The sample of an evaluator. `None` if its model is not that of the paper.
    pub(crate) fn of(evaluator: &mut Evaluator) -> Option<Self> {
        let measured = evaluator.settings().paper.as_ref()?.sample.cycles;
        let sample = evaluator.sample().clone();
        let terms = evaluator.predict(&sample);
        let paper = terms.paper?;
        let ratio = measured.filter(|_| terms.mem > 0.0).map(|cycles| (terms.comp + terms.mem - cycles) / terms.mem);
        Some(Self { replays_1_to_4: paper.replays_1_to_4, ratio, events: paper.events })
    }
}

/// Toverlap_ratio (11).
fn ratio_of(coefficients: &Coefficients, events: &[f64]) -> f64 {
    eq::overlap_ratio(events, &coefficients.events, coefficients.constant)
}

/// The terms of one placement.
pub(crate) struct PaperTerms<'a> {
    terms: &'a Terms<'a>,
    paper: &'a PaperSettings,
    /// SMs that have blocks, of the whole launch.
    sms: f64,
    warps_per_sm: f64,
}

/// The computation's part: instructions of an SM by kind, of a warp, replays, and EIT.
struct Issue {
    counts: [f64; 4],
    per_warp: f64,
    replays_1_to_4: f64,
    eit: f64,
}

impl<'a> PaperTerms<'a> {
    pub fn new(terms: &'a Terms<'a>, paper: &'a PaperSettings) -> Self {
        let sms = terms.machine.sms.min(terms.kernel.total_blocks()) as f64;
        Self { terms, paper, sms, warps_per_sm: terms.kernel.total_warps() / sms }
    }

    /// A count of the trace, per SM of the whole launch.
    fn per_sm(&self, count: f64) -> f64 {
        count * self.terms.scale / self.sms
    }

    /// Equations 3 and 13 to 15.
    fn issue(&self, traffic: &Traffic) -> Issue {
        let Terms { kernel, machine, settings, .. } = *self.terms;
        let of_trace = self.per_sm(kernel.instructions() as f64);
        let executed = self.paper.sample.executed.map_or(of_trace, |all| all / self.sms);
        let replays_1_to_4 = self.per_sm(traffic.replays.iter().sum::<u64>() as f64);
        let of_sample = self.terms.sample.map_or(replays_1_to_4, |sample| sample.replays_1_to_4);
        // (5) is an instruction that takes two cycles. The trace says nothing about (6) to (10).
        let modelled = of_sample + self.per_sm(kernel.doubles as f64);
        let measured = self.paper.sample.issued.map(|issued| issued / self.sms - executed);
        let sample_replays = measured.unwrap_or(modelled);
        let (replays, addressing) = match settings.counting {
            true => (eq::replays(sample_replays, of_sample, replays_1_to_4), self.per_sm(self.terms.addressing)),
            // The ablation takes the executed instructions of the sample, as earlier models do.
            false => (0.0, 0.0),
        };
        let issued = (executed + addressing + replays).max(1.0);
        let itilp_max = eq::itilp_max(machine.instruction_latency, machine.simd_width);
        let itilp = eq::itilp(eq::ILP, self.terms.warps, itilp_max);
        let eit = eq::eit(machine.instruction_latency, itilp, f64::INFINITY);
        let counts = [executed, addressing, replays, 0.0];
        Issue { counts, per_warp: issued / self.warps_per_sm, replays_1_to_4, eit }
    }

    /// Equations 6 to 10. The ablation without queues takes the latency of a pointer chase for every request.
    fn banks(&self, traffic: &Traffic, eit: f64) -> Banks {
        let Terms { machine, settings, .. } = *self.terms;
        let cycles = match self.paper.arrivals {
            Arrivals::Throughput => eit,
            Arrivals::Cycle => 1.0,
        };
        let requests = requests_in_time(traffic, self.terms.dram_addresses, cycles / machine.clock_ghz);
        let bank = BankSettings {
            queue: settings.queue,
            service: Service::Latency,
            even: !settings.mapping,
            // Of all requests that resident warps can have outstanding, a bank has its share of the arrivals.
            outstanding: Outstanding::All(
                self.terms.mlp * self.terms.warps.min(self.warps_per_sm) * traffic.sms.max(1.0),
            ),
        };
        analyse_decoded(&requests, machine.measured.mapping.banks(), &machine.measured.timing, &bank)
    }

    pub fn predict(&self, traffic: Traffic) -> Prediction {
        let Terms { kernel, machine, settings, mlp, warps, .. } = *self.terms;
        let issue = self.issue(&traffic);
        let banks = if settings.queueing { self.banks(&traffic, issue.eit) } else { Banks::default() };
        let dram = if settings.queueing { banks.latency_ns * machine.clock_ghz } else { machine.memory_latency };
        let requests = traffic.requests.iter().sum::<u64>() as f64;
        let share = |count: u64| count as f64 / requests.max(1.0);
        let ratios = [share(traffic.l2_misses), share(traffic.requests[Memory::Shared as usize])];
        let amat = eq::amat_printed(dram, ratios[0], machine.l2_latency, machine.shared_latency, ratios[1]);
        let accesses = kernel.accesses().max(1) as f64;
        let average = eq::average_dram_latency(dram, requests / accesses, DEPARTURE);
        let peak = eq::mwp_peak_bw(machine.peak_gbs / machine.clock_ghz, LINE as f64, average, self.sms);
        let mwp = eq::mwp(average, DEPARTURE, peak, warps);
        let memory_per_warp = self.per_sm(accesses) / self.warps_per_sm;
        let cwp = eq::cwp(memory_per_warp * amat / mlp, issue.per_warp * issue.eit, warps);
        // Where nothing reaches main memory, MWP has no value. One request at least is served at a time.
        let itmlp = eq::itmlp(mlp, eq::mwp_cp(cwp, mwp), peak).max(1.0);
        let effective = eq::effective_requests(self.per_sm(requests) / self.warps_per_sm, self.warps_per_sm, itmlp);
        // Sim et al. have a constant latency here. That of the queues would stop each barrier for as long as a whole kernel.
        let idle = eq::average_dram_latency(machine.memory_latency, requests / accesses, DEPARTURE);
        let serial = self.serial(issue.per_warp, memory_per_warp, idle);
        let comp = eq::t_comp(issue.per_warp, self.warps_per_sm, issue.eit, eq::w_serial(serial[0], serial[1], 0.0));
        let mem = eq::t_mem(effective, amat);
        let copied = (traffic.copied_sectors[0] * SECTOR) as f64 * self.terms.scale;
        let copy = copied * machine.clock_ghz / machine.peak_gbs;
        let events = self.events(&traffic, &banks, accesses);
        let ratio = self.ratio(&events, comp, mem, [cwp, mwp]);
        let overlap = eq::t_overlap(ratio, mem);
        Prediction {
            cycles: eq::total(comp, mem + copy, overlap),
            comp,
            mem: mem + copy,
            overlap,
            instructions: issue.counts,
            amat,
            memory_latency: dram,
            warps,
            paper: Some(PaperPrediction {
                instructions_per_warp: issue.per_warp,
                replays_1_to_4: issue.replays_1_to_4,
                eit: issue.eit,
                serial,
                ratios,
                effective_requests: effective,
                itmlp,
                parallel: [cwp, mwp],
                copy,
                ratio,
                events,
            }),
            traffic,
            banks,
        }
    }

    /// O_sync and O_SFU (16).
    fn serial(&self, instructions_per_warp: f64, memory_per_warp: f64, dram: f64) -> [f64; 2] {
        let (kernel, machine) = (self.terms.kernel, self.terms.machine);
        let per_warp = |count: u64| self.per_sm(count as f64) / self.warps_per_sm;
        let share = memory_per_warp / instructions_per_warp;
        let special = per_warp(kernel.special);
        [
            eq::o_sync(per_warp(kernel.barriers), self.warps_per_sm, self.paper.gamma, dram, share),
            eq::o_sfu(
                special,
                self.warps_per_sm,
                machine.sfu_width,
                special / instructions_per_warp,
                machine.simd_width,
            ),
        ]
    }

    /// Toverlap_ratio (11), or what stands in its place.
    fn ratio(&self, events: &[f64], comp: f64, mem: f64, [cwp, mwp]: [f64; 2]) -> f64 {
        let sim = || if mem > 0.0 { eq::overlap_of_sim(comp, mem, self.terms.warps, cwp, mwp) / mem } else { 0.0 };
        let sample = self.terms.sample.and_then(|sample| Some((sample.ratio?, sample.events)));
        match (&self.paper.overlap, sample) {
            (PaperOverlap::Trained(coefficients), _) => ratio_of(coefficients, events),
            (PaperOverlap::Sample, Some((ratio, _))) => ratio,
            (PaperOverlap::SampleAndTrained(coefficients), Some((ratio, of_sample))) => {
                ratio + ratio_of(coefficients, events) - ratio_of(coefficients, &of_sample)
            }
            _ => sim(),
        }
    }

    /// The events of equation 11, per memory instruction of the trace, which is the same for every placement.
    fn events(&self, traffic: &Traffic, banks: &Banks, accesses: f64) -> [f64; EVENTS.len()] {
        let per = |count: u64| count as f64 / accesses;
        let requests = |memory: Memory| per(traffic.requests[memory as usize]);
        [
            per(traffic.l2_misses),
            requests(Memory::Global),
            per(traffic.constant_misses),
            requests(Memory::Constant),
            per(traffic.texture_misses),
            requests(Memory::Texture1d) + requests(Memory::Texture2d),
            per(traffic.replays[3]),
            requests(Memory::Shared),
            per(banks.rows.misses),
            per(banks.rows.conflicts),
            self.terms.warps / 64.0,
        ]
    }
}
