//! What to run, as a person or a link states it; nothing here has been checked.

use cuda_vm::TraceForm;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Which cache model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
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
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct FileId {
    /// Name without folders.
    pub name: String,
    /// Bytes as dropped, compressed or not.
    pub size: u64,
    /// SHA-256 of these bytes, lower-case hexadecimal.
    pub sha256: String,
    /// Format that it must be read as, one of [`Format::KEYS`](trace::Format::KEYS), where its content alone does
    /// not say so.
    #[serde(default)]
    pub format: Option<String>,
}

/// How CUDA text, an example's too, is made into a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct CudaSettings {
    /// The accesses of the text, or those that the compiler leaves.
    #[serde(with = "form_word")]
    #[cfg_attr(feature = "types", ts(type = "'written' | 'compiled'"))]
    pub form: TraceForm,
    /// A launch in place of the text's own.
    pub launch: Option<String>,
    /// Sizes of the launch by name, in place of its own.
    pub sizes: BTreeMap<String, String>,
    /// The text itself, where a link carries it: the first of the files has it.
    pub text: Option<String>,
}

/// [`TraceForm`] as the word that links and the page have for it.
mod form_word {
    use super::TraceForm;
    use serde::{de::Error, Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(form: &TraceForm, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(form.word())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<TraceForm, D::Error> {
        let word = String::deserialize(from)?;
        TraceForm::named(&word).ok_or_else(|| D::Error::custom("expected written or compiled"))
    }
}

impl Default for CudaSettings {
    fn default() -> Self {
        Self { form: TraceForm::Compiled, launch: None, sizes: BTreeMap::new(), text: None }
    }
}

/// Everything that a run depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Scenario {
    /// Version of this format; 1.
    pub version: u32,
    /// Built-in example, when no files are the source.
    pub example: Option<String>,
    /// Files that are the source.
    pub files: Vec<FileId>,
    /// How CUDA text is run, where that is the source.
    #[serde(default)]
    pub cuda: CudaSettings,
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
            cuda: CudaSettings::default(),
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
