//! Where bytes flow in the model `gpu`: registers, L1, L2 and DRAM with the amounts between them.
//!
//! In: the numbers of a kernel.
//! Out: four boxes, side by side in a wide picture and one below the other in a narrow one. An arrow toward the registers is
//! data that is read, an arrow toward DRAM is data that is written, and the thicker the arrow the more data. A box says how
//! much of what is asked of it it holds, and how busy it is. The busiest part has a thick orange edge, or is an orange arrow,
//! and says so in words.
//!
//! Not modelled: shared memory, which is in a table of the page.

use crate::axes::{write_text, Canvas};
use crate::marks::{mark_box, whole};
use crate::theme::{text_width, Theme, CAPACITY, COMPULSORY, LATENCY, TEXT};
use crate::DrawResult;
use lab::{busiest, decimal_text, size_text, GpuNumbers};
use plotters::element::{Polygon, Rectangle};
use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

/// Bytes of a sector, in which the report counts data.
const SECTOR: u64 = 32;
/// The least width of a picture with boxes side by side, px.
const WIDE: u32 = 720;
/// Distance in px between the baselines of two lines of text.
const LINE: i32 = TEXT as i32 + 6;
/// Distance in px to the edge of the picture.
const EDGE: i32 = 6;
/// Height in px of a box, beside others and above others.
const BOX_HEIGHT: (i32, i32) = (96, 50);
/// Height in px above boxes that are side by side, and between boxes that are one above the other.
const ABOVE: i32 = 26;
const BETWEEN: i32 = 52;
/// Greatest thickness of an arrow's line, px, and the length of its head.
const THICKEST: f64 = 14.0;
const HEAD: i32 = 9;

type Point = (i32, i32);

/// A level of the memory system.
struct Level {
    title: &'static str,
    /// What it holds of what is asked.
    hits: String,
    busy: f64,
    /// The part that `busiest` names. The registers stand for the schedulers, and the L1 for its load-store pipe.
    part: &'static str,
}

/// What moves between two neighbouring levels.
struct Link {
    /// What moves on it, read and written.
    names: [&'static str; 2],
    read: u64,
    written: u64,
    /// The parts that `busiest` can name.
    parts: [&'static str; 2],
}

/// The picture's data.
pub(super) struct Flow {
    levels: [Level; 4],
    links: [Link; 3],
    /// The amount of the thickest arrow.
    pub most: u64,
    busiest: (&'static str, f64),
}

impl Flow {
    pub fn new(n: &GpuNumbers) -> Self {
        let level = |title, hits, busy, part| Level { title, hits, busy, part };
        let held = |hits: u64, all: u64| match all {
            0 => "not used".to_string(),
            _ => format!("{} hit", percent(hits as f64 / all as f64)),
        };
        let written = SECTOR * (n.l2.writes + n.l2.atomics);
        let links = [
            Link {
                names: ["L1 to registers", "Registers to L1"],
                read: SECTOR * n.l1.sectors,
                written,
                parts: [""; 2],
            },
            Link {
                names: ["L2 to L1", "L1 to L2"],
                read: SECTOR * n.l2.reads,
                written,
                parts: ["replies of the L2", "requests to the L2"],
            },
            Link {
                names: ["DRAM to L2", "L2 to DRAM"],
                read: SECTOR * n.dram.reads,
                written: SECTOR * n.dram.writes,
                parts: [""; 2],
            },
        ];
        Self {
            levels: [
                level("Registers", "schedulers".into(), n.busy.issue, "issue"),
                level("L1", held(n.l1.hits, n.l1.sectors), n.busy.pipe, "load-store pipe"),
                level("L2", held(n.l2.read_hits, n.l2.reads), n.busy.l2, "L2"),
                level("DRAM", String::new(), n.busy.dram, "DRAM"),
            ],
            most: links.iter().map(|link| link.read.max(link.written)).max().unwrap_or(0),
            links,
            busiest: busiest(&n.busy),
        }
    }

    /// The height of the picture, px.
    pub fn height(width: u32) -> u32 {
        if width >= WIDE {
            (2 * EDGE + ABOVE + BOX_HEIGHT.0) as u32
        } else {
            (2 * EDGE + 4 * BOX_HEIGHT.1 + 3 * BETWEEN) as u32
        }
    }

    pub fn draw(&self, canvas: &Canvas<'_>, theme: &Theme) -> DrawResult {
        let width = canvas.dim_in_pixel().0;
        if width >= WIDE {
            self.draw_wide(canvas, theme, width as i32)
        } else {
            self.draw_narrow(canvas, theme, width as i32)
        }
    }

    fn draw_wide(&self, canvas: &Canvas<'_>, theme: &Theme, width: i32) -> DrawResult {
        let wide = ((width - 2 * EDGE) * 4 / 25).max(120);
        let gap = (width - 2 * EDGE - 4 * wide) / 3;
        let (top, bottom) = (EDGE + ABOVE, EDGE + ABOVE + BOX_HEIGHT.0);
        for (i, level) in self.levels.iter().enumerate() {
            let left = EDGE + i as i32 * (wide + gap);
            self.draw_level(canvas, theme, level, ((left, top), (left + wide, bottom)))?;
        }
        for (i, link) in self.links.iter().enumerate() {
            let left = EDGE + wide + i as i32 * (wide + gap);
            let (from, to) = (left + 6, left + gap - 6);
            let (reads, writes) = (top + 34, bottom - 34);
            self.draw_arrow(canvas, (to, reads), (from, reads), link.read, self.color(link.parts[0], COMPULSORY))?;
            self.draw_arrow(canvas, (from, writes), (to, writes), link.written, self.color(link.parts[1], LATENCY))?;
            let center = left + gap / 2;
            mark_link(canvas, link, [((from, reads - 28), (to, reads + 8)), ((from, writes - 8), (to, writes + 28))])?;
            write_text(canvas, &size_text(link.read), theme.text, HPos::Center, (center, reads - 16))?;
            write_text(canvas, &size_text(link.written), theme.text, HPos::Center, (center, writes + 18))?;
            if link.parts.contains(&self.busiest.0) {
                write_text(canvas, &self.busiest_text(), theme.text, HPos::Center, (center, EDGE + 10))?;
            }
        }
        Ok(())
    }

    fn draw_narrow(&self, canvas: &Canvas<'_>, theme: &Theme, width: i32) -> DrawResult {
        let pitch = BOX_HEIGHT.1 + BETWEEN;
        for (i, level) in self.levels.iter().enumerate() {
            let top = EDGE + i as i32 * pitch;
            self.draw_level(canvas, theme, level, ((EDGE, top), (width - EDGE, top + BOX_HEIGHT.1)))?;
        }
        for (i, link) in self.links.iter().enumerate() {
            let top = EDGE + BOX_HEIGHT.1 + i as i32 * pitch;
            let (from, to) = (top + 5, top + BETWEEN - 5);
            let (reads, writes) = (EDGE + 18, width / 2 + 12);
            self.draw_arrow(canvas, (reads, to), (reads, from), link.read, self.color(link.parts[0], COMPULSORY))?;
            self.draw_arrow(canvas, (writes, from), (writes, to), link.written, self.color(link.parts[1], LATENCY))?;
            let middle = top + BETWEEN / 2;
            mark_link(canvas, link, [((EDGE, from), (writes - 14, to)), ((writes - 13, from), (width - EDGE, to))])?;
            let named = link.parts.contains(&self.busiest.0);
            let at = if named { middle - LINE / 2 } else { middle };
            write_text(canvas, &size_text(link.read), theme.text, HPos::Left, (reads + 14, at))?;
            write_text(canvas, &size_text(link.written), theme.text, HPos::Left, (writes + 14, at))?;
            if named {
                write_text(canvas, &self.busiest_text(), theme.text, HPos::Left, (reads + 14, at + LINE))?;
            }
        }
        Ok(())
    }

    fn busiest_text(&self) -> String {
        format!("busiest: {}", percent(self.busiest.1))
    }

    fn color(&self, part: &str, otherwise: RGBColor) -> RGBColor {
        if part == self.busiest.0 {
            CAPACITY
        } else {
            otherwise
        }
    }

    fn draw_level(&self, canvas: &Canvas<'_>, theme: &Theme, level: &Level, (at, to): (Point, Point)) -> DrawResult {
        let first = level.part == self.busiest.0;
        let (edge, thick) = if first { (CAPACITY, 3) } else { (theme.axis, 1) };
        canvas.draw(&Rectangle::new([at, to], theme.grid.mix(0.5).filled()))?;
        canvas.draw(&Rectangle::new([at, to], edge.stroke_width(thick)))?;
        let busy = if first { self.busiest_text() } else { format!("busy {}", percent(level.busy)) };
        let texts = [level.title.to_string(), level.hits.clone(), busy];
        let shown: Vec<&String> = texts.iter().filter(|text| !text.is_empty()).collect();
        mark_box(canvas, [at, to], shown.iter().map(|text| text.as_str()).collect::<Vec<_>>().join("\n"))?;
        if to.1 - at.1 < BOX_HEIGHT.0 {
            // Low boxes have the title on the left, and the rest below it.
            write_text(canvas, &texts[0], theme.text, HPos::Left, (at.0 + 10, at.1 + 16))?;
            let rest = shown[1..].iter().map(|text| text.as_str()).collect::<Vec<_>>().join(", ");
            return write_text(canvas, &rest, theme.quiet, HPos::Left, (at.0 + 10, at.1 + 16 + LINE));
        }
        let center = (at.0 + to.0) / 2;
        let mut y = (at.1 + to.1) / 2 - LINE * (shown.len() as i32 - 1) / 2;
        for (i, text) in shown.iter().enumerate() {
            debug_assert!(text_width(text) as i32 <= to.0 - at.0, "{text} fits its box");
            let color = if i == 0 { theme.text } else { theme.quiet };
            write_text(canvas, text, color, HPos::Center, (center, y))?;
            y += LINE;
        }
        Ok(())
    }

    /// Draws an arrow as one shape. It is upright or level. Nothing moves along a hair line without a head.
    fn draw_arrow(&self, canvas: &Canvas<'_>, from: Point, to: Point, amount: u64, color: RGBColor) -> DrawResult {
        let share = amount as f64 / self.most.max(1) as f64;
        let half = ((THICKEST * share / 2.0).round() as i32).max(1);
        let level = from.1 == to.1;
        let forward = if level { (to.0 - from.0).signum() } else { (to.1 - from.1).signum() };
        // Along and across the arrow, from its tail.
        let length = (to.0 - from.0).abs().max((to.1 - from.1).abs());
        let place = |along: i32, across: i32| {
            if level {
                (from.0 + forward * along, from.1 + across)
            } else {
                (from.0 + across, from.1 + forward * along)
            }
        };
        if amount == 0 {
            let line = [place(0, 0), place(length, 0), place(length, 1), place(0, 1)];
            canvas.draw(&Polygon::new(line, color.mix(0.5).filled()))?;
            return Ok(());
        }
        let (neck, wide) = ((length - HEAD).max(0), half + 4);
        let shape = [
            place(0, -half),
            place(neck, -half),
            place(neck, -wide),
            place(length, 0),
            place(neck, wide),
            place(neck, half),
            place(0, half),
        ];
        canvas.draw(&Polygon::new(shape, color.filled()))?;
        Ok(())
    }
}

/// Marks what is read, then what is written, each with its area.
fn mark_link(canvas: &Canvas<'_>, link: &Link, areas: [(Point, Point); 2]) -> DrawResult {
    for ((name, bytes), (from, to)) in link.names.into_iter().zip([link.read, link.written]).zip(areas) {
        mark_box(canvas, [from, to], format!("{name}\n{} bytes", whole(bytes as f64)))?;
    }
    Ok(())
}

/// As the page writes it (`percent`, www/content/format.ts).
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent > 0.0 && percent < 0.1 {
        return "<0.1 %".into();
    }
    if percent > 99.9 && percent < 100.0 {
        return "99.9 %".into();
    }
    let digits = usize::from(percent < 10.0 || (percent > 99.0 && percent < 100.0));
    format!("{} %", decimal_text(percent, digits))
}
