//! Compares what an encoding says with what the interpreter does, on made-up inputs.

use std::collections::BTreeSet;

use quipu_encode::{Encoder, Encoding, Unwinding};
use quipu_inputs::{Interface, Runner, Shapes};
use quipu_interp::{Limits, Observer, Outcome};
use quipu_ir::{Block, Func, Module};
use quipu_model::{Assignment, Evaluation, Model, VarInfo};

#[derive(Default)]
struct Edges(BTreeSet<(Func, Block, usize)>);

impl Observer for Edges {
    fn edge(&mut self, func: Func, block: Block, edge: usize) {
        self.0.insert((func, block, edge));
    }
}

/// A small generator of numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A value for a variable: often small, sometimes anything.
    fn value(&mut self, info: &VarInfo) -> u64 {
        let bits = match self.next() % 4 {
            0 => self.next(),
            1 => (self.next() % 21).wrapping_sub(10),
            2 => self.next() % 200,
            _ => self.next() % 4,
        };
        let bits = info.width.wrap(bits);
        match info.range {
            Some((low, high)) if !info.allows(bits) => {
                let size = info.width.wrap(high.wrapping_sub(low)).saturating_add(1);
                info.width.wrap(low.wrapping_add(self.next() % size.max(1)))
            }
            _ => bits,
        }
    }
}

pub fn compile(source: &str) -> Module {
    let options = quipu_cfront::Options::default();
    quipu_cfront::compile_source("test.c", source.as_bytes().to_vec(), &options).expect("it compiles").module
}

/// Compares on many inputs; returns how many runs could be compared.
pub fn agree(source: &str, function: &str, runs: usize) -> usize {
    let module = compile(source);
    let func = module.function(function).expect("the function exists");
    let unwinding = Unwinding { turns: 12, recursion: 12, ..Unwinding::default() };
    agree_on(&module, func, source, runs, &unwinding)
}

/// As [`agree`], for a function of a module.
pub fn agree_on(module: &Module, func: Func, source: &str, runs: usize, unwinding: &Unwinding) -> usize {
    let interface = Interface::of(module, func, &Shapes::default());
    let mut model = Model::new();
    let mut encoder = Encoder::new(module, &interface, Vec::new());
    let encoding = encoder.encode(&mut model, unwinding);
    let limits = Limits { steps: 100_000, depth: 1000, ..Limits::default() };
    let mut runner = Runner::new(module, &interface, limits);
    let mut random = Random(0x1234_5678_9abc_def1);
    (0..runs).filter(|_| same(module, &model, &encoding, &mut runner, &mut random, source)).count()
}

fn same(
    module: &Module,
    model: &Model,
    encoding: &Encoding,
    runner: &mut Runner<'_>,
    random: &mut Random,
    source: &str,
) -> bool {
    let assignment: Assignment = model.vars().iter().map(|info| random.value(info)).collect();
    let mut evaluation = Evaluation::new(model, &assignment);
    let inputs = encoding.inputs(model, &assignment);
    let mut edges = Edges::default();
    let observation = runner.run(&inputs, &mut edges);
    if encoding.approximations.iter().any(|item| evaluation.value(item.when) == 1) {
        return false;
    }
    let counts = encoding.assumptions.iter().all(|&term| evaluation.value(term) == 1);
    assert_eq!(counts, observation.outcome != Outcome::AssumptionFailed, "{inputs:?}\n{source}");
    if !counts {
        return false;
    }
    let cut = encoding.cuts.iter().any(|cut| evaluation.value(cut.when) == 1);
    let first_bad = encoding.checks.iter().position(|check| evaluation.value(check.clean) == 0);
    let said: BTreeSet<(Func, Block, usize)> = encoding
        .edges
        .iter()
        .filter(|(_, visits)| {
            visits.iter().any(|visit| {
                evaluation.value(visit.when) == 1 && first_bad.is_none_or(|bad| visit.n_checks <= bad)
            })
        })
        .map(|(&edge, _)| edge)
        .collect();
    let clean = !matches!(
        observation.outcome,
        Outcome::Event { .. } | Outcome::AssertionFailed { .. } | Outcome::Aborted
    );
    if cut || matches!(observation.outcome, Outcome::LimitReached(_)) {
        return false;
    }
    assert!(
        said == edges.0,
        "{inputs:?} -> {:?}\nsaid {said:?}\ntook {:?}\n{}\n{source}",
        observation.outcome,
        edges.0,
        quipu_ir::print(module)
    );
    let bad = first_bad.map(|n| &encoding.checks[n]);
    assert_eq!(clean, bad.is_none(), "{inputs:?} -> {:?}, {bad:?}\n{source}", observation.outcome);
    true
}
