//! One case in every way.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use quipu_model::{Assignment, Var, WrittenBodies};
use quipu_modelkit::{Random, Specimen, assignments, input_bits};
use quipu_solve::{Answer, Options, Session};

use crate::case::Case;
use crate::ways::{Verdict, Way};

/// Something that should not be.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    pub way: String,
    pub what: String,
}

/// What happened in many cases.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    pub cases: u64,
    pub with_calls: u64,
    pub wide: u64,
    pub satisfiable: u64,
    pub infeasible: u64,
    /// No way found an answer.
    pub unknown: u64,
    pub answers: u64,
    /// Answers that a limit prevented.
    pub limits: u64,
    /// Solutions told one after the other.
    pub enumerated: u64,
}

/// Effort for one question.
const EFFORT: u64 = 60_000;
/// Solutions that are told one by one.
const MOST_TOLD: usize = 30;

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.cases += other.cases;
        self.with_calls += other.with_calls;
        self.wide += other.wide;
        self.satisfiable += other.satisfiable;
        self.infeasible += other.infeasible;
        self.unknown += other.unknown;
        self.answers += other.answers;
        self.limits += other.limits;
        self.enumerated += other.enumerated;
    }
}

/// Solves a case in every way; what differs is told.
pub fn check(case: &Case, interrupt: &Arc<AtomicBool>) -> (Tally, Vec<Difference>) {
    let specimen = &case.specimen;
    let tally = Tally {
        cases: 1,
        wide: u64::from(case.wide),
        with_calls: u64::from(!specimen.model.relations().is_empty()),
        ..Tally::default()
    };
    let expected = if case.wide { None } else { all_solutions(specimen) };
    let mut checker = Checker { case, interrupt, expected, tally, differences: Vec::new(), agreed: None };
    for way in Way::all(case.seed) {
        checker.ask_once(way);
    }
    checker.enumerate();
    checker.propagate();
    match checker.agreed {
        Some(true) => checker.tally.satisfiable += 1,
        Some(false) => checker.tally.infeasible += 1,
        None => checker.tally.unknown += 1,
    }
    (checker.tally, checker.differences)
}

/// The solutions, as values of the inputs; nothing if running the calls takes too long.
fn all_solutions(specimen: &Specimen) -> Option<BTreeSet<Vec<u64>>> {
    let model = &specimen.model;
    assert!(input_bits(model) <= 16, "a small case has few assignments");
    let mut found = BTreeSet::new();
    for assignment in assignments(model) {
        if specimen.holds(&assignment)? {
            found.insert(model.inputs().map(|var| assignment[var]).collect());
        }
    }
    Some(found)
}

struct Checker<'c> {
    case: &'c Case,
    interrupt: &'c Arc<AtomicBool>,
    expected: Option<BTreeSet<Vec<u64>>>,
    tally: Tally,
    differences: Vec<Difference>,
    /// Whether there is a solution, once somebody knows.
    agreed: Option<bool>,
}

impl Checker<'_> {
    fn differs(&mut self, way: impl std::fmt::Debug, what: impl Into<String>) {
        self.differences.push(Difference { way: format!("{way:?}"), what: what.into() });
    }

    fn ask_once(&mut self, way: Way) {
        let model = &self.case.specimen.model;
        match way.enumerate(model, &[], 1, EFFORT, self.interrupt).pop() {
            Some(verdict) => self.check_first(way, verdict),
            None => self.differs(way, "no verdict"),
        }
    }

    fn check_first(&mut self, way: Way, verdict: Verdict) {
        self.tally.answers += 1;
        let satisfiable = match verdict {
            Verdict::Fault(text) => return self.differs(way, text),
            Verdict::Limit => {
                self.tally.limits += 1;
                return;
            }
            Verdict::Infeasible => false,
            Verdict::Solution(assignment) => {
                self.check_solution(way, &assignment);
                true
            }
        };
        if let Some(expected) = &self.expected
            && expected.is_empty() == satisfiable
        {
            self.differs(way, format!("satisfiable: {satisfiable}, but brute force says otherwise"));
        }
        if self.agreed.is_some_and(|agreed| agreed != satisfiable) {
            self.differs(way, format!("satisfiable: {satisfiable}, but others say otherwise"));
        }
        self.agreed.get_or_insert(satisfiable);
    }

    fn check_solution(&mut self, way: Way, assignment: &Assignment) {
        if self.case.specimen.holds(assignment) == Some(false) {
            self.differs(way, format!("{assignment:?} is no solution"));
        }
    }

    /// Every solution is told once, for all inputs or for some of them.
    fn enumerate(&mut self) {
        let Some(expected) = &self.expected else { return };
        let mut random = Random::new(self.case.seed);
        let way = random.pick(&Way::all(self.case.seed));
        let inputs: Vec<Var> = self.case.specimen.model.inputs().collect();
        let mut kept: Vec<usize> = (0..inputs.len()).collect();
        if random.chance(30) {
            kept.retain(|_| random.chance(50));
        }
        let shown: Vec<Var> = kept.iter().map(|&n| inputs[n]).collect();
        let wanted: BTreeSet<Vec<u64>> =
            expected.iter().map(|solution| kept.iter().map(|&n| solution[n]).collect()).collect();
        if shown.is_empty() || wanted.len() > MOST_TOLD {
            return;
        }
        let model = &self.case.specimen.model;
        let verdicts = way.enumerate(model, &shown, wanted.len() + 1, 20 * EFFORT, self.interrupt);
        let mut told = BTreeSet::new();
        for verdict in verdicts {
            match verdict {
                Verdict::Solution(assignment) => {
                    self.tally.enumerated += 1;
                    self.check_solution(way, &assignment);
                    let values: Vec<u64> = shown.iter().map(|&var| assignment[var]).collect();
                    if !told.insert(values.clone()) {
                        return self.differs(way, format!("{values:?} of {shown:?} is told twice"));
                    }
                }
                Verdict::Infeasible if told != wanted => {
                    let (told, wanted) = (told.len(), wanted.len());
                    return self.differs(way, format!("{told} of {wanted} values of {shown:?} were told"));
                }
                Verdict::Infeasible => return,
                Verdict::Limit => {
                    self.tally.limits += 1;
                    return;
                }
                Verdict::Fault(text) => {
                    return self.differs(way, format!("{text}, after {} solutions", told.len()));
                }
            }
        }
        self.differs(way, format!("more than {} values of {shown:?} were told", wanted.len()));
    }

    /// Propagation and probing keep every solution.
    fn propagate(&mut self) {
        let Some(expected) = &self.expected else { return };
        let model = &self.case.specimen.model;
        let options = Options {
            rewrite: self.case.seed.is_multiple_of(2),
            effort: Some(EFFORT),
            unfoldings: 600,
            interrupt: self.interrupt.clone(),
            ..Options::default()
        };
        let mut session = Session::new(model.clone(), WrittenBodies, options);
        let inputs: Vec<Var> = model.inputs().collect();
        inputs.iter().for_each(|&var| session.watch(model.var_term(var)));
        if let Err(answer) = session.propagate() {
            if answer == Answer::Infeasible && !expected.is_empty() {
                self.differs("propagation", "a model with solutions is refuted");
            }
            return;
        }
        let domains: Vec<_> = inputs.iter().map(|&var| session.domain(model.var_term(var))).collect();
        let kept = |solution: &&Vec<u64>| {
            let mut places = inputs.iter().zip(*solution).zip(&domains);
            places.all(|((&var, &value), domain)| domain.contains(model.vars()[var].width, value))
        };
        if let Some(lost) = expected.iter().find(|solution| !kept(solution)) {
            self.differs("propagation", format!("{lost:?} is lost"));
        }
    }
}
