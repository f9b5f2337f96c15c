//! Measures the interpreter: instructions per second of a loop of arithmetic, checks and array accesses,
//! calls per second, and short runs per second.

use std::time::Instant;

use quipu_interp::{Limits, Machine, NoObserver, Outcome, ZeroInputs};
use quipu_ir::{Module, parse};

const PROGRAM: &str = r#"
module lp64
file0 = "speed.c"
t0 = int "int" signed 32
t1 = function (t0) -> t0
t2 = array t0[256]
global @table: t2 size 1024 align 4 = zero

func @loops(n: i32 t0) -> i32 : t1 {
bb0(%0: i32):
  jump bb1(i32 0, i32 12345, i32 0)
bb1(%1: i32, %2: i32, %3: i32):
  %4: i1 = slt %1, %0
  br %4, bb2(i32 0, %2, %3), bb5
bb2(%5: i32, %6: i32, %7: i32):
  %8: i1 = slt %5, i32 256
  br %8, bb3, bb4
bb3:
  %9: i32 = mul %6, i32 1103515245
  %10: i32 = add %9, i32 12345
  %11: i32 = lshr %10, i32 16
  %12: i64 = sext i32 -> i64 %5
  check index_below i64 %12, i64 256
  %13: i64 = mul %12, i64 4
  %14: ptr = ptradd @table, %13
  %15: i32 = load %14 align 4
  %16: i32 = xor %15, %11
  %17: i32 = and %16, i32 1023
  store %14, %17 align 4
  check add_fits i32 %7, i32 1
  %18: i32 = add %7, i32 1
  check add_fits i32 %5, i32 1
  %19: i32 = add %5, i32 1
  jump bb2(%19, %10, %18)
bb4:
  check add_fits i32 %1, i32 1
  %20: i32 = add %1, i32 1
  jump bb1(%20, %6, %7)
bb5:
  ret %3
}

func @fib(n: i32 t0) -> i32 : t1 {
bb0(%0: i32):
  %1: i1 = slt %0, i32 2
  br %1, bb1, bb2
bb1:
  ret %0
bb2:
  check sub_fits i32 %0, i32 1
  %2: i32 = sub %0, i32 1
  %3: i32 = call @fib(%2)
  check sub_fits i32 %0, i32 2
  %4: i32 = sub %0, i32 2
  %5: i32 = call @fib(%4)
  check add_fits i32 %3, %5
  %6: i32 = add %3, %5
  ret %6
}

func @slots(n: i32 t0) -> i32 : t1 {
  slot0 = "i" t0 size 4 align 4
  slot1 = "s" t0 size 4 align 4
bb0(%0: i32):
  %1: ptr = slotaddr slot0
  store %1, i32 0 align 4
  %2: ptr = slotaddr slot1
  store %2, i32 0 align 4
  jump bb1
bb1:
  %3: ptr = slotaddr slot0
  %4: i32 = load %3 align 4
  %5: i1 = slt %4, %0
  br %5, bb2, bb3
bb2:
  %6: ptr = slotaddr slot1
  %7: i32 = load %6 align 4
  %8: i32 = add %7, %4
  store %6, %8 align 4
  check add_fits i32 %4, i32 1
  %9: i32 = add %4, i32 1
  store %3, %9 align 4
  jump bb1
bb3:
  %10: ptr = slotaddr slot1
  %11: i32 = load %10 align 4
  ret %11
}
"#;

fn main() {
    let module = parse(PROGRAM).expect("the program should parse");
    throughput(&module, "loops", 40_000);
    throughput(&module, "fib", 32);
    throughput(&module, "slots", 10_000_000);
    short_runs(&module);
}

fn throughput(module: &Module, name: &str, argument: u64) {
    let mut machine = Machine::new(module, Limits { steps: u64::MAX, ..Limits::default() });
    let func = module.function(name).expect("the function should exist");
    let start = Instant::now();
    let outcome = machine.run(func, &[argument], &mut ZeroInputs, &mut NoObserver);
    let seconds = start.elapsed().as_secs_f64();
    let millions = machine.steps() as f64 / 1e6;
    println!(
        "{name}({argument}): {} million steps in {seconds:.3} s: {:.0} million per second",
        millions.round(),
        millions / seconds
    );
    assert!(matches!(outcome, Outcome::Returned(Some(_))), "{outcome:?}");
}

fn short_runs(module: &Module) {
    let runs = 1_000_000;
    let mut machine = Machine::new(module, Limits::default());
    let func = module.function("fib").expect("the function should exist");
    let start = Instant::now();
    for n in 0..runs {
        machine.reset();
        machine.run(func, &[n % 4], &mut ZeroInputs, &mut NoObserver);
    }
    println!("{:.2} million short runs per second", runs as f64 / start.elapsed().as_secs_f64() / 1e6);
}
