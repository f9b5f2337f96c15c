//! What is known at the end: a verdict for every goal, and the tests.

use std::collections::BTreeMap;

use quipu_encode::{Context, CutKind};
use quipu_goals::{BitSet, GoalId, Goals, Independence};
use quipu_inputs::{Assumption, Inputs, Interface, Observation};
use quipu_interp::Step;
use quipu_ir::{Block, Event, Func, Span};
use quipu_replay::{Difference, Sighting};
use serde::{Deserialize, Serialize};

use crate::conflict::Conflict;

/// What is known about a function under test.
#[derive(Debug)]
pub struct FunctionReport {
    pub func: Func,
    pub interface: Interface,
    pub goals: Goals,
    /// One for each goal, by id.
    pub verdicts: Vec<Verdict>,
    /// The paths that are goals.
    pub paths: Vec<PathReport>,
    /// The suite: small, in a fixed order.
    pub tests: Vec<Test>,
    /// Tests whose compiled behaviour differs from the prediction. They cover nothing.
    pub disagreements: Vec<Test>,
    /// Tests that were found but are not needed, as long as no other one fails.
    pub spare: Vec<Spare>,
    /// What was proved about goals that no test meets.
    pub proved: BTreeMap<GoalId, Verdict>,
    /// What goes wrong first in some run, if something undefined happens in every one.
    pub always_undefined: Option<Undefined>,
    /// Whether no smaller part of the tests found covers as much.
    pub minimal: bool,
    /// Why some of the work could not be done, for people.
    pub notes: Vec<String>,
    pub statistics: Statistics,
}

/// A path, and what is known about it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathReport {
    /// What the decisions on the way choose.
    pub steps: Vec<PathChoice>,
    pub verdict: Verdict,
}

/// What a decision on a path chooses.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathChoice {
    pub span: Span,
    pub text: String,
    /// `true`, `false`, or the arm of a switch.
    pub outcome: String,
}

/// A test that is not needed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spare {
    pub inputs: Inputs,
    pub items: BitSet,
}

/// What is known about a goal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// Met by these tests of the suite, by number. Two tests with their evaluations for an MC/DC goal.
    Covered {
        tests: Vec<usize>,
        #[serde(skip)]
        independence: Option<Independence>,
    },
    /// No input meets it. This needs nothing but the program, C, and what the user stated.
    Unreachable(Proof),
    /// No input meets it as long as some assumptions hold that the user did not state.
    Excluded(Proof, Exclusion),
    /// Every execution that meets it has done something undefined before.
    AfterUndefined(Proof, Option<Undefined>),
    /// No input meets it with at most these turns and calls.
    UnreachableToBound(Vec<Bound>),
    GaveUp(Reason),
}

/// The assumptions by which a goal is out of reach.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Exclusion {
    pub by: Vec<Assumption>,
    /// Whether none of them could be left out.
    pub least: bool,
}

impl Exclusion {
    /// Whether all of it is what the code relies on.
    pub fn is_relied_on(&self) -> bool {
        self.by.iter().all(|assumption| assumption.reliance().is_some())
    }
}

/// Something undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Undefined {
    /// None for a failed assertion or a call of `abort`.
    pub event: Option<Event>,
    pub func: Func,
    pub span: Span,
}

/// Why a goal is unreachable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Proof {
    /// No control flow leads there.
    ControlFlow,
    /// Its conditions conflict, whatever the inputs are.
    Infeasible(Explanation),
    /// Every execution was followed to its end, and the undefined behaviour is in none of them.
    NeverHappens,
    /// No input satisfies the preconditions.
    NoInputs,
}

/// What a proof rests on, as far as that is known.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Explanation {
    /// For each way to the goal the conditions that conflict.
    pub conflicts: Vec<Conflict>,
    /// What holds in all turns of loops, by which they conflict.
    pub invariants: Vec<UsedInvariant>,
    /// Whether there are no invariants among these that are not needed.
    pub least: bool,
}

/// Something that holds whenever control comes to the head of a loop, in runs that are clean until then.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UsedInvariant {
    pub func: Func,
    pub head: Block,
    /// Which of the times when control comes to the loop. What else is used about it then has the same one.
    pub context: Context,
    /// How many such times there are in all.
    pub n_contexts: usize,
    /// C text about variables at the head of the loop, with `\old` for what inputs were; none if it has no short name.
    pub text: Option<String>,
    /// Whether it is known to hold in the first turns, too.
    pub from_start: bool,
}

/// A loop or recursion that was followed so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bound {
    pub kind: CutKind,
    pub func: Func,
    pub span: Span,
}

/// Why nothing can be said about a goal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Reason {
    /// The time is over.
    Time,
    /// The memory is used up.
    Memory,
    /// The work on the function ended in a way that it should not: how.
    Crash(String),
    /// The user stopped the work.
    Interrupted,
    /// The solver's effort for one question is used up.
    Effort,
    /// The encoding became too large.
    Size,
    /// Something without a model stands in the way.
    Unsupported { what: String, func: Func, span: Span },
    /// The solver's inputs do something else in the interpreter. This is a bug of ours.
    Mismatch,
    /// Inputs were found, but the compiled program does something else on them.
    Disagreement,
    /// It was proved, but the compiled program does something else than predicted on other inputs.
    Withdrawn,
    /// Inputs were found, but they could not be tried on the compiled program.
    NotReplayed(String),
    /// A clause cannot be evaluated for some input.
    NotEvaluated,
    /// It can be met, but not with zeros in memory that was never written, as tests have it; where that is read.
    Unwritten { func: Func, span: Span },
    /// The decision has too many evaluations.
    TooManyEvaluations,
    /// No input was found, but with this compiler flag floats may be computed otherwise than in the proof.
    FloatDeparture(String),
}

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    pub inputs: Inputs,
    /// What the interpreter saw.
    pub observation: Observation,
    pub steps: Vec<Step>,
    /// What it shows.
    pub items: BitSet,
    /// The goals that it meets, alone or as a half of a pair.
    pub covers: Vec<GoalId>,
    /// The path that it takes, if that is a goal.
    pub path: Option<usize>,
    pub replay: ReplayOutcome,
    /// What shows that the undefined behaviour happens which is a goal and with which the test ends.
    pub sighting: Option<Sighting>,
    /// Whether nothing that can be seen depends on what memory holds that nobody has written. If the test reads none,
    /// nobody has asked.
    pub steady: bool,
}

/// What the compiled program did.
#[derive(Clone, Debug)]
pub enum ReplayOutcome {
    /// The same as predicted.
    Confirmed,
    /// Something else.
    Disagrees(Difference),
    /// It did not end in time; what it did until then is as predicted.
    Timeout,
    /// It did as predicted until undefined behaviour made it crash, or until it was stopped: how it ended.
    Crash(String),
    /// It was not run, or could not be.
    NotRun(String),
}

impl ReplayOutcome {
    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            ReplayOutcome::Confirmed => "confirmed",
            ReplayOutcome::Disagrees(_) => "disagrees",
            ReplayOutcome::Timeout => "timeout",
            ReplayOutcome::Crash(_) => "crash",
            ReplayOutcome::NotRun(_) => "not-run",
        }
    }
}

/// What the work has cost.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// Runs in the interpreter.
    pub runs: u64,
    /// Questions to the solver.
    pub questions: u64,
    /// Encodings, each deeper than the one before.
    pub encodings: u64,
    /// The terms of the model.
    pub terms: usize,
    pub burst_seconds: f64,
    pub solve_seconds: f64,
    pub replay_seconds: f64,
}

impl Statistics {
    /// Adds what more work has cost.
    pub(crate) fn add(&mut self, more: &Statistics) {
        self.runs += more.runs;
        self.questions += more.questions;
        self.encodings += more.encodings;
        self.terms = self.terms.max(more.terms);
        self.burst_seconds += more.burst_seconds;
        self.solve_seconds += more.solve_seconds;
        self.replay_seconds += more.replay_seconds;
    }
}

impl FunctionReport {
    /// What is to be said where no input satisfies the preconditions.
    pub fn vacuous(interface: Interface, goals: Goals) -> FunctionReport {
        let nowhere = || Verdict::Unreachable(Proof::NoInputs);
        let verdicts = goals.all().iter().map(|_| nowhere()).collect();
        let proved = goals.all().ids().map(|goal| (goal, nowhere())).collect();
        FunctionReport {
            func: interface.func,
            interface,
            goals,
            verdicts,
            paths: Vec::new(),
            tests: Vec::new(),
            disagreements: Vec::new(),
            spare: Vec::new(),
            proved,
            always_undefined: None,
            minimal: true,
            notes: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// No test counts: the compiled program could not be asked.
    pub fn withdraw(&mut self, why: &str) {
        self.tests.clear();
        let reason = Verdict::GaveUp(Reason::NotReplayed(why.to_string()));
        let verdicts = self.verdicts.iter_mut().chain(self.paths.iter_mut().map(|path| &mut path.verdict));
        verdicts
            .filter(|verdict| matches!(verdict, Verdict::Covered { .. }))
            .for_each(|verdict| *verdict = reason.clone());
    }
}

impl Verdict {
    /// The proof that no run meets the goal, whatever it needs.
    pub fn proof(&self) -> Option<&Proof> {
        match self {
            Verdict::Unreachable(proof) | Verdict::Excluded(proof, _) | Verdict::AfterUndefined(proof, _) => {
                Some(proof)
            }
            Verdict::Covered { .. } | Verdict::UnreachableToBound(_) | Verdict::GaveUp(_) => None,
        }
    }

    /// The same, to be changed.
    pub(crate) fn proof_mut(&mut self) -> Option<&mut Proof> {
        match self {
            Verdict::Unreachable(proof) | Verdict::Excluded(proof, _) | Verdict::AfterUndefined(proof, _) => {
                Some(proof)
            }
            Verdict::Covered { .. } | Verdict::UnreachableToBound(_) | Verdict::GaveUp(_) => None,
        }
    }

    /// Whether the last word is spoken: there is a test, or a proof that needs nothing that the user did not state.
    pub fn is_decided(&self) -> bool {
        matches!(self, Verdict::Covered { .. } | Verdict::Unreachable(_))
    }

    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Covered { .. } => "covered",
            Verdict::Unreachable(_) => "unreachable",
            Verdict::Excluded(..) => "excluded",
            Verdict::AfterUndefined(..) => "only-after-undefined",
            Verdict::UnreachableToBound(_) => "unreachable-to-bound",
            Verdict::GaveUp(_) => "gave-up",
        }
    }
}
