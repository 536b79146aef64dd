//! The lines of the last few distinct accesses, in order.
//!
//! Programs come back to the same few lines again and again. Their distances are found here, without a look at the table of
//! all lines.

/// Lines of the front.
pub(crate) const FRONT: usize = 4;

/// The lines that were accessed last. Each has a seat, which it keeps while it moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Front {
    /// The most recent line first.
    lines: [u64; FRONT],
    /// The seat of each line, a byte per line, the most recent line in the lowest byte.
    seats: u32,
    taken: u32,
}

impl Default for Front {
    fn default() -> Self {
        Self { lines: [0; FRONT], seats: 0x0302_0100, taken: 0 }
    }
}

impl Front {
    /// Moves a line to the first place. Returns its distance. A line that was not here takes the seat of the last one, which
    /// leaves. That seat is the error.
    #[inline]
    pub fn access(&mut self, line: u64) -> Result<u32, u32> {
        let [a, b, c, d] = self.lines;
        if line == a && self.taken > 0 {
            return Ok(0);
        }
        if line == b && self.taken > 1 {
            self.lines = [b, a, c, d];
            self.seats = self.seats & 0xffff_0000 | (self.seats as u16).rotate_left(8) as u32;
            return Ok(1);
        }
        let seats = self.seats;
        if line == c && self.taken > 2 {
            self.lines = [c, a, b, d];
            self.seats = seats & 0xff00_0000 | (seats & 0xffff) << 8 | seats >> 16 & 0xff;
            return Ok(2);
        }
        self.lines = [line, a, b, c];
        self.seats = seats.rotate_left(8);
        if line == d && self.taken > 3 {
            return Ok(3);
        }
        self.taken = (self.taken + 1).min(FRONT as u32);
        Err(seats >> 24)
    }

    /// Number of lines.
    #[inline]
    pub fn taken(&self) -> u32 {
        self.taken
    }

    /// The lines and their seats, the most recent one first.
    pub fn lines(&self) -> impl Iterator<Item = (u64, usize)> + '_ {
        let seats = self.seats.to_le_bytes();
        self.lines.into_iter().zip(seats).map(|(line, seat)| (line, usize::from(seat))).take(self.taken as usize)
    }
}
