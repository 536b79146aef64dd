//! The registers that a core sets aside for each thread.

use trace::Dim3;

/// Registers of a core, of a thread at most, and the number that a thread gets a multiple of (CUDA C Programming Guide, compute
/// capability 3.5 and later).
const OF_CORE: u32 = 65_536;
const OF_THREAD: u32 = 255;
const UNIT: u32 = 8;

/// The registers per thread of a kernel that would use `wanted`. The compiler stays below 256, and where the block would not
/// fit into the core, the text is taken to say so. The rest is spilled to local memory.
pub(super) fn per_thread(wanted: u32, block: Dim3) -> u32 {
    let of_block = OF_CORE / (block.count().next_multiple_of(32) as u32).max(1);
    wanted.next_multiple_of(UNIT).min(of_block / UNIT * UNIT).min(OF_THREAD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_fits_into_a_core() {
        let threads = |x| Dim3::new(x, 1, 1);
        assert_eq!(per_thread(33, threads(64)), 40);
        assert_eq!(per_thread(300, threads(64)), 255);
        assert_eq!(per_thread(90, threads(1000)), 64);
        assert_eq!(per_thread(0, threads(32)), 0);
    }
}
