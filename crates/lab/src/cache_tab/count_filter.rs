//! Counts of a part of a kernel: what an array, a line of code, a set, a core or a range of reuse distances asks for.
//!
//! In: a scenario, and the part.
//! Out: the report of the whole run, in which all rows count the requests of the part only. The model's decisions are
//! those of the whole run.
//!
//! Not modelled in `paper` and `reference`: the three other runs of the model. What follows from differences between runs is zero
//! or left out: the differential classes of `paper`, and the classes and cases of `reference`. The work of the kernel is
//! left out too. The model `gpu` has neither sets nor reuse distances in its report, so it does not count them. What belongs to
//! no access there keeps the number of the whole run: see [`machine::CountedPart`]. Its work and its roofline put the numbers of the
//! part beside the arithmetic of the kernel, and say nothing.

use crate::cache_tab::places::{ArrayPlace, InstructionPlace};
use base::Diagnostic;
use cache::CountedRequests;
use exec::NO_ARRAY;
use machine::CountedPart;
use serde::Deserialize;
use trace::Trace;

/// The part of a kernel that is counted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum CountFilter {
    /// The array with this base, as reports write it. It is empty for addresses outside all arrays.
    Array(String),
    /// The instructions of a source line.
    Line(u32),
    /// The instruction with this program counter, as reports write it.
    Pc(String),
    /// A set of the cache.
    Set(u32),
    /// The least and the largest reuse distance. Without a largest, the infinite distance alone.
    Distances(u32, Option<u32>),
    /// A core of the GPU.
    Core(u32),
}

impl CountFilter {
    /// The requests of a trace that belong to the part.
    pub(crate) fn requests_of(&self, trace: &Trace) -> CountedRequests {
        let none = CountedRequests::default();
        let sites = |is: &dyn Fn(&InstructionPlace) -> bool| {
            Some(trace.sites.iter().map(|site| is(&InstructionPlace::of_site(site))).collect())
        };
        match self {
            Self::Array(base) => {
                let at = trace.arrays.iter().position(|array| ArrayPlace::of_array(array).base == *base);
                match at {
                    // The models number an array with 16 bits; what is beyond is outside all arrays for them.
                    Some(at) => CountedRequests { array: Some(u16::try_from(at).unwrap_or(NO_ARRAY)), ..none },
                    None if base.is_empty() => CountedRequests { array: Some(NO_ARRAY), ..none },
                    None => CountedRequests { sites: Some(Vec::new()), ..none },
                }
            }
            Self::Line(line) => CountedRequests { sites: sites(&|place| place.line == Some(*line)), ..none },
            Self::Pc(pc) => CountedRequests { sites: sites(&|place| place.pc == *pc), ..none },
            Self::Set(set) => CountedRequests { set: Some(*set), ..none },
            Self::Core(core) => CountedRequests { core: Some(*core), ..none },
            Self::Distances(low, high) => {
                let infinite = CountedRequests::INFINITE;
                let range = high.map_or((infinite, infinite), |high| (*low, high.min(infinite - 1)));
                CountedRequests { distances: Some(range), ..none }
            }
        }
    }

    /// The part, as the model `gpu` counts it.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic for a set and for a reuse distance, and for a value that is no address.
    pub(crate) fn in_machine(&self) -> Result<CountedPart, Vec<Diagnostic>> {
        let wrong =
            |expected: &str, found: String, help: &str| vec![Diagnostic::error("filter", expected, found, help)];
        let address = |text: &str| {
            let digits = text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
            digits.ok_or_else(|| wrong("an address such as 0x7f00", format!("`{text}`"), "take one from the report"))
        };
        match self {
            Self::Array(base) if base.is_empty() => Ok(CountedPart::Array(None)),
            Self::Array(base) => Ok(CountedPart::Array(Some(address(base)?))),
            Self::Line(line) => Ok(CountedPart::Line(*line)),
            Self::Pc(pc) => Ok(CountedPart::Pc(address(pc)?)),
            Self::Core(core) => Ok(CountedPart::Core(*core)),
            Self::Set(_) | Self::Distances(..) => {
                let help = "choose an array, a line or a core";
                Err(wrong("a part that the model gpu counts", "a set or a reuse distance".into(), help))
            }
        }
    }
}
