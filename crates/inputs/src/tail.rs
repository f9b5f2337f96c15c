//! Arrays at the end of structs that go on behind them: `struct packet { int n; int data[1]; }`, and those of no length.
//!
//! Such a struct is a row of structs, the first of which is meant and the rest of which is room. A member that bounds the
//! index is limited to what there is room for, so that no index is out of bounds because the row is short; that it is
//! limited is an assumption.

use quipu_interp::{layout, resolve};
use quipu_ir::SourceType;

use crate::build::Builder;
use crate::path::Path;
use crate::pointee::Pointee;

/// There is room for so many elements at least.
const ELEMENTS: u64 = 16;

/// An array at the end of a struct.
pub(crate) struct Tail {
    /// The member that tells how many elements it has.
    length: Path,
    /// Where it starts.
    start: u64,
    /// The bytes of an element.
    step: u64,
    /// The bytes of the struct.
    size: u64,
}

impl Tail {
    /// How many structs give enough room.
    pub fn structs(&self) -> u64 {
        (self.start + ELEMENTS * self.step).div_ceil(self.size)
    }
}

impl Builder<'_> {
    /// The array at the end of the struct behind a pointer, if the code goes through it as far as a member says.
    pub fn tail(&self, pointee: &Pointee<'_>) -> Option<Tail> {
        let path = pointee.pointer.path.as_ref()?;
        let SourceType::Record { fields, .. } = &self.module.types[resolve(self.module, pointee.to)] else {
            return None;
        };
        let last = fields.last()?;
        let SourceType::Array { element, len: None | Some(0 | 1) } =
            self.module.types[resolve(self.module, last.ty)]
        else {
            return None;
        };
        let length = self.usage.length(path)?;
        let [member] = &length.factors[..] else { return None };
        let is_inside = member.root == path.root
            && member.offsets.len() == path.offsets.len() + 1
            && member.offsets.starts_with(&path.offsets);
        let step = layout(self.module, element)?.size;
        let is_element = length.bytes.is_none_or(|bytes| bytes == step);
        let size = self.room(pointee);
        let tail = Tail { length: member.clone(), start: last.offset, step, size };
        (is_inside && is_element && step > 0).then_some(tail)
    }

    /// The member says no more than there is room for in so many structs.
    pub fn limit_tail(&mut self, tail: &Tail, structs: u64) {
        if let Some(&leaf) = self.leaves.get(&tail.length) {
            self.limit(leaf, (structs * tail.size - tail.start) / tail.step);
        }
    }
}
