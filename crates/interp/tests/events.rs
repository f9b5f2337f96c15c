//! Every event of the IR is raised where it should be, and not next to it.

mod support;

use quipu_interp::Outcome;
use quipu_ir::Event;
use support::{event_of, module, run_f};

const LIBRARY: &str = "
func @malloc(i64) -> ptr : t2
func @free(ptr) : t2
func @memcpy(ptr, ptr, i64) -> ptr : t2
func noreturn @stop() : t2
func noreturn @returns() : t2 {
bb0:
  ret
}
global const @text: t4 size 4 align 1 = \"abc\\0\"
global @word: t1 size 4 align 4 = zero
";

/// The outcome of a function whose single block holds this code.
fn outcome(code: &str) -> Outcome {
    run_f(&module(&format!("{LIBRARY}\nfunc @f() -> i32 : t2 {{\nslot0 = size 8 align 8\nbb0:\n{code}\n}}")))
}

fn raises(event: Event, code: &str) {
    assert_eq!(event_of(&outcome(code)), Some(event), "{code}: {:?}", outcome(code));
}

fn fine(code: &str, result: u64) {
    assert_eq!(outcome(code), Outcome::Returned(Some(result)), "{code}");
}

#[test]
fn arithmetic_checks() {
    raises(Event::SignedOverflow, "check add_fits i32 i32 2147483647, i32 1\nret i32 0");
    raises(Event::SignedOverflow, "check sub_fits i32 i32 -2147483648, i32 1\nret i32 0");
    raises(Event::SignedOverflow, "check mul_fits i32 i32 65536, i32 32768\nret i32 0");
    raises(Event::SignedOverflow, "check mul_fits i64 i64 4611686018427387904, i64 2\nret i32 0");
    raises(Event::DivisionByZero, "check nonzero i32 i32 1, i32 0\nret i32 0");
    raises(Event::ZeroBitCount, "check any_bit i32 i32 0, i32 0\nret i32 0");
    raises(Event::DivisionOverflow, "check quotient_fits i32 i32 -2147483648, i32 -1\nret i32 0");
    raises(Event::ShiftOutOfRange, "check shift_in_range i32 by i32 i32 1, i32 32\nret i32 0");
    raises(Event::ShiftOverflow, "check shl_fits i32 i32 -1, i32 1\nret i32 0");
    raises(Event::FloatToIntRange, "check float_fits f64 -> signed i32 f64 3e9, f64 0.0\nret i32 0");
    raises(Event::OutOfBounds, "check index_below i64 i64 4, i64 4\nret i32 0");
    raises(Event::OutOfBounds, "check index_below i64 i64 -1, i64 4\nret i32 0");
    fine("check index_at_most i64 i64 4, i64 4\ncheck add_fits i32 i32 2147483646, i32 1\nret i32 7", 7);
}

#[test]
fn null_and_invalid_pointers() {
    raises(Event::NullAccess, "%0: i32 = load ptr 0 align 4\nret %0");
    raises(Event::NullAccess, "%0: ptr = ptradd ptr 0, i64 12\n%1: i32 = load %0 align 4\nret %1");
    raises(Event::InvalidPointer, "%0: ptr = inttoptr i64 123456789\n%1: i32 = load %0 align 4\nret %1");
    raises(Event::InvalidPointer, "%0: ptr = inttoptr i64 -8\n%1: i32 = load %0 align 4\nret %1");
    raises(Event::InvalidPointer, "%0: ptr = ptradd ptr 0, i64 4294967296\nret i32 0");
    raises(
        Event::InvalidPointer,
        "%0: ptr = inttoptr i64 -8\n%1: ptr = ptradd %0, i64 8589934592\nret i32 0",
    );
    fine("%0: ptr = ptradd ptr 0, i64 4294967295\nret i32 7", 7);
    fine("%0: ptr = ptradd ptr 0, i64 -8\nret i32 7", 7);
    fine("%0: ptr = inttoptr i64 1099511627776\n%1: ptr = ptradd %0, i64 4294967296\nret i32 7", 7);
}

#[test]
fn bounds() {
    let at = |offset: i64, size: u32| {
        let ty = format!("i{}", size * 8);
        format!(
            "%0: ptr = slotaddr slot0\nstore %0, i64 0 align 8\n%1: ptr = ptradd %0, i64 {offset}\n\
             %2: {ty} = load %1 align 1\nret i32 0"
        )
    };
    fine(&at(4, 4), 0);
    raises(Event::OutOfBounds, &at(5, 4));
    raises(Event::OutOfBounds, &at(8, 1));
    raises(Event::OutOfBounds, &at(-1, 1));
    raises(Event::OutOfBounds, "%0: ptr = ptradd @word, i64 4294967296\nret i32 0");
    raises(Event::OutOfBounds, "%0: i32 = load @f align 4\nret %0");
}

#[test]
fn lifetimes() {
    raises(
        Event::UseAfterFree,
        "%0: ptr = call @malloc(i64 4)\nstore %0, i32 1 align 4\ncall @free(%0)\n%1: i32 = load %0 align 4\nret %1",
    );
    raises(
        Event::UseAfterFree,
        "%0: ptr = slotaddr slot0\nstore %0, i32 1 align 4\nslotend slot0\n%1: i32 = load %0 align 4\nret %1",
    );
    raises(Event::DoubleFree, "%0: ptr = call @malloc(i64 4)\ncall @free(%0)\ncall @free(%0)\nret i32 0");
    raises(Event::InvalidFree, "%0: ptr = slotaddr slot0\ncall @free(%0)\nret i32 0");
    raises(Event::InvalidFree, "call @free(@word)\nret i32 0");
    raises(
        Event::InvalidFree,
        "%0: ptr = call @malloc(i64 4)\n%1: ptr = ptradd %0, i64 1\ncall @free(%1)\nret i32 0",
    );
    fine("call @free(ptr 0)\nret i32 3", 3);
}

#[test]
fn a_slot_is_a_new_object_after_its_end() {
    raises(
        Event::UninitializedRead,
        "%0: ptr = slotaddr slot0\nstore %0, i32 1 align 4\nslotend slot0\n%1: ptr = slotaddr slot0\n\
         %2: i32 = load %1 align 4\nret %2",
    );
    fine(
        "%0: ptr = slotaddr slot0\nstore %0, i32 1 align 4\n%1: ptr = slotaddr slot0\n\
         %2: i32 = load %1 align 4\nret %2",
        1,
    );
}

#[test]
fn unwritten_memory() {
    raises(Event::UninitializedRead, "%0: ptr = slotaddr slot0\n%1: i32 = load %0 align 4\nret %1");
    raises(
        Event::UninitializedRead,
        "%0: ptr = slotaddr slot0\nstore %0, i16 1 align 2\n%1: i32 = load %0 align 4\nret %1",
    );
    raises(
        Event::UninitializedRead,
        "%0: ptr = slotaddr slot0\nstorebits %0, i3 5 bit 2\n%1: i4 = loadbits %0 bit 2\nret i32 0",
    );
}

#[test]
fn bit_fields_know_their_bits() {
    fine(
        "%0: ptr = slotaddr slot0\nstorebits %0, i3 5 bit 6\nstorebits %0, i2 1 bit 4\n\
         %1: i3 = loadbits %0 bit 6\n%2: i32 = zext i3 -> i32 %1\nret %2",
        5,
    );
    fine("zero @word size 4\nstorebits @word, i12 -1 bit 4\n%0: i32 = load @word align 4\nret %0", 0xfff0);
}

#[test]
fn constants_and_alignment() {
    raises(Event::WriteToConstant, "store @text, i8 1 align 1\nret i32 0");
    raises(Event::WriteToConstant, "%0: ptr = call @memcpy(@text, @word, i64 4)\nret i32 0");
    raises(
        Event::Misaligned,
        "%0: ptr = slotaddr slot0\nstore %0, i64 0 align 8\n%1: ptr = ptradd %0, i64 1\n\
         %2: i32 = load %1 align 4\nret %2",
    );
    // Of several faults the first in the fixed order is reported.
    raises(Event::OutOfBounds, "%0: ptr = ptradd @text, i64 3\nstore %0, i32 0 align 4\nret i32 0");
}

#[test]
fn pointers_into_different_objects() {
    raises(Event::UnrelatedPointers, "check same_object @word, @text\nret i32 0");
    raises(Event::UnrelatedPointers, "check same_object @word, ptr 0\nret i32 0");
    raises(Event::UnrelatedPointers, "check same_object @word, @word+5\nret i32 0");
    fine("check same_object @word, @word+4\ncheck same_object ptr 0, ptr 0\nret i32 1", 1);
}

#[test]
fn copies() {
    raises(Event::OverlappingCopy, "copy @word, @word+1 size 3\nret i32 0");
    raises(Event::OverlappingCopy, "%0: ptr = call @memcpy(@word, @word+1, i64 2)\nret i32 0");
    fine("copy @word, @word size 4\nret i32 0", 0);
    // Unwritten bytes may be copied, but stay unwritten.
    raises(
        Event::UninitializedRead,
        "%0: ptr = slotaddr slot0\ncopy @word, %0 size 4\n%1: i32 = load @word align 4\nret %1",
    );
}

#[test]
fn unreachable_places() {
    raises(Event::UnreachableReached, "unreachable declared");
    raises(Event::UnreachableReached, "call @returns()\nunreachable noreturn");
    // One without a body keeps its promise.
    assert_eq!(outcome("call @stop()\nunreachable noreturn"), Outcome::Aborted);
}

fn whole(text: &str) -> Outcome {
    run_f(&module(text))
}

#[test]
fn missing_results() {
    let callee = "func @g() -> i32 : t2 {\nbb0:\n  ret_missing\n}\n";
    let used = "func @f() -> i32 : t2 {\nbb0:\n  %0: i32 = call @g() !0:7:3-9\n  ret %0\n}";
    let unused = "func @f() -> i32 : t2 {\nbb0:\n  %0: i32 = call @g()\n  ret i32 5\n}";
    let Outcome::Event { event, span, .. } = whole(&format!("{callee}{used}")) else { panic!("an event") };
    assert_eq!((event, span.line), (Event::MissingReturnValue, 7));
    assert_eq!(whole(&format!("{callee}{unused}")), Outcome::Returned(Some(5)));
}

#[test]
fn indirect_calls() {
    let callee =
        "func @g(i32) -> i32 : t2 {\nbb0(%0: i32):\n  ret %0\n}\nglobal @word: t1 size 4 align 4 = zero\n";
    let call = |pointer: &str, args: &str| {
        let code = format!("  %0: i32 = call_indirect {pointer}({args})\n  ret %0");
        whole(&format!("{callee}func @f() -> i32 : t2 {{\nbb0:\n{code}\n}}"))
    };
    assert_eq!(call("@g", "i32 9"), Outcome::Returned(Some(9)));
    for (pointer, args) in
        [("@g", "i64 9"), ("@g", ""), ("ptr 0", "i32 9"), ("@word", "i32 9"), ("@f", "i32 9")]
    {
        let outcome = call(pointer, args);
        assert_eq!(event_of(&outcome), Some(Event::InvalidCall), "{pointer} {args}: {outcome:?}");
    }
}

#[test]
fn every_event_has_a_test_here() {
    let source = include_str!("events.rs");
    for (event, _) in Event::ALL {
        assert!(source.contains(&format!("Event::{event:?}")), "{event:?}");
    }
}
