//! The cache strings of GPGPU-Sim's options, such as `S:4:128:64,L:T:m:L:L,A:512:8,16:0,32`.
//!
//! ```text
//! string := none | shape,policy,mshr,queue
//! shape  := [N|S:]sets:line:ways            S: four sectors in a line
//! policy := replacement:write:allocate:write-allocate[:set index]
//! mshr   := A|S|F|T:entries:merges          queue := anything
//! ```
//! In: the text. Out: a [`CacheString`], or what was expected where. Facts as GPGPU-Sim's configuration files state them in
//! their comments and its `gpu-cache` sources do; old strings have neither the leading letter nor the set index.

use crate::{SetIndex, Stores};

/// A cache as its string describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CacheString {
    pub sectored: bool,
    pub sets: u64,
    pub line: u64,
    pub ways: u64,
    /// L, R, F or another letter for replacement; L is LRU.
    pub replacement: char,
    write: char,
    write_allocate: char,
    /// L, H, P, X or C; L when the string is older than the letter.
    pub index: char,
    pub mshrs: u64,
}

/// What was expected and what stood there.
pub(super) type Wrong = (&'static str, String);

const MOST: u64 = 1 << 24;

/// Reads a string; `Ok(None)` for `none`.
pub(super) fn parse(text: &str) -> Result<Option<CacheString>, Wrong> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    let mut groups = text.split(',');
    let mut group = |expected: &'static str| groups.next().ok_or_else(|| (expected, "the end".to_string()));
    let (sectored, [sets, line, ways]) = shape(group("a shape, `sets:line:ways`")?)?;
    let policy: Vec<&str> =
        group("a policy, `replacement:write:allocate:write-allocate:set index`")?.split(':').collect();
    let mshr: Vec<&str> = group("MSHRs, `type:entries:merges`")?.split(':').collect();
    let (4 | 5) = policy.len() else {
        return Err(("a policy of four or five letters", policy.join(":")));
    };
    let replacement = letter(policy[0], "LF", "a replacement of L (LRU) or F (FIFO)")?;
    let write = letter(policy[1], "RBTEL", "a write policy of R, B, T, E or L")?;
    letter(policy[2], "mfs", "an allocation of m (on miss), f (on fill) or s (streaming)")?;
    let write_allocate = letter(policy[3], "NWFL", "a write allocation of N, W, F or L")?;
    let index = match policy.get(4) {
        Some(text) => letter(text, "LHPXC", "a set index of L, H, P, X or C")?,
        None => 'L',
    };
    letter(mshr[0], "ASFT", "an MSHR type of A, S, F or T")?;
    let mshrs = mshr.get(1).and_then(|text| whole(text)).ok_or_else(|| ("a number of MSHRs", mshr.join(":")))?;
    Ok(Some(CacheString { sectored, sets, line, ways, replacement, write, write_allocate, index, mshrs }))
}

fn shape(text: &str) -> Result<(bool, [u64; 3]), Wrong> {
    let expected = "a shape, `N` or `S`, then sets:line:ways above zero";
    let wrong = || (expected, text.to_string());
    let mut parts: Vec<&str> = text.split(':').collect();
    let mut sectored = false;
    if parts.len() == 4 {
        sectored = letter(parts.remove(0), "NS", "a first letter of N (normal) or S (sectors)")? == 'S';
    }
    let numbers: Vec<u64> = parts.iter().filter_map(|part| whole(part)).collect();
    let [sets, line, ways] = <[u64; 3]>::try_from(numbers).map_err(|_| wrong())?;
    if parts.len() != 3 || sets.saturating_mul(ways) > MOST || !line.is_power_of_two() || line > 1 << 16 {
        return Err(wrong());
    }
    Ok((sectored && line % 4 == 0, [sets, line, ways]))
}

fn whole(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|n| (1..=MOST).contains(n))
}

fn letter(text: &str, known: &str, expected: &'static str) -> Result<char, Wrong> {
    let mut chars = text.trim().chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if known.contains(c) => Ok(c),
        _ => Err((expected, text.to_string())),
    }
}

impl CacheString {
    /// Capacity in bytes.
    pub fn bytes(&self) -> u64 {
        self.sets * self.ways * self.line
    }

    /// Bytes that a miss fetches.
    pub fn fetch(&self) -> u64 {
        if self.sectored {
            self.line / 4
        } else {
            self.line
        }
    }

    /// What stores do to an L1 of this string.
    pub fn stores(&self) -> Stores {
        match (self.write, self.write_allocate) {
            ('R', _) => Stores::None,
            (_, 'W' | 'F' | 'L') => Stores::WriteAllocate,
            // L evicts global lines and writes local ones back; an L1 of this model holds mostly global lines.
            ('E' | 'L', _) => Stores::WriteEvict,
            _ => Stores::WriteThroughNoAllocate,
        }
    }

    /// The set index as the model knows it, and where that differs from GPGPU-Sim's, how.
    pub fn set_index(&self) -> (SetIndex, &'static str) {
        let shift = self.line.trailing_zeros();
        match self.index {
            'L' if self.sets.is_power_of_two() => (SetIndex::Modulo, ""),
            'L' => (SetIndex::Modulo, "GPGPU-Sim takes only powers of two"),
            // Its source gives the bits of HPCA'14 figure 6, and bit 12 in front for 64 sets.
            'H' if matches!(self.sets, 32 | 64) && self.line <= 4096 => {
                let mut masks: Vec<u64> =
                    (0..5).zip([13, 14, 15, 17, 19]).map(|(i, b)| 1 << (shift + i) ^ 1 << b).collect();
                if self.sets == 64 {
                    masks.push(1 << 12);
                }
                (SetIndex::XorMasks(masks), "")
            }
            'H' => (SetIndex::Modulo, "the Fermi hash is defined for 32 and 64 sets only; taken modulo"),
            'X' if self.sets.is_power_of_two() => (SetIndex::XorFields, ""),
            'P' => match polynomial(self.sets) {
                Some((degree, low)) => (
                    SetIndex::XorMasks(remainders(shift, degree, low)),
                    "the polynomial is applied to all bits below 2^40",
                ),
                None => (SetIndex::Modulo, "IPOLY is known here for 16, 32 and 64 sets; taken modulo"),
            },
            _ => (SetIndex::Modulo, "this set index is not known here; taken modulo"),
        }
    }
}

/// Degree and low terms of the irreducible polynomial for this many sets (Rau, ISCA 1991; 37 and 67 as GPGPU-Sim names
/// them).
fn polynomial(sets: u64) -> Option<(u32, u64)> {
    match sets {
        16 => Some((4, 0b11)),
        32 => Some((5, 0b101)),
        64 => Some((6, 0b11)),
        _ => None,
    }
}

/// Masks of the byte address whose parities are the line number modulo the polynomial.
fn remainders(shift: u32, degree: u32, low: u64) -> Vec<u64> {
    let mut masks = vec![0u64; degree as usize];
    let mut remainder = 1u64;
    for bit in shift..40 {
        for (i, mask) in masks.iter_mut().enumerate() {
            *mask |= (remainder >> i & 1) << bit;
        }
        remainder <<= 1;
        if remainder >> degree == 1 {
            remainder = (remainder ^ 1 << degree) ^ low;
        }
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> CacheString {
        parse(text).expect(text).expect("a cache")
    }

    #[test]
    fn strings_of_every_age() {
        let volta = read("S:4:128:64,L:T:m:L:L,A:512:8,16:0,32");
        assert_eq!((volta.bytes(), volta.fetch(), volta.ways, volta.mshrs), (32 << 10, 32, 64, 512));
        assert_eq!((volta.stores(), volta.set_index().0), (Stores::WriteAllocate, SetIndex::Modulo));
        let fermi = read("N:32:128:4,L:L:m:N:H,S:64:8,8");
        assert_eq!(
            (fermi.bytes(), fermi.fetch(), fermi.mshrs, fermi.stores()),
            (16 << 10, 128, 64, Stores::WriteEvict)
        );
        let old = read("32:128:4,L:L:m:N:H,A:32:8,8");
        assert_eq!((old.sectored, old.set_index()), (false, fermi.set_index()));
        assert_eq!(read("64:128:6,L:R:f:N,A:2:32,4").index, 'L');
        assert_eq!(read("N:4:128:24,L:R:m:N:L,T:128:4,128:2").stores(), Stores::None);
        assert_eq!(read("N:4:128:24,F:T:m:N:X,A:128:4,128:2").set_index(), (SetIndex::XorFields, ""));
        assert_eq!(parse("none"), Ok(None));
    }

    #[test]
    fn the_fermi_hash_is_that_of_the_paper() {
        let pairs = [(7, 13), (8, 14), (9, 15), (10, 17), (11, 19)];
        let mut masks: Vec<u64> = pairs.iter().map(|(a, b)| 1 << a | 1 << b).collect();
        assert_eq!(read("N:32:128:4,L:L:m:N:H,S:64:8,8").set_index().0, SetIndex::XorMasks(masks.clone()));
        masks.push(1 << 12);
        assert_eq!(read("N:64:128:6,L:L:m:N:H,S:64:8,8").set_index().0, SetIndex::XorMasks(masks));
        assert!(read("N:16:128:6,L:L:m:N:H,S:64:8,8").set_index().1.contains("32 and 64"));
    }

    #[test]
    fn polynomial_remainders_by_long_division() {
        let SetIndex::XorMasks(masks) = read("S:32:128:24,L:B:m:L:P,A:192:4,32:0,32").set_index().0 else {
            panic!("masks");
        };
        for line in [0u64, 1, 31, 32, 33, 0x1234, 0xf_ffff] {
            let mut rest = line;
            for bit in (5..33).rev() {
                if rest >> bit & 1 == 1 {
                    rest ^= 0b10_0101 << (bit - 5);
                }
            }
            let set =
                masks.iter().enumerate().map(|(i, m)| u64::from((line << 7 & m).count_ones() & 1) << i).sum::<u64>();
            assert_eq!(set, rest, "{line:#x}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("", "a shape"),
            ("N:32:128", "a shape"),
            ("Q:32:128:4,L:L:m:N:H,S:64:8,8", "a first letter"),
            ("N:0:128:4,L:L:m:N:H,S:64:8,8", "a shape"),
            ("N:32:100:4,L:L:m:N:H,S:64:8,8", "a shape"),
            ("N:32:128:4", "a policy"),
            ("N:32:128:4,L:L:m,S:64:8,8", "a policy of four"),
            ("N:32:128:4,L:Q:m:N:H,S:64:8,8", "a write policy"),
            ("N:32:128:4,L:L:m:N:Z,S:64:8,8", "a set index"),
            ("N:32:128:4,L:L:m:N:H", "MSHRs"),
            ("N:32:128:4,L:L:m:N:H,S:x:8,8", "a number of MSHRs"),
        ] {
            let (wrong, _) = parse(text).expect_err(text);
            assert!(wrong.starts_with(expected), "{text}: {wrong}");
        }
    }
}
