//! One lane at a time: what a kernel as compiled writes equals what it writes as it is written, and what it saves.

use super::compile;
use crate::kernel::cuda::ast::FunctionKind;
use crate::kernel::cuda::{lex, macros, parse, preprocess};
use crate::kernel::lower::types::Ty;
use crate::kernel::lower::Module;
use crate::kernel::vm::code::{End, Mem, Op, Program, Reg, Special, NONE, SILENT, WIDE};
use crate::kernel::vm::scalar;
use std::collections::{BTreeMap, HashMap};

/// A kernel as it is written and as compiled.
struct Both {
    written: Program,
    compiled: Program,
    /// Parameters: name, whether it points, register.
    params: Vec<(String, bool, Reg)>,
}

fn both(text: &str, kernel: &str, defines: &[(&str, &str)]) -> Both {
    let mut known = macros::Macros::default();
    for (name, value) in defines {
        macros::define(&mut known, name, value, true);
    }
    let lexed = lex(text);
    let pre = preprocess::preprocess(lexed.tokens, known);
    let (unit, faults) = parse::parse(pre.tokens);
    assert!(faults.is_empty(), "{faults:?}");
    let module = Module::new(&unit).unwrap_or_else(|f| panic!("{f:?}"));
    let function = unit.functions.iter().find(|f| &*f.name == kernel && f.kind == FunctionKind::Kernel).unwrap();
    let lowered = module.lower(function, &[]).unwrap_or_else(|f| panic!("{f:?}"));
    let params = lowered.params.iter().zip(&lowered.program.params);
    let params = params.map(|(p, places)| (p.name.to_string(), matches!(p.ty, Ty::Pointer(_)), places[0].0)).collect();
    let compiled = compile(&lowered.program).expect("a kernel of bounded size");
    Both { written: lowered.program, compiled, params }
}

/// One thread, alone.
#[derive(Default)]
struct Lane {
    registers: HashMap<Reg, u64>,
    memory: BTreeMap<u64, u8>,
    counts: BTreeMap<String, u64>,
    cost: u64,
    classes: BTreeMap<&'static str, u64>,
}

/// Whole numbers that an array holds.
#[derive(Clone, Copy)]
enum Fill {
    /// Index times this.
    Scale(u32),
    /// Some number below this.
    Below(u32),
}

/// What memory holds before anything is written there.
fn fresh(address: u64, ints: &HashMap<u64, Fill>) -> u32 {
    let index = (address & 0xffff_ffff) >> 2;
    match ints.get(&(address >> 32)) {
        Some(Fill::Scale(n)) => index as u32 * n,
        Some(Fill::Below(n)) => (index as u32).wrapping_mul(7) % n,
        None => ((index.wrapping_mul(2_654_435_761) >> 8 & 0xff) as f32 / 256.0).to_bits(),
    }
}

impl Lane {
    fn run(program: &Program, args: &[(Reg, u64)], thread: u32, ints: &HashMap<u64, Fill>) -> Self {
        let mut lane = Self::default();
        lane.registers.extend(program.constants.iter().copied());
        lane.registers.extend(args.iter().copied());
        for &(reg, special) in &program.specials {
            let value = match special {
                Special::ThreadIdx(0) | Special::Lane => thread,
                Special::BlockIdx(0 | 1) => 1,
                Special::BlockDim(0) => 32,
                Special::BlockDim(_) | Special::GridDim(_) => 8,
                _ => 1,
            };
            lane.registers.insert(reg, u64::from(value));
        }
        for (i, variable) in program.variables.iter().enumerate() {
            lane.registers.insert(variable.reg, (i as u64 + 200) << 32);
        }
        for (i, (_, reg)) in program.globals.iter().enumerate() {
            lane.registers.insert(*reg, (i as u64 + 100) << 32);
        }
        let (mut block, mut steps) = (0, 0);
        loop {
            for ins in &program.blocks[block].ins {
                lane.step(ins, ints);
            }
            let b = &program.blocks[block];
            lane.cost += u64::from(b.end_cost);
            *lane.classes.entry("end").or_insert(0) += u64::from(b.end_cost);
            steps += 1;
            assert!(steps < 200_000, "runaway");
            block = match b.end {
                End::Jump(to) | End::Barrier { next: to, .. } => to,
                End::Branch { on, yes, no } => if lane.get(on) != 0 { yes } else { no },
                End::Exit => break,
            } as usize;
        }
        lane
    }

    fn get(&self, reg: Reg) -> u64 {
        self.registers.get(&reg).copied().unwrap_or(0)
    }

    fn read(&self, address: u64, bytes: u32, ints: &HashMap<u64, Fill>) -> u64 {
        (0..u64::from(bytes)).rev().fold(0, |value, i| {
            let at = address + i;
            let old = || (fresh(at & !3, ints) >> (8 * (at & 3))) as u8;
            value << 8 | u64::from(self.memory.get(&at).copied().unwrap_or_else(old))
        })
    }

    fn step(&mut self, ins: &crate::kernel::vm::code::Ins, ints: &HashMap<u64, Fill>) {
        self.cost += u64::from(ins.cost);
        let class = match ins.op {
            Op::Load(_) => "load", Op::Store(_) => "store", Op::Cmp(..) => "cmp", Op::Bin(_, n) if !n.float() => "int",
            Op::Index(_) => "index", Op::Mov => "mov", Op::Convert(..) => "convert", _ => "other",
        };
        *self.classes.entry(class).or_insert(0) += u64::from(ins.cost);
        let [a, b, c, _] = ins.args.map(|r| if r == NONE { 0 } else { self.get(r) });
        let value = match ins.op {
            Op::Mov => a,
            Op::Bin(op, num) => scalar::bin(op, num, a, b),
            Op::Cmp(op, num) => scalar::cmp(op, num, a, b),
            Op::Un(op, num) => scalar::un(op, num, a),
            Op::Fma(num) => scalar::fma(num, a, b, c),
            Op::Select => if a != 0 { b } else { c },
            Op::Convert(from, to) => scalar::convert(from, to, a),
            Op::Round(from, to, how) => scalar::round(from, to, how, a),
            Op::Index(num) => a.wrapping_add(scalar::convert(num, crate::kernel::vm::code::Num::I64, b).wrapping_mul(ins.imm as u64)),
            Op::Math(f, num) => scalar::math(f, num, a, b),
            Op::Load(mem) => {
                let address = a.wrapping_add(ins.imm as u64);
                self.count("load", address, ins.record);
                let raw = self.read(address, mem.bytes(), ints);
                if matches!(mem, Mem::B32 | Mem::B64) { raw } else { scalar::narrow(mem, raw) }
            }
            Op::Store(mem) => {
                let address = a.wrapping_add(ins.imm as u64);
                self.count("store", address, ins.record);
                for i in 0..u64::from(mem.bytes()) {
                    self.memory.insert(address + i, (b >> (8 * i)) as u8);
                }
                0
            }
            Op::Atomic(op, num) => {
                let address = a.wrapping_add(ins.imm as u64);
                self.count("atomic", address, 4);
                assert_eq!(op, crate::kernel::vm::code::Atomic::Add);
                let old = self.read(address, 4, ints);
                let new = scalar::bin(crate::kernel::vm::code::Bin::Add, num, old, b);
                for i in 0..4 {
                    self.memory.insert(address + i, (new >> (8 * i)) as u8);
                }
                old
            }
            Op::Shuffle(_) => a,
            Op::Clock => 0,
            other => panic!("{other:?}"),
        };
        if ins.dst != NONE {
            let value = if ins.dst & WIDE == 0 { value & 0xffff_ffff } else { value };
            self.registers.insert(ins.dst, value);
        }
    }

    fn count(&mut self, what: &str, address: u64, record: u32) {
        if record != SILENT {
            let space = match address >> 32 {
                0..100 => "global",
                100..200 => "constant",
                _ => "shared",
            };
            *self.counts.entry(format!("{what} {space} {record}")).or_insert(0) += 1;
        }
    }
}

fn arguments(both: &Both, values: &[(&str, u64)]) -> Vec<(Reg, u64)> {
    let mut pointers = 0;
    let mut args = Vec::new();
    for (name, points, reg) in &both.params {
        let value = if *points {
            pointers += 1;
            pointers << 32
        } else {
            values.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no value for {name}")).1
        };
        args.push((*reg, value));
    }
    args
}

pub(super) fn show(program: &Program) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for (i, b) in program.blocks.iter().enumerate() {
        let _ = writeln!(out, "block {i}:");
        for ins in &b.ins {
            let args: Vec<String> = ins.args.iter().filter(|&&a| a != NONE).map(|a| match program.constants.iter().find(|c| c.0 == *a) {
                Some((_, v)) => format!("#{}", *v as i64),
                None => format!("{}{}", if a & WIDE != 0 { "w" } else { "r" }, a & !WIDE),
            }).collect();
            let _ = writeln!(out, "  {}{} = {:?} {} imm {} rec {} line {} cost {}", if ins.dst & WIDE != 0 { "w" } else { "r" }, ins.dst & !WIDE, ins.op, args.join(" "), ins.imm, ins.record as i32, ins.line, ins.cost);
        }
        let _ = writeln!(out, "  {:?} cost {}", b.end, b.end_cost);
    }
    out
}

#[test]
#[ignore]
fn debug() {
    let id = std::env::var("K").unwrap();
    let text = crate::kernel::library_kernel(&id).unwrap().text;
    let kernel = std::env::var("F").unwrap_or(id.replace('-', "_"));
    let values: Vec<(String, u64)> = std::env::var("V").unwrap_or_default().split(',').filter(|s| !s.is_empty()).map(|s| {
        let (n, v) = s.split_once('=').unwrap();
        (n.to_string(), v.parse::<u64>().unwrap())
    }).collect();
    let values: Vec<(&str, u64)> = values.iter().map(|(a, b)| (a.as_str(), *b)).collect();
    let both = both(text, &kernel, &[("blocks", "4"), ("warps", "8")]);
    if std::env::var("SHOW").is_ok() {
        println!("{}\n=====\n{}", show(&both.written), show(&both.compiled));
    }
    let args = arguments(&both, &values);
    let ints: HashMap<u64, Fill> = values.iter().filter_map(|(n, v)| {
        let key = n.strip_prefix('@')?;
        Some(match key.strip_prefix('m') {
            Some(k) => (k.parse().unwrap(), Fill::Below(*v as u32)),
            None => (key.parse().unwrap(), Fill::Scale(*v as u32)),
        })
    }).collect();
    let (w, c) = (Lane::run(&both.written, &args, 5, &ints), Lane::run(&both.compiled, &args, 5, &ints));
    println!("written  {:?} {:.2}", w.counts, w.cost as f64 / 64.0);
    println!("compiled {:?} {:.2}", c.counts, c.cost as f64 / 64.0);
    println!("{:?}", c.classes.iter().map(|(k, v)| (k, *v as f64 / 64.0)).collect::<Vec<_>>());
    let global = |m: &BTreeMap<u64, u8>| m.iter().filter(|(a, _)| **a >> 32 < 100).map(|(a, b)| (*a, *b)).collect::<Vec<_>>();
    assert_eq!(global(&w.memory), global(&c.memory));
}
