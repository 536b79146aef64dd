//! Grows programs of random shape. Each is valid CUDA without undefined behaviour and without races: signed sums stay small
//! or are computed as unsigned ones, divisors are odd, indices are brought into range, each thread writes its own elements.

mod expr;

use super::tree::{Array, Element, Expr, Function, Op, Place, Program, Stmt, Target, Test, Ty, TYPES};
use base::Random;
use expr::coerced;

/// Deepest nesting of expressions and of statements.
const EXPR_DEPTH: u32 = 3;
const STMT_DEPTH: u32 = 3;

pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let mut pick = |n: u64| random.below(n) as usize;
    let (blocks, threads) = (1 + pick(2), 32 * (1 + pick(3)));
    let members = (0..2 + pick(3)).map(|_| TYPES[pick(10)]).collect();
    let program = Program {
        blocks,
        threads,
        members,
        arrays: Vec::new(),
        functions: Vec::new(),
        kernel: Vec::new(),
        variables: 0,
    };
    let mut g = Grower {
        random,
        program,
        scope: Scope::default(),
        next: 0,
        open: Vec::new(),
        within: None,
        breaks: false,
        continues: false,
        loops: 0,
    };
    g.arrays();
    for _ in 0..g.pick(3) {
        g.function();
    }
    g.kernel();
    g.program
}

/// The variables that are visible.
#[derive(Clone, Default)]
struct Scope {
    scalars: Vec<(usize, Ty)>,
    /// Counters of loops, which only the loop changes.
    counters: Vec<usize>,
    structs: Vec<usize>,
    arrays: Vec<usize>,
}

struct Grower {
    random: Random,
    program: Program,
    scope: Scope,
    /// The number of the next variable.
    next: usize,
    /// Shared arrays that all threads may read and none may write.
    open: Vec<usize>,
    /// The function that grows: its input and the type that it returns. `None` for the kernel.
    within: Option<(Option<usize>, Ty)>,
    breaks: bool,
    continues: bool,
    loops: u32,
}

impl Grower {
    fn pick(&mut self, n: u64) -> usize {
        self.random.below(n) as usize
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.random.below(all.len() as u64) as usize]
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.random.below(100) < percent
    }

    fn ty(&mut self) -> Ty {
        TYPES[self.pick(10)]
    }

    fn arrays(&mut self) {
        let kinds = [Place::Input, Place::Output, Place::Records, Place::Counters, Place::Shared, Place::Constant];
        for (place, most) in kinds.into_iter().zip([3, 2, 2, 2, 2, 2]) {
            let least = u64::from(matches!(place, Place::Input | Place::Output));
            for _ in 0..least + self.random.below(most + 1 - least) {
                let shared_by_all = matches!(place, Place::Input | Place::Counters | Place::Constant);
                let each = if shared_by_all { 3 + self.pick(40) } else { 1 + self.pick(4) };
                let ty = match place {
                    Place::Counters => [Ty::I32, Ty::U32, Ty::U64][self.pick(3)],
                    _ => self.ty(),
                };
                let contents = if shared_by_all { (0..each).map(|_| self.content(ty)).collect() } else { Vec::new() };
                self.program.arrays.push(Array { place, ty, each, contents });
            }
        }
    }

    fn content(&mut self, ty: Ty) -> u64 {
        match ty {
            Ty::F32 => u64::from(((self.pick(400) as f32 - 200.0) / 8.0).to_bits()),
            Ty::F64 => ((self.pick(400) as f64 - 200.0) / 8.0).to_bits(),
            _ => super::number::wrapped(ty, self.random.below(240) as i128 - 120),
        }
    }

    fn function(&mut self) {
        let inputs: Vec<usize> = self.all_of(Place::Input);
        let input = if self.chance(60) { Some(inputs[self.pick(inputs.len() as u64)]) } else { None };
        let returns = self.ty();
        (self.scope, self.next, self.within) = (Scope::default(), 0, Some((input, returns)));
        let mut params = Vec::new();
        for _ in 0..=self.pick(3) {
            let ty = self.ty();
            params.push((self.next, ty));
            self.scope.scalars.push((self.next, ty));
            self.next += 1;
        }
        let count = 1 + self.random.below(4);
        let mut body = self.statements(count, 1);
        body.push(self.returned(returns));
        self.program.functions.push(Function { params, input, returns, body, variables: self.next });
    }

    fn returned(&mut self, ty: Ty) -> Stmt {
        let e = self.expr(EXPR_DEPTH);
        Stmt::Return(coerced(e, ty))
    }

    fn all_of(&self, place: Place) -> Vec<usize> {
        self.program.arrays.iter().enumerate().filter(|(_, a)| a.place == place).map(|(i, _)| i).collect()
    }

    fn kernel(&mut self) {
        (self.scope, self.next, self.within) = (Scope::default(), 0, None);
        let mut body = Vec::new();
        for _ in 0..2 + self.pick(2) {
            body.push(self.declare());
        }
        for _ in 0..self.pick(2) {
            let (ty, each) = (self.ty(), 2 + self.pick(4));
            let index = self.program.arrays.len();
            let values = (0..each).map(|_| self.expr(1)).map(|e| coerced(e, ty)).collect();
            self.program.arrays.push(Array { place: Place::Thread, ty, each, contents: Vec::new() });
            body.push(Stmt::Array(index, values));
            self.scope.arrays.push(index);
        }
        let shared = self.all_of(Place::Shared);
        for array in &shared {
            for k in 0..self.program.arrays[*array].each {
                let ty = self.program.arrays[*array].ty;
                let index = Expr::Number(Ty::I32, k as u64);
                let e = self.expr(2);
                let to = Target::Element(Element { array: *array, index, own: true, member: None, ty });
                body.push(Stmt::Set(to, None, coerced(e, ty)));
            }
        }
        self.scope.arrays.extend(&shared);
        for _ in 0..1 + self.pick(3) {
            let count = 2 + self.random.below(4);
            body.extend(self.statements(count, STMT_DEPTH));
            if self.chance(50) {
                body.push(self.together());
            }
            if !shared.is_empty() {
                body.push(Stmt::Barrier);
                self.open = if self.open.is_empty() { shared.clone() } else { Vec::new() };
            }
        }
        for array in self.all_of(Place::Output) {
            let to = self.element(array, 1);
            let e = self.expr(EXPR_DEPTH);
            let e = coerced(e, to.ty);
            body.push(Stmt::Set(Target::Element(to), None, e));
        }
        (self.program.kernel, self.program.variables) = (body, self.next);
    }

    /// An exchange between the lanes of a warp, at a place that all threads reach.
    fn together(&mut self) -> Stmt {
        let v = self.next;
        self.next += 1;
        let e = self.expr(2);
        if self.chance(30) {
            self.scope.scalars.push((v, Ty::U32));
            return Stmt::Vote(v, Expr::Compare(Test::NotEqual, Box::new(e), Box::new(Expr::Number(Ty::I32, 0))));
        }
        let ty = [Ty::I32, Ty::U32, Ty::I64, Ty::U64, Ty::F32, Ty::F64][self.pick(6)];
        let e = Expr::Cast(ty, Box::new(coerced(e, ty)));
        self.scope.scalars.push((v, ty));
        Stmt::Exchange(v, ty, e, 1 + self.random.below(31) as u32)
    }

    /// Statements of a block, whose variables end with it.
    fn block(&mut self, depth: u32) -> Vec<Stmt> {
        let scope = self.scope.clone();
        let count = 1 + self.random.below(3);
        let all = self.statements(count, depth);
        self.scope = scope;
        all
    }

    fn statements(&mut self, count: u64, depth: u32) -> Vec<Stmt> {
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn declare(&mut self) -> Stmt {
        let (v, ty, e) = (self.next, self.ty(), self.expr(EXPR_DEPTH));
        self.next += 1;
        self.scope.scalars.push((v, ty));
        Stmt::Declare(v, ty, coerced(e, ty))
    }

    fn statement(&mut self, depth: u32) -> Stmt {
        let kind = self.pick(if depth > 0 { 24 } else { 12 });
        match kind {
            0..=2 => self.declare(),
            3 => self.compound(),
            4 if self.scope.structs.len() > 1 => {
                let n = self.scope.structs.len() as u64;
                let (a, b) = (self.pick(n), self.pick(n));
                Stmt::CopyStruct(self.scope.structs[a], self.scope.structs[b])
            }
            5 => self.atomic(),
            6 if self.breaks || self.continues => {
                let out = self.breaks && (!self.continues || self.chance(50));
                Stmt::Leave(self.expr(2), out)
            }
            7 => self.step(),
            8..=9 => self.changed(),
            12..=15 => {
                let c = self.expr(EXPR_DEPTH);
                let yes = self.block(depth - 1);
                let no = if self.chance(50) { self.block(depth - 1) } else { Vec::new() };
                Stmt::If(c, yes, no)
            }
            16..=19 if self.loops < 2 => self.round(depth),
            20 => self.switch(depth),
            21 => match self.within {
                Some((_, ty)) => {
                    let c = self.expr(2);
                    Stmt::If(c, vec![self.returned(ty)], Vec::new())
                }
                None => self.set(),
            },
            _ => self.set(),
        }
    }

    fn compound(&mut self) -> Stmt {
        let v = self.next;
        self.next += 1;
        let types = self.program.members.clone();
        let values = types.into_iter().map(|ty| (self.expr(2), ty)).map(|(e, ty)| coerced(e, ty)).collect();
        self.scope.structs.push(v);
        Stmt::Compound(v, values)
    }

    fn atomic(&mut self) -> Stmt {
        let counters = self.all_of(Place::Counters);
        if counters.is_empty() || self.within.is_some() {
            return self.set();
        }
        let array = counters[self.pick(counters.len() as u64)];
        let to = Element { array, index: self.whole(2), own: false, member: None, ty: self.program.arrays[array].ty };
        let e = self.expr(2);
        let e = Expr::Cast(to.ty, Box::new(coerced(e, to.ty)));
        Stmt::Atomic(to, e)
    }

    fn round(&mut self, depth: u32) -> Stmt {
        let (scope, flags) = (self.scope.clone(), (self.breaks, self.continues));
        let kind = self.pick(3);
        let counter = self.next;
        self.next += 1;
        let condition = match kind {
            0 if self.chance(50) => Expr::Number(Ty::I32, 1 + self.random.below(5)),
            0 => {
                let e = self.whole(2);
                let (e, most) = (Expr::Cast(Ty::I32, Box::new(e)), Expr::Number(Ty::I32, 3));
                Expr::Binary(Op::And, Box::new(e), Box::new(most), false)
            }
            _ => self.expr(2),
        };
        self.scope.counters.push(counter);
        (self.breaks, self.continues, self.loops) = (true, true, self.loops + 1);
        let body = self.block(depth - 1);
        (self.breaks, self.continues) = flags;
        self.loops -= 1;
        self.scope = scope;
        if kind > 0 {
            // The counter of these lives on in the block.
            self.scope.counters.push(counter);
        }
        match kind {
            0 => Stmt::For(counter, condition, body),
            1 => Stmt::While(counter, condition, body),
            _ => Stmt::Do(counter, condition, body),
        }
    }

    fn switch(&mut self, depth: u32) -> Stmt {
        let e = self.whole(2);
        let e = Expr::Binary(Op::And, Box::new(e), Box::new(Expr::Number(Ty::I32, 3)), false);
        let breaks = std::mem::replace(&mut self.breaks, false);
        let mut cases = Vec::new();
        for number in 0..3 {
            if self.chance(70) {
                let body = self.block(depth - 1);
                cases.push((number, body, self.chance(60)));
            }
        }
        let rest = self.block(depth - 1);
        self.breaks = breaks;
        Stmt::Switch(e, cases, rest)
    }

    /// Something that a statement may change.
    fn target(&mut self) -> Target {
        let scalars = self.scope.scalars.clone();
        match self.pick(4) {
            0 if !self.scope.structs.is_empty() => {
                let v = self.one_of(&self.scope.structs.clone());
                let m = self.pick(self.program.members.len() as u64);
                Target::Member(v, m, self.program.members[m])
            }
            1..=2 => {
                let places = [Place::Output, Place::Records];
                let mut all: Vec<usize> = places.into_iter().flat_map(|p| self.all_of(p)).collect();
                all.extend(self.scope.arrays.iter().filter(|a| !self.open.contains(a)));
                if self.within.is_some() || all.is_empty() {
                    let (v, ty) = scalars[self.pick(scalars.len() as u64)];
                    return Target::Variable(v, ty);
                }
                let array = all[self.pick(all.len() as u64)];
                Target::Element(self.element(array, 2))
            }
            _ => {
                let (v, ty) = scalars[self.pick(scalars.len() as u64)];
                Target::Variable(v, ty)
            }
        }
    }

    /// An element of an array that the thread may read.
    fn element(&mut self, array: usize, depth: u32) -> Element {
        let place = self.program.arrays[array].place;
        let all = matches!(place, Place::Input | Place::Constant) || self.open.contains(&array);
        let index = self.whole(depth);
        let member = (place == Place::Records).then(|| self.pick(self.program.members.len() as u64));
        let ty = member.map_or(self.program.arrays[array].ty, |m| self.program.members[m]);
        Element { array, index, own: !all, member, ty }
    }

    fn set(&mut self) -> Stmt {
        let to = self.target();
        let e = self.expr(EXPR_DEPTH);
        let e = coerced(e, to.ty());
        Stmt::Set(to, None, e)
    }

    /// `++` on what may wrap around.
    fn step(&mut self) -> Stmt {
        let to = self.target();
        if matches!(to.ty(), Ty::I32 | Ty::I64) {
            return self.set();
        }
        Stmt::Step(to, self.chance(50))
    }

    /// `target op= value`
    fn changed(&mut self) -> Stmt {
        let to = self.target();
        let (ty, e) = (to.ty(), self.expr(EXPR_DEPTH));
        let e = coerced(e, ty);
        if ty.is_float() {
            let op = [Op::Add, Op::Sub, Op::Mul][self.pick(3)];
            return Stmt::Set(to, Some(op), e);
        }
        if matches!(ty, Ty::I32 | Ty::I64) {
            let op = [Op::And, Op::Or, Op::Xor][self.pick(3)];
            return Stmt::Set(to, Some(op), e);
        }
        let op = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem, Op::Xor][self.pick(6)];
        let e = Box::new(e);
        Stmt::Set(to, Some(op), if matches!(op, Op::Div | Op::Rem) { Expr::Divisor(e) } else { Expr::Narrow(e) })
    }
}
