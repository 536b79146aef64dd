//! Tests that a kernel as compiled writes the same as the kernel as written, one lane at a time, and that it saves the
//! expected accesses.

use crate::lower::types::Ty;
use crate::lower::Module;
use crate::optimise::compile_kernel;
use crate::syntax::ast::FunctionKind;
use crate::syntax::{lex, macros, parse, preprocess};
use bytecode::code::{Mem, Op, Program, Reg, SpecialRegister, Terminator, NONE, SILENT, WIDE};
use bytecode::scalar;
use std::collections::{BTreeMap, HashMap};

mod tile_loads;

/// A kernel as written and as compiled.
struct Both {
    written: Program,
    compiled: Program,
    /// Parameters: the name, whether it is a pointer, and the register.
    params: Vec<(String, bool, Reg)>,
}

fn both(text: &str, kernel: &str, defines: &[(&str, &str)]) -> Both {
    let mut known = macros::Macros::default();
    for (name, value) in defines {
        macros::define_macro(&mut known, name, value, true);
    }
    let lexed = lex(text);
    let pre = preprocess::preprocess(&lexed, known);
    let (unit, faults) = parse::parse(pre.tokens);
    assert!(faults.is_empty(), "{faults:?}");
    let module = Module::new(&unit);
    let function = unit.functions.iter().find(|f| &*f.name == kernel && f.kind == FunctionKind::Kernel).unwrap();
    let lowered = module.lower(function, &[]).unwrap_or_else(|f| panic!("{f:?}"));
    let params = lowered.params.iter().zip(&lowered.program.params);
    let params = params.map(|(p, places)| (p.name.to_string(), matches!(p.ty, Ty::Pointer(_)), places[0].0)).collect();
    let compiled = compile_kernel(&lowered.program, true).expect("a kernel of bounded size");
    Both { written: lowered.program, compiled, params }
}

/// A thread that runs alone.
#[derive(Default)]
struct Lane {
    registers: HashMap<Reg, u64>,
    memory: BTreeMap<u64, u8>,
    counts: BTreeMap<String, u64>,
    cost: u64,
    classes: BTreeMap<&'static str, u64>,
}

/// The initial contents of memory.
fn fresh(address: u64) -> u32 {
    let index = (address & 0xffff_ffff) >> 2;
    (((index.wrapping_mul(2_654_435_761) >> 8) & 0xff) as f32 / 256.0).to_bits()
}

impl Lane {
    fn run(program: &Program, args: &[(Reg, u64)], thread: u32) -> Self {
        let mut lane = Self::default();
        lane.registers.extend(program.constants.iter().copied());
        lane.registers.extend(args.iter().copied());
        for &(reg, special) in &program.specials {
            let value = match special {
                SpecialRegister::ThreadIdx(0) | SpecialRegister::Lane => thread,
                SpecialRegister::BlockIdx(0 | 1) => 1,
                SpecialRegister::BlockDim(0) => 32,
                SpecialRegister::BlockDim(_) | SpecialRegister::GridDim(_) => 8,
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
                lane.step(ins);
            }
            let b = &program.blocks[block];
            lane.cost += u64::from(b.end_cost);
            *lane.classes.entry("end").or_insert(0) += u64::from(b.end_cost);
            steps += 1;
            assert!(steps < 200_000, "runaway");
            block = match b.end {
                Terminator::Jump(to) | Terminator::Barrier { next: to, .. } => to,
                Terminator::Branch { on, yes, no } => {
                    if lane.get(on) != 0 {
                        yes
                    } else {
                        no
                    }
                }
                Terminator::Exit => break,
            } as usize;
        }
        lane
    }

    fn get(&self, reg: Reg) -> u64 {
        self.registers.get(&reg).copied().unwrap_or(0)
    }

    fn read(&self, address: u64, bytes: u32) -> u64 {
        (0..u64::from(bytes)).rev().fold(0, |value, i| {
            let at = address + i;
            let old = || (fresh(at & !3) >> (8 * (at & 3))) as u8;
            value << 8 | u64::from(self.memory.get(&at).copied().unwrap_or_else(old))
        })
    }

    fn step(&mut self, ins: &bytecode::code::Ins) {
        self.cost += u64::from(ins.cost);
        let class = match ins.op {
            Op::Load(_) => "load",
            Op::Store(_) => "store",
            Op::Cmp(..) => "cmp",
            Op::Bin(_, n) if !n.float() => "int",
            Op::Index(_) => "index",
            Op::Mov => "mov",
            Op::Convert(..) => "convert",
            _ => "other",
        };
        *self.classes.entry(class).or_insert(0) += u64::from(ins.cost);
        let [a, b, c, _] = ins.args.map(|r| if r == NONE { 0 } else { self.get(r) });
        let value = match ins.op {
            Op::Mov => a,
            Op::Bin(op, num) => scalar::bin(op, num, a, b),
            Op::Cmp(op, num) => scalar::cmp(op, num, a, b),
            Op::Un(op, num) => scalar::un(op, num, a),
            Op::Fma(num) => scalar::fma(num, a, b, c),
            Op::Select => {
                if a != 0 {
                    b
                } else {
                    c
                }
            }
            Op::Convert(from, to) => scalar::convert(from, to, a),
            Op::Round(from, to, how) => scalar::round(from, to, how, a),
            Op::Index(num) => {
                a.wrapping_add(scalar::convert(num, bytecode::code::Num::I64, b).wrapping_mul(ins.imm as u64))
            }
            Op::Math(f, num) => scalar::math(f, num, a, b),
            Op::Load(mem) => {
                let address = a.wrapping_add(ins.imm as u64);
                self.count("load", address, ins.record);
                let raw = self.read(address, mem.bytes());
                if matches!(mem, Mem::B32 | Mem::B64) {
                    raw
                } else {
                    scalar::narrow(mem, raw)
                }
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
                assert!(matches!(op, bytecode::code::Atomic::Add | bytecode::code::Atomic::Count));
                let old = self.read(address, 4);
                let new = scalar::bin(bytecode::code::Bin::Add, num, old, b);
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

/// Runs `body` as a kernel of `params` with n = 32 for one thread, as written and as compiled. Both must write the
/// same. Returns the accesses as compiled.
fn accesses(params: &str, body: &str) -> BTreeMap<String, u64> {
    let text = format!("__global__ void k({params}) {{ int i = threadIdx.x; {body} }}");
    let both = both(&text, "k", &[]);
    let args = arguments(&both, &[("n", 32), ("j", 2)]);
    let run = |program| Lane::run(program, &args, 5);
    let (written, compiled) = (run(&both.written), run(&both.compiled));
    let global =
        |lane: &Lane| lane.memory.iter().filter(|(a, _)| **a >> 32 < 100).map(|(a, b)| (*a, *b)).collect::<Vec<_>>();
    assert_eq!(global(&written), global(&compiled), "{text}");
    compiled.counts
}

/// The expected counts are those of NVRTC 12.9 for the same text.
fn check(params: &str, body: &str, expected: &[(&str, u64)]) {
    let expected: BTreeMap<String, u64> = expected.iter().map(|(k, v)| (k.to_string(), *v)).collect();
    assert_eq!(accesses(params, body), expected, "{body}");
}

const LOAD: &str = "load global 4";
const STORE: &str = "store global 4";

#[test]
fn a_sum_in_memory_is_loaded_once_and_stored_every_round() {
    check("float *A, float *C, int n", "for (int k = 0; k < n; k++) C[i] += A[k];", &[(LOAD, 33), (STORE, 32)]);
}

#[test]
fn with_restrict_it_is_stored_once() {
    let params = "const float *__restrict__ A, float *__restrict__ C, int n";
    check(params, "for (int k = 0; k < n; k++) C[i] += A[k];", &[(LOAD, 33), (STORE, 1)]);
    // The compiler drops the load even if the loop has no iteration.
    check(params, "for (int k = n; k < 0; k++) C[i] += A[k];", &[]);
}

#[test]
fn a_second_sum_defeats_it_unless_it_is_a_neighbour() {
    let two = "for (int k = 0; k < n; k++) { C[i] += A[k]; D[i] += A[k]; }";
    check("float *A, float *C, float *D, int n", two, &[(LOAD, 128), (STORE, 64)]);
    let neighbours = "for (int k = 0; k < n; k++) { C[i] += A[k]; C[i + 1] += A[k]; }";
    check("float *A, float *C, int n", neighbours, &[(LOAD, 66), (STORE, 64)]);
}

#[test]
fn loads_that_do_not_change_leave_the_loop() {
    let body = "float s = 0; for (int k = 0; k < n; k++) s += A[k] * A[i]; C[i] = s;";
    check("float *A, float *C, int n", body, &[(LOAD, 33), (STORE, 1)]);
    let stores = "for (int k = 0; k < n; k++) C[k] = A[k] * A[i];";
    check("float *A, float *C, int n", stores, &[(LOAD, 64), (STORE, 32)]);
}

#[test]
fn neighbouring_rounds_share_loads_within_the_unrolled_body() {
    let body = "float s = 0; for (int k = 0; k < n; k++) s += A[i + k] * A[i + k + 1]; C[i] = s;";
    check("float *A, float *C, int n", body, &[(LOAD, 34), (STORE, 1)]);
}

#[test]
fn barriers_forget_what_others_may_change() {
    let body = "float v = A[i]; __syncthreads(); C[i] = v + A[i];";
    check("float *A, float *C", body, &[(LOAD, 2), (STORE, 1)]);
    check("float *__restrict__ A, float *__restrict__ C", body, &[(LOAD, 1), (STORE, 1)]);
}

#[test]
fn stores_to_shared_memory_forget_no_global_loads() {
    let body = "__shared__ float s[64]; s[i] = A[i]; C[s[63 - i] > 0 ? 1 : 0] = A[i];";
    let expected = [(LOAD, 1), ("store shared 4", 1), ("load shared 4", 1), (STORE, 1)];
    check("float *A, float *C", body, &expected);
    let sums = "__shared__ float s[64]; s[i] = 0; for (int k = 0; k < n; k++) s[i] += A[k * 64 + i]; C[i] = s[i];";
    check("float *A, float *C, int n", sums, &[(LOAD, 32), ("store shared 4", 2), (STORE, 1)]);
}

#[test]
fn a_choice_of_two_loads_is_one_load_of_a_chosen_address() {
    let text = "__global__ void k(float *A, float *B, float *C, int n) { int i = threadIdx.x; float v; \
                if (i < n) v = A[i]; else v = B[2 * i]; C[i] = v; }";
    let program = both(text, "k", &[]).compiled;
    let count = |op: fn(&Op) -> bool| program.blocks.iter().flat_map(|b| &b.ins).filter(|i| op(&i.op)).count();
    assert_eq!(count(|op| matches!(op, Op::Load(_))), 1);
    let text = "__global__ void k(float *A, float *C, int n) { int i = threadIdx.x; float v = A[i]; \
                if (i < n) C[i] = v; else C[i] = 2 * v; }";
    let program = both(text, "k", &[]).compiled;
    let count = |op: fn(&Op) -> bool| program.blocks.iter().flat_map(|b| &b.ins).filter(|i| op(&i.op)).count();
    assert_eq!(count(|op| matches!(op, Op::Store(_))), 1);
}

#[test]
fn atomics_that_add_one_count_where_nobody_uses_the_old_value() {
    let counts = |body: &str| {
        let text = format!("__global__ void k(int *A, unsigned *C, float *F) {{ int i = threadIdx.x; {body} }}");
        let program = both(&text, "k", &[]).compiled;
        let counts = |ins: &&bytecode::code::Ins| matches!(ins.op, Op::Atomic(bytecode::code::Atomic::Count, _));
        program.blocks.iter().flat_map(|block| &block.ins).filter(counts).count()
    };
    assert_eq!(counts("__shared__ unsigned s[64]; s[i] = 0; atomicAdd(&s[A[i]], 1u); C[i] = s[i];"), 1);
    assert_eq!(counts("atomicAdd(A, 1); atomicAdd(&C[i], 1);"), 2);
    assert_eq!(counts("C[i] = atomicAdd(A, 1);"), 0, "a used value");
    assert_eq!(counts("atomicAdd(A, 2); atomicAdd(A, i); atomicSub(A, 1); atomicMax(A, 1); atomicAdd(F, 1.0f);"), 0);
}

#[test]
fn dead_stores_and_loads_vanish() {
    check("float *A, float *C", "float v = A[i]; C[i] = 1; C[i] = 2;", &[(STORE, 1)]);
    check("volatile float *A, float *C", "A[i]; C[i] = 2;", &[(LOAD, 1), (STORE, 1)]);
}

#[test]
fn constants_are_operands_only_where_the_text_fixes_the_index() {
    let counts = |index: &str| {
        let text =
            format!("__constant__ float c[99]; __global__ void k(float *C, int n) {{ C[threadIdx.x] = c[{index}]; }}");
        let both = both(&text, "k", &[]);
        let lane = Lane::run(&both.compiled, &arguments(&both, &[("n", 2)]), 5);
        lane.counts.iter().filter(|(what, _)| what.contains("constant")).map(|(_, count)| count).sum::<u64>()
    };
    // NVRTC 12.9 for sm_80: `c[0x3][0xc]` for the first one, and `LDC` with an index register for the others.
    assert_eq!(counts("3"), 0);
    assert_eq!(["n", "blockIdx.x", "threadIdx.x", "31 - threadIdx.x + n", "threadIdx.y"].map(counts), [1; 5]);
}

#[test]
fn local_arrays_with_constant_indices_live_in_registers() {
    let fill = "float v[4]; for (int k = 0; k < 4; k++) v[k] = A[4 * i + k];";
    let sum = format!("{fill} float s = 0; for (int k = 0; k < 4; k++) s += v[3 - k]; C[i] = s;");
    check("float *A, float *C", &sum, &[(LOAD, 4), (STORE, 1)]);
}

#[test]
fn small_local_arrays_with_other_indices_live_in_registers() {
    let sums = |elements: usize, ty: &str| {
        let body = format!(
            "{ty} v[{elements}]; for (int k = 0; k < {elements}; k++) v[k] = 0; \
             for (int k = 0; k < n; k++) v[(int)(A[k] * 64) % {elements}] += A[k]; \
             float s = 0; for (int k = 0; k < {elements}; k++) s += v[k]; C[i] = s;"
        );
        accesses("float *A, float *C, int n", &body)
    };
    for elements in 2..=7 {
        let counts = sums(elements, "float");
        assert!(counts.keys().eq([LOAD, STORE]), "{elements}: {counts:?}");
    }
    assert!(sums(8, "float").len() > 2 && sums(2, "double").len() > 2);
    // An array whose address is kept stays in memory.
    let kept = "float v[2] = {1, 2}; float *p = n > i ? v : v + 1; for (int k = 0; k < n; k++) p[k & 1 & i] += A[k]; C[i] = v[0];";
    assert!(accesses("float *A, float *C, int n", kept).len() > 2);
}

#[test]
fn fields_of_aligned_vectors_are_loaded_together_as_far_as_they_are_neighbours() {
    let get = |fields: &str| accesses("float4 *A, float *C", &format!("float4 v = A[i]; C[i] = {fields};"));
    let loads = |fields: &str| {
        let counts = get(fields);
        let of = |what: &str| counts.get(what).copied().unwrap_or(0);
        [of("load global 4"), of("load global 8"), of("load global 16")]
    };
    assert_eq!(loads("v.y"), [1, 0, 0]);
    assert_eq!(loads("v.x + v.y"), [0, 1, 0]);
    assert_eq!(loads("v.x + v.z"), [2, 0, 0]);
    assert_eq!(loads("v.y + v.w"), [2, 0, 0]);
    assert_eq!(loads("v.x + v.y + v.z"), [0, 0, 1]);
    assert_eq!(loads("v.x + v.y + v.z + v.w"), [0, 0, 1]);
    check("float4 *A", "A[i].x = 1; A[i].y = 2; A[i].z = 3; A[i].w = 4;", &[("store global 16", 1)]);
    check(
        "float2 *A, float2 *C",
        "float2 v = A[i]; C[i] = make_float2(v.y, v.x);",
        &[("load global 8", 1), ("store global 8", 1)],
    );
}

#[test]
fn rows_of_shared_memory_are_read_and_written_wide() {
    let body =
        "__shared__ float s[64][4]; s[i][0] = A[i]; s[i][1] = A[i + 32]; s[i][2] = A[i + 64]; s[i][3] = A[i + 96]; \
                __syncthreads(); C[i] = s[31 - i][0] + s[31 - i][1] + s[31 - i][2] + s[31 - i][3];";
    check("float *A, float *C", body, &[(LOAD, 4), ("store shared 16", 1), ("load shared 16", 1), (STORE, 1)]);
}

#[test]
fn loops_whose_step_is_known_share_tests() {
    let cost = |body: &str| {
        let text =
            format!("__global__ void k(int *A, int *C, int n) {{ int i = threadIdx.x; int s = 0; {body} C[i] = s; }}");
        let both = both(&text, "k", &[]);
        let run = |n| Lane::run(&both.compiled, &arguments(&both, &[("n", n)]), 5).cost as f64 / 64.0;
        (run(640) - run(320)) / 320.0
    };
    // One load and one addition per iteration, and a sixteenth of everything else.
    assert!(cost("for (int k = 0; k < n; k++) s += A[k];") < 2.5);
    assert!(cost("\n#pragma unroll 1\n for (int k = 0; k < n; k++) s += A[k];") > 4.0);
    assert!(cost("for (int k = 0; k < n; k += blockDim.y) s += A[k];") > 4.0 / 8.0);
}

/// Shared loads of a convolution of 15 × 15 with a × b outputs per thread, in blocks of 32 × 4.
fn shared_loads_of_convolution(a: usize, b: usize) -> u64 {
    let body = format!(
        "__shared__ float s[64][512]; float sum[{b}][{a}] = {{}};
        #pragma unroll
        for (int p = 0; p < 15; p++)
            #pragma unroll
            for (int q = 0; q < 15; q++)
                #pragma unroll
                for (int y = 0; y < {b}; y++)
                    #pragma unroll
                    for (int x = 0; x < {a}; x++)
                        sum[y][x] += s[j + y * 4 + p][i + x * 32 + q] * A[p * 15 + q];
        #pragma unroll
        for (int y = 0; y < {b}; y++)
            #pragma unroll
            for (int x = 0; x < {a}; x++)
                C[y * {a} + x] = sum[y][x];"
    );
    accesses("const float *__restrict__ A, float *__restrict__ C, int j", &body)["load shared 4"]
}

#[test]
fn large_bodies_are_unrolled_and_share_their_loads() {
    // All 15 rows are written out, so the loads are the distinct addresses (NVRTC 12.9 for sm_75).
    assert_eq!(shared_loads_of_convolution(2, 5), 31 * 30);
    assert_eq!(shared_loads_of_convolution(3, 7), 39 * 45);
    // Three rows, then three times four.
    assert_eq!(shared_loads_of_convolution(3, 8), 15 * 8 * 45);
}

#[test]
fn unrolling_is_bounded() {
    let size = |body: &str| {
        let text =
            format!("__global__ void k(float *A, float *C) {{ int i = threadIdx.x; float s = 0; {body} C[i] = s; }}");
        both(&text, "k", &[]).compiled.blocks.iter().map(|b| b.ins.len()).sum::<usize>()
    };
    let nest: String = (0..4).map(|v| format!("\n#pragma unroll\nfor (int v{v} = 0; v{v} < 15; v{v}++) ")).collect();
    assert!(size(&format!("{nest} s += A[v0 * 7 + v1 * 9 + v2 * 21 + v3 * 57 + i];")) < 60_000);
    let one = "\n#pragma unroll\nfor (int k = 0; k < 900; k++) s += A[k * k * i] * A[i + k];";
    let row = size(&one.repeat(3));
    assert!((3 * 900..60_000).contains(&row), "{row}");
}

#[test]
fn the_value_before_the_last_round_survives_unrolling() {
    let body = "float p = 0, x = 0; for (int k = 0; k < n; k++) { p = x; x = A[k]; } C[i] = p; C[i + 1] = x;";
    check("float *A, float *C, int n", body, &[(LOAD, 4), (STORE, 2)]);
    let body = "float p = 0, x = 0; for (int k = i; k < n; k++) { p = x; x = A[k]; } C[i] = p; C[i + 1] = x;";
    check("float *A, float *C, int n", body, &[(LOAD, 9), (STORE, 2)]);
}

#[test]
fn a_short_that_its_loop_loads_again_is_stored_in_the_loop() {
    let body = "short *h = (short *)C; for (int k = 0; k < n; k++) { h[i] = (short)A[k]; int own[5] = {}; own[h[i] % 5] = 3; }";
    check(
        "const float *__restrict__ A, float *C, int n",
        body,
        &[(LOAD, 32), ("load global 2", 32), ("store global 2", 32)],
    );
}
