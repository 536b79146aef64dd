//! Figures 5 and 6: the microbenchmark that finds the set index, on a model that is seen from outside: only addresses
//! go in, and only which loads were slow comes out.

use super::kernels::{fill_and_probe, of_example, on_gtx470, paper_model, params};
use crate::papers::row::{Claim, Origin, Paper, PaperRow, PaperWork};
use crate::papers::value::PaperValue;
use base::Step;
use cache::{Answer, Issue, ObservedCore, Observer, Params};

/// Address bits above the line that the victims vary, up to bit 20.
const FIRST_BIT: u32 = 7;
const LAST_BIT: u32 = 20;

pub(super) const ROWS: &[PaperRow] = &[
    PaperRow {
        id: "hpca14.figure-5-16k",
        paper: Paper::Hpca14,
        item: "Figures 5 and 6",
        what: "set index of the 16 KB cache, found from outside: which address bits join bits 7 to 11",
        unit: "",
        origin: Origin::Hardware,
        claim: Claim::Exact,
        work: PaperWork::Parts(1, |_| {
            let found = find_set_index(&params(&on_gtx470("16k", &[]))?, 32)?;
            let mut values = vec![PaperValue::text("set index", "5 bits: 7+13 8+14 9+15 10+17 11+19", found.text())];
            // The paper prints this for 16 KB only.
            values.push(PaperValue::text("most lines that a victim displaced", "4", found.displaced.to_string()));
            Ok(values)
        }),
        open: Some(|| of_example("mb-associativity", &[], on_gtx470("16k", &[]))),
    },
    PaperRow {
        id: "hpca14.figure-5-48k",
        paper: Paper::Hpca14,
        item: "Figures 5 and 6",
        what: "set index of the 48 KB cache, found from outside: bit 12 is a bit of its own",
        unit: "",
        origin: Origin::Hardware,
        claim: Claim::Exact,
        work: PaperWork::Parts(1, |_| {
            let found = find_set_index(&params(&on_gtx470("48k", &[]))?, 96)?;
            Ok(vec![PaperValue::text("set index", "6 bits: 7+13 8+14 9+15 10+17 11+19 12", found.text())])
        }),
        open: Some(|| of_example("mb-associativity", &[("victim", "16384")], on_gtx470("48k", &[]))),
    },
];

/// What the microbenchmark found.
pub(super) struct FoundIndex {
    /// Address bits that choose the set together, each group with its lowest bit first.
    groups: Vec<Vec<u32>>,
    /// The largest number of lines that one victim displaced.
    displaced: usize,
}

impl FoundIndex {
    /// The groups as text: `5 bits: 7+13 8+14`.
    pub(super) fn text(&self) -> String {
        let group = |group: &Vec<u32>| group.iter().map(u32::to_string).collect::<Vec<_>>().join("+");
        let groups: Vec<String> = self.groups.iter().map(group).collect();
        format!("{} bits: {}", groups.len(), groups.join(" "))
    }
}

/// Finds the set index of a cache that `loads` loads of 4 lines fill.
///
/// Two addresses share a set exactly where the XOR of their bits is in the kernel of the hash, which is linear. Each
/// line that a victim displaces gives an element of the kernel. Eliminating the highest bits first leaves, for each bit
/// that is no bit of the index itself, the bits that it joins.
pub(super) fn find_set_index(params: &Params, loads: u64) -> Result<FoundIndex, String> {
    let capacity = 512 * loads;
    let mut kernel: Vec<u64> = Vec::new();
    let mut displaced = 0;
    for victim in (FIRST_BIT..=LAST_BIT).map(|bit| 1u64 << bit).filter(|victim| *victim >= capacity) {
        // A warp that waits for its victim begins stage 3 after the others, so only its own lines are slow. A thread of each
        // warp takes its turn.
        let mut slow = Vec::new();
        for warp in 0..4 {
            slow.extend(slow_lines(params, loads, victim, warp)?);
        }
        base::sort_by_key(&mut slow, |line| *line);
        slow.dedup();
        displaced = displaced.max(slow.len());
        kernel.extend(slow.iter().map(|line| line ^ victim));
    }
    let basis = reduced(kernel);
    let pivots: Vec<u32> = basis.iter().map(|row| 63 - row.leading_zeros()).collect();
    let own = (FIRST_BIT..=LAST_BIT).filter(|bit| !pivots.contains(bit));
    let joins = |bit: u32| {
        let joined =
            basis.iter().zip(&pivots).rev().filter(move |(row, _)| *row >> bit & 1 == 1).map(|(_, pivot)| *pivot);
        std::iter::once(bit).chain(joined).collect::<Vec<_>>()
    };
    Ok(FoundIndex { groups: own.map(joins).collect(), displaced })
}

/// The addresses of the lines whose loads are slow in stage 3.
fn slow_lines(params: &Params, loads: u64, victim: u64, by: u32) -> Result<Vec<u64>, String> {
    let mut model = paper_model(&fill_and_probe(loads, victim, by), params.clone())?;
    let mut clock = Clock { limit: params.latency / 2, loads, by: by.into(), now: 0, slow: Vec::new() };
    while let Step::More(_) = model.step_observed(u64::MAX, &mut clock) {}
    Ok(clock.slow)
}

/// Times the loads of stage 3, as `clock()` in the kernel does.
struct Clock {
    /// A load that takes longer is slow.
    limit: u64,
    /// Loads of a warp in stage 1, and in stage 3.
    loads: u64,
    /// The warp that has the load of stage 2.
    by: u64,
    now: u64,
    slow: Vec<u64>,
}

impl Observer for Clock {
    fn before(&mut self, issue: &Issue, _: &ObservedCore<'_>) {
        self.now = issue.tick;
    }

    fn after(&mut self, issue: &Issue, answer: &Answer) {
        // The loads of a warp stand one after the other, and that of stage 2 stands between the stages.
        let (warp, request) = (u64::from(issue.warp), u64::from(issue.request));
        let before = 2 * self.loads * warp + u64::from(warp > self.by);
        let stage_2 = u64::from(warp == self.by);
        let Some(at) = (request - before).checked_sub(self.loads + stage_2) else { return };
        if answer.due - self.now > self.limit {
            self.slow.push(128 * warp + 512 * at);
        }
    }

    fn looks_closely(&self, _: u32) -> bool {
        false
    }
}

/// Gauss and Jordan over GF(2): no pivot, the highest bit of a row, is set in another row.
fn reduced(rows: Vec<u64>) -> Vec<u64> {
    let mut basis: Vec<u64> = Vec::new();
    for mut row in rows {
        for known in &basis {
            row = row.min(row ^ known);
        }
        if row != 0 {
            for known in &mut basis {
                *known = (*known).min(*known ^ row);
            }
            basis.push(row);
            base::sort_by_key(&mut basis, |row| std::cmp::Reverse(*row));
        }
    }
    basis
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::SetIndex;

    /// The microbenchmark knows nothing of the cache but its size: it finds other set indices as well.
    #[test]
    fn other_set_indices_are_found() {
        let fermi = params(&on_gtx470("16k", &[])).expect("a preset");
        let find =
            |set_index: SetIndex| find_set_index(&Params { set_index, ..fermi.clone() }, 32).expect("a run").text();
        assert_eq!(find(SetIndex::Modulo), "5 bits: 7 8 9 10 11");
        let mask = |bits: &[u32]| bits.iter().map(|bit| 1u64 << bit).sum::<u64>();
        let hashed = [mask(&[7, 12]), mask(&[8, 13, 20]), mask(&[9, 16]), mask(&[10, 14, 18]), mask(&[11, 19])];
        assert_eq!(find(SetIndex::XorMasks(hashed.to_vec())), "5 bits: 7+12 8+13+20 9+16 10+14+18 11+19");
    }
}
