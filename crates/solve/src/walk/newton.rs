//! Newton's method for all equations between floats at once.
//!
//! One variable at a time cannot follow a curve on which an equation holds towards a point where another one does. So
//! the differences of both sides are taken for smooth functions of all variables, their slopes are measured, and the
//! damped linear system is solved (Levenberg 1944, Marquardt 1963). Rounding is left to smaller steps.

use quipu_model::{Node, Var};
use quipu_num::{FloatCmp, FloatFn, FloatWidth, number_of_rank, rank_of};

use super::extract::Variable;
use super::{Walker, nearest_allowed};

const MOST_UNKNOWNS: usize = 12;
const MOST_EQUATIONS: usize = 24;
const MOST_STEPS: usize = 12;
/// How much a variable is moved, relative to its size, to measure slopes.
const RELATIVE_STEP: [f64; 2] = [1e-3, 1e-7];
/// Around zero there is no relative size.
const LEAST_SIZE: f64 = 1e-3;
const FIRST_DAMPING: f64 = 1e-6;
const MOST_DAMPING: f64 = 1e3;

impl Walker<'_> {
    /// Steps towards a common solution of the equations; whether that was for the better.
    pub(super) fn solve_equations(&mut self) -> bool {
        let equations = self.equations();
        let unknowns = self.unknowns(&equations);
        if equations.is_empty() || unknowns.is_empty() || unknowns.len() > MOST_UNKNOWNS {
            return false;
        }
        let before = self.state.weighted_distance();
        self.descend(&equations, &unknowns);
        let better = self.state.weighted_distance() < before - super::LEAST_GAIN;
        if better {
            self.state.keep()
        } else {
            self.state.undo()
        }
        better
    }

    /// Demands that two floats are equal, and comparisons that are not met.
    fn equations(&self) -> Vec<usize> {
        let is_equation = |&n: &usize| {
            let demand = self.state.demand(n);
            match self.walk.extract.model.node(demand.term) {
                Node::Float(FloatFn::Compare(FloatCmp::Eq), ..) if demand.wanted => true,
                Node::Float(FloatFn::Compare(FloatCmp::Ne), ..) if !demand.wanted => true,
                Node::Float(FloatFn::Compare(FloatCmp::Lt | FloatCmp::Le), ..) => {
                    self.state.distance(n) > 0.0
                }
                _ => false,
            }
        };
        (0..self.walk.extract.demands.len()).filter(is_equation).take(MOST_EQUATIONS).collect()
    }

    fn unknowns(&mut self, equations: &[usize]) -> Vec<Var> {
        let mut unknowns = Vec::new();
        for &equation in equations {
            unknowns.extend_from_slice(self.variables_of(equation));
        }
        unknowns.sort();
        unknowns.dedup();
        unknowns.retain(|&var| self.walk.extract.variables[var].float.is_some());
        unknowns
    }

    fn descend(&mut self, equations: &[usize], unknowns: &[Var]) {
        let Some(mut errors) = self.errors(equations) else { return };
        let mut damping = FIRST_DAMPING;
        for _ in 0..MOST_STEPS {
            if size(&errors) == 0.0 || damping > MOST_DAMPING {
                return;
            }
            let Some(slopes) = self.slopes(equations, unknowns, &errors) else { return };
            let mark = self.state.mark();
            let moves = damped_solution(&slopes, &errors, damping);
            for (&var, step) in unknowns.iter().zip(moves) {
                self.shift(var, step);
            }
            match self.errors(equations) {
                Some(new) if size(&new) < size(&errors) => {
                    errors = new;
                    damping /= 10.0;
                }
                _ => {
                    self.state.undo_to(mark);
                    damping = damping * 100.0 + FIRST_DAMPING;
                }
            }
        }
    }

    /// The differences of both sides, relative to their size; none if one is not finite.
    fn errors(&self, equations: &[usize]) -> Option<Vec<f64>> {
        let error = |&n: &usize| {
            let Node::Float(_, w, sides) = self.walk.extract.model.node(self.state.demand(n).term) else {
                panic!("an equation compares floats")
            };
            let side = |n: usize| number_of_rank(*w, self.state.value(sides[n]));
            let (a, b) = (side(0), side(1));
            let error = (a - b) / (a.abs() + b.abs() + f64::MIN_POSITIVE).max(1.0);
            error.is_finite().then_some(error)
        };
        equations.iter().map(error).collect()
    }

    /// By unknown: how the errors change with it.
    fn slopes(&mut self, equations: &[usize], unknowns: &[Var], errors: &[f64]) -> Option<Vec<Vec<f64>>> {
        let mut slopes = Vec::with_capacity(unknowns.len());
        for &var in unknowns {
            let (variable, w) = self.float(var);
            let here = number_of_rank(w, self.state.value(variable.term));
            let relative = RELATIVE_STEP[usize::from(w == FloatWidth::F64)];
            let mark = self.state.mark();
            let moved = self.shift(var, here.abs().max(LEAST_SIZE) * relative) - here;
            let there = self.errors(equations);
            self.state.undo_to(mark);
            let slope = |(there, here): (f64, &f64)| if moved == 0.0 { 0.0 } else { (there - here) / moved };
            slopes.push(there?.into_iter().zip(errors).map(slope).collect());
        }
        Some(slopes)
    }

    /// Moves a variable by about so much, and says where it is then.
    fn shift(&mut self, var: Var, step: f64) -> f64 {
        let (variable, w) = self.float(var);
        let here = number_of_rank(w, self.state.value(variable.term));
        let there = nearest_allowed(variable, rank_of(w, here + step));
        self.state.change(variable.term, there);
        number_of_rank(w, there)
    }

    fn float(&self, var: Var) -> (&'_ Variable, FloatWidth) {
        let variable = &self.walk.extract.variables[var];
        (variable, variable.float.expect("the unknowns are floats"))
    }
}

fn size(errors: &[f64]) -> f64 {
    errors.iter().map(|error| error * error).sum()
}

/// The moves that make the errors vanish if the slopes are all there is to know: the least squares of a system that is
/// damped where it is nearly singular.
fn damped_solution(slopes: &[Vec<f64>], errors: &[f64], damping: f64) -> Vec<f64> {
    let n = slopes.len();
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let mut row: Vec<f64> = (0..n).map(|j| product(&slopes[i], &slopes[j])).collect();
            row[i] += damping * row[i] + f64::MIN_POSITIVE;
            row.push(-product(&slopes[i], errors));
            row
        })
        .collect();
    for column in 0..n {
        let best = (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        rows.swap(column, best.unwrap_or(column));
        let pivot = rows[column].clone();
        if pivot[column] == 0.0 {
            continue;
        }
        for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != column) {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    let solved = |i: usize| if rows[i][i] == 0.0 { 0.0 } else { rows[i][n] / rows[i][i] };
    (0..n).map(solved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_system_is_solved() {
        // 3x + 2y = 12, x - y = 1, from x = y = 0.
        let slopes = [vec![3.0, 1.0], vec![2.0, -1.0]];
        let moves = damped_solution(&slopes, &[-12.0, -1.0], 0.0);
        assert!((moves[0] - 2.8).abs() < 1e-9 && (moves[1] - 1.8).abs() < 1e-9, "{moves:?}");
    }

    #[test]
    fn what_does_not_matter_is_not_moved() {
        let slopes = [vec![0.0], vec![2.0]];
        let moves = damped_solution(&slopes, &[-8.0], 1e-9);
        assert!(moves[0] == 0.0 && (moves[1] - 4.0).abs() < 1e-6, "{moves:?}");
    }
}
