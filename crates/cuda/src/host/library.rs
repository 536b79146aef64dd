//! Functions of the C library and of CUDA's runtime that decide sizes.

use super::value::Value;
use super::{root, Host};
use crate::syntax::ast::{Expr, ExprKind};
use crate::syntax::token::{Name, Pos};

/// Bytes that the rows of `cudaMallocPitch` are aligned to.
const PITCH: u64 = 512;

impl Host<'_> {
    pub(super) fn call_library(&mut self, name: &Name, args: &[Expr], pos: Pos) -> Value {
        let values: Vec<Value> = args.iter().map(|e| self.eval(e)).collect();
        if name.contains("lloc") {
            return self.call_alloc(name, &values);
        }
        if let Some(value) = self.mathematics(name, &values) {
            return value;
        }
        let first = values.first().cloned().unwrap_or(Value::Unknown);
        match &**name {
            "exit" | "abort" | "_exit" => {
                self.exits = true;
                Value::Unknown
            }
            "getopt" | "getopt_long" => Value::int(-1),
            "atoi" | "atol" | "atoll" | "strtol" | "strtoul" | "strtoull" | "stoi" | "stol" | "stoul" => {
                self.input(pos.line, None)
            }
            "atof" | "strtof" | "strtod" | "stof" | "stod" => Value::Float(1.5, 0),
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
            "cudaGetDeviceCount" | "cudaGetDevice" => {
                let number = i64::from(&**name == "cudaGetDeviceCount");
                self.give(&first, Value::int(number));
                Value::int(0)
            }
            "cudaOccupancyMaxPotentialBlockSize" => {
                self.give(&first, Value::int(64));
                values.iter().skip(1).take(1).for_each(|block| self.give(block, Value::int(256)));
                Value::int(0)
            }
            "cudaLaunchKernel" | "cudaLaunchCooperativeKernel" => self.launch_by_call(args, &values, pos),
            _ if name.contains("scanf") => {
                for value in &values {
                    let number = self.input(pos.line, None);
                    self.give(value, number);
                }
                Value::int(values.len() as i64)
            }
            "cudaMemcpy" | "cudaMemset" | "memcpy" | "memset" | "free" | "cudaFree" | "printf" => Value::int(0),
            _ => {
                // The function may write where an address leads.
                values.iter().for_each(|value| self.give(value, Value::Unknown));
                match first {
                    _ if name.starts_with("cuda") => Value::int(0),
                    Value::Pointer { .. } if values.len() == 1 => first,
                    _ => Value::Unknown,
                }
            }
        }
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
            return self.allocate(bytes, 1);
        };
        let mut bytes = if name.contains("align") { number(2) } else { number(1) };
        if name.contains("Pitch") {
            let pitch = number(2).and_then(|width| width.checked_next_multiple_of(PITCH));
            bytes = pitch.zip(number(3)).and_then(|(pitch, rows)| pitch.checked_mul(rows));
            let pitch = pitch.map_or(Value::Unknown, |pitch| Value::int(pitch as i64));
            values.iter().skip(1).take(1).for_each(|to| self.give(to, pitch.clone()));
        }
        let element = match self.get(place) {
            Value::Pointer { element, .. } => element,
            _ => 0,
        };
        let pointer = self.allocate(bytes, element);
        self.set(place, pointer);
        Value::int(0)
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

    /// `cudaLaunchKernel(kernel, grid, block, args, shared, stream)`.
    fn launch_by_call(&mut self, args: &[Expr], values: &[Value], pos: Pos) -> Value {
        let Some(kernel) = args.first().and_then(root) else { return Value::Unknown };
        let shape = [1, 2, 4].map(|i| values.get(i).cloned().unwrap_or(Value::Unknown));
        let list = values.get(3).cloned().unwrap_or(Value::Unknown);
        let mut all = Vec::new();
        if let Value::Parts(parts) = &list {
            for (_, part) in parts.iter() {
                let value = if let Value::Address(place) = part { self.get(place) } else { Value::Unknown };
                all.push(self.argument(&value, 0));
            }
        }
        let template = match &args[0].kind {
            ExprKind::Name(path) => path.args().cloned(),
            _ => None,
        };
        let template = template.iter().flat_map(|args| args.iter()).map(|arg| self.template_text(arg)).collect();
        self.record(kernel.clone(), template, &shape, (all, pos));
        Value::int(0)
    }
}
