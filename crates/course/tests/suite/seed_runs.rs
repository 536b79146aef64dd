//! What must hold under any seed: for an exercise, a hidden GPU and a hidden memory. The gate tries some seeds, the campaign
//! (`examples/seeds.rs`, by `npm run campaign`) 10,000.

use base::Job;
use course::{draw, right_answer, solution, view, Exercise, KnownValue};
use lab::{dram_map, DiscoverRun, HiddenGpu};
use std::sync::Arc;

/// What an exercise draws, as text. Seeds with equal texts have equal values, because no exercise of the course uses the seed
/// itself.
pub fn drawn(exercise: &Exercise, seed: u64) -> String {
    let known = draw(exercise, seed);
    let pairs = known.values.iter().filter(|(name, _)| *name != "seed");
    pairs.map(|(name, value)| format!("{name}={value:?} ")).collect()
}

/// The values can be computed, no text keeps a place, and the right answer passes.
pub fn exercise_holds(exercise: &Arc<Exercise>, seed: u64) -> Result<(), String> {
    let known = exercise.known(seed).map_err(|errors| errors[0].to_string())?;
    if let Some((name, _)) = known.values.iter().find(|(_, value)| matches!(value, KnownValue::Number(n) if n.is_nan()))
    {
        return Err(format!("`{name}` is no number"));
    }
    let shown = view(exercise, &known, seed);
    let solved = solution(exercise, &known);
    let texts = [&shown.title, &shown.goal, &solved].into_iter().chain(&shown.steps).chain(&shown.hints);
    for text in texts.flat_map(|words| words.0.values()) {
        if text.trim().is_empty() || text.contains("NaN") {
            return Err(format!("a text without a number: {text}"));
        }
    }
    let known = Arc::new(known);
    let answer = right_answer(exercise, &known).ok_or("no answer is known")?;
    let verdict = exercise.check(&known, seed, answer.clone()).map_err(|errors| errors[0].to_string())?;
    verdict.right.then_some(()).ok_or_else(|| format!("{answer:?} is refused: {:?}", verdict.say))
}

/// A hidden GPU is measured to the end, and more than half of its facts are found. Gives how many.
pub fn hidden_gpu_holds(seed: u64) -> Result<(u32, u32), String> {
    let hidden = HiddenGpu { seed, ..HiddenGpu::default() };
    let report = DiscoverRun::new(&hidden).map_err(|errors| errors[0].to_string())?.finish();
    if report.truth.caches.is_empty() {
        return Err("a GPU without caches".into());
    }
    let (right, of) = (report.score.right, report.score.of);
    if right <= of / 2 {
        return Err(format!("{right} of {of} facts are found"));
    }
    Ok((right, of))
}

/// A hidden memory has bits of each kind, none twice, and the probe finds its mapping or says another. Gives whether it was
/// found.
pub fn hidden_memory_holds(seed: u64, hashed: bool) -> Result<bool, String> {
    let report = dram_map(seed, hashed);
    let truth = &report.truth;
    if truth.column.is_empty() || truth.bank.is_empty() || truth.row.is_empty() {
        return Err(format!("a kind without bits: {truth:?}"));
    }
    Ok(report.right[1])
}
