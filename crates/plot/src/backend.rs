//! A plotters backend that computes the size of text from the number of letters.
//!
//! On wasm32, plotters 0.3.7 measures a label by adding a `<span>` to `document.body`. That call traps in a worker and
//! in node, which have no document.
//!
//! In: calls of any plotters backend.
//! Out: the same calls to the wrapped backend. Only the measurement of text is replaced.
//! Not modelled: kerning and the widths of single glyphs.

use crate::marks::Marks;
use crate::theme::text_width;
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind};

/// A backend that measures text itself and passes every other call on. It also collects the marks of the figure.
pub(super) struct PlainText<B> {
    pub inner: B,
    pub marks: Marks,
}

type DrawResult<B, T = ()> = Result<T, DrawingErrorKind<<B as DrawingBackend>::ErrorType>>;

impl<B: DrawingBackend> DrawingBackend for PlainText<B> {
    type ErrorType = B::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.inner.get_size()
    }

    fn ensure_prepared(&mut self) -> DrawResult<B> {
        self.inner.ensure_prepared()
    }

    fn present(&mut self) -> DrawResult<B> {
        self.inner.present()
    }

    fn draw_pixel(&mut self, at: BackendCoord, color: BackendColor) -> DrawResult<B> {
        self.inner.draw_pixel(at, color)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> DrawResult<B> {
        self.inner.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, style: &S, fill: bool) -> DrawResult<B> {
        self.inner.draw_rect(a, b, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> DrawResult<B> {
        self.inner.draw_path(path, style)
    }

    fn draw_circle<S: BackendStyle>(&mut self, center: BackendCoord, r: u32, style: &S, fill: bool) -> DrawResult<B> {
        self.inner.draw_circle(center, r, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> DrawResult<B> {
        self.inner.fill_polygon(path, style)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> DrawResult<B> {
        self.inner.draw_text(text, style, at)
    }

    fn estimate_text_size<S: BackendTextStyle>(&self, text: &str, style: &S) -> DrawResult<B, (u32, u32)> {
        Ok((text_width(text), style.size().ceil() as u32))
    }

    fn blit_bitmap(&mut self, at: BackendCoord, size: (u32, u32), source: &[u8]) -> DrawResult<B> {
        self.inner.blit_bitmap(at, size, source)
    }
}
