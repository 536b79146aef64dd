//! Launches of CUDA text whose traces do not fit in memory.

use cuda_vm::{CudaOptions, LaunchStream};
use std::sync::Arc;

/// The launches of a text from one on, which are run where their accesses are used.
#[derive(Clone, Debug)]
pub struct LongText {
    /// The name of the file or of the example.
    pub name: String,
    /// The number of the first of these launches in the text, counted from 0.
    pub first: usize,
    /// How many launches there are.
    pub count: usize,
    pub(crate) text: Arc<str>,
    pub(crate) options: CudaOptions,
}

impl LongText {
    /// The blocks of these launches from the launch of a number on, counted from 0 in the text.
    pub(crate) fn stream(&self, from: usize) -> LaunchStream {
        LaunchStream::new(&self.name, &self.text, &self.options, from)
    }
}
