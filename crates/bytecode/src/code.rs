//! The bytecode: three-address instructions on registers of 32 lanes, in blocks that follow the order of the text.
//!
//! A register holds 32 bits per lane, or 64 bits if its number has the bit [`WIDE`]. Constants, parameters and thread
//! indices are registers that are filled before the warp starts.
//!
//! A warp always runs the group of lanes whose block comes first in the layout. Groups that reach the same block merge.
//! This gives reconvergence for structured code and is also correct for `goto`.

use std::rc::Rc;

/// Number of a register. The bit [`WIDE`] is part of it.
pub type Reg = u32;
/// Marks a register of 64 bits per lane.
pub const WIDE: Reg = 1 << 31;
/// Stands for an absent register.
pub const NONE: Reg = u32::MAX;

/// Position of a block in [`Program::blocks`].
pub type BlockId = u32;

/// The type as which arithmetic interprets a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each name says all")]
pub enum Num {
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Num {
    /// Whether a value takes 64 bits.
    pub fn wide(self) -> bool {
        matches!(self, Num::I64 | Num::U64 | Num::F64)
    }

    /// Whether it is a floating-point type.
    pub fn float(self) -> bool {
        matches!(self, Num::F32 | Num::F64)
    }
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each name says all")]
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
    /// The upper half of the product.
    MulHigh,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each name says all")]
pub enum Cmp {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each name says all")]
pub enum Un {
    Neg,
    /// Inverts all bits.
    Complement,
    /// 1 for 0, otherwise 0.
    Not,
    Abs,
    Popc,
    Clz,
    Ffs,
    Brev,
    /// Keeps the low 8 or 16 bits and extends them with zeros or with the sign.
    Narrow(Mem),
}

/// Functions of floats, computed by `libm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each name says all")]
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
    // Intrinsics of `float`, such as `__sinf`. They give the values of the functions without `Fast`.
    FastSin,
    FastCos,
    FastTan,
    FastExp,
    FastExp10,
    FastLog,
    FastLog2,
    FastLog10,
    FastPow,
    FastDivide,
}

/// The size and sign of a value in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each name says all")]
pub enum Mem {
    I8,
    U8,
    I16,
    U16,
    B32,
    B64,
}

impl Mem {
    /// Its size in memory.
    pub fn bytes(self) -> u32 {
        match self {
            Mem::I8 | Mem::U8 => 1,
            Mem::I16 | Mem::U16 => 2,
            Mem::B32 => 4,
            Mem::B64 => 8,
        }
    }
}

/// The operation of an atomic access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each name says all")]
pub enum Atomic {
    Add,
    /// Adds one, and no thread uses the old value.
    Count,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareExchange,
    /// Counts up to the operand, then continues at 0.
    Increment,
    Decrement,
}

/// How a shuffle finds its source lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each name says all")]
pub enum Shuffle {
    Index,
    Up,
    Down,
    Xor,
}

/// Votes and reductions over the active lanes of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each name says all")]
pub enum Vote {
    Any,
    All,
    Ballot,
    Active,
    /// The lanes that have an equal value.
    Match,
    /// The sum over the active lanes. The other reductions work alike.
    ReduceAdd,
    ReduceMin,
    ReduceMax,
    ReduceAnd,
    ReduceOr,
}

/// The operation of an instruction. Comments list the operands in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Copies the operand.
    Mov,
    /// An operator of two operands of one type.
    Bin(Bin, Num),
    /// A comparison of two operands of one type. The result is 1 or 0.
    Cmp(Cmp, Num),
    /// An operator of one operand.
    Un(Un, Num),
    /// `a * b + c` with one rounding.
    Fma(Num),
    /// `c ? a : b` of the operands c, a and b.
    Select,
    /// Converts from the first type to the second.
    Convert(Num, Num),
    /// Float to integer with an explicit rounding. [`Op::Convert`] rounds to zero.
    Round(Num, Num, Rounding),
    /// Pointer plus index times `imm`. The type is that of the index.
    Index(Num),
    /// Loads from the address in its operand plus `imm`.
    Load(Mem),
    /// Address and value.
    Store(Mem),
    /// Address, value, and the new value of a compare-and-exchange. The type decides about signs and floats.
    Atomic(Atomic, Num),
    /// A function of one or two floats.
    Math(Math, Num),
    /// Value, lane and width.
    Shuffle(Shuffle),
    /// The value that each lane votes with.
    Vote(Vote),
    /// Texture handle, x, y and z.
    Texture(Fetch),
    /// The address in a surface: its handle, the byte in the row, and the row with the layer in the upper 16 bits. An
    /// `imm` above 0 keeps elements of so many bytes inside.
    Surface,
    /// Prints with the [`PrintCall`] of number `imm`.
    Print,
    /// Stops the launch if the operand is 0 in an active lane.
    Assert,
    /// The machine instructions so far, as a clock.
    Clock,
    /// Bits of x and y selected by a shift (`__funnelshift_r`).
    Funnel,
    /// Bytes of x and y chosen by selectors (`__byte_perm`).
    BytePerm,
    /// The result of a reducing barrier: the count, all or any of the values for an `imm` of 0, 1 or 2.
    BarrierResult,
    /// Counts as an instruction and does nothing. Fences become this. An `imm` other than 0 says that the barrier behind it
    /// is one of the whole grid.
    Nothing,
}

/// Rounding of a float to an integer. `Nearest` rounds ties to even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each name says all")]
pub enum Rounding {
    Nearest,
    Up,
    Down,
}

/// A texture fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fetch {
    /// Number of coordinates.
    pub dimensions: u8,
    /// The coordinate is an integer (`tex1Dfetch`).
    pub whole: bool,
    /// Which channel of the texel is fetched.
    pub channel: u8,
    /// The result is an integer.
    pub integer: bool,
    /// The last coordinate is the number of a layer.
    pub layered: bool,
    /// Integers are read as floats from 0 or -1 to 1.
    pub unit: bool,
}

/// The [`Ins::record`] of an access that leaves no trace.
pub const SILENT: u32 = u32::MAX;

/// An instruction. All its lanes compute the same operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Ins {
    /// The operation with its types.
    pub op: Op,
    /// The register of the result, or [`NONE`].
    pub dst: Reg,
    /// The operands. Unused ones are [`NONE`].
    pub args: [Reg; 4],
    /// Byte offset of a memory access, scale of an index, or number of a text.
    pub imm: i64,
    /// Source line.
    pub line: u32,
    /// Bytes per lane that the trace records, or [`SILENT`]. A `float4` is one recorded access of 16 bytes and three
    /// silent loads.
    pub record: u32,
    /// What the compiler may assume about the accessed memory.
    pub promise: Promise,
    /// Machine instructions that it stands for, in 64ths of a warp instruction.
    pub cost: u16,
    /// For a load or an atomic, what the compiler may do about its order. `None` if the code is as written.
    pub schedule: Option<Schedule>,
}

/// The freedom that a compiler has with a load, counted in the order of the bytecode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Schedule {
    /// Recorded accesses before the load that it may be issued ahead of.
    pub hoist: u16,
    /// Warp instructions between the load and the first use of its value, or [`Schedule::NEVER`].
    pub use_after: u16,
}

impl Schedule {
    /// Nobody uses the value.
    pub const NEVER: u16 = u16::MAX;
}

/// What the text promises about an access. The optimiser needs it to decide which accesses may touch the same memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promise {
    /// Number of the `__restrict__` pointer that the address comes from, 0 if none.
    pub restrict: u16,
    /// Constant data, or a load by `__ldg`.
    pub read_only: bool,
    /// An access through `volatile`, which must neither go nor move.
    pub volatile: bool,
    /// The memory space, as far as the text tells.
    pub space: MemorySpace,
    /// All lanes of a warp update one word, and the compiler lets one lane make the atomic for all.
    pub gathered: bool,
}

/// A memory space. `Unknown` is a pointer whose space shows at run time only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each name says all")]
pub enum MemorySpace {
    #[default]
    Unknown,
    Global,
    Shared,
    Local,
    Constant,
}

impl Ins {
    /// An instruction that records no access and costs one machine instruction.
    pub fn new(op: Op, dst: Reg, args: &[Reg], line: u32) -> Self {
        let mut all = [NONE; 4];
        all[..args.len()].copy_from_slice(args);
        Self { op, dst, args: all, imm: 0, line, record: SILENT, promise: Promise::default(), cost: 64, schedule: None }
    }
}

/// How a block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// All lanes go to the block.
    Jump(BlockId),
    /// Lanes with a non-zero register go to `yes`, the others to `no`.
    Branch {
        /// The condition.
        on: Reg,
        /// Target of lanes where the condition holds.
        yes: BlockId,
        /// Target of the other lanes.
        no: BlockId,
    },
    /// `__syncthreads` and the reducing barriers.
    Barrier {
        /// The block behind the barrier.
        next: BlockId,
        /// The operand of `__syncthreads_count` and the other reducing barriers, or [`NONE`].
        on: Reg,
    },
    /// The lanes end.
    Exit,
}

impl Terminator {
    /// The same terminator with its targets renumbered.
    #[must_use]
    pub fn with_targets(self, to: impl Fn(BlockId) -> BlockId) -> Self {
        match self {
            Self::Jump(block) => Self::Jump(to(block)),
            Self::Branch { on, yes, no } => Self::Branch { on, yes: to(yes), no: to(no) },
            Self::Barrier { next, on } => Self::Barrier { next: to(next), on },
            Self::Exit => Self::Exit,
        }
    }
}

/// A basic block: instructions that run one after another, and a terminator.
#[derive(Clone, Debug)]
pub struct Block {
    /// The instructions in order.
    pub ins: Vec<Ins>,
    /// The terminator.
    pub end: Terminator,
    /// Source line of the terminator.
    pub line: u32,
    /// Machine instructions that the terminator stands for, in 64ths. It is 0 for a jump to the block that follows in
    /// the layout.
    pub end_cost: u32,
    /// Machine instructions of the block that wait for the result of the one before, in 64ths.
    pub waiting: u32,
    /// The copies that `#pragma unroll` asks for, 0 for all, if the terminator is the test of such a loop.
    pub pragma: Option<u32>,
}

/// A special register: a value that a thread reads and no instruction computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpecialRegister {
    /// `threadIdx`. The number is 0, 1 or 2 for x, y or z, as in the following ones.
    ThreadIdx(u8),
    /// `blockIdx`.
    BlockIdx(u8),
    /// `blockDim`.
    BlockDim(u8),
    /// `gridDim`.
    GridDim(u8),
    /// The lane of the thread in its warp.
    Lane,
}

/// A call of `printf`: the format string and its values.
#[derive(Clone, Debug)]
pub struct PrintCall {
    /// The format string.
    pub format: Rc<str>,
    /// The values, in registers. A text has no register.
    pub args: Vec<(Reg, PrintArg)>,
}

/// How `printf` reads an argument.
#[derive(Clone, Debug)]
pub enum PrintArg {
    /// A number of this type.
    Number(Num),
    /// A string literal.
    Text(Rc<str>),
}

/// A shared or local array of a kernel.
#[derive(Clone, Debug)]
pub struct KernelArray {
    /// Its name in the text, for messages.
    pub name: Rc<str>,
    /// Its size, without dynamic shared memory.
    pub bytes: u64,
    /// Alignment of its address in bytes.
    pub align: u64,
    /// Bytes of an element, to report an index instead of an offset.
    pub element: u64,
    /// Shared or local memory.
    pub space: MemorySpace,
    /// The register that holds its address.
    pub reg: Reg,
    /// Whether the launch's dynamic shared memory extends it.
    pub dynamic: bool,
    /// Whether the compiler would keep it in registers. Its accesses then leave no trace.
    pub hidden: bool,
}

/// A pointer parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerParam {
    /// The register that holds the pointer.
    pub reg: Reg,
    /// Whether it is `__restrict__`.
    pub restrict: bool,
    /// Whether it points to constant data.
    pub constant: bool,
    /// Alignment of its target in bytes.
    pub align: u32,
}

/// A kernel in bytecode.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The blocks in layout order. The first one is the entry.
    pub blocks: Vec<Block>,
    /// Number of 32-bit registers.
    pub narrow: u32,
    /// Number of 64-bit registers.
    pub wide: u32,
    /// Constant registers and their values.
    pub constants: Vec<(Reg, u64)>,
    /// Registers that are filled with special values.
    pub specials: Vec<(Reg, SpecialRegister)>,
    /// For each parameter, its scalars: the register, the offset in the argument, and the size there.
    pub params: Vec<Vec<(Reg, u32, Mem)>>,
    /// The parameters that are pointers.
    pub pointers: Vec<PointerParam>,
    /// The shared and local arrays.
    pub variables: Vec<KernelArray>,
    /// The file's variables that the kernel uses: the name, and the register of the address or of the texture handle.
    pub globals: Vec<(Rc<str>, Reg)>,
    /// The calls of `printf`, which [`Op::Print`] numbers.
    pub prints: Vec<PrintCall>,
    /// The texts of assertions, which [`Op::Assert`] numbers.
    pub asserts: Vec<Rc<str>>,
    /// Registers per thread, as estimated for the kernel as compiled, or 0.
    pub registers: u32,
}

impl Program {
    /// The variables in their order in memory. Dynamic shared memory comes last.
    pub fn variables_in_order(&self) -> impl Iterator<Item = &KernelArray> {
        let of = |dynamic: bool| self.variables.iter().filter(move |v| v.dynamic == dynamic);
        of(false).chain(of(true))
    }
}
