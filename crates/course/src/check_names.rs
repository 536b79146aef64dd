//! Checks that all names in an exercise are known where they stand.

use crate::exercise::{Answer, Draw, Exercise};
use crate::formula::Formula;
use crate::json::Fault;
use crate::quantity::{place_parts, Quantity};
use crate::words::{places, Words};
use std::collections::BTreeSet;

struct Names<'e> {
    known: BTreeSet<&'e str>,
    faults: Vec<Fault>,
}

impl<'e> Names<'e> {
    fn fault(&mut self, path: &str, name: &str) {
        let known = self.known.iter().copied().collect::<Vec<_>>().join(", ");
        let expected = format!("a name that is known here: {known}");
        self.faults.push(Fault { path: path.into(), expected, found: base::excerpt(name.as_bytes()) });
    }

    fn formula(&mut self, path: &str, formula: &Formula) {
        let unknown: Vec<&str> = formula.names().into_iter().filter(|name| !self.known.contains(name)).collect();
        unknown.into_iter().for_each(|name| self.fault(path, name));
    }

    fn template(&mut self, path: &str, text: &str) {
        let unknown = places(text).into_iter().filter(|place| !self.known.contains(place_parts(place).0));
        let unknown: Vec<&str> = unknown.collect();
        unknown.into_iter().for_each(|name| self.fault(path, name));
    }

    fn words(&mut self, path: &str, words: &Words) {
        words.0.iter().for_each(|(language, text)| self.template(&format!("{path}.{language}"), text));
    }

    fn define(&mut self, path: &str, name: &'e str) {
        if !self.known.insert(name) {
            let expected = "a name that nothing before it has".into();
            self.faults.push(Fault { path: path.into(), expected, found: base::excerpt(name.as_bytes()) });
        }
    }

    fn list(&mut self, path: &str, name: &'e str) {
        if !self.known.contains(name) {
            self.fault(path, name);
        }
    }

    fn quantity(&mut self, path: &str, quantity: &'e Quantity) {
        quantity.numbers.iter().for_each(|(input, formula)| self.formula(&format!("{path}.{input}"), formula));
        quantity.texts.iter().for_each(|(input, text)| self.template(&format!("{path}.{input}"), text));
        if quantity.kind.name == "formula" {
            self.define(path, &quantity.name);
        }
        quantity.take.keys().for_each(|name| self.define(&format!("{path}.take"), name));
    }

    fn answer(&mut self, answer: &'e Answer) {
        match answer {
            Answer::Number(number) => {
                self.formula("answer.is", &number.is);
                number.unit.iter().for_each(|unit| self.words("answer.unit", unit));
                for (i, near) in number.near.iter().enumerate() {
                    self.formula(&format!("answer.near[{i}].is"), &near.is);
                    self.words(&format!("answer.near[{i}].say"), &near.say);
                }
            }
            Answer::Choice(choice) => {
                for (i, option) in choice.options.iter().enumerate() {
                    self.formula(&format!("answer.options[{i}].right"), &option.right);
                    self.words(&format!("answer.options[{i}].text"), &option.text);
                    self.words(&format!("answer.options[{i}].say"), &option.say);
                }
            }
            Answer::Order(items) => {
                for (i, item) in items.iter().enumerate() {
                    self.formula(&format!("answer.items[{i}].key"), &item.key);
                    self.words(&format!("answer.items[{i}].text"), &item.text);
                }
            }
            Answer::Row(row) => {
                self.list("answer.is", &row.is);
                row.labels.iter().for_each(|labels| self.list("answer.labels", labels));
                row.near.iter().for_each(|(name, say)| {
                    self.list("answer.near", name);
                    self.words("answer.near", say);
                });
            }
            Answer::Kernel(kernel) => {
                self.template("answer.gpu", &kernel.gpu);
                kernel.sizes.iter().flatten().for_each(|(_, size)| self.template("answer.sizes", size));
                self.formula("answer.at_most", &kernel.at_most);
                self.words("answer.unit", &kernel.unit);
            }
            Answer::Locked(_) => {}
        }
    }
}

/// All flaws of the names of an exercise.
pub fn faults(exercise: &Exercise) -> Vec<Fault> {
    let mut names = Names { known: BTreeSet::from(["seed"]), faults: Vec::new() };
    for (i, parameter) in exercise.parameters.iter().enumerate() {
        let path = format!("parameters[{i}]");
        if let Draw::Formula(formula) = &parameter.draw {
            names.formula(&path, formula);
        }
        names.define(&path, &parameter.name);
    }
    // The starting state is opened before any value is computed.
    exercise.start.iter().for_each(|start| names.template("start", start));
    for (i, quantity) in exercise.values.iter().enumerate() {
        names.quantity(&format!("values[{i}]"), quantity);
    }
    for (path, words) in [
        ("title", &exercise.title),
        ("goal", &exercise.goal),
        ("question", &exercise.question),
        ("solution", &exercise.solution),
    ] {
        names.words(path, words);
    }
    for (path, list) in [("steps", &exercise.steps), ("hints", &exercise.hints), ("reading", &exercise.reading)] {
        list.iter().enumerate().for_each(|(i, words)| names.words(&format!("{path}[{i}]"), words));
    }
    names.answer(&exercise.answer);
    if let Some(figure) = &exercise.figure {
        let of: Vec<&Quantity> = exercise.values.iter().filter(|value| value.name == figure.of).collect();
        if exercise.figure_value(figure).is_none() {
            let figures: Vec<&str> = of.iter().flat_map(|value| value.kind.figures).copied().collect();
            let (path, expected, found) = match of.is_empty() {
                true => ("figure.of", "the name of a value".into(), &figure.of),
                false => ("figure.kind", format!("a figure of that value: {}", figures.join(", ")), &figure.kind),
            };
            names.faults.push(Fault { path: path.into(), expected, found: base::excerpt(found.as_bytes()) });
        }
    }
    names.faults
}

/// How many of the values the texts before the answer need: those on show must be known when the exercise opens.
pub fn needed_for_view(exercise: &Exercise) -> usize {
    let mut texts: Vec<&str> = Vec::new();
    let all = [&exercise.title, &exercise.goal, &exercise.question].into_iter();
    let all = all.chain(&exercise.steps).chain(&exercise.hints).chain(&exercise.reading);
    let answer: Vec<&Words> = match &exercise.answer {
        Answer::Number(number) => number.unit.iter().collect(),
        Answer::Choice(choice) => choice.options.iter().map(|option| &option.text).collect(),
        Answer::Order(items) => items.iter().map(|item| &item.text).collect(),
        _ => Vec::new(),
    };
    all.chain(answer).for_each(|words| texts.extend(words.0.values().map(String::as_str)));
    let mut wanted: BTreeSet<&str> = texts.into_iter().flat_map(places).map(|place| place_parts(place).0).collect();
    if let Answer::Row(row) = &exercise.answer {
        wanted.insert(row.labels.as_deref().unwrap_or(&row.is));
    }
    let gives = |quantity: &Quantity| {
        wanted.contains(quantity.name.as_str()) || quantity.take.keys().any(|name| wanted.contains(name.as_str()))
    };
    exercise.values.iter().rposition(gives).map_or(0, |last| last + 1)
}
