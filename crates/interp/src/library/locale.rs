//! `setlocale`: which functions keep their meaning.
//!
//! A program starts in the "C" locale (C17 7.11.1.1p4). In another one nobody knows what characters beyond ASCII are,
//! in which order strings come, and how a number is written that has a decimal point: a run ends where it needs that.

use super::{Call, Table, plain};
use crate::outcome::Fallible;

pub(super) const FUNCTIONS: Table = &[("setlocale", set_locale)];

/// Functions of characters: those of ASCII mean the same in every locale.
const CHARACTERS: [&str; 16] = [
    "isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower", "isxdigit", "ispunct", "isprint",
    "isgraph", "iscntrl", "isblank", "tolower", "toupper", "_tolower", "_toupper",
];

/// Functions that depend on the locale whatever their arguments are.
const OTHERS: [&str; 14] = [
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "strcoll",
    "strcasecmp",
    "strncasecmp",
    "atof",
    "strtod",
    "strtof",
    "strtold",
    "sscanf",
    "vsscanf",
    "strcasestr",
    "strerror",
];

/// Whether what a function does depends on the locale; if on its first argument alone, then unless that is in ASCII.
pub fn is_locale_dependent(source_name: &str) -> Option<bool> {
    let name = plain(source_name);
    match CHARACTERS.contains(&name) {
        true => Some(true),
        false => OTHERS.contains(&name).then_some(false),
    }
}

/// Whether a format writes a number with a decimal point, or groups digits.
pub(super) fn writes_floats(format: &[u8]) -> bool {
    let mut rest = format.iter().copied();
    while rest.by_ref().any(|byte| byte == b'%') {
        let mut groups = false;
        let conversion = rest.by_ref().find(|byte| {
            groups |= *byte == b'\'';
            !b"-+ #0123456789.*hlLqjzt'$".contains(byte)
        });
        if groups || conversion.is_some_and(|byte| b"aAeEfFgG".contains(&byte)) {
            return true;
        }
    }
    false
}

/// Whether a call means something else in the present locale, for all that is known.
pub(crate) fn depends_on_locale(call: &mut Call<'_, '_>) -> bool {
    if !call.world.library.other_locale {
        return false;
    }
    match is_locale_dependent(&call.function.source_name) {
        // EOF is no character in any locale.
        Some(true) => !(-1..128).contains(&call.int(0)),
        Some(false) => true,
        None => false,
    }
}

/// Sets the locale, and tells its name. One that a program asks for may be missing, and may have any name: a run takes
/// it to be there, under the name "C", and nothing is proved from that.
fn set_locale(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let asked = match call.arg(1) {
        0 => None,
        _ => Some(call.string(1)?),
    };
    match asked.as_deref() {
        None => {}
        Some(b"C" | b"POSIX") if call.int(0) == LC_ALL => call.world.library.other_locale = false,
        Some(b"C" | b"POSIX") => {}
        Some(_) => call.world.library.other_locale = true,
    }
    let place = call.library_object("locale", 2, 1)?;
    call.memory().write_bytes(place, b"C\0")?;
    Ok(place)
}

/// All categories; the number is glibc's.
const LC_ALL: i32 = 6;
