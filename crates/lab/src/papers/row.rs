//! A row of the self-check: what a paper prints or measured, how to compute the same, and what is claimed of the two.

use super::value::PaperValue;
use crate::scenario::Scenario;
use base::Job;

/// A work whose numbers are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Nugteren et al., HPCA 2014.
    Hpca14,
    /// Huang and Li, CLUSTER 2017.
    Cluster17,
    /// Cui et al., IPDPS 2012.
    Ipdps12,
    /// The topology thesis of TU Munich.
    Thesis,
    /// This project's own documents.
    Docs,
}

impl Paper {
    /// All of them, in the order of a list for people.
    pub const ALL: [Self; 5] = [Self::Hpca14, Self::Cluster17, Self::Ipdps12, Self::Thesis, Self::Docs];

    /// The word for files and for `--only`.
    pub fn key(self) -> &'static str {
        match self {
            Self::Hpca14 => "hpca14",
            Self::Cluster17 => "cluster17",
            Self::Ipdps12 => "ipdps12",
            Self::Thesis => "thesis",
            Self::Docs => "docs",
        }
    }

    /// Author, title and place, for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Hpca14 => "Nugteren et al., A Detailed GPU Cache Model Based on Reuse Distance Theory, HPCA 2014",
            Self::Cluster17 => "Huang and Li, performance models of data placement on GPUs, CLUSTER 2017",
            Self::Ipdps12 => "Cui et al., A Highly Parallel Reuse Distance Analysis Algorithm on GPUs, IPDPS 2012",
            Self::Thesis => "The thesis of TU Munich on the memory topology of GPUs",
            Self::Docs => "This project's README and pages about accuracy",
        }
    }
}

/// What the published values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Follows from the definitions of the paper, so that ours must be equal.
    Printed,
    /// Measured on hardware.
    Hardware,
    /// Our own, as a page of this project prints it.
    Own,
    /// There are none in the text that is at hand.
    None,
}

impl Origin {
    /// The word for files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Printed => "printed",
            Self::Hardware => "hardware",
            Self::Own => "own",
            Self::None => "none",
        }
    }
}

/// What is claimed of a row before it runs.
#[derive(Clone, Copy, Debug)]
pub enum Claim {
    /// All values are equal.
    Exact,
    /// No difference is larger than the bound, in the unit of the differences.
    Within {
        /// The bound. It has a reason of its own and is not chosen after ours.
        bound: f64,
        /// Why ours differs, and why the bound is what it is.
        because: &'static str,
    },
    /// At least one difference is larger than the bound. The row is red, and this is known.
    Beyond {
        /// The bound.
        bound: f64,
        /// Why ours differs, and why the bound is what it is.
        because: &'static str,
    },
    /// Nothing can be compared. Values of ours may stand in the row.
    Cannot(&'static str),
}

/// What a computation of values gives. The text says why there are none.
pub type PaperValues = Result<Vec<PaperValue>, String>;

/// How the values of a row are computed.
#[derive(Clone, Copy)]
pub enum PaperWork {
    /// There is nothing to compute.
    Nothing,
    /// Parts that take less than about 50 ms each. The function gets the number of the part, from 0.
    Parts(usize, fn(usize) -> PaperValues),
    /// A job in steps.
    Steps(fn() -> Box<dyn Job<Output = PaperValues>>),
}

/// A row.
#[derive(Clone, Copy)]
pub struct PaperRow {
    /// Unique, and begins with the key of the paper: `hpca14.table-3`.
    pub id: &'static str,
    /// The paper.
    pub paper: Paper,
    /// The place in the paper: `Table 3`, `Equation 5`, `Section 4.4`.
    pub item: &'static str,
    /// What is compared, in a sentence without a full stop.
    pub what: &'static str,
    /// The unit of the values, or an empty text.
    pub unit: &'static str,
    /// What the published values are.
    pub origin: Origin,
    /// What is claimed.
    pub claim: Claim,
    /// How ours are computed.
    pub work: PaperWork,
    /// The run that shows it, for a link.
    pub open: Option<fn() -> Scenario>,
}

impl PaperRow {
    /// A row that nothing is computed for, with its reason.
    pub const fn cannot(
        id: &'static str,
        paper: Paper,
        item: &'static str,
        what: &'static str,
        because: &'static str,
    ) -> Self {
        Self {
            id,
            paper,
            item,
            what,
            unit: "",
            origin: Origin::None,
            claim: Claim::Cannot(because),
            work: PaperWork::Nothing,
            open: None,
        }
    }
}
