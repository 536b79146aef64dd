//! Which requests a run counts.
//!
//! In: an array, instructions, a set, reuse distances or a core.
//! Out: whether a request belongs to them. The cache sees every request, so the counts of parts add up to the whole.

use crate::outcome::CacheOutcome;
use exec::LineRequest;

/// The requests that are counted. A part that is `None` restricts nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountedRequests {
    /// The index of the trace's array, or [`exec::NO_ARRAY`].
    pub array: Option<u16>,
    /// True for each of the trace's sites that is counted.
    pub sites: Option<Vec<bool>>,
    /// The set.
    pub set: Option<u32>,
    /// The least and the largest reuse distance. [`CountedRequests::INFINITE`] stands for the infinite one.
    pub distances: Option<(u32, u32)>,
    /// The core.
    pub core: Option<u32>,
}

impl CountedRequests {
    /// The distance of a request to a line that is not in the set's stack.
    pub const INFINITE: u32 = u32::MAX;

    fn has(&self, request: &LineRequest, (set, core): (u32, u32), distance: Option<u32>) -> bool {
        let distance = distance.unwrap_or(Self::INFINITE);
        self.array.is_none_or(|array| array == request.array)
            && self.sites.as_ref().is_none_or(|sites| sites.get(request.site as usize) == Some(&true))
            && self.set.is_none_or(|only| only == set)
            && self.core.is_none_or(|only| only == core)
            && self.distances.is_none_or(|(low, high)| (low..=high).contains(&distance))
    }
}

impl CacheOutcome {
    /// True if a request to a set of a core belongs to those that are counted.
    #[inline]
    pub(super) fn counts(&self, request: &LineRequest, at: (u32, u32), distance: Option<u32>) -> bool {
        self.counted.as_ref().is_none_or(|counted| counted.has(request, at, distance))
    }
}
