//! `warpscope exercise grade`: verifies hand-ins by running each answer again, on all cores.

use super::{of_file, Table};
use crate::files::{ends_in, entries, file_error, read_file};
use base::Diagnostic;
use clap::Parser;
use course::{built_in, grade, read_hand_in, Exercise, Given, Grade, HandIn, HandedAnswer, Known, MOST_HAND_IN_BYTES};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

#[derive(Parser)]
pub struct GradeArguments {
    /// A folder with the JSON files that the page's Learn tab saves.
    folder: PathBuf,
    /// Format of stdout.
    #[arg(long, value_enum, default_value = "csv")]
    format: Table,
    /// A file of an exercise that is not in the course. Can be repeated.
    #[arg(long = "exercise", value_name = "FILE")]
    exercises: Vec<PathBuf>,
    /// CSV with a name and a seed per line: an answer with another seed than its name's gets the status `other_seed`.
    #[arg(long, value_name = "CSV")]
    seeds: Option<PathBuf>,
}

/// A line of the table.
#[derive(Serialize)]
struct Row {
    file: String,
    name: String,
    exercise: String,
    seed: u64,
    status: Grade,
    claimed: bool,
    right: bool,
    tries: u32,
    hints: u32,
    note: String,
}

/// A value that is computed once, by whoever needs it first.
type Once<T> = Arc<OnceLock<Result<T, String>>>;

/// Values of exercises by identifier and seed.
type ValuesBySeed = BTreeMap<(String, u64), Once<Arc<Known>>>;

/// What many hand-ins share: the exercises, and their values by seed.
struct Shared {
    exercises: BTreeMap<String, Arc<Exercise>>,
    values: Mutex<ValuesBySeed>,
    /// The seed of each name, if they were given.
    seeds: Option<BTreeMap<String, u64>>,
}

impl Shared {
    fn exercise(&self, id: &str) -> Option<Arc<Exercise>> {
        self.exercises.get(id).cloned()
    }

    fn known(&self, exercise: &Arc<Exercise>, seed: u64) -> Result<Arc<Known>, String> {
        let cell = {
            let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(values.entry((exercise.id.clone(), seed)).or_default())
        };
        let compute = || exercise.known(seed).map(Arc::new).map_err(|errors| first(&errors));
        cell.get_or_init(compute).clone()
    }

    fn row(&self, file: &str, hand_in: &HandIn, handed: &HandedAnswer) -> Row {
        let mut row = Row {
            file: file.into(),
            name: hand_in.name.clone(),
            exercise: handed.exercise.clone(),
            seed: handed.seed,
            status: Grade::UnknownExercise,
            claimed: handed.right,
            right: false,
            tries: handed.tries,
            hints: handed.hints,
            note: String::new(),
        };
        let Some(exercise) = self.exercise(&handed.exercise) else { return row };
        let checked = self.known(&exercise, handed.seed).and_then(|known| {
            exercise.check(&known, handed.seed, handed.given.clone()).map_err(|errors| first(&errors))
        });
        match checked {
            Err(error) => (row.status, row.note) = (Grade::Failed, error),
            Ok(verdict) => {
                row.right = verdict.right;
                row.status = grade(&hand_in.name, handed, verdict.right, &verdict.digest);
                let given = self.seeds.as_ref().map(|seeds| seeds.get(hand_in.name.trim()));
                if row.status == Grade::Forged {
                    row.note = "the file says another thing than this run".into();
                } else if given == Some(None) {
                    (row.status, row.note) = (Grade::OtherSeed, "the list of seeds lacks this name".into());
                } else if given.flatten().is_some_and(|seed| *seed != handed.seed) {
                    row.status = Grade::OtherSeed;
                }
            }
        }
        row
    }
}

fn first(errors: &[Diagnostic]) -> String {
    errors.first().map_or(String::new(), ToString::to_string)
}

pub fn grade_folder(arguments: &GradeArguments) -> Result<String, Vec<Diagnostic>> {
    let (files, mut rows) = read_folder(&arguments.folder)?;
    let shared = Shared {
        exercises: exercises(arguments, &files)?,
        values: Mutex::default(),
        seeds: arguments.seeds.as_deref().map(read_seeds).transpose()?,
    };
    let jobs: Vec<(&str, &HandIn, &HandedAnswer)> = files
        .iter()
        .flat_map(|(file, hand_in)| hand_in.answers.iter().map(move |answer| (file.as_str(), hand_in, answer)))
        .collect();
    rows.extend(in_parallel(&jobs, |(file, hand_in, answer)| shared.row(file, hand_in, answer)));
    note_equal_kernels(&jobs, &mut rows);
    note_repeats(&jobs, &mut rows);
    match arguments.format {
        Table::Json => crate::json(&rows),
        Table::Csv => Ok(csv(&rows)),
    }
}

/// Files of answers by their names.
type NamedHandIns = Vec<(String, HandIn)>;

/// The files of answers in a folder, and a row for each file that cannot be read.
fn read_folder(folder: &Path) -> Result<(NamedHandIns, Vec<Row>), Vec<Diagnostic>> {
    let mut paths = entries(folder)?;
    paths.retain(|path| ends_in(path, "json"));
    if paths.is_empty() {
        let help = "name the folder with the files that visitors handed in";
        return Err(vec![Diagnostic::error(folder.display().to_string(), "files of answers (.json)", "none", help)]);
    }
    let (mut files, mut rows) = (Vec::new(), Vec::new());
    for path in paths {
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        match read_bounded(&path).and_then(|bytes| read_hand_in(&name, &bytes)) {
            Ok(hand_in) if !hand_in.answers.is_empty() => files.push((name, hand_in)),
            Ok(hand_in) => rows.push(Row { name: hand_in.name, ..failed(name, "there are no answers in it".into()) }),
            Err(errors) => rows.push(failed(name, first(&errors))),
        }
    }
    Ok((files, rows))
}

/// Reads a file of answers, but no more of it than one may have.
fn read_bounded(path: &Path) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let (file, most) = (path.display().to_string(), MOST_HAND_IN_BYTES as u64);
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|opened| opened.take(most + 1).read_to_end(&mut bytes));
    read.map_err(|error| vec![file_error(&file, &error)])?;
    if bytes.len() as u64 > most {
        let help = "hand in the file that the page's Learn tab saves";
        return Err(vec![Diagnostic::error(file, "a file of answers of at most 4 MiB", "more", help)]);
    }
    Ok(bytes)
}

/// The row of a file without an answer.
fn failed(file: String, note: String) -> Row {
    Row {
        file,
        name: String::new(),
        exercise: String::new(),
        seed: 0,
        status: Grade::Failed,
        claimed: false,
        right: false,
        tries: 0,
        hints: 0,
        note,
    }
}

/// The exercises that the files name, from the course and from the arguments.
fn exercises(
    arguments: &GradeArguments,
    files: &[(String, HandIn)],
) -> Result<BTreeMap<String, Arc<Exercise>>, Vec<Diagnostic>> {
    let mut out = BTreeMap::new();
    for path in &arguments.exercises {
        let exercise = of_file(path)?;
        out.insert(exercise.id.clone(), exercise);
    }
    for answer in files.iter().flat_map(|(_, hand_in)| &hand_in.answers) {
        if !out.contains_key(&answer.exercise) {
            if let Some(exercise) = built_in(&answer.exercise) {
                out.insert(answer.exercise.clone(), Arc::new(exercise));
            }
        }
    }
    Ok(out)
}

/// Lines of `name,seed`. A first line without a digit is a heading.
fn read_seeds(path: &Path) -> Result<BTreeMap<String, u64>, Vec<Diagnostic>> {
    let bytes = read_file(path)?;
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes));
    let mut out = BTreeMap::new();
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        // Spreadsheets of some languages write semicolons.
        let pair = line.rsplit_once([',', ';']);
        let pair = pair.and_then(|(name, seed)| Some((unquoted(name), unquoted(seed).parse().ok()?)));
        match pair {
            Some((name, seed)) if !out.contains_key(&name) => drop(out.insert(name, seed)),
            None if i == 0 && !line.contains(|c: char| c.is_ascii_digit()) => {}
            _ => {
                let error = Diagnostic::error(
                    path.display().to_string(),
                    "NAME,SEED",
                    line,
                    "write each name once, on a line of its own",
                );
                return Err(vec![Diagnostic { line: Some(i as u64 + 1), ..error }]);
            }
        }
    }
    Ok(out)
}

/// A cell of CSV without its quotes.
fn unquoted(cell: &str) -> String {
    let cell = cell.trim();
    let inner = cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.map_or(cell.into(), |inner| inner.replace("\"\"", "\"")).trim().into()
}

/// The results of all jobs in their order, computed by a thread per core.
fn in_parallel<J: Sync, T: Send>(jobs: &[J], work: impl Fn(&J) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(jobs.len().max(1));
    let done = Mutex::new(Vec::new());
    let run = || loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let Some(job) = jobs.get(at) else { break };
        let result = work(job);
        done.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(run))));
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Notes kernels with the same text under different names. The rows of the jobs are the last ones.
fn note_equal_kernels(jobs: &[(&str, &HandIn, &HandedAnswer)], rows: &mut [Row]) {
    let before = rows.len() - jobs.len();
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for ((_, hand_in, answer), row) in jobs.iter().zip(&mut rows[before..]) {
        let Given::Kernel(text) = &answer.given else { continue };
        let words: String = text.split_whitespace().collect();
        match seen.get(&words) {
            Some(name) if *name != hand_in.name && row.note.is_empty() => row.note = format!("the same text as {name}"),
            Some(_) => {}
            None => drop(seen.insert(words, &hand_in.name)),
        }
    }
}

/// Notes further answers of a name to the same exercise with the same seed. The page hands in one. The rows of the jobs are the
/// last ones.
fn note_repeats(jobs: &[(&str, &HandIn, &HandedAnswer)], rows: &mut [Row]) {
    let before = rows.len() - jobs.len();
    let mut seen = BTreeSet::new();
    for ((_, hand_in, answer), row) in jobs.iter().zip(&mut rows[before..]) {
        if !seen.insert((hand_in.name.trim(), &answer.exercise, answer.seed)) && row.note.is_empty() {
            row.note = "a further answer to the same".into();
        }
    }
}

fn csv(rows: &[Row]) -> String {
    let mut out = "file,name,exercise,seed,status,claimed,right,tries,hints,note\n".to_string();
    for row in rows {
        let status = serde_json::to_string(&row.status).unwrap_or_default();
        let cells = [
            cell(&row.file),
            cell(&row.name),
            cell(&row.exercise),
            row.seed.to_string(),
            status.trim_matches('"').to_string(),
            row.claimed.to_string(),
            row.right.to_string(),
            row.tries.to_string(),
            row.hints.to_string(),
            cell(&row.note),
        ];
        out += &cells.join(",");
        out.push('\n');
    }
    out
}

/// A cell of CSV (RFC 4180). A name must not become a formula when a spreadsheet opens the file, also where it divides cells at
/// semicolons or tabs.
fn cell(text: &str) -> String {
    let mut out = String::new();
    let mut starts = true;
    for c in text.chars() {
        if starts && "=+-@＝＋－＠".contains(c) {
            out.push('\'');
        }
        starts = ",;\t\r\n\"".contains(c) || starts && c == ' ';
        out.push(c);
    }
    if out.contains([',', ';', '"', '\n', '\r', '\t']) {
        format!("\"{}\"", out.replace('"', "\"\""))
    } else {
        out
    }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn names_are_no_formulas_and_no_cells_of_their_own() {
        assert_eq!(cell("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(cell("=1+1"), "'=1+1");
        assert_eq!(cell("a;=1+1"), "\"a;'=1+1\"");
        assert_eq!(cell("a\n\t =1"), "\"a\n\t '=1\"");
        assert_eq!(cell("＝1"), "'＝1");
        assert_eq!(cell("A-B, c=d"), "\"A-B, c=d\"");
    }
}
