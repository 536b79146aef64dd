//! Puts what was measured beside what the model says.

use crate::cache_tab::gpu_report::{GpuKernelReport, GpuReport};
use crate::check::report::CheckedCounter;
use crate::check::row::{Measured, Scale};
use crate::check::text::{error_text, value_text};
use crate::profile::data::{Profile, ProfiledLaunch};
use crate::profile::known::known_differences;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;
use trace::Trace;

/// A report of the model beside a profile.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ProfileComparison {
    /// The tool that measured.
    pub tool: &'static str,
    /// The GPU that was measured, as the tool names it. It is empty if the file does not say.
    pub device: String,
    /// The kernels that the profile has, in the order of the report.
    pub kernels: Vec<ComparedKernel>,
    /// What is known to differ, and what could not be compared, in sentences.
    pub notes: Vec<String>,
}

/// A kernel with its counters.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ComparedKernel {
    /// The number of the kernel in the report.
    pub number: u32,
    /// The kernel as the profiler writes it, with the values of a tuner's parameters.
    pub measured_kernel: String,
    /// The counters.
    pub counters: Vec<CheckedCounter>,
}

/// Compares launches of the same kernel: the first of the profile with the first of the report, and so on. Those of the same
/// grid and block go first. A tuner's launches must have them.
pub fn compare_profile(report: &GpuReport, profile: &Profile) -> ProfileComparison {
    let mut used = vec![false; profile.launches.len()];
    let mut kernels = Vec::new();
    let (mut missing, mut other_sizes, mut unlike) = (0, 0, 0);
    for kernel in &report.kernels {
        let same = |launch: &&ProfiledLaunch| is_launch_of(launch, kernel);
        let found = || {
            let of_kernel = profile.launches.iter().enumerate().filter(|(_, launch)| same(launch));
            of_kernel.filter(|(at, launch)| launch.is_average || !used[*at])
        };
        let alike = found().find(|(_, launch)| has_sizes_of(launch, kernel));
        match alike.or_else(|| found().find(|(_, launch)| !launch.tuned)) {
            Some((at, launch)) => {
                unlike += usize::from(alike.is_none());
                used[at] = true;
                kernels.push(compared(kernel, launch));
            }
            None => {
                missing += 1;
                other_sizes += usize::from(profile.launches.iter().any(|launch| same(&launch)));
            }
        }
    }
    let unused = used.iter().filter(|used| !**used).count();
    let mut notes = notes_of_launches(report, profile, [missing, other_sizes, unlike, unused]);
    notes.extend(known_differences(profile, &kernels));
    notes.push("docs/accuracy.md says how far the model is off on known kernels.".into());
    ProfileComparison { tool: profile.tool, device: profile.device.clone(), kernels, notes }
}

/// The profile without launches of kernels that do not run, so that the others keep their order: the second launch of a
/// kernel alone is not the first of the profile. A profile with fewer launches of a kernel than the files stays as it is.
/// `wanted` has the numbers of the kernels that run. It is empty if all do.
pub(crate) fn without_others(profile: &Arc<Profile>, kernels: &[Arc<Trace>], wanted: &[u32]) -> Arc<Profile> {
    let wanted: BTreeSet<u32> = wanted.iter().copied().collect();
    let mut of_name: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (number, kernel) in (1..).zip(kernels) {
        of_name.entry(&kernel.name).or_default().push(number);
    }
    let in_order = |launch: &ProfiledLaunch| {
        !launch.kernel.is_empty() && !launch.is_average && !launch.tuned && launch.number.is_none()
    };
    let mut runs = vec![true; profile.launches.len()];
    for (name, numbers) in of_name.into_iter().filter(|_| !wanted.is_empty()) {
        let places = profile.launches.iter().enumerate();
        let places = places.filter(|(_, launch)| in_order(launch) && is_same_kernel(name, &launch.kernel));
        let places: Vec<usize> = places.map(|(at, _)| at).collect();
        if places.len() >= numbers.len() {
            numbers.iter().zip(places).for_each(|(number, at)| runs[at] = wanted.contains(number));
        }
    }
    let mut profile = Arc::clone(profile);
    if runs.contains(&false) {
        let mut runs = runs.into_iter();
        Arc::make_mut(&mut profile).launches.retain(|_| runs.next().unwrap_or(true));
    }
    profile
}

/// What was compared with what. The counts are of kernels without a launch, of those that have one with other sizes, of
/// launches that were compared although their sizes differ, and of launches without a kernel.
fn notes_of_launches(
    report: &GpuReport,
    profile: &Profile,
    [missing, other_sizes, unlike, unused]: [usize; 4],
) -> Vec<String> {
    let mut notes = Vec::new();
    if report.state != profile.state {
        notes.push(format!(
            "{} measures from the state `{}`, and the model ran from `{}`.",
            profile.tool, profile.state, report.state
        ));
    }
    if !profile.device.is_empty() {
        notes.push(format!("The profile is of the GPU {}, and the model ran {}.", profile.device, report.gpu));
    }
    if missing > 0 {
        notes.push(format!("Kernels of the report that are not in the profile: {missing}."));
    }
    if other_sizes > 0 {
        notes.push(format!("Of these, kernels that the profile has with another grid or block: {other_sizes}."));
    }
    if unlike > 0 {
        notes.push(format!("Launches that were measured with another grid or block: {unlike}."));
    }
    if unused > 0 {
        notes.push(format!("Launches of the profile that are not in the report: {unused}."));
    }
    if profile.left_out > 0 {
        notes.push(format!(
            "Launches of the profile that failed or were not measured to the end: {}.",
            profile.left_out
        ));
    }
    if profile.launches.iter().any(|launch| launch.is_average) {
        notes.push("nvprof's values are averages over all launches of a kernel.".into());
    }
    if profile.unknown_metrics > 0 {
        notes.push(format!("Values of metrics that the model does not have: {}.", profile.unknown_metrics));
    }
    notes
}

fn compared(kernel: &GpuKernelReport, launch: &ProfiledLaunch) -> ComparedKernel {
    let whole = Scale::whole();
    let counters = launch.counters.iter().map(|(&counter, &value)| {
        CheckedCounter::new(&Measured::new(counter, value), counter.modelled(&kernel.gpu, &whole))
    });
    let name = if launch.kernel.is_empty() { &kernel.name } else { &launch.kernel };
    let measured_kernel = match launch.configuration.as_str() {
        "" => name.clone(),
        configuration => format!("{name} with {configuration}"),
    };
    ComparedKernel { number: kernel.number, measured_kernel, counters: counters.collect() }
}

/// Whether a launch is of this kernel, by name or else by number.
fn is_launch_of(launch: &ProfiledLaunch, kernel: &GpuKernelReport) -> bool {
    if !launch.kernel.is_empty() {
        return is_same_kernel(&kernel.name, &launch.kernel);
    }
    launch.number.is_none_or(|number| number == kernel.number)
}

/// Whether the sizes of a launch, where they are known, are those of this kernel.
fn has_sizes_of(launch: &ProfiledLaunch, kernel: &GpuKernelReport) -> bool {
    launch.sizes.is_none_or(|sizes| sizes.fits(kernel.grid, kernel.block))
}

/// Whether two names are of one kernel. A profiler adds the type, the template arguments and the parameters. A trace
/// may have the name as the linker knows it.
fn is_same_kernel(model: &str, measured: &str) -> bool {
    let (model, measured) = (plain_name(model), plain_name(measured));
    model == measured || (model.starts_with("_Z") && has_identifier(model, measured))
}

/// Whether a name of the linker has this identifier, which its length precedes: `_Z16addAndMultiplyPf` has no `6addAnd`.
fn has_identifier(linked: &str, name: &str) -> bool {
    let found = format!("{}{name}", name.len());
    linked.match_indices(&found).any(|(at, _)| !linked[..at].ends_with(|before: char| before.is_ascii_digit()))
}

/// The name of a kernel without type, namespaces, template arguments, parameters and the number that nvprof's trace adds.
fn plain_name(name: &str) -> &str {
    let numbered = name.strip_suffix(']').and_then(|name| name.rsplit_once(" ["));
    let name = numbered.map_or(name, |(name, _)| name);
    let name = name.rsplit("(anonymous namespace)::").next().unwrap_or(name);
    let name = name.split(['(', '<']).next().unwrap_or(name).trim();
    let name = name.rsplit([' ', ':']).next().unwrap_or(name);
    name.trim_start_matches('*')
}

/// Writes a comparison as text.
pub fn comparison_text(comparison: &ProfileComparison) -> String {
    let mut out = String::new();
    for kernel in &comparison.kernels {
        // Writing to a String cannot fail, so the results of `writeln!` are ignored.
        let _ = writeln!(
            out,
            "\n{} {}: measured with {}, modelled",
            kernel.number, kernel.measured_kernel, comparison.tool
        );
        for c in &kernel.counters {
            let (measured, modelled) = (value_text(c.measured), value_text(c.modelled));
            let error = error_text(c.error, &c.error_unit);
            let _ = writeln!(out, "  {:<24} {measured:>14} {modelled:>14} {error:>10}", c.counter.name());
        }
    }
    for note in &comparison.notes {
        let _ = writeln!(out, "note: {note}");
    }
    out
}
