//! A queue at a memory bank: Kingman's formula beside the exact recursion over drawn requests.

use base::Random;
use dram::{lindley, Moments, Queue};
use serde_json::{json, Value};

/// Most requests of a simulation.
const MOST: f64 = 2_000_000.0;

pub struct QueueInput<'t> {
    /// The mean time between requests, in ns.
    pub arrival: f64,
    /// The mean time that a request keeps the bank, in ns.
    pub service: f64,
    /// Requests that arrive together.
    pub batch: f64,
    pub requests: f64,
    pub seed: f64,
    /// `exponential`, `regular`, or `batches` of `batch` requests with exponential gaps between batches.
    pub arrivals: &'t str,
    /// `fixed` or `exponential`.
    pub services: &'t str,
}

/// Draws the requests; gives their moments and the waits.
pub fn queue(input: &QueueInput<'_>) -> Value {
    let count = input.requests.clamp(1.0, MOST) as usize;
    let batch = input.batch.clamp(1.0, 1024.0) as usize;
    let mut random = Random::new(input.seed as u64);
    let mut exponential = |mean: f64| -mean * libm::log(1.0 - random.unit());
    let mut sequence = Vec::with_capacity(count);
    for i in 0..count {
        let gap = match input.arrivals {
            "regular" => input.arrival,
            "batches" if i % batch != 0 => 0.0,
            "batches" => exponential(input.arrival * batch as f64),
            _ => exponential(input.arrival),
        };
        let service = if input.services == "exponential" { exponential(input.service) } else { input.service };
        sequence.push((gap, service));
    }
    let (arrival, arrival_deviation) = moments(sequence.iter().map(|(gap, _)| *gap));
    let (service, service_deviation) = moments(sequence.iter().map(|(_, service)| *service));
    let m = Moments { arrival, arrival_deviation, service, service_deviation };
    json!({
        "simulated": lindley(sequence),
        "kingman": Queue::Kingman.wait(&m),
        "klb": Queue::Klb.wait(&m),
        "printed": Queue::SeedPrinted.wait(&m),
        "utilisation": m.utilisation(),
        "ca": m.ca(),
        "cs": m.cs(),
    })
}

fn moments(of: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = of.clone().count().max(1) as f64;
    let mean = of.clone().sum::<f64>() / count;
    let variance = of.map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
    (mean, libm::sqrt(variance))
}

#[cfg(test)]
mod tests {
    use super::{queue, QueueInput};

    #[test]
    fn waits_are_those_of_the_textbook() {
        // M/D/1 with service 1: ρ / (2 (1 − ρ)).
        let input = QueueInput {
            arrival: 2.0,
            service: 1.0,
            batch: 1.0,
            requests: 200_000.0,
            seed: 3.0,
            arrivals: "exponential",
            services: "fixed",
        };
        let found = queue(&input);
        let near = |key: &str, expected: f64| {
            let number = found[key].as_f64().expect(key);
            assert!((number - expected).abs() < 0.03, "{key}: {number}, expected {expected}");
        };
        near("simulated", 0.5);
        near("kingman", 0.5);
        near("ca", 1.0);
        near("cs", 0.0);
        let regular = queue(&QueueInput { arrivals: "regular", ..input });
        assert_eq!(regular["simulated"].as_f64(), Some(0.0));
    }
}
