//! Objects at addresses that the program names by numbers.
//!
//! Their addresses are no different from other numbers: a pointer to one is a pointer to no object of the program, and
//! an access that does not lie in a block is one through an invalid pointer.

use super::{Memory, ObjectKind};
use crate::outcome::Fallible;

/// A block of such addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeviceBlock {
    start: u64,
    end: u64,
    /// The number of its object.
    index: usize,
}

impl Memory {
    /// Makes the object for a block of addresses; returns where it starts.
    pub(super) fn place_device(&mut self, address: u64, size: u64) -> Fallible<u64> {
        let index = self.create(ObjectKind::Global, size, 1, true)?;
        self.devices.push(DeviceBlock { start: address, end: address + size, index });
        Ok(address)
    }

    /// Whether an address belongs to a device.
    pub(crate) fn is_device(&self, addr: u64) -> bool {
        self.devices.iter().any(|block| (block.start..block.end).contains(&addr))
    }

    /// The number of the object to which an access belongs, and the (wrapped) offset from its base.
    pub(super) fn locate(&self, addr: u64, size: u64) -> (usize, u32) {
        let holds = |block: &&DeviceBlock| block.start <= addr && addr.saturating_add(size) <= block.end;
        match self.devices.iter().find(holds) {
            Some(block) => (block.index, (addr - block.start) as u32),
            None => self.space.split(addr),
        }
    }
}
