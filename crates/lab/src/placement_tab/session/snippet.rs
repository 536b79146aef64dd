//! CUDA text that implements a placement: declarations, the cooperative copies, the expression that reads each array,
//! and the host code.
//!
//! In: a kernel and a placement.
//! Out: a text to start from. A trace has no types, so the element type follows from the element size (`float`,
//! `double` and so on). The author of the kernel adds the kernel's own code.
//!
//! Source: CUDA C++ programming guide (texture objects, `__constant__`, `__shared__`).

use placement::{ArrayUse, Memory, Placement, PlacementKernel};
use std::fmt::Write as _;

/// The text by section.
#[derive(Default)]
struct Parts {
    globals: String,
    parameters: Vec<String>,
    shared: String,
    reads: String,
    host: String,
}

/// Writes the text for `placement`.
pub(crate) fn snippet(kernel: &PlacementKernel, placement: &Placement) -> String {
    let names = names(kernel);
    let mut parts = Parts::default();
    for ((array, memory), name) in kernel.arrays.iter().zip(placement).zip(&names) {
        parts.add(array, *memory, name);
    }
    let mut out = String::new();
    let list: Vec<String> =
        kernel.arrays.iter().zip(placement).map(|(array, memory)| format!("{} in {memory}", array.name)).collect();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "// {}: {}.", one_line(&kernel.name), one_line(&list.join(", ")));
    let _ = writeln!(out, "// The trace has no types: those below follow the sizes of the elements.\n");
    out += &parts.globals;
    let head = identifier(kernel.name.split(['(', '<']).next().unwrap_or_default().trim_start_matches("void "));
    let _ = writeln!(out, "__global__ void {head}({}) {{", parts.parameters.join(", "));
    if !parts.shared.is_empty() {
        out += "    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n";
        out += "    const int threads = blockDim.x * blockDim.y * blockDim.z;\n";
        out += &parts.shared;
        out += "    __syncthreads();\n";
    }
    out += "    // Your code, which reads\n";
    out += &parts.reads;
    out += "}\n";
    if !parts.host.is_empty() {
        let _ = write!(out, "\n// On the host, before the launch:\n{}", parts.host);
    }
    out
}

impl Parts {
    fn add(&mut self, array: &ArrayUse, memory: Memory, name: &str) {
        let kind = kind(array.element);
        let n = array.elements();
        let size = u64::from(kind.1);
        let constant = if array.stores + array.atomics == 0 { "const " } else { "" };
        match memory {
            Memory::Global => {
                self.parameters.push(format!("{constant}{}* __restrict__ {name}", kind.0));
                self.read(name, "i", &format!("{name}[i]"));
            }
            Memory::Texture1d => {
                self.parameters.push(format!("cudaTextureObject_t {name}"));
                self.read(
                    name,
                    "i",
                    &fetch(array.element, &format!("tex1Dfetch<{}>({name}, i)", texel(array.element))),
                );
                self.texture(name, array.element, &format!("    r_{name}.resType = cudaResourceTypeLinear;\n    r_{name}.res.linear = {{device_{name}, format_{name}, {}}};\n", n * size));
            }
            Memory::Texture2d => {
                let width = array.width.max(1);
                self.parameters.push(format!("cudaTextureObject_t {name}"));
                let call = format!("tex2D<{}>({name}, x + 0.5f, y + 0.5f)", texel(array.element));
                self.read(name, &format!("y * {width} + x"), &fetch(array.element, &call));
                let rows = n.div_ceil(width);
                self.texture(name, array.element, &format!("    cudaArray_t array_{name};  // blocked: neighbours in both directions share lines\n    cudaMallocArray(&array_{name}, &format_{name}, {width}, {rows});\n    cudaMemcpy2DToArray(array_{name}, 0, 0, host_{name}, {0}, {0}, {rows}, cudaMemcpyHostToDevice);\n    r_{name}.resType = cudaResourceTypeArray;\n    r_{name}.res.array.array = array_{name};\n", width * size));
            }
            Memory::Constant => {
                let _ = writeln!(self.globals, "__constant__ {} {name}[{n}];\n", kind.0);
                self.read(name, "i", &format!("{name}[i]"));
                let _ = writeln!(self.host, "    cudaMemcpyToSymbol({name}, host_{name}, {});", n * size);
            }
            Memory::Shared => self.shared(array, name, kind, constant),
        }
    }

    fn shared(&mut self, array: &ArrayUse, name: &str, (kind, size): (&str, u32), constant: &str) {
        let (bytes, phases) = array.tile.as_ref().map_or((array.bytes, 1), |tile| (tile.bytes, tile.phases));
        let n = bytes.div_ceil(u64::from(size)).max(1);
        self.parameters.push(format!("{constant}{kind}* __restrict__ {name}_global"));
        self.parameters.push(format!("int {name}_first"));
        let _ = writeln!(
            self.shared,
            "    __shared__ {kind} {name}[{n}];  // what a block uses of it, from {name}_first on"
        );
        if phases > 1 {
            let _ = writeln!(
                self.shared,
                "    // A block needs {phases} such tiles: put the copy into a loop, with a barrier before and after."
            );
        }
        let _ = writeln!(
            self.shared,
            "    for (int i = thread; i < {n}; i += threads) {name}[i] = {name}_global[{name}_first + i];"
        );
        if constant.is_empty() {
            let _ = writeln!(self.shared, "    // It is written: copy the tile back at the end, after a barrier.");
        }
        self.read(name, "i", &format!("{name}[i - {name}_first]"));
    }

    fn read(&mut self, name: &str, index: &str, with: &str) {
        let _ = writeln!(self.reads, "    //   {name}[{index}]  as  {with}");
    }

    fn texture(&mut self, name: &str, element: u64, resource: &str) {
        let _ = write!(
            self.host,
            "    cudaChannelFormatDesc format_{name} = cudaCreateChannelDesc<{}>();\n    cudaResourceDesc r_{name} = {{}};\n{resource}    cudaTextureDesc t_{name} = {{}};\n    t_{name}.readMode = cudaReadModeElementType;\n    cudaTextureObject_t {name};\n    cudaCreateTextureObject(&{name}, &r_{name}, &t_{name}, nullptr);\n",
            texel(element)
        );
    }
}

/// Returns the type of an element and its bytes.
fn kind(element: u64) -> (&'static str, u32) {
    match element {
        2 => ("short", 2),
        4 => ("float", 4),
        8 => ("double", 8),
        16 => ("float4", 16),
        _ => ("unsigned char", 1),
    }
}

/// Returns the type of a texel. Textures have no doubles.
fn texel(element: u64) -> &'static str {
    match element {
        8 => "int2",
        _ => kind(element).0,
    }
}

/// Returns the expression that converts a texel to an element.
fn fetch(element: u64, call: &str) -> String {
    match element {
        8 => format!("double_of({call})  // double_of: __hiloint2double(v.y, v.x)"),
        _ => call.into(),
    }
}

/// Makes a name for each array that is a valid CUDA identifier.
fn names(kernel: &PlacementKernel) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (i, array) in kernel.arrays.iter().enumerate() {
        let name = identifier(&array.name);
        names.push(if names.contains(&name) { format!("{name}_{i}") } else { name });
    }
    names
}

fn identifier(text: &str) -> String {
    const WORDS: [&str; 14] = [
        "auto", "char", "const", "default", "double", "float", "for", "if", "int", "long", "short", "thread",
        "threads", "void",
    ];
    let mut name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(48).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || WORDS.contains(&name.as_str()) {
        name.insert(0, '_');
    }
    name
}

/// Removes line breaks, which would end a comment early.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || c == '\\' { ' ' } else { c }).collect()
}
