//! Runs long work, and says on stderr how much time is left.

use base::{Job, Progress, Step};
use std::time::{Duration, Instant};

/// Before this time nothing is said: the speed is not known, and most runs have ended.
const FIRST: Duration = Duration::from_secs(2);
/// The time between two messages.
const EVERY: Duration = Duration::from_secs(20);
/// A run that takes less in all needs no message.
const SHORT: Duration = Duration::from_secs(10);
/// A step of this length costs nothing that a person notices, and lets a message come in time.
const STEP: Duration = Duration::from_millis(50);

/// Runs a job to its end.
pub fn finish<J: Job>(mut job: J) -> J::Output {
    let mut told = TimeLeft::new();
    loop {
        match job.step(told.budget) {
            Step::Done(output) => return output,
            Step::More(progress) => told.after_step(progress),
        }
    }
}

/// What a run took so far, and when the next message is due.
pub struct TimeLeft {
    /// Units of work for the next step.
    pub budget: u64,
    began: Instant,
    step_began: Instant,
    due: Duration,
}

impl TimeLeft {
    pub fn new() -> Self {
        let now = Instant::now();
        Self { budget: 1 << 12, began: now, step_began: now, due: FIRST }
    }

    /// Adapts the next step to the time that the last one took, and prints a message if one is due.
    pub fn after_step(&mut self, progress: Progress) {
        let now = Instant::now();
        let took = now - self.step_began;
        self.step_began = now;
        self.budget = match took {
            short if short < STEP / 2 => self.budget.saturating_mul(2),
            long if long > STEP * 2 => (self.budget / 2).max(1),
            _ => self.budget,
        };
        let elapsed = now - self.began;
        if elapsed < self.due {
            return;
        }
        self.due = elapsed + EVERY;
        if let Some(text) = message(elapsed, progress) {
            eprintln!("{text}");
        }
    }
}

/// The message for a run that has taken `elapsed`, or nothing if it is short or the rest cannot be told.
fn message(elapsed: Duration, Progress { done, total }: Progress) -> Option<String> {
    if done == 0 || done >= total {
        return None;
    }
    let share = done as f64 / total as f64;
    let whole = elapsed.as_secs_f64() / share;
    if whole <= SHORT.as_secs_f64() {
        return None;
    }
    let left = whole - elapsed.as_secs_f64();
    let time = if left < 90.0 { format!("{left:.0} s") } else { format!("{:.0} min", left / 60.0) };
    Some(format!("about {time} left; {:.0} % is done", 100.0 * share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_more_than_ten_seconds_says_how_long() {
        let at = |seconds, done, total| message(Duration::from_secs(seconds), Progress { done, total });
        assert_eq!(at(2, 10, 100).as_deref(), Some("about 18 s left; 10 % is done"));
        assert_eq!(at(2, 1, 1000).as_deref(), Some("about 33 min left; 0 % is done"));
        assert_eq!(at(2, 50, 100), None, "four seconds in all");
        assert_eq!(at(2, 0, 100), None, "no speed yet");
        assert_eq!(at(2, 100, 100), None);
    }

    /// Counts to its number, one unit at a time.
    struct Count(u64, u64);

    impl Job for Count {
        type Output = u64;

        fn step(&mut self, budget: u64) -> Step<u64> {
            self.0 = self.0.saturating_add(budget).min(self.1);
            if self.0 == self.1 {
                return Step::Done(self.0);
            }
            Step::More(Progress { done: self.0, total: self.1 })
        }
    }

    #[test]
    fn a_job_runs_to_its_end() {
        assert_eq!(finish(Count(0, 1_000_000)), 1_000_000);
    }
}
