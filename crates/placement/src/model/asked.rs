//! What an SM has asked the L2 for where it has no L1: by line, the last time.

/// Lines of a page: as many as fit into a cache line.
const PAGE: usize = 8;

/// When a line was asked for, in the caller's clock; which sectors; the level that they came from. Nothing: no sectors.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Request {
    pub at: u32,
    pub sectors: u8,
    pub level: u8,
}

/// The requests of one SM: a table of lines in pages that are there once one of their lines was asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// Number of the page of each [`PAGE`] lines; 0 is a page of nothing.
    numbers: Vec<u32>,
    pages: Vec<[Request; PAGE]>,
}

impl Asked {
    /// Forgets all; lines are below `lines`.
    pub fn reset(&mut self, lines: usize) {
        self.numbers.clear();
        self.numbers.resize(lines.div_ceil(PAGE), 0);
        self.pages.clear();
        self.pages.push([Request::default(); PAGE]);
    }

    #[inline]
    pub fn of(&self, line: u32) -> Request {
        let line = line as usize;
        self.pages[self.numbers[line / PAGE] as usize][line % PAGE]
    }

    #[inline]
    pub fn set(&mut self, line: u32, request: Request) {
        let line = line as usize;
        let number = &mut self.numbers[line / PAGE];
        if *number == 0 {
            *number = self.pages.len() as u32;
            self.pages.push([Request::default(); PAGE]);
        }
        self.pages[*number as usize][line % PAGE] = request;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_keeps_its_own_until_all_are_forgotten() {
        let mut asked = Asked::default();
        for round in 1..3 {
            asked.reset(100);
            assert!((0..100).all(|line| asked.of(line).sectors == 0));
            for line in (0..100).step_by(3) {
                asked.set(line, Request { at: line * round, sectors: 5, level: 6 });
            }
            for line in 0..100 {
                let Request { at, sectors, level } = asked.of(line);
                let expected = if line % 3 == 0 { (line * round, 5, 6) } else { (0, 0, 0) };
                assert_eq!((at, sectors, level), expected);
            }
        }
    }
}
