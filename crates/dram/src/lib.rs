//! A model of main memory: the bank and row of an address, the state of the row buffers, and the waiting times of
//! requests.
//!
//! In: requests as time and address, a [`Mapping`] and a [`Timing`]. Out: the arrivals, row events, utilisation and
//! waiting time of each bank, and the mean latency over all banks ([`analyse`]). The crate `probe` solves the inverse
//! problem: it finds the mapping of a memory that answers only with latencies.
//!
//! Source: Huang & Li, CLUSTER'17, III-C, equations 6 to 10 and Algorithm 1. The queueing formulas name their own
//! sources. [`Queue::SeedPrinted`] keeps equation 9 as printed. The default is the exact recursion of Lindley over the
//! requests.
//!
//! Not modelled: the data bus that the banks of a channel share (the placement model limits its bandwidth), refresh
//! (except as outliers of the hidden memory), write-to-read turnaround, and the controller's reordering in favour of
//! open rows.
//!
//! ```
//! use dram::{analyse, BankSettings, DramRequest, Mapping, Timing};
//!
//! let request = |i: u32| DramRequest { ns: f64::from(i), address: u64::from(i) * 128 };
//! let requests: Vec<DramRequest> = (0..64).map(request).collect();
//! let found = analyse(&requests, &Mapping::gpgpusim_kepler(6), &Timing::kepler(), &BankSettings::default());
//! assert_eq!(found.rows.hits + found.rows.misses + found.rows.conflicts, 64);
//! ```

mod analysis;
mod bank;
mod mapping;
mod queue;

pub use analysis::{analyse, analyse_decoded, Bank, BankSettings, Banks, DramRequest, Outstanding, Service};
pub use bank::{RowBuffers, RowCounts, RowEvent, Timing};
pub use mapping::{DramAddress, Mapping};
pub use queue::{lindley, Moments, Queue};
