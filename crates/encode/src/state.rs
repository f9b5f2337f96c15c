//! The state of the execution at a point.

use quipu_ir::Value;

use crate::guard::Guard;
use crate::memory::Memory;
use crate::symbol::Symbol;

/// When a point is reached, and what memory holds there.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub guard: Guard,
    pub memory: Memory,
}

/// A state on its way along an edge.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    pub state: State,
    /// Values for the parameters of the block.
    pub args: Vec<Symbol>,
    /// Values that were computed in loops which the edge leaves.
    pub carried: Vec<(Value, Symbol)>,
}
