//! Functions of the C library and of CUDA's runtime that decide sizes.

use super::contents::Contents;
use super::value::{Key, Place, Value};
use super::{part, Host, HostArg};
use crate::lower::types::vector;
use crate::syntax::ast::{Expr, ExprKind, Init, Path, TypeExpr, TypeKind};
use crate::syntax::token::{Name, Pos};
use std::rc::Rc;

/// Bytes that the rows of `cudaMallocPitch` are aligned to.
const PITCH: u64 = 512;

impl Host<'_> {
    pub(super) fn call_library(&mut self, name: &Name, args: &[Expr], pos: Pos) -> Value {
        let values: Vec<Value> = args.iter().map(|e| self.eval(e)).collect();
        if name.contains("lloc") {
            let (first, open) = (self.objects.len(), values.iter().any(|value| value.input() > 0));
            let value = self.call_alloc(name, &values);
            self.objects[first..].iter_mut().for_each(|object| object.open = open);
            return value;
        }
        if let Some(value) = self.mathematics(name, &values) {
            return value;
        }
        let first = values.first().cloned().unwrap_or(Value::Unknown);
        match &**name {
            "new" => self.new_value(args, first),
            "move" | "forward" if values.len() == 1 => first,
            "exit" | "abort" | "_exit" => {
                self.exits = true;
                Value::Unknown
            }
            "getopt" | "getopt_long" => Value::int(-1),
            "strcmp" | "strncmp" => match &values[..] {
                [Value::Text(a), Value::Text(b), most @ ..] => {
                    let most = most.first().and_then(Value::as_int).and_then(|n| usize::try_from(n).ok());
                    let part = |text: &Name| text.as_bytes()[..most.unwrap_or(text.len()).min(text.len())].to_vec();
                    Value::int(part(a).cmp(&part(b)) as i64)
                }
                _ => Value::Unknown,
            },
            "strlen" => match &first {
                Value::Text(text) => Value::int(text.len() as i64),
                _ => Value::Unknown,
            },
            "rand" | "random" | "lrand48" => self.input(pos, None),
            // `checkCmdLineFlag` and its like: no option is given.
            _ if name.ends_with("Flag") => Value::int(0),
            "getCmdLineArgumentInt" => self.input(pos, None),
            "atoi" | "atol" | "atoll" | "strtol" | "strtoul" | "strtoull" | "stoi" | "stol" | "stoul" => {
                self.input(pos, None)
            }
            "atof" | "strtof" | "strtod" | "stof" | "stod" => match self.input(pos, None) {
                Value::Int(_, input) => Value::Float(1.5, input),
                other => other,
            },
            "swap" => {
                if let [a, b] = args {
                    let places = (self.place(a), self.place(b));
                    if let ((Some(a), Some(b)), [x, y]) = (places, &values[..]) {
                        self.set(&a, y.clone());
                        self.set(&b, x.clone());
                    }
                }
                Value::Unknown
            }
            "cudaDeviceGetAttribute" | "hipDeviceGetAttribute" | "cuDeviceGetAttribute" => {
                let word = args.get(1).and_then(super::root).and_then(|word| attribute(word));
                self.give(&first, word.map_or(Value::Unknown, Value::int));
                Value::int(0)
            }
            // A pointer of the device to memory of the host.
            "cudaHostGetDevicePointer" | "hipHostGetDevicePointer" => {
                let pointer = values.get(1).cloned().unwrap_or(Value::Unknown);
                self.give(&first, pointer);
                Value::int(0)
            }
            "cudaGetDeviceCount" | "cudaGetDevice" => {
                let number = i64::from(&**name == "cudaGetDeviceCount");
                self.give(&first, Value::int(number));
                Value::int(0)
            }
            "cudaOccupancyMaxActiveBlocksPerMultiprocessor" => {
                // What fits is 2,048 threads of any recent device, if registers allow it.
                let threads = values.get(2).and_then(Value::as_int).unwrap_or(1).max(1);
                self.give(&first, Value::int((2048 / threads).max(1)));
                Value::int(0)
            }
            "cudaOccupancyMaxPotentialBlockSize" => {
                self.give(&first, Value::int(64));
                values.iter().skip(1).take(1).for_each(|block| self.give(block, Value::int(256)));
                Value::int(0)
            }
            // `make_int2` and its like.
            _ if name.strip_prefix("make_").and_then(vector).is_some() => {
                let names = ["x", "y", "z", "w"].map(|name| Key::Field(Name::from(name)));
                Value::Parts(Rc::new(names.into_iter().zip(values).collect()))
            }
            _ if name.contains("KernelNode") => self.graph_node(&values, pos),
            _ if super::starts(name) => self.launch_by_call(name, args, &values, pos),
            _ if name.contains("scanf") => {
                let places = values.iter().filter(|value| matches!(value, Value::Address(_)));
                let mut count = 0;
                for place in places {
                    let number = self.input(part(pos, count as u32), None);
                    self.give(place, number);
                    count += 1;
                }
                Value::int(count)
            }
            _ if name.ends_with("FromSymbol") || name.ends_with("FromSymbolAsync") => {
                let symbol = self.symbol(args.get(1));
                self.give(&first, symbol);
                Value::int(0)
            }
            _ if name.ends_with("emset") || of_runtime(name) && name.ends_with("MemsetAsync") => {
                self.set_contents(&values);
                Value::int(0)
            }
            _ if ["emcpy", "emcpyAsync", "HtoD", "DtoD"].iter().any(|end| name.ends_with(end)) => {
                self.copy_contents(&values, args);
                Value::int(0)
            }
            // Parts of arrays are not followed, and sizes are rarely copied.
            _ if of_runtime(name) && (name.contains("Memcpy") || name.contains("Memset")) => {
                self.forget_contents(&first);
                Value::int(0)
            }
            "free" | "cudaFree" | "printf" => Value::int(0),
            "make_cudaExtent" => fields(["width", "height", "depth"], values),
            // A process without others.
            "MPI_Comm_rank" | "MPI_Comm_size" => {
                let number = i64::from(&**name == "MPI_Comm_size");
                values.iter().for_each(|value| self.give(value, Value::int(number)));
                Value::int(0)
            }
            "cuModuleGetFunction" => {
                if let Some(ExprKind::Str(kernel)) = args.get(2).map(|e| &e.kind) {
                    self.give(&first, Value::Function(Rc::new(Path::simple(kernel.clone()))));
                }
                Value::int(0)
            }
            _ if name.starts_with("cudaCreate") && name.ends_with("Object") => {
                let texture = self.texture(&values);
                self.give(&first, texture);
                Value::int(0)
            }
            _ => {
                for (value, number) in values.iter().zip(0..) {
                    match value {
                        // The function may call what it is given, and write where an address leads.
                        Value::Lambda(closure) => drop(self.call_lambda(closure, &[])),
                        Value::Address(place) => self.read_into(place, name, part(pos, number)),
                        Value::Pointer { .. } | Value::Parts(_) if !of_runtime(name) => self.forget_contents(value),
                        _ => {}
                    }
                }
                match first {
                    _ if of_runtime(name) => Value::int(0),
                    Value::Pointer { .. } if values.len() == 1 => first,
                    _ => Value::Unknown,
                }
            }
        }
    }

    /// An unknown function writes to a variable. A whole number that was not set before is read from somewhere.
    fn read_into(&mut self, place: &Place, name: &str, pos: Pos) {
        let whole = place.path.is_empty() && self.wholes.contains(&place.slot);
        let value = match self.get(place) {
            _ if !whole || of_runtime(name) => Value::Unknown,
            // An option that nobody gives.
            Value::Int(set, input) if set != 0 => Value::Int(set, input),
            _ => self.input(pos, None),
        };
        self.set(place, value);
    }

    /// The function that a variable of the device begins with.
    fn symbol(&mut self, e: Option<&Expr>) -> Value {
        let Some(name) = e.and_then(super::root) else { return Value::Unknown };
        match self.unit.globals.iter().find(|g| g.name == *name).and_then(|g| g.init.as_ref()) {
            Some(Init::Value(e)) => self.eval(e),
            _ => Value::Unknown,
        }
    }

    /// What `make_unique<T>(…)` makes: an object, or an array of `T[]`.
    pub(super) fn made(&mut self, ty: &TypeExpr, values: Vec<Value>) -> Value {
        if let TypeKind::Array(of, None) = &ty.kind {
            let element = self.size_of(of);
            let count = values.first().and_then(Value::as_int).and_then(|n| u64::try_from(n).ok());
            return self.allocate(element.zip(count).and_then(|(a, b)| a.checked_mul(b)), element.unwrap_or(1));
        }
        let bytes = self.size_of(ty);
        let value = self.constructed(ty, values);
        self.pointer_to(bytes, value)
    }

    /// A pointer to a new value.
    fn new_value(&mut self, args: &[Expr], value: Value) -> Value {
        let bytes = match args {
            [Expr { kind: ExprKind::Construct(ty, _), .. }] => self.size_of(ty),
            _ => None,
        };
        self.pointer_to(bytes, value)
    }

    fn pointer_to(&mut self, bytes: Option<u64>, value: Value) -> Value {
        let pointer = self.allocate(bytes, bytes.unwrap_or(1));
        if let Some(place) = self.element(&pointer, 0) {
            self.set(&place, value);
        }
        pointer
    }

    /// Writes to where an address leads.
    fn give(&mut self, address: &Value, value: Value) {
        if let Value::Address(place) = address {
            self.set(place, value);
        }
    }

    /// `cudaMalloc(&p, bytes)`, `malloc(bytes)` and their relatives.
    fn call_alloc(&mut self, name: &str, values: &[Value]) -> Value {
        let number = |i: usize| values.get(i).and_then(Value::as_int).and_then(|n| u64::try_from(n).ok());
        let Some(Value::Address(place)) = values.first() else {
            let align = name.contains("aligned");
            let all = (usize::from(align)..values.len().min(2)).map(number);
            let bytes = all.reduce(|a, b| a.zip(b).and_then(|(a, b)| a.checked_mul(b))).flatten();
            let pointer = self.allocate(bytes, 1);
            if name.ends_with("calloc") {
                self.take_contents(&pointer, Some(Rc::new(Contents::ZERO)));
            }
            return pointer;
        };
        if name.contains("Array") {
            let image = self.new_array(values);
            self.set(place, image);
            return Value::int(0);
        }
        if name.contains("alloc3D") {
            return self.pitched(place, values.get(1));
        }
        let mut bytes = if name.contains("align") { number(2) } else { number(1) };
        if name.contains("Pitch") {
            let pitch = number(2).and_then(|width| width.checked_next_multiple_of(PITCH));
            bytes = pitch.zip(number(3)).and_then(|(pitch, rows)| pitch.checked_mul(rows));
            let pitch = pitch.map_or(Value::Unknown, |pitch| Value::int(pitch as i64));
            values.iter().skip(1).take(1).for_each(|to| self.give(to, pitch.clone()));
        }
        let element = match self.get(place) {
            Value::Pointer { element, .. } => element,
            // `T *p = NULL;`
            _ => self.pointee_at(place).unwrap_or(0),
        };
        let pointer = self.allocate(bytes, element);
        self.set(place, pointer);
        Value::int(0)
    }

    /// The size of what the variable at a place points to, by its type.
    fn pointee_at(&mut self, place: &Place) -> Option<u64> {
        let ty = self.scope.iter().rev().find(|v| v.place == *place)?.ty.clone()?;
        match &ty.kind {
            TypeKind::Pointer(to, _) => self.size_of(to),
            _ => None,
        }
    }

    fn mathematics(&self, name: &str, values: &[Value]) -> Option<Value> {
        let name = name.strip_suffix('f').filter(|n| *n != "f").unwrap_or(name);
        let input = values.iter().map(Value::input).max().unwrap_or(0);
        let x = values.first()?.as_float()?;
        if let (Some(Value::Int(a, _)), Some(Value::Int(b, _))) = (values.first(), values.get(1)) {
            match name {
                "min" => return Some(Value::Int(*a.min(b), input)),
                "max" => return Some(Value::Int(*a.max(b), input)),
                _ => {}
            }
        }
        let y = values.get(1).and_then(Value::as_float);
        Some(Value::Float(
            match (name, y) {
                ("ceil", _) => x.ceil(),
                ("floor", _) => x.floor(),
                ("round", _) => libm::round(x),
                ("sqrt", _) => libm::sqrt(x),
                ("log2", _) => libm::log2(x),
                ("log", _) => libm::log(x),
                ("abs" | "fabs", _) => {
                    return Some(if let Value::Int(v, _) = values[0] {
                        Value::Int(v.wrapping_abs(), input)
                    } else {
                        Value::Float(x.abs(), input)
                    })
                }
                ("pow", Some(y)) => libm::pow(x, y),
                ("fmin" | "min", Some(y)) => x.min(y),
                ("fmax" | "max", Some(y)) => x.max(y),
                _ => return None,
            },
            input,
        ))
    }

    /// `cudaLaunchKernel(kernel, grid, block, args, shared, stream)`, `cudaLaunchKernelEx(&config, kernel, args…)` or
    /// `hipLaunchKernelGGL(kernel, grid, block, shared, stream, args…)`.
    fn launch_by_call(&mut self, name: &str, args: &[Expr], values: &[Value], pos: Pos) -> Value {
        let value = |i: usize| values.get(i).cloned().unwrap_or(Value::Unknown);
        if name.starts_with("cu") && !name.starts_with("cuda") {
            // `cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, args, extra)`
            let Value::Function(path) = value(0) else { return Value::Unknown };
            let dims = |from: usize| Value::dims([from, from + 1, from + 2].map(value));
            let args = self.addressed(&value(9));
            self.record((path.last().clone(), Vec::new()), &[dims(1), dims(4), value(7)], (args, pos));
            return Value::int(0);
        }
        let config = name.contains("KernelEx");
        let Some(kernel) = args.get(usize::from(config)).and_then(|e| self.kernel_of(e)) else { return Value::Unknown };
        let direct = if config { 2 } else { 5 };
        let mut all: Vec<HostArg> = values.iter().skip(direct).map(|v| self.argument(v, 0)).collect();
        let shape = if let (true, Value::Address(place)) = (config, value(0)) {
            let field = |name: &str| self.get(&place).get(&Key::Field(Name::from(name)));
            ["gridDim", "blockDim", "dynamicSmemBytes"].map(field)
        } else {
            [1, 2, if name.starts_with("hip") { 3 } else { 4 }].map(value)
        };
        if !config && !name.starts_with("hipLaunchKernelGGL") {
            all = self.addressed(&value(3));
        }
        self.record(kernel, &shape, (all, pos));
        Value::int(0)
    }

    /// The arguments that an array of addresses leads to.
    fn addressed(&self, addresses: &Value) -> Vec<HostArg> {
        let Value::Parts(parts) = addresses else { return Vec::new() };
        let of = |(_, part): &(Key, Value)| {
            let value = if let Value::Address(place) = part { self.get(place) } else { Value::Unknown };
            self.argument(&value, 0)
        };
        parts.iter().map(of).collect()
    }

    /// `cudaGraphAddKernelNode(&node, graph, after, count, &params)` and its relatives. The graph is launched later.
    fn graph_node(&mut self, values: &[Value], pos: Pos) -> Value {
        let params = values.iter().rev().find_map(|v| if let Value::Address(place) = v { Some(place) } else { None });
        let field = |name: &str| params.map_or(Value::Unknown, |p| self.get(p).get(&Key::Field(Name::from(name))));
        if let Value::Function(path) = field("func") {
            let args = match field("kernelParams") {
                Value::Address(place) => self.addressed(&self.get(&place)),
                parts => self.addressed(&parts),
            };
            let shape = ["gridDim", "blockDim", "sharedMemBytes"].map(field);
            self.record((path.last().clone(), Vec::new()), &shape, (args, pos));
        }
        Value::int(0)
    }
}

/// Whether a function is one of CUDA's or HIP's runtime or driver, such as `cudaMemset` or `cuMemcpyHtoD`.
fn of_runtime(name: &str) -> bool {
    let rest = ["cuda", "hip", "cu"].iter().find_map(|start| name.strip_prefix(start));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// A struct of these members.
pub(super) fn fields<const N: usize>(names: [&str; N], values: Vec<Value>) -> Value {
    Value::Parts(Rc::new(names.map(|name| Key::Field(Name::from(name))).into_iter().zip(values).collect()))
}

/// An attribute of the device, by its word such as `cudaDevAttrWarpSize` or `CU_DEVICE_ATTRIBUTE_WARP_SIZE`.
fn attribute(word: &str) -> Option<i64> {
    let word: String = word.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect();
    let name = ["cudadevattr", "hipdeviceattribute", "cudeviceattribute"].iter().find_map(|p| word.strip_prefix(p))?;
    property(match name {
        "maxsharedmemoryperblock" => "sharedmemperblock",
        "maxsharedmemorypermultiprocessor" => "sharedmempermultiprocessor",
        "maxregistersperblock" => "regsperblock",
        "maxregisterspermultiprocessor" => "regspermultiprocessor",
        "computecapabilitymajor" => "major",
        other => other,
    })
}

/// A property of the device in small letters, of which all recent ones have these.
pub(super) fn property(name: &str) -> Option<i64> {
    Some(match name {
        "maxthreadsperblock" => 1024,
        "warpsize" => 32,
        "sharedmemperblock" => 48 << 10,
        "maxthreadspermultiprocessor" => 2048,
        "l2cachesize" => 4 << 20,
        "regsperblock" | "regspermultiprocessor" => 64 << 10,
        "sharedmempermultiprocessor" => 100 << 10,
        "major" => 8,
        "multiprocessorcount" => 64,
        _ => return None,
    })
}
