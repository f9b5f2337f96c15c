//! The linear side: whether it is worth a look, and what it may cost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use quipu_cp::{Conclusion, Place, Reasoner};
use quipu_domain::Domain;
use quipu_linear::{Found, Limits, deduce};
use quipu_model::{Model, Node, Term};
use quipu_num::{FloatFn, FloatOp, FloatUnary, IntOp, Width};
use rustc_hash::FxHashSet;

/// When linear relaxations are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linear {
    Never,
    /// Where they may help, and as long as they do.
    Adaptive,
    /// For every question, before all others.
    Always,
}

/// Larger systems take longer than they are worth.
const LIMITS: Limits = Limits { terms: 400, cells: 150_000, work: u64::MAX };
/// Terms that are bounded each time.
const MOST_BOUNDED: usize = 24;
/// Questions that are left out after several ones without success.
const LONGEST_PAUSE: u32 = 64;

/// Whether relaxations have helped so far.
pub(crate) struct LinearSide {
    pause: u32,
    next_pause: u32,
}

impl LinearSide {
    pub fn new() -> LinearSide {
        LinearSide { pause: 0, next_pause: 1 }
    }

    /// Whether the next question is worth a look.
    pub fn takes_part(&mut self) -> bool {
        let takes_part = self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
        takes_part
    }

    /// After a question: each one without success makes the pause longer.
    pub fn note(&mut self, success: bool) {
        if success {
            self.next_pause = 1;
        } else {
            self.pause = self.next_pause;
            self.next_pause = (2 * self.next_pause).min(LONGEST_PAUSE);
        }
    }
}

/// What a question is about, as far as relaxations are concerned.
pub(crate) struct Subject {
    pub roots: Vec<Term>,
    /// Variables and factors.
    bounded: Vec<Term>,
    /// Products, quotients and roots.
    pub products: Vec<Term>,
    /// Equations between terms that are not constant.
    pub equations: Vec<Term>,
    /// Equations between products that hold where their factors are equal.
    pub implied: Vec<Term>,
    /// Without cases, no domain could be narrowed.
    is_narrow: bool,
}

impl Subject {
    /// The subject of some assertions; none if it is too large, or there is little arithmetic in it.
    pub fn of(model: &Model, roots: Vec<Term>, least_arithmetic: usize) -> Option<Subject> {
        let cone = cone(model, &roots)?;
        let mut subject = Subject {
            roots,
            bounded: Vec::new(),
            products: Vec::new(),
            equations: Vec::new(),
            implied: Vec::new(),
            is_narrow: false,
        };
        let (mut arithmetic, mut bitwise) = (0, 0);
        let mut factors = FxHashSet::default();
        for term in cone {
            let is_open = |operand: &Term| model.constant(*operand).is_none();
            match model.node(term) {
                Node::Var(_) if model.width(term) != Width::W1 => subject.bounded.push(term),
                Node::Op(IntOp::Mul, a, b) => {
                    arithmetic += 1;
                    subject.products.push(term);
                    factors.extend([*a, *b]);
                }
                Node::Op(IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem, _, b) => {
                    arithmetic += 1;
                    if is_open(b) {
                        subject.products.push(term);
                        factors.insert(*b);
                    }
                }
                Node::Op(IntOp::Add | IntOp::Sub, ..) | Node::Sum(..) => arithmetic += 1,
                Node::Op(..) | Node::Unary(..) => bitwise += 1,
                Node::Compare(quipu_num::IntCmp::Eq, a, b) if is_open(a) && is_open(b) => {
                    subject.equations.push(term);
                }
                Node::Float(function, _, items) => {
                    arithmetic += 1;
                    if is_nonlinear(*function) {
                        subject.products.push(term);
                        factors.extend(items.iter().copied());
                    }
                }
                _ => {}
            }
        }
        if least_arithmetic > 0 && (arithmetic < least_arithmetic || bitwise > arithmetic) {
            return None;
        }
        let mut factors: Vec<Term> =
            factors.into_iter().filter(|&term| model.constant(term).is_none()).collect();
        factors.sort();
        factors.retain(|term| !subject.bounded.contains(term));
        subject.bounded.extend(factors);
        subject.bounded.truncate(MOST_BOUNDED);
        Some(subject)
    }

    /// Has some terms bounded before others.
    pub fn bound_first(&mut self, terms: &[Term]) {
        self.bounded.retain(|term| !terms.contains(term));
        self.bounded.splice(0..0, terms.iter().copied());
        self.bounded.truncate(MOST_BOUNDED);
    }
}

fn is_nonlinear(function: FloatFn) -> bool {
    matches!(
        function,
        FloatFn::Op(FloatOp::Mul | FloatOp::Div) | FloatFn::Unary(FloatUnary::Sqrt) | FloatFn::Fma
    )
}

/// The terms below some terms, oldest first; none if there are too many.
fn cone(model: &Model, roots: &[Term]) -> Option<Vec<Term>> {
    let mut seen = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            model.node(term).for_each_operand(|operand| stack.push(operand));
        }
        if seen.len() > LIMITS.terms {
            return None;
        }
    }
    let mut cone: Vec<Term> = seen.into_iter().collect();
    cone.sort();
    Some(cone)
}

/// Draws conclusions from relaxations, up to a limit.
pub(crate) struct Relaxing<'s> {
    pub subject: &'s mut Subject,
    pub interrupt: Arc<AtomicBool>,
    /// Numbers that may be computed, and that were.
    pub most_work: u64,
    pub work: u64,
    /// Conclusions drawn.
    pub successes: u64,
}

impl Reasoner for Relaxing<'_> {
    /// Equations between products follow from those between factors.
    fn is_case(&self, truth: Term) -> bool {
        !self.subject.implied.contains(&truth)
    }

    fn reason(&mut self, model: &Model, domain: &dyn Fn(Term) -> Domain, place: Place) -> Conclusion {
        if self.work >= self.most_work || self.interrupt.load(Ordering::Relaxed) {
            return Conclusion::Enough;
        }
        // While conditions are open, it is better to decide these than to narrow domains under each of them.
        let narrows = match place {
            // Products that depend on equations need cases first.
            Place::Root => !self.subject.is_narrow && self.subject.implied.is_empty(),
            Place::Conditions => false,
            Place::Domains => true,
        };
        let bounded = if narrows { &self.subject.bounded[..] } else { &[] };
        let limits = Limits { work: (self.most_work - self.work) / 2, ..LIMITS };
        let deduction = deduce(model, domain, &self.subject.roots, bounded, limits);
        // Making a system takes about as long as computing so many numbers.
        self.work += deduction.work + 5000;
        match deduction.found {
            Found::TooLarge => Conclusion::Enough,
            Found::Arcs(arcs) if arcs.is_empty() => {
                self.subject.is_narrow |= place == Place::Root;
                Conclusion::Nothing
            }
            Found::Arcs(arcs) => {
                self.successes += 1;
                Conclusion::Arcs(arcs)
            }
            Found::Infeasible => {
                self.successes += 1;
                Conclusion::Infeasible
            }
        }
    }
}
