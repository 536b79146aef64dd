//! Files without a launch comment: guesses one launch per kernel and says so.

use crate::emulate::{Emulation, Prepared, LAUNCHES_MAX};
use crate::results::{Assumed, CudaRun};
use base::Diagnostics;
use base::{Progress, Step};
use bytecode::fault::RunFault;
use cuda::{
    define_macro, defined_kernels, find_kernel, is_kernel_param, names_constant, parse_launch, template_args, unplaced,
};
use cuda::{
    outline_guess, DeviceStore, Function, GuessSizes, HostChoice, HostRun, LaunchComment, LaunchGuess, LaunchSpec,
    Macros, Module, Name, Pos, TextFault, Token, Unit,
};
use std::rc::Rc;

/// The value of an undeclared size, and how many undeclared names get a value.
const MISSING: &str = "16";
const MISSING_MAX: usize = 32;
/// The value of an undeclared size of the host code.
const HOST_MISSING: &str = "256";

/// An undeclared name, and the value or type that the run assumes for it.
pub(crate) struct Missing {
    name: String,
    kind: MissingKind,
    /// A number, the name of a type, or that of a function of our prelude.
    value: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MissingKind {
    Size,
    Type,
    Function,
}

impl Missing {
    fn is_type(&self) -> bool {
        self.kind == MissingKind::Type
    }

    fn is_size(&self) -> bool {
        self.kind == MissingKind::Size
    }
}

/// Guesses an undeclared type from its name.
fn likely_type(name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|w| name.contains(w));
    match name.as_bytes() {
        [.., b'4'] => "float4",
        [.., b'3'] => "float3",
        [.., b'2'] => "float2",
        _ if has(&["complex", "cplx"]) => "float2",
        _ if has(&["int", "index", "idx", "word"]) => "int",
        _ if has(&["char", "byte", "pixel"]) => "unsigned char",
        _ => "float",
    }
}

/// Guesses what an undeclared function of an included file returns from its name. These functions are in our prelude.
fn likely_function(name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|w| name.contains(w));
    match () {
        () if has(&["mad", "fma"]) => "product_plus",
        () if has(&["mul"]) => "product_of",
        () if has(&["div", "ceil"]) => "quotient_up",
        () => "first_argument",
    }
}

/// Guesses an undeclared size from its name.
fn likely_size(name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    match () {
        () if name.contains("warp") && name.contains("size") => "32",
        () if name.contains("thread") && !name.ends_with("_x") && !name.ends_with("_y") => "128",
        () if name.contains("log") => "4",
        () => MISSING,
    }
}

/// Whether an undeclared size is the side of a block, by its name.
fn is_shape(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("tid")
        || ["block", "thread", "tile", "radius", "warp", "unroll"].iter().any(|word| name.contains(word))
}

/// The launches of the host that the options ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AskedLaunch {
    All,
    /// The number of a launch among those of its kernel, from 1.
    Number(usize),
}

impl Emulation {
    /// The launches of the host that the options ask for: `all`, or a number. `None`: they do not ask, or have a comment.
    pub(super) fn asked_launch(&self) -> Option<AskedLaunch> {
        let text = self.options.launch.as_deref()?.trim();
        match text.parse() {
            Ok(number) => Some(AskedLaunch::Number(number)),
            Err(_) => (text == "all").then_some(AskedLaunch::All),
        }
    }

    /// Empties the memory for a guessed launch. All launches of the host share what the host allocates. Of a choice of
    /// launches, each has its own arrays, since those between them do not run.
    pub(super) fn begin_guess(&mut self, guess: &LaunchGuess) {
        if self.asked_launch() != Some(AskedLaunch::All) {
            self.store = DeviceStore::default();
            return;
        }
        self.store.begin_next(guess.host_arrays());
        let kept = self.store.kept_bytes();
        if kept > 0 && kept.saturating_add(guess.host_bytes()) > self.options.array_bytes {
            self.store.forget_kept();
            let expected = format!("arrays of at most {} MiB in all", self.options.array_bytes >> 20);
            let found = format!("{kept} bytes that earlier launches left");
            let help = format!("choose smaller sizes: this launch of `{}` finds new arrays", guess.kernel().name);
            self.warn(guess.kernel().pos.line, &expected, &found, &help);
        }
    }

    /// Ends a run of all launches when they have used the budget of one.
    pub(super) fn ends_early(&mut self, prepared: &mut Prepared) {
        let all = self.asked_launch() == Some(AskedLaunch::All);
        if all && (self.out.executed >= self.options.budget || self.traced_bytes >= self.options.trace_bytes) {
            prepared.specs.truncate(self.next);
            prepared.guesses.truncate(self.next);
        }
        let (wanted, cut_off) = self.wanted;
        if all && self.next >= prepared.specs.len() && (self.next < wanted || cut_off) {
            let plus = if cut_off { " or more" } else { "" };
            let found = format!("{} of {wanted}{plus} launches", self.next);
            let help =
                "the rest is beyond the budget of one run; `--launch K` runs the launch of number K of each kernel";
            self.warn(0, "all launches of the host", &found, help);
        }
    }

    /// Says that some launches of a file do not run.
    pub(super) fn warn_of_most(&mut self, launches: usize) {
        if launches > LAUNCHES_MAX {
            let expected = format!("at most {LAUNCHES_MAX} launches in one run");
            let help = "the first ones run; keep the others in a file of their own";
            self.warn(0, &expected, &launches.to_string(), help);
        }
    }

    /// Guesses a launch for each kernel whose parameters can be guessed, or for each launch of the host.
    pub(super) fn guess_launches(
        &mut self,
        unit: &Unit,
        host: &[Token],
        run: (&Module, &HostRun),
        sizes: &GuessSizes,
    ) -> Option<Vec<LaunchGuess>> {
        let kernels = defined_kernels(unit);
        if kernels.is_empty() {
            let help = "paste the whole `.cu` file, or at least one `__global__` function";
            self.error(&TextFault::new(Pos::default(), "a kernel (`__global__ void name(…) { … }`)", "none", help));
            return None;
        }
        let choice = self.asked_launch();
        if choice == Some(AskedLaunch::Number(0)) {
            let help = "the first launch of a kernel has the number 1";
            self.error(&TextFault::new(Pos::default(), "the number of a launch", "0", help));
            return None;
        }
        if choice.is_some() && run.1.kernels().next().is_none() {
            let help = "give the host code together with the kernels, or write the launch as `kernel<<<…>>>(…)`";
            self.error(&TextFault::new(Pos::default(), "a launch in the host code", "none", help));
            return None;
        }
        let mut wanted: Vec<(&Rc<Function>, HostChoice)> = Vec::new();
        if choice == Some(AskedLaunch::All) {
            for (index, name) in run.1.kernels().enumerate() {
                wanted.extend(kernels.iter().find(|k| k.name == *name).map(|k| (*k, HostChoice::Index(index))));
            }
        }
        let one = if let Some(AskedLaunch::Number(number)) = choice {
            HostChoice::Number(number)
        } else {
            HostChoice::Widest
        };
        let left = kernels.iter().filter(|k| choice != Some(AskedLaunch::All) || run.1.count(&k.name) == 0);
        wanted.extend(left.map(|k| (*k, one)));
        self.wanted = (wanted.len(), run.1.is_cut_off());
        if choice != Some(AskedLaunch::All) {
            self.warn_of_most(wanted.len());
        }
        let mut guesses = Vec::new();
        for (kernel, choice) in wanted.into_iter().take(LAUNCHES_MAX) {
            let guess = LaunchGuess::new(kernel, unit, host, run, &GuessSizes { choice, ..sizes.clone() });
            let Some(text) = guess.text().filter(|_| spec_of_guess(&guess).is_some()) else {
                let help = "its parameters cannot be guessed: add a launch comment to run it";
                self.warn(kernel.pos.line, &format!("a launch comment for `{}`", kernel.name), "none", help);
                continue;
            };
            if !self.options.guess {
                let help = format!("add for example `// launch: {text}`");
                self.error(&TextFault::new(kernel.pos, "a launch comment", "none", help));
                return None;
            }
            guesses.push(guess);
        }
        Some(guesses)
    }

    /// What is known of the sizes beside the text: those of the user, those that were cut, and the undeclared names.
    pub(super) fn guess_sizes(&self, unit: &Unit) -> GuessSizes {
        let mut out = GuessSizes { files: self.files.clone(), ..GuessSizes::default() };
        for (name, value) in &self.options.sizes {
            if let Ok(value) = value.trim().parse() {
                out.given.names.push((Name::from(name.as_str()), value));
            }
            if !is_kernel_param(unit, name) {
                out.extra.push((name.clone(), value.clone(), "given".into()));
            }
        }
        let numbers = self.missing.iter().filter(|m| m.is_size() && !is_kernel_param(unit, &m.name));
        out.extra.extend(numbers.map(|m| (m.name.clone(), m.value.to_string(), "default, nothing declares it".into())));
        out.assumed = self.missing.iter().any(Missing::is_size);
        if let Some(cut) = &self.cut {
            cut.add_to(&mut out);
        }
        out
    }

    /// Gives values to undeclared names that decide a launch of the host code.
    pub(super) fn assume_undeclared(&mut self, run: &HostRun) -> bool {
        let mut any = false;
        for name in run.undeclared() {
            let value = match likely_size(&name) {
                MISSING if !is_shape(&name) => HOST_MISSING,
                other => other,
            };
            any |= self.assume_value(&name, MissingKind::Size, value);
        }
        any
    }

    /// Defines the sizes of the options and the undeclared names as macros, except names of kernel parameters. A text with a syntax
    /// error, which is not `whole`, does not show which sizes are parameters.
    pub(super) fn define_sizes(&self, unit: &Unit, macros: &mut Macros, whole: bool) {
        let missing = self.missing.iter().filter(|m| !m.is_type()).map(|m| (m.name.as_str(), m.value));
        let sizes = self.options.sizes.iter().filter(|_| whole);
        let sizes = sizes.map(|(name, value)| (name.as_str(), value.as_str()));
        if let Some(cut) = &self.cut {
            cut.define(macros);
        }
        let free = |name: &str| !is_kernel_param(unit, name) && !names_constant(unit, name);
        for (name, value) in missing.chain(sizes).filter(|(name, _)| free(name)) {
            let number = value.starts_with(|c: char| !c.is_ascii_alphabetic());
            let text = if number { format!("({value})") } else { value.into() };
            define_macro(macros, name, &text, true);
        }
    }

    /// Declares the assumed types at the start of the file. A member or a template parameter of the same name is another type.
    pub(super) fn declare_types(&self, unit: &Unit, tokens: &mut Vec<Token>) {
        let types = self.missing.iter().filter(|m| m.is_type() && !is_kernel_param(unit, &m.name));
        let text: String = types.map(|m| format!("typedef {} {};", m.value, m.name)).collect();
        tokens.splice(0..0, unplaced(&text));
    }

    /// Lowers the next guessed launch to find undeclared names. A name that an included file probably declares gets a
    /// value or a type, and the text is read again.
    pub(super) fn check_next_guess(&mut self, mut prepared: Prepared) -> Option<Prepared> {
        let n = self.guesses_checked;
        let (unit, module, macros) = (&prepared.unit, &prepared.module, &prepared.macros);
        let lower = |spec: &LaunchSpec| {
            let kernel = find_kernel(unit, spec)?;
            let args = template_args(unit, macros, spec)?;
            module.lower(&kernel, &args).map(drop)
        };
        if let Err(fault) = lower(&prepared.specs[n]) {
            let compiles = |guess: &LaunchGuess| spec_of_guess(guess).is_some_and(|spec| lower(&spec).is_ok());
            let guess = prepared.guesses.get_mut(n);
            let host = (module, &prepared.run);
            let spec =
                guess.and_then(|g| g.other_arguments(unit, &prepared.host, host, compiles).then(|| spec_of_guess(g)));
            if let Some(spec) = spec.flatten() {
                prepared.specs[n] = spec;
            } else if self.assume_missing(&fault) {
                return self.prepare_again();
            }
        }
        self.guesses_checked += 1;
        Some(prepared)
    }

    /// Reads the text again with the values of undeclared names.
    pub(super) fn prepare_again(&mut self) -> Option<Prepared> {
        self.diagnostics = Diagnostics::new(&self.name);
        self.guesses_checked = 0;
        let text = std::mem::take(&mut self.text);
        self.prepare(&text)
    }

    /// Gives an undeclared name a value. A name in capitals is taken for a size, and so is any name if the file
    /// includes files in quotes. An unknown type gets a type by its name.
    fn assume_missing(&mut self, fault: &TextFault) -> bool {
        let name = fault.found.trim_matches('`');
        if fault.expected.starts_with("a member of float") {
            return self.widen_missing(name);
        }
        let word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !word || !fault.help.contains("included files") {
            return false;
        }
        let capital = !name.chars().any(|c| c.is_ascii_lowercase());
        let own = self.out.skipped.iter().any(|part| part.what.starts_with("include of \""));
        match &*fault.expected {
            "a known function" if capital || own => {
                self.assume_value(name, MissingKind::Function, likely_function(name))
            }
            "a declared name" if capital || own => self.assume_value(name, MissingKind::Size, likely_size(name)),
            "a known type" => self.assume_value(name, MissingKind::Type, likely_type(name)),
            _ => false,
        }
    }

    /// Takes undeclared types for vectors, if one of them has this member.
    fn widen_missing(&mut self, member: &str) -> bool {
        let (narrow, wide): (&[&str], _) = match member {
            "x" | "y" => (&["float"], "float2"),
            "z" | "w" => (&["float", "float2"], "float4"),
            _ => return false,
        };
        let mut any = false;
        for missing in self.missing.iter_mut().filter(|m| narrow.contains(&m.value)) {
            (missing.value, any) = (wide, true);
        }
        any
    }

    fn assume_value(&mut self, name: &str, kind: MissingKind, value: &'static str) -> bool {
        let new = self.missing.len() < MISSING_MAX && !self.missing.iter().any(|m| m.name == name);
        if new {
            self.missing.push(Missing { name: name.into(), kind, value });
        }
        new
    }

    /// Defines the name of an `#ifdef` that hides all kernels of the file.
    pub(super) fn define_gate(&mut self, gates: &[Name]) -> bool {
        gates.first().is_some_and(|name| self.assume_value(name, MissingKind::Size, "1"))
    }

    /// A note on assumed types, which may cause a fault about a missing member.
    pub(super) fn assumed_types_note(&self, fault: &TextFault) -> String {
        let types = self.missing.iter().filter(|m| m.is_type() && fault.expected.starts_with("a member of"));
        types.map(|m| format!("; nothing declares the type `{}`, which is taken for {}", m.name, m.value)).collect()
    }

    /// Warns which launch the run assumed.
    pub(super) fn warn_guess(&mut self, prepared: &Prepared, index: usize, ran: bool) {
        let Some(guess) = prepared.guesses.get(index) else { return };
        let (kernel, text) = (guess.kernel(), guess.text().unwrap_or_default());
        let types = self.missing.iter().filter(|m| !m.is_size());
        let types: Vec<String> = types.map(|m| format!("{} = {}", m.name, m.value)).collect();
        let types = if types.is_empty() { String::new() } else { format!(" with {}", types.join(", ")) };
        let origins = outline_guess(guess).map_or_else(Vec::new, |o| {
            let shape = [("blocks", o.blocks, o.blocks_origin), ("threads", o.threads, o.threads_origin)];
            let shape = shape.map(|(name, value, from)| (name.to_string(), value, from));
            let items = o.items.into_iter().map(|item| {
                let open = item.declaration.find('[').unwrap_or(item.declaration.len());
                let size = item.declaration[open..].to_string();
                (item.name, if size.is_empty() { item.value } else { size }, item.origin)
            });
            shape.into_iter().chain(items).collect()
        });
        let known = self.out.assumed.iter().any(|a| a.kernel == *kernel.name);
        let comment = Some(text.clone()).filter(|text| !text.is_empty() && types.is_empty());
        self.out.assumed.push(Assumed { kernel: kernel.name.to_string(), ran, comment, values: origins });
        if known {
            // One suggestion for each kernel is enough.
            return;
        }
        let real = self.real_sizes();
        let (found, help) = match guess.host_place() {
            Some(place) => (
                format!("a launch in the host code ({place})"),
                format!(
                    "the run takes `// launch: {text}` from it and assumes what it leaves open{types}; put your own above the kernel{real}"
                ),
            ),
            None => (
                "none".into(),
                format!("the run assumes `// launch: {text}`{types}; put your own above the kernel{real}"),
            ),
        };
        self.warn(kernel.pos.line, &format!("a launch comment for `{}`", kernel.name), &found, &help);
    }

    /// Adjusts the sizes of a guessed launch after a fault. Returns false if no other sizes are left to try.
    pub(super) fn adjust_guess(&mut self, prepared: &mut Prepared, fault: &RunFault) -> bool {
        let Some(guess) = prepared.guesses.get_mut(self.next) else { return false };
        let again = guess.adjust_after(&fault.cause);
        let Some(spec) = spec_of_guess(guess) else { return false };
        prepared.specs[self.next] = spec;
        again
    }

    /// Continues after a failed launch. Other guessed launches still run.
    pub(super) fn after_fault(&mut self, prepared: Prepared) -> Step<CudaRun> {
        self.warn_guess(&prepared, self.next, false);
        if prepared.guesses.is_empty() {
            return Step::Done(self.take_result(false));
        }
        (self.next, self.spent) = (self.next + 1, 0);
        let progress = Progress { done: self.next as u64, total: prepared.specs.len() as u64 };
        self.prepared = Some(prepared);
        Step::More(progress)
    }
}

/// Parses a guess as a launch comment.
pub(super) fn spec_of_guess(guess: &LaunchGuess) -> Option<LaunchSpec> {
    parse_launch(&LaunchComment { pos: guess.kernel().pos, text: guess.text()? }).ok()
}
