//! From an address to its bank and row.
//!
//! Three kinds. `seed`: the bits that Huang & Li report for a Tesla K80 (III-C2). `gpgpusim_kepler`: GPGPU-Sim's Kepler
//! configuration. `generic`: channels, banks and rows of given sizes, with the usual XOR of bank and row bits, for GPUs
//! whose mapping nobody published. A fourth kind, parities under masks, is what the hidden memory of the probe uses.

/// Where an address lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Bank, counted over all channels.
    pub bank: u32,
    /// Row of that bank; equal numbers are the same row.
    pub row: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    Seed,
    Fields { channels: u64, channel_shift: u32, fields: Vec<(Part, u32)> },
    Generic { channels: u64, banks: u64, row_blocks: u64 },
    Interleaved { channels: u64, banks: u64, row_blocks: u64 },
    Masks { bank: Vec<u64>, row: u64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Column,
    Bank,
}

/// An address mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    rule: Rule,
    banks: u32,
}

/// Bytes that stay in one channel (GPGPU-Sim's `dramid@8`, and common for GPUs).
const CHANNEL_BYTES: u64 = 256;
const SEED_BANKS: u32 = 96;
/// Row or column bits of the seed, 8 to 21 and 30 to 32.
const SEED_ROW_COLUMN: u64 = (0x3fff << 8) | (0b111 << 30);
/// Which of them are columns is not reported; the three lowest are taken.
const SEED_COLUMN: u64 = 0b111 << 8;
/// The burst; bits below do not leave the data that a request transfers.
const BURST: u64 = 0x1f;

impl Mapping {
    /// Bits as the seed reports them: 8 to 21 and 30 to 32 are row or column, all others name the bank.
    ///
    /// 13 such bits within 8 GB are 8,192 names for 96 banks; the names are hashed onto the banks, which the paper does not
    /// say how. Bits 5 to 7 split a 128-byte line over banks, as printed.
    pub fn seed() -> Self {
        Self { rule: Rule::Seed, banks: SEED_BANKS }
    }

    /// GPGPU-Sim's Kepler (TITAN) configuration: the channel above bit 8; then, from the lowest bit, 5 burst, 2 column,
    /// 1 bank, 4 column, 3 bank bits, and the row.
    pub fn gpgpusim_kepler(channels: u32) -> Self {
        let fields = vec![(Part::Column, 7), (Part::Bank, 1), (Part::Column, 4), (Part::Bank, 3)];
        let channels = channels.max(1);
        Self { rule: Rule::Fields { channels: channels.into(), channel_shift: 8, fields }, banks: channels * 16 }
    }

    /// Channels of `banks` banks with rows of `row_bytes`; 256 bytes stay in a channel, and channel and bank are hashed
    /// with the bits above so that no stride keeps to one bank. Assumed where nothing is published.
    pub fn generic(channels: u32, banks: u32, row_bytes: u32) -> Self {
        let (channels, banks) = (channels.max(1), banks.max(1));
        let row_blocks = (u64::from(row_bytes) / CHANNEL_BYTES).max(1);
        let rule = Rule::Generic { channels: channels.into(), banks: banks.into(), row_blocks };
        Self { rule, banks: channels.saturating_mul(banks) }
    }

    /// As [`Mapping::generic`], with channels in turn and the bank's bits hashed with those of the row just above them only: for
    /// a memory of which the probe has found that.
    pub fn interleaved(channels: u32, banks: u32, row_bytes: u32) -> Self {
        let (channels, banks) = (channels.max(1), banks.max(1));
        let row_blocks = (u64::from(row_bytes) / CHANNEL_BYTES).max(1);
        let rule = Rule::Interleaved { channels: channels.into(), banks: banks.into(), row_blocks };
        Self { rule, banks: channels.saturating_mul(banks) }
    }

    /// Bit `i` of the bank is the parity of the address under `bank[i]`; the row is what is under `row`.
    pub fn masks(bank: Vec<u64>, row: u64) -> Self {
        let banks = 1u32 << bank.len().min(16);
        Self { rule: Rule::Masks { bank, row }, banks }
    }

    /// Banks over all channels.
    pub fn banks(&self) -> u32 {
        self.banks
    }

    /// Bank and row of `address`.
    pub fn place(&self, address: u64) -> Place {
        match &self.rule {
            Rule::Seed => seed_place(address),
            Rule::Fields { channels, channel_shift, fields } => {
                let low = address & ((1 << channel_shift) - 1);
                let high = address >> channel_shift;
                let mut rest = (high / channels) << channel_shift | low;
                let mut bank = 0;
                let mut shift = 0;
                for (part, bits) in fields {
                    if *part == Part::Bank {
                        bank |= (rest & ((1 << bits) - 1)) << shift;
                        shift += bits;
                    }
                    rest >>= bits;
                }
                Place { bank: ((high % channels) << shift | bank) as u32, row: rest }
            }
            Rule::Generic { channels, banks, row_blocks } => {
                let block = address / CHANNEL_BYTES;
                let fold = block / channels;
                let channel = (block + mix(fold >> 3)) % channels;
                let row_of_all = fold / row_blocks;
                let row = row_of_all / banks;
                Place { bank: (channel * banks + (row_of_all + mix(row)) % banks) as u32, row }
            }
            Rule::Interleaved { channels, banks, row_blocks } => {
                let block = address / CHANNEL_BYTES;
                let row_of_all = block / channels / row_blocks;
                let row = row_of_all / banks;
                Place { bank: (block % channels * banks + (row_of_all ^ row) % banks) as u32, row }
            }
            Rule::Masks { bank, row } => {
                let parity = |mask: &u64| (address & mask).count_ones() & 1;
                let bank = bank.iter().rev().fold(0, |number, mask| number << 1 | parity(mask));
                Place { bank, row: address & row }
            }
        }
    }
}

/// Rows of different names that share a bank after hashing are different rows, so the name is part of the row.
fn seed_place(address: u64) -> Place {
    let name = address & !SEED_ROW_COLUMN & !BURST;
    let bank = (mix(name) % u64::from(SEED_BANKS)) as u32;
    Place { bank, row: address & !SEED_COLUMN & !BURST }
}

/// The finaliser of SplitMix64 (Steele et al., OOPSLA 2014), cut so that sums do not overflow.
fn mix(number: u64) -> u64 {
    let mut hash = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (hash ^ hash >> 31) >> 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kepler_fields_are_where_the_configuration_puts_them() {
        let m = Mapping::gpgpusim_kepler(6);
        assert_eq!(m.banks(), 96);
        let check = |address, bank, row| assert_eq!(m.place(address), Place { bank, row }, "{address:#x}");
        check(0, 0, 0);
        check(0x60, 0, 0); // columns
        check(0x80, 1, 0); // lowest bank bit
        check(0x100, 16, 0); // next channel
        check(6 * 0x100, 0, 0); // column bit 8 of what is left after the channels
        check(6 * 0x1000, 2, 0); // bank bits 12 to 14
        check(6 * 0x8000, 0, 1);
    }

    #[test]
    fn the_seed_spreads_names_and_keeps_rows_apart() {
        let m = Mapping::seed();
        let at = |address| m.place(address);
        assert_eq!(at(0), at(0x71f), "columns and the burst");
        assert_eq!(at(0).bank, at(1 << 11).bank, "row bits stay in the bank");
        assert_ne!(at(0).row, at(1 << 11).row);
        let banks: std::collections::BTreeSet<u32> =
            (0..1u64 << 11).map(|name| at((name & 0xff) << 22 | (name >> 8) << 33).bank).collect();
        assert_eq!(banks.len(), 96);
        // Two names in one bank never share a row.
        let (a, b) = (at(1 << 22), (2..5000u64).map(|n| at(n << 22)).find(|p| p.bank == at(1 << 22).bank));
        assert_ne!(Some(a.row), b.map(|p| p.row));
    }

    #[test]
    fn the_generic_mapping_uses_all_banks_for_streams_and_strides() {
        let m = Mapping::generic(22, 16, 2048);
        for stride in [256, 4096, 16384, 22 * 256, 1 << 20] {
            let mut counts = vec![0u32; m.banks() as usize];
            (0..35_200u64).for_each(|i| counts[m.place(i * stride).bank as usize] += 1);
            let most = counts.iter().max().expect("there are banks");
            assert!(*most < 400, "stride {stride}: {most} of 35,200 in one of 352 banks");
        }
    }

    #[test]
    fn a_place_is_taken_by_one_row_only() {
        // As many blocks share bank and row as a row has room for.
        let m = Mapping::generic(8, 16, 2048);
        let mut taken = std::collections::BTreeMap::new();
        (0..1u64 << 16).for_each(|block| {
            let place = m.place(block * 256);
            *taken.entry((place.bank, place.row)).or_insert(0u32) += 1;
        });
        assert!(taken.values().all(|&blocks| blocks == 8), "{:?}", taken.values().max());
    }

    #[test]
    fn interleaved_channels_take_turns_and_rows_are_hashed_by_the_next() {
        let mapping = Mapping::interleaved(4, 16, 2048);
        assert_eq!(mapping.banks(), 64);
        let channel = |address: u64| mapping.place(address).bank / 16;
        assert_eq!([0u64, 255, 256, 512, 768, 1024].map(channel), [0, 0, 1, 2, 3, 0]);
        // A row of a channel is 2048 of its bytes, 8192 of all; the sixteenth begins the next row, which turns the banks by one.
        let at = |row: u64| mapping.place(row * 8192);
        assert_eq!((at(1).bank, at(15).bank, at(16).bank, at(17).bank), (1, 15, 1, 0));
        assert_eq!((at(15).row, at(16).row), (0, 1));
    }
}
