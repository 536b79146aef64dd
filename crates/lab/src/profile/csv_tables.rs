//! Reads the CSV of a profiler. Two layouts exist: a row per metric of a launch (*long*), and a row per launch with a
//! column per metric, below whose header a row holds the units (*wide*).

use crate::check::counter::Counter;
use crate::profile::data::{clipped, LaunchSizes, Profile, ProfiledLaunch, MOST_LAUNCHES, TOO_MANY_LAUNCHES};
use crate::profile::l1_events::{is_l1_event, L1Events};
use crate::profile::metrics::{counter_of_metric, value_in_unit};
use crate::profile::read::EXPECTED;
use crate::scenario::LaunchState;
use base::{excerpt, Diagnostics, Severity};
use std::collections::BTreeMap;

/// How to write a profile with many metrics.
const WRITE: &str = "write it with `ncu --csv --page raw` or `nvprof --csv --metrics …`";

/// Lines that a field in quotes can span. A quote that stays open for longer is damage.
const LINES_OF_FIELD: usize = 8;

/// What the columns of a table mean.
enum Layout {
    Long { kernel: usize, launch: Option<usize>, metric: usize, unit: Option<usize>, value: usize },
    Wide { columns: WideColumns, units: Option<Vec<String>> },
}

/// The columns of a wide table that are read.
struct WideColumns {
    kernel: usize,
    /// Columns with the rank of their name and the counter.
    metrics: Vec<(usize, usize, Counter)>,
    /// Columns with events of Fermi's L1, with their names.
    events: Vec<(usize, String)>,
}

struct Reader<'d> {
    profile: Profile,
    layout: Option<Layout>,
    /// The length of the header.
    columns: usize,
    /// The column that names the GPU.
    device: Option<usize>,
    /// The columns of the grid's sizes, and of the block's.
    sizes: [Vec<usize>; 2],
    /// The launch of each ID of a long table.
    by_key: BTreeMap<String, usize>,
    /// The launch of each kernel whose launches are averaged. nvprof writes events and metrics in tables of their own.
    averages: BTreeMap<String, usize>,
    /// The rank of the name that gave each counter of each launch.
    ranks: BTreeMap<(usize, Counter), usize>,
    /// Hits and misses of each launch, as events of Fermi count them.
    l1_events: BTreeMap<usize, L1Events>,
    diagnostics: &'d mut Diagnostics,
}

/// Reads the tables of a text. Flaws are diagnostics, and the good part is used.
pub(crate) fn read(text: &str, out: &mut Diagnostics) -> Profile {
    let mut reader = Reader {
        profile: Profile::default(),
        layout: None,
        columns: 0,
        device: None,
        sizes: Default::default(),
        by_key: BTreeMap::new(),
        averages: BTreeMap::new(),
        ranks: BTreeMap::new(),
        l1_events: BTreeMap::new(),
        diagnostics: out,
    };
    let lines = table_lines(text, reader.diagnostics);
    let mut rows = csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(lines.as_bytes());
    let mut record = csv::StringRecord::new();
    while let Ok(true) = rows.read_record(&mut record) {
        let line = record.position().map_or(0, csv::Position::line);
        reader.read_row(line, &record);
    }
    reader.add_l1_events();
    reader.report_emptiness(text)
}

/// The text with empty lines in place of those that are no CSV: what the tools print between tables, and damaged lines. A
/// quote that nothing closes would take all rows below it into one field. Line numbers stay.
fn table_lines(text: &str, out: &mut Diagnostics) -> String {
    let mut lines: Vec<&str> = text.lines().map(|line| if line.starts_with("==") { "" } else { line }).collect();
    let odd: Vec<bool> = lines.iter().map(|line| line.bytes().filter(|&byte| byte == b'"').count() % 2 == 1).collect();
    let mut at = 0;
    while at < lines.len() {
        let near = at + 1..lines.len().min(at + LINES_OF_FIELD);
        match near.into_iter().find(|&next| odd[next]) {
            _ if !odd[at] => at += 1,
            Some(end) => at = end + 1,
            None => {
                let (line, found) = (Some(at as u64 + 1), excerpt(lines[at].as_bytes()));
                let help = "the line is left out; the file may be cut off";
                out.add(Severity::Warning, line, "a quote at both ends of a field", found, help);
                lines[at] = "";
                at += 1;
            }
        }
    }
    lines.join("\n")
}

impl Reader<'_> {
    fn read_row(&mut self, line: u64, row: &csv::StringRecord) {
        if let Some(layout) = self.header(row) {
            self.layout = Some(layout);
            self.by_key.clear();
            return;
        }
        let Some(layout) = self.layout.take() else { return };
        self.layout = Some(match layout {
            Layout::Wide { columns, units: None } if row.get(columns.kernel) == Some("") => {
                Layout::Wide { columns, units: Some(row.iter().map(String::from).collect()) }
            }
            Layout::Wide { columns, units } => {
                self.wide_row(line, row, &columns, units.as_deref().unwrap_or_default());
                Layout::Wide { columns, units }
            }
            long @ Layout::Long { .. } => {
                self.long_row(line, row, &long);
                long
            }
        });
    }

    /// Reports a row that ends early, as the last one of a file that was cut off does, or that has values beyond the header.
    fn is_whole(&mut self, line: u64, row: &csv::StringRecord) -> bool {
        if row.len() >= self.columns && row.iter().skip(self.columns).all(str::is_empty) {
            return true;
        }
        let (expected, found) = (format!("{} columns", self.columns), format!("{}", row.len()));
        let help = "the row is left out; the file may be cut off";
        self.diagnostics.add(Severity::Warning, Some(line), expected, found, help);
        false
    }

    /// The sizes of a row's launch. Nsight Compute writes `(64, 1, 1)`, and nvprof's trace a column for each.
    fn sizes_of(&self, row: &csv::StringRecord) -> Option<LaunchSizes> {
        let three = |columns: &Vec<usize>| -> Option<[u64; 3]> {
            let fields: Vec<&str> = columns.iter().filter_map(|&column| row.get(column)).collect();
            let text = fields.join(" ");
            let numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok());
            numbers.collect::<Vec<_>>().try_into().ok()
        };
        let [grid, block] = &self.sizes;
        Some(LaunchSizes { global: three(grid)?, local: three(block)? })
    }

    /// Adds a launch and returns its place. `None` if there are too many.
    fn add_launch(&mut self, line: u64, row: &csv::StringRecord, name: &str, is_average: bool) -> Option<usize> {
        let sizes = self.sizes_of(row);
        let launches = &mut self.profile.launches;
        if launches.len() == MOST_LAUNCHES {
            let expected = format!("at most {MOST_LAUNCHES} launches");
            self.diagnostics.add(Severity::Warning, Some(line), expected, "more", TOO_MANY_LAUNCHES);
            return None;
        }
        launches.push(ProfiledLaunch { kernel: clipped(name), is_average, sizes, ..ProfiledLaunch::default() });
        Some(launches.len() - 1)
    }

    fn note_device(&mut self, row: &csv::StringRecord) {
        let device = self.device.and_then(|column| row.get(column)).unwrap_or_default().trim();
        // Nsight Compute numbers the devices, and names them only if it was asked for the name.
        if self.profile.device.is_empty() && device.parse::<u32>().is_err() {
            // nvprof adds the number of the device: `TITAN X (Pascal) (0)`.
            let numbered =
                device.rsplit_once(" (").filter(|(_, number)| number.trim_end_matches(')').parse::<u32>().is_ok());
            self.profile.device = clipped(numbered.map_or(device, |(name, _)| name));
        }
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
                if metrics.is_empty()
                    && !row.iter().any(|name| is_l1_event(name.trim()))
                    && !nsight
                    && at("Device").is_none()
                {
                    return None;
                }
                let dotted =
                    |name: &&str| name.contains("__") || name.starts_with("gl") || name.ends_with("transactions");
                self.profile.unknown_metrics +=
                    row.iter().filter(dotted).filter(|name| counter_of_metric(name).is_none()).count();
                let event =
                    |(column, name): (usize, &str)| is_l1_event(name.trim()).then(|| (column, name.trim().into()));
                let events = row.iter().enumerate().filter_map(event).collect();
                Layout::Wide { columns: WideColumns { kernel, metrics, events }, units: None }
            }
        };
        self.columns = row.len();
        self.device = at("device__attribute_display_name").or(at("Device"));
        let sizes = |of: &str| match at(&format!("{of} Size")) {
            Some(column) => vec![column],
            None => ["X", "Y", "Z"].iter().filter_map(|axis| at(&format!("{of} {axis}"))).collect(),
        };
        self.sizes = [sizes("Grid"), sizes("Block")];
        let traced = metric.is_none() && at("Duration").is_some();
        (self.profile.tool, self.profile.state) = match () {
            () if nsight => ("Nsight Compute", LaunchState::Cold),
            () if traced => ("nvprof", LaunchState::Copies),
            () => ("nvprof", LaunchState::Replay),
        };
        Some(layout)
    }

    fn wide_row(&mut self, line: u64, row: &csv::StringRecord, columns: &WideColumns, units: &[String]) {
        let name = row.get(columns.kernel).unwrap_or_default();
        // A GPU trace lists copies too.
        if name.is_empty() || name.starts_with("[CUDA ") || !self.is_whole(line, row) {
            return;
        }
        self.note_device(row);
        let Some(launch) = self.add_launch(line, row, name, false) else { return };
        for &(column, rank, counter) in &columns.metrics {
            let unit = units.get(column).map_or("", String::as_str);
            self.add(line, launch, (rank, counter), row.get(column).unwrap_or_default(), unit);
        }
        for (column, event) in &columns.events {
            self.add_event(line, launch, event, row.get(*column).unwrap_or_default());
        }
    }

    fn long_row(&mut self, line: u64, row: &csv::StringRecord, layout: &Layout) {
        let Layout::Long { kernel, launch, metric, unit, value } = layout else { return };
        let field = |column: usize| row.get(column).unwrap_or_default().trim();
        let name = field(*kernel);
        if name.is_empty() || !self.is_whole(line, row) || field(*metric).is_empty() {
            return;
        }
        self.note_device(row);
        let key = launch.map_or(name, field);
        let is_average = launch.is_none();
        let known = if is_average { self.averages.get(key) } else { self.by_key.get(key) };
        let number = match known.copied() {
            Some(number) => number,
            None => {
                let Some(number) = self.add_launch(line, row, name, is_average) else { return };
                let launches = if is_average { &mut self.averages } else { &mut self.by_key };
                launches.insert(key.into(), number);
                number
            }
        };
        match counter_of_metric(field(*metric)) {
            Some(counter) => self.add(line, number, counter, field(*value), unit.map_or("", field)),
            None if is_l1_event(field(*metric)) => self.add_event(line, number, field(*metric), field(*value)),
            None => self.profile.unknown_metrics += 1,
        }
    }

    /// Adds the count of an event of Fermi's L1.
    fn add_event(&mut self, line: u64, launch: usize, event: &str, text: &str) {
        if !self.l1_events.entry(launch).or_default().add(event, text) {
            let (expected, found) = (format!("a count for {event}"), excerpt(text.as_bytes()));
            self.diagnostics.add(Severity::Warning, Some(line), expected, found, "the value is left out");
        }
    }

    /// Adds the hit rates of launches whose hits and misses were counted as events.
    fn add_l1_events(&mut self) {
        for (launch, events) in &self.l1_events {
            if let (Some(rate), Some(launch)) = (events.hit_rate(), self.profile.launches.get_mut(*launch)) {
                launch.counters.entry(Counter::L1HitRate).or_insert(rate);
            }
        }
    }

    /// Reports a file with nothing to compare.
    fn report_emptiness(self, text: &str) -> Profile {
        if self.profile.launches.iter().any(|launch| !launch.counters.is_empty()) {
            return self.profile;
        }
        let (expected, found, help) = match self.layout {
            None => (EXPECTED.into(), excerpt(text.trim_start().lines().next().unwrap_or_default().as_bytes()), WRITE),
            Some(_) if self.profile.launches.is_empty() => (
                format!("rows below the header, with {} columns", self.columns),
                "none".into(),
                "the file may be cut off",
            ),
            Some(_) => (
                "metrics that the model has".into(),
                format!("launches: {}, other metrics: {}", self.profile.launches.len(), self.profile.unknown_metrics),
                WRITE,
            ),
        };
        self.diagnostics.add(Severity::Error, None, expected, found, help);
        self.profile
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
