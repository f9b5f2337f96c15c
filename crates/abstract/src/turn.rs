//! A loop as a transition system over terms of a model.

use quipu_domain::Domain;
use quipu_model::{Model, Node, Term, Var};
use quipu_num::{Cast, Guard, IntCmp, IntOp, Width};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cone::{Cone, dependent, visit};

/// Something that a loop changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// A variable: its value at the head of the loop, in whatever turn.
    pub head: Term,
    /// Its value when the loop is entered.
    pub first: Term,
    /// Its value after a turn that starts with `head`.
    pub next: Term,
}

/// A turn of a loop that stands for all turns.
pub struct Turn<'a> {
    pub places: Vec<Place>,
    /// What is true where the loop is entered.
    pub before: Vec<Term>,
    /// What is true in a turn that leads to another one.
    pub during: Vec<Term>,
    /// What is known of terms that have the same value in all turns.
    pub known: Vec<(Term, Domain)>,
    /// Whether a variable, not one of the places, has the same value in all turns.
    pub is_fixed: &'a dyn Fn(Var) -> bool,
}

/// An integer that an octagon speaks of: a term, and how its bits are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dimension {
    pub term: Term,
    pub width: Width,
    pub signed: bool,
    /// Whether it may have another value in each turn, whatever it was.
    pub passing: bool,
}

impl Dimension {
    /// The least and the greatest value.
    pub fn limits(self) -> (i128, i128) {
        limits(self.width, self.signed)
    }
}

pub fn limits(width: Width, signed: bool) -> (i128, i128) {
    match signed {
        true => (i128::from(width.signed(width.min_signed())), i128::from(width.signed(width.max_signed()))),
        false => (0, i128::from(width.mask())),
    }
}

/// Relations between more numbers cost too much.
const MOST_DIMENSIONS: usize = 10;

/// The numbers that relations are looked for between: first those that change, then fixed ones that they start with or
/// are compared with, and some that each turn has for itself.
pub fn dimensions(model: &Model, turn: &Turn<'_>, cone: &Cone, entry: &Cone) -> Vec<Dimension> {
    let heads: FxHashSet<Term> = turn.places.iter().map(|place| place.head).collect();
    let varies = |term: Term| match model.node(term) {
        Node::Var(var) => heads.contains(&term) || !(turn.is_fixed)(*var),
        _ => false,
    };
    let depends = [dependent(model, cone, varies), dependent(model, entry, varies)];
    let is_fixed = |term: Term| depends.iter().all(|table| !table.get(term).copied().unwrap_or(false));
    let mut votes = votes(model, cone);
    for place in &turn.places {
        share_votes(model, place, &mut votes);
    }
    let mut found: Vec<Term> = turn.places.iter().map(|place| place.head).collect();
    let mut fixed = Vec::new();
    for place in &turn.places {
        leaves(model, place.first, &mut |leaf| fixed.push(leaf));
    }
    for place in &turn.places {
        leaves(model, place.next, &mut |leaf| fixed.push(leaf));
    }
    for &term in cone.terms() {
        if let Node::Compare(_, a, b) | Node::Guard(_, a, b) = model.node(term) {
            [*a, *b].into_iter().for_each(|side| leaves(model, side, &mut |leaf| fixed.push(leaf)));
        }
    }
    for leaf in fixed {
        if found.len() >= MOST_DIMENSIONS.max(turn.places.len()) {
            break;
        }
        let is_plain = is_fixed(leaf) || matches!(model.node(leaf), Node::Var(_));
        if is_plain && model.width(leaf) != Width::W1 && !found.contains(&leaf) {
            found.push(leaf);
        }
    }
    let signed = |term: Term| votes.get(&term).copied().unwrap_or(0) > 0;
    let passing = |term: Term| !is_fixed(term) && !heads.contains(&term);
    found
        .into_iter()
        .map(|term| Dimension {
            term,
            width: model.width(term),
            signed: signed(term),
            passing: passing(term),
        })
        .collect()
}

/// For each number how often it is read as signed, less how often it is not.
fn votes(model: &Model, cone: &Cone) -> FxHashMap<Term, i64> {
    let mut votes: FxHashMap<Term, i64> = FxHashMap::default();
    for &term in cone.terms() {
        let (sides, vote) = match model.node(term) {
            Node::Compare(IntCmp::Slt | IntCmp::Sle, a, b) => ([*a, *b], 1),
            Node::Guard(
                Guard::AddFits(_)
                | Guard::SubFits(_)
                | Guard::MulFits(_)
                | Guard::QuotientFits(_)
                | Guard::ShlFits(_),
                a,
                b,
            ) => ([*a, *b], 1),
            Node::Op(IntOp::SDiv | IntOp::SRem | IntOp::AShr, a, b) => ([*a, *b], 1),
            Node::Cast(Cast::SExt(..), a) => ([*a, *a], 1),
            Node::Compare(IntCmp::Ult | IntCmp::Ule, a, b) => ([*a, *b], -1),
            Node::Guard(Guard::IndexBelow(_) | Guard::IndexAtMost(_), a, b) => ([*a, *b], -1),
            Node::Op(IntOp::UDiv | IntOp::URem, a, b) => ([*a, *b], -1),
            Node::Cast(Cast::ZExt(..), a) => ([*a, *a], -1),
            _ => continue,
        };
        for side in sides {
            leaves(model, side, &mut |leaf| *votes.entry(leaf).or_default() += vote);
        }
    }
    votes
}

/// What is read neither way is read like what it is a value of.
fn share_votes(model: &Model, place: &Place, votes: &mut FxHashMap<Term, i64>) {
    let mut related = vec![place.head];
    leaves(model, place.first, &mut |leaf| related.push(leaf));
    leaves(model, place.next, &mut |leaf| related.push(leaf));
    let all: i64 = related.iter().filter_map(|term| votes.get(term)).sum();
    for term in related {
        votes.entry(term).or_insert(all);
    }
}

/// Calls `visit_leaf` for what a term is a linear function of, at least in parts.
fn leaves(model: &Model, term: Term, visit_leaf: &mut impl FnMut(Term)) {
    let mut step = |term: Term, open: &mut Vec<Term>| match model.node(term) {
        Node::Const(_) => {}
        Node::Sum(_, parts) => open.extend(parts.iter().map(|part| part.1)),
        Node::Op(IntOp::Add | IntOp::Sub, a, b) | Node::Select(_, a, b) => open.extend([*a, *b]),
        Node::Op(IntOp::Mul | IntOp::Shl | IntOp::UDiv | IntOp::SDiv | IntOp::LShr | IntOp::AShr, a, b)
            if model.constant(*b).is_some() =>
        {
            open.push(*a);
        }
        Node::Op(IntOp::Mul, a, b) if model.constant(*a).is_some() => open.push(*b),
        Node::Cast(Cast::SExt(..) | Cast::ZExt(..) | Cast::Trunc(..), a) => open.push(*a),
        Node::Not(a) if model.width(*a) != Width::W1 => open.push(*a),
        _ => visit_leaf(term),
    };
    visit([term], |term, open| {
        step(term, open);
        true
    });
}
