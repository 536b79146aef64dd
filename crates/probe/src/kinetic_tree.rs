//! A kinetic segment tree. It holds values that grow at constant rates per tick and gives the largest one.
//!
//! In: the rates, and raises of all values from an index on. Out: the largest value at present. An operation takes
//! O(log² n) amortised time.
//!
//! The search for the largest Kolmogorov–Smirnov D over all splits moves by one value per step. Each step changes all
//! differences F − G at once, some by a constant rate and a tail of them by a raise. A plain array needs O(T) per step
//! and O(T²) in all. With this tree the search takes O(T log² T).

#[derive(Clone, Copy)]
struct Node {
    /// `value` is the largest value below this node at present, and `rate` is its rate. `raise` and `ticks` are still
    /// to be handed down. `left` is the number of ticks until another value becomes the largest.
    value: i64,
    rate: i64,
    raise: i64,
    ticks: i64,
    left: i64,
}

pub(super) struct KineticTree {
    nodes: Vec<Node>,
    leaves: usize,
}

/// Value of the leaves that pad the tree, so that they are never the largest. Real values start at 0.
const NEVER: i64 = i64::MIN / 4;

impl KineticTree {
    pub(super) fn new(rates: Vec<i64>) -> Self {
        let leaves = rates.len().max(1).next_power_of_two();
        let filler = Node { value: NEVER, rate: 0, raise: 0, ticks: 0, left: i64::MAX };
        let mut tree = Self { nodes: vec![filler; 2 * leaves], leaves };
        for (leaf, rate) in rates.into_iter().enumerate() {
            tree.nodes[leaves + leaf] = Node { value: 0, rate, raise: 0, ticks: 0, left: i64::MAX };
        }
        for node in (1..leaves).rev() {
            tree.pull(node);
        }
        tree
    }

    pub(super) fn largest(&self) -> i64 {
        self.nodes[1].value
    }

    /// Adds `raise` to all values from index `first` on.
    pub(super) fn add_from(&mut self, first: usize, raise: i64) {
        self.add(1, 0, self.leaves, first, raise);
    }

    fn add(&mut self, node: usize, from: usize, to: usize, first: usize, raise: i64) {
        if first >= to {
            return;
        }
        if first <= from {
            self.nodes[node].value += raise;
            self.nodes[node].raise += raise;
            return;
        }
        self.push(node);
        let middle = (from + to) / 2;
        self.add(2 * node, from, middle, first, raise);
        self.add(2 * node + 1, middle, to, first, raise);
        self.pull(node);
    }

    /// Advances by one tick, in which every value grows by its rate.
    pub(super) fn advance(&mut self) {
        self.tick(1, 1);
    }

    fn tick(&mut self, node: usize, ticks: i64) {
        let here = &mut self.nodes[node];
        if here.left > ticks || node >= self.leaves {
            here.value += here.rate * ticks;
            here.ticks += ticks;
            here.left = here.left.saturating_sub(ticks);
            return;
        }
        // Another value below overtakes, so the time is handed down and the largest value is chosen again.
        here.ticks += ticks;
        let (pending, raise) = (here.ticks, here.raise);
        (here.ticks, here.raise) = (0, 0);
        for child in [2 * node, 2 * node + 1] {
            self.tick(child, pending);
            self.nodes[child].value += raise;
            self.nodes[child].raise += raise;
        }
        self.pull(node);
    }

    fn push(&mut self, node: usize) {
        let (ticks, raise) = (self.nodes[node].ticks, self.nodes[node].raise);
        (self.nodes[node].ticks, self.nodes[node].raise) = (0, 0);
        for child in [2 * node, 2 * node + 1] {
            if ticks > 0 {
                self.tick(child, ticks);
            }
            self.nodes[child].value += raise;
            self.nodes[child].raise += raise;
        }
    }

    fn pull(&mut self, node: usize) {
        let (a, b) = (self.nodes[2 * node], self.nodes[2 * node + 1]);
        let a_leads = a.value > b.value || a.value == b.value && a.rate >= b.rate;
        let (leader, other) = if a_leads { (a, b) } else { (b, a) };
        let mut left = a.left.min(b.left);
        if other.rate > leader.rate && other.value > NEVER / 2 {
            // The first tick at which the other value is strictly larger.
            left = left.min((leader.value - other.value) / (other.rate - leader.rate) + 1);
        }
        let here = &mut self.nodes[node];
        (here.value, here.rate, here.left) = (leader.value, leader.rate, left);
    }
}
