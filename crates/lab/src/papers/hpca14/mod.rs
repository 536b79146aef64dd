//! The rows of HPCA'14: Nugteren et al., *A Detailed GPU Cache Model Based on Reuse Distance Theory*.
//!
//! The text of the paper was at hand, not its pictures. Values that stand only in a picture have no row that compares
//! them. A bound of 10 points for miss rates is the paper's own: it counts kernels "within a 10% absolute error margin"
//! (section 8).

mod beyond;
mod figure3;
mod figure7;
mod hash;
mod kernels;
mod mechanisms;
mod mshrs;
mod tables;

use super::row::PaperRow;

/// The rows in the order of the paper.
pub(super) fn rows() -> Vec<PaperRow> {
    [tables::ROWS, mechanisms::ROWS, figure3::ROWS, hash::ROWS, figure7::ROWS, mshrs::ROWS, beyond::ROWS].concat()
}
