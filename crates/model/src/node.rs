//! The nodes of the term graph.

use quipu_base::define_id;
use quipu_num::{Cast, FloatFn, FloatWidth, Guard, IntCmp, IntOp, IntUnary};

define_id!(
    /// A term of a model.
    Term,
    "t"
);
define_id!(
    /// A variable of a model.
    Var,
    "v"
);
define_id!(
    /// A named relation.
    Relation,
    "r"
);

/// A term: a constant, a variable, or a total function of other terms. Truth values are integers of width 1, floats are
/// integers too: their ranks (see `quipu_num::rank`).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A number, in canonical bits.
    Const(u64),
    /// The value of a variable.
    Var(Var),
    /// All bits inverted; on truth values, the negation.
    Not(Term),
    /// Arithmetic that wraps.
    Op(IntOp, Term, Term),
    /// Counting and swapping.
    Unary(IntUnary, Term),
    /// A truth value: how two terms compare.
    Compare(IntCmp, Term, Term),
    /// A truth value: whether an operation on two terms is defined.
    Guard(Guard, Term, Term),
    /// A conversion between widths, or from or to floats.
    Cast(Cast, Term),
    /// A function of floats of one format, or a truth value about them.
    Float(FloatFn, FloatWidth, Box<[Term]>),
    /// The second term where the first is true, else the third.
    Select(Term, Term, Term),
    /// The conjunction of truth values; true for none.
    All(Box<[Term]>),
    /// The disjunction of truth values; false for none.
    Any(Box<[Term]>),
    /// A constant plus terms with coefficients, modulo the width.
    Sum(u64, Box<[(u64, Term)]>),
    /// The term at the position given by the first; 0 behind the end.
    Element(Term, Box<[Term]>),
    /// A truth value: whether the relation holds of the arguments. Stands only where its truth helps
    /// (never below a negation), so that a model without an unfolding of it says less, not more.
    Call(Relation, Box<[Term]>),
}

impl Node {
    /// Calls `visit` for every operand, in order.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Term)) {
        match self {
            Node::Const(_) | Node::Var(_) => {}
            Node::Not(a) | Node::Unary(_, a) | Node::Cast(_, a) => visit(*a),
            Node::Op(_, a, b) | Node::Compare(_, a, b) | Node::Guard(_, a, b) => {
                visit(*a);
                visit(*b);
            }
            Node::Select(c, a, b) => {
                visit(*c);
                visit(*a);
                visit(*b);
            }
            Node::All(items) | Node::Any(items) | Node::Call(_, items) | Node::Float(_, _, items) => {
                items.iter().copied().for_each(visit);
            }
            Node::Sum(_, parts) => parts.iter().for_each(|part| visit(part.1)),
            Node::Element(index, items) => {
                visit(*index);
                items.iter().copied().for_each(visit);
            }
        }
    }

    /// The same node with every operand replaced.
    pub fn map_operands(&self, mut to: impl FnMut(Term) -> Term) -> Node {
        let mut each = |items: &[Term]| items.iter().map(|&item| to(item)).collect();
        match self {
            Node::Const(_) | Node::Var(_) => self.clone(),
            Node::All(items) => Node::All(each(items)),
            Node::Any(items) => Node::Any(each(items)),
            Node::Call(relation, items) => Node::Call(*relation, each(items)),
            Node::Float(function, w, items) => Node::Float(*function, *w, each(items)),
            Node::Not(a) => Node::Not(to(*a)),
            Node::Unary(op, a) => Node::Unary(*op, to(*a)),
            Node::Cast(cast, a) => Node::Cast(*cast, to(*a)),
            Node::Op(op, a, b) => Node::Op(*op, to(*a), to(*b)),
            Node::Compare(cmp, a, b) => Node::Compare(*cmp, to(*a), to(*b)),
            Node::Guard(guard, a, b) => Node::Guard(*guard, to(*a), to(*b)),
            Node::Select(c, a, b) => Node::Select(to(*c), to(*a), to(*b)),
            Node::Sum(constant, parts) => {
                Node::Sum(*constant, parts.iter().map(|&(c, part)| (c, to(part))).collect())
            }
            Node::Element(index, items) => {
                let index = to(*index);
                Node::Element(index, items.iter().map(|&item| to(item)).collect())
            }
        }
    }
}
