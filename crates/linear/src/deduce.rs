//! What a relaxation says: that there is no solution, or narrower bounds of some terms.

use quipu_domain::{Domain, Interval};
use quipu_model::{Model, Term};

use crate::form::Form;
use crate::relax::{Difference, Relaxation};
use crate::round::Range;
use crate::simplex::{Feasibility, Simplex};
use crate::system::System;

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
    let mut program = Program::new(system, limits.work);
    let found = match program.simplex.find_feasible() {
        Feasibility::Infeasible(multipliers) if system.refutes(&multipliers) => Found::Infeasible,
        Feasibility::Infeasible(_) | Feasibility::Unknown => Found::Arcs(Vec::new()),
        Feasibility::Feasible if refuted_by_difference(&relaxation, &mut program) => Found::Infeasible,
        Feasibility::Feasible if bounded.is_empty() => Found::Arcs(Vec::new()),
        Feasibility::Feasible => {
            let sides = sides(&relaxation);
            let mut sides: Option<Vec<Program<'_>>> =
                sides.as_ref().map(|sides| sides.iter().filter_map(|side| program.beside(side)).collect());
            let arcs = bounded.iter().map(|&term| match program.work() < limits.work {
                true => narrowed(&relaxation, &mut program, sides.as_deref_mut(), model, domain, term),
                false => Some(None),
            });
            let found = arcs
                .collect::<Option<Vec<_>>>()
                .map_or(Found::Infeasible, |arcs| Found::Arcs(arcs.into_iter().flatten().collect()));
            let of_sides: u64 = sides.iter().flatten().map(Program::work).sum();
            return Deduction { found, work: program.work() + of_sides };
        }
    };
    Deduction { found, work: program.work() }
}

/// A system, and who looks for its bounds.
struct Program<'s> {
    system: &'s System,
    simplex: Simplex<'s>,
    limit: u64,
}

impl<'s> Program<'s> {
    fn new(system: &'s System, limit: u64) -> Program<'s> {
        Program { system, simplex: Simplex::new(system, limit), limit }
    }

    /// Another one, which may work as long as this one still may; none if there is no solution in it.
    fn beside<'o>(&self, system: &'o System) -> Option<Program<'o>> {
        let mut other = Program::new(system, self.limit.saturating_sub(self.work()));
        match other.simplex.find_feasible() {
            _ if system.is_contradictory() => None,
            Feasibility::Infeasible(multipliers) if system.refutes(&multipliers) => None,
            _ => Some(other),
        }
    }

    fn work(&self) -> u64 {
        self.simplex.work()
    }

    fn lower_bound(&mut self, form: &Form) -> f64 {
        let multipliers = self.simplex.minimise(form);
        self.system.bound_below(form, &multipliers)
    }

    /// Between which bounds a form lies.
    fn range(&mut self, form: &Form) -> Range {
        let lo = self.lower_bound(form);
        let hi = form.times(-1.0).map_or(f64::INFINITY, |negated| -self.lower_bound(&negated));
        self.system.range(form).meet(Range::new(lo, hi))
    }
}

fn may_be_zero(system: &System, difference: &Difference) -> bool {
    let Range { lo, hi } = system.range(&difference.form);
    lo <= 0.0 && hi >= 0.0
}

/// Whether numbers that differ are too close to each other. The last ones are nearest to what is asked.
fn refuted_by_difference(relaxation: &Relaxation<'_>, program: &mut Program<'_>) -> bool {
    let is_open = |difference: &&Difference| may_be_zero(program.system, difference);
    let open: Vec<&Difference> =
        relaxation.differences().iter().rev().filter(is_open).take(MOST_DIFFERENCES).collect();
    open.into_iter().any(|Difference { form, gap }| {
        program.lower_bound(form) > -gap
            && form.times(-1.0).is_some_and(|negated| program.lower_bound(&negated) > -gap)
    })
}

/// The system where the first of two numbers that differ is less, and where it is greater, for the two that are nearest to
/// what is asked: what both say holds, as in the convex hull of the two.
fn sides(relaxation: &Relaxation<'_>) -> Option<[System; 2]> {
    let system = relaxation.system();
    let mut open = relaxation.differences().iter().rev().filter(|difference| may_be_zero(system, difference));
    let Difference { form, gap } = open.next()?;
    let with = |range: Range| {
        let mut side = system.clone();
        side.demand(form, range);
        side
    };
    Some([with(Range::new(f64::NEG_INFINITY, -gap)), with(Range::new(*gap, f64::INFINITY))])
}

/// A smaller arc of a term, if there is one; none if no value is left.
fn narrowed(
    relaxation: &Relaxation<'_>,
    program: &mut Program<'_>,
    sides: Option<&mut [Program<'_>]>,
    model: &Model,
    domain: &dyn Fn(Term) -> Domain,
    term: Term,
) -> Option<Option<(Term, Interval)>> {
    let Some(form) = relaxation.quantity(term).filter(|form| form.is_constant().is_none()) else {
        return Some(None);
    };
    let known = relaxation.system().range(form);
    let mut range = program.range(form);
    if let Some(sides) = sides {
        range = range.meet(sides.iter_mut().map(|side| side.range(form)).reduce(Range::join)?);
    }
    if range == known {
        return Some(None);
    }
    let w = model.width(term);
    let arc = relaxation.arc(term, range)?;
    let old = domain(term);
    let new = old.narrow(w, arc)?;
    Some((new != old).then_some((term, arc)))
}
