//! Launch comments for a text whose launches come from its host code.
//!
//! A text that is rewritten for a placement passes other arguments to its launches, so other launches would be guessed from its
//! host code. A text that shall be placed therefore gets the comment of a launch, in a line at its end. It runs once more with each
//! of them, and those are kept whose trace stays the same. Guessed launches share no memory, and so the results of each are known.

use crate::kernel_tab::cuda::TextSource;
use base::{Job, Progress, Step};
use cuda_vm::{Assumed, CudaRun, Emulation};
use std::collections::VecDeque;
use std::ops::Range;
use trace::Trace;

/// Some launches of a text, and their source: its text has only the lines with the comments.
pub(super) type Alone = (Range<usize>, TextSource);

/// A text that runs with launch comments.
pub(crate) struct Commented {
    waiting: VecDeque<Alone>,
    running: Option<Box<Emulation>>,
    kept: Vec<Alone>,
}

impl Commented {
    /// The text of `source` with comments for its launches. Nothing runs if it has its own.
    pub fn new(source: &TextSource, assumed: &[Assumed]) -> Self {
        let ran: Vec<&Assumed> = assumed.iter().filter(|launch| launch.ran).collect();
        let mut waiting = VecDeque::new();
        // Only if all launches of the host run, they share what it allocates.
        let all = source.options.launch.as_deref().is_some_and(|launch| launch.trim() == "all");
        let together = if all { ran.len().max(1) } else { 1 };
        for (group, launches) in ran.chunks(together).enumerate().filter(|_| ran.len() == source.facts.len()) {
            let comments = launches.iter().map(|launch| Some(format!("// launch: {}\n", launch.comment.as_ref()?)));
            if let Some(mut lines) = comments.collect::<Option<String>>() {
                if !source.text.ends_with('\n') {
                    lines.insert(0, '\n');
                }
                let first = group * together;
                let launches = first..first + launches.len();
                waiting.push_back((launches.clone(), source.commented(launches, &lines)));
            }
        }
        Self { waiting, running: None, kept: Vec::new() }
    }

    /// Runs about `budget` warp instructions of comments for `source`, which gave these traces.
    pub fn step(&mut self, source: &TextSource, traces: &[Trace], budget: u64) -> Step<Vec<Alone>> {
        let Some((launches, own)) = self.waiting.front_mut() else {
            return Step::Done(std::mem::take(&mut self.kept));
        };
        let emulation = self.running.get_or_insert_with(|| {
            let text = format!("{}{}", source.text, own.text);
            Box::new(Emulation::new(&own.name, &text, &own.options_of_rerun()))
        });
        if let Step::Done(run) = emulation.step(budget) {
            let last = launches.end == source.facts.len();
            if is_same(&run, &traces[launches.clone()]) && !(last && source.first_difference(&run.arrays).is_some()) {
                own.take(run);
                self.kept.extend(self.waiting.pop_front());
            } else {
                self.waiting.pop_front();
            }
            self.running = None;
        }
        Step::More(Progress::default())
    }
}

fn is_same(run: &CudaRun, traces: &[Trace]) -> bool {
    run.launches.iter().map(|launch| &launch.trace).eq(traces)
}
