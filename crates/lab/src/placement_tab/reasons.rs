//! Explains why a placement is faster or slower than the trace's.
//!
//! In: a placement, those that ran on the machine, and the equations. Out: sentences. Times and counts of the machine come
//! first: for all moves together, and for each moved array whose placement without that move ran too. The equations speak
//! only for the other arrays, and their sentences name them. Where they contradict what the machine says of all moves
//! together, they are silent. They are rough as times, and their causes would then be wrong.

use placement::{Evaluator, Judging, MachineTime, Placement, Prediction};

/// Changes below this share of the time, in percent, are none. The sentences have one digit.
const NOTHING: f64 = 0.05;

/// The placements that ran on the machine, with their times.
pub(crate) type Judged<'j> = &'j [(Placement, MachineTime)];

/// The placements that ran on the machine. The present placement is the first.
pub(crate) fn judged(judging: &Option<Judging>) -> Judged<'_> {
    judging.as_ref().map_or(&[], Judging::judged)
}

/// The time of a placement on the machine, if it ran there.
pub(crate) fn time_of<'j>(judged: Judged<'j>, placement: &Placement) -> Option<&'j MachineTime> {
    judged.iter().find(|(known, _)| known == placement).map(|(_, time)| time)
}

/// Returns the sentences for `placement`. There are none if no array has moved. If several have and the placement ran on
/// the machine, the first sentence is for all moves. Then follows one for each array that has another memory than in the
/// trace.
pub(crate) fn reasons(
    evaluator: &mut Evaluator,
    judged: Judged<'_>,
    placement: &Placement,
    with: &Prediction,
) -> Vec<String> {
    let sample = evaluator.sample().clone();
    let names: Vec<String> = evaluator.kernel().arrays.iter().map(|array| array.name.clone()).collect();
    let moved: Vec<usize> = (0..names.len()).filter(|&i| placement[i] != sample[i]).collect();
    let there = time_of(judged, placement);
    let whole = time_of(judged, &sample).zip(there);
    let mut sentences = Vec::new();
    if let Some((before, after)) = whole.filter(|_| moved.len() > 1) {
        sentences.push(on_machine("the whole placement", before, after));
    }
    for i in moved {
        let what = format!("`{}` in {} instead of {}", names[i], placement[i], sample[i]);
        let mut back = placement.clone();
        back[i] = sample[i];
        sentences.push(match time_of(judged, &back).zip(there) {
            Some((before, after)) => on_machine(&what, before, after),
            None => {
                let without = evaluator.predict(&back);
                let gain = whole.map(|(before, after)| change(before.cycles(), after.cycles()));
                by_equations(&what, &without, with, gain)
            }
        });
    }
    sentences
}

/// The change of a time in percent.
pub(crate) fn change(before: f64, after: f64) -> f64 {
    100.0 * (after / before - 1.0)
}

/// The direction of a change in percent: -1, 0 or 1.
pub(crate) fn direction(change: f64) -> i32 {
    i32::from(change > NOTHING) - i32::from(change < -NOTHING)
}

fn head(what: &str, change: f64) -> String {
    match direction(change) {
        0 => format!("{what} changes nothing"),
        -1 => format!("{what} saves {:.1} %", -change),
        _ => format!("{what} costs {change:.1} %"),
    }
}

/// A count with its name, before and after.
type Cause = (&'static str, f64, f64);

/// A sentence from two runs on the machine. `what` is what changed.
pub(crate) fn on_machine(what: &str, before: &MachineTime, after: &MachineTime) -> String {
    let change = change(before.cycles(), after.cycles());
    let head = format!("{} on the whole GPU", head(what, change));
    // Only what changed in the direction of the time can be a reason.
    let way = f64::from(direction(change));
    let largest = |causes: &[Cause], by: fn(&Cause) -> f64| {
        let mut best: Option<Cause> = None;
        for cause in causes.iter().filter(|(_, before, after)| way * (after - before) >= 0.5) {
            best = best.filter(|known| by(known) >= by(cause)).or(Some(*cause));
        }
        best
    };
    let Some(time) = largest(&times(before, after), |(_, before, after)| (after - before).abs()) else {
        return head;
    };
    let share = |(_, before, after): &Cause| (after - before).abs() / before.abs().max(after.abs()).max(1.0);
    let counted = largest(&counts_behind(time.0, before, after), share);
    let text = |(what, before, after): Cause| format!("{what} {before:.0} → {after:.0}");
    match counted {
        Some(cause) => format!("{head}: {} ({})", text(time), text(cause)),
        None => format!("{head}: {}", text(time)),
    }
}

const ISSUED: &str = "instructions issued";
const ON_ARITHMETIC: &str = "scheduler cycles waiting for arithmetic";
const ON_LOADS: &str = "scheduler cycles waiting for loads";
const ON_SHARED: &str = "scheduler cycles waiting for shared memory";
const ON_PIPE: &str = "scheduler cycles waiting for the load-store pipe";
const ON_BARRIERS: &str = "scheduler cycles waiting at barriers";
const ON_LAUNCHES: &str = "scheduler cycles waiting for blocks to start";

/// Where the cycles of the schedulers go.
fn times(before: &MachineTime, after: &MachineTime) -> [Cause; 7] {
    let of = |get: fn(&MachineTime) -> u64| (get(before) as f64, get(after) as f64);
    let row = |what, (before, after)| (what, before, after);
    [
        row(ISSUED, of(|t| t.outcome.instructions)),
        row(ON_ARITHMETIC, of(|t| t.outcome.stalls.arithmetic)),
        row(ON_LOADS, of(|t| t.outcome.stalls.load)),
        row(ON_SHARED, of(|t| t.outcome.stalls.shared)),
        row(ON_PIPE, of(|t| t.outcome.stalls.pipe)),
        row(ON_BARRIERS, of(|t| t.outcome.stalls.barrier)),
        row(ON_LAUNCHES, of(|t| t.outcome.stalls.launch)),
    ]
}

/// Counts that can be the reason for where the cycles go.
fn counts_behind(time: &str, before: &MachineTime, after: &MachineTime) -> Vec<Cause> {
    let of = |get: fn(&MachineTime) -> u64| (get(before) as f64, get(after) as f64);
    let row = |what, (before, after)| (what, before, after);
    let shared = row("wavefronts of shared memory", of(wavefronts));
    match time {
        ON_LOADS => vec![
            row("sectors read from DRAM", of(|t| t.outcome.memory.dram_reads)),
            row("sectors read from the L2", of(|t| t.outcome.memory.l2_reads)),
            row("misses of the constant cache", of(constant_misses)),
            row("sectors asked of the L1", of(|t| t.outcome.l1.sectors)),
        ],
        ON_SHARED => vec![shared],
        ON_PIPE => vec![
            shared,
            row("sectors asked of the L1", of(|t| t.outcome.l1.accesses)),
            row("sectors written to the L2", of(|t| t.outcome.memory.l2_writes)),
        ],
        _ => Vec::new(),
    }
}

/// Wavefronts of shared memory, of loads and stores.
pub(crate) fn wavefronts(time: &MachineTime) -> u64 {
    time.outcome.shared_load_wavefronts + time.outcome.shared_store_wavefronts
}

/// Lines that the first level of the constant cache lacked.
pub(crate) fn constant_misses(time: &MachineTime) -> u64 {
    time.outcome.constants.map_or(0, |counts| counts.misses)
}

/// A sentence from two predictions of the equations. `gain` is the change of all moves on the machine in percent, if
/// they ran there.
fn by_equations(what: &str, before: &Prediction, after: &Prediction, gain: Option<f64>) -> String {
    let change = change(before.cycles, after.cycles);
    if gain.is_some_and(|gain| direction(gain) != direction(change)) {
        return format!("{what}: unknown, because the placement without this move did not run on the whole GPU");
    }
    let head = format!("{} by the equations", head(what, change));
    let terms = [
        ("Tcomp", before.comp, after.comp),
        ("Tmem", before.mem, after.mem),
        ("Toverlap", before.overlap, after.overlap),
    ];
    let moved = |(_, before, after): &&(&str, f64, f64)| (after - before).abs();
    let Some((term, old, new)) = terms.iter().max_by(|a, b| moved(a).total_cmp(&moved(b))).copied() else {
        return head;
    };
    if (new - old).abs() < 0.5 {
        return head;
    }
    let cause = match term {
        "Tcomp" => cause_of(&comp_causes(before, after)),
        _ => cause_of(&mem_causes(before, after)),
    };
    format!("{head}: {term} {:+.0} cycles{cause}", new - old)
}

fn comp_causes(before: &Prediction, after: &Prediction) -> [Cause; 3] {
    let of = |i: usize| (before.instructions[i], after.instructions[i]);
    [
        ("addressing instructions", of(1).0, of(1).1),
        ("replays", of(2).0, of(2).1),
        ("instructions of copies", of(3).0, of(3).1),
    ]
}

fn mem_causes(before: &Prediction, after: &Prediction) -> [Cause; 5] {
    let count = |get: fn(&Prediction) -> u64| (get(before) as f64, get(after) as f64);
    let (requests, misses) = (count(|p| p.traffic.requests.iter().sum()), count(|p| p.traffic.l2_misses));
    let (l2, conflicts) = (count(|p| p.traffic.l2_sectors), count(|p| p.banks.rows.conflicts));
    [
        ("L2 misses", misses.0, misses.1),
        ("requests", requests.0, requests.1),
        ("sectors asked of the L2", l2.0, l2.1),
        ("row conflicts", conflicts.0, conflicts.1),
        ("warps per SM", before.warps, after.warps),
    ]
}

/// Names the count with the largest relative change.
fn cause_of(causes: &[Cause]) -> String {
    let share = |(_, before, after): &&Cause| (after - before).abs() / before.abs().max(after.abs()).max(1.0);
    match causes.iter().max_by(|a, b| share(a).total_cmp(&share(b))) {
        Some((what, before, after)) if (after - before).abs() >= 0.5 => {
            format!(" ({what}: {before:.0} → {after:.0})")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_term_that_moved_most_is_named_with_its_cause() {
        let before = Prediction { cycles: 1000.0, comp: 300.0, mem: 900.0, overlap: 200.0, ..Prediction::default() };
        let mut after = Prediction { cycles: 800.0, comp: 310.0, mem: 690.0, ..before.clone() };
        after.traffic.l2_misses = 0;
        let mut before = before;
        before.traffic.l2_misses = 64;
        let said = "A saves 20.0 % by the equations: Tmem -210 cycles (L2 misses: 64 → 0)";
        assert_eq!(by_equations("A", &before, &after, None), said);
        assert_eq!(by_equations("A", &before, &after, Some(-3.0)), said);
        assert!(by_equations("A", &before, &after, Some(3.0)).starts_with("A: unknown"));
        assert!(by_equations("A", &before, &after, Some(0.0)).starts_with("A: unknown"));
        assert_eq!(by_equations("A", &before, &before, None), "A changes nothing by the equations");
    }

    #[test]
    fn the_wait_that_changed_most_with_the_time_is_named_with_its_count() {
        let mut before = MachineTime { launch: 0.0, work: 1000.0, ..MachineTime::default() };
        (before.outcome.stalls.load, before.outcome.stalls.shared, before.outcome.memory.dram_reads) = (500, 10, 64);
        let mut after = MachineTime { work: 900.0, ..before.clone() };
        // The wait for shared memory grew by more, and is no reason for a shorter time.
        (after.outcome.stalls.load, after.outcome.stalls.shared, after.outcome.memory.dram_reads) = (300, 900, 16);
        assert_eq!(
            on_machine("A", &before, &after),
            "A saves 10.0 % on the whole GPU: scheduler cycles waiting for loads 500 → 300 (sectors read from DRAM 64 → 16)"
        );
        assert_eq!(
            on_machine("A", &after, &MachineTime { outcome: after.outcome.clone(), ..before.clone() }),
            "A costs 11.1 % on the whole GPU"
        );
        assert_eq!(on_machine("A", &before, &before), "A changes nothing on the whole GPU");
    }
}
