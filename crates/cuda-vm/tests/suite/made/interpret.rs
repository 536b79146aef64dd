//! Runs a made-up program on its tree, one block after the other. All threads of a block take each step together, those
//! that do not take part excepted. It shares no code with the crates under test.

use super::evaluate::Operand;
use super::number::{binary, convert, is_true, wrapped};
use super::tree::{Expr, Op, Place, Program, Stmt, Target, Test, Ty};

pub(super) const WARP: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    Load,
    Store,
    Atomic,
}

/// An access of a warp to an array: the byte of each lane that takes part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Access {
    pub what: What,
    pub array: usize,
    pub bytes: usize,
    pub lanes: Vec<(usize, u64)>,
}

/// The arrays after a run, and the accesses of each warp of each block.
pub struct Outcome {
    pub memory: Vec<Vec<u8>>,
    pub warps: Vec<Vec<Access>>,
}

/// Which threads take part.
pub(super) type Mask = Vec<bool>;
pub(super) type Values = Vec<u64>;

/// The variables of a function that runs: by number, by member, by thread.
pub(super) struct Frame {
    /// The type that it returns. The kernel returns nothing.
    returns: Option<Ty>,
    pub(super) variables: Vec<Vec<Values>>,
    returned: Mask,
    pub(super) value: Values,
    /// The threads that left the innermost loop, and its round.
    left: Mask,
    skipped: Mask,
}

impl Frame {
    pub(super) fn new(returns: Option<Ty>, variables: usize, members: usize, threads: usize) -> Self {
        let none = vec![false; threads];
        Self {
            returns,
            variables: vec![vec![vec![0; threads]; members.max(1)]; variables],
            returned: none.clone(),
            value: vec![0; threads],
            left: none.clone(),
            skipped: none,
        }
    }
}

pub(super) struct Machine<'p> {
    pub(super) p: &'p Program,
    pub(super) offsets: Vec<usize>,
    pub(super) size: usize,
    pub(super) memory: Vec<Vec<u8>>,
    pub(super) warps: Vec<Vec<Access>>,
    /// The first of `warps` that belongs to the block.
    pub(super) first: usize,
    pub(super) block: usize,
    pub(super) frames: Vec<Frame>,
}

pub fn run(p: &Program) -> Outcome {
    let (offsets, size) = p.layout();
    let bytes = |ty: Ty, all: &[u64]| all.iter().flat_map(|v| v.to_le_bytes()[..ty.bytes()].to_vec()).collect();
    let mut memory: Vec<Vec<u8>> = Vec::new();
    for a in &p.arrays {
        memory.push(match a.place {
            Place::Input | Place::Counters | Place::Constant => bytes(a.ty, &a.contents),
            Place::Records => vec![0; p.elements(a) * size],
            Place::Thread => vec![0; a.each * p.threads * a.ty.bytes()],
            Place::Output | Place::Shared => vec![0; p.elements(a) * a.ty.bytes()],
        });
    }
    let mut m = Machine { p, offsets, size, memory, warps: Vec::new(), first: 0, block: 0, frames: Vec::new() };
    for block in 0..p.blocks {
        (m.block, m.first) = (block, m.warps.len());
        m.warps.resize(m.first + p.threads.div_ceil(WARP), Vec::new());
        m.frames.push(Frame::new(None, p.variables, p.members.len(), p.threads));
        m.all(&p.kernel, vec![true; p.threads]);
        m.frames.pop();
    }
    Outcome { memory: m.memory, warps: m.warps }
}

fn any(mask: &Mask) -> bool {
    mask.iter().any(|m| *m)
}

pub(super) fn and(a: &Mask, b: impl Fn(usize) -> bool) -> Mask {
    a.iter().enumerate().map(|(i, m)| *m && b(i)).collect()
}

impl Machine<'_> {
    pub(super) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function runs")
    }

    /// Runs statements and returns the threads that go on after them.
    pub(super) fn all(&mut self, list: &[Stmt], mut mask: Mask) -> Mask {
        for s in list {
            if !any(&mask) {
                break;
            }
            mask = self.statement(s, mask);
        }
        mask
    }

    pub(super) fn truth(&mut self, e: &Expr, mask: &Mask) -> Mask {
        let (values, ty) = (self.eval(e, mask), e.ty());
        and(mask, |i| is_true(ty, values[i]))
    }

    /// The values of an expression in a type.
    pub(super) fn as_type(&mut self, e: &Expr, ty: Ty, mask: &Mask) -> Values {
        let own = e.ty();
        self.eval(e, mask).into_iter().map(|v| convert(own, ty, v)).collect()
    }

    fn assign(&mut self, variable: usize, member: usize, values: &Values, mask: &Mask) {
        let slot = &mut self.frame().variables[variable][member];
        (0..mask.len()).filter(|&i| mask[i]).for_each(|i| slot[i] = values[i]);
    }

    fn statement(&mut self, s: &Stmt, mask: Mask) -> Mask {
        match s {
            Stmt::Declare(v, ty, e) => {
                let values = self.as_type(e, *ty, &mask);
                self.assign(*v, 0, &values, &mask);
            }
            Stmt::Compound(v, all) => {
                for (m, e) in all.iter().enumerate() {
                    let values = self.as_type(e, self.p.members[m], &mask);
                    self.assign(*v, m, &values, &mask);
                }
            }
            Stmt::CopyStruct(a, b) => {
                for m in 0..self.p.members.len() {
                    let values = self.frame().variables[*b][m].clone();
                    self.assign(*a, m, &values, &mask);
                }
            }
            Stmt::Array(a, all) => {
                let ty = self.p.arrays[*a].ty;
                for (k, e) in all.iter().enumerate() {
                    let values = self.as_type(e, ty, &mask);
                    let at: Vec<u64> = (0..mask.len()).map(|i| self.own_offset(*a, i, k)).collect();
                    self.write(*a, ty, &at, &values, &mask);
                }
            }
            Stmt::Set(to, op, e) => self.set(to, *op, e, &mask),
            Stmt::Step(to, up) => {
                let one = Expr::Number(Ty::I32, 1);
                self.set(to, Some(if *up { Op::Add } else { Op::Sub }), &one, &mask);
            }
            Stmt::Exchange(v, ty, e, bits) => {
                let values = self.as_type(e, *ty, &mask);
                let moved = (0..mask.len()).map(|i| values[i ^ *bits as usize]).collect();
                self.assign(*v, 0, &moved, &mask);
            }
            Stmt::Vote(v, e) => {
                let truth = self.truth(e, &mask);
                let votes = truth.chunks(WARP).map(|w| w.iter().rev().fold(0, |all, t| all << 1 | u64::from(*t)));
                let votes: Values = votes.collect();
                let values = (0..mask.len()).map(|i| votes[i / WARP]).collect();
                self.assign(*v, 0, &values, &mask);
            }
            Stmt::Atomic(to, e) => {
                let values = self.as_type(e, to.ty, &mask);
                let at = self.places(to, &mask);
                self.note(What::Atomic, to, &at, &mask);
                for i in (0..mask.len()).filter(|&i| mask[i]) {
                    let old = self.load(to.array, to.ty, at[i]);
                    self.put(to.array, to.ty, at[i], binary(Op::Add, to.ty, old, values[i]));
                }
            }
            Stmt::Barrier => {}
            other => return self.flow(other, mask),
        }
        mask
    }

    fn set(&mut self, to: &Target, op: Option<Op>, e: &Expr, mask: &Mask) {
        let ty = to.ty();
        let element = if let Target::Element(e) = to { Some(e) } else { None };
        let at = element.map(|e| self.places(e, mask));
        let values = match op {
            None => self.as_type(e, ty, mask),
            Some(op) => {
                let old: Values = match (to, &at) {
                    (Target::Variable(v, _), _) => self.frame().variables[*v][0].clone(),
                    (Target::Member(v, m, _), _) => self.frame().variables[*v][*m].clone(),
                    (Target::Element(e), Some(at)) => {
                        self.note(What::Load, e, at, mask);
                        (0..mask.len()).map(|i| if mask[i] { self.load(e.array, ty, at[i]) } else { 0 }).collect()
                    }
                    _ => Vec::new(),
                };
                let common = ty.common(e.ty());
                let old: Values = old.into_iter().map(|v| convert(ty, common, v)).collect();
                let new = self.combine(op, common, Operand::Known(&old), Operand::Tree(e), mask);
                new.into_iter().map(|v| convert(common, ty, v)).collect()
            }
        };
        match (to, at) {
            (Target::Variable(v, _), _) => self.assign(*v, 0, &values, mask),
            (Target::Member(v, m, _), _) => self.assign(*v, *m, &values, mask),
            (Target::Element(e), Some(at)) => {
                self.note(What::Store, e, &at, mask);
                self.write(e.array, ty, &at, &values, mask);
            }
            _ => {}
        }
    }

    fn flow(&mut self, s: &Stmt, mask: Mask) -> Mask {
        match s {
            Stmt::If(c, yes, no) => {
                let truth = self.truth(c, &mask);
                let rest = and(&mask, |i| !truth[i]);
                let first = self.all(yes, truth);
                let second = self.all(no, rest);
                and(&mask, |i| first[i] || second[i])
            }
            Stmt::Leave(c, out) => {
                let truth = self.truth(c, &mask);
                let frame = self.frame();
                let slot = if *out { &mut frame.left } else { &mut frame.skipped };
                (0..truth.len()).filter(|&i| truth[i]).for_each(|i| slot[i] = true);
                and(&mask, |i| !truth[i])
            }
            Stmt::Return(e) => {
                let returns = self.frame().returns.expect("a function of the program");
                let values = self.as_type(e, returns, &mask);
                let frame = self.frame();
                for i in (0..mask.len()).filter(|&i| mask[i]) {
                    (frame.returned[i], frame.value[i]) = (true, values[i]);
                }
                vec![false; mask.len()]
            }
            Stmt::Switch(e, cases, rest) => {
                let ty = e.ty();
                let values = self.eval(e, &mask);
                let is = |i: usize, n: u64| values[i] == wrapped(ty, i128::from(n));
                let (mut live, mut done) = (vec![false; mask.len()], vec![false; mask.len()]);
                for (number, body, leaves) in cases {
                    let here = and(&mask, |i| live[i] || is(i, *number));
                    let after = self.all(body, here);
                    if *leaves {
                        done = (0..mask.len()).map(|i| done[i] || after[i]).collect();
                        live = vec![false; mask.len()];
                    } else {
                        live = after;
                    }
                }
                let none = |i: usize| !cases.iter().any(|(n, ..)| is(i, *n));
                let after = self.all(rest, and(&mask, |i| live[i] || none(i)));
                and(&mask, |i| done[i] || after[i])
            }
            Stmt::For(v, bound, body) => self.rounds(*v, body, mask, Round::For(bound)),
            Stmt::While(v, c, body) => self.rounds(*v, body, mask, Round::While(c)),
            Stmt::Do(v, c, body) => self.rounds(*v, body, mask, Round::Do(c)),
            _ => unreachable!("a simple statement"),
        }
    }

    fn rounds(&mut self, counter: usize, body: &[Stmt], mask: Mask, round: Round) -> Mask {
        let threads = mask.len();
        let none = vec![false; threads];
        let outer = (
            std::mem::replace(&mut self.frame().left, none.clone()),
            std::mem::replace(&mut self.frame().skipped, none.clone()),
        );
        self.assign(counter, 0, &vec![0; threads], &mask);
        let mut live = mask.clone();
        let mut first = true;
        loop {
            let is_do = matches!(round, Round::Do(_));
            if !(first && is_do) {
                live = match round {
                    Round::For(bound) => {
                        let bound = Expr::Compare(
                            Test::Less,
                            Box::new(Expr::Variable(counter, Ty::I32)),
                            Box::new(bound.clone()),
                        );
                        self.truth(&bound, &live)
                    }
                    Round::While(c) | Round::Do(c) => {
                        let counts = self.frame().variables[counter][0].clone();
                        let few = and(&live, |i| counts[i] < 4);
                        self.truth(c, &few)
                    }
                };
            }
            first = false;
            if !any(&live) {
                break;
            }
            if !matches!(round, Round::For(_)) {
                self.count(counter, &live);
            }
            let after = self.all(body, live.clone());
            let skipped = std::mem::replace(&mut self.frame().skipped, none.clone());
            live = (0..threads).map(|i| after[i] || skipped[i]).collect();
            if matches!(round, Round::For(_)) {
                self.count(counter, &live);
            }
        }
        let returned = self.frame().returned.clone();
        (self.frame().left, self.frame().skipped) = outer;
        and(&mask, |i| !returned[i])
    }

    fn count(&mut self, counter: usize, mask: &Mask) {
        let slot = &mut self.frame().variables[counter][0];
        (0..mask.len()).filter(|&i| mask[i]).for_each(|i| slot[i] += 1);
    }
}

enum Round<'t> {
    For(&'t Expr),
    While(&'t Expr),
    Do(&'t Expr),
}
