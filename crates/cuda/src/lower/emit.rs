//! Writes bytecode: registers, constants and blocks. Folds operations on constants.

use base::sorted_by_key;
use bytecode::code::{
    Bin, Block, BlockId, Cmp, Ins, KernelArray, MemorySpace, Num, Op, Promise, Reg, SpecialRegister, Terminator, Un,
    NONE, WIDE,
};
use bytecode::scalar;
use rustc_hash::FxHashMap as HashMap;

/// The target of a jump. It can be used before its position in the code is known.
pub(crate) type Label = usize;

/// Most instructions of a kernel. It bounds the growth by inlining.
pub(crate) const INSTRUCTIONS_MAX: usize = 400_000;

struct Draft {
    block: Block,
    /// Position in the layout, if the block was placed.
    placed: Option<u32>,
}

/// Blocks, constants, and special registers of a finished kernel.
pub(crate) type Finished = (Vec<Block>, Vec<(Reg, u64)>, Vec<(Reg, SpecialRegister)>);

/// The kernel's code as far as it was written.
pub(crate) struct Emitter {
    drafts: Vec<Draft>,
    order: Vec<Label>,
    current: Label,
    /// Whether the current block has its terminator.
    ended: bool,
    pub narrow: u32,
    pub wide: u32,
    constants: HashMap<(bool, u64), Reg>,
    values: HashMap<Reg, u64>,
    specials: HashMap<SpecialRegister, Reg>,
    pub variables: Vec<KernelArray>,
    /// Registers that are assigned more than once.
    mutable: rustc_hash::FxHashSet<Reg>,
    /// Registers of named values. The instruction that computes one must not be redirected to another register.
    pinned: rustc_hash::FxHashSet<Reg>,
    pub line: u32,
    pub count: usize,
}

impl Emitter {
    pub fn new() -> Self {
        let mut emitter = Self {
            drafts: Vec::new(),
            order: Vec::new(),
            current: 0,
            ended: true,
            narrow: 0,
            wide: 0,
            constants: HashMap::default(),
            values: HashMap::default(),
            specials: HashMap::default(),
            variables: Vec::new(),
            mutable: rustc_hash::FxHashSet::default(),
            pinned: rustc_hash::FxHashSet::default(),
            line: 0,
            count: 0,
        };
        let start = emitter.label();
        emitter.place_label(start);
        emitter
    }

    pub fn label(&mut self) -> Label {
        let block =
            Block { ins: Vec::new(), end: Terminator::Exit, line: self.line, end_cost: 0, waiting: 0, pragma: None };
        self.drafts.push(Draft { block, placed: None });
        self.drafts.len() - 1
    }

    /// Continues the code at a label. The code before it falls through.
    pub fn place_label(&mut self, label: Label) {
        if !self.ended {
            self.jump(label);
        }
        self.drafts[label].placed = Some(self.order.len() as u32);
        self.order.push(label);
        (self.current, self.ended) = (label, false);
    }

    /// Whether code at this point can be reached.
    pub fn live(&self) -> bool {
        !self.ended
    }

    fn end(&mut self, end: Terminator, cost: u32) {
        if self.ended {
            return;
        }
        let block = &mut self.drafts[self.current].block;
        (block.end, block.line, block.end_cost) = (end, self.line, cost);
        self.ended = true;
    }

    pub fn jump(&mut self, to: Label) {
        self.end(Terminator::Jump(to as BlockId), 0);
    }

    pub fn branch(&mut self, on: Reg, yes: Label, no: Label) {
        match self.value(on) {
            Some(value) => self.jump(if value != 0 { yes } else { no }),
            None => self.end(Terminator::Branch { on, yes: yes as BlockId, no: no as BlockId }, 64),
        }
    }

    /// Marks the current block as the test of a loop with `#pragma unroll`.
    pub fn pragma(&mut self, copies: Option<u64>) {
        self.drafts[self.current].block.pragma = copies.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    }

    pub fn barrier(&mut self, on: Reg) {
        let next = self.label();
        self.end(Terminator::Barrier { next: next as BlockId, on }, 64);
        self.place_label(next);
    }

    pub fn exit(&mut self) {
        self.end(Terminator::Exit, 64);
    }

    pub fn reg(&mut self, wide: bool) -> Reg {
        if wide {
            self.wide += 1;
            (self.wide - 1) | WIDE
        } else {
            self.narrow += 1;
            self.narrow - 1
        }
    }

    /// A new register that may be assigned more than once.
    pub fn variable(&mut self, wide: bool) -> Reg {
        let reg = self.reg(wide);
        self.mutable.insert(reg);
        reg
    }

    pub fn is_variable(&self, reg: Reg) -> bool {
        self.mutable.contains(&reg)
    }

    pub fn constant(&mut self, wide: bool, value: u64) -> Reg {
        let value = if wide { value } else { value & 0xffff_ffff };
        if let Some(&reg) = self.constants.get(&(wide, value)) {
            return reg;
        }
        let reg = self.reg(wide);
        self.constants.insert((wide, value), reg);
        self.values.insert(reg, value);
        reg
    }

    pub fn int(&mut self, value: i64) -> Reg {
        self.constant(false, value as u64)
    }

    /// The value of a constant register.
    pub fn value(&self, reg: Reg) -> Option<u64> {
        self.values.get(&reg).copied()
    }

    pub fn special(&mut self, special: SpecialRegister) -> Reg {
        if let Some(&reg) = self.specials.get(&special) {
            return reg;
        }
        let reg = self.reg(false);
        self.specials.insert(special, reg);
        reg
    }

    pub fn push(&mut self, ins: Ins) {
        if !self.ended {
            self.count += 1;
            self.drafts[self.current].block.ins.push(ins);
        }
    }

    pub fn op(&mut self, op: Op, wide: bool, args: &[Reg]) -> Reg {
        let dst = self.reg(wide);
        self.push(Ins::new(op, dst, args, self.line));
        dst
    }

    /// Writes `dst = src`. If the last instruction computed `src`, it computes `dst` instead.
    pub fn assign(&mut self, dst: Reg, src: Reg) {
        if dst == src {
            return;
        }
        let line = self.line;
        if !self.ended && !self.mutable.contains(&src) && !self.pinned.contains(&src) && self.value(src).is_none() {
            if let Some(last) = self.drafts[self.current].block.ins.last_mut() {
                if last.dst == src {
                    last.dst = dst;
                    return;
                }
            }
        }
        self.push(Ins::new(Op::Mov, dst, &[src], line));
    }

    pub fn pin(&mut self, reg: Reg) {
        self.pinned.insert(reg);
    }

    /// Writes several assignments. A source that occurs twice keeps its register.
    pub fn assign_all(&mut self, to: &[Reg], from: &[Reg]) {
        for (i, reg) in from.iter().enumerate() {
            if from[..i].contains(reg) {
                self.pinned.insert(*reg);
            }
        }
        to.iter().zip(from).for_each(|(to, from)| self.assign(*to, *from));
    }

    pub fn bin(&mut self, op: Bin, num: Num, a: Reg, b: Reg) -> Reg {
        let (ca, cb) = (self.value(a), self.value(b));
        if let (Some(x), Some(y)) = (ca, cb) {
            return self.constant(num.wide(), scalar::bin(op, num, x, y));
        }
        if !num.float() {
            let neutral_right = match op {
                Bin::Add | Bin::Sub | Bin::Or | Bin::Xor | Bin::Shl | Bin::Shr => cb == Some(0),
                Bin::Mul | Bin::Div => cb == Some(1),
                _ => false,
            };
            let neutral_left = match op {
                Bin::Add | Bin::Or | Bin::Xor => ca == Some(0),
                Bin::Mul => ca == Some(1),
                _ => false,
            };
            // A variable may change before the result is used, so its register cannot stand for the result.
            if neutral_right && !self.is_variable(a) {
                return a;
            }
            if neutral_left && !self.is_variable(b) {
                return b;
            }
            if matches!(op, Bin::Mul | Bin::And) && (ca == Some(0) || cb == Some(0)) {
                return self.constant(num.wide(), 0);
            }
        }
        self.op(Op::Bin(op, num), num.wide(), &[a, b])
    }

    pub fn cmp(&mut self, op: Cmp, num: Num, a: Reg, b: Reg) -> Reg {
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return self.constant(false, scalar::cmp(op, num, x, y));
        }
        self.op(Op::Cmp(op, num), false, &[a, b])
    }

    pub fn un(&mut self, op: Un, num: Num, a: Reg) -> Reg {
        let wide = match op {
            Un::Neg | Un::Complement | Un::Abs | Un::Brev => num.wide(),
            _ => false,
        };
        if let Some(x) = self.value(a) {
            return self.constant(wide, scalar::un(op, num, x));
        }
        self.op(Op::Un(op, num), wide, &[a])
    }

    pub fn convert(&mut self, from: Num, to: Num, a: Reg) -> Reg {
        let same_bits = |x: Num, y: Num| !x.float() && !y.float() && x.wide() == y.wide();
        if from == to || same_bits(from, to) {
            return a;
        }
        if let Some(x) = self.value(a) {
            return self.constant(to.wide(), scalar::convert(from, to, x));
        }
        self.op(Op::Convert(from, to), to.wide(), &[a])
    }

    /// Writes `pointer + index * scale`.
    pub fn index(&mut self, pointer: Reg, index: Reg, num: Num, scale: u64) -> Reg {
        if let Some(i) = self.value(index) {
            let i = scalar::convert(num, Num::I64, i);
            let offset = self.constant(true, i.wrapping_mul(scale));
            return self.bin(Bin::Add, Num::U64, pointer, offset);
        }
        let dst = self.reg(true);
        let mut ins = Ins::new(Op::Index(num), dst, &[pointer, index], self.line);
        ins.imm = scale as i64;
        self.push(ins);
        dst
    }

    pub fn load(&mut self, mem: bytecode::code::Mem, address: Reg, offset: i64, record: u32, promise: Promise) -> Reg {
        let dst = self.reg(mem == bytecode::code::Mem::B64);
        let mut ins = Ins::new(Op::Load(mem), dst, &[address], self.line);
        (ins.imm, ins.record, ins.promise) = (offset, record, promise);
        self.push(ins);
        dst
    }

    pub fn store(
        &mut self,
        mem: bytecode::code::Mem,
        address: Reg,
        offset: i64,
        value: Reg,
        record: u32,
        promise: Promise,
    ) {
        let mut ins = Ins::new(Op::Store(mem), NONE, &[address, value], self.line);
        (ins.imm, ins.record, ins.promise) = (offset, record, promise);
        self.push(ins);
    }

    /// Adds a shared or local variable and returns the register of its address.
    pub fn memory(&mut self, name: &str, bytes: u64, align: u64, element: u64, space: MemorySpace) -> Reg {
        let reg = self.reg(true);
        let name = std::rc::Rc::from(name);
        self.variables.push(KernelArray { name, bytes, align, element, space, reg, dynamic: false, hidden: false });
        reg
    }

    /// The blocks in their layout, without unreachable ones.
    pub fn finish(mut self) -> Finished {
        self.exit();
        let mut reached = vec![false; self.drafts.len()];
        let mut open = vec![self.order[0]];
        while let Some(label) = open.pop() {
            if std::mem::replace(&mut reached[label], true) || self.drafts[label].placed.is_none() {
                continue;
            }
            match self.drafts[label].block.end {
                Terminator::Jump(to) => open.push(to as usize),
                Terminator::Branch { yes, no, .. } => open.extend([yes as usize, no as usize]),
                Terminator::Barrier { next, .. } => open.push(next as usize),
                Terminator::Exit => {}
            }
        }
        let kept: Vec<Label> = self.order.iter().copied().filter(|&l| reached[l]).collect();
        let position: HashMap<Label, u32> = kept.iter().zip(0..).map(|(&l, i)| (l, i)).collect();
        let to = |label: BlockId| position.get(&(label as usize)).copied().unwrap_or(0);
        let mut blocks = Vec::with_capacity(kept.len());
        for &label in &kept {
            let mut block = std::mem::replace(
                &mut self.drafts[label].block,
                Block { ins: Vec::new(), end: Terminator::Exit, line: 0, end_cost: 0, waiting: 0, pragma: None },
            );
            block.end = match block.end {
                Terminator::Jump(l) => Terminator::Jump(to(l)),
                Terminator::Branch { on, yes, no } => Terminator::Branch { on, yes: to(yes), no: to(no) },
                Terminator::Barrier { next, on } => Terminator::Barrier { next: to(next), on },
                Terminator::Exit => Terminator::Exit,
            };
            blocks.push(block);
        }
        let by_register = |reg: Reg| u64::from(reg);
        let constants = sorted_by_key(self.values.into_iter().collect(), |c| by_register(c.0));
        let specials =
            sorted_by_key(self.specials.into_iter().map(|(s, r)| (r, s)).collect(), |s: &(Reg, SpecialRegister)| {
                by_register(s.0)
            });
        (blocks, constants, specials)
    }
}

/// The state of an emitter at [`Emitter::pause`].
pub(crate) struct Paused {
    current: Label,
    ended: bool,
    order: usize,
    drafts: usize,
    count: usize,
    variables: usize,
}

impl Emitter {
    /// Marks a point to which [`Emitter::resume`] goes back, discarding the code since then.
    pub fn pause(&mut self) -> Paused {
        let paused = Paused {
            current: self.current,
            ended: self.ended,
            order: self.order.len(),
            drafts: self.drafts.len(),
            count: self.count,
            variables: self.variables.len(),
        };
        self.ended = true;
        let label = self.label();
        self.place_label(label);
        paused
    }

    pub fn resume(&mut self, paused: Paused) {
        self.order.truncate(paused.order);
        self.drafts.truncate(paused.drafts);
        self.variables.truncate(paused.variables);
        (self.current, self.ended, self.count) = (paused.current, paused.ended, paused.count);
    }
}
