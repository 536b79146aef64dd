//! Training of equation 11: the coefficients that explain the overlap of measured placements by their memory events.
//!
//! In: predictions of the paper's model with measured times, by kernel. Out: [`Coefficients`], and the mean errors of T on
//! kernels that were left out of the training, with and without it.
//!
//! The paper derives the coefficients "using linear regression with a set of benchmarks", from 38 placements of 8
//! kernels. [`Regression::LeastSquares`] is that. 12 coefficients of 38 rows fit noise, so [`Regression::Ridge`] adds a
//! penalty, which is chosen by leaving out one kernel at a time. The target is (Tcomp + Tmem − T) / Tmem with the
//! measured T.

use crate::model::equations as eq;
use crate::model::evaluator::Prediction;
use crate::paper::settings::{Coefficients, EVENTS};
use std::collections::BTreeSet;

/// A placement with its terms and its measured time, cycles.
#[derive(Clone, Debug)]
pub struct Observation {
    /// Name of the kernel. Cross-validation leaves out whole kernels.
    pub kernel: String,
    /// Which launch of the kernel it is. A placement is predicted from the sample of its own launch.
    pub launch: usize,
    /// The placement is the one that was traced, from which the others of the launch are predicted.
    pub is_sample: bool,
    /// Tcomp.
    pub comp: f64,
    /// Tmem, with the copy of tiles.
    pub mem: f64,
    /// Tmem without the copy, as equation 12 takes it.
    pub overlapped: f64,
    /// Events of equation 11.
    pub events: [f64; EVENTS.len()],
    /// Measured time.
    pub measured: f64,
}

impl Observation {
    /// An observation from a prediction of the paper's model. `None` for another model.
    pub fn new(
        (kernel, launch): (&str, usize),
        is_sample: bool,
        prediction: &Prediction,
        measured: f64,
    ) -> Option<Self> {
        let paper = prediction.paper?;
        let Prediction { comp, mem, .. } = *prediction;
        let (overlapped, events) = (mem - paper.copy, paper.events);
        Some(Self { kernel: kernel.into(), launch, is_sample, comp, mem, overlapped, events, measured })
    }

    /// The ratio that makes the prediction exact.
    fn ratio(&self) -> f64 {
        (self.comp + self.mem - self.measured) / self.overlapped.max(1e-9)
    }

    /// The relative error of T with a ratio.
    fn error(&self, ratio: f64) -> f64 {
        let predicted = eq::total(self.comp, self.mem, eq::t_overlap(ratio, self.overlapped));
        (predicted / self.measured.max(1e-9) - 1.0).abs()
    }
}

/// A rule for the coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Regression {
    /// Least squares, as printed.
    LeastSquares,
    /// Least squares of standardised events with a penalty on the squares of their coefficients.
    Ridge(f64),
}

/// Smallest numbers of rows and kernels that a training accepts.
pub const FEWEST: (usize, usize) = (15, 3);

/// Mean relative errors of T. Each kernel is predicted without its own times, but with the time of its sample where a
/// rule needs it, and kernels have equal weights. The samples themselves are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LeftOutErrors {
    /// Without training: the sample's ratio holds.
    pub untrained: f64,
    /// Equation 11 as printed.
    pub trained: f64,
    /// The sample's ratio plus the difference by equation 11.
    pub sample_and_trained: f64,
}

/// A training and its errors.
#[derive(Clone, Debug, PartialEq)]
pub struct Training {
    /// The coefficients by all rows.
    pub coefficients: Coefficients,
    /// Errors with least squares, and with the ridge.
    pub errors: [LeftOutErrors; 2],
    /// The rule of the coefficients, which is the better of the two.
    pub regression: Regression,
    /// Smallest and largest value of each event.
    pub ranges: [(f64, f64); EVENTS.len()],
    /// Numbers of rows and kernels.
    pub size: (usize, usize),
}

impl Training {
    /// The errors of the rule that was taken.
    pub fn error(&self) -> LeftOutErrors {
        self.errors[usize::from(self.regression != Regression::LeastSquares)]
    }

    /// Whether a trained rule beats the untrained one on kernels that were left out.
    pub fn helps(&self) -> bool {
        let error = self.error();
        error.trained.min(error.sample_and_trained) < error.untrained
    }

    /// Whether the sample's ratio should be added.
    pub fn with_sample(&self) -> bool {
        self.error().sample_and_trained < self.error().trained
    }
}

/// Penalties that are tried.
fn penalties() -> impl Iterator<Item = f64> {
    (0..13).map(|step| libm::pow(10.0, f64::from(step) / 2.0 - 2.0))
}

/// Trains on `rows`. `None` with fewer than [`FEWEST`] rows or kernels.
pub fn train(rows: &[Observation]) -> Option<Training> {
    let kernels: BTreeSet<&str> = rows.iter().map(|row| row.kernel.as_str()).collect();
    if rows.len() < FEWEST.0 || kernels.len() < FEWEST.1 {
        return None;
    }
    let all: Vec<&Observation> = rows.iter().collect();
    let plain = left_out(&all, &kernels, &|_| Regression::LeastSquares);
    // The kernel whose error counts has no part in the choice of its penalty either.
    let ridge = left_out(&all, &kernels, &|rest| Regression::Ridge(penalty(rest)));
    let best = |errors: &LeftOutErrors| errors.trained.min(errors.sample_and_trained);
    let regression = match best(&plain) <= best(&ridge) {
        true => Regression::LeastSquares,
        false => Regression::Ridge(penalty(&all)),
    };
    let range = |i: usize| {
        let fold = |(low, high): (f64, f64), row: &Observation| (low.min(row.events[i]), high.max(row.events[i]));
        rows.iter().fold((f64::INFINITY, f64::NEG_INFINITY), fold)
    };
    Some(Training {
        coefficients: coefficients(&all, regression),
        errors: [plain, ridge],
        regression,
        ranges: std::array::from_fn(range),
        size: (rows.len(), kernels.len()),
    })
}

/// The penalty with the least error on left-out kernels.
fn penalty(rows: &[&Observation]) -> f64 {
    let kernels: BTreeSet<&str> = rows.iter().map(|row| row.kernel.as_str()).collect();
    let mut best = (f64::INFINITY, 1.0);
    for lambda in penalties() {
        let errors = left_out(rows, &kernels, &|_| Regression::Ridge(lambda));
        let error = errors.trained.min(errors.sample_and_trained);
        if error < best.0 {
            best = (error, lambda);
        }
    }
    best.1
}

/// The errors if each kernel is left out in turn.
fn left_out(
    rows: &[&Observation],
    kernels: &BTreeSet<&str>,
    rule: &dyn Fn(&[&Observation]) -> Regression,
) -> LeftOutErrors {
    let (mut sum, mut counted) = (LeftOutErrors::default(), 0.0);
    for kernel in kernels {
        let (own, rest): (Vec<&Observation>, Vec<&Observation>) = rows.iter().partition(|row| row.kernel == *kernel);
        let sample_of = |row: &Observation| own.iter().find(|own| own.is_sample && own.launch == row.launch).copied();
        let targets: Vec<(&Observation, &Observation)> =
            own.iter().filter(|row| !row.is_sample).filter_map(|row| Some((*row, sample_of(row)?))).collect();
        if targets.is_empty() {
            continue;
        }
        let fitted = coefficients(&rest, rule(&rest));
        let by_events = |row: &Observation| eq::overlap_ratio(&row.events, &fitted.events, fitted.constant);
        let mean = |ratio: &dyn Fn(&Observation, &Observation) -> f64| {
            let errors = targets.iter().map(|(row, sample)| row.error(ratio(row, sample)));
            errors.sum::<f64>() / targets.len() as f64
        };
        counted += 1.0;
        sum.untrained += mean(&|_, sample| sample.ratio());
        sum.trained += mean(&|row, _| by_events(row));
        sum.sample_and_trained += mean(&|row, sample| sample.ratio() + by_events(row) - by_events(sample));
    }
    let mean = |error: f64| error / f64::max(counted, 1.0);
    LeftOutErrors {
        untrained: mean(sum.untrained),
        trained: mean(sum.trained),
        sample_and_trained: mean(sum.sample_and_trained),
    }
}

/// The coefficients of equation 11 for `rows`. An event that is the same in all rows gets 0.
pub fn coefficients(rows: &[&Observation], regression: Regression) -> Coefficients {
    const COUNT: usize = EVENTS.len();
    let n = rows.len().max(1) as f64;
    let column = |i: usize| rows.iter().map(move |row| row.events[i]);
    let means: [f64; COUNT] = std::array::from_fn(|i| column(i).sum::<f64>() / n);
    let scales: [f64; COUNT] = std::array::from_fn(|i| {
        let square = column(i).map(|x| (x - means[i]) * (x - means[i])).sum::<f64>() / n;
        if square > 1e-24 {
            libm::sqrt(square)
        } else {
            1.0
        }
    });
    let mut system: Vec<Vec<f64>> = Vec::with_capacity(rows.len() + COUNT);
    for row in rows {
        let standard = (0..COUNT).map(|i| (row.events[i] - means[i]) / scales[i]);
        system.push(standard.chain([1.0, row.ratio()]).collect());
    }
    if let Regression::Ridge(lambda) = regression {
        for i in 0..COUNT {
            let mut row = vec![0.0; COUNT + 2];
            row[i] = libm::sqrt(lambda);
            system.push(row);
        }
    }
    let solved = least_squares(system, COUNT + 1);
    let events: [f64; COUNT] = std::array::from_fn(|i| solved[i] / scales[i]);
    let constant = solved[COUNT] - events.iter().zip(means).map(|(coefficient, mean)| coefficient * mean).sum::<f64>();
    Coefficients { events, constant }
}

/// Solves rows of `width` factors and a right-hand side by least squares, with Householder reflections. A factor that
/// depends on the ones before it gets 0.
fn least_squares(mut rows: Vec<Vec<f64>>, width: usize) -> Vec<f64> {
    let mut pivots = Vec::new();
    for k in 0..width {
        let top = pivots.len();
        if top >= rows.len() {
            break;
        }
        let norm = libm::sqrt(rows[top..].iter().map(|row| row[k] * row[k]).sum::<f64>());
        if norm < 1e-9 {
            continue;
        }
        let head = if rows[top][k] > 0.0 { -norm } else { norm };
        let mut mirror: Vec<f64> = rows[top..].iter().map(|row| row[k]).collect();
        mirror[0] -= head;
        let square: f64 = mirror.iter().map(|x| x * x).sum();
        for j in k..=width {
            let dot: f64 = rows[top..].iter().zip(&mirror).map(|(row, m)| row[j] * m).sum();
            let factor = 2.0 * dot / square;
            rows[top..].iter_mut().zip(&mirror).for_each(|(row, m)| row[j] -= factor * m);
        }
        pivots.push(k);
    }
    let mut x = vec![0.0; width];
    for (row, &k) in pivots.iter().enumerate().rev() {
        let rest: f64 = (k + 1..width).map(|j| rows[row][j] * x[j]).sum();
        x[k] = (rows[row][width] - rest) / rows[row][k];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    /// Rows whose ratio is 0.1 + 0.4 e₀ − 0.2 e₅ plus noise. The first row of each kernel is its sample.
    fn observations(kernels: usize, rows: usize, noise: f64) -> Vec<Observation> {
        let mut random = Random::new(3);
        let row = |i: usize| {
            let events: [f64; EVENTS.len()] = std::array::from_fn(|_| random.unit());
            let ratio = 0.1 + 0.4 * events[0] - 0.2 * events[5] + noise * random.normal();
            let (comp, mem) = (4e4, 1e4);
            let (kernel, measured) = (format!("k{}", i % kernels), comp + mem - ratio * mem);
            Observation { kernel, launch: 0, is_sample: i < kernels, comp, mem, overlapped: mem, events, measured }
        };
        (0..kernels * rows).map(row).collect()
    }

    #[test]
    fn least_squares_find_a_linear_truth() {
        let trained = train(&observations(6, 20, 0.0)).expect("enough rows");
        let found = &trained.coefficients;
        assert!((found.events[0] - 0.4).abs() < 1e-9 && (found.events[5] + 0.2).abs() < 1e-9, "{found:?}");
        assert!(found.events[3].abs() < 1e-9 && (found.constant - 0.1).abs() < 1e-9, "{found:?}");
        assert!(trained.errors[0].trained < 1e-9 && trained.helps(), "{:?}", trained.errors);
        assert_eq!((trained.size, trained.regression), ((120, 6), Regression::LeastSquares));
    }

    #[test]
    fn little_data_and_noise_ask_for_a_penalty() {
        let trained = train(&observations(4, 5, 0.4)).expect("enough rows");
        assert!(matches!(trained.regression, Regression::Ridge(_)), "{:?}", trained.errors);
        assert!(trained.errors[1].trained < trained.errors[0].trained, "{:?}", trained.errors);
    }

    #[test]
    fn too_little_is_refused() {
        assert!(train(&observations(2, 20, 0.0)).is_none());
        assert!(train(&observations(3, 4, 0.0)).is_none());
    }

    #[test]
    fn least_squares_by_hand() {
        // The line through (0, 1), (1, 3), (2, 5) and, off it, (3, 6): y = 1.2 + 1.7 x.
        let rows = [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0), (3.0, 6.0)].map(|(x, y)| vec![x, 1.0, y]).to_vec();
        let found = least_squares(rows, 2);
        assert!((found[0] - 1.7).abs() < 1e-12 && (found[1] - 1.2).abs() < 1e-12, "{found:?}");
        // A column of zeros and a copy of a column get 0, and the rest is as before.
        let rows = [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0), (3.0, 6.0)].map(|(x, y)| vec![0.0, x, x, 1.0, y]).to_vec();
        let found = least_squares(rows, 4);
        assert!((found[1] - 1.7).abs() < 1e-9 && found[0] == 0.0 && found[2] == 0.0, "{found:?}");
    }
}
