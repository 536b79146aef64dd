//! Each equation of Huang & Li (CLUSTER'17) against an example that is worked by hand in the comment. Equations 6 to 10
//! are in crate `dram`.

use dram::{analyse, BankSettings, DramRequest, Mapping, Moments, Outstanding, Queue, Service, Timing};
use placement::equations as eq;

/// The bits of the K80.
fn k80() -> Mapping {
    let bits: Vec<u64> = (8..22).chain(30..33).collect();
    Mapping::reported(&bits, 96)
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found}, by hand {expected}");
}

#[test]
fn equation_1_time() {
    // 900 cycles of computation and 2,000 of memory, of which 700 overlap: 900 + 2000 − 700 = 2200.
    assert_eq!(eq::total(900.0, 2000.0, 700.0), 2200.0);
}

#[test]
fn equation_2_computation() {
    // 150 instructions a warp, 1,024 warps on 13 SMs, a sixth of a cycle each, and 500 cycles of serialisation:
    // 150 × 1024 / 13 = 11,815.384…; / 6 = 1,969.230…; + 500 = 2,469.230769…
    near(eq::t_comp(150.0, 1024.0 / 13.0, 1.0 / 6.0, 500.0), 32_100.0 / 13.0);
}

#[test]
fn equation_3_replays() {
    // The sample replays 320 times, 250 of them for (1) to (4). The target has 40 for (1) to (4). (5) to (10) stay:
    // 320 − 250 = 70, 70 + 40 = 110.
    assert_eq!(eq::replays(320.0, 250.0, 40.0), 110.0);
}

#[test]
fn equation_4_memory() {
    // 80 requests that are served one after the other, 450 cycles each.
    assert_eq!(eq::t_mem(80.0, 450.0), 36_000.0);
}

#[test]
fn equation_5_latency() {
    // A quarter of the requests miss in the L2: 0.25 × 649.25 = 162.3125. All take 223. A tenth go to shared memory:
    // 0.1 × 47 = 4.7. Together 390.0125.
    near(eq::amat_printed(649.25, 0.25, 223.0, 47.0, 0.1), 390.0125);
}

/// Four requests to one bank of the K80, 2,000 ns apart: a miss (no row is open), a hit, a conflict and a hit. Address
/// bit 8 is a column bit and bit 11 a row bit.
fn four() -> Vec<DramRequest> {
    [0u64, 1 << 8, 1 << 11, 1 << 11 | 1 << 8]
        .into_iter()
        .enumerate()
        .map(|(i, address)| DramRequest { ns: 2000.0 * i as f64, address })
        .collect()
}

fn printed() -> BankSettings {
    let (queue, service) = (Queue::SeedPrinted, Service::Latency);
    BankSettings { queue, service, even: false, outstanding: Outstanding::Each(f64::INFINITY) }
}

fn timing() -> Timing {
    Timing { latency_ns: [352.0, 742.0, 1008.0], occupancy_ns: [1.0, 2.0, 3.0] }
}

#[test]
fn equation_8_service_time() {
    // (742 + 352 + 1008 + 352) / 4 = 2454 / 4 = 613.5 ns: miss ratio 1/4, conflict ratio 1/4, hit ratio 1/2.
    let found = analyse(&four(), &k80(), &timing(), &printed());
    let bank = found.banks.iter().find(|bank| bank.requests > 0).expect("a bank");
    assert_eq!((bank.rows.hits, bank.rows.misses, bank.rows.conflicts), (2, 1, 1));
    near(bank.moments.service, 613.5);
}

#[test]
fn equation_10_variation() {
    // Times between arrivals 100, 100, 400: mean 200, deviations −100, −100, 200, variance 60000 / 3 = 20000,
    // σ = 141.4213562; ca = 0.7071067812. Service 50 with σ 20: cs = 0.4, ρ = 50 / 200 = 0.25.
    let m = Moments { arrival: 200.0, arrival_deviation: 20_000f64.sqrt(), service: 50.0, service_deviation: 20.0 };
    near(m.ca(), 0.5f64.sqrt());
    near(m.cs(), 0.4);
    near(m.utilisation(), 0.25);
    // The same from a sequence: 0, 100, 200, 600 ns.
    let at = |ns: f64| DramRequest { ns, address: 0 };
    let found = analyse(&[at(0.0), at(100.0), at(200.0), at(600.0)], &k80(), &timing(), &printed());
    let bank = found.banks.iter().find(|bank| bank.requests > 0).expect("a bank");
    near(bank.moments.ca(), 0.5f64.sqrt());
    near(bank.moments.arrival, 200.0);
}

#[test]
fn equation_9_queueing_delay() {
    // As printed, without squares and with τa: (ca + cs) / 2 = (0.7 + 0.4) / 2 = 0.55; ρ / (1 − ρ) = 0.25 / 0.75 = 1/3;
    // τa = 200: 0.55 × 200 / 3 = 36.666…
    let m = Moments { arrival: 200.0, arrival_deviation: 140.0, service: 50.0, service_deviation: 20.0 };
    near(Queue::SeedPrinted.wait(&m).expect("a stable queue"), 110.0 / 3.0);
    // It has no value from ρ = 1 on.
    assert_eq!(Queue::SeedPrinted.wait(&Moments { arrival: 50.0, ..m }), None);
}

#[test]
fn equation_6_bank_latency() {
    // The four requests come every 2,000 ns, so ca = 0. Service times 742, 352, 1008, 352: mean 613.5, deviations 128.5,
    // −261.5, 394.5, −261.5; squares 16512.25 + 68382.25 + 155630.25 + 68382.25 = 308907; / 4 = 77226.75,
    // σs = 277.8970…, cs = 0.452970. ρ = 613.5 / 2000 = 0.30675, ρ / (1 − ρ) = 0.442481. Wait: 0.452970 / 2 × 0.442481 ×
    // 2000 = 200.4305. Latency: 813.9305.
    let found = analyse(&four(), &k80(), &timing(), &printed());
    let bank = found.banks.iter().find(|bank| bank.requests > 0).expect("a bank");
    let wait = 77_226.75f64.sqrt() / 613.5 / 2.0 * (0.30675 / 0.69325) * 2000.0;
    assert!((wait - 200.43).abs() < 0.01, "{wait}");
    near(bank.wait_ns, wait);
    near(bank.latency_ns, wait + 613.5);
}

#[test]
fn equation_7_mean_over_banks() {
    // The four requests above at one bank and a single one at another, which finds no open row: 742 without a wait.
    // Bit 22 names the bank. Weights 4/5 and 1/5.
    let mut requests = four();
    requests.push(DramRequest { ns: 9000.0, address: 1 << 22 });
    let found = analyse(&requests, &k80(), &timing(), &printed());
    let busy: Vec<f64> = found.banks.iter().filter(|bank| bank.requests > 0).map(|bank| bank.latency_ns).collect();
    assert_eq!(busy.len(), 2, "two banks");
    let four_at_one = 77_226.75f64.sqrt() / 613.5 / 2.0 * (0.30675 / 0.69325) * 2000.0 + 613.5;
    near(found.latency_ns, 0.8 * four_at_one + 0.2 * 742.0);
}

#[test]
fn equation_11_overlap_ratio() {
    // Two events 1.5 and 0.25 per memory instruction with coefficients 0.2 and −0.4, half of 64 warps with 0.1, and the
    // constant 0.3: 0.3 − 0.1 + 0.05 + 0.3 = 0.55.
    near(eq::overlap_ratio(&[1.5, 0.25, 0.5], &[0.2, -0.4, 0.1], 0.3), 0.55);
}

#[test]
fn equation_12_overlap() {
    // 0.55 of 2,000 cycles. The printed equation has no limits, so a ratio above 1 gives more than Tmem.
    near(eq::t_overlap(0.55, 2000.0), 1100.0);
    near(eq::t_overlap(1.5, 2000.0), 3000.0);
}

#[test]
fn equation_13_instruction_throughput() {
    // 9 cycles of latency, 54 instructions at once: a sixth of a cycle each.
    near(eq::eit(9.0, 54.0, f64::INFINITY), 1.0 / 6.0);
}

#[test]
fn equation_14_parallelism() {
    // 1.5 independent instructions of each of 20 warps are 30; of 64 warps, 96, but 54 is the most.
    assert_eq!(eq::itilp(1.5, 20.0, 54.0), 30.0);
    assert_eq!(eq::itilp(1.5, 64.0, 54.0), 54.0);
}

#[test]
fn equation_15_most_parallelism() {
    // 32 lanes over 192 are a sixth of a cycle; 9 cycles hold 54 of them.
    assert_eq!(eq::itilp_max(9.0, 192.0), 54.0);
}

#[test]
fn equation_16_serialisation() {
    // Two barriers a warp, 16 warps on an SM, Γ = 64, 500 cycles of DRAM, one instruction in ten accesses memory:
    // 2 × 16 × 64 × 500 × 0.1 = 102,400.
    let sync = eq::o_sync(2.0, 16.0, 64.0, 500.0, 0.1);
    near(sync, 102_400.0);
    // 30 special functions a warp are 0.3 of 100 instructions. 32 of 192 lanes would take a sixth of them beside the
    // others: 0.3 − 1/6 = 0.1333…; 30 × 16 × (32 / 32) × 0.1333… = 64.
    let sfu = eq::o_sfu(30.0, 16.0, 32.0, 0.3, 192.0);
    near(sfu, 64.0);
    assert_eq!(eq::o_sfu(10.0, 16.0, 32.0, 0.1, 192.0), 0.0, "fewer than the units take beside the others");
    near(eq::w_serial(sync, sfu, 0.0), 102_464.0);
}

#[test]
fn equation_17_effective_requests() {
    // 12 requests a warp, 64 warps on an SM, 8 at once: 768 / 8 = 96.
    assert_eq!(eq::effective_requests(12.0, 64.0, 8.0), 96.0);
}

#[test]
fn equation_18_memory_parallelism() {
    // Two loads of each of 6 warps at once are 12. The bandwidth feeds 9 warps.
    assert_eq!(eq::itmlp(2.0, 6.0, 20.0), 12.0);
    assert_eq!(eq::itmlp(2.0, 6.0, 9.0), 9.0);
}

#[test]
fn equation_19_warps_at_once() {
    // One warp waits while four compute: CWP 5, so 4 − and at least 1, and no more than MWP.
    assert_eq!(eq::mwp_cp(5.0, 10.0), 4.0);
    assert_eq!(eq::mwp_cp(1.0, 10.0), 1.0);
    assert_eq!(eq::mwp_cp(50.0, 10.0), 10.0);
}

/// The terms of Hong & Kim (ISCA'09) and of Sim et al. (PPoPP'12) that the equations above take.
#[test]
fn terms_of_earlier_models() {
    // CWP: (900 + 100) / 100 = 10 of 64 warps. MWP: 400 / 10 = 40, less than 51 and 64.
    assert_eq!(eq::cwp(900.0, 100.0, 64.0), 10.0);
    assert_eq!(eq::mwp(400.0, 10.0, 51.0, 64.0), 40.0);
    // 240 GB/s at 0.875 GHz are 274.3 B/cycle. Each of 13 SMs moves 128 B for a warp in 310 cycles: 51.
    assert_eq!(eq::mwp_peak_bw(240.0 / 0.875, 128.0, 310.0, 13.0).round(), 51.0);
    assert_eq!(eq::mwp_peak_bw(1.0, 0.0, 1.0, 1.0), f64::INFINITY);
    // 4.5 transactions leave 1 cycle apart: 500 + 3.5.
    assert_eq!(eq::average_dram_latency(500.0, 4.5, 1.0), 503.5);
    // Nine tenths of 100 cycles hide, at most all of 50.
    assert_eq!(eq::overlap_of_sim(100.0, 500.0, 10.0, 2.0, 5.0), 90.0);
    assert_eq!(eq::overlap_of_sim(100.0, 50.0, 10.0, 2.0, 5.0), 50.0);
}
