//! Reads the files on the command line into [`Contents`], and prints diagnostics.

use super::time_left::TimeLeft;
use super::trace::CudaFileArguments;
use base::{Diagnostic, Severity, Step};
use lab::{
    is_source_name, join_sources, placement_options, text_of, Contents, CudaOptions, CudaSettings, Format, Intake,
    SourceFile,
};
use std::borrow::Cow;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Most bytes of an included file.
const HEADER_MAX: u64 = 4 << 20;

/// Whether an error was printed.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Prints diagnostics on stderr. An error among them makes the exit status 1, though the rest goes on.
pub fn print_diagnostics(diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        if diagnostic.severity == Severity::Error {
            REFUSED.store(true, Ordering::Relaxed);
        }
        eprintln!("{}", printable(&diagnostic.to_string()).replace('\n', " "));
    }
}

/// A text of which nothing steers a terminal. Names in files and links can hold any character: a control character could clear the
/// screen or set its title, and a mark of writing direction could show a text in another order.
pub fn printable(text: &str) -> Cow<'_, str> {
    let steers = |c: char| (c.is_control() && c != '\n' && c != '\t') || DIRECTIONS.contains(&c);
    if text.contains(steers) {
        // As JSON writes them, so that JSON stays JSON.
        let shown = |c: char| if steers(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
        text.chars().map(shown).collect()
    } else {
        Cow::Borrowed(text)
    }
}

/// Marks that change the direction of what follows (Unicode Standard Annex 9).
const DIRECTIONS: [char; 12] = [
    '\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}',
    '\u{2067}', '\u{2068}', '\u{2069}',
];

/// Whether a part of the input was refused so far.
pub fn was_refused() -> bool {
    REFUSED.load(Ordering::Relaxed)
}

/// The text of a result. Where a part of the input was refused, it begins with a note, because stdout may be kept without stderr.
pub fn with_note_of_refused(contents: &Contents, result: String) -> String {
    if contents.has_error() {
        format!("note: a part of the input was refused, and this is the result without it; stderr names it\n{result}")
    } else {
        result
    }
}

/// Makes the diagnostic of a file that cannot be read.
pub fn file_error(file: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(file, "a readable file", error.to_string(), "check the path and its permissions")
}

/// Makes the diagnostic of a file that cannot be written.
pub fn write_error(file: &str, error: &std::io::Error) -> Diagnostic {
    let help = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room on the disk, or choose another folder",
        _ => "check the folder and its permissions",
    };
    Diagnostic::error(file, "a file that can be written", error.to_string(), help)
}

/// The `--as` options: the format of all files, or of the file with a given name.
#[derive(clap::Args)]
pub struct ReadAs {
    /// Read every file, or the file with this name, in this format, whatever it looks like: trc, traceg (raw .trace
    /// too), mem_trace, cutracer, kernelslist, lackey, din, pinatrace, csv, u64, oracle_general, json, profile or cuda. Can be
    /// repeated.
    #[arg(long = "as", value_name = "FORMAT|FILE=FORMAT")]
    choices: Vec<String>,
}

impl ReadAs {
    /// True if no format was chosen.
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// Returns the format chosen for the file at `path`. A choice for this file prevails over one for all files.
    fn of(&self, path: &Path) -> Option<Format> {
        let split =
            self.choices.iter().map(|choice| choice.rsplit_once('=').map_or((None, &**choice), |(f, k)| (Some(f), k)));
        let mine = |file: &str| path == Path::new(file) || path.file_name().is_some_and(|name| name == file);
        let fits = split.filter(|(file, _)| file.is_none_or(mine));
        fits.max_by_key(|(file, _)| file.is_some()).and_then(|(_, key)| Format::from_key(key))
    }

    /// Checks that every choice names a format, and a file of the command line.
    fn check(&self, files: &[PathBuf]) -> Result<(), Vec<Diagnostic>> {
        for choice in &self.choices {
            let key = choice.rsplit_once('=').map_or(&**choice, |(_, key)| key);
            if Format::from_key(key).is_none() {
                let help = format!("choose one of {}", Format::KEYS.join(", "));
                return Err(vec![Diagnostic::error("--as", "a format", format!("`{key}`"), help)]);
            }
            let only = Self { choices: vec![choice.clone()] };
            if !files.iter().any(|path| only.of(path).is_some()) {
                let help = "write the file as it stands in the command";
                return Err(vec![Diagnostic::error("--as", "one of the files", format!("`{choice}`"), help)]);
            }
        }
        Ok(())
    }
}

/// Reads files, or runs the example that the only one names.
pub fn read_contents(files: &[PathBuf], read_as: &ReadAs) -> Result<Contents, Vec<Diagnostic>> {
    read(files, read_as, CudaSettings::default().options(), &[])
}

/// Reads files as [`read_contents`] does, with options for CUDA text.
pub fn read_contents_with(
    files: &[PathBuf],
    read_as: &ReadAs,
    cuda: &CudaFileArguments,
) -> Result<Contents, Vec<Diagnostic>> {
    read(files, read_as, cuda.options()?, &cuda.cuda.include)
}

/// The same for kernels that shall be placed: a long launch of CUDA text runs in part.
pub fn read_contents_to_place(
    files: &[PathBuf],
    read_as: &ReadAs,
    cuda: &CudaFileArguments,
) -> Result<Contents, Vec<Diagnostic>> {
    read(files, read_as, placement_options(cuda.options()?), &cuda.cuda.include)
}

fn read(
    files: &[PathBuf],
    read_as: &ReadAs,
    cuda: CudaOptions,
    folders: &[PathBuf],
) -> Result<Contents, Vec<Diagnostic>> {
    read_as.check(files)?;
    if let [only] = files {
        if let Some(id) = only.to_str().and_then(|name| name.strip_prefix("example:")) {
            return Contents::of_example_with(id, &cuda);
        }
    }
    let mut intake = Intake::default();
    intake.set_cuda(cuda);
    let sources: Vec<&PathBuf> = files.iter().filter(|path| is_source(path, read_as)).collect();
    let texts = sources.iter().map(|path| cuda_text(path).map(|text| ((*path).clone(), text)));
    let texts = joined(texts.collect::<Result<_, _>>()?, folders);
    for path in files {
        let name = path.display().to_string();
        let text = texts.iter().find(|(running, _)| running == path);
        if text.is_none() && sources.contains(&path) {
            continue;
        }
        match read_as.of(path) {
            Some(format) => intake.begin_as(&name, format),
            None => intake.begin(&name),
        }
        match text {
            Some((_, text)) => intake.push(text.as_bytes()),
            None => push_file(&mut intake, path)?,
        }
    }
    let mut told = TimeLeft::new();
    while let Step::More(progress) = intake.run_texts(told.budget) {
        told.after_step(progress);
    }
    Ok(intake.finish())
}

fn push_file(intake: &mut Intake, path: &Path) -> Result<(), Vec<Diagnostic>> {
    let name = path.display().to_string();
    let mut file = File::open(path).map_err(|error| vec![file_error(&name, &error)])?;
    let mut chunk = vec![0; 1 << 18];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(n) => intake.push(&chunk[..n]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(vec![file_error(&name, &error)]),
        }
    }
}

/// Whether a file is CUDA text or a header of it, by its name or the choice of its format.
fn is_source(path: &Path, read_as: &ReadAs) -> bool {
    match read_as.of(path) {
        Some(format) => format == Format::Cuda,
        None => is_source_name(&path.display().to_string()),
    }
}

/// Reads CUDA text.
pub fn cuda_text(path: &Path) -> Result<String, Vec<Diagnostic>> {
    let name = path.display().to_string();
    text_of(read_file(path)?)
        .ok_or_else(|| vec![Diagnostic::error(name, "a text", "other bytes", "save the file as UTF-8")])
}

/// The texts that run, each with the files that it includes.
pub fn joined(texts: Vec<(PathBuf, String)>, folders: &[PathBuf]) -> Vec<(PathBuf, String)> {
    let (paths, texts): (Vec<PathBuf>, Vec<String>) = texts.into_iter().unzip();
    let shown = |path: &PathBuf| path.display().to_string();
    let sources = paths.iter().zip(texts).map(|(path, text)| SourceFile { path: shown(path), text });
    let sources: Vec<SourceFile> = sources.collect();
    let folders: Vec<String> = folders.iter().map(shown).collect();
    let small = |path: &str| std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() <= HEADER_MAX);
    let mut read = |path: &str| text_of(small(path).then(|| std::fs::read(path).ok()).flatten()?);
    let all = join_sources(&sources, &folders, &mut read);
    all.into_iter().map(|(index, text)| (paths[index].clone(), text)).collect()
}

/// Reads a whole file.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Vec<Diagnostic>> {
    std::fs::read(path).map_err(|error| vec![file_error(&path.display().to_string(), &error)])
}

/// The files and folders in a folder, in order of their names. Pipes and devices are left out, because reading one may never end.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, Vec<Diagnostic>> {
    let wrong = |error| vec![file_error(&folder.display().to_string(), &error)];
    let found = std::fs::read_dir(folder).map_err(wrong)?.map(|entry| Ok(entry?.path()));
    let mut paths = found.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
    paths.retain(|path| path.is_file() || path.is_dir());
    paths.sort();
    Ok(paths)
}

/// Whether the name of a file ends in `.ending`, in letters of any case.
pub fn ends_in(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending))
}
