//! `string.h` and `strings.h`: memory blocks and strings.

use quipu_ir::Event;

use super::{Call, Table};
use crate::memory::{Access, Memory, ObjectKind, Overlap};
use crate::outcome::{Fallible, event};

pub(super) const FUNCTIONS: Table = &[
    ("memcpy", memcpy),
    ("__memcpy_chk", memcpy),
    ("mempcpy", mempcpy),
    ("__mempcpy_chk", mempcpy),
    ("memmove", memmove),
    ("__memmove_chk", memmove),
    ("memset", memset),
    ("__memset_chk", memset),
    ("bzero", bzero),
    ("explicit_bzero", bzero),
    ("bcopy", bcopy),
    ("memcmp", memcmp),
    ("bcmp", memcmp),
    ("memchr", memchr),
    ("memrchr", memrchr),
    ("strlen", strlen),
    ("strnlen", strnlen),
    ("strcpy", strcpy),
    ("__strcpy_chk", strcpy),
    ("stpcpy", stpcpy),
    ("__stpcpy_chk", stpcpy),
    ("strncpy", strncpy),
    ("__strncpy_chk", strncpy),
    ("strcat", strcat),
    ("__strcat_chk", strcat),
    ("strncat", strncat),
    ("__strncat_chk", strncat),
    ("strdup", strdup),
    ("__strdup", strdup),
    ("strndup", strndup),
    ("__strndup", strndup),
];

fn memcpy(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (dst, src, size) = (call.arg(0), call.arg(1), call.arg(2));
    call.memory().copy(dst, src, size, Overlap::Exact)?;
    Ok(dst)
}

fn mempcpy(call: &mut Call<'_, '_>) -> Fallible<u64> {
    memcpy(call).map(|dst| dst.wrapping_add(call.arg(2)))
}

fn memmove(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (dst, src, size) = (call.arg(0), call.arg(1), call.arg(2));
    call.memory().copy(dst, src, size, Overlap::Allowed)?;
    Ok(dst)
}

fn bcopy(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (src, dst, size) = (call.arg(0), call.arg(1), call.arg(2));
    call.memory().copy(dst, src, size, Overlap::Allowed)?;
    Ok(0)
}

fn memset(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (dst, byte, size) = (call.arg(0), call.byte(1), call.arg(2));
    call.memory().fill(dst, byte, size)?;
    Ok(dst)
}

fn bzero(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (dst, size) = (call.arg(0), call.arg(1));
    call.memory().fill(dst, 0, size)?;
    Ok(0)
}

/// All bytes must be accessible, but only those up to the first difference must have been written.
fn memcmp(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (a, b, size) = (call.arg(0), call.arg(1), call.arg(2));
    if size == 0 {
        return Ok(0);
    }
    let memory = call.memory();
    memory.check(a, size, 0, Access::Read)?;
    memory.check(b, size, 0, Access::Read)?;
    for n in 0..size {
        let (x, y) = (byte_at(memory, a + n)?, byte_at(memory, b + n)?);
        if x != y {
            return Ok(difference(x, y));
        }
    }
    Ok(0)
}

/// C17 7.24.5.1p2: the bytes are read in order, up to the first match.
fn memchr(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (addr, wanted, size) = (call.arg(0), call.byte(1), call.arg(2));
    for n in 0..size {
        if byte_at(call.memory(), addr + n)? == wanted {
            return Ok(addr + n);
        }
    }
    Ok(0)
}

fn memrchr(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (addr, wanted, size) = (call.arg(0), call.byte(1), call.arg(2));
    let bytes = call.memory().read_bytes(addr, size)?;
    Ok(bytes.iter().rposition(|&byte| byte == wanted).map_or(0, |n| addr + n as u64))
}

fn strlen(call: &mut Call<'_, '_>) -> Fallible<u64> {
    Ok(call.string(0)?.len() as u64)
}

fn strnlen(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (addr, limit) = (call.arg(0), call.arg(1));
    Ok(call.memory().read_string_up_to(addr, limit)?.len() as u64)
}

fn strcpy(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (dst, src) = (call.arg(0), call.arg(1));
    let text = call.string(1)?;
    let read = text.len() as u64 + 1;
    write_string(call.memory(), dst, (src, read), text)?;
    Ok(dst)
}

fn stpcpy(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let length = call.string(1)?.len() as u64;
    Ok(strcpy(call)? + length)
}

fn strncpy(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (dst, src, size) = (call.arg(0), call.arg(1), call.arg(2));
    let memory = call.memory();
    let text = memory.read_string_up_to(src, size)?;
    // The terminating zero is read too, unless the limit comes first.
    let read = (text.len() as u64 + 1).min(size);
    require_disjoint(dst, size, src, read)?;
    memory.write_bytes(dst, &text)?;
    memory.fill(dst + text.len() as u64, 0, size - text.len() as u64)?;
    Ok(dst)
}

fn strcat(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (dst, src) = (call.arg(0), call.arg(1));
    let end = dst + call.string(0)?.len() as u64;
    let text = call.string(1)?;
    let read = text.len() as u64 + 1;
    write_string(call.memory(), end, (src, read), text)?;
    Ok(dst)
}

fn strncat(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (dst, src, size) = (call.arg(0), call.arg(1), call.arg(2));
    let end = dst + call.string(0)?.len() as u64;
    let text = call.memory().read_string_up_to(src, size)?;
    let read = (text.len() as u64 + 1).min(size);
    write_string(call.memory(), end, (src, read), text)?;
    Ok(dst)
}

fn strdup(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let text = call.string(0)?;
    new_string(call, text)
}

fn strndup(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (src, size) = (call.arg(0), call.arg(1));
    let text = call.memory().read_string_up_to(src, size)?;
    new_string(call, text)
}

fn new_string(call: &mut Call<'_, '_>, mut text: Vec<u8>) -> Fallible<u64> {
    if call.refuses()? {
        return Ok(0);
    }
    text.push(0);
    let memory = call.memory();
    let addr = memory.allocate(ObjectKind::Heap, text.len() as u64, 16)?;
    memory.write_bytes(addr, &text)?;
    Ok(addr)
}

/// Writes a string and its terminating zero. `read` is where it comes from: address and bytes.
fn write_string(memory: &mut Memory, dst: u64, read: (u64, u64), mut text: Vec<u8>) -> Fallible<()> {
    text.push(0);
    require_disjoint(dst, text.len() as u64, read.0, read.1)?;
    memory.write_bytes(dst, &text)
}

fn require_disjoint(dst: u64, written: u64, src: u64, read: u64) -> Fallible<()> {
    if written > 0 && read > 0 && dst < src.saturating_add(read) && src < dst.saturating_add(written) {
        return event(Event::OverlappingCopy, format!("{read} bytes read, {written} bytes written"));
    }
    Ok(())
}

pub(super) fn byte_at(memory: &Memory, addr: u64) -> Fallible<u8> {
    memory.load_bytes::<1>(addr, 0).map(|byte| byte as u8)
}

/// The result of a comparison, as glibc computes it.
pub(super) fn difference(a: u8, b: u8) -> u64 {
    (i64::from(a) - i64::from(b)).cast_unsigned()
}
