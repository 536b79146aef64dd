//! Launches of the host code that are too large: all sizes of the file become smaller together. Launches without accesses.

use crate::emulate::assume::spec_of_guess;
use crate::emulate::{Emulation, Prepared, RunningLaunch, HOST_SHARE};
use cuda::{builtin_macros, define_macro, is_kernel_param, is_size, run_host, scalable, scaled, set_constants};
use cuda::{GuessSizes, HostRun, LaunchSpec, Macros, Name, Scale, Unit};

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
    /// The value of what the host code leaves open, if it leaves anything open.
    open: Option<i64>,
}

impl Cut {
    /// Adds the smaller sizes to what is known of the sizes.
    pub fn add_to(&self, sizes: &mut GuessSizes) {
        sizes.uncut = Some(self.uncut.clone());
        sizes.given.assumed = self.open.map(|value| scaled(value, self.halvings));
        let literals = self.scale.literals.iter();
        sizes.given.literals.extend(literals.map(|(pos, value)| (*pos, scaled(*value, self.halvings))));
        let constants = self.scale.constants.iter();
        sizes.given.names.extend(constants.map(|(name, value)| (name.clone(), scaled(*value, self.halvings))));
        let macros = self.named();
        sizes.extra.extend(macros.map(|(name, value)| {
            (name.to_string(), scaled(*value, self.halvings).to_string(), format!("cut from {value}"))
        }));
    }

    /// The sizes with names, with their values in the text.
    fn named(&self) -> impl Iterator<Item = &(Name, i64)> {
        self.scale.macros.iter().chain(&self.scale.constants)
    }

    /// Defines the smaller sizes that are macros.
    pub fn define(&self, macros: &mut Macros) {
        for (name, value) in &self.scale.macros {
            define_macro(macros, name, &format!("({})", scaled(*value, self.halvings)), true);
        }
    }
}

impl Emulation {
    /// The part of the budget that a launch of the host code gets before its sizes are cut. Sizes that the user gives may use
    /// all of it.
    pub(super) fn host_share(&self) -> usize {
        if self.options.sizes.is_empty() {
            HOST_SHARE
        } else {
            1
        }
    }

    /// How to run with the sizes of the text, if they were cut.
    pub(super) fn real_sizes(&self) -> String {
        let Some(cut) = self.cut.as_ref().filter(|cut| !cut.scale.is_empty()) else { return String::new() };
        let sizes: Vec<String> = cut.named().map(|(name, value)| format!("`--size {name}={value}`")).collect();
        if sizes.is_empty() {
            return "; to run the real sizes, write them in the comment".into();
        }
        format!("; to run the real sizes, give {} or write them in the comment", sizes.join(" "))
    }

    /// Gives the constants of the file the values of the options, of the launches and of the cut.
    pub(super) fn replace_constants(&self, unit: &mut Unit, specs: &[LaunchSpec]) {
        let number = |text: &str| text.trim().parse::<i64>().ok();
        let given = self.options.sizes.iter().filter(|(name, _)| !is_kernel_param(unit, name));
        let given = given.map(|(name, value)| (Name::from(name.as_str()), number(value)));
        let items = specs.iter().flat_map(|s| &s.items).filter(|item| is_size(unit, specs, item));
        let items = items.map(|item| (item.name.clone(), number(&item.text)));
        let cut = self.cut.iter().flat_map(|cut| {
            cut.scale.constants.iter().map(|(name, value)| (name.clone(), Some(scaled(*value, cut.halvings))))
        });
        let all: Vec<(Name, i64)> =
            given.chain(items).chain(cut).filter_map(|(name, value)| value.map(|v| (name, v))).collect();
        set_constants(unit, &all);
    }

    /// Whether a launch of the host code will take more than its share of the budget, as far as its first blocks tell.
    pub(super) fn is_over_budget(&self, prepared: &Prepared, running: &RunningLaunch) -> bool {
        if !prepared.guesses.get(self.next).is_some_and(|guess| guess.follows_host()) {
            return false;
        }
        let (done, of) = running.run.progress();
        let bytes = running.builder.first_block_bytes().map_or(0, |bytes| (bytes as u64).saturating_mul(of) / 5 * 4);
        let executed = running.run.executed();
        let expected = if executed < JUDGED_AFTER || done == 0 { 0 } else { executed / done.max(1) * of };
        let share = self.host_share();
        bytes > (self.options.trace_bytes / share) as u64 || expected > self.options.budget / share as u64
    }

    /// Halves all sizes of the file once more and reads it again. The launches before run again too, so that all agree.
    /// `None` if nothing can be made smaller.
    pub(super) fn cut_sizes(&mut self, prepared: &Prepared) -> Option<Option<Prepared>> {
        if !prepared.guesses.get(self.next)?.follows_host() {
            return None;
        }
        match &mut self.cut {
            Some(cut) if cut.halvings >= HALVINGS_MAX || cut.scale.is_empty() && cut.open.is_none() => return None,
            Some(cut) => cut.halvings += 1,
            None => {
                let sizes = self.guess_sizes(&prepared.unit);
                let mut macros = builtin_macros();
                self.define_sizes(&prepared.unit, &mut macros, true);
                let scale = scalable(&self.text, &macros, &sizes.given);
                let uncut = run_host(&prepared.host, &prepared.unit, &prepared.module, &sizes.given);
                let open = uncut.open_value();
                let empty = scale.is_empty() && open.is_none();
                self.cut = Some(Cut { scale, halvings: 1, uncut, open });
                if empty {
                    return None;
                }
            }
        }
        self.out.launches.clear();
        self.out.assumed.clear();
        self.out.output.clear();
        (self.next, self.spent, self.traced_bytes) = (0, 0, 0);
        Some(self.prepare_again())
    }

    /// Gives the numbers of a guess another value, if its launch accessed no memory. Returns false if none is left.
    pub(super) fn tries_other_number(&mut self, prepared: &mut Prepared, running: &RunningLaunch) -> bool {
        let Some(guess) = prepared.guesses.get_mut(self.next) else { return false };
        if running.run.accesses() > 0 {
            return false;
        }
        if !guess.next_number() {
            return self.tries_other_input(prepared);
        }
        let Some(spec) = spec_of_guess(guess) else { return false };
        prepared.specs[self.next] = spec;
        true
    }

    /// Takes another value for what the host code of a launch leaves open. Returns false if none is left.
    pub(super) fn tries_other_input(&mut self, prepared: &mut Prepared) -> bool {
        let Prepared { unit, host, module, guesses, specs, .. } = prepared;
        let Some(guess) = guesses.get_mut(self.next) else { return false };
        let found = guess.next_input(unit, host, module);
        if let Some(spec) = spec_of_guess(guess) {
            specs[self.next] = spec;
        }
        found
    }

    /// Warns about a launch that accessed no memory.
    pub(super) fn warn_no_access(&mut self, line: u32, running: &RunningLaunch) {
        if running.run.accesses() > 0 || !self.out.output.is_empty() {
            return;
        }
        let found =
            format!("no block of `{}` accesses any (blocks: {})", running.facts.kernel, running.launch.grid.count());
        let help =
            "no thread gets past the kernel's first conditions, or the kernel only computes: check the sizes, the \
                    values and the `#if`s that decide it";
        self.warn(line, "a launch that accesses memory", &found, help);
    }
}
