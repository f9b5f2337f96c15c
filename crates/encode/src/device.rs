//! Memory at addresses that the program names by numbers.
//!
//! As in the interpreter, a pointer to a device is a number, which is compared, moved and stored as such: a pointer
//! without an object, whose offset is its address. Only an access finds out that there is a block of memory.

use std::rc::Rc;

use quipu_num::{IntCmp, IntOp};

use crate::content::{Background, Content};
use crate::encoder::Engine;
use crate::memory::ObjectId;
use crate::pointer::{Base, Case, Pointer};
use crate::progression::progression;

/// A block of such addresses.
#[derive(Clone, Copy)]
pub(crate) struct DeviceBlock {
    pub object: ObjectId,
    pub start: u64,
    pub size: u64,
}

impl Engine<'_> {
    /// Lists the devices among the objects of the program. What they hold nobody knows, but for inputs.
    pub(crate) fn find_devices(&mut self) {
        for (global, start, size) in self.module.devices() {
            let Some(&object) = self.globals.get(&global) else { continue };
            let content = Content::new(&mut self.terms, Background::Anything);
            self.state.memory.set(object, Rc::new(content));
            self.devices.push(DeviceBlock { object, start, size });
        }
    }

    /// A pointer for an access of some bytes, in which numbers that are addresses of devices lead to these.
    pub(crate) fn with_devices(&mut self, pointer: &Pointer, size: u64) -> Pointer {
        let mut cases = Vec::new();
        for case in &pointer.cases {
            let mut left = case.clone();
            if case.base == Base::Null {
                for block in self.devices.clone() {
                    cases.extend(self.device_case(&mut left, block, size));
                }
            }
            if !self.terms.is_false(left.when) {
                cases.push(left);
            }
        }
        Pointer { cases }
    }

    pub(crate) fn is_device(&self, object: ObjectId) -> bool {
        self.devices.iter().any(|block| block.object == object)
    }

    /// The part of a case that lies in a block, which is taken out of the case.
    fn device_case(&mut self, left: &mut Case, block: DeviceBlock, size: u64) -> Option<Case> {
        let values = progression(self.terms.model, left.offset);
        let last = (block.start + block.size).checked_sub(size)?;
        if values.high < i128::from(block.start) || i128::from(last) < values.low {
            return None;
        }
        let width = self.terms.width(left.offset);
        let start = self.terms.constant(width, block.start);
        let offset = self.terms.op(IntOp::Sub, left.offset, start);
        let most = self.terms.constant(width, last - block.start);
        let inside = self.terms.compare(IntCmp::Ule, offset, most);
        let when = self.terms.both(left.when, inside);
        let outside = self.terms.not(inside);
        left.when = self.terms.both(left.when, outside);
        (!self.terms.is_false(when)).then_some(Case { when, base: Base::Object(block.object), offset })
    }
}
