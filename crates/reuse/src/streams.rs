//! Synthetic streams with known behaviour, for tests and comparisons of the engines.
//!
//! In: a pattern, a number of lines and a seed. Out: line numbers below the bound, the same natively and in wasm.

use base::Random;

/// The pattern of a synthetic stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern {
    /// All lines are equally likely.
    Uniform,
    /// The k-th most popular line has a probability proportional to `k^-exponent`. The popular lines are at random
    /// positions.
    Zipf {
        /// The exponent, at least 0.
        exponent: f64,
    },
    /// All lines in order, repeated.
    Loop,
    /// The loads of a, b and c in `c[i][j] += a[i][k] * b[k][j]`, for square matrices of 8-byte numbers on 64-byte
    /// lines.
    Matmul,
    /// Phases over a random window of lines. A phase is uniform, walks the window in order, or is Zipf.
    Phased,
}

impl Pattern {
    /// The pattern with this name: `uniform`, `zipf` (with `exponent`), `loop`, `matmul` or `phased`.
    pub fn from_name(name: &str, exponent: f64) -> Option<Self> {
        Some(match name {
            "uniform" => Pattern::Uniform,
            "zipf" => Pattern::Zipf { exponent },
            "loop" => Pattern::Loop,
            "matmul" => Pattern::Matmul,
            "phased" => Pattern::Phased,
            _ => return None,
        })
    }
}

/// Bytes of a matrix element and of a line in [`Pattern::Matmul`].
const ELEMENT: u64 = 8;
const LINE: u64 = 64;
/// Most accesses of a phase of [`Pattern::Phased`].
const LONGEST_PHASE: u64 = 1 << 18;

/// An endless stream of one pattern.
#[derive(Clone, Debug)]
pub struct SyntheticStream {
    random: Random,
    lines: u64,
    pattern: Pattern,
    zipf: Option<Zipf>,
    /// Number of accesses so far, or of those in the phase for [`Pattern::Phased`].
    at: u64,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, Default)]
struct Phase {
    kind: u64,
    length: u64,
    first: u64,
    window: u64,
}

impl SyntheticStream {
    /// The stream of a seed, with lines below `lines`, at least 1. Zipf takes 12 bytes per line.
    pub fn new(pattern: Pattern, lines: u64, seed: u64) -> Self {
        let lines = lines.max(1);
        let mut random = Random::new(seed);
        let zipf = match pattern {
            Pattern::Zipf { exponent } => Some(Zipf::new(lines, exponent, &mut random)),
            Pattern::Phased => Some(Zipf::new(lines.min(1 << 16), 1.0, &mut random)),
            _ => None,
        };
        Self { random, lines, pattern, zipf, at: 0, phase: Phase::default() }
    }

    /// Fills `out` with the next accesses.
    pub fn fill(&mut self, out: &mut [u64]) {
        out.iter_mut().for_each(|line| *line = self.draw());
    }

    /// The line of the next access.
    pub fn draw(&mut self) -> u64 {
        let at = self.at;
        self.at += 1;
        match self.pattern {
            Pattern::Uniform => self.random.below(self.lines),
            Pattern::Zipf { .. } => self.zipf.as_ref().map_or(0, |zipf| zipf.draw(&mut self.random)),
            Pattern::Loop => at % self.lines,
            Pattern::Matmul => matmul(at, self.lines),
            Pattern::Phased => self.phased(at),
        }
    }

    fn phased(&mut self, mut at: u64) -> u64 {
        if at >= self.phase.length {
            let window = 1 + self.random.below(self.lines);
            let first = self.random.below(self.lines - window + 1);
            let length = 1 + self.random.below(LONGEST_PHASE);
            self.phase = Phase { kind: self.random.below(3), length, first, window };
            (at, self.at) = (0, 1);
        }
        let Phase { kind, first, window, .. } = self.phase;
        first
            + match kind {
                0 => self.random.below(window),
                1 => at % window,
                _ => self.zipf.as_ref().map_or(0, |zipf| zipf.draw(&mut self.random)) % window,
            }
    }
}

/// The line of the `at`-th load of the product of square matrices, the largest that fit in `lines`.
fn matmul(at: u64, lines: u64) -> u64 {
    let side = (libm::sqrt((lines * LINE) as f64 / (3 * ELEMENT) as f64) as u64).max(1);
    let (step, operand) = (at / 3, at % 3);
    let (i, j, k) = (step / (side * side) % side, step / side % side, step % side);
    let element = match operand {
        0 => i * side + k,
        1 => side * side + k * side + j,
        _ => 2 * side * side + i * side + j,
    };
    element * ELEMENT / LINE
}

/// A Zipf distribution. The alias method (Walker 1977) needs one uniform number per draw.
#[derive(Clone, Debug)]
struct Zipf {
    /// The share of each column that belongs to its own line, in units of 2^-32.
    own: Vec<u32>,
    alias: Vec<u32>,
    line: Vec<u32>,
}

impl Zipf {
    fn new(lines: u64, exponent: f64, random: &mut Random) -> Self {
        let n = lines.min(u64::from(u32::MAX)) as usize;
        let weights: Vec<f64> = (1..=n).map(|k| libm::pow(k as f64, -exponent)).collect();
        let mean = weights.iter().sum::<f64>() / n as f64;
        let mut share: Vec<f64> = weights.iter().map(|w| w / mean).collect();
        let (mut own, mut alias) = (vec![u32::MAX; n], (0..n as u32).collect::<Vec<_>>());
        let (mut small, mut large): (Vec<u32>, Vec<u32>) = (0..n as u32).partition(|&k| share[k as usize] < 1.0);
        while let (Some(&donor), Some(column)) = (large.last(), small.pop()) {
            own[column as usize] = (share[column as usize] * 4_294_967_296.0) as u32;
            alias[column as usize] = donor;
            share[donor as usize] -= 1.0 - share[column as usize];
            if share[donor as usize] < 1.0 {
                large.pop();
                small.push(donor);
            }
        }
        let mut line: Vec<u32> = (0..n as u32).collect();
        for i in (1..n).rev() {
            line.swap(i, random.below(i as u64 + 1) as usize);
        }
        Self { own, alias, line }
    }

    fn draw(&self, random: &mut Random) -> u64 {
        let bits = random.bits();
        let column = ((u128::from(bits) * self.own.len() as u128) >> 64) as usize;
        let inside = bits.wrapping_mul(self.own.len() as u64) >> 32;
        let k = if inside < u64::from(self.own[column]) { column as u32 } else { self.alias[column] };
        u64::from(self.line[k as usize])
    }
}
