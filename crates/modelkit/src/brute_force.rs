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
    assert!(input_bits(model) <= 20, "brute force needs a small model");
    let mut assignment: Assignment = IdVec::filled(0, model.vars().len());
    let mut found = Vec::new();
    loop {
        if holds(model, &assignment) {
            found.push(vars.iter().map(|&var| assignment[var]).collect());
        }
        if !advance(model, &vars, &mut assignment) {
            return found;
        }
    }
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
