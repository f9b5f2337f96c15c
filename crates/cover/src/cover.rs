//! A function from goals to tests.

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use quipu_analysis::CallGraph;
use quipu_cfront::{Program, SourceText};
use quipu_goals::{BitSet, Candidate, Criterion, GoalId, Goals, Ledger, SourceFiles, select};
use quipu_inputs::{Inputs, Interface, NothingMore, is_outside};
use quipu_interp::{SourceSteps, Step, Unwritten};
use quipu_ir::{Func, Module};

use crate::burst::burst;
use crate::clock::Clock;
use crate::explore::explore;
use crate::options::Options;
use crate::pool::{Found, Pool};
use crate::prover::Contradiction;
use crate::record::{Known, News, Start};
use crate::report::{FunctionReport, Reason, ReplayOutcome, Spare, Statistics, Test, Verdict};
use crate::shrink::{cost, simplify};
use crate::solving::{Solved, solve};
use crate::subject::{Bench, Subject, gates};
use crate::uninitialized::{first_rounds, second_round};

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
    cover_from(program, subject, goals, wanted, options, Earlier::default())
}

/// What is known about a function before it is covered.
#[derive(Default)]
pub(crate) struct Earlier {
    /// Inputs that are tests.
    pub seeds: Vec<Inputs>,
    /// Verdicts that stay.
    pub decided: BTreeMap<GoalId, Verdict>,
    /// Verdicts on goals that are asked about once more, which stay if nothing comes of it.
    pub open: BTreeMap<GoalId, Verdict>,
}

/// As [`cover`], going on from what is known.
pub(crate) fn cover_from(
    program: &Program,
    subject: &Subject,
    goals: Goals,
    wanted: &[GoalId],
    options: &Options,
    earlier: Earlier,
) -> Result<FunctionReport, Contradiction> {
    if let Start::Finished(saved) = &options.start {
        return Ok(saved.report(program, subject, goals, options));
    }
    let module = &program.module;
    let interface = &subject.interface;
    let gates = gates(subject);
    let clock = Clock::start(options);
    let wanted: Vec<GoalId> =
        wanted.iter().copied().filter(|goal| !earlier.decided.contains_key(goal)).collect();
    let asked = Asked { wanted: &wanted, seeds: &earlier.seeds };
    let searched = search_in_rounds(module, subject, &gates, &goals, &asked, options, &clock)?;
    let Searched { pools, solved, mut statistics } = searched;
    let mut report_interface = interface.clone();
    for granted in solved.granted {
        report_interface.assume(granted);
    }
    let mut proved = earlier.decided;
    for (goal, verdict) in solved.verdicts {
        let known = earlier.open.get(&goal).filter(|_| matches!(verdict, Verdict::GaveUp(_))).cloned();
        proved.insert(goal, known.unwrap_or_else(|| subject.doubted(verdict)));
    }

    let shrinking = options.shrink.then(|| clock.for_shrinking(options));
    let Suite { kept, spare, minimal, runs } = suite_of_all(pools, &goals, interface, shrinking.as_ref());
    statistics.runs = runs;
    let mut tests: Vec<Test> = Vec::new();
    let mut bench = Bench::new(module, subject, &gates, options);
    for found in &kept {
        tests.push(observe(program, &mut bench, &found.inputs, &found.items));
    }
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
        always_undefined: solved.always_undefined,
        minimal,
        notes: Vec::new(),
        statistics,
    })
}

/// What a search has found.
struct Searched<'m> {
    /// The tests of each round.
    pools: Vec<Pool<'m>>,
    solved: Solved,
    statistics: Statistics,
}

/// What a search is asked for.
struct Asked<'a> {
    wanted: &'a [GoalId],
    /// Inputs that it starts with.
    seeds: &'a [Inputs],
}

/// Searches with one meaning of reads of unwritten memory, and with the other one if that may find more.
fn search_in_rounds<'m>(
    module: &'m Module,
    subject: &'m Subject,
    gates: &'m [Interface],
    goals: &'m Goals,
    asked: &Asked<'_>,
    options: &Options,
    clock: &Clock,
) -> Result<Searched<'m>, Contradiction> {
    let pool = |wanted: Vec<GoalId>, rule| {
        let bench = Bench::new(module, subject, gates, options);
        Pool::new(bench, goals, wanted).recorded(options.record.clone()).under(rule)
    };
    let mut found =
        Searched { pools: Vec::new(), solved: Solved::default(), statistics: Statistics::default() };
    if let Start::Broken(known) = &options.start {
        let mut pool = pool(asked.wanted.to_vec(), Unwritten::Trap);
        found.solved = resume(known, &mut pool);
        found.pools.push(pool);
        return Ok(found);
    }
    let mut rounds = VecDeque::from(first_rounds(goals, asked.wanted, options));
    while let Some(round) = rounds.pop_front() {
        let mut pool = pool(round.wanted, round.options.uninitialized.rule());
        for seed in asked.seeds {
            pool.try_inputs(seed);
        }
        let (solved, statistics) = search(module, subject, &round.options, clock, &mut pool)?;
        found.statistics.add(&statistics);
        if round.proves {
            rounds.extend(second_round(&pool, &solved, &round.options));
            found.solved.join(solved);
        }
        found.pools.push(pool);
    }
    Ok(found)
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
    explore(pool, module, subject, options, clock);
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
    // Tests of a smaller shape do not fit.
    let is_deepening = |news: &News| matches!(news, News::Deepened(_));
    let fitting = known.news.iter().rposition(is_deepening).unwrap_or(0);
    for (n, news) in known.news.iter().enumerate() {
        match news {
            News::Found(found) if n >= fitting => pool.keep(found.clone()),
            News::Found(_) | News::Deepened(_) => {}
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

/// The tests to keep.
struct Suite {
    kept: Vec<Found>,
    /// All tests found.
    spare: Vec<Spare>,
    /// Whether there is no smaller choice.
    minimal: bool,
    /// The runs of all searches.
    runs: u64,
}

/// The tests of several rounds. Those of a later one are only kept for what no earlier one shows.
fn suite_of_all(
    pools: Vec<Pool<'_>>,
    goals: &Goals,
    interface: &Interface,
    shrinking: Option<&Clock>,
) -> Suite {
    let several = pools.len() > 1;
    let mut all = Suite { kept: Vec::new(), spare: Vec::new(), minimal: true, runs: 0 };
    let mut ledger = Ledger::new(goals);
    for (n, mut pool) in pools.into_iter().enumerate() {
        let (kept, spare, minimal) = suite(&mut pool, interface, shrinking);
        for test in kept {
            if n == 0 || ledger.gains(&test.items) {
                ledger.add_test(&test.items);
                all.kept.push(test);
            }
        }
        all.spare.extend(spare);
        all.minimal &= minimal && n == 0;
        all.runs += pool.runs();
    }
    if several {
        drop_superfluous(goals, &mut all.kept);
    }
    all
}

/// Leaves out tests that are not clean and show nothing that others do not show, which may have come later.
fn drop_superfluous(goals: &Goals, kept: &mut Vec<Found>) {
    let mut n = 0;
    while n < kept.len() {
        let mut others = Ledger::new(goals);
        let rest = kept.iter().enumerate().filter(|(m, _)| *m != n);
        rest.for_each(|(_, test)| drop(others.add_test(&test.items)));
        match !kept[n].clean && !others.gains(&kept[n].items) {
            true => drop(kept.remove(n)),
            false => n += 1,
        }
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
        steady: true,
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
