//! Rewrites the text of a kernel for its placements, and runs the rewritten texts.
//!
//! In: the contents and the kernel's number. Out: for each array the reasons why the text cannot have it in a memory, the
//! text of a placement, and the trace of that text. A long launch runs in part, and so do its rewritten texts.

use crate::input::intake::Contents;
use crate::kernel_tab::cuda::TextSource;
use crate::placement_tab::run::{PlacementRequest, PlacementRun};
use base::{Diagnostic, Job, Progress, Severity, Step};
use cuda_vm::{
    check_aliases, rewrite_with, CudaOptions, CudaRun, Emulation, LaunchPart, Refusal, Rewritten, Space, TextChange,
};
use placement::{Memory, Placement, PlacementKernel, Retrace, Retracer, ACCESSES_MAX};
use std::sync::{Arc, Mutex};
use trace::Trace;

/// Warp accesses of the part of a long launch, about. They fill some SMs with the blocks of most kernels: a block of 256 threads that
/// multiplies matrices of 2,048 rows has 32,776.
pub(crate) const PART_ACCESSES: u64 = 1 << 20;

/// These options for a kernel that shall be placed: a launch with too many accesses for the placement model runs in part.
pub fn placement_options(options: CudaOptions) -> CudaOptions {
    let part = LaunchPart::Accesses { most: ACCESSES_MAX as u64, wanted: PART_ACCESSES };
    CudaOptions { part, ..options }
}

/// Moves of arrays, by their names.
type Moves = Vec<(String, Space)>;

/// The text of a kernel and its launch.
#[derive(Clone)]
pub(crate) struct Rewriter {
    source: Arc<TextSource>,
    launch: usize,
    /// The moves to shared memory whose reads need no bounds tests: their texts without them gave the results of the original.
    unguarded: Arc<Mutex<Vec<Moves>>>,
}

/// Rewrites the text of a kernel. `changes` are moves such as `A=shared`, to `global`, `readonly`, `texture1d`, `texture2d`,
/// `constant` or `shared`, and other changes: `restrict`, `readonly`, `padding` or `block=32x8`. The request tells the kernel.
///
/// # Errors
///
/// Returns a diagnostic if the kernel comes from no text, a memory or a change has another name, or it is not possible.
pub fn rewritten_text(
    request: &PlacementRequest,
    contents: &Contents,
    changes: &[String],
) -> Result<Rewritten, Vec<Diagnostic>> {
    let fault = |expected: String, found: &str, help: &str| vec![Diagnostic::error("--rewrite", expected, found, help)];
    let (index, _) = PlacementRun::kernel(request, contents)?;
    let rewriter = Rewriter::new(contents, index)
        .ok_or_else(|| fault("a kernel of CUDA text".into(), "a trace", "give the `.cu` file or `example:ID`"))?;
    let (mut moves, mut others) = (Vec::new(), Vec::new());
    for text in changes.iter().map(|change| change.trim()) {
        if let Some(change) = TextChange::named(text) {
            others.push(change);
            continue;
        }
        const HELP: &str = "write for example `--rewrite A=shared,x=constant`";
        let (array, memory) = text.split_once('=').ok_or_else(|| {
            let expected = "ARRAY=MEMORY, restrict, readonly, padding or block=32x8".to_string();
            fault(expected, &format!("`{text}`"), HELP)
        })?;
        let names = Space::ALL.map(|space| space.to_string()).join(", ");
        let space = Space::named(memory.trim()).ok_or_else(|| fault(format!("one of {names}"), memory.trim(), HELP))?;
        moves.push((array.trim().to_string(), space));
    }
    let impossible =
        |found: &str| fault("changes that are possible".into(), found, "choose another one, or leave it out");
    // Whether the reads of tiles need their bounds tests, and whether the results stay, shows when the text runs.
    let proves = rewriter.source.has_any_values();
    let ran = proves.then(|| rewriter.retrace(&moves, &others)).map(|run| {
        let mut run = run?;
        loop {
            if let Step::Done(ran) = run.step(u64::MAX) {
                return ran.map(drop);
            }
        }
    });
    let mut rewritten = rewriter.changed(&moves, &others).map_err(|refusal| impossible(&refusal.to_string()))?;
    match ran {
        Some(Ok(())) => {}
        Some(Err(reason)) if others.is_empty() => return Err(impossible(&reason)),
        // Another block may add up in another order.
        Some(Err(reason)) => rewritten.notes.push(reason),
        None => rewritten.notes.push("all values are 0, so equal results would prove nothing".into()),
    }
    Ok(rewritten)
}

/// The memory of the placement model in the rewriting.
fn space(memory: Memory) -> Space {
    match memory {
        Memory::Global => Space::Global,
        Memory::Texture1d => Space::Texture1d,
        Memory::Texture2d => Space::Texture2d,
        Memory::Constant => Space::Constant,
        Memory::Shared => Space::Shared,
    }
}

impl Rewriter {
    /// The rewriter of the kernel with this index. `None` if it comes from no text, or if the visitor renamed its arrays.
    pub fn new(contents: &Contents, kernel: usize) -> Option<Self> {
        let (source, launch) = contents.text_of(kernel)?;
        let names = &source.facts[launch].arrays;
        let arrays = &contents.kernels[kernel].arrays;
        let own = arrays.iter().all(|array| names.iter().any(|(name, ..)| *name == array.name));
        own.then(|| Self { source: Arc::new(source), launch, unguarded: Arc::default() })
    }

    /// The text with these arrays moved and these other changes, for people.
    ///
    /// # Errors
    ///
    /// Returns the reason why an array cannot be in the memory, or why a change is not possible.
    pub fn changed(&self, moves: &[(String, Space)], changes: &[TextChange]) -> Result<Rewritten, Refusal> {
        let Rewritten { text, notes } = self.running(moves, changes)?;
        Ok(Rewritten { text: self.source.without_comments(text), notes })
    }

    /// The same for the emulator.
    fn running(&self, moves: &[(String, Space)], changes: &[TextChange]) -> Result<Rewritten, Refusal> {
        let given = self.source.options.launch.is_some();
        if given && changes.iter().any(|change| change.is_block()) {
            let reason = "the launch was given beside the text, so its block changes there".into();
            return Err(Refusal { array: String::new(), reason });
        }
        if let Some(refusal) = self.shared_elsewhere(moves, changes) {
            return Err(refusal);
        }
        let mut changes = changes.to_vec();
        let known = self.unguarded.lock().is_ok_and(|known| known.iter().any(|known| known == moves));
        if known && !changes.contains(&TextChange::Unguarded) {
            changes.push(TextChange::Unguarded);
        }
        let moves: Vec<(&str, Space)> = moves.iter().map(|(array, space)| (array.as_str(), *space)).collect();
        rewrite_with(&self.source.text, &self.source.facts[self.launch], &moves, &changes)
    }

    /// Refuses moves of arrays that another launch of the kernel passes for two parameters. That launch may write what the moved text takes
    /// as fixed. `__restrict__` and `__ldg` promise that no launch does so.
    fn shared_elsewhere(&self, moves: &[(String, Space)], changes: &[TextChange]) -> Option<Refusal> {
        let facts = &self.source.facts;
        let own = &facts[self.launch];
        let promises = changes.iter().any(|change| matches!(change, TextChange::Restrict | TextChange::ReadOnly));
        let others = facts.iter().filter(|other| other.kernel == own.kernel && other.aliases != own.aliases);
        others.into_iter().find_map(|other| {
            let every = other.aliases.iter().map(|(name, _)| name).filter(|_| promises);
            let arrays: Vec<&str> = moves.iter().map(|(name, _)| name).chain(every).map(String::as_str).collect();
            let mut refusal = check_aliases(&self.source.text, other, &arrays).err()?;
            refusal.reason = format!("another launch: {}", refusal.reason);
            Some(refusal)
        })
    }

    /// Whether the text can have this array in the memory.
    fn moved(&self, array: &str, memory: Memory) -> Result<Rewritten, Refusal> {
        self.running(&[(array.into(), space(memory))], &[])
    }

    /// The moves from one placement of arrays with these names to another one.
    pub fn moves(names: &[String], from: &Placement, to: &Placement) -> Vec<(String, Space)> {
        let each = names.iter().zip(from).zip(to);
        each.filter(|((_, from), to)| from != to).map(|((name, _), to)| (name.clone(), space(*to))).collect()
    }

    /// The text of a placement.
    ///
    /// # Errors
    ///
    /// Returns the reason why the placement is not possible.
    pub fn text(&self, kernel: &PlacementKernel, sample: &Placement, to: &Placement) -> Result<Rewritten, Refusal> {
        self.changed(&Self::moves(&kernel.array_names(), sample, to), &[])
    }

    /// The other changes of the text that people would try.
    pub fn changes_to_try(&self) -> Vec<TextChange> {
        TextChange::to_try(&self.source.facts[self.launch])
    }

    /// Starts the run of the text with these moves and changes, which must give the results of the original. If arrays move to shared
    /// memory, a text without bounds tests around the reads of tiles runs first, unless the values could not show that the tests matter.
    ///
    /// # Errors
    ///
    /// Returns the reason why there is no such text.
    pub fn retrace(&self, moves: &[(String, Space)], changes: &[TextChange]) -> Result<Retrace, String> {
        let text = self.running(moves, changes).map_err(|refusal| refusal.to_string())?.text;
        let blocks = changes.iter().any(|change| change.is_block());
        if blocks && self.source.runs_in_part(&self.source.facts[self.launch].kernel) {
            return Err("only its first blocks run, and others would not do the same work".into());
        }
        if blocks && !self.source.has_any_values() {
            return Err("all values are 0, so equal results would prove nothing".into());
        }
        let mut staged = moves.iter().filter(|(_, space)| *space == Space::Shared).map(|(array, _)| array).peekable();
        let stages = staged.peek().is_some() && staged.all(|array| self.source.shows_elements(array));
        let bare = stages.then(|| self.running(moves, &[changes, &[TextChange::Unguarded]].concat()).ok()).flatten();
        let bare = bare.filter(|bare| bare.text != text);
        let emulation = |text: &str| Emulation::new(&self.source.name, text, &self.source.options_of_rerun());
        let first = emulation(bare.as_ref().map_or(&text, |bare| &bare.text));
        let otherwise = bare.map(|_| (text, moves.to_vec()));
        Ok(Box::new(Run { emulation: first, rewriter: self.clone(), otherwise }))
    }

    /// Notes which arrays the text declares in constant memory. The compiler may have no load of them in the trace.
    pub fn hold(&self, kernel: &mut PlacementKernel) {
        for array in &mut kernel.arrays {
            let moved = self.moved(&array.name, Memory::Constant);
            if moved.is_ok_and(|moved| *moved.text == *self.source.text) {
                array.held = Memory::Constant;
            }
        }
    }

    /// Notes which arrays the text copies to shared memory, if it can be rewritten to read them where they are.
    pub fn hold_staged(&self, kernel: &mut PlacementKernel) {
        for array in kernel.arrays.iter_mut().filter(|array| array.held == Memory::Global) {
            let taken_back = self.moved(&array.name, Memory::Global);
            if taken_back.is_ok_and(|taken| *taken.text != *self.source.text) {
                array.held = Memory::Shared;
            }
        }
    }

    /// Notes for each array and memory why the text refuses the move.
    pub fn refuse(&self, kernel: &mut PlacementKernel) {
        for array in &mut kernel.arrays {
            let others = Memory::ALL.into_iter().filter(|memory| *memory != array.held);
            let refused = others.filter_map(|memory| {
                let refusal = self.moved(&array.name, memory).err()?;
                Some((memory, refusal.reason))
            });
            array.refused = refused.collect();
        }
        for array in 0..kernel.arrays.len() {
            let found = &kernel.arrays[array];
            let offers =
                found.held == Memory::Global && found.refused.iter().all(|(memory, _)| *memory != Memory::Shared);
            if found.atomics > 0 && offers {
                kernel.give_private_copies(array);
            }
        }
    }

    /// Starts the runs of rewritten texts.
    pub fn retracer(&self, kernel: &Arc<PlacementKernel>, sample: &Placement) -> Retracer {
        let (own, names, sample) = (self.clone(), kernel.array_names(), sample.clone());
        Box::new(move |placement| own.retrace(&Self::moves(&names, &sample, placement), &[]))
    }
}

/// A rewritten text that runs. It must give the results of the original: the rewriting is checked on every text.
struct Run {
    emulation: Emulation,
    rewriter: Rewriter,
    /// While a text without bounds tests runs, the one with them, and the moves of both.
    otherwise: Option<(String, Moves)>,
}

impl Run {
    fn trace(&self, mut run: CudaRun) -> Result<Trace, String> {
        let Rewriter { source, launch, .. } = &self.rewriter;
        // Other launches of the kernel may have other sizes than the one that the text was rewritten for.
        if run.launches.len() < source.facts.len() {
            let error = run.diagnostics.into_iter().find(|d| d.severity == Severity::Error);
            return Err(match error {
                Some(d) => format!("the rewritten text does not run: expected {}, found {}", d.expected, d.found),
                None => "the rewritten text does not run to its end".into(),
            });
        }
        match source.first_difference(&run.arrays) {
            Some(array) => Err(format!("the rewritten text gives other values in `{array}`")),
            None => Ok(run.launches.swap_remove(*launch).trace),
        }
    }
}

impl Job for Run {
    type Output = Result<Trace, String>;

    fn step(&mut self, budget: u64) -> Step<Self::Output> {
        let run = match self.emulation.step(budget) {
            Step::More(progress) => return Step::More(progress),
            Step::Done(run) => run,
        };
        let trace = self.trace(run);
        let Rewriter { source, unguarded, .. } = &self.rewriter;
        match (self.otherwise.take(), trace) {
            (Some((text, _)), Err(_)) => {
                self.emulation = Emulation::new(&source.name, &text, &source.options_of_rerun());
                Step::More(Progress::default())
            }
            (Some((_, moves)), Ok(trace)) => {
                if let Ok(mut known) = unguarded.lock() {
                    known.push(moves);
                }
                Step::Done(Ok(trace))
            }
            (None, trace) => Step::Done(trace),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::intake::Intake;

    const TEXT: &str = "// launch: k<<<2, 32>>>(a: float[64] = random(1), b: float[64])\n\
        __global__ void k(const float *a, float *b) { int i = blockIdx.x * 32 + threadIdx.x; b[i] = 2 * a[i]; }\n";

    /// Runs `text` in place of a rewritten one.
    fn ran(text: &str) -> Result<Trace, String> {
        let mut intake = Intake::default();
        intake.begin("k.cu");
        intake.push(TEXT.as_bytes());
        let contents = intake.finish();
        let rewriter = Rewriter::new(&contents, 0).expect("a text");
        let emulation = Emulation::new("k.cu", text, &rewriter.source.options_of_rerun());
        Run { emulation, rewriter, otherwise: None }.finish()
    }

    #[test]
    fn a_rewritten_text_with_other_results_is_refused() {
        assert!(ran(TEXT).is_ok_and(|trace| trace.arrays.len() == 2));
        assert!(ran(&TEXT
            .replace("float *a", "float *a_constant")
            .replace("a[i]", "a_constant[i]")
            .replace("(a:", "(a_constant:"))
        .is_ok());
        let other = ran(&TEXT.replace("2 * a", "3 * a"));
        assert_eq!(other.expect_err("other values"), "the rewritten text gives other values in `b`");
        let renamed = ran(&TEXT.replace("float *b", "float *c").replace("b[i]", "c[i]").replace("b:", "c:"));
        assert_eq!(renamed.expect_err("an array is gone"), "the rewritten text gives other values in `b`");
        assert!(ran(&TEXT.replace("2 * a[i]", "a[i + 64]")).expect_err("a fault").contains("does not run"));
    }
}
