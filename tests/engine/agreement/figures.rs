//! Measures of the agreement between predictions and measured times.

use base::Random;

/// The measures of one study under one model.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    pub error: f64,
    pub spearman: f64,
    pub kendall: f64,
    pub regret: f64,
    pub hit3: f64,
    /// Share of correctly ordered pairs, among the pairs whose measured times differ by at least a tenth.
    pub pairs: f64,
}

pub fn ranks(values: &[f64]) -> Vec<f64> {
    let below = |x: f64| values.iter().filter(|y| **y < x).count() as f64;
    let equal = |x: f64| values.iter().filter(|y| **y == x).count() as f64;
    values.iter().map(|&x| below(x) + (equal(x) - 1.0) / 2.0).collect()
}

pub fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let dot = |x: &[f64], mx: f64, y: &[f64], my: f64| x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>();
    let spread = (dot(a, ma, a, ma) * dot(b, mb, b, mb)).sqrt();
    if spread == 0.0 {
        0.0
    } else {
        dot(a, ma, b, mb) / spread
    }
}

pub fn kendall(a: &[f64], b: &[f64]) -> f64 {
    let (mut sum, mut na, mut nb) = (0.0, 0.0f64, 0.0f64);
    for i in 0..a.len() {
        for j in 0..i {
            let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
            let (x, y) = (sign(a[i] - a[j]), sign(b[i] - b[j]));
            sum += x * y;
            na += x * x;
            nb += y * y;
        }
    }
    sum / (na * nb).sqrt().max(1.0)
}

fn pairs(truth: &[f64], predicted: &[f64]) -> f64 {
    let (mut right, mut all) = (0.0, 0.0);
    for i in 0..truth.len() {
        for j in (0..truth.len()).filter(|&j| truth[j] >= 1.1 * truth[i]) {
            all += 1.0;
            right += f64::from(u8::from(predicted[j] > predicted[i]));
        }
    }
    if all > 0.0 {
        right / all
    } else {
        1.0
    }
}

pub fn figures(truth: &[f64], predicted: &[f64], times: bool) -> Figures {
    let best = truth.iter().copied().fold(f64::INFINITY, f64::min);
    let mut order: Vec<usize> = (0..truth.len()).collect();
    order.sort_by(|a, b| predicted[*a].total_cmp(&predicted[*b]).then(a.cmp(b)));
    let error = truth.iter().zip(predicted).map(|(t, p)| (p / t - 1.0).abs()).sum::<f64>() / truth.len() as f64;
    let three = order.iter().take(3).any(|i| truth[*i] <= best * 1.0001);
    Figures {
        error: if times { error } else { f64::NAN },
        spearman: correlation(&ranks(truth), &ranks(predicted)),
        kendall: kendall(truth, predicted),
        regret: truth[order[0]] / best - 1.0,
        hit3: f64::from(u8::from(three)),
        pairs: pairs(truth, predicted),
    }
}

pub fn mean(list: &[Figures], get: fn(&Figures) -> f64) -> f64 {
    list.iter().map(get).sum::<f64>() / list.len() as f64
}

pub fn show(label: &str, list: &[Figures]) {
    println!(
        "{label:<34} error {:5.1} %  Spearman {:+.2}  tau {:+.2}  regret {:5.1} %  hit@3 {:.2}  pairs {:.2}",
        100.0 * mean(list, |f| f.error),
        mean(list, |f| f.spearman),
        mean(list, |f| f.kendall),
        100.0 * mean(list, |f| f.regret),
        mean(list, |f| f.hit3),
        mean(list, |f| f.pairs)
    );
}

/// 90 % bootstrap interval of a mean over kernels.
pub fn interval(list: &[Figures], get: fn(&Figures) -> f64) -> (f64, f64) {
    let mut random = Random::new(5);
    let one = |random: &mut Random| {
        (0..list.len()).map(|_| get(&list[random.below(list.len() as u64) as usize])).sum::<f64>() / list.len() as f64
    };
    let mut means: Vec<f64> = (0..999).map(|_| one(&mut random)).collect();
    means.sort_by(f64::total_cmp);
    (means[50], means[949])
}
