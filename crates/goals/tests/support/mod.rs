//! Helpers of the tests: C text to goals, and runs.
#![allow(dead_code)]

use quipu_cfront::{Options, Program};
use quipu_goals::{BitSet, Credit, Criterion, Goals, McdcForm, SourceFiles};
use quipu_interp::{Limits, Machine, Observer, SourceSteps, ZeroInputs};
use quipu_ir::{Func, Module};

/// All criteria.
pub const ALL: [Criterion; 7] = [
    Criterion::Statement,
    Criterion::Branch,
    Criterion::Condition,
    Criterion::Decision,
    Criterion::Mcdc(McdcForm::Masking),
    Criterion::Mcdc(McdcForm::UniqueCause),
    Criterion::Boundary,
];

/// A program from C text.
pub fn compile(text: &str) -> Program {
    let program = quipu_cfront::compile_source("test.c", text.as_bytes().to_vec(), &Options::default());
    program.unwrap_or_else(|failure| panic!("{failure} in\n{text}"))
}

/// The functions with code.
pub fn functions(module: &Module) -> Vec<Func> {
    module
        .functions
        .entries()
        .filter(|(_, function)| function.code().is_some())
        .map(|(func, _)| func)
        .collect()
}

/// The goals of all functions of a program.
pub fn goals(program: &Program, criteria: &[Criterion]) -> Goals {
    let sources = SourceFiles::new(program.sources.iter().map(|source| source.bytes.as_slice()));
    Goals::of(&program.module, &sources, &functions(&program.module), criteria)
}

/// Runs a function from the start of the program.
pub fn run(module: &Module, name: &str, args: &[i64], observer: &mut impl Observer) {
    let mut machine = Machine::new(module, Limits { steps: 2_000_000, ..Limits::default() });
    let func = module.function(name).expect("the function should exist");
    let widths = module.functions[func].params.iter().map(|param| param.ty.width().expect("an integer"));
    let args: Vec<u64> = args.iter().zip(widths).map(|(&arg, width)| width.from_signed(arg)).collect();
    machine.run(func, &args, &mut ZeroInputs, observer);
}

/// What a run shows.
pub fn shows(program: &Program, goals: &Goals, name: &str, args: &[i64]) -> BitSet {
    let mut credit = Credit::new(goals);
    run(&program.module, name, args, &mut credit);
    credit.items().clone()
}

/// What the steps of a run show.
pub fn shows_by_steps(program: &Program, goals: &Goals, name: &str, args: &[i64]) -> BitSet {
    let mut steps = SourceSteps::new(&program.module, Credit::new(goals));
    run(&program.module, name, args, &mut steps);
    steps.into_sink().items().clone()
}
