//! A simplex method over bounded columns and rows: it proposes multipliers, which [`System`] then checks.
//!
//! The state is a dictionary: some variables, the basic ones, as sums of the others. At first those are the rows, each a
//! variable with its range, and the others the columns. A basic variable that violates its range is exchanged for one that
//! can help it (Dutertre and de Moura, 2006); if none can, its line of the dictionary is a proof of infeasibility. From
//! a feasible point a form is minimised by the primal method. Doubles and tolerances are good enough here: a wrong step
//! costs a weaker bound, never a wrong one. Columns and rows are scaled by powers of two.

use crate::form::Form;
use crate::system::System;

const TOLERANCE: f64 = 1e-9;
const SMALLEST_PIVOT: f64 = 1e-9;
/// After so many steps per line of the dictionary the first candidate is taken, which cannot go in circles.
const STEPS_BEFORE_CAUTION: usize = 3;
/// After so many steps per line it is given up.
const MOST_STEPS: usize = 12;

/// How the search for a feasible point ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Feasibility {
    /// There seems to be one.
    Feasible,
    /// There seems to be none; the multipliers of the rows should prove it.
    Infeasible(Vec<f64>),
    /// It took too long.
    Unknown,
}

/// The dictionary of a system.
pub struct Simplex<'s> {
    system: &'s System,
    n_columns: usize,
    /// Line by line.
    dictionary: Vec<f64>,
    /// Which variable a line defines, and which one a place in all lines is about. Columns come first, then rows.
    basic: Vec<usize>,
    others: Vec<usize>,
    value: Vec<f64>,
    lo: Vec<f64>,
    hi: Vec<f64>,
    /// A variable of the system is this times the scaled one.
    scale: Vec<f64>,
    /// Numbers of the dictionary that were computed, and that may be.
    work: u64,
    most_work: u64,
}

impl<'s> Simplex<'s> {
    /// The dictionary that a system begins with. Looking for anything ends when so many numbers were computed.
    pub fn new(system: &'s System, most_work: u64) -> Simplex<'s> {
        let (n, m) = (system.columns().len(), system.rows().len());
        let mut simplex = Simplex {
            system,
            n_columns: n,
            dictionary: vec![0.0; n * m],
            basic: (n..n + m).collect(),
            others: (0..n).collect(),
            value: vec![0.0; n + m],
            lo: Vec::with_capacity(n + m),
            hi: Vec::with_capacity(n + m),
            scale: Vec::with_capacity(n + m),
            work: (n * m) as u64,
            most_work,
        };
        for &range in system.columns().iter() {
            simplex.add_variable(range.lo, range.hi, power_of_two(range.magnitude()));
        }
        for (n_row, row) in system.rows().iter().enumerate() {
            let sizes = row.parts.iter().map(|&(column, c)| (c * simplex.scale[index(column)]).abs());
            let scale = power_of_two(sizes.fold(0.0, f64::max));
            simplex.add_variable(row.range.lo, row.range.hi, scale);
            for &(column, c) in &row.parts {
                simplex.dictionary[n_row * n + index(column)] = c * simplex.scale[index(column)] / scale;
            }
        }
        simplex.set_columns();
        simplex
    }

    /// What was computed so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Looks for a point in all ranges.
    pub fn find_feasible(&mut self) -> Feasibility {
        let most = MOST_STEPS * (self.basic.len() + 10);
        for step in 0..most {
            let cautious = step > STEPS_BEFORE_CAUTION * (self.basic.len() + 10);
            let Some((line, target)) = self.violated(cautious) else { return Feasibility::Feasible };
            let upwards = target > self.value[self.basic[line]];
            if self.work > self.most_work {
                return Feasibility::Unknown;
            }
            match self.helper(line, upwards, cautious) {
                None => return Feasibility::Infeasible(self.multipliers_of_line(line)),
                Some(place) => self.exchange(line, place, target),
            }
        }
        Feasibility::Unknown
    }

    /// From a feasible point, multipliers that should bound a form from below as well as any.
    pub fn minimise(&mut self, form: &Form) -> Vec<f64> {
        let mut slopes = self.slopes(form);
        let size = slopes.iter().fold(0.0, |size: f64, slope| size.max(slope.abs()));
        let tolerance = size * TOLERANCE;
        let most = MOST_STEPS * (self.basic.len() + 10);
        for step in 0..most {
            let cautious = step > STEPS_BEFORE_CAUTION * (self.basic.len() + 10);
            if self.work > self.most_work {
                break;
            }
            let Some(place) = self.improving(&slopes, tolerance, cautious) else { break };
            let Some((distance, line)) = self.step_length(place, slopes[place] < 0.0) else { break };
            match line {
                None => self.shift(place, distance),
                Some(line) => {
                    let basic = self.basic[line];
                    let coefficient = self.at(line, place);
                    let end = self.value[basic] + coefficient * distance;
                    let target = if (end - self.lo[basic]).abs() < (end - self.hi[basic]).abs() {
                        self.lo[basic]
                    } else {
                        self.hi[basic]
                    };
                    self.exchange(line, place, target);
                    // The variable that came in is a sum of the others now.
                    let slope = std::mem::replace(&mut slopes[place], 0.0);
                    let start = line * self.n_columns;
                    for (slot, &c) in slopes.iter_mut().zip(&self.dictionary[start..start + self.n_columns]) {
                        *slot += slope * c;
                    }
                }
            }
        }
        self.multipliers(&slopes, None)
    }

    fn add_variable(&mut self, lo: f64, hi: f64, scale: f64) {
        self.lo.push(lo / scale);
        self.hi.push(hi / scale);
        self.scale.push(scale);
    }

    /// Puts the columns to the bound that is nearer to zero, and the rows to what follows.
    fn set_columns(&mut self) {
        for n in 0..self.n_columns {
            self.value[n] = if self.lo[n].abs() <= self.hi[n].abs() { self.lo[n] } else { self.hi[n] };
        }
        for line in 0..self.basic.len() {
            let parts = &self.dictionary[line * self.n_columns..(line + 1) * self.n_columns];
            self.value[self.n_columns + line] = parts.iter().zip(&self.value).map(|(c, x)| c * x).sum();
        }
    }

    fn at(&self, line: usize, place: usize) -> f64 {
        self.dictionary[line * self.n_columns + place]
    }

    /// A line whose variable violates its range, the worst or the first, and the bound that it violates.
    fn violated(&self, first: bool) -> Option<(usize, f64)> {
        let mut found: Option<(usize, f64)> = None;
        let mut worst = 0.0;
        for (line, &variable) in self.basic.iter().enumerate() {
            let (value, lo, hi) = (self.value[variable], self.lo[variable], self.hi[variable]);
            let (violation, bound) = if value < lo { (lo - value, lo) } else { (value - hi, hi) };
            if violation <= TOLERANCE * (1.0 + bound.abs()) {
                continue;
            }
            let better = match found {
                Some((best, _)) if first => variable < self.basic[best],
                _ => violation > worst,
            };
            if better {
                worst = violation;
                found = Some((line, bound));
            }
        }
        found
    }

    /// A variable whose change can move a basic one in a direction: the one with the largest coefficient, or the first.
    fn helper(&self, line: usize, upwards: bool, first: bool) -> Option<usize> {
        let mut found: Option<usize> = None;
        for (place, &variable) in self.others.iter().enumerate() {
            let coefficient = self.at(line, place);
            if coefficient.abs() < SMALLEST_PIVOT || !self.can_move(variable, (coefficient > 0.0) == upwards)
            {
                continue;
            }
            let better = match found {
                None => true,
                Some(best) if first => variable < self.others[best],
                Some(best) => coefficient.abs() > self.at(line, best).abs(),
            };
            if better {
                found = Some(place);
            }
        }
        found
    }

    fn can_move(&self, variable: usize, upwards: bool) -> bool {
        if upwards {
            self.value[variable] < self.hi[variable]
        } else {
            self.value[variable] > self.lo[variable]
        }
    }

    /// Makes a basic variable have a value by changing another one, and exchanges the two.
    fn exchange(&mut self, line: usize, place: usize, target: f64) {
        let distance = (target - self.value[self.basic[line]]) / self.at(line, place);
        self.shift(place, distance);
        self.value[self.basic[line]] = target;
        self.pivot(line, place);
    }

    /// Changes a variable that is not basic, and all that depend on it.
    fn shift(&mut self, place: usize, distance: f64) {
        self.value[self.others[place]] += distance;
        for line in 0..self.basic.len() {
            self.value[self.basic[line]] += self.at(line, place) * distance;
        }
        self.work += self.basic.len() as u64;
    }

    fn pivot(&mut self, line: usize, place: usize) {
        let n = self.n_columns;
        let inverse = 1.0 / self.at(line, place);
        let start = line * n;
        // basic = … + c * other, so other = basic / c - … / c.
        for slot in &mut self.dictionary[start..start + n] {
            *slot *= -inverse;
        }
        self.dictionary[start + place] = inverse;
        let pivot_line = self.dictionary[start..start + n].to_vec();
        self.work += n as u64;
        for (number, slots) in self.dictionary.chunks_exact_mut(n).enumerate() {
            let factor = slots[place];
            if number == line || factor == 0.0 {
                continue;
            }
            slots[place] = 0.0;
            for (slot, &c) in slots.iter_mut().zip(&pivot_line) {
                *slot += factor * c;
            }
            self.work += n as u64;
        }
        std::mem::swap(&mut self.basic[line], &mut self.others[place]);
    }

    /// A form as a sum of the variables that are not basic: how fast it grows with each.
    fn slopes(&mut self, form: &Form) -> Vec<f64> {
        let mut per_column = vec![0.0; self.n_columns];
        for &(column, c) in &form.parts {
            per_column[index(column)] = c * self.scale[index(column)];
        }
        let n = self.n_columns;
        let mut slopes: Vec<f64> =
            self.others.iter().map(|&other| per_column.get(other).copied().unwrap_or(0.0)).collect();
        for (line, &variable) in self.basic.iter().enumerate() {
            let Some(&c) = per_column.get(variable).filter(|&&c| c != 0.0) else { continue };
            for (slope, part) in slopes.iter_mut().zip(&self.dictionary[line * n..(line + 1) * n]) {
                *slope += c * part;
            }
            self.work += n as u64;
        }
        slopes
    }

    /// A variable whose change makes the form smaller: the one with the steepest slope, or the first.
    fn improving(&self, slopes: &[f64], tolerance: f64, first: bool) -> Option<usize> {
        let mut found: Option<usize> = None;
        for (place, &slope) in slopes.iter().enumerate() {
            if slope.abs() <= tolerance || !self.can_move(self.others[place], slope < 0.0) {
                continue;
            }
            let better = match found {
                None => true,
                Some(best) if first => self.others[place] < self.others[best],
                Some(best) => slope.abs() > slopes[best].abs(),
            };
            if better {
                found = Some(place);
            }
        }
        found
    }

    /// How far a variable can move, and the line that stops it, if it is not its own bound.
    fn step_length(&self, place: usize, upwards: bool) -> Option<(f64, Option<usize>)> {
        let variable = self.others[place];
        let own = if upwards { self.hi[variable] } else { self.lo[variable] };
        let mut best = (own - self.value[variable]).abs();
        let mut stopper: Option<usize> = None;
        for (line, &basic) in self.basic.iter().enumerate() {
            let coefficient = self.at(line, place);
            if coefficient.abs() < SMALLEST_PIVOT {
                continue;
            }
            let grows = (coefficient > 0.0) == upwards;
            let bound = if grows { self.hi[basic] } else { self.lo[basic] };
            let room = ((bound - self.value[basic]) / coefficient).abs();
            let room = if self.is_beyond(basic, grows) { 0.0 } else { room };
            let steeper = |other: usize| coefficient.abs() > self.at(other, place).abs();
            if room < best || (room == best && stopper.is_none_or(steeper)) {
                best = room;
                stopper = Some(line);
            }
        }
        best.is_finite().then_some((if upwards { best } else { -best }, stopper))
    }

    fn is_beyond(&self, variable: usize, above: bool) -> bool {
        if above {
            self.value[variable] > self.hi[variable]
        } else {
            self.value[variable] < self.lo[variable]
        }
    }

    /// The line says `0 = (sum of others) - basic`; what it says about rows are the multipliers of a proof. A proof
    /// shows that this sum is above 0 or below it, so that its sign must be tried both ways.
    fn multipliers_of_line(&self, line: usize) -> Vec<f64> {
        let start = line * self.n_columns;
        let slopes = self.dictionary[start..start + self.n_columns].to_vec();
        let multipliers = self.multipliers(&slopes, Some(self.basic[line]));
        if self.system.refutes(&multipliers) {
            return multipliers;
        }
        multipliers.into_iter().map(|multiplier| -multiplier).collect()
    }

    /// Slopes of rows as multipliers of the system's rows, with -1 for a basic variable.
    fn multipliers(&self, slopes: &[f64], basic: Option<usize>) -> Vec<f64> {
        let mut multipliers = vec![0.0; self.system.rows().len()];
        let n = self.n_columns;
        for (place, &variable) in self.others.iter().enumerate() {
            if variable >= n {
                multipliers[variable - n] = slopes[place] / self.scale[variable];
            }
        }
        if let Some(variable) = basic.filter(|&variable| variable >= n) {
            multipliers[variable - n] = -1.0 / self.scale[variable];
        }
        multipliers
    }
}

fn index(column: crate::form::Column) -> usize {
    quipu_base::Id::index(column)
}

/// A power of two near a size.
fn power_of_two(size: f64) -> f64 {
    if size > 0.0 && size.is_finite() { f64::exp2(size.log2().ceil().clamp(-900.0, 900.0)) } else { 1.0 }
}
