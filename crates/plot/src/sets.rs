//! The heat map of misses by set.
//!
//! In: the counts of a kernel per set, summed over cores.
//! Out: one cell per set, 32 in a row, from left to right. With more than 1,024 sets a cell is the mean of neighbouring
//! sets, and the title says so. The colours are viridis from 0 to the largest count.

use crate::axes::{draw_no_data, si, write_text, Canvas};
use crate::marks::{mark_box, mark_long_list, whole};
use crate::theme::{text_width, viridis, Theme, TEXT};
use crate::{DrawResult, Look};
use lab::KernelReport;
use plotters::element::Rectangle;
use plotters::style::text_anchor::HPos;
use plotters::style::Color;

const COLUMNS: usize = 32;
const MAX_CELLS: usize = 1024;
/// Up to this many sets, all of them are drawn with room to spare.
const LONG: usize = 128;
/// Height in px above the cells: the title and the numbers of the first row.
const ABOVE: u32 = 46;
/// Height in px under the cells: the colour scale and its two ends.
const UNDER: u32 = 56;
const SCALE_STEPS: i32 = 40;
const SCALE_STEP: i32 = 3;

/// Formats a count of misses: exactly from 100 to 9,999, otherwise with an SI prefix.
fn number(misses: f64) -> String {
    if (100.0..10_000.0).contains(&misses) {
        format!("{misses:.0}")
    } else {
        si(misses)
    }
}

/// The cells of the heat map and their positions.
pub(super) struct SetGrid {
    /// The mean number of misses per set of each cell.
    pub cells: Vec<f64>,
    /// The number of sets that one cell stands for.
    pub group: usize,
    /// True if there are so many sets that a part of them is worth a picture.
    long: bool,
    /// The first set that is drawn.
    first: usize,
    /// The set after the last one that is drawn.
    end: usize,
    /// Misses, latency misses among them, and requests of all sets of each cell.
    counts: Vec<[u64; 3]>,
    rows: usize,
    /// Width in px of the row numbers before the first cell.
    before: u32,
    /// Width and height of a cell in px.
    cell: (u32, u32),
}

impl SetGrid {
    pub(super) fn new(kernel: &KernelReport, look: &Look) -> Self {
        let width = look.width();
        let all = if kernel.requests == 0 { &[][..] } else { &kernel.sets[..] };
        let shown = look.range.bars(all.len());
        let (sets, first) = (&all[shown.clone()], shown.start);
        let group = sets.len().div_ceil(MAX_CELLS).max(1);
        let mut cells = Vec::new();
        let mut counts = Vec::new();
        for sets in sets.chunks(group) {
            let mut sum = [0; 3];
            for set in sets.iter().map(|set| &set.counts) {
                sum[0] += set.requests.saturating_sub(set.hits);
                sum[1] += set.latency;
                sum[2] += set.requests;
            }
            cells.push(sum[0] as f64 / sets.len() as f64);
            counts.push(sum);
        }
        let columns = cells.len().clamp(1, COLUMNS);
        let rows = cells.len().div_ceil(COLUMNS).max(1);
        let before = text_width(&all.len().to_string()).max(text_width("Set")) + 14;
        let across = ((width - before - 10) / columns as u32).clamp(1, 40);
        let down = (352 / rows as u32).clamp(6, across.max(18));
        Self { cells, group, long: all.len() > LONG, first, end: shown.end, counts, rows, before, cell: (across, down) }
    }

    pub(super) fn height(&self) -> u32 {
        ABOVE + self.rows as u32 * self.cell.1 + UNDER
    }

    /// The largest number of misses of a cell.
    pub(super) fn most(&self) -> f64 {
        self.cells.iter().copied().fold(0.0, f64::max)
    }

    /// Draws the cells. The brightest colour stands for `scale` misses.
    pub(super) fn draw(&self, canvas: &Canvas<'_>, theme: &Theme, scale: f64) -> DrawResult {
        if self.cells.is_empty() {
            return draw_no_data(canvas, theme);
        }
        let most = self.most();
        let least = self.cells.iter().copied().fold(most, f64::min);
        let left = self.before as i32;
        let title = match self.group {
            1 => "Misses per set".into(),
            group => format!("Misses per set, cells of {group} sets (mean)"),
        };
        write_text(canvas, &title, theme.text, HPos::Left, (8, 12))?;
        write_text(canvas, "Set", theme.quiet, HPos::Right, (left - 8, ABOVE as i32 - 9))?;
        self.draw_cells(canvas, theme, scale)?;
        let y = (ABOVE + self.rows as u32 * self.cell.1) as i32 + 14;
        write_text(canvas, "0", theme.quiet, HPos::Right, (left - 8, y + 5))?;
        for step in 0..SCALE_STEPS {
            let x = left + step * SCALE_STEP;
            let color = viridis(f64::from(step) / f64::from(SCALE_STEPS - 1));
            canvas.draw(&Rectangle::new([(x, y), (x + SCALE_STEP, y + 10)], color.filled()))?;
        }
        let after = left + SCALE_STEPS * SCALE_STEP + 8;
        write_text(canvas, &number(scale), theme.quiet, HPos::Left, (after, y + 5))?;
        let extremes = format!("min {}, max {}", number(least), number(most));
        write_text(canvas, &extremes, theme.text, HPos::Left, (left, y + 28))
    }

    /// What a cell stands for.
    fn told(&self, cell: usize) -> String {
        let first = self.first + cell * self.group;
        let last = (first + self.group).min(self.end) - 1;
        let name = if self.group == 1 { format!("Set {first}") } else { format!("Sets {first} to {last}") };
        let [misses, latency, requests] = self.counts[cell].map(|n| whole(n as f64));
        let (es, s) = (base::plural(self.counts[cell][0], "es"), base::plural(self.counts[cell][2], "s"));
        format!("{name}\n{misses} miss{es} of {requests} request{s}\nlatency misses of these: {latency}")
    }

    fn draw_cells(&self, canvas: &Canvas<'_>, theme: &Theme, scale: f64) -> DrawResult {
        let (across, down) = (self.cell.0 as i32, self.cell.1 as i32);
        let (left, top) = (self.before as i32, ABOVE as i32);
        let gap = i32::from(down > 6);
        for (i, &misses) in self.cells.iter().enumerate() {
            let (x, y) = (left + (i % COLUMNS) as i32 * across, top + (i / COLUMNS) as i32 * down);
            let color = viridis(if scale > 0.0 { misses / scale } else { 0.0 });
            canvas.draw(&Rectangle::new([(x, y), (x + across - gap, y + down - gap)], color.filled()))?;
            mark_box(canvas, [(x, y), (x + across - gap, y + down - gap)], self.told(i))?;
        }
        if self.long {
            mark_long_list(canvas)?;
        }
        // The number in front of a row is that of its first set, so column numbers count from it.
        for column in (0..self.cells.len().min(COLUMNS)).step_by(8) {
            let at = (left + column as i32 * across, top - 9);
            write_text(canvas, &format!("+{}", column * self.group), theme.quiet, HPos::Left, at)?;
        }
        let every = (TEXT + 2).div_ceil(self.cell.1).next_power_of_two() as usize;
        for row in (0..self.rows).step_by(every) {
            let y = top + row as i32 * down + down / 2;
            let first = (self.first + row * COLUMNS * self.group).to_string();
            write_text(canvas, &first, theme.quiet, HPos::Right, (left - 8, y))?;
        }
        Ok(())
    }
}
