//! The details of one placement: its terms beside those of the trace's placement, reasons, banks, and CUDA text that
//! implements it.

use crate::placement_tab::reasons::{change, constant_misses, direction, judged, reasons, time_of, wavefronts};
use crate::placement_tab::report::{bank_loads, BankLoad};
use crate::placement_tab::run::{PlacementRun, TIE};
use crate::placement_tab::session::snippet::snippet;
use base::Diagnostic;
use placement::{forbidden, too_much, MachineTime, Memory, PaperPrediction, Placement, Prediction, RankedPlacement};
use serde::{Deserialize, Serialize};

/// A placement and its predicted time, as a line of the page's ranking.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "PlaceLine"))]
pub struct PlacementLine {
    /// The memory of each array, in order of address.
    #[cfg_attr(feature = "types", ts(as = "Vec<placement::Memory>"))]
    pub placement: Vec<String>,
    /// T of the equations in SM cycles.
    pub cycles: f64,
    /// T of the equations in microseconds at the GPU's clock.
    pub microseconds: f64,
    /// The time of the moved kernel on the whole GPU in microseconds. It is null if this placement did not run there.
    pub machine_microseconds: Option<f64>,
    /// The same in SM cycles.
    pub machine_cycles: Option<f64>,
    /// Of these, the cycles in which a scheduler issued, on average over the schedulers. In the others it waited.
    pub machine_issuing: Option<f64>,
    /// Tcomp in cycles.
    pub t_comp: f64,
    /// Tmem in cycles.
    pub t_mem: f64,
    /// Toverlap in cycles.
    pub t_overlap: f64,
    /// True if the time is so close to the best that the model cannot distinguish the two.
    pub tie: bool,
    /// The chance to be the fastest of those that ran on the machine. It is null for others, or if it was not requested.
    pub chance: Option<f64>,
}

impl PlacementLine {
    pub(crate) fn of_ranked(ranked: &RankedPlacement, best: f64, clock: f64) -> Self {
        Self {
            placement: ranked.placement.iter().map(Memory::to_string).collect(),
            cycles: ranked.cycles,
            microseconds: ranked.cycles / clock / 1e3,
            machine_microseconds: None,
            machine_cycles: None,
            machine_issuing: None,
            t_comp: ranked.comp,
            t_mem: ranked.mem,
            t_overlap: ranked.overlap,
            tie: ranked.cycles <= best * (1.0 + TIE),
            chance: None,
        }
    }

    /// The line with what `run` has of its placement on the machine.
    pub(crate) fn on_machine(self, run: &PlacementRun, placement: &Placement) -> Self {
        let time = time_of(judged(&run.judging), placement);
        Self {
            machine_microseconds: run.machine_microseconds(placement),
            machine_cycles: time.map(MachineTime::cycles),
            machine_issuing: time.map(|time| time.work * time.outcome.busy.issue.min(1.0)),
            ..self
        }
    }
}

/// A placement as a bar of the chart of terms. For a time on the machine, Tcomp are the cycles in which it issued, Tmem the
/// others, and Toverlap is 0.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct TermBar {
    /// The label before the bar.
    pub label: String,
    /// Tcomp in cycles.
    pub t_comp: f64,
    /// Tmem in cycles.
    pub t_mem: f64,
    /// Toverlap in cycles.
    pub t_overlap: f64,
    /// True for the placement in the trace.
    pub present: bool,
    /// True for the placement whose details are shown.
    pub chosen: bool,
}

/// A count or a time of the model, in the trace's placement and in the placement whose details are shown.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "PlaceCount"))]
pub struct PlacementCount {
    /// The key of the count.
    pub key: &'static str,
    /// The value in the trace's placement.
    pub before: f64,
    /// The value in this placement.
    pub after: f64,
}

/// The details of one placement.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "PlaceLook"))]
pub struct PlacementDetails {
    /// The placement with its predicted time.
    pub line: PlacementLine,
    /// The reason why the placement is not possible. It is null if it is.
    pub illegal: Option<String>,
    /// Why the time is another than in the trace: a sentence for all moves if several ran on the machine together, then one
    /// for each array that has another memory than in the trace.
    pub reasons: Vec<String>,
    /// What the machine counted, if the trace's placement and this one ran there.
    pub machine_counts: Vec<PlacementCount>,
    /// The terms and counts of the equations. It is empty if they contradict the machine: if they have this placement
    /// faster and the machine has it slower, or the other way round.
    pub counts: Vec<PlacementCount>,
    /// The banks of main memory by the equations.
    pub banks: Vec<BankLoad>,
    /// The events that lie outside of the range on which the overlap was trained.
    pub outside: Vec<String>,
    /// CUDA text that puts the arrays into these memories.
    pub snippet: String,
    /// True if it is the whole file that the kernel comes from, rewritten. Otherwise it is a text to start from.
    pub rewritten: bool,
    /// What the reader of a rewritten text has to know, in sentences.
    pub rewrite_notes: Vec<String>,
}

/// Predicts a placement and returns its line.
pub(crate) fn predicted_line(run: &mut PlacementRun, placement: &Placement, best: f64) -> PlacementLine {
    let evaluator = run.search.evaluator();
    let p = evaluator.predict(placement);
    let ranked = RankedPlacement {
        placement: placement.clone(),
        cycles: p.cycles,
        comp: p.comp,
        mem: p.mem,
        overlap: p.overlap,
    };
    let line = PlacementLine::of_ranked(&ranked, best, evaluator.machine().clock_ghz);
    line.on_machine(run, placement)
}

/// Predicts all placements that differ from the trace's in one array.
pub(crate) fn single_moves(run: &mut PlacementRun, array: usize) -> Vec<Option<f64>> {
    let sample = run.search.evaluator().sample().clone();
    let time = |memory: Memory| {
        let mut placement = sample.clone();
        *placement.get_mut(array)? = memory;
        let evaluator = run.search.evaluator();
        let (kernel, machine) = (evaluator.kernel(), evaluator.machine());
        let legal = forbidden(&kernel.arrays[array], memory, machine).is_none()
            && too_much(kernel, &placement, machine).is_none();
        if !legal {
            return None;
        }
        let known = run.search.evaluated().iter().find(|(_, ranked)| ranked.placement == placement);
        match known {
            Some((_, ranked)) => Some(ranked.cycles),
            None => Some(run.search.evaluator().predict(&placement).cycles),
        }
    };
    Memory::ALL.into_iter().map(time).collect()
}

/// Returns the details of `placement`, which has a memory for each array.
pub(crate) fn placement_details(
    run: &mut PlacementRun,
    placement: &Placement,
) -> Result<PlacementDetails, Vec<Diagnostic>> {
    let best = run.search.best();
    let line = predicted_line(run, placement, best);
    let trained = run.request.overlap.clone();
    let judged = judged(&run.judging);
    let evaluator = run.search.evaluator();
    let sample = evaluator.sample().clone();
    let (kernel, machine) = (evaluator.kernel().clone(), evaluator.machine().clone());
    let alone = kernel.arrays.iter().zip(placement).find_map(|(array, memory)| {
        forbidden(array, *memory, &machine).map(|why| format!("{} in {memory}: {why}", array.name))
    });
    let (before, after) = (evaluator.predict(&sample), evaluator.predict(placement));
    let ran = time_of(judged, &sample).zip(time_of(judged, placement));
    let gain = ran.map(|(before, after)| direction(change(before.cycles(), after.cycles())));
    let contradicts = gain.is_some_and(|gain| gain * direction(change(before.cycles, after.cycles)) < 0);
    let text = run.rewriter.as_ref().map(|rewriter| rewriter.text(&kernel, &sample, placement));
    let refused = text.as_ref().and_then(|text| text.as_ref().err()).map(ToString::to_string);
    let moved = text.and_then(Result::ok);
    Ok(PlacementDetails {
        line,
        illegal: alone.or_else(|| too_much(&kernel, placement, &machine)).or(refused),
        reasons: reasons(evaluator, judged, placement, &after),
        machine_counts: ran.map_or(Vec::new(), |(before, after)| machine_counts(before, after)),
        counts: if contradicts { Vec::new() } else { counts(&before, &after) },
        banks: bank_loads(&after),
        outside: trained.map_or(Vec::new(), |file| file.outside(&after)),
        rewritten: moved.is_some(),
        rewrite_notes: moved.as_ref().map_or(Vec::new(), |moved| moved.notes.clone()),
        snippet: moved.map_or_else(|| snippet(&kernel, placement), |moved| moved.text),
    })
}

/// What the machine counted in the cores that ran.
fn machine_counts(before: &MachineTime, after: &MachineTime) -> Vec<PlacementCount> {
    type Get = fn(&MachineTime) -> f64;
    const COUNTS: [(&str, Get); 17] = [
        ("machine_cycles", |t| t.cycles()),
        ("instructions", |t| t.outcome.instructions as f64),
        ("wait_arithmetic", |t| t.outcome.stalls.arithmetic as f64),
        ("wait_load", |t| t.outcome.stalls.load as f64),
        ("wait_shared", |t| t.outcome.stalls.shared as f64),
        ("wait_pipe", |t| t.outcome.stalls.pipe as f64),
        ("wait_barrier", |t| t.outcome.stalls.barrier as f64),
        ("wait_launch", |t| t.outcome.stalls.launch as f64),
        ("l1_sectors", |t| t.outcome.l1.sectors as f64),
        ("l1_missing_sectors", |t| (t.outcome.l1.sectors - t.outcome.l1.hits) as f64),
        ("l2_reads", |t| t.outcome.memory.l2_reads as f64),
        ("l2_writes", |t| t.outcome.memory.l2_writes as f64),
        ("dram_reads", |t| t.outcome.memory.dram_reads as f64),
        ("dram_writes", |t| t.outcome.memory.dram_writes as f64),
        ("wavefronts", |t| wavefronts(t) as f64),
        ("constant_cache_misses", |t| constant_misses(t) as f64),
        ("occupancy", |t| 100.0 * t.outcome.occupancy),
    ];
    COUNTS.into_iter().map(|(key, get)| PlacementCount { key, before: get(before), after: get(after) }).collect()
}

fn counts(before: &Prediction, after: &Prediction) -> Vec<PlacementCount> {
    type Get = fn(&Prediction) -> f64;
    const COUNTS: [(&str, Get); 24] = [
        ("cycles", |p| p.cycles),
        ("t_comp", |p| p.comp),
        ("t_mem", |p| p.mem),
        ("t_overlap", |p| p.overlap),
        ("executed", |p| p.instructions[0]),
        ("addressing", |p| p.instructions[1]),
        ("replays", |p| p.instructions[2]),
        ("copies", |p| p.instructions[3]),
        ("warps", |p| p.warps),
        ("requests_global", |p| p.traffic.requests[0] as f64),
        ("requests_texture", |p| (p.traffic.requests[1] + p.traffic.requests[2]) as f64),
        ("requests_constant", |p| p.traffic.requests[3] as f64),
        ("requests_shared", |p| p.traffic.requests[4] as f64),
        ("l1_misses", |p| p.traffic.l1_misses as f64),
        ("constant_misses", |p| p.traffic.constant_misses as f64),
        ("l2_sectors", |p| p.traffic.l2_sectors as f64),
        ("l2_misses", |p| p.traffic.l2_misses as f64),
        ("memory_sectors", |p| p.traffic.memory_sectors as f64),
        ("row_hits", |p| p.banks.rows.hits as f64),
        ("row_misses", |p| p.banks.rows.misses as f64),
        ("row_conflicts", |p| p.banks.rows.conflicts as f64),
        ("bank_wait", |p| p.banks.wait_ns),
        ("memory_latency", |p| p.memory_latency),
        ("amat", |p| p.amat),
    ];
    let of_all = COUNTS.into_iter().map(|(key, get)| PlacementCount { key, before: get(before), after: get(after) });
    of_all.chain(paper_counts(before, after)).collect()
}

/// What only the model `paper` computes.
fn paper_counts(before: &Prediction, after: &Prediction) -> Vec<PlacementCount> {
    type Get = fn(&PaperPrediction) -> f64;
    const COUNTS: [(&str, Get); 12] = [
        ("issued_per_warp", |p| p.instructions_per_warp),
        ("replays_1_to_4", |p| p.replays_1_to_4),
        ("eit", |p| p.eit),
        ("serial_barriers", |p| p.serial[0]),
        ("serial_special", |p| p.serial[1]),
        ("miss_ratio", |p| p.ratios[0]),
        ("effective_requests", |p| p.effective_requests),
        ("itmlp", |p| p.itmlp),
        ("cwp", |p| p.parallel[0]),
        ("mwp", |p| p.parallel[1]),
        ("copy", |p| p.copy),
        ("overlap_ratio", |p| p.ratio),
    ];
    let (Some(before), Some(after)) = (&before.paper, &after.paper) else { return Vec::new() };
    COUNTS.into_iter().map(|(key, get)| PlacementCount { key, before: get(before), after: get(after) }).collect()
}
