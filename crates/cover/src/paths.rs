//! Paths as goals: a test for each that can be taken, a proof for the others.

use quipu_analysis::{CallGraph, labels};
use quipu_cfront::Program;
use quipu_encode::{Cut, CutKind, Encoder, Encoding, PathStep, Paths, Unwinding, paths};
use quipu_goals::BitSet;
use quipu_inputs::{Assumption, Inputs, Interface, NothingMore, Request};
use quipu_interp::Observer;
use quipu_ir::{Block, Event, Func, FuncBody, Terminator};
use quipu_model::{Model, Term};
use quipu_solve::{Answer, Session, Solution};

use crate::attempt::why_not;
use crate::clock::Clock;
use crate::cover::observe;
use crate::judge::first_failure;
use crate::options::Options;
use crate::prover::{bounded, deepen};
use crate::record::Start;
use crate::report::{
    Exclusion, Explanation, FunctionReport, PathChoice, PathReport, Proof, Reason, Undefined, Verdict,
};
use crate::shrink::shrink;
use crate::subject::{Bench, Subject, gates, is_clean};

/// More paths are not looked at.
const MOST_PATHS: usize = 2000;

/// The paths of a function with at most the wanted turns of each loop, one by default.
pub fn all_paths(program: &Program, func: Func, options: &Options) -> Paths {
    let code = program.module.functions[func].code().expect("a function under test has code");
    paths(func, code, options.turns.unwrap_or(1), MOST_PATHS)
}

/// Adds paths of a function as goals.
pub fn cover_paths(
    program: &Program,
    subject: &Subject,
    report: &mut FunctionReport,
    paths: &Paths,
    options: &Options,
) {
    if matches!(options.start, Start::Finished(_)) {
        return;
    }
    let options = &options.trapping();
    let module = &program.module;
    let func = subject.interface.func;
    let code = module.functions[func].code().expect("a function under test has code");
    if paths.more {
        report.notes.push(format!("only the first {MOST_PATHS} paths were looked at"));
    }
    let gates = gates(subject);
    let mut finder = Finder {
        func,
        paths,
        bench: Bench::new(module, subject, &gates, options),
        found: vec![None; paths.paths.len()],
    };
    let inputs: Vec<Inputs> = report.tests.iter().map(|test| test.inputs.clone()).collect();
    let spare: Vec<Inputs> = report.spare.iter().map(|test| test.inputs.clone()).collect();
    inputs.iter().chain(&spare).for_each(|inputs| finder.try_inputs(inputs));
    let clock = Clock::start(options);
    let verdicts = match &options.start {
        Start::Afresh => solve(program, subject, &mut finder, options, &clock),
        Start::Broken(known) => vec![Some(Verdict::GaveUp(known.reason.clone())); finder.found.len()],
        Start::Finished(_) => unreachable!("paths are known then"),
    };
    let clock = clock.for_shrinking(options);
    for (number, verdict) in verdicts.into_iter().enumerate() {
        let verdict = match finder.found[number].clone() {
            Some(mut inputs) => {
                // Inputs of a test that is there already cost nothing.
                if options.shrink && report.tests.iter().all(|test| test.inputs != inputs) {
                    finder.simplify(&subject.interface, number, &mut inputs, &clock);
                }
                let test = test_with(program, &mut finder.bench, report, &inputs);
                report.tests[test].path = Some(number);
                Verdict::Covered { tests: vec![test], independence: None }
            }
            None => subject.doubted(verdict.expect("a path without a test has a verdict")),
        };
        report.paths.push(PathReport { steps: described(code, &paths.paths[number]), verdict });
    }
}

/// The number of the test with these inputs, a new one if need be.
fn test_with(
    program: &Program,
    bench: &mut Bench<'_>,
    report: &mut FunctionReport,
    inputs: &Inputs,
) -> usize {
    if let Some(known) = report.tests.iter().position(|test| test.inputs == *inputs) {
        return known;
    }
    let mut credit = quipu_goals::Credit::new(&report.goals);
    if let Some(observation) = bench.run(inputs, &mut NothingMore, &mut credit) {
        credit.ended(&observation.outcome);
    }
    let items: BitSet = credit.items().clone();
    report.tests.push(observe(program, bench, inputs, &items));
    report.tests.len() - 1
}

/// Looks which path inputs take.
struct Finder<'a> {
    func: Func,
    paths: &'a Paths,
    bench: Bench<'a>,
    /// Inputs for each path.
    found: Vec<Option<Inputs>>,
}

impl Finder<'_> {
    fn try_inputs(&mut self, inputs: &Inputs) {
        if let Some((path, _)) = self.path_of(inputs)
            && self.found[path].is_none()
        {
            self.found[path] = Some(inputs.clone());
        }
    }

    /// The path that inputs take in a clean run, and what the environment is asked for.
    fn path_of(&mut self, inputs: &Inputs) -> Option<(usize, Vec<Request>)> {
        let mut taken = Taken { func: self.func, paths: self.paths, depth: 0, edges: Vec::new() };
        let observation = self.bench.run(inputs, &mut NothingMore, &mut taken)?;
        let path = self.paths.of_run(&taken.edges).filter(|_| is_clean(&observation.outcome))?;
        Some((path, observation.requests))
    }

    /// Makes inputs simpler that take a path.
    fn simplify(&mut self, interface: &Interface, number: usize, inputs: &mut Inputs, clock: &Clock) {
        shrink(interface, inputs, clock, &mut |other| {
            let (path, requests) = self.path_of(other)?;
            (path == number).then_some(requests)
        });
    }
}

/// The steps of a run in the function under test itself, not in calls of it.
struct Taken<'a> {
    func: Func,
    paths: &'a Paths,
    depth: usize,
    edges: Vec<(Block, usize)>,
}

impl Observer for Taken<'_> {
    fn edge(&mut self, func: Func, block: Block, edge: usize) {
        if self.depth == 1 && func == self.func && self.paths.is_step(block, edge) {
            self.edges.push((block, edge));
        }
    }

    fn enter(&mut self, _func: Func) {
        self.depth += 1;
    }

    fn leave(&mut self, _func: Func) {
        self.depth -= 1;
    }
}

/// Asks for every path that no test takes yet, deeper and deeper into what the function calls.
fn solve(
    program: &Program,
    subject: &Subject,
    finder: &mut Finder<'_>,
    options: &Options,
    clock: &Clock,
) -> Vec<Option<Verdict>> {
    let func = subject.interface.func;
    let mut session = clock.session(Model::new(), options);
    let mut encoder = Encoder::new(&program.module, &subject.interface, subject.preconditions.clone());
    // Loops in callees are not limited by the path.
    let mut unwinding = Unwinding { turns: finder.paths.turns.max(8), ..clock.unwinding(options) };
    let mut verdicts: Vec<Option<Verdict>> = vec![None; finder.found.len()];
    loop {
        let encoding = encoder.encode(session.model_mut(), &unwinding);
        encoding.assumptions.iter().for_each(|&term| session.assert(term));
        encoding.checks.iter().for_each(|check| session.assert(check.clean));
        let elsewhere = cuts_elsewhere(program, func, &encoding, &mut session);
        let mut open = false;
        for (number, verdict) in verdicts.iter_mut().enumerate() {
            let is_open = matches!(verdict, None | Some(Verdict::UnreachableToBound(_)));
            if finder.found[number].is_some() || !is_open {
                continue;
            }
            match ask(&mut session, &encoding, &elsewhere, finder, number) {
                Ok(answer) => *verdict = answer,
                // What was shown up to some bound holds even if the search for more was not finished.
                Err(reason) => {
                    let gave_up = Verdict::GaveUp(clock.stopped().unwrap_or(reason));
                    verdict.get_or_insert(gave_up);
                }
            }
            open |= matches!(verdict, Some(Verdict::UnreachableToBound(_)));
        }
        if !open || clock.stopped().is_some() || !deepen(&mut unwinding, elsewhere) {
            let dirty = Unwinding { indeterminate: true, ..unwinding };
            tell_undefined(program, subject, finder.paths, &dirty, &mut verdicts, || {
                clock.session(Model::new(), options)
            });
            let assumed = subject.interface.assumptions.iter().chain(&encoding.granted);
            let ours: Vec<Assumption> = assumed.filter(|one| one.is_ours()).cloned().collect();
            return verdicts.into_iter().map(|verdict| verdict.map(|one| under(one, &ours))).collect();
        }
    }
}

/// Asks for one path, in runs that were followed to their end: none if one was found.
fn ask(
    session: &mut Session<'_>,
    encoding: &Encoding,
    elsewhere: &[&Cut],
    finder: &mut Finder<'_>,
    number: usize,
) -> Result<Option<Verdict>, Reason> {
    let path = &finder.paths.paths[number];
    let Some(mut terms) = terms_of(session.model_mut(), finder.func, encoding, path) else {
        return Ok(Some(infeasible(elsewhere)));
    };
    terms.extend(elsewhere.iter().map(|cut| session.model_mut().not(cut.when)));
    match session.solve_under(&terms) {
        Answer::Infeasible => Ok(Some(infeasible(elsewhere))),
        Answer::GaveUp(_) => Err(Reason::Effort),
        Answer::Solution(solution) => {
            finder.try_inputs(&encoding.inputs(session.model(), &solution));
            match finder.found[number] {
                Some(_) => Ok(None),
                None => Err(why_not(session.model(), encoding, &solution)),
            }
        }
    }
}

/// A path that no clean run takes may be taken by runs that have done something undefined before, with any value where
/// nothing was written: then it is called so.
fn tell_undefined<'s>(
    program: &Program,
    subject: &Subject,
    paths: &Paths,
    unwinding: &Unwinding,
    verdicts: &mut [Option<Verdict>],
    session: impl FnOnce() -> Session<'s>,
) {
    if !verdicts.iter().any(|verdict| matches!(verdict, Some(Verdict::Unreachable(_)))) {
        return;
    }
    let (func, mut session) = (subject.interface.func, session());
    let mut encoder = Encoder::new(&program.module, &subject.interface, subject.preconditions.clone());
    let encoding = encoder.encode(session.model_mut(), unwinding);
    encoding.assumptions.iter().for_each(|&term| session.assert(term));
    let elsewhere = cuts_elsewhere(program, func, &encoding, &mut session);
    for (path, verdict) in paths.paths.iter().zip(verdicts) {
        let Some(Verdict::Unreachable(proof)) = verdict else { continue };
        let terms = terms_of(session.model_mut(), func, &encoding, path);
        let first = match terms.map(|terms| session.solve_under(&terms)) {
            None | Some(Answer::Infeasible) if elsewhere.is_empty() => continue,
            Some(Answer::Solution(solution)) => first_undefined(session.model(), &encoding, &solution),
            _ => None,
        };
        *verdict = Some(Verdict::AfterUndefined(proof.clone(), first));
    }
}

/// What goes wrong first in a run: a check, or else a read of what was never written.
fn first_undefined(model: &Model, encoding: &Encoding, solution: &Solution) -> Option<Undefined> {
    let event = Some(Event::UninitializedRead);
    let read = encoding.unwritten.first().map(|read| Undefined { event, func: read.func, span: read.span });
    first_failure(model, encoding, solution).or(read)
}

/// Where a run that takes one of the paths may not have been followed to its end. In the function itself the path says
/// how many turns each loop has, and the encoding allows as many; but there may be loops in what it calls.
fn cuts_elsewhere<'e>(
    program: &Program,
    func: Func,
    encoding: &'e Encoding,
    session: &mut Session<'_>,
) -> Vec<&'e Cut> {
    let recursive = CallGraph::compute(&program.module).is_recursive(func);
    let is_here = |cut: &Cut| cut.func == func && !recursive && matches!(cut.kind, CutKind::Loop { .. });
    let others = encoding.cuts.iter().filter(|cut| !is_here(cut));
    others.filter(|cut| !matches!(session.solve_under(&[cut.when]), Answer::Infeasible)).collect()
}

/// What is proved of a path may need any of the assumptions: nobody has asked which.
fn under(verdict: Verdict, ours: &[Assumption]) -> Verdict {
    match verdict {
        Verdict::Unreachable(proof) if !ours.is_empty() => {
            Verdict::Excluded(proof, Exclusion { by: ours.to_vec(), least: false })
        }
        verdict => verdict,
    }
}

/// No input takes a path, as far as the encoding goes.
fn infeasible(cuts: &[&Cut]) -> Verdict {
    match cuts.is_empty() {
        true => Verdict::Unreachable(Proof::Infeasible(Explanation::default())),
        false => bounded(cuts),
    }
}

/// The conditions of a path; none if a step of it was found impossible while encoding.
fn terms_of(model: &mut Model, func: Func, encoding: &Encoding, path: &[PathStep]) -> Option<Vec<Term>> {
    path.iter()
        .map(|step| {
            let visits =
                step.edges.iter().filter_map(|&(block, edge)| encoding.edges.get(&(func, block, edge)));
            let here = visits.flatten().filter(|visit| visit.context == step.context);
            let ways: Vec<Term> = here.map(|visit| visit.when).collect();
            (!ways.is_empty()).then(|| model.any(ways))
        })
        .collect()
}

/// A path for people.
fn described(code: &FuncBody, path: &[PathStep]) -> Vec<PathChoice> {
    let choice = |step: &PathStep| {
        let decision = &code.decisions[step.decision?];
        let (block, edge) = step.edges[0];
        let outcome = match &code.blocks[block].term {
            Terminator::Switch { .. } => labels::ways(code, block).swap_remove(edge),
            _ => (step.outcome == 1).to_string(),
        };
        Some(PathChoice { span: decision.span, text: decision.text.clone(), outcome })
    };
    path.iter().filter_map(choice).collect()
}
