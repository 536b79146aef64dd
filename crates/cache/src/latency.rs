//! Random latencies of misses, λ_min + |round(N(0, σ))| (HPCA'14 section 4.2), from one of two generators.

use base::Random;
use rand_mt::Mt;

/// The half-normal latency. The cut at the maximum bounds the length of the event queues.
fn half_normal(latency: u64, sigma: f64, normal: f64) -> u64 {
    let spread = (normal * sigma).round().abs();
    latency + (spread as u64).min(crate::Params::MAX_LATENCY)
}

/// Latencies of the model `paper`, from the project's generator with one stream per core.
pub(super) struct LatencyDraws {
    random: Random,
    latency: u64,
    sigma: f64,
}

impl LatencyDraws {
    pub fn new(seed: u64, core: u32, latency: u64, sigma: f64) -> Self {
        Self { random: Random::stream(seed, u64::from(core)), latency, sigma }
    }

    #[inline]
    pub fn next_latency(&mut self) -> u64 {
        if self.sigma == 0.0 {
            return self.latency;
        }
        half_normal(self.latency, self.sigma, self.random.normal())
    }
}

/// Latencies of the model `reference`. They come from MT19937 and the polar method, as in the standard library that
/// the authors' program uses.
pub(super) struct ProgramLatencyDraws {
    twister: Mt,
    saved: Option<f64>,
    latency: u64,
    sigma: f64,
}

impl ProgramLatencyDraws {
    pub fn new(seed: u64, latency: u64, sigma: f64) -> Self {
        Self { twister: Mt::new(seed as u32), saved: None, latency, sigma }
    }

    /// A uniform number in [-1, 1) from two 32-bit draws, the low half first.
    fn symmetric(&mut self) -> f64 {
        const TWO_32: f64 = 4_294_967_296.0;
        let low = f64::from(self.twister.next_u32());
        let high = f64::from(self.twister.next_u32());
        2.0 * ((low + high * TWO_32) / (TWO_32 * TWO_32)) - 1.0
    }

    fn normal(&mut self) -> f64 {
        if let Some(saved) = self.saved.take() {
            return saved;
        }
        loop {
            let x = self.symmetric();
            let y = self.symmetric();
            let r2 = x * x + y * y;
            if r2 <= 1.0 && r2 != 0.0 {
                let scale = libm::sqrt(-2.0 * libm::log(r2) / r2);
                self.saved = Some(x * scale);
                return y * scale;
            }
        }
    }

    #[inline]
    pub fn next_latency(&mut self) -> u64 {
        if self.sigma == 0.0 {
            return self.latency;
        }
        let normal = self.normal();
        half_normal(self.latency, self.sigma, normal)
    }
}
