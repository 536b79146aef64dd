//! Colours and text styles.
//!
//! In: a light or dark theme.
//! Out: the colours of the page (`www/styles/tokens.css`) as plotters colours, and text styles. The colours of the
//! classes are from Okabe and Ito, and people with colour-blindness can tell them apart.

use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, TextStyle};

/// Compulsory misses and infinite distances.
pub(super) const COMPULSORY: RGBColor = RGBColor(0x56, 0xb4, 0xe9);
/// Capacity misses and finite distances that miss.
pub(super) const CAPACITY: RGBColor = RGBColor(0xe6, 0x9f, 0x00);
pub(super) const ASSOCIATIVITY: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
pub(super) const LATENCY: RGBColor = RGBColor(0x00, 0x9e, 0x73);
/// MSHR misses and busy MSHRs.
pub(super) const MSHR: RGBColor = RGBColor(0xcc, 0x79, 0xa7);
/// Text on the colour of a class.
pub(super) const INK: RGBColor = RGBColor(0x14, 0x17, 0x1c);

/// The height of text in px.
pub(super) const TEXT: u32 = 12;

/// The colours that differ between the light and the dark theme.
pub(super) struct Theme {
    /// Requests that hit.
    pub hits: RGBColor,
    /// Text on [`Theme::hits`], titles, and the line of the miss rate.
    pub text: RGBColor,
    /// Numbers on axes.
    pub quiet: RGBColor,
    /// [`MSHR`] with enough contrast for text.
    pub mshr_text: RGBColor,
    /// Axes, and bars of distances that hit. [`Theme::hits`] is too faint for thin bars.
    pub axis: RGBColor,
    /// Grid lines behind the data.
    pub grid: RGBColor,
}

impl Theme {
    pub(super) fn new(dark: bool) -> Self {
        let tone = |light: u32, in_dark: u32| {
            let [_, r, g, b] = if dark { in_dark } else { light }.to_be_bytes();
            RGBColor(r, g, b)
        };
        Self {
            hits: tone(0xc9ced6, 0x4a5260),
            text: tone(0x1b1f26, 0xe8ebf0),
            quiet: tone(0x555d6a, 0xa7b0bd),
            mshr_text: tone(0x96447a, 0xdd9cc0),
            axis: tone(0x858d9a, 0x77818f),
            grid: tone(0xd6dae1, 0x333a46),
        }
    }
}

/// Returns a style for text of [`TEXT`] px with the given anchor.
pub(super) fn text_style(color: RGBColor, h: HPos, v: VPos) -> TextStyle<'static> {
    // plotters divides the size by 1.24 when it writes it.
    let font = ("system-ui, sans-serif", f64::from(TEXT) * 1.24).into_font();
    TextStyle { color: color.to_backend_color(), ..TextStyle::from(font).pos(Pos::new(h, v)) }
}

/// Estimates the width of text of [`TEXT`] px, and prefers to overestimate it. DejaVu Sans is a wide font and has
/// digits of 0.64 em.
pub(super) fn text_width(text: &str) -> u32 {
    (text.chars().count() as u32 * TEXT * 13).div_ceil(20)
}

/// Returns the viridis colour at `at` in 0..=1. It interpolates linearly between ten colours of the map.
pub(super) fn viridis(at: f64) -> RGBColor {
    const MAP: [[u8; 3]; 10] = [
        [0x44, 0x01, 0x54],
        [0x48, 0x28, 0x78],
        [0x3e, 0x49, 0x89],
        [0x31, 0x68, 0x8e],
        [0x26, 0x82, 0x8e],
        [0x1f, 0x9e, 0x89],
        [0x35, 0xb7, 0x79],
        [0x6e, 0xce, 0x58],
        [0xb5, 0xde, 0x2b],
        [0xfd, 0xe7, 0x25],
    ];
    let place = at.clamp(0.0, 1.0) * (MAP.len() - 1) as f64;
    let from = (place as usize).min(MAP.len() - 2);
    let part = place - from as f64;
    let mix = |i: usize| (f64::from(MAP[from][i]) * (1.0 - part) + f64::from(MAP[from + 1][i]) * part).round() as u8;
    RGBColor(mix(0), mix(1), mix(2))
}
