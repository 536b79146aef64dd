//! The arguments of `cache` and `info` for the GPU and the parameters of a run.

use super::files::{read_contents_with, read_file, ReadAs};
use super::trace::CudaFileArguments;
use base::Diagnostic;
use clap::Args;
use lab::{gpu_topology, CacheModel, Contents, Scenario};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct RunSettings {
    /// GPU: a preset (see `warpscope presets`) or a topology: our own JSON, mt4g's JSON or CSV, gpgpusim.config
    /// [default: gtx470-16k].
    #[arg(long)]
    gpu: Option<String>,
    /// Change a parameter of the GPU, for example `--set ways=8` (see `warpscope presets PRESET`).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The cache keeps its lines from one kernel to the next. Without it every kernel starts with an empty one.
    #[arg(long)]
    warm: bool,
}

impl RunSettings {
    /// The model whose run `info` describes: the GPU's own, or `paper` if a parameter of that model is set.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if there is no such GPU.
    pub fn model(&self, contents: &Contents, scenario: &Scenario) -> Result<CacheModel, Vec<Diagnostic>> {
        if self.warm || !self.set.is_empty() {
            return Ok(CacheModel::Paper);
        }
        gpu_topology(&scenario.gpu, contents.topology.as_ref()).map(|topology| CacheModel::default_for(&topology))
    }

    /// True if no argument was given.
    pub fn is_default(&self) -> bool {
        self.gpu.is_none() && self.set.is_empty() && !self.warm
    }

    /// Reads files and makes the scenario that runs them with these settings.
    pub fn read(
        &self,
        files: &[PathBuf],
        read_as: &ReadAs,
        cuda: &CudaFileArguments,
    ) -> Result<(Contents, Scenario), Vec<Diagnostic>> {
        let mut contents = read_contents_with(files, read_as, cuda)?;
        let mut scenario = Scenario {
            example: contents.example.clone(),
            files: contents.files.iter().map(|file| file.id.clone()).collect(),
            cuda: cuda.settings()?,
            ..Scenario::default()
        };
        self.apply(&mut contents, &mut scenario)?;
        Ok((contents, scenario))
    }

    /// Stores the settings in a scenario. If `--gpu` names a topology file, its topology is added to the contents.
    pub fn apply(&self, contents: &mut Contents, scenario: &mut Scenario) -> Result<(), Vec<Diagnostic>> {
        scenario.warm = self.warm;
        match &self.gpu {
            Some(path) if gpu_topology(path, None).is_err() && Path::new(path).is_file() => {
                contents.load_topology(path, &read_file(Path::new(path))?)?;
                scenario.gpu = Scenario::FILE_GPU.into();
            }
            Some(id) => scenario.gpu.clone_from(id),
            None if contents.topology.is_some() => scenario.gpu = Scenario::FILE_GPU.into(),
            None => {}
        }
        for pair in &self.set {
            let (key, value) = pair.split_once('=').ok_or_else(|| {
                vec![Diagnostic::error("--set", "KEY=VALUE", format!("`{pair}`"), "write for example `--set ways=8`")]
            })?;
            scenario.set.insert(key.trim().into(), value.trim().into());
        }
        Ok(())
    }
}
