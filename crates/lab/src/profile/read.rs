//! Reads the CSV of a profiler. Two layouts exist: a row per metric of a launch (*long*), and a row per launch with a
//! column per metric, below whose header a row holds the units (*wide*).

use crate::check::counter::Counter;
use crate::profile::metrics::{counter_of_metric, value_in_unit};
use crate::scenario::LaunchState;
use base::{excerpt, Diagnostic, Diagnostics, Severity};
use std::collections::BTreeMap;

/// What a profiler measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// The state of the caches that its way of measuring leaves.
    pub state: LaunchState,
    /// The name of the tool.
    pub tool: &'static str,
    /// The launches in the order of the file.
    pub launches: Vec<ProfiledLaunch>,
    /// Metrics that have no counterpart in the model.
    pub unknown_metrics: usize,
}

/// A kernel launch, or the average of all launches of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfiledLaunch {
    /// The kernel as the tool writes it, with arguments.
    pub kernel: String,
    /// True if the values are averages over launches.
    pub is_average: bool,
    /// The known counters with their values.
    pub counters: BTreeMap<Counter, f64>,
}

/// What the columns of a table mean.
enum Layout {
    Long { kernel: usize, launch: Option<usize>, metric: usize, unit: Option<usize>, value: usize },
    Wide { kernel: usize, metrics: Vec<(usize, usize, Counter)>, units: Option<Vec<String>> },
}

struct Reader {
    profile: Profile,
    layout: Option<Layout>,
    /// The launch of each key of a long table: an ID, or a kernel whose launches are averaged.
    by_key: BTreeMap<String, usize>,
    /// The rank of the name that gave each counter of each launch.
    ranks: BTreeMap<(usize, Counter), usize>,
    diagnostics: Diagnostics,
}

/// Reads a profile. Flaws are diagnostics, and the good part of the file is used.
pub fn read_profile(name: &str, bytes: &[u8]) -> (Profile, Vec<Diagnostic>) {
    let mut reader = Reader {
        profile: Profile::default(),
        layout: None,
        by_key: BTreeMap::new(),
        ranks: BTreeMap::new(),
        diagnostics: Diagnostics::new(name),
    };
    // Lines of the tools between tables are no CSV. Empty ones in their place keep the line numbers.
    let text = String::from_utf8_lossy(bytes);
    let text: Vec<&str> = text.lines().map(|line| if line.starts_with("==") { "" } else { line }).collect();
    let text = text.join("\n");
    let mut rows = csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(text.as_bytes());
    let mut record = csv::StringRecord::new();
    while let Ok(true) = rows.read_record(&mut record) {
        let line = record.position().map_or(0, csv::Position::line);
        reader.read_row(line, &record);
    }
    if reader.profile.launches.iter().all(|launch| launch.counters.is_empty()) {
        reader.diagnostics.add(
            Severity::Error,
            None,
            "the CSV of Nsight Compute or nvprof, with metrics that the model has",
            format!("{} launches and {} other metrics", reader.profile.launches.len(), reader.profile.unknown_metrics),
            "write it with `ncu --csv --page raw` or `nvprof --csv --metrics …`",
        );
    }
    (reader.profile, reader.diagnostics.into_vec())
}

impl Reader {
    fn read_row(&mut self, line: u64, row: &csv::StringRecord) {
        if let Some(layout) = self.header(row) {
            self.layout = Some(layout);
            self.by_key.clear();
            return;
        }
        let Some(layout) = self.layout.take() else { return };
        self.layout = Some(match layout {
            Layout::Wide { kernel, metrics, units: None } if row.get(kernel) == Some("") => {
                Layout::Wide { kernel, metrics, units: Some(row.iter().map(String::from).collect()) }
            }
            Layout::Wide { kernel, metrics, units } => {
                self.wide_row(line, row, kernel, &metrics, units.as_deref().unwrap_or_default());
                Layout::Wide { kernel, metrics, units }
            }
            long @ Layout::Long { .. } => {
                self.long_row(line, row, &long);
                long
            }
        });
    }

    /// The layout, if the row is a header.
    fn header(&mut self, row: &csv::StringRecord) -> Option<Layout> {
        let at = |name: &str| row.iter().position(|field| field.trim() == name);
        let kernel = at("Kernel Name").or(at("Kernel")).or(at("Name"))?;
        let nsight = at("Kernel Name").is_some();
        let metric = at("Metric Name").or(at("Event Name"));
        let layout = match (metric, at("Metric Value").or(at("Avg"))) {
            (Some(metric), Some(value)) => {
                Layout::Long { kernel, launch: at("ID"), metric, unit: at("Metric Unit"), value }
            }
            _ => {
                let known = |(column, name): (usize, &str)| {
                    counter_of_metric(name.trim()).map(|(rank, counter)| (column, rank, counter))
                };
                let metrics: Vec<_> = row.iter().enumerate().filter_map(known).collect();
                // A line of a program's output may hold such a word by chance.
                if metrics.is_empty() && !nsight && at("Device").is_none() {
                    return None;
                }
                let dotted =
                    |name: &&str| name.contains("__") || name.starts_with("gl") || name.ends_with("transactions");
                self.profile.unknown_metrics +=
                    row.iter().filter(dotted).filter(|name| counter_of_metric(name).is_none()).count();
                Layout::Wide { kernel, metrics, units: None }
            }
        };
        let traced = metric.is_none() && at("Duration").is_some();
        (self.profile.tool, self.profile.state) = match () {
            () if nsight => ("Nsight Compute", LaunchState::Cold),
            () if traced => ("nvprof", LaunchState::Copies),
            () => ("nvprof", LaunchState::Replay),
        };
        Some(layout)
    }

    fn wide_row(
        &mut self,
        line: u64,
        row: &csv::StringRecord,
        kernel: usize,
        metrics: &[(usize, usize, Counter)],
        units: &[String],
    ) {
        let name = row.get(kernel).unwrap_or_default();
        // A GPU trace lists copies too.
        if name.is_empty() || name.starts_with("[CUDA ") {
            return;
        }
        let launch = self.profile.launches.len();
        self.profile.launches.push(ProfiledLaunch { kernel: name.into(), ..ProfiledLaunch::default() });
        for &(column, rank, counter) in metrics {
            let unit = units.get(column).map_or("", String::as_str);
            self.add(line, launch, (rank, counter), row.get(column).unwrap_or_default(), unit);
        }
    }

    fn long_row(&mut self, line: u64, row: &csv::StringRecord, layout: &Layout) {
        let Layout::Long { kernel, launch, metric, unit, value } = layout else { return };
        let field = |column: usize| row.get(column).unwrap_or_default().trim();
        let name = field(*kernel);
        if name.is_empty() || field(*metric).is_empty() {
            return;
        }
        let key = launch.map_or(name, field).to_string();
        let launches = &mut self.profile.launches;
        let is_average = launch.is_none();
        let number = *self.by_key.entry(key).or_insert_with(|| {
            // nvprof writes events and metrics in tables of their own, so the kernel may be known.
            let known = launches.iter().position(|known| is_average && known.kernel == name);
            known.unwrap_or_else(|| {
                launches.push(ProfiledLaunch { kernel: name.into(), is_average, ..ProfiledLaunch::default() });
                launches.len() - 1
            })
        });
        match counter_of_metric(field(*metric)) {
            Some(counter) => self.add(line, number, counter, field(*value), unit.map_or("", field)),
            None => self.profile.unknown_metrics += 1,
        }
    }

    /// Adds a value, unless a better name of the counter gave one.
    fn add(&mut self, line: u64, launch: usize, (rank, counter): (usize, Counter), text: &str, unit: &str) {
        if text.is_empty() || self.ranks.get(&(launch, counter)).is_some_and(|&known| known < rank) {
            return;
        }
        match value_in_unit(text, unit, counter) {
            Some(value) => {
                self.ranks.insert((launch, counter), rank);
                self.profile.launches[launch].counters.insert(counter, value);
            }
            None => {
                let found = excerpt(format!("{text} {unit}").trim_end().as_bytes());
                let expected = format!("a number for {}", counter.name());
                self.diagnostics.add(Severity::Warning, Some(line), expected, found, "the value is left out");
            }
        }
    }
}
