//! A session of the page's Placement tab: the state that each of its workers keeps between calls.
//!
//! The page reads files, prepares a kernel, searches its placements in steps, and shows parts of the ranking while the
//! search goes on. A session keeps the traces, the search, and the number of results that it has already passed on.
//!
//! Each worker has a session with the same traces. If the search evaluates every placement, one session leads and takes
//! in the results of the others ([`PlacementSession::absorb_evaluated`]). The leading session searches a larger space
//! alone.
//!
//! In: files, a [`PlacementRequest`] and an [`ArrayEdit`].
//! Out: [`PlacementPrepared`], a ranking as [`PlacementLine`]s, a [`PlacementDetails`] at one placement, and the
//! [`PlacementReport`] that the command line prints.

mod array_edit;
mod details;
mod snippet;

pub use array_edit::ArrayEdit;
pub use details::{PlacementCount, PlacementDetails, PlacementLine, TermBar};

use crate::input::intake::{Contents, Intake};
use crate::placement_tab::changes::ChangeRow;
use crate::placement_tab::paper::SampleTime;
use crate::placement_tab::report::{arrays, PlacementArray, PlacementReport};
use crate::placement_tab::rewriter::placement_options;
use crate::placement_tab::run::{PlacementRequest, PlacementRun, EVENTS_PER_UNIT};
use crate::scenario::CudaSettings;
use base::Diagnostic;
use base::{Job, Progress, Step};
use cuda_vm::{CudaOptions, Rewritten};
use placement::{nominal, options, Memory, Placement, RankedPlacement};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use trace::{Array, Format, Trace};

/// A kernel that the visitor can select.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "PlaceKernel"))]
pub struct KernelChoice {
    /// The number of the kernel, counted from 1.
    pub number: u32,
    /// The name of the kernel as the trace has it.
    pub name: String,
    /// The number of warp accesses in the trace.
    pub accesses: u64,
}

/// The input that was read.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "PlaceInput"))]
pub struct PlacementInput {
    /// The kernels in launch order.
    pub kernels: Vec<KernelChoice>,
    /// The name of the topology among the files, if there is one.
    pub topology: Option<String>,
    /// The diagnostics of all files.
    pub diagnostics: Vec<Diagnostic>,
}

/// A kernel that is ready for the search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "PlacePrepared"))]
pub struct PlacementPrepared {
    /// The number of the kernel, counted from 1.
    pub number: u32,
    /// The name of the kernel.
    pub kernel: String,
    /// The name of the GPU.
    pub gpu: String,
    /// The arrays in order of address.
    pub arrays: Vec<PlacementArray>,
    /// The placement in the trace.
    pub sample: PlacementLine,
    /// The time from which the model `paper` predicts. It is null for the other model, and before the sample ran on
    /// the whole GPU.
    pub sample_time: Option<SampleTime>,
    /// The product of the numbers of memories that each array may go to.
    pub nominal: u64,
    /// The same number if the search evaluates every placement. It is null if the search is guided by a bound.
    pub numbers: Option<u64>,
    /// The number of warp accesses in the trace.
    pub accesses: u64,
    /// The number of blocks in the trace, and in the launch.
    pub blocks: [u64; 2],
    /// Everything that the model leaves out or assumes for this kernel, in sentences.
    pub notes: Vec<String>,
    /// True if other changes of the kernel's text can run too.
    pub changeable: bool,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "PlaceStanding"))]
pub struct PlacementProgress {
    /// The units of work that are done.
    pub done: u64,
    /// The units of work in all.
    pub total: u64,
    /// The number of evaluated placements.
    pub evaluated: u64,
    /// The least predicted time so far in cycles. It is null before the first evaluation.
    pub best: Option<f64>,
    /// True if this session has no work left.
    pub finished: bool,
}

/// The best placements that a search has found so far.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "PlaceRanking"))]
pub struct PlacementRanking {
    /// The number of legal placements. It is null if there are too many to enumerate.
    pub legal: Option<u64>,
    /// The number of evaluated placements.
    pub evaluated: u64,
    /// The greatest possible excess of the best time found over the best time that exists, as a share. It is 0 if the
    /// placement found is the best, and null as long as there is no bound.
    pub gap: Option<f64>,
    /// The placements, best first.
    pub lines: Vec<PlacementLine>,
    /// The number of the placement to choose among them: of those that tie with the best one, the first that moves the
    /// fewest arrays. It is null if nothing was found yet.
    pub recommended: Option<usize>,
}

/// The state of a worker of the Placement tab, see the [module](self).
#[derive(Default)]
pub struct PlacementSession {
    intake: Option<Intake>,
    contents: Contents,
    /// The arrays of the files by kernel. Each edit is applied to these.
    own: Vec<Vec<Array>>,
    run: Option<PlacementRun>,
    /// The number of evaluated placements that [`take_evaluated`](Self::take_evaluated) has passed on.
    handed: usize,
}

fn nothing() -> Vec<Diagnostic> {
    vec![Diagnostic::error("placement", "a kernel that was prepared", "none", "choose an input again")]
}

impl PlacementSession {
    fn intake(&mut self) -> &mut Intake {
        self.intake.get_or_insert_with(|| {
            let mut intake = Intake::default();
            intake.set_cuda(placement_options(CudaSettings::default().options()));
            intake
        })
    }

    /// Sets the options for CUDA text in later files. A long launch runs in part.
    pub fn set_cuda(&mut self, options: CudaOptions) {
        self.intake().set_cuda(placement_options(options));
    }

    /// Adds a kernel of the library to the input.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic that lists the examples if there is none of this name.
    pub fn example(&mut self, id: &str) -> Result<(), Vec<Diagnostic>> {
        self.intake().example(id)
    }

    /// Runs CUDA text for about `budget` warp instructions. The caller repeats the call until it is done.
    pub fn run_texts(&mut self, budget: u64) -> Step<()> {
        self.intake().run_texts(budget)
    }

    /// Starts a file. If a format is given, the file is read in this format.
    pub fn begin_file(&mut self, name: &str, format: Option<Format>) {
        let intake = self.intake();
        match format {
            Some(format) => intake.begin_as(name, format),
            None => intake.begin(name),
        }
        intake.leave_hash();
    }

    /// Takes the next bytes of the file. Address streams are dropped, because they have no warps.
    pub fn push(&mut self, chunk: &[u8]) {
        if let Some(intake) = &mut self.intake {
            intake.push(chunk);
            intake.drain(&mut |_| {});
        }
    }

    /// Ends the input and lists its kernels.
    pub fn finish_files(&mut self) -> PlacementInput {
        let contents = self.intake.take().map_or_else(Contents::default, Intake::finish);
        self.own = contents.kernels.iter().map(|trace| trace.arrays.clone()).collect();
        (self.contents, self.run) = (contents, None);
        let kernel = |(i, trace): (usize, &Arc<Trace>)| KernelChoice {
            number: i as u32 + 1,
            name: trace.name.clone(),
            accesses: trace.access_count() as u64,
        };
        PlacementInput {
            kernels: self.contents.kernels.iter().enumerate().map(kernel).collect(),
            topology: self.contents.topology.as_ref().map(|topology| topology.name.clone()),
            diagnostics: self.contents.diagnostics.clone(),
        }
    }

    /// Returns the traces and the topology of the input.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Prepares a kernel for the search.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if the request or the edit is wrong, or if the kernel cannot be placed.
    pub fn prepare(
        &mut self,
        mut request: PlacementRequest,
        edit: &ArrayEdit,
    ) -> Result<PlacementPrepared, Vec<Diagnostic>> {
        (self.run, self.handed) = (None, 0);
        array_edit::apply_edit(&mut self.contents, &self.own, edit)?;
        if !edit.from.is_empty() {
            let trace = PlacementRun::kernel(&request, &self.contents)?.1;
            request.from = array_edit::memories_by_name(&trace.arrays, &edit.from)?;
        }
        self.run = Some(PlacementRun::new(request, &self.contents)?);
        self.prepared()
    }

    /// Runs the sample of the model `paper` on the whole GPU for about `budget` evaluations' time, if nobody measured
    /// it. [`prepared`](Self::prepared) then has its time.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn sample(&mut self, budget: u64) -> Result<PlacementProgress, Vec<Diagnostic>> {
        let finished = !self.run()?.sample_step(budget.saturating_mul(EVENTS_PER_UNIT));
        Ok(PlacementProgress { finished, ..self.progress()? })
    }

    /// Describes the kernel that is ready for the search.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn prepared(&mut self) -> Result<PlacementPrepared, Vec<Diagnostic>> {
        let number = self.run()?.number;
        let run = self.run()?;
        let (notes, sample_time) = (run.notes.clone(), run.sample_time);
        let changeable = run.changeable().is_ok();
        let sample = run.search.evaluator().sample().clone();
        let sample = details::predicted_line(run, &sample, f64::INFINITY);
        let evaluator = run.search.evaluator();
        let (kernel, machine) = (evaluator.kernel().clone(), evaluator.machine().clone());
        Ok(PlacementPrepared {
            number,
            kernel: kernel.name.clone(),
            gpu: run.gpu.clone(),
            arrays: arrays(&kernel, &machine),
            sample,
            sample_time,
            nominal: nominal(&options(&kernel, &machine)).min(u128::from(u64::MAX)) as u64,
            numbers: run.search.numbers(),
            accesses: kernel.accesses() as u64,
            blocks: [kernel.traced_blocks(), kernel.total_blocks()],
            notes,
            changeable,
        })
    }

    fn run(&mut self) -> Result<&mut PlacementRun, Vec<Diagnostic>> {
        self.run.as_mut().ok_or_else(nothing)
    }

    /// Selects the placement numbers to search next (see [`placement::PlacementSearch::search_numbers`]).
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn search_numbers(&mut self, numbers: Range<u64>) -> Result<(), Vec<Diagnostic>> {
        self.run()?.search.search_numbers(numbers);
        Ok(())
    }

    /// Continues the search for about `budget` units. A unit is one evaluation or one screened range of placements.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn step(&mut self, budget: u64) -> Result<PlacementProgress, Vec<Diagnostic>> {
        let finished = match self.run()?.search.step(budget) {
            Step::More(_) => false,
            Step::Done(_) => true,
        };
        Ok(PlacementProgress { finished, ..self.progress()? })
    }

    /// Runs the most promising placements on the machine, after the search and for about `budget` evaluations' time.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn judge(&mut self, budget: u64) -> Result<PlacementProgress, Vec<Diagnostic>> {
        let run = self.run()?;
        let finished = !run.judge_step(budget.saturating_mul(EVENTS_PER_UNIT));
        let Progress { done, total } = run.judge_progress();
        Ok(PlacementProgress { done, total, finished, ..self.progress()? })
    }

    /// Runs other changes of the text for about `budget` evaluations' time, after the placements ran.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared, or if the kernel comes from no text.
    pub fn change(&mut self, budget: u64) -> Result<PlacementProgress, Vec<Diagnostic>> {
        let run = self.run()?;
        let finished = !run.change_step(budget.saturating_mul(EVENTS_PER_UNIT))?;
        let Progress { done, total } = run.change_progress();
        Ok(PlacementProgress { done, total, finished, ..self.progress()? })
    }

    /// Returns the other changes of the text that ran so far, the fastest first.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn changes(&mut self) -> Result<Vec<ChangeRow>, Vec<Diagnostic>> {
        Ok(self.run()?.change_rows().unwrap_or_default())
    }

    /// Returns the text of a row of [`changes`](Self::changes), and what its reader has to know in sentences.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared, or if there is no such text.
    pub fn changed_text(
        &mut self,
        placement: &BTreeMap<String, String>,
        changes: &[String],
    ) -> Result<Rewritten, Vec<Diagnostic>> {
        self.run()?.changed_text(placement, changes)
    }

    /// Returns the progress of the search.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn progress(&mut self) -> Result<PlacementProgress, Vec<Diagnostic>> {
        let search = &self.run()?.search;
        let (progress, least) = (search.progress(), search.best());
        Ok(PlacementProgress {
            done: progress.done,
            total: progress.total,
            evaluated: search.evaluated().len() as u64,
            best: least.is_finite().then_some(least),
            finished: false,
        })
    }

    /// Returns the placements that were evaluated here since the last call. Each is five numbers: the number of the
    /// placement, T, Tcomp, Tmem and Toverlap.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn take_evaluated(&mut self) -> Result<Vec<f64>, Vec<Diagnostic>> {
        let from = self.handed;
        let evaluated = self.run()?.search.evaluated();
        let each = evaluated[from..].iter().flat_map(|(index, r)| [*index as f64, r.cycles, r.comp, r.mem, r.overlap]);
        let (found, to) = (each.collect(), evaluated.len());
        self.handed = to;
        Ok(found)
    }

    /// Takes in the results of another session, which searched `looked` placement numbers.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn absorb_evaluated(&mut self, looked: u64, found: &[f64]) -> Result<(), Vec<Diagnostic>> {
        let rows = found.chunks_exact(5).map(|row| (row[0] as u64, [row[1], row[2], row[3], row[4]]));
        self.run()?.search.absorb(looked, rows);
        Ok(())
    }

    /// Returns the best `most` placements so far. If `judge`, they have chances and ties as in the report.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn ranking(&mut self, most: usize, judge: bool) -> Result<PlacementRanking, Vec<Diagnostic>> {
        let run = self.run()?;
        let outcome = run.search.outcome();
        let clock = run.search.evaluator().machine().clock_ghz;
        let best = outcome.ranking.first().map_or(f64::INFINITY, |ranked| ranked.cycles);
        let ranked = run.judged_first(&outcome.ranking);
        let line = |ranked: &&RankedPlacement| {
            PlacementLine::of_ranked(ranked, best, clock).on_machine(run, &ranked.placement)
        };
        let mut lines: Vec<PlacementLine> = ranked.iter().take(most).map(line).collect();
        if judge {
            let placements: Vec<Placement> = ranked.iter().take(most).map(|ranked| ranked.placement.clone()).collect();
            let chances = run.chances(&placements);
            if !chances.is_empty() {
                lines.iter_mut().for_each(|line| line.tie = false);
            }
            for (line, (chance, tie)) in lines.iter_mut().zip(chances) {
                (line.chance, line.tie) = (Some(chance), tie);
            }
        }
        let recommended = run.recommended();
        Ok(PlacementRanking {
            recommended: recommended
                .and_then(|one| ranked.iter().take(most).position(|ranked| ranked.placement == one)),
            legal: outcome.legal,
            evaluated: outcome.evaluated,
            gap: outcome.gap.is_finite().then_some(outcome.gap),
            lines,
        })
    }

    /// For each memory, returns the time in cycles if only array number `array` moves there. It is null if the array
    /// may not move there.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn moves(&mut self, array: usize) -> Result<Vec<Option<f64>>, Vec<Diagnostic>> {
        Ok(details::single_moves(self.run()?, array))
    }

    /// Returns the details of a placement, which is one memory per array.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared, or if the memories do not fit the arrays.
    pub fn details(&mut self, placement: &[String]) -> Result<PlacementDetails, Vec<Diagnostic>> {
        let run = self.run()?;
        let named: Option<Placement> = placement.iter().map(|name| Memory::named(name)).collect();
        let arrays = run.search.evaluator().kernel().arrays.len();
        let placement = named.filter(|placement| placement.len() == arrays).ok_or_else(|| {
            let expected = format!("a memory for each array, {arrays} in all");
            vec![Diagnostic::error("placement", expected, placement.join(", "), "choose it in the table")]
        })?;
        details::placement_details(run, &placement)
    }

    /// Returns the report that the command line prints for the same request.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn report(&mut self) -> Result<PlacementReport, Vec<Diagnostic>> {
        Ok(self.run()?.report())
    }

    /// Writes all evaluated placements as CSV (RFC 4180), best first. The columns are the rank, one per array, and the
    /// times and terms.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn csv(&mut self) -> Result<String, Vec<Diagnostic>> {
        let ranking = self.ranking(usize::MAX, true)?;
        let names = self.run()?.search.evaluator().kernel().arrays.iter().map(|array| array.name.clone());
        let head = ["rank".to_string()].into_iter().chain(names);
        let terms = ["cycles", "microseconds", "machine_microseconds", "t_comp", "t_mem", "t_overlap", "tie", "chance"]
            .map(String::from);
        let mut out = csv::Writer::from_writer(Vec::new());
        // Writing to memory cannot fail.
        let _ = out.write_record(head.chain(terms));
        for (i, line) in ranking.lines.iter().enumerate() {
            let or_none = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
            let (times, chance) = ([line.cycles, line.microseconds], or_none(line.chance));
            let terms = [line.t_comp, line.t_mem, line.t_overlap];
            let fields = [(i + 1).to_string()].into_iter().chain(line.placement.iter().cloned());
            let times = times.iter().map(f64::to_string).chain([or_none(line.machine_microseconds)]);
            let numbers = times.chain(terms.iter().map(f64::to_string)).chain([line.tie.to_string(), chance]);
            let _ = out.write_record(fields.chain(numbers));
        }
        Ok(out.into_inner().map_or_else(|_| String::new(), |bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }
}
