//! The domains of all terms that a turn depends on.

use quipu_base::{Id, IdVec};
use quipu_cp::definition::{contract, has_definition, related};
use quipu_domain::{Domain, Interval};
use quipu_model::{Model, Node, Role, Term};
use quipu_num::{Guard, IntOp};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::turn::limits;

/// Terms with everything below them, operands first.
#[derive(Clone, Debug, Default)]
pub struct Cone {
    terms: Vec<Term>,
    /// The number of a term among them.
    places: FxHashMap<Term, usize>,
    /// Guards of products, each with its product: where the guard is true, the product does not overflow. Neither of the
    /// two definitions alone says so.
    fitting: Vec<(usize, usize)>,
}

/// What is known of each term of a cone.
#[derive(Clone, Debug)]
pub struct Domains(Vec<Domain>);

/// Passes from the operands to their users and back.
const PASSES: usize = 3;

impl Cone {
    /// The cone of some roots, and of as many conditions as there is room for: these are told, too. None if there is
    /// not enough room for the roots.
    pub fn of(
        model: &Model,
        roots: impl IntoIterator<Item = Term>,
        conditions: &[Term],
        most: usize,
    ) -> Option<(Cone, Vec<Term>)> {
        let mut members = FxHashSet::default();
        for root in roots {
            if !add(model, root, &mut members, most) {
                return None;
            }
        }
        let mut kept = Vec::new();
        for &condition in conditions {
            if add(model, condition, &mut members, most) {
                kept.push(condition);
            }
        }
        let mut terms: Vec<Term> = members.into_iter().collect();
        terms.sort_unstable();
        let places = terms.iter().enumerate().map(|(n, &term)| (term, n)).collect();
        let fitting = fitting(model, &terms);
        Some((Cone { terms, places, fitting }, kept))
    }

    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    pub fn contains(&self, term: Term) -> bool {
        self.places.contains_key(&term)
    }

    /// The domains in which each of some terms has one of its own; none if they contradict each other.
    pub fn domains(&self, model: &Model, given: &[(Term, Domain)]) -> Option<Domains> {
        let start = |&term: &Term| match model.node(term) {
            Node::Const(bits) => Domain::singleton(model.width(term), *bits),
            // What is declared of a formal variable need not hold of the values that it stands for.
            Node::Var(var) if model.vars()[*var].role != Role::Formal => {
                Domain::declared(model.width(term), model.vars()[*var].range)
            }
            _ => Domain::full(model.width(term)),
        };
        let mut domains: Vec<Domain> = self.terms.iter().map(start).collect();
        for (term, domain) in given {
            let Some(&n) = self.places.get(term) else { continue };
            domains[n] = domains[n].meet(model.width(*term), *domain)?;
        }
        let mut operands = Vec::new();
        let mut narrowed = Vec::new();
        for _ in 0..PASSES {
            let before = domains.clone();
            for n in 0..self.terms.len() {
                self.narrow(model, n, &mut domains, &mut operands, &mut narrowed)?;
            }
            for &(guard, product) in &self.fitting {
                if domains[guard] == Domain::TRUE {
                    domains[product] = self.fitted(model, product, &domains)?;
                }
            }
            for n in (0..self.terms.len()).rev() {
                self.narrow(model, n, &mut domains, &mut operands, &mut narrowed)?;
            }
            if domains == before {
                break;
            }
        }
        Some(Domains(domains))
    }

    fn narrow(
        &self,
        model: &Model,
        n: usize,
        domains: &mut [Domain],
        operands: &mut Vec<Term>,
        narrowed: &mut Vec<Domain>,
    ) -> Option<()> {
        let term = self.terms[n];
        if matches!(model.node(term), Node::Call(..)) || !has_definition(model, term) {
            return Some(());
        }
        related(model, term, operands);
        narrowed.clear();
        narrowed.extend(operands.iter().map(|operand| domains[self.places[operand]]));
        if !contract(model, term, narrowed) {
            return None;
        }
        for (operand, domain) in operands.iter().zip(&*narrowed) {
            let own = &mut domains[self.places[operand]];
            // A term that is an operand twice may have been narrowed already.
            *own = own.meet(model.width(*operand), *domain)?;
        }
        Some(())
    }

    /// What is left of the domain of a product that does not overflow.
    fn fitted(&self, model: &Model, product: usize, domains: &[Domain]) -> Option<Domain> {
        let term = self.terms[product];
        let Node::Op(_, a, b) = *model.node(term) else { panic!("a product has two factors") };
        let w = model.width(term);
        let bounds = |factor: Term| -> (i128, i128) {
            let (least, most) = domains[self.places[&factor]].signed_bounds(w);
            (least.into(), most.into())
        };
        let ((a, b), (c, d)) = (bounds(a), bounds(b));
        let products: [i128; 4] = [a * c, a * d, b * c, b * d];
        let (least, most) = limits(w, true);
        let lo = products.into_iter().fold(most, i128::min).max(least);
        let hi = products.into_iter().fold(least, i128::max).min(most);
        if lo > hi {
            return None;
        }
        domains[product].narrow(w, Interval::new(w, w.wrap(lo as u64), w.wrap(hi as u64)))
    }

    pub fn domain(&self, domains: &Domains, term: Term) -> Domain {
        domains.0[self.places[&term]]
    }
}

/// Adds a term and everything below it to a set, unless that becomes too large.
fn add(model: &Model, root: Term, members: &mut FxHashSet<Term>, most: usize) -> bool {
    let mut open = vec![root];
    let mut added = Vec::new();
    while let Some(term) = open.pop() {
        if !members.insert(term) {
            continue;
        }
        added.push(term);
        if members.len() > most {
            members.retain(|term| !added.contains(term));
            return false;
        }
        model.node(term).for_each_operand(|operand| open.push(operand));
    }
    true
}

/// The guards of products that are there, with these.
fn fitting(model: &Model, terms: &[Term]) -> Vec<(usize, usize)> {
    let factors = |term: Term| match *model.node(term) {
        Node::Op(IntOp::Mul, a, b) => Some((a.min(b), a.max(b))),
        _ => None,
    };
    let products: FxHashMap<(Term, Term), usize> =
        terms.iter().enumerate().filter_map(|(n, &term)| Some((factors(term)?, n))).collect();
    let guarded = |(n, &term): (usize, &Term)| match *model.node(term) {
        Node::Guard(Guard::MulFits(_), a, b) => Some((n, *products.get(&(a.min(b), a.max(b)))?)),
        _ => None,
    };
    terms.iter().enumerate().filter_map(guarded).collect()
}

/// Visits terms, each once: `step` says which ones come behind one, and whether to go on. False if it did not.
pub fn visit(
    roots: impl IntoIterator<Item = Term>,
    mut step: impl FnMut(Term, &mut Vec<Term>) -> bool,
) -> bool {
    let mut open: Vec<Term> = roots.into_iter().collect();
    let mut seen = FxHashSet::default();
    while let Some(term) = open.pop() {
        if seen.insert(term) && !step(term, &mut open) {
            return false;
        }
    }
    true
}

/// Which terms of a model depend on some variables.
pub fn dependent(model: &Model, cone: &Cone, on: impl Fn(Term) -> bool) -> IdVec<Term, bool> {
    let last = cone.terms.last().map_or(0, |term| term.index() + 1);
    let mut depends = IdVec::filled(false, last);
    for &term in &cone.terms {
        let mut is = on(term);
        model.node(term).for_each_operand(|operand| is |= depends[operand]);
        depends[term] = is;
    }
    depends
}
