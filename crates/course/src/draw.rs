//! Draws the parameters of an exercise from a seed.

use crate::exercise::{Choice, Draw, Exercise};
use crate::quantity::{Known, KnownValue};
use base::Random;
use sha2::{Digest, Sha256};

/// The parameters under a seed. Each exercise draws from a stream of its own, and each parameter takes one number, so that an
/// added parameter changes none before it. The seed itself is the parameter `seed`.
pub fn draw(exercise: &Exercise, seed: u64) -> Known {
    let hash = Sha256::digest(exercise.id.as_bytes());
    let stream = hash.iter().take(8).fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
    let mut random = Random::stream(seed, stream);
    let mut known = Known::default();
    known.values.insert("seed".into(), KnownValue::Number(seed as f64));
    for parameter in &exercise.parameters {
        let value = match &parameter.draw {
            Draw::Choose(choices) => match &choices[random.below(choices.len() as u64) as usize] {
                Choice::Number(number) => KnownValue::Number(*number),
                Choice::Text(text) => KnownValue::Text(text.clone()),
            },
            Draw::Range { from, to, step } => {
                let steps = libm::floor((to - from) / step) as u64 + 1;
                KnownValue::Number(from + step * random.below(steps) as f64)
            }
            Draw::Formula(formula) => KnownValue::Number(known.formula(formula).unwrap_or(0.0)),
        };
        known.values.insert(parameter.name.clone(), value);
    }
    known
}

/// The order in which items are shown: drawn too, so that the file's own order tells nothing.
pub fn shown_order(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut random = Random::stream(seed, 1);
    for i in (1..count).rev() {
        order.swap(i, random.below(i as u64 + 1) as usize);
    }
    order
}
