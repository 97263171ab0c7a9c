//! Run-time dispatch: the interpreter is compiled twice, portably and for AVX2 with BMI.
#![allow(unsafe_code, reason = "the measured interpreter: target features found at run time")]

/// A piece of work that is compiled for one kind of CPU.
pub(crate) trait Task {
    type Out;

    /// Implementations must be `#[inline(always)]`; otherwise they are not compiled for the CPU
    /// that calls them.
    fn run(self) -> Self::Out;
}

impl<T, F: FnOnce() -> T> Task for F {
    type Out = T;

    #[inline(always)]
    fn run(self) -> T {
        self()
    }
}

/// A kind of CPU; a value proves that this process runs on one.
pub(crate) trait Cpu: Copy {
    fn call<T: Task>(self, task: T) -> T::Out;

    /// Returns the place of the one bit of a word that has `n` one bits below it.
    fn nth_bit(self, word: u64, n: u32) -> usize;
}

/// Any CPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Cpu for Portable {
    // The interpreter calls itself: it must stay a function.
    #[inline(never)]
    fn call<T: Task>(self, task: T) -> T::Out {
        task.run()
    }

    #[inline(always)]
    fn nth_bit(self, mut word: u64, n: u32) -> usize {
        for _ in 0..n {
            word &= word.wrapping_sub(1);
        }
        word.trailing_zeros() as usize
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    //! The implementation for AVX2 and BMI.

    use std::arch::x86_64::_pdep_u64;

    use super::{Cpu, Task};

    /// A CPU with the features that `enter` enables; only [`Avx2::find`] makes one.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2(());

    impl Avx2 {
        /// Returns a value where this CPU has all features.
        pub(crate) fn find() -> Option<Self> {
            let is_found = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            is_found.then_some(Self(()))
        }
    }

    impl Cpu for Avx2 {
        #[inline(always)]
        fn call<T: Task>(self, task: T) -> T::Out {
            // SAFETY: a value of this type exists only where all features were found.
            unsafe { enter(task) }
        }

        #[inline(always)]
        fn nth_bit(self, word: u64, n: u32) -> usize {
            // SAFETY: a value of this type exists only where all features were found.
            unsafe { nth_bit(word, n) }
        }
    }

    // What is called apart stays apart: the interpreter's loop needs all registers.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline(never)]
    fn enter<T: Task>(task: T) -> T::Out {
        task.run()
    }

    #[target_feature(enable = "bmi1,bmi2")]
    #[inline]
    fn nth_bit(word: u64, n: u32) -> usize {
        _pdep_u64(1 << (n & 63), word).trailing_zeros() as usize
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn both_find_the_same_bit() {
        let Some(cpu) = Avx2::find() else { return };
        let mut word = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..1000 {
            word = word.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(29);
            for n in 0..word.count_ones() {
                assert_eq!(cpu.nth_bit(word, n), Portable.nth_bit(word, n), "{n} of {word:x}");
            }
        }
    }
}
