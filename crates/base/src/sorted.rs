//! A stable sort that adds little code per type.
//!
//! The standard library's sort is compiled once per element type, and each copy adds kilobytes to the wasm file of the
//! page. This function sorts pairs of key and index, so all types share one compiled sort.

/// The items in order of their keys. Items with equal keys keep their order.
pub fn sorted_by_key<T>(items: Vec<T>, key: impl Fn(&T) -> u64) -> Vec<T> {
    let mut order: Vec<(u64, usize)> = items.iter().map(key).zip(0..).collect();
    order.sort_unstable();
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order.into_iter().filter_map(|(_, at)| items[at].take()).collect()
}

#[cfg(test)]
mod tests {
    use super::sorted_by_key;

    #[test]
    fn equal_keys_keep_their_order() {
        let words = sorted_by_key(vec!["cc", "a", "bb", "", "b"], |word| word.len() as u64);
        assert_eq!(words, ["", "a", "b", "cc", "bb"]);
    }
}
