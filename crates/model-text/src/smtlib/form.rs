//! In which of two forms a term is needed: as a bit-vector, or as a float.
//!
//! A term of a model is an integer, and a float is its rank. SMT-LIB has floats of their own, with one NaN only. So a
//! float has two forms here, each written where something needs it: the float of SMT-LIB, for arithmetic and comparisons
//! of floats, and the rank as a bit-vector, which tells NaNs apart, for everything else.

use quipu_base::IdVec;
use quipu_model::{Model, Node, Reading, Role, Term, VarInfo};
use quipu_num::{Cast, FloatFn, FloatOp, FloatUnary, FloatWidth, Guard, IntCmp, is_nan_rank, nan_rank};

use crate::types::float_of;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Form {
    /// Its bits; of a float, the rank.
    Bits,
    /// The float whose rank it is.
    Float,
}

/// What kinds of values the terms of a model have.
pub(super) struct Natures {
    /// Whether a term is made as a float.
    float: IdVec<Term, bool>,
    /// Whether it is the usual NaN if it is the rank of any: then floats of SMT-LIB say all about it.
    usual: IdVec<Term, bool>,
}

impl Natures {
    pub fn of(model: &Model) -> Natures {
        let mut natures = Natures { float: IdVec::new(), usual: IdVec::new() };
        for term in model.terms() {
            let float = natures.is_made_as_float(model, term);
            let usual = natures.has_usual_nans(model, term);
            natures.float.push(float);
            natures.usual.push(usual);
        }
        natures
    }

    pub fn is_usual(&self, term: Term) -> bool {
        self.usual[term]
    }

    fn is_made_as_float(&self, model: &Model, term: Term) -> bool {
        match model.node(term) {
            Node::Var(var) => is_float(&model.vars()[*var]),
            Node::Float(function, ..) => !matches!(function, FloatFn::Compare(_)),
            Node::Cast(cast, _) => cast.floats().1.is_some(),
            Node::Select(_, a, b) => self.float[*a] || self.float[*b],
            Node::Element(_, items) => items.iter().any(|&item| self.float[item]),
            _ => false,
        }
    }

    fn has_usual_nans(&self, model: &Model, term: Term) -> bool {
        let Some(w) = float_of(model.width(term)) else { return false };
        match model.node(term) {
            Node::Const(rank) => !is_nan_rank(w, *rank) || *rank == nan_rank(w),
            Node::Var(var) => {
                let info = &model.vars()[*var];
                is_float(info) && info.role != Role::Formal && number_range(w, info.range).is_some()
            }
            Node::Float(FloatFn::Compare(_), ..) => false,
            Node::Float(function, ..) => !keeps_nans(*function),
            Node::Cast(cast, _) => cast.floats().1.is_some() && !matches!(cast, Cast::BitsFloat(_)),
            Node::Select(_, a, b) => self.usual[*a] && self.usual[*b],
            _ => false,
        }
    }

    /// Whether two terms are one float if floats of SMT-LIB are.
    pub fn are_told_by_floats(&self, a: Term, b: Term) -> bool {
        self.usual[a] && self.usual[b] && (self.float[a] || self.float[b])
    }
}

/// The ends of a range in which there are numbers only.
pub(super) fn number_range(w: FloatWidth, range: Option<(u64, u64)>) -> Option<(u64, u64)> {
    range.filter(|&(first, last)| first <= last && !is_nan_rank(w, first) && !is_nan_rank(w, last))
}

/// Whether a variable is declared as a float of SMT-LIB.
pub(super) fn is_float(info: &VarInfo) -> bool {
    info.reading == Reading::Float && float_of(info.width).is_some()
}

/// Whether a NaN comes out as it went in, but for its sign.
pub(super) fn keeps_nans(function: FloatFn) -> bool {
    matches!(function, FloatFn::Unary(FloatUnary::Neg | FloatUnary::Abs) | FloatFn::Op(FloatOp::CopySign))
}

/// Which terms, in which forms, the definition of a term in a form mentions.
pub(super) fn needed(model: &Model, natures: &Natures, term: Term, form: Form) -> Vec<(Term, Form)> {
    let node = model.node(term);
    match form {
        Form::Bits => needed_for_bits(natures, term, node),
        Form::Float => needed_for_float(model, natures, term, node),
    }
}

fn needed_for_bits(natures: &Natures, term: Term, node: &Node) -> Vec<(Term, Form)> {
    match node {
        Node::Var(_) if natures.float[term] => vec![(term, Form::Float)],
        Node::Float(FloatFn::Compare(_), _, items) => all(items, Form::Float),
        Node::Float(function, _, items) if keeps_nans(*function) => all(items, Form::Bits),
        Node::Float(..) => vec![(term, Form::Float)],
        Node::Cast(Cast::FloatToSigned(..) | Cast::FloatToUnsigned(..), a) => vec![(*a, Form::Float)],
        Node::Cast(cast, _) if is_computed_float(*cast) => vec![(term, Form::Float)],
        Node::Guard(Guard::FloatFits { .. }, a, _) => vec![(*a, Form::Float)],
        Node::Compare(IntCmp::Eq | IntCmp::Ne, a, b) if natures.are_told_by_floats(*a, *b) => {
            all(&[*a, *b], Form::Float)
        }
        _ => operands(node, Form::Bits),
    }
}

fn needed_for_float(model: &Model, natures: &Natures, term: Term, node: &Node) -> Vec<(Term, Form)> {
    match node {
        Node::Const(_) => Vec::new(),
        Node::Var(_) if natures.float[term] => Vec::new(),
        // Also the sign of a NaN counts.
        Node::Float(FloatFn::Op(FloatOp::CopySign), _, items) => {
            let sign = if natures.is_usual(items[1]) { Form::Float } else { Form::Bits };
            vec![(items[0], Form::Float), (items[1], sign)]
        }
        Node::Float(_, _, items) if natures.float[term] => all(items, Form::Float),
        Node::Cast(Cast::Widen | Cast::Narrow, a) => vec![(*a, Form::Float)],
        Node::Cast(cast, a) if cast.floats().1.is_some() => vec![(*a, Form::Bits)],
        Node::Select(c, a, b) => vec![(*c, Form::Bits), (*a, Form::Float), (*b, Form::Float)],
        Node::Element(index, items) => {
            let mut needed = vec![(*index, Form::Bits)];
            needed.extend(all(items, Form::Float));
            needed
        }
        _ => {
            debug_assert!(float_of(model.width(term)).is_some(), "a float has 32 or 64 bits");
            vec![(term, Form::Bits)]
        }
    }
}

/// Whether a conversion results in a float by rounding.
pub(super) fn is_computed_float(cast: Cast) -> bool {
    cast.floats().1.is_some() && !matches!(cast, Cast::BitsFloat(_))
}

fn operands(node: &Node, form: Form) -> Vec<(Term, Form)> {
    let mut needed = Vec::new();
    node.for_each_operand(|operand| needed.push((operand, form)));
    needed
}

fn all(items: &[Term], form: Form) -> Vec<(Term, Form)> {
    items.iter().map(|&item| (item, form)).collect()
}
