//! Long work in steps, and the one seeded random generator.
//!
//! A [`Job`] does a bounded amount of work per step, so that a worker can report true progress and stop between steps.
//! [`Random`] is the project's only source of chance: ChaCha8 with a seed, the same numbers on every machine for ever.

use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How far a job has come, in the job's own unit of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Units done.
    pub done: u64,
    /// Units in all, as far as known now.
    pub total: u64,
}

/// What one step yields.
#[derive(Debug)]
pub enum Step<T> {
    /// Not finished yet.
    More(Progress),
    /// Finished; the job must not be stepped again.
    Done(T),
}

/// Work that can be done in bounded steps.
pub trait Job {
    /// What comes out at the end.
    type Output;

    /// Does about `budget` units of work.
    fn step(&mut self, budget: u64) -> Step<Self::Output>;

    /// Runs to the end, for callers that need no progress.
    fn finish(mut self) -> Self::Output
    where
        Self: Sized,
    {
        loop {
            if let Step::Done(output) = self.step(u64::MAX) {
                return output;
            }
        }
    }
}

/// Seeded random numbers (ChaCha8), equal natively and in wasm.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The generator of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A generator of its own for one part of a job, so that parts do not disturb each other's draws.
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Self(rng)
    }

    /// 64 uniform bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in `0..bound`; 0 when `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// Uniform in [0, 1), 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Standard normal by the polar method. `libm` keeps it equal on every target.
    pub fn normal(&mut self) -> f64 {
        loop {
            let x = 2.0 * self.unit() - 1.0;
            let y = 2.0 * self.unit() - 1.0;
            let r2 = x * x + y * y;
            if r2 > 0.0 && r2 <= 1.0 {
                return y * libm::sqrt(-2.0 * libm::log(r2) / r2);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_never_changes() {
        let mut random = Random::new(1);
        let drawn: Vec<u64> = (0..3).map(|_| random.below(1000)).collect();
        assert_eq!(drawn, [402, 80, 596], "a change here breaks every stored link");
    }

    #[test]
    fn normal_has_mean_zero_and_variance_one() {
        let mut random = Random::new(7);
        let n = 100_000;
        let (sum, squares) = (0..n).map(|_| random.normal()).fold((0.0, 0.0), |(s, q), x| (s + x, q + x * x));
        assert!((sum / n as f64).abs() < 0.02, "{}", sum / n as f64);
        assert!((squares / n as f64 - 1.0).abs() < 0.02, "{}", squares / n as f64);
    }
}
