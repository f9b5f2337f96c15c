//! Trying all values: where the domains are small, nothing is faster than computing.
//!
//! The variables are nested loops. A term is computed in the loop of its innermost variable, assertion by assertion,
//! and the first one that is false ends the turn. Left out: models with calls, and models from which solutions have
//! been excluded.

use std::sync::atomic::{AtomicBool, Ordering};

use quipu_base::IdVec;
use quipu_cp::Solver;
use quipu_domain::Domain;
use quipu_model::{Assignment, Model, Node, Term, Var, apply};
use quipu_num::Width;

/// Turns of loops between two looks at the interruption flag.
const TURNS_PER_LOOK: u64 = 1 << 14;

/// Nested loops over all values of the variables that the assertions mention.
pub(crate) struct Enumeration {
    loops: Vec<Loop>,
    cost: u64,
}

struct Loop {
    var: Var,
    term: Term,
    width: Width,
    domain: Domain,
    /// What is computed in a turn, operands first.
    steps: Vec<Step>,
}

struct Step {
    term: Term,
    /// Whether it must be true.
    asserted: bool,
}

/// What was found.
pub(crate) enum Enumerated {
    Solution(Assignment),
    Infeasible,
    Interrupted,
}

impl Enumeration {
    /// The loops for a model, outermost first; none if it has calls.
    pub fn plan(solver: &Solver<'_>) -> Option<Enumeration> {
        let model = solver.model();
        let mut variables = variables(model)?;
        variables.sort_by_key(|&var| {
            let term = model.var_term(var);
            (solver.domain(term).span(model.width(term)), var)
        });
        let narrow_outside = Enumeration::with_order(solver, &variables);
        variables.reverse();
        let wide_outside = Enumeration::with_order(solver, &variables);
        Some(if wide_outside.cost < narrow_outside.cost { wide_outside } else { narrow_outside })
    }

    /// The terms that are computed in the worst case.
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// Tries all values.
    pub fn run(&self, solver: &Solver<'_>, interrupt: &AtomicBool) -> Enumerated {
        let model = solver.model();
        let mut values = model.table(0);
        for term in model.terms() {
            if let Some(number) = model.constant(term) {
                values[term] = number;
            }
        }
        let mut state = State { model, values, turns: 0, interrupt, interrupted: false };
        if !state.run(&self.loops) {
            return if state.interrupted { Enumerated::Interrupted } else { Enumerated::Infeasible };
        }
        let mut assignment: Assignment =
            model.vars().ids().map(|var| solver.domain(model.var_term(var)).lo()).collect();
        for each in &self.loops {
            assignment[each.var] = state.values[each.term];
        }
        Enumerated::Solution(assignment)
    }

    fn with_order(solver: &Solver<'_>, variables: &[Var]) -> Enumeration {
        let model = solver.model();
        let mut depths: IdVec<Term, Option<usize>> = model.table(None);
        let mut loops = Vec::new();
        for (depth, &var) in variables.iter().enumerate() {
            let term = model.var_term(var);
            let domain = solver.domain(term);
            depths[term] = Some(depth);
            loops.push(Loop { var, term, width: model.width(term), domain, steps: Vec::new() });
        }
        for &assertion in model.assertions() {
            place(model, assertion, &mut depths, &mut loops);
        }
        let mut turns = 1u64;
        let mut cost = 0u64;
        for each in &loops {
            turns = turns.saturating_mul(each.domain.span(each.width).saturating_add(1));
            cost = cost.saturating_add(turns.saturating_mul(1 + each.steps.len() as u64));
        }
        Enumeration { loops, cost }
    }
}

/// Puts what an assertion needs into the loops.
fn place(model: &Model, assertion: Term, depths: &mut IdVec<Term, Option<usize>>, loops: &mut [Loop]) {
    let mut stack = vec![assertion];
    while let Some(&term) = stack.last() {
        let before = stack.len();
        let mut depth = None;
        model.node(term).for_each_operand(|operand| {
            if depths[operand].is_none() && model.constant(operand).is_none() {
                stack.push(operand);
            }
            depth = depth.max(depths[operand]);
        });
        if stack.len() > before {
            continue;
        }
        stack.pop();
        if depths[term].is_none() {
            // What depends on no variable is computed in the outermost loop.
            let depth = depth.unwrap_or(0);
            depths[term] = Some(depth);
            loops[depth].steps.push(Step { term, asserted: false });
        }
    }
    let place = &mut loops[depths[assertion].expect("the assertion was placed")];
    match place.steps.last_mut() {
        Some(last) if last.term == assertion => last.asserted = true,
        // A truth value that is a variable, or was computed before, is looked at again.
        _ => place.steps.push(Step { term: assertion, asserted: true }),
    }
}

/// The variables that the assertions mention; none if they mention calls, or no variable.
fn variables(model: &Model) -> Option<Vec<Var>> {
    let mut seen = model.table(false);
    let mut found = Vec::new();
    let mut stack = model.assertions().to_vec();
    if stack.iter().any(|&assertion| model.constant(assertion).is_some()) {
        return None;
    }
    while let Some(term) = stack.pop() {
        if std::mem::replace(&mut seen[term], true) {
            continue;
        }
        match model.node(term) {
            Node::Call(..) => return None,
            Node::Var(var) => found.push(*var),
            node => node.for_each_operand(|operand| stack.push(operand)),
        }
    }
    (!found.is_empty()).then_some(found)
}

struct State<'a> {
    model: &'a Model,
    values: IdVec<Term, u64>,
    turns: u64,
    interrupt: &'a AtomicBool,
    interrupted: bool,
}

impl State<'_> {
    /// Whether some values of these variables, innermost last, make all assertions true.
    fn run(&mut self, loops: &[Loop]) -> bool {
        let Some((first, inner)) = loops.split_first() else { return true };
        for value in first.domain.values(first.width) {
            self.values[first.term] = value;
            self.turns += 1;
            if self.turns.is_multiple_of(TURNS_PER_LOOK) {
                self.interrupted |= self.interrupt.load(Ordering::Relaxed);
            }
            if self.interrupted {
                return false;
            }
            if self.compute(&first.steps) && self.run(inner) {
                return true;
            }
        }
        false
    }

    /// Computes terms, up to one that is asserted and false.
    fn compute(&mut self, steps: &[Step]) -> bool {
        for &Step { term, asserted } in steps {
            let node = self.model.node(term);
            if !matches!(node, Node::Var(_)) {
                let width = self.model.width(term);
                self.values[term] = apply(self.model, node, width, |operand| self.values[operand]);
            }
            if asserted && self.values[term] != 1 {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use quipu_cp::Limits;
    use quipu_model::{WrittenBodies, holds};
    use quipu_modelkit::{Random, Shape, random_model, solutions};

    use super::*;

    #[test]
    fn trying_all_values_agrees_with_brute_force() {
        let (mut found, mut none) = (0, 0);
        for seed in 0..600 {
            let mut random = Random::new(seed);
            let shape = Shape {
                variables: 1 + random.below(5),
                widths: vec![1, 2, 3, 4],
                bits: 10,
                terms: 4 + random.below(30),
                assertions: 1 + random.below(4),
            };
            let model = random_model(&mut random, &shape);
            let expected = solutions(&model);
            let solver = Solver::new(model.clone(), &WrittenBodies, Limits::default());
            let Some(enumeration) = Enumeration::plan(&solver) else { continue };
            match enumeration.run(&solver, &AtomicBool::new(false)) {
                Enumerated::Solution(assignment) => {
                    found += 1;
                    assert!(holds(&model, &assignment), "seed {seed}");
                }
                Enumerated::Infeasible => {
                    none += 1;
                    assert!(expected.is_empty(), "seed {seed}: a solution was missed");
                }
                Enumerated::Interrupted => panic!("seed {seed}: nobody interrupts"),
            }
        }
        assert!(found > 50 && none > 50, "the test should see both: {found} {none}");
    }

    #[test]
    fn a_raised_flag_stops_it() {
        let mut model = Model::new();
        let info = quipu_model::VarInfo {
            name: "x".to_owned(),
            width: Width::W32,
            reading: quipu_model::Reading::Unsigned,
            range: None,
            role: quipu_model::Role::Input,
        };
        let var = model.add_var(info);
        let term = model.var_term(var);
        let never = model.compare(quipu_num::IntCmp::Ne, term, term);
        model.assert(never);
        let solver = Solver::new(model, &WrittenBodies, Limits::default());
        let enumeration = Enumeration::plan(&solver).expect("there is a variable");
        assert!(matches!(enumeration.run(&solver, &AtomicBool::new(true)), Enumerated::Interrupted));
    }
}
