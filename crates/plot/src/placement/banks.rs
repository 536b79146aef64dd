//! The chart of main memory's banks: the requests at each bank by row-buffer event, and their mean wait.
//!
//! In: [`BankLoad`]s.
//! Out: for each bank a stacked bar of row hits, misses and conflicts, and the mean wait as a line on the right scale.
//! If there is no room for all banks, neighbouring banks are joined and the title says so.

use crate::axes::{draw_axes, round_step, si, ticks, Axis, Canvas};
use crate::marks::{decimal, mark_area, mark_long_axis};
use crate::range::Range;
use crate::theme::{Theme, ASSOCIATIVITY, CAPACITY, COMPULSORY};
use crate::DrawResult;
use lab::BankLoad;
use plotters::element::{PathElement, Rectangle};
use plotters::style::Color;

/// The least width of a bank in px.
const LEAST: usize = 4;

/// The mean of some neighbouring banks.
struct Group {
    rows: [f64; 3],
    wait: f64,
}

fn groups(rows: &[BankLoad], each: usize) -> Vec<Group> {
    let of = |rows: &[BankLoad]| {
        let n = rows.len() as f64;
        let requests = rows.iter().map(|row| row.requests).sum::<u64>().max(1) as f64;
        let mean = |i: usize| rows.iter().map(|row| row.rows[i]).sum::<u64>() as f64 / n;
        let wait = rows.iter().map(|row| row.wait_ns * row.requests as f64).sum::<f64>() / requests;
        Group { rows: [mean(0), mean(1), mean(2)], wait }
    };
    rows.chunks(each).map(of).collect()
}

pub(super) fn draw(canvas: &Canvas<'_>, theme: &Theme, rows: &[BankLoad], range: Range) -> DrawResult {
    let shown = range.bars(rows.len());
    let (rows, first) = (&rows[shown.clone()], shown.start);
    let (width, _) = canvas.dim_in_pixel();
    if rows.iter().all(|row| row.requests == 0) {
        return crate::axes::draw_message(canvas, theme, "no requests reach main memory");
    }
    let room = (width as usize).saturating_sub(150).max(40) / LEAST;
    let each = rows.len().div_ceil(room.max(1)).max(1);
    let groups = groups(rows, each);
    let most = groups.iter().map(|group| group.rows.iter().sum::<f64>()).fold(1.0, f64::max);
    let longest = groups.iter().map(|group| group.wait).fold(0.0, f64::max);
    let number = |at: &f64| si(*at);
    let step = round_step(most / 4.0);
    let title = if each > 1 { "Requests per bank" } else { "Requests" };
    let y = Axis { end: most * 1.05, ticks: ticks(step, most), label: &number, title, color: theme.text };
    // The scale is at least 1 ns long. Shorter waits count as no wait.
    let top = longest.max(1.0);
    let right_step = round_step(top / 4.0);
    let right = Axis {
        end: top * 1.05,
        ticks: ticks(right_step, top),
        label: &number,
        title: "Mean wait (ns)",
        color: theme.mshr_text,
    };
    let bank_step = round_step(rows.len() as f64 / f64::from((width / 70).max(1)));
    let x = Axis {
        end: groups.len() as f64,
        ticks: ticks(bank_step, rows.len() as f64).iter().map(|bank| bank / each as f64).collect(),
        label: &|at| format!("{:.0}", first as f64 + at * each as f64),
        title: "Bank",
        color: theme.text,
    };
    let chart = draw_axes(canvas, theme, &x, &y, Some(&right))?;
    let area = chart.plotting_area();
    for (i, group) in groups.iter().enumerate() {
        let mut from = 0.0;
        for (count, color) in group.rows.iter().zip([COMPULSORY, CAPACITY, ASSOCIATIVITY]) {
            if *count > 0.0 {
                let corners = [(i as f64 + 0.08, from), (i as f64 + 0.92, from + count)];
                area.draw(&Rectangle::new(corners, color.filled()))?;
            }
            from += count;
        }
        let bank = first + i * each;
        let last = (bank + each).min(shown.end) - 1;
        let name = if each > 1 { format!("Banks {bank} to {last} (mean)") } else { format!("Bank {bank}") };
        let [hits, misses, conflicts] = group.rows.map(|n| decimal(n, 1));
        let told = format!(
            "{name}\n{hits} row hits, {misses} misses, {conflicts} conflicts\nmean wait {} ns",
            decimal(group.wait, 1)
        );
        mark_area(&chart, [(i as f64, 0.0), (i as f64 + 1.0, y.end)], told)?;
    }
    mark_long_axis(&chart, x.end)?;
    let up = |wait: f64| y.end * wait / right.end;
    let line =
        groups.iter().enumerate().flat_map(|(i, group)| [(i as f64, up(group.wait)), (i as f64 + 1.0, up(group.wait))]);
    area.draw(&PathElement::new(line.collect::<Vec<_>>(), theme.mshr_text.stroke_width(2)))?;
    Ok(())
}
