//! An exercise as its file states it. `read.rs` makes it; docs/exercises.md describes the format.

use crate::formula::Formula;
use crate::quantity::Quantity;
use crate::words::Words;

/// An exercise.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The identifier in links and hand-ins: small letters, digits and `-`.
    pub id: String,
    /// 1 to 3.
    pub level: u8,
    /// SHA-256 of the file, in hexadecimal. A hand-in names it.
    pub sha256: String,
    /// The title.
    pub title: Words,
    /// What the visitor learns.
    pub goal: Words,
    /// The link of the state that the exercise begins in, a template. Its own parameters are not in it.
    pub start: Option<String>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) values: Vec<Quantity>,
    /// What to do, in order.
    pub steps: Vec<Words>,
    /// The question.
    pub question: Words,
    pub(crate) answer: Answer,
    /// Two hints, the weaker one first.
    pub hints: Vec<Words>,
    /// The explanation, a template over all values.
    pub solution: Words,
    /// A figure of one of the values.
    pub figure: Option<Figure>,
    /// What to read, by section.
    pub reading: Vec<Words>,
}

/// A figure of `plot` for the solution.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The name of a value.
    pub of: String,
    /// The figure's name, one of those that the value's kind has ([`crate::KINDS`]).
    pub kind: String,
}

/// A parameter that the seed draws.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub name: String,
    pub draw: Draw,
}

#[derive(Clone, Debug)]
pub(crate) enum Draw {
    /// One of these.
    Choose(Vec<Choice>),
    /// A whole number of steps from the first number, at most the second.
    Range { from: f64, to: f64, step: f64 },
    /// Follows from the parameters before.
    Formula(Formula),
}

#[derive(Clone, Debug)]
pub(crate) enum Choice {
    Number(f64),
    Text(String),
}

/// What the visitor has to give.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Number(NumberAnswer),
    Choice(ChoiceAnswer),
    Order(Vec<OrderItem>),
    Row(RowAnswer),
    Kernel(Box<KernelAnswer>),
    Locked(LockedAnswer),
}

#[derive(Clone, Debug)]
pub(crate) struct NumberAnswer {
    pub is: Formula,
    /// The greatest difference, as a share of the number.
    pub tolerance: f64,
    /// The greatest difference in the unit of the number. The larger of the two counts.
    pub within: f64,
    pub unit: Option<Words>,
    pub near: Vec<NearNumber>,
}

/// A wrong number that tells what was misunderstood.
#[derive(Clone, Debug)]
pub(crate) struct NearNumber {
    pub is: Formula,
    pub say: Words,
}

#[derive(Clone, Debug)]
pub(crate) struct ChoiceAnswer {
    /// More than one option may have to be chosen.
    pub several: bool,
    pub options: Vec<ChoiceOption>,
}

#[derive(Clone, Debug)]
pub(crate) struct ChoiceOption {
    pub text: Words,
    /// Not zero: this option belongs to the answer.
    pub right: Formula,
    /// Said when it is chosen although it does not.
    pub say: Words,
}

#[derive(Clone, Debug)]
pub(crate) struct OrderItem {
    pub text: Words,
    /// Items stand in ascending order of their keys. Equal keys may stand either way.
    pub key: Formula,
}

/// A row of cells, such as a row of a paper's table.
#[derive(Clone, Debug)]
pub(crate) struct RowAnswer {
    /// The name of a list among the values.
    pub is: String,
    /// A list with the labels of the cells.
    pub labels: Option<String>,
    /// Names of lists that tell what was misunderstood.
    pub near: Vec<(String, Words)>,
}

/// A kernel that has to compute the same and move less.
#[derive(Clone, Debug)]
pub(crate) struct KernelAnswer {
    /// The text that the visitor starts from, and whose results count.
    pub text: String,
    /// Sizes of the runs. The figure is taken from the first, and the results of all must be equal.
    pub sizes: Vec<Vec<(String, String)>>,
    /// The preset that the figure is measured on, a template.
    pub gpu: String,
    /// Numbers of a kernel's report, which are added, over all kernels.
    pub measure: Vec<String>,
    /// The sum is multiplied by this.
    pub times: f64,
    pub unit: Words,
    pub at_most: Formula,
    /// A text that is a right answer, by which the exercise itself is checked.
    pub solved: Option<String>,
}

/// An answer that the file holds only as salted hashes.
#[derive(Clone, Debug)]
pub(crate) struct LockedAnswer {
    /// A number is rounded to a multiple of this before it is hashed; a text has none.
    pub step: Option<f64>,
    pub salt: String,
    pub hashes: Vec<String>,
}
