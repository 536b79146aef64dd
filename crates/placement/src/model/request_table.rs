//! The last request of an SM for each line, on GPUs whose global loads have no L1.

/// Lines per page. A page fills one cache line.
const PAGE: usize = 8;

/// The last request for a line: its time in the caller's clock, the requested sectors and the level that answered. A
/// line that was never requested has no sectors.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LastRequest {
    pub at: u32,
    pub sectors: u8,
    pub level: u8,
}

/// The last requests of one SM, by line.
///
/// An SM touches only a part of the kernel's lines, so a full table per SM would waste memory and time to clear it. The
/// table consists of pages, and a page is allocated at the first request for one of its lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestTable {
    /// Page number of each group of [`PAGE`] lines. Page 0 is a shared empty page.
    numbers: Vec<u32>,
    pages: Vec<[LastRequest; PAGE]>,
}

impl RequestTable {
    /// Empties the table for line numbers below `lines`.
    pub fn reset(&mut self, lines: usize) {
        self.numbers.clear();
        self.numbers.resize(lines.div_ceil(PAGE), 0);
        self.pages.clear();
        self.pages.push([LastRequest::default(); PAGE]);
    }

    #[inline]
    pub fn last_request(&self, line: u32) -> LastRequest {
        let line = line as usize;
        self.pages[self.numbers[line / PAGE] as usize][line % PAGE]
    }

    #[inline]
    pub fn record(&mut self, line: u32, request: LastRequest) {
        let line = line as usize;
        let number = &mut self.numbers[line / PAGE];
        if *number == 0 {
            *number = self.pages.len() as u32;
            self.pages.push([LastRequest::default(); PAGE]);
        }
        self.pages[*number as usize][line % PAGE] = request;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_keeps_its_own_until_all_are_forgotten() {
        let mut table = RequestTable::default();
        for round in 1..3 {
            table.reset(100);
            assert!((0..100).all(|line| table.last_request(line).sectors == 0));
            for line in (0..100).step_by(3) {
                table.record(line, LastRequest { at: line * round, sectors: 5, level: 6 });
            }
            for line in 0..100 {
                let LastRequest { at, sectors, level } = table.last_request(line);
                let expected = if line % 3 == 0 { (line * round, 5, 6) } else { (0, 0, 0) };
                assert_eq!((at, sectors, level), expected);
            }
        }
    }
}
