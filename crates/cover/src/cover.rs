//! A function from goals to tests.

use std::collections::BTreeMap;
use std::time::Instant;

use quipu_analysis::CallGraph;
use quipu_cfront::{Program, SourceText};
use quipu_goals::{BitSet, Candidate, Criterion, GoalId, Goals, Ledger, SourceFiles, select};
use quipu_inputs::{Inputs, Interface, ZeroFill, is_outside};
use quipu_interp::{SourceSteps, Step};
use quipu_ir::Func;

use crate::burst::burst;
use crate::clock::Clock;
use crate::options::Options;
use crate::pool::{Found, Pool};
use crate::prover::Contradiction;
use crate::report::{FunctionReport, Reason, ReplayOutcome, Spare, Statistics, Test, Verdict};
use crate::shrink::{cost, simplify};
use crate::solving::solve;
use crate::subject::{Bench, Subject, gates};

/// Finds tests and proofs for the wanted goals of a function. The tests are not replayed yet.
///
/// # Errors
///
/// If no input satisfies the preconditions.
pub fn cover(
    program: &Program,
    subject: &Subject,
    goals: Goals,
    wanted: &[GoalId],
    options: &Options,
) -> Result<FunctionReport, Contradiction> {
    let module = &program.module;
    let interface = &subject.interface;
    let gates = gates(subject);
    let start = Instant::now();
    let clock = Clock::start(options);
    let mut statistics = Statistics::default();
    let bench = Bench::new(module, subject, &gates, options);
    let mut pool = Pool::new(bench, &goals, wanted.to_vec());
    burst(&mut pool, module, interface, options);
    statistics.burst_seconds = start.elapsed().as_secs_f64();

    let solving = Instant::now();
    let mut verdicts = BTreeMap::new();
    let mut report_interface = interface.clone();
    if !pool.is_complete() {
        let solved = solve(module, subject, options, &clock, &mut pool)?;
        (statistics.questions, statistics.encodings) = (solved.questions, solved.encodings);
        statistics.terms = solved.terms;
        for granted in solved.granted {
            report_interface.assume(granted);
        }
        verdicts =
            solved.verdicts.into_iter().map(|(goal, verdict)| (goal, subject.doubted(verdict))).collect();
    }
    statistics.solve_seconds = solving.elapsed().as_secs_f64();

    let (kept, spare, minimal) = suite(&mut pool, interface, options.shrink);
    statistics.runs = pool.runs();
    let mut tests: Vec<Test> = Vec::new();
    let mut bench = Bench::new(module, subject, &gates, options);
    for found in &kept {
        tests.push(observe(program, &mut bench, &found.inputs, &found.items));
    }
    let proved = verdicts;
    let verdicts = verdicts_of(&goals, &mut tests, &proved, &Reason::Disagreement);
    Ok(FunctionReport {
        func: interface.func,
        interface: report_interface,
        goals,
        verdicts,
        paths: Vec::new(),
        tests,
        disagreements: Vec::new(),
        spare,
        proved,
        minimal,
        notes: Vec::new(),
        statistics,
    })
}

/// The goals of a function and of those that it calls, up to the depth wanted.
pub fn goals_of(program: &Program, func: Func, options: &Options) -> Goals {
    let module = &program.module;
    let calls = CallGraph::compute(module);
    let mut funcs = vec![func];
    let mut last = vec![func];
    for _ in 0..options.depth {
        if last.is_empty() {
            break;
        }
        let callees = last.iter().flat_map(|&caller| calls.sites_in(caller)).flat_map(|site| &site.callees);
        let is_own =
            |callee: &Func| module.functions[*callee].code().is_some() && !is_outside(module, *callee);
        let mut next: Vec<Func> = callees.copied().filter(is_own).collect();
        next.retain(|callee| !funcs.contains(callee));
        next.sort_unstable();
        next.dedup();
        funcs.extend(&next);
        last = next;
    }
    let sources = SourceFiles::new(program.sources.iter().map(SourceText::bytes));
    let goals = Goals::of(module, &sources, &funcs, &options.criteria);
    let wants_calls = options.criteria.iter().any(|&criterion| criterion != Criterion::Undefined);
    match goals.all().is_empty() && !options.paths && wants_calls {
        // A function without decisions should be called at least.
        true => Goals::of(module, &sources, &funcs, &[Criterion::Decision]),
        false => goals,
    }
}

/// The tests to keep, with simple values, in a fixed order; and whether there is no smaller choice.
fn suite(pool: &mut Pool<'_>, interface: &Interface, shrink: bool) -> (Vec<Found>, Vec<Spare>, bool) {
    let goals = pool.goals();
    let mut found = std::mem::take(&mut pool.found);
    // A test that is not clean is only kept for goals that no clean one meets.
    let price = |test: &Found| cost(interface, &test.inputs) + if test.clean { 0 } else { 1_000_000 };
    let spare =
        found.iter().map(|test| Spare { inputs: test.inputs.clone(), items: test.items.clone() }).collect();
    let (mut kept, mut minimal) = choose(goals, &found, &price);
    if shrink {
        let mut simple: Vec<Found> = kept.iter().map(|&n| found[n].clone()).collect();
        simple.iter_mut().for_each(|test| simplify(pool, interface, test));
        // Simpler values may show more, so that another test is not needed any more.
        simple.append(&mut found);
        found = simple;
        (kept, minimal) = choose(goals, &found, &price);
    }
    let mut kept: Vec<Found> = kept.into_iter().map(|n| found[n].clone()).collect();
    kept.sort_by_key(|test| (!test.clean, price(test), test.inputs.leaves.clone()));
    (kept, spare, minimal)
}

fn choose(goals: &Goals, found: &[Found], price: &dyn Fn(&Found) -> u64) -> (Vec<usize>, bool) {
    let clean: Vec<usize> = (0..found.len()).filter(|&n| found[n].clean).collect();
    let candidate = |n: &usize| Candidate { items: &found[*n].items, cost: price(&found[*n]) };
    let selection = select(goals, &clean.iter().map(candidate).collect::<Vec<_>>());
    let mut kept: Vec<usize> = selection.kept.iter().map(|&n| clean[n]).collect();
    let mut minimal = selection.minimal;
    let mut ledger = Ledger::new(goals);
    kept.iter().for_each(|&n| drop(ledger.add_test(&found[n].items)));
    for (n, test) in found.iter().enumerate().filter(|(_, test)| !test.clean) {
        if ledger.gains(&test.items) {
            ledger.add_test(&test.items);
            kept.push(n);
            minimal = false;
        }
    }
    (kept, minimal)
}

/// A test with everything that a run of it shows.
pub(crate) fn observe(program: &Program, bench: &mut Bench<'_>, inputs: &Inputs, items: &BitSet) -> Test {
    let mut steps = SourceSteps::new(&program.module, Vec::<Step>::new());
    let mut observation =
        bench.run(inputs, &mut ZeroFill, &mut steps).expect("a test satisfies preconditions");
    bench.look_elsewhere(inputs, &mut observation);
    Test {
        inputs: inputs.clone(),
        observation,
        steps: steps.into_sink(),
        items: items.clone(),
        covers: Vec::new(),
        path: None,
        replay: ReplayOutcome::NotRun(String::new()),
        sighting: None,
    }
}

/// The verdicts on all goals, given the tests that are left and what was proved about the others.
pub(crate) fn verdicts_of(
    goals: &Goals,
    tests: &mut [Test],
    proved: &BTreeMap<GoalId, Verdict>,
    otherwise: &Reason,
) -> Vec<Verdict> {
    let mut ledger = Ledger::new(goals);
    tests.iter_mut().for_each(|test| test.covers.clear());
    tests.iter().for_each(|test| drop(ledger.add_test(&test.items)));
    let mut verdicts = Vec::new();
    for goal in goals.all().iter() {
        if !ledger.is_covered(goal.id) {
            let proved = proved.get(&goal.id).cloned();
            verdicts.push(proved.unwrap_or_else(|| Verdict::GaveUp(otherwise.clone())));
            continue;
        }
        let mut by: Vec<usize> =
            (0..goal.parts.len()).flat_map(|part| ledger.covered_by(goal.id, part)).collect();
        by.sort_unstable();
        by.dedup();
        by.iter().for_each(|&test| tests[test].covers.push(goal.id));
        verdicts.push(Verdict::Covered { tests: by, independence: ledger.independence(goal.id) });
    }
    verdicts
}
