//! Tests of the probe on hidden address mappings.

use probe::{find_hashed_mapping, find_mapping, HiddenMemory, Noise};

#[test]
fn algorithm_1_finds_200_plain_mappings() {
    let mut right = 0;
    for seed in 0..200 {
        let noise = match seed % 2 {
            0 => Noise { deviation_ns: 15.0, outliers: 0.0 },
            _ => Noise { deviation_ns: 60.0, outliers: 0.05 },
        };
        let mut memory = HiddenMemory::plain(seed, noise);
        right += u32::from(find_mapping(&mut memory, 1000 + seed) == *memory.truth());
    }
    println!("{right} of 200");
    assert_eq!(right, 200);
}

#[test]
fn the_pair_probe_finds_hashed_mappings_and_algorithm_1_does_not() {
    let (mut right, mut alone) = (0, 0);
    for seed in 0..100 {
        let mut memory = HiddenMemory::hashed(seed, Noise { deviation_ns: 30.0, outliers: 0.02 });
        alone += u32::from(find_mapping(&mut memory, 7 + seed) == *memory.truth());
        right += u32::from(find_hashed_mapping(&mut memory, 7 + seed) == *memory.truth());
    }
    println!("pair probe {right} of 100, Algorithm 1 {alone}");
    assert!(right >= 95, "{right}");
    assert_eq!(alone, 0);
    // It does no harm to plain mappings.
    let mut memory = HiddenMemory::plain(3, Noise { deviation_ns: 30.0, outliers: 0.02 });
    assert_eq!(find_hashed_mapping(&mut memory, 1), *memory.truth());
}

#[test]
fn every_seed_hides_a_mapping_that_can_be_found() {
    const QUIET: Noise = Noise { deviation_ns: 0.0, outliers: 0.0 };
    for seed in 0..10_000 {
        let memory = HiddenMemory::hashed(seed, QUIET);
        let bank = &memory.truth().bank;
        let hashed = bank.iter().filter(|mask| mask.count_ones() > 1).count();
        assert!(2 * hashed >= bank.len(), "{seed}: {hashed} of {}", bank.len());
    }
    // Here the row bits run out.
    for seed in [37, 156, 215, 282, 356] {
        let mut memory = HiddenMemory::hashed(seed, QUIET);
        assert_eq!(find_hashed_mapping(&mut memory, seed), *memory.truth(), "{seed}");
    }
}
