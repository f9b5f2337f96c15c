//! All solutions, by trying every assignment.

use quipu_base::IdVec;
use quipu_model::{Assignment, Model, Role, Var, VarInfo, holds};

/// How many bits it takes to tell the assignments that are tried apart.
pub fn input_bits(model: &Model) -> u32 {
    variables(model).iter().map(|&var| u64::BITS - tried(&model.vars()[var]).1.leading_zeros()).sum()
}

/// The first value of a variable that is tried, and how many others. Of a wide variable, those in its range.
fn tried(info: &VarInfo) -> (u64, u64) {
    match info.range {
        Some((first, last)) if info.width.bits() > WIDE => (first, info.width.wrap(last.wrapping_sub(first))),
        _ => (0, info.width.mask()),
    }
}

/// A variable with more bits is tried in its range only.
const WIDE: u32 = 20;

/// The solutions of a model whose variables are all inputs, as the values of the variables in order.
pub fn solutions(model: &Model) -> Vec<Vec<u64>> {
    let vars = variables(model);
    let solves = assignments(model).filter(|assignment| holds(model, assignment));
    solves.map(|assignment| vars.iter().map(|&var| assignment[var]).collect()).collect()
}

/// All assignments to the variables of a small model, whether or not their declarations allow them, but for wide
/// variables with a narrow range. Formal variables get 0.
pub fn assignments(model: &Model) -> impl Iterator<Item = Assignment> + '_ {
    assert!(input_bits(model) <= 20, "brute force needs a small model");
    let vars = variables(model);
    let mut first: Assignment = IdVec::filled(0, model.vars().len());
    vars.iter().for_each(|&var| first[var] = tried(&model.vars()[var]).0);
    std::iter::successors(Some(first), move |last| {
        let mut next = last.clone();
        advance(model, &vars, &mut next).then_some(next)
    })
}

fn variables(model: &Model) -> Vec<Var> {
    let given = |&var: &Var| model.vars()[var].role != Role::Formal;
    model.vars().ids().filter(given).collect()
}

/// The next assignment, counting with the last variable fastest; false after the last one.
fn advance(model: &Model, vars: &[Var], assignment: &mut Assignment) -> bool {
    for &var in vars.iter().rev() {
        let info = &model.vars()[var];
        let (first, others) = tried(info);
        if info.width.wrap(assignment[var].wrapping_sub(first)) < others {
            assignment[var] = info.width.wrap(assignment[var].wrapping_add(1));
            return true;
        }
        assignment[var] = first;
    }
    false
}
