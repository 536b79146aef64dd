//! Other changes of a kernel's text, on the machine beside the placements: `__restrict__`, `__ldg`, padding, other blocks.
//!
//! In: the text of a kernel, its present placement, and the one that is recommended. Out: for each of the two, the time of each
//! change alone, and of those together that make it faster. Each text runs on the emulator first and must give the results
//! of the original.

use crate::placement_tab::confidence::judge_times;
use crate::placement_tab::reasons::{change, on_machine};
use crate::placement_tab::rewriter::Rewriter;
use base::{Job, Progress, Step};
use cuda_vm::{Space, TextChange};
use placement::{Judge, MachineTime, Placement, Retrace, Timing};
use serde::Serialize;
use std::collections::BTreeMap;

/// A change counts as faster if it saves this share of the time, in percent.
const FASTER: f64 = 1.0;

/// Changes of the text, alone or together, in one placement, and what became of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "PlaceChange"))]
pub struct ChangeRow {
    /// The names of the changes: `restrict`, `readonly`, `padding`, `block=32x8` (with a grid of as many threads) or
    /// `threads=32x8` (with the grid as it is), and `block` for all blocks that are not possible for one reason. It is empty for a placement without
    /// other changes.
    pub changes: Vec<String>,
    /// The memory of each array, by its name.
    #[cfg_attr(feature = "types", ts(as = "BTreeMap<String, placement::Memory>"))]
    pub placement: BTreeMap<String, String>,
    /// The time on the whole GPU in microseconds. It is null if the change is not possible.
    pub machine_microseconds: Option<f64>,
    /// The chance to be the fastest of all placements and changes that ran. It is null if it did not run.
    pub chance: Option<f64>,
    /// True if the time is so close to the best that the model cannot distinguish the two.
    pub tie: bool,
    /// Why the time is another than that of the placement without the changes, or why the change is not possible. It is empty
    /// for a placement without other changes.
    pub reason: String,
}

/// A placement that is changed.
struct Base {
    placement: Placement,
    moves: Vec<(String, Space)>,
    time: MachineTime,
}

/// A text to run.
#[derive(Clone)]
struct Try {
    base: usize,
    changes: Vec<TextChange>,
}

/// A job that runs the changes of one kernel. A unit of work is an event of the machine, or an instruction of the emulator.
pub(crate) struct Changing {
    judge: Judge,
    rewriter: Rewriter,
    bases: Vec<Base>,
    tries: Vec<Try>,
    /// Whether `tries` has those of several changes together.
    combined: bool,
    next: usize,
    running: Option<Timing>,
    done: Vec<(Try, Result<MachineTime, String>)>,
}

impl Changing {
    /// `bases` are the placements to change, with their times on the machine. The first one is the present placement.
    pub fn new(judge: Judge, rewriter: Rewriter, bases: Vec<(Placement, MachineTime)>, names: &[String]) -> Self {
        let sample = bases.first().map(|(placement, _)| placement.clone()).unwrap_or_default();
        let changes = rewriter.changes_to_try();
        let bases: Vec<Base> = bases
            .into_iter()
            .map(|(placement, time)| Base { moves: Rewriter::moves(names, &sample, &placement), placement, time })
            .collect();
        let single = |base| changes.iter().map(move |change| Try { base, changes: vec![*change] });
        let tries = (0..bases.len()).flat_map(single).collect();
        Self { judge, rewriter, bases, tries, combined: false, next: 0, running: None, done: Vec::new() }
    }

    /// Works for about `budget` units. Returns false if nothing is left.
    pub fn advance(&mut self, budget: u64) -> bool {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => match self.start() {
                Some(Ok(text)) => Timing::of_text(&self.judge, text),
                Some(Err(reason)) => return self.finish(Err(reason)),
                None => return false,
            },
        };
        match running.step(budget) {
            Step::More(_) => self.running = Some(running),
            Step::Done(Ok(time)) => return self.finish(Ok(time)),
            Step::Done(Err(reason)) => return self.finish_text(reason),
        }
        true
    }

    /// Starts the next text, or says why it is not possible. `None` if there is none.
    fn start(&mut self) -> Option<Result<Retrace, String>> {
        if self.next == self.tries.len() && !self.combined {
            self.combined = true;
            self.combine();
        }
        let Try { base, changes } = self.tries.get(self.next)?;
        Some(self.rewriter.retrace(&self.bases[*base].moves, changes))
    }

    /// A text that ran is not for use. There may be another way to make its change.
    fn finish_text(&mut self, reason: String) -> bool {
        match self.tries[self.next].changes[..] {
            [change] if change.instead().is_some() => {
                self.tries[self.next].changes = change.instead().into_iter().collect();
                true
            }
            _ => self.finish(Err(reason)),
        }
    }

    fn finish(&mut self, result: Result<MachineTime, String>) -> bool {
        self.done.push((self.tries[self.next].clone(), result));
        self.next += 1;
        true
    }

    /// Adds a try of all changes together that make a placement faster. Of the blocks it has the fastest.
    fn combine(&mut self) {
        for base in 0..self.bases.len() {
            let alone = self.bases[base].time.cycles();
            let gain = |(one, result): &(Try, Result<MachineTime, String>)| {
                let saved = -change(alone, result.as_ref().ok()?.cycles());
                (one.base == base && saved > FASTER).then_some((saved, one.changes[0]))
            };
            let mut faster: Vec<(f64, TextChange)> = self.done.iter().filter_map(gain).collect();
            base::sort_by(&mut faster, |a, b| b.0.total_cmp(&a.0));
            // Equal times come of equal programs: `restrict` and `readonly` often are one change.
            faster.dedup_by(|a, b| a.0 == b.0);
            let mut changes: Vec<TextChange> = Vec::new();
            for (_, change) in faster {
                if !(change.is_block() && changes.iter().any(|known| known.is_block())) {
                    changes.push(change);
                }
            }
            if changes.len() > 1 {
                changes.sort();
                self.tries.push(Try { base, changes });
            }
        }
    }

    /// Texts that ran or were refused, and all of them.
    pub fn progress(&self) -> Progress {
        Progress { done: self.next as u64, total: self.tries.len() as u64 }
    }

    /// The rows, the fastest first, with the placements that were changed among them. What is not possible comes last.
    /// `others` are the times in cycles of the other placements that ran, which compete for the chances.
    pub fn rows(&self, names: &[String], hz: f64, others: &[f64]) -> Vec<ChangeRow> {
        let mut rows: Vec<(f64, ChangeRow)> = Vec::new();
        let mut add = |placement: &Placement, changes: &[TextChange], time: Option<f64>, reason: String| {
            let memories = names.iter().cloned().zip(placement.iter().map(ToString::to_string));
            let row = ChangeRow {
                changes: changes.iter().map(ToString::to_string).collect(),
                placement: base::map_of(memories),
                machine_microseconds: time.map(|cycles| cycles / hz * 1e6),
                chance: None,
                tie: false,
                reason,
            };
            rows.push((time.unwrap_or(f64::INFINITY), row));
        };
        for Base { placement, time, .. } in &self.bases {
            add(placement, &[], Some(time.cycles()), String::new());
        }
        for (Try { base, changes }, result) in &self.done {
            let Base { placement, time: before, .. } = &self.bases[*base];
            match result {
                Ok(time) => {
                    let all: Vec<String> = changes.iter().map(ToString::to_string).collect();
                    add(placement, changes, Some(time.cycles()), on_machine(&all.join(" with "), before, time));
                }
                Err(reason) => add(placement, changes, None, reason.clone()),
            }
        }
        let mut rows = each_refusal_once(rows);
        base::sort_by(&mut rows, |a, b| a.0.total_cmp(&b.0));
        // All that ran compete. The placements that are changed are among the others.
        let of_changes = rows.iter().filter(|(_, row)| !row.changes.is_empty()).map(|(time, _)| *time);
        let mut times: Vec<f64> = of_changes.filter(|time| time.is_finite()).chain(others.iter().copied()).collect();
        times.sort_by(f64::total_cmp);
        // Equal times come of equal programs, which share a chance.
        times.dedup();
        let chances = judge_times(&times, true);
        for (time, row) in rows.iter_mut().filter(|(time, _)| time.is_finite()) {
            if let Some((chance, tie)) = times.iter().position(|known| known == time).and_then(|at| chances.get(at)) {
                (row.chance, row.tie) = (Some(*chance), *tie);
            }
        }
        rows.into_iter().map(|(_, row)| row).collect()
    }
}

/// Leaves out the refusals that repeat another one. Blocks with one reason become one row.
fn each_refusal_once(rows: Vec<(f64, ChangeRow)>) -> Vec<(f64, ChangeRow)> {
    let mut kept: Vec<(f64, ChangeRow)> = Vec::new();
    for (time, mut row) in rows {
        if row.machine_microseconds.is_none() {
            if row.changes.iter().any(|name| TextChange::named(name).is_some_and(TextChange::is_block)) {
                row.changes = vec!["block".into()];
            }
            let is_same = |known: &ChangeRow| known.changes == row.changes && known.reason == row.reason;
            if kept.iter().any(|(_, known)| is_same(known)) {
                continue;
            }
        }
        kept.push((time, row));
    }
    kept
}
