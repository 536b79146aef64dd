//! The request for a run of the cache model, as a person or a link states it. Nothing in it has been validated.

use cuda_vm::TraceForm;
use gpu::Topology;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A model of the Cache tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Model"))]
#[serde(rename_all = "lowercase")]
pub enum CacheModel {
    /// The model of HPCA'14 section 4.
    #[default]
    Paper,
    /// The program of the paper's authors, reproduced bit for bit.
    Reference,
    /// The whole GPU in cycles: see the crate `machine`.
    Gpu,
}

impl CacheModel {
    /// All models, in the order of a list for people.
    pub const ALL: [Self; 3] = [Self::Gpu, Self::Paper, Self::Reference];

    /// Finds a model by its name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.to_string() == name)
    }

    /// The model that runs where nobody chose one: `paper` and `reference` have Fermi's latencies, so every later GPU has
    /// `gpu`.
    pub fn default_for(topology: &Topology) -> Self {
        match &topology.generation {
            Some(generation) if generation.value == "fermi" => Self::Paper,
            _ => Self::Gpu,
        }
    }
}

impl fmt::Display for CacheModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Paper => "paper",
            Self::Reference => "reference",
            Self::Gpu => "gpu",
        })
    }
}

/// The caches before each launch, in the model `gpu`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum LaunchState {
    /// All caches are empty, as Nsight Compute leaves them by default.
    #[default]
    Cold,
    /// The host has just copied the arrays that have data.
    Copies,
    /// As nvprof measures: the kernel runs twice, and the second run counts.
    Replay,
    /// The L2 holds what the kernel before left. The first kernel finds the copies.
    Warm,
}

impl LaunchState {
    /// All states, in the order of a list for people.
    pub const ALL: [Self; 4] = [Self::Cold, Self::Copies, Self::Replay, Self::Warm];

    /// Finds a state by its name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.to_string() == name)
    }
}

impl fmt::Display for LaunchState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cold => "cold",
            Self::Copies => "copies",
            Self::Replay => "replay",
            Self::Warm => "warm",
        })
    }
}

impl From<LaunchState> for machine::State {
    fn from(state: LaunchState) -> Self {
        match state {
            LaunchState::Cold => Self::Cold,
            LaunchState::Copies => Self::Copies,
            LaunchState::Replay => Self::Replay,
            LaunchState::Warm => Self::Warm,
        }
    }
}

/// A file that a link asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct FileId {
    /// The name without folders.
    pub name: String,
    /// The length in bytes as dropped, compressed or not.
    pub size: u64,
    /// The SHA-256 of these bytes, as lower-case hexadecimal digits.
    pub sha256: String,
    /// The format that the file must be read as, one of [`Format::KEYS`](trace::Format::KEYS). It is `None` if the
    /// content alone determines the format.
    #[serde(default)]
    pub format: Option<String>,
}

/// How CUDA text is run to make a trace. It also applies to the text of an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct CudaSettings {
    /// Selects the accesses of the text, or those that remain after compilation.
    #[serde(with = "form_word")]
    #[cfg_attr(feature = "types", ts(type = "'written' | 'compiled'"))]
    pub form: TraceForm,
    /// A launch that replaces those of the text.
    pub launch: Option<String>,
    /// Values that replace the launch's own sizes, by name.
    pub sizes: BTreeMap<String, String>,
    /// The text, if a link carries it. It replaces the content of the first file.
    pub text: Option<String>,
}

/// Serialises [`TraceForm`] as the word that links and the page use.
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
    /// The version of this format, which is 1.
    pub version: u32,
    /// The identifier of a built-in example, if no files are the source.
    pub example: Option<String>,
    /// The files that are the source.
    pub files: Vec<FileId>,
    /// How CUDA text is run, if the source is CUDA text.
    #[serde(default)]
    pub cuda: CudaSettings,
    /// The identifier of a preset, or `file` for the topology among the files.
    pub gpu: String,
    /// The model to run. A link without one means `paper`, the only model of the first links.
    pub model: CacheModel,
    /// The state of the caches before each launch. Only the model `gpu` has states.
    #[serde(default)]
    pub state: LaunchState,
    /// Whether the misses in the L1 get classes, which takes time. The models of one L1 always give them, and only the
    /// model `gpu` has this switch.
    #[serde(default)]
    pub classes: bool,
    /// The seed of the random miss latencies. The model `gpu` has none.
    pub seed: u64,
    /// The parameters that differ from those of the topology.
    pub set: BTreeMap<String, String>,
    /// The numbers of the kernels to run, counted from 1. It is empty for all kernels.
    #[serde(default)]
    pub kernels: Vec<u32>,
    /// True if the caches keep their lines from one kernel to the next. The model `gpu` has [`LaunchState::Warm`] for
    /// that.
    #[serde(default)]
    pub warm: bool,
    /// The state of the page beside the run. The lab passes it on unread. Its keys are `tab` and keys that begin with
    /// the name of a tab.
    #[serde(default)]
    pub view: BTreeMap<String, String>,
    /// The fingerprint of the result that a link promises.
    pub fingerprint: Option<String>,
    /// The run that the result is compared with. It has no baseline of its own, and its run does not depend on this one.
    #[serde(default)]
    pub base: Option<Box<Scenario>>,
}

impl Scenario {
    /// The greatest seed of a run. The numbers of a page are exact up to 2^53, so a greater one would not survive in it.
    pub const MAX_SEED: u64 = (1 << 53) - 1;
    /// The value of [`Scenario::gpu`] for a topology among the files.
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
            model: CacheModel::Paper,
            state: LaunchState::Cold,
            classes: false,
            seed: 1,
            set: BTreeMap::new(),
            kernels: Vec::new(),
            warm: false,
            view: BTreeMap::new(),
            fingerprint: None,
            base: None,
        }
    }
}
