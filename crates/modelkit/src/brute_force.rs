//! All solutions, by trying every assignment.

use quipu_base::IdVec;
use quipu_model::{Assignment, Model, Role, Var, holds};

/// How many bits all variables have together.
pub fn input_bits(model: &Model) -> u32 {
    variables(model).iter().map(|&var| model.vars()[var].width.bits()).sum()
}

/// The solutions of a model whose variables are all inputs, as the values of the variables in order.
pub fn solutions(model: &Model) -> Vec<Vec<u64>> {
    let vars = variables(model);
    let solves = assignments(model).filter(|assignment| holds(model, assignment));
    solves.map(|assignment| vars.iter().map(|&var| assignment[var]).collect()).collect()
}

/// All assignments to the variables of a small model, whether or not their declarations allow them. Formal
/// variables get 0.
pub fn assignments(model: &Model) -> impl Iterator<Item = Assignment> + '_ {
    assert!(input_bits(model) <= 20, "brute force needs a small model");
    let vars = variables(model);
    let first: Assignment = IdVec::filled(0, model.vars().len());
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
        if assignment[var] < model.vars()[var].width.mask() {
            assignment[var] += 1;
            return true;
        }
        assignment[var] = 0;
    }
    false
}
