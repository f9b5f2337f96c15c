//! Reading and writing single values.
//!
//! The fast paths handle an aligned access inside a live object; everything else, including every failure,
//! goes through [`Memory::check`].

use quipu_ir::{DataModel, Event, NULL_PAGE, Ty};
use quipu_num::Width;

use super::object::ObjectKind;
use super::{Access, Memory, PAGE};
use crate::outcome::{Fallible, event};

impl Memory {
    /// The value of a type at an address. `align` is a power of two.
    pub fn load(&self, addr: u64, ty: Ty, align: u64) -> Fallible<u64> {
        let size = self.model.size_of(ty) as usize;
        let bits = self.load_slow(addr, size, align - 1)?;
        Ok(value_width(self.model, ty).wrap(bits))
    }

    /// Writes a value of a type to an address. `align` is a power of two.
    pub fn store(&mut self, addr: u64, ty: Ty, value: u64, align: u64) -> Fallible<()> {
        let size = self.model.size_of(ty) as usize;
        self.store_slow(addr, size, value, align - 1)
    }

    /// Writes an address. Its alignment is that of pointers.
    pub fn store_pointer(&mut self, addr: u64, pointer: u64) -> Fallible<()> {
        self.store(addr, Ty::Ptr, pointer, self.model.pointer_size())
    }

    /// The bytes at an address as a number, with zeros where nothing was written.
    #[cold]
    pub(crate) fn load_leniently(&mut self, addr: u64, size: usize, align_mask: u64) -> Fallible<u64> {
        self.leniently(|memory| memory.load_slow(addr, size, align_mask))
    }

    /// The bits of a bit-field, with zeros where nothing was written.
    #[cold]
    pub(crate) fn load_bits_leniently(&mut self, addr: u64, bit: u32, width: Width) -> Fallible<u64> {
        self.leniently(|memory| memory.load_bits(addr, bit, width))
    }

    /// The caller takes note of what is read.
    fn leniently(&mut self, load: impl FnOnce(&Memory) -> Fallible<u64>) -> Fallible<u64> {
        let before = (self.set_lenient(true), self.overlooked.get());
        let loaded = load(self);
        self.set_lenient(before.0);
        self.overlooked.set(before.1);
        loaded
    }

    /// The `N` bytes at an address as a number.
    #[inline(always)]
    pub(crate) fn load_bytes<const N: usize>(&self, addr: u64, align_mask: u64) -> Fallible<u64> {
        let (index, offset) = self.space.split(addr);
        if let Some(object) = self.objects.get(index)
            && u64::from(offset) + N as u64 <= u64::from(object.read_limit)
            && addr & align_mask == 0
        {
            let at = object.storage as usize + offset as usize;
            let init: [u8; N] = array(&self.arena.init[at..at + N]);
            if init == [0xff; N] {
                return Ok(number(array::<N>(&self.arena.bytes[at..at + N])));
            }
        }
        self.load_elsewhere::<N>(addr, align_mask)
    }

    /// Writes the low `N` bytes of a number to an address.
    #[inline(always)]
    pub(crate) fn store_bytes<const N: usize>(
        &mut self,
        addr: u64,
        value: u64,
        align_mask: u64,
    ) -> Fallible<()> {
        let (index, offset) = self.space.split(addr);
        if let Some(object) = self.objects.get(index)
            && u64::from(offset) + N as u64 <= u64::from(object.write_limit)
            && addr & align_mask == 0
        {
            let at = object.storage as usize + offset as usize;
            self.arena.bytes[at..at + N].copy_from_slice(&value.to_le_bytes()[..N]);
            self.arena.init[at..at + N].copy_from_slice(&[0xff; N]);
            return Ok(());
        }
        self.store_elsewhere::<N>(addr, value, align_mask)
    }

    #[inline(never)]
    fn load_elsewhere<const N: usize>(&self, addr: u64, align_mask: u64) -> Fallible<u64> {
        if let Some(at) = self.paged_place(addr, N, align_mask, Access::Read)
            && self.arena.init[at..at + N] == [0xff; N]
        {
            return Ok(number(array::<N>(&self.arena.bytes[at..at + N])));
        }
        self.load_slow(addr, N, align_mask)
    }

    #[inline(never)]
    fn store_elsewhere<const N: usize>(&mut self, addr: u64, value: u64, align_mask: u64) -> Fallible<()> {
        if let Some(at) = self.paged_place(addr, N, align_mask, Access::Write) {
            self.arena.bytes[at..at + N].copy_from_slice(&value.to_le_bytes()[..N]);
            self.arena.init[at..at + N].copy_from_slice(&[0xff; N]);
            return Ok(());
        }
        self.store_slow(addr, N, value, align_mask)
    }

    /// The second fastest path: where an aligned access is stored that lies in one touched page of a large
    /// live object. A write needs an object that was written to before, as that must be recorded once.
    fn paged_place(&self, addr: u64, size: usize, align_mask: u64, access: Access) -> Option<usize> {
        let (index, offset) = self.space.split(addr);
        let object = self.objects.get(index)?;
        let is_variable = object.kind != ObjectKind::Constant;
        let recorded = access == Access::Read || is_variable && (object.dirty || index >= self.statics.count);
        let plain = object.alive && object.paged && recorded && addr & align_mask == 0;
        let (offset, within) = (offset as usize, offset as usize % PAGE);
        if !plain || offset + size > object.size as usize || within + size > PAGE {
            return None;
        }
        Some(self.tables[object.storage as usize].get(offset / PAGE)? + within)
    }

    #[cold]
    fn load_slow(&self, addr: u64, size: usize, align_mask: u64) -> Fallible<u64> {
        let (index, offset) = self.check(addr, size as u64, align_mask, Access::Read)?;
        let (mut bytes, mut init) = ([0; 8], [0; 8]);
        self.raw_read(index, offset, &mut bytes[..size], &mut init[..size]);
        self.require_written(addr, &mut bytes[..size], &init[..size])?;
        Ok(u64::from_le_bytes(bytes))
    }

    #[cold]
    fn store_slow(&mut self, addr: u64, size: usize, value: u64, align_mask: u64) -> Fallible<()> {
        let (index, offset) = self.check(addr, size as u64, align_mask, Access::Write)?;
        self.raw_write(index, offset, &value.to_le_bytes()[..size], &[0xff; 8][..size])
    }

    /// What a volatile object holds, if it was written; an event if it cannot be read. For a bit-field its first bit
    /// is told.
    pub(crate) fn held(&self, addr: u64, ty: Ty, align_mask: u8, bit: Option<u32>) -> Fallible<Option<u64>> {
        let (first, width) = (bit.unwrap_or(0), value_width(self.model, ty));
        let size = match bit {
            Some(bit) => field_bytes(bit, width),
            None => self.model.size_of(ty) as usize,
        };
        let (index, offset) = self.check(addr, size as u64, u64::from(align_mask), Access::Read)?;
        let (mut bytes, mut init) = ([0; 16], [0; 16]);
        self.raw_read(index, offset, &mut bytes[..size], &mut init[..size]);
        let field = |raw: [u8; 16]| width.wrap((u128::from_le_bytes(raw) >> first) as u64);
        Ok((field(init) == width.mask()).then(|| field(bytes)))
    }

    /// The bits of a bit-field.
    pub fn load_bits(&self, addr: u64, bit: u32, width: Width) -> Fallible<u64> {
        let size = field_bytes(bit, width);
        let (index, offset) = self.check(addr, size as u64, 0, Access::Read)?;
        let (mut bytes, mut init) = ([0; 16], [0; 16]);
        self.raw_read(index, offset, &mut bytes[..size], &mut init[..size]);
        let field = |raw: [u8; 16]| width.wrap((u128::from_le_bytes(raw) >> bit) as u64);
        if field(init) != width.mask() {
            self.unwritten(addr)?;
        }
        Ok(field(bytes) & field(init))
    }

    /// Writes the bits of a bit-field.
    pub fn store_bits(&mut self, addr: u64, bit: u32, width: Width, value: u64) -> Fallible<()> {
        let size = field_bytes(bit, width);
        let (index, offset) = self.check(addr, size as u64, 0, Access::Write)?;
        let (mut bytes, mut init) = ([0; 16], [0; 16]);
        self.raw_read(index, offset, &mut bytes[..size], &mut init[..size]);
        let mask = u128::from(width.mask()) << bit;
        let merged = (u128::from_le_bytes(bytes) & !mask) | (u128::from(width.wrap(value)) << bit);
        let written = u128::from_le_bytes(init) | mask;
        self.raw_write(index, offset, &merged.to_le_bytes()[..size], &written.to_le_bytes()[..size])
    }

    /// The object and offset of an access, or the event that it raises.
    pub(crate) fn check(
        &self,
        addr: u64,
        size: u64,
        align_mask: u64,
        access: Access,
    ) -> Fallible<(usize, usize)> {
        if addr < NULL_PAGE {
            return event(Event::NullAccess, format!("{} at address {addr}", describe(access, size)));
        }
        let (index, offset) = self.locate(addr, size);
        let Some(object) = self.objects.get(index).filter(|_| index != 0) else {
            return event(Event::InvalidPointer, format!("{} at address {addr:#x}", describe(access, size)));
        };
        let detail = || {
            let (kind, of) = (object.kind.name(), object.size);
            format!("{} at offset {} of {kind} of {of} bytes", describe(access, size), offset.cast_signed())
        };
        if !object.alive {
            return event(Event::UseAfterFree, detail());
        }
        if u64::from(offset).saturating_add(size) > u64::from(object.size) {
            return event(Event::OutOfBounds, detail());
        }
        if access == Access::Write && object.kind == ObjectKind::Constant && !self.constants_are_open {
            return event(Event::WriteToConstant, detail());
        }
        if addr & align_mask != 0 {
            return event(Event::Misaligned, format!("{}; alignment {} needed", detail(), align_mask + 1));
        }
        Ok((index, offset as usize))
    }

    /// An event unless all bytes were written; or zeros in the place of the others.
    pub(super) fn require_written(&self, addr: u64, bytes: &mut [u8], init: &[u8]) -> Fallible<()> {
        if let Some(unwritten) = init.iter().position(|&mask| mask != 0xff) {
            self.unwritten(addr.wrapping_add(unwritten as u64))?;
            bytes.iter_mut().zip(init).for_each(|(byte, mask)| *byte &= mask);
        }
        Ok(())
    }

    /// What was never written is read: an event, unless it is overlooked.
    fn unwritten(&self, addr: u64) -> Fallible<()> {
        if self.lenient {
            self.overlooked.set(true);
            return Ok(());
        }
        let detail = self.object_at(addr).map_or(String::new(), |info| {
            let (kind, of) = (info.kind.name(), info.size);
            format!("offset {} of {kind} of {of} bytes was never written", info.offset)
        });
        event(Event::UninitializedRead, detail)
    }
}

/// The width of a value of a type.
pub(crate) fn value_width(model: DataModel, ty: Ty) -> Width {
    match ty {
        Ty::Int(width) => width,
        Ty::Float(float) => Width::new(float.bits()).expect("a float should have 32 or 64 bits"),
        Ty::Ptr => match model {
            DataModel::Lp64 => Width::W64,
            DataModel::Ilp32 => Width::W32,
        },
    }
}

fn describe(access: Access, size: u64) -> String {
    let verb = match access {
        Access::Read => "read",
        Access::Write => "write",
    };
    format!("{verb} of {size} byte{}", if size == 1 { "" } else { "s" })
}

fn field_bytes(bit: u32, width: Width) -> usize {
    (bit + width.bits()).div_ceil(8) as usize
}

#[inline(always)]
fn array<const N: usize>(slice: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(slice);
    out
}

#[inline(always)]
fn number<const N: usize>(bytes: [u8; N]) -> u64 {
    let mut out = [0; 8];
    out[..N].copy_from_slice(&bytes);
    u64::from_le_bytes(out)
}
