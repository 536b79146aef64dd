//! Reads the files on the command line into [`Contents`], and prints diagnostics.

use base::Diagnostic;
use lab::{Contents, CudaOptions, CudaSettings, Format, Intake};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Prints diagnostics on stderr.
pub fn print_diagnostics(diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        eprintln!("{diagnostic}");
    }
}

/// Makes the diagnostic of a file that cannot be read or written.
pub fn file_error(file: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(file, "a readable file", error.to_string(), "check the path and its permissions")
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
    read_contents_with(files, read_as, CudaSettings::default().options())
}

/// Reads files as [`contents`] does, with options for CUDA text.
pub fn read_contents_with(files: &[PathBuf], read_as: &ReadAs, cuda: CudaOptions) -> Result<Contents, Vec<Diagnostic>> {
    read_as.check(files)?;
    if let [only] = files {
        if let Some(id) = only.to_str().and_then(|name| name.strip_prefix("example:")) {
            return Contents::of_example_with(id, &cuda);
        }
    }
    let mut intake = Intake::default();
    intake.set_cuda(cuda);
    for path in files {
        let name = path.display().to_string();
        let mut file = File::open(path).map_err(|error| vec![file_error(&name, &error)])?;
        match read_as.of(path) {
            Some(format) => intake.begin_as(&name, format),
            None => intake.begin(&name),
        }
        let mut chunk = vec![0; 1 << 18];
        loop {
            match file.read(&mut chunk) {
                Ok(0) => break,
                Ok(n) => intake.push(&chunk[..n]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(vec![file_error(&name, &error)]),
            }
        }
    }
    Ok(intake.finish())
}

/// Reads a whole file.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Vec<Diagnostic>> {
    std::fs::read(path).map_err(|error| vec![file_error(&path.display().to_string(), &error)])
}
