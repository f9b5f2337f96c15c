//! The solver that the tests believe: it tries every assignment.

use quipu_base::Id;
use quipu_sat::{Lit, Var};

/// Clauses over few variables.
#[derive(Clone, Debug, Default)]
pub struct TruthTable {
    pub vars: Vec<Var>,
    pub clauses: Vec<Vec<Lit>>,
}

impl TruthTable {
    /// Whether some assignment makes all clauses and all assumptions true.
    pub fn is_satisfiable(&self, assumptions: &[Lit]) -> bool {
        let clauses: Vec<[u32; 2]> = self.clauses.iter().map(|clause| masks(clause)).collect();
        let [positive, negative] = masks(assumptions);
        (0..1u32 << self.vars.len()).any(|assignment| {
            assignment & positive == positive
                && assignment & negative == 0
                && clauses.iter().all(|[some, none]| assignment & some | !assignment & none != 0)
        })
    }
}

/// The variables that occur positively and those that occur negatively.
fn masks(lits: &[Lit]) -> [u32; 2] {
    let mut masks = [0; 2];
    for lit in lits {
        masks[usize::from(!lit.is_positive())] |= 1 << lit.var().index();
    }
    masks
}
