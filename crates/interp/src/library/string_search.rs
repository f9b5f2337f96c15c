//! `string.h` and `strings.h`: comparing and searching strings, `strtok`, `strerror`.

use super::string::{byte_at, difference};
use super::{Call, Table};
use crate::memory::Memory;
use crate::outcome::Fallible;

pub(super) const FUNCTIONS: Table = &[
    ("strcmp", strcmp),
    ("strcoll", strcmp),
    ("strncmp", strncmp),
    ("strcasecmp", strcasecmp),
    ("strncasecmp", strncasecmp),
    ("strchr", strchr),
    ("index", strchr),
    ("strchrnul", strchrnul),
    ("strrchr", strrchr),
    ("rindex", strrchr),
    ("strstr", strstr),
    ("strspn", strspn),
    ("strcspn", strcspn),
    ("strpbrk", strpbrk),
    ("strtok", strtok),
    ("strtok_r", strtok_r),
    ("__strtok_r", strtok_r),
    ("strsep", strsep),
    ("strerror", strerror),
];

fn strcmp(call: &mut Call<'_, '_>) -> Fallible<u64> {
    compare(call, u64::MAX, |byte| byte)
}

fn strncmp(call: &mut Call<'_, '_>) -> Fallible<u64> {
    compare(call, call.arg(2), |byte| byte)
}

fn strcasecmp(call: &mut Call<'_, '_>) -> Fallible<u64> {
    compare(call, u64::MAX, |byte| byte.to_ascii_lowercase())
}

fn strncasecmp(call: &mut Call<'_, '_>) -> Fallible<u64> {
    compare(call, call.arg(2), |byte| byte.to_ascii_lowercase())
}

fn compare(call: &mut Call<'_, '_>, limit: u64, key: fn(u8) -> u8) -> Fallible<u64> {
    let (a, b) = (call.arg(0), call.arg(1));
    let memory = call.memory();
    for n in 0..limit {
        let x = key(byte_at(memory, a.wrapping_add(n))?);
        let y = key(byte_at(memory, b.wrapping_add(n))?);
        if x != y || x == 0 {
            return Ok(difference(x, y));
        }
    }
    Ok(0)
}

fn strchr(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let addr = find_or_end(call)?;
    let found = byte_at(call.memory(), addr)? == call.byte(1);
    Ok(if found { addr } else { 0 })
}

fn strchrnul(call: &mut Call<'_, '_>) -> Fallible<u64> {
    find_or_end(call)
}

/// The first place of a byte in a string, or of its terminating zero; nothing behind it is read.
fn find_or_end(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (mut addr, wanted) = (call.arg(0), call.byte(1));
    loop {
        let byte = byte_at(call.memory(), addr)?;
        if byte == wanted || byte == 0 {
            return Ok(addr);
        }
        addr += 1;
    }
}

fn strrchr(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (addr, wanted) = (call.arg(0), call.byte(1));
    let mut text = call.string(0)?;
    text.push(0);
    Ok(text.iter().rposition(|&byte| byte == wanted).map_or(0, |n| addr + n as u64))
}

fn strstr(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (text, wanted) = (call.string(0)?, call.string(1)?);
    if wanted.is_empty() {
        return Ok(call.arg(0));
    }
    let found = text.windows(wanted.len()).position(|window| window == wanted);
    Ok(found.map_or(0, |n| call.arg(0) + n as u64))
}

fn strspn(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let set = call.string(1)?;
    span(call.world.memory, call.arg(0), |byte| set.contains(&byte))
}

fn strcspn(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let set = call.string(1)?;
    span(call.world.memory, call.arg(0), |byte| !set.contains(&byte))
}

fn strpbrk(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let end = call.arg(0) + strcspn(call)?;
    let found = byte_at(call.memory(), end)? != 0;
    Ok(if found { end } else { 0 })
}

/// The length of the longest start of a string whose bytes all belong to a set.
fn span(memory: &Memory, addr: u64, belongs: impl Fn(u8) -> bool) -> Fallible<u64> {
    let mut length = 0;
    loop {
        let byte = byte_at(memory, addr + length)?;
        if byte == 0 || !belongs(byte) {
            return Ok(length);
        }
        length += 1;
    }
}

fn strtok(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let start = if call.arg(0) == 0 { call.world.library.strtok } else { call.arg(0) };
    if start == 0 {
        return Ok(0);
    }
    let (token, next) = token(call, start)?;
    call.world.library.strtok = next;
    Ok(token)
}

fn strtok_r(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let saved = call.arg(2);
    let start = if call.arg(0) == 0 { call.load_pointer(saved)? } else { call.arg(0) };
    if start == 0 {
        return Ok(0);
    }
    let (token, next) = token(call, start)?;
    call.memory().store_pointer(saved, next)?;
    Ok(token)
}

/// The next token from `start`, cut off behind its end, and where to go on (C17 7.24.5.8).
fn token(call: &mut Call<'_, '_>, start: u64) -> Fallible<(u64, u64)> {
    let separators = call.string(1)?;
    let memory = call.memory();
    let token = start + span(memory, start, |byte| separators.contains(&byte))?;
    if byte_at(memory, token)? == 0 {
        return Ok((0, token));
    }
    let end = token + span(memory, token, |byte| !separators.contains(&byte))?;
    if byte_at(memory, end)? == 0 {
        return Ok((token, end));
    }
    memory.write_bytes(end, &[0])?;
    Ok((token, end + 1))
}

fn strsep(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let place = call.arg(0);
    let start = call.load_pointer(place)?;
    if start == 0 {
        return Ok(0);
    }
    let separators = call.string(1)?;
    let memory = call.memory();
    let end = start + span(memory, start, |byte| !separators.contains(&byte))?;
    let last = byte_at(memory, end)? == 0;
    if !last {
        memory.write_bytes(end, &[0])?;
    }
    memory.store_pointer(place, if last { 0 } else { end + 1 })?;
    Ok(start)
}

fn strerror(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let number = call.int(0);
    let text = usize::try_from(number)
        .ok()
        .and_then(|n| ERRORS.get(n))
        .map_or_else(|| format!("Unknown error {number}"), |text| text.to_string());
    let buffer = call.library_object("strerror", 64, 1)?;
    call.memory().write_bytes(buffer, text.as_bytes())?;
    call.memory().write_bytes(buffer + text.len() as u64, &[0])?;
    Ok(buffer)
}

/// The messages of the error numbers that portable programs meet, from 0 on.
const ERRORS: [&str; 35] = [
    "Success",
    "Operation not permitted",
    "No such file or directory",
    "No such process",
    "Interrupted system call",
    "Input/output error",
    "No such device or address",
    "Argument list too long",
    "Exec format error",
    "Bad file descriptor",
    "No child processes",
    "Resource temporarily unavailable",
    "Cannot allocate memory",
    "Permission denied",
    "Bad address",
    "Block device required",
    "Device or resource busy",
    "File exists",
    "Invalid cross-device link",
    "No such device",
    "Not a directory",
    "Is a directory",
    "Invalid argument",
    "Too many open files in system",
    "Too many open files",
    "Inappropriate ioctl for device",
    "Text file busy",
    "File too large",
    "No space left on device",
    "Illegal seek",
    "Read-only file system",
    "Too many links",
    "Broken pipe",
    "Numerical argument out of domain",
    "Numerical result out of range",
];
