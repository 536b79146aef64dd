//! From the requests that reach memory to the latency they see: equations 6 to 8 of Huang & Li, bank by bank.

use crate::bank::{RowBuffers, RowCounts, Timing};
use crate::mapping::{Mapping, Place};
use crate::queue::{lindley, Moments, Queue};

/// A request that reaches memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// When, ns from the kernel's start; requests come in this order.
    pub ns: f64,
    /// Byte address.
    pub address: u64,
}

/// What a bank is taken to be busy with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Service {
    /// The whole latency, as the seed has it: 96 banks then carry 34.9 GB/s at most, against the card's 240 GB/s.
    Latency,
    /// The time for which the bank can serve nobody else; the rest of the latency is a pipeline.
    #[default]
    Occupancy,
}

/// Switches of [`analyse`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BankSettings {
    /// How waiting times are found.
    pub queue: Queue,
    /// What a bank is busy with.
    pub service: Service,
    /// Requests are dealt to the banks in turn instead of by their address (the seed's ablation of the mapping).
    pub even: bool,
    /// Requests that can be outstanding at one bank; bounds the wait of a bank that is asked for more than it can do.
    pub outstanding: f64,
}

impl Default for BankSettings {
    fn default() -> Self {
        Self { queue: Queue::default(), service: Service::default(), even: false, outstanding: f64::INFINITY }
    }
}

/// One bank.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bank {
    /// Requests.
    pub requests: u64,
    /// Row events.
    pub rows: RowCounts,
    /// Times between arrivals and service times, ns.
    pub moments: Moments,
    /// Mean wait, ns.
    pub wait_ns: f64,
    /// Mean latency, ns (equation 6).
    pub latency_ns: f64,
    /// The bank is asked for at least 95 % of what it can do, and the wait was cut at what can be outstanding.
    pub saturated: bool,
}

/// All banks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Banks {
    /// By number.
    pub banks: Vec<Bank>,
    /// Row events over all of them.
    pub rows: RowCounts,
    /// Mean latency over all requests, ns (equation 7).
    pub latency_ns: f64,
    /// Mean wait over all requests, ns.
    pub wait_ns: f64,
    /// Banks that are saturated.
    pub saturated: u32,
}

/// From this utilisation on, steady-state formulas say nothing about a finite run with bounded outstanding requests.
const SATURATED: f64 = 0.95;

/// Row events, waits and latencies of `requests`.
pub fn analyse(requests: &[Request], mapping: &Mapping, timing: &Timing, settings: &BankSettings) -> Banks {
    let places: Vec<(f64, Place)> =
        requests.iter().map(|request| (request.ns, mapping.place(request.address))).collect();
    analyse_places(&places, mapping.banks(), timing, settings)
}

/// As [`analyse`], for requests whose places among `count` banks are known; times in ns.
pub fn analyse_places(requests: &[(f64, Place)], count: u32, timing: &Timing, settings: &BankSettings) -> Banks {
    let mut rows = RowBuffers::new(count);
    let mut sequences: Vec<Vec<(f64, f64)>> = vec![Vec::new(); count as usize];
    let mut banks = vec![Bank::default(); count as usize];
    let costs = match settings.service {
        Service::Latency => &timing.latency_ns,
        Service::Occupancy => &timing.occupancy_ns,
    };
    for (i, &(ns, place)) in requests.iter().enumerate() {
        let mut place = place;
        if settings.even {
            place = Place { bank: (i % count as usize) as u32, ..place };
        }
        let event = rows.access(place);
        let bank = place.bank as usize;
        banks[bank].rows.add(event);
        sequences[bank].push((ns, costs[Timing::index(event)]));
    }
    let mut all = Banks::default();
    for (bank, sequence) in banks.iter_mut().zip(&sequences) {
        *bank = Bank { rows: bank.rows, ..bank_of(sequence, timing, settings) };
    }
    // Equation 7: every bank counts by its share of the arrivals.
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

/// Waits and latency of one bank from its `(time, service)`.
fn bank_of(sequence: &[(f64, f64)], timing: &Timing, settings: &BankSettings) -> Bank {
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
        // Little's law: the outstanding requests are all that can stand in line.
        wait = wait.min(settings.outstanding * moments.service);
        if !wait.is_finite() {
            // Nothing bounds the line but the run itself: the wait is what the run builds up.
            wait = lindley(gaps(sequence));
        }
    }
    // Equation 6. With occupancies, the pipeline is what a hit takes beyond its transfer.
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
