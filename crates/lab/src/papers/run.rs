//! Runs a row in steps and judges its values.

use super::report::{PaperResult, Verdict};
use super::row::{Claim, PaperRow, PaperValues, PaperWork};
use super::value::PaperValue;
use base::{Job, Progress, Step};

/// The run of one row.
pub struct PaperRun {
    row: PaperRow,
    stage: Stage,
}

enum Stage {
    /// The values of the parts before this one.
    Parts(usize, Vec<PaperValue>),
    Steps(Box<dyn Job<Output = PaperValues>>),
}

impl PaperRun {
    /// Makes the run of a row.
    pub fn new(row: &PaperRow) -> Self {
        let stage = match row.work {
            PaperWork::Steps(begin) => Stage::Steps(begin()),
            PaperWork::Nothing | PaperWork::Parts(..) => Stage::Parts(0, Vec::new()),
        };
        Self { row: *row, stage }
    }

    /// Runs the next part. Gives the values after the last one.
    fn step_part(&mut self) -> Step<PaperValues> {
        let Stage::Parts(next, values) = &mut self.stage else { return Step::Done(Ok(Vec::new())) };
        let PaperWork::Parts(parts, compute) = self.row.work else { return Step::Done(Ok(Vec::new())) };
        if *next < parts {
            match compute(*next) {
                Ok(more) => values.extend(more),
                Err(why) => return Step::Done(Err(why)),
            }
            *next += 1;
        }
        if *next < parts {
            return Step::More(Progress { done: *next as u64, total: parts as u64 });
        }
        Step::Done(Ok(std::mem::take(values)))
    }
}

impl Job for PaperRun {
    type Output = PaperResult;

    /// A unit of work is one of the row's own job. A part is a step, whatever the budget.
    fn step(&mut self, budget: u64) -> Step<PaperResult> {
        let step = match &mut self.stage {
            Stage::Steps(job) => job.step(budget),
            Stage::Parts(..) => self.step_part(),
        };
        match step {
            Step::More(progress) => Step::More(progress),
            Step::Done(values) => Step::Done(judge(&self.row, values)),
        }
    }
}

/// Compares what was found with what is claimed.
fn judge(row: &PaperRow, values: PaperValues) -> PaperResult {
    let (values, failure) = match values {
        Ok(values) => (values, None),
        Err(why) => (Vec::new(), Some(why)),
    };
    let compared = || values.iter().filter_map(|value| value.equal);
    let all_equal = compared().next().is_some() && compared().all(|equal| equal);
    let worst = values.iter().filter_map(|value| value.difference).max_by(|a, b| a.abs().total_cmp(&b.abs()));
    // Texts that differ have no size, so no bound allows them.
    let texts_differ = values.iter().any(|value| value.equal == Some(false) && value.difference.is_none());
    let (bound, because, known) = match row.claim {
        Claim::Exact => (Some(0.0), "", false),
        Claim::Within { bound, because } => (Some(bound), because, false),
        Claim::Beyond { bound, because } => (Some(bound), because, true),
        Claim::Cannot(because) => (None, because, false),
    };
    let beyond = bound.is_some_and(|bound| texts_differ || worst.is_some_and(|worst| worst.abs() > bound));
    let red = failure.is_some() || beyond || bound.is_some() && compared().next().is_none();
    let verdict = match row.claim {
        _ if failure.is_some() => Verdict::Failed,
        Claim::Cannot(_) => Verdict::Cannot,
        _ if all_equal => Verdict::Exact,
        _ => Verdict::Differs,
    };
    PaperResult {
        id: row.id.into(),
        paper: row.paper.key().into(),
        item: row.item.into(),
        what: row.what.into(),
        unit: row.unit.into(),
        origin: row.origin.key().into(),
        values,
        worst,
        bound,
        verdict,
        red,
        expected: red == known,
        because: failure.unwrap_or_else(|| because.into()),
        link: None,
    }
}

#[cfg(test)]
mod tests {
    use super::{judge, PaperRun};
    use crate::papers::report::Verdict;
    use crate::papers::row::{Claim, Origin, Paper, PaperRow, PaperWork};
    use crate::papers::value::PaperValue;
    use base::{Job, Step};

    fn row(claim: Claim) -> PaperRow {
        PaperRow { claim, origin: Origin::Hardware, ..PaperRow::cannot("x.y", Paper::Hpca14, "Table 9", "what", "why") }
    }

    #[test]
    fn a_row_is_red_beyond_its_bound_and_as_expected_where_that_is_said() {
        let off = |by: f64| Ok(vec![PaperValue::number("", 10.0, 10.0, 1), PaperValue::number("", 10.0, 10.0 + by, 1)]);
        let because = "why";
        let check = |claim, values, expected: (Verdict, bool, bool)| {
            let result = judge(&row(claim), values);
            assert_eq!((result.verdict, result.red, result.expected), expected, "{claim:?}");
        };
        check(Claim::Exact, off(0.0), (Verdict::Exact, false, true));
        check(Claim::Exact, off(0.2), (Verdict::Differs, true, false));
        check(Claim::Within { bound: 1.0, because }, off(-1.0), (Verdict::Differs, false, true));
        check(Claim::Within { bound: 1.0, because }, off(1.5), (Verdict::Differs, true, false));
        check(Claim::Beyond { bound: 1.0, because }, off(-1.5), (Verdict::Differs, true, true));
        check(Claim::Beyond { bound: 1.0, because }, off(0.5), (Verdict::Differs, false, false));
        check(Claim::Cannot(because), off(5.0), (Verdict::Cannot, false, true));
        check(Claim::Exact, Err("no".into()), (Verdict::Failed, true, false));
        // A text that differs has no size that a bound could allow, and nothing to compare is no agreement.
        check(
            Claim::Within { bound: 9.0, because },
            Ok(vec![PaperValue::text("", "a", "b")]),
            (Verdict::Differs, true, false),
        );
        check(Claim::Exact, Ok(vec![PaperValue::ours("", "1")]), (Verdict::Differs, true, false));
    }

    #[test]
    fn parts_are_steps_and_the_first_failure_ends_the_row() {
        let parts = |at: usize| match at {
            2 => Err("the third part".into()),
            at => Ok(vec![PaperValue::text("", "1", at.to_string())]),
        };
        let mut run = PaperRun::new(&PaperRow { work: PaperWork::Parts(2, parts), ..row(Claim::Exact) });
        assert!(matches!(run.step(1), Step::More(now) if (now.done, now.total) == (1, 2)));
        assert!(matches!(run.step(1), Step::Done(result) if result.values.len() == 2));
        let failed = PaperRun::new(&PaperRow { work: PaperWork::Parts(9, parts), ..row(Claim::Exact) }).finish();
        assert_eq!((failed.verdict, failed.because.as_str()), (Verdict::Failed, "the third part"));
    }
}
