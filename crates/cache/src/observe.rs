//! What an observer of the model `paper` sees: each issue of a warp, with the state of its core before it.
//!
//! A normal run has none. The model asks once per access and request whether there is one. A second copy of the model, compiled
//! for an observer, would make the page's module larger.

use crate::outcome::RequestClass;
use crate::paper_core::Core;

/// What the warp at the front of the queue does in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssueKind {
    /// A request for a line, which has an [`Answer`].
    Request,
    /// A whole access that is cancelled because too few MSHRs are free. It has no answer.
    Cancelled {
        /// MSHRs that the access needs. A lower bound if [`Observer::looks_closely`] was false.
        needed: u64,
    },
    /// A store that does not allocate. It has no answer.
    Store,
}

/// One step of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// What the warp does.
    pub kind: IssueKind,
    /// The tick.
    pub tick: u64,
    /// The core.
    pub core: u32,
    /// Index of the warp in the trace.
    pub warp: u32,
    /// Index of the request in [`exec::LineRequests::requests`]. A cancelled access or a store has its first one.
    pub request: u32,
    /// The line of that request, by the core's own number ([`crate::PaperModel::dense_numbers`]).
    pub line: u32,
    /// The set of the line.
    pub set: u32,
    /// Busy MSHRs before the step, as the request sees them.
    pub busy_mshrs: u64,
    /// The tick at which the last miss on the line arrives. The line is in flight if it lies ahead.
    pub arrives: u64,
}

/// How the cache answers a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Hit, or the class of the miss.
    pub class: RequestClass,
    /// Reuse distance in the line's set; `None` means infinite.
    pub distance: Option<u32>,
    /// The tick at which the request takes effect on the stacks.
    pub due: u64,
}

/// A request in flight: its line is inserted or moves to the top of its stack when it takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The line, by the core's own number.
    pub line: u32,
    /// The tick of the effect.
    pub due: u64,
    /// The request holds an MSHR.
    pub mshr: bool,
}

/// The state of a core before a step. Long lists are cut; the counts are those of the whole lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreState {
    /// The stack of the line's set by the core's own numbers, the most recent line first.
    pub stack: Vec<u32>,
    /// Lines on that stack.
    pub stack_lines: u64,
    /// Distance of the line in one fully associative stack; `None` means infinite.
    pub whole_distance: Option<u32>,
    /// Requests in flight, by the tick of their effect and then in order of issue. Effects due at this tick are still
    /// among them.
    pub pending: Vec<Pending>,
    /// Number of requests in flight.
    pub pending_count: u64,
    /// The warps in the queue behind the one that issues, the next one first.
    pub ready: Vec<u32>,
    /// Number of these warps.
    pub ready_count: u64,
    /// The warps that wait for their requests, with the tick at which they return.
    pub waiting: Vec<(u32, u64)>,
    /// Number of these warps.
    pub waiting_count: u64,
}

impl CoreState {
    /// Most entries of each list.
    pub const KEPT: usize = 32;
}

/// Sees the steps of all cores in the order in which they happen.
pub trait Observer {
    /// Before a step. `core` can give the whole state, which takes a while.
    fn before(&mut self, issue: &Issue, core: &ObservedCore<'_>);

    /// The answer to the request of the last [`Self::before`].
    fn after(&mut self, issue: &Issue, answer: &Answer);

    /// Whether the next step of a core is looked at closely. If not, a cancelled access is looked up only where the model
    /// needs it.
    fn looks_closely(&self, core: u32) -> bool;
}

/// A core as an observer may look at it.
pub struct ObservedCore<'a>(pub(super) &'a Core);

impl ObservedCore<'_> {
    /// The state before `issue`, which must be the step under way.
    pub fn state(&self, issue: &Issue) -> CoreState {
        self.0.state(issue)
    }
}
