//! The latency of the requests that reach memory, bank by bank: equations 6 to 8 of Huang & Li.

use crate::bank::{RowBuffers, RowCounts, Timing};
use crate::mapping::{DramAddress, Mapping};
use crate::queue::{lindley, Moments, Queue};

/// A request that reaches memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DramRequest {
    /// Time of arrival, ns from the kernel's start. Requests are sorted by it.
    pub ns: f64,
    /// Byte address.
    pub address: u64,
}

/// The part of a request's latency during which its bank is busy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Service {
    /// The whole latency, as Huang & Li have it. The 96 banks then carry at most 34.9 GB/s, but the card reaches 240 GB/s.
    Latency,
    /// The time during which the bank can serve no other request. The rest of the latency is a pipeline.
    #[default]
    Occupancy,
}

/// Switches of [`analyse`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BankSettings {
    /// Formula of the waiting times.
    pub queue: Queue,
    /// Service time of a bank.
    pub service: Service,
    /// Requests go to the banks in turn and not by their address (the paper's ablation of the mapping).
    pub even: bool,
    /// Requests that can be outstanding. This bounds the waiting time of an overloaded bank.
    pub outstanding: Outstanding,
}

/// How many requests can wait at a bank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outstanding {
    /// So many at each bank.
    Each(f64),
    /// So many at all banks together. A bank has its share of the arrivals.
    All(f64),
}

impl Default for BankSettings {
    fn default() -> Self {
        Self {
            queue: Queue::default(),
            service: Service::default(),
            even: false,
            outstanding: Outstanding::Each(f64::INFINITY),
        }
    }
}

/// The load of one bank.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bank {
    /// Number of requests to the bank.
    pub requests: u64,
    /// Number of row events by kind.
    pub rows: RowCounts,
    /// Times between arrivals and service times, ns.
    pub moments: Moments,
    /// Mean waiting time, ns.
    pub wait_ns: f64,
    /// Mean latency, ns (equation 6).
    pub latency_ns: f64,
    /// The utilisation is at least 95 %, so the number of outstanding requests bounds the waiting time.
    pub saturated: bool,
}

/// The load of all banks and the means over them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Banks {
    /// The banks by number.
    pub banks: Vec<Bank>,
    /// Row events of all banks.
    pub rows: RowCounts,
    /// Mean latency over all requests, ns (equation 7).
    pub latency_ns: f64,
    /// Mean waiting time over all requests, ns.
    pub wait_ns: f64,
    /// Number of saturated banks.
    pub saturated: u32,
}

/// From this utilisation on, steady-state formulas do not describe a finite run with bounded outstanding requests.
const SATURATED: f64 = 0.95;

/// Row events, waiting times and latencies of `requests`.
pub fn analyse(requests: &[DramRequest], mapping: &Mapping, timing: &Timing, settings: &BankSettings) -> Banks {
    let decoded: Vec<(f64, DramAddress)> =
        requests.iter().map(|request| (request.ns, mapping.decode_address(request.address))).collect();
    analyse_decoded(&decoded, mapping.banks(), timing, settings)
}

/// Does the same as [`analyse`] for requests whose bank and row are known, among `count` banks. Times are in ns.
pub fn analyse_decoded(requests: &[(f64, DramAddress)], count: u32, timing: &Timing, settings: &BankSettings) -> Banks {
    let mut rows = RowBuffers::new(count);
    let mut sequences: Vec<Vec<(f64, f64)>> = vec![Vec::new(); count as usize];
    let mut banks = vec![Bank::default(); count as usize];
    let costs = match settings.service {
        Service::Latency => &timing.latency_ns,
        Service::Occupancy => &timing.occupancy_ns,
    };
    for (i, &(ns, address)) in requests.iter().enumerate() {
        let mut address = address;
        if settings.even {
            address = DramAddress { bank: (i % count as usize) as u32, ..address };
        }
        let event = rows.access(address);
        let bank = address.bank as usize;
        banks[bank].rows.add(event);
        sequences[bank].push((ns, costs[Timing::index(event)]));
    }
    let mut all = Banks::default();
    for (bank, sequence) in banks.iter_mut().zip(&sequences) {
        let outstanding = match settings.outstanding {
            Outstanding::Each(count) => count,
            Outstanding::All(count) => count * sequence.len() as f64 / requests.len().max(1) as f64,
        };
        *bank = Bank { rows: bank.rows, ..bank_of(sequence, timing, settings, outstanding) };
    }
    // Equation 7 weights every bank by its share of the arrivals.
    let weight = |bank: &Bank| bank.requests as f64 / requests.len().max(1) as f64;
    for bank in &banks {
        all.latency_ns += weight(bank) * bank.latency_ns;
        all.wait_ns += weight(bank) * bank.wait_ns;
        all.rows.hits += bank.rows.hits;
        all.rows.misses += bank.rows.misses;
        all.rows.conflicts += bank.rows.conflicts;
        all.saturated += u32::from(bank.saturated);
    }
    Banks { banks, ..all }
}

/// Waiting time and latency of one bank from its sequence of `(arrival, service time)`.
fn bank_of(sequence: &[(f64, f64)], timing: &Timing, settings: &BankSettings, outstanding: f64) -> Bank {
    if sequence.is_empty() {
        return Bank::default();
    }
    let moments = moments(sequence);
    let rho = moments.utilisation();
    let mut wait = match settings.queue {
        Queue::Lindley => lindley(gaps(sequence)),
        queue => queue.wait(&moments).unwrap_or(f64::INFINITY),
    };
    let saturated = rho >= SATURATED;
    if saturated {
        // Little's law: no more requests than the outstanding ones can queue.
        wait = wait.min(outstanding * moments.service);
        if !wait.is_finite() {
            // Only the length of the run bounds the queue, so the waiting time is what the run accumulates.
            wait = lindley(gaps(sequence));
        }
    }
    // Equation 6. With occupancies, the pipeline is the latency of a hit without its transfer.
    let pipeline = match settings.service {
        Service::Latency => 0.0,
        Service::Occupancy => timing.latency_ns[0] - timing.occupancy_ns[0],
    };
    Bank {
        requests: sequence.len() as u64,
        moments,
        wait_ns: wait,
        latency_ns: pipeline + wait + moments.service,
        saturated,
        ..Bank::default()
    }
}

fn gaps(sequence: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> + Clone + '_ {
    let mut before = sequence.first().map_or(0.0, |first| first.0);
    sequence.iter().map(move |&(ns, service)| (ns - std::mem::replace(&mut before, ns), service))
}

fn moments(sequence: &[(f64, f64)]) -> Moments {
    let (arrival, arrival_deviation) = mean_and_deviation(gaps(sequence).skip(1).map(|(gap, _)| gap));
    let (service, service_deviation) = mean_and_deviation(sequence.iter().map(|&(_, service)| service));
    Moments { arrival, arrival_deviation, service, service_deviation }
}

fn mean_and_deviation(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let (sum, count) = numbers.clone().fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
    if count == 0.0 {
        return (0.0, 0.0);
    }
    let mean = sum / count;
    let squares: f64 = numbers.map(|x| (x - mean) * (x - mean)).sum();
    (mean, libm::sqrt(squares / count))
}
