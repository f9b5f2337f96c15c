//! The constraint that a node puts on its operands and itself: which contractor narrows them.

use quipu_domain::{Domain, contract};
use quipu_model::{Model, Node, Term};
use quipu_num::{IntOp, Width};

/// How soon a definition is looked at: the cheap ones first.
pub const N_TIERS: usize = 3;

/// The tier of a node.
pub fn tier(node: &Node) -> usize {
    match node {
        Node::Sum(..) | Node::Element(..) | Node::Unary(..) => 2,
        Node::Op(IntOp::Add | IntOp::Sub | IntOp::And | IntOp::Or | IntOp::Xor, ..) => 1,
        Node::Op(..) => 2,
        Node::Guard(..) => 1,
        Node::Float(..) => 2,
        _ => 0,
    }
}

/// Whether a node relates anything.
pub fn has_definition(model: &Model, term: Term) -> bool {
    match model.node(term) {
        Node::Const(_) | Node::Var(_) => false,
        Node::Call(..) => model.unfolding(term).is_some(),
        _ => true,
    }
}

/// The terms that a definition relates: the operands, then the term itself. A call is related to what it says.
pub fn related(model: &Model, term: Term, terms: &mut Vec<Term>) {
    terms.clear();
    match model.node(term) {
        Node::Call(..) => terms.extend(model.unfolding(term)),
        node => node.for_each_operand(|operand| terms.push(operand)),
    }
    terms.push(term);
}

/// Narrows the domains of the related terms; false if there is no solution in them.
pub fn contract(model: &Model, term: Term, d: &mut [Domain]) -> bool {
    let width = model.width(term);
    match model.node(term) {
        Node::Op(IntOp::Mul, a, b) if a == b => {
            store(d, contract::square(width, d[0], d[2]).map(|[x, z]| [x, x, z]))
        }
        Node::Op(op, ..) => store(d, contract::binary(*op, width, d[0], d[1], d[2])),
        Node::Compare(cmp, a, _) => store(d, contract::compare(*cmp, model.width(*a), d[0], d[1], d[2])),
        Node::Guard(guard, ..) => store(d, contract::guard(*guard, d[0], d[1], d[2])),
        Node::Not(_) => store(d, contract::complement(width, d[0], d[1])),
        Node::Unary(op, _) => store(d, contract::unary(*op, width, d[0], d[1])),
        Node::Cast(cast, _) => store(d, contract::cast(*cast, d[0], d[1])),
        Node::Select(..) => store(d, contract::select(width, d[0], d[1], d[2], d[3])),
        Node::Float(function, w, _) => contract::float(*function, *w, d),
        Node::Call(..) => implies(d),
        node => contract_many(model, node, width, d),
    }
}

fn contract_many(model: &Model, node: &Node, width: Width, domains: &mut [Domain]) -> bool {
    let (z, items) = domains.split_last_mut().expect("a definition relates at least the term itself");
    match node {
        Node::All(_) => contract::all(items, z),
        Node::Any(_) => contract::any(items, z),
        Node::Sum(constant, parts) => {
            with_coefficients(parts, |coefficients| contract::sum(width, coefficients, *constant, items, z))
        }
        Node::Element(index, _) => {
            let (position, items) = items.split_first_mut().expect("an element has a position");
            contract::element(model.width(*index), width, position, items, z)
        }
        _ => panic!("{node:?} should not be asked for its definition"),
    }
}

/// The coefficients of a sum as a slice; those of a short sum need no memory.
fn with_coefficients(parts: &[(u64, Term)], narrow: impl FnOnce(&[u64]) -> bool) -> bool {
    const SHORT: usize = 16;
    let mut short = [0; SHORT];
    match short.get_mut(..parts.len()) {
        Some(short) => {
            short.iter_mut().zip(parts).for_each(|(to, part)| *to = part.0);
            narrow(short)
        }
        None => narrow(&parts.iter().map(|part| part.0).collect::<Vec<u64>>()),
    }
}

fn store<const N: usize>(domains: &mut [Domain], narrowed: Option<[Domain; N]>) -> bool {
    match narrowed {
        Some(narrowed) => {
            domains.copy_from_slice(&narrowed);
            true
        }
        None => false,
    }
}

/// A call is true only if what it says is.
fn implies(domains: &mut [Domain]) -> bool {
    match (domains[0], domains[1]) {
        (Domain::FALSE, Domain::TRUE) => false,
        (Domain::FALSE, _) => {
            domains[1] = Domain::FALSE;
            true
        }
        (_, Domain::TRUE) => {
            domains[0] = Domain::TRUE;
            true
        }
        _ => true,
    }
}
