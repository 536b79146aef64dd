//! What looks at a run of the model `gpu`: it finds a step, keeps the steps around it, or looks at one access.

use crate::cache_tab::why::gpu_report::WhyLevel;
use crate::cache_tab::why::request::WhyFind;
use cache::RequestClass;
use machine::{WatchedAccess, WatchedLine};
use trace::{Kind, Trace};

/// What an access must have, by the indices of the trace. What concerns a line must hold of one line together.
#[derive(Clone, Debug, Default)]
pub(super) struct GpuFilter {
    /// An index of the trace's arrays.
    pub array: Option<usize>,
    pub site: Option<u32>,
    pub set: Option<u32>,
    pub line: Option<u64>,
    /// The L1 lacked something.
    pub misses: bool,
    pub class: Option<RequestClass>,
    pub level: Option<WhyLevel>,
}

/// The search for a step.
pub(super) struct GpuFinder {
    pub find: WhyFind,
    pub core: Option<u32>,
    pub filter: GpuFilter,
    pub matches: u64,
    /// The core and the step.
    pub found: Option<(u32, u64)>,
}

/// An earlier access to a line.
#[derive(Clone, Copy)]
pub(super) struct GpuUse {
    pub step: u64,
    pub cycle: u64,
    pub warp: u32,
    part: u32,
    line: u64,
    set: u32,
}

/// A step that is kept, with the last access to its line, and how many other lines of its set and of all sets came since.
pub(super) struct GpuSeen {
    pub access: WatchedAccess,
    pub before: Option<(GpuUse, u32, u32)>,
    /// The place of that line among those of the access.
    pub focus: usize,
}

/// The steps of a core from `first` to `last`.
pub(super) struct GpuWindow {
    pub core: u32,
    pub first: u64,
    pub last: u64,
    pub steps: Vec<GpuSeen>,
    /// Whether stores take places in the L1.
    pub stores: bool,
    /// Says which line of an access the answer is about.
    filter: GpuFilter,
    /// What the core used so far, in order.
    uses: Vec<GpuUse>,
}

pub(super) enum GpuGoal {
    Find(GpuFinder),
    Show(GpuWindow),
    /// Where the data of the warp's access come from, for a line.
    Probe {
        warp: u32,
        access: u32,
        line: u64,
        level: Option<WhyLevel>,
    },
}

/// Where the data of a line came from.
pub(super) fn level_of(line: &WatchedLine) -> WhyLevel {
    match (line.fetched, line.dram) {
        (0, _) => WhyLevel::L1,
        (_, 0) => WhyLevel::L2,
        _ => WhyLevel::Dram,
    }
}

/// The class of a line's misses in the L1: that of most of its sectors, of equally many the one that could be avoided.
pub(super) fn class_of(line: &WatchedLine) -> Option<(RequestClass, bool)> {
    let classes = [
        (line.conflict, RequestClass::Associativity, false),
        (line.capacity, RequestClass::Capacity, false),
        (line.dropped, RequestClass::Capacity, true),
        (line.compulsory, RequestClass::Compulsory, false),
    ];
    let most = classes.into_iter().fold((0, RequestClass::Hit, false), |most, class| {
        if class.0.count_ones() > most.0 {
            (class.0.count_ones(), class.1, class.2)
        } else {
            most
        }
    });
    (most.0 > 0).then_some((most.1, most.2))
}

/// True if it is no store: it waits for data.
pub(super) fn loads(trace: &Trace, access: &WatchedAccess) -> bool {
    trace.sites.get(access.site as usize).is_some_and(|site| site.kind != Kind::Store)
}

/// True if it is a load: unlike an atomic, which is done at the L2, it could hit in the L1.
pub(super) fn can_hit(trace: &Trace, access: &WatchedAccess) -> bool {
    trace.sites.get(access.site as usize).is_some_and(|site| site.kind == Kind::Load)
}

impl GpuGoal {
    pub fn look(&mut self, trace: &Trace, access: WatchedAccess) {
        match self {
            Self::Find(finder) => finder.look(trace, &access),
            Self::Show(window) => window.look(trace, access),
            Self::Probe { warp, access: number, line, level } => {
                if access.warp == *warp && access.access == *number {
                    let of_line = access.lines.iter().find(|one| one.line == *line);
                    *level = of_line.map(level_of).or(*level);
                }
            }
        }
    }

    /// True if the rest of the run, after so many steps of each core, cannot change what was seen.
    pub fn has_seen_all(&self, steps: &[u64], whole: bool) -> bool {
        let so_far = |core: Option<u32>| core.and_then(|core| steps.get(core as usize)).copied().unwrap_or(0);
        match self {
            Self::Find(_) if whole => false,
            Self::Find(GpuFinder { find: WhyFind::After(_), found, .. }) => found.is_some(),
            Self::Find(GpuFinder { find: WhyFind::Before(to), core, .. }) => so_far(*core) >= *to,
            Self::Find(_) => false,
            Self::Show(window) => so_far(Some(window.core)) > window.last,
            Self::Probe { level, .. } => level.is_some(),
        }
    }
}

impl GpuFinder {
    fn look(&mut self, trace: &Trace, access: &WatchedAccess) {
        if self.core.is_some_and(|core| core != access.core) || !self.filter.fits(trace, access) {
            return;
        }
        self.matches += 1;
        let found = match self.find {
            WhyFind::Step(_) => false,
            WhyFind::Match(number) => self.matches == number,
            WhyFind::After(from) => access.step > from && self.found.is_none(),
            WhyFind::Before(to) => access.step < to,
        };
        if found {
            self.found = Some((access.core, access.step));
        }
    }
}

impl GpuFilter {
    fn fits(&self, trace: &Trace, access: &WatchedAccess) -> bool {
        let served = || access.lines.iter().map(level_of).max();
        // A store has no level and no class.
        let asks_of_loads = self.misses || self.class.is_some() || self.level.is_some();
        self.array.is_none_or(|array| trace.array_of(access.address).unwrap_or(trace.arrays.len()) == array)
            && self.site.is_none_or(|site| site == access.site)
            && (!asks_of_loads || loads(trace, access))
            && self.level.is_none_or(|level| served() == Some(level))
            && access.lines.iter().any(|line| self.fits_line(trace, access, line))
    }

    fn fits_line(&self, trace: &Trace, access: &WatchedAccess, line: &WatchedLine) -> bool {
        let class = || class_of(line).filter(|_| !access.texture).map(|(class, _)| class);
        self.set.is_none_or(|set| set == line.set)
            && self.line.is_none_or(|wanted| wanted == line.line)
            && (!self.misses || (line.fetched != 0 && (line.in_l1 || can_hit(trace, access))))
            && self.class.is_none_or(|wanted| class() == Some(wanted))
    }

    /// The place of the line that an answer is about: the first that fits, of those the first from the wanted level, and
    /// otherwise the first that was fetched. Where no line was, it is the first.
    fn focus(&self, trace: &Trace, access: &WatchedAccess) -> usize {
        let first = |fits: &dyn Fn(&WatchedLine) -> bool| access.lines.iter().position(fits);
        let of_line = |line: &WatchedLine| self.fits_line(trace, access, line);
        let of_level = |line: &WatchedLine| self.level.is_none_or(|level| level_of(line) == level);
        let wanted = first(&|line| of_line(line) && of_level(line)).or_else(|| first(&of_line));
        let asks_of_lines =
            self.set.is_some() || self.line.is_some() || self.misses || self.class.is_some() || self.level.is_some();
        let fetched = || first(&|line| line.fetched != 0);
        wanted.filter(|_| asks_of_lines).or_else(fetched).unwrap_or(0)
    }
}

impl GpuWindow {
    pub fn new(core: u32, [first, last]: [u64; 2], stores: bool, filter: GpuFilter) -> Self {
        Self { core, first, last, steps: Vec::new(), stores, filter, uses: Vec::new() }
    }

    fn look(&mut self, trace: &Trace, access: WatchedAccess) {
        if access.core != self.core || access.step > self.last {
            return;
        }
        let WatchedAccess { part, step, cycle, warp, .. } = access;
        if step >= self.first {
            let focus = self.filter.focus(trace, &access);
            let asked = access.lines.get(focus).filter(|_| !access.texture);
            let before = asked.and_then(|line| self.before(part, line));
            self.steps.push(GpuSeen { access: access.clone(), before, focus });
        }
        // A texture cache of its own shares no lines with the L1.
        if access.texture || !(loads(trace, &access) || self.stores) {
            return;
        }
        for line in access.lines.iter().filter(|line| line.in_l1 || self.stores) {
            self.uses.push(GpuUse { step, cycle, warp, part, line: line.line, set: line.set });
        }
    }

    fn before(&self, part: u32, line: &WatchedLine) -> Option<(GpuUse, u32, u32)> {
        let of_part = |used: &&GpuUse| used.part == part;
        let at = self.uses.iter().rposition(|used| used.part == part && used.line == line.line)?;
        let since = || self.uses[at + 1..].iter().filter(of_part);
        let distinct = |lines: &mut dyn Iterator<Item = u64>| {
            let mut lines: Vec<u64> = lines.collect();
            lines.sort_unstable();
            lines.dedup();
            lines.len() as u32
        };
        let of_set = distinct(&mut since().filter(|used| used.set == line.set).map(|used| used.line));
        Some((self.uses[at], of_set, distinct(&mut since().map(|used| used.line))))
    }
}
