//! Reuse distances for the page: one [`ReuseLab`] per worker; summaries travel between workers as bytes.

use super::shapes::PartStep;
use super::{error, to_js};
use lab::{Pattern, ReuseStream, ReuseSummary, SyntheticStream};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// What an analysis says, but for the exact histogram, which goes out as two arrays.
#[derive(Serialize)]
struct Outline {
    accesses: u64,
    distinct: u64,
    engine: &'static str,
    log2_bins: Vec<u64>,
    miss_ratio_curve: Vec<(u64, f64)>,
    knees: Vec<(u64, f64)>,
}

/// An analysis of a stream, or of one partition of it.
#[wasm_bindgen]
pub struct ReuseLab {
    stream: ReuseStream,
    summary: Option<ReuseSummary>,
    /// Bytes of a number that the last chunk cut in two.
    rest: Vec<u8>,
}

impl Default for ReuseLab {
    fn default() -> Self {
        Self { stream: ReuseStream::partition(), summary: None, rest: Vec::new() }
    }
}

#[wasm_bindgen]
impl ReuseLab {
    /// An analysis of nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Queues lines, given as numbers of 64 bits.
    pub fn push_u64(&mut self, lines: &[u64]) {
        self.stream.push_lines(lines.iter().copied());
    }

    /// Queues lines, given as numbers of 32 bits.
    pub fn push_u32(&mut self, lines: &[u32]) {
        self.stream.push_lines(lines.iter().map(|&line| u64::from(line)));
    }

    /// Queues the next bytes of a .u64 file; its numbers are addresses in lines of `line_bytes`.
    pub fn push_bytes(&mut self, bytes: &[u8], line_bytes: u32) {
        let line_bytes = u64::from(line_bytes.max(1));
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte)) / line_bytes;
        let missing = (8 - self.rest.len()) % 8;
        let (head, body) = bytes.split_at(missing.min(bytes.len()));
        self.rest.extend_from_slice(head);
        if self.rest.len() == 8 {
            self.stream.push_lines([number(&self.rest)]);
            self.rest.clear();
        }
        let whole = body.chunks_exact(8);
        self.rest.extend_from_slice(whole.remainder());
        self.stream.push_lines(whole.map(number));
    }

    /// Queues a stream with known behaviour; false when there is no such pattern.
    pub fn generate(&mut self, pattern: &str, exponent: f64, n: u32, m: u32, seed: u32) -> bool {
        let Some(pattern) = Pattern::from_name(pattern, exponent) else { return false };
        let mut stream = SyntheticStream::new(pattern, u64::from(m), u64::from(seed));
        self.stream.push_lines((0..n).map(|_| stream.draw()));
        true
    }

    /// Analyses up to `budget` lines of the queue and says where the analysis stands.
    #[wasm_bindgen(unchecked_return_type = "page.PartStep")]
    pub fn step(&mut self, budget: u32) -> Result<JsValue, JsValue> {
        let progress = self.stream.step(u64::from(budget));
        to_js(&PartStep {
            done: progress.done,
            total: progress.total,
            distinct: self.stream.distinct(),
            bytes: self.stream.bytes(),
        })
    }

    /// Ends the analysis and hands its summary out, for [`merge`](Self::merge).
    pub fn summary(&mut self) -> Vec<u8> {
        self.close().to_bytes()
    }

    /// Ends the analysis and continues it by the summary of the next partition.
    pub fn merge(&mut self, next: &[u8]) -> Result<(), JsValue> {
        let next = ReuseSummary::from_bytes(next).ok_or_else(|| {
            error("partition", "a summary of another worker", "other bytes", "run the analysis again")
        })?;
        let mine = std::mem::take(self.close());
        self.summary = Some(mine.merge(next));
        Ok(())
    }

    /// Ends the analysis and says what it found.
    pub fn result(&mut self) -> Result<JsValue, JsValue> {
        let summary = self.close();
        let report = ReuseStream::report(summary);
        to_js(&Outline {
            accesses: report.accesses,
            distinct: report.distinct,
            engine: report.engine,
            log2_bins: summary.histogram.log2_bins(),
            miss_ratio_curve: report.miss_ratio_curve,
            knees: report.knees,
        })
    }

    /// Finite distances that occurred, ascending.
    pub fn distances(&mut self) -> Vec<u32> {
        self.close().histogram.iter().map(|(distance, _)| distance).collect()
    }

    /// How often each of [`distances`](Self::distances) occurred; exact up to 2^53.
    pub fn counts(&mut self) -> Vec<f64> {
        self.close().histogram.iter().map(|(_, count)| count as f64).collect()
    }
}

impl ReuseLab {
    fn close(&mut self) -> &mut ReuseSummary {
        let stream = &mut self.stream;
        self.summary.get_or_insert_with(|| std::mem::replace(stream, ReuseStream::partition()).finish())
    }
}
