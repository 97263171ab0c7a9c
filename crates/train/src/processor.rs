//! The processor time of this process.

/// Returns the processor time of all threads in seconds, where the system reports it: on
/// Linux, at a resolution of 10 ms.
#[must_use]
pub fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program is in parentheses and may contain any character.
    let (_, fields) = text.rsplit_once(") ")?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn work_takes_time() {
        let before = super::processor_seconds().unwrap();
        let mut sum = 0u64;
        while super::processor_seconds().unwrap() <= before {
            sum = std::hint::black_box(sum.wrapping_mul(3) + 1);
        }
    }
}
