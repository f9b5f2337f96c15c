//! Names for inputs by how the code gets at them.

use quipu_ir::Global;

/// A scalar input: an argument or a global object, and the offsets in bytes at which pointers are followed from there.
///
/// Behind a pointer to an array all elements are one: offsets are those within an element.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Path {
    pub root: Root,
    pub offsets: Vec<u64>,
}

/// Where a path starts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Root {
    /// The argument with this number; without offsets it is the argument itself.
    Argument(usize),
    /// The address of a global object.
    Global(Global),
}

impl Path {
    pub fn argument(n: usize) -> Path {
        Path { root: Root::Argument(n), offsets: Vec::new() }
    }

    pub fn global(global: Global) -> Path {
        Path { root: Root::Global(global), offsets: Vec::new() }
    }

    /// What stands at an offset behind the address that this path is.
    pub fn at(&self, offset: u64) -> Path {
        let mut offsets = self.offsets.clone();
        offsets.push(offset);
        Path { root: self.root, offsets }
    }

    /// The path of a callee as one of its caller, which passes the address `moved` bytes behind what `argument` is.
    pub fn in_caller(&self, argument: &Path, moved: u64) -> Path {
        let mut offsets = argument.offsets.clone();
        let mut inner = self.offsets.iter();
        offsets.extend(inner.next().map(|first| first.wrapping_add(moved)));
        offsets.extend(inner);
        Path { root: argument.root, offsets }
    }
}
