//! Forwards known values to loads, hoists repeated loads out of loops, and sinks stores behind loops that do not read them.
//!
//! The rules follow what the compiler was seen to do. A store forwards its value to later loads of the same address. A store that may
//! touch an address invalidates its known value, whatever the types. An address with another constant offset from the same base stays
//! known. A barrier invalidates everything that is not restrict or read-only. If one edge into a block lacks a value that the others
//! have and the block loads it, the load moves to that edge.

use crate::optimise::address::{AccessLocation, Sums};
use crate::optimise::cfg::{Graph, Loop};
use crate::optimise::fold::{outside, preheader};
use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{BlockId, Ins, Mem, Op, Terminator, NONE, SILENT};
use bytecode::sorted::{SortedMap, SortedSet};
use rustc_hash::FxHashMap as HashMap;

/// Most distinct addresses of a kernel. An unrolled convolution of 15 × 15 has up to 3,100.
const KEYS_MAX: usize = 4000;
/// Largest product of addresses, blocks and loops.
const WORK_MAX: usize = 1 << 20;

type Key = usize;
/// The known contents of memory at a point of the code.
type KnownContents = SortedMap<Key, Val>;

/// The effect of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MemoryEffect {
    Load(Key),
    Store(Key),
    /// An atomic, or a volatile store.
    Change(Key),
    /// A fence.
    Forget,
}

struct MemoryPass<'a> {
    ssa: &'a mut Ssa,
    graph: Graph,
    places: Vec<AccessLocation>,
    mems: Vec<Mem>,
    /// A load or store of each key, to be copied when a load moves.
    samples: Vec<Ins>,
    touches: HashMap<Val, MemoryEffect>,
    /// For each key that is stored or changed, the keys that this invalidates, in ascending order.
    meets: Vec<Vec<Key>>,
    out: Vec<Option<KnownContents>>,
    /// Phis of loop headers that lack the values of the back edges: phi, key, loop.
    open: Vec<(Val, Key, BlockId)>,
}

/// Applies the rules to the whole kernel. Returns whether something changed.
pub(crate) fn forward(ssa: &mut Ssa) -> bool {
    let graph = ssa.graph();
    if !graph.reducible {
        return false;
    }
    let mut memory = MemoryPass {
        graph,
        places: Vec::new(),
        mems: Vec::new(),
        samples: Vec::new(),
        touches: HashMap::default(),
        meets: Vec::new(),
        out: vec![None; ssa.bodies.len()],
        open: Vec::new(),
        ssa,
    };
    memory.collect();
    if memory.places.is_empty()
        || memory.places.len() > KEYS_MAX
        || memory.places.len() * memory.ssa.bodies.len() * (1 + memory.graph.loops.len()) > WORK_MAX
    {
        return false;
    }
    memory.run()
}

impl MemoryPass<'_> {
    fn collect(&mut self) {
        let mut sums = Sums::new(self.ssa);
        let mut keys: HashMap<(crate::optimise::address::Sum, Mem), Key> = HashMap::default();
        for &block in &self.graph.order.clone() {
            for value in self.ssa.bodies[block as usize].code.clone() {
                let Some(ins) = self.ssa.ins(value).cloned() else { continue };
                let mem = match ins.op {
                    Op::Load(mem) | Op::Store(mem) => mem,
                    Op::Atomic(_, num) => {
                        if num.wide() {
                            Mem::B64
                        } else {
                            Mem::B32
                        }
                    }
                    Op::Nothing => {
                        self.touches.insert(value, MemoryEffect::Forget);
                        continue;
                    }
                    _ => continue,
                };
                let place = AccessLocation::new(self.ssa, &mut sums, &ins, mem.bytes());
                let next = self.places.len();
                let key = *keys.entry((place.sum.clone(), mem)).or_insert(next);
                if key == next {
                    self.places.push(place);
                    self.mems.push(mem);
                    self.samples.push(ins.clone());
                }
                let volatile = ins.promise.volatile;
                let touch = match ins.op {
                    Op::Load(_) if volatile => continue,
                    Op::Load(_) => MemoryEffect::Load(key),
                    Op::Store(_) if !volatile => MemoryEffect::Store(key),
                    _ => MemoryEffect::Change(key),
                };
                self.touches.insert(value, touch);
            }
        }
        let count = self.places.len();
        self.meets = vec![Vec::new(); count];
        let mut known = vec![false; count];
        for touch in self.touches.values().filter(|_| count <= KEYS_MAX) {
            let (MemoryEffect::Store(a) | MemoryEffect::Change(a)) = *touch else { continue };
            if !std::mem::replace(&mut known[a], true) {
                self.meets[a] = (0..count).filter(|&b| b != a && self.places[a].may_meet(&self.places[b])).collect();
            }
        }
    }

    fn kill(&self, state: &mut KnownContents, key: Key) {
        let meets = &self.meets[key];
        state.retain(|other, _| meets.binary_search(other).is_err());
    }

    /// Whether a load gives exactly the stored value. Values of less than 32 bits are truncated first.
    fn whole(&self, key: Key) -> bool {
        matches!(self.mems[key], Mem::B32 | Mem::B64)
    }

    fn run(&mut self) -> bool {
        let mut changed = false;
        for block in self.graph.order.clone() {
            let mut state = self.entry(block);
            changed |= self.walk(block, &mut state);
            self.out[block as usize] = Some(state);
        }
        for (phi, key, header) in std::mem::take(&mut self.open) {
            self.complete(phi, key, header);
        }
        changed | self.sink()
    }

    /// Walks through a block and replaces loads whose value is known.
    fn walk(&mut self, block: BlockId, state: &mut KnownContents) -> bool {
        let mut changed = false;
        let code = std::mem::take(&mut self.ssa.bodies[block as usize].code);
        let mut kept = Vec::with_capacity(code.len());
        for value in code {
            match self.touches.get(&value).copied() {
                Some(MemoryEffect::Load(key)) => match state.get(&key) {
                    Some(&known) => {
                        self.ssa.replace(value, known);
                        changed = true;
                        continue;
                    }
                    None => {
                        state.insert(key, value);
                    }
                },
                Some(MemoryEffect::Store(key)) => {
                    self.kill(state, key);
                    state.remove(&key);
                    if self.whole(key) {
                        let stored = self.ssa.ins(value).map_or(NONE, |ins| ins.args[1]);
                        state.insert(key, self.ssa.find(stored));
                    }
                }
                Some(MemoryEffect::Change(key)) => {
                    self.kill(state, key);
                    state.remove(&key);
                }
                Some(MemoryEffect::Forget) => self.forget(state),
                None => {}
            }
            kept.push(value);
        }
        self.ssa.bodies[block as usize].code = kept;
        if matches!(self.ssa.end(block), Terminator::Barrier { .. }) {
            self.forget(state);
        }
        changed
    }

    fn forget(&self, state: &mut KnownContents) {
        state.retain(|&key, _| !self.places[key].yields_to_barrier());
    }

    /// The known contents at the start of a block.
    fn entry(&mut self, block: BlockId) -> KnownContents {
        if let Some(at) = self.graph.loops.iter().position(|l| l.header == block) {
            let found = self.graph.loops[at].clone();
            return self.entry_of_loop(&found);
        }
        let before = self.ssa.before[block as usize].clone();
        let states: Vec<Option<KnownContents>> = before.iter().map(|&b| self.out[b as usize].clone()).collect();
        if states.is_empty() || states.iter().any(Option::is_none) {
            return KnownContents::default();
        }
        let states: Vec<KnownContents> = states.into_iter().flatten().collect();
        let mut keys = SortedSet::default();
        for &key in states.iter().flat_map(KnownContents::keys) {
            keys.insert(key);
        }
        let mut state = KnownContents::default();
        for &key in keys.iter() {
            let mut values: Vec<Option<Val>> = states.iter().map(|s| s.get(&key).map(|&v| self.ssa.find(v))).collect();
            let missing: Vec<usize> = (0..values.len()).filter(|&i| values[i].is_none()).collect();
            match missing[..] {
                [] => {}
                [one] if self.load_can_move(block, before[one], key) => {
                    values[one] = Some(self.add_load(before[one], key));
                    if let Some(value) = values[one] {
                        self.out[before[one] as usize].get_or_insert_with(KnownContents::default).insert(key, value);
                    }
                }
                _ => continue,
            }
            let values: Vec<Val> = values.into_iter().flatten().collect();
            let value = match values.iter().all(|&v| v == values[0]) {
                true => values[0],
                false => self.phi(block, values),
            };
            state.insert(key, value);
        }
        state
    }

    fn phi(&mut self, block: BlockId, values: Vec<Val>) -> Val {
        let wide = values.iter().find(|&&v| v != NONE).is_some_and(|&v| self.ssa.nodes[v as usize].wide);
        let phi = self.ssa.add(Def::Phi(values), wide, block);
        self.ssa.bodies[block as usize].phis.push(phi);
        phi
    }

    /// Whether a load can move to `from`: `block` loads the key before anything changes it, and `from` leads only there
    /// and knows the address.
    fn load_can_move(&self, block: BlockId, from: BlockId, key: Key) -> bool {
        if self.graph.next[from as usize].len() != 1 || !self.address_known(from, key) {
            return false;
        }
        self.loads_first(block, key)
    }

    /// Whether the first access to the key in the block is a load.
    fn loads_first(&self, block: BlockId, key: Key) -> bool {
        for value in &self.ssa.bodies[block as usize].code {
            match self.touches.get(value) {
                Some(&MemoryEffect::Load(k)) if k == key => return true,
                Some(&(MemoryEffect::Store(k) | MemoryEffect::Change(k)))
                    if k == key || self.meets[k].contains(&key) =>
                {
                    return false
                }
                Some(MemoryEffect::Forget) if self.places[key].yields_to_barrier() => return false,
                _ => {}
            }
        }
        false
    }

    fn address_known(&self, at: BlockId, key: Key) -> bool {
        let address = self.ssa.find(self.samples[key].args[0]);
        self.ssa.is_given(address) || self.graph.dominates(self.ssa.nodes[address as usize].block, at)
    }

    /// Adds a load of the key at the end of a block.
    fn add_load(&mut self, block: BlockId, key: Key) -> Val {
        let sample = &self.samples[key];
        let wide = self.mems[key] == Mem::B64;
        let mut ins = Ins::new(
            Op::Load(self.mems[key]),
            if wide { bytecode::code::WIDE } else { 0 },
            &[sample.args[0]],
            sample.line,
        );
        (ins.imm, ins.promise) = (sample.imm, sample.promise);
        ins.record = if sample.record == SILENT { SILENT } else { self.mems[key].bytes() };
        let value = self.ssa.add(Def::Ins(ins), wide, block);
        self.ssa.bodies[block as usize].code.push(value);
        self.touches.insert(value, MemoryEffect::Load(key));
        value
    }

    /// The known contents at the start of each round of a loop.
    fn entry_of_loop(&mut self, found: &Loop) -> KnownContents {
        let before = self.ssa.before[found.header as usize].clone();
        let Some(ahead) = preheader(&self.graph, found) else { return KnownContents::default() };
        let outer = self.out[ahead as usize].clone().unwrap_or_default();
        let used = self.keys_in(found);
        let mut keys = SortedSet::default();
        for &key in outer.keys().chain(used.keys()) {
            keys.insert(key);
        }
        let mut state = KnownContents::default();
        for &key in keys.iter() {
            let uses = used.get(&key).copied().unwrap_or_default();
            let known = outer.get(&key).copied();
            let may_load = uses.sure_load && self.address_known(ahead, key);
            if known.is_none() && !may_load || !self.fixed_address(found, key) {
                continue;
            }
            // A load ahead is made only for a load that it replaces in each round.
            let Some(replaces) = self.survives(found, key) else { continue };
            if known.is_none() && !replaces {
                continue;
            }
            let value = known.unwrap_or_else(|| {
                let value = self.add_load(ahead, key);
                self.out[ahead as usize].get_or_insert_with(KnownContents::default).insert(key, value);
                value
            });
            if !uses.changed {
                state.insert(key, value);
                continue;
            }
            if !uses.loaded && !uses.stored {
                continue;
            }
            let values = before.iter().map(|&b| if b == ahead { self.ssa.find(value) } else { NONE }).collect();
            let phi = self.phi(found.header, values);
            self.ssa.nodes[phi as usize].wide = self.mems[key] == Mem::B64;
            self.open.push((phi, key, found.header));
            state.insert(key, phi);
        }
        state
    }

    fn fixed_address(&self, found: &Loop, key: Key) -> bool {
        self.places[key].sum.terms.keys().flatten().all(|&v| outside(self.ssa, found, v))
    }

    /// How a loop uses each key.
    fn keys_in(&self, found: &Loop) -> SortedMap<Key, KeyUses> {
        let mut used: SortedMap<Key, KeyUses> = SortedMap::default();
        let mut changed: Vec<Key> = Vec::new();
        let mut forgets = false;
        let ends = self.ends_of_round(found);
        for &block in &found.blocks {
            let sure = ends.iter().all(|&l| self.graph.dominates(block, l));
            for value in &self.ssa.bodies[block as usize].code {
                match self.touches.get(value) {
                    Some(&MemoryEffect::Load(key)) => {
                        let uses = used.get_or_insert_with(key, KeyUses::default);
                        uses.loaded = true;
                        uses.sure_load |= sure;
                    }
                    Some(&MemoryEffect::Store(key)) => {
                        used.get_or_insert_with(key, KeyUses::default).stored = true;
                        used.get_or_insert_with(key, KeyUses::default).sure_store |= sure;
                        changed.push(key);
                    }
                    Some(&MemoryEffect::Change(key)) => changed.push(key),
                    Some(MemoryEffect::Forget) => forgets = true,
                    None => {}
                }
            }
            forgets |= matches!(self.ssa.end(block), Terminator::Barrier { .. });
        }
        let mut hit: Vec<bool> = self.places.iter().map(|place| forgets && place.yields_to_barrier()).collect();
        for &key in changed.iter().flat_map(|c| self.meets[*c].iter().chain([c])) {
            hit[key] = true;
        }
        for (key, _) in hit.iter().enumerate().filter(|(_, &hit)| hit) {
            used.get_or_insert_with(key, KeyUses::default).changed = true;
        }
        used
    }

    /// The blocks in which a round can end. An access is certain only if a round that leaves early makes it as well.
    fn ends_of_round(&self, found: &Loop) -> Vec<BlockId> {
        let leaves = |b: &&BlockId| self.graph.next[**b as usize].iter().any(|&to| !found.has(to));
        found.latches.iter().chain(found.blocks.iter().filter(leaves)).copied().collect()
    }

    /// `None` if a key that is known at the start of a round is not known at its end. Else whether each round makes a load that finds it
    /// known.
    fn survives(&self, found: &Loop, key: Key) -> Option<bool> {
        let mut out: HashMap<BlockId, bool> = found.blocks.iter().map(|&b| (b, true)).collect();
        let unknown = |block: BlockId, out: &HashMap<BlockId, bool>| -> Vec<BlockId> {
            let known = |b: &BlockId| block == found.header || out.get(b).copied().unwrap_or(false);
            self.ssa.before[block as usize].iter().copied().filter(|b| !known(b)).collect()
        };
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in self.graph.order.iter().filter(|&&b| found.has(b)) {
                let known = match unknown(block, &out)[..] {
                    [] => true,
                    [one] => self.load_can_move(block, one, key),
                    _ => false,
                };
                let now = self.known_after(block, key, known);
                if out.insert(block, now) != Some(now) {
                    changed = true;
                }
            }
        }
        if !found.latches.iter().all(|l| out.get(l).copied().unwrap_or(false)) {
            return None;
        }
        let ends = self.ends_of_round(found);
        let sure = |block: BlockId| ends.iter().all(|&end| self.graph.dominates(block, end));
        let finds = |&block: &BlockId| self.loads_first(block, key) && unknown(block, &out).is_empty() && sure(block);
        Some(found.blocks.iter().any(finds))
    }

    fn known_after(&self, block: BlockId, key: Key, mut known: bool) -> bool {
        for value in &self.ssa.bodies[block as usize].code {
            match self.touches.get(value) {
                Some(&MemoryEffect::Load(k)) if k == key => known = true,
                Some(&MemoryEffect::Store(k)) if k == key => known = self.whole(key),
                Some(&(MemoryEffect::Store(k) | MemoryEffect::Change(k)))
                    if k == key || self.meets[k].contains(&key) =>
                {
                    known = false
                }
                Some(MemoryEffect::Forget) if self.places[key].yields_to_barrier() => known = false,
                _ => {}
            }
        }
        known && !(matches!(self.ssa.end(block), Terminator::Barrier { .. }) && self.places[key].yields_to_barrier())
    }

    /// Completes a loop's phi with the values at the ends of the rounds.
    fn complete(&mut self, phi: Val, key: Key, header: BlockId) {
        let before = self.ssa.before[header as usize].clone();
        let Def::Phi(mut values) = self.ssa.nodes[phi as usize].def.clone() else { return };
        for (value, &from) in values.iter_mut().zip(&before) {
            if *value == NONE {
                let known = self.out[from as usize].as_ref().and_then(|s| s.get(&key).copied());
                *value = known.unwrap_or_else(|| self.add_load(from, key));
            }
        }
        self.ssa.nodes[phi as usize].def = Def::Phi(values);
    }

    /// Moves stores behind their loop if nothing in the loop observes them.
    fn sink(&mut self) -> bool {
        let mut changed = false;
        for found in self.graph.loops.clone() {
            let Some((from, exit)) = self.only_exit(&found) else { continue };
            for (&key, uses) in self.keys_in(&found).iter() {
                let alone = uses.sure_store && self.fixed_address(&found, key) && self.alone(&found, key);
                let known = self.out[from as usize].as_ref().and_then(|s| s.get(&key).copied());
                let (true, Some(value)) = (alone, known) else { continue };
                let Some(store) = self.take_stores(&found, key) else { continue };
                let Some(mut ins) = self.ssa.ins(store).cloned() else { continue };
                ins.args[1] = value;
                let moved = self.ssa.add(Def::Ins(ins), false, exit);
                self.ssa.bodies[exit as usize].code.insert(0, moved);
                self.touches.insert(moved, MemoryEffect::Store(key));
                changed = true;
            }
        }
        changed
    }

    /// The only exit of a loop, if its target has no other predecessor.
    fn only_exit(&self, found: &Loop) -> Option<(BlockId, BlockId)> {
        let ways = found.blocks.iter().flat_map(|&b| self.graph.next[b as usize].iter().map(move |&to| (b, to)));
        let mut out = ways.filter(|&(_, to)| !found.has(to));
        let first = out.next()?;
        (out.next().is_none() && self.ssa.before[first.1 as usize].len() == 1).then_some(first)
    }

    /// Whether no other access of the loop may touch the key and nothing makes it visible.
    fn alone(&self, found: &Loop, key: Key) -> bool {
        found.blocks.iter().all(|&block| {
            let barrier = matches!(self.ssa.end(block), Terminator::Barrier { .. });
            let touches = self.ssa.bodies[block as usize].code.iter().filter_map(|v| self.touches.get(v));
            let clear = |touch: &MemoryEffect| match *touch {
                MemoryEffect::Store(k) => !self.meets[key].contains(&k),
                // A load of the key itself is left only where it needs the store before it.
                MemoryEffect::Load(k) | MemoryEffect::Change(k) => k != key && !self.meets[key].contains(&k),
                MemoryEffect::Forget => false,
            };
            !(barrier && self.places[key].yields_to_barrier()) && touches.into_iter().all(clear)
        })
    }

    /// Removes the stores to a key from a loop. Returns one of them.
    fn take_stores(&mut self, found: &Loop, key: Key) -> Option<Val> {
        let mut taken = None;
        for &block in &found.blocks {
            let touches = &self.touches;
            self.ssa.bodies[block as usize].code.retain(|value| {
                let stores = touches.get(value) == Some(&MemoryEffect::Store(key));
                if stores {
                    taken = Some(*value);
                }
                !stores
            });
        }
        taken
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct KeyUses {
    loaded: bool,
    stored: bool,
    /// Whether each round loads it.
    sure_load: bool,
    sure_store: bool,
    /// Whether a store, an atomic, a fence or a barrier changes it.
    changed: bool,
}
