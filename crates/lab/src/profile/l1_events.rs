//! Fermi's events `l1_global_load_hit` and `l1_global_load_miss`, and the `.prof` files that the authors of HPCA 2014
//! make of them. Their program `parse_profile.rb` (github tue-es/gpu-cache-model) defines both forms: what nvprof
//! printed with `--aggregate-mode-off`, whose values per core are summed, and what the script writes per launch, hits
//! on the first line and misses on the second, in a file `NAME_NN.prof` with the number of the launch from 0.

use crate::check::counter::Counter;
use crate::profile::data::{Profile, ProfiledLaunch, MOST_LAUNCHES, TOO_MANY_LAUNCHES};
use crate::profile::metrics::is_plausible;
use crate::scenario::LaunchState;
use base::{excerpt, Diagnostics, Severity};

const HIT: &str = "l1_global_load_hit";
const MISS: &str = "l1_global_load_miss";

/// Whether an event is one of the two.
pub(crate) fn is_l1_event(name: &str) -> bool {
    name == HIT || name == MISS
}

/// Hits and misses of a launch, in lines of 128 bytes.
#[derive(Default)]
pub(crate) struct L1Events {
    hits: Option<f64>,
    misses: Option<f64>,
}

impl L1Events {
    /// Takes the count of an event. Returns false for a text that is no count, which is left out.
    #[must_use]
    pub fn add(&mut self, event: &str, text: &str) -> bool {
        let count = text.trim().replace(',', "").parse().ok().filter(|&count: &f64| is_plausible(count));
        *(if event == HIT { &mut self.hits } else { &mut self.misses }) = count;
        count.is_some()
    }

    /// Hits over both, percent. `None` if one is not known or both are 0.
    pub fn hit_rate(&self) -> Option<f64> {
        let (hits, misses) = (self.hits?, self.misses?);
        (hits + misses > 0.0).then(|| 100.0 * hits / (hits + misses))
    }
}

/// Whether a text is one of the two forms of `.prof`.
pub(crate) fn looks_like(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let numbers = lines.clone().take(3).all(|line| line.bytes().all(|byte| byte.is_ascii_digit()));
    // A table of nvprof has the names of the events in columns of their own, in quotes.
    numbers || lines.any(|line| printed_event(line).is_some())
}

/// Name and value of an event that nvprof printed without `--csv`: the numbers behind the last comma are of one core each.
fn printed_event(line: &str) -> Option<(&'static str, u64)> {
    let event = [HIT, MISS].into_iter().find(|event| line.contains(event))?;
    let (_, values) = line.rsplit_once(',').filter(|_| !line.contains('"'))?;
    let mut values = values.split_whitespace().map(|value| value.parse::<u64>().ok()).peekable();
    values.peek()?;
    values.try_fold(0u64, |sum, value| sum.checked_add(value?)).map(|sum| (event, sum))
}

/// Reads either form. `name` is that of the file.
pub(crate) fn read(name: &str, text: &str, out: &mut Diagnostics) -> Profile {
    let mut profile = Profile { state: LaunchState::Copies, tool: "nvprof (.prof)", ..Profile::default() };
    let pairs = match text.contains(HIT) || text.contains(MISS) {
        true => printed_pairs(text, out),
        false => match only_pair(text, out) {
            Some(pair) => vec![pair],
            None => return profile,
        },
    };
    let several = pairs.len() > 1;
    for (at, pair) in (1u32..).zip(pairs) {
        let number = if several { Some(at) } else { number_of(name) };
        match pair.hit_rate() {
            Some(rate) => profile.launches.push(ProfiledLaunch {
                number,
                counters: [(Counter::L1HitRate, rate)].into(),
                ..ProfiledLaunch::default()
            }),
            None => profile.left_out += 1,
        }
    }
    if profile.launches.is_empty() {
        let found = "hits or misses alone, or both 0";
        out.add(Severity::Error, None, "the hits and the misses of a launch", found, "the file may be cut off");
    }
    profile
}

/// The launches of what nvprof printed.
fn printed_pairs(text: &str, out: &mut Diagnostics) -> Vec<L1Events> {
    let mut pairs: Vec<L1Events> = Vec::new();
    for (line, text) in (1u64..).zip(text.lines()) {
        let event = [HIT, MISS].into_iter().find(|event| text.contains(event) && text.contains(','));
        let Some(event) = event.filter(|_| !text.contains('"')) else { continue };
        // A launch begins with its hits.
        if event == HIT || pairs.is_empty() {
            if pairs.len() == MOST_LAUNCHES {
                let expected = format!("at most {MOST_LAUNCHES} launches");
                out.add(Severity::Warning, Some(line), expected, "more", TOO_MANY_LAUNCHES);
                break;
            }
            pairs.push(L1Events::default());
        }
        let count = printed_event(text).map(|(_, count)| count.to_string()).unwrap_or_default();
        if !pairs.last_mut().is_some_and(|pair| pair.add(event, &count)) {
            let found = excerpt(text.as_bytes());
            let help = "the launch is left out; the file may be cut off";
            out.add(Severity::Warning, Some(line), "counts behind the last comma", found, help);
        }
    }
    pairs
}

/// The one launch of a file with hits and misses alone. `None` if it has other lines.
fn only_pair(text: &str, out: &mut Diagnostics) -> Option<L1Events> {
    let mut pair = L1Events::default();
    let lines = (1u64..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    for ((line, text), event) in lines.zip([HIT, MISS, "more"]) {
        let whole = event != "more" && text.trim().parse::<u64>().is_ok();
        if !whole || !pair.add(event, text) {
            let expected = "two lines, the hits and the misses of a launch";
            let help = "use one file for each launch";
            out.add(Severity::Error, Some(line), expected, excerpt(text.as_bytes()), help);
            return None;
        }
    }
    Some(pair)
}

/// The number of the launch that a name like `matmul_00.prof` ends with, counted from 1.
fn number_of(name: &str) -> Option<u32> {
    let stem = name.rsplit(['/', '\\']).next()?.split('.').next()?;
    stem.rsplit_once('_')?.1.parse::<u32>().ok()?.checked_add(1)
}
