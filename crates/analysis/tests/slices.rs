//! Slices do what their programs do at the places for which they are made: on random programs, how blocks are left in a
//! run is compared with how they are left in slices for single blocks. `QUIPU_PROGRAMS` sets how many programs,
//! `QUIPU_FIRST` the seed of the first one.

#[path = "points_to/programs.rs"]
mod programs;

use std::collections::BTreeMap;

use programs::pointer_program;
use quipu_analysis::{Scale, Slicer, Target};
use quipu_base::Random;
use quipu_interp::{Limits, Machine, Observer, ZeroInputs};
use quipu_ir::{Block, Func, InstKind, Module};
use quipu_testkit::generate::{Config, program, source};

/// So many blocks of each program are looked at.
const TARGETS: usize = 30;

#[test]
fn pointer_programs() {
    let tally = check_all(40, pointer_program, &["test", "main"]);
    assert!(tally.compared > 300 && tally.smaller * 2 > tally.compared, "{tally:?}");
}

#[test]
fn random_programs() {
    let text = |seed| source(&[program(seed, "p", &Config { max_cost: 1000, ..Config::default() })]);
    let tally = check_all(20, text, &["ptest"]);
    assert!(tally.compared > 100 && tally.smaller * 4 > tally.compared, "{tally:?}");
}

#[derive(Default, Debug)]
struct Tally {
    /// Programs of which no slice is to be had.
    refused: usize,
    compared: usize,
    /// Slices with fewer loops or calls.
    smaller: usize,
    /// Instructions of all programs, and those left.
    insts: usize,
    left: usize,
}

fn check_all(wanted: u64, text: impl Fn(u64) -> String, entries: &[&str]) -> Tally {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first: u64 = number("QUIPU_FIRST").unwrap_or(0);
    let mut tally = Tally::default();
    for seed in first..first + number("QUIPU_PROGRAMS").unwrap_or(wanted) {
        let text = text(seed);
        let options = quipu_cfront::Options::default();
        let compiled = quipu_cfront::compile_source("test.c", text.as_bytes().to_vec(), &options);
        let module = compiled.unwrap_or_else(|failure| panic!("{failure}\n{text}")).module;
        for entry in entries {
            let func = module.function(entry).expect("the entry exists");
            check(&module, func, seed, &text, &mut tally);
        }
    }
    println!("{tally:?}");
    tally
}

fn check(module: &Module, entry: Func, seed: u64, text: &str, tally: &mut Tally) {
    let Some(slicer) = Slicer::new(module, entry, &[], |_| false, || false) else {
        tally.refused += 1;
        return;
    };
    let ways = run(module, entry, 200_000);
    let mut blocks: Vec<(Func, Block)> = ways.keys().copied().collect();
    let mut random = Random::new(seed);
    while blocks.len() > TARGETS {
        blocks.swap_remove(random.below(blocks.len()));
    }
    let whole: Scale = slicer.scale(module);
    for (func, block) in blocks {
        let slice = slicer.slice(&[Target::Way(func, block)]);
        let context = || format!("seed {seed}, {} {block}", module.functions[func].name);
        if let Err(errors) = quipu_ir::verify(&slice) {
            panic!("{}: {}\n{text}", context(), errors[0]);
        }
        tally.compared += 1;
        tally.smaller += usize::from(slicer.scale(&slice).is_less_than(whole));
        tally.insts += size(module);
        tally.left += size(&slice);
        let found = run(&slice, entry, 400_000);
        let (wanted, found) = (&ways[&(func, block)], found.get(&(func, block)));
        let found = found.map_or(&[][..], Vec::as_slice);
        assert!(
            found.starts_with(wanted),
            "{}: it is left {} times, in the slice {} times, or otherwise\n{text}",
            context(),
            wanted.len(),
            found.len(),
        );
    }
}

fn size(module: &Module) -> usize {
    let bodies = module.functions.iter().filter_map(quipu_ir::Function::code);
    let insts = bodies.flat_map(|body| body.blocks.iter()).flat_map(|block| &block.insts);
    insts.filter(|inst| inst.kind != InstKind::Nothing).count()
}

/// How blocks are left in a run, one time after the other.
fn run(module: &Module, entry: Func, steps: u64) -> BTreeMap<(Func, Block), Vec<usize>> {
    let mut ways = Ways::default();
    let mut machine = Machine::new(module, Limits { steps, ..Limits::default() });
    let args = vec![0; module.functions[entry].params.len()];
    machine.run(entry, &args, &mut ZeroInputs, &mut ways);
    ways.0
}

#[derive(Default)]
struct Ways(BTreeMap<(Func, Block), Vec<usize>>);

impl Observer for Ways {
    fn edge(&mut self, func: Func, block: Block, edge: usize) {
        self.0.entry((func, block)).or_default().push(edge);
    }
}
