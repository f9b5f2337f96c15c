//! What an encoding tells.

use std::collections::{BTreeMap, BTreeSet};

use quipu_analysis::points_to::Site;
use quipu_inputs::{Assumption, Inputs};
use quipu_interp::InputKind;
use quipu_ir::{Block, Event, Func, Span, Stmt, Ty};
use quipu_model::{Assignment, Evaluation, Model, Reading, Term, Var, VarInfo};
use quipu_num::{FloatWidth, Width, unrank};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::guard::Conditions;

/// A function as constraints.
#[derive(Clone, Debug, Default)]
pub struct Encoding {
    /// The variables of the input leaves, by number.
    pub leaves: Vec<Var>,
    /// When functions are entered.
    pub entries: FxHashMap<Func, Vec<Visit>>,
    /// For each of these the instruction that calls the function, and the one by which its caller was called.
    pub callers: FxHashMap<Func, Vec<[Option<Site>; 2]>>,
    /// When statements start.
    pub stmts: FxHashMap<(Func, Stmt), Vec<Visit>>,
    /// When a block is left by its edge with this number.
    pub edges: FxHashMap<(Func, Block, usize), Vec<Visit>>,
    /// Comparisons of integers: block and number of the instruction.
    pub comparisons: FxHashMap<(Func, Block, usize), Vec<Comparison>>,
    /// What a clean run must satisfy, in the order of execution.
    pub checks: Vec<Check>,
    /// What follows for clean runs, in a form that helps propagation.
    pub hints: Vec<Term>,
    /// What is true whatever the inputs are, but hard to see.
    pub lemmas: Vec<Term>,
    /// What every run must satisfy that counts.
    pub assumptions: Vec<Term>,
    /// What is taken for granted about the world outside.
    pub granted: BTreeSet<Assumption>,
    /// In an open encoding, the assumptions that can be left out: each holds where its term is true.
    pub trusted: BTreeMap<Assumption, Term>,
    /// Where the execution was not followed any further.
    pub cuts: Vec<Cut>,
    pub approximations: Vec<Approximation>,
    /// Bytes whose values C does not specify. They are seldom looked at: what comes behind is exact if they are not.
    pub unspecified: Vec<Approximation>,
    /// Of what was never written, and is read nevertheless: that it is zero, as in runs of tests. Where one of these is
    /// false, it is anything.
    pub zeros: Vec<Term>,
    /// Where it is anything else.
    pub unwritten: Vec<Approximation>,
    /// Where events may happen that are not among the checks.
    pub unchecked: Vec<Approximation>,
    /// What the environment is asked for, in the order of execution.
    pub requested: Vec<Requested>,
    /// Where the conditions of visits come from.
    pub origins: FxHashMap<Term, Origin>,
    /// The edges that were never followed because their conditions contradict those on the way.
    pub refused: FxHashMap<(Func, Block, usize), Vec<Refused>>,
    /// What may hold at the head of a loop in every turn.
    pub invariants: Vec<Invariant>,
    /// What turns that stand for all turns take for granted.
    pub premises: Vec<Premise>,
    /// How often control comes to a loop, by function and head.
    pub loops: FxHashMap<(Func, Block), usize>,
    /// Loops of which a turn stands for all turns.
    pub n_any_turns: usize,
    /// Block executions encoded, a measure of its size.
    pub n_visits: usize,
}

/// One of the executions of something.
#[derive(Clone, Debug)]
pub struct Visit {
    pub context: Context,
    /// Whether it happens.
    pub when: Term,
    /// The conditions of which this is the conjunction, in the order of execution.
    pub conditions: Conditions,
    /// How many checks may come before it.
    pub n_checks: usize,
}

/// Where a condition comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// It is true if a block is left by its edge with this number.
    Edge { func: Func, block: Block, edge: usize },
    /// It is true if a block where paths meet is reached by one of them.
    Meeting { func: Func, block: Block },
    /// A turn that stands for all turns takes it for granted: the premise with this number.
    Premise(usize),
}

/// Something that a turn which stands for all turns takes for granted.
#[derive(Clone, Debug)]
pub struct Premise {
    /// It is taken for granted where this is true; always, if there is nothing to choose.
    pub chosen: Option<Term>,
    pub term: Term,
    /// Whether it was found by reasoning about all turns, and so needs no proof.
    pub is_fact: bool,
    /// The loop.
    pub func: Func,
    pub head: Block,
    /// Which of the times when control comes to the loop, with all its turns.
    pub context: Context,
    /// C text about variables at the head of the loop, if there is one; with `\old` for what the inputs were.
    pub text: Option<String>,
    /// When it does not hold in one of the turns before, and how many checks come before that. None if nobody looked.
    pub violated_before: Option<Vec<(Term, usize)>>,
}

/// An edge that cannot be taken where it is met.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The conditions under which its block is reached.
    pub conditions: Conditions,
    /// What the edge demands.
    pub condition: Term,
    /// How many checks may come before it.
    pub n_checks: usize,
}

/// An execution of a comparison. Floats are given by rank.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub visit: Visit,
    pub a: Term,
    pub b: Term,
}

/// A place where a run is no longer clean unless something holds.
#[derive(Clone, Debug)]
pub struct Check {
    /// True in clean runs: the place is not reached, or what it demands holds.
    pub clean: Term,
    /// The conditions under which the place is reached.
    pub conditions: Conditions,
    /// What it demands.
    pub holds: Term,
    /// What happens otherwise; none for a failed assertion or a call of `abort`.
    pub event: Option<Event>,
    pub func: Func,
    pub span: Span,
    /// The instruction that called the function.
    pub caller: Option<Site>,
    /// Whether this is about a turn before the one that stands for all: it is known to hold where that turn is reached,
    /// but that it fails is not something to look for.
    pub past: bool,
}

/// A place behind which nothing is encoded.
#[derive(Clone, Debug)]
pub struct Cut {
    /// Whether the execution gets there.
    pub when: Term,
    /// The block of the function under test in which, or in a call by which, this happens.
    pub root_block: Block,
    pub n_checks: usize,
    pub kind: CutKind,
    pub func: Func,
    pub span: Span,
}

/// Why an encoding ends somewhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CutKind {
    /// The loop with this head was allowed so many turns here. `counts` if a counter decides how often it turns.
    Loop { context: Context, head: Block, turns: u64, counts: bool },
    /// A function was allowed to call itself so many times.
    Recursion { callee: Func, depth: u64 },
    /// The encoding became too large.
    Size,
    /// There is no model of this.
    Unsupported(String),
}

/// Something in the encoding, mostly a value, that stands for something that is not modelled.
#[derive(Clone, Debug)]
pub struct Approximation {
    pub when: Term,
    /// How many checks may come before it.
    pub n_checks: usize,
    pub what: String,
    pub func: Func,
    pub span: Span,
}

/// Something that may hold whenever a loop comes to its head. A turn that stands for all turns takes it for granted
/// where `chosen` is true. It does hold if no clean run violates it at the start or at the end of such a turn, while
/// all invariants chosen are taken for granted.
#[derive(Clone, Debug)]
pub struct Invariant {
    pub chosen: Term,
    /// It does not hold where the loop starts, or in one of the turns that are executed one by one before it is taken for
    /// granted, or at the end of a turn; and how many checks come before.
    pub violated: Vec<(Term, usize)>,
}

/// A value that the environment supplies during the run.
#[derive(Clone, Debug)]
pub struct Requested {
    /// Whether it is asked for.
    pub when: Term,
    pub var: Var,
    pub function: String,
    pub ty: Ty,
    pub kind: InputKind,
}

/// Where control was.
#[derive(Default)]
pub(crate) struct Visits {
    entries: FxHashMap<Func, Vec<Visit>>,
    callers: FxHashMap<Func, Vec<[Option<Site>; 2]>>,
    stmts: FxHashMap<(Func, Stmt), Vec<Visit>>,
    edges: FxHashMap<(Func, Block, usize), Vec<Visit>>,
    comparisons: FxHashMap<(Func, Block, usize), Vec<Comparison>>,
    refused: FxHashMap<(Func, Block, usize), Vec<Refused>>,
}

impl Encoding {
    /// Takes out where control was so far.
    pub(crate) fn forget_visits(&mut self) -> Visits {
        let mut visits = Visits::default();
        self.swap_visits(&mut visits);
        visits
    }

    /// Replaces where control was by what was taken out before.
    pub(crate) fn remember_visits(&mut self, mut visits: Visits) {
        self.swap_visits(&mut visits);
    }

    fn swap_visits(&mut self, visits: &mut Visits) {
        std::mem::swap(&mut self.entries, &mut visits.entries);
        std::mem::swap(&mut self.callers, &mut visits.callers);
        std::mem::swap(&mut self.stmts, &mut visits.stmts);
        std::mem::swap(&mut self.edges, &mut visits.edges);
        std::mem::swap(&mut self.comparisons, &mut visits.comparisons);
        std::mem::swap(&mut self.refused, &mut visits.refused);
    }

    /// Takes out what clean runs satisfy so far. What was recorded comes before all checks that follow.
    pub(crate) fn forget_checks(&mut self) -> Vec<Term> {
        self.cuts.iter_mut().for_each(|cut| cut.n_checks = 0);
        self.approximations.iter_mut().for_each(|item| item.n_checks = 0);
        let invariants = self.invariants.iter_mut().map(|invariant| &mut invariant.violated);
        let premises = self.premises.iter_mut().filter_map(|premise| premise.violated_before.as_mut());
        invariants.chain(premises).flatten().for_each(|(_, n_checks)| *n_checks = 0);
        self.checks.drain(..).map(|check| check.clean).collect()
    }

    /// The inputs that an assignment stands for.
    pub fn inputs(&self, model: &Model, assignment: &Assignment) -> Inputs {
        let bits = |var: Var| bits_of(&model.vars()[var], assignment[var]);
        let leaves = self.leaves.iter().map(|&var| bits(var)).collect();
        let mut evaluation = Evaluation::new(model, assignment);
        let asked = self.requested.iter().filter(|request| evaluation.value(request.when) == 1);
        let sequence = asked.map(|request| bits(request.var)).collect();
        Inputs { leaves, sequence, ..Inputs::default() }
    }
}

/// The bits of an input whose variable has a value.
fn bits_of(info: &VarInfo, value: u64) -> u64 {
    match (info.reading, info.width) {
        (Reading::Float, Width::W32) => unrank(FloatWidth::F32, value),
        (Reading::Float, _) => unrank(FloatWidth::F64, value),
        (Reading::Signed | Reading::Unsigned, _) => value,
    }
}
