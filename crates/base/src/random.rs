//! The one random generator: ChaCha8 with a seed. It gives the same numbers on every machine, natively and in wasm.

use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

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

    /// Uniform in `0..bound`; 0 when `bound` is 0. `rand` would draw a second number where this has a bias of `bound` / 2^64,
    /// and stored links would give other results.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// Uniform in [0, 1), 53 bits.
    pub fn unit(&mut self) -> f64 {
        self.random()
    }

    /// Standard normal by the polar method. `libm` keeps it equal on every target. `rand_distr` has another method, with other
    /// numbers.
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

/// The distributions of `rand` draw from it too.
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
