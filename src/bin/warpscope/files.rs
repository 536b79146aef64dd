//! Files in and out. In: paths. Out: [`Contents`], or what is wrong with a file.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use warpscope::diag::Diagnostic;
use warpscope::lab::{Contents, CudaOptions, Intake};

/// Says everything on stderr.
pub fn tell(diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        eprintln!("{diagnostic}");
    }
}

/// A file that the system does not let us have.
pub fn failed(file: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(file, "a readable file", error.to_string(), "check the path and its permissions")
}

/// Reads files, or the example that the only one names.
pub fn contents(files: &[PathBuf]) -> Result<Contents, Vec<Diagnostic>> {
    contents_of(files, CudaOptions::default())
}

/// As [`contents`], with options for CUDA text.
pub fn contents_of(files: &[PathBuf], cuda: CudaOptions) -> Result<Contents, Vec<Diagnostic>> {
    if let [only] = files {
        if let Some(id) = only.to_str().and_then(|name| name.strip_prefix("example:")) {
            return Contents::of_example(id);
        }
    }
    let mut intake = Intake::default();
    intake.set_cuda(cuda);
    for path in files {
        let name = path.display().to_string();
        let mut file = File::open(path).map_err(|error| vec![failed(&name, &error)])?;
        intake.begin(&name);
        let mut chunk = vec![0; 1 << 18];
        loop {
            match file.read(&mut chunk) {
                Ok(0) => break,
                Ok(n) => intake.push(&chunk[..n]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(vec![failed(&name, &error)]),
            }
        }
    }
    Ok(intake.finish())
}

/// A whole file.
pub fn read(path: &Path) -> Result<Vec<u8>, Vec<Diagnostic>> {
    std::fs::read(path).map_err(|error| vec![failed(&path.display().to_string(), &error)])
}
