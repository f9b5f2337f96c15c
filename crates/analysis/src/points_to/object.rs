//! What a pointer may point to: the objects of all runs, grouped so that there are finitely many.

use quipu_base::define_id;
use quipu_ir::{Block, Func, Global, Slot};

define_id!(
    /// An object that exists before the call and that an input leads to.
    Input, "input"
);

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The function.
    pub func: Func,
    /// The block.
    pub block: Block,
    /// The number among the block's instructions.
    pub inst: usize,
}

/// An object, or a group of objects that are not told apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// A global object.
    Global(Global),
    /// A function.
    Function(Func),
    /// A local object; in a recursive function that of any activation.
    Slot(Func, Slot),
    /// The variable-length objects made at a place.
    Alloca(Site),
    /// The heap objects made at a place.
    Heap(Site),
    /// The struct that the entry function gets by value, or the place for the struct that it returns; by the number
    /// of the parameter. Nothing else is the same object.
    Argument(usize),
    /// What an input pointer points to when the entry function is called. Offset 0 is where it points, not where the
    /// object starts. Two of them may be parts of the same object, also of a global one.
    Input(Input),
    /// The other objects that exist before the call, and those of the library.
    Outside,
    /// Local objects whose lifetime is over.
    Ended,
}

/// Which pointer an [`Input`] is the target of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holder {
    /// A parameter of the entry function.
    Parameter(usize),
    /// The pointer at an offset of an object, as it is when the entry function is called.
    Content(Object, i64),
}
