//! The macros that the compiler and CUDA's headers define, and our own texts in place of headers that device code uses.
//!
//! The texts follow the documentation of the interfaces that they offer. They hold what device code can use.

use crate::syntax::macros::{define_macro, Macros};

/// The number of the first line of our own headers, above every line of a text. Accesses in them belong to the line of
/// the call.
pub const OWN_LINES: u32 = 1 << 30;
/// Bits of a line number of our own headers that count the lines of one.
pub(crate) const OWN_BITS: u32 = 12;

/// A number that stands for a text of ours, and the text.
pub(crate) type OwnText = (u32, &'static str);

const MATH: OwnText = (0, include_str!("../headers/math.cuh"));
const FUNCTORS: OwnText = (1, include_str!("../headers/functors.cuh"));
const GROUPS: OwnText = (2, include_str!("../headers/groups.cuh"));
const REDUCE: OwnText = (3, include_str!("../headers/reduce.cuh"));
const PAIR: OwnText = (4, include_str!("../headers/pair.cuh"));
const THRUST: OwnText = (5, include_str!("../headers/thrust.cuh"));
const TORCH: OwnText = (6, include_str!("../headers/torch.cuh"));
const CURAND: OwnText = (7, include_str!("../headers/curand.cuh"));
const CUB: OwnText = (8, include_str!("../headers/cub.cuh"));
const COMPLEX: OwnText = (9, include_str!("../headers/complex.cuh"));
const CU_COMPLEX: OwnText = (10, include_str!("../headers/cucomplex.cuh"));
const TUPLE: OwnText = (11, include_str!("../headers/tuple.cuh"));
const ARRAY: OwnText = (12, include_str!("../headers/array.cuh"));
const TRAITS: OwnText = (13, include_str!("../headers/traits.cuh"));
const WMMA: OwnText = (14, include_str!("../headers/wmma.cuh"));
const PIPELINE: OwnText = (15, include_str!("../headers/pipeline.cuh"));
const HALF: OwnText = (16, include_str!("../headers/half.cuh"));
const GLM: OwnText = (17, include_str!("../headers/glm.cuh"));
const FP8: OwnText = (18, include_str!("../headers/fp8.cuh"));

/// The texts behind the names of headers. A name that ends with `/` stands for a whole folder.
const OWN: [(&str, &[OwnText]); 28] = [
    ("helper_math.h", &[MATH]),
    ("cutil_math.h", &[MATH]),
    ("cooperative_groups.h", &[GROUPS]),
    ("cooperative_groups/memcpy_async.h", &[GROUPS, PIPELINE]),
    ("cuda/pipeline", &[PIPELINE]),
    ("cuda/barrier", &[PIPELINE]),
    ("cuda/atomic", &[PIPELINE]),
    ("mma.h", &[HALF, TRAITS, WMMA]),
    ("cuComplex.h", &[CU_COMPLEX]),
    ("thrust/complex.h", &[COMPLEX]),
    ("cuda/std/complex", &[COMPLEX]),
    ("cuda/std/tuple", &[TUPLE]),
    ("cuda/std/array", &[ARRAY]),
    ("cuda/std/type_traits", &[TRAITS]),
    ("type_traits", &[TRAITS]),
    ("cooperative_groups/reduce.h", &[FUNCTORS, GROUPS, REDUCE]),
    ("cooperative_groups/scan.h", &[FUNCTORS, GROUPS, REDUCE]),
    ("cooperative_groups/", &[GROUPS]),
    ("utility", &[PAIR]),
    ("cuda/std/utility", &[PAIR]),
    ("thrust/", &[FUNCTORS, PAIR, TUPLE, THRUST]),
    ("cuda_fp16.h", &[HALF]),
    ("cuda_fp16.hpp", &[HALF]),
    ("cuda_bf16.h", &[HALF]),
    ("cuda_fp8.h", &[HALF, FP8]),
    ("curand_kernel.h", &[CURAND]),
    ("cub/", &[CUB]),
    ("glm/", &[GLM]),
];

/// Names that need a text of ours even if no include names its header, as when a header of the program includes it. A name
/// counts behind `::` only, if its entry says so.
const NEEDED: [(bool, &[&str], &[OwnText]); 15] = [
    (true, &["complex"], &[COMPLEX]),
    (true, &["tuple", "make_tuple"], &[TUPLE]),
    (true, &["array"], &[ARRAY]),
    (true, &["pair", "make_pair", "move", "forward"], &[PAIR]),
    (
        true,
        &[
            "plus",
            "minus",
            "multiplies",
            "maximum",
            "minimum",
            "bit_and",
            "bit_or",
            "bit_xor",
            "unary_function",
            "binary_function",
        ],
        &[FUNCTORS],
    ),
    (true, &["fragment"], &[WMMA]),
    // Classes of PyTorch.
    (
        true,
        &[
            "Half",
            "BFloat16",
            "opmath_type",
            "acc_type",
            "TensorAccessor",
            "PackedTensorAccessor",
            "PackedTensorAccessor32",
            "PackedTensorAccessor64",
            "GenericPackedTensorAccessor",
            "TensorInfo",
        ],
        &[HALF, TORCH],
    ),
    (true, &["pipeline", "barrier", "memcpy_async", "atomic"], &[PIPELINE]),
    (true, &["this_grid", "coalesced_threads", "grid_group", "sync"], &[GROUPS]),
    (
        true,
        &[
            "enable_if",
            "enable_if_t",
            "conditional",
            "conditional_t",
            "is_same",
            "is_same_v",
            "is_integral",
            "is_integral_v",
            "is_floating_point",
            "is_floating_point_v",
            "is_arithmetic",
            "is_unsigned",
            "is_signed",
            "is_pointer",
            "remove_cv_t",
            "remove_const_t",
            "remove_reference_t",
            "decay_t",
            "make_unsigned_t",
            "true_type",
            "false_type",
            "integral_constant",
            "fragment",
            "aligned_storage",
        ],
        &[TRAITS],
    ),
    (
        false,
        &["__half", "__half2", "half2", "__float2half", "__half2float", "__nv_bfloat16", "__nv_bfloat162"],
        &[HALF],
    ),
    (false, &["__nv_fp8_e4m3", "__nv_fp8_e5m2", "__nv_fp8x2_e4m3", "__nv_fp8x4_e4m3"], &[HALF, FP8]),
    (false, &["curandState", "curandState_t", "curandStatePhilox4_32_10_t", "curandStateXORWOW_t"], &[CURAND]),
    (false, &["cuCmul", "cuCmulf", "cuCadd", "cuCaddf", "cuCabs", "cuCabsf", "cuCreal", "cuCrealf"], &[CU_COMPLEX]),
    (false, &["dot", "cross", "normalize", "length", "lerp", "reflect"], &[MATH]),
];

/// The texts of ours that a name needs. `scoped` says whether `::` stands before it, `called` whether `(` follows.
pub(crate) fn needed_for(name: &str, scoped: bool, called: bool) -> impl Iterator<Item = OwnText> + '_ {
    let fits = move |(behind, names, _): &(bool, &[&str], &[OwnText])| (scoped || !*behind) && names.contains(&name);
    let texts = NEEDED.into_iter().filter(fits).flat_map(|(_, _, texts)| texts.iter().copied());
    texts.filter(move |text| called || text.0 != MATH.0)
}

/// The number of our own text that has a line, if it is one of ours.
pub(crate) fn own_number(line: u32) -> Option<u32> {
    line.checked_sub(OWN_LINES).map(|own| own >> OWN_BITS)
}

/// A line of our own texts as their header and the line in it, counted from 1. `None` for a line of the file.
pub fn own_place(line: u32) -> Option<(String, u32)> {
    let number = own_number(line)?;
    let fits = |(_, texts): &&(&str, &[OwnText])| texts.iter().any(|(n, _)| *n == number);
    let name = OWN.iter().find(fits).map_or("a header of ours", |(name, _)| name);
    Some((format!("<{name}> (our own text)"), line - OWN_LINES - (number << OWN_BITS)))
}

/// Headers whose contents are built in or belong to the host.
const BUILT_IN: [&str; 23] = [
    "cuda.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "device_launch_parameters.h",
    "device_functions.h",
    "math_functions.h",
    "math_constants.h",
    "vector_types.h",
    "vector_functions.h",
    "cuda_profiler_api.h",
    "cuda_texture_types.h",
    "texture_fetch_functions.h",
    "sm_20_atomic_functions.h",
    "sm_30_intrinsics.h",
    "host_defines.h",
    "helper_cuda.h",
    "helper_functions.h",
    "helper_string.h",
    "helper_timer.h",
    "helper_image.h",
    "helper_gl.h",
    "exception.h",
    "nvToolsExt.h",
];

/// Headers of C that some programs name in quotes.
const OF_C: [&str; 12] = [
    "assert.h",
    "ctype.h",
    "float.h",
    "limits.h",
    "math.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "time.h",
];

/// Folders of PyTorch's headers. What device code uses of them is ours.
const OF_PYTORCH: [&str; 4] = ["ATen/", "THC/", "c10/", "torch/"];

/// Whether nothing needs to be read for this header: its contents are built in, ours, or of the host's libraries.
pub fn is_known(name: &str) -> bool {
    let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
    BUILT_IN.contains(&base)
        || OF_C.contains(&name)
        || OF_PYTORCH.iter().any(|folder| name.starts_with(folder))
        || own_header(name).is_some() && !SAMPLES.contains(&base)
}

/// Headers of samples that we have in short. The real ones are read where they are given.
const SAMPLES: [&str; 2] = ["helper_math.h", "cutil_math.h"];

/// Our own texts for a header.
pub(crate) fn own_header(name: &str) -> Option<&'static [OwnText]> {
    let base = name.rsplit('/').next().unwrap_or_default();
    let fits = |known: &str| match known.strip_suffix('/') {
        Some(_) => name.starts_with(known),
        None => name == known || SAMPLES.contains(&base) && base == known,
    };
    OWN.iter().find(|(known, _)| fits(known)).map(|(_, texts)| *texts)
}

/// The macros that every file starts with.
pub fn builtin_macros() -> Macros {
    let mut macros = Macros::default();
    let all = [
        ("and", "&&"),
        ("or", "||"),
        ("not", "!"),
        ("xor", "^"),
        ("bitand", "&"),
        ("bitor", "|"),
        ("compl", "~"),
        ("not_eq", "!="),
        ("and_eq", "&="),
        ("or_eq", "|="),
        ("xor_eq", "^="),
        ("__CUDACC__", "1"),
        ("__CUDA_ARCH__", "800"),
        ("__NVCC__", "1"),
        ("__cplusplus", "201703L"),
        ("CUDART_VERSION", "12090"),
        ("CUDA_VERSION", "12090"),
        ("__CUDACC_VER_MAJOR__", "12"),
        ("__CUDACC_VER_MINOR__", "9"),
        ("FLT_MAX", "3.402823466e+38f"),
        ("FLT_MIN", "1.175494351e-38f"),
        ("FLT_EPSILON", "1.192092896e-07f"),
        ("DBL_MAX", "1.7976931348623157e+308"),
        ("DBL_MIN", "2.2250738585072014e-308"),
        ("DBL_EPSILON", "2.2204460492503131e-16"),
        ("INT_MAX", "2147483647"),
        ("INT_MIN", "(-2147483647 - 1)"),
        ("UINT_MAX", "4294967295u"),
        ("LONG_MAX", "9223372036854775807l"),
        ("LLONG_MAX", "9223372036854775807ll"),
        ("ULONG_MAX", "18446744073709551615ul"),
        ("ULLONG_MAX", "18446744073709551615ull"),
        ("SHRT_MAX", "32767"),
        ("UCHAR_MAX", "255"),
        ("CHAR_MAX", "127"),
        ("CHAR_BIT", "8"),
        ("SHRT_MIN", "(-32767 - 1)"),
        ("USHRT_MAX", "65535"),
        ("LONG_MIN", "(-9223372036854775807l - 1)"),
        ("LLONG_MIN", "(-9223372036854775807ll - 1)"),
        ("INT8_MAX", "127"),
        ("INT8_MIN", "(-128)"),
        ("UINT8_MAX", "255"),
        ("INT16_MAX", "32767"),
        ("INT16_MIN", "(-32767 - 1)"),
        ("UINT16_MAX", "65535"),
        ("INT32_MAX", "2147483647"),
        ("INT32_MIN", "(-2147483647 - 1)"),
        ("UINT32_MAX", "4294967295u"),
        ("INT64_MAX", "9223372036854775807l"),
        ("INT64_MIN", "(-9223372036854775807l - 1)"),
        ("UINT64_MAX", "18446744073709551615ul"),
        ("SIZE_MAX", "18446744073709551615ul"),
        ("RAND_MAX", "2147483647"),
        ("INFINITY", "__int_as_float(0x7f800000)"),
        ("HUGE_VALF", "__int_as_float(0x7f800000)"),
        ("NAN", "__int_as_float(0x7fffffff)"),
        ("CUDART_INF_F", "__int_as_float(0x7f800000)"),
        ("CUDART_NAN_F", "__int_as_float(0x7fffffff)"),
        ("CUDART_INF", "__longlong_as_double(0x7ff0000000000000ll)"),
        ("CUDART_PI_F", "3.141592654f"),
        ("CUDART_PI", "3.1415926535897931"),
        ("M_PI", "3.14159265358979323846"),
        ("M_PI_2", "1.57079632679489661923"),
        ("M_E", "2.7182818284590452354"),
        ("M_SQRT2", "1.41421356237309504880"),
        ("M_SQRT1_2", "0.70710678118654752440"),
        ("cudaSurfaceObject_t", "cudaTextureObject_t"),
        ("__attribute", "__attribute__"),
        ("__extension__", ""),
        // Words of PyTorch.
        ("C10_HOST_DEVICE", "__host__ __device__"),
        ("C10_DEVICE", "__device__"),
        ("C10_HOST", "__host__"),
        ("C10_ALWAYS_INLINE", "__forceinline__"),
        ("EXIT_SUCCESS", "0"),
        ("EXIT_FAILURE", "1"),
    ];
    for (name, text) in all {
        define_macro(&mut macros, name, text, false);
    }
    macros
}
