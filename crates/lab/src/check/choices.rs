//! How well modelled times order the variants of a launch that were measured side by side.
//!
//! Variants compute the same with an operand in another memory. A group has the variants of one launch on one GPU, and
//! the model chooses the one with the least time. The regret of a choice is how much longer than the quickest of its
//! group it takes, as measured.

use crate::check::counter::Counter;
use crate::check::report::{mean, median, CheckedLaunch};
use serde::Serialize;
use std::cmp::Ordering;

/// What a launch is a variant of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Variant {
    /// The kernel, as the file names it.
    pub kernel: String,
    /// The launch without its variant.
    pub group: String,
    /// The variant: where operands lie.
    pub name: String,
}

/// A half of the launches. All variants of a launch are in the same half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The half that may be looked at while the model changes.
    First,
    /// The half that judges it.
    Second,
}

impl Half {
    /// Whether the half has the launches of this name. FNV-1a decides, so the halves do not depend on the version.
    pub(crate) fn has(self, name: &str) -> bool {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, step);
        (hash >> 32) & 1 == u64::from(self == Self::Second)
    }
}

/// Times and choices of the variants of a kernel on a GPU.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedChoices {
    /// The preset of the GPU.
    pub gpu: &'static str,
    /// The kernel, as the file names it.
    pub kernel: String,
    /// Launches with a time.
    pub launches: usize,
    /// The median of the absolute errors of the time, percent.
    pub time_error: f64,
    /// Pairs of a group whose measured times differ by more than a tenth of the lesser.
    pub pairs: usize,
    /// Those that the model puts in the right order. A pair to which it gives one time counts half.
    pub pairs_right: f64,
    /// Groups with all of the variants that most groups of the kernel have.
    pub groups: usize,
    /// The mean regret of the model's choices over these groups, percent. Among variants with one modelled time it takes any,
    /// so that their mean counts.
    pub regret: f64,
    /// The fixed variant with the least mean regret.
    pub best_fixed: String,
    /// Its mean regret, percent.
    pub best_fixed_regret: f64,
}

/// Variants differ if the longer time is more than the shorter times this.
const DIFFERS: f64 = 1.1;

/// The measured and the modelled time of a variant.
struct Timed<'a> {
    name: &'a str,
    measured: f64,
    modelled: f64,
}

/// The choices by GPU and kernel.
pub(crate) fn choices(launches: &[CheckedLaunch]) -> Vec<CheckedChoices> {
    let of = |launch: &CheckedLaunch| Some((launch.gpu, launch.variant.as_ref()?.kernel.clone()));
    let mut keys: Vec<(&'static str, String)> = launches.iter().filter_map(of).collect();
    keys.sort();
    keys.dedup();
    keys.into_iter().map(|(gpu, kernel)| choices_of(launches, gpu, kernel)).collect()
}

fn choices_of(launches: &[CheckedLaunch], gpu: &'static str, kernel: String) -> CheckedChoices {
    let mut groups: Vec<(&str, Vec<Timed<'_>>)> = Vec::new();
    let mut errors = Vec::new();
    for launch in launches.iter().filter(|launch| launch.gpu == gpu) {
        let Some(variant) = launch.variant.as_ref().filter(|variant| variant.kernel == kernel) else { continue };
        let Some(time) = launch.counters.iter().find(|c| c.counter == Counter::Microseconds) else { continue };
        errors.extend(time.error.map(f64::abs));
        let timed = Timed { name: &variant.name, measured: time.measured, modelled: time.modelled };
        match groups.iter_mut().find(|(group, _)| *group == variant.group) {
            // A file can have a launch twice. The first measurement counts.
            Some((_, all)) if all.iter().any(|known| known.name == timed.name) => {}
            Some((_, all)) => all.push(timed),
            None => groups.push((&variant.group, vec![timed])),
        }
    }
    let pairs: Vec<(&Timed<'_>, &Timed<'_>)> = groups
        .iter()
        .flat_map(|(_, all)| all.iter().enumerate().flat_map(|(i, a)| all[i + 1..].iter().map(move |b| (a, b))))
        .filter(|(a, b)| a.measured.max(b.measured) > DIFFERS * a.measured.min(b.measured))
        .collect();
    let right = pairs
        .iter()
        .map(|(a, b)| match a.modelled.total_cmp(&b.modelled) {
            Ordering::Equal => 0.5,
            order => f64::from(u8::from(order == a.measured.total_cmp(&b.measured))),
        })
        .sum::<f64>();
    let full: Vec<&Vec<Timed<'_>>> = with_usual_variants(&groups);
    let regrets = |choose: &dyn Fn(&[Timed<'_>]) -> f64| {
        let of = |all: &&Vec<Timed<'_>>| 100.0 * (choose(all) / least(all, |t| t.measured) - 1.0);
        // The sum of no numbers is -0.
        0.0 + mean(&full.iter().map(of).collect::<Vec<f64>>())
    };
    let named = |name: &str| regrets(&|all| all.iter().find(|t| t.name == name).map_or(f64::MAX, |t| t.measured));
    let names = full.first().map_or(Vec::new(), |all| all.iter().map(|t| t.name).collect());
    let fixed = names.into_iter().map(|name| (name, named(name))).min_by(|a, b| a.1.total_cmp(&b.1));
    let (best_fixed, best_fixed_regret) = fixed.unwrap_or(("–", 0.0));
    CheckedChoices {
        gpu,
        kernel,
        launches: errors.len(),
        time_error: median(errors),
        pairs: pairs.len(),
        // The sum of no numbers is -0.
        pairs_right: 0.0 + right,
        groups: full.len(),
        regret: regrets(&|all| {
            let chosen = least(all, |t| t.modelled);
            let equal: Vec<f64> = all.iter().filter(|t| t.modelled == chosen).map(|t| t.measured).collect();
            mean(&equal)
        }),
        best_fixed: best_fixed.into(),
        best_fixed_regret,
    }
}

/// The groups with the set of variants that most groups of two or more have.
fn with_usual_variants<'a, 'b>(groups: &'a [(&str, Vec<Timed<'b>>)]) -> Vec<&'a Vec<Timed<'b>>> {
    let names = |all: &[Timed<'_>]| {
        let mut names: Vec<String> = all.iter().map(|timed| timed.name.to_string()).collect();
        names.sort();
        names
    };
    let sets: Vec<(Vec<String>, &Vec<Timed<'_>>)> =
        groups.iter().filter(|(_, all)| all.len() > 1).map(|(_, all)| (names(all), all)).collect();
    let count = |set: &[String]| sets.iter().filter(|(other, _)| other == set).count();
    let Some(usual) = sets.iter().map(|(set, _)| set).max_by_key(|set| (count(set), set.len())) else {
        return Vec::new();
    };
    sets.iter().filter(|(set, _)| set == usual).map(|(_, all)| *all).collect()
}

/// The least time of the variants. A group is never empty.
fn least<'b>(all: &[Timed<'b>], time: impl Fn(&Timed<'b>) -> f64) -> f64 {
    all.iter().map(time).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::report::CheckedCounter;
    use crate::check::row::Measured;

    fn launch(group: &str, name: &str, measured: f64, modelled: f64) -> CheckedLaunch {
        let measured = Measured::new(Counter::Microseconds, measured);
        CheckedLaunch {
            line: 1,
            label: group.into(),
            variant: Some(Variant { kernel: "k".into(), group: group.into(), name: name.into() }),
            gpu: "a100",
            state: "cold",
            scaled: None,
            counters: vec![CheckedCounter::new(&measured, modelled)],
        }
    }

    #[test]
    fn choices_worked_by_hand() {
        let launches = [
            // The model chooses the slower one: a regret of 50 %.
            launch("one", "global", 100.0, 110.0),
            launch("one", "shared", 150.0, 90.0),
            // It chooses the quicker one.
            launch("two", "global", 300.0, 300.0),
            launch("two", "shared", 200.0, 100.0),
            // The times differ by less than a tenth, so that the pair does not count.
            launch("three", "global", 100.0, 100.0),
            launch("three", "shared", 105.0, 50.0),
            // The second measurement of a launch does not count, and neither does a group with one variant.
            launch("three", "shared", 1.0, 50.0),
            launch("four", "global", 100.0, 100.0),
        ];
        let [row] = &choices(&launches)[..] else { panic!("one GPU, one kernel") };
        assert_eq!((row.launches, row.groups, row.pairs, row.pairs_right), (8, 3, 2, 1.0));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        // 50, 0 and 5 %; always shared 50, 0 and 5 %; always global 0, 50 and 0 %.
        assert!(near(row.regret, 55.0 / 3.0), "{row:?}");
        assert!(row.best_fixed == "global" && near(row.best_fixed_regret, 50.0 / 3.0), "{row:?}");
        // 10, 40, 0, 50, 0, 52.4, 4900 and 0 %.
        assert!(near(row.time_error, 25.0), "{row:?}");
    }

    #[test]
    fn variants_with_one_modelled_time_are_half_right() {
        let launches = [
            launch("one", "global", 100.0, 70.0),
            launch("one", "shared", 150.0, 70.0),
            launch("one", "constant", 200.0, 90.0),
        ];
        let [row] = &choices(&launches)[..] else { panic!("one GPU, one kernel") };
        assert_eq!((row.pairs, row.pairs_right), (3, 2.5));
        // It takes `global` or `shared`: 0 or 50 %.
        assert!((row.regret - 25.0).abs() < 1e-9, "{row:?}");
    }

    #[test]
    fn each_launch_is_in_one_half_and_halves_are_about_as_large() {
        let names: Vec<String> = (0..1000).map(|n| format!("{n}x4 threads, 2x2 outputs")).collect();
        let first = names.iter().filter(|name| Half::First.has(name)).count();
        assert!(names.iter().all(|name| Half::First.has(name) != Half::Second.has(name)));
        assert!((450..550).contains(&first), "{first}");
    }
}
