//! The job that computes the values of an exercise one after the other.

use crate::exercise::Exercise;
use crate::quantity::input::{contents_of, refuse_failed, refuse_large, Input};
use crate::quantity::known::{Known, KnownValue};
use base::{Diagnostic, Job, Progress, Step};
use lab::{Intake, Scenario, ScenarioRun};
use serde_json::{json, Value};
use std::sync::Arc;

/// Units of progress of one value.
const UNITS: u64 = 1000;

enum Running {
    Texts(Box<Intake>, Box<Scenario>),
    Model(Box<ScenarioRun>),
}

/// Computes the values of an exercise, as many as are asked for.
pub struct ValuesRun {
    exercise: Arc<Exercise>,
    known: Known,
    at: usize,
    upto: usize,
    running: Option<Running>,
}

impl ValuesRun {
    /// Goes on from what is known: the parameters, and the first `at` values. The values before `upto` are computed.
    pub fn new(exercise: Arc<Exercise>, known: Known, at: usize, upto: usize) -> Self {
        let upto = upto.min(exercise.values.len());
        Self { exercise, known, at, upto, running: None }
    }

    fn progress(&self, part: Progress) -> Progress {
        let of = part.total.max(1);
        let part = (u128::from(part.done.min(of)) * u128::from(UNITS) / u128::from(of)) as u64;
        Progress { done: self.at as u64 * UNITS + part, total: self.upto as u64 * UNITS }
    }

    /// Takes the places of a value from what its kind computed.
    fn take(&mut self, found: &Value) -> Result<(), Vec<Diagnostic>> {
        let quantity = &self.exercise.values[self.at];
        for (name, path) in &quantity.take {
            if self.known.take(name, path, found).is_none() {
                let expected = format!("`{name}`: a number, a text or a list at `{path}`");
                let keys = found
                    .as_object()
                    .map_or(String::new(), |object| object.keys().take(12).cloned().collect::<Vec<_>>().join(", "));
                let help = "docs/exercises.md lists the places of each kind; a report has those of `warpscope cache --format json`";
                let found = format!("no such place among {keys}");
                return Err(vec![Diagnostic::error(&self.exercise.id, expected, found, help)]);
            }
        }
        self.at += 1;
        Ok(())
    }

    fn begin(&mut self) -> Result<Option<Value>, Vec<Diagnostic>> {
        let exercise = Arc::clone(&self.exercise);
        let quantity = &exercise.values[self.at];
        let input = Input { quantity, known: &self.known, exercise: &exercise.id };
        match quantity.kind.name {
            "formula" => {
                let number = input.number("is")?;
                self.known.values.insert(quantity.name.clone(), KnownValue::Number(number));
                Ok(Some(json!({})))
            }
            "report" => {
                let scenario = input.scenario()?;
                self.running = Some(Running::Texts(Box::new(contents_of(&scenario)?), Box::new(scenario)));
                Ok(None)
            }
            _ => input.computed().map(Some),
        }
    }

    /// A part of the work of a report.
    fn go_on(&mut self, running: Running, budget: u64) -> Result<Progress, Vec<Diagnostic>> {
        match running {
            Running::Texts(mut intake, scenario) => match intake.run_texts(budget) {
                Step::More(progress) => {
                    self.running = Some(Running::Texts(intake, scenario));
                    Ok(Progress { total: progress.total * 2, ..progress })
                }
                Step::Done(()) => {
                    let contents = intake.finish();
                    refuse_failed(&contents)?;
                    refuse_large(&scenario, &contents)?;
                    let run = ScenarioRun::new(&scenario, &contents)?;
                    self.running = Some(Running::Model(Box::new(run)));
                    Ok(Progress { done: 1, total: 2 })
                }
            },
            Running::Model(mut run) => match run.step(budget) {
                Step::More(progress) => {
                    self.running = Some(Running::Model(run));
                    let total = progress.total.max(1);
                    Ok(Progress { done: total + progress.done.min(total), total: total * 2 })
                }
                Step::Done(report) => {
                    let report = share::add_fingerprint(report?);
                    let value = serde_json::to_value(&report).unwrap_or_default();
                    self.known.reports.insert(self.exercise.values[self.at].name.clone(), report);
                    self.take(&value)?;
                    Ok(Progress::default())
                }
            },
        }
    }
}

impl Job for ValuesRun {
    type Output = Result<Known, Vec<Diagnostic>>;

    /// A unit of `budget` is a warp instruction, a tick or an event of a report. A value of another kind is one step.
    fn step(&mut self, budget: u64) -> Step<Self::Output> {
        if let Some(running) = self.running.take() {
            return match self.go_on(running, budget) {
                Ok(part) => Step::More(self.progress(part)),
                Err(errors) => Step::Done(Err(errors)),
            };
        }
        if self.at >= self.upto {
            return Step::Done(Ok(std::mem::take(&mut self.known)));
        }
        let begun = self.begin().and_then(|found| found.map_or(Ok(()), |found| self.take(&found)));
        match begun {
            Ok(()) => Step::More(self.progress(Progress::default())),
            Err(errors) => Step::Done(Err(errors)),
        }
    }
}
