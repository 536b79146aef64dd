//! Single assignment form: each value is written once, and phis choose a value by the edge that was taken.

use crate::optimise::cfg::{successors, Graph};
use bytecode::code::{Block, BlockId, Ins, Program, Reg, Terminator, NONE, WIDE};
use rustc_hash::FxHashMap as HashMap;

/// Number of a value.
pub(crate) type Val = u32;

/// The origin of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Def {
    /// A register that is filled before the warp starts.
    Leaf(Reg),
    Const(u64),
    /// Never written.
    Undef,
    /// One value per predecessor, in the order of the predecessors.
    Phi(Vec<Val>),
    /// An instruction. Its operands are values. Its `dst` is [`NONE`] if it has no result.
    Ins(Ins),
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub def: Def,
    pub wide: bool,
    pub block: BlockId,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub phis: Vec<Val>,
    pub code: Vec<Val>,
}

/// A kernel in single assignment form. Terminators name values where those of a program name registers.
#[derive(Clone, Debug)]
pub(crate) struct Ssa {
    /// The program. Its blocks contain terminators only.
    pub program: Program,
    pub nodes: Vec<Node>,
    pub bodies: Vec<Body>,
    /// The predecessors of each block, in the order of the phis' values.
    pub before: Vec<Vec<BlockId>>,
    /// For each value, the value that replaces it.
    same: Vec<Val>,
    leaves: HashMap<Reg, Val>,
    constants: HashMap<(bool, u64), Val>,
    /// For each phi, the register that it stands for in the original program.
    pub phi_registers: HashMap<Val, Reg>,
}

/// Most bits of the liveness sets, which is 16 MB.
const LIVENESS_MAX: usize = 1 << 27;

/// A set of registers per block.
pub(crate) struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    pub fn new(sets: usize, items: usize) -> Self {
        let words = items.div_ceil(64);
        Self { words, bits: vec![0; sets * words] }
    }

    pub fn set(&mut self, set: usize, item: usize) {
        self.bits[set * self.words + item / 64] |= 1 << (item % 64);
    }

    pub fn has(&self, set: usize, item: usize) -> bool {
        self.bits[set * self.words + item / 64] >> (item % 64) & 1 == 1
    }

    /// Adds to the set of each block what the blocks behind it have and it does not write.
    pub fn flow_back(&mut self, graph: &Graph, written: &Sets) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in graph.order.iter().rev() {
                let b = block as usize;
                for &to in &graph.next[b] {
                    for w in 0..self.words {
                        let more = self.bits[to as usize * self.words + w] & !written.bits[b * self.words + w];
                        let slot = &mut self.bits[b * self.words + w];
                        changed |= more & !*slot != 0;
                        *slot |= more;
                    }
                }
            }
        }
    }

    fn row(&self, set: usize) -> &[u64] {
        &self.bits[set * self.words..(set + 1) * self.words]
    }

    pub fn items(&self, set: usize) -> impl Iterator<Item = usize> + '_ {
        self.row(set).iter().enumerate().flat_map(|(w, &word)| ones(word).map(move |bit| 64 * w + bit))
    }
}

/// Positions of the bits that are 1.
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// The register that a terminator reads.
pub(crate) fn read_by(end: &Terminator) -> Option<Reg> {
    match *end {
        Terminator::Branch { on, .. } | Terminator::Barrier { on, .. } if on != NONE => Some(on),
        _ => None,
    }
}

fn registers(ins: &Ins) -> impl Iterator<Item = Reg> + '_ {
    ins.args.iter().copied().filter(|&r| r != NONE)
}

impl Ssa {
    /// Builds the form of a program. `None` if it is too large.
    pub fn new(mut program: Program) -> Option<Self> {
        let graph = Graph::new(program.blocks.iter().map(|b| &b.end));
        let count = (program.narrow + program.wide) as usize;
        if program.blocks.len().checked_mul(count)? > LIVENESS_MAX {
            return None;
        }
        let live = liveness(&program, &graph);
        let blocks: Vec<Vec<Ins>> = program.blocks.iter_mut().map(|b| std::mem::take(&mut b.ins)).collect();
        let mut ssa = Self {
            nodes: Vec::new(),
            bodies: vec![Body::default(); blocks.len()],
            before: graph.before.clone(),
            same: Vec::new(),
            leaves: HashMap::default(),
            constants: HashMap::default(),
            phi_registers: HashMap::default(),
            program,
        };
        let mut written = vec![false; count];
        for ins in blocks.iter().flatten().filter(|ins| ins.dst != NONE) {
            written[ssa.index(ins.dst)] = true;
        }
        for &(reg, value) in &ssa.program.constants.clone() {
            let constant = ssa.constant(reg & WIDE != 0, value);
            ssa.leaves.insert(reg, constant);
        }
        ssa.rename(&blocks, &graph, &live, &written);
        ssa.drop_plain_phis();
        Some(ssa)
    }

    fn index(&self, reg: Reg) -> usize {
        index(&self.program, reg)
    }

    fn register(&self, index: usize) -> Reg {
        let narrow = self.program.narrow as usize;
        if index < narrow {
            index as Reg
        } else {
            (index - narrow) as Reg | WIDE
        }
    }

    fn rename(&mut self, blocks: &[Vec<Ins>], graph: &Graph, live: &Sets, written: &[bool]) {
        let mut out: Vec<HashMap<Reg, Val>> = vec![HashMap::default(); blocks.len()];
        for &block in &graph.order {
            let b = block as usize;
            let before = &graph.before[b];
            let mut now: HashMap<Reg, Val> = HashMap::default();
            let inherits = before.len() == 1 && block != 0;
            for item in live.items(b).filter(|&item| written[item]) {
                let reg = self.register(item);
                let value = if inherits {
                    out[before[0] as usize].get(&reg).copied()
                } else if before.is_empty() || block == 0 {
                    None
                } else {
                    let phi = self.add(Def::Phi(vec![NONE; before.len()]), reg & WIDE != 0, block);
                    self.bodies[b].phis.push(phi);
                    self.phi_registers.insert(phi, reg);
                    Some(phi)
                };
                let value = value.unwrap_or_else(|| self.add(Def::Undef, reg & WIDE != 0, 0));
                now.insert(reg, value);
            }
            for ins in &blocks[b] {
                let mut ins = ins.clone();
                for arg in ins.args.iter_mut().filter(|arg| **arg != NONE) {
                    *arg = self.read(*arg, &now, written);
                }
                let dst = ins.dst;
                let value = self.add(Def::Ins(ins), dst != NONE && dst & WIDE != 0, block);
                self.bodies[b].code.push(value);
                if dst != NONE {
                    now.insert(dst, value);
                }
            }
            let mut end = self.program.blocks[b].end;
            if let Terminator::Branch { on, .. } | Terminator::Barrier { on, .. } = &mut end {
                if *on != NONE {
                    *on = self.read(*on, &now, written);
                }
            }
            self.program.blocks[b].end = end;
            out[b] = now;
        }
        self.fill_phis(graph, live, written, &out);
    }

    fn fill_phis(&mut self, graph: &Graph, live: &Sets, written: &[bool], out: &[HashMap<Reg, Val>]) {
        for &block in &graph.order {
            let b = block as usize;
            let regs: Vec<usize> = live.items(b).filter(|&item| written[item]).collect();
            for (phi, item) in self.bodies[b].phis.clone().into_iter().zip(regs) {
                let reg = self.register(item);
                let values = graph.before[b].iter().map(|&from| out[from as usize].get(&reg).copied());
                let values: Vec<Option<Val>> = values.collect();
                let values = values.into_iter().map(|v| v.unwrap_or_else(|| self.add(Def::Undef, reg & WIDE != 0, 0)));
                let values = values.collect();
                self.nodes[phi as usize].def = Def::Phi(values);
            }
        }
    }

    fn read(&mut self, reg: Reg, now: &HashMap<Reg, Val>, written: &[bool]) -> Val {
        if let Some(&value) = now.get(&reg) {
            return value;
        }
        if written[self.index(reg)] {
            return self.add(Def::Undef, reg & WIDE != 0, 0);
        }
        self.leaf(reg)
    }

    /// The value of a register that no instruction writes.
    pub fn leaf(&mut self, reg: Reg) -> Val {
        if let Some(&value) = self.leaves.get(&reg) {
            return value;
        }
        let value = self.add(Def::Leaf(reg), reg & WIDE != 0, 0);
        self.leaves.insert(reg, value);
        value
    }

    pub fn constant(&mut self, wide: bool, value: u64) -> Val {
        let value = if wide { value } else { value & 0xffff_ffff };
        if let Some(&found) = self.constants.get(&(wide, value)) {
            return found;
        }
        let found = self.add(Def::Const(value), wide, 0);
        self.constants.insert((wide, value), found);
        found
    }

    pub fn add(&mut self, def: Def, wide: bool, block: BlockId) -> Val {
        self.nodes.push(Node { def, wide, block });
        self.same.push(self.nodes.len() as Val - 1);
        self.nodes.len() as Val - 1
    }

    /// The value that `value` was replaced by.
    pub fn find(&self, mut value: Val) -> Val {
        if value == NONE {
            return value;
        }
        while self.same[value as usize] != value {
            value = self.same[value as usize];
        }
        value
    }

    /// Replaces `value` by `by` from now on.
    pub fn replace(&mut self, value: Val, by: Val) {
        let by = self.find(by);
        if by != value {
            self.same[value as usize] = by;
        }
    }

    pub fn def(&self, value: Val) -> &Def {
        &self.nodes[self.find(value) as usize].def
    }

    pub fn ins(&self, value: Val) -> Option<&Ins> {
        match self.def(value) {
            Def::Ins(ins) => Some(ins),
            _ => None,
        }
    }

    pub fn value_of(&self, value: Val) -> Option<u64> {
        match self.def(value) {
            Def::Const(c) => Some(*c),
            _ => None,
        }
    }

    /// Whether the value exists before the warp starts.
    pub fn is_given(&self, value: Val) -> bool {
        matches!(self.def(value), Def::Leaf(_) | Def::Const(_) | Def::Undef)
    }

    pub fn graph(&self) -> Graph {
        let mut graph = Graph::new(self.program.blocks.iter().map(|b| &b.end));
        // Phis list their values in the original order of the predecessors.
        graph.before.clone_from(&self.before);
        graph
    }

    /// Removes phis that choose between one value and themselves.
    pub fn drop_plain_phis(&mut self) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for b in 0..self.bodies.len() {
                let mut kept = Vec::with_capacity(self.bodies[b].phis.len());
                for phi in std::mem::take(&mut self.bodies[b].phis) {
                    let Def::Phi(values) = &self.nodes[phi as usize].def else { continue };
                    let mut others = values.iter().map(|&v| self.find(v)).filter(|&v| v != phi);
                    let first = others.next();
                    match first {
                        Some(first) if others.all(|v| v == first) => {
                            self.replace(phi, first);
                            changed = true;
                        }
                        _ => kept.push(phi),
                    }
                }
                self.bodies[b].phis = kept;
            }
        }
    }

    /// Removes an edge from the phis and the predecessor lists.
    pub fn remove_edge(&mut self, from: BlockId, to: BlockId) {
        let Some(at) = self.before[to as usize].iter().position(|&b| b == from) else { return };
        self.before[to as usize].remove(at);
        for phi in self.bodies[to as usize].phis.clone() {
            if let Def::Phi(values) = &mut self.nodes[phi as usize].def {
                values.remove(at);
            }
        }
    }

    /// Removes unreachable blocks, so that no phi lists their values.
    pub fn drop_unreachable(&mut self) {
        let graph = Graph::new(self.program.blocks.iter().map(|b| &b.end));
        for b in 0..self.bodies.len() {
            if graph.rank[b] == u32::MAX {
                for to in successors(&self.program.blocks[b].end) {
                    self.remove_edge(b as BlockId, to);
                }
                self.bodies[b] = Body::default();
                self.program.blocks[b].end = Terminator::Exit;
                self.program.blocks[b].end_cost = 0;
            }
        }
    }

    /// The terminator of a block. Blocks cannot be inserted in this form, because that would renumber all of them.
    pub fn end(&self, block: BlockId) -> &Terminator {
        &self.program.blocks[block as usize].end
    }
}

/// The dense index of a register.
pub(crate) fn index(program: &Program, reg: Reg) -> usize {
    if reg & WIDE == 0 {
        reg as usize
    } else {
        (program.narrow + (reg & !WIDE)) as usize
    }
}

/// For each block, the registers that are read before they are written from its start on.
fn liveness(program: &Program, graph: &Graph) -> Sets {
    let count = (program.narrow + program.wide) as usize;
    let mut live = Sets::new(program.blocks.len(), count);
    let mut written = Sets::new(program.blocks.len(), count);
    for (b, Block { ins, end, .. }) in program.blocks.iter().enumerate() {
        for ins in ins {
            for reg in registers(ins) {
                let item = index(program, reg);
                if !written.has(b, item) {
                    live.set(b, item);
                }
            }
            if ins.dst != NONE {
                written.set(b, index(program, ins.dst));
            }
        }
        if let Some(reg) = read_by(end) {
            let item = index(program, reg);
            if !written.has(b, item) {
                live.set(b, item);
            }
        }
    }
    live.flow_back(graph, &written);
    live
}
