//! Control flow, calls, limits and what observers see.

mod support;

use quipu_base::Id;
use quipu_interp::{
    InputRequest, InputSource, Limit, Limits, ListedInputs, Machine, NoObserver, Outcome, Trace, TraceItem,
    ZeroInputs,
};
use quipu_ir::{Block, Module, Stmt};
use support::{module, run, run_f};

fn limited(module: &Module, limits: Limits) -> Outcome {
    let mut machine = Machine::new(module, limits);
    machine.run(module.function("f").unwrap(), &[], &mut ZeroInputs, &mut NoObserver)
}

#[test]
fn edge_arguments_move_in_parallel() {
    let text = "
func @f(i32) -> i32 : t2 {
bb0(%0: i32):
  jump bb1(i32 1, i32 2, i32 3, i32 0)
bb1(%1: i32, %2: i32, %3: i32, %4: i32):
  %5: i1 = slt %4, %0
  %6: i32 = add %4, i32 1
  br %5, bb1(%2, %3, %1, %6), bb2
bb2:
  %7: i32 = mul %1, i32 100
  %8: i32 = mul %2, i32 10
  %9: i32 = add %7, %8
  %10: i32 = add %9, %3
  ret %10
}";
    let module = module(text);
    for (turns, expected) in [(0, 123), (1, 231), (2, 312), (3, 123)] {
        assert_eq!(run(&module, "f", &[turns]), Outcome::Returned(Some(expected)));
    }
}

#[test]
fn switches_select_ranges_and_default() {
    let text = "
func @f(i32) -> i32 : t2 {
bb0(%0: i32):
  switch i32 %0 {
    case 1: bb1(i32 10)
    case -5..-3: bb1(i32 20)
    default: bb1(i32 30)
  }
bb1(%1: i32):
  %2: i1 = eq %1, i32 20
  %3: i32 = select %2, i32 99, %1
  ret %3
}";
    let module = module(text);
    for (value, expected) in [(1, 10), (-4i32, 99), (-3, 99), (-2, 30), (0, 30)] {
        let bits = u64::from(value.cast_unsigned());
        assert_eq!(run(&module, "f", &[bits]), Outcome::Returned(Some(expected)), "{value}");
    }
}

const RECURSION: &str = "
func @f(i32) -> i32 : t2 {
slot0 = size 4 align 4
bb0(%0: i32):
  %1: ptr = slotaddr slot0
  store %1, %0 align 4
  %2: i1 = eq %0, i32 0
  br %2, bb1, bb2
bb1:
  ret i32 0
bb2:
  %3: i32 = sub %0, i32 1
  %4: i32 = call @f(%3)
  %5: i32 = load %1 align 4
  %6: i32 = sub %5, %3
  %7: i32 = add %4, %6
  ret %7
}";

#[test]
fn deep_recursion_needs_no_native_stack() {
    let module = module(RECURSION);
    assert_eq!(run(&module, "f", &[100_000]), Outcome::Returned(Some(100_000)));
    let mut machine = Machine::new(&module, Limits { depth: 1000, ..Limits::default() });
    let func = module.function("f").unwrap();
    let deep = machine.run(func, &[1001], &mut ZeroInputs, &mut NoObserver);
    assert_eq!(deep, Outcome::LimitReached(Limit::Depth));
    machine.reset();
    let shallow = machine.run(func, &[1000], &mut ZeroInputs, &mut NoObserver);
    assert_eq!(shallow, Outcome::Returned(Some(1000)));
}

#[test]
fn steps_are_counted_and_limited() {
    let endless = module("func @f() : t2 {\nbb0:\n  jump bb1\nbb1:\n  jump bb1\n}");
    assert_eq!(
        limited(&endless, Limits { steps: 1_000_000, ..Limits::default() }),
        Outcome::LimitReached(Limit::Steps)
    );
    let straight =
        module("func @f() -> i32 : t2 {\nbb0:\n  %0: i32 = add i32 1, i32 2\n  jump bb1\nbb1:\n  ret %0\n}");
    let mut machine = Machine::new(&straight, Limits::default());
    let func = straight.function("f").unwrap();
    assert_eq!(machine.run(func, &[], &mut ZeroInputs, &mut NoObserver), Outcome::Returned(Some(3)));
    assert_eq!(machine.steps(), 3);
    assert_eq!(
        limited(&straight, Limits { steps: 2, ..Limits::default() }),
        Outcome::LimitReached(Limit::Steps)
    );
}

#[test]
fn library_work_counts_as_steps() {
    let text = "
func @memset(ptr, i32, i64) -> ptr : t2
global @big: t1 size 65536 align 8 = zero
func @f() : t2 {
bb0:
  jump bb1
bb1:
  %0: ptr = call @memset(@big, i32 0, i64 65536)
  jump bb1
}";
    assert_eq!(
        limited(&module(text), Limits { steps: 100_000, ..Limits::default() }),
        Outcome::LimitReached(Limit::Steps)
    );
}

#[test]
fn objects_of_a_function_die_with_it() {
    let text = "
func @g(i64) -> ptr : t2 {
bb0(%0: i64):
  %1: ptr = alloca %0 align 16
  store %1, i32 1 align 4
  ret %1
}
func @f() -> i32 : t2 {
bb0:
  %0: ptr = call @g(i64 10) !0:3:1
  %1: i32 = load %0 align 4 !0:4:5
  ret %1
}";
    let Outcome::Event { event, span, func, .. } = run_f(&module(text)) else { panic!("an event") };
    assert_eq!((event, span.line, span.column), (quipu_ir::Event::UseAfterFree, 4, 5));
    assert_eq!(func.index(), 1);
}

#[test]
fn observers_see_blocks_edges_statements_and_calls() {
    let text = "
func @g() : t2 {
bb0:
  ret
}
func @f(i32) : t2 {
s0
bb0(%0: i32):
  stmt s0
  %1: i1 = slt %0, i32 0
  br %1, bb1, bb2
bb1:
  ret
bb2:
  call @g()
  jump bb1
}";
    let module = module(text);
    let mut machine = Machine::new(&module, Limits::default());
    let (f, g) = (module.function("f").unwrap(), module.function("g").unwrap());
    let mut trace = Trace::default();
    machine.run(f, &[5], &mut ZeroInputs, &mut trace);
    let b = Block::new;
    let expected = [
        TraceItem::Enter(f),
        TraceItem::Block(f, b(0)),
        TraceItem::Stmt(f, Stmt::new(0)),
        TraceItem::Edge(f, b(0), 1),
        TraceItem::Block(f, b(2)),
        TraceItem::Enter(g),
        TraceItem::Block(g, b(0)),
        TraceItem::Leave(g),
        TraceItem::Edge(f, b(2), 0),
        TraceItem::Block(f, b(1)),
        TraceItem::Leave(f),
    ];
    assert_eq!(trace.items, expected);
}

#[test]
fn functions_without_a_body_are_inputs() {
    let text = "
func @sensor(i32) -> i16 : t2
func @f() -> i32 : t2 {
bb0:
  %0: i16 = call @sensor(i32 1) !0:2:3
  %1: i16 = call @sensor(i32 2) !0:3:3
  %2: i16 = add %0, %1
  %3: i32 = zext i16 -> i32 %2
  ret %3
}";
    let module = module(text);
    let mut machine = Machine::new(&module, Limits::default());
    let func = module.function("f").unwrap();
    let mut inputs = ListedInputs::new(vec![0x10005, 7]);
    assert_eq!(machine.run(func, &[], &mut inputs, &mut NoObserver), Outcome::Returned(Some(12)));
    assert_eq!(inputs.used(), 2);
    let mut one = ListedInputs::new(vec![5]);
    let Outcome::InputsExhausted { function, span } = machine.run(func, &[], &mut one, &mut NoObserver)
    else {
        panic!("the inputs should end")
    };
    assert_eq!((function.as_str(), span.line), ("sensor", 3));
}

struct Recorder(Vec<String>);

impl InputSource for Recorder {
    fn next(&mut self, request: InputRequest<'_>) -> Option<u64> {
        self.0.push(format!("{} {} {:?}", request.function, request.ty, request.kind));
        Some(self.0.len() as u64)
    }
}

#[test]
fn a_struct_result_is_one_input_per_scalar() {
    let text = "
t5 = array t3[2]
t6 = struct size 8 align 4 { a: t1 at 0, b: t5 at 4, c: t1 at 6 bit 0 width 3 }
t7 = function () -> t6
func sret @origin(ptr) : t7
func @f() -> i32 : t2 {
slot0 = size 8 align 4
bb0:
  %0: ptr = slotaddr slot0
  call @origin(%0)
  %1: ptr = ptradd %0, i64 5
  %2: i8 = load %1 align 1
  %3: i32 = zext i8 -> i32 %2
  ret %3
}";
    let module = module(text);
    let mut machine = Machine::new(&module, Limits::default());
    let mut recorder = Recorder(Vec::new());
    let outcome = machine.run(module.function("f").unwrap(), &[], &mut recorder, &mut NoObserver);
    assert_eq!(outcome, Outcome::Returned(Some(3)));
    let expected = [
        "origin i32 ResultMember",
        "origin i8 ResultMember",
        "origin i8 ResultMember",
        "origin i3 ResultMember",
    ];
    assert_eq!(recorder.0, expected);
}

#[test]
fn unsupported_bodies_stop_the_run() {
    let text = "
func @asm() : t2 unsupported { \"inline assembly\" }
func @f() : t2 {
bb0:
  call @asm() !0:9:1
  ret
}";
    let Outcome::Unsupported { what, span, .. } = run_f(&module(text)) else { panic!("unsupported") };
    assert!(what.contains("inline assembly"), "{what}");
    assert_eq!(span.line, 9);
}

#[test]
fn floats_and_casts_follow_num() {
    let text = "
func @f(f64) -> i32 : t2 {
bb0(%0: f64):
  %1: f64 = fma %0, f64 2.0, f64 1.0
  %2: f64 = fsqrt %1
  %3: i1 = flt %2, f64 3.5
  %4: i32 = fptosi f64 -> i32 %2
  %5: i32 = zext i1 -> i32 %3
  %6: i32 = shl %4, %5
  ret %6
}";
    assert_eq!(run(&module(text), "f", &[4.0f64.to_bits()]), Outcome::Returned(Some(6)));
}

#[test]
fn a_truth_value_is_the_low_bit_of_its_byte() {
    let text = "
global @flag: t1 size 1 align 1 = \"\\x06\"
func @f() -> i32 : t2 {
bb0:
  %0: i1 = load @flag align 1
  %1: i32 = zext i1 -> i32 %0
  ret %1
}";
    assert_eq!(run_f(&module(text)), Outcome::Returned(Some(0)));
}

const REGISTERS: &str = "
t5 = struct size 65536 align 8 { }
global local @device.40010000 as \"device_40010000\": t5 size 65536 align 4096 = device 1073807360
func @f() -> i32 : t2 {
bb0:
  store ptr 0x40010004, i32 5 align 4
  %0: i32 = load ptr 0x40010004 align 4
  %1: i32 = load ptr 0x40010004 align 4 volatile
  %2: i32 = load ptr 0x40010004 align 4 volatile
  %3: i32 = mul %0, i32 100
  %4: i32 = mul %1, i32 10
  %5: i32 = add %3, %4
  %6: i32 = add %5, %2
  ret %6
}";

#[test]
fn each_read_of_a_volatile_object_asks() {
    let module = module(REGISTERS);
    let mut machine = Machine::new(&module, Limits::default());
    let func = module.function("f").unwrap();
    let mut recorder = Recorder(Vec::new());
    let outcome = machine.run(func, &[], &mut recorder, &mut NoObserver);
    assert_eq!(outcome, Outcome::Returned(Some(512)));
    assert_eq!(recorder.0, [" i32 Volatile", " i32 Volatile"]);
    // Without anybody to ask, memory holds what was written.
    machine.reset();
    assert_eq!(machine.run(func, &[], &mut ZeroInputs, &mut NoObserver), Outcome::Returned(Some(555)));
}
