//! Barriers: release of the warps that wait, and the results of reducing barriers. Threads that have ended count as
//! arrived. Hardware counts arrivals, so threads that wait at several places release one another. That is a warning.

use crate::warps::launch_run::{LaunchRun, LaunchWarning};
use crate::warps::warp::LANES;
use bytecode::code::{Terminator, NONE};

impl LaunchRun {
    /// Releases the warps that wait at the barrier once no warp runs any more. Returns false if no warp waits or runs,
    /// which ends the block.
    pub(crate) fn release_barrier(&mut self) -> bool {
        let running = self.warps.iter().any(|w| !w.finished && !w.at_barrier);
        if running {
            return true;
        }
        let waiting = || self.warps.iter().filter(|w| w.at_barrier).flat_map(|w| w.parked.iter().map(|p| p.0));
        let Some(place) = waiting().next() else { return false };
        if let Some(other) = waiting().find(|&other| other != place) {
            self.warn_of_split_barrier(place, other);
        }
        self.races.next_interval();
        self.tally_barrier();
        for warp in self.warps.iter_mut().filter(|w| w.at_barrier) {
            warp.at_barrier = false;
            warp.pending.clear();
            for (block, mask) in std::mem::take(&mut warp.parked) {
                warp.add_pending(block, mask);
            }
            warp.next_group();
        }
        true
    }

    /// Warns once for each pair of places where threads of one block wait.
    #[cold]
    fn warn_of_split_barrier(&mut self, one: u32, other: u32) {
        let pair = (
            self.barrier_line(one).min(self.barrier_line(other)),
            self.barrier_line(one).max(self.barrier_line(other)),
        );
        if self.warnings.len() >= 64 || !self.split_barriers.insert(pair) {
            return;
        }
        let mut lines = [one, other].map(|place| (self.barrier_line(place), self.waiters(place)));
        if lines[1].0 < lines[0].0 {
            lines.swap(0, 1);
        }
        let [(a, first), (b, second)] = lines;
        let found = format!("{first} at the barrier of line {a}, and {second} at that of line {b}");
        let help = "hardware counts the threads that arrive and goes on; let all threads of the block reach the same \
                    `__syncthreads()`";
        let expected = "one barrier for all threads of the block that still run".into();
        self.warnings.insert(LaunchWarning { line: b, expected, found, help: help.into() });
    }

    /// Says how many threads wait at a barrier and names the first.
    fn waiters(&self, place: u32) -> String {
        let parked = |w: &crate::warps::warp::Warp| w.parked.iter().filter(|p| p.0 == place).fold(0, |m, p| m | p.1);
        let masks = || self.warps.iter().map(|w| (w, parked(w))).filter(|(_, mask)| *mask != 0);
        let count: u32 = masks().map(|(_, mask)| mask.count_ones()).sum();
        let first =
            masks().next().map_or(String::new(), |(w, mask)| self.thread_name(w, mask.trailing_zeros() as usize));
        match count {
            1 => format!("{first} waits"),
            _ => format!("{count} threads from {first} on wait"),
        }
    }

    /// Reduces the operands that the threads brought to a reducing barrier.
    fn tally_barrier(&mut self) {
        let (mut count, mut all, mut any) = (0, 1, 0);
        for warp in self.warps.iter().filter(|w| w.at_barrier) {
            for &(next, mask) in &warp.parked {
                let before = self
                    .program
                    .blocks
                    .iter()
                    .find(|b| matches!(b.end, Terminator::Barrier { next: n, .. } if n == next));
                let Some(Terminator::Barrier { on, .. }) =
                    before.map(|b| b.end).filter(|e| matches!(e, Terminator::Barrier { on, .. } if *on != NONE))
                else {
                    continue;
                };
                let values = &warp.narrow[on as usize];
                let ones = (0..LANES).filter(|l| mask >> l & 1 != 0 && values[*l] != 0).count() as u32;
                count += ones;
                all &= u32::from(ones == mask.count_ones());
                any |= u32::from(ones > 0);
            }
        }
        self.barrier_values = (count, all, any);
    }

    fn barrier_line(&self, next: u32) -> u32 {
        let before =
            self.program.blocks.iter().find(|b| matches!(b.end, Terminator::Barrier { next: n, .. } if n == next));
        before.map_or(0, |b| b.line)
    }
}
