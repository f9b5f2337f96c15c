//! How objects are laid out in the address space, and how an address is taken apart again.
//!
//! With 64-bit pointers, object number *n* owns the window of 2^32 addresses from *n*·2^32 and starts in
//! its middle: an address names its object for ever, however far it strays, and every base has any
//! alignment. With 32-bit pointers, objects lie in one row with gaps between them; an address belongs to
//! the object whose surroundings it lies in.
//!
//! All objects can also lie elsewhere, by the same distance ([`Placement`]): what a run computes from
//! addresses as numbers then differs.

use quipu_ir::DataModel;

/// The largest object in bytes: it fits into the upper half of its window, with room for stray pointers.
pub(super) const MAX_OBJECT: u64 = (1 << 31) - (1 << 16);

/// Where objects lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Placement {
    #[default]
    Usual,
    /// Every byte of an address that can differ from run to run in a compiled program differs, but for the lowest
    /// four bits. Bases are aligned to 16 bytes only.
    Elsewhere,
    /// As `Elsewhere`, for objects that are aligned to more: the lowest twelve bits stay.
    ElsewhereOnPages,
}

impl Placement {
    /// How far behind their usual places objects lie.
    pub fn distance(self, model: DataModel) -> u64 {
        let base = |placement| match AddressSpace::new(model, placement) {
            space @ AddressSpace::Windows { .. } => space.base(1),
            AddressSpace::Row(row) => u64::from(row.first_free),
        };
        base(self).wrapping_sub(base(Placement::Usual))
    }

    /// The number of windows left free in front, and where in its window an object starts.
    fn windows(self) -> (u32, u32) {
        match self {
            Placement::Usual => (0, 1 << 31),
            Placement::Elsewhere => (0x2a5b, 0x5a5a_5a50),
            Placement::ElsewhereOnPages => (0x2a5b, 0x5a5a_5000),
        }
    }

    /// Where a row starts.
    fn row(self) -> u32 {
        match self {
            Placement::Usual => ROW_START,
            Placement::Elsewhere => ROW_START + 0x2a5a_5a50,
            Placement::ElsewhereOnPages => ROW_START + 0x2a5a_5000,
        }
    }
}

/// The object number of an address that belongs to no object.
pub(super) const NOWHERE: usize = usize::MAX;

/// The address space of a run.
#[derive(Clone, Debug)]
pub(super) enum AddressSpace {
    /// 64-bit pointers: so many windows are left free, and an object starts so far behind the start of its window.
    Windows { first: u32, bias: u32 },
    /// 32-bit pointers.
    Row(Row),
}

/// Objects one behind the other in 32-bit space. When the end is reached, the places of dead objects are
/// used again.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The objects in the row, dead ones included, by increasing base.
    starts: Vec<Start>,
    /// The current base of each object number; 0 for none.
    bases: Vec<u32>,
    /// The stretch of free addresses that is being filled.
    hole: (u32, u32),
    /// The stretches that follow, the last first.
    holes: Vec<(u32, u32)>,
    /// Where the objects of the run start.
    first_free: u32,
    /// Stretches in which no object is put.
    reserved: Vec<(u32, u32)>,
}

/// The place of an object.
#[derive(Clone, Copy, Debug)]
struct Start {
    base: u32,
    size: u32,
    index: u32,
}

impl Start {
    /// The first address that belongs to the object's surroundings.
    fn low(self) -> u32 {
        self.base - HALF_GAP
    }

    /// The first address behind the object's surroundings.
    fn high(self) -> u32 {
        self.base + self.size.max(1) + HALF_GAP
    }
}

/// Half of the unused addresses between two neighbours: room for pointers that run a little too far.
const HALF_GAP: u32 = 1024;
const ROW_START: u32 = 0x1_0000;
const ROW_END: u32 = 0xffff_0000;

impl AddressSpace {
    pub fn new(model: DataModel, placement: Placement) -> AddressSpace {
        match model {
            DataModel::Lp64 => {
                let (first, bias) = placement.windows();
                AddressSpace::Windows { first, bias }
            }
            DataModel::Ilp32 => AddressSpace::Row(Row {
                starts: Vec::new(),
                bases: Vec::new(),
                hole: (placement.row(), ROW_END),
                holes: Vec::new(),
                first_free: placement.row(),
                reserved: Vec::new(),
            }),
        }
    }

    /// Puts no object where a program expects a device. Windows have addresses of their own.
    pub fn reserve(&mut self, address: u64, size: u64) {
        if let AddressSpace::Row(row) = self {
            row.reserved.push((address as u32, (address + size) as u32));
        }
    }

    /// The number of the object to which an address belongs, and the (wrapped) offset from its base.
    #[inline(always)]
    pub fn split(&self, addr: u64) -> (usize, u32) {
        match self {
            &AddressSpace::Windows { first, bias } => {
                ((addr >> 32).wrapping_sub(u64::from(first)) as usize, (addr as u32).wrapping_sub(bias))
            }
            AddressSpace::Row(row) => row.split(addr),
        }
    }

    /// The base address of an object.
    #[inline(always)]
    pub fn base(&self, index: usize) -> u64 {
        match self {
            &AddressSpace::Windows { first, bias } => {
                ((index as u64 + u64::from(first)) << 32) | u64::from(bias)
            }
            AddressSpace::Row(row) => u64::from(row.bases[index]),
        }
    }

    /// Gives object `index` a place; false when the address space is full. `alive` tells whose places must
    /// not be used again.
    #[inline(always)]
    pub fn place(&mut self, index: usize, size: u64, align: u64, alive: impl Fn(usize) -> bool) -> bool {
        match self {
            AddressSpace::Windows { .. } => index < 1 << 30,
            AddressSpace::Row(row) => row.place(index, size, align, alive),
        }
    }

    /// The address `delta` bytes on, if it still belongs to the same object (or to none, as before).
    #[inline(always)]
    pub fn moved(&self, addr: u64, delta: u64) -> Option<u64> {
        match self {
            AddressSpace::Windows { .. } => {
                let to = addr.wrapping_add(delta);
                ((addr ^ to) >> 32 == 0).then_some(to)
            }
            AddressSpace::Row(row) => {
                let to = addr.wrapping_add(delta) & 0xffff_ffff;
                (row.split(addr).0 == row.split(to).0).then_some(to)
            }
        }
    }

    /// Whether an address near null is left for one where objects may be. With 32-bit addresses nothing is said.
    pub fn comes_near(&self, from: u64, to: u64) -> bool {
        const FIRST_WINDOW: i64 = 1 << 32;
        match self {
            AddressSpace::Windows { .. } => {
                from.cast_signed() < FIRST_WINDOW && to.cast_signed() >= FIRST_WINDOW
            }
            AddressSpace::Row(_) => false,
        }
    }

    /// An address cut to the size of a pointer.
    pub fn wrapped(&self, addr: u64) -> u64 {
        match self {
            AddressSpace::Windows { .. } => addr,
            AddressSpace::Row(_) => addr & 0xffff_ffff,
        }
    }

    /// Declares the objects placed so far static.
    pub fn seal(&mut self) {
        if let AddressSpace::Row(row) = self {
            row.first_free = row.hole.0;
        }
    }

    /// Forgets all objects from number `count` on.
    pub fn reset(&mut self, count: usize) {
        if let AddressSpace::Row(row) = self {
            let first_free = row.first_free;
            row.hole = (first_free, ROW_END);
            row.holes.clear();
            row.bases.truncate(count);
            row.starts.truncate(row.starts.partition_point(|start| start.base < first_free));
        }
    }
}

impl Row {
    fn split(&self, addr: u64) -> (usize, u32) {
        let addr = addr as u32;
        let behind = self.starts.partition_point(|start| start.low() <= addr);
        let found = behind.checked_sub(1).map(|n| self.starts[n]).filter(|start| addr < start.high());
        match found {
            // The number may have been given to another object since.
            Some(Start { base, index, .. }) if self.bases[index as usize] == base => {
                (index as usize, addr.wrapping_sub(base))
            }
            _ => (NOWHERE, addr),
        }
    }

    fn place(&mut self, index: usize, size: u64, align: u64, alive: impl Fn(usize) -> bool) -> bool {
        let base = match self.room(size, align) {
            Some(base) => base,
            None => {
                self.recycle(alive);
                let Some(base) = self.room(size, align) else { return false };
                base
            }
        };
        if self.bases.len() <= index {
            self.bases.resize(index + 1, 0);
        }
        self.bases[index] = base;
        let start = Start { base, size: size as u32, index: index as u32 };
        let position = self.starts.partition_point(|other| other.base < base);
        self.starts.insert(position, start);
        self.forget_replaced();
        true
    }

    /// Takes room for an object from the first hole that has it; smaller ones on the way are given up.
    fn room(&mut self, size: u64, align: u64) -> Option<u32> {
        loop {
            let base = (u64::from(self.hole.0) + u64::from(HALF_GAP)).next_multiple_of(align.max(16));
            let end = base + size.max(1) + u64::from(HALF_GAP);
            let low = base - u64::from(HALF_GAP);
            let taken = |&&(from, to): &&(u32, u32)| u64::from(from) < end && low < u64::from(to);
            if let Some(&(_, to)) = self.reserved.iter().find(taken) {
                self.hole.0 = to;
                continue;
            }
            if end <= u64::from(self.hole.1) {
                self.hole.0 = end as u32;
                return Some(base as u32);
            }
            self.hole = self.holes.pop()?;
        }
    }

    /// Forgets the dead objects of the run and lists the holes that they leave.
    fn recycle(&mut self, alive: impl Fn(usize) -> bool) {
        let (bases, first_free) = (&self.bases, self.first_free);
        let current = |start: &Start| bases[start.index as usize] == start.base;
        self.starts
            .retain(|start| start.base < first_free || (current(start) && alive(start.index as usize)));
        let mut low = first_free;
        let mut holes = Vec::new();
        for start in self.starts.iter().filter(|start| start.base >= first_free) {
            holes.push((low, start.low()));
            low = start.high();
        }
        holes.push((low, ROW_END));
        holes.reverse();
        self.holes = holes;
        self.hole = (0, 0);
    }

    /// Keeps the row from growing without bound when numbers are used again.
    fn forget_replaced(&mut self) {
        if self.starts.len() > 2 * self.bases.len() + (1 << 16) {
            let bases = &self.bases;
            self.starts.retain(|start| bases[start.index as usize] == start.base);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_recognise_small_negative_offsets() {
        let space = AddressSpace::new(DataModel::Lp64, Placement::Usual);
        let base = space.base(7);
        assert_eq!(space.split(base), (7, 0));
        assert_eq!(space.split(base - 4), (7, 4u32.wrapping_neg()));
        assert_eq!(space.moved(base, 4u64.wrapping_neg()), Some(base - 4));
        assert_eq!(space.moved(base, 1 << 31), None);
    }

    /// Bytes 6 and 7 are zero in every compiled program, too.
    #[test]
    fn elsewhere_every_byte_of_an_address_differs() {
        let [usual, other] = [Placement::Usual, Placement::Elsewhere]
            .map(|placement| AddressSpace::new(DataModel::Lp64, placement));
        for offset in [0, 1, 0xb0, 0xaf, 0xa5b0, 0xa5_a5b0, 0x7fff_0000] {
            for index in [1, 0xa4, 0xa5, 0xd5a4, 0xd5a5] {
                let (a, b) = (usual.base(index) + offset, other.base(index) + offset);
                let (a_bytes, b_bytes) = (a.to_le_bytes(), b.to_le_bytes());
                assert!((0..6).all(|n| a_bytes[n] != b_bytes[n]), "{a:x} {b:x}");
                assert_eq!(other.split(b), (index, offset as u32));
            }
        }
    }

    #[test]
    fn rows_attribute_the_gap_to_both_neighbours() {
        let mut space = AddressSpace::new(DataModel::Ilp32, Placement::Usual);
        assert!(space.place(1, 10, 4, |_| true) && space.place(2, 8, 64, |_| true));
        let (a, b) = (space.base(1), space.base(2));
        assert_eq!(b % 64, 0);
        assert_eq!(space.split(a + 12), (1, 12));
        assert_eq!(space.split(b - 1), (2, u32::MAX));
        assert_eq!(space.split(a - 2000).0, NOWHERE);
        assert_eq!(space.split(b + 4096).0, NOWHERE);
        assert_eq!(space.moved(a, 10), Some(a + 10));
        assert_eq!(space.moved(a, b - a), None);
    }

    #[test]
    fn rows_forget_numbers_used_again() {
        let mut space = AddressSpace::new(DataModel::Ilp32, Placement::Usual);
        assert!(space.place(1, 8, 8, |_| true));
        let old = space.base(1);
        assert!(space.place(1, 8, 8, |_| true));
        assert_eq!(space.split(old).0, NOWHERE);
        assert_eq!(space.split(space.base(1)), (1, 0));
        space.reset(1);
        assert_eq!(space.split(old).0, NOWHERE);
        assert!(space.place(1, 8, 8, |_| true));
        assert_eq!(space.base(1), old);
    }

    #[test]
    fn rows_use_the_places_of_the_dead_again() {
        let mut space = AddressSpace::new(DataModel::Ilp32, Placement::Usual);
        assert!(space.place(1, 1 << 20, 16, |_| true));
        space.seal();
        let alive = |index: usize| index == 1 || index.is_multiple_of(7);
        for index in 2..20_000 {
            assert!(space.place(index, 1 << 20, 16, alive), "{index}");
            let base = space.base(index);
            assert_eq!(space.split(base + 5), (index, 5));
            if let Some(neighbour) = index.checked_sub(7).filter(|&n| n.is_multiple_of(7) && n > 0) {
                assert_eq!(space.split(space.base(neighbour)), (neighbour, 0));
            }
            if index > 4000 {
                break;
            }
        }
        assert!(!space.place(5000, (1 << 32) - (1 << 20), 16, |_| true));
    }
}
