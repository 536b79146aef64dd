//! Maps and sets as sorted vectors.
//!
//! The compiler keeps few entries in each map. A sorted vector needs less code than the trees of the standard library,
//! and the page loads this code through a network. The price is that an insertion moves the entries behind it.

use std::borrow::Borrow;

/// A map whose iteration follows the order of the keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(k, _)| k.borrow().cmp(key))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| &self.0[at].1)
    }

    /// The value of a key. Inserts `new()` if the key is absent.
    pub fn get_or_insert_with(&mut self, key: K, new: impl FnOnce() -> V) -> &mut V {
        let at = self.place(&key).unwrap_or_else(|at| {
            self.0.insert(at, (key, new()));
            at
        });
        &mut self.0[at].1
    }

    /// Sets the value of a key and replaces the value that it had.
    pub fn insert(&mut self, key: K, value: V) {
        match self.place(&key) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (key, value)),
        }
    }

    /// Removes a key if it is present.
    pub fn remove(&mut self, key: &K) {
        if let Ok(at) = self.place(key) {
            self.0.remove(at);
        }
    }

    /// Keeps the entries for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries in order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// A set whose iteration follows the order of the keys.
#[derive(Clone, Debug)]
pub struct SortedSet<K>(SortedMap<K, ()>);

impl<K> Default for SortedSet<K> {
    fn default() -> Self {
        Self(SortedMap::default())
    }
}

impl<K: Ord> SortedSet<K> {
    /// Adds a key. Returns false if it was present.
    pub fn insert(&mut self, key: K) -> bool {
        let mut new = false;
        self.0.get_or_insert_with(key, || new = true);
        new
    }

    /// Number of entries.
    #[allow(clippy::len_without_is_empty, reason = "no caller asks whether it is empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The keys in order.
    pub fn iter(&self) -> impl Iterator<Item = &K> {
        self.0.keys()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_map_is_that_of_the_standard_library() {
        let (mut ours, mut theirs) = (SortedMap::default(), BTreeMap::new());
        let mut random = base::Random::new(1);
        for i in 0..2000 {
            let key = random.below(50);
            match random.below(4) {
                0 => {
                    ours.insert(key, i);
                    theirs.insert(key, i);
                }
                1 => {
                    ours.remove(&key);
                    theirs.remove(&key);
                }
                2 => {
                    *ours.get_or_insert_with(key, || 7) += i;
                    *theirs.entry(key).or_insert(7) += i;
                }
                _ => {
                    ours.retain(|k, v| (*k + *v) % 9 != 0);
                    theirs.retain(|k, v| (*k + *v) % 9 != 0);
                }
            }
            assert!(ours.iter().eq(theirs.iter()) && ours.get(&key) == theirs.get(&key));
        }
        assert!(theirs.len() > 9);
    }

    #[test]
    fn a_set_keeps_each_key_once() {
        let mut set = SortedSet::default();
        assert_eq!(["b", "a", "b"].map(|key| set.insert(key)), [true, true, false]);
        assert_eq!(set.iter().copied().collect::<String>(), "ab");
    }
}
