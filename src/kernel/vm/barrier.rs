//! Barriers: who waits, who goes on, and what a reducing barrier tells.

use super::code::{End, NONE};
use super::run::{Run, Warning};
use super::warp::LANES;

impl Run {
    /// Lets the warps that wait at the barrier go on; false when none do and none runs.
    pub(super) fn release(&mut self) -> bool {
        let running = self.warps.iter().any(|w| !w.finished && !w.at_barrier);
        if running {
            return true;
        }
        let mut places: Vec<u32> =
            self.warps.iter().filter(|w| w.at_barrier).flat_map(|w| w.parked.iter().map(|p| p.0)).collect();
        places.sort_unstable();
        places.dedup();
        if places.is_empty() {
            return false;
        }
        if let [one, other, ..] = places[..] {
            let line = |next: u32| self.barrier_line(next);
            let (a, b) = (line(one), line(other));
            self.warn(
                b,
                "one barrier for all threads of the block",
                format!("threads at the barriers of lines {a} and {b}"),
            );
        }
        self.races.next_interval();
        self.tally_barrier();
        for warp in self.warps.iter_mut().filter(|w| w.at_barrier) {
            warp.at_barrier = false;
            warp.pending.clear();
            for (block, mask) in std::mem::take(&mut warp.parked) {
                warp.wait(block, mask);
            }
            warp.next_group();
        }
        true
    }

    /// Makes what the warps brought to the barrier the result that they read after it.
    fn tally_barrier(&mut self) {
        let (mut count, mut all, mut any) = (0, 1, 0);
        for warp in self.warps.iter().filter(|w| w.at_barrier) {
            for &(next, mask) in &warp.parked {
                let before =
                    self.program.blocks.iter().find(|b| matches!(b.end, End::Barrier { next: n, .. } if n == next));
                let Some(End::Barrier { on, .. }) =
                    before.map(|b| b.end).filter(|e| matches!(e, End::Barrier { on, .. } if *on != NONE))
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
        let before = self.program.blocks.iter().find(|b| matches!(b.end, End::Barrier { next: n, .. } if n == next));
        before.map_or(0, |b| b.line)
    }

    pub(super) fn warn(&mut self, line: u32, expected: &str, found: String) {
        if self.warnings.len() < 64 {
            let help = "what happens then is not defined; the run goes on as if all had arrived".into();
            self.warnings.insert(Warning { line, expected: expected.into(), found, help });
        }
    }
}
