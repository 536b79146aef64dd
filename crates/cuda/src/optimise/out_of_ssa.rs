//! Turns single assignment form back into a program. Each value gets a register of its own, and phis become copies on
//! the edges into their block.

use crate::optimise::shape::Layout;
use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{Block, BlockId, Ins, Op, Program, Reg, Terminator, NONE, WIDE};
use rustc_hash::FxHashMap as HashMap;

/// The program that a form stands for.
pub(crate) fn out_of_ssa(mut ssa: Ssa) -> Program {
    let mut program = std::mem::take(&mut ssa.program);
    let mut writer = Writer {
        ssa: &ssa,
        registers: HashMap::default(),
        narrow: program.narrow,
        wide: program.wide,
        constants: Vec::new(),
    };
    writer.keep_given(&program);
    for b in 0..program.blocks.len() {
        let code = ssa.bodies[b].code.iter().filter_map(|&value| writer.instruction(value));
        program.blocks[b].ins = code.collect();
        if let Terminator::Branch { on, .. } | Terminator::Barrier { on, .. } = &mut program.blocks[b].end {
            *on = writer.register(*on);
        }
    }
    let mut copies: Vec<EdgeCopies> = Vec::new();
    for (b, body) in ssa.bodies.iter().enumerate() {
        for (i, &from) in ssa.before[b].iter().enumerate() {
            let pairs: Vec<(Reg, Reg)> = body
                .phis
                .iter()
                .filter_map(|&phi| {
                    let Def::Phi(values) = &ssa.nodes[phi as usize].def else { return None };
                    let value = ssa.find(values[i]);
                    let skip = value == phi || matches!(ssa.nodes[value as usize].def, Def::Undef);
                    (!skip).then(|| (writer.register(phi), writer.register(value)))
                })
                .collect();
            if !pairs.is_empty() {
                copies.push((from, b as BlockId, pairs));
            }
        }
    }
    let mut layout = Layout::new(program);
    for (from, to, pairs) in copies {
        let line = layout.program.blocks[from as usize].line;
        let code = writer.parallel(&pairs, line);
        match layout.program.blocks[from as usize].end {
            Terminator::Jump(_) => layout.block(from).ins.extend(code),
            _ => {
                // The copies belong to this edge only. Their block lies behind the one it comes from, so that lanes
                // reconverge as before.
                let at = layout.place_of(from) + 1;
                let between =
                    Block { ins: code, end: Terminator::Jump(to), line, end_cost: 0, waiting: 0, pragma: None };
                let between = layout.insert(at, between);
                layout.redirect(from, to, between);
            }
        }
    }
    (layout.program.narrow, layout.program.wide) = (writer.narrow, writer.wide);
    layout.program.constants = std::mem::take(&mut writer.constants);
    layout.finish()
}

/// The copies on an edge: the two blocks, and pairs of target and source.
type EdgeCopies = (BlockId, BlockId, Vec<(Reg, Reg)>);

struct Writer<'a> {
    ssa: &'a Ssa,
    registers: HashMap<Val, Reg>,
    narrow: u32,
    wide: u32,
    constants: Vec<(Reg, u64)>,
}

impl Writer<'_> {
    /// Keeps the registers of constants and inputs, because other parts of the program name them.
    fn keep_given(&mut self, program: &Program) {
        self.constants.clone_from(&program.constants);
        let mut first: HashMap<(bool, u64), Reg> = HashMap::default();
        for &(reg, value) in &program.constants {
            first.entry((reg & WIDE != 0, value)).or_insert(reg);
        }
        for (value, node) in self.ssa.nodes.iter().enumerate() {
            match node.def {
                Def::Leaf(reg) => {
                    self.registers.insert(value as Val, reg);
                }
                Def::Const(c) => {
                    if let Some(&reg) = first.get(&(node.wide, c)) {
                        self.registers.insert(value as Val, reg);
                    }
                }
                _ => {}
            }
        }
    }

    fn fresh(&mut self, wide: bool) -> Reg {
        let count = if wide { &mut self.wide } else { &mut self.narrow };
        *count += 1;
        if wide {
            (*count - 1) | WIDE
        } else {
            *count - 1
        }
    }

    fn register(&mut self, value: Val) -> Reg {
        if value == NONE {
            return NONE;
        }
        let value = self.ssa.find(value);
        if let Some(&reg) = self.registers.get(&value) {
            return reg;
        }
        let node = &self.ssa.nodes[value as usize];
        let reg = self.fresh(node.wide);
        self.registers.insert(value, reg);
        match node.def {
            Def::Const(c) => self.constants.push((reg, c)),
            Def::Undef => self.constants.push((reg, 0)),
            _ => {}
        }
        reg
    }

    fn instruction(&mut self, value: Val) -> Option<Ins> {
        let mut ins = self.ssa.ins(value)?.clone();
        ins.args.iter_mut().for_each(|arg| *arg = self.register(*arg));
        if ins.dst != NONE {
            ins.dst = self.register(value);
        }
        Some(ins)
    }

    /// Orders copies that happen at the same time. A copy that would overwrite a source of another one goes through a
    /// spare register. The copies cost nothing, because the compiler gives both sides one register.
    fn parallel(&mut self, pairs: &[(Reg, Reg)], line: u32) -> Vec<Ins> {
        let copy = |to: Reg, from: Reg| {
            let mut ins = Ins::new(Op::Mov, to, &[from], line);
            ins.cost = 0;
            ins
        };
        let clash = |from: Reg| pairs.iter().any(|&(to, _)| to == from);
        let (mut early, mut late) = (Vec::new(), Vec::new());
        for &(to, from) in pairs {
            if clash(from) {
                let spare = self.fresh(from & WIDE != 0);
                early.push(copy(spare, from));
                late.push(copy(to, spare));
            } else {
                late.push(copy(to, from));
            }
        }
        early.extend(late);
        early
    }
}
