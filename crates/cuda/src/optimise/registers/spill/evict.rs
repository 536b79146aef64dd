//! The values that leave their registers within a block.
//!
//! Instructions come in the order as written. Where a value finds no register, the one whose next use is furthest leaves its own
//! (Belady). It is stored once, and loaded before each use that finds it in memory. NVRTC 12.9 stores most such values of
//! the 15 by 15 convolution once and loads them once.

use super::{Added, Crowded, AHEAD};
use crate::optimise::registers::order::as_written;
use crate::optimise::registers::{Item, Values};
use crate::optimise::ssa::Val;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeSet;

/// Where a value is in memory.
#[derive(Clone, Copy)]
struct Kept {
    slot: u32,
    /// The item beside which it is stored.
    at: usize,
}

struct Registers<'a> {
    values: &'a Values,
    crowded: &'a Crowded<'a>,
    owner: &'a HashMap<u32, Val>,
    sequence: Vec<u32>,
    /// For each value, the places in the sequence of its reads to come, the last one first. What is alive at the end is read there.
    reads: HashMap<u32, Vec<usize>>,
    /// The item that makes each value.
    makers: HashMap<u32, usize>,
    /// The values in registers by their next reads, and the next read of each.
    held: BTreeSet<(usize, u32)>,
    next: HashMap<u32, usize>,
    free: i64,
    kept: HashMap<u32, Kept>,
    /// Slots that values of one and of two registers have left.
    left: [Vec<u32>; 2],
    slots: u32,
    added: Vec<Added>,
}

/// The accesses of a block, and the slots of memory that they take.
pub(super) fn within(values: &Values, crowded: &Crowded, owner: &HashMap<u32, Val>) -> (Vec<Added>, u32) {
    let mut registers = Registers::new(values, crowded, owner);
    for place in 0..registers.sequence.len() {
        registers.pass(place);
    }
    let end = registers.sequence.len();
    let mut away: Vec<u32> = registers.reads.keys().copied().filter(|v| !registers.next.contains_key(v)).collect();
    away.sort_unstable();
    away.into_iter().for_each(|value| registers.load(value, end));
    (registers.added, registers.slots)
}

impl<'a> Registers<'a> {
    fn new(values: &'a Values, crowded: &'a Crowded, owner: &'a HashMap<u32, Val>) -> Self {
        let sequence = as_written(values, crowded.items, crowded.borders);
        let mut reads: HashMap<u32, Vec<usize>> = HashMap::default();
        for &value in &crowded.borders.end {
            reads.entry(value).or_default().push(sequence.len());
        }
        for (place, &at) in sequence.iter().enumerate().rev() {
            for &read in &crowded.items[at as usize].reads {
                reads.entry(read).or_default().push(place);
            }
        }
        let made = |(at, item): (usize, &'a Item)| item.makes.iter().map(move |&made| (made, at));
        let mut registers = Self {
            values,
            crowded,
            owner,
            sequence,
            reads,
            makers: crowded.items.iter().enumerate().flat_map(made).collect(),
            held: BTreeSet::new(),
            next: HashMap::default(),
            free: crowded.room - crowded.borders.kept,
            kept: HashMap::default(),
            left: Default::default(),
            slots: 0,
            added: Vec::new(),
        };
        let start: HashSet<u32> = crowded.borders.start.iter().copied().collect();
        start.into_iter().for_each(|value| registers.hold(value));
        registers
    }

    /// Gives a value a register until its next read, if it has one.
    fn hold(&mut self, value: u32) {
        let Some(&next) = self.reads.get(&value).and_then(|reads| reads.last()) else { return };
        if self.next.insert(value, next).is_none() {
            self.held.insert((next, value));
            self.free -= self.values.registers(value);
        }
    }

    fn release(&mut self, value: u32) {
        if let Some(next) = self.next.remove(&value) {
            self.held.remove(&(next, value));
            self.free += self.values.registers(value);
        }
    }

    /// Passes an item: its operands come into registers, and those that were read last leave them for what it makes.
    fn pass(&mut self, place: usize) {
        let item = &self.crowded.items[self.sequence[place] as usize];
        for &read in &item.reads {
            if !self.next.contains_key(&read) {
                self.load(read, place);
                self.hold(read);
            }
        }
        self.make_room(place);
        for &read in &item.reads {
            self.release(read);
            let Some(reads) = self.reads.get_mut(&read) else { continue };
            reads.pop();
            if reads.is_empty() {
                self.reads.remove(&read);
                if let Some(kept) = self.kept.remove(&read) {
                    self.left[usize::from(self.values.registers(read) > 1)].push(kept.slot);
                }
            }
            self.hold(read);
        }
        item.makes.iter().for_each(|&made| self.hold(made));
        self.make_room(place);
    }

    /// Moves values out of registers until no more are held than there are.
    fn make_room(&mut self, place: usize) {
        while self.free < 0 {
            let Some(&(next, value)) = self.held.last().filter(|&&(next, _)| next > place) else { break };
            self.release(value);
            if !self.kept.contains_key(&value) {
                self.store(value, place, next);
            }
        }
    }

    /// The item at a place of the sequence, or the last one.
    fn item(&self, place: usize) -> usize {
        self.sequence[place.min(self.sequence.len() - 1)] as usize
    }

    /// Stores a value beside the item of a place. In the code that is behind what makes it, and before its next read.
    fn store(&mut self, value: u32, place: usize, next: usize) {
        // A base of addresses is made again.
        let Some(&own) = self.owner.get(&value) else { return };
        let width = self.values.registers(value) as u32;
        let slot = self.left[usize::from(width > 1)].pop().unwrap_or_else(|| {
            let slot = self.slots.next_multiple_of(width.max(1));
            self.slots = slot + width;
            slot
        });
        let maker = self.makers.get(&value).copied();
        let first = maker.unwrap_or(0);
        let mut at = self.item(place).min(self.item(next)).max(first);
        // The parts of a wide load follow it.
        if maker.is_some_and(|maker| self.crowded.items[maker].makes.len() > 1) {
            at = first;
        }
        let behind = maker == Some(at);
        let beside = if behind { own } else { self.crowded.items[at].origin };
        self.added.push(Added { beside, behind, value, store: true, slot });
        self.kept.insert(value, Kept { slot, at });
    }

    /// Loads a value ahead of the item of a place, if it is in memory. In the code that is not before its store.
    fn load(&mut self, value: u32, place: usize) {
        let Some(&Kept { slot, at }) = self.kept.get(&value) else { return };
        let at = self.item(place.saturating_sub(AHEAD)).max(at + 1).min(self.item(place).max(at));
        let beside = self.crowded.items[at].origin;
        self.added.push(Added { beside, behind: false, value, store: false, slot });
    }
}
