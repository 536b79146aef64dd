//! Takes dropped files and says what they hold: kernels, a topology, and what is wrong with them.

use super::scenario::FileId;
use crate::diag::{Diagnostic, Severity};
use crate::kernel;
use crate::topology::{read_topology, recognise, Topology};
use crate::trace::{assemble, FileContent, FileReader, Format, Place, Trace};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// One file as it went in.
#[derive(Clone, Debug)]
pub struct FileSummary {
    /// Name as it was given, folders included.
    pub name: String,
    /// Name, size and hash.
    pub id: FileId,
    /// Format.
    pub format: String,
    /// The content did not tell the format, but the name did.
    pub by_name: bool,
    /// How it was compressed.
    pub compression: Option<&'static str>,
    /// Tracer version of an Accel-Sim trace; 0 where its header has none.
    pub version: Option<u64>,
    /// Kernels it holds.
    pub kernels: usize,
    /// `trace`, `kernels list`, `topology` or `unknown`.
    pub role: &'static str,
}

/// What a scenario can run on.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Example that the kernels come from.
    pub example: Option<String>,
    /// Files that they come from.
    pub files: Vec<FileSummary>,
    /// Kernels in launch order.
    pub kernels: Vec<Arc<Trace>>,
    /// Where each of them came from; empty for an example.
    pub places: Vec<Place>,
    /// Topology among the files; the last one where there are several.
    pub topology: Option<Topology>,
    /// What there is to say.
    pub diagnostics: Vec<Diagnostic>,
}

impl Contents {
    /// The trace of a built-in example.
    ///
    /// # Errors
    /// A diagnostic that lists the examples when there is none of this name.
    pub fn of_example(id: &str) -> Result<Self, Vec<Diagnostic>> {
        let trace = kernel::example(id).ok_or_else(|| {
            let known = kernel::examples().iter().map(|e| e.id).collect::<Vec<_>>().join(", ");
            vec![Diagnostic::error("example", "a built-in example", format!("`{id}`"), format!("use one of {known}"))]
        })?;
        Ok(Self { example: Some(id.into()), kernels: vec![Arc::new(trace)], ..Self::default() })
    }

    /// Reads a topology file on its own.
    ///
    /// # Errors
    /// What is wrong with it, when nothing of it can be used.
    pub fn load_topology(&mut self, name: &str, bytes: &[u8]) -> Result<(), Vec<Diagnostic>> {
        let (topology, diagnostics) = read_topology(name, bytes);
        if topology.is_none() {
            return Err(diagnostics);
        }
        self.topology = topology;
        self.diagnostics.extend(diagnostics);
        Ok(())
    }

    /// True when part of the input was not usable; what was read can still run.
    pub fn has_error(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }
}

struct Open {
    reader: FileReader,
    name: String,
    size: u64,
    hash: Sha256,
}

/// Reads files one after the other, each in chunks of any size.
///
/// ```
/// use warpscope::lab::Intake;
///
/// let mut intake = Intake::default();
/// intake.begin("copy.trc");
/// intake.push(b"blocksize: 32 1 1\n0 0 4096 4\n");
/// let contents = intake.finish();
/// assert_eq!(contents.kernels.len(), 1);
/// assert_eq!(contents.files[0].id.size, 29);
/// ```
#[derive(Default)]
pub struct Intake {
    open: Option<Open>,
    files: Vec<FileSummary>,
    contents: Vec<FileContent>,
    topology: Option<Topology>,
    diagnostics: Vec<Diagnostic>,
}

impl Intake {
    /// Starts the file `name`; ends the one before.
    pub fn begin(&mut self, name: &str) {
        self.end();
        self.open = Some(Open { reader: FileReader::new(name), name: name.into(), size: 0, hash: Sha256::new() });
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) {
        if let Some(open) = &mut self.open {
            open.size += bytes.len() as u64;
            open.hash.update(bytes);
            open.reader.push(bytes);
        }
    }

    /// Ends the file.
    pub fn end(&mut self) {
        let Some(open) = self.open.take() else { return };
        let mut content = open.reader.finish();
        let mut role = match content.format {
            Format::KernelsList | Format::Allocations => "kernels list",
            Format::Trc | Format::Traceg { .. } => "trace",
            _ => "unknown",
        };
        let mut format = content.format.name();
        let text = std::mem::take(&mut content.unrecognised);
        let topology = match recognise(&text) {
            Some(name) => {
                // The trace reader's message that the format is unknown to it.
                content.diagnostics.retain(|d| d.severity < Severity::Error);
                format = name;
                Some(text)
            }
            None => Some(std::mem::take(&mut content.json))
                .filter(|json| content.format == Format::Json && !json.is_empty()),
        };
        if let Some(bytes) = topology {
            let (topology, diagnostics) = read_topology(&open.name, &bytes);
            self.diagnostics.extend(diagnostics);
            if topology.is_some() {
                role = "topology";
                self.topology = topology;
            }
        }
        let sha256 = open.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let name = open.name.rsplit(['/', '\\']).next().unwrap_or_default().to_string();
        content.number = self.files.len();
        self.files.push(FileSummary {
            name: open.name,
            id: FileId { name, size: open.size, sha256 },
            format: format.into(),
            by_name: content.by_name,
            compression: content.compression,
            version: content.version,
            kernels: content.kernels.len(),
            role,
        });
        self.contents.push(content);
    }

    /// Ends the last file and puts all of them together.
    pub fn finish(mut self) -> Contents {
        self.end();
        let source = assemble(self.contents);
        let mut diagnostics = self.diagnostics;
        diagnostics.extend(source.diagnostics);
        diagnostics.sort_by_key(|d| std::cmp::Reverse(d.severity));
        Contents {
            example: None,
            files: self.files,
            kernels: source.kernels.into_iter().map(Arc::new).collect(),
            places: source.places,
            topology: self.topology,
            diagnostics,
        }
    }
}
