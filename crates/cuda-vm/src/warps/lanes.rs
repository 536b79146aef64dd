//! Shuffles and votes: exchange of values between the lanes of a warp.

use crate::warps::warp::{Narrow, Warp, Wide};
use bytecode::code::{Ins, Shuffle, Vote};

impl Warp {
    /// The source lane of each lane. A lane that would read beyond its segment of the warp reads itself.
    fn sources(&self, ins: &Ins, kind: Shuffle) -> [usize; 32] {
        let (by, width) = (self.reg32(ins.args[1]), self.reg32(ins.args[2]));
        std::array::from_fn(|lane| {
            let width = (width[lane].clamp(1, 32) as usize).next_power_of_two();
            let first = lane & !(width - 1);
            let by = by[lane] as i32;
            let source = match kind {
                Shuffle::Index => first as i64 + i64::from(by & (width as i32 - 1)),
                Shuffle::Up => lane as i64 - i64::from(by),
                Shuffle::Down => lane as i64 + i64::from(by),
                Shuffle::Xor => (lane as i32 ^ by) as i64,
            };
            let end = (first + width) as i64;
            let inside = match kind {
                Shuffle::Up => source >= first as i64 && source < end,
                _ => source >= 0 && source < end,
            };
            if inside {
                source as usize & 31
            } else {
                lane
            }
        })
    }

    pub fn shuffle(&mut self, ins: &Ins, kind: Shuffle) {
        let from = self.sources(ins, kind);
        let a = self.bits(ins.args[0]);
        let out: Wide = std::array::from_fn(|i| a[from[i]]);
        self.set_bits(ins.dst, &out);
    }

    pub fn vote(&mut self, ins: &Ins, vote: Vote) {
        let mask = self.mask;
        if vote == Vote::Active {
            return self.fill(ins.dst, u64::from(mask));
        }
        let value: Narrow = self.bits(ins.args[0]).map(|v| v as u32);
        let active = || (0..32).filter(|lane| mask >> lane & 1 != 0).map(|lane| value[lane]);
        let ballot =
            || (0..32).filter(|lane| mask >> lane & 1 != 0 && value[*lane] != 0).fold(0u32, |m, lane| m | 1 << lane);
        let signed = ins.imm != 0;
        let order = |v: u32| if signed { v ^ 0x8000_0000 } else { v };
        let result = match vote {
            Vote::Any => u32::from(ballot() != 0),
            Vote::All => u32::from(ballot() == mask),
            Vote::Ballot => ballot(),
            Vote::ReduceAdd => active().fold(0, u32::wrapping_add),
            Vote::ReduceMin => order(active().map(order).min().unwrap_or(0)),
            Vote::ReduceMax => order(active().map(order).max().unwrap_or(0)),
            Vote::ReduceAnd => active().fold(u32::MAX, |a, b| a & b),
            Vote::ReduceOr => active().fold(0, |a, b| a | b),
            Vote::Match | Vote::Active => {
                let same =
                    |v: u32| (0..32).filter(|l| mask >> l & 1 != 0 && value[*l] == v).fold(0u32, |m, l| m | 1 << l);
                let out: Narrow = std::array::from_fn(|lane| same(value[lane]));
                self.narrow[ins.dst as usize] = out;
                return;
            }
        };
        self.fill(ins.dst, u64::from(result));
    }
}
