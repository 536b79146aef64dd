//! A plausible shape for a cache of which only the size is known. In: number of lines. Out: ways.
//!
//! No tool measures associativity, so both rules are assumptions and importers mark them so. They give whole sets for
//! any number of lines, because measured sizes are seldom powers of two (mt4g: 1376 lines on the A100).

/// Ways of a cache with `lines` lines, such that the number of sets is whole.
///
/// A sectored cache (it fetches parts of lines) gets four sets, as GPGPU-Sim gives Volta and Turing, or two or one where
/// four do not divide the lines. Any other gets four ways (as Fermi's 16 KB L1) or the next larger number up to 64 that
/// divides the lines; failing that it is fully associative.
pub(super) fn assume_ways(lines: u64, sectored: bool) -> u64 {
    if sectored {
        let sets = [4, 2].into_iter().find(|sets| divides(*sets, lines)).unwrap_or(1);
        return lines / sets;
    }
    (4..=64).find(|ways| divides(*ways, lines)).unwrap_or(lines)
}

/// Whether `part` goes into `whole` without rest; zero goes into nothing.
pub(super) fn divides(part: u64, whole: u64) -> bool {
    // `u64::is_multiple_of` is newer than the oldest compiler this is built with.
    whole.checked_rem(part) == Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_whole_for_every_size() {
        assert_eq!(assume_ways(1376, true), 344);
        assert_eq!(assume_ways(1866, true), 933);
        assert_eq!(assume_ways(256, false), 4);
        assert_eq!(assume_ways(10_007, false), 10_007);
        for lines in 1..5_000 {
            for sectored in [true, false] {
                let ways = assume_ways(lines, sectored);
                assert!(ways >= 1 && lines % ways == 0, "{lines} lines, {ways} ways");
            }
        }
    }
}
