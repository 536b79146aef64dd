//! Runs the launches of a `.cu` file.
//!
//! In: a name, a text and [`Options`]. Out: a [`Run`]: a [`Trace`] per launch with counts, the arrays before and after, what
//! was skipped, and diagnostics.

mod assume;

use crate::emulate::assume::{guessed_spec, has_kernel, Missing};
use crate::results::{ArrayData, Counts, Launched, Run, Skipped};
use crate::warps::run::{Device, Limits, Run as Machine};
use base::ordered;
use base::{Diagnostics, Severity};
use base::{Job, Progress, Step};
use bytecode::code::{Known, Mem};
use bytecode::cost;
use bytecode::fault::RunFault;
use cuda::launch::arguments::{dims, effective, is_array, Env, Store};
use cuda::launch::{read, Guess, Item, Spec};
use cuda::lower::{Lowered, Module};
use cuda::optimise::{compile, hide_registers};
use cuda::syntax::ast::{Function, FunctionKind, Unit};
use cuda::syntax::headers::builtin_macros;
use cuda::syntax::lex;
use cuda::syntax::macros::{define, Macros};
use cuda::syntax::parse::parse;
use cuda::syntax::preprocess::preprocess;
use cuda::syntax::token::{Fault, LaunchComment, Name, Pos};
use std::rc::Rc;
use trace::{Array, Dim3, Launch, Origin, TraceBuilder};

/// Which trace is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Each access of the text.
    #[default]
    Written,
    /// The accesses that the compiler leaves.
    Compiled,
}

impl Form {
    /// `written` or `compiled`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Compiled => "compiled",
        }
    }

    /// The form of such a word.
    pub fn named(word: &str) -> Option<Self> {
        [Self::Written, Self::Compiled].into_iter().find(|form| form.word() == word)
    }
}

/// How to run a file.
#[derive(Clone, Debug)]
pub struct Options {
    /// A launch in place of the file's, as in a launch comment.
    pub launch: Option<String>,
    /// Which trace is wanted.
    pub form: Form,
    /// Sizes (and numbers that are parameters) by name, in place of the launch's.
    pub sizes: Vec<(String, String)>,
    /// Warp instructions after which a launch is stopped.
    pub budget: u64,
    /// Bytes of trace per launch.
    pub trace_bytes: usize,
    /// Bytes of all arrays together.
    pub array_bytes: u64,
    /// Where the file has no launch: guess one, and say so.
    pub guess: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            launch: None,
            form: Form::Written,
            sizes: Vec::new(),
            budget: 400_000_000,
            trace_bytes: 1 << 30,
            array_bytes: 1 << 30,
            guess: true,
        }
    }
}

/// Runs all launches of a file.
pub fn emulate(name: &str, text: &str, options: &Options) -> Run {
    Emulation::new(name, text, options).finish()
}

/// Bytes of text that are read.
const TEXT_MAX: usize = 4 << 20;
/// Includes that a message names.
const INCLUDES_TOLD: usize = 4;
/// Launches of one file.
const LAUNCHES_MAX: usize = 64;
/// Threads of a block, and blocks of a grid.
const THREADS_MAX: u64 = 1024;
const BLOCKS_MAX: u64 = 1 << 22;
/// Part of the budget that the first attempts of a guessed launch have.
const GUESS_SHARE: usize = 8;

/// A file whose launches run one after the other, in steps of warp instructions.
pub struct Emulation {
    name: String,
    options: Options,
    /// The text, where launches are guessed: a name that it misses is given a value, and it is read anew.
    text: String,
    missing: Vec<Missing>,
    /// Guessed launches that were looked through for names that the text misses.
    looked: usize,
    /// Instructions of attempts at the launch that runs, where it is guessed.
    spent: u64,
    prepared: Option<Prepared>,
    store: Store,
    running: Option<Running>,
    next: usize,
    out: Run,
    diagnostics: Diagnostics,
}

/// What all launches share.
struct Prepared {
    unit: Unit,
    module: Module,
    macros: Macros,
    specs: Vec<Spec>,
    /// Where the file has no launch: the guess behind each of `specs`.
    guesses: Vec<Guess>,
}

struct Running {
    machine: Machine,
    builder: TraceBuilder,
    kernel: String,
    /// Objects before the launch's own.
    objects: usize,
}

impl Emulation {
    /// Reads the text; what is wrong with it comes with the first step.
    pub fn new(name: &str, text: &str, options: &Options) -> Self {
        let mut job = Self {
            name: name.into(),
            options: options.clone(),
            text: String::new(),
            missing: Vec::new(),
            looked: 0,
            spent: 0,
            prepared: None,
            store: Store::default(),
            running: None,
            next: 0,
            out: Run::default(),
            diagnostics: Diagnostics::new(name),
        };
        if text.len() > TEXT_MAX {
            job.error(&Fault::new(
                Pos::default(),
                "a text of at most 4 MiB",
                format!("{} bytes", text.len()),
                "cut the file",
            ));
            return job;
        }
        job.prepared = job.prepare(text);
        job
    }

    fn error(&mut self, fault: &Fault) {
        let line = (fault.pos.line > 0).then_some(u64::from(fault.pos.line));
        let column = if fault.pos.column > 0 { format!(" in column {}", fault.pos.column) } else { String::new() };
        self.diagnostics.add(
            Severity::Error,
            line,
            fault.expected.as_str(),
            format!("{}{column}", fault.found),
            format!("{}{}{}", fault.help, self.taken_types(fault), self.own_includes(fault)),
        );
        if self.out.position.is_none() && fault.pos.line > 0 {
            self.out.position = Some((fault.pos.line, fault.pos.column));
        }
    }

    /// The files that may hold what a fault misses: those in quotes are the text's own.
    fn own_includes(&self, fault: &Fault) -> String {
        let own: Vec<&str> = self.out.skipped.iter().filter_map(|part| part.what.strip_prefix("include of ")).collect();
        let own: Vec<&str> = own.into_iter().filter(|name| name.starts_with('"')).take(INCLUDES_TOLD).collect();
        if own.is_empty() || !fault.help.contains("included files") {
            return String::new();
        }
        format!("; this file includes {}: paste what is needed of it", own.join(", "))
    }

    fn prepare(&mut self, text: &str) -> Option<Prepared> {
        let lexed = lex(text);
        let mut comments = lexed.launches;
        if let Some(launch) = &self.options.launch {
            comments = vec![LaunchComment { pos: Pos::default(), text: launch.clone() }];
        }
        let mut specs = Vec::new();
        for comment in comments.iter().take(LAUNCHES_MAX) {
            match read(comment) {
                Ok(spec) => specs.push(spec),
                Err(fault) => self.error(&fault),
            }
        }
        self.replace_sizes(&mut specs);
        let first = preprocess(lexed.tokens.clone(), builtin_macros());
        let (unit, flaws) = parse(first.tokens);
        let mut macros = builtin_macros();
        for item in specs.iter().flat_map(|s| &s.items) {
            // In a text with a flaw nobody knows what is a parameter and what a size.
            if flaws.is_empty() && is_size(&unit, &specs, item) {
                define(&mut macros, &item.name, &format!("({})", item.text), true);
            }
        }
        if specs.is_empty() {
            self.define_sizes(&unit, &mut macros);
        }
        let preprocessed = preprocess(lexed.tokens, macros);
        let host = if specs.is_empty() { preprocessed.tokens.clone() } else { Vec::new() };
        let (unit, faults) = parse(preprocessed.tokens);
        let includes = preprocessed.includes.iter().map(|(pos, what)| (*pos, format!("include of {what}")));
        let skipped = includes.chain(unit.skipped.iter().cloned());
        self.out.skipped = skipped.map(|(pos, what)| Skipped { line: pos.line, what }).collect();
        let all: Vec<Fault> = preprocessed.faults.into_iter().chain(faults).collect();
        let all = ordered(all, |f| u64::from(f.pos.line) << 32 | u64::from(f.pos.column));
        all.iter().for_each(|f| self.error(f));
        let guessing = specs.is_empty() && comments.is_empty();
        if self.diagnostics.any(Severity::Error) && !(guessing && has_kernel(&unit)) {
            return None;
        }
        let module = Module::new(&unit).map_err(|f| self.error(&f)).ok()?;
        let mut guesses = Vec::new();
        if specs.is_empty() {
            self.text = text.into();
            if !has_kernel(&unit) && self.open_gate(&preprocessed.gates) {
                return self.anew();
            }
            guesses = self.guessed(&unit, &host)?;
            specs = guesses.iter().filter_map(guessed_spec).collect();
        }
        Some(Prepared { unit, module, macros: preprocessed.macros, specs, guesses })
    }

    /// Sizes from outside take the place of the launch's.
    fn replace_sizes(&mut self, specs: &mut [Spec]) {
        for (name, value) in self.options.sizes.clone() {
            let mut tokens = lex(&value).tokens;
            tokens.pop();
            let mut known = false;
            for item in specs.iter_mut().flat_map(|s| &mut s.items).filter(|i| *i.name == *name && i.dims.is_empty()) {
                (item.value, item.text, known) = (Some(tokens.clone()), value.clone(), true);
            }
            if !known {
                let item = Item {
                    name: Name::from(name.as_str()),
                    ty: None,
                    dims: Vec::new(),
                    words: Vec::new(),
                    value: Some(tokens),
                    text: value,
                };
                specs.iter_mut().take(1).for_each(|s| s.items.push(item.clone()));
            }
        }
    }

    fn warn(&mut self, line: u32, expected: &str, found: &str, help: &str) {
        let line = (line > 0).then_some(u64::from(line));
        self.diagnostics.add(Severity::Warning, line, expected, found, help);
    }

    /// Sets up the next launch.
    fn launch(&mut self, prepared: &Prepared, index: usize) -> Result<Running, Fault> {
        // Guessed launches have nothing to do with each other.
        let alone = !prepared.guesses.is_empty();
        if alone {
            self.store = Store::default();
        }
        let spec = &prepared.specs[index];
        let kernel = find_kernel(&prepared.unit, spec)?;
        let pairs = if alone { effective(std::slice::from_ref(spec), 0) } else { effective(&prepared.specs, index) };
        let items: Vec<&Item> = pairs.iter().map(|(item, _)| *item).collect();
        let template = template_args(prepared, spec)?;
        let mut lowered = prepared.module.lower(&kernel, &template)?;
        let mut env = Env {
            module: &prepared.module,
            unit: &prepared.unit,
            macros: &prepared.macros,
            known: Vec::new(),
            pos: spec.pos,
            bytes: self.options.array_bytes,
        };
        env.learn(&items, &lowered.params);
        let (grid, block) = (dims(&env, &spec.grid, "blocks")?, dims(&env, &spec.block, "threads")?);
        let (grid, block) = (Dim3::new(grid[0], grid[1], grid[2]), Dim3::new(block[0], block[1], block[2]));
        if block.count() > THREADS_MAX || grid.count() > BLOCKS_MAX {
            let found = format!("{} blocks of {} threads", grid.count(), block.count());
            return env.fault("at most 1,024 threads per block and 4,194,304 blocks", found, "check the launch");
        }
        let dynamic = match &spec.shared {
            Some(tokens) => env.size(tokens, "dynamic shared memory")?,
            None => 0,
        };
        for (item, inherited) in pairs.iter().filter(|(item, _)| is_array(item)) {
            env.array(&mut self.store, item, *inherited)?;
        }
        let mut registers = Vec::new();
        for (i, (param, places)) in lowered.params.iter().zip(&lowered.program.params).enumerate() {
            let default = kernel.params.get(i).and_then(|p| p.default.as_ref());
            let bytes = env.argument(&self.store, param, &items, default)?;
            registers.extend(places.iter().map(|&(reg, offset, mem)| (reg, value_at(&bytes, offset as usize, mem))));
        }
        for (name, reg) in lowered.program.globals.clone() {
            let Some(ty) = lowered.globals.get(&name) else { continue };
            registers.push((reg, env.global(&mut self.store, &name, ty)?));
        }
        self.finish_program(&mut lowered);
        let objects = self.store.memory.objects.len();
        let instructions = self.options.budget.saturating_sub(self.spent);
        // A guess that is too long is made shorter.
        let share = if alone && prepared.guesses[index].shrinks() { GUESS_SHARE } else { 1 };
        let trace_bytes = self.options.trace_bytes / share;
        let limits = Limits { instructions: instructions / share as u64, trace_bytes };
        let program = Rc::new(lowered.program);
        let machine = Machine::new(program, grid, block, dynamic, registers, &mut self.store.memory, limits)
            .map_err(|f| at_line(&f, spec.pos))?;
        let launch = Launch { grid, block, shared_bytes: machine.shared_bytes(), registers: 0 };
        let builder = TraceBuilder::new(kernel.name.to_string(), launch);
        Ok(Running { machine, builder, kernel: kernel.name.to_string(), objects })
    }

    fn finish_program(&self, lowered: &mut Lowered) {
        if self.options.form == Form::Compiled {
            if let Some(program) = compile(&lowered.program) {
                lowered.program = program;
                return;
            }
        }
        hide_registers(&mut lowered.program);
        cost::price(&mut lowered.program);
    }

    /// Ends the launch that runs: its trace and its counts.
    fn conclude(&mut self, running: Running) {
        let Running { machine, mut builder, kernel, objects } = running;
        for warning in machine.warnings() {
            self.warn(warning.line, &warning.expected, &warning.found, &warning.help);
        }
        let named = self.store.memory.objects[..objects].iter().filter(|o| o.space != Known::Shared && o.bytes > 0);
        builder.arrays(named.map(|o| Array {
            name: o.name.to_string(),
            base: o.base,
            bytes: o.bytes,
            origin: Origin::Named,
        }));
        self.out.executed += machine.executed();
        let counts = Counts::of(machine.classes(), machine.tally());
        self.store.memory.forget(objects);
        self.out.launches.push(Launched { kernel, trace: builder.finish(), counts });
    }

    fn give(&mut self) -> Run {
        let mut out = std::mem::take(&mut self.out);
        for held in &self.store.arrays {
            let slot = self.store.memory.objects[held.object].slot;
            let element = held.ty.shown();
            out.arrays.push(ArrayData {
                name: held.name.to_string(),
                element,
                elements: held.count,
                before: held.before.clone(),
                after: self.store.memory.data[slot].clone(),
            });
        }
        out.diagnostics = std::mem::replace(&mut self.diagnostics, Diagnostics::new(&self.name)).into_vec();
        if !self.text.is_empty() && !out.launches.is_empty() {
            // Of guessed launches some failed; the others are good.
            out.diagnostics.iter_mut().for_each(|d| d.severity = d.severity.min(Severity::Warning));
        }
        out
    }

    fn run_fault(&mut self, fault: &RunFault) {
        let pos = Pos { line: fault.line, column: 0 };
        self.error(&Fault::new(pos, fault.expected.as_str(), fault.found.as_str(), fault.help.as_str()));
    }
}

impl Job for Emulation {
    type Output = Run;

    /// A unit of work is a warp instruction.
    fn step(&mut self, budget: u64) -> Step<Run> {
        let Some(mut prepared) = self.prepared.take() else { return Step::Done(self.give()) };
        if self.next >= prepared.specs.len() {
            return Step::Done(self.give());
        }
        if self.looked < prepared.guesses.len() {
            self.prepared = self.look(prepared);
            return Step::More(Progress::default());
        }
        if self.running.is_none() {
            match self.launch(&prepared, self.next) {
                Ok(running) => self.running = Some(running),
                Err(fault) => {
                    self.error(&fault);
                    return self.after_fault(prepared);
                }
            }
        }
        let total = prepared.specs.len() as u64;
        let mut progress = Progress { done: self.next as u64 * 1000, total: total * 1000 };
        if let Some(mut running) = self.running.take() {
            let mut device =
                Device { memory: &mut self.store.memory, textures: &self.store.textures, output: &mut self.out.output };
            match running.machine.advance(&mut device, &mut running.builder, budget) {
                Ok(true) => {
                    self.conclude(running);
                    self.tell_guess(&prepared, self.next);
                    (self.next, self.spent) = (self.next + 1, 0);
                }
                Ok(false) => {
                    let (done, of) = running.machine.progress();
                    progress.done += 1000 * done / of.max(1);
                    self.running = Some(running);
                }
                Err(fault) => {
                    self.spent += running.machine.executed();
                    if !self.guess_again(&mut prepared, &fault) {
                        self.run_fault(&fault);
                        return self.after_fault(prepared);
                    }
                }
            }
        }
        self.prepared = Some(prepared);
        Step::More(progress)
    }
}

fn at_line(fault: &RunFault, pos: Pos) -> Fault {
    Fault::new(pos, fault.expected.as_str(), fault.found.as_str(), fault.help.as_str())
}

fn value_at(bytes: &[u8], offset: usize, mem: Mem) -> u64 {
    let mut word = [0; 8];
    let size = mem.bytes() as usize;
    if let Some(part) = bytes.get(offset..offset + size) {
        word[..size].copy_from_slice(part);
    }
    bytecode::scalar::narrow(mem, u64::from_le_bytes(word))
}

fn find_kernel(unit: &Unit, spec: &Spec) -> Result<Rc<Function>, Fault> {
    let is = |f: &&Rc<Function>| f.kind == FunctionKind::Kernel && f.name == spec.kernel && f.specialised.is_none();
    let found = unit.functions.iter().filter(is).max_by_key(|f| f.body.is_some());
    found.cloned().ok_or_else(|| {
        let kernels: Vec<&str> =
            unit.functions.iter().filter(|f| f.kind == FunctionKind::Kernel).map(|f| &*f.name).collect();
        let help = if kernels.is_empty() {
            "the file has no kernel".into()
        } else {
            format!("the file has {}", kernels.join(", "))
        };
        Fault::new(spec.pos, "a kernel of the file", format!("`{}`", spec.kernel), help)
    })
}

fn template_args(prepared: &Prepared, spec: &Spec) -> Result<Vec<cuda::syntax::ast::TemplateArg>, Fault> {
    if spec.template.is_empty() {
        return Ok(Vec::new());
    }
    let mut tokens = Vec::new();
    cuda::syntax::macros::expand(spec.template.clone(), &prepared.macros, &mut tokens)?;
    tokens.push(cuda::syntax::token::Token {
        tok: cuda::syntax::token::Tok::End,
        pos: spec.pos,
        starts_line: true,
        spaced: true,
    });
    cuda::syntax::parse::parse_fragment(tokens, &prepared.unit, |f| f.template_args()).map_err(|f| f.at(spec.pos))
}

/// An item that is neither a parameter of its launch's kernel nor a variable of the file.
fn is_size(unit: &Unit, specs: &[Spec], item: &Item) -> bool {
    let param = |spec: &Spec| {
        let kernel = unit.functions.iter().filter(|f| f.name == spec.kernel);
        kernel.flat_map(|f| &f.params).any(|p| p.name.as_ref() == Some(&item.name))
    };
    item.value.is_some()
        && item.dims.is_empty()
        && !specs.iter().any(param)
        && !unit.globals.iter().any(|g| g.name == item.name && g.init.is_none())
}
