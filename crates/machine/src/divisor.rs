//! Division by a number that stays the same for a whole run.

/// A divisor of at least 1. Most are powers of two, for which a shift is much quicker than a division.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divisor {
    value: u64,
    /// The logarithm of a power of two. For others it is 64.
    shift: u32,
}

impl Divisor {
    /// The divisor `value`, or 1 if it is 0.
    pub fn new(value: u64) -> Self {
        let value = value.max(1);
        Self { value, shift: if value.is_power_of_two() { value.trailing_zeros() } else { 64 } }
    }

    /// The quotient and the remainder.
    #[inline]
    pub fn divide(self, number: u64) -> (u64, u64) {
        if self.shift < 64 {
            (number >> self.shift, number & (self.value - 1))
        } else {
            (number / self.value, number % self.value)
        }
    }

    /// The quotient, rounded up.
    #[inline]
    pub fn divide_up(self, number: u64) -> u64 {
        let (quotient, rest) = self.divide(number);
        quotient + u64::from(rest > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_divides() {
        for value in [1, 2, 3, 24, 64, 1000, 1 << 40, u64::MAX] {
            let by = Divisor::new(value);
            for number in [0, 1, 2, 23, 24, 25, 1 << 20, (1 << 40) + 7, u64::MAX] {
                assert_eq!(by.divide(number), (number / value, number % value), "{number} / {value}");
                assert_eq!(by.divide_up(number), number.div_ceil(value), "{number} / {value}");
            }
        }
        assert_eq!(Divisor::new(0).divide(7), (7, 0));
    }
}
