//! A function from goals to tests.

use std::collections::BTreeMap;
use std::time::Instant;

use quipu_analysis::CallGraph;
use quipu_cfront::{Program, SourceText};
use quipu_goals::{BitSet, Candidate, Criterion, GoalId, Goals, Ledger, SourceFiles, select};
use quipu_inputs::{Inputs, Interface, NothingMore, is_outside};
use quipu_interp::{SourceSteps, Step};
use quipu_ir::{Func, Module};

use crate::burst::burst;
use crate::clock::Clock;
use crate::options::Options;
use crate::pool::{Found, Pool};
use crate::prover::Contradiction;
use crate::record::{Known, News, Start};
use crate::report::{FunctionReport, Reason, ReplayOutcome, Spare, Statistics, Test, Verdict};
use crate::shrink::{cost, simplify};
use crate::solving::{Solved, solve};
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
    if let Start::Finished(saved) = &options.start {
        return Ok(saved.report(program, subject, goals, options));
    }
    let module = &program.module;
    let interface = &subject.interface;
    let gates = gates(subject);
    let clock = Clock::start(options);
    let bench = Bench::new(module, subject, &gates, options);
    let mut pool = Pool::new(bench, &goals, wanted.to_vec()).recorded(options.record.clone());
    let (solved, mut statistics) = match &options.start {
        Start::Broken(known) => (resume(known, &mut pool), Statistics::default()),
        _ => search(module, subject, options, &clock, &mut pool)?,
    };
    let mut report_interface = interface.clone();
    for granted in solved.granted {
        report_interface.assume(granted);
    }
    let verdicts: BTreeMap<GoalId, Verdict> =
        solved.verdicts.into_iter().map(|(goal, verdict)| (goal, subject.doubted(verdict))).collect();

    let shrinking = options.shrink.then(|| clock.for_shrinking(options));
    let (kept, spare, minimal) = suite(&mut pool, interface, shrinking.as_ref());
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

/// Random inputs first, then the solvers.
fn search(
    module: &Module,
    subject: &Subject,
    options: &Options,
    clock: &Clock,
    pool: &mut Pool<'_>,
) -> Result<(Solved, Statistics), Contradiction> {
    let mut statistics = Statistics::default();
    let start = Instant::now();
    burst(pool, module, &subject.interface, options, clock);
    statistics.burst_seconds = start.elapsed().as_secs_f64();
    let solving = Instant::now();
    let mut solved = Solved::default();
    if !pool.is_complete() {
        solved = solve(module, subject, options, clock, pool)?;
        (statistics.questions, statistics.encodings) = (solved.questions, solved.encodings);
        statistics.terms = solved.terms;
    }
    statistics.solve_seconds = solving.elapsed().as_secs_f64();
    Ok((solved, statistics))
}

/// What was known when the work was ended; everything else is given up for the same reason.
fn resume(known: &Known, pool: &mut Pool<'_>) -> Solved {
    let mut solved = Solved::default();
    for news in &known.news {
        match news {
            News::Found(found) => pool.keep(found.clone()),
            News::Decided { goal, verdict, granted } => {
                solved.verdicts.insert(*goal, verdict.clone());
                solved.granted.extend(granted.iter().cloned());
            }
        }
    }
    for &goal in pool.wanted() {
        solved.verdicts.entry(goal).or_insert_with(|| Verdict::GaveUp(known.reason.clone()));
    }
    solved
}

/// The goals of a function and of those that it calls, up to the depth wanted.
pub fn goals_of(program: &Program, func: Func, options: &Options) -> Goals {
    let module = &program.module;
    // For a large program this takes long, and it is asked for each of its functions.
    let calls = (options.depth > 0).then(|| CallGraph::compute(module));
    let mut funcs = vec![func];
    let mut last = vec![func];
    for _ in 0..options.depth {
        if last.is_empty() {
            break;
        }
        let sites =
            last.iter().flat_map(|&caller| calls.iter().flat_map(move |calls| calls.sites_in(caller)));
        let callees = sites.flat_map(|site| &site.callees);
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
fn suite(
    pool: &mut Pool<'_>,
    interface: &Interface,
    shrinking: Option<&Clock>,
) -> (Vec<Found>, Vec<Spare>, bool) {
    let goals = pool.goals();
    let mut found = std::mem::take(&mut pool.found);
    // A test that is not clean is only kept for goals that no clean one meets.
    let price = |test: &Found| cost(interface, &test.inputs) + if test.clean { 0 } else { 1_000_000 };
    let spare =
        found.iter().map(|test| Spare { inputs: test.inputs.clone(), items: test.items.clone() }).collect();
    let (mut kept, mut minimal) = choose(goals, &found, &price);
    if let Some(clock) = shrinking {
        let mut simple: Vec<Found> = kept.iter().map(|&n| found[n].clone()).collect();
        simple.iter_mut().for_each(|test| simplify(pool, interface, test, clock));
        // Simpler values may show more, so that another test is not needed any more.
        let n_simple = simple.len();
        simple.append(&mut found);
        found = simple;
        (kept, minimal) = choose(goals, &found, &price);
        kept.iter()
            .filter(|&&n| n >= n_simple)
            .for_each(|&n| simplify(pool, interface, &mut found[n], clock));
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
        bench.run(inputs, &mut NothingMore, &mut steps).expect("a test satisfies preconditions");
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
