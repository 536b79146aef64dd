//! The random generator of the project. ChaCha8 gives the same numbers on every machine, natively and in wasm.

use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A seeded generator of random numbers (ChaCha8).
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The first stream of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Stream `stream` of `seed`. Each part of a job takes its own stream, so that a change of one part does not change
    /// the numbers of the others.
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Self(rng)
    }

    /// 64 uniform bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number in `0..bound`, or 0 when `bound` is 0. It always takes one number of the generator and has a
    /// bias of `bound` / 2^64. `rand` would draw a second number to remove the bias, and stored links would give other
    /// results.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// A uniform number in [0, 1) with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        self.random()
    }

    /// A standard normal number by the polar method. `libm` makes it equal on every target. `rand_distr` uses another
    /// method and gives other numbers.
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

/// With this the distributions of `rand` can draw from the generator.
impl RngCore for Random {
    fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
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
    fn a_unit_is_the_upper_53_bits() {
        let (mut bits, mut units) = (Random::new(3), Random::new(3));
        for _ in 0..1000 {
            assert_eq!(units.unit(), (bits.bits() >> 11) as f64 / (1u64 << 53) as f64);
        }
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
