//! Files without a launch comment: one launch per kernel is assumed, and said.

use crate::emulate::{find_kernel, template_args, Emulation, Prepared, LAUNCHES_MAX};
use crate::results::Run;
use base::Diagnostics;
use base::{Progress, Step};
use bytecode::fault::RunFault;
use cuda::launch::{read, Guess, Spec};
use cuda::syntax::ast::{Function, FunctionKind, Unit};
use cuda::syntax::macros::{define, Macros};
use cuda::syntax::token::{Fault, LaunchComment, Name, Pos, Token};
use std::rc::Rc;

/// Value of a name that the text misses, and how many are given one.
const MISSING: &str = "16";
const MISSING_MAX: usize = 32;

/// A name that the text uses and does not declare.
pub(crate) struct Missing {
    name: String,
    /// The number or the type that it is taken for.
    value: &'static str,
}

impl Missing {
    fn is_type(&self) -> bool {
        self.value.starts_with(|c: char| c.is_ascii_alphabetic())
    }
}

/// What a type that nothing declares most likely is, by its name.
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

/// What a size that nothing declares most likely is, by its name.
fn likely_size(name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    match () {
        () if name.contains("warp") && name.contains("size") => "32",
        () if name.contains("thread") && !name.ends_with("_x") && !name.ends_with("_y") => "128",
        () if name.contains("log") => "4",
        () => MISSING,
    }
}

impl Emulation {
    /// A guess for each kernel whose parameters can be given.
    pub(super) fn guessed(&mut self, unit: &Unit, host: &[Token]) -> Option<Vec<Guess>> {
        let is_kernel =
            |f: &&Rc<Function>| f.kind == FunctionKind::Kernel && f.body.is_some() && f.specialised.is_none();
        let kernels: Vec<_> = unit.functions.iter().filter(is_kernel).collect();
        if kernels.is_empty() {
            let help = "paste the whole `.cu` file, or at least one `__global__` function; included files are not read";
            self.error(&Fault::new(Pos::default(), "a kernel (`__global__ void name(…) { … }`)", "none", help));
            return None;
        }
        let mut guesses = Vec::new();
        for kernel in kernels.into_iter().take(LAUNCHES_MAX) {
            let guess = Guess::new(kernel, unit, host);
            let Some(text) = guess.text().filter(|_| guessed_spec(&guess).is_some()) else {
                let help = "its parameters cannot be guessed: add a launch comment to run it";
                self.warn(kernel.pos.line, &format!("a launch comment for `{}`", kernel.name), "none", help);
                continue;
            };
            if !self.options.guess {
                let help = format!("add for example `// launch: {text}`");
                self.error(&Fault::new(kernel.pos, "a launch comment", "none", help));
                return None;
            }
            guesses.push(guess);
        }
        Some(guesses)
    }

    /// Sizes from outside, and names that the text misses, as macros; parameters of kernels are none.
    pub(super) fn define_sizes(&self, unit: &Unit, macros: &mut Macros) {
        let kernels = || unit.functions.iter().filter(|f| f.kind == FunctionKind::Kernel);
        let is_param = |name: &str| kernels().flat_map(|f| &f.params).any(|p| p.name.as_deref() == Some(name));
        let missing = self.missing.iter().map(|m| (m.name.as_str(), m.value));
        let sizes = self.options.sizes.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in missing.chain(sizes).filter(|(name, _)| !is_param(name)) {
            let number = value.starts_with(|c: char| !c.is_ascii_alphabetic());
            let text = if number { format!("({value})") } else { value.into() };
            define(macros, name, &text, true);
        }
    }

    /// Lowers the next guessed launch to see which names it misses. One that is most likely declared in a file that is
    /// included gets a value or a type, and the text is read anew.
    pub(super) fn look(&mut self, prepared: Prepared) -> Option<Prepared> {
        let spec = &prepared.specs[self.looked];
        let lowered = find_kernel(&prepared.unit, spec)
            .and_then(|kernel| prepared.module.lower(&kernel, &template_args(&prepared, spec)?).map(drop));
        if lowered.is_err_and(|fault| self.give_missing(&fault)) {
            return self.anew();
        }
        self.looked += 1;
        Some(prepared)
    }

    /// Reads the text again, with what it missed.
    pub(super) fn anew(&mut self) -> Option<Prepared> {
        self.diagnostics = Diagnostics::new(&self.name);
        self.looked = 0;
        let text = std::mem::take(&mut self.text);
        self.prepare(&text)
    }

    /// A name in capitals that nothing declares is a size, any other if the text includes own files; a type is a float.
    fn give_missing(&mut self, fault: &Fault) -> bool {
        let name = fault.found.trim_matches('`');
        let word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !word || !fault.help.contains("included files") {
            return false;
        }
        let capital = !name.chars().any(|c| c.is_ascii_lowercase());
        let own = self.out.skipped.iter().any(|part| part.what.starts_with("include of \""));
        match &*fault.expected {
            "a declared name" if capital || own => self.miss(name, likely_size(name)),
            "a known type" => self.miss(name, likely_type(name)),
            _ => false,
        }
    }

    fn miss(&mut self, name: &str, value: &'static str) -> bool {
        let new = self.missing.len() < MISSING_MAX && !self.missing.iter().any(|m| m.name == name);
        if new {
            self.missing.push(Missing { name: name.into(), value });
        }
        new
    }

    /// Where all kernels stand behind `#ifdef` of a name that is not defined, it is defined.
    pub(super) fn open_gate(&mut self, gates: &[Name]) -> bool {
        gates.first().is_some_and(|name| self.miss(name, "1"))
    }

    /// The types that were made up, where a fault may come of them.
    pub(super) fn taken_types(&self, fault: &Fault) -> String {
        let types = self.missing.iter().filter(|m| m.is_type() && fault.expected.starts_with("a member of"));
        types.map(|m| format!("; nothing declares the type `{}`, which is taken for {}", m.name, m.value)).collect()
    }

    /// Says which launch was assumed.
    pub(super) fn tell_guess(&mut self, prepared: &Prepared, index: usize) {
        let Some(guess) = prepared.guesses.get(index) else { return };
        let (kernel, text) = (guess.kernel(), guess.text().unwrap_or_default());
        let missing: Vec<String> = self.missing.iter().map(|m| format!("{} = {}", m.name, m.value)).collect();
        let missing = if missing.is_empty() { String::new() } else { format!(" with {}", missing.join(", ")) };
        let help = format!("the run assumes `// launch: {text}`{missing}; put your own above the kernel");
        self.warn(kernel.pos.line, &format!("a launch comment for `{}`", kernel.name), "none", &help);
    }

    /// After a fault of a guessed launch: tries it with other sizes, if that may help.
    pub(super) fn guess_again(&mut self, prepared: &mut Prepared, fault: &RunFault) -> bool {
        let Some(guess) = prepared.guesses.get_mut(self.next) else { return false };
        let again = guess.again(&fault.reach);
        let Some(spec) = guessed_spec(guess) else { return false };
        prepared.specs[self.next] = spec;
        again
    }

    /// A launch failed. Of guessed ones the others may be right, and are run.
    pub(super) fn after_fault(&mut self, prepared: Prepared) -> Step<Run> {
        self.tell_guess(&prepared, self.next);
        if prepared.guesses.is_empty() {
            return Step::Done(self.give());
        }
        (self.next, self.spent) = (self.next + 1, 0);
        let progress = Progress { done: self.next as u64, total: prepared.specs.len() as u64 };
        self.prepared = Some(prepared);
        Step::More(progress)
    }
}

pub(super) fn has_kernel(unit: &Unit) -> bool {
    unit.functions.iter().any(|f| f.kind == FunctionKind::Kernel && f.body.is_some())
}

/// The launch of a guess.
pub(super) fn guessed_spec(guess: &Guess) -> Option<Spec> {
    read(&LaunchComment { pos: guess.kernel().pos, text: guess.text()? }).ok()
}
