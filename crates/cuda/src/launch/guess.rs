//! Guesses a launch for a kernel without a launch comment. The guess is a start that a person can change, and a warning
//! says so.
//!
//! The launch is one of the host code, as far as `host` can follow it. Other arrays begin with 65,536 elements
//! and grow when the kernel reaches beyond them. Other whole numbers are 64.

use super::structs::{without_aliases, without_packs};
use crate::host::{run_host, HostChoice, HostLaunch, HostRun, HostSizes};
use crate::launch::{bounds, image};
use crate::lower::Module;
use crate::syntax::ast::{ExprKind, Function, Scalar, Struct, Unit};
use crate::syntax::files::FileParts;
use crate::syntax::token::{Name, Token};
use bytecode::fault::FaultCause;
use bytecode::sorted::SortedMap;
use std::rc::Rc;

/// Elements of each array at first, and at most. `NUMBER` is the first value of each whole number.
pub(super) const ELEMENTS: u64 = 1 << 16;
pub(super) const ELEMENTS_MAX: u64 = 1 << 24;
/// Most bytes of such an array at first.
pub(super) const BYTES: u64 = 64 << 20;
pub(super) const NUMBER: u64 = 64;
/// Most elements before the start of an array.
const BEFORE_MAX: u64 = 1 << 20;
/// Bytes of dynamic shared memory, which every GPU has.
const SHARED: u64 = 48 << 10;
const SHARED_MAX: u64 = 512 << 10;
/// Most blocks of a launch, and threads of a block.
const BLOCKS: u64 = 16;
const THREADS: u64 = 1024;
/// Threads of a block that are tried if an array of fixed size does not fit.
pub(super) const SHAPES: [u64; 8] = [64, 256, 16, 512, 32, 1024, 8, 1];
/// Values of an enum that are tried after the first, at most.
const ENUMERATORS: usize = 8;
/// Types of template parameters that are tried after `float`.
const TYPES: [&str; 6] = ["int", "__half", "__nv_bfloat16", "unsigned char", "signed char", "float *"];
/// Values of what the host code leaves open that are tried after the first.
const INPUTS: [i64; 4] = [64, 16, 4, 1024];
/// Most attempts at one launch.
const ATTEMPTS: u32 = 40;

/// A guessed launch, and the sizes to try next.
pub struct LaunchGuess {
    pub(super) kernel: Rc<Function>,
    /// The template arguments as text. `None` for one that nothing tells.
    pub(super) template: Vec<Option<String>>,
    /// The blocks and threads that the host code or the kernel tells, and the bytes of dynamic shared memory.
    pub(super) grid: Option<[u64; 3]>,
    pub(super) block: Option<[u64; 3]>,
    pub(super) shared: Option<u64>,
    /// The template parameters that have the first value of their enum, by number, each with the other values.
    enumerators: Vec<(usize, Vec<String>)>,
    /// Items for the file's texture references.
    pub(super) textures: Vec<String>,
    /// Elements of each array that was too small.
    pub(super) elements: SortedMap<String, u64>,
    /// Elements before the start of each array that the kernel reaches.
    pub(super) before: SortedMap<String, u64>,
    /// The value of each whole number.
    pub(super) number: u64,
    /// Most blocks, and the index of the block shape that is tried.
    pub(super) blocks: u64,
    pub(super) shape: usize,
    /// Whether numbers that guard threads may be as large as the launch.
    pub(super) covers: bool,
    attempts: u32,
    /// Whether arrays of whole numbers ascend. Offsets and indices of the host code are then within bounds.
    pub(super) ordered: bool,
    /// Whether the host code reads numbers that the text does not decide, and how many other values of them were tried.
    open: bool,
    tried: usize,
    pub(super) structs: Vec<Rc<Struct>>,
    /// The launch of the host, its number, how many there are, and the same one before sizes were cut.
    pub(super) host: Option<HostLaunch>,
    pub(super) which: usize,
    pub(super) launches: usize,
    pub(super) cut_off: bool,
    pub(super) uncut: Option<HostLaunch>,
    /// Bytes of each type that a pointer points to.
    pub(super) widths: Vec<(String, u64)>,
    /// Names of scalar types, such as `size_t`.
    pub(super) scalars: Vec<(Name, Scalar)>,
    pub(super) sizes: GuessSizes,
}

/// What is known of a file's sizes beside its text.
#[derive(Clone, Debug, Default)]
pub struct GuessSizes {
    /// The files of the text.
    pub files: FileParts,
    /// Sizes of the user.
    pub given: HostSizes,
    /// The host's launches before sizes were cut.
    pub uncut: Option<HostRun>,
    /// The launch of the host that is meant.
    pub choice: HostChoice,
    /// Items that the launch comment needs beside the parameters: name, value and where the value comes from.
    pub extra: Vec<(String, String, String)>,
    /// Whether sizes of the text are assumed, because nothing declares their names.
    pub assumed: bool,
    /// Template arguments by number, where the first guess does not compile.
    pub template: Vec<(usize, String)>,
}

impl LaunchGuess {
    /// Guesses a launch for a kernel. `tokens` are those of the file.
    pub fn new(
        kernel: &Rc<Function>,
        unit: &Unit,
        tokens: &[Token],
        (module, run): (&Module, &HostRun),
        sizes: &GuessSizes,
    ) -> Self {
        let chosen = run.choose(&kernel.name, sizes.choice);
        let (which, host) = chosen.map_or((0, None), |(which, launch)| (which, Some(launch.clone())));
        let mut template = bounds::instantiated(tokens, &kernel.name);
        for (i, arg) in host.iter().flat_map(|h| &h.template).enumerate().filter(|(_, arg)| arg.is_some()) {
            template.resize(template.len().max(i + 1), None);
            template[i].clone_from(arg);
        }
        for (i, arg) in &sizes.template {
            template.resize(template.len().max(i + 1), None);
            template[*i] = Some(arg.clone());
        }
        let enumerators = bounds::take_listed(unit, kernel, &mut template);
        let args = host.as_ref().map_or(kernel.params.len(), |h| h.args.len());
        let kernel = &without_packs(&without_aliases(kernel, &unit.aliases), args, template.len());
        let mut told = host.as_ref().and_then(|h| h.shared);
        let mut block = host.as_ref().and_then(|h| h.block);
        // A branch of a `switch` over sizes may be the only launch. Its template argument is then the size, and the shared memory
        // grows with it.
        let has_one_row = block.is_none_or(|b| b[1..] == [1, 1]);
        if let Some(size) = bounds::block_of_template(kernel, &template).filter(|_| has_one_row) {
            let scale = |bytes: u64| block.map_or(bytes, |b| bytes.saturating_mul(size[0]) / product(b).max(1));
            told = told.map(scale);
            block = Some(size);
        }
        let shared = bounds::has_dynamic_shared(tokens).then_some(told.unwrap_or(SHARED).min(SHARED_MAX));
        let bound = bounds::launch_bound(tokens, &kernel.name);
        let block = block.or(bounds::block_in(kernel, bound));
        let block = block.filter(|b| (1..=THREADS).contains(&product(*b)));
        let grid = host.as_ref().and_then(|h| h.grid);
        let textures = unit.globals.iter().filter_map(|g| image::reference(&g.name, &g.ty)).collect();
        let (kernel, structs) = (kernel.clone(), bounds::named_structs(unit));
        let (elements, number) = (SortedMap::default(), NUMBER);
        let uncut = sizes.uncut.as_ref().and_then(|run| run.choose(&kernel.name, sizes.choice));
        let uncut = uncut.map(|(_, launch)| launch.clone());
        let (launches, cut_off) = (run.count(&kernel.name), run.cut_off.contains(&kernel.name));
        let (widths, sizes) = (Vec::new(), sizes.clone());
        let mut guess = Self {
            kernel,
            template,
            enumerators,
            grid,
            block,
            shared: shared.filter(|bytes| *bytes > 0),
            textures,
            elements,
            before: SortedMap::default(),
            number,
            blocks: BLOCKS,
            shape: 0,
            covers: true,
            attempts: 0,
            ordered: false,
            open: !run.inputs.is_empty() && host.is_some(),
            tried: 0,
            structs,
            host,
            which,
            launches,
            cut_off,
            uncut,
            widths,
            scalars: Vec::new(),
            sizes,
        };
        guess.blocks = guess.most_blocks();
        guess.settle_params(unit, module);
        guess.learn_widths(unit, module);
        guess
    }

    /// The blocks of the first attempt.
    fn most_blocks(&self) -> u64 {
        if self.follows_host() {
            u64::MAX
        } else {
            BLOCKS
        }
    }

    /// Whether the host code decides the shape of the launch.
    pub fn follows_host(&self) -> bool {
        self.host.as_ref().is_some_and(|h| h.grid.is_some() && h.block.is_some())
    }

    /// Whether the host code states the block. Another one would hide an error of the text.
    fn has_told_block(&self) -> bool {
        let told = self.host.as_ref().filter(|host| !host.open[1]).and_then(|host| host.block);
        told.is_some() && told == self.block && !self.sizes.assumed
    }

    /// Whether smaller sizes are left to try if the launch runs too long.
    pub fn shrinks(&self) -> bool {
        self.blocks > 1 || self.number > 1 && self.shape == 0
    }

    /// Takes the next smaller value for the numbers that nothing decides: 16, 4, 1, 0. Returns false, and takes the first
    /// value again, if none is left or the host code decides all.
    pub fn next_number(&mut self) -> bool {
        self.number = match self.number {
            0 => NUMBER,
            1 => 0,
            more => more / 4,
        };
        self.number != NUMBER && self.follows_number()
    }

    /// The kernel that it starts.
    pub fn kernel(&self) -> &Function {
        &self.kernel
    }

    /// Adjusts the guess after a fault. A global array that was too small grows. If the size is fixed, the numbers or
    /// the block become smaller. A launch that is too long gets one block, since blocks may wait for each other.
    /// Returns false if nothing is left to try, and then restores the first guess.
    pub fn adjust_after(&mut self, cause: &FaultCause) -> bool {
        self.attempts += 1;
        if self.attempts <= ATTEMPTS {
            match cause {
                FaultCause::Global(array, index) if *index < ELEMENTS_MAX => {
                    // At least four times as much, since the kernel probably reaches the next row or plane as well.
                    let first = self.size_of_array(array);
                    let now = self.elements.get_or_insert_with(array.to_string(), || first);
                    *now = (*now * 4).max((index + 1).next_power_of_two()).min(ELEMENTS_MAX);
                    return true;
                }
                FaultCause::Before(array, missing) if *missing <= BEFORE_MAX => {
                    // Twice as much, since the kernel probably reaches further in other blocks.
                    let name = array.strip_suffix("_all").unwrap_or(array).to_string();
                    let room = self.before.get_or_insert_with(name, || 0);
                    *room = (*room + 2 * missing).next_power_of_two();
                    return true;
                }
                FaultCause::Nothing => return false,
                FaultCause::Global(..) | FaultCause::Limit | FaultCause::TraceSize if self.blocks > BLOCKS => {
                    // The host code gives no sizes for the arrays of such a launch.
                    self.blocks = BLOCKS;
                    self.elements.clear();
                    return true;
                }
                FaultCause::Limit | FaultCause::TraceSize if self.blocks > 1 => {
                    self.blocks = 1;
                    return true;
                }
                _ if self.covers => {
                    self.covers = false;
                    return true;
                }
                _ if self.number > 1 && self.shape == 0 => {
                    self.number /= 4;
                    return true;
                }
                FaultCause::Fixed if self.shape < SHAPES.len() && !self.has_told_block() => {
                    (self.shape, self.number) = (self.shape + 1, NUMBER);
                    return true;
                }
                _ => {}
            }
        }
        (self.number, self.blocks, self.shape) = (NUMBER, self.most_blocks(), 0);
        self.elements.clear();
        self.before.clear();
        if self.ordered || matches!(cause, FaultCause::Limit | FaultCause::TraceSize | FaultCause::Nothing) {
            return false;
        }
        let random = self.text();
        (self.ordered, self.covers, self.attempts) = (true, true, 0);
        self.text() != random
    }

    /// Takes other template arguments where nothing tells them, if the kernel compiles with them: another value of an enum, or
    /// another type than `float` for one parameter or for all. Returns false if none fits.
    pub fn other_arguments(
        &mut self,
        unit: &Unit,
        tokens: &[Token],
        (module, run): (&Module, &HostRun),
        compiles: impl Fn(&Self) -> bool,
    ) -> bool {
        let told = |i: usize| matches!(self.template.get(i), Some(Some(_)));
        let params = 0..self.kernel.template.len();
        let open: Vec<usize> = params.filter(|i| !told(*i) && self.template_arg(*i) == "float").collect();
        let values = self
            .enumerators
            .iter()
            .flat_map(|(i, values)| values.iter().take(ENUMERATORS).map(|value| vec![(*i, value.clone())]));
        let types = TYPES.iter().flat_map(|ty| {
            let some = open.chunks(1).chain((open.len() > 1).then_some(&open[..]));
            some.map(move |some| some.iter().map(|i| (*i, ty.to_string())).collect())
        });
        let tries: Vec<Vec<(usize, String)>> = values.chain(types).collect();
        let kernel = unit.functions.iter().find(|f| f.name == self.kernel.name && f.pos == self.kernel.pos);
        let Some(kernel) = kernel.filter(|_| !tries.is_empty()) else { return false };
        for template in tries {
            let next = Self::new(kernel, unit, tokens, (module, run), &GuessSizes { template, ..self.sizes.clone() });
            if compiles(&next) {
                *self = next;
                return true;
            }
        }
        false
    }

    /// Takes the launch that the host code has with another value of what it leaves open: 64, 16, 4, 1,024. Returns false,
    /// and takes the first value again, if none is left.
    pub fn next_input(&mut self, unit: &Unit, tokens: &[Token], module: &Module) -> bool {
        if !self.open {
            return false;
        }
        let (kernel, was) = (self.kernel.clone(), self.text());
        let mut tried = self.tried;
        loop {
            let assumed = INPUTS.get(tried).copied();
            tried += 1;
            let mut sizes = self.sizes.clone();
            sizes.given.assumed = assumed;
            let run = run_host(tokens, unit, module, &sizes.given);
            let next = Self::new(&kernel, unit, tokens, (module, &run), &sizes);
            if assumed.is_none() || next.host.is_some() && next.text() != was {
                (*self, self.tried, self.open) = (next, tried, assumed.is_some());
                return assumed.is_some();
            }
        }
    }
}

pub(super) fn product(dims: [u64; 3]) -> u64 {
    dims.iter().fold(1, |a, b| a.saturating_mul(*b))
}

/// Whether the kernel reads `.y` of this index.
pub(super) fn uses_rows(kernel: &Function, index: &str) -> bool {
    let mut found = false;
    if let Some(body) = &kernel.body {
        crate::lower::walk::statement(body, &mut |e| {
            if let ExprKind::Member(object, member, _) = &e.kind {
                found |= &**member == "y" && matches!(&object.kind, ExprKind::Name(p) if &**p.last() == index);
            }
        });
    }
    found
}
