//! How objects are laid out in the address space, and how an address is taken apart again.
//!
//! With 64-bit pointers, object number *n* owns the window of 2^32 addresses from *n*·2^32 and starts in
//! its middle: an address names its object for ever, however far it strays, and every base has any
//! alignment. With 32-bit pointers, objects lie in one row with gaps between them; an address belongs to
//! the object whose surroundings it lies in.

use quipu_ir::DataModel;

/// The largest object in bytes: it fits into the upper half of its window, with room for stray pointers.
pub(super) const MAX_OBJECT: u64 = (1 << 31) - (1 << 16);

/// Addresses below this are taken for null pointers that moved.
pub(super) const NULL_PAGE: u64 = 4096;

const BIAS: u32 = 1 << 31;

/// The object number of an address that belongs to no object.
pub(super) const NOWHERE: usize = usize::MAX;

/// The address space of a run.
#[derive(Clone, Debug)]
pub(super) enum AddressSpace {
    /// 64-bit pointers.
    Windows,
    /// 32-bit pointers.
    Row(Row),
}

/// Objects one behind the other in 32-bit space.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Base and number of each object ever placed, by increasing base.
    starts: Vec<(u32, u32)>,
    /// The current base of each object number; 0 for none.
    bases: Vec<u32>,
    /// The first address that is still free.
    next: u32,
    /// `next` when the run starts.
    first_free: u32,
}

/// Half of the unused addresses between two neighbours.
const HALF_GAP: u32 = 16;
const ROW_START: u32 = 0x1_0000;
const ROW_END: u32 = 0xffff_0000;

impl AddressSpace {
    pub fn new(model: DataModel) -> AddressSpace {
        match model {
            DataModel::Lp64 => AddressSpace::Windows,
            DataModel::Ilp32 => AddressSpace::Row(Row {
                starts: Vec::new(),
                bases: Vec::new(),
                next: ROW_START,
                first_free: ROW_START,
            }),
        }
    }

    /// The number of the object to which an address belongs, and the (wrapped) offset from its base.
    #[inline(always)]
    pub fn split(&self, addr: u64) -> (usize, u32) {
        match self {
            AddressSpace::Windows => ((addr >> 32) as usize, (addr as u32).wrapping_sub(BIAS)),
            AddressSpace::Row(row) => row.split(addr),
        }
    }

    /// The base address of an object.
    #[inline(always)]
    pub fn base(&self, index: usize) -> u64 {
        match self {
            AddressSpace::Windows => ((index as u64) << 32) | u64::from(BIAS),
            AddressSpace::Row(row) => u64::from(row.bases[index]),
        }
    }

    /// Gives object `index` a place; false when the address space is full.
    #[inline(always)]
    pub fn place(&mut self, index: usize, size: u64, align: u64) -> bool {
        match self {
            AddressSpace::Windows => index < 1 << 31,
            AddressSpace::Row(row) => row.place(index, size, align),
        }
    }

    /// The address `delta` bytes on, if it still belongs to the same object (or to none, as before).
    #[inline(always)]
    pub fn moved(&self, addr: u64, delta: u64) -> Option<u64> {
        match self {
            AddressSpace::Windows => {
                let to = addr.wrapping_add(delta);
                ((addr ^ to) >> 32 == 0).then_some(to)
            }
            AddressSpace::Row(row) => {
                let to = addr.wrapping_add(delta) & 0xffff_ffff;
                (row.split(addr).0 == row.split(to).0).then_some(to)
            }
        }
    }

    /// Declares the objects placed so far static.
    pub fn seal(&mut self) {
        if let AddressSpace::Row(row) = self {
            row.first_free = row.next;
        }
    }

    /// Forgets all objects from number `count` on.
    pub fn reset(&mut self, count: usize) {
        if let AddressSpace::Row(row) = self {
            let first_free = row.first_free;
            row.next = first_free;
            row.bases.truncate(count);
            row.starts.truncate(row.starts.partition_point(|&(base, _)| base < first_free));
        }
    }
}

impl Row {
    fn split(&self, addr: u64) -> (usize, u32) {
        let addr = addr as u32;
        let behind = self.starts.partition_point(|&(base, _)| base - HALF_GAP <= addr);
        if behind == 0 || addr >= self.next {
            return (NOWHERE, addr);
        }
        let (base, number) = self.starts[behind - 1];
        let index = number as usize;
        // The number may have been given to another object since.
        if self.bases[index] == base { (index, addr.wrapping_sub(base)) } else { (NOWHERE, addr) }
    }

    fn place(&mut self, index: usize, size: u64, align: u64) -> bool {
        let base = (u64::from(self.next) + u64::from(HALF_GAP)).next_multiple_of(align.max(16));
        let next = base + size.max(1) + u64::from(HALF_GAP);
        if next > u64::from(ROW_END) {
            return false;
        }
        if self.bases.len() <= index {
            self.bases.resize(index + 1, 0);
        }
        let base = base as u32;
        self.bases[index] = base;
        self.next = next as u32;
        self.starts.push((base, index as u32));
        self.forget_replaced();
        true
    }

    /// Keeps the row from growing without bound when numbers are used again.
    fn forget_replaced(&mut self) {
        if self.starts.len() > 2 * self.bases.len() + (1 << 16) {
            let bases = &self.bases;
            self.starts.retain(|&(base, number)| bases[number as usize] == base);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_recognise_small_negative_offsets() {
        let space = AddressSpace::Windows;
        let base = space.base(7);
        assert_eq!(space.split(base), (7, 0));
        assert_eq!(space.split(base - 4), (7, 4u32.wrapping_neg()));
        assert_eq!(space.moved(base, 4u64.wrapping_neg()), Some(base - 4));
        assert_eq!(space.moved(base, 1 << 31), None);
    }

    #[test]
    fn rows_attribute_the_gap_to_both_neighbours() {
        let mut space = AddressSpace::new(DataModel::Ilp32);
        assert!(space.place(1, 10, 4) && space.place(2, 8, 64));
        let (a, b) = (space.base(1), space.base(2));
        assert_eq!(b % 64, 0);
        assert_eq!(space.split(a + 12), (1, 12));
        assert_eq!(space.split(b - 1), (2, u32::MAX));
        assert_eq!(space.split(a - 100).0, NOWHERE);
        assert_eq!(space.split(b + 4096).0, NOWHERE);
        assert_eq!(space.moved(a, 10), Some(a + 10));
        assert_eq!(space.moved(a, b - a), None);
    }

    #[test]
    fn rows_forget_numbers_used_again() {
        let mut space = AddressSpace::new(DataModel::Ilp32);
        assert!(space.place(1, 8, 8));
        let old = space.base(1);
        assert!(space.place(1, 8, 8));
        assert_eq!(space.split(old).0, NOWHERE);
        assert_eq!(space.split(space.base(1)), (1, 0));
        space.reset(1);
        assert!(space.place(1, 8, 8));
        assert_eq!(space.base(1), old);
    }
}
