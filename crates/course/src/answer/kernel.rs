//! A kernel that must compute the same as the exercise's own and reach a figure.
//!
//! Both texts run on the emulator, as compiled, once for each set of sizes. Every array of the exercise's own text must be in the
//! visitor's, with the same input, and must have equal values at the end. Integers and bytes must be equal. Numbers with a point
//! may differ by [`TOLERANCE`] of the largest, because another order of a sum rounds differently. Then the model `gpu` runs the
//! visitor's text with the first set of sizes. The text may launch as it likes and may have arrays of its own.

use crate::answer::{message, Say, NO_PROGRESS};
use crate::exercise::KernelAnswer;
use crate::quantity::{number_text, Known, TRACE_BYTES, WARP_INSTRUCTIONS};
use base::{Diagnostic, Job, Progress, Severity, Step};
use lab::{CacheModel, Contents, CudaSettings, CudaText, Intake, Scenario, ScenarioRun};
use std::collections::{BTreeMap, VecDeque};

/// The share of the largest value of an array by which two numbers with a point may differ.
const TOLERANCE: f64 = 1e-4;

/// Whether the answer is right, and what to say.
type Found = (bool, Vec<Say>);

struct Text {
    /// Whose text it is, for the name of the file.
    own: bool,
    text: String,
    sizes: BTreeMap<String, String>,
}

enum Running {
    Text(Box<Intake>, bool),
    Model(Box<ScenarioRun>),
}

/// The check of one kernel.
pub struct KernelCheck {
    waiting: VecDeque<Text>,
    running: Option<Running>,
    /// What the exercise's own text computed, until the visitor's has run.
    expected: Option<CudaText>,
    /// The visitor's traces with the first sizes.
    contents: Option<Contents>,
    /// Whether the visitor's text can have a launch comment.
    has_comment: bool,
    gpu: String,
    measure: Vec<String>,
    times: f64,
    at_most: Option<f64>,
    done: u64,
}

impl KernelCheck {
    pub(crate) fn new(answer: &KernelAnswer, known: &Known, text: &str) -> Self {
        let mut waiting = VecDeque::new();
        for sizes in &answer.sizes {
            let sizes: BTreeMap<String, String> =
                sizes.iter().map(|(name, value)| (name.clone(), known.fill(value))).collect();
            waiting.push_back(Text { own: true, text: answer.text.clone(), sizes: sizes.clone() });
            waiting.push_back(Text { own: false, text: text.to_string(), sizes });
        }
        Self {
            waiting,
            running: None,
            expected: None,
            contents: None,
            has_comment: text.contains("launch:"),
            gpu: known.fill(&answer.gpu),
            measure: answer.measure.clone(),
            times: answer.times,
            at_most: known.formula(&answer.at_most),
            done: 0,
        }
    }

    fn begin(&mut self, text: Text) -> Running {
        let settings = CudaSettings { sizes: text.sizes, ..CudaSettings::default() };
        let mut options = settings.options();
        (options.budget, options.trace_bytes, options.array_bytes) =
            (WARP_INSTRUCTIONS, TRACE_BYTES, TRACE_BYTES as u64);
        let mut intake = Intake::default();
        intake.set_cuda(options);
        intake.keep_texts();
        intake.begin(if text.own { "exercise.cu" } else { "answer.cu" });
        intake.leave_hash();
        intake.push(text.text.as_bytes());
        intake.end();
        Running::Text(Box::new(intake), text.own)
    }

    /// Goes on to the next text. Without a launch comment the run had sizes and arrays that it assumed, so that what is wrong with
    /// them is no news. A fault in a line is.
    fn ran(&mut self, own: bool, contents: Contents) -> Result<(), Found> {
        let texts = contents.texts.iter().flat_map(|text| &text.diagnostics);
        let in_line = texts.into_iter().any(|d| d.severity == Severity::Error && d.line.is_some());
        self.compared(own, contents).map_err(|(right, mut say)| {
            if !own && !self.has_comment {
                say.truncate(usize::from(in_line));
                say.insert(0, message("kernel_no_comment", &[]));
            }
            (right, say)
        })
    }

    /// Compares the results of the two texts.
    fn compared(&mut self, own: bool, mut contents: Contents) -> Result<(), Found> {
        let Some(text) = contents.texts.pop() else { return Err((false, vec![message("kernel_no_launch", &[])])) };
        let errors: Vec<&Diagnostic> = text.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        if let Some(error) = errors.first() {
            return Err((false, vec![message("kernel_error", &[("error", error.to_string())])]));
        }
        if contents.kernels.is_empty() {
            return Err((false, vec![message("kernel_no_launch", &[])]));
        }
        if own {
            self.expected = Some(text);
            return Ok(());
        }
        if let Some(say) = self.expected.take().and_then(|expected| difference(&expected, &text)) {
            return Err((false, vec![say]));
        }
        self.contents.get_or_insert(contents);
        Ok(())
    }

    fn begin_model(&mut self) -> Result<Running, Found> {
        let contents = self.contents.take().unwrap_or_default();
        let scenario = Scenario { gpu: self.gpu.clone(), model: CacheModel::Gpu, ..Scenario::default() };
        let run = ScenarioRun::new(&scenario, &contents).map_err(|errors| (false, vec![model_error(&errors)]))?;
        Ok(Running::Model(Box::new(run)))
    }

    /// Compares the figure with what it must reach.
    fn judged(&self, report: &lab::Report) -> Found {
        let report = serde_json::to_value(report).unwrap_or_default();
        let mut sum = 0.0;
        for kernel in report["kernels"].as_array().into_iter().flatten() {
            for path in &self.measure {
                let at = path.split('.').try_fold(kernel, |at, key| at.get(key));
                let Some(number) = at.and_then(serde_json::Value::as_f64) else {
                    return (false, vec![message("no_value", &[("formula", path.clone())])]);
                };
                sum += number;
            }
        }
        let figure = sum * self.times;
        let Some(at_most) = self.at_most else {
            return (false, vec![message("no_value", &[("formula", String::new())])]);
        };
        let values = [("figure", number_text(figure)), ("most", number_text(at_most))];
        if figure <= at_most {
            (true, vec![message("kernel_reached", &values)])
        } else {
            (false, vec![message("kernel_figure", &values)])
        }
    }
}

fn model_error(errors: &[Diagnostic]) -> Say {
    message("kernel_model", &[("error", errors.first().map_or(String::new(), ToString::to_string))])
}

impl Job for KernelCheck {
    type Output = Found;

    /// A unit of `budget` is a warp instruction, or an event of the model.
    fn step(&mut self, budget: u64) -> Step<Found> {
        let running = match self.running.take() {
            Some(running) => running,
            None => match self.waiting.pop_front() {
                Some(text) => self.begin(text),
                None => match self.begin_model() {
                    Ok(running) => running,
                    Err(found) => return Step::Done(found),
                },
            },
        };
        match running {
            Running::Text(mut intake, own) => match intake.run_texts(budget) {
                Step::More(_) => self.running = Some(Running::Text(intake, own)),
                Step::Done(()) => {
                    self.done += 1;
                    if let Err(found) = self.ran(own, intake.finish()) {
                        return Step::Done(found);
                    }
                }
            },
            Running::Model(mut run) => match run.step(budget) {
                Step::More(_) => self.running = Some(Running::Model(run)),
                Step::Done(Ok(report)) => return Step::Done(self.judged(&report)),
                Step::Done(Err(errors)) => return Step::Done((false, vec![model_error(&errors)])),
            },
        }
        let total = self.done + self.waiting.len() as u64 + 2;
        Step::More(if total == 0 { NO_PROGRESS } else { Progress { done: self.done, total } })
    }
}

/// The first array whose input or result is another.
fn difference(expected: &CudaText, found: &CudaText) -> Option<Say> {
    for array in &expected.arrays {
        let name = array.name.clone();
        let Some(own) = found.arrays.iter().find(|own| own.name == name) else {
            return Some(message("kernel_array_missing", &[("array", name)]));
        };
        if own.elements != array.elements || own.element != array.element || own.before.bytes() != array.before.bytes()
        {
            return Some(message("kernel_input", &[("array", name)]));
        }
        if let Some((index, is, wanted)) = first_difference(&array.element, &array.after, &own.after) {
            let values = [("array", name), ("index", index.to_string()), ("found", is), ("expected", wanted)];
            return Some(message("kernel_differs", &values));
        }
    }
    None
}

/// The first element that differs, with what is there and what was expected.
fn first_difference(element: &str, expected: &[u8], found: &[u8]) -> Option<(usize, String, String)> {
    match element.trim_start_matches("const ").trim_end_matches(char::is_numeric) {
        "float" => numbers_differ(floats(expected), floats(found)),
        "double" => numbers_differ(doubles(expected), doubles(found)),
        _ => {
            let at = (0..expected.len().max(found.len())).find(|at| expected.get(*at) != found.get(*at))?;
            let byte = |bytes: &[u8]| bytes.get(at).map_or("-".into(), |byte| format!("byte {byte:#04x}"));
            let width = match element {
                "int" | "unsigned" | "unsigned int" => 4,
                _ => 1,
            };
            Some((at / width, byte(found), byte(expected)))
        }
    }
}

fn floats(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks_exact(4).map(|b| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]))).collect()
}

fn doubles(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap_or_default())).collect()
}

fn numbers_differ(expected: Vec<f64>, found: Vec<f64>) -> Option<(usize, String, String)> {
    let largest = expected.iter().copied().map(libm::fabs).filter(|n| n.is_finite()).fold(0.0, f64::max);
    let far = |(is, wanted): (&f64, &f64)| {
        let same = is == wanted || is.is_nan() && wanted.is_nan();
        let apart = libm::fabs(is - wanted);
        !same && (apart.is_nan() || apart > TOLERANCE * largest)
    };
    let at = found.iter().zip(&expected).position(far);
    let at = at.or_else(|| (found.len() != expected.len()).then_some(found.len().min(expected.len())))?;
    let text = |list: &[f64]| list.get(at).map_or("-".into(), |number| number_text(*number));
    Some((at, text(&found), text(&expected)))
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn sums_may_round_but_not_be_wrong() {
        let bytes = |list: &[f32]| list.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
        let (a, b, c) = (bytes(&[1.0, 100.0]), bytes(&[1.005, 100.0]), bytes(&[1.02, 100.0]));
        assert_eq!(first_difference("float", &a, &b), None);
        assert_eq!(first_difference("float", &a, &c), Some((0, "1.02".into(), "1".into())));
        assert!(first_difference("float", &a, &bytes(&[f32::NAN, 100.0])).is_some());
        let ints = |list: &[i32]| list.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
        assert_eq!(first_difference("int", &ints(&[1, 2]), &ints(&[1, 3])).map(|d| d.0), Some(1));
    }
}
