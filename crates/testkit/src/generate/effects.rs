//! What evaluating an expression reads and writes, so that no two unsequenced accesses conflict.
//!
//! C17 6.5p2 makes an expression undefined if a write is unsequenced with another access to the same
//! object, and leaves the order of calls open. The generator combines operands only if they do not
//! conflict. Each local whose address is never taken has a bit of its own; all other objects share one.

/// The bit of everything that can be reached through a pointer or from another function.
pub const MEMORY: u128 = 1;

/// The objects that an evaluation accesses, as sets of bits.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Effects {
    /// Read.
    pub reads: u128,
    /// Written, by the expression itself or by a function that it calls.
    pub writes: u128,
    /// Written by the expression itself: a store of the surrounding expression is not ordered after it.
    pub direct: u128,
}

impl Effects {
    /// No access at all: a constant.
    pub const NONE: Effects = Effects { reads: 0, writes: 0, direct: 0 };

    /// Reads of these objects.
    pub fn reading(bits: u128) -> Effects {
        Effects { reads: bits, ..Effects::NONE }
    }

    /// Stores to these objects.
    pub fn storing(bits: u128) -> Effects {
        Effects { reads: 0, writes: bits, direct: bits }
    }

    /// A call of a function that may access all memory.
    pub fn calling() -> Effects {
        Effects { reads: MEMORY, writes: MEMORY, direct: 0 }
    }

    /// Both.
    pub fn and(self, other: Effects) -> Effects {
        Effects {
            reads: self.reads | other.reads,
            writes: self.writes | other.writes,
            direct: self.direct | other.direct,
        }
    }

    /// Whether the result would depend on the order of the two evaluations.
    pub fn conflicts(self, other: Effects) -> bool {
        self.writes & (other.reads | other.writes) != 0 || other.writes & self.reads != 0
    }

    /// Whether evaluating twice is the same as evaluating once.
    pub fn is_pure(self) -> bool {
        self.writes == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_write_conflicts() {
        let (read, store) = (Effects::reading(2), Effects::storing(2));
        assert!(!read.conflicts(read));
        assert!(read.conflicts(store) && store.conflicts(read) && store.conflicts(store));
        assert!(!store.conflicts(Effects::reading(4)));
        assert!(Effects::calling().conflicts(Effects::reading(MEMORY)));
    }
}
