//! `warpscope convert`: writes the kernels of a file in another format. Stderr names what the format cannot hold.

use super::files::{print_diagnostics, read_contents, write_error};
use super::words::counted;
use super::ConvertArguments;
use base::Diagnostic;
use flate2::{write::GzEncoder, Compression};
use lab::{choose_kernels, convert_to, Target, Trace};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes the files and returns their names.
pub fn convert_files(arguments: &ConvertArguments) -> Result<String, Vec<Diagnostic>> {
    let name = arguments.output.display().to_string();
    let target = Target::of_name(&name).ok_or_else(|| {
        vec![Diagnostic::error(
            "-o",
            "a name that ends in .trc, .traceg, .trc.gz or .traceg.gz",
            name.as_str(),
            "choose one of these",
        )]
    })?;
    let contents = read_contents(&arguments.files, &arguments.read_as)?;
    print_diagnostics(&contents.diagnostics);
    let first = arguments.files.first().map_or_else(String::new, |path| path.display().to_string());
    if contents.kernels.is_empty() {
        return Err(vec![Diagnostic::error(
            first,
            "a trace with at least one kernel",
            "none",
            "give a trace to convert",
        )]);
    }
    let numbers = choose_kernels(&arguments.kernels, &contents)?;
    let chosen = |number: &u32| numbers.is_empty() || numbers.contains(number);
    let kernels: Vec<(u32, _)> = (1u32..).zip(&contents.kernels).filter(|(number, _)| chosen(number)).collect();
    let outputs: Vec<PathBuf> = match kernels.len() {
        1 => vec![arguments.output.clone()],
        _ => kernels.iter().map(|(number, _)| numbered(&arguments.output, *number)).collect(),
    };
    for output in &outputs {
        refuse_input(output, &arguments.files)?;
    }
    let mut said = String::new();
    for ((number, kernel), output) in kernels.iter().zip(&outputs) {
        let losses = write(output, kernel, target)?;
        for loss in &losses {
            eprintln!("{}: not in the file: {loss}", output.display());
        }
        let left_out = contents.places.get(*number as usize - 1).map_or(0, |place| place.left_out);
        if left_out > 0 {
            eprintln!(
                "{}: not in the file: {} without an address per lane",
                output.display(),
                counted(left_out, "memory instruction")
            );
        }
        // Writing to a String cannot fail.
        let _ = writeln!(said, "{}", output.display());
    }
    Ok(said)
}

/// Inserts a number: `a.trc.gz` with 3 becomes `a-3.trc.gz`. Both formats hold one kernel per file.
pub fn numbered(path: &Path, number: u32) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let lower = name.to_ascii_lowercase();
    let ending = lower.rfind(".trc").or_else(|| lower.rfind(".traceg")).unwrap_or(name.len());
    path.with_file_name(format!("{}-{number}{}", &name[..ending], &name[ending..]))
}

fn refuse_input(output: &Path, inputs: &[PathBuf]) -> Result<(), Vec<Diagnostic>> {
    let Ok(there) = std::fs::canonicalize(output) else { return Ok(()) };
    let same = |input: &&PathBuf| std::fs::canonicalize(input).is_ok_and(|input| input == there);
    match inputs.iter().find(same) {
        Some(input) => {
            let found = format!("the input {}", input.display());
            let name = output.display().to_string();
            Err(vec![Diagnostic::error(name, "another file than the input", found, "choose another name after -o")])
        }
        None => Ok(()),
    }
}

/// Writes a kernel to a file, as it goes. Gives what the format cannot hold.
pub fn write(path: &Path, kernel: &Trace, target: Target) -> Result<Vec<String>, Vec<Diagnostic>> {
    let packed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    let written = || {
        let mut file = BufWriter::new(File::create(path)?);
        let losses = if packed {
            let mut encoder = GzEncoder::new(&mut file, Compression::default());
            let losses = convert_to(kernel, target, &mut encoder)?;
            encoder.finish()?;
            losses
        } else {
            convert_to(kernel, target, &mut file)?
        };
        file.flush()?;
        Ok(losses)
    };
    written().map_err(|error| vec![write_error(&path.display().to_string(), &error)])
}
