//! The loops that copy a tile to shared memory and back.

use crate::rewrite::kernel::Kernel;
use crate::rewrite::polynomial::Polynomial;
use crate::rewrite::shared::Tile;

/// A thread's copies of a tile are unrolled up to this number.
const COPIES_MAX: u64 = 64;

impl Kernel<'_> {
    /// A loop in which the threads of a block make `statement` for each element of a tile. `at` and `from` are the names of
    /// the element's number in the tile and in the array, and `index` says how the second follows from the first.
    pub fn copy_text(&self, tile: &Tile, elements: u64, [at, from]: [&str; 2], index: &str, statement: &str) -> String {
        let (thread, threads) = self.threads();
        let count = tile.elements();
        let block: u64 = self.known.facts.block.iter().map(|side| u64::from(*side)).product();
        let rounds = count.div_ceil(block.max(1));
        let unrolled = (2..=COPIES_MAX).contains(&rounds);
        let mut tests = Vec::new();
        let head = if unrolled {
            if count % block > 0 {
                tests.push(format!("{at} < {count}"));
            }
            // With a fixed number of rounds the compiler loads several elements before it stores the first.
            let round = self.source.fresh("round");
            format!(
                "    #pragma unroll\n    for (int {round} = 0; {round} < {rounds}; {round}++) {{\n        \
                 int {at} = {thread} + {round} * {block};\n"
            )
        } else {
            format!("    for (int {at} = {thread}; {at} < {count}; {at} += {threads}) {{\n")
        };
        if !self.stays_inside(tile, elements) {
            tests.push(format!("{from} >= 0 && {from} < {elements}"));
        }
        let test = match &tests[..] {
            [] => String::new(),
            tests => format!("if ({})\n            ", tests.join(" && ")),
        };
        format!("{head}        int {from} = {index};\n        {test}{statement}\n    }}\n")
    }

    /// Whether the tile of no block and no part leaves the array.
    fn stays_inside(&self, tile: &Tile, elements: u64) -> bool {
        let range = |p: &Polynomial| self.known.range_in_grid(p, &self.uses.loops);
        let ends = tile.sides.iter().try_fold(range(&tile.corner), |ends, side| {
            let ((low, high), (step, _)) = (ends?, range(&side.step)?);
            Some(Some((low, high.checked_add(step.checked_mul(side.size as i64 - 1)?)?))).filter(|_| step >= 0)
        });
        ends.flatten().is_some_and(|(low, high)| low >= 0 && (high as u64) < elements)
    }
}
