//! The ways in which the program is built: as the user does, or so that undefined behaviour shows.

use crate::sanitizer;

/// A way to build the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Variant {
    /// With the user's flags.
    Plain,
    /// With sanitizers, which report undefined behaviour.
    Sanitized,
    /// With zeros where nothing was written yet.
    Zeros,
    /// With other bytes there.
    Pattern,
}

/// What the checks of the front end say in the same words, or nowhere: trailing arrays of structs have no end, a
/// pointer may be computed that is not followed, null may be given where nothing is read.
const UNWANTED: &str = "-fno-sanitize=pointer-overflow,nonnull-attribute,returns-nonnull-attribute,bool,enum";

/// The allocator of glibc keeps no blocks for a thread.
const NO_CACHE: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0");

impl Variant {
    pub(crate) fn is_sanitized(self) -> bool {
        self == Variant::Sanitized
    }

    /// The flags for the program, behind those of the user.
    pub(crate) fn flags(self) -> Vec<&'static str> {
        match self {
            Variant::Plain => Vec::new(),
            Variant::Sanitized => {
                let mut flags = sanitizer::FLAGS.to_vec();
                // An access that is also misaligned goes on, so that the worse thing about it is reported, too.
                flags.extend([
                    "-fsanitize=pointer-compare,pointer-subtract",
                    UNWANTED,
                    "-fsanitize-recover=alignment",
                ]);
                flags.push("-fno-omit-frame-pointer");
                flags
            }
            Variant::Zeros => vec!["-O0", "-ftrivial-auto-var-init=zero"],
            Variant::Pattern => vec!["-O0", "-ftrivial-auto-var-init=pattern"],
        }
    }

    /// The flags for the runtime.
    pub(crate) fn runtime_flags(self) -> Vec<String> {
        match self {
            Variant::Sanitized => vec!["-DQUIPU_SANITIZED".to_string()],
            _ => Vec::new(),
        }
    }

    /// The environment variables of a run.
    pub(crate) fn variables(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Variant::Plain => &[],
            Variant::Sanitized => &[
                (
                    "ASAN_OPTIONS",
                    "detect_leaks=0:detect_invalid_pointer_pairs=2:detect_stack_use_after_return=1:\
                     strict_string_checks=0:allocator_may_return_null=1:max_allocation_size_mb=1024",
                ),
                ("UBSAN_OPTIONS", "print_stacktrace=0"),
            ],
            // New memory is filled with the complement of this byte, but for blocks from the cache of a thread.
            Variant::Zeros => &[("MALLOC_PERTURB_", "255"), NO_CACHE],
            Variant::Pattern => &[("MALLOC_PERTURB_", "1"), NO_CACHE],
        }
    }
}
