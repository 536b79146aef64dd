//! The names that the parser knows from the start.

use crate::syntax::token::Name;
use std::collections::HashSet;
use std::rc::Rc;

const VECTORS: [&str; 12] =
    ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong", "float", "double"];

const TYPES: [&str; 45] = [
    "dim3",
    "uint",
    "ushort",
    "uchar",
    "ulong",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "cudaTextureObject_t",
    "cudaSurfaceObject_t",
    "texture",
    "surface",
    "thread_block",
    "thread_block_tile",
    "thread_group",
    "grid_group",
    "coalesced_group",
    "numeric_limits",
    "half",
    "__half",
    "half2",
    "__half2",
    "curandState",
    "curandState_t",
    "curandStatePhilox4_32_10_t",
    "curandStateXORWOW_t",
    "cudaError_t",
    "cudaStream_t",
    "cudaEvent_t",
    "wchar_t",
    "clock_t",
    "__nv_bfloat16",
    "cuComplex",
    "cuFloatComplex",
    "cuDoubleComplex",
];

const TEMPLATES: [&str; 17] = [
    "get",
    "texture",
    "surface",
    "thread_block_tile",
    "tiled_partition",
    "numeric_limits",
    "tex1Dfetch",
    "tex1D",
    "tex2D",
    "tex3D",
    "min",
    "max",
    "swap",
    "is_same",
    "plus",
    "tex2DLayered",
    "surf2Dread",
];

/// Whether a word is a keyword that cannot be a name.
pub(crate) fn is_keyword(name: &str) -> bool {
    is_basic_type(name)
        || matches!(
            name,
            "if" | "else"
                | "for"
                | "while"
                | "do"
                | "switch"
                | "case"
                | "default"
                | "break"
                | "continue"
                | "return"
                | "goto"
                | "sizeof"
                | "struct"
                | "class"
                | "union"
                | "enum"
                | "typedef"
                | "template"
                | "typename"
                | "namespace"
                | "using"
                | "const"
                | "volatile"
                | "static"
                | "extern"
                | "inline"
                | "operator"
                | "this"
                | "true"
                | "false"
                | "new"
                | "delete"
                | "auto"
                | "#unroll"
                | "asm"
                | "__asm__"
                | "__asm"
        )
}

/// Whether a word begins or continues a list of specifiers.
pub(crate) fn is_specifier(name: &str) -> bool {
    is_arithmetic(name)
        || matches!(
            name,
            "const"
                | "volatile"
                | "static"
                | "extern"
                | "inline"
                | "register"
                | "constexpr"
                | "mutable"
                | "struct"
                | "class"
                | "union"
                | "enum"
                | "typename"
                | "auto"
                | "decltype"
                | "__shared__"
                | "__constant__"
                | "__device__"
                | "__global__"
                | "__host__"
                | "__managed__"
                | "__forceinline__"
                | "__noinline__"
                | "__inline__"
                | "__inline"
                | "__restrict__"
                | "__restrict"
                | "__align__"
                | "alignas"
                | "__launch_bounds__"
                | "__attribute__"
                | "explicit"
                | "virtual"
                | "friend"
                | "__grid_constant__"
                | "__maxnreg__"
                | "__cluster_dims__"
        )
}

pub(crate) fn is_arithmetic(name: &str) -> bool {
    is_basic_type(name) || matches!(name, "__int64" | "__signed__")
}

/// The keywords of C++ that name or make up an arithmetic type, and `void`.
fn is_basic_type(name: &str) -> bool {
    matches!(name, "void" | "bool" | "char" | "short" | "int" | "long" | "float" | "double" | "signed" | "unsigned")
}

pub(crate) fn is_builtin_type(name: &str) -> bool {
    TYPES.contains(&name)
}

pub(crate) fn builtin_types() -> HashSet<Name> {
    let vectors = VECTORS.iter().flat_map(|base| (1..=4).map(move |n| format!("{base}{n}")));
    TYPES.iter().map(|name| Rc::from(*name)).chain(vectors.map(|name| Rc::from(name.as_str()))).collect()
}

pub(crate) fn builtin_templates() -> HashSet<Name> {
    TEMPLATES.iter().map(|name| Rc::from(*name)).collect()
}
