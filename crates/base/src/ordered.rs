//! Sorting by one piece of code, whatever is sorted: each type that the standard library sorts by itself adds kilobytes to
//! what the page loads.

/// The items in order of their keys; those of equal keys keep their order.
pub fn ordered<T>(items: Vec<T>, key: impl Fn(&T) -> u64) -> Vec<T> {
    let mut order: Vec<(u64, usize)> = items.iter().map(key).zip(0..).collect();
    order.sort_unstable();
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order.into_iter().filter_map(|(_, at)| items[at].take()).collect()
}

#[cfg(test)]
mod tests {
    use super::ordered;

    #[test]
    fn equal_keys_keep_their_order() {
        let words = ordered(vec!["cc", "a", "bb", "", "b"], |word| word.len() as u64);
        assert_eq!(words, ["", "a", "b", "cc", "bb"]);
    }
}
