//! The order in which the compiler is assumed to put the instructions of a block, and the registers that it needs.
//!
//! An instruction follows its last operand at once if it ends at least as many registers as it begins. A load comes when
//! its value is needed. All else keeps its order. Then each load moves up by about its latency, as far as it may.
//!
//! Where that order needs more registers than a full core has for each thread, the compiler is assumed to look for a
//! [thrifty](thrift) one. Where it needs more than there are, each result of the block is computed to its end before the next
//! one begins. Four convolutions of docs/accuracy.md need that: NVIDIA's compiler leaves nothing in local memory there.

mod thrift;

use crate::optimise::registers::spill::REGISTERS_MAX;
use crate::optimise::registers::{Borders, Class, Item, Values, FREE, RESERVED};
use rustc_hash::FxHashMap as HashMap;
use thrift::Lone;

/// Registers for the values of a thread that uses all of its own.
const FULL: i64 = (REGISTERS_MAX - RESERVED) as i64;
/// Instructions by which a load of shared memory, and another one, is issued ahead of the first use of its value.
const AHEAD: [usize; 2] = [24, 200];

/// The most registers that are in use at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pressure {
    /// Where each load comes when its value is needed.
    pub least: i64,
    /// Where loads are moved up.
    pub hoisted: i64,
    /// Where only loads that are not of shared memory are moved up.
    pub early: i64,
}

/// The registers that a block needs at least: of the order as written, or of one that needs fewer.
pub(super) fn pressure(values: &Values, items: &[Item], borders: &Borders) -> Pressure {
    let mut order = Order::new(values, items, borders, false).run(borders);
    let mut least = most_alive(values, items, borders, &order, [0, 0]);
    if least > i64::from(FREE - RESERVED) {
        let thrifty = thrift::order(values, items, borders);
        let fewer = most_alive(values, items, borders, &thrifty, [0, 0]);
        if fewer < least {
            (order, least) = (thrifty, fewer);
        }
    }
    if least > FULL {
        let by_result = Order::new(values, items, borders, true).run(borders);
        let fitting = most_alive(values, items, borders, &by_result, [0, 0]).max(FULL);
        if fitting < least {
            return Pressure { least: fitting, hoisted: fitting, early: fitting };
        }
    }
    let alive = |ahead: [usize; 2]| most_alive(values, items, borders, &order, ahead);
    Pressure { least, hoisted: alive(AHEAD), early: alive([0, AHEAD[1]]) }
}

struct Order<'a> {
    values: &'a Values,
    items: &'a [Item],
    /// For each value, the items that read it.
    users: HashMap<u32, Vec<u32>>,
    makers: HashMap<u32, u32>,
    /// For each value, the reads that are still to come. What is alive at the end has one more.
    left: HashMap<u32, u32>,
    /// For each item, the operands that are not there.
    waits: Vec<u32>,
    done: Vec<bool>,
    sequence: Vec<u32>,
    /// Items that may follow at once.
    next: Vec<u32>,
    by_result: bool,
    /// Loads whose users wait for nothing else, for a thrifty order.
    lone: Lone,
}

impl<'a> Order<'a> {
    fn new(values: &'a Values, items: &'a [Item], borders: &Borders, by_result: bool) -> Self {
        let mut makers = HashMap::default();
        let mut users: HashMap<u32, Vec<u32>> = HashMap::default();
        let mut left: HashMap<u32, u32> = borders.end.iter().map(|&number| (number, 1)).collect();
        let mut waits = vec![0; items.len()];
        for (item, at) in items.iter().zip(0..) {
            for &read in &item.reads {
                users.entry(read).or_default().push(at);
                *left.entry(read).or_insert(0) += 1;
                waits[at as usize] += u32::from(makers.contains_key(&read));
            }
            makers.extend(item.makes.iter().map(|&number| (number, at)));
        }
        let (done, sequence) = (vec![false; items.len()], Vec::with_capacity(items.len()));
        Self {
            values,
            items,
            users,
            makers,
            left,
            waits,
            done,
            sequence,
            next: Vec::new(),
            by_result,
            lone: Lone::default(),
        }
    }

    /// Places all items, in the order as written or by result.
    fn run(mut self, borders: &Borders) -> Vec<u32> {
        let mut lazy: Vec<u32> = Vec::new();
        for (item, at) in self.items.iter().zip(0..) {
            match item.class {
                Class::Load { .. } => {
                    lazy.push(at);
                    continue;
                }
                Class::Effect { store } => {
                    let stays = |load: &u32| match (self.items[*load as usize].class, store) {
                        (Class::Load { shared }, Some(stored)) => shared != stored,
                        _ => false,
                    };
                    let (kept, forced) = lazy.into_iter().partition(stays);
                    lazy = kept;
                    let forced: Vec<u32> = forced;
                    forced.into_iter().for_each(|load| self.demand(load));
                }
                Class::Plain if self.by_result => continue,
                Class::Plain => {}
            }
            self.demand(at);
        }
        if self.by_result {
            let results =
                self.items.iter().zip(0..).filter(|(item, _)| item.makes.iter().any(|m| borders.end.contains(m)));
            results.for_each(|(_, at)| self.demand(at));
            (0..self.items.len() as u32).for_each(|at| self.demand(at));
        }
        lazy.into_iter().for_each(|load| self.demand(load));
        self.sequence
    }

    /// Places an item behind its operands.
    fn demand(&mut self, at: u32) {
        let mut stack = vec![at];
        while let Some(&top) = stack.last() {
            if self.done[top as usize] {
                stack.pop();
                continue;
            }
            let missing = |read: &u32| self.makers.get(read).copied().filter(|&m| m < top && !self.done[m as usize]);
            // By result, a load is the last of the operands to come.
            let late = |maker: &u32| self.by_result && matches!(self.items[*maker as usize].class, Class::Load { .. });
            match self.items[top as usize].reads.iter().filter_map(missing).min_by_key(late) {
                Some(maker) => stack.push(maker),
                None => {
                    stack.pop();
                    self.place(top);
                    self.follow();
                }
            }
        }
    }

    fn place(&mut self, at: u32) {
        let items = self.items;
        let item = &items[at as usize];
        self.done[at as usize] = true;
        self.sequence.push(at);
        for read in &item.reads {
            let Some(left) = self.left.get_mut(read) else { continue };
            *left = left.saturating_sub(1);
            if *left == 1 {
                let last = self.users.get(read).and_then(|users| users.iter().find(|&&u| !self.done[u as usize]));
                self.next.extend(last);
            }
        }
        for made in &item.makes {
            for &user in self.users.get(made).into_iter().flatten().filter(|&&user| user > at) {
                self.waits[user as usize] = self.waits[user as usize].saturating_sub(1);
                self.next.push(user);
                self.lone.after(self.items, &self.makers, &self.done, (user, self.waits[user as usize]));
            }
        }
    }

    /// Places the items that end at least as many registers as they begin.
    fn follow(&mut self) {
        while let Some(at) = self.next.pop() {
            let item = &self.items[at as usize];
            let away = !self.lone.takes(at);
            if away || self.done[at as usize] || self.waits[at as usize] > 0 || item.class != Class::Plain {
                continue;
            }
            let begun: i64 = item.makes.iter().map(|&made| self.values.registers(made)).sum();
            let last = |read: &&u32| self.left.get(read) == Some(&1);
            let ended: i64 = item.reads.iter().filter(last).map(|&read| self.values.registers(read)).sum();
            if ended >= begun {
                self.place(at);
            }
        }
    }
}

/// The most registers that are in use at once, if loads are issued ahead of the first use of their values.
fn most_alive(values: &Values, items: &[Item], borders: &Borders, sequence: &[u32], ahead: [usize; 2]) -> i64 {
    let mut place = vec![0; items.len()];
    sequence.iter().enumerate().for_each(|(position, &at)| place[at as usize] = position);
    let recorded: HashMap<u32, usize> = items.iter().zip(&place).filter_map(|(i, &p)| Some((i.recorded?, p))).collect();
    let mut begins: HashMap<u32, usize> = borders.start.iter().map(|&number| (number, 0)).collect();
    let mut ends: HashMap<u32, usize> = HashMap::default();
    for (item, &position) in sequence.iter().map(|&at| (&items[at as usize], &place[at as usize])) {
        let mut begin = position;
        if let Class::Load { shared } = item.class {
            let operands = item.reads.iter().filter_map(|read| begins.get(read).map(|&begin| begin + 1)).max();
            let wall = item.behind.and_then(|behind| recorded.get(&behind)).map(|&position| position + 1);
            let earliest = operands.unwrap_or(0).max(wall.unwrap_or(0));
            begin = position.saturating_sub(ahead[usize::from(!shared)]).max(earliest.min(position));
        }
        for &read in &item.reads {
            begins.entry(read).or_insert(position);
            ends.insert(read, position);
        }
        begins.extend(item.makes.iter().map(|&made| (made, begin)));
    }
    let mut change = vec![0i64; sequence.len() + 2];
    for (&number, &begin) in &begins {
        let end = if borders.end.contains(&number) {
            sequence.len() + 1
        } else {
            ends.get(&number).copied().unwrap_or(begin)
        };
        change[begin] += values.registers(number);
        change[end.max(begin)] -= values.registers(number);
    }
    let mut alive = borders.kept;
    change.into_iter().fold(alive, |most, change| {
        alive += change;
        most.max(alive)
    })
}
