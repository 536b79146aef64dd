//! Types with sizes and layouts, and the scalars that a value consists of.

use crate::lower::context::Lambda;
use crate::syntax::ast::{Init, Scalar};
use crate::syntax::ast::{Restrict, Struct};
use crate::syntax::token::Name;
use bytecode::code::{Mem, Num};
use std::rc::Rc;

/// A type whose names are resolved.
#[derive(Clone, Debug)]
pub enum Ty {
    Scalar(Scalar),
    Pointer(Rc<Pointee>),
    Array(Rc<Ty>, u64),
    Struct(Rc<StructTy>),
    /// Number of dimensions, and the type of an element.
    Texture(u8, Rc<Ty>),
    /// A member of some bits: the type of its unit, the first bit and the number of bits. The first member of a unit
    /// stands for the whole of it.
    Bits(Scalar, u8, u8),
    /// A cooperative group with the number of threads of a tile, or 0 for the block.
    Group(u32),
    /// An object of no members, which is called.
    Lambda(Rc<Lambda>),
}

/// The target of a pointer.
#[derive(Debug)]
pub struct Pointee {
    pub ty: Ty,
    pub restrict: Restrict,
    pub constant: bool,
    pub volatile: bool,
}

#[derive(Debug)]
pub struct Field {
    pub name: Name,
    pub ty: Ty,
    pub offset: u64,
    /// The initial value that the struct gives it.
    pub init: Option<Init>,
}

#[derive(Debug)]
pub struct StructTy {
    /// The name with its template arguments. Equal keys mean equal types.
    pub key: String,
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
    pub union: bool,
    /// Whether it is a built-in vector such as `float4`.
    pub vector: bool,
    /// Number of direct bases. They are the first fields.
    pub bases: usize,
    pub definition: Option<Rc<Struct>>,
    /// The bindings of its template parameters. A specialisation has parameters of its own.
    pub bindings: Vec<(Name, Binding)>,
    /// The arguments of its template.
    pub args: Vec<Binding>,
}

/// The meaning of a template parameter.
#[derive(Clone, Debug)]
pub enum Binding {
    Type(Ty),
    Value(Scalar, u64),
    /// The name of a function or of a template.
    Named(Name),
    /// The number of elements of a pack.
    Pack(usize),
}

/// One scalar of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub offset: u64,
    pub scalar: Scalar,
}

/// Most scalars of a value that lives in registers.
pub const LEAVES_MAX: u64 = 8192;

impl Ty {
    pub const INT: Ty = Ty::Scalar(Scalar::I32);
    pub const UINT: Ty = Ty::Scalar(Scalar::U32);
    pub const BOOL: Ty = Ty::Scalar(Scalar::Bool);
    pub const FLOAT: Ty = Ty::Scalar(Scalar::F32);
    pub const VOID: Ty = Ty::Scalar(Scalar::Void);

    pub fn pointer(to: Ty) -> Ty {
        Ty::Pointer(Rc::new(Pointee { ty: to, restrict: Restrict::No, constant: false, volatile: false }))
    }

    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Ty::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    pub fn is_void(&self) -> bool {
        matches!(self, Ty::Scalar(Scalar::Void))
    }

    /// The type of a value that is read from a place of this type.
    pub fn read(&self) -> Ty {
        match self {
            Ty::Bits(scalar, ..) => Ty::Scalar(*scalar),
            other => other.clone(),
        }
    }

    pub fn is_arithmetic(&self) -> bool {
        self.scalar().is_some_and(|s| s != Scalar::Void)
    }

    pub fn size(&self) -> u64 {
        match self {
            Ty::Scalar(scalar) | Ty::Bits(scalar, ..) => u64::from(size_of_scalar(*scalar)),
            Ty::Pointer(_) | Ty::Texture(..) => 8,
            Ty::Array(element, count) => element.size().saturating_mul(*count),
            Ty::Struct(s) => s.size,
            Ty::Group(_) | Ty::Lambda(_) => 1,
        }
    }

    pub fn align(&self) -> u64 {
        match self {
            Ty::Array(element, _) => element.align(),
            Ty::Struct(s) => s.align,
            other => other.size().max(1),
        }
    }

    /// The number of scalars of a value.
    pub fn leaf_count(&self) -> u64 {
        match self {
            Ty::Array(element, count) => element.leaf_count().saturating_mul(*count),
            Ty::Struct(s) if s.union => s.size / s.word(),
            Ty::Struct(s) => s.fields.iter().map(|f| f.ty.leaf_count()).fold(0, u64::saturating_add),
            Ty::Group(_) | Ty::Lambda(_) => 0,
            Ty::Bits(_, first, _) => u64::from(*first == 0),
            _ => 1,
        }
    }

    /// The scalars of a value in order of their offsets.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut out = Vec::new();
        if self.leaf_count() <= LEAVES_MAX {
            self.add_leaves(0, &mut out);
        }
        out
    }

    fn add_leaves(&self, base: u64, out: &mut Vec<Leaf>) {
        match self {
            Ty::Scalar(scalar) | Ty::Bits(scalar, 0, _) => out.push(Leaf { offset: base, scalar: *scalar }),
            Ty::Pointer(_) | Ty::Texture(..) => out.push(Leaf { offset: base, scalar: Scalar::U64 }),
            Ty::Array(element, count) => {
                for i in 0..*count {
                    element.add_leaves(base + i * element.size(), out);
                }
            }
            // A union is copied as words.
            Ty::Struct(s) if s.union => {
                let scalar = if s.word() == 4 { Scalar::U32 } else { Scalar::U8 };
                out.extend((0..s.size / s.word()).map(|i| Leaf { offset: base + i * s.word(), scalar }));
            }
            Ty::Struct(s) => s.fields.iter().for_each(|f| f.ty.add_leaves(base + f.offset, out)),
            Ty::Group(_) | Ty::Bits(..) | Ty::Lambda(_) => {}
        }
    }

    /// Whether the type is or contains a union. Variables of such a type live in memory.
    pub fn holds_union(&self) -> bool {
        match self {
            Ty::Array(element, _) => element.holds_union(),
            Ty::Struct(s) => s.union || s.fields.iter().any(|f| f.ty.holds_union()),
            _ => false,
        }
    }

    /// The type as C++ writes it.
    pub fn shown(&self) -> String {
        match self {
            Ty::Scalar(scalar) => scalar_name(*scalar).into(),
            Ty::Pointer(to) => format!("{}*", to.ty.shown()),
            Ty::Array(element, count) => format!("{}[{count}]", element.shown()),
            Ty::Struct(s) => s.key.clone(),
            Ty::Texture(dimensions, element) => format!("texture<{}, {}>", element.shown(), dimensions & 0xf),
            Ty::Bits(scalar, _, bits) => format!("{} of {bits} bits", scalar_name(*scalar)),
            Ty::Lambda(lambda) => format!("lambda {}", lambda.number),
            Ty::Group(0) => "thread_block".into(),
            Ty::Group(threads) => format!("thread_block_tile<{threads}>"),
        }
    }

    pub fn same(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Scalar(a), Ty::Scalar(b)) => a == b,
            (Ty::Pointer(a), Ty::Pointer(b)) => a.ty.same(&b.ty),
            (Ty::Array(a, m), Ty::Array(b, n)) => m == n && a.same(b),
            (Ty::Struct(a), Ty::Struct(b)) => a.key == b.key,
            (Ty::Texture(m, a), Ty::Texture(n, b)) => m == n && a.same(b),
            (Ty::Group(a), Ty::Group(b)) => a == b,
            (Ty::Lambda(a), Ty::Lambda(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl StructTy {
    /// Bytes of the parts as which a union is copied.
    fn word(&self) -> u64 {
        if self.align >= 4 {
            4
        } else {
            1
        }
    }

    /// A member by name, with its index. Members of bases are included.
    pub fn field(&self, name: &str) -> Option<(usize, &Field)> {
        self.fields.iter().enumerate().find(|(_, f)| &*f.name == name)
    }

    /// The number of scalars before the field with this index.
    pub fn leaves_before(&self, index: usize) -> u64 {
        let before: u64 = self.fields[..index].iter().map(|f| f.ty.leaf_count()).sum();
        // A later member of a unit of bits lies in the scalar of the first.
        before
            - u64::from(matches!(self.fields.get(index), Some(Field { ty: Ty::Bits(_, first, _), .. }) if *first > 0))
    }

    /// Computes offsets, size and alignment.
    pub fn lay_out(key: String, fields: Vec<(Name, Ty, u64)>, union: bool, least_align: u64) -> Self {
        let (mut size, mut align) = (0u64, least_align.max(1));
        let mut placed: Vec<Field> = Vec::new();
        for (name, mut ty, own_align) in fields {
            if let (Ty::Bits(scalar, first, bits), Some(before)) = (&mut ty, placed.last()) {
                // A member of bits shares the unit of the one before if it fits.
                if let Ty::Bits(unit, start, taken) = before.ty {
                    let fits = size_of_scalar(unit) == size_of_scalar(*scalar)
                        && u32::from(start + taken + *bits) <= 8 * size_of_scalar(unit);
                    if fits && !union && *bits > 0 && taken > 0 {
                        *first = start + taken;
                        let offset = before.offset;
                        placed.push(Field { name, ty, offset, init: None });
                        continue;
                    }
                }
            }
            let a = ty.align().max(own_align).max(1);
            let offset = if union { 0 } else { size.next_multiple_of(a) };
            size = size.max(offset.saturating_add(ty.size()));
            align = align.max(a);
            placed.push(Field { name, ty, offset, init: None });
        }
        let size = size.max(1).checked_next_multiple_of(align).unwrap_or(size);
        Self {
            key,
            fields: placed,
            size,
            align,
            union,
            vector: false,
            bases: 0,
            definition: None,
            bindings: Vec::new(),
            args: Vec::new(),
        }
    }
}

pub fn size_of_scalar(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Void | Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
        Scalar::I16 | Scalar::U16 => 2,
        Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
        Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
    }
}

/// The type of a scalar in a register.
pub fn num(scalar: Scalar) -> Num {
    match scalar {
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::U8 | Scalar::U16 | Scalar::Bool | Scalar::Void => Num::I32,
        Scalar::U32 => Num::U32,
        Scalar::I64 => Num::I64,
        Scalar::U64 => Num::U64,
        Scalar::F32 => Num::F32,
        Scalar::F64 => Num::F64,
    }
}

/// The type of a scalar in memory.
pub fn mem(scalar: Scalar) -> Mem {
    match scalar {
        Scalar::Bool | Scalar::U8 | Scalar::Void => Mem::U8,
        Scalar::I8 => Mem::I8,
        Scalar::I16 => Mem::I16,
        Scalar::U16 => Mem::U16,
        Scalar::I32 | Scalar::U32 | Scalar::F32 => Mem::B32,
        Scalar::I64 | Scalar::U64 | Scalar::F64 => Mem::B64,
    }
}

fn scalar_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Void => "void",
        Scalar::Bool => "bool",
        Scalar::I8 => "char",
        Scalar::U8 => "unsigned char",
        Scalar::I16 => "short",
        Scalar::U16 => "unsigned short",
        Scalar::I32 => "int",
        Scalar::U32 => "unsigned int",
        Scalar::I64 => "long long",
        Scalar::U64 => "unsigned long long",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// Integral promotion: the type of a narrow integer in arithmetic.
pub fn promoted(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::Bool | Scalar::I8 | Scalar::U8 | Scalar::I16 | Scalar::U16 => Scalar::I32,
        other => other,
    }
}

/// The common type of two operands (usual arithmetic conversions).
pub fn common(a: Scalar, b: Scalar) -> Scalar {
    let (a, b) = (promoted(a), promoted(b));
    let order = [Scalar::F64, Scalar::F32, Scalar::U64, Scalar::I64, Scalar::U32];
    order.into_iter().find(|s| a == *s || b == *s).unwrap_or(Scalar::I32)
}

const VECTOR_BASES: [(&str, Scalar); 12] = [
    ("uchar", Scalar::U8),
    ("ushort", Scalar::U16),
    ("uint", Scalar::U32),
    ("ulonglong", Scalar::U64),
    ("ulong", Scalar::U64),
    ("char", Scalar::I8),
    ("short", Scalar::I16),
    ("int", Scalar::I32),
    ("longlong", Scalar::I64),
    ("long", Scalar::I64),
    ("float", Scalar::F32),
    ("double", Scalar::F64),
];

/// A built-in vector such as `float4`, or `dim3`.
pub fn vector(name: &str) -> Option<Ty> {
    let (base, count) = if name == "dim3" {
        ("uint", 3)
    } else {
        let count = name.bytes().last()?.checked_sub(b'0').filter(|n| (1..=4).contains(n))?;
        (&name[..name.len() - 1], u64::from(count))
    };
    let scalar = VECTOR_BASES.iter().find(|(n, _)| *n == base)?.1;
    let size = u64::from(size_of_scalar(scalar));
    // Vectors of two and four elements are aligned to their size, up to 16 bytes (CUDA programming guide, table of
    // alignments).
    let align = if count == 3 || count == 1 { size } else { (size * count).min(16) };
    let fields = ["x", "y", "z", "w"].iter().take(count as usize);
    let fields = fields.map(|f| (Name::from(*f), Ty::Scalar(scalar), 1)).collect();
    let mut s = StructTy::lay_out(name.into(), fields, false, align);
    s.vector = true;
    Some(Ty::Struct(Rc::new(s)))
}

/// The scalar that a standard type name such as `size_t` means.
pub fn named_scalar(name: &str) -> Option<Scalar> {
    Some(match name {
        "uchar" | "uint8_t" => Scalar::U8,
        "int8_t" => Scalar::I8,
        "ushort" | "uint16_t" => Scalar::U16,
        "int16_t" => Scalar::I16,
        "uint" | "uint32_t" => Scalar::U32,
        "int32_t" | "wchar_t" | "cudaError_t" => Scalar::I32,
        "ulong" | "size_t" | "uint64_t" | "uintptr_t" => Scalar::U64,
        "int64_t" | "ssize_t" | "ptrdiff_t" | "intptr_t" | "clock_t" => Scalar::I64,
        _ => return None,
    })
}
