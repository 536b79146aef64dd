//! The model `reference`: what the program of the HPCA'14 authors does, so that an independent program checks ours.
//!
//! In: the loads of every lane, [`Params`] and the number of blocks per batch. Out: a [`CacheOutcome`].
//!
//! The program differs from the paper, and this model follows the program:
//! * It simulates one core.
//! * Resident blocks run in static batches. Effects that are pending at the end of a batch are dropped.
//! * Lanes advance one by one, and only lane 0 can postpone a warp.
//! * Within a tick, hits take effect before misses.
//! * A request for a line in flight does not delay its lane and takes no new MSHR.
//!
//! The model departs from the program in one point. Where the load size does not divide a warp into equal groups
//! (12 bytes, for example), the program never ends. Here the last group takes the remaining lanes.

use crate::calendar::Calendar;
use crate::counted::CountedRequests;
use crate::latency::ProgramLatencyDraws;
use crate::outcome::{CacheOutcome, RequestClass};
use crate::set_index::set_of;
use crate::Params;
use base::{Job, Progress, Step};
use exec::{LaneLoads, LineRequest};
use reuse::LruStacks;
use std::collections::VecDeque;
use std::sync::Arc;

const LANES: usize = 32;

/// The next load of each lane of a warp.
///
/// Lanes can drift apart, because only lane 0 postpones a warp. Almost all warps stay in step, so a single number
/// replaces the 32 counters until lanes differ.
enum LaneProgress {
    /// All lanes are before their load with this number.
    Together(u32),
    /// The program postponed only the first group of a wide load, so the groups drifted apart.
    Apart(Box<[u32; LANES]>),
}

/// One run of the program's model over one kernel, as a [`Job`].
pub struct ReferenceModel {
    loads: Arc<LaneLoads>,
    params: Params,
    draws: ProgramLatencyDraws,
    stacks: LruStacks,
    /// Set of each dense line.
    sets: Vec<u32>,
    /// Lines with an outstanding miss; `outstanding_lines` is their number.
    outstanding: Vec<bool>,
    outstanding_lines: u64,
    hits: Calendar<u32>,
    misses: Calendar<u32>,
    queue: VecDeque<u32>,
    returns: Calendar<u32>,
    lane_progress: Vec<LaneProgress>,
    /// Blocks per batch; `next_block` is the first block of the next batch.
    batch_blocks: usize,
    next_block: usize,
    /// Unfinished warps of the current batch.
    working: usize,
    back: Vec<u32>,
    tick: u64,
    issued: u64,
    outcome: CacheOutcome,
}

impl ReferenceModel {
    /// A run over `loads` with batches of `batch_blocks` (at least 1) resident blocks.
    pub fn new(loads: Arc<LaneLoads>, params: Params, batch_blocks: u64) -> Self {
        let requests = &loads.requests;
        let set = |&line: &u64| set_of(&params.set_index, line, params.line_bytes, params.sets);
        Self {
            draws: ProgramLatencyDraws::new(params.seed, params.latency, params.sigma),
            stacks: LruStacks::new(params.sets as usize),
            sets: requests.lines.iter().map(set).collect(),
            outstanding: vec![false; requests.lines.len()],
            outstanding_lines: 0,
            hits: Calendar::default(),
            misses: Calendar::default(),
            queue: VecDeque::new(),
            returns: Calendar::default(),
            lane_progress: requests.warps.iter().map(|_| LaneProgress::Together(0)).collect(),
            batch_blocks: usize::try_from(batch_blocks.max(1)).unwrap_or(usize::MAX),
            next_block: 0,
            working: 0,
            back: Vec::new(),
            tick: 0,
            issued: 0,
            outcome: CacheOutcome::default(),
            params,
            loads,
        }
    }

    /// Counts a part of the requests. The cache sees all of them.
    pub fn counting(mut self, counted: CountedRequests) -> Self {
        self.outcome.counted = Some(counted);
        self
    }

    fn begin_batch(&mut self) -> bool {
        let blocks = &self.loads.requests.blocks;
        if self.next_block + 1 >= blocks.len() {
            return false;
        }
        let end = self.next_block.saturating_add(self.batch_blocks).min(blocks.len() - 1);
        self.queue.extend(blocks[self.next_block]..blocks[end]);
        self.next_block = end;
        self.working = self.queue.len();
        self.hits.clear();
        self.misses.clear();
        self.outstanding.fill(false);
        self.outstanding_lines = 0;
        true
    }

    fn one_tick(&mut self) {
        let free = self.outstanding_lines < self.params.mshrs;
        if let Some(warp) = self.queue.pop_front() {
            let bucket = self.outcome.timeline.bucket_at(self.tick);
            bucket.issues += 1;
            bucket.busy_mshrs += self.outstanding_lines;
            match self.issue(warp, free) {
                None => self.working -= 1,
                Some(0) => self.queue.push_back(warp),
                Some(delay) => self.returns.push_event(self.tick + delay, warp),
            }
        }
        self.apply_effects();
        self.hits.close_tick(self.tick);
        self.misses.close_tick(self.tick);
        let back = &mut self.back;
        self.returns.take_events_until(self.tick, |_, warp| back.push(warp));
        back.sort_unstable();
        self.queue.extend(back.drain(..));
        self.tick += 1;
    }

    /// Issues the next load of every lane. Returns the delay, or `None` when all lanes have finished.
    fn issue(&mut self, warp: u32, free: bool) -> Option<u64> {
        let first_step = self.loads.requests.warps[warp as usize];
        let steps = self.loads.requests.warps[warp as usize + 1] - first_step;
        let lane0 = match &self.lane_progress[warp as usize] {
            LaneProgress::Together(k) if *k >= steps => return None,
            LaneProgress::Together(k) => *k,
            LaneProgress::Apart(lanes) => lanes[0],
        };
        let bytes = if lane0 < steps { self.loads.lane0_bytes[(first_step + lane0) as usize] } else { 1 };
        let groups = usize::from(bytes / 4).max(1);
        match self.lane_progress[warp as usize] {
            LaneProgress::Together(k) if groups == 1 => self.issue_together(warp, first_step + k, free),
            _ => self.issue_apart(warp, first_step, groups, free),
        }
    }

    /// The usual case: all lanes form one group and are before the same load.
    fn issue_together(&mut self, warp: u32, step: u32, free: bool) -> Option<u64> {
        let loads = Arc::clone(&self.loads);
        let mut delay = 0;
        for request in loads.requests.of_step(step) {
            match self.issue_request(warp, request, free) {
                Some(latency) => delay = latency.max(delay),
                None => {
                    self.outcome.cancels += 1;
                    self.apply_effects();
                    return Some(0);
                }
            }
        }
        if let LaneProgress::Together(k) = &mut self.lane_progress[warp as usize] {
            *k += 1;
        }
        self.apply_effects();
        Some(delay)
    }

    /// The general case: several groups, and each lane has its own next load.
    fn issue_apart(&mut self, warp: u32, first_step: u32, groups: usize, free: bool) -> Option<u64> {
        let loads = Arc::clone(&self.loads);
        let (mut lanes, mut together) = match &self.lane_progress[warp as usize] {
            LaneProgress::Together(k) => ([*k; LANES], Some(*k)),
            LaneProgress::Apart(lanes) => (**lanes, None),
        };
        let lengths = &loads.lengths[warp as usize * LANES..][..LANES];
        let width = (LANES / groups).max(1);
        let (mut done, mut delay) = (0, 0);
        for group in 0..groups.min(LANES) {
            let end = if group + 1 == groups.min(LANES) { LANES } else { (group + 1) * width };
            for lane in group * width..end {
                let k = lanes[lane];
                if k >= lengths[lane] {
                    done += 1;
                    continue;
                }
                lanes[lane] = k + 1;
                let requests = loads.requests.of_step(first_step + k);
                let Ok(at) = requests.binary_search_by_key(&(lane as u8), |r| r.lane) else { continue };
                match self.issue_request(warp, &requests[at], free) {
                    Some(latency) => delay = latency.max(delay),
                    None => {
                        self.outcome.cancels += 1;
                        lanes[lane] = k;
                        together = None;
                        delay = 0;
                        break;
                    }
                }
            }
            self.apply_effects();
        }
        self.lane_progress[warp as usize] = match together {
            Some(k) => LaneProgress::Together(k + 1),
            None => LaneProgress::Apart(Box::new(lanes)),
        };
        (done < LANES).then_some(delay)
    }

    /// Issues one request. Returns its delay (0 for a hit), or `None` when lane 0 finds no free MSHR.
    #[inline]
    fn issue_request(&mut self, warp: u32, request: &LineRequest, free: bool) -> Option<u64> {
        let line = request.line;
        let distance = self.stacks.distance(self.sets[line as usize], line);
        let mut delay = 0;
        if distance.is_none_or(|d| d >= self.params.ways) {
            // The program draws a latency before it checks the MSHRs, so a cancelled issue consumes a random number.
            delay = self.draws.next_latency();
            if request.lane == 0 && !free {
                return None;
            }
            self.misses.push_event(self.tick + delay, line);
            if !std::mem::replace(&mut self.outstanding[line as usize], true) {
                self.outstanding_lines += 1;
            }
        } else {
            self.hits.push_event(self.tick + self.params.hit_latency, line);
        }
        self.issued += 1;
        self.count(warp, request, distance);
        Some(delay)
    }

    /// Counts a request. The program's report counts a distance equal to the ways as a hit, and so do the
    /// breakdowns.
    fn count(&mut self, warp: u32, request: &LineRequest, distance: Option<u32>) {
        let outcome = &mut self.outcome;
        let set = self.sets[request.line as usize];
        if !outcome.counts(request, (set, 0), distance) {
            return;
        }
        outcome.histogram.add(distance);
        let class = match distance {
            None => RequestClass::Compulsory,
            Some(d) if d > self.params.ways => RequestClass::Capacity,
            Some(_) => RequestClass::Hit,
        };
        let bucket = outcome.timeline.bucket_at(self.tick);
        bucket.requests += 1;
        bucket.misses += u64::from(class != RequestClass::Hit);
        outcome.count(request, set, warp, 0, class);
    }

    /// Applies the effects due now: the hits in order of issue, then the misses.
    #[inline]
    fn apply_effects(&mut self) {
        let (stacks, sets) = (&mut self.stacks, &self.sets);
        self.hits.take_events_at(self.tick, |line| stacks.touch(sets[line as usize], line));
        let (outstanding, count) = (&mut self.outstanding, &mut self.outstanding_lines);
        self.misses.take_events_at(self.tick, |line| {
            stacks.touch(sets[line as usize], line);
            if std::mem::replace(&mut outstanding[line as usize], false) {
                *count -= 1;
            }
        });
    }
}

impl Job for ReferenceModel {
    type Output = CacheOutcome;

    fn step(&mut self, budget: u64) -> Step<CacheOutcome> {
        let total = self.loads.requests.requests.len() as u64;
        let mut left = budget;
        while left > 0 {
            if self.working == 0 && !self.begin_batch() {
                self.outcome.ticks = self.tick;
                self.outcome.core_ticks = vec![self.tick];
                return Step::Done(std::mem::take(&mut self.outcome));
            }
            if self.working > 0 {
                self.one_tick();
            }
            left -= 1;
        }
        Step::More(Progress { done: self.issued, total })
    }
}
