//! The syntax tree. It keeps types as they are written. Lowering resolves names, once per instantiation of a template.

use crate::syntax::token::{IntLiteral, Name, Pos, TextFault};
use std::rc::Rc;

/// Built-in arithmetic types. `long` has 64 bits and `char` is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    Void,
    Bool,
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

/// A name with its namespaces and classes, such as `a::B<int>::c`.
#[derive(Clone, Debug)]
pub struct Path {
    pub parts: Vec<(Name, Option<Rc<Vec<TemplateArg>>>)>,
}

impl Path {
    pub fn simple(name: Name) -> Self {
        Self { parts: vec![(name, None)] }
    }

    pub fn last(&self) -> &Name {
        &self.parts[self.parts.len() - 1].0
    }

    /// Template arguments of the last name.
    pub fn args(&self) -> Option<&Rc<Vec<TemplateArg>>> {
        self.parts[self.parts.len() - 1].1.as_ref()
    }

    /// The name of a path that has one part and no template arguments.
    pub fn plain(&self) -> Option<&Name> {
        match &self.parts[..] {
            [(name, None)] => Some(name),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub enum TemplateArg {
    Type(TypeExpr),
    /// A value, or a name that may turn out to be a type.
    Value(Expr),
}

#[derive(Clone, Debug)]
pub struct TypeExpr {
    pub kind: TypeKind,
    pub constant: bool,
    pub volatile: bool,
    pub pos: Pos,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    Scalar(Scalar),
    Named(Path),
    Pointer(Box<TypeExpr>, Restrict),
    Reference(Box<TypeExpr>),
    Array(Box<TypeExpr>, Option<Box<Expr>>),
    Auto,
    Decltype(Box<Expr>),
    /// A member of some bits: the declared type and the number of bits.
    Bits(Box<TypeExpr>, Box<Expr>),
}

/// Whether a pointer is `__restrict__`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Restrict {
    Yes,
    No,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub pos: Pos,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Minus,
    Plus,
    Not,
    Complement,
    Deref,
    Address,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
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
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    LogicalAnd,
    LogicalOr,
}

impl BinaryOp {
    /// The operator as it is written.
    pub fn sign(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            And => "&",
            Or => "|",
            Xor => "^",
            Shl => "<<",
            Shr => ">>",
            Less => "<",
            Greater => ">",
            LessEqual => "<=",
            GreaterEqual => ">=",
            Equal => "==",
            NotEqual => "!=",
            LogicalAnd => "&&",
            LogicalOr => "||",
        }
    }

    /// Whether its value is 0 or 1.
    pub fn is_truth(self) -> bool {
        use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, LogicalAnd, LogicalOr, NotEqual};
        matches!(self, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | LogicalAnd | LogicalOr)
    }

    /// How strongly it binds its operands.
    pub fn level(self) -> u8 {
        use BinaryOp::*;
        match self {
            LogicalOr => 1,
            LogicalAnd => 2,
            Or => 3,
            Xor => 4,
            And => 5,
            Equal | NotEqual => 6,
            Less | Greater | LessEqual | GreaterEqual => 7,
            Shl | Shr => 8,
            Add | Sub => 9,
            Mul | Div | Rem => 10,
        }
    }

    /// The value for two whole numbers. `None` if there is none, as for a division by 0.
    pub fn of_numbers(self, x: i64, y: i64) -> Option<i64> {
        use BinaryOp::*;
        Some(match self {
            Add => x.wrapping_add(y),
            Sub => x.wrapping_sub(y),
            Mul => x.wrapping_mul(y),
            Div => x.checked_div(y)?,
            Rem => x.checked_rem(y)?,
            And => x & y,
            Or => x | y,
            Xor => x ^ y,
            Shl => x.checked_shl(u32::try_from(y).ok()?)?,
            Shr => x.checked_shr(u32::try_from(y).ok()?)?,
            LogicalAnd => i64::from(x != 0 && y != 0),
            LogicalOr => i64::from(x != 0 || y != 0),
            _ => i64::from(self.compare(x, y)?),
        })
    }

    /// Whether the comparison holds. `None` if the operator is none.
    pub fn compare<T: PartialOrd>(self, x: T, y: T) -> Option<bool> {
        use BinaryOp::*;
        Some(match self {
            Less => x < y,
            Greater => x > y,
            LessEqual => x <= y,
            GreaterEqual => x >= y,
            Equal => x == y,
            NotEqual => x != y,
            _ => return None,
        })
    }
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(IntLiteral),
    Float(f64, bool),
    Bool(bool),
    Char(i32),
    Str(Name),
    Name(Path),
    This,
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    Ternary(Box<Expr>, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    /// Object, member and template arguments. `a->b` is a member of the dereference of `a`.
    Member(Box<Expr>, Name, Option<Rc<Vec<TemplateArg>>>),
    Index(Box<Expr>, Box<Expr>),
    /// A member of a struct, or an element of an array, by its number.
    Nth(Box<Expr>, usize),
    /// `(T)x`, `static_cast<T>(x)` and the other casts. The flag marks `reinterpret_cast`.
    Cast(TypeExpr, Box<Expr>, bool),
    /// `T(a, b)` or `T{a, b}`.
    Construct(TypeExpr, Vec<Expr>),
    List(Vec<Expr>),
    SizeofType(TypeExpr),
    AlignofType(TypeExpr),
    SizeofExpr(Box<Expr>),
    Lambda(Rc<Function>),
    /// `f(x)...` or `x...`, once for each element of the packs in it.
    Expand(Box<Expr>),
    /// `sizeof...(x)`.
    PackSize(Name),
    /// `(x + ...)`, `(... + x)` with the first value, if there is one.
    Fold(BinaryOp, Box<Expr>, Option<Box<Expr>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Automatic,
    Shared,
    /// `extern __shared__ T x[];`
    DynamicShared,
    Constant,
    Device,
    Static,
    Constexpr,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    pub ty: TypeExpr,
    pub storage: Storage,
    pub init: Option<Init>,
    pub pos: Pos,
    /// The operand of `__align__`.
    pub align: Option<Box<Expr>>,
}

#[derive(Clone, Debug)]
pub enum Init {
    /// `= x` or `= {…}`.
    Value(Expr),
    /// `(a, b)`, or `{a, b}` if the flag is set.
    Construct(Vec<Expr>, bool),
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub pos: Pos,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Variables(Vec<Variable>),
    Block(Vec<Stmt>),
    If(Box<Stmt>, Expr, Box<Stmt>, Option<Box<Stmt>>),
    For(Box<ForLoop>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    Switch(Expr, Box<Stmt>),
    Case(Expr),
    Default,
    Break,
    Continue,
    Return(Option<Expr>),
    Goto(Name),
    Label(Name),
    Aliases(Vec<(Name, TypeExpr)>),
    /// What cannot run. It is a fault only where something runs it: headers have functions that no kernel calls.
    Refused(TextFault),
    /// `using namespace a;` and `namespace a = b;`. They have no effect because names are looked up by their last part.
    Nothing,
}

#[derive(Clone, Debug)]
pub struct ForLoop {
    pub init: Stmt,
    pub condition: Option<Expr>,
    pub step: Option<Expr>,
    pub body: Stmt,
    /// The copies that `#pragma unroll` asks for. 0 asks for all, 1 forbids unrolling.
    pub unroll: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    Kernel,
    Device,
}

#[derive(Clone, Debug)]
pub struct TemplateParam {
    pub name: Name,
    /// The type of a value parameter. `None` for a type parameter.
    pub value: Option<TypeExpr>,
    /// Whether it stands for any number of arguments.
    pub pack: bool,
    pub default: Option<TemplateArg>,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub name: Option<Name>,
    pub ty: TypeExpr,
    pub default: Option<Expr>,
    /// Whether it stands for any number of arguments.
    pub pack: bool,
}

/// A kernel, a device function or a method.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name without namespaces and classes.
    pub name: Name,
    pub(crate) kind: FunctionKind,
    /// The class of a method that is defined outside of its class.
    pub(crate) owner: Option<Name>,
    pub(crate) template: Vec<TemplateParam>,
    /// The arguments of an explicit specialisation, `template <> f<int>(…)`.
    pub(crate) specialised: Option<Rc<Vec<TemplateArg>>>,
    /// The parameters in order.
    pub params: Vec<Param>,
    pub(crate) returns: TypeExpr,
    /// The member initialisers of a constructor, `: a(1), b(2)`.
    pub(crate) member_inits: Vec<(Name, Vec<Expr>)>,
    pub(crate) body: Option<Stmt>,
    pub(crate) is_static: bool,
    /// Declared with the word `virtual`.
    pub(crate) is_virtual: bool,
    /// Where it is declared.
    pub pos: Pos,
}

impl Function {
    /// A function of the device without parameters and body.
    pub(crate) fn new(name: Name, template: Vec<TemplateParam>, returns: TypeExpr, pos: Pos) -> Self {
        Self {
            name,
            kind: FunctionKind::Device,
            owner: None,
            template,
            specialised: None,
            params: Vec::new(),
            returns,
            member_inits: Vec::new(),
            body: None,
            is_static: false,
            is_virtual: false,
            pos,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Struct {
    pub name: Name,
    /// The class that declares it inside.
    pub outer: Option<Name>,
    pub template: Vec<TemplateParam>,
    pub specialised: Option<Rc<Vec<TemplateArg>>>,
    pub bases: Vec<TypeExpr>,
    pub fields: Vec<Variable>,
    pub methods: Vec<Rc<Function>>,
    pub aliases: Vec<(Name, TypeExpr)>,
    pub union: bool,
    pub align: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub name: Option<Name>,
    pub pos: Pos,
    pub values: Vec<(Name, Option<Expr>)>,
}

/// A name of `typedef` or `using`, its template parameters, and its type.
pub(crate) type Alias = (Name, Rc<Vec<TemplateParam>>, TypeExpr);

/// The device code of a file, and what was skipped.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub(crate) functions: Vec<Rc<Function>>,
    pub(crate) structs: Vec<Rc<Struct>>,
    /// Class templates that a declaration names. Some have definitions of their specialisations only.
    pub(crate) declared: Vec<Rc<Struct>>,
    pub(crate) enums: Vec<Rc<Enum>>,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) globals: Vec<Rc<Variable>>,
    /// Templates of variables in memory.
    pub(crate) global_templates: Vec<(Rc<Variable>, Vec<TemplateParam>)>,
    /// Position and description of each skipped part.
    pub skipped: Vec<(Pos, String)>,
    /// Kernel launches in host code: position and kernel.
    pub(crate) host_launches: Vec<(Pos, Name)>,
}

impl Unit {
    /// Whether the host launches a kernel that is a template.
    pub fn host_starts_template(&self) -> bool {
        let is_template = |name: &Name| self.functions.iter().any(|f| f.name == *name && !f.template.is_empty());
        self.host_launches.iter().any(|(_, kernel)| is_template(kernel))
    }
}
