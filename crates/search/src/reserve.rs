//! Growth of vectors under a memory limit.

/// Reserves space for `more` items in a vector limited to `most`. The capacity grows by an
/// eighth: doubling would waste memory that counts against the limit.
#[inline]
pub(crate) fn reserve_capped<T>(items: &mut Vec<T>, more: usize, most: usize) {
    if items.len() + more > items.capacity() {
        reserve(items, more, most);
    }
}

#[cold]
fn reserve<T>(items: &mut Vec<T>, more: usize, most: usize) {
    let step = (items.len() / 8).min(most.saturating_sub(items.len()));
    items.reserve_exact(more.max(step).max(4096 / size_of::<T>().max(1)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_grow_by_an_eighth() {
        let mut items: Vec<u64> = Vec::new();
        for number in 0..100_000 {
            reserve_capped(&mut items, 1, 100_000);
            items.push(number);
            assert!(items.capacity() <= items.len() + items.len() / 8 + 512);
        }
        assert!(items.capacity() <= 100_512);
    }
}
