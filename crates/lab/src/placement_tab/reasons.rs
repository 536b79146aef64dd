//! Explains why a placement is faster or slower than the trace's. For each moved array it predicts the time with that
//! array alone moved back, and forms one sentence.

use placement::{Evaluator, Memory, Placement, Prediction};

/// Returns one sentence for each array of `placement` that has another memory than in the trace.
pub(crate) fn reasons(evaluator: &mut Evaluator, placement: &Placement, with: &Prediction) -> Vec<String> {
    let sample = evaluator.sample().clone();
    let names: Vec<String> = evaluator.kernel().arrays.iter().map(|array| array.name.clone()).collect();
    let mut sentences = Vec::new();
    for (i, name) in names.iter().enumerate().filter(|(i, _)| placement[*i] != sample[*i]) {
        let mut back = placement.clone();
        back[i] = sample[i];
        let without = evaluator.predict(&back);
        sentences.push(sentence(name, sample[i], placement[i], &without, with));
    }
    sentences
}

fn sentence(name: &str, from: Memory, to: Memory, before: &Prediction, after: &Prediction) -> String {
    let change = 100.0 * (after.cycles / before.cycles - 1.0);
    let head = match change {
        c if c.abs() < 0.05 => format!("{name} in {to} instead of {from} changes nothing"),
        c if c < 0.0 => format!("{name} in {to} instead of {from} saves {:.1} %", -c),
        c => format!("{name} in {to} instead of {from} costs {c:.1} %"),
    };
    let terms = [
        ("Tcomp", before.comp, after.comp),
        ("Tmem", before.mem, after.mem),
        ("Toverlap", before.overlap, after.overlap),
    ];
    let moved = |(_, before, after): &&(&str, f64, f64)| (after - before).abs();
    let Some((term, old, new)) = terms.iter().max_by(|a, b| moved(a).total_cmp(&moved(b))).copied() else {
        return head;
    };
    if (new - old).abs() < 0.5 {
        return head;
    }
    let cause = match term {
        "Tcomp" => cause_of(&comp_causes(before, after)),
        _ => cause_of(&mem_causes(before, after)),
    };
    format!("{head}: {term} {:+.0} cycles{cause}", new - old)
}

type Cause = (&'static str, f64, f64);

fn comp_causes(before: &Prediction, after: &Prediction) -> [Cause; 3] {
    let of = |i: usize| (before.instructions[i], after.instructions[i]);
    [
        ("addressing instructions", of(1).0, of(1).1),
        ("replays", of(2).0, of(2).1),
        ("instructions of copies", of(3).0, of(3).1),
    ]
}

fn mem_causes(before: &Prediction, after: &Prediction) -> [Cause; 5] {
    let count = |get: fn(&Prediction) -> u64| (get(before) as f64, get(after) as f64);
    let (requests, misses) = (count(|p| p.traffic.requests.iter().sum()), count(|p| p.traffic.l2_misses));
    let (l2, conflicts) = (count(|p| p.traffic.l2_sectors), count(|p| p.banks.rows.conflicts));
    [
        ("L2 misses", misses.0, misses.1),
        ("requests", requests.0, requests.1),
        ("sectors asked of the L2", l2.0, l2.1),
        ("row conflicts", conflicts.0, conflicts.1),
        ("warps per SM", before.warps, after.warps),
    ]
}

/// Names the count with the largest relative change.
fn cause_of(causes: &[Cause]) -> String {
    let share = |(_, before, after): &&Cause| (after - before).abs() / before.abs().max(after.abs()).max(1.0);
    match causes.iter().max_by(|a, b| share(a).total_cmp(&share(b))) {
        Some((what, before, after)) if (after - before).abs() >= 0.5 => {
            format!(" ({what}: {before:.0} → {after:.0})")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_term_that_moved_most_is_named_with_its_cause() {
        let before = Prediction { cycles: 1000.0, comp: 300.0, mem: 900.0, overlap: 200.0, ..Prediction::default() };
        let mut after = Prediction { cycles: 800.0, comp: 310.0, mem: 690.0, ..before.clone() };
        after.traffic.l2_misses = 0;
        let mut before = before;
        before.traffic.l2_misses = 64;
        assert_eq!(
            sentence("A", Memory::Global, Memory::Texture1d, &before, &after),
            "A in texture1d instead of global saves 20.0 %: Tmem -210 cycles (L2 misses: 64 → 0)"
        );
        assert_eq!(
            sentence("A", Memory::Global, Memory::Shared, &before, &before),
            "A in shared instead of global changes nothing"
        );
    }
}
