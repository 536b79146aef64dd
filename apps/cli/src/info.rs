//! `warpscope info`: the content of files, as text or JSON.

use super::files::read_contents_with;
use super::words::counted;
use super::{heading, Format, InfoArguments};
use base::{Diagnostic, Severity};
use lab::{info, info_for, FileInfo, Info, Scenario};
use std::fmt::Write as _;

/// Reads the files and returns the text for stdout. An unreadable part is described and is no error of the program.
pub fn describe(arguments: &InfoArguments) -> Result<String, Vec<Diagnostic>> {
    let mut contents = read_contents_with(&arguments.files, &arguments.read_as, &arguments.cuda)?;
    let mut scenario = Scenario::default();
    arguments.settings.apply(&mut contents, &mut scenario)?;
    scenario.model = arguments.settings.model(&contents, &scenario)?;
    let info = match info_for(&scenario, &contents) {
        // If no cache can be built from a topology among the files, the other files are still described.
        Err(_) if arguments.settings.is_default() => info(&contents),
        told => told?,
    };
    let text = match arguments.format {
        Format::Json => super::json(&info)?,
        Format::Text => text(&info),
    };
    let useless = info.files.iter().all(|file| file.kernels.is_empty() && matches!(file.role, "trace" | "unknown"));
    if useless && arguments.format == Format::Text {
        return Err(contents.diagnostics);
    }
    Ok(text)
}

fn text(info: &Info) -> String {
    let mut out = String::new();
    for file in &info.files {
        file_text(&mut out, file);
    }
    // Writing to a String cannot fail, so the results of `writeln!` are ignored.
    let _ = writeln!(out, "running these takes about {} of memory", mebibytes(info.estimate.memory_bytes));
    out
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}

fn file_text(out: &mut String, file: &FileInfo) {
    let version = file.version.map_or(String::new(), |version| format!(", tracer version {version}"));
    let packed = file.compression.map_or(String::new(), |packed| format!(", {packed}"));
    let _ = writeln!(
        out,
        "{}: {}{version}{packed} ({}, recognised by its {}), {} bytes",
        file.file, file.format, file.role, file.recognised_by, file.bytes
    );
    for kernel in &file.kernels {
        let _ = writeln!(out, "  {}", heading(kernel.number, &kernel.name, kernel.grid, kernel.block));
        let _ = writeln!(
            out,
            "    {} present, {}, {}, {}, {} of them on memory",
            counted(kernel.blocks_present as u64, "block"),
            counted(kernel.threads, "thread"),
            counted(kernel.warps as u64, "warp"),
            counted(kernel.instructions, "instruction"),
            kernel.memory_instructions
        );
        let accesses: Vec<String> = kernel.accesses.iter().map(|(what, n)| format!("{what} {n}")).collect();
        let _ =
            writeln!(out, "    accesses: {}", if accesses.is_empty() { "none".into() } else { accesses.join(", ") });
        for array in &kernel.arrays {
            let known = if array.guessed { "guessed" } else { "named" };
            let _ = writeln!(out, "    array {} ({known}): {} bytes at {}", array.name, array.bytes, array.base);
        }
    }
    for skipped in &file.skipped {
        let line = skipped.line.map_or(String::new(), |line| format!(" in line {line}"));
        let _ = writeln!(out, "  skipped{line}: {} ({})", skipped.what, skipped.why);
    }
    let most = if file.read_as == "cuda" { Severity::Warning } else { Severity::Note };
    for note in file.diagnostics.iter().filter(|d| d.severity <= most) {
        let _ = writeln!(out, "  {note}");
    }
}
