//! Seeds on the command line: a number, or `random` for a seed that the system draws.

use lab::Scenario;

/// Reads a seed. A drawn seed has 32 bits, so that it stays short in a link. The output names it.
///
/// # Errors
///
/// Returns a message if the text is neither a number up to [`Scenario::MAX_SEED`] nor `random`, or if the system has no random
/// number.
pub fn seed(text: &str) -> Result<u64, String> {
    if text == "random" {
        return getrandom::u32().map(u64::from).map_err(|e| format!("the system gave no random number: {e}"));
    }
    let seed = text.parse().ok().filter(|seed| *seed <= Scenario::MAX_SEED);
    seed.ok_or_else(|| format!("expected a whole number up to {} or `random`, found `{text}`", Scenario::MAX_SEED))
}

#[cfg(test)]
mod tests {
    use super::seed;

    #[test]
    fn a_seed_is_a_number_or_drawn() {
        assert_eq!(seed("7"), Ok(7));
        assert!(seed("seven").is_err_and(|message| message.contains("`seven`")));
        assert_eq!(seed("9007199254740991"), Ok((1 << 53) - 1));
        assert!(seed("9007199254740992").is_err_and(|message| message.contains("up to 9007199254740991")));
        let drawn: std::collections::BTreeSet<u64> = (0..8).filter_map(|_| seed("random").ok()).collect();
        assert!(drawn.len() > 1 && drawn.iter().all(|seed| *seed <= u64::from(u32::MAX)), "{drawn:?}");
    }
}
