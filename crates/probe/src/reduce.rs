//! Reductions of the load times of each array size to one number (thesis 3.3.2).
//!
//! In: rows in order of array size, with one time per position. Rows can differ in length. Out: one number per row.

use crate::latency::{quantile, sorted};

/// The smallest time of each position over all rows, which is the time of a hit at this position.
pub fn reference(rows: &[Vec<f64>]) -> Vec<f64> {
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut least = vec![f64::INFINITY; longest];
    for row in rows {
        for (least, time) in least.iter_mut().zip(row) {
            *least = least.min(*time);
        }
    }
    least
}

/// Geometric reduction to the Euclidean norm of each row's excess over the [`reference`], in cycles.
pub fn distance(rows: &[Vec<f64>]) -> Vec<f64> {
    let reference = reference(rows);
    let norm = |row: &Vec<f64>| row.iter().zip(&reference).map(|(time, least)| (time - least) * (time - least)).sum();
    rows.iter().map(|row| libm::sqrt(norm(row))).collect()
}

/// Does the same as [`distance`] with excesses cut at the largest that is common. A load that something else delayed then
/// counts as a miss at most.
pub fn cut_distance(rows: &[Vec<f64>]) -> Vec<f64> {
    /// Share of the loads of a row below which an excess is common.
    const COMMON: f64 = 0.9;
    let reference = reference(rows);
    let excess = |row: &Vec<f64>| row.iter().zip(&reference).map(|(time, least)| time - least).collect::<Vec<_>>();
    let excesses: Vec<Vec<f64>> = rows.iter().map(excess).collect();
    let common = excesses.iter().map(|row| quantile(&sorted(row), COMMON)).fold(0.0, f64::max);
    let norm = |row: &Vec<f64>| row.iter().map(|excess| excess.min(common) * excess.min(common)).sum();
    excesses.iter().map(|row| libm::sqrt(norm(row))).collect()
}

/// Geometric reduction to the angle between each row and the [`reference`], in radians; 0 for an empty row.
pub fn angle(rows: &[Vec<f64>]) -> Vec<f64> {
    let reference = reference(rows);
    let one = |row: &Vec<f64>| {
        let (mut dot, mut own, mut other) = (0.0, 0.0, 0.0);
        for (time, least) in row.iter().zip(&reference) {
            dot += time * least;
            own += time * time;
            other += least * least;
        }
        let length = libm::sqrt(own) * libm::sqrt(other);
        if length > 0.0 {
            libm::acos((dot / length).clamp(-1.0, 1.0))
        } else {
            0.0
        }
    };
    rows.iter().map(one).collect()
}

/// The mean time of each row; 0 for an empty row.
pub fn mean(rows: &[Vec<f64>]) -> Vec<f64> {
    rows.iter().map(|row| row.iter().sum::<f64>() / row.len().max(1) as f64).collect()
}

/// mt4g's reduction for sizes. It is the root mean square of each row's excess over the smallest time of all rows.
pub fn rms_above_minimum(rows: &[Vec<f64>]) -> Vec<f64> {
    let least = rows.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let square = |row: &Vec<f64>| row.iter().map(|time| (time - least) * (time - least)).sum::<f64>();
    rows.iter().map(|row| libm::sqrt(square(row) / row.len().max(1) as f64)).collect()
}

/// mt4g's reduction for the fetch granularity. It is the smallest time of each row; 0 for an empty row.
pub fn least(rows: &[Vec<f64>]) -> Vec<f64> {
    let least = |row: &Vec<f64>| row.iter().copied().fold(f64::INFINITY, f64::min);
    rows.iter().map(|row| if row.is_empty() { 0.0 } else { least(row) }).collect()
}

/// The smallest of each value and the `width` − 1 values after it, so that a lone outlier does not count. The tool of
/// the thesis uses a width of 4.
pub fn sliding_minimum(series: &[f64], width: usize) -> Vec<f64> {
    let least = |i: usize| series[i..series.len().min(i + width.max(1))].iter().copied().fold(f64::INFINITY, f64::min);
    (0..series.len()).map(least).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_worked_reductions() {
        let rows = [vec![1.0, 2.0], vec![4.0, 6.0], vec![1.0, 2.0, 9.0]];
        assert_eq!(reference(&rows), [1.0, 2.0, 9.0]);
        assert_eq!(distance(&rows), [0.0, 5.0, 0.0]);
        // Nine of ten excesses of the last row are at most 5, so the delay of 900 counts as 5.
        let delayed = [vec![1.0; 11], [[901.0].as_slice(), &[1.0; 10]].concat(), vec![6.0; 11]];
        let (one, all) = (5.0, 5.0 * libm::sqrt(11.0));
        for (ours, by_hand) in cut_distance(&delayed).iter().zip([0.0, one, all]) {
            assert!((ours - by_hand).abs() < 1e-12, "{ours} {by_hand}");
        }
        assert!(cut_distance(&[]).is_empty());
        assert_eq!(mean(&rows), [1.5, 5.0, 4.0]);
        assert_eq!(least(&rows), [1.0, 4.0, 1.0]);
        assert_eq!(rms_above_minimum(&rows)[1], libm::sqrt(17.0));
        assert!(angle(&rows)[0] < 1e-7 && angle(&rows)[1] > 0.1);
        assert_eq!(sliding_minimum(&[3.0, 9.0, 4.0, 5.0], 2), [3.0, 4.0, 4.0, 5.0]);
        assert!(distance(&[]).is_empty() && sliding_minimum(&[], 4).is_empty());
    }
}
