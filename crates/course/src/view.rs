//! An exercise as a page or a terminal shows it: its texts filled with what the seed drew.

use crate::draw::shown_order;
use crate::exercise::{Answer, Exercise};
use crate::quantity::Known;
use crate::words::Words;
use serde::Serialize;

/// An exercise on show.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ExerciseView {
    /// The identifier.
    pub id: String,
    /// 1 to 3.
    pub level: u8,
    /// The seed of the parameters.
    pub seed: u64,
    /// The title.
    pub title: Words,
    /// What the visitor learns.
    pub goal: Words,
    /// The hash of the link of the starting state, without `#`. Null where there is none.
    pub start: Option<String>,
    /// What to do, in order.
    pub steps: Vec<Words>,
    /// The question.
    pub question: Words,
    /// What the visitor fills in.
    pub form: AnswerForm,
    /// Two hints, the weaker one first.
    pub hints: Vec<Words>,
    /// What to read, by section.
    pub reading: Vec<Words>,
    /// The name of the solution's figure. Null where there is none.
    pub figure: Option<String>,
}

/// What the visitor fills in.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum AnswerForm {
    /// A number.
    Number {
        /// Its unit.
        unit: Option<Words>,
    },
    /// One or several of these.
    Choice {
        /// Several may have to be chosen.
        several: bool,
        /// The options with their numbers in the file.
        options: Vec<(usize, Words)>,
    },
    /// All of these, in an order.
    Order {
        /// The items with their numbers in the file, in the order in which they are shown.
        items: Vec<(usize, Words)>,
    },
    /// Cells of a table.
    Row {
        /// The label of each cell.
        labels: Vec<String>,
    },
    /// A kernel.
    Kernel {
        /// The text to start from.
        text: String,
        /// The unit of the figure.
        unit: Words,
    },
    /// A text or a number whose answer the file holds only as a hash.
    Locked,
}

/// The exercise with what is known, which must have the values that its texts name.
pub fn view(exercise: &Exercise, known: &Known, seed: u64) -> ExerciseView {
    let fill = |words: &Words| words.filled(&|place| known.text(place));
    let all = |list: &[Words]| list.iter().map(fill).collect();
    ExerciseView {
        id: exercise.id.clone(),
        level: exercise.level,
        seed,
        title: fill(&exercise.title),
        goal: fill(&exercise.goal),
        start: exercise.start.as_ref().map(|start| known.fill(start)),
        steps: all(&exercise.steps),
        question: fill(&exercise.question),
        form: form(exercise, known, seed),
        hints: all(&exercise.hints),
        reading: all(&exercise.reading),
        figure: exercise.figure.as_ref().map(|figure| figure.kind.clone()),
    }
}

fn form(exercise: &Exercise, known: &Known, seed: u64) -> AnswerForm {
    let fill = |words: &Words| words.filled(&|place| known.text(place));
    let shown = |texts: Vec<&Words>| {
        let order = shown_order(texts.len(), seed).into_iter();
        order.map(|at| (at, fill(texts[at]))).collect()
    };
    match &exercise.answer {
        Answer::Number(number) => AnswerForm::Number { unit: number.unit.as_ref().map(fill) },
        Answer::Choice(choice) => {
            let options = shown(choice.options.iter().map(|option| &option.text).collect());
            AnswerForm::Choice { several: choice.several, options }
        }
        Answer::Order(items) => AnswerForm::Order { items: shown(items.iter().map(|item| &item.text).collect()) },
        Answer::Row(row) => {
            let labels = row.labels.as_ref().map(|labels| known.list(labels).to_vec());
            let numbers = || (1..=known.list(&row.is).len()).map(|number| number.to_string()).collect();
            AnswerForm::Row { labels: labels.unwrap_or_else(numbers) }
        }
        Answer::Kernel(kernel) => AnswerForm::Kernel { text: kernel.text.clone(), unit: fill(&kernel.unit) },
        Answer::Locked(_) => AnswerForm::Locked,
    }
}

/// The solution, with all values known.
pub fn solution(exercise: &Exercise, known: &Known) -> Words {
    exercise.solution.filled(&|place| known.text(place))
}
