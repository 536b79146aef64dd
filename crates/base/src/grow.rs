//! Vectors that fill much of the memory.

/// Reserves room for `more` items. A vector doubles its capacity by default, which is too much for accesses by the million, so this
/// adds a quarter.
#[inline]
pub fn grow<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        items.reserve_exact(more.max(items.len() / 4).max(4));
    }
}
