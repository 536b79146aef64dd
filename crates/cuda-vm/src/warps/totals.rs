//! What a launch has done so far.

use crate::warps::launch_run::{LaunchRun, LaunchWarning};
use crate::warps::AccessCounts;
use bytecode::cost::{Class, CLASSES};
use trace::IssueShares;

impl LaunchRun {
    /// Costs by class of everything that ran, in 64ths. Memory accesses are counted elsewhere.
    pub fn classes(&self) -> [u64; CLASSES] {
        let mut sums = [0u64; CLASSES];
        for (times, classes) in self.executed.iter().zip(&self.costs.classes) {
            for (sum, class) in sums.iter_mut().zip(classes) {
                *sum = sum.saturating_add(times.saturating_mul(*class));
            }
        }
        sums
    }

    /// What the instructions that ran and access no memory asked of the issue.
    pub fn issue(&self) -> IssueShares {
        let blocks = self.executed.iter().zip(&self.program.blocks);
        let waited: u128 = blocks.map(|(&times, block)| u128::from(times) * u128::from(block.waiting)).sum();
        let classes = self.classes();
        let all = classes.iter().sum::<u64>().saturating_sub(classes[Class::Memory as usize]);
        IssueShares::share(waited, all).map_or_else(IssueShares::default, |waiting| IssueShares { waiting })
    }

    /// Number of bytecode instructions that warps executed.
    pub fn executed(&self) -> u64 {
        self.executed.iter().zip(&self.program.blocks).map(|(n, b)| n * (b.ins.len() as u64 + 1)).sum()
    }

    /// Says that the accesses of the blocks to come go to another sink.
    pub fn change_sink(&mut self) {
        self.sink_sites.clear();
    }

    /// Number of warp accesses so far.
    pub fn accesses(&self) -> u64 {
        let all = [self.tally.loads, self.tally.stores, self.tally.atomics];
        all.iter().flatten().sum()
    }

    pub fn tally(&self) -> AccessCounts {
        self.tally
    }

    pub fn warnings(&self) -> impl Iterator<Item = &LaunchWarning> {
        self.warnings.iter()
    }
}
