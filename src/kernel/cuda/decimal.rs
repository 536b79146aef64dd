//! The double that lies next to a decimal number. The standard library gives the same by tables that would be a fortieth of
//! what the page loads for CUDA text; here the rare number that is not exact at once goes through long division.

/// Powers of ten up to this one are exact, as are whole numbers below 2^53.
const EXACT: i32 = 22;
/// Digits that decide; of those behind them it only counts whether one is not 0.
const DIGITS: usize = 800;
/// Decimal exponents beyond which all is infinite or 0.
const FAR: i32 = 400;
/// The exponent of the lowest double.
const LOWEST: i32 = -1074;

/// `12.5e-3`; `None` where that is no number.
pub(super) fn decimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, written(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    digits.drain(..digits.iter().take_while(|d| **d == b'0').count());
    let mut exponent = exponent.saturating_sub(i32::try_from(fraction.len()).ok()?);
    let first = exponent.saturating_add(i32::try_from(digits.len()).ok()?);
    if digits.is_empty() || first < -FAR {
        return Some(0.0);
    }
    if first > FAR {
        return Some(f64::INFINITY);
    }
    if digits.len() > DIGITS {
        exponent += (digits.len() - DIGITS - 1) as i32;
        let more = digits.drain(DIGITS..).fold(false, |more, d| more | (d != b'0'));
        digits.push(b'0' + u8::from(more));
    }
    let number = digits.iter().try_fold(0u64, |n, d| n.checked_mul(10)?.checked_add(u64::from(d - b'0')));
    if let Some(n) = number.filter(|n| *n < 1 << 53 && exponent.abs() <= EXACT) {
        let power = (0..exponent.abs()).fold(1.0, |power, _| power * 10.0);
        return Some(if exponent < 0 { n as f64 / power } else { n as f64 * power });
    }
    Some(nearest(&digits, exponent))
}

/// A decimal exponent; one that is too large is as good as any of its kind.
fn written(text: &str) -> Option<i32> {
    let (minus, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|d| d.is_ascii_digit()) {
        return None;
    }
    let value = digits.bytes().fold(0i32, |n, d| n.saturating_mul(10).saturating_add(i32::from(d - b'0')));
    Some(if minus { -value } else { value })
}

/// A whole number, lowest word first.
struct Long(Vec<u32>);

impl Long {
    /// `self · factor + more`.
    fn grow(&mut self, factor: u32, more: u32) {
        let mut carry = u64::from(more);
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(factor);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn bits(&self) -> i32 {
        self.0.last().map_or(0, |last| 32 * self.0.len() as i32 - last.leading_zeros() as i32)
    }

    fn double(&mut self, times: i32) {
        (0..times / 31).for_each(|_| self.grow(1 << 31, 0));
        self.grow(1 << (times % 31), 0);
    }

    /// Takes `other` away where it is not more than this number; whether it was.
    fn take(&mut self, other: &Self) -> bool {
        if self.0.len() < other.0.len() || self.0.len() == other.0.len() && self.0.iter().rev().lt(other.0.iter().rev())
        {
            return false;
        }
        let mut less = 0;
        for (i, word) in self.0.iter_mut().enumerate() {
            let rest = i64::from(*word) - i64::from(other.0.get(i).copied().unwrap_or(0)) - less;
            less = i64::from(rest < 0);
            *word = rest as u32;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        true
    }
}

/// The double next to `digits · 10^exponent`, the even one of two that are as near; `digits` begin with another than 0.
fn nearest(digits: &[u8], exponent: i32) -> f64 {
    let (mut above, mut below) = (Long(Vec::new()), Long(vec![1]));
    digits.iter().for_each(|d| above.grow(10, u32::from(d - b'0')));
    let side = if exponent < 0 { &mut below } else { &mut above };
    (0..exponent.abs()).for_each(|_| side.grow(10, 0));
    // Shifted so that the quotient has 64 or 65 bits, of which the first ones are taken one by one.
    let shift = 64 - (above.bits() - below.bits());
    above.double(shift.max(0));
    below.double((-shift).max(0) + 64);
    let mut quotient = 0u128;
    for _ in 0..=64 {
        quotient = quotient << 1 | u128::from(above.take(&below));
        above.double(1);
    }
    // The exponent of the result's last bit, and the bits that do not fit.
    let bits = 128 - quotient.leading_zeros() as i32;
    let last = (bits - 53 - shift).max(LOWEST);
    let lost = last + shift;
    if lost > bits + 1 {
        return 0.0;
    }
    let (kept, rest) = (quotient >> lost, (quotient & ((1 << lost) - 1)) << 1);
    let half = 1u128 << lost;
    let up = rest > half || rest == half && (!above.0.is_empty() || kept & 1 == 1);
    // The exponent's field follows the number's bits, so that what is carried makes it the next exponent.
    let double = ((last - LOWEST) as u64) << 52;
    let double = double + kept as u64 + u64::from(up);
    f64::from_bits(double.min(f64::INFINITY.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::decimal;

    fn check(text: &str) {
        let theirs = text.parse::<f64>().ok();
        assert_eq!(decimal(text).map(f64::to_bits), theirs.map(f64::to_bits), "{text}: {:?} {theirs:?}", decimal(text));
    }

    #[test]
    fn the_numbers_of_the_standard_library() {
        let long = format!("0.{}1", "0".repeat(1200));
        let tie = format!("9007199254740993.{}1e0", "0".repeat(900));
        let edges = [
            "0",
            "0.0",
            "1",
            "1.",
            ".5",
            "1e5",
            "1.5E-7",
            "3.141592654",
            "1e22",
            "1e23",
            "9007199254740993",
            "1e308",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e309",
            "1e99999999999",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "1e-400",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308",
            "0e99999999999",
            "1e-99999999999",
            ".",
            "",
            "e5",
            "1e",
            "1e+",
            "1.2.3",
            "1e5e6",
            "00012.500",
            "8.5e-3",
            "123456789012345678901234567890",
            "0.1e-320",
            &long,
            &tie,
        ];
        edges.iter().for_each(|text| check(text));
    }

    #[test]
    fn numbers_at_random() {
        let mut random = crate::job::Random::new(11);
        for _ in 0..20_000 {
            // A double, shortly and at length; digits as they come; what lies in the middle of two doubles.
            let double = f64::from_bits(random.below(f64::INFINITY.to_bits()));
            check(&format!("{double:e}"));
            check(&format!("{double:.60e}"));
            let exponent = random.below(660) as i64 - 340;
            check(&format!("{}.{}e{exponent}", random.below(1000), random.bits()));
            check(&format!("{}.{}e{}", random.below(1000), random.below(1_000_000), random.below(40) as i64 - 20));
            let odd = (1 << 53 | random.bits() >> 11) as u128 * 2 + 1;
            check(&format!("{}", odd << random.below(60)));
        }
    }
}
