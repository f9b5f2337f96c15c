//! `stdio.h` and `read`: input. Every stream supplies the same input, byte by byte from the input source.

use quipu_ir::{Event, Ty};

use super::scan::{self, MemoryText, StreamText};
use super::varargs::VarArgs;
use super::{Call, Table};
use crate::input::InputKind;
use crate::outcome::{Fallible, event};

pub(super) const FUNCTIONS: Table = &[
    ("getchar", |call| byte_or_end(call)),
    ("getchar_unlocked", |call| byte_or_end(call)),
    ("getc", |call| byte_or_end(call)),
    ("_IO_getc", |call| byte_or_end(call)),
    ("fgetc", |call| byte_or_end(call)),
    ("getc_unlocked", |call| byte_or_end(call)),
    ("ungetc", ungetc),
    ("feof", |call| Ok(u64::from(call.world.library.at_end))),
    ("clearerr", clear),
    ("fgets", fgets),
    ("gets", gets),
    ("fread", fread),
    ("read", read),
    ("scanf", |call| scan_stream(call, 0, false)),
    ("vscanf", |call| scan_stream(call, 0, true)),
    ("fscanf", |call| scan_stream(call, 1, false)),
    ("vfscanf", |call| scan_stream(call, 1, true)),
    ("sscanf", |call| scan_string(call, false)),
    ("vsscanf", |call| scan_string(call, true)),
];

/// The result of the functions that reach the end of the input.
const EOF: u64 = u64::MAX;

/// The next byte of the input; none at its end, where it stays (7.21.7.1p3).
pub(super) fn next_byte(call: &mut Call<'_, '_>) -> Fallible<Option<u8>> {
    if let Some(byte) = call.world.library.pushed_back.pop() {
        return Ok(Some(byte));
    }
    if call.world.library.at_end {
        return Ok(None);
    }
    let value = call.input(Ty::I32, InputKind::Byte)? as i32;
    call.world.library.at_end = value < 0;
    Ok((value >= 0).then_some(value as u8))
}

/// Gives a byte back, to be read again.
pub(super) fn give_back(call: &mut Call<'_, '_>, byte: u8) {
    call.world.library.pushed_back.push(byte);
    call.world.library.at_end = false;
}

fn byte_or_end(call: &mut Call<'_, '_>) -> Fallible<u64> {
    Ok(next_byte(call)?.map_or(EOF, u64::from))
}

fn ungetc(call: &mut Call<'_, '_>) -> Fallible<u64> {
    if call.int(0) < 0 {
        return Ok(EOF);
    }
    let byte = call.byte(0);
    give_back(call, byte);
    Ok(u64::from(byte))
}

fn clear(call: &mut Call<'_, '_>) -> Fallible<u64> {
    call.world.library.at_end = false;
    Ok(0)
}

/// Reads at most `limit` bytes up to and including a newline to a buffer; the number of bytes, and whether
/// the last is a newline. Each byte is stored at once, so that a buffer that is too small is noticed before
/// an endless input is read.
fn line(call: &mut Call<'_, '_>, buffer: u64, limit: u64) -> Fallible<(u64, bool)> {
    for length in 0..limit {
        let Some(byte) = next_byte(call)? else { return Ok((length, false)) };
        call.memory().write_bytes(buffer + length, &[byte])?;
        if byte == b'\n' {
            return Ok((length + 1, true));
        }
    }
    Ok((limit, false))
}

fn fgets(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let buffer = call.arg(0);
    let Some(limit) = u64::try_from(call.int(1)).ok().and_then(|size| size.checked_sub(1)) else {
        return Ok(0);
    };
    let (length, _) = line(call, buffer, limit)?;
    if length == 0 && limit > 0 {
        return Ok(0);
    }
    call.memory().write_bytes(buffer + length, &[0])?;
    Ok(buffer)
}

/// As `fgets` without a limit; the newline is dropped.
fn gets(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let buffer = call.arg(0);
    let (length, newline) = line(call, buffer, u64::MAX)?;
    if length == 0 {
        return Ok(0);
    }
    call.memory().write_bytes(buffer + length - u64::from(newline), &[0])?;
    Ok(buffer)
}

fn fread(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (buffer, size, count) = (call.arg(0), call.arg(1), call.arg(2));
    let Some(total) = size.checked_mul(count) else {
        return event(Event::OutOfBounds, format!("{count} items of {size} bytes"));
    };
    let done = read_block(call, buffer, total)?;
    Ok(done.checked_div(size).unwrap_or(0))
}

fn read(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (buffer, size) = (call.arg(1), call.arg(2));
    read_block(call, buffer, size)
}

/// Reads up to `size` bytes; the whole buffer must be there even if the input is shorter.
fn read_block(call: &mut Call<'_, '_>, buffer: u64, size: u64) -> Fallible<u64> {
    call.memory().check_writable(buffer, size)?;
    for done in 0..size {
        match next_byte(call)? {
            Some(byte) => call.memory().write_bytes(buffer + done, &[byte])?,
            None => return Ok(done),
        }
    }
    Ok(size)
}

fn scan_stream(call: &mut Call<'_, '_>, n: usize, list: bool) -> Fallible<u64> {
    let format = call.string(n)?;
    let args = VarArgs::of_call(call, n + 1, list)?;
    scan::scan(call, &format, args, &mut StreamText)
}

fn scan_string(call: &mut Call<'_, '_>, list: bool) -> Fallible<u64> {
    let format = call.string(1)?;
    let args = VarArgs::of_call(call, 2, list)?;
    let mut text = MemoryText::at(call.arg(0));
    scan::scan(call, &format, args, &mut text)
}
