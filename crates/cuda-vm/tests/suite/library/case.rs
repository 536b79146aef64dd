//! A run of a library kernel with its sizes, and its arrays before and after.

use cuda_vm::{emulate, CudaOptions, CudaRun, LibraryKernel, TraceForm};
use trace::Trace;

/// The expected contents of an array.
pub enum Values {
    Float(Vec<f32>),
    Int(Vec<i32>),
}

pub type Outputs = Vec<(&'static str, Values)>;

/// A finished run of a library kernel.
pub struct Case {
    kernel: &'static LibraryKernel,
    sizes: Vec<(String, String)>,
    run: CudaRun,
}

impl Case {
    /// Runs a library kernel with some sizes changed.
    pub fn run(kernel: &'static LibraryKernel, sizes: &[(&str, &str)], compiled: bool) -> Self {
        let sizes: Vec<(String, String)> = sizes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let form = if compiled { TraceForm::Compiled } else { TraceForm::Written };
        let options = CudaOptions { form, sizes: sizes.clone(), ..CudaOptions::default() };
        let run = emulate(&format!("{}.cu", kernel.id), kernel.text, &options);
        assert!(run.diagnostics.is_empty(), "{}: {:?}", kernel.id, run.diagnostics);
        Self { kernel, sizes, run }
    }

    /// A size as changed, or as in the text.
    pub fn size(&self, name: &str) -> usize {
        if let Some((_, value)) = self.sizes.iter().find(|(n, _)| n == name) {
            return value.parse().unwrap();
        }
        let comment = self.kernel.text.lines().filter(|line| line.starts_with("//"));
        let values = comment.flat_map(|line| line.trim_start_matches('/').split([',', '(', ')']));
        let mut pairs = values.filter_map(|item| item.split_once(" = "));
        let (_, value) = pairs.find(|(n, _)| n.trim() == name).unwrap_or_else(|| panic!("{name} is no size"));
        value.trim().parse().unwrap()
    }

    pub fn trace(&self, launch: usize) -> &Trace {
        &self.run.launches[launch].trace
    }

    /// The only line of the text that holds `snippet`.
    pub fn line(&self, snippet: &str) -> u32 {
        let mut found = self.kernel.text.lines().zip(1..).filter(|(line, _)| line.contains(snippet));
        let (_, number) = found.next().unwrap_or_else(|| panic!("{}: no line has {snippet}", self.kernel.id));
        assert!(found.next().is_none(), "{}: several lines have {snippet}", self.kernel.id);
        number
    }

    pub fn f32(&self, name: &str) -> Vec<f32> {
        self.run.before(name).unwrap_or_else(|| panic!("no array {name}")).f32s()
    }

    pub fn i32(&self, name: &str) -> Vec<i32> {
        self.run.before(name).unwrap_or_else(|| panic!("no array {name}")).i32s()
    }

    pub fn after_f32(&self, name: &str) -> Vec<f32> {
        self.run.after(name).unwrap_or_else(|| panic!("no array {name}")).f32s()
    }

    pub fn after_i32(&self, name: &str) -> Vec<i32> {
        self.run.after(name).unwrap_or_else(|| panic!("no array {name}")).i32s()
    }
}
