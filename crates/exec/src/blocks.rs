//! The number of blocks that run together on one core.

use trace::{Launch, WARP_LANES};

/// The value of a limit that the topology does not give.
pub const UNKNOWN_LIMIT: u64 = u64::MAX;

/// The limits of one core on the blocks that run together. An unknown limit is [`UNKNOWN_LIMIT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreLimits {
    /// Most threads that run together.
    pub threads: u64,
    /// Most blocks that run together.
    pub blocks: u64,
    /// Bytes of shared memory of the core.
    pub shared_bytes: u64,
    /// Registers in the register file of the core.
    pub registers: u64,
    /// Bytes of shared memory that every block takes besides its own.
    pub reserved_bytes: u64,
}

impl CoreLimits {
    /// The limits of a topology that gives none.
    pub const UNKNOWN: Self = Self {
        threads: UNKNOWN_LIMIT,
        blocks: UNKNOWN_LIMIT,
        shared_bytes: UNKNOWN_LIMIT,
        registers: UNKNOWN_LIMIT,
        reserved_bytes: 0,
    };

    /// The shared memory that a block of the launch takes.
    pub fn shared_of_block(&self, launch: &Launch) -> u64 {
        self.reserved_bytes.saturating_add(launch.shared_bytes.into())
    }
}

/// The number of blocks that run together on one core: the smallest of the limits, but at least 1 (HPCA'14 3.1). The limits
/// hold whole warps (CUDA programming guide, technical specifications): a block of 33 threads takes the room of 64.
pub fn resident_blocks(launch: &Launch, limits: &CoreLimits) -> u64 {
    resident(launch, limits, launch.block.count().next_multiple_of(WARP_LANES as u64))
}

/// [`resident_blocks`] as the program of HPCA'14's authors counts, in threads.
pub fn resident_blocks_by_threads(launch: &Launch, limits: &CoreLimits) -> u64 {
    resident(launch, limits, launch.block.count())
}

fn resident(launch: &Launch, limits: &CoreLimits, threads: u64) -> u64 {
    let threads = threads.max(1);
    let per = |limit: u64, use_per_block: u64| match (limit, use_per_block) {
        (UNKNOWN_LIMIT, _) | (_, 0) => u64::MAX,
        (limit, used) => limit / used,
    };
    let registers = u64::from(launch.registers).saturating_mul(threads);
    // The kernel of a trace did run, so one block fits even if the header claims an impossible use.
    per(limits.threads, threads)
        .min(limits.blocks)
        .min(per(limits.shared_bytes, limits.shared_of_block(launch)))
        .min(per(limits.registers, registers))
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::Dim3;

    #[test]
    fn the_tightest_limit_wins() {
        let limits =
            CoreLimits { threads: 1536, blocks: 8, shared_bytes: 48 << 10, registers: 32_768, ..CoreLimits::UNKNOWN };
        let launch = |threads, shared_bytes, registers| Launch {
            grid: Dim3::new(100, 1, 1),
            block: Dim3::new(threads, 1, 1),
            shared_bytes,
            registers,
        };
        let check = |launch: Launch, expected| assert_eq!(resident_blocks(&launch, &limits), expected, "{launch:?}");
        check(launch(256, 0, 0), 6);
        check(launch(32, 0, 0), 8);
        check(launch(256, 16 << 10, 0), 3);
        check(launch(256, 0, 63), 2);
        check(launch(1024, 1 << 20, 21_955), 1);
    }

    #[test]
    fn a_block_takes_the_reserved_bytes_too() {
        // The shared memory of a core of an A100.
        let exact = CoreLimits { threads: 2048, blocks: 32, shared_bytes: 164 << 10, ..CoreLimits::UNKNOWN };
        let limits = CoreLimits { reserved_bytes: 1 << 10, ..exact };
        let launch = |shared_bytes| Launch {
            grid: Dim3::new(100, 1, 1),
            block: Dim3::new(32, 1, 1),
            shared_bytes,
            registers: 0,
        };
        assert_eq!(resident_blocks(&launch(16 << 10), &exact), 10);
        assert_eq!(resident_blocks(&launch(16 << 10), &limits), 9);
        let small = CoreLimits { shared_bytes: 8 << 10, ..limits };
        assert_eq!(resident_blocks(&launch(0), &small), 8);
    }

    #[test]
    fn a_block_takes_whole_warps() {
        let limits = CoreLimits { threads: 1536, blocks: 16, registers: 32_768, ..CoreLimits::UNKNOWN };
        let launch = |threads, registers| Launch {
            grid: Dim3::new(100, 1, 1),
            block: Dim3::new(threads, 1, 1),
            shared_bytes: 0,
            registers,
        };
        // 48 warps: twelve blocks of four. 1536 threads would be fifteen blocks of 97.
        assert_eq!(resident_blocks(&launch(97, 0), &limits), 12);
        assert_eq!(resident_blocks_by_threads(&launch(97, 0), &limits), 15);
        // Four warps of 32 times 33 registers, of 32,768.
        assert_eq!(resident_blocks(&launch(97, 33), &limits), 7);
        assert_eq!(resident_blocks(&launch(128, 33), &limits), resident_blocks_by_threads(&launch(128, 33), &limits));
    }
}
