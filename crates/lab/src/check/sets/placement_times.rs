//! Times of kernels whose small operand lies in global, constant or shared memory.

use crate::check::choices::Variant;
use crate::check::counter::Counter;
use crate::check::row::{Before, Case, LaunchPlan, Measured, Scale, Sizes};
use crate::check::sets::MeasuredSet;
use crate::check::table::{numbers_in, Refusal, Row};
use crate::check::texts::{self, KernelText};

pub(crate) const SET: MeasuredSet = MeasuredSet {
    title: "Operands in global, constant or shared memory, times",
    about: "The time is that of launches back to back: a launch of the whole size follows one like it (state \
            `repeated`). Large problems run in part (state `cold`), on as large a part of the cores, slices and channels \
            as of the blocks, and the time is scaled by the work of a core; the cost of a launch is not scaled. All data are zero, as in the measurement.",
    columns: &["gpu", "kernel", "problem", "block", "variant", "batch_time_ms"],
    cases,
};

/// Warp accesses that a launch may have, about. Assumed: it bounds the time of a check.
const ACCESSES: u64 = 1 << 20;
/// Blocks of a matrix product that runs in part. Assumed: it bounds the time of a check, and all cores get several blocks.
const BLOCKS: u64 = 1024;

fn cases(row: &Row<'_>) -> Result<Vec<Case>, Refusal> {
    let gpu = row.gpu()?;
    let (kernel, problem, variant) = (row.text("kernel"), row.text("problem"), row.text("variant"));
    let bad_problem = || row.refuse("problem", "the sizes of the kernel");
    let numbers = numbers_in(problem);
    if numbers.iter().any(|n| !(1..=1 << 28).contains(n)) {
        return Err(bad_problem());
    }
    let block = numbers_in(row.text("block")).first().copied().filter(|n| (1..=1024).contains(n));
    let block = block.ok_or_else(|| row.refuse("block", "the threads of a block"))?;
    let text = text_of(kernel, variant).ok_or(Refusal::NotModelled("the project has no text of the variant"))?;
    let (sizes, part) = match (kernel, &numbers[..]) {
        ("conv1D", &[n, mask, ..]) => conv1d(n, mask, block),
        ("conv2D", &[_, _, channels, _, ..]) if channels != 1 => {
            return Err(Refusal::NotModelled("the layout of several channels is not known"))
        }
        ("conv2D", &[width, height, _, mask, ..]) if mask <= block => {
            let outputs = if variant.ends_with("input shared") { block - mask + 1 } else { block };
            conv2d([width, height], mask, (block, outputs))
        }
        ("histogram", &[n, ..]) => histogram(n, block),
        ("matmul", &[n, m, p, ..]) if n == m && m == p && n % block == 0 => matmul(n, block),
        ("matvec", &[n, m, ..]) if n == m => matvec(n, block),
        _ => return Err(bad_problem()),
    };
    let (before, scale) = match part {
        None => (Before::Repeated, Scale::whole()),
        Some(part) => (Before::Cold, Scale::part(part.factor, part.runs).on_some_cores(part.blocks)),
    };
    let group = format!("{kernel} {problem}, block {}", row.text("block"));
    Ok(vec![Case {
        label: format!("{group}, {variant}"),
        variant: Some(Variant { kernel: kernel.into(), group, name: variant.into() }),
        gpu,
        launch: LaunchPlan { text, sizes, before },
        scale,
        measured: vec![Measured::new(Counter::Microseconds, 1e3 * row.number("batch_time_ms")?)],
    }])
}

fn text_of(kernel: &str, variant: &str) -> Option<KernelText> {
    Some(match (kernel, variant) {
        ("conv1D", "mask global") => texts::CONV1D_GLOBAL,
        ("conv1D", "mask constant") => texts::CONV1D_CONSTANT,
        ("conv1D", "mask constant, input shared with halo") => texts::CONV1D_HALO,
        ("conv1D", "mask constant, input shared without halo") => texts::CONV1D_INNER,
        ("conv2D", "mask global") => texts::CONV2D_GLOBAL,
        ("conv2D", "mask constant") => texts::CONV2D_CONSTANT,
        ("conv2D", "mask constant, input shared") => texts::CONV2D_SHARED,
        ("histogram", "bins global") => texts::HISTOGRAM_GLOBAL,
        ("histogram", "bins shared") => texts::HISTOGRAM_SHARED,
        ("matmul", "global") => texts::MATMUL_GLOBAL,
        ("matmul", "both shared") => texts::MATMUL_SHARED,
        ("matvec", "vector global") => texts::MATVEC_GLOBAL,
        ("matvec", "vector shared") => texts::MATVEC_SHARED,
        _ => return None,
    })
}

/// A part of a launch that runs.
struct Part {
    /// The measured work over the work that runs.
    factor: f64,
    /// The part of the blocks.
    blocks: f64,
    /// What runs, for people.
    runs: String,
}

/// The part of `all` that runs if a unit of it makes `accesses` warp accesses, as a multiple of `step`.
fn share(all: u64, accesses: u64, step: u64) -> u64 {
    let run = (ACCESSES / accesses.max(1)) / step * step;
    run.max(step).min(all)
}

/// A part of the blocks. `None` if all of them run.
fn part(all: u64, run: u64, what: &str) -> Option<Part> {
    let blocks = run as f64 / all as f64;
    (run < all).then(|| Part { factor: 1.0 / blocks, blocks, runs: format!("{run} of {all} {what}") })
}

fn conv1d(n: u64, mask: u64, block: u64) -> (Sizes, Option<Part>) {
    // Per warp: a load of the input and one of the mask for each of the mask's elements.
    let warps = share(n.div_ceil(32), 2 * mask, block.div_ceil(32));
    let run = (32 * warps).min(n);
    (vec![("n", run), ("M", mask), ("B", block)], part(n, run, "outputs"))
}

/// A part lies inside of the image: at its edges, threads leave out elements of the mask.
fn conv2d([width, height]: [u64; 2], mask: u64, (block, outputs): (u64, u64)) -> (Sizes, Option<Part>) {
    let per_row = (width / 32).max(1).saturating_mul(2 * mask * mask);
    let run = share(height, per_row, outputs);
    let inside = run + 2 * (mask / 2) <= height;
    let (image, first) = if inside { (run + 2 * (mask / 2), mask / 2) } else { (height, 0) };
    let sizes = [("S", width), ("H", image), ("R", run), ("F", first), ("M", mask), ("B", block)];
    (sizes.into(), part(height, run, "rows"))
}

fn histogram(n: u64, block: u64) -> (Sizes, Option<Part>) {
    // An atomic of 32 lanes on one word takes about as long as 16 accesses. All cores run, because they meet in that word.
    let run = (32 * share(n.div_ceil(32), 16, block.div_ceil(32))).min(n);
    (vec![("n", run), ("B", block)], part(n, run, "values").map(|part| Part { blocks: 1.0, ..part }))
}

/// Rows for about as many blocks as a GPU holds several times, and of the sums as many terms as then fit.
fn matmul(n: u64, block: u64) -> (Sizes, Option<Part>) {
    let rows = (BLOCKS / (n / block).max(1) * block).clamp(block, n);
    let warps = (n / block) * (rows / block) * (block * block).div_ceil(32);
    let terms = share(n, warps.saturating_mul(2), block);
    let blocks = rows as f64 / n as f64;
    let factor = n as f64 / terms as f64 / blocks;
    let runs = format!("{rows} rows and {terms} terms of {n}");
    let part = (factor > 1.0).then_some(Part { factor, blocks, runs });
    (vec![("N", n), ("R", rows), ("K", terms), ("B", block)], part)
}

fn matvec(n: u64, block: u64) -> (Sizes, Option<Part>) {
    // Each lane reads a row of its own, so an access has up to 32 lines.
    let run = share(n, n.div_ceil(block) * block.div_ceil(32) * 32, 32);
    (vec![("N", n), ("K", run), ("B", block)], part(n, run, "columns").map(|part| Part { blocks: 1.0, ..part }))
}
