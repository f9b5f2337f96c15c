//! Measures goals on a C file: how long it takes to list them, and how fast runs of one of its functions are with and
//! without a credit. `burst FILE [FUNCTION]`; the function gets random arguments.

use std::path::PathBuf;
use std::time::Instant;

use quipu_goals::{Credit, Criterion, Goals, Ledger, SourceFiles};
use quipu_interp::{Limits, Machine, NoObserver, Observer, ZeroInputs};
use quipu_ir::{Func, Module};

const RUNS: u64 = 100_000;

fn main() {
    let mut args = std::env::args().skip(1);
    let file = PathBuf::from(args.next().expect("a C file should be named"));
    let program = quipu_cfront::compile(&[file], &quipu_cfront::Options::default());
    let program = program.unwrap_or_else(|failure| panic!("{failure}"));
    let module = &program.module;
    let sources = SourceFiles::new(program.sources.iter().map(|source| source.bytes.as_slice()));
    let with_code = module.functions.entries().filter(|(_, function)| function.code().is_some());
    let functions: Vec<Func> = with_code.map(|(func, _)| func).collect();
    let criteria = Criterion::ALL.map(|(criterion, _)| criterion);
    let start = Instant::now();
    let goals = Goals::of(module, &sources, &functions, &criteria);
    let (n, failed) = (goals.all().len(), goals.not_analysed().len());
    println!(
        "{n} goals of {} functions in {:?}, {failed} decisions too large",
        functions.len(),
        start.elapsed()
    );
    if let Some(func) = args.next().map(|name| module.function(&name).expect("the function should exist")) {
        burst("no observer", module, func, &mut NoObserver, |_| {});
        let mut ledger = Ledger::new(&goals);
        burst("credit and ledger", module, func, &mut Credit::new(&goals), |credit| {
            if ledger.gains(credit.items()) {
                ledger.add_test(credit.items());
            }
            credit.clear();
        });
        println!("{} tests cover {} goals", ledger.tests(), ledger.covered());
    }
}

fn burst<O: Observer>(
    what: &str,
    module: &Module,
    func: Func,
    observer: &mut O,
    mut after: impl FnMut(&mut O),
) {
    let mut machine = Machine::new(module, Limits { steps: 100_000, ..Limits::default() });
    let widths: Vec<_> = module.functions[func].params.iter().filter_map(|param| param.ty.width()).collect();
    let mut state = 1u64;
    let start = Instant::now();
    for _ in 0..RUNS {
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % 100
        };
        let args: Vec<u64> = widths.iter().map(|width| width.wrap(next())).collect();
        machine.reset();
        machine.run(func, &args, &mut ZeroInputs, observer);
        after(observer);
    }
    println!("{what}: {:.2} million runs per second", RUNS as f64 / 1e6 / start.elapsed().as_secs_f64());
}
