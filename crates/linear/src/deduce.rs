//! What a relaxation says: that there is no solution, or narrower bounds of some terms.

use quipu_domain::{Domain, Interval};
use quipu_model::{Model, Term};

use crate::form::Form;
use crate::relax::{Difference, Relaxation};
use crate::round::Range;
use crate::simplex::{Feasibility, Simplex};

/// Of numbers that differ so many are looked at.
const MOST_DIFFERENCES: usize = 8;

/// How large a system may become.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub terms: usize,
    /// Rows times columns.
    pub cells: usize,
    /// Numbers computed.
    pub work: u64,
}

/// What was found, and what that cost in numbers computed.
#[derive(Clone, Debug)]
pub struct Deduction {
    pub found: Found,
    pub work: u64,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// No solution lies in the domains.
    Infeasible,
    /// Arcs in which the values of terms lie; none if nothing new is known.
    Arcs(Vec<(Term, Interval)>),
    /// The system would be too large.
    TooLarge,
}

/// Relaxes the terms below `roots` within domains, and bounds some of them.
pub fn deduce(
    model: &Model,
    domain: &dyn Fn(Term) -> Domain,
    roots: &[Term],
    bounded: &[Term],
    limits: Limits,
) -> Deduction {
    let Some(relaxation) = Relaxation::new(model, domain, roots, limits.terms) else {
        return Deduction { found: Found::TooLarge, work: limits.terms as u64 };
    };
    let system = relaxation.system();
    if system.is_contradictory() {
        return Deduction { found: Found::Infeasible, work: 0 };
    }
    if system.rows().len() * system.columns().len() > limits.cells {
        return Deduction { found: Found::TooLarge, work: limits.cells as u64 };
    }
    let mut simplex = Simplex::new(system, limits.work);
    let found = match simplex.find_feasible() {
        Feasibility::Infeasible(multipliers) if system.refutes(&multipliers) => Found::Infeasible,
        Feasibility::Infeasible(_) | Feasibility::Unknown => Found::Arcs(Vec::new()),
        Feasibility::Feasible if refuted_by_difference(&relaxation, &mut simplex) => Found::Infeasible,
        Feasibility::Feasible => {
            let arcs = bounded.iter().map(|&term| match simplex.work() < limits.work {
                true => narrowed(&relaxation, &mut simplex, model, domain, term),
                false => Some(None),
            });
            arcs.collect::<Option<Vec<_>>>()
                .map_or(Found::Infeasible, |arcs| Found::Arcs(arcs.into_iter().flatten().collect()))
        }
    };
    Deduction { found, work: simplex.work() }
}

/// Whether numbers that differ are too close to each other. The last ones are nearest to what is asked.
fn refuted_by_difference(relaxation: &Relaxation<'_>, simplex: &mut Simplex<'_>) -> bool {
    let system = relaxation.system();
    let may_be_zero = |difference: &&Difference| {
        let Range { lo, hi } = system.range(&difference.form);
        lo <= 0.0 && hi >= 0.0
    };
    let open = relaxation.differences().iter().rev().filter(may_be_zero).take(MOST_DIFFERENCES);
    open.into_iter().any(|Difference { form, gap }| {
        lower_bound(relaxation, simplex, form) > -gap
            && form.times(-1.0).is_some_and(|negated| lower_bound(relaxation, simplex, &negated) > -gap)
    })
}

/// A smaller arc of a term, if there is one; none if no value is left.
fn narrowed(
    relaxation: &Relaxation<'_>,
    simplex: &mut Simplex<'_>,
    model: &Model,
    domain: &dyn Fn(Term) -> Domain,
    term: Term,
) -> Option<Option<(Term, Interval)>> {
    let Some(form) = relaxation.quantity(term).filter(|form| form.is_constant().is_none()) else {
        return Some(None);
    };
    let known = relaxation.system().range(form);
    let lo = lower_bound(relaxation, simplex, form);
    let hi = form.times(-1.0).map_or(f64::INFINITY, |negated| -lower_bound(relaxation, simplex, &negated));
    if lo <= known.lo && hi >= known.hi {
        return Some(None);
    }
    let w = model.width(term);
    let arc = relaxation.arc(term, Range::new(lo.max(known.lo), hi.min(known.hi)))?;
    let old = domain(term);
    let new = old.narrow(w, arc)?;
    Some((new != old).then_some((term, arc)))
}

fn lower_bound(relaxation: &Relaxation<'_>, simplex: &mut Simplex<'_>, form: &Form) -> f64 {
    let multipliers = simplex.minimise(form);
    relaxation.system().bound_below(form, &multipliers)
}
