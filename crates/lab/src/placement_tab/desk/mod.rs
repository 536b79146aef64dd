//! What the Placement tab's workers hold: traces, a search that several of them can share, and closer looks at placements.
//!
//! In: files, a [`PlaceRequest`] and an [`ArrayEdit`]. Out: [`PlacePrepared`], a ranking as [`PlaceLine`]s, a
//! [`PlaceLook`] at one placement, and the command line's own [`PlaceReport`].
//!
//! Each worker has a desk of its own with the same traces. Where every placement is looked at, one desk leads and takes what
//! the others found ([`PlaceDesk::absorb`]); a larger space is searched by the leading desk alone.

mod look;
mod ranges;
mod snippet;

pub use look::{PlaceCount, PlaceLine, PlaceLook, TermBar};
pub use ranges::ArrayEdit;

use crate::input::intake::{Contents, Intake};
use crate::placement_tab::run::{arrays, PlaceArray, PlaceReport, PlaceRequest, PlaceRun};
use base::Diagnostic;
use base::{Job, Step};
use cuda_vm::CudaOptions;
use placement::{nominal, options, Memory, Placement};
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;
use trace::{Array, Format, Trace};

/// A kernel to choose.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceKernel {
    /// Its number, from 1.
    pub number: u32,
    /// Name.
    pub name: String,
    /// Warp accesses.
    pub accesses: u64,
}

/// What was read.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceInput {
    /// Kernels in launch order.
    pub kernels: Vec<PlaceKernel>,
    /// Name of the topology among the files.
    pub topology: Option<String>,
    /// What there is to say.
    pub diagnostics: Vec<Diagnostic>,
}

/// A kernel that is ready to be placed.
#[derive(Clone, Debug, Serialize)]
pub struct PlacePrepared {
    /// Number of the kernel, from 1.
    pub number: u32,
    /// Its name.
    pub kernel: String,
    /// Name of the GPU.
    pub gpu: String,
    /// Arrays by address.
    pub arrays: Vec<PlaceArray>,
    /// Where the trace has them.
    pub sample: PlaceLine,
    /// Products of the arrays' options.
    pub nominal: u64,
    /// As many, where all of them are looked at; null where a bound chooses.
    pub numbers: Option<u64>,
    /// Warp accesses of the trace.
    pub accesses: u64,
    /// Blocks that the trace holds, and of the launch.
    pub blocks: [u64; 2],
    /// What was left out or assumed.
    pub notes: Vec<String>,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlaceStanding {
    /// Units done.
    pub done: u64,
    /// Units in all.
    pub total: u64,
    /// Placements evaluated.
    pub evaluated: u64,
    /// Least predicted time so far, cycles; null before the first.
    pub best: Option<f64>,
    /// Nothing is left to do here.
    pub finished: bool,
}

/// What a search knows by now.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceRanking {
    /// Legal placements; null where they were too many to look at.
    pub legal: Option<u64>,
    /// Of these, evaluated.
    pub evaluated: u64,
    /// How far the best can at most be above the best there is; null when nothing bounds it yet, 0 when it is the best.
    pub gap: Option<f64>,
    /// Best first.
    pub lines: Vec<PlaceLine>,
}

/// Traces, and the search over the placements of one of them.
#[derive(Default)]
pub struct PlaceDesk {
    intake: Option<Intake>,
    contents: Contents,
    /// The arrays as the files have them, by kernel: every edit begins from these.
    own: Vec<Vec<Array>>,
    run: Option<PlaceRun>,
    /// Evaluated placements that were handed out.
    handed: usize,
}

fn nothing() -> Vec<Diagnostic> {
    vec![Diagnostic::error("placement", "a kernel that was prepared", "none", "choose an input again")]
}

impl PlaceDesk {
    /// How CUDA text that comes from now on is run.
    pub fn set_cuda(&mut self, options: CudaOptions) {
        self.intake.get_or_insert_default().set_cuda(options);
    }

    /// Takes a kernel of the library.
    ///
    /// # Errors
    /// A diagnostic that lists the examples when there is none of this name.
    pub fn example(&mut self, id: &str) -> Result<(), Vec<Diagnostic>> {
        self.intake.get_or_insert_default().example(id)
    }

    /// Runs CUDA text for about `budget` warp instructions; to be called until it is done.
    pub fn run_texts(&mut self, budget: u64) -> Step<()> {
        self.intake.get_or_insert_default().run_texts(budget)
    }

    /// Starts a file, to be read as `format` if there is one.
    pub fn begin_file(&mut self, name: &str, format: Option<Format>) {
        let intake = self.intake.get_or_insert_default();
        match format {
            Some(format) => intake.begin_as(name, format),
            None => intake.begin(name),
        }
        intake.leave_hash();
    }

    /// Takes the next bytes of the file. An address stream has no warps; it is not kept.
    pub fn push(&mut self, chunk: &[u8]) {
        if let Some(intake) = &mut self.intake {
            intake.push(chunk);
            intake.drain(&mut |_| {});
        }
    }

    /// Puts the files together.
    pub fn finish_files(&mut self) -> PlaceInput {
        let contents = self.intake.take().map_or_else(Contents::default, Intake::finish);
        self.own = contents.kernels.iter().map(|trace| trace.arrays.clone()).collect();
        (self.contents, self.run) = (contents, None);
        let kernel = |(i, trace): (usize, &Arc<Trace>)| PlaceKernel {
            number: i as u32 + 1,
            name: trace.name.clone(),
            accesses: trace.access_count() as u64,
        };
        PlaceInput {
            kernels: self.contents.kernels.iter().enumerate().map(kernel).collect(),
            topology: self.contents.topology.as_ref().map(|topology| topology.name.clone()),
            diagnostics: self.contents.diagnostics.clone(),
        }
    }

    /// Traces and topology that are held.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Makes a kernel ready.
    ///
    /// # Errors
    /// What is wrong with the request or the edit, or why the kernel cannot be placed.
    pub fn prepare(&mut self, mut request: PlaceRequest, edit: &ArrayEdit) -> Result<PlacePrepared, Vec<Diagnostic>> {
        (self.run, self.handed) = (None, 0);
        ranges::apply(&mut self.contents, &self.own, edit)?;
        if !edit.from.is_empty() {
            let trace = PlaceRun::kernel(&request, &self.contents)?.1;
            request.from = ranges::by_name(&trace.arrays, &edit.from)?;
        }
        let run = self.run.insert(PlaceRun::new(request, &self.contents)?);
        let number = run.number;
        let held = self.contents.kernels.get(number as usize - 1).map_or(0, |trace| trace.blocks.len());
        let notes = run.notes.clone();
        let sample = run.search.evaluator().sample().clone();
        let sample = look::line(run, &sample, f64::INFINITY);
        let evaluator = run.search.evaluator();
        let (kernel, machine) = (evaluator.kernel().clone(), evaluator.machine().clone());
        Ok(PlacePrepared {
            number,
            kernel: kernel.name.clone(),
            gpu: run.gpu.clone(),
            arrays: arrays(&kernel, &machine),
            sample,
            nominal: nominal(&options(&kernel, &machine)).min(u128::from(u64::MAX)) as u64,
            numbers: run.search.numbers(),
            accesses: kernel.accesses() as u64,
            blocks: [held as u64, kernel.total_blocks()],
            notes,
        })
    }

    fn run(&mut self) -> Result<&mut PlaceRun, Vec<Diagnostic>> {
        self.run.as_mut().ok_or_else(nothing)
    }

    /// Looks at these numbers next (see [`placement::PlacementSearch::search_numbers`]).
    ///
    /// # Errors
    /// Nothing is prepared.
    pub fn part(&mut self, numbers: Range<u64>) -> Result<(), Vec<Diagnostic>> {
        self.run()?.search.search_numbers(numbers);
        Ok(())
    }

    /// Goes on with the search for about `budget` units: evaluations, or screened stretches.
    ///
    /// # Errors
    /// Nothing is prepared.
    pub fn step(&mut self, budget: u64) -> Result<PlaceStanding, Vec<Diagnostic>> {
        let finished = match self.run()?.search.step(budget) {
            Step::More(_) => false,
            Step::Done(_) => true,
        };
        Ok(PlaceStanding { finished, ..self.standing()? })
    }

    /// How far the search is.
    ///
    /// # Errors
    /// Nothing is prepared.
    pub fn standing(&mut self) -> Result<PlaceStanding, Vec<Diagnostic>> {
        let search = &self.run()?.search;
        let (progress, least) = (search.progress(), search.best());
        Ok(PlaceStanding {
            done: progress.done,
            total: progress.total,
            evaluated: search.evaluated().len() as u64,
            best: least.is_finite().then_some(least),
            finished: false,
        })
    }

    /// What was evaluated here since the last call, five numbers each: number, T, Tcomp, Tmem, Toverlap.
    ///
    /// # Errors
    /// Nothing is prepared.
    pub fn found(&mut self) -> Result<Vec<f64>, Vec<Diagnostic>> {
        let from = self.handed;
        let evaluated = self.run()?.search.evaluated();
        let each = evaluated[from..].iter().flat_map(|(index, r)| [*index as f64, r.cycles, r.comp, r.mem, r.overlap]);
        let (found, to) = (each.collect(), evaluated.len());
        self.handed = to;
        Ok(found)
    }

    /// Takes what another desk handed out, which looked at `looked` numbers for it.
    ///
    /// # Errors
    /// Nothing is prepared.
    pub fn absorb(&mut self, looked: u64, found: &[f64]) -> Result<(), Vec<Diagnostic>> {
        let rows = found.chunks_exact(5).map(|row| (row[0] as u64, [row[1], row[2], row[3], row[4]]));
        self.run()?.search.absorb(looked, rows);
        Ok(())
    }

    /// The best `most` of what was evaluated by now; `judge`: with chances and ties, as in the report.
    ///
    /// # Errors
    /// Nothing is prepared.
    pub fn ranking(&mut self, most: usize, judge: bool) -> Result<PlaceRanking, Vec<Diagnostic>> {
        let run = self.run()?;
        let outcome = run.search.outcome();
        let clock = run.search.evaluator().machine().clock_ghz;
        let best = outcome.ranking.first().map_or(f64::INFINITY, |ranked| ranked.cycles);
        let mut lines: Vec<PlaceLine> =
            outcome.ranking.iter().take(most).map(|ranked| PlaceLine::of_ranked(ranked, best, clock)).collect();
        if judge {
            let top = run.request.top;
            let placements: Vec<Placement> =
                outcome.ranking.iter().take(top).map(|ranked| ranked.placement.clone()).collect();
            let chances = run.chances(&placements);
            if !chances.is_empty() {
                lines.iter_mut().for_each(|line| line.tie = false);
            }
            for (line, (chance, tie)) in lines.iter_mut().zip(chances) {
                (line.chance, line.tie) = (Some(chance), tie);
            }
        }
        Ok(PlaceRanking {
            legal: outcome.legal,
            evaluated: outcome.evaluated,
            gap: outcome.gap.is_finite().then_some(outcome.gap),
            lines,
        })
    }

    /// For every memory: the time, cycles, when array number `array` alone moves there; null where it may not.
    ///
    /// # Errors
    /// Nothing is prepared.
    pub fn moves(&mut self, array: usize) -> Result<Vec<Option<f64>>, Vec<Diagnostic>> {
        Ok(look::moves(self.run()?, array))
    }

    /// A closer look at a placement, one memory per array.
    ///
    /// # Errors
    /// Nothing is prepared, or these are no memories of its arrays.
    pub fn look(&mut self, placement: &[String]) -> Result<PlaceLook, Vec<Diagnostic>> {
        let run = self.run()?;
        let named: Option<Placement> = placement.iter().map(|name| Memory::named(name)).collect();
        let arrays = run.search.evaluator().kernel().arrays.len();
        let placement = named.filter(|placement| placement.len() == arrays).ok_or_else(|| {
            let expected = format!("a memory for each of {arrays} arrays");
            vec![Diagnostic::error("placement", expected, placement.join(", "), "choose it in the table")]
        })?;
        look::look(run, &placement)
    }

    /// What the command line prints for the same request.
    ///
    /// # Errors
    /// Nothing is prepared.
    pub fn report(&mut self) -> Result<PlaceReport, Vec<Diagnostic>> {
        Ok(self.run()?.report())
    }

    /// All that was evaluated, best first, as CSV (RFC 4180): rank, a column per array, times and terms.
    ///
    /// # Errors
    /// Nothing is prepared.
    pub fn csv(&mut self) -> Result<String, Vec<Diagnostic>> {
        let ranking = self.ranking(usize::MAX, true)?;
        let names = self.run()?.search.evaluator().kernel().arrays.iter().map(|array| array.name.clone());
        let head = ["rank".to_string()].into_iter().chain(names);
        let terms = ["cycles", "microseconds", "t_comp", "t_mem", "t_overlap", "tie", "chance"].map(String::from);
        let mut out = csv::Writer::from_writer(Vec::new());
        // Writing to memory cannot fail.
        let _ = out.write_record(head.chain(terms));
        for (i, line) in ranking.lines.iter().enumerate() {
            let numbers = [line.cycles, line.microseconds, line.t_comp, line.t_mem, line.t_overlap];
            let chance = line.chance.map_or(String::new(), |chance| chance.to_string());
            let fields = [(i + 1).to_string()].into_iter().chain(line.placement.iter().cloned());
            let numbers = numbers.iter().map(f64::to_string).chain([line.tie.to_string(), chance]);
            let _ = out.write_record(fields.chain(numbers));
        }
        Ok(out.into_inner().map_or_else(|_| String::new(), |bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }
}
