//! Reads the first report of UBSan or ASan and says which of our events it stands for.

use quipu_ir::Event;

/// The first thing that a sanitizer found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The events that describe the same thing; empty for a report that we know no event for.
    pub events: Vec<Event>,
    /// The line of the source, if the report names one.
    pub line: Option<u32>,
    /// The sanitizer's words.
    pub message: String,
}

/// Parts of messages and what they mean. The first match counts.
const MEANINGS: [(&str, &[Event]); 26] = [
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
    ("unknown-crash", &[Event::OutOfBounds]),
    ("SEGV on unknown address", &[Event::NullAccess, Event::InvalidPointer, Event::OutOfBounds]),
];

/// The first report in what a program wrote to standard error. `file` is the name of its source.
pub fn first_report(stderr: &str, file: &str) -> Option<Report> {
    let lines: Vec<&str> = stderr.lines().collect();
    let is_report = |line: &str| line.contains("runtime error: ") || line.contains("ERROR: AddressSanitizer");
    let start = lines.iter().position(|line| is_report(line))?;
    let (message, line) = if lines[start].contains("runtime error: ") {
        (lines[start], line_number(lines[start], file))
    } else {
        // The stack of the fault comes first; the innermost frame of our file is where it happened.
        (lines[start], lines[start..].iter().find_map(|frame| line_number(frame, file)))
    };
    let meaning = MEANINGS.iter().find(|(part, _)| message.contains(part));
    let events = meaning.map_or(Vec::new(), |(_, events)| events.to_vec());
    Some(Report { events, line, message: message.to_string() })
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
        assert_eq!((report.events, report.line), (vec![Event::ShiftOverflow], Some(12)));
    }

    #[test]
    fn address_sanitizer_names_the_innermost_frame_of_the_file() {
        let text = "=====\n==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x1\n\
                    READ of size 1 at 0x602 thread T0\n    #0 0x7f in __interceptor_memcpy ../asan.cc:12\n    \
                    #1 0x55 in test /tmp/x/t.c:33\n    #2 0x55 in main /tmp/x/t.c:70\n";
        let report = first_report(text, "t.c").unwrap();
        assert_eq!((report.events, report.line), (vec![Event::UseAfterFree], Some(33)));
    }

    #[test]
    fn no_report() {
        assert_eq!(first_report("0 12ab\n", "t.c"), None);
    }
}
