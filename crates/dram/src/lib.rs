//! Main memory: which bank and row an address lies in, what its row buffer does, and how long requests wait.
//!
//! In: requests as time and address, a [`Mapping`] and a [`Timing`]. Out: per bank the arrivals, row events, utilisation and
//! waiting time, and the mean latency over all banks ([`analyse`]). The crate `probe` goes the other way round: it finds the
//! mapping of a memory that answers only with latencies.
//!
//! Source: Huang & Li, CLUSTER'17, III-C: equations 6 to 10, Algorithm 1; the queueing formulas name their own. Equation 9 as
//! printed is kept as [`Queue::SeedPrinted`]; the default is the exact recursion of Lindley over the requests themselves.
//!
//! Not modelled: the data bus that the banks of a channel share (its bandwidth is a limit elsewhere), refresh (except as
//! outliers of the hidden memory), write-to-read turnaround, and the controller's reordering in favour of open rows.
//!
//! ```
//! use dram::{analyse, BankSettings, Mapping, Request, Timing};
//!
//! let requests: Vec<Request> = (0..64u32).map(|i| Request { ns: f64::from(i), address: u64::from(i) * 128 }).collect();
//! let found = analyse(&requests, &Mapping::gpgpusim_kepler(6), &Timing::kepler(), &BankSettings::default());
//! assert_eq!(found.rows.hits + found.rows.misses + found.rows.conflicts, 64);
//! ```

mod analysis;
mod bank;
mod mapping;
mod queue;

pub use analysis::{analyse, analyse_places, Bank, BankSettings, Banks, Request, Service};
pub use bank::{RowBuffers, RowCounts, RowEvent, Timing};
pub use mapping::{Mapping, Place};
pub use queue::{lindley, Moments, Queue};
