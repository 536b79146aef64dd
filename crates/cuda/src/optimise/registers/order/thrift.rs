//! An order that needs few registers: a load comes when all that read its value wait for nothing else.
//!
//! NVRTC 12.9 gives the 15 by 15 convolution of docs/accuracy.md 32 registers for up to twelve outputs of a thread, and merges
//! all equal loads: it must compute each output a little further with each value that it loads. It does so in blocks of up to
//! 4,080 instructions. With 4,185 and 4,200 it takes 78 registers, and with 4,560 it takes 254. That is as if it ordered
//! the instructions as written in windows of 4,096.

use super::Order;
use crate::optimise::registers::{Borders, Class, Item, Values};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

/// Instructions of a block that are ordered together.
const WINDOW: usize = 4096;

/// Loads whose users wait for nothing else, among the items of a part of a block.
#[derive(Default)]
pub(super) struct Lone {
    /// For each load, the users that wait for more than it. Empty in other orders.
    blocked: Vec<u32>,
    /// The loads with no such users.
    free: BTreeSet<u32>,
    /// The end of the part.
    end: u32,
}

impl Lone {
    /// Whether an item is of the part.
    pub(super) fn takes(&self, at: u32) -> bool {
        self.blocked.is_empty() || at < self.end
    }

    /// Notes that an item now waits for so many operands.
    pub(super) fn after(
        &mut self,
        items: &[Item],
        makers: &HashMap<u32, u32>,
        done: &[bool],
        (user, waits): (u32, u32),
    ) {
        if self.blocked.is_empty() {
            return;
        }
        let is_load = |at: u32| matches!(items[at as usize].class, Class::Load { .. });
        if waits == 1 {
            let mut missing = items[user as usize].reads.iter().filter_map(|read| makers.get(read).copied());
            if let Some(load) = missing.find(|&maker| !done[maker as usize]).filter(|&maker| is_load(maker)) {
                let blocked = &mut self.blocked[load as usize];
                *blocked = blocked.saturating_sub(1);
                if *blocked == 0 {
                    self.free.insert(load);
                }
            }
        } else if waits == 0 && is_load(user) && self.blocked[user as usize] == 0 {
            self.free.insert(user);
        }
    }
}

/// Orders the items of each window, between the effects that nothing passes.
pub(super) fn order(values: &Values, items: &[Item], borders: &Borders) -> Vec<u32> {
    let mut order = Order::new(values, items, borders, false);
    let mut blocked = vec![0; items.len()];
    for (at, item) in items.iter().enumerate() {
        let users = item.makes.iter().filter_map(|made| order.users.get(made)).flatten();
        blocked[at] = users.filter(|&&user| user > at as u32 && order.waits[user as usize] > 1).count() as u32;
    }
    let is_free = |at: &u32| {
        let load = matches!(items[*at as usize].class, Class::Load { .. });
        load && blocked[*at as usize] == 0 && order.waits[*at as usize] == 0
    };
    let free = (0..items.len() as u32).filter(is_free).collect();
    order.lone = Lone { blocked, free, end: 0 };
    let is_effect = |item: &Item| matches!(item.class, Class::Effect { .. });
    for window in items.chunks(WINDOW) {
        for part in window.split_inclusive(is_effect) {
            let first = order.lone.end;
            order.lone.end += part.len() as u32;
            for (item, at) in part.iter().zip(first..) {
                if !is_effect(item) {
                    order.drain();
                }
                if !order.done[at as usize] {
                    order.place(at);
                }
            }
        }
    }
    order.sequence
}

impl Order<'_> {
    /// Places what costs no register, and loads whose users follow at once.
    fn drain(&mut self) {
        self.follow();
        while let Some(&load) = self.lone.free.first().filter(|&&load| load < self.lone.end) {
            self.lone.free.remove(&load);
            // A load that still waits for its address is offered again when that is there.
            if !self.done[load as usize] && self.waits[load as usize] == 0 {
                self.place(load);
                self.follow();
            }
        }
    }
}
