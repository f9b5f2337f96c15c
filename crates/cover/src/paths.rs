//! Paths as goals: a test for each that can be taken, a proof for the others.

use quipu_cfront::Program;
use quipu_encode::{Encoder, Encoding, PathStep, Paths, Unwinding, paths};
use quipu_goals::BitSet;
use quipu_inputs::{Inputs, ZeroFill};
use quipu_interp::Observer;
use quipu_ir::{Block, Func, FuncBody, Terminator};
use quipu_model::{Model, Term, WrittenBodies};
use quipu_solve::{Answer, Limit, Session};

use crate::cover::observe;
use crate::options::Options;
use crate::report::{Bound, FunctionReport, PathChoice, PathReport, Proof, Reason, Verdict};
use crate::subject::{Bench, Subject, gates, is_clean};

/// More paths are not looked at.
const MOST_PATHS: usize = 2000;

/// Adds the paths of a function with at most the wanted turns of each loop, one by default.
pub fn cover_paths(program: &Program, subject: &Subject, report: &mut FunctionReport, options: &Options) {
    let module = &program.module;
    let func = subject.interface.func;
    let code = module.functions[func].code().expect("a function under test has code");
    let turns = options.turns.unwrap_or(1);
    let all = paths(func, code, turns, MOST_PATHS);
    if all.more {
        report.notes.push(format!("only the first {MOST_PATHS} paths were looked at"));
    }
    let gates = gates(subject);
    let mut finder = Finder {
        func,
        paths: &all,
        bench: Bench::new(module, subject, &gates, options.steps),
        found: vec![None; all.paths.len()],
    };
    let inputs: Vec<Inputs> = report.tests.iter().map(|test| test.inputs.clone()).collect();
    let spare: Vec<Inputs> = report.spare.iter().map(|test| test.inputs.clone()).collect();
    inputs.iter().chain(&spare).for_each(|inputs| finder.try_inputs(inputs));
    let verdicts = solve(program, subject, &mut finder, options, turns);
    let Finder { mut bench, found, .. } = finder;
    for ((path, found), verdict) in all.paths.iter().zip(found).zip(verdicts) {
        let number = report.paths.len();
        let verdict = match found {
            Some(inputs) => {
                let test = test_with(program, &mut bench, report, &inputs);
                report.tests[test].path = Some(number);
                Verdict::Covered { tests: vec![test], independence: None }
            }
            None => verdict.unwrap_or(Verdict::GaveUp(Reason::Effort)),
        };
        report.paths.push(PathReport { steps: described(code, path), verdict });
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
    bench.run(inputs, &mut ZeroFill, &mut credit);
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
        let mut taken = Taken { func: self.func, paths: self.paths, depth: 0, edges: Vec::new() };
        let Some(observation) = self.bench.run(inputs, &mut ZeroFill, &mut taken) else { return };
        if !is_clean(&observation.outcome) {
            return;
        }
        if let Some(path) = self.paths.of_run(&taken.edges)
            && self.found[path].is_none()
        {
            self.found[path] = Some(inputs.clone());
        }
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

/// Asks for every path that no test takes yet.
fn solve(
    program: &Program,
    subject: &Subject,
    finder: &mut Finder<'_>,
    options: &Options,
    turns: u64,
) -> Vec<Option<Verdict>> {
    let interrupt = options.interrupt.clone();
    let solver_options = quipu_solve::Options { interrupt, ..quipu_solve::Options::default() };
    let mut session = Session::new(Model::new(), WrittenBodies, solver_options);
    session.set_effort(Some(options.effort));
    let mut encoder = Encoder::new(&program.module, &subject.interface, subject.preconditions.clone());
    // Loops in callees are not limited by the path.
    let unwinding = Unwinding { turns: turns.max(8), ..Unwinding::default() };
    let encoding = encoder.encode(session.model_mut(), &unwinding);
    encoding.assumptions.iter().for_each(|&term| session.assert(term));
    encoding.checks.iter().for_each(|check| session.assert(check.clean));
    let paths = finder.paths;
    let mut verdicts = Vec::new();
    for (number, path) in paths.paths.iter().enumerate() {
        if finder.found[number].is_some() {
            verdicts.push(None);
            continue;
        }
        let Some(terms) = terms_of(session.model_mut(), subject.interface.func, &encoding, path) else {
            verdicts.push(Some(infeasible(&encoding)));
            continue;
        };
        verdicts.push(match session.solve_under(&terms) {
            Answer::Infeasible => Some(infeasible(&encoding)),
            Answer::GaveUp(Limit::Interrupted) => Some(Verdict::GaveUp(Reason::Interrupted)),
            Answer::GaveUp(_) => Some(Verdict::GaveUp(Reason::Effort)),
            Answer::Solution(solution) => {
                finder.try_inputs(&encoding.inputs(session.model(), &solution));
                None
            }
        });
    }
    verdicts
}

/// No input takes a path, as far as the encoding goes.
fn infeasible(encoding: &Encoding) -> Verdict {
    match encoding.cuts.is_empty() {
        true => Verdict::Unreachable(Proof::Infeasible(Vec::new())),
        false => {
            let bound =
                |cut: &quipu_encode::Cut| Bound { kind: cut.kind.clone(), func: cut.func, span: cut.span };
            Verdict::UnreachableToBound(encoding.cuts.iter().map(bound).collect())
        }
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
        let outcome = match &code.blocks[step.edges[0].0].term {
            Terminator::Switch { cases, .. } => match cases.get(step.outcome) {
                Some(case) if case.low == case.high => format!("case {}", case.low.cast_signed()),
                Some(case) => format!("case {} ... {}", case.low.cast_signed(), case.high.cast_signed()),
                None => "default".to_string(),
            },
            _ => (step.outcome == 1).to_string(),
        };
        Some(PathChoice { span: decision.span, text: decision.text.clone(), outcome })
    };
    path.iter().filter_map(choice).collect()
}
