//! Launch comments for a text whose launches come from its host code.
//!
//! A text that is rewritten for a placement passes other arguments to its launches, so other launches would be guessed from its
//! host code. A text that shall be placed therefore gets the comments of its launches, in lines at its end. It
//! runs once more with them, and they are kept if all traces and arrays stay the same.

use crate::kernel_tab::cuda::TextSource;
use base::{Job, Step};
use cuda_vm::{Assumed, CudaRun, Emulation};
use std::sync::Arc;
use trace::Trace;

/// A text that runs with launch comments.
pub(crate) struct Commented {
    source: TextSource,
    emulation: Emulation,
}

impl Commented {
    /// The text of `source` with comments for its launches. `None` if it has its own, or if no comment makes one of them.
    pub fn new(source: &TextSource, assumed: &[Assumed]) -> Option<Self> {
        let ran = assumed.iter().filter(|launch| launch.ran);
        let comments: Vec<&str> = ran.map(|launch| launch.comment.as_deref()).collect::<Option<_>>()?;
        if comments.is_empty() || comments.len() != source.facts.len() {
            return None;
        }
        let lines: String = comments.iter().map(|comment| format!("\n// launch: {comment}")).collect();
        let text: Arc<str> = format!("{}{lines}\n", source.text).into();
        let mut source = source.clone();
        (source.text, source.comments) = (Arc::clone(&text), comments.len());
        // The comments have the sizes, and tell which launches run.
        source.options.sizes.clear();
        source.options.launch = None;
        let emulation = Emulation::new(&source.name, &text, &source.options_of_rerun());
        Some(Self { source, emulation })
    }

    /// Runs about `budget` warp instructions. `Done` has the source of the text, or `None` if it does not give these traces.
    pub fn step(&mut self, traces: &[Trace], budget: u64) -> Step<Option<TextSource>> {
        match self.emulation.step(budget) {
            Step::More(progress) => Step::More(progress),
            Step::Done(run) => Step::Done(self.is_same(&run, traces).then(|| {
                self.source.facts = run.launches.into_iter().map(|launch| launch.facts).collect();
                self.source.clone()
            })),
        }
    }

    fn is_same(&self, run: &CudaRun, traces: &[Trace]) -> bool {
        run.launches.iter().map(|launch| &launch.trace).eq(traces)
            && self.source.first_difference(&run.arrays).is_none()
    }
}
