//! Reading, writing and copying stretches of bytes.

use quipu_ir::Event;

use super::{Access, Memory, PAGE};
use crate::outcome::{Fallible, Limit, Stop, event};

/// Whether source and destination of a copy may overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Overlap {
    /// As for `memmove`.
    Allowed,
    /// As for an assignment, and for `memcpy`, which compilers call for one: the same place, but no other overlap.
    Exact,
}

impl Memory {
    /// The bytes at an address, all written.
    pub fn read_bytes(&self, addr: u64, size: u64) -> Fallible<Vec<u8>> {
        if size == 0 {
            return Ok(Vec::new());
        }
        let (index, offset) = self.check(addr, size, 0, Access::Read)?;
        let mut bytes = vec![0; size as usize];
        let mut init = vec![0; size as usize];
        self.raw_read(index, offset, &mut bytes, &mut init);
        self.require_written(addr, &mut bytes, &init)?;
        self.add_work(size);
        Ok(bytes)
    }

    /// Writes bytes to an address.
    pub fn write_bytes(&mut self, addr: u64, bytes: &[u8]) -> Fallible<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (index, offset) = self.check(addr, bytes.len() as u64, 0, Access::Write)?;
        self.add_work(bytes.len() as u64);
        self.raw_write(index, offset, bytes, &vec![0xff; bytes.len()])
    }

    /// Sets bytes to one value.
    pub fn fill(&mut self, addr: u64, byte: u8, size: u64) -> Fallible<()> {
        if size == 0 {
            return Ok(());
        }
        let (index, mut offset) = self.check(addr, size, 0, Access::Write)?;
        self.add_work(size);
        let end = offset + size as usize;
        while offset < end {
            let (at, len) = self.chunk_mut(index, offset, end - offset)?;
            self.arena.bytes[at..at + len].fill(byte);
            self.arena.init[at..at + len].fill(0xff);
            offset += len;
        }
        Ok(())
    }

    /// Copies bytes, written or not.
    pub(crate) fn copy(&mut self, dst: u64, src: u64, size: u64, overlap: Overlap) -> Fallible<()> {
        if size == 0 {
            return Ok(());
        }
        let (from, src_offset) = self.check(src, size, 0, Access::Read)?;
        let (to, dst_offset) = self.check(dst, size, 0, Access::Write)?;
        let distance = src_offset.abs_diff(dst_offset) as u64;
        let harmless = match overlap {
            Overlap::Allowed => true,
            Overlap::Exact => distance == 0,
        };
        if from == to && distance < size && !harmless {
            return event(Event::OverlappingCopy, format!("{size} bytes, {distance} bytes apart"));
        }
        self.add_work(size);
        self.raw_copy(from, src_offset, to, dst_offset, size as usize)
    }

    /// The bytes of a string, without its terminating zero.
    pub fn read_string(&self, addr: u64) -> Fallible<Vec<u8>> {
        self.read_string_up_to(addr, u64::MAX)
    }

    /// At most `limit` bytes of a string, without its terminating zero.
    pub(crate) fn read_string_up_to(&self, addr: u64, limit: u64) -> Fallible<Vec<u8>> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < limit {
            let at = addr.wrapping_add(bytes.len() as u64);
            match self.load_bytes::<1>(at, 0)? {
                0 => break,
                byte => bytes.push(byte as u8),
            }
        }
        self.add_work(bytes.len() as u64);
        Ok(bytes)
    }

    /// An event unless these bytes exist.
    pub(crate) fn check_readable(&self, addr: u64, size: u64) -> Fallible<()> {
        if size > 0 { self.check(addr, size, 0, Access::Read).map(|_| ()) } else { Ok(()) }
    }

    /// An event unless these bytes exist and may be written.
    pub(crate) fn check_writable(&self, addr: u64, size: u64) -> Fallible<()> {
        if size > 0 { self.check(addr, size, 0, Access::Write).map(|_| ()) } else { Ok(()) }
    }

    /// Bytes and shadow of an object's stretch, which is known to be in range.
    pub(super) fn raw_read(&self, index: usize, offset: usize, bytes: &mut [u8], init: &mut [u8]) {
        let mut done = 0;
        while done < bytes.len() {
            let (at, len) = self.chunk(index, offset + done, bytes.len() - done);
            let (bytes, init) = (&mut bytes[done..done + len], &mut init[done..done + len]);
            match at {
                Ok(at) => {
                    bytes.copy_from_slice(&self.arena.bytes[at..at + len]);
                    init.copy_from_slice(&self.arena.init[at..at + len]);
                }
                Err(untouched) => {
                    bytes.fill(0);
                    init.fill(untouched);
                }
            }
            done += len;
        }
    }

    /// Sets bytes and shadow of an object's stretch, which is known to be in range.
    pub(super) fn raw_write(
        &mut self,
        index: usize,
        offset: usize,
        bytes: &[u8],
        init: &[u8],
    ) -> Fallible<()> {
        let mut done = 0;
        while done < bytes.len() {
            let (at, len) = self.chunk_mut(index, offset + done, bytes.len() - done)?;
            self.arena.bytes[at..at + len].copy_from_slice(&bytes[done..done + len]);
            self.arena.init[at..at + len].copy_from_slice(&init[done..done + len]);
            done += len;
        }
        Ok(())
    }

    fn raw_copy(&mut self, from: usize, src: usize, to: usize, dst: usize, size: usize) -> Fallible<()> {
        if !self.objects[from].paged && !self.objects[to].paged {
            let (dst, _) = self.chunk_mut(to, dst, size)?;
            let src = self.objects[from].storage as usize + src;
            self.arena.bytes.copy_within(src..src + size, dst);
            self.arena.init.copy_within(src..src + size, dst);
            return Ok(());
        }
        let (mut bytes, mut init) = (vec![0; size], vec![0; size]);
        self.raw_read(from, src, &mut bytes, &mut init);
        self.raw_write(to, dst, &bytes, &init)
    }

    /// Where a stretch of an object is stored, and how much of it at once. For pages that were never
    /// touched, their shadow byte instead.
    fn chunk(&self, index: usize, offset: usize, size: usize) -> (Result<usize, u8>, usize) {
        let object = &self.objects[index];
        if !object.paged {
            return (Ok(object.storage as usize + offset), size);
        }
        let table = &self.tables[object.storage as usize];
        let within = offset % PAGE;
        let untouched = if table.zeroed { 0xff } else { 0 };
        (table.get(offset / PAGE).map(|at| at + within).ok_or(untouched), size.min(PAGE - within))
    }

    /// The same for writing: touches the page, and records that the object is written to.
    fn chunk_mut(&mut self, index: usize, offset: usize, size: usize) -> Fallible<(usize, usize)> {
        if index < self.statics.count {
            self.mark_dirty(index);
        }
        let object = self.objects[index];
        let (at, len) = self.chunk(index, offset, size);
        match at {
            Ok(at) => Ok((at, len)),
            Err(untouched) => {
                let Some(at) = self.arena.take(PAGE) else {
                    return Err(Box::new(Stop::Limit(Limit::Memory)));
                };
                self.arena.bytes[at..at + PAGE].fill(0);
                self.arena.init[at..at + PAGE].fill(untouched);
                self.tables[object.storage as usize].set(offset / PAGE, at);
                Ok((at + offset % PAGE, len))
            }
        }
    }
}
