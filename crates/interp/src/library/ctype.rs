//! `ctype.h` in the "C" locale, and the tables behind glibc's macros.

use quipu_ir::Event;

use super::{Call, Table};
use crate::memory::ObjectKind;
use crate::outcome::{Fallible, event};

pub(super) const FUNCTIONS: Table = &[
    ("isalpha", |call| class(call, ALPHA)),
    ("isdigit", |call| class(call, DIGIT)),
    ("isalnum", |call| class(call, ALNUM)),
    ("isspace", |call| class(call, SPACE)),
    ("isupper", |call| class(call, UPPER)),
    ("islower", |call| class(call, LOWER)),
    ("isxdigit", |call| class(call, XDIGIT)),
    ("ispunct", |call| class(call, PUNCT)),
    ("isprint", |call| class(call, PRINT)),
    ("isgraph", |call| class(call, GRAPH)),
    ("iscntrl", |call| class(call, CNTRL)),
    ("isblank", |call| class(call, BLANK)),
    ("isascii", |call| Ok(u64::from(call.arg(0) < 128))),
    ("toascii", |call| Ok(call.arg(0) & 127)),
    ("tolower", |call| converted(call, u8::to_ascii_lowercase)),
    ("toupper", |call| converted(call, u8::to_ascii_uppercase)),
    ("_tolower", |call| converted(call, u8::to_ascii_lowercase)),
    ("_toupper", |call| converted(call, u8::to_ascii_uppercase)),
    ("__ctype_b_loc", class_table),
    ("__ctype_tolower_loc", lower_table),
    ("__ctype_toupper_loc", upper_table),
];

/// Bits of glibc's class table, as they are on a little-endian machine.
const UPPER: u16 = 1 << 8;
const LOWER: u16 = 1 << 9;
const ALPHA: u16 = 1 << 10;
const DIGIT: u16 = 1 << 11;
const XDIGIT: u16 = 1 << 12;
const SPACE: u16 = 1 << 13;
const PRINT: u16 = 1 << 14;
const GRAPH: u16 = 1 << 15;
const BLANK: u16 = 1;
const CNTRL: u16 = 1 << 1;
const PUNCT: u16 = 1 << 2;
const ALNUM: u16 = 1 << 3;

/// The classes of a character.
fn classes(byte: u8) -> u16 {
    let table = [
        (UPPER, byte.is_ascii_uppercase()),
        (LOWER, byte.is_ascii_lowercase()),
        (ALPHA, byte.is_ascii_alphabetic()),
        (DIGIT, byte.is_ascii_digit()),
        (XDIGIT, byte.is_ascii_hexdigit()),
        (SPACE, byte == b' ' || (9..=13).contains(&byte)),
        (PRINT, byte == b' ' || byte.is_ascii_graphic()),
        (GRAPH, byte.is_ascii_graphic()),
        (BLANK, byte == b' ' || byte == b'\t'),
        (CNTRL, byte.is_ascii_control()),
        (PUNCT, byte.is_ascii_punctuation()),
        (ALNUM, byte.is_ascii_alphanumeric()),
    ];
    table.iter().filter(|(_, belongs)| *belongs).map(|(class, _)| class).sum()
}

/// Whether a byte is white space for `scanf` and the number parsers.
pub(super) fn is_space(byte: u8) -> bool {
    classes(byte) & SPACE != 0
}

/// C17 7.4p1: the argument is an `unsigned char` or EOF. glibc also takes a negative `char`.
fn require_character(call: &Call<'_, '_>) -> Fallible<i32> {
    let c = call.int(0);
    if (-128..=255).contains(&c) {
        return Ok(c);
    }
    event(Event::OutOfBounds, format!("the character {c} is not an unsigned char"))
}

fn class(call: &mut Call<'_, '_>, class: u16) -> Fallible<u64> {
    let c = require_character(call)?;
    Ok(u8::try_from(c).map_or(0, |byte| u64::from(classes(byte) & class)))
}

/// Other than the classes, the conversions are defined in glibc for every `int`.
fn converted(call: &mut Call<'_, '_>, convert: fn(&u8) -> u8) -> Fallible<u64> {
    let c = call.int(0);
    Ok(u8::try_from(c).map_or(call.arg(0), |byte| u64::from(convert(&byte))))
}

fn class_table(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let entry = |n: i32| u8::try_from(n).map_or(0, classes).to_le_bytes().to_vec();
    table(call, "ctype classes", entry)
}

fn lower_table(call: &mut Call<'_, '_>) -> Fallible<u64> {
    table(call, "ctype lower", |n| conversion_entry(n, u8::to_ascii_lowercase))
}

fn upper_table(call: &mut Call<'_, '_>) -> Fallible<u64> {
    table(call, "ctype upper", |n| conversion_entry(n, u8::to_ascii_uppercase))
}

/// For -128 to -2, glibc repeats the upper half; -1 stays EOF.
fn conversion_entry(n: i32, convert: fn(&u8) -> u8) -> Vec<u8> {
    let value = if n == -1 { n } else { i32::from(convert(&(n as u8))) };
    value.to_le_bytes().to_vec()
}

/// A pointer to a pointer to entry 0 of a table of the entries from -128 to 255.
fn table(call: &mut Call<'_, '_>, name: &'static str, entry: impl Fn(i32) -> Vec<u8>) -> Fallible<u64> {
    let entries: Vec<u8> = (-128..=255).flat_map(&entry).collect();
    let zero = (128 * entry(0).len()) as u64;
    if let Some(place) = call.find_library_object(name) {
        return Ok(place);
    }
    let memory = call.memory();
    let entries_at = memory.allocate(ObjectKind::Global, entries.len() as u64, 16)?;
    memory.write_bytes(entries_at, &entries)?;
    let place = call.library_object(name, 8, 8)?;
    call.memory().store_pointer(place, entries_at + zero)?;
    Ok(place)
}

/// The values of a classifying function for the characters from -128 to 255.
pub fn character_classes(name: &str) -> Option<Vec<u64>> {
    let class = match name {
        "isalpha" => ALPHA,
        "isdigit" => DIGIT,
        "isalnum" => ALNUM,
        "isspace" => SPACE,
        "isupper" => UPPER,
        "islower" => LOWER,
        "isxdigit" => XDIGIT,
        "ispunct" => PUNCT,
        "isprint" => PRINT,
        "isgraph" => GRAPH,
        "iscntrl" => CNTRL,
        "isblank" => BLANK,
        _ => return None,
    };
    let value = |c: i32| u8::try_from(c).map_or(0, |byte| u64::from(classes(byte) & class));
    Some((-128..=255).map(value).collect())
}

/// The bytes of the table behind a table function, from character -128 to 255.
pub fn character_table(name: &str) -> Option<Vec<u8>> {
    let entry: fn(i32) -> Vec<u8> = match name {
        "__ctype_b_loc" => |n| u8::try_from(n).map_or(0, classes).to_le_bytes().to_vec(),
        "__ctype_tolower_loc" => |n| conversion_entry(n, u8::to_ascii_lowercase),
        "__ctype_toupper_loc" => |n| conversion_entry(n, u8::to_ascii_uppercase),
        _ => return None,
    };
    Some((-128..=255).flat_map(entry).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_control_or_printing() {
        for byte in 0..128u8 {
            let classes = classes(byte);
            assert!((classes & CNTRL != 0) != (classes & PRINT != 0), "{byte}");
            assert_eq!(classes & GRAPH != 0, classes & (ALNUM | PUNCT) != 0, "{byte}");
        }
        assert!((128..=255).all(|byte| classes(byte) == 0));
    }
}
