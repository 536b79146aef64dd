//! The bytecode: three-address instructions on registers of 32 lanes, in blocks laid out in the order of the text.
//!
//! A register holds 32 bits per lane, or 64 where its number has the bit [`WIDE`]. Constants, parameters and indices of
//! threads are registers that are filled before the warp starts. A warp runs the group of lanes whose block comes first in
//! the layout; groups that meet in a block become one. That is reconvergence for structured code, and right for `goto`.

use std::rc::Rc;

/// Number of a register.
pub type Reg = u32;
/// Marks registers of 64 bits per lane.
pub const WIDE: Reg = 1 << 31;
/// No register.
pub const NONE: Reg = u32::MAX;

/// Number of a block.
pub type BlockId = u32;

/// How arithmetic takes a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Num {
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Num {
    pub fn wide(self) -> bool {
        matches!(self, Num::I64 | Num::U64 | Num::F64)
    }

    pub fn float(self) -> bool {
        matches!(self, Num::F32 | Num::F64)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bin {
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
    Min,
    Max,
    /// Upper half of the product.
    MulHigh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cmp {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Un {
    Neg,
    /// All bits.
    Complement,
    /// 1 for 0, else 0.
    Not,
    Abs,
    Popc,
    Clz,
    Ffs,
    Brev,
    /// Keeps the low 8 or 16 bits, signed or not.
    Narrow(Mem),
}

/// Functions of floats, computed by `libm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Math {
    Sqrt,
    Rsqrt,
    Cbrt,
    Recip,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    Exp2,
    Exp10,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Floor,
    Ceil,
    Trunc,
    Round,
    Rint,
    Erf,
    Erfc,
    Lgamma,
    Gamma,
    Saturate,
    IsNan,
    IsInf,
    IsFinite,
    SignBit,
    SinPi,
    CosPi,
    Pow,
    Atan2,
    Fmod,
    Remainder,
    Hypot,
    CopySign,
    Fdim,
    Ldexp,
    NextAfter,
}

/// How a value lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mem {
    I8,
    U8,
    I16,
    U16,
    B32,
    B64,
}

impl Mem {
    pub fn bytes(self) -> u32 {
        match self {
            Mem::I8 | Mem::U8 => 1,
            Mem::I16 | Mem::U16 => 2,
            Mem::B32 => 4,
            Mem::B64 => 8,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atomic {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareExchange,
    /// Up to the operand, then 0.
    Increment,
    Decrement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shuffle {
    Index,
    Up,
    Down,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vote {
    Any,
    All,
    Ballot,
    Active,
    /// Lanes with an equal value.
    Match,
    /// Sum, minimum … over the active lanes.
    ReduceAdd,
    ReduceMin,
    ReduceMax,
    ReduceAnd,
    ReduceOr,
}

/// What an instruction does to its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Mov,
    Bin(Bin, Num),
    Cmp(Cmp, Num),
    Un(Un, Num),
    /// `a * b + c` with one rounding.
    Fma(Num),
    /// `c ? a : b` of the operands c, a, b.
    Select,
    Convert(Num, Num),
    /// Float to integer, rounded to nearest even, up or down instead of to zero.
    Round(Num, Num, Rounding),
    /// Pointer plus index (of this type) times `imm`.
    Index(Num),
    Load(Mem),
    /// Address, value.
    Store(Mem),
    /// Address, value, and the new value of a compare-and-exchange; the type decides signs and floats.
    Atomic(Atomic, Num),
    Math(Math, Num),
    /// Value, lane, width.
    Shuffle(Shuffle),
    Vote(Vote),
    /// Handle, x, y, z; `imm` is the channel and whether coordinates are whole numbers.
    Texture(Fetch),
    /// 0, 1 or 2 for x, y or z.
    Print,
    /// Stops where the operand is 0.
    Assert,
    Clock,
    /// Bits of x, y selected by a shift: `__funnelshift_r`, `__byte_perm`.
    Funnel,
    BytePerm,
    /// The result of the barrier's reduction.
    BarrierResult,
    /// Counts as an instruction, does nothing: fences.
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    Nearest,
    Up,
    Down,
}

/// A texture fetch: dimensions, and whether coordinates are integers (`tex1Dfetch`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fetch {
    pub dimensions: u8,
    pub whole: bool,
    pub channel: u8,
    /// The result is an integer.
    pub integer: bool,
}

/// No access is recorded.
pub const SILENT: u32 = u32::MAX;

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Ins {
    pub op: Op,
    pub dst: Reg,
    pub args: [Reg; 4],
    /// Byte offset of memory accesses, scale of an index, number of a text.
    pub imm: i64,
    pub line: u32,
    /// Bytes that the access is recorded with (a float4 is one access of four loads), or [`SILENT`].
    pub record: u32,
    /// What the compiler may assume about the memory that is accessed.
    pub promise: Promise,
    /// Warp instructions that it stands for, in 1/64.
    pub cost: u16,
}

/// What the text promises about an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promise {
    /// Through a `__restrict__` pointer, numbered; 0 for none.
    pub restrict: u16,
    /// Of constant data, or `__ldg`.
    pub read_only: bool,
    pub volatile: bool,
    /// Known to be shared, local, constant or global memory.
    pub space: Known,
}

/// A memory space, as far as the text tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Known {
    #[default]
    Unknown,
    Global,
    Shared,
    Local,
    Constant,
}

impl Ins {
    pub fn new(op: Op, dst: Reg, args: &[Reg], line: u32) -> Self {
        let mut all = [NONE; 4];
        all[..args.len()].copy_from_slice(args);
        Self { op, dst, args: all, imm: 0, line, record: SILENT, promise: Promise::default(), cost: 64 }
    }
}

/// How a block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Jump(BlockId),
    /// Where the register is not 0, `yes`.
    Branch {
        on: Reg,
        yes: BlockId,
        no: BlockId,
    },
    /// `__syncthreads`; `on` is what `__syncthreads_count` and its kin reduce.
    Barrier {
        next: BlockId,
        on: Reg,
    },
    Exit,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub ins: Vec<Ins>,
    pub end: End,
    /// Line of the end.
    pub line: u32,
    /// Warp instructions that the end stands for, in 1/64; 0 for a jump to what follows anyway.
    pub end_cost: u32,
    /// `#pragma unroll` of the loop whose test the end is: copies, 0 for all.
    pub pragma: Option<u32>,
}

/// A number that a thread finds in its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Special {
    ThreadIdx(u8),
    BlockIdx(u8),
    BlockDim(u8),
    GridDim(u8),
    Lane,
}

/// A text with its values for `printf`.
#[derive(Clone, Debug)]
pub struct Print {
    pub format: Rc<str>,
    pub args: Vec<(Reg, PrintArg)>,
}

#[derive(Clone, Debug)]
pub enum PrintArg {
    Number(Num),
    Text(Rc<str>),
}

/// A shared or local array of the kernel.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Rc<str>,
    pub bytes: u64,
    pub align: u64,
    /// Bytes of an element, to tell an index.
    pub element: u64,
    pub space: Known,
    /// Register that holds its address.
    pub reg: Reg,
    /// Grows by the launch's dynamic shared memory.
    pub dynamic: bool,
    /// Local memory that the compiler would keep in registers: its accesses leave no trace.
    pub hidden: bool,
}

/// A pointer that the launch gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerParam {
    pub reg: Reg,
    pub restrict: bool,
    /// To constant data.
    pub constant: bool,
    /// Alignment of what it points to, bytes.
    pub align: u32,
}

/// A kernel, lowered.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub blocks: Vec<Block>,
    /// Registers of 32 and 64 bits.
    pub narrow: u32,
    pub wide: u32,
    pub constants: Vec<(Reg, u64)>,
    pub specials: Vec<(Reg, Special)>,
    /// One list per parameter: where its scalars go, and how they lie in the argument.
    pub params: Vec<Vec<(Reg, u32, Mem)>>,
    /// Parameters that are pointers.
    pub pointers: Vec<PointerParam>,
    pub variables: Vec<Variable>,
    /// Globals of the file that are used: name and the register of the address (or of the texture's handle).
    pub globals: Vec<(Rc<str>, Reg)>,
    pub prints: Vec<Print>,
    pub asserts: Vec<Rc<str>>,
}

impl Program {
    /// Variables as they lie in memory: dynamic shared memory behind all other.
    pub fn variables_in_order(&self) -> impl Iterator<Item = &Variable> {
        let of = |dynamic: bool| self.variables.iter().filter(move |v| v.dynamic == dynamic);
        of(false).chain(of(true))
    }
}
