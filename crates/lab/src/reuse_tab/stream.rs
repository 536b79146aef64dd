//! The reuse distances of a stream that arrives in pieces, analysed in bounded steps. A worker of the page's pool runs
//! it.

use crate::reuse_tab::analyse::ReuseReport;
use base::Progress;
use reuse::{PartitionSummary, RankBits, ReuseEngine};

/// An analysis of a stream that arrives in pieces. Pieces are queued, and steps analyse the queue.
///
/// ```
/// use lab::ReuseStream;
///
/// let mut worker = ReuseStream::partition();
/// worker.push_lines([7, 8, 9, 8, 7]);
/// while worker.step(2).done < 5 {}
/// let summary = worker.finish();
/// assert_eq!(ReuseStream::report(&summary).distinct, 3);
/// ```
#[derive(Clone, Debug)]
pub struct ReuseStream {
    engine: RankBits,
    queue: Vec<u64>,
    at: usize,
    before: u64,
}

impl ReuseStream {
    /// Makes an analysis whose summary can be merged with those of its neighbours.
    pub fn partition() -> Self {
        Self { engine: RankBits::partition(), queue: Vec::new(), at: 0, before: 0 }
    }

    /// Queues lines.
    pub fn push_lines(&mut self, lines: impl IntoIterator<Item = u64>) {
        if self.at == self.queue.len() {
            self.before += self.at as u64;
            self.queue.clear();
            self.at = 0;
        }
        self.queue.extend(lines);
    }

    /// Analyses up to `budget` lines of the queue.
    pub fn step(&mut self, budget: u64) -> Progress {
        let waiting = self.queue.len() - self.at;
        let end = self.at + waiting.min(usize::try_from(budget).unwrap_or(usize::MAX));
        self.engine.push_lines(&self.queue[self.at..end]);
        self.at = end;
        Progress { done: self.before + end as u64, total: self.before + self.queue.len() as u64 }
    }

    /// Returns the number of distinct lines so far.
    pub fn distinct(&self) -> u64 {
        self.engine.distinct()
    }

    /// Returns the bytes of the analysis and of its queue.
    pub fn bytes(&self) -> usize {
        self.engine.bytes() + self.queue.capacity() * 8
    }

    /// Analyses the rest of the queue and returns the summary.
    pub fn finish(mut self) -> PartitionSummary {
        self.step(u64::MAX);
        self.engine.summary()
    }

    /// Makes the report of a summary that covers the whole stream.
    pub fn report(summary: &PartitionSummary) -> ReuseReport {
        ReuseReport::of(&summary.histogram, "rank", 1)
    }
}
