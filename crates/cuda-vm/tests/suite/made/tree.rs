//! The tree of a made-up program: what the generator grows, the printer writes as CUDA and the interpreter runs.

/// An arithmetic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

pub const TYPES: [Ty; 10] = [Ty::I8, Ty::U8, Ty::I16, Ty::U16, Ty::I32, Ty::U32, Ty::I64, Ty::U64, Ty::F32, Ty::F64];

impl Ty {
    pub fn name(self) -> &'static str {
        match self {
            Self::I8 => "signed char",
            Self::U8 => "unsigned char",
            Self::I16 => "short",
            Self::U16 => "unsigned short",
            Self::I32 => "int",
            Self::U32 => "unsigned",
            Self::I64 => "long long",
            Self::U64 => "unsigned long long",
            Self::F32 => "float",
            Self::F64 => "double",
        }
    }

    pub fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// The type after integral promotion (C++17, 7.6).
    pub fn promoted(self) -> Self {
        match self {
            Self::I8 | Self::U8 | Self::I16 | Self::U16 => Self::I32,
            other => other,
        }
    }

    /// The type after the usual arithmetic conversions (C++17, 8.5.1.5): the higher of both in the order of ranks.
    pub fn common(self, other: Self) -> Self {
        const RANKS: [Ty; 6] = [Ty::I32, Ty::U32, Ty::I64, Ty::U64, Ty::F32, Ty::F64];
        let rank = |ty: Self| RANKS.iter().position(|r| *r == ty.promoted()).unwrap_or(0);
        RANKS[rank(self).max(rank(other))]
    }

    /// The unsigned type of the same width.
    pub fn unsigned(self) -> Self {
        match self {
            Self::I32 => Self::U32,
            Self::I64 => Self::U64,
            other => other,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

impl Op {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Test {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
        }
    }
}

/// A function of one unsigned number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    Count,
    LeadingZeros,
    FirstSet,
    Reversed,
}

/// A number that the hardware gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Built {
    Thread,
    Block,
    /// `blockIdx.x * blockDim.x + threadIdx.x`, a variable of the kernel.
    Global,
}

#[derive(Clone, Debug)]
pub enum Expr {
    Number(Ty, u64),
    /// A scalar variable of the function.
    Variable(usize, Ty),
    /// A member of a variable of struct type.
    Member(usize, usize, Ty),
    Built(Built),
    Read(Box<Element>),
    /// Signed sums and products wrap around where the last field says so. Elsewhere they are small.
    Binary(Op, Box<Expr>, Box<Expr>, bool),
    Compare(Test, Box<Expr>, Box<Expr>),
    Both(Box<Expr>, Box<Expr>),
    Either(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(Ty, Box<Expr>),
    /// The remainder by 1000, or by 100 of a single byte's promotion.
    Narrow(Box<Expr>),
    /// An odd number near zero.
    Divisor(Box<Expr>),
    /// The low four bits.
    Shift(Box<Expr>),
    /// A float between -1000 and 1000. Not a number becomes -1000.
    Clamp(Box<Expr>),
    /// A product of floats that is rounded by itself.
    Product(Box<Expr>, Box<Expr>),
    Fma(Box<Expr>, Box<Expr>, Box<Expr>),
    Root(Box<Expr>),
    Bits(Bits, Box<Expr>),
    /// `min` or `max` of two numbers of one integer type.
    Extreme(bool, Box<Expr>, Box<Expr>),
    /// A call of a function of the program.
    Call(usize, Ty, Vec<Expr>),
}

impl Expr {
    pub fn ty(&self) -> Ty {
        match self {
            Self::Number(ty, _) | Self::Variable(_, ty) | Self::Member(_, _, ty) | Self::Cast(ty, _) => *ty,
            Self::Call(_, ty, _) => *ty,
            Self::Built(_) => Ty::U32,
            Self::Read(element) => element.ty,
            Self::Binary(Op::Shl | Op::Shr, a, _, _) => a.ty().promoted(),
            Self::Binary(_, a, b, _) => a.ty().common(b.ty()),
            Self::Compare(..) | Self::Both(..) | Self::Either(..) | Self::Not(_) => Ty::I32,
            Self::Choose(_, a, b) => a.ty().common(b.ty()),
            Self::Narrow(a) | Self::Divisor(a) | Self::Shift(a) => a.ty().promoted(),
            Self::Clamp(a) | Self::Product(a, _) | Self::Fma(a, ..) | Self::Root(a) | Self::Extreme(_, a, _) => a.ty(),
            Self::Bits(Bits::Reversed, _) => Ty::U32,
            Self::Bits(..) => Ty::I32,
        }
    }
}

/// An element of an array, or a member of it.
#[derive(Clone, Debug)]
pub struct Element {
    pub array: usize,
    /// Any number. The printer brings it into the range that the thread may use.
    pub index: Expr,
    /// Whether the index is among the elements that belong to the thread.
    pub own: bool,
    pub member: Option<usize>,
    pub ty: Ty,
}

#[derive(Clone, Debug)]
pub enum Target {
    Variable(usize, Ty),
    Member(usize, usize, Ty),
    Element(Element),
}

impl Target {
    pub fn ty(&self) -> Ty {
        match self {
            Self::Variable(_, ty) | Self::Member(_, _, ty) => *ty,
            Self::Element(element) => element.ty,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Declare(usize, Ty, Expr),
    /// A variable of struct type with the values of its members.
    Compound(usize, Vec<Expr>),
    /// One variable of struct type takes the value of another.
    CopyStruct(usize, usize),
    /// An array of the thread with the values of its elements.
    Array(usize, Vec<Expr>),
    Set(Target, Option<Op>, Expr),
    /// `++` or `--`.
    Step(Target, bool),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `for (int v = 0; v < bound; v++)`
    For(usize, Expr, Vec<Stmt>),
    /// `int v = 0; while (v < 4 && condition) { v++; … }`
    While(usize, Expr, Vec<Stmt>),
    /// `int v = 0; do { v++; … } while (v < 4 && condition);`
    Do(usize, Expr, Vec<Stmt>),
    /// `if (condition) break;`, or `continue`.
    Leave(Expr, bool),
    /// Cases with their numbers, each with or without a `break`, then the default.
    Switch(Expr, Vec<(u64, Vec<Stmt>, bool)>, Vec<Stmt>),
    Return(Expr),
    Barrier,
    /// Adds to an element, and does not use the old value.
    Atomic(Element, Expr),
    /// A variable takes the value of the lane whose number differs by the bits of the last field.
    Exchange(usize, Ty, Expr, u32),
    /// A variable of type `unsigned` takes the lanes whose condition holds.
    Vote(usize, Expr),
}

/// Where an array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A constant input. All threads read all of it.
    Input,
    /// Each thread has as many elements as the field `each` says.
    Output,
    /// Output with elements of the struct.
    Records,
    /// Numbers that all threads add to.
    Counters,
    Shared,
    Constant,
    Thread,
}

#[derive(Clone, Debug)]
pub struct Array {
    pub place: Place,
    pub ty: Ty,
    /// Elements of a thread, or of the whole array where threads share it.
    pub each: usize,
    /// The numbers of an input, of constants and of counters.
    pub contents: Vec<u64>,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub params: Vec<(usize, Ty)>,
    /// The number of the array that it takes as a pointer.
    pub input: Option<usize>,
    pub returns: Ty,
    pub body: Vec<Stmt>,
    pub variables: usize,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub blocks: usize,
    pub threads: usize,
    /// The types of the members of the struct.
    pub members: Vec<Ty>,
    pub arrays: Vec<Array>,
    pub functions: Vec<Function>,
    pub kernel: Vec<Stmt>,
    /// Number of variables of the kernel.
    pub variables: usize,
}

impl Program {
    /// The elements of an array.
    pub fn elements(&self, array: &Array) -> usize {
        match array.place {
            Place::Output | Place::Records => array.each * self.blocks * self.threads,
            Place::Shared => array.each * self.threads,
            Place::Input | Place::Counters | Place::Constant | Place::Thread => array.each,
        }
    }

    /// The offsets of the struct's members, and its size.
    pub fn layout(&self) -> (Vec<usize>, usize) {
        let (mut at, mut align, mut offsets) = (0usize, 1, Vec::new());
        for ty in &self.members {
            at = at.next_multiple_of(ty.bytes());
            offsets.push(at);
            at += ty.bytes();
            align = align.max(ty.bytes());
        }
        (offsets, at.next_multiple_of(align))
    }
}
