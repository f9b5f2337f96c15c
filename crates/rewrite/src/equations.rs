//! Asserted equations, solved for a variable that is then replaced everywhere.
//!
//! `x == e` defines `x` where `e` does not contain it, and so does a linear equation in which `x` has an odd
//! coefficient: odd numbers can be divided by, modulo a power of two. A truth value that is asserted is an
//! equation as well.

use quipu_model::{Assignment, Evaluation, Model, Node, Term, Var};
use quipu_num::{IntCmp, Width};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::orders;
use crate::polynomial::inverse;
use crate::remainders;
use crate::rewriter::Rewriter;
use crate::rules;

/// A round solves what it can and rewrites the rest; each solved equation may show another.
const MOST_ROUNDS: usize = 64;
/// A variable is not replaced by a sum longer than this.
const MOST_PARTS: usize = 8;

/// What is left of the assertions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Open,
    /// No assignment makes them true.
    Contradiction,
}

/// Rewrites the assertions of a model and remembers which variables it replaced.
#[derive(Default)]
pub struct Simplifier {
    rewriter: Rewriter,
    solved: Vec<(Var, Term)>,
}

impl Simplifier {
    pub fn new() -> Simplifier {
        Simplifier::default()
    }

    /// Replaces the assertions by simpler ones that have the same solutions once solved variables are
    /// completed.
    pub fn assertions(&mut self, model: &mut Model) -> Outcome {
        for _ in 0..MOST_ROUNDS {
            let assertions = model.assertions().to_vec();
            let rewritten: Vec<Term> =
                assertions.iter().map(|&assertion| self.rewriter.term(model, assertion)).collect();
            let together = rules::all(model, &rewritten);
            let mut parts = conjuncts(model, together);
            let circles = orders::close_circles(model, &mut parts);
            let congruences = remainders::combine(model, &mut parts);
            model.truncate_assertions(0);
            parts.iter().for_each(|&part| model.assert(part));
            if model.constant(together) == Some(0) || [circles, congruences].contains(&Outcome::Contradiction)
            {
                return Outcome::Contradiction;
            }
            if !self.solve_some(model, &parts) {
                break;
            }
        }
        Outcome::Open
    }

    /// The simpler form of a term under the equations that were solved.
    pub fn term(&mut self, model: &mut Model, term: Term) -> Term {
        self.rewriter.term(model, term)
    }

    /// Gives the variables that were replaced their values.
    pub fn complete(&mut self, model: &mut Model, assignment: &mut Assignment) {
        let definitions: Vec<(Var, Term)> =
            self.solved.iter().map(|&(var, term)| (var, self.rewriter.term(model, term))).collect();
        let mut evaluation = Evaluation::new(model, assignment);
        let values: Vec<u64> = definitions.iter().map(|&(_, term)| evaluation.value(term)).collect();
        for ((var, _), value) in definitions.into_iter().zip(values) {
            assignment[var] = value;
        }
    }

    /// Solves equations that do not disturb each other; says whether there were any.
    fn solve_some(&mut self, model: &mut Model, parts: &[Term]) -> bool {
        let uses = uses_outside_of_equations(model, parts);
        let mut replaced: FxHashSet<Var> = FxHashSet::default();
        let mut used: FxHashSet<Var> = FxHashSet::default();
        for &part in parts {
            let worth = |candidate: &Candidate| candidate.is_worth_it(model, &uses);
            let candidates: Vec<Candidate> = solutions(model, part).into_iter().filter(worth).collect();
            let found = candidates.into_iter().find_map(|candidate| {
                let (var, definition) = candidate.build(model)?;
                let inside = variables(model, definition);
                let apart = !inside.contains(&var) && !used.contains(&var) && !replaced.contains(&var);
                (apart && inside.is_disjoint(&replaced)).then_some((var, definition, inside))
            });
            if let Some((var, definition, inside)) = found {
                replaced.insert(var);
                used.extend(inside);
                self.replace(model, var, definition);
            }
        }
        !replaced.is_empty()
    }

    fn replace(&mut self, model: &mut Model, var: Var, definition: Term) {
        if let Some(range) = model.vars()[var].range {
            let allowed = within(model, definition, range);
            model.assert(allowed);
        }
        self.rewriter.replace(model.var_term(var), definition);
        self.solved.push((var, definition));
    }
}

/// `term` lies clockwise between two numbers: two comparisons in the order in which they are the ends of a run,
/// so that the bounds are bounds of the term itself.
fn within(model: &mut Model, term: Term, (first, last): (u64, u64)) -> Term {
    let width = model.width(term);
    let (low, high) = (model.constant_term(width, first), model.constant_term(width, last));
    let order =
        if first <= last || width.signed(first) > width.signed(last) { IntCmp::Ule } else { IntCmp::Sle };
    let above = rules::build(model, Node::Compare(order, low, term), Width::W1);
    let below = rules::build(model, Node::Compare(order, term, high), Width::W1);
    // A run that wraps in both orders is the opposite of the gap between its ends.
    let wraps = first > last && order == IntCmp::Ule;
    if wraps { rules::any(model, &[above, below]) } else { rules::all(model, &[above, below]) }
}

/// A way to solve an assertion for a variable.
enum Candidate {
    Equal(Var, Term),
    /// `coefficient * var + rest == 0`.
    Linear {
        var: Var,
        coefficient: u64,
        constant: u64,
        rest: Vec<(u64, Term)>,
        width: Width,
    },
    Truth(Var, bool),
}

impl Candidate {
    /// A sum in place of a variable makes everything longer that uses the variable, except for equations, which
    /// take the sum in. And bounds of a variable are worth more than bounds of a multiple of a sum.
    fn is_worth_it(&self, model: &Model, uses: &FxHashMap<Var, usize>) -> bool {
        let Candidate::Linear { var, coefficient, rest, width, .. } = self else { return true };
        let bounded = model.vars()[*var].range.is_some();
        let unit = *coefficient == 1 || *coefficient == width.mask();
        let uses = uses.get(var).copied().unwrap_or(0) + usize::from(bounded);
        rest.len() <= 1 || ((unit || !bounded) && uses <= 1)
    }

    fn build(self, model: &mut Model) -> Option<(Var, Term)> {
        match self {
            Candidate::Equal(var, definition) => Some((var, definition)),
            Candidate::Truth(var, value) => Some((var, model.truth(value))),
            Candidate::Linear { var, coefficient, constant, rest, width } => {
                let scale = inverse(coefficient).wrapping_neg();
                let rest: Vec<(u64, Term)> =
                    rest.iter().map(|&(c, part)| (width.wrap(c.wrapping_mul(scale)), part)).collect();
                Some((var, rules::sum(model, width, constant.wrapping_mul(scale), &rest)))
            }
        }
    }
}

fn solutions(model: &Model, part: Term) -> Vec<Candidate> {
    let variable = |term: Term| match *model.node(term) {
        Node::Var(var) => Some(var),
        _ => None,
    };
    match *model.node(part) {
        Node::Var(var) => vec![Candidate::Truth(var, true)],
        Node::Not(inner) => variable(inner).map(|var| Candidate::Truth(var, false)).into_iter().collect(),
        Node::Compare(IntCmp::Eq, a, b) => {
            let mut found: Vec<Candidate> = Vec::new();
            found.extend(variable(a).map(|var| Candidate::Equal(var, b)));
            found.extend(variable(b).map(|var| Candidate::Equal(var, a)));
            found.extend(linear(model, a, b));
            found
        }
        _ => Vec::new(),
    }
}

/// The variables of `a == b` with odd coefficients.
fn linear(model: &Model, a: Term, b: Term) -> Vec<Candidate> {
    let width = model.width(a);
    let ((constant_a, mut parts), (constant_b, right)) =
        (rules::linear_parts(model, a), rules::linear_parts(model, b));
    parts.extend(right.iter().map(|&(c, part)| (width.wrap(c.wrapping_neg()), part)));
    let constant = width.wrap(constant_a.wrapping_sub(constant_b));
    if parts.len() > MOST_PARTS {
        return Vec::new();
    }
    let candidate = |n: usize| {
        let (coefficient, part) = parts[n];
        let Node::Var(var) = *model.node(part) else { return None };
        let once = parts.iter().filter(|other| other.1 == part).count() == 1;
        let rest: Vec<(u64, Term)> =
            parts.iter().enumerate().filter(|&(m, _)| m != n).map(|(_, &part)| part).collect();
        (once && coefficient & 1 == 1).then_some(Candidate::Linear {
            var,
            coefficient,
            constant,
            rest,
            width,
        })
    };
    (0..parts.len()).filter_map(candidate).collect()
}

/// In how many terms, other than the sums of asserted equations, a variable occurs.
fn uses_outside_of_equations(model: &Model, parts: &[Term]) -> FxHashMap<Var, usize> {
    let mut uses: FxHashMap<Var, usize> = FxHashMap::default();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack = Vec::new();
    for &part in parts {
        match *model.node(part) {
            Node::Compare(IntCmp::Eq, a, b) => {
                let sides = [a, b].map(|side| rules::linear_parts(model, side).1);
                let inner = sides.iter().flatten().map(|&(_, inner)| inner);
                stack.extend(inner.filter(|&inner| !matches!(model.node(inner), Node::Var(_))));
            }
            _ => stack.push(part),
        }
    }
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        model.node(term).for_each_operand(|operand| match *model.node(operand) {
            Node::Var(var) => *uses.entry(var).or_default() += 1,
            _ => stack.push(operand),
        });
    }
    uses
}

pub(crate) fn conjuncts(model: &Model, term: Term) -> Vec<Term> {
    match model.node(term) {
        Node::All(items) => items.to_vec(),
        Node::Const(1) => Vec::new(),
        _ => vec![term],
    }
}

fn variables(model: &Model, root: Term) -> FxHashSet<Var> {
    let mut seen = FxHashSet::default();
    let mut found = FxHashSet::default();
    let mut stack = vec![root];
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if let Node::Var(var) = *model.node(term) {
                found.insert(var);
            }
            model.node(term).for_each_operand(|operand| stack.push(operand));
        }
    }
    found
}
