//! Memory between runs, large objects, 32-bit pointers.

mod support;

use quipu_base::Id;
use quipu_interp::{Limit, Limits, Machine, NoObserver, ObjectKind, Outcome, Stop, ZeroInputs};
use quipu_ir::{Event, Global, Ty};
use support::{event_of, module, module_of, run_f};

#[test]
fn reset_restores_what_a_run_changed() {
    let text = "
t5 = array t1[50000]
global @small: t1 size 4 align 4 = \"\\x07\\0\\0\\0\"
global @large: t5 size 200000 align 4 = \"\\x09\\0\\0\\0\"
func @f() -> i32 : t2 {
bb0:
  %0: i32 = load @small align 4
  %1: i32 = add %0, i32 1
  store @small, %1 align 4
  %2: i32 = load @large align 4
  store @large, i32 100 align 4
  %3: i32 = load @large+150000 align 4
  store @large+150000, i32 1000 align 4
  %4: i32 = add %0, %2
  %5: i32 = add %4, %3
  ret %5
}";
    let module = module(text);
    let mut machine = Machine::new(&module, Limits::default());
    let func = module.function("f").unwrap();
    let run = |machine: &mut Machine<'_>| machine.run(func, &[], &mut ZeroInputs, &mut NoObserver);
    for _ in 0..3 {
        machine.reset();
        assert_eq!(run(&mut machine), Outcome::Returned(Some(16)));
        assert_eq!(run(&mut machine), Outcome::Returned(Some(8 + 100 + 1000)));
    }
}

#[test]
fn prepared_objects_are_gone_after_a_reset() {
    let module =
        module("func @f(ptr) -> i32 : t2 {\nbb0(%0: ptr):\n  %1: i32 = load %0 align 4\n  ret %1\n}");
    let mut machine = Machine::new(&module, Limits::default());
    let func = module.function("f").unwrap();
    let addr = machine.memory_mut().allocate(ObjectKind::Input, 4, 4).unwrap();
    machine.memory_mut().store(addr, Ty::I32, 77, 4).unwrap();
    assert_eq!(machine.run(func, &[addr], &mut ZeroInputs, &mut NoObserver), Outcome::Returned(Some(77)));
    machine.reset();
    let outcome = machine.run(func, &[addr], &mut ZeroInputs, &mut NoObserver);
    assert_eq!(event_of(&outcome), Some(Event::InvalidPointer));
}

#[test]
fn addresses_in_initial_values() {
    let text = "
global @a: t1 size 8 align 4 = \"\\x01\\0\\0\\0\\x02\\0\\0\\0\"
global @table: t1 size 16 align 8 = zero [0: @a+4, 8: @g]
func @g() -> i32 : t2 {
bb0:
  ret i32 40
}
func @f() -> i32 : t2 {
bb0:
  %0: ptr = load @table align 8
  %1: i32 = load %0 align 4
  %2: ptr = load @table+8 align 8
  %3: i32 = call_indirect %2()
  %4: i32 = add %1, %3
  ret %4
}";
    assert_eq!(run_f(&module(text)), Outcome::Returned(Some(42)));
}

#[test]
fn untouched_memory_costs_nothing() {
    let text = "
global @huge: t1 size 1000000000 align 8 = zero
func @malloc(i64) -> ptr : t2
func @calloc(i64, i64) -> ptr : t2
func @f() -> i32 : t2 {
bb0:
  %0: ptr = call @malloc(i64 1000000000)
  %1: ptr = ptradd %0, i64 999999990
  store %1, i32 5 align 1
  %2: ptr = call @calloc(i64 1000000, i64 1000)
  %3: ptr = ptradd %2, i64 500000002
  %4: i32 = load %3 align 1
  %5: i32 = load @huge+123456788 align 4
  %6: i32 = load %1 align 1
  %7: i32 = add %4, %5
  %8: i32 = add %7, %6
  ret %8
}";
    let module = module(text);
    let mut machine = Machine::new(&module, Limits { memory: 1 << 20, ..Limits::default() });
    let func = module.function("f").unwrap();
    for _ in 0..100 {
        machine.reset();
        assert_eq!(machine.run(func, &[], &mut ZeroInputs, &mut NoObserver), Outcome::Returned(Some(5)));
    }
}

#[test]
fn values_may_cross_pages() {
    let module = module("");
    let mut machine = Machine::new(&module, Limits::default());
    let memory = machine.memory_mut();
    let addr = memory.allocate(ObjectKind::Input, 1 << 20, 8).unwrap();
    memory.store(addr + 4093, Ty::I64, 0x1122_3344_5566_7788, 1).unwrap();
    assert_eq!(memory.load(addr + 4093, Ty::I64, 1).unwrap(), 0x1122_3344_5566_7788);
    assert_eq!(memory.load(addr + 4096, Ty::I8, 1).unwrap(), 0x55);
    assert!(memory.load(addr + 4092, Ty::I64, 1).is_err());
    memory.fill(addr, 3, 3 * 4096).unwrap();
    assert_eq!(memory.read_bytes(addr, 3 * 4096).unwrap(), vec![3; 3 * 4096]);
}

#[test]
fn memory_is_limited() {
    let module = module("");
    let limits = Limits { memory: 1 << 20, address_space: 1 << 24, ..Limits::default() };
    let mut machine = Machine::new(&module, limits);
    let memory = machine.memory_mut();
    let full = Err(Box::new(Stop::Limit(Limit::Memory)));
    assert_eq!(memory.allocate(ObjectKind::Heap, 1 << 25, 8), full);
    let addr = memory.allocate(ObjectKind::Heap, 1 << 23, 8).unwrap();
    assert_eq!(memory.fill(addr, 0, 1 << 23), Err(Box::new(Stop::Limit(Limit::Memory))));
}

#[test]
fn globals_beyond_the_limits_stop_every_run() {
    let module = module("global @g: t1 size 99999999999 align 8 = zero\nfunc @f() : t2 {\nbb0:\n  ret\n}");
    assert_eq!(run_f(&module), Outcome::LimitReached(Limit::Memory));
}

#[test]
fn many_short_lived_objects_reuse_storage() {
    let text = "
func @f() -> i32 : t2 {
slot0 = size 4000 align 8
bb0:
  jump bb1(i32 0)
bb1(%0: i32):
  %1: ptr = slotaddr slot0
  store %1, %0 align 4
  slotend slot0
  %2: i32 = add %0, i32 1
  %3: i1 = slt %2, i32 3000000
  br %3, bb1(%2), bb2
bb2:
  ret %2
}";
    for model in ["lp64", "ilp32"] {
        let module = module_of(model, text);
        let mut machine = Machine::new(&module, Limits { memory: 1 << 16, ..Limits::default() });
        let outcome = machine.run(module.function("f").unwrap(), &[], &mut ZeroInputs, &mut NoObserver);
        assert_eq!(outcome, Outcome::Returned(Some(3_000_000)), "{model}");
    }
}

#[test]
fn pointers_of_32_bits() {
    let text = "
global @a: t1 size 8 align 4 = \"\\x01\\0\\0\\0\\x02\\0\\0\\0\"
global @p: t1 size 4 align 4 = zero [0: @a+4]
func @malloc(i32) -> ptr : t2
func @f() -> i32 : t2 {
slot0 = size 8 align 4
bb0:
  %0: ptr = load @p align 4
  %1: i32 = load %0 align 4
  %2: ptr = slotaddr slot0
  store %2, %0 align 4
  %3: ptr = load %2 align 4
  %4: i32 = ptrdiff %3, @a
  %5: i32 = ptrtoint %3
  %6: ptr = inttoptr %5
  check same_object %6, @a
  %7: ptr = call @malloc(i32 16)
  store %7, i64 1 align 4
  %8: ptr = ptradd %7, i32 12
  store %8, i32 3 align 4
  %9: i32 = load %8 align 4
  %10: i32 = add %1, %4
  %11: i32 = add %10, %9
  ret %11
}";
    assert_eq!(run_f(&module_of("ilp32", text)), Outcome::Returned(Some(2 + 4 + 3)));
}

#[test]
fn events_with_32_bit_pointers() {
    let outcome = |code: &str| {
        let globals = "global @a: t1 size 8 align 4 = zero\nglobal @b: t1 size 8 align 4 = zero\n";
        let text =
            format!("{globals}func @f() -> i32 : t2 {{\nslot0 = size 8 align 4\nbb0:\n{code}\nret i32 0\n}}");
        event_of(&run_f(&module_of("ilp32", &text)))
    };
    let load = |setup: &str| outcome(&format!("{setup}\n%1: i32 = load %0 align 4"));
    assert_eq!(load("%0: ptr = ptradd @a, i32 8"), Some(Event::OutOfBounds));
    assert_eq!(load("%0: ptr = ptradd @b, i32 -4"), Some(Event::OutOfBounds));
    assert_eq!(load("%0: ptr = ptradd @a, i32 2"), Some(Event::Misaligned));
    assert_eq!(load("%0: ptr = inttoptr i32 16"), Some(Event::NullAccess));
    assert_eq!(load("%0: ptr = inttoptr i32 -4"), Some(Event::InvalidPointer));
    assert_eq!(outcome("%0: ptr = ptradd @a, i32 48"), None);
    assert_eq!(outcome("%0: ptr = ptradd @a, i32 2048"), Some(Event::OutOfBounds));
    assert_eq!(load("%0: ptr = slotaddr slot0"), Some(Event::UninitializedRead));
    let dead = "%0: ptr = slotaddr slot0\nstore %0, i32 1 align 4\nslotend slot0";
    assert_eq!(load(dead), Some(Event::UseAfterFree));
}

#[test]
fn addresses_are_known_outside() {
    let module = module("global @a: t1 size 8 align 4 = zero\nfunc @f() : t2 {\nbb0:\n  ret\n}");
    let machine = Machine::new(&module, Limits::default());
    let addr = machine.global_address(Global::new(0));
    let info = machine.memory().object_at(addr + 3).unwrap();
    assert_eq!((info.base, info.size, info.offset, info.alive), (addr, 8, 3, true));
    assert_eq!(info.kind, ObjectKind::Global);
    let function = machine.function_address(module.function("f").unwrap());
    assert_eq!(machine.memory().object_at(function).unwrap().kind, ObjectKind::Function);
    assert!(machine.memory().object_at(0).is_none());
}

#[test]
fn the_standard_streams_are_open() {
    let text = "
t5 = pointer t0
global @stdin: t5 size 8 align 8 = external
global @other: t5 size 8 align 8 = external
func @f() -> i64 : t2 {
bb0:
  %0: ptr = load @stdin align 8
  %1: ptr = load @other align 8
  %2: i1 = ne %0, ptr 0
  %3: i1 = eq %1, ptr 0
  %4: i1 = and %2, %3
  %5: i64 = zext i1 -> i64 %4
  ret %5
}";
    assert_eq!(run_f(&module(text)), Outcome::Returned(Some(1)));
}
