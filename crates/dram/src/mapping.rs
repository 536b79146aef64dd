//! Mappings from an address to its bank and row.
//!
//! * [`Mapping::reported`] takes row and column bits as Huang & Li report them for a Tesla K80 (III-C2).
//! * [`Mapping::gpgpusim_kepler`] is GPGPU-Sim's Kepler configuration.
//! * [`Mapping::generic`] takes the sizes of channels, banks and rows and hashes the bank bits with row bits. It
//!   serves GPUs whose mapping is not published.
//! * [`Mapping::interleaved`] does the same with channels in turn.
//! * [`Mapping::masks`] takes parities under masks. The hidden memory of the probe uses it.

/// The bank and row of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DramAddress {
    /// Number of the bank, counted over all channels.
    pub bank: u32,
    /// Identifies the row within its bank.
    pub row: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum MappingRule {
    Reported { row_and_column: u64, column: u64, banks: u64 },
    Fields { channels: u64, channel_shift: u32, fields: Vec<(BitField, u32)> },
    Generic { channels: u64, banks: u64, row_blocks: u64 },
    Interleaved { channels: u64, banks: u64, row_blocks: u64 },
    Masks { bank: Vec<u64>, row: u64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BitField {
    Column,
    Bank,
}

/// A mapping from addresses to banks and rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    rule: MappingRule,
    banks: u32,
}

/// Consecutive bytes in one channel (GPGPU-Sim's `dramid@8`, and common for GPUs).
const CHANNEL_BYTES: u64 = 256;
/// The address bits within the smallest unit that the paper's mapping leaves whole ("the last 3 bits").
const BYTES: u64 = 0x7;

impl Mapping {
    /// The numbers of the bits that select row or column. All others but the last three name the bank, as Huang & Li
    /// report it (III-C2).
    ///
    /// The paper leaves two points open. It does not say which bits are the column; the lowest three are assumed. The
    /// bits of the K80 give 8,192 names within 8 GB, but the paper counts 96 banks; the names are hashed to `banks`. As
    /// printed, bits 3 to 7 split a 128-byte line over banks.
    pub fn reported(row_and_column: &[u64], banks: u32) -> Self {
        let mask = |bits: &[u64]| bits.iter().filter(|bit| **bit < 64).fold(0u64, |mask, bit| mask | 1 << bit);
        let banks = banks.max(1);
        let (all, column) = (mask(row_and_column), mask(&row_and_column[..row_and_column.len().min(3)]));
        Self { rule: MappingRule::Reported { row_and_column: all, column, banks: banks.into() }, banks }
    }

    /// GPGPU-Sim's Kepler (TITAN) configuration. The channel starts at bit 8. The other bits are, from the lowest on,
    /// 5 burst, 2 column, 1 bank, 4 column and 3 bank bits, and then the row.
    pub fn gpgpusim_kepler(channels: u32) -> Self {
        let fields = vec![(BitField::Column, 7), (BitField::Bank, 1), (BitField::Column, 4), (BitField::Bank, 3)];
        let channels = channels.max(1);
        Self { rule: MappingRule::Fields { channels: channels.into(), channel_shift: 8, fields }, banks: channels * 16 }
    }

    /// Channels of `banks` banks with rows of `row_bytes`, interleaved every 256 bytes. Channel and bank are hashed
    /// with the bits above them, so that no stride stays in one bank. This is an assumption for GPUs without a
    /// published mapping.
    pub fn generic(channels: u32, banks: u32, row_bytes: u32) -> Self {
        let (channels, banks) = (channels.max(1), banks.max(1));
        let row_blocks = (u64::from(row_bytes) / CHANNEL_BYTES).max(1);
        let rule = MappingRule::Generic { channels: channels.into(), banks: banks.into(), row_blocks };
        Self { rule, banks: channels.saturating_mul(banks) }
    }

    /// Like [`Mapping::generic`], but with channels in turn and with the bank bits hashed only with the lowest row
    /// bits. It serves memories for which the probe has found this form.
    pub fn interleaved(channels: u32, banks: u32, row_bytes: u32) -> Self {
        let (channels, banks) = (channels.max(1), banks.max(1));
        let row_blocks = (u64::from(row_bytes) / CHANNEL_BYTES).max(1);
        let rule = MappingRule::Interleaved { channels: channels.into(), banks: banks.into(), row_blocks };
        Self { rule, banks: channels.saturating_mul(banks) }
    }

    /// Bit `i` of the bank is the parity of the address bits in `bank[i]`. The row consists of the address bits in
    /// `row`.
    pub fn masks(bank: Vec<u64>, row: u64) -> Self {
        let banks = 1u32 << bank.len().min(16);
        Self { rule: MappingRule::Masks { bank, row }, banks }
    }

    /// Number of banks over all channels.
    pub fn banks(&self) -> u32 {
        self.banks
    }

    /// Bank and row of `address`.
    pub fn decode_address(&self, address: u64) -> DramAddress {
        match &self.rule {
            // Rows with different bank names that hash to the same bank are different rows, so the name is part of the row.
            MappingRule::Reported { row_and_column, column, banks } => DramAddress {
                bank: (mix(address & !row_and_column & !BYTES) % banks) as u32,
                row: address & !column & !BYTES,
            },
            MappingRule::Fields { channels, channel_shift, fields } => {
                let low = address & ((1 << channel_shift) - 1);
                let high = address >> channel_shift;
                let mut rest = (high / channels) << channel_shift | low;
                let mut bank = 0;
                let mut shift = 0;
                for (part, bits) in fields {
                    if *part == BitField::Bank {
                        bank |= (rest & ((1 << bits) - 1)) << shift;
                        shift += bits;
                    }
                    rest >>= bits;
                }
                DramAddress { bank: ((high % channels) << shift | bank) as u32, row: rest }
            }
            MappingRule::Generic { channels, banks, row_blocks } => {
                let block = address / CHANNEL_BYTES;
                let fold = block / channels;
                let channel = (block + mix(fold >> 3)) % channels;
                let row_of_all = fold / row_blocks;
                let row = row_of_all / banks;
                DramAddress { bank: (channel * banks + (row_of_all + mix(row)) % banks) as u32, row }
            }
            MappingRule::Interleaved { channels, banks, row_blocks } => {
                let block = address / CHANNEL_BYTES;
                let row_of_all = block / channels / row_blocks;
                let row = row_of_all / banks;
                DramAddress { bank: (block % channels * banks + (row_of_all ^ row) % banks) as u32, row }
            }
            MappingRule::Masks { bank, row } => {
                let parity = |mask: &u64| (address & mask).count_ones() & 1;
                let bank = bank.iter().rev().fold(0, |number, mask| number << 1 | parity(mask));
                DramAddress { bank, row: address & row }
            }
        }
    }
}

/// The finaliser of SplitMix64 (Steele et al., OOPSLA 2014), without the low 8 bits so that sums do not overflow.
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
        let check =
            |address, bank, row| assert_eq!(m.decode_address(address), DramAddress { bank, row }, "{address:#x}");
        check(0, 0, 0);
        check(0x60, 0, 0); // columns
        check(0x80, 1, 0); // lowest bank bit
        check(0x100, 16, 0); // next channel
        check(6 * 0x100, 0, 0); // column bit 8 of what is left after the channels
        check(6 * 0x1000, 2, 0); // bank bits 12 to 14
        check(6 * 0x8000, 0, 1);
    }

    #[test]
    fn reported_bits_spread_names_and_keep_rows_apart() {
        // The bits of the K80: 8 to 21 and 30 to 32.
        let bits: Vec<u64> = (8..22).chain(30..33).collect();
        let m = Mapping::reported(&bits, 96);
        let at = |address| m.decode_address(address);
        assert_eq!(at(0), at(0x707), "columns and bytes");
        assert_ne!(at(0), at(0x20), "bit 5 names the bank");
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
            (0..35_200u64).for_each(|i| counts[m.decode_address(i * stride).bank as usize] += 1);
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
            let address = m.decode_address(block * 256);
            *taken.entry((address.bank, address.row)).or_insert(0u32) += 1;
        });
        assert!(taken.values().all(|&blocks| blocks == 8), "{:?}", taken.values().max());
    }

    #[test]
    fn interleaved_channels_take_turns_and_rows_are_hashed_by_the_next() {
        let mapping = Mapping::interleaved(4, 16, 2048);
        assert_eq!(mapping.banks(), 64);
        let channel = |address: u64| mapping.decode_address(address).bank / 16;
        assert_eq!([0u64, 255, 256, 512, 768, 1024].map(channel), [0, 0, 1, 2, 3, 0]);
        // A row of a channel covers 8192 bytes of all channels. The sixteenth begins the next row, whose banks are
        // XORed with 1.
        let at = |row: u64| mapping.decode_address(row * 8192);
        assert_eq!((at(1).bank, at(15).bank, at(16).bank, at(17).bank), (1, 15, 1, 0));
        assert_eq!((at(15).row, at(16).row), (0, 1));
    }
}
