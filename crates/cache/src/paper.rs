//! The model `paper`: HPCA'14 section 4 as one consistent set of rules, on all cores of the GPU.
//!
//! In: the requests of a kernel, [`Params`] and the number of resident blocks. Out: a [`CacheOutcome`].
//!
//! At each tick the warp at the front of a core's queue issues its next access. A request takes effect when its latency
//! has passed: its line is inserted into its set's stack or moves to the top. A warp returns to the queue when its
//! slowest request has arrived. Blocks are dealt round-robin to the cores until the cores are full. After that, a core
//! gets the next block when one of its blocks finishes (section 3.1).
//!
//! One rule reproduces all of tables 2 to 5: a request at tick t sees all effects due before t, and of the effects due
//! at t only those on its own line.

use crate::counted::CountedRequests;
use crate::observe::Observer;
use crate::outcome::CacheOutcome;
use crate::paper_core::{Core, RunInputs, RunOutputs, WarpProgress};
use crate::Params;
use base::{Job, Progress, Step};
use exec::LineRequests;
use std::sync::Arc;

/// Deals blocks to cores and counts the unfinished warps of each block.
struct Dealer {
    /// The modelled blocks in the order of dealing.
    order: Vec<u32>,
    next: usize,
    /// Unfinished warps of each block.
    working: Vec<u32>,
    /// Block of each warp.
    block_of: Vec<u32>,
}

/// The caches of all cores after a kernel, an input of [`PaperModel::after`].
pub struct WarmCaches(Vec<Core>);

/// One run of the paper's model over one kernel.
pub struct PaperModel {
    requests: Arc<LineRequests>,
    params: Params,
    resident_blocks: u64,
    cores: Vec<Core>,
    /// Next tick at which each core has work.
    wakes: Vec<Option<u64>>,
    warps: Vec<WarpProgress>,
    dealer: Dealer,
    back: Vec<u32>,
    dealt: bool,
    issued: u64,
    total: u64,
    outcome: CacheOutcome,
}

impl PaperModel {
    /// A run with `resident_blocks` (at least 1) blocks per core. With `classify`, a second, fully associative stack
    /// separates associativity misses from capacity misses. Without it, both count as capacity misses.
    pub fn new(requests: Arc<LineRequests>, params: Params, resident_blocks: u64, classify: bool) -> Self {
        let starts = &requests.warps[..requests.warps.len().saturating_sub(1)];
        let warps = starts.iter().map(|&next_step| WarpProgress { next_step, ..WarpProgress::default() }).collect();
        let blocks = requests.blocks.windows(2);
        let working: Vec<u32> = blocks.clone().map(|b| b[1] - b[0]).collect();
        let block_of = blocks.enumerate().flat_map(|(i, b)| (b[0]..b[1]).map(move |_| i as u32)).collect();
        // Blocks that plain round-robin would deal to cores beyond the limit are not modelled.
        let modelled = params.core_limit.clamp(1, params.cores.max(1));
        let order = 0..u32::try_from(params.block_limit).unwrap_or(u32::MAX).min(working_len(&requests));
        let order: Vec<u32> = order.filter(|block| block % params.cores.max(1) < modelled).collect();
        let total = order.iter().map(|&block| requests_of(&requests, block)).sum();
        let cores = (0..modelled)
            .map(|core| Core::new(core, &params, requests.lines.len(), modelled as usize, classify))
            .collect::<Vec<_>>();
        Self {
            requests,
            resident_blocks: resident_blocks.max(1),
            wakes: vec![None; cores.len()],
            outcome: CacheOutcome { core_ticks: vec![0; cores.len()], ..CacheOutcome::default() },
            cores,
            warps,
            dealer: Dealer { order, next: 0, working, block_of },
            back: Vec::new(),
            dealt: false,
            issued: 0,
            total,
            params,
        }
    }

    /// Counts a part of the requests. The cache sees all of them.
    pub fn counting(mut self, counted: CountedRequests) -> Self {
        self.outcome.counted = Some(counted);
        self
    }

    /// Lists all loads in the order of their issue in [`CacheOutcome::order`], 8 bytes each.
    pub fn ordering(mut self) -> Self {
        self.outcome.order = Some(Vec::new());
        self
    }

    /// Starts with the caches that another kernel left instead of empty ones. The other run must have had the same
    /// parameters, and its dense lines must be the first ones of this kernel (see [`exec::coalesce_after`]).
    pub fn after(mut self, warm: WarmCaches) -> Self {
        let (lines, cores) = (self.requests.lines.len(), self.cores.len());
        if warm.0.len() == cores {
            self.cores = warm.0.into_iter().map(|core| core.for_next_kernel(&self.params, lines, cores)).collect();
        }
        self
    }

    /// The caches after this kernel.
    pub fn into_warm(self) -> WarmCaches {
        WarmCaches(self.cores)
    }

    /// The dense number of each line of a core, by the core's own numbers in an [`crate::Issue`].
    pub fn dense_numbers(&self, core: u32) -> Vec<u32> {
        self.cores.get(core as usize).map(Core::dense_numbers).unwrap_or_default()
    }

    /// Deals blocks round-robin until every core is full or no block is left.
    fn deal_first(&mut self) {
        self.dealt = true;
        for _ in 0..self.resident_blocks {
            for core in 0..self.cores.len() {
                self.deal(core, 0);
            }
            if self.dealer.next >= self.dealer.order.len() {
                break;
            }
        }
    }

    /// Deals the next block to `core`. A block without accesses finishes at once, so the one after it follows.
    fn deal(&mut self, core: usize, tick: u64) {
        while let Some(&block) = self.dealer.order.get(self.dealer.next) {
            let block = block as usize;
            self.dealer.next += 1;
            for warp in self.requests.blocks[block]..self.requests.blocks[block + 1] {
                if self.has_steps(warp) {
                    self.cores[core].enqueue(warp);
                } else {
                    self.dealer.working[block] -= 1;
                }
            }
            if self.dealer.working[block] > 0 {
                self.wakes[core] = Some(self.wakes[core].map_or(tick, |wake| wake.min(tick)));
                return;
            }
        }
    }

    fn has_steps(&self, warp: u32) -> bool {
        self.warps[warp as usize].next_step < self.requests.warps[warp as usize + 1]
    }

    /// Simulates `core` at `tick` and returns the number of issued requests.
    fn tick(&mut self, core: usize, tick: u64, observer: Option<&mut (dyn Observer + '_)>) -> u64 {
        let mut back = std::mem::take(&mut self.back);
        self.cores[core].take_returns(tick, &mut back);
        for warp in back.drain(..) {
            if self.has_steps(warp) {
                self.cores[core].enqueue(warp);
                continue;
            }
            self.warp_done(core, warp, tick);
        }
        self.back = back;
        let inputs = RunInputs { requests: &self.requests, params: &self.params };
        let mut outputs = RunOutputs { outcome: &mut self.outcome, observer };
        let issued = self.cores[core].issue(tick, inputs, &mut self.warps, &mut outputs);
        if let Some(warp) = issued.done {
            self.warp_done(core, warp, tick);
        }
        self.wakes[core] = self.cores[core].wakes(tick);
        issued.requests
    }

    fn warp_done(&mut self, core: usize, warp: u32, tick: u64) {
        self.outcome.core_ticks[core] = self.outcome.core_ticks[core].max(tick);
        let block = self.dealer.block_of[warp as usize] as usize;
        self.dealer.working[block] -= 1;
        if self.dealer.working[block] == 0 {
            self.deal(core, tick);
        }
    }

    fn finish(&mut self) -> CacheOutcome {
        self.outcome.ticks = self.outcome.core_ticks.iter().copied().max().unwrap_or(0);
        std::mem::take(&mut self.outcome)
    }
}

impl PaperModel {
    /// A step of the job that an observer sees.
    pub fn step_observed(&mut self, budget: u64, observer: &mut dyn Observer) -> Step<CacheOutcome> {
        self.step_with(budget, Some(observer))
    }

    fn step_with(&mut self, budget: u64, mut observer: Option<&mut (dyn Observer + '_)>) -> Step<CacheOutcome> {
        if !self.dealt {
            self.deal_first();
        }
        let mut left = budget;
        while left > 0 {
            // Cores influence each other only through the dealing of blocks, so the ticks of all cores go in order.
            let Some(tick) = self.wakes.iter().flatten().min().copied() else {
                return Step::Done(self.finish());
            };
            for core in 0..self.cores.len() {
                if self.wakes[core] == Some(tick) {
                    self.issued += self.tick(core, tick, observer.as_deref_mut());
                    left = left.saturating_sub(1);
                }
            }
        }
        Step::More(Progress { done: self.issued, total: self.total })
    }
}

impl Job for PaperModel {
    type Output = CacheOutcome;

    fn step(&mut self, budget: u64) -> Step<CacheOutcome> {
        self.step_with(budget, None)
    }
}

fn working_len(requests: &LineRequests) -> u32 {
    requests.blocks.len().saturating_sub(1) as u32
}

fn requests_of(requests: &LineRequests, block: u32) -> u64 {
    let at = |warp: u32| u64::from(requests.steps[requests.warps[warp as usize] as usize].first);
    at(requests.blocks[block as usize + 1]) - at(requests.blocks[block as usize])
}
