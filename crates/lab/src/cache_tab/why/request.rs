//! A question about an access, as a person or a link states it, and its validation.

use crate::cache_tab::why::tell::outcome_of;
use crate::cache_tab::why::watch::Filter;
use base::Diagnostic;
use cache::{Params, RequestClass};
use exec::LineRequests;
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

    /// Reads a question from keys with values, as the page sends it: one of `step`, `match`, `after` and `before` with a
    /// number, and any of `core`, `array`, `set`, `line`, `instruction`, `misses`, `class`, `lead`,
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
        let class = RequestClass::MISSES.into_iter().find(|&class| outcome_of(class).word() == name);
        class.ok_or_else(|| {
            let help = "choose compulsory, capacity, associativity or latency";
            wrong("a class of misses", &format!("`{name}`"), help)
        })
    }

    /// Looks up what the filter names.
    pub(super) fn resolve(
        &self,
        trace: &Trace,
        requests: &LineRequests,
        params: &Params,
    ) -> Result<Filter, Vec<Diagnostic>> {
        let array = self.array.as_deref().map(|name| array_index(name, trace)).transpose()?;
        let line = self.line.as_deref().map(|text| dense_line(text, requests, params)).transpose()?;
        if self.set.is_some_and(|set| set >= params.sets) {
            return Err(wrong(
                "a set of the cache",
                &format!("set {}", self.set.unwrap_or(0)),
                format!("choose a set from 0 to {}", params.sets - 1),
            ));
        }
        let site = match self.instruction {
            Some(number) if number == 0 || number as usize > trace.sites.len() => {
                let help = format!("choose a number from 1 to {}", trace.sites.len());
                return Err(wrong("an instruction of the kernel", &format!("number {number}"), help));
            }
            number => number.map(|number| number - 1),
        };
        Ok(Filter { array, set: self.set, line, site, misses: self.misses, class: self.class })
    }
}

fn array_index(name: &str, trace: &Trace) -> Result<u16, Vec<Diagnostic>> {
    const LISTED: usize = 10;
    let named = trace.arrays.iter().position(|array| array.name == name);
    let at = || trace.arrays.iter().position(|array| format!("{:#x}", array.base) == name);
    named.or_else(at).and_then(|index| u16::try_from(index).ok()).ok_or_else(|| {
        let names: Vec<&str> = trace.arrays.iter().take(LISTED).map(|array| array.name.as_str()).collect();
        wrong("an array of the kernel", &format!("`{name}`"), format!("choose one of {}", names.join(", ")))
    })
}

fn dense_line(text: &str, requests: &LineRequests, params: &Params) -> Result<u32, Vec<Diagnostic>> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let address = digits.map_or_else(|| text.parse().ok(), |digits| u64::from_str_radix(digits, 16).ok());
    let address = address.ok_or_else(|| wrong("a byte address", &format!("`{text}`"), "write for example 0x7f00"))?;
    let line = address / params.line_bytes;
    let place = requests.lines.iter().position(|&known| known == line);
    place.map(|place| place as u32).ok_or_else(|| {
        wrong("a line that the kernel asks for", &format!("`{text}`"), "take an address from the list of steps")
    })
}

pub(super) fn wrong(expected: &str, found: &str, help: impl Into<String>) -> Vec<Diagnostic> {
    vec![Diagnostic::error("why", expected, found, help)]
}
