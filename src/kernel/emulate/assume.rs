//! Files without a launch comment: one launch per kernel is assumed, and said.

use super::{Emulation, Prepared, LAUNCHES_MAX};
use crate::job::{Progress, Step};
use crate::kernel::cuda::ast::{Function, FunctionKind, Unit};
use crate::kernel::cuda::macros::{define, Macros};
use crate::kernel::cuda::token::{Fault, LaunchComment, Pos, Token};
use crate::kernel::launch::{read, Guess, Spec};
use crate::kernel::results::Run;
use crate::kernel::vm::RunFault;
use std::rc::Rc;

/// Value of a name that the text misses, and how many are given one.
const MISSING: &str = "16";
const MISSING_MAX: usize = 32;

impl Emulation {
    /// A guess for each kernel whose parameters can be given.
    pub(super) fn guessed(&mut self, unit: &Unit, host: &[Token]) -> Option<Vec<Guess>> {
        let is_kernel =
            |f: &&Rc<Function>| f.kind == FunctionKind::Kernel && f.body.is_some() && f.specialised.is_none();
        let kernels: Vec<_> = unit.functions.iter().filter(is_kernel).collect();
        if kernels.is_empty() {
            let help = "paste the whole `.cu` file, or at least one `__global__` function";
            self.error(&Fault::new(Pos::default(), "a kernel (`__global__ void name(…) { … }`)", "none", help));
            return None;
        }
        let mut guesses = Vec::new();
        for kernel in kernels.into_iter().take(LAUNCHES_MAX) {
            let guess = Guess::new(kernel, unit, host);
            let Some(text) = guess.text().filter(|_| guessed_spec(&guess).is_some()) else {
                let help = "its parameters cannot be guessed: add a launch comment to run it";
                if self.missing.is_empty() {
                    self.warn(kernel.pos.line, &format!("a launch comment for `{}`", kernel.name), "none", help);
                }
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
        let missing = self.missing.iter().map(|name| (name.as_str(), MISSING));
        let sizes = self.options.sizes.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in missing.chain(sizes).filter(|(name, _)| !is_param(name)) {
            define(macros, name, &format!("({value})"), true);
        }
    }

    /// A kernel of a guessed launch uses a name in capitals that nothing declares, most likely a size of a file that is
    /// included: it gets a value, and the text is read anew.
    pub(super) fn give_missing(&mut self, fault: &Fault) -> bool {
        let name = fault.found.trim_matches('`');
        let size = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        let asked = fault.expected == "a declared name" && !self.text.is_empty();
        if !asked || !size || self.missing.len() >= MISSING_MAX || self.missing.iter().any(|m| m == name) {
            return false;
        }
        self.missing.push(name.into());
        let text = std::mem::take(&mut self.text);
        self.prepared = self.prepare(&text);
        self.prepared.is_some()
    }

    /// Says which launch was assumed.
    pub(super) fn tell_guess(&mut self, prepared: &Prepared, index: usize) {
        let Some(guess) = prepared.guesses.get(index) else { return };
        let (kernel, text) = (guess.kernel(), guess.text().unwrap_or_default());
        let missing: Vec<String> = self.missing.iter().map(|name| format!("{name} = {MISSING}")).collect();
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

/// The launch of a guess.
pub(super) fn guessed_spec(guess: &Guess) -> Option<Spec> {
    read(&LaunchComment { pos: guess.kernel().pos, text: guess.text()? }).ok()
}
