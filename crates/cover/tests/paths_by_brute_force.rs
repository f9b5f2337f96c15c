//! Paths of random functions against all of their inputs. `QUIPU_PROGRAMS` sets how many functions, `QUIPU_FIRST` the
//! seed of the first one.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use quipu_cover::{
    FunctionReport, Options, PathReport, Reason, Uninitialized, Verdict, all_paths, cover, cover_paths,
    goals_of, is_clean,
};
use quipu_goals::Criterion;
use quipu_inputs::Inputs;
use quipu_interp::{SourceSteps, Step};
use quipu_ir::{Block, Decision, Func, FuncBody, Terminator};
use support::brute::{STEPS, Target, all_inputs};
use support::generator::{Config, case};
use support::{Failure, campaign};

const STRAIGHT: Config = Config {
    loops: false,
    calls: true,
    environment: false,
    nested: false,
    undefined: true,
    stops: true,
    jumps: false,
    statements: 4,
};

#[test]
fn paths_of_straight_functions() {
    attack("straight", &STRAIGHT, 25);
}

#[test]
fn paths_of_functions_with_loops() {
    attack("loops", &Config { loops: true, jumps: true, statements: 3, ..STRAIGHT }, 20);
}

/// A path by the lines, columns and outcomes of its decisions.
type Path = Vec<(u32, u32, String)>;

#[derive(Default, Debug)]
struct Tally {
    programs: u64,
    paths: u64,
    taken: u64,
    verdicts: BTreeMap<String, u64>,
    /// Paths that nothing takes, and what became of them.
    dead: BTreeMap<&'static str, u64>,
    twins: u64,
    too_many: u64,
    /// Paths behind calls that are too large to be followed.
    too_large: u64,
}

fn attack(name: &str, config: &Config, programs: u64) {
    let mut tally = Tally::default();
    let mut unused = Tally::default();
    campaign(name, programs, &|seed| case(seed, config), &mut |target, counts| {
        attack_one(target, if counts { &mut tally } else { &mut unused })
    });
    println!("{name}: {tally:#?}");
}

fn attack_one(target: &Target, tally: &mut Tally) -> Vec<Failure> {
    let Some(inputs) = all_inputs(&target.subject.interface) else { return Vec::new() };
    let seed = target.case.seed;
    let turns = 1 + seed % 3;
    let options = Options {
        criteria: vec![Criterion::Statement],
        steps: STEPS,
        turns: Some(turns),
        runs: if seed.is_multiple_of(2) { 200 } else { 0 },
        // Runs by brute force end where they read what was never written.
        uninitialized: Uninitialized::Trap,
        ..Options::default()
    };
    let goals = goals_of(&target.program, target.subject.interface.func, &options);
    let all: Vec<_> = goals.all().ids().collect();
    let Ok(mut report) = cover(&target.program, &target.subject, goals, &all, &options) else {
        return Vec::new();
    };
    let paths = all_paths(&target.program, target.subject.interface.func, &options);
    cover_paths(&target.program, &target.subject, &mut report, &paths, &options);
    let taken = taken(target, &inputs);
    tally.programs += 1;
    tally.taken += taken.len() as u64;
    compare(target, &report, &taken, turns, tally)
}

/// The paths that clean runs take.
fn taken(target: &Target, inputs: &[Inputs]) -> BTreeSet<Path> {
    let mut runner = target.runner();
    let paths = inputs.iter().filter_map(|inputs| path_of(target, &mut runner, inputs));
    paths.collect()
}

/// The path of a run; none if it is not clean.
fn path_of(target: &Target, runner: &mut quipu_inputs::Runner<'_>, inputs: &Inputs) -> Option<Path> {
    let mut steps = SourceSteps::new(&target.program.module, Vec::<Step>::new());
    let outcome = runner.run(inputs, &mut steps).outcome;
    is_clean(&outcome).then(|| path(target, &steps.into_sink()))
}

fn path(target: &Target, steps: &[Step]) -> Path {
    let func: Func = target.subject.interface.func;
    let code = target.program.module.functions[func].code().expect("it has code");
    let mut depth = 0;
    let mut path = Path::new();
    let mut add = |decision: Decision, outcome: String| {
        let span = code.decisions[decision].span;
        path.push((span.line, span.column, outcome));
    };
    for step in steps {
        match *step {
            Step::Enter(_) => depth += 1,
            Step::Leave(_) => depth -= 1,
            Step::Cond(_, cond, _, Some(outcome)) if depth == 1 => {
                add(code.conds[cond].decision, outcome.to_string());
            }
            Step::Switch(_, decision, arm) if depth == 1 => add(decision, arm_text(code, decision, arm)),
            _ => {}
        }
    }
    path
}

fn arm_text(code: &FuncBody, wanted: Decision, arm: usize) -> String {
    let decides = |block: &Block| match &code.blocks[*block].term {
        Terminator::Switch { decision, .. } => *decision == Some(wanted),
        _ => false,
    };
    let block = code.blocks.ids().find(decides).expect("the switch is there");
    quipu_analysis::labels::ways(code, block).swap_remove(arm)
}

fn compare(
    target: &Target,
    report: &FunctionReport,
    taken: &BTreeSet<Path>,
    turns: u64,
    tally: &mut Tally,
) -> Vec<Failure> {
    let mut failures = Vec::new();
    let mut fail = |kind: &'static str, path: &Path, more: &str| {
        failures.push(Failure { kind, text: format!("[{turns} turns] {kind}: {path:?} {more}") });
    };
    let mut listed: BTreeMap<Path, Vec<&Verdict>> = BTreeMap::new();
    let mut runner = target.runner();
    for PathReport { steps, verdict } in &report.paths {
        let choice =
            |step: &quipu_cover::PathChoice| (step.span.line, step.span.column, step.outcome.clone());
        let path: Path = steps.iter().map(choice).collect();
        *tally.verdicts.entry(verdict.name().to_string()).or_default() += 1;
        tally.paths += 1;
        if let Verdict::Covered { tests, .. } = verdict
            && tests
                .iter()
                .any(|&test| path_of(target, &mut runner, &report.tests[test].inputs).as_ref() != Some(&path))
        {
            fail("its test does not take the path", &path, "");
        }
        listed.entry(path).or_default().push(verdict);
    }
    for (path, verdicts) in &listed {
        tally.twins += verdicts.len() as u64 - 1;
        let is_taken = taken.contains(path);
        let covered = verdicts.iter().any(|verdict| matches!(verdict, Verdict::Covered { .. }));
        let open = verdicts
            .iter()
            .any(|verdict| matches!(verdict, Verdict::UnreachableToBound(_) | Verdict::GaveUp(_)));
        if !is_taken {
            *tally.dead.entry(verdicts[0].name()).or_default() += 1;
        }
        if covered && !is_taken || is_taken && !covered && !open {
            fail("the verdict is wrong", path, &format!("is taken: {is_taken}, but {verdicts:?}"));
        } else if verdicts.iter().any(|verdict| matches!(verdict, Verdict::GaveUp(Reason::Size))) {
            tally.too_large += 1;
        } else if is_taken && !covered {
            fail("taken, but nothing is known", path, &format!("{verdicts:?}"));
        }
    }
    if !report.notes.is_empty() {
        tally.too_many += 1;
        return failures;
    }
    for path in taken.iter().filter(|path| is_short(path, turns) && !listed.contains_key(*path)) {
        fail("taken, but not listed", path, "");
    }
    failures
}

/// Whether no loop can turn more often than this: no decision comes back more often.
fn is_short(path: &Path, turns: u64) -> bool {
    path.iter().all(|(line, column, _)| {
        path.iter().filter(|step| (step.0, step.1) == (*line, *column)).count() as u64 <= turns
    })
}
