//! What terms are made of: which kinds of operations occur, and how many.

use quipu_model::{Model, Node, Term};
use quipu_num::IntOp;
use rustc_hash::FxHashSet;

/// Whether floats occur among the terms of a model that grows.
#[derive(Default)]
pub(crate) struct Floats {
    n_seen: usize,
    found: bool,
}

impl Floats {
    pub fn occur_in(&mut self, model: &Model) -> bool {
        let is_float = |term: Term| matches!(model.node(term), Node::Float(..));
        self.found = self.found || model.terms_after(self.n_seen).any(is_float);
        self.n_seen = model.terms().len();
        self.found
    }
}

/// Whether a quarter of the operations in the assertions are on single bits.
pub(crate) fn is_about_bits(model: &Model) -> bool {
    let mut seen = model.table(false);
    let (mut bitwise, mut others) = (0, 0);
    let mut stack = model.assertions().to_vec();
    while let Some(term) = stack.pop() {
        if std::mem::replace(&mut seen[term], true) {
            continue;
        }
        match model.node(term) {
            Node::Op(op, ..) if is_bitwise(*op) => bitwise += 1,
            Node::Const(_) | Node::Var(_) | Node::Not(_) | Node::All(_) | Node::Any(_) => {}
            _ => others += 1,
        }
        model.node(term).for_each_operand(|operand| stack.push(operand));
    }
    bitwise > 0 && 3 * bitwise >= others
}

fn is_bitwise(op: IntOp) -> bool {
    matches!(op, IntOp::And | IntOp::Or | IntOp::Xor | IntOp::Shl | IntOp::LShr | IntOp::AShr)
}

/// The terms of which some terms are made; no more than so many.
pub(crate) fn needed(model: &Model, roots: &[Term], most: usize) -> FxHashSet<Term> {
    let mut found = FxHashSet::default();
    let mut open = roots.to_vec();
    while let Some(term) = open.pop() {
        if found.len() >= most {
            break;
        }
        if found.insert(term) {
            model.node(term).for_each_operand(|operand| open.push(operand));
        }
    }
    found
}
