//! Accesses that wait for free MSHRs in the model `paper`, and what saves looking them up at each retry.

/// A cancelled access, which the warp retries at each of its turns.
///
/// A retry need not look up all its requests again. Each change of one of its lines lowers its demand by at most one
/// MSHR, so a new look-up can wait until enough lines have changed.
#[derive(Clone, Default)]
pub(super) struct CancelledAccess {
    /// Lower bound of the MSHRs that the access needs.
    pub needed: u64,
    /// Number of line changes that `needed` takes into account.
    pub changes: u64,
    /// The lines of the access, by the core's own numbers.
    pub numbers: Vec<u32>,
    /// A filter with one bit per line. Other lines can share a bit.
    marks: [u64; 8],
}

impl CancelledAccess {
    pub fn set(&mut self, needed: u64, changes: u64, numbers: impl Iterator<Item = u32>) {
        (self.needed, self.changes, self.marks) = (needed, changes, [0; 8]);
        self.numbers.clear();
        self.numbers.extend(numbers);
        for number in &self.numbers {
            self.marks[(number >> 6 & 7) as usize] |= 1 << (number & 63);
        }
    }

    pub fn has(&self, line: u32) -> bool {
        self.marks[(line >> 6 & 7) as usize] >> (line & 63) & 1 != 0
    }
}

/// The lines whose state changed last, in a ring, and the number of all changes so far.
pub(super) struct Changes {
    lines: Vec<u32>,
    pub count: u64,
}

impl Changes {
    const KEPT: u64 = 1024;

    pub fn new() -> Self {
        Self { lines: vec![0; Self::KEPT as usize], count: 0 }
    }

    #[inline]
    pub fn record(&mut self, line: u32) {
        self.lines[(self.count % Self::KEPT) as usize] = line;
        self.count += 1;
    }

    /// Number of changes to the lines of `cancelled` since its last check; `None` when the ring lost some of them.
    pub fn count_for(&self, cancelled: &CancelledAccess) -> Option<u64> {
        if self.count - cancelled.changes > Self::KEPT {
            return None;
        }
        let at = |n: u64| self.lines[(n % Self::KEPT) as usize];
        Some((cancelled.changes..self.count).filter(|&n| cancelled.has(at(n))).count() as u64)
    }
}
