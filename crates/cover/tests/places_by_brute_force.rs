//! Places of random functions against all of their inputs: who gets there, and why nobody does. `QUIPU_PROGRAMS` sets
//! how many functions, `QUIPU_FIRST` the seed of the first one.

mod support;

use std::collections::HashSet;

use quipu_cover::{Conflicting, Options, Proof, Verdict, cover, goals_of, is_clean};
use quipu_goals::{BitSet, Credit, Criterion, Goal, Goals};
use quipu_inputs::Inputs;
use quipu_interp::{Observer, Outcome};
use quipu_ir::{Block, Func};
use support::brute::{STEPS, Target, all_inputs, meets};
use support::generator::{Config, case};
use support::places::{self, places};
use support::{Failure, campaign};

const STRAIGHT: Config = Config {
    loops: false,
    calls: false,
    environment: false,
    nested: true,
    undefined: true,
    stops: true,
    jumps: false,
    statements: 5,
};

/// More inputs are too many to be enumerated.
const MOST_INPUTS: usize = 1500;

#[test]
fn places_of_straight_functions() {
    attack("straight", &STRAIGHT, 15);
}

#[test]
fn places_of_functions_with_loops() {
    attack("loops", &Config { loops: true, jumps: true, calls: true, statements: 4, ..STRAIGHT }, 12);
}

#[derive(Default, Debug)]
struct Tally {
    programs: u64,
    places: places::Tally,
    conflicts: u64,
    /// Unreachable goals without an explanation.
    unexplained: u64,
    parts: u64,
}

fn attack(name: &str, config: &Config, programs: u64) {
    let straight = !config.loops && !config.calls;
    let mut tally = Tally::default();
    let mut unused = Tally::default();
    campaign(name, programs, &|seed| case(seed, config), &mut |target, counts| {
        attack_one(target, straight, if counts { &mut tally } else { &mut unused })
    });
    println!("{name}: {tally:#?}");
}

fn attack_one(target: &Target, straight: bool, tally: &mut Tally) -> Vec<Failure> {
    let mut failures = Vec::new();
    let inputs = all_inputs(&target.subject.interface).filter(|inputs| inputs.len() <= MOST_INPUTS);
    let Some(inputs) = inputs else { return failures };
    tally.programs += 1;
    let goals = options(vec![Criterion::Statement, Criterion::Branch, Criterion::Boundary]);
    places(target, &inputs, &goals, &mut tally.places, &mut failures);
    conflicts(target, &inputs, straight, tally, &mut failures);
    failures
}

fn options(criteria: Vec<Criterion>) -> Options {
    Options { criteria, steps: STEPS, ..Options::default() }
}

/// What clean runs take and show.
struct Run {
    leaves: Vec<u64>,
    items: BitSet,
    edges: HashSet<(Func, Block, usize)>,
    blocks: HashSet<(Func, Block)>,
}

impl Run {
    /// Whether it does all that a conflict calls impossible together. Runs here are clean and satisfy preconditions.
    fn does(&self, goals: &Goals, goal: &Goal, conflict: &[Conflicting]) -> bool {
        conflict.iter().all(|part| match *part {
            Conflicting::Edge { func, block, edge } => self.edges.contains(&(func, block, edge)),
            Conflicting::Reached { func, block } => self.blocks.contains(&(func, block)),
            Conflicting::Goal | Conflicting::Fails { .. } => meets(goals, goal, &self.items),
            Conflicting::Defined { .. } | Conflicting::Precondition => true,
        })
    }
}

/// Follows items and edges at once.
struct Both<'g> {
    credit: Credit<'g>,
    edges: HashSet<(Func, Block, usize)>,
    blocks: HashSet<(Func, Block)>,
}

impl Observer for Both<'_> {
    const COMPARES: bool = true;

    fn block(&mut self, func: Func, block: Block) {
        self.blocks.insert((func, block));
        self.credit.block(func, block);
    }

    fn edge(&mut self, func: Func, block: Block, edge: usize) {
        self.edges.insert((func, block, edge));
        self.credit.edge(func, block, edge);
    }

    fn stmt(&mut self, func: Func, stmt: quipu_ir::Stmt) {
        Observer::stmt(&mut self.credit, func, stmt);
    }

    fn enter(&mut self, func: Func) {
        self.credit.enter(func);
    }

    fn leave(&mut self, func: Func) {
        self.credit.leave(func);
    }

    fn compare(&mut self, func: Func, block: Block, inst: usize, a: u64, b: u64) {
        self.credit.compare(func, block, inst, a, b);
    }
}

fn clean_runs(target: &Target, goals: &Goals, inputs: &[Inputs]) -> Vec<Run> {
    let mut runner = target.runner();
    let mut runs = Vec::new();
    for inputs in inputs {
        let mut both = Both { credit: Credit::new(goals), edges: HashSet::new(), blocks: HashSet::new() };
        let outcome: Outcome = runner.run(inputs, &mut both).outcome;
        if is_clean(&outcome) {
            let items = both.credit.items().clone();
            runs.push(Run { leaves: inputs.leaves.clone(), items, edges: both.edges, blocks: both.blocks });
        }
    }
    runs
}

/// Why goals are unreachable: no clean run takes all of the edges told.
fn conflicts(
    target: &Target,
    inputs: &[Inputs],
    straight: bool,
    tally: &mut Tally,
    failures: &mut Vec<Failure>,
) {
    let options = options(vec![Criterion::Statement, Criterion::Branch, Criterion::Condition]);
    let goals = goals_of(&target.program, target.subject.interface.func, &options);
    let all: Vec<_> = goals.all().ids().collect();
    let runs = clean_runs(target, &goals, inputs);
    let Ok(report) = cover(&target.program, &target.subject, goals, &all, &options) else { return };
    for (goal, verdict) in report.goals.all().iter().zip(&report.verdicts) {
        let Verdict::Unreachable(Proof::Infeasible(explanation)) = verdict else { continue };
        let conflicts = &explanation.conflicts;
        tally.conflicts += 1;
        tally.unexplained += u64::from(conflicts.is_empty());
        for conflict in conflicts {
            tally.parts += conflict.len() as u64;
            // In loops and calls, edges may be taken in different turns.
            if straight && let Some(run) = runs.iter().find(|run| run.does(&report.goals, goal, conflict)) {
                let Goal { span, text, outcome, .. } = goal;
                let place = format!("{}:{} `{text}` {outcome}", span.line, span.column);
                let kind = "a run does all of a conflict";
                failures
                    .push(Failure { kind, text: format!("{kind}: {place}: {:?} {conflict:?}", run.leaves) });
            }
        }
    }
}
