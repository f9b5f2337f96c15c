//! The smallest pieces of the text form: names, strings, spans, numbers.

use std::fmt::Write;

use quipu_base::Id;
use quipu_num::FloatWidth;

use crate::source::{FileId, Span};
use crate::ty::Ty;

/// The span of everything that is printed without one: the start of the first file.
pub(crate) fn implied_span() -> Span {
    Span { file: FileId::new(0), line: 1, column: 1, end_line: 1, end_column: 1 }
}

/// A span without its `!`.
pub(super) fn push_span(out: &mut String, span: Span) {
    let Span { file, line, column, end_line, end_column } = span;
    let start = write!(out, "{}:{line}:{column}", file.index());
    let end = if end_line != line {
        write!(out, "-{end_line}:{end_column}")
    } else if end_column != column {
        write!(out, "-{end_column}")
    } else {
        Ok(())
    };
    start.and(end).expect("a string should take any text");
}

/// A name: plain if it is an identifier, else quoted.
pub(super) fn push_name(out: &mut String, name: &str) {
    if name.starts_with(|c: char| !c.is_ascii_digit() && c != '.') && is_plain(name) {
        out.push_str(name);
    } else {
        push_text(out, name);
    }
}

/// `@` and the name of a global or a function. Behind the `@`, digits and dots may also come first.
pub(super) fn push_symbol(out: &mut String, name: &str) {
    out.push('@');
    if is_plain(name) {
        out.push_str(name);
    } else {
        push_text(out, name);
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_$.".contains(&b))
}

/// Text in quotes; characters outside ASCII stand for themselves.
pub(super) fn push_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => push_byte(out, byte),
            _ => out.push(c),
        }
    }
    out.push('"');
}

/// Bytes in quotes.
pub(super) fn push_bytes(out: &mut String, bytes: &[u8]) {
    out.push('"');
    bytes.iter().for_each(|&byte| push_byte(out, byte));
    out.push('"');
}

fn push_byte(out: &mut String, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    match byte {
        0 => out.push_str("\\0"),
        b'\n' => out.push_str("\\n"),
        b'\t' => out.push_str("\\t"),
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        b' '..=b'~' => out.push(char::from(byte)),
        _ => {
            out.push_str("\\x");
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}

/// A constant with its type. Bits that are not canonical, a NaN and an infinity are printed in hexadecimal.
pub(super) fn push_number(out: &mut String, ty: Ty, bits: u64) {
    let written = match ty {
        Ty::BOOL if bits <= 1 => write!(out, "{}", bits == 1),
        Ty::Int(_) => {
            let separated = write!(out, "{ty} ");
            push_integer(out, ty, bits);
            separated
        }
        Ty::Ptr => write!(out, "ptr {bits}"),
        Ty::Float(width) => match finite(width, bits) {
            Some(Finite::Single(value)) => write!(out, "f32 {value:?}"),
            Some(Finite::Double(value)) => write!(out, "f64 {value:?}"),
            None => write!(out, "{ty} {bits:#x}"),
        },
    };
    written.expect("a string should take any text");
}

/// An integer of a type, without the type: signed, or in hexadecimal if it is not canonical.
pub(super) fn push_integer(out: &mut String, ty: Ty, bits: u64) {
    let written = match ty.width() {
        Some(width) if width.wrap(bits) == bits => write!(out, "{}", width.signed(bits)),
        _ => write!(out, "{bits:#x}"),
    };
    written.expect("a string should take any text");
}

enum Finite {
    Single(f32),
    Double(f64),
}

/// The number behind the bits of a float. Rust prints the shortest decimal that reads back as the same bits.
fn finite(width: FloatWidth, bits: u64) -> Option<Finite> {
    match width {
        FloatWidth::F32 => {
            let value = f32::from_bits(u32::try_from(bits).ok()?);
            value.is_finite().then_some(Finite::Single(value))
        }
        FloatWidth::F64 => {
            let value = f64::from_bits(bits);
            value.is_finite().then_some(Finite::Double(value))
        }
    }
}
