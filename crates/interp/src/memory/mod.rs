//! The memory of a run: objects with bounds, lifetimes and a record of what was written.
//!
//! Every access names its object by the address alone ([`address`]). The checks come in a fixed order:
//! null, no object, dead object, range, constant, alignment, and for reads whether the bits were written.

mod access;
mod address;
mod arena;
mod bulk;
mod device;
mod object;
mod pages;
mod statics;

use std::cell::Cell;

use quipu_ir::{DataModel, Event};

use crate::outcome::{Fallible, Limit, Limits, Stop, event};
pub use address::Placement;
use address::{AddressSpace, MAX_OBJECT};
use arena::{Arena, LARGEST_PIECE};
use device::DeviceBlock;
use object::Object;
pub use object::{ObjectInfo, ObjectKind};
use pages::{PAGE, PageTable};
use statics::Statics;
pub use statics::{is_library_object, is_stream};

pub(crate) use access::value_width;
pub(crate) use bulk::Overlap;
pub(crate) use statics::StaticAddresses;

/// The memory of a run.
#[derive(Clone, Debug)]
pub struct Memory {
    model: DataModel,
    space: AddressSpace,
    /// Number 0 stands for the surroundings of the null pointer.
    objects: Vec<Object>,
    arena: Arena,
    tables: Vec<PageTable>,
    free_tables: Vec<u32>,
    statics: Statics,
    /// The objects at addresses that the program names by numbers.
    devices: Vec<DeviceBlock>,
    /// The sum of the sizes of the live objects, and its limit.
    live_bytes: u64,
    address_space: u64,
    /// Where the search for a number to use again goes on.
    cursor: usize,
    /// Bytes that library functions processed one by one.
    work: Cell<u64>,
    /// Whether constant objects can be given their content, which they have before a run.
    constants_are_open: bool,
    /// Whether what was never written can be read, as zeros; and whether that happened.
    lenient: bool,
    overlooked: Cell<bool>,
}

/// Objects that exist before numbers of dead ones are used again. Until then each stale pointer is
/// recognised for certain.
const NUMBERS_BEFORE_REUSE: usize = 1 << 20;

/// How many numbers are looked at for one to use again.
const REUSE_ATTEMPTS: usize = 8;

/// What an access does, for messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
}

impl Memory {
    /// A memory without objects.
    pub(crate) fn empty(model: DataModel, limits: &Limits, placement: Placement) -> Memory {
        let mut memory = Memory {
            model,
            space: AddressSpace::new(model, placement),
            objects: Vec::new(),
            arena: Arena::new(limits.memory),
            tables: Vec::new(),
            free_tables: Vec::new(),
            statics: Statics::default(),
            devices: Vec::new(),
            live_bytes: 0,
            address_space: limits.address_space,
            cursor: 0,
            work: Cell::new(0),
            constants_are_open: false,
            lenient: false,
            overlooked: Cell::new(false),
        };
        memory.objects.push(Object {
            storage: 0,
            read_limit: 0,
            write_limit: 0,
            size: 0,
            kind: ObjectKind::Constant,
            alive: false,
            paged: false,
            dirty: false,
        });
        memory
    }

    /// The data model that gives pointers their size.
    pub fn data_model(&self) -> DataModel {
        self.model
    }

    /// The address of a new object of unwritten bytes.
    pub fn allocate(&mut self, kind: ObjectKind, size: u64, align: u64) -> Fallible<u64> {
        let index = self.create(kind, size, align, false)?;
        Ok(self.space.base(index))
    }

    /// The address of a new object of zeros.
    pub fn allocate_zeroed(&mut self, kind: ObjectKind, size: u64, align: u64) -> Fallible<u64> {
        let index = self.create(kind, size, align, true)?;
        Ok(self.space.base(index))
    }

    /// Ends the lifetime of the object with this base address.
    #[inline]
    pub(crate) fn kill(&mut self, base: u64) {
        let (index, _) = self.space.split(base);
        self.end(index);
    }

    /// `free`: ends the lifetime of a heap object; nothing happens to a null pointer.
    pub fn free(&mut self, addr: u64) -> Fallible<()> {
        if addr != 0 {
            self.require_block(addr)?;
            self.kill(addr);
        }
        Ok(())
    }

    /// An event unless the address is that of a live heap object. What the caller of the run has prepared may come
    /// from the heap as well.
    pub(crate) fn require_block(&self, addr: u64) -> Fallible<()> {
        match self.object_at(addr) {
            None => event(Event::InvalidFree, "the pointer points to no object".into()),
            Some(info) if !matches!(info.kind, ObjectKind::Heap | ObjectKind::Input) => {
                event(Event::InvalidFree, format!("the pointer points to {}", info.kind.name()))
            }
            Some(info) if info.offset != 0 => {
                event(Event::InvalidFree, format!("the pointer points {} bytes into its object", info.offset))
            }
            Some(info) if !info.alive => {
                event(Event::DoubleFree, format!("the object of {} bytes was freed before", info.size))
            }
            Some(_) => Ok(()),
        }
    }

    /// The object in or around which an address lies, dead or alive.
    pub fn object_at(&self, addr: u64) -> Option<ObjectInfo> {
        let (index, offset) = self.space.split(addr);
        let object = self.objects.get(index).filter(|_| index != 0)?;
        Some(ObjectInfo {
            base: self.space.base(index),
            size: u64::from(object.size),
            kind: object.kind,
            alive: object.alive,
            offset: i64::from(offset.cast_signed()),
        })
    }

    /// The address `delta` bytes on; an event if that leaves the surroundings of the object.
    #[inline(always)]
    pub fn moved(&self, addr: u64, delta: u64) -> Fallible<u64> {
        match self.space.moved(addr, delta) {
            Some(to) => Ok(to),
            None => self.moved_away(addr, delta),
        }
    }

    /// A pointer to no object has no surroundings to leave: programs compute member offsets from null. But it does not
    /// come to where objects are.
    #[cold]
    fn moved_away(&self, addr: u64, delta: u64) -> Fallible<u64> {
        let Some(info) = self.object_at(addr) else {
            let to = self.space.wrapped(addr.wrapping_add(delta));
            return match self.space.comes_near(addr, to) {
                true => {
                    let detail = format!("a pointer to no object is moved by {} bytes", delta.cast_signed());
                    event(Event::InvalidPointer, detail)
                }
                false => Ok(to),
            };
        };
        let detail = format!(
            "a pointer {} bytes into {} of {} bytes is moved by {} bytes",
            info.offset,
            info.kind.name(),
            info.size,
            delta.cast_signed()
        );
        event(Event::OutOfBounds, detail)
    }

    /// Whether both addresses point into one object or just past it, or neither points to any object: numbers cast
    /// to pointers can be compared.
    pub fn same_object(&self, a: u64, b: u64) -> bool {
        let inside = |info: &ObjectInfo| (0..=info.size.cast_signed()).contains(&info.offset);
        match (self.object_at(a), self.object_at(b)) {
            (Some(a), Some(b)) => inside(&a) && inside(&b) && a.base == b.base,
            (None, None) => true,
            _ => false,
        }
    }

    /// From now on what was never written can be read as zeros, or not any more. What held before.
    pub(crate) fn set_lenient(&mut self, lenient: bool) -> bool {
        std::mem::replace(&mut self.lenient, lenient)
    }

    /// Whether something was read that was never written, since the last question.
    pub(crate) fn take_overlooked(&self) -> bool {
        self.overlooked.take()
    }

    /// The number of bytes that library functions processed since the last question.
    pub(crate) fn take_work(&self) -> u64 {
        self.work.take()
    }

    fn add_work(&self, bytes: u64) {
        self.work.set(self.work.get() + bytes);
    }

    fn create(&mut self, kind: ObjectKind, size: u64, align: u64, zeroed: bool) -> Fallible<usize> {
        if size > MAX_OBJECT || self.live_bytes + size > self.address_space {
            return Err(Box::new(Stop::Limit(Limit::Memory)));
        }
        let bytes = size as usize;
        let paged = bytes > LARGEST_PIECE;
        let storage = if paged { self.new_table(bytes, zeroed) } else { self.new_piece(bytes, zeroed)? };
        let limit = if paged { 0 } else { size as u32 };
        let index = self.number();
        let objects = &self.objects;
        if !self.space.place(index, size, align, |number| objects[number].alive) {
            return Err(Box::new(Stop::Limit(Limit::Memory)));
        }
        self.objects[index] = Object {
            storage,
            read_limit: limit,
            write_limit: if kind == ObjectKind::Constant { 0 } else { limit },
            size: size as u32,
            kind,
            alive: true,
            paged,
            dirty: false,
        };
        self.live_bytes += size;
        Ok(index)
    }

    fn new_piece(&mut self, size: usize, zeroed: bool) -> Fallible<u32> {
        let Some(at) = self.arena.take(size) else {
            return Err(Box::new(Stop::Limit(Limit::Memory)));
        };
        if zeroed {
            self.arena.bytes[at..at + size].fill(0);
            self.arena.init[at..at + size].fill(0xff);
        }
        Ok(at as u32)
    }

    fn new_table(&mut self, size: usize, zeroed: bool) -> u32 {
        let table = PageTable::new(size, zeroed);
        match self.free_tables.pop() {
            Some(number) => {
                self.tables[number as usize] = table;
                number
            }
            None => {
                self.tables.push(table);
                self.tables.len() as u32 - 1
            }
        }
    }

    /// A number for a new object: a fresh one as long as there are few.
    fn number(&mut self) -> usize {
        if self.objects.len() >= NUMBERS_BEFORE_REUSE
            && let Some(index) = self.dead_number()
        {
            return index;
        }
        self.objects.push(self.objects[0]);
        self.objects.len() - 1
    }

    /// The number of an object that is dead for some time. The table grows where few are.
    fn dead_number(&mut self) -> Option<usize> {
        for _ in 0..REUSE_ATTEMPTS {
            self.cursor += 1;
            if self.cursor >= self.objects.len() {
                self.cursor = self.statics.count;
            }
            if self.cursor > 0 && !self.objects[self.cursor].alive {
                return Some(self.cursor);
            }
        }
        None
    }

    fn end(&mut self, index: usize) {
        let object = &mut self.objects[index];
        if !object.alive {
            return;
        }
        object.alive = false;
        object.read_limit = 0;
        object.write_limit = 0;
        self.live_bytes -= u64::from(object.size);
        let storage = object.storage as usize;
        if object.paged {
            let table = std::mem::take(&mut self.tables[storage]);
            for at in table.touched_places() {
                self.arena.give(at, PAGE);
            }
            self.free_tables.push(storage as u32);
        } else {
            self.arena.give(storage, object.size as usize);
        }
    }
}
