//! Right answers and foreseen wrong ones, for lecturers who check an exercise.

use crate::answer::Given;
use crate::exercise::{Answer, Exercise};
use crate::quantity::Known;
use base::sort_by;

/// An answer that is right. `None` for a locked answer, for a kernel without a solved text, and where a value is missing.
pub fn right_answer(exercise: &Exercise, known: &Known) -> Option<Given> {
    match &exercise.answer {
        Answer::Number(number) => Some(Given::Text(format!("{:?}", known.formula(&number.is)?))),
        Answer::Choice(choice) => {
            let right = |(at, option): (usize, &crate::exercise::ChoiceOption)| {
                known.formula(&option.right).filter(|right| *right != 0.0).map(|_| at)
            };
            let all: Vec<usize> = choice.options.iter().enumerate().filter_map(right).collect();
            let most = if choice.several { all.len() } else { 1 };
            (!all.is_empty()).then(|| Given::Choice(all[..most].to_vec()))
        }
        Answer::Order(items) => {
            let keys: Vec<f64> = items.iter().map(|item| known.formula(&item.key)).collect::<Option<_>>()?;
            let mut order: Vec<usize> = (0..items.len()).collect();
            sort_by(&mut order, |a, b| keys[*a].total_cmp(&keys[*b]));
            Some(Given::Order(order))
        }
        Answer::Row(row) => Some(Given::Row(known.list(&row.is).to_vec())).filter(|_| !known.list(&row.is).is_empty()),
        Answer::Kernel(kernel) => kernel.solved.clone().map(Given::Kernel),
        Answer::Locked(_) => None,
    }
}

/// The answers that the exercise foresees as wrong. One may be right under some seeds.
pub fn near_answers(exercise: &Exercise, known: &Known) -> Vec<Given> {
    match &exercise.answer {
        Answer::Number(number) => {
            let near = number.near.iter().filter_map(|near| known.formula(&near.is));
            near.map(|number| Given::Text(format!("{number:?}"))).collect()
        }
        Answer::Choice(choice) => (0..choice.options.len()).map(|at| Given::Choice(vec![at])).collect(),
        Answer::Order(_) => match right_answer(exercise, known) {
            Some(Given::Order(mut order)) => {
                order.reverse();
                vec![Given::Order(order)]
            }
            _ => Vec::new(),
        },
        Answer::Row(row) => row.near.iter().map(|(name, _)| Given::Row(known.list(name).to_vec())).collect(),
        Answer::Kernel(kernel) => vec![Given::Kernel(kernel.text.clone())],
        Answer::Locked(_) => Vec::new(),
    }
}
