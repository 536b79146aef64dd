//! Ranks the placements of a kernel's arrays by their predicted times.
//!
//! In: [`Contents`] with traces, and a [`PlacementRequest`].
//! Out: a [`PlacementReport`]: the legal memories of each array, with a reason for each illegal one, and the
//! placements, best first. For each of the best placements it explains what the memory of each array changes. The job
//! can be asked for a report at any time.

use crate::catalogue::gpu_topology;
use crate::input::intake::Contents;
use crate::placement_tab::changes::{ChangeRow, Changing};
use crate::placement_tab::confidence::judge_times;
use crate::placement_tab::overlap::OverlapFile;
use crate::placement_tab::paper::{is_paper, notes as paper_notes, settings, PaperRequest, SampleTime};
use crate::placement_tab::reasons::{judged, reasons, time_of};
use crate::placement_tab::report::{arrays, bank_loads, BankLoad, PlacementReport, PlacementRow};
use crate::placement_tab::rewriter::{Rewriter, PART_ACCESSES};
use base::Diagnostic;
use base::{Job, Progress, Step};
use cuda_vm::{Rewritten, TextChange};
use machine::{MachineSpec, State};
use placement::{
    nominal, options, Evaluator, Judge, JudgeRun, Judging, Machine, MachineTime, Memory, Placement, PlacementKernel,
    PlacementSearch, RankedPlacement, SearchLimits, SearchOutcome, ACCESSES_MAX,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use trace::Trace;

/// The request for a ranking. Empty strings and zeros stand for the defaults.
#[derive(Clone, Debug)]
pub struct PlacementRequest {
    /// The identifier of a preset, or `file` for the topology among the files.
    pub gpu: String,
    /// The number of the kernel, counted from 1. With 0, the kernel with most accesses is placed.
    pub kernel: u32,
    /// The memories of the arrays in the trace. Arrays that are absent here are in global memory.
    pub from: BTreeMap<String, String>,
    /// `default` or `paper`.
    pub model: String,
    /// What the model `paper` is given.
    pub paper: PaperRequest,
    /// The rule for waits at banks. If it is empty, the model's own rule applies.
    pub queue: String,
    /// The parts to leave out of the model: `counting`, `queue` and `mapping`.
    pub without: Vec<String>,
    /// The number of placements in the report's ranking.
    pub top: usize,
    /// The limits of the search.
    pub limits: SearchLimits,
    /// Trained coefficients of the overlap, for the model `paper`.
    pub overlap: Option<OverlapFile>,
    /// Whether other changes of the text run too.
    pub changes: bool,
}

impl Default for PlacementRequest {
    fn default() -> Self {
        Self {
            gpu: "a100".into(),
            kernel: 0,
            from: BTreeMap::new(),
            model: "default".into(),
            paper: PaperRequest::default(),
            queue: String::new(),
            without: Vec::new(),
            top: 10,
            limits: SearchLimits::default(),
            overlap: None,
            changes: false,
        }
    }
}

/// Events of the machine that take about as long as an evaluation of the equations.
pub(crate) const EVENTS_PER_UNIT: u64 = 8192;

/// Placements that are left out with their reasons, at most.
const LEFT_OUT: usize = 4;
/// Without a chance, placements tie whose times exceed the best by at most this share.
pub(crate) const TIE: f64 = 0.02;

/// A job that searches the placements of one kernel.
pub struct PlacementRun {
    pub(crate) search: PlacementSearch,
    pub(crate) request: PlacementRequest,
    pub(crate) gpu: String,
    pub(crate) notes: Vec<String>,
    /// The number of the kernel, counted from 1.
    pub(crate) number: u32,
    /// Runs placements on the machine. `None` if the equations alone rank.
    judge: Option<Judge>,
    pub(crate) judging: Option<Judging>,
    /// Core clock of the machine, Hz.
    pub(crate) machine_hz: f64,
    /// Rewrites the text that the kernel comes from.
    pub(crate) rewriter: Option<Rewriter>,
    /// The sample of the model `paper` on the whole GPU, as long as it runs there.
    pub(crate) sampling: Option<JudgeRun>,
    pub(crate) sample_time: Option<SampleTime>,
    /// The other changes of the text.
    changing: Option<Changing>,
}

pub(crate) fn wrong(what: &str, expected: String, found: &str, help: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::error(what, expected, base::excerpt(found.as_bytes()), help)]
}

impl PlacementRun {
    /// Prepares a kernel of `contents`.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if the request is wrong or if the kernel cannot be placed.
    pub fn new(mut request: PlacementRequest, contents: &Contents) -> Result<Self, Vec<Diagnostic>> {
        let topology = gpu_topology(&request.gpu, contents.topology.as_ref())?;
        let mut notes = Vec::new();
        let (index, trace) = Self::kernel(&request, contents)?;
        if contents.kernels.len() > 1 && request.kernel == 0 {
            notes.push(format!("kernel {} of {}, the one with most accesses", index + 1, contents.kernels.len()));
        }
        let machine = Machine::from_topology(&topology);
        let rewriter = Rewriter::new(contents, index);
        // Of a long launch of a text, only a part ran.
        let part = rewriter.is_none().then(|| part_of(trace)).flatten();
        let trace = part.as_ref().unwrap_or(trace);
        let mut kernel = PlacementKernel::new(trace, &machine).map_err(|diagnostic| vec![diagnostic])?;
        let paper = is_paper(&request.model);
        if let Some(rewriter) = &rewriter {
            rewriter.hold(&mut kernel);
            // The paper has no kernel whose staging is taken back.
            if !paper {
                rewriter.hold_staged(&mut kernel);
            }
        }
        // A text rewrites itself from where its arrays are, and not from where the visitor says that they are.
        let at_home = sample(&kernel, &request.from)?.iter().zip(&kernel.arrays).all(|(now, array)| *now == array.held);
        let rewriter = rewriter.filter(|_| at_home);
        match &rewriter {
            Some(rewriter) => rewriter.refuse(&mut kernel),
            None => kernel.arrays.iter_mut().filter(|a| a.held == Memory::Shared).for_each(|a| a.held = Memory::Global),
        }
        let sample = sample(&kernel, &request.from)?;
        let settings = settings(&request, &machine)?;
        if paper {
            request.model = "paper".into();
            kernel.keep_layout(trace);
            kernel.static_constants = request.paper.static_constants;
        }
        if !machine.assumed.is_empty() {
            notes.push(format!("assumed for this GPU: {}", machine.assumed.join(", ")));
        }
        if kernel.arrays.iter().any(|array| array.guessed) {
            notes.push("arrays were guessed from gaps between addresses; name them to be sure".into());
        }
        let (traced, blocks) = (kernel.traced_blocks(), kernel.total_blocks());
        if blocks > traced {
            notes.push(format!("the trace holds {traced} of {blocks} blocks; counts are scaled"));
        }
        let machine_hz = MachineSpec::new(&topology, &trace.launch).clock_hz;
        let machine_judge = Judge::new(&topology, trace, State::Copies);
        let judge = (!paper).then(|| machine_judge.clone());
        if let Some(judge) = &judge {
            notes.extend(judge_notes(judge, rewriter.is_some(), topology.cores.value));
        }
        let evaluator = Evaluator::new(Arc::new(kernel), Arc::new(machine), settings, sample.clone());
        notes.extend(paper_notes(&request, &evaluator));
        let given = request.paper.time_us.filter(|_| paper);
        let sampling = (paper && given.is_none()).then(|| machine_judge.run(&evaluator, &sample));
        let simulated = request.paper.simulated;
        let sample_time = given.map(|microseconds| SampleTime { microseconds, simulated });
        let search = PlacementSearch::new(evaluator, request.limits);
        let (gpu, number) = (topology.name, index as u32 + 1);
        let mut run = Self {
            search,
            request,
            gpu,
            notes,
            number,
            judge,
            judging: None,
            machine_hz,
            rewriter,
            sampling,
            sample_time,
            changing: None,
        };
        if run.request.changes {
            run.changeable()?;
        }
        run.note_sample();
        Ok(run)
    }

    /// Returns the requested kernel and its index.
    pub(crate) fn kernel<'c>(
        request: &PlacementRequest,
        contents: &'c Contents,
    ) -> Result<(usize, &'c Arc<Trace>), Vec<Diagnostic>> {
        let heaviest =
            (0..contents.kernels.len()).max_by_key(|&i| (contents.kernels[i].access_count(), usize::MAX - i));
        let index = match request.kernel {
            0 => heaviest,
            number => Some(number as usize - 1),
        };
        index.and_then(|index| Some((index, contents.kernels.get(index)?))).ok_or_else(|| {
            if contents.kernels.is_empty() {
                return vec![contents.no_kernel("choose smaller sizes or fewer blocks")];
            }
            let expected = format!("a kernel from 1 to {}", contents.kernels.len());
            wrong("kernel", expected, &request.kernel.to_string(), "load a trace, or choose one of its kernels")
        })
    }

    /// Reports what the search has found so far. A search that was stopped also has a best placement.
    pub fn report(&mut self) -> PlacementReport {
        let outcome = self.search.outcome();
        let clock = self.search.evaluator().machine().clock_ghz;
        let sample = self.search.evaluator().sample().clone();
        let best = outcome.ranking.first().map_or(f64::INFINITY, |ranked| ranked.cycles);
        let mut rows = Vec::new();
        let ranked = self.judged_first(&outcome.ranking);
        let all: Vec<Placement> = ranked.iter().map(|ranked| ranked.placement.clone()).collect();
        let placements = &all[..self.request.top.min(all.len())];
        for placement in placements {
            rows.push(self.row(placement, best, clock));
        }
        let mut sample_row = self.row(&sample, best, clock);
        let chances = self.chances(&all);
        let near = outcome.ranking.iter().filter(|one| one.cycles <= best * (1.0 + TIE)).count();
        let ties = if chances.is_empty() { near } else { chances.iter().filter(|(_, tie)| *tie).count() };
        let own = all.iter().position(|one| *one == sample);
        for (row, at) in rows.iter_mut().zip(0..).chain(own.map(|at| (&mut sample_row, at))) {
            row.tie &= chances.is_empty();
            if let Some((chance, tie)) = chances.get(at) {
                (row.chance, row.tie) = (Some(*chance), *tie);
            }
        }
        self.warn_of_leverage(placements.first());
        let banks = placements.first().map(|placement| self.banks(placement)).unwrap_or_default();
        self.gather(&outcome, sample_row, rows, ties, banks)
    }

    /// The ranking of the equations, with the placements that ran on the machine first, in order of their times there.
    pub(crate) fn judged_first<'r>(&self, ranking: &'r [RankedPlacement]) -> Vec<&'r RankedPlacement> {
        let refused = |one: &RankedPlacement| {
            self.judging.as_ref().is_some_and(|judging| judging.refused(&one.placement).is_some())
        };
        let possible = ranking.iter().filter(|one| !refused(one));
        let mut ranked: Vec<(f64, &RankedPlacement)> =
            possible.map(|one| (self.machine_cycles(&one.placement).unwrap_or(f64::INFINITY), one)).collect();
        base::sort_by(&mut ranked, |a, b| a.0.total_cmp(&b.0));
        ranked.into_iter().map(|(_, one)| one).collect()
    }

    /// The time of a placement on the machine, if it ran there.
    fn machine_cycles(&self, placement: &Placement) -> Option<f64> {
        time_of(judged(&self.judging), placement).map(MachineTime::cycles)
    }

    /// The same in microseconds.
    pub(crate) fn machine_microseconds(&self, placement: &Placement) -> Option<f64> {
        Some(self.machine_cycles(placement)? / self.machine_hz * 1e6)
    }

    /// Runs the most promising placements on the machine, for about `budget` of its events. Returns false if nothing is
    /// left to do there. The search must be finished.
    pub fn judge_step(&mut self, budget: u64) -> bool {
        let Some(judge) = &self.judge else { return false };
        let judging = match &mut self.judging {
            Some(judging) => judging,
            None => {
                let ranked = self.search.outcome().ranking;
                let placements = ranked.into_iter().map(|one| one.placement);
                let evaluator = self.search.evaluator();
                let retracer =
                    self.rewriter.as_ref().map(|rewriter| rewriter.retracer(evaluator.kernel(), evaluator.sample()));
                self.judging.insert(Judging::new(judge.clone(), retracer, evaluator, placements))
            }
        };
        judging.advance(self.search.evaluator(), budget)
    }

    /// Placements that ran on the machine, and those that will at least.
    pub(crate) fn judge_progress(&self) -> Progress {
        self.judging.as_ref().map_or(Progress::default(), Judging::progress)
    }

    /// Runs other changes of the text, in the present placement and in the recommended one, for about `budget` events of the
    /// machine. Returns false if nothing is left. The placements must have run.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the kernel comes from no text, or if no placement runs on the machine.
    pub fn change_step(&mut self, budget: u64) -> Result<bool, Vec<Diagnostic>> {
        let changing = match &mut self.changing {
            Some(changing) => changing,
            None => {
                let (judge, rewriter) = self.changeable()?;
                let bases = self.placements_to_change();
                let names = self.search.evaluator().kernel().array_names();
                self.changing.insert(Changing::new(judge, rewriter, bases, &names))
            }
        };
        Ok(changing.advance(budget))
    }

    /// What runs other changes of the text.
    pub(crate) fn changeable(&self) -> Result<(Judge, Rewriter), Vec<Diagnostic>> {
        let found = match (&self.judge, &self.rewriter) {
            (Some(judge), Some(rewriter)) => return Ok((judge.clone(), rewriter.clone())),
            (None, _) => "the model `paper`",
            (_, None) => "no text with its arrays in place",
        };
        let expected = "a kernel of CUDA text and the model `default`".to_string();
        Err(wrong("changes", expected, found, "give the `.cu` file or an example of the library"))
    }

    /// The present placement, and the recommended one if it is another.
    fn placements_to_change(&mut self) -> Vec<(Placement, MachineTime)> {
        let recommended = self.recommended();
        let sample = self.search.evaluator().sample();
        let all = std::iter::once(sample).chain(recommended.as_ref().filter(|one| *one != sample));
        let judged = judged(&self.judging);
        all.filter_map(|one| Some((one.clone(), time_of(judged, one)?.clone()))).collect()
    }

    /// The placement to choose: of those that tie with the best one, the first that moves the fewest arrays. `None` if the
    /// search has found none yet.
    pub(crate) fn recommended(&mut self) -> Option<Placement> {
        let outcome = self.search.outcome();
        let best = outcome.ranking.first()?.cycles;
        let ranked = self.judged_first(&outcome.ranking);
        let chances = self.chances(&ranked.iter().map(|ranked| ranked.placement.clone()).collect::<Vec<_>>());
        let near = |cycles: f64| chances.is_empty() && cycles <= best * (1.0 + TIE);
        let ties = |at: usize| at == 0 || chances.get(at).map_or(near(ranked[at].cycles), |(_, tie)| *tie);
        let sample = self.search.evaluator().sample();
        let moved = |one: &Placement| one.iter().zip(sample).filter(|(to, from)| to != from).count();
        let tied = ranked.iter().enumerate().filter(|(at, _)| ties(*at)).map(|(_, ranked)| &ranked.placement);
        tied.min_by_key(|one| moved(one)).cloned()
    }

    /// The text with arrays in these memories, by their names, and with these other changes.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if there is no such text.
    pub(crate) fn changed_text(
        &mut self,
        placement: &BTreeMap<String, String>,
        changes: &[String],
    ) -> Result<Rewritten, Vec<Diagnostic>> {
        let (_, rewriter) = self.changeable()?;
        let evaluator = self.search.evaluator();
        let names = evaluator.kernel().array_names();
        let memory = |name: &String| placement.get(name).and_then(|memory| Memory::named(memory));
        let lost = |found: &str| wrong("changes", "a change that ran".into(), found, "try the changes again");
        let to: Option<Placement> = names.iter().map(memory).collect();
        let to = to.ok_or_else(|| lost("other arrays"))?;
        let changes: Option<Vec<TextChange>> = changes.iter().map(|name| TextChange::named(name)).collect();
        let changes = changes.ok_or_else(|| lost("another name"))?;
        let moves = Rewriter::moves(&names, evaluator.sample(), &to);
        rewriter.changed(&moves, &changes).map_err(|refusal| lost(&refusal.to_string()))
    }

    /// Texts with other changes that ran, and all of them.
    pub(crate) fn change_progress(&self) -> Progress {
        self.changing.as_ref().map_or(Progress::default(), Changing::progress)
    }

    /// The other changes that ran so far. `None` if none was asked for.
    pub(crate) fn change_rows(&mut self) -> Option<Vec<ChangeRow>> {
        let others: Vec<f64> = judged(&self.judging).iter().map(|(_, time)| time.cycles()).collect();
        let names = self.search.evaluator().kernel().array_names();
        Some(self.changing.as_ref()?.rows(&names, self.machine_hz, &others))
    }

    /// For placements, best first, returns the chance of each to be the fastest of them, and whether it ties with the
    /// first one. Returns those of placements that ran on the machine.
    pub(crate) fn chances(&mut self, placements: &[Placement]) -> Vec<(f64, bool)> {
        if let Some(judging) = self.judging.as_ref().filter(|judging| !judging.judged().is_empty()) {
            // All that ran compete, however many of them are shown.
            let mut times: Vec<f64> = judging.judged().iter().map(|(_, time)| time.cycles()).collect();
            times.sort_by(f64::total_cmp);
            let ran = placements.iter().filter(|placement| self.machine_cycles(placement).is_some()).count();
            return judge_times(&times, self.rewriter.is_some()).into_iter().take(ran).collect();
        }
        Vec::new()
    }

    /// Adds a note if features of the best placement lie outside of the training range.
    fn warn_of_leverage(&mut self, best: Option<&Placement>) {
        let (Some(file), Some(best)) = (self.request.overlap.clone(), best) else { return };
        let outside = file.outside(&self.search.evaluator().predict(best));
        if !outside.is_empty() {
            let note = format!("outside what the overlap was trained on: {}", outside.join(", "));
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    fn gather(
        &mut self,
        outcome: &SearchOutcome,
        sample: PlacementRow,
        ranking: Vec<PlacementRow>,
        ties: usize,
        banks: Vec<BankLoad>,
    ) -> PlacementReport {
        let recommended = self.recommended();
        let notes = [self.notes.clone(), self.left_out()].concat();
        let evaluator = self.search.evaluator();
        let (kernel, machine) = (evaluator.kernel(), evaluator.machine());
        let recommended = recommended.map(|placement| memories(kernel, &placement));
        let arrays = arrays(kernel, machine);
        PlacementReport {
            kernel: kernel.name.clone(),
            gpu: self.gpu.clone(),
            model: self.request.model.clone(),
            sample_time: self.sample_time,
            sample,
            arrays,
            nominal: nominal(&options(kernel, machine)).min(u128::from(u64::MAX)) as u64,
            legal: outcome.legal,
            evaluated: outcome.evaluated,
            ran: self.judging.as_ref().map_or(0, |judging| judging.judged().len() as u64),
            gap: outcome.gap.is_finite().then_some(outcome.gap),
            ranking,
            ties,
            recommended,
            changes: self.change_rows(),
            banks,
            notes,
        }
    }

    /// The placements whose texts turned out to be no use, in sentences: the first ones with their reasons, and how many more.
    fn left_out(&mut self) -> Vec<String> {
        let (Some(judging), Some(_)) = (&self.judging, &self.rewriter) else { return Vec::new() };
        let evaluator = self.search.evaluator();
        let (names, sample) = (evaluator.kernel().array_names(), evaluator.sample());
        let moved = |to: &Placement| {
            let moves = Rewriter::moves(&names, sample, to);
            moves.iter().map(|(name, space)| format!("{name}={space}")).collect::<Vec<_>>().join(",")
        };
        let all = judging.all_refused();
        let mut notes: Vec<String> =
            all.iter().take(LEFT_OUT).map(|(to, why)| format!("{} is left out: {why}", moved(to))).collect();
        if all.len() > LEFT_OUT {
            notes.push(format!("further placements that are left out: {}", all.len() - LEFT_OUT));
        }
        notes
    }

    fn row(&mut self, placement: &Placement, best: f64, clock: f64) -> PlacementRow {
        let machine_microseconds = self.machine_microseconds(placement);
        let judged = judged(&self.judging);
        let evaluator = self.search.evaluator();
        let prediction = evaluator.predict(placement);
        PlacementRow {
            placement: memories(evaluator.kernel(), placement),
            cycles: prediction.cycles,
            microseconds: prediction.cycles / clock / 1e3,
            machine_microseconds,
            t_comp: prediction.comp,
            t_mem: prediction.mem,
            t_overlap: prediction.overlap,
            tie: prediction.cycles <= best * (1.0 + TIE),
            chance: None,
            reasons: reasons(evaluator, judged, placement, &prediction),
        }
    }

    fn banks(&mut self, placement: &Placement) -> Vec<BankLoad> {
        bank_loads(&self.search.evaluator().predict(placement))
    }
}

/// The memory of each array of a placement, by its name.
fn memories(kernel: &PlacementKernel, placement: &Placement) -> BTreeMap<String, String> {
    let names = kernel.arrays.iter().map(|array| array.name.clone());
    base::map_of(names.zip(placement).map(|(name, memory)| (name, memory.to_string())))
}

/// The first blocks of a trace that has too many accesses for the placement model.
fn part_of(trace: &Trace) -> Option<Arc<Trace>> {
    if trace.access_count() <= ACCESSES_MAX {
        return None;
    }
    let mut accesses = 0;
    let ends = trace.blocks.iter().map(|block| {
        let warps = &trace.warps[block.warps.start as usize..block.warps.end as usize];
        accesses += warps.iter().map(|warp| trace.accesses(warp).len() as u64).sum::<u64>();
        accesses
    });
    let count = ends.take_while(|end| *end <= PART_ACCESSES).count();
    Some(Arc::new(trace.first_blocks(count.max(1))))
}

/// Returns the placement in the trace.
pub(crate) fn sample(kernel: &PlacementKernel, from: &BTreeMap<String, String>) -> Result<Placement, Vec<Diagnostic>> {
    let mut sample: Vec<Memory> = kernel.arrays.iter().map(|array| array.held).collect();
    let known = || kernel.arrays.iter().map(|array| array.name.as_str()).collect::<Vec<_>>().join(", ");
    for (name, memory) in from {
        let at = kernel.arrays.iter().position(|array| array.name == *name);
        let memory = Memory::named(memory).ok_or_else(|| {
            let expected = Memory::ALL.map(|memory| memory.to_string()).join(", ");
            wrong("--from", expected, memory, "write for example `--from A=texture1d,B=global`")
        })?;
        let at =
            at.ok_or_else(|| wrong("--from", format!("an array: {}", known()), name, "names are case-sensitive"))?;
        sample[at] = memory;
    }
    Ok(sample)
}

/// How the most promising placements run on the machine, in sentences.
fn judge_notes(judge: &Judge, rewritten: bool, cores: u64) -> Vec<String> {
    let how = match rewritten {
        true => "the most promising placements run on the whole GPU, each as the text rewritten for it",
        false => {
            "the most promising placements run on the whole GPU, as a trace with the arrays moved; this is weaker than a \
             rewritten text, because a trace does not show what a compiler would do with the moved arrays"
        }
    };
    let sampled = judge.sampled_cores().map(|some| format!("{some} of {cores} cores run there"));
    let first = judge.first_blocks().map(|(some, all)| format!("the first {some} of {all} blocks run there"));
    [how.to_string()].into_iter().chain(sampled).chain(first).collect()
}

impl Job for PlacementRun {
    type Output = PlacementReport;

    fn step(&mut self, budget: u64) -> Step<PlacementReport> {
        if self.sample_step(budget.saturating_mul(EVENTS_PER_UNIT)) {
            return Step::More(self.search.progress());
        }
        match self.search.step(budget) {
            Step::More(progress) => Step::More(progress),
            Step::Done(_) if self.judge_step(budget.saturating_mul(EVENTS_PER_UNIT)) => {
                Step::More(self.judge_progress())
            }
            // What cannot be changed was refused before the run began.
            Step::Done(_)
                if self.request.changes
                    && self.change_step(budget.saturating_mul(EVENTS_PER_UNIT)).is_ok_and(|more| more) =>
            {
                Step::More(self.change_progress())
            }
            Step::Done(_) => Step::Done(self.report()),
        }
    }
}
