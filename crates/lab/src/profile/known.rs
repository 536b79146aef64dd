//! What is known to differ between the counters of a profiler and those of the model. docs/accuracy.md has the figures.

use crate::check::counter::Counter;
use crate::profile::compare::ComparedKernel;
use crate::profile::data::Profile;

/// The sentences for the counters that were compared.
pub(crate) fn known_differences(profile: &Profile, kernels: &[ComparedKernel]) -> Vec<String> {
    let has = |counter: Counter| kernels.iter().flat_map(|kernel| &kernel.counters).any(|c| c.counter == counter);
    let timed = has(Counter::Cycles) || has(Counter::Microseconds);
    let mut notes: Vec<&str> = Vec::new();
    if profile.tool == "Nsight Compute" && timed {
        notes.push("Nsight Compute holds the clock at its base, so compare cycles rather than times.");
    }
    if profile.tool == "KTT" {
        notes.push(
            "KTT copies written arrays again before each pass of the counters and leaves the others on the GPU. The \
             state `replay` is nearest to that.",
        );
    }
    if profile.tool == "nvprof (.prof)" {
        notes.push("The events of Fermi count hits per line of 128 bytes, and the model per sector of 32 bytes.");
    }
    if has(Counter::WarpInstructions) || has(Counter::ThreadInstructions) {
        notes.push(
            "Instructions of CUDA text are estimated from a table of costs. Thread instructions count 32 for each.",
        );
    }
    if has(Counter::L2Reads) || has(Counter::L2ReadHitRate) {
        notes.push("The hardware's L2 reads count instruction fetches too, which matters above about 48 KB of code.");
    }
    if has(Counter::DramWrites) {
        notes.push(
            "The model writes a dirty sector to DRAM when it leaves the L2. Hardware writes more of them, often twice as \
             many.",
        );
    }
    notes.into_iter().map(String::from).collect()
}
