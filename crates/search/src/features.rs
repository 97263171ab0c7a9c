//! Runs hot loops with the instructions that this machine has, and has memory
//! fetched before it is needed.
#![allow(unsafe_code, reason = "calls into code compiled for newer machines, and prefetching")]

/// A loop worth compiling twice: for every machine, and for those with AVX2.
///
/// What is inlined into it is compiled with it, so games gain too. Only exact
/// operations are used, so both give the same results.
pub(crate) trait Work {
    type Out;

    /// Must be inlined always, or nothing is gained.
    fn run(self) -> Self::Out;
}

/// Does `work` as fast as this machine can.
#[inline]
pub(crate) fn fast<W: Work>(work: W) -> W::Out {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: this machine was just found to have all of these features.
        return unsafe { with_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx2<W: Work>(work: W) -> W::Out {
    work.run()
}

/// Has the cache line of `items[at]` fetched, if there is such an item; a walk
/// down a large tree otherwise waits for memory at every step.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place = items.as_ptr().wrapping_add(at).cast();
        // SAFETY: prefetching reads nothing and never faults, wherever it points.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, at);
}
