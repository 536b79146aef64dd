//! Runs the launches of a `.cu` file.
//!
//! In: a name, a text and [`CudaOptions`]. Out: a [`CudaRun`] with a [`Trace`] and counts per launch, the arrays before and
//! after, the skipped parts of the file, and diagnostics.

mod assume;
mod cut;
mod finish;
mod messages;
pub(crate) mod part;
mod registers;
mod sizes;
pub(crate) mod stream;

use crate::emulate::assume::{spec_of_guess, Missing};
use crate::emulate::cut::Cut;
use crate::emulate::part::LaunchPart;
use crate::emulate::stream::{LaunchSegment, TURN};
use crate::results::{CudaRun, SkippedPart};
use crate::warps::launch_run::{DeviceState, LaunchLimits, LaunchRun};
use crate::warps::sink::{AccessSink, Dropped};
use base::sorted_by_key;
use base::{Diagnostics, Severity};
use base::{Job, Progress, Step};
use bytecode::code::Mem;
use bytecode::cost;
use bytecode::fault::{FaultCause, RunFault};
use cuda::{
    builtin_macros, compile_kernel, define_macro, hide_registers, lex, names_constant, parse, parse_launch, preprocess,
    run_host, FileParts, Macros,
};
use cuda::{
    defined_kernels, evaluate_dims, find_kernel, has_kernel, instances, is_array, is_size, items_with_inherited,
    template_args,
};
use cuda::{
    DeviceStore, HostRun, LaunchComment, LaunchEnv, LaunchFacts, LaunchGuess, LaunchItem, LaunchSpec, LoweredKernel,
    Module, Pos, TextFault, Token, Unit,
};
use std::rc::Rc;
use trace::{Dim3, Launch, TraceBuilder};

/// Which accesses the trace holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceForm {
    /// Each access of the text.
    #[default]
    Written,
    /// The accesses that an optimising compiler leaves.
    Compiled,
}

impl TraceForm {
    /// The form's word in links and on the command line: `written` or `compiled`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Compiled => "compiled",
        }
    }

    /// The form with this word.
    pub fn named(word: &str) -> Option<Self> {
        [Self::Written, Self::Compiled].into_iter().find(|form| form.word() == word)
    }
}

/// Settings of a run, with its bounds.
#[derive(Clone, Debug)]
pub struct CudaOptions {
    /// A launch comment that replaces those of the file. Or a number: the launch of this number, from 1, of each kernel in the
    /// host code. Or `all` launches of the host code in their order, up to 64 and the budget of one launch together.
    pub launch: Option<String>,
    /// The accesses that the trace shall hold.
    pub form: TraceForm,
    /// Whether neighbouring accesses of a compiled kernel become wide ones, as NVIDIA's compiler makes them of CUDA text.
    /// Compilers of other languages may leave them as the text has them.
    pub joins: bool,
    /// Sizes and number parameters, by name, that replace the values in the launch comment.
    pub sizes: Vec<(String, String)>,
    /// Number of warp instructions after which a launch is stopped.
    pub budget: u64,
    /// Largest trace of a launch in bytes.
    pub trace_bytes: usize,
    /// How much of each launch runs.
    pub part: LaunchPart,
    /// Largest total of all arrays in bytes.
    pub array_bytes: u64,
    /// Whether to guess launches for a file without a launch comment. A warning then states the guess.
    pub guess: bool,
}

impl Default for CudaOptions {
    fn default() -> Self {
        Self {
            launch: None,
            form: TraceForm::Written,
            joins: true,
            sizes: Vec::new(),
            budget: 400_000_000,
            trace_bytes: 1 << 30,
            part: LaunchPart::Whole,
            array_bytes: 1 << 30,
            guess: true,
        }
    }
}

/// Runs all launches of a file to their end. [`Emulation`] does the same in steps.
pub fn emulate(name: &str, text: &str, options: &CudaOptions) -> CudaRun {
    Emulation::new(name, text, options).finish()
}

/// Longest text in bytes.
const TEXT_MAX: usize = 4 << 20;
/// Most launches of one file.
const LAUNCHES_MAX: usize = 64;
/// CUDA's limit of threads per block, and the most blocks of a grid.
const THREADS_MAX: u64 = 1024;
const BLOCKS_MAX: u64 = 1 << 22;
/// The first attempts of a guessed launch get this part of the budget.
const GUESS_SHARE: usize = 8;
/// The same of launches that follow the host code.
const HOST_SHARE: usize = 2;

/// A job that runs the launches of a file one after the other, in steps of warp instructions.
pub struct Emulation {
    name: String,
    options: CudaOptions,
    /// The text, if launches are guessed. It is read again whenever an undeclared name gets a value.
    text: String,
    missing: Vec<Missing>,
    /// Sizes of the launch comments that are macros of the text, with their values.
    sizes: Vec<(String, String)>,
    /// The sizes that were made smaller, because the launches of the host code were too large.
    cut: Option<Cut>,
    /// The files in the text.
    files: FileParts,
    /// Bytes of the traces so far.
    traced_bytes: usize,
    /// Number of launches to run, and whether the host has more.
    wanted: (usize, bool),
    /// Number of guessed launches that were checked for undeclared names.
    guesses_checked: usize,
    /// Whether faults of the text become warnings if all launches run.
    lenient: bool,
    /// Instructions that failed attempts at the current guessed launch used.
    spent: u64,
    prepared: Option<Prepared>,
    store: DeviceStore,
    running: Option<RunningLaunch>,
    next: usize,
    /// The first launch whose blocks are handed out segment by segment. The accesses of those before it are dropped.
    stream_from: Option<usize>,
    segment: Option<LaunchSegment>,
    out: CudaRun,
    diagnostics: Diagnostics,
}

/// The file as read, which all launches share.
struct Prepared {
    unit: Unit,
    module: Module,
    macros: Macros,
    specs: Vec<LaunchSpec>,
    /// The tokens of the file, if the host is followed.
    host: Vec<Token>,
    /// What the host does, if launches are guessed or the host launches templates.
    run: HostRun,
    /// The guess behind each of `specs`. Empty if the file has launch comments.
    guesses: Vec<LaunchGuess>,
}

struct RunningLaunch {
    run: LaunchRun,
    builder: TraceBuilder,
    launch: Launch,
    /// Registers of a thread, as estimated.
    registers: u32,
    facts: LaunchFacts,
    /// Number of memory objects before those of the launch.
    objects: usize,
}

impl Emulation {
    /// Reads the text. The first step returns what is wrong with it.
    pub fn new(name: &str, text: &str, options: &CudaOptions) -> Self {
        let mut job = Self {
            name: name.into(),
            options: options.clone(),
            text: String::new(),
            missing: Vec::new(),
            sizes: Vec::new(),
            cut: None,
            files: FileParts::default(),
            traced_bytes: 0,
            wanted: (0, false),
            guesses_checked: 0,
            lenient: false,
            spent: 0,
            prepared: None,
            store: DeviceStore::default(),
            running: None,
            next: 0,
            stream_from: None,
            segment: None,
            out: CudaRun::default(),
            diagnostics: Diagnostics::new(name),
        };
        if text.len() > TEXT_MAX {
            job.error(&TextFault::new(
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

    fn prepare(&mut self, text: &str) -> Option<Prepared> {
        let mut lexed = lex(text);
        self.files = FileParts::of(text);
        let mut comments = std::mem::take(&mut lexed.launches);
        if self.asked_launch().is_some() {
            comments.clear();
        } else if let Some(launch) = &self.options.launch {
            comments = vec![LaunchComment { pos: Pos::default(), text: launch.clone() }];
        }
        self.warn_of_most(comments.len());
        let mut specs = Vec::new();
        for comment in comments.iter().take(LAUNCHES_MAX) {
            match parse_launch(comment) {
                Ok(spec) => specs.push(spec),
                Err(fault) => self.error(&fault),
            }
        }
        if !self.check_sizes(&lexed, &comments, &specs) {
            return None;
        }
        self.replace_sizes(&mut specs);
        let mut preprocessed = preprocess(&lexed, builtin_macros());
        let guessed = specs.is_empty();
        // The host's launches of templates tell types to a rewriting.
        let follows = guessed || text.contains("template");
        let host_of = |tokens: &[Token]| if follows { tokens.to_vec() } else { Vec::new() };
        let mut host = host_of(&preprocessed.tokens);
        let (mut unit, mut faults) = parse(std::mem::take(&mut preprocessed.tokens));
        let mut macros = builtin_macros();
        for item in specs.iter().flat_map(|s| &s.items) {
            // A text with a syntax error does not show which items are parameters and which are sizes.
            if faults.is_empty() && is_size(&unit, &specs, item) && !names_constant(&unit, &item.name) {
                define_macro(&mut macros, &item.name, &format!("({})", item.text), true);
                self.sizes.push((item.name.to_string(), item.text.clone()));
            }
        }
        if specs.is_empty() {
            self.define_sizes(&unit, &mut macros, faults.is_empty());
        }
        // A text without sizes from outside has been read already.
        if macros.values().any(|m| m.fixed) || !self.missing.is_empty() {
            preprocessed = preprocess(&lexed, macros);
            self.declare_types(&unit, &mut preprocessed.tokens);
            host = host_of(&preprocessed.tokens);
            (unit, faults) = parse(std::mem::take(&mut preprocessed.tokens));
        }
        self.replace_constants(&mut unit, &specs);
        self.warn_missing_headers(&preprocessed.includes);
        self.note_matrix_products(text);
        let includes = preprocessed.includes.iter().map(|(pos, what)| (*pos, format!("include of {what}")));
        let skipped = includes.chain(unit.skipped.iter().cloned());
        self.out.skipped = skipped.map(|(pos, what)| SkippedPart { line: pos.line, what }).collect();
        let all: Vec<TextFault> = preprocessed.faults.into_iter().chain(faults).collect();
        let all = sorted_by_key(all, |f| u64::from(f.pos.line) << 32 | u64::from(f.pos.column));
        all.iter().for_each(|f| self.error(f));
        let defined = |spec: &LaunchSpec| defined_kernels(&unit).iter().any(|k| k.name == spec.kernel);
        // A fault elsewhere in the file does not keep the kernels of the launches from running.
        self.lenient = specs.len() == comments.len() && specs.iter().all(defined);
        if self.diagnostics.any(Severity::Error) && !(self.lenient && has_kernel(&unit)) {
            return None;
        }
        let mut module = Module::new(&unit);
        let (mut guesses, mut run) = (Vec::new(), HostRun::default());
        if specs.is_empty() {
            self.text = text.into();
            if !has_kernel(&unit) && self.define_gate(&preprocessed.gates) {
                return self.prepare_again();
            }
            let sizes = self.guess_sizes(&unit);
            run = run_host(&host, &unit, &module, &sizes.given);
            if run.add_closures(&mut unit) {
                module = Module::new(&unit);
            }
            if self.options.guess && self.assume_undeclared(&run) {
                return self.prepare_again();
            }
            guesses = self.guess_launches(&unit, &host, (&module, &run), &sizes)?;
            specs = guesses.iter().filter_map(spec_of_guess).collect();
        } else if unit.host_starts_template() {
            run = run_host(&host, &unit, &module, &self.guess_sizes(&unit).given);
        }
        Some(Prepared { unit, module, macros: preprocessed.macros, specs, host, run, guesses })
    }

    /// Prepares the next launch.
    fn start_launch(&mut self, prepared: &Prepared, index: usize) -> Result<RunningLaunch, TextFault> {
        let independent = !prepared.guesses.is_empty();
        if let Some(guess) = prepared.guesses.get(index) {
            self.begin_guess(guess);
        }
        let spec = &prepared.specs[index];
        let kernel = find_kernel(&prepared.unit, spec)?;
        let pairs = if independent {
            items_with_inherited(std::slice::from_ref(spec), 0)
        } else {
            items_with_inherited(&prepared.specs, index)
        };
        let items: Vec<&LaunchItem> = pairs.iter().map(|(item, _)| *item).collect();
        let template = template_args(&prepared.unit, &prepared.macros, spec)?;
        let mut lowered = prepared.module.lower(&kernel, &template)?;
        let mut env = LaunchEnv {
            module: &prepared.module,
            unit: &prepared.unit,
            macros: &prepared.macros,
            known: Vec::new(),
            pos: spec.pos,
            bytes: self.options.array_bytes,
        };
        env.learn_numbers(&items, &lowered.params);
        let (grid, block) = (evaluate_dims(&env, &spec.grid, "blocks")?, evaluate_dims(&env, &spec.block, "threads")?);
        let (grid, block) = (Dim3::new(grid[0], grid[1], grid[2]), Dim3::new(block[0], block[1], block[2]));
        if block.count() > THREADS_MAX || grid.count() > BLOCKS_MAX {
            let found = format!("`<<<{}, {}>>>`", grid.count(), block.count());
            return env.fault("at most 1,024 threads per block and 4,194,304 blocks", found, "check the launch");
        }
        let dynamic = match &spec.shared {
            Some(tokens) => env.size(tokens, "dynamic shared memory")?,
            None => 0,
        };
        for (item, inherited) in pairs.iter().filter(|(item, _)| is_array(item)) {
            env.allocate_array(&mut self.store, item, *inherited)?;
        }
        let mut registers = Vec::new();
        for (i, (param, places)) in lowered.params.iter().zip(&lowered.program.params).enumerate() {
            let default = kernel.params.get(i).and_then(|p| p.default.as_ref());
            let bytes = env.argument_bytes(&self.store, param, &items, default)?;
            registers.extend(places.iter().map(|&(reg, offset, mem)| (reg, value_at(&bytes, offset as usize, mem))));
        }
        for (name, reg) in lowered.program.globals.clone() {
            let Some(ty) = lowered.globals.get(&name) else { continue };
            registers.push((reg, env.global_address(&mut self.store, &name, ty)?));
        }
        self.finish_program(&mut lowered);
        let objects = self.store.memory.objects.len();
        let instructions = self.options.budget.saturating_sub(self.spent);
        // A guess that runs too long gets smaller sizes, so its first attempts need not use the whole budget.
        let share = match prepared.guesses.get(index) {
            Some(guess) if guess.follows_host() => self.host_share(),
            Some(guess) if guess.shrinks() => GUESS_SHARE,
            _ => 1,
        };
        let trace_bytes = self.options.trace_bytes / share;
        let held_bytes = self.store.bytes();
        let array_bytes = self.options.array_bytes;
        let instructions = instructions / share as u64;
        let blocks = self.options.part.limit(self.out.launches.len());
        let limits = LaunchLimits { instructions, trace_bytes, array_bytes, held_bytes, blocks };
        let lowered_params = lowered.params;
        let per_thread = registers::per_thread(lowered.program.registers, block);
        let program = Rc::new(lowered.program);
        let run = LaunchRun::new(program, grid, block, dynamic, registers, &mut self.store.memory, limits)
            .map_err(|f| at_line(&f, spec.pos))?;
        let launch = Launch { grid, block, shared_bytes: run.shared_bytes(), registers: 0 };
        let builder = TraceBuilder::new(kernel.name.to_string(), launch).with_estimated_registers(per_thread);
        let aliases = env.aliases(&self.store, &lowered_params, &items);
        let mut facts = self.facts(&kernel.name, &launch, dynamic, env.numbers(), aliases);
        facts.instances = instances(&kernel, (&prepared.specs, index), &prepared.macros, &prepared.run);
        // A launch comment may fill the bytes of an array as elements of another type.
        for (name, elements, bytes) in &mut facts.arrays {
            let parameter = lowered_params.iter().find(|parameter| *parameter.name == **name);
            if let Some(own) = parameter.and_then(|parameter| parameter.element_bytes()) {
                (*elements, *bytes) = (*elements * *bytes / own, own);
            }
        }
        Ok(RunningLaunch { run, builder, launch, registers: per_thread, facts, objects })
    }

    fn finish_program(&self, lowered: &mut LoweredKernel) {
        if self.options.form == TraceForm::Compiled {
            if let Some(program) = compile_kernel(&lowered.program, self.options.joins) {
                lowered.program = program;
                return;
            }
        }
        hide_registers(&mut lowered.program);
        cost::set_costs_as_written(&mut lowered.program);
    }

    fn run_fault(&mut self, fault: &RunFault) {
        let pos = Pos { line: fault.line, column: 0 };
        self.error(&TextFault::new(pos, fault.expected.as_str(), fault.found.as_str(), fault.help.as_str()));
    }
}

impl Job for Emulation {
    type Output = CudaRun;

    /// A unit of work is a warp instruction.
    fn step(&mut self, budget: u64) -> Step<CudaRun> {
        let Some(mut prepared) = self.prepared.take() else { return Step::Done(self.take_result(self.lenient)) };
        if self.next >= prepared.specs.len() {
            return Step::Done(self.take_result(self.lenient));
        }
        if self.guesses_checked < prepared.guesses.len() {
            self.prepared = self.check_next_guess(prepared);
            return Step::More(Progress::default());
        }
        if self.running.is_none() {
            let bytes = prepared.guesses.get(self.next).map_or(0, LaunchGuess::host_bytes);
            if bytes > self.options.array_bytes {
                if let Some(smaller) = self.cut_sizes(&prepared) {
                    self.prepared = smaller;
                    return Step::More(Progress::default());
                }
            }
            match self.start_launch(&prepared, self.next) {
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
            let mut device = DeviceState {
                memory: &mut self.store.memory,
                textures: &self.store.textures,
                output: &mut self.out.output,
            };
            let dropped = self.stream_from.is_some_and(|from| self.next < from);
            let sink: &mut dyn AccessSink = if dropped { &mut Dropped } else { &mut running.builder };
            // The size of the first block decides early whether the trace will fit.
            let budget = if sink.first_block_bytes().is_none() { budget.min(TURN) } else { budget };
            let advanced = running.run.advance(&mut device, sink, budget);
            let bytes = self.store.bytes() + (self.traced_bytes + running.run.most_traced()) as u64;
            self.out.peak_bytes = self.out.peak_bytes.max(bytes);
            match advanced {
                Ok(true) if self.tries_other_number(&mut prepared, &running) => {
                    self.spent += running.run.executed();
                }
                Ok(true) => {
                    self.finish_launch(running, prepared.specs[self.next].pos.line);
                    self.warn_guess(&prepared, self.next, true);
                    (self.next, self.spent) = (self.next + 1, 0);
                    self.ends_early(&mut prepared);
                    progress.done += 1000;
                }
                Ok(false) => {
                    let (done, of) = running.run.progress();
                    progress.done += 1000 * done / of.max(1);
                    if self.is_over_budget(&prepared, &running) {
                        if let Some(smaller) = self.cut_sizes(&prepared) {
                            self.prepared = smaller;
                            return Step::More(Progress::default());
                        }
                    }
                    if self.is_too_long(&prepared, &running) {
                        return self.stop_before_long_launch(&prepared, &running);
                    }
                    self.hand_out(&mut running);
                    self.running = Some(running);
                }
                Err(fault) if self.can_stream(&prepared) && fault.cause == FaultCause::TraceSize => {
                    return self.stop_before_long_launch(&prepared, &running);
                }
                Err(fault) => {
                    self.spent += running.run.executed();
                    let large = matches!(fault.cause, FaultCause::Limit | FaultCause::TraceSize);
                    if let Some(smaller) = large.then(|| self.cut_sizes(&prepared)).flatten() {
                        self.prepared = smaller;
                        return Step::More(progress);
                    }
                    if !self.adjust_guess(&mut prepared, &fault) && !self.tries_other_input(&mut prepared) {
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

fn at_line(fault: &RunFault, pos: Pos) -> TextFault {
    TextFault::new(pos, fault.expected.as_str(), fault.found.as_str(), fault.help.as_str())
}

fn value_at(bytes: &[u8], offset: usize, mem: Mem) -> u64 {
    let mut word = [0; 8];
    let size = mem.bytes() as usize;
    if let Some(part) = bytes.get(offset..offset + size) {
        word[..size].copy_from_slice(part);
    }
    bytecode::scalar::narrow(mem, u64::from_le_bytes(word))
}
