//! Which events the models of library functions may raise.

use quipu_ir::{Event, Function, Ty};

use super::{plain, stream_argument};

/// What may go wrong when a function follows its pointers.
const ACCESSES: [Event; 7] = [
    Event::OutOfBounds,
    Event::NullAccess,
    Event::InvalidPointer,
    Event::UseAfterFree,
    Event::UninitializedRead,
    Event::WriteToConstant,
    Event::Misaligned,
];

/// The functions that copy bytes whether they were written or not.
const COPYING: [&str; 9] = [
    "memcpy",
    "__memcpy_chk",
    "mempcpy",
    "__mempcpy_chk",
    "memmove",
    "__memmove_chk",
    "bcopy",
    "realloc",
    "reallocarray",
];

/// The functions that only read bytes.
const READING: [&str; 29] = [
    "atof",
    "atoi",
    "atol",
    "atoll",
    "bcmp",
    "fputs",
    "index",
    "memchr",
    "memcmp",
    "memrchr",
    "perror",
    "puts",
    "rindex",
    "strcasecmp",
    "strchr",
    "strchrnul",
    "strcmp",
    "strcoll",
    "strcspn",
    "strdup",
    "strlen",
    "strncasecmp",
    "strncmp",
    "strndup",
    "strnlen",
    "strpbrk",
    "strrchr",
    "strspn",
    "strstr",
];

/// The functions that read and write bytes, wherever they are.
const WRITING: [&str; 11] = [
    "bcopy", "bzero", "memcpy", "memmove", "mempcpy", "memset", "stpcpy", "strcat", "strcpy", "strncat",
    "strncpy",
];

/// The events that a call of a library function may raise, whatever its arguments are.
pub fn library_events(function: &Function) -> Vec<Event> {
    let name = plain(&function.source_name);
    let mut events: Vec<Event> = match name {
        "free" | "cfree" | "realloc" | "reallocarray" => return vec![Event::DoubleFree, Event::InvalidFree],
        "abs" | "labs" | "llabs" | "imaxabs" => vec![Event::SignedOverflow],
        "div" | "ldiv" | "lldiv" | "imaxdiv" => vec![Event::DivisionByZero, Event::DivisionOverflow],
        "qsort" | "bsearch" => vec![Event::InvalidCall, Event::MissingReturnValue],
        _ if super::character_classes(name).is_some() => vec![Event::OutOfBounds],
        _ => Vec::new(),
    };
    let stream = stream_argument(&function.source_name);
    let is_followed = |n: usize| Some(n) != stream && function.params[n].ty == Ty::Ptr;
    if (0..function.params.len()).any(is_followed) {
        let reads = READING.contains(&name);
        let bytes = reads || WRITING.contains(&name);
        events.extend(ACCESSES);
        events.retain(|event| match event {
            Event::WriteToConstant => !reads,
            Event::Misaligned => !bytes,
            _ => true,
        });
        events.extend(may_overlap(name).then_some(Event::OverlappingCopy));
    } else if stream.is_some() {
        events.push(Event::NullAccess);
    }
    events.extend(stream.map(|_| Event::InvalidPointer));
    events.sort_unstable();
    events.dedup();
    events
}

/// Whether a function may copy bytes that were never written to where others are.
pub fn copies_unwritten(source_name: &str) -> bool {
    COPYING.contains(&plain(source_name))
}

fn may_overlap(name: &str) -> bool {
    ["cpy", "cat"].iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_models() {
        let named = ["free", "realloc", "abs", "div", "qsort", "bsearch", "isalpha"];
        for name in named.iter().chain(&COPYING).chain(&READING).chain(&WRITING) {
            assert!(crate::is_modelled(name), "{name}");
        }
    }
}
