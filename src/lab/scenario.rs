//! What to run, as a person or a link states it; nothing here has been checked.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Which cache model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// HPCA'14 section 4.
    #[default]
    Paper,
    /// The program of its authors, bit for bit.
    Reference,
}

impl Model {
    /// The model of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Paper, Self::Reference].into_iter().find(|model| model.to_string() == name)
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Paper => "paper",
            Self::Reference => "reference",
        })
    }
}

/// A file that a link asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileId {
    /// Name without folders.
    pub name: String,
    /// Bytes as dropped, compressed or not.
    pub size: u64,
    /// SHA-256 of these bytes, lower-case hexadecimal.
    pub sha256: String,
    /// Format that it must be read as, one of [`Format::KEYS`](crate::trace::Format::KEYS), where its content alone does
    /// not say so.
    #[serde(default)]
    pub format: Option<String>,
}

/// Everything that a run depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scenario {
    /// Version of this format; 1.
    pub version: u32,
    /// Built-in example, when no files are the source.
    pub example: Option<String>,
    /// Files that are the source.
    pub files: Vec<FileId>,
    /// Preset, or `file` for the topology among the files.
    pub gpu: String,
    /// Cache model.
    pub model: Model,
    /// Seed of the latencies.
    pub seed: u64,
    /// Parameters that differ from the topology's.
    pub set: BTreeMap<String, String>,
    /// Numbers, from 1, of the kernels to run; empty for all.
    #[serde(default)]
    pub kernels: Vec<u32>,
    /// The caches keep their lines from one kernel to the next.
    #[serde(default)]
    pub warm: bool,
    /// What the page shows beside the run, carried unread: `tab`, and keys that begin with a tab's name.
    #[serde(default)]
    pub view: BTreeMap<String, String>,
    /// Fingerprint of the result that a link promises.
    pub fingerprint: Option<String>,
}

impl Scenario {
    /// [`Scenario::gpu`] for a topology among the files.
    pub const FILE_GPU: &'static str = "file";
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            version: 1,
            example: None,
            files: Vec::new(),
            gpu: "gtx470-16k".into(),
            model: Model::Paper,
            seed: 1,
            set: BTreeMap::new(),
            kernels: Vec::new(),
            warm: false,
            view: BTreeMap::new(),
            fingerprint: None,
        }
    }
}
