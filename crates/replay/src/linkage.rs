//! Declarations that the compiled program must not take as they are.
//!
//! A program is replayed in one thread, and the harness names its objects without knowing how they are stored: objects
//! of threads become ordinary ones. An inline function without an external definition (C17 6.7.4p7) gets one, which is
//! weak, so that it gives way to that of another file.

use quipu_ir::Function;

use crate::text::Text;
use crate::unit::Unit;

const THREAD: [&str; 3] = ["__thread", "_Thread_local", "thread_local"];
const INLINE: [&str; 3] = ["inline", "__inline", "__inline__"];

/// The text with ordinary objects only; what is left out becomes blank, so that all places stay.
pub(crate) fn of_one_thread(bytes: Vec<u8>) -> Vec<u8> {
    let text = Text::new(bytes);
    let places: Vec<_> = text.words().filter(|(_, word)| THREAD.contains(word)).map(|(at, _)| at).collect();
    let mut bytes = text.bytes;
    places.into_iter().for_each(|place| bytes[place].fill(b' '));
    bytes
}

/// Declarations that make external definitions of the inline functions of a unit.
pub(crate) fn external_definitions(unit: &Unit) -> String {
    let Ok(module) = &unit.module else { return String::new() };
    let inline = module.functions.iter().filter(|function| is_inline(unit, function));
    let declare = |function: &Function| {
        let name = &function.source_name;
        format!("extern __typeof__({name}) {name} __attribute__((weak));\n")
    };
    inline.map(declare).collect()
}

/// Whether the definition of a function says so, other than as a part of its file alone.
fn is_inline(unit: &Unit, function: &Function) -> bool {
    if function.local || function.code().is_none() {
        return false;
    }
    let Some(name) = unit.text.range(function.span) else { return false };
    let start = (0..name.start).rev().find(|&at| matches!(unit.text.at(at), b';' | b'}'));
    let words = unit.text.words_in(start.map_or(0, |at| at + 1)..name.start);
    let (mut inline, mut external) = (false, false);
    for (_, word) in words {
        inline |= INLINE.contains(&word);
        external |= word == "extern";
    }
    inline && !external
}
