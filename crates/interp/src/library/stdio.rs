//! `stdio.h` and `write`: output. Nothing is printed; results are those of a stream that never fails.

use quipu_ir::Event;

use super::errno::{ENOENT, set_errno};
use super::format::format;
use super::locale::writes_floats;
use super::varargs::VarArgs;
use super::{Call, Table};
use crate::outcome::{Fallible, event, unsupported};

pub(super) const FUNCTIONS: Table = &[
    ("printf", |call| print(call, 0, false)),
    ("vprintf", |call| print(call, 0, true)),
    ("fprintf", |call| print(call, 1, false)),
    ("vfprintf", |call| print(call, 1, true)),
    ("dprintf", |call| print(call, 1, false)),
    ("vdprintf", |call| print(call, 1, true)),
    ("__printf_chk", |call| print(call, 1, false)),
    ("__vprintf_chk", |call| print(call, 1, true)),
    ("__fprintf_chk", |call| print(call, 2, false)),
    ("__vfprintf_chk", |call| print(call, 2, true)),
    ("sprintf", |call| print_to_buffer(call, 1, false)),
    ("vsprintf", |call| print_to_buffer(call, 1, true)),
    ("__sprintf_chk", |call| print_to_buffer(call, 3, false)),
    ("__vsprintf_chk", |call| print_to_buffer(call, 3, true)),
    ("snprintf", |call| print_bounded(call, 2, false)),
    ("vsnprintf", |call| print_bounded(call, 2, true)),
    ("__snprintf_chk", |call| print_bounded(call, 4, false)),
    ("__vsnprintf_chk", |call| print_bounded(call, 4, true)),
    ("puts", |call| Ok(call.string(0)?.len() as u64 + 1)),
    ("fputs", |call| call.string(0).map(|_| 1)),
    ("fputs_unlocked", |call| call.string(0).map(|_| 1)),
    ("putchar", |call| Ok(u64::from(call.byte(0)))),
    ("putchar_unlocked", |call| Ok(u64::from(call.byte(0)))),
    ("fputc", |call| Ok(u64::from(call.byte(0)))),
    ("putc", |call| Ok(u64::from(call.byte(0)))),
    ("_IO_putc", |call| Ok(u64::from(call.byte(0)))),
    ("fwrite", fwrite),
    ("fwrite_unlocked", fwrite),
    ("write", write),
    ("fflush", |_| Ok(0)),
    ("perror", |_| Ok(0)),
    ("setbuf", |_| Ok(0)),
    ("setvbuf", |_| Ok(0)),
    ("fclose", |_| Ok(0)),
    ("ferror", |_| Ok(0)),
    ("fopen", fopen),
    ("fopen64", fopen),
];

/// Formats with the format at argument `n` and the variadic arguments behind it.
fn formatted(call: &mut Call<'_, '_>, n: usize, list: bool) -> Fallible<Vec<u8>> {
    let text = call.string(n)?;
    if call.world.library.other_locale && writes_floats(&text) {
        return unsupported("a decimal point in another locale than \"C\"");
    }
    let mut args = VarArgs::of_call(call, n + 1, list)?;
    format(call.memory(), &text, &mut args)
}

fn print(call: &mut Call<'_, '_>, n: usize, list: bool) -> Fallible<u64> {
    Ok(formatted(call, n, list)?.len() as u64)
}

fn print_to_buffer(call: &mut Call<'_, '_>, n: usize, list: bool) -> Fallible<u64> {
    let mut text = formatted(call, n, list)?;
    let length = text.len() as u64;
    text.push(0);
    let buffer = call.arg(0);
    call.memory().write_bytes(buffer, &text)?;
    Ok(length)
}

fn print_bounded(call: &mut Call<'_, '_>, n: usize, list: bool) -> Fallible<u64> {
    let mut text = formatted(call, n, list)?;
    let length = text.len() as u64;
    let (buffer, size) = (call.arg(0), call.arg(1));
    if size > 0 {
        text.truncate(usize::try_from(size - 1).unwrap_or(usize::MAX));
        text.push(0);
        call.memory().write_bytes(buffer, &text)?;
    }
    Ok(length)
}

fn fwrite(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (buffer, size, count) = (call.arg(0), call.arg(1), call.arg(2));
    let Some(total) = size.checked_mul(count) else {
        return event(Event::OutOfBounds, format!("{count} items of {size} bytes"));
    };
    call.memory().check_readable(buffer, total)?;
    Ok(if size == 0 { 0 } else { count })
}

fn write(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (buffer, size) = (call.arg(1), call.arg(2));
    call.memory().check_readable(buffer, size)?;
    Ok(size)
}

/// The file system of a run is empty: no file can be opened.
fn fopen(call: &mut Call<'_, '_>) -> Fallible<u64> {
    set_errno(call, ENOENT)?;
    Ok(0)
}
