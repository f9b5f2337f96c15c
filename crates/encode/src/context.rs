//! Names for the many executions of one instruction: by which calls and in which turns of which loops.

use std::hash::{Hash, Hasher};

use quipu_ir::{Block, Func};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};

/// An activation of a function and a turn of each loop around. The same in every encoding of the function, however
/// deep that goes. Two 64-bit hashes, so that no two contexts of one encoding are ever confused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Context(u64, u64);

impl Context {
    /// The function under test itself.
    pub fn root(func: Func) -> Context {
        Context(0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f).then(&("root", func))
    }

    /// A call by instruction `inst` of a block.
    pub(crate) fn call(self, block: Block, inst: usize, callee: Func) -> Context {
        self.then(&("call", block, inst, callee))
    }

    /// What comes behind the end of a function.
    pub(crate) fn returned(self) -> Context {
        self.then(&"returned")
    }

    /// The loop with this head.
    pub(crate) fn in_loop(self, head: Block) -> Context {
        self.then(&("loop", head))
    }

    /// A turn of that loop.
    pub(crate) fn turn(self, turn: u64) -> Context {
        self.then(&("turn", turn))
    }

    /// One of several cases that are executed apart.
    pub(crate) fn case(self, case: usize) -> Context {
        if case == 0 { self } else { self.then(&("case", case)) }
    }

    fn then(self, step: &impl Hash) -> Context {
        let mix = |salt: u64, seed: u64| {
            let mut hasher = FxHasher::default();
            (salt, seed).hash(&mut hasher);
            step.hash(&mut hasher);
            // FxHash leaves its high bits weak: finish with a multiplication and a fold (as in MurmurHash3).
            let mut bits = hasher.finish();
            bits ^= bits >> 33;
            bits = bits.wrapping_mul(0xff51_afd7_ed55_8ccd);
            bits ^ (bits >> 33)
        };
        Context(mix(0x1656_67b1, self.0), mix(0x2722_0a95, self.1))
    }
}
