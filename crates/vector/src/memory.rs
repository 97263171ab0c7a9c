//! Memory checks: too many tables are rejected in advance, because a failed allocation later
//! would abort the process.

use crate::VectorError;

/// Returns the free memory in bytes, where the system reports it.
fn free_bytes() -> Option<u128> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u128 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// Returns an empty list with capacity for `count` tables. Their rows in the caller's arrays
/// take `row` bytes each, which are included in the check.
pub(crate) fn reserve<T>(count: usize, row: usize) -> Result<Vec<T>, VectorError> {
    let bytes = count as u128 * (size_of::<T>() + row) as u128;
    let free = free_bytes().unwrap_or(u128::MAX);
    let refused = |free: u128| VectorError::Memory { tables: count, bytes, free };
    if bytes > free {
        return Err(refused(free));
    }
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| refused(free.min(isize::MAX as u128)))?;
    Ok(list)
}
