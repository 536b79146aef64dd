//! A reader of the outputs of te42kyfo's gpu-benches, and the cache levels in their curves.
//!
//! In: the text that `gpu-latency`, `gpu-cache` or `gpu-l2-cache` prints. Out: a [`BenchCurve`], diagnostics, and the
//! [`BenchLevel`]s by the rules of the thesis, of mt4g and of this project.
//!
//! Each of these tools reduces an array size to one number itself: the cycles of a load, or the throughput. What remains
//! is to find where the numbers change. A curve shows several levels, and each rule finds one change. [`find_levels`]
//! therefore splits the curve into plateaus, and each rule gets the part from the begin of one plateau to the end of
//! the next.
//!
//! `gpu-latency` prints a line `clock: …` and then `loads MHz kB ns cycles` per size. The other two print a header (some
//! after such a line) and then, per size, one or two numbers of kB (`gpu-l2-cache`: per block and in all), a time, a spread, and throughputs in
//! GB/s, of which the first one is what the kernel got. A kB has 1024 bytes.

use crate::change::{max_ks, opt};
use crate::judge::{judge, ALPHA};
use crate::latency::{quantile, sorted};
use crate::levels::{find_levels, CurveSettings};
use base::{excerpt, Diagnostic, Diagnostics, Severity};

/// What a curve shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BenchKind {
    /// Cycles of a load, by `gpu-latency`.
    Latency,
    /// Throughput of arrays that each core reads, by `gpu-cache`.
    Cache,
    /// Throughput of an array that all cores read, by `gpu-l2-cache`.
    L2,
}

impl BenchKind {
    /// `cycles` or `GB/s`.
    pub fn unit(self) -> &'static str {
        if self == Self::Latency {
            "cycles"
        } else {
            "GB/s"
        }
    }
}

/// One number per array size.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchCurve {
    /// Name of the file.
    pub name: String,
    /// What the numbers are.
    pub kind: BenchKind,
    /// Array sizes in bytes, ascending.
    pub sizes: Vec<u64>,
    /// Cycles or GB/s of each size.
    pub values: Vec<f64>,
}

/// A level of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchLevel {
    /// Median of the plateau, in the unit of the curve.
    pub value: f64,
    /// The last size of the level by each rule. `None` for the last level, whose end no curve shows.
    pub end: Option<LevelEnd>,
}

/// The end of a level by three rules. A size is the last one before the change.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelEnd {
    /// The split with the least squared deviation (thesis eq. 3.1).
    pub thesis: u64,
    /// The split with the largest two-sample D (mt4g).
    pub mt4g: u64,
    /// The foot of the rise. `None` if the change is not significant.
    pub ours: Option<u64>,
    /// The 95 % interval of ours.
    pub interval: Option<(u64, u64)>,
    /// Permutation p-value.
    pub p: Option<f64>,
    /// Steps of the grid between the smallest and the largest of the rules' sizes.
    pub apart: usize,
    /// Sizes after the earliest of these that have not yet risen by nine tenths to the next level.
    pub rising: usize,
}

/// The most lines of a file. The longest output has 200.
const MOST_ROWS: usize = 1 << 12;

/// Whether a text is such an output, by its first line.
pub fn looks_like_bench(bytes: &[u8]) -> bool {
    let line = bytes.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    line.trim_start().starts_with("clock:") || line.contains("data set") && line.contains("Eff. bw")
}

/// Reads an output. Lines that are none of its rows are left out with a diagnostic. `None` without any row.
pub fn read_bench(name: &str, bytes: &[u8]) -> (Option<BenchCurve>, Vec<Diagnostic>) {
    let mut said = Diagnostics::new(name);
    let (kind, rows) = read_rows(bytes, &mut said);
    let curve = curve_of(name, kind, rows);
    if curve.is_none() {
        let expected = "rows of gpu-latency, gpu-cache or gpu-l2-cache";
        said.add(Severity::Error, None, expected, "none", "save the whole output");
    }
    (curve, said.into_vec())
}

/// The kind of an output, and its sizes in bytes with their values, in the order of the lines.
fn read_rows(bytes: &[u8], said: &mut Diagnostics) -> (BenchKind, Vec<(u64, f64)>) {
    let mut rows: Vec<(u64, f64)> = Vec::new();
    let mut kind = BenchKind::Cache;
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        // Each of the tools can print the clock first. A header then tells the other two.
        let header = match text {
            "" => continue,
            text if text.contains("data set") => Some(BenchKind::Cache),
            text if text.starts_with("clock:") => Some(BenchKind::Latency),
            _ => None,
        };
        let mut end = |expected: &str, help: &str| {
            said.add(Severity::Warning, Some(number), expected, excerpt(line), help);
        };
        if let Some(header) = header {
            if !rows.is_empty() {
                // The rows of another output can have another unit.
                end(
                    "one output per file",
                    "this line and those after it are left out; save each output in its own file",
                );
                break;
            }
            kind = header;
            continue;
        }
        if rows.len() == MOST_ROWS {
            end(&format!("at most {MOST_ROWS} rows"), "this line and those after it are left out");
            break;
        }
        let row = if kind == BenchKind::Latency { latency_row(text) } else { throughput_row(text, &mut kind) };
        match row.filter(|(size, value)| (1.0..1e12).contains(size) && (1e-3..1e9).contains(value)) {
            Some((size, value)) => rows.push(((size * 1024.0) as u64, value)),
            None => {
                let expected = if kind == BenchKind::Latency { "loads, MHz, kB, ns, cycles" } else { "kB and GB/s" };
                end(expected, "the line is left out");
            }
        }
    }
    (kind, rows)
}

/// The curve of rows. A size that was measured again counts once, with its better value, since other programs only cost
/// time.
fn curve_of(name: &str, kind: BenchKind, mut rows: Vec<(u64, f64)>) -> Option<BenchCurve> {
    base::sort_by_key(&mut rows, |row| row.0);
    let better = |a: f64, b: f64| if kind == BenchKind::Latency { a.min(b) } else { a.max(b) };
    let (mut sizes, mut values): (Vec<u64>, Vec<f64>) = (Vec::new(), Vec::new());
    for (size, value) in rows {
        match values.last_mut().filter(|_| sizes.last() == Some(&size)) {
            Some(last) => *last = better(*last, value),
            None => {
                sizes.push(size);
                values.push(value);
            }
        }
    }
    (!sizes.is_empty()).then(|| BenchCurve { name: name.into(), kind, sizes, values })
}

fn latency_row(text: &str) -> Option<(f64, f64)> {
    let numbers: Vec<f64> = text.split_whitespace().map_while(|field| field.parse().ok()).collect();
    match numbers[..] {
        [_, _, kilobytes, _, cycles] => Some((kilobytes, cycles)),
        _ => None,
    }
}

fn throughput_row(text: &str, kind: &mut BenchKind) -> Option<(f64, f64)> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let of = |unit: &'static str| {
        fields.windows(2).filter(move |pair| pair[1] == unit).filter_map(|pair| pair[0].parse::<f64>().ok())
    };
    let sizes: Vec<f64> = of("kB").collect();
    if sizes.len() > 1 {
        *kind = BenchKind::L2;
    }
    Some((*sizes.last()?, of("GB/s").next()?))
}

impl BenchCurve {
    /// The values with slower ones larger, as times are.
    fn costs(&self) -> Vec<f64> {
        let cost = |value: &f64| if self.kind == BenchKind::Latency { *value } else { 1e3 / value };
        self.values.iter().map(cost).collect()
    }

    /// The levels, nearest first. Empty if there are too few sizes.
    pub fn levels(&self) -> Vec<BenchLevel> {
        let costs = self.costs();
        let sizes: Vec<f64> = self.sizes.iter().map(|size| *size as f64).collect();
        let (Some(first), Some(last)) = (sizes.first(), sizes.last()) else { return Vec::new() };
        let per_octave = (sizes.len() - 1) as f64 / libm::log2(last / first).max(1.0);
        let settings = CurveSettings { per_octave, ..CurveSettings::default() };
        let Some(found) = find_levels(&sizes, std::slice::from_ref(&costs), &settings) else { return Vec::new() };
        let index = |size: f64| sizes.partition_point(|known| *known < size);
        let level = |(i, level): (usize, &crate::levels::CurveLevel)| {
            let (from, to) = (index(level.from), index(level.to));
            let next = found.levels.get(i + 1).map(|next| (index(next.from), index(next.to)));
            let value = quantile(&sorted(&self.values[from..=to]), 0.5);
            BenchLevel { value, end: next.and_then(|(begin, end)| self.end(&costs, (from, to), (begin, end))) }
        };
        found.levels.iter().enumerate().map(level).collect()
    }

    /// The change between two plateaus, given as their first and last indices.
    fn end(&self, costs: &[f64], one: (usize, usize), next: (usize, usize)) -> Option<LevelEnd> {
        let (sizes, series) = (&self.sizes[one.0..=next.1], &costs[one.0..=next.1]);
        let (thesis, mt4g) = (opt(series)?.index, max_ks(series)?.index);
        let judged = judge(series, sizes, 1, ALPHA);
        let at = |index: usize| sizes[index.clamp(1, sizes.len()) - 1];
        let all = [Some(thesis), Some(mt4g), judged.index];
        let (least, most) = (all.iter().flatten().min()?, all.iter().flatten().max()?);
        let middle = |part: &[f64]| quantile(&sorted(part), 0.5);
        let (low, high) = (middle(&costs[one.0..=one.1]), middle(&costs[next.0..=next.1]));
        let rising = series[*least..].iter().take_while(|cost| **cost < low + 0.9 * (high - low)).count();
        Some(LevelEnd {
            thesis: at(thesis),
            mt4g: at(mt4g),
            ours: judged.index.map(at),
            interval: judged.interval,
            p: judged.p,
            apart: most - least,
            rising,
        })
    }
}
