//! Maps and sets as sorted lists, for the few entries that a compiler keeps of one thing: less code than the standard library's
//! trees, which counts where the code is loaded through a network. Adding in the middle moves what follows.

use std::borrow::Borrow;

/// Values by key, in order of the keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Map<K, V>(Vec<(K, V)>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> Map<K, V> {
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(k, _)| k.borrow().cmp(key))
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| &self.0[at].1)
    }

    /// The value of a key, which is made where there is none.
    pub fn at(&mut self, key: K, new: impl FnOnce() -> V) -> &mut V {
        let at = self.place(&key).unwrap_or_else(|at| {
            self.0.insert(at, (key, new()));
            at
        });
        &mut self.0[at].1
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: K, value: V) {
        match self.place(&key) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (key, value)),
        }
    }

    pub fn remove(&mut self, key: &K) {
        if let Ok(at) = self.place(key) {
            self.0.remove(at);
        }
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }
}

/// Keys in order.
#[derive(Clone, Debug)]
pub struct Set<K>(Map<K, ()>);

impl<K> Default for Set<K> {
    fn default() -> Self {
        Self(Map::default())
    }
}

impl<K: Ord> Set<K> {
    /// Adds a key; false where it was there.
    pub fn insert(&mut self, key: K) -> bool {
        let mut new = false;
        self.0.at(key, || new = true);
        new
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

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
        let (mut ours, mut theirs) = (Map::default(), BTreeMap::new());
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
                    *ours.at(key, || 7) += i;
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
        let mut set = Set::default();
        assert_eq!(["b", "a", "b"].map(|key| set.insert(key)), [true, true, false]);
        assert_eq!(set.iter().copied().collect::<String>(), "ab");
    }
}
