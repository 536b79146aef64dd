//! The memory hierarchy as nested boxes, in the style of lstopo.
//!
//! In: [`HierarchyBoxes`].
//! Out: one box for the GPU. It holds a box for a core, with the core's caches side by side where they fit, and under
//! it the memories that the cores share, nearest first. A second edge behind a box marks several instances. A dashed
//! edge marks an assumed or unknown size.

use crate::axes::{write_text, Canvas};
use crate::marks::mark_box;
use crate::theme::{text_width, Theme, CAPACITY, COMPULSORY, LATENCY, MSHR, TEXT};
use crate::DrawResult;
use lab::{BoxKind, HierarchyBox, HierarchyBoxes};
use plotters::element::{PathElement, Rectangle};
use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

/// Distance in px between boxes, and between an edge and the content.
const GAP: i32 = 10;
/// Distance in px between the baselines of two lines of text.
const LINE: i32 = TEXT as i32 + 6;
/// Offset in px of the second edge behind a box.
const BEHIND: i32 = 4;

type Corner = (i32, i32);

/// A box and its rectangle: left, top, width and height in px.
struct Placed<'b> {
    block: &'b HierarchyBox,
    at: Corner,
    size: Corner,
}

/// The positions of all boxes of a picture.
struct Layout<'b> {
    core: (Corner, Corner),
    placed: Vec<Placed<'b>>,
    height: i32,
}

fn heading(block: &HierarchyBox) -> String {
    if block.amount > 1 {
        format!("{} × {}", block.title, block.amount)
    } else {
        block.title.clone()
    }
}

fn wanted(block: &HierarchyBox) -> Corner {
    let widest =
        block.lines.iter().map(|line| text_width(line)).chain([text_width(&heading(block))]).max().unwrap_or(0);
    (widest as i32 + 2 * GAP, (block.lines.len() as i32 + 1) * LINE + GAP)
}

/// Puts boxes into rows of at most `width` and fills each row. Returns the bottom of the last row.
fn rows<'b>(blocks: &'b [HierarchyBox], left: i32, top: i32, width: i32, out: &mut Vec<Placed<'b>>) -> i32 {
    let mut y = top;
    let mut rest = blocks;
    while !rest.is_empty() {
        let mut used = 0;
        let fits = |block: &&HierarchyBox| {
            used += wanted(block).0 + if used > 0 { GAP } else { 0 };
            used <= width
        };
        let n = rest.iter().take_while(fits).count().max(1);
        let row = &rest[..n];
        let natural: i32 = row.iter().map(|block| wanted(block).0).sum();
        let spare = (width - natural - GAP * (n as i32 - 1)).max(0) / n as i32;
        let height = row.iter().map(|block| wanted(block).1).max().unwrap_or(0);
        let mut x = left;
        for (i, block) in row.iter().enumerate() {
            let last = i + 1 == n;
            let own = if last { left + width - x } else { wanted(block).0 + spare };
            out.push(Placed { block, at: (x, y), size: (own, height) });
            x += own + GAP;
        }
        y += height + GAP;
        rest = &rest[n..];
    }
    y
}

fn layout(blocks: &HierarchyBoxes, width: u32) -> Layout<'_> {
    let (left, top, width) = (GAP, GAP + LINE, width as i32 - 2 * GAP - BEHIND);
    let mut placed = Vec::new();
    let bottom = rows(&blocks.inner, left + GAP, top + LINE + GAP, width - 2 * GAP - BEHIND, &mut placed);
    let core = ((left, top), (width - BEHIND, bottom - top));
    let mut y = bottom + GAP;
    for block in &blocks.outer {
        y = rows(std::slice::from_ref(block), left, y, width - BEHIND, &mut placed);
    }
    Layout { core, placed, height: y + BEHIND }
}

/// Computes the height of the picture in px.
pub(super) fn height(blocks: &HierarchyBoxes, width: u32) -> u32 {
    layout(blocks, width).height.max(40) as u32
}

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, blocks: &HierarchyBoxes) -> DrawResult {
    let (width, height) = canvas.dim_in_pixel();
    let layout = layout(blocks, width);
    frame(canvas, theme, (1, 1), (width as i32 - 2, height as i32 - 2), None, false)?;
    write_text(canvas, &shorten(&blocks.title, width as i32 - 2 * GAP), theme.text, HPos::Left, (GAP, GAP + 4))?;
    let (at, size) = layout.core;
    if blocks.cores > 1 {
        frame(canvas, theme, (at.0 + BEHIND, at.1 + BEHIND), size, None, false)?;
    }
    frame(canvas, theme, at, size, Some(theme.grid), false)?;
    let title = if blocks.cores > 1 { format!("{} × {}", blocks.core, blocks.cores) } else { blocks.core.clone() };
    write_text(canvas, &title, theme.text, HPos::Left, (at.0 + GAP, at.1 + GAP + 2))?;
    for Placed { block, at, size } in &layout.placed {
        let color = match block.kind {
            BoxKind::Data => COMPULSORY,
            BoxKind::Constant => MSHR,
            BoxKind::Shared => LATENCY,
            BoxKind::Outer => CAPACITY,
            BoxKind::Memory => theme.axis,
        };
        if block.amount > 1 {
            frame(canvas, theme, (at.0 + BEHIND, at.1 + BEHIND), *size, None, block.unsure)?;
        }
        frame(canvas, theme, *at, *size, Some(color), block.unsure)?;
        let told: Vec<String> = std::iter::once(heading(block)).chain(block.lines.iter().cloned()).collect();
        mark_box(canvas, [*at, (at.0 + size.0, at.1 + size.1)], told.join("\n"))?;
        let mut y = at.1 + GAP;
        for line in std::iter::once(heading(block)).chain(block.lines.iter().cloned()) {
            write_text(canvas, &shorten(&line, size.0 - 2 * GAP), theme.text, HPos::Left, (at.0 + GAP, y))?;
            y += LINE;
        }
    }
    Ok(())
}

/// Shortens a text to `width`.
fn shorten(text: &str, width: i32) -> String {
    if text_width(text) as i32 <= width {
        return text.into();
    }
    let mut short: String = text.chars().take((width.max(0) as usize) / 8).collect();
    short.push('…');
    short
}

fn frame(
    canvas: &Canvas<'_>,
    theme: &Theme,
    at: Corner,
    size: Corner,
    fill: Option<RGBColor>,
    dashed: bool,
) -> DrawResult {
    let (x0, y0, x1, y1) = (at.0, at.1, at.0 + size.0, at.1 + size.1);
    if let Some(fill) = fill {
        canvas.draw(&Rectangle::new([(x0, y0), (x1, y1)], fill.mix(0.18).filled()))?;
    }
    if !dashed {
        canvas.draw(&Rectangle::new([(x0, y0), (x1, y1)], theme.axis.stroke_width(1)))?;
        return Ok(());
    }
    let dash = |from: Corner, to: Corner| -> DrawResult {
        let length = (to.0 - from.0).max(to.1 - from.1);
        for start in (0..length).step_by(9) {
            let end = (start + 5).min(length);
            let place = |by: i32| if to.0 > from.0 { (from.0 + by, from.1) } else { (from.0, from.1 + by) };
            canvas.draw(&PathElement::new([place(start), place(end)], theme.axis.stroke_width(1)))?;
        }
        Ok(())
    };
    dash((x0, y0), (x1, y0))?;
    dash((x0, y1), (x1, y1))?;
    dash((x0, y0), (x0, y1))?;
    dash((x1, y0), (x1, y1))
}
