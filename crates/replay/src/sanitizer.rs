//! What sanitizers say: which of our events a report of UBSan or ASan stands for, and where it happened.

use quipu_ir::Event;

/// The flags that make undefined behaviour stop a program with a report.
pub const FLAGS: [&str; 4] =
    ["-O0", "-g", "-fsanitize=undefined,address,float-cast-overflow", "-fno-sanitize-recover=all"];

/// What a sanitizer found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The events that describe the same thing; empty for a report that we know no event for.
    pub events: Vec<Event>,
    /// The number of the file and the line in it, if the report names one of the files.
    pub place: Option<(usize, u32)>,
    /// The sanitizer's words.
    pub message: String,
}

/// Parts of messages and what they mean. The first match counts.
const MEANINGS: [(&str, &[Event]); 29] = [
    ("signed integer overflow", &[Event::SignedOverflow]),
    ("negation of", &[Event::SignedOverflow]),
    ("division by zero", &[Event::DivisionByZero]),
    ("division of", &[Event::DivisionOverflow]),
    ("shift exponent", &[Event::ShiftOutOfRange]),
    ("left shift of", &[Event::ShiftOverflow]),
    ("outside the range of representable values", &[Event::FloatToIntRange]),
    ("out of bounds for type", &[Event::OutOfBounds]),
    ("offset to null pointer", &[Event::NullAccess, Event::InvalidPointer, Event::OutOfBounds]),
    ("null pointer", &[Event::NullAccess]),
    ("insufficient space for an object", &[Event::OutOfBounds]),
    ("pointer index expression", &[Event::OutOfBounds, Event::InvalidPointer]),
    ("misaligned address", &[Event::Misaligned]),
    ("reached an unreachable", &[Event::UnreachableReached]),
    ("without returning a value", &[Event::MissingReturnValue]),
    ("heap-use-after-free", &[Event::UseAfterFree]),
    ("stack-use-after-scope", &[Event::UseAfterFree]),
    ("stack-use-after-return", &[Event::UseAfterFree]),
    ("attempting double-free", &[Event::DoubleFree]),
    ("attempting free on address", &[Event::InvalidFree]),
    ("param-overlap", &[Event::OverlappingCopy]),
    ("heap-buffer-overflow", &[Event::OutOfBounds]),
    ("stack-buffer", &[Event::OutOfBounds]),
    ("global-buffer-overflow", &[Event::OutOfBounds]),
    ("use-after-poison", &[Event::OutOfBounds]),
    ("unknown-crash", &[Event::OutOfBounds]),
    ("invalid-pointer-pair", &[Event::UnrelatedPointers]),
    ("passing zero to c", &[Event::ZeroBitCount]),
    (
        "SEGV on unknown address",
        &[
            Event::NullAccess,
            Event::InvalidPointer,
            Event::OutOfBounds,
            Event::WriteToConstant,
            Event::InvalidCall,
        ],
    ),
];

/// The reports in what a program wrote to standard error, in order. `files` are the names of its sources.
pub fn reports(stderr: &str, files: &[&str]) -> Vec<Report> {
    let lines: Vec<&str> = stderr.lines().collect();
    let is_report = |line: &str| line.contains("runtime error: ") || line.contains("ERROR: AddressSanitizer");
    let starts: Vec<usize> = (0..lines.len()).filter(|&n| is_report(lines[n])).collect();
    let end = |n: usize| starts.get(n + 1).copied().unwrap_or(lines.len());
    starts.iter().enumerate().map(|(n, &start)| report(&lines[start..end(n)], files)).collect()
}

/// The first report.
pub fn first_report(stderr: &str, file: &str) -> Option<Report> {
    reports(stderr, &[file]).into_iter().next()
}

fn report(lines: &[&str], files: &[&str]) -> Report {
    let place = |line: &str| {
        let mut places = files.iter().enumerate().filter_map(|(n, file)| Some((n, line_number(line, file)?)));
        places.next()
    };
    let message = lines[0];
    let place = match message.contains("runtime error: ") {
        true => place(message),
        // The stack of the fault comes first; the innermost frame of our files is where it happened.
        false => lines.iter().find_map(|frame| place(frame)),
    };
    let meaning = MEANINGS.iter().find(|(part, _)| message.contains(part));
    let events = meaning.map_or(Vec::new(), |(_, events)| events.to_vec());
    Report { events, place, message: message.to_string() }
}

/// The number behind `file:` in a line of a report.
fn line_number(text: &str, file: &str) -> Option<u32> {
    let at = text.find(&format!("{file}:"))? + file.len() + 1;
    let digits: String = text[at..].chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_behaviour_sanitizer() {
        let text = "/tmp/x/t.c:12:7: runtime error: left shift of negative value -1\n";
        let report = first_report(text, "t.c").unwrap();
        assert_eq!((report.events, report.place), (vec![Event::ShiftOverflow], Some((0, 12))));
    }

    #[test]
    fn address_sanitizer_names_the_innermost_frame_of_the_file() {
        let text = "=====\n==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x1\n\
                    READ of size 1 at 0x602 thread T0\n    #0 0x7f in __interceptor_memcpy ../asan.cc:12\n    \
                    #1 0x55 in test /tmp/x/t.c:33\n    #2 0x55 in main /tmp/x/t.c:70\n";
        let report = first_report(text, "t.c").unwrap();
        assert_eq!((report.events, report.place), (vec![Event::UseAfterFree], Some((0, 33))));
    }

    #[test]
    fn no_report() {
        assert_eq!(first_report("0 12ab\n", "t.c"), None);
    }
}
