//! The queues against theory, and row events against hand-worked cases.

use base::Random;
use dram::*;

/// Mean wait of `n` simulated requests, in units of the mean service time.
fn simulated(n: usize, mut next: impl FnMut() -> (f64, f64)) -> f64 {
    lindley((0..n).map(|_| next()))
}

fn exponential(random: &mut Random, mean: f64) -> f64 {
    -mean * libm::log(1.0 - random.unit())
}

/// A mixture of two exponentials with equal shares of the mean (balanced means), which gives any ca above 1.
fn burst(random: &mut Random, mean: f64, ca: f64) -> f64 {
    let square = ca * ca;
    let p = 0.5 * (1.0 + libm::sqrt((square - 1.0) / (square + 1.0)));
    let part = if random.unit() < p { mean / (2.0 * p) } else { mean / (2.0 * (1.0 - p)) };
    exponential(random, part)
}

/// Service times of the K80's row hits and conflicts, in the shares that give cs = 0.44 and scaled to a mean of 1.
fn row_service(random: &mut Random) -> f64 {
    const CONFLICTS: f64 = 0.583;
    let mean = 352.0 + 656.0 * CONFLICTS;
    (if random.unit() < CONFLICTS { 1008.0 } else { 352.0 }) / mean
}

fn near(found: f64, expected: f64, off: f64) -> bool {
    (found - expected).abs() <= off * expected.abs().max(1e-9)
}

#[test]
fn lindley_meets_theory_on_simulated_arrivals() {
    const N: usize = 1_000_000;
    let mut r = Random::new(1);
    for rho in [0.3, 0.5, 0.8] {
        let gap = 1.0 / rho;
        let mm1 = simulated(N, || (exponential(&mut r, gap), exponential(&mut r, 1.0)));
        assert!(near(mm1, rho / (1.0 - rho), 0.04), "M/M/1 {rho}: {mm1}");
        let md1 = simulated(N, || (exponential(&mut r, gap), 1.0));
        assert!(near(md1, rho / (2.0 * (1.0 - rho)), 0.04), "M/D/1 {rho}: {md1}");
        // Pollaczek–Khinchine with the three-valued service of row buffers.
        let mg1 = simulated(N, || (exponential(&mut r, gap), row_service(&mut r)));
        let cs2 = 656.0f64 * 656.0 * 0.583 * 0.417 / (352.0f64 + 656.0 * 0.583).powi(2);
        assert!(near(mg1, rho * (1.0 + cs2) / (2.0 * (1.0 - rho)), 0.04), "M/G/1 {rho}: {mg1}");
        let dd1 = simulated(1000, || (gap, 1.0));
        assert_eq!(dd1, 0.0, "D/D/1 {rho}");
        // D/M/1: σ/(1−σ) with σ = exp(−(1−σ)/ρ).
        let sigma = (0..200).fold(0.5, |s: f64, _| libm::exp(-(1.0 - s) / rho));
        let dm1 = simulated(N, || (gap, exponential(&mut r, 1.0)));
        assert!(near(dm1, sigma / (1.0 - sigma), 0.04), "D/M/1 {rho}: {dm1}, {}", sigma / (1.0 - sigma));
        // Poisson batches of 8 and fixed service.
        let (mut left, k) = (0, 8.0);
        let batches = simulated(N, || {
            left = (left + 7) % 8;
            (if left == 7 { exponential(&mut r, k * gap) } else { 0.0 }, 1.0)
        });
        assert!(near(batches, (rho + k - 1.0) / (2.0 * (1.0 - rho)), 0.04), "M[8]/D/1 {rho}: {batches}");
    }
}

#[test]
fn a_deterministic_batch_is_exact() {
    // Four requests at once, service 1, then nothing for 100: waits 0, 1, 2, 3.
    let sequence = (0..40).map(|i| (if i % 4 == 0 { 100.0 } else { 0.0 }, 1.0));
    assert_eq!(lindley(sequence), 1.5);
    // W 0, then 3 − 1 = 2, then max(0, 2 + 3 − 10) = 0.
    assert_eq!(lindley([(0.0, 3.0), (1.0, 3.0), (10.0, 3.0)]), 2.0 / 3.0);
}

fn moments(ca: f64, cs: f64, rho: f64) -> Moments {
    let arrival = 1.0 / rho;
    Moments { arrival, arrival_deviation: ca * arrival, service: 1.0, service_deviation: cs }
}

#[test]
fn formulas_are_exact_where_theory_says_so() {
    for rho in [0.1, 0.3, 0.5, 0.8] {
        let wait = |queue: Queue, ca, cs| queue.wait(&moments(ca, cs, rho)).expect("stable");
        for cs in [0.0, 0.44, 1.0, 2.0] {
            let mg1 = rho * (1.0 + cs * cs) / (2.0 * (1.0 - rho));
            assert!(near(wait(Queue::Kingman, 1.0, cs), mg1, 1e-12));
            assert!(near(wait(Queue::Klb, 1.0, cs), mg1, 1e-12));
        }
        for queue in [Queue::Kingman, Queue::KingmanLinear, Queue::SeedPrinted, Queue::Klb] {
            assert_eq!(wait(queue, 0.0, 0.0), 0.0, "D/D/1, {queue:?}");
        }
        // The printed form of M/M/1 is the response time: wait and service.
        assert!(near(wait(Queue::SeedPrinted, 1.0, 1.0), 1.0 / (1.0 - rho), 1e-12));
    }
    assert_eq!(Queue::Kingman.wait(&moments(1.0, 1.0, 1.0)), None);
}

/// Errors of four formulas against a simulated queue, in percent: Kingman, printed, linear with τs, KLB.
fn errors(label: &str, ca: f64, cs: f64, rho: f64, truth: f64) -> [f64; 4] {
    let m = moments(ca, cs, rho);
    let queues = [Queue::Kingman, Queue::SeedPrinted, Queue::KingmanLinear, Queue::Klb];
    let errors = queues.map(|queue| 100.0 * (queue.wait(&m).expect("stable") / truth - 1.0));
    println!(
        "{label:<24} {:+7.0} % {:+7.0} % {:+7.0} % {:+7.0} %  (Kingman, printed, linear + τs, KLB; Wq {truth:.4})",
        errors[0], errors[1], errors[2], errors[3]
    );
    errors
}

/// `cargo test -p dram table -- --nocapture` prints the table.
#[test]
fn table_of_the_formulas_errors() {
    const N: usize = 2_000_000;
    let mut r = Random::new(2017);
    let check = |label: &str, found: [f64; 4], expected: [f64; 4], off: f64| {
        for (f, e) in found.iter().zip(expected) {
            assert!((f - e).abs() <= off * (1.0 + e.abs() / 100.0), "{label}: {found:.1?} instead of {expected:?}");
        }
    };
    for (rho, expected) in [(0.3, [0.0, 233.0, 0.0, 0.0]), (0.8, [0.0, 25.0, 0.0, 0.0])] {
        let label = format!("M/M/1 ρ={rho}");
        check(&label, errors(&label, 1.0, 1.0, rho, rho / (1.0 - rho)), expected, 1.0);
    }
    let sigma = (0..200).fold(0.5, |s: f64, _| libm::exp(-(1.0 - s) / 0.5));
    check("D/M/1", errors("D/M/1 ρ=0.5", 0.0, 1.0, 0.5, sigma / (1.0 - sigma)), [96.0, 292.0, 96.0, 1.0], 1.0);
    for (ca, rho, expected) in [
        (1.11, 0.5, [4.0, 126.0, 13.0, -2.0]),
        (2.22, 0.2, [121.0, 474.0, 15.0, 27.0]),
        (2.22, 0.8, [6.0, -31.0, -45.0, -8.0]),
        (1.72, 0.5, [28.0, 75.0, -12.0, -2.0]),
    ] {
        let truth = simulated(N, || (burst(&mut r, 1.0 / rho, ca), row_service(&mut r)));
        let label = format!("ca={ca} cs=.44 ρ={rho}");
        check(&label, errors(&label, ca, 0.44, rho, truth), expected, 4.0);
    }
    // Two moments cannot describe correlated arrivals. For Poisson batches of 8 with fixed service, theory is exact.
    // Seven of eight gaps are 0, so ca² = 15.
    for (rho, kingman, klb) in [(0.2, -58.0, -80.0), (0.5, 0.0, -37.0), (0.8, 54.0, 28.0)] {
        let label = format!("batches of 8 ρ={rho}");
        let found = errors(&label, libm::sqrt(15.0), 0.0, rho, (rho + 7.0) / (2.0 * (1.0 - rho)));
        check(&label, [found[0], 0.0, 0.0, found[3]], [kingman, 0.0, 0.0, klb], 1.0);
    }
}

fn requests(addresses: impl IntoIterator<Item = u64>, gap: f64) -> Vec<DramRequest> {
    addresses.into_iter().enumerate().map(|(i, address)| DramRequest { ns: i as f64 * gap, address }).collect()
}

#[test]
fn one_bank_by_hand() {
    // Kepler fields, 6 channels: 6·0x8000 changes the row only. Rows 0, 0, 1, 0 every 10 ns.
    let row = 6 * 0x8000;
    let list = requests([0, 32, row, 0], 10.0);
    let found = analyse(&list, &Mapping::gpgpusim_kepler(6), &Timing::kepler(), &BankSettings::default());
    let bank = &found.banks[0];
    assert_eq!((bank.rows.hits, bank.rows.misses, bank.rows.conflicts), (1, 1, 2));
    // The service times are 24, 2.7, 34.6 and 34.6. The waiting times are 0, 14, 6.7 and 31.3.
    assert!(near(bank.wait_ns, (14.0 + 6.7 + 31.3) / 4.0, 1e-9), "{}", bank.wait_ns);
    assert!(near(bank.moments.service, (24.0 + 2.7 + 34.6 + 34.6) / 4.0, 1e-12));
    // Equation 6 with a pipeline of 352 − 2.7, equation 7 over the only bank.
    assert!(near(found.latency_ns, 349.3 + bank.wait_ns + bank.moments.service, 1e-12));
    let literal = BankSettings { service: Service::Latency, ..BankSettings::default() };
    let found = analyse(&requests([0, 32, row, 0], 1e6), &Mapping::gpgpusim_kepler(6), &Timing::kepler(), &literal);
    // Equation 8: (742 + 352 + 2 · 1008) / 4, nobody waits.
    assert!(near(found.latency_ns, 777.5, 1e-12), "{}", found.latency_ns);
}

#[test]
fn the_literal_service_time_cannot_carry_the_cards_bandwidth() {
    // 96 banks that are each busy for 352 ns per 128 bytes carry 34.9 GB/s. At 1008 ns they carry 12.2 GB/s.
    let timing = Timing::kepler();
    let carried = |ns: f64| 96.0 * 128.0 / ns;
    assert!(near(carried(timing.latency_ns[0]), 34.9, 1e-3) && near(carried(timing.latency_ns[2]), 12.2, 2e-3));
    // At 240 GB/s, banks that are busy for the whole latency are saturated. Banks with occupancies are not.
    let stream = requests((0..20_000).map(|i| i * 128), 128.0 / 240.0);
    let with = |service| {
        let settings = BankSettings { service, outstanding: Outstanding::Each(8.0), ..BankSettings::default() };
        analyse(&stream, &Mapping::gpgpusim_kepler(6), &timing, &settings)
    };
    assert_eq!(with(Service::Latency).saturated, 96);
    assert_eq!(with(Service::Occupancy).saturated, 0);
    let bound = 8.0 * timing.latency_ns[2];
    assert!(with(Service::Latency).wait_ns <= bound);
}

#[test]
fn even_dealing_ignores_the_address() {
    let list = requests((0..960).map(|i| i * 6 * 0x8000), 10.0);
    let mapping = Mapping::gpgpusim_kepler(6);
    let even = BankSettings { even: true, ..BankSettings::default() };
    let mapped = analyse(&list, &mapping, &Timing::kepler(), &BankSettings::default());
    let dealt = analyse(&list, &mapping, &Timing::kepler(), &even);
    assert_eq!(mapped.banks[0].requests, 960);
    assert!(dealt.banks.iter().all(|bank| bank.requests == 10));
    assert!(dealt.wait_ns < mapped.wait_ns);
}
