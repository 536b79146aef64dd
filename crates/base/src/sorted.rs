//! Stable sorts that add little code per type.
//!
//! The standard library's sort is compiled once per element type, and each copy adds kilobytes to the wasm file of the
//! page. These functions sort indices or pairs of key and index, so all types share one compiled sort. They suit lists that
//! are sorted once per result; a sort inside a loop is the standard library's.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The items in order of their keys. Items with equal keys keep their order.
pub fn sorted_by_key<T>(items: Vec<T>, key: impl Fn(&T) -> u64) -> Vec<T> {
    let mut order: Vec<(u64, usize)> = items.iter().map(key).zip(0..).collect();
    order.sort_unstable();
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order.into_iter().filter_map(|(_, at)| items[at].take()).collect()
}

/// Sorts as `slice::sort_by` does.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut places = places(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    for at in 0..items.len() {
        while places[at] != at {
            let to = places[at];
            items.swap(at, to);
            places.swap(at, to);
        }
    }
}

/// Sorts as `slice::sort_by_key` does.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// A map of pairs. Unlike `collect`, it needs no sort of their type.
pub fn map_of<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(pairs);
    map
}

/// Where each of `count` items goes. `compare` takes two indices.
fn places(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    let mut places = vec![0; count];
    for (place, from) in order.into_iter().enumerate() {
        places[from] = place;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{sort_by, sort_by_key, sorted_by_key};
    use crate::Random;

    #[test]
    fn equal_keys_keep_their_order() {
        let words = sorted_by_key(vec!["cc", "a", "bb", "", "b"], |word| word.len() as u64);
        assert_eq!(words, ["", "a", "b", "cc", "bb"]);
    }

    #[test]
    fn the_order_is_that_of_the_standard_sort() {
        let mut random = Random::new(1);
        for count in [0, 1, 2, 3, 10, 257] {
            let mut ours: Vec<(u64, usize)> = (0..count).map(|i| (random.below(1 + count as u64 / 2), i)).collect();
            let (mut theirs, mut down) = (ours.clone(), ours.clone());
            theirs.sort_by_key(|item| item.0);
            sort_by_key(&mut ours, |item| item.0);
            assert_eq!(ours, theirs);
            let falling = |a: &(u64, usize), b: &(u64, usize)| b.0.cmp(&a.0).then(a.1.cmp(&b.1));
            theirs.sort_by(falling);
            sort_by(&mut down, falling);
            assert_eq!(down, theirs);
        }
    }
}
