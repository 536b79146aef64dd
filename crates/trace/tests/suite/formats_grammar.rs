//! Tests with Accel-Sim files that are generated from the grammar of the format. They cover constructs that no sample
//! has: every tracer version with and without ids, every address mode, tensor memory lines, register values, clusters,
//! and raw order. The generator counts what it writes.

use base::Random;
use base::Severity;
use std::fmt::Write;
use trace::{FileReader, Format, Trace};

/// Counts of the generated file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    kernels: usize,
    blocks: usize,
    warps: usize,
    instructions: u64,
    /// Instructions with a mask and at least one address.
    accesses: usize,
    /// Wrapping sum of all lane addresses. It detects a list that is read from the wrong field.
    checksum: u64,
}

struct Writer {
    text: String,
    random: Random,
    count: Count,
    version: u64,
    /// Lines have ids although the version has none, or the two additional ids of core tracing.
    ids: Ids,
    line_numbers: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Ids {
    AsVersion,
    Leaked,
    Core,
}

impl Writer {
    fn pick(&mut self, below: u64) -> u64 {
        self.random.below(below)
    }

    fn header(&mut self) {
        let _ = write!(
            self.text,
            "-kernel name = k{}\n-kernel id = 1\n-grid dim = (4,2,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 16\n",
            self.count.kernels
        );
        if self.version > 0 {
            let _ = writeln!(self.text, "-accelsim tracer version = {}", self.version);
            let _ = writeln!(self.text, "-enable lineinfo = {}", u8::from(self.line_numbers));
        }
        self.text += "\n#traces format = not to be trusted\n\n";
        self.count.kernels += 1;
    }

    fn registers(&mut self, most: u64) -> String {
        let count = self.pick(most + 1);
        let names: String = (0..count)
            .map(|_| format!(" {}{}", ["R", "UR", "P", "UP"][self.pick(4) as usize], self.pick(255)))
            .collect();
        format!("{count}{names}")
    }

    fn tail(&mut self) -> String {
        match (self.version, self.pick(2)) {
            (0..=2, _) => String::new(),
            (3, 0) => String::new(),
            (3..=4, _) | (5, 0) => format!(" {}", self.pick(100)),
            (5, _) => format!(" {} {}", self.pick(100), self.pick(9)),
            (_, 0) => format!(" {} {} NoVal", self.pick(100), self.pick(9)),
            _ => format!(" {} {} Val 1 0x{:x} 2 0x1 0x2", self.pick(100), self.pick(9), self.pick(1 << 20)),
        }
    }

    /// Writes the addresses of the lanes in one of the three modes, and adds them to the sum.
    fn addresses(&mut self, mask: u32) -> String {
        let lanes = mask.count_ones() as u64;
        let base = 0x7f00_0000_0000 + self.pick(1 << 30);
        let contiguous = (mask >> mask.trailing_zeros()).wrapping_add(1).is_power_of_two() || mask == u32::MAX;
        let mode = self.pick(3);
        let mut list = vec![base];
        if mode == 1 && contiguous {
            let stride = self.pick(600) as i64 - 300;
            list = (0..lanes as i64).map(|i| base.wrapping_add((stride * i) as u64)).collect();
            self.count.checksum = list.iter().fold(self.count.checksum, |sum, a| sum.wrapping_add(*a));
            return format!("1 {base:#x} {stride}");
        }
        while (list.len() as u64) < lanes {
            let step = self.pick(4000) as i64 - 2000;
            list.push(list[list.len() - 1].wrapping_add(step as u64));
        }
        self.count.checksum = list.iter().fold(self.count.checksum, |sum, a| sum.wrapping_add(*a));
        if mode == 0 {
            return "0".to_string() + &list.iter().map(|address| format!(" {address:#018x}")).collect::<String>();
        }
        let steps: String = list.windows(2).map(|pair| format!(" {}", pair[1].wrapping_sub(pair[0]) as i64)).collect();
        format!("2 {base:#x}{steps}")
    }

    fn line(&mut self, block: [u32; 3], warp: u32, raw: bool) {
        let [x, y, z] = block;
        let ids = if raw || self.version < 3 || self.ids == Ids::Leaked {
            format!("{x} {y} {z} {warp} ")
        } else {
            String::new()
        };
        let core = if self.ids == Ids::Core { "3 1 " } else { "" };
        let number = if self.line_numbers { format!("{} ", self.pick(200)) } else { String::new() };
        let pc = 16 * self.pick(4096);
        let mask = match self.pick(5) {
            0 => 0,
            1 => self.random.bits() as u32 | 1,
            2 => 0xffff,
            _ => u32::MAX,
        };
        let destinations = self.registers(2);
        let sources = self.registers(3);
        let body = match self.pick(8) {
            0 => format!("FFMA {sources} 0"),
            1 if self.version >= 5 => format!("HGMMA.64x64x16.F32 {sources} 1 0"),
            2 if self.version >= 5 => format!("UTMALDG.2D {sources} 8 0x7000 0 4096 0 3 2 0x100 0x200"),
            3 if self.version >= 5 => format!("UBLKCP {sources} 8 0x7000 1 ffff 4096 0 4 0x100 2 256"),
            4 => format!("LDC.64 {sources} 0"),
            kind => {
                let opcode = ["LDG.E.64", "STG.E", "LDS.U.32", "ATOMG.E.ADD"][kind as usize % 4];
                let width = if kind % 4 == 0 { 8 } else { 4 };
                if mask == 0 {
                    format!("{opcode} {sources} {width} 1 0x0 0")
                } else {
                    self.count.accesses += 1;
                    format!("{opcode} {sources} {width} {}", self.addresses(mask))
                }
            }
        };
        let tail = self.tail();
        self.count.instructions += 1;
        let _ = writeln!(self.text, "{ids}{core}{number}{pc:04x} {mask:08x} {destinations} {body}{tail} ");
    }

    fn grouped(&mut self) {
        for block in 0..1 + self.pick(3) as u32 {
            self.count.blocks += 1;
            let _ = write!(self.text, "#BEGIN_TB\n\nthread block = {block},0,0\n");
            if self.version >= 5 {
                self.text += "cluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n";
            }
            for warp in 0..2 {
                let lines = self.pick(8);
                self.count.warps += 1;
                let _ = write!(self.text, "\nwarp = {warp}\ninsts = {lines}\n");
                (0..lines).for_each(|_| self.line([block, 0, 0], warp, false));
            }
            self.text += "\n#END_TB\n\n";
        }
    }

    fn raw(&mut self) {
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..1 + self.pick(40) {
            let (block, warp) = ([self.pick(4) as u32, self.pick(2) as u32, 0], self.pick(2) as u32);
            seen.insert((block, warp));
            self.line(block, warp, true);
        }
        self.count.warps += seen.len();
        self.count.blocks += seen.iter().map(|(block, _)| block).collect::<std::collections::BTreeSet<_>>().len();
    }
}

fn count(kernels: &[Trace]) -> Count {
    let mut count = Count { kernels: kernels.len(), ..Count::default() };
    let mut list = [0; 32];
    for kernel in kernels {
        count.blocks += kernel.blocks.len();
        count.warps += kernel.warps.len();
        count.instructions += kernel.warps.iter().map(|warp| warp.instructions).sum::<u64>();
        count.accesses += kernel.access_count();
        for access in kernel.warps.iter().flat_map(|warp| kernel.accesses(warp)) {
            let n = access.addresses(&mut list);
            count.checksum = list[..n].iter().fold(count.checksum, |sum, a| sum.wrapping_add(*a));
        }
    }
    count
}

#[test]
fn everything_the_grammar_can_say() {
    for seed in 0..600 {
        let (version, raw) = (seed % 7, seed % 14 >= 7);
        let ids = match seed / 14 % 4 {
            1 if version >= 3 && !raw => Ids::Leaked,
            2 if version >= 3 => Ids::Core,
            _ => Ids::AsVersion,
        };
        let line_numbers = version >= 4 && ids == Ids::AsVersion && seed % 3 == 0;
        let random = Random::new(seed);
        let mut writer = Writer { text: String::new(), random, count: Count::default(), version, ids, line_numbers };
        for _ in 0..1 + seed % 2 {
            writer.header();
            if raw {
                writer.raw();
            } else {
                writer.grouped();
            }
        }
        let mut reader = FileReader::new("k.trace");
        writer.text.as_bytes().chunks(333).for_each(|chunk| reader.push_bytes(chunk));
        let content = reader.finish();
        assert_eq!(content.format, Format::Traceg { raw });
        let bad: Vec<_> = content.diagnostics.iter().filter(|d| d.severity > Severity::Note).collect();
        assert!(bad.is_empty(), "seed {seed} version {version} {ids:?}: {bad:?}\n{}", writer.text);
        assert_eq!(count(&content.kernels), writer.count, "seed {seed} version {version} {ids:?}\n{}", writer.text);
    }
}
