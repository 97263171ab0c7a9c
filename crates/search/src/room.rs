//! Room for lists whose memory is limited.

/// Makes room for `more` items in a list that may have `most`: an eighth more than
/// there are at a time, since doubling would waste what the limit counts.
#[inline]
pub(crate) fn make_room<T>(items: &mut Vec<T>, more: usize, most: usize) {
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
    fn lists_grow_by_little() {
        let mut items: Vec<u64> = Vec::new();
        for number in 0..100_000 {
            make_room(&mut items, 1, 100_000);
            items.push(number);
            assert!(items.capacity() <= items.len() + items.len() / 8 + 512);
        }
        assert!(items.capacity() <= 100_512);
    }
}
