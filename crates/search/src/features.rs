//! Runs hot loops with the instructions that this machine has.
#![allow(unsafe_code, reason = "the one call into code compiled for newer machines")]

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
