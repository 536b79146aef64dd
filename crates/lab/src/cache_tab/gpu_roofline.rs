//! The roofline of a kernel: what it computes for each byte that it moves, below what the GPU can compute and move.
//!
//! In: the mix of instructions of a trace, and the numbers of its run in the model `gpu`.
//! Out: the kernel's point at the L2 and at DRAM, and the ceilings. The model is that of Williams, Waterman and Patterson
//! (CACM 52(4), 2009).
//!
//! Not modelled: lanes that are switched off, and fused multiply-adds. A trace does not tell them from other instructions, so
//! the operations are lanes times instructions, and not FLOP.

use crate::cache_tab::gpu_report::GpuNumbers;
use machine::MachineSpec;
use serde::Serialize;
use trace::InstructionMix;

/// Lanes of a warp.
const LANES: f64 = 32.0;
/// Bytes of a sector.
const SECTOR: u64 = 32;

/// What a kernel computes and moves, beside what the GPU can. An operation is a floating-point instruction of one lane.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuRoofline {
    /// Warp instructions of `float` and half arithmetic.
    pub fp32: u64,
    /// Warp instructions of `double` arithmetic.
    pub fp64: u64,
    /// Operations: 32 lanes times these instructions.
    pub operations: u64,
    /// Operations per second over the time of the kernel.
    pub operations_per_second: f64,
    /// Bytes between the cores and the L2, in both directions.
    pub l2_bytes: u64,
    /// Bytes between the L2 and DRAM, in both directions.
    pub dram_bytes: u64,
    /// Operations per byte of the L2. It is `None` if no byte moves.
    pub per_l2_byte: Option<f64>,
    /// Operations per byte of DRAM. It is `None` if no byte moves.
    pub per_dram_byte: Option<f64>,
    /// Operations per second that the units can do, in the kernel's mix of `float` and `double`.
    pub peak_operations_per_second: f64,
    /// Bytes per second that the L2 and its links can move, in the kernel's mix of reads and writes.
    pub peak_l2_bytes_per_second: f64,
    /// Bytes per second that DRAM can move.
    pub peak_dram_bytes_per_second: f64,
    /// Operations per second that the lowest ceiling over the kernel allows.
    pub attainable_operations_per_second: f64,
    /// That ceiling: `units`, `L2` or `DRAM`.
    pub limit: &'static str,
}

impl GpuRoofline {
    /// The roofline of a kernel. `spec` is the machine with all its cores. It is `None` if the trace does not say what its
    /// instructions are.
    pub(crate) fn of(mix: &InstructionMix, spec: &MachineSpec, numbers: &GpuNumbers) -> Option<Self> {
        if mix.integer + mix.fp32 + mix.fp64 + mix.special == 0 {
            return None;
        }
        let operations = LANES as u64 * (mix.fp32 + mix.fp64);
        let l2_bytes = SECTOR * (numbers.l2.reads + numbers.l2.writes + numbers.l2.atomics);
        let dram_bytes = SECTOR * (numbers.dram.reads + numbers.dram.writes);
        let per = |bytes: u64| (bytes > 0).then(|| operations as f64 / bytes as f64);
        let (per_l2_byte, per_dram_byte) = (per(l2_bytes), per(dram_bytes));
        let units = peak_operations(mix, spec);
        let l2 = peak_l2_bytes(spec, numbers);
        let dram = f64::from(spec.channels) * spec.channel_bytes * spec.clock_hz;
        let below = |per: Option<f64>, bytes: f64| per.map_or(f64::INFINITY, |per| per * bytes);
        let ceilings = [("units", units), ("L2", below(per_l2_byte, l2)), ("DRAM", below(per_dram_byte, dram))];
        let lowest = ceilings.into_iter().fold(ceilings[0], |low, one| if one.1 < low.1 { one } else { low });
        Some(Self {
            fp32: mix.fp32,
            fp64: mix.fp64,
            operations,
            operations_per_second: if numbers.seconds > 0.0 { operations as f64 / numbers.seconds } else { 0.0 },
            l2_bytes,
            dram_bytes,
            per_l2_byte,
            per_dram_byte,
            peak_operations_per_second: units,
            peak_l2_bytes_per_second: l2,
            peak_dram_bytes_per_second: dram,
            attainable_operations_per_second: lowest.1,
            limit: lowest.0,
        })
    }
}

/// Operations per second of all cores. `float` and `double` have units of their own, which work at the same time.
fn peak_operations(mix: &InstructionMix, spec: &MachineSpec) -> f64 {
    let cores = f64::from(spec.cores) * f64::from(spec.parts) * f64::from(spec.schedulers);
    let instructions = (mix.fp32 + mix.fp64) as f64;
    // A scheduler issues one instruction per cycle, also where its units could take more.
    let fp32 = mix.fp32 as f64 * spec.unit_cycles.fp32;
    let cycles = fp32.max(mix.fp64 as f64 * spec.unit_cycles.fp64).max(instructions);
    let per_cycle = if cycles > 0.0 { instructions / cycles } else { 1.0 / spec.unit_cycles.fp32.max(1.0) };
    LANES * per_cycle * cores * spec.clock_hz
}

/// Bytes per second of all L2 slices, which serve reads and writes, and of the links, which have two directions.
fn peak_l2_bytes(spec: &MachineSpec, numbers: &GpuNumbers) -> f64 {
    let slices = f64::from(spec.slices) * SECTOR as f64;
    let links = f64::from(spec.cores) * f64::from(spec.link_bytes);
    let (reads, writes) = (numbers.l2.reads, numbers.l2.writes + numbers.l2.atomics);
    let busier = if reads + writes == 0 { 1.0 } else { reads.max(writes) as f64 / (reads + writes) as f64 };
    slices.min(links / busier) * spec.clock_hz
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache_tab::gpu_report::{GpuDram, GpuL2};
    use crate::catalogue::gpu_topology;
    use trace::{Dim3, Launch};

    fn spec(gpu: &str) -> MachineSpec {
        let launch = Launch { grid: Dim3::new(1, 1, 1), block: Dim3::new(32, 1, 1), shared_bytes: 0, registers: 0 };
        MachineSpec::new(&gpu_topology(gpu, None).unwrap(), &launch)
    }

    fn numbers(l2_reads: u64, dram_reads: u64) -> GpuNumbers {
        GpuNumbers {
            seconds: 1e-3,
            l2: GpuL2 { reads: l2_reads, ..GpuL2::default() },
            dram: GpuDram { reads: dram_reads, ..GpuDram::default() },
            ..GpuNumbers::default()
        }
    }

    #[test]
    fn a_kernel_worked_by_hand() {
        // TITAN X: 28 cores of 128 lanes at 1.417 GHz and 480 GB/s. 1 M warp instructions, 64 MB of the L2, 16 MB of DRAM.
        let spec = spec("titan-x-pascal");
        let mix = InstructionMix { fp32: 1 << 20, other: 7, ..InstructionMix::default() };
        let roofline = GpuRoofline::of(&mix, &spec, &numbers(2 << 20, 1 << 19)).unwrap();
        assert_eq!(roofline.operations, 32 << 20);
        assert_eq!((roofline.l2_bytes, roofline.dram_bytes), (64 << 20, 16 << 20));
        assert_eq!((roofline.per_l2_byte, roofline.per_dram_byte), (Some(0.5), Some(2.0)));
        assert_eq!(roofline.operations_per_second, (32u64 << 20) as f64 / 1e-3);
        let lanes = 28.0 * 128.0 * spec.clock_hz;
        assert!((roofline.peak_operations_per_second / lanes - 1.0).abs() < 1e-9);
        assert!((roofline.peak_dram_bytes_per_second / 480e9 - 1.0).abs() < 1e-9);
        assert_eq!(roofline.limit, "L2");
        // 24 slices of 32 bytes per cycle. The links of the cores have more.
        assert!((roofline.peak_l2_bytes_per_second / (24.0 * 32.0 * spec.clock_hz) - 1.0).abs() < 1e-9);
        assert_eq!(roofline.attainable_operations_per_second, 0.5 * roofline.peak_l2_bytes_per_second);
    }

    #[test]
    fn doubles_lower_the_peak_and_bytes_the_ceiling() {
        let spec = spec("titan-x-pascal");
        let of = |mix: InstructionMix, numbers: &GpuNumbers| GpuRoofline::of(&mix, &spec, numbers).unwrap();
        let few = numbers(1, 1);
        let single = of(InstructionMix { fp32: 1 << 20, ..InstructionMix::default() }, &few);
        let double = of(InstructionMix { fp64: 1 << 20, ..InstructionMix::default() }, &few);
        assert_eq!((single.limit, double.limit), ("units", "units"));
        let ratio = single.peak_operations_per_second / double.peak_operations_per_second;
        assert!((ratio - 32.0).abs() < 1e-9, "GP102 has a double unit for 32 lanes, not one for {ratio}");
        let both = of(InstructionMix { fp32: 32 << 20, fp64: 1 << 20, ..InstructionMix::default() }, &few);
        assert!(both.peak_operations_per_second >= single.peak_operations_per_second);
        let streaming = of(InstructionMix { fp32: 1 << 10, ..InstructionMix::default() }, &numbers(1 << 20, 1 << 20));
        assert_eq!(streaming.limit, "DRAM");
        assert!(streaming.attainable_operations_per_second < single.attainable_operations_per_second / 100.0);
    }

    #[test]
    fn without_opcodes_there_is_no_roofline_and_without_bytes_no_intensity() {
        let spec = spec("rtx3060");
        let nops = InstructionMix { other: 5, ..InstructionMix::default() };
        assert_eq!(GpuRoofline::of(&nops, &spec, &numbers(1, 1)), None);
        let whole = InstructionMix { integer: 5, ..InstructionMix::default() };
        let roofline = GpuRoofline::of(&whole, &spec, &numbers(0, 0)).unwrap();
        assert_eq!((roofline.operations, roofline.per_l2_byte, roofline.per_dram_byte), (0, None, None));
        assert!(roofline.peak_operations_per_second > 0.0);
    }
}
