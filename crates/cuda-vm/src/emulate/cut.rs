//! Launches of the host code that are too large: all sizes of the file become smaller together. Launches without accesses.

use crate::emulate::assume::spec_of_guess;
use crate::emulate::{Emulation, Prepared, RunningLaunch, HOST_SHARE};
use cuda::{builtin_macros, define_macro, run_host, scalable, scaled, GuessSizes, HostRun, Macros, Scale};

/// Most halvings of the sizes.
const HALVINGS_MAX: u32 = 12;
/// Warp instructions after which a launch is judged by those so far.
const JUDGED_AFTER: u64 = 1 << 20;

/// The sizes of a file that were halved together.
pub(crate) struct Cut {
    scale: Scale,
    halvings: u32,
    /// The launches before.
    uncut: HostRun,
}

impl Cut {
    /// Adds the smaller sizes to what is known of the sizes.
    pub fn add_to(&self, sizes: &mut GuessSizes) {
        sizes.uncut = Some(self.uncut.clone());
        let literals = self.scale.literals.iter();
        sizes.given.literals.extend(literals.map(|(pos, value)| (*pos, scaled(*value, self.halvings))));
        let macros = self.scale.macros.iter();
        sizes.extra.extend(macros.map(|(name, value)| {
            (name.to_string(), scaled(*value, self.halvings).to_string(), format!("cut from {value}"))
        }));
    }

    /// Defines the smaller sizes that are macros.
    pub fn define(&self, macros: &mut Macros) {
        for (name, value) in &self.scale.macros {
            define_macro(macros, name, &format!("({})", scaled(*value, self.halvings)), true);
        }
    }
}

impl Emulation {
    /// Whether a launch of the host code will take more than its share of the budget, as far as its first blocks tell.
    pub(super) fn is_over_budget(&self, prepared: &Prepared, running: &RunningLaunch) -> bool {
        if !prepared.guesses.get(self.next).is_some_and(|guess| guess.follows_host()) {
            return false;
        }
        let blocks = running.launch.grid.count();
        let bytes =
            running.builder.first_block_bytes().map_or(0, |bytes| (bytes as u64).saturating_mul(blocks) / 5 * 4);
        let (done, of) = running.run.progress();
        let executed = running.run.executed();
        let expected = if executed < JUDGED_AFTER || done == 0 { 0 } else { executed / done.max(1) * of };
        bytes > (self.options.trace_bytes / HOST_SHARE) as u64 || expected > self.options.budget / HOST_SHARE as u64
    }

    /// Halves all sizes of the file once more and reads it again. The launches before run again too, so that all agree.
    /// `None` if nothing can be made smaller.
    pub(super) fn cut_sizes(&mut self, prepared: &Prepared) -> Option<Option<Prepared>> {
        if !prepared.guesses.get(self.next)?.follows_host() {
            return None;
        }
        match &mut self.cut {
            Some(cut) if cut.halvings >= HALVINGS_MAX || cut.scale.is_empty() => return None,
            Some(cut) => cut.halvings += 1,
            None => {
                let sizes = self.guess_sizes(&prepared.unit);
                let mut macros = builtin_macros();
                self.define_sizes(&prepared.unit, &mut macros);
                let scale = scalable(&self.text, &macros, &sizes.given);
                let uncut = run_host(&prepared.host, &prepared.unit, &prepared.module, &sizes.given);
                let empty = scale.is_empty();
                self.cut = Some(Cut { scale, halvings: 1, uncut });
                if empty {
                    return None;
                }
            }
        }
        self.out.launches.clear();
        self.out.assumed.clear();
        self.out.output.clear();
        (self.next, self.spent) = (0, 0);
        Some(self.prepare_again())
    }

    /// Gives the numbers of a guess another value, if its launch accessed no memory. Returns false if none is left.
    pub(super) fn tries_other_number(&mut self, prepared: &mut Prepared, running: &RunningLaunch) -> bool {
        let Some(guess) = prepared.guesses.get_mut(self.next) else { return false };
        if running.run.accesses() > 0 || !guess.next_number() {
            return false;
        }
        let Some(spec) = spec_of_guess(guess) else { return false };
        prepared.specs[self.next] = spec;
        true
    }

    /// Warns about a launch that accessed no memory.
    pub(super) fn warn_no_access(&mut self, line: u32, running: &RunningLaunch) {
        if running.run.accesses() > 0 || !self.out.output.is_empty() {
            return;
        }
        let found =
            format!("none of the {} blocks of `{}` accesses any", running.launch.grid.count(), running.facts.kernel);
        let help =
            "no thread gets past the kernel's first conditions, or the kernel only computes: check the sizes, the \
                    values and the `#if`s that decide it";
        self.warn(line, "a launch that accesses memory", &found, help);
    }
}
