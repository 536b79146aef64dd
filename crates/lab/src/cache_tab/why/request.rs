//! A question about an access, as a person or a link states it, and its validation.

use crate::cache_tab::places::ArrayPlace;
use crate::cache_tab::why::gpu_report::WhyLevel;
use crate::cache_tab::why::tell::outcome_of;
use crate::cache_tab::why::watch::Filter;
use base::Diagnostic;
use cache::{Params, RequestClass};
use exec::{LineRequests, NO_ARRAY};
use std::collections::BTreeMap;
use trace::Trace;

/// Which step of a core is wanted. Steps are counted from 1. An access that was cancelled is a step too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyFind {
    /// The step with this number.
    Step(u64),
    /// The access with this number among all that fit the filter, counted from 1.
    Match(u64),
    /// The first access after this step that fits the filter.
    After(u64),
    /// The last access before this step that fits the filter.
    Before(u64),
}

/// Which accesses are wanted. An access fits if it has all that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WhyFilter {
    /// The name of an array, or its first byte address such as `0x7f00`.
    pub array: Option<String>,
    /// A set of the cache.
    pub set: Option<u32>,
    /// A byte address in the line, such as `0x7f00`.
    pub line: Option<String>,
    /// The number of an instruction in [`WhyReport::instructions`](super::report::WhyReport::instructions).
    pub instruction: Option<u32>,
    /// Misses only, latency misses included.
    pub misses: bool,
    /// Misses of this class only.
    pub class: Option<RequestClass>,
    /// Accesses whose data came from this level only. The model `gpu` alone has levels.
    pub level: Option<WhyLevel>,
}

/// A question about an access of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyRequest {
    /// The core. Without it, an access of any core can fit, and a step is one of core 0.
    pub core: Option<u32>,
    /// Which step.
    pub find: WhyFind,
    /// Which accesses fit.
    pub filter: WhyFilter,
    /// How many steps before the wanted one the report shows.
    pub lead: u32,
    /// How many steps the report shows in all, at most [`WhyRequest::MOST_STEPS`].
    pub steps: u32,
    /// Whether to run the kernel with what would have made the wanted access hit.
    pub check: bool,
}

impl WhyRequest {
    /// Most steps of a report.
    pub const MOST_STEPS: u32 = 200;

    /// Checks the core and the number of steps.
    pub(super) fn check_place(&self, cores: u32) -> Result<(), Vec<Diagnostic>> {
        if let Some(core) = self.core.filter(|&core| core >= cores) {
            let help = format!("choose a core from 0 to {}", cores - 1);
            return Err(wrong("a core that is modelled", &format!("core {core}"), help));
        }
        if !(1..=Self::MOST_STEPS).contains(&self.steps) {
            let help = format!("ask for 1 to {} steps", Self::MOST_STEPS);
            return Err(wrong("a number of steps that can be shown", &self.steps.to_string(), help));
        }
        Ok(())
    }

    /// Checks that a core has a step.
    pub(super) fn check_step(core: u32, step: u64, steps: u64) -> Result<(), Vec<Diagnostic>> {
        if (1..=steps).contains(&step) {
            return Ok(());
        }
        let help = match steps {
            0 => "choose a core that runs a block, or a kernel that loads through the L1".into(),
            steps => format!("choose a step from 1 to {steps}"),
        };
        Err(wrong("a step of the core", &format!("step {step} of core {core}"), help))
    }

    /// Reads a question from keys with values, as the page sends it: one of `step`, `match`, `after` and `before` with a
    /// number, and any of `core`, `array`, `set`, `line`, `instruction`, `misses`, `class`, `level`, `lead`,
    /// `steps` and `check`.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if a value is no number, or if no step is named.
    pub fn of_pairs(pairs: &BTreeMap<String, String>) -> Result<Self, Vec<Diagnostic>> {
        let number = |key: &str| match pairs.get(key).map(|text| (text, text.parse::<u64>())) {
            Some((text, Err(_))) => Err(wrong(&format!("a whole number for {key}"), &format!("`{text}`"), "change it")),
            Some((_, Ok(number))) => Ok(Some(number)),
            None => Ok(None),
        };
        let small = |key: &str| number(key).map(|n| n.map(|n| u32::try_from(n).unwrap_or(u32::MAX)));
        let step = number("step")?.map(WhyFind::Step);
        let matched = number("match")?.map(WhyFind::Match);
        let (after, before) = (number("after")?.map(WhyFind::After), number("before")?.map(WhyFind::Before));
        let find = step.or(matched).or(after).or(before);
        let filter = WhyFilter {
            array: pairs.get("array").cloned(),
            set: small("set")?,
            line: pairs.get("line").cloned(),
            instruction: small("instruction")?,
            misses: pairs.contains_key("misses"),
            class: pairs.get("class").map(|name| WhyFilter::class_of(name)).transpose()?,
            level: pairs.get("level").map(|name| WhyFilter::level_of(name)).transpose()?,
        };
        Ok(Self {
            core: small("core")?,
            find: find.ok_or_else(|| wrong("a step", "none", "name a step, a match, or where to go on from"))?,
            filter,
            lead: small("lead")?.unwrap_or(0),
            steps: small("steps")?.unwrap_or(1),
            check: pairs.contains_key("check"),
        })
    }
}

impl WhyFilter {
    /// True if every access fits.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The class of misses with this name.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if there is none.
    pub fn class_of(name: &str) -> Result<RequestClass, Vec<Diagnostic>> {
        // The model `gpu` names the class as its tables do.
        let name = if name == "conflict" { "associativity" } else { name };
        let class = RequestClass::MISSES.into_iter().find(|&class| outcome_of(class).word() == name);
        class.ok_or_else(|| {
            let help = "choose compulsory, capacity, associativity (or conflict) or latency";
            wrong("a class of misses", &format!("`{name}`"), help)
        })
    }

    /// The level with this name.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if there is none.
    pub fn level_of(name: &str) -> Result<WhyLevel, Vec<Diagnostic>> {
        match name {
            "l1" => Ok(WhyLevel::L1),
            "l2" => Ok(WhyLevel::L2),
            "dram" => Ok(WhyLevel::Dram),
            _ => Err(wrong("a level", &format!("`{name}`"), "choose l1, l2 or dram")),
        }
    }

    /// The set, if the cache has it.
    pub(super) fn set_within(&self, sets: u32) -> Result<Option<u32>, Vec<Diagnostic>> {
        match self.set.filter(|&set| set >= sets) {
            Some(set) => {
                let help = format!("choose a set from 0 to {}", sets - 1);
                Err(wrong("a set of the cache", &format!("set {set}"), help))
            }
            None => Ok(self.set),
        }
    }

    /// The site of the instruction.
    pub(super) fn site_of(&self, trace: &Trace) -> Result<Option<u32>, Vec<Diagnostic>> {
        match self.instruction {
            Some(number) if number == 0 || number as usize > trace.sites.len() => {
                let help = format!("choose a number from 1 to {}", trace.sites.len());
                Err(wrong("an instruction of the kernel", &format!("number {number}"), help))
            }
            number => Ok(number.map(|number| number - 1)),
        }
    }

    /// Looks up what the filter names.
    pub(super) fn resolve(
        &self,
        trace: &Trace,
        requests: &LineRequests,
        params: &Params,
    ) -> Result<Filter, Vec<Diagnostic>> {
        let array = self.array.as_deref().map(|name| array_index(name, trace)).transpose()?;
        // The model numbers an array with 16 bits. What is beyond lies outside all arrays for it.
        let known = |index: usize| u16::try_from(index).ok().filter(|_| index < trace.arrays.len());
        let array = array.map(|index| known(index).unwrap_or(NO_ARRAY));
        let line = self.line.as_deref().map(|text| dense_line(text, requests, params)).transpose()?;
        if let Some(level) = self.level {
            let help = "choose the model gpu, or leave the level out";
            return Err(wrong("no level: the model has one L1", &format!("{level:?}"), help));
        }
        let (set, site) = (self.set_within(params.sets)?, self.site_of(trace)?);
        Ok(Filter { array, set, line, site, misses: self.misses, class: self.class })
    }
}

/// The place of an array, or that behind the last one for the row of addresses in no array.
pub(super) fn array_index(name: &str, trace: &Trace) -> Result<usize, Vec<Diagnostic>> {
    const LISTED: usize = 10;
    let named = trace.arrays.iter().position(|array| array.name == name);
    let at = || trace.arrays.iter().position(|array| format!("{:#x}", array.base) == name);
    let elsewhere = || (name == ArrayPlace::elsewhere(trace).name).then_some(trace.arrays.len());
    named.or_else(at).or_else(elsewhere).ok_or_else(|| {
        let names: Vec<&str> = trace.arrays.iter().take(LISTED).map(|array| array.name.as_str()).collect();
        wrong("an array of the kernel", &format!("`{name}`"), format!("choose one of {}", names.join(", ")))
    })
}

/// The number that a text such as `0x7f00` states.
pub(super) fn address_of(text: &str) -> Result<u64, Vec<Diagnostic>> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let address = digits.map_or_else(|| text.parse().ok(), |digits| u64::from_str_radix(digits, 16).ok());
    address.ok_or_else(|| wrong("a byte address", &format!("`{text}`"), "write for example 0x7f00"))
}

fn dense_line(text: &str, requests: &LineRequests, params: &Params) -> Result<u32, Vec<Diagnostic>> {
    let line = address_of(text)? / params.line_bytes;
    let place = requests.lines.iter().position(|&known| known == line);
    place.map(|place| place as u32).ok_or_else(|| {
        wrong("a line that the kernel asks for", &format!("`{text}`"), "take an address from the list of steps")
    })
}

pub(super) fn wrong(expected: &str, found: &str, help: impl Into<String>) -> Vec<Diagnostic> {
    vec![Diagnostic::error("why", expected, found, help)]
}
