//! A walk over assignments towards a solution: what fuzzers do, on terms.
//!
//! An assignment is changed in one variable at a time, so that the distance of all demands, weighted, becomes smaller:
//! by values that solve an operation on the way from a demand to a variable (`invert`), by values that matter in the
//! question, and by steps that become smaller from half of the domain down to the next value; in all variables at once
//! where equations depend on each other (`newton`). Where no change helps, demands that are not met gain weight; where
//! that does not help either, the walk begins anew somewhere else. It finds solutions only, and everything is determined
//! by the seed.

mod distance;
mod extract;
mod invert;
mod newton;
mod random;
mod state;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};

use quipu_base::{Id, IdVec, Random};
use quipu_cp::{Solver, format_of, simplest_value};
use quipu_domain::Domain;
use quipu_model::{Assignment, Model, Node, Term, Var, VarInfo};
use quipu_num::{FloatFn, FloatUnary, FloatWidth, Width, nan_rank, number_ranks, rank, rank_of};

use extract::{Extract, Variable};
use state::State;

/// Questions with more terms are left to others.
const MOST_TERMS: usize = 50_000;
/// Ways from a demand to a variable that are tried before anything else.
const INVERSIONS: usize = 8;
/// Variables of a demand that are tried before it is given up for now.
const MOST_VARIABLES: usize = 8;
/// Values that matter, of those there are, that are tried for a variable.
const MOST_SPECIAL_VALUES: usize = 16;
/// How much more important a demand becomes where no change helps.
const RAISE: f64 = 1.5;
/// How often that may happen before the walk begins anew.
const MOST_RAISES: usize = 24;
/// Smaller gains are errors of rounding.
const LEAST_GAIN: f64 = 1e-9;

/// How a walk ended.
pub(crate) enum Walked {
    Solution(Assignment),
    Nothing,
    Interrupted,
}

/// A question, ready for walking.
pub(crate) struct Walk {
    extract: Extract,
    /// By width in bits: constants of the question.
    constants: Vec<Vec<u64>>,
    /// How many calls were unfolded when it was planned.
    n_unfoldings: u64,
}

impl Walk {
    /// A walk for the assertions of a model and these truth values; none if that is not possible, or not promising:
    /// without floats, others are better.
    pub fn plan(solver: &Solver<'_>, assumptions: &[Term]) -> Option<Walk> {
        let extract = Extract::new(solver, assumptions, MOST_TERMS)?;
        let worth = extract.has_floats && !extract.variables.is_empty();
        let n_unfoldings = solver.counters().unfoldings;
        worth.then(|| Walk { constants: constants(&extract.model), extract, n_unfoldings })
    }

    /// Operations on floats that cost something: neither comparisons nor changes of signs.
    pub fn n_operations(&self) -> u64 {
        let model = &self.extract.model;
        let is_operation = |term: &Term| match model.node(*term) {
            Node::Float(FloatFn::Compare(_) | FloatFn::Unary(FloatUnary::Neg | FloatUnary::Abs), ..) => false,
            Node::Float(..) => true,
            _ => false,
        };
        model.terms().filter(is_operation).count() as u64
    }

    /// Takes over what was found out about variables; false if calls say more by now than when the walk was planned.
    pub fn refresh(&mut self, solver: &Solver<'_>) -> bool {
        for variable in self.extract.variables.iter_mut() {
            variable.domain = solver.domain(solver.model().var_term(variable.original));
        }
        self.n_unfoldings == solver.counters().unfoldings
    }

    /// Walks until it finds a solution, or has computed so many terms; tells how many. It starts at an assignment or at
    /// plain values.
    pub fn run(
        &self,
        solver: &Solver<'_>,
        start: Option<&Assignment>,
        seed: u64,
        limit: u64,
        interrupt: &AtomicBool,
    ) -> (Walked, u64) {
        let state = State::new(&self.extract, |term| {
            let variable = variable(&self.extract, term);
            match start {
                Some(start) => nearest_allowed(variable, start[variable.original]),
                None => plain_value(variable),
            }
        });
        let mut walker =
            Walker { walk: self, state, random: Random::new(seed), variables_of: Vec::new(), limit };
        let found = walker.find(interrupt);
        let end = if found {
            Walked::Solution(self.assignment(solver, &walker.values()))
        } else if interrupt.load(Ordering::Relaxed) {
            Walked::Interrupted
        } else {
            Walked::Nothing
        };
        (end, walker.state.computed())
    }

    /// The values found, and for variables that the question does not mention one that their declarations allow.
    fn assignment(&self, solver: &Solver<'_>, values: &IdVec<Var, u64>) -> Assignment {
        let model = solver.model();
        let plain = |(var, info): (Var, &VarInfo)| {
            plain_value_of(format_of(info), info.width, solver.domain(model.var_term(var)))
        };
        let mut assignment: Assignment = model.vars().entries().map(plain).collect();
        for (var, variable) in self.extract.variables.entries() {
            assignment[variable.original] = values[var];
        }
        assignment
    }
}

/// The variable that a term is.
fn variable(extract: &Extract, term: Term) -> &Variable {
    match extract.model.node(term) {
        Node::Var(var) => &extract.variables[*var],
        node => panic!("{node:?} should be a variable"),
    }
}

fn plain_value(variable: &Variable) -> u64 {
    plain_value_of(variable.float, variable.width, variable.domain)
}

/// The value that a person would choose.
fn plain_value_of(float: Option<FloatWidth>, width: Width, domain: Domain) -> u64 {
    match float {
        Some(w) => simplest_value(w, domain),
        None if domain.contains(width, 0) => 0,
        None => domain.lo(),
    }
}

fn constants(model: &Model) -> Vec<Vec<u64>> {
    let mut constants = vec![Vec::new(); 65];
    for term in model.terms() {
        if let Some(number) = model.constant(term) {
            constants[model.width(term).bits() as usize].push(number);
        }
    }
    constants
}

struct Walker<'a> {
    walk: &'a Walk,
    state: State<'a>,
    random: Random,
    /// By demand, when it was asked for: the variables that it depends on.
    variables_of: Vec<Option<Vec<Var>>>,
    limit: u64,
}

impl Walker<'_> {
    /// Whether all demands are met in the end.
    fn find(&mut self, interrupt: &AtomicBool) -> bool {
        let mut raises = 0;
        while self.goes_on() {
            if interrupt.load(Ordering::Relaxed) {
                return false;
            }
            let demand = self.unmet_demand();
            if self.improve(demand) || self.solve_equations() {
                continue;
            }
            raises += 1;
            if raises < MOST_RAISES {
                self.state.raise_weights(RAISE);
                self.kick(demand);
            } else {
                raises = 0;
                self.begin_anew();
            }
        }
        self.state.n_unmet() == 0
    }

    fn goes_on(&self) -> bool {
        self.state.n_unmet() > 0 && self.state.computed() < self.limit
    }

    fn values(&self) -> IdVec<Var, u64> {
        self.walk.extract.variables.iter().map(|variable| self.state.value(variable.term)).collect()
    }

    fn unmet_demand(&mut self) -> usize {
        let n = self.random.below(self.state.n_unmet());
        self.state.unmet().nth(n).expect("a demand is not met")
    }

    /// A change for the better, for one demand and all in all.
    fn improve(&mut self, demand: usize) -> bool {
        if (0..INVERSIONS).any(|_| self.invert(demand)) {
            return true;
        }
        let mut variables = self.variables_of(demand).to_vec();
        for n in 0..variables.len().min(MOST_VARIABLES) {
            let other = n + self.random.below(variables.len() - n);
            variables.swap(n, other);
            let variable = &self.walk.extract.variables[variables[n]];
            if self.try_special_values(variable) || self.approach(variable) {
                return true;
            }
            if !self.goes_on() {
                break;
            }
        }
        false
    }

    fn invert(&mut self, demand: usize) -> bool {
        match self.proposal(demand) {
            Some((term, value)) => self.attempt(term, value),
            None => false,
        }
    }

    fn proposal(&mut self, demand: usize) -> Option<(Term, u64)> {
        let demand = self.state.demand(demand);
        let extract = &self.walk.extract;
        let (term, value) =
            invert::proposal(&extract.model, &self.state, &mut self.random, demand.term, demand.wanted)?;
        Some((term, nearest_allowed(variable(extract, term), value)))
    }

    /// Makes the change if it is for the better.
    fn attempt(&mut self, term: Term, value: u64) -> bool {
        if self.state.value(term) == value {
            return false;
        }
        let better = self.state.change(term, value) < -LEAST_GAIN;
        if better {
            self.state.keep()
        } else {
            self.state.undo()
        }
        better
    }

    fn try_special_values(&mut self, variable: &Variable) -> bool {
        let mut values = self.special_values(variable);
        for n in 0..values.len().min(MOST_SPECIAL_VALUES) {
            let other = n + self.random.below(values.len() - n);
            values.swap(n, other);
            if self.attempt(variable.term, values[n]) {
                return true;
            }
        }
        false
    }

    /// Values that matter: ends, constants and their neighbours, what other variables have.
    fn special_values(&mut self, variable: &Variable) -> Vec<u64> {
        let Variable { width, domain, float, .. } = *variable;
        let mut values = vec![domain.lo(), domain.hi(), plain_value(variable)];
        match float {
            Some(w) => values.extend(special_floats(w)),
            None => values.extend([0, 1, width.mask(), width.min_signed(), width.max_signed()]),
        }
        for &constant in &self.walk.constants[width.bits() as usize] {
            values.extend([constant, constant.wrapping_add(1), constant.wrapping_sub(1)]);
        }
        let alike = self.walk.extract.variables.iter().filter(|v| v.width == width && v.float == float);
        values.extend(alike.map(|other| self.state.value(other.term)));
        values.iter_mut().for_each(|value| *value = width.wrap(*value));
        values.retain(|&value| domain.contains(width, value));
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Steps up and down, each half as long as the one before, as long as something is gained.
    fn approach(&mut self, variable: &Variable) -> bool {
        let Variable { width, domain, term, .. } = *variable;
        let mut gained = false;
        let mut step = domain.interval().span(width) / 2 + 1;
        while step > 0 && self.goes_on() {
            let here = self.state.value(term);
            let there = [here.wrapping_add(step), here.wrapping_sub(step)].map(|value| width.wrap(value));
            let moved =
                there.into_iter().any(|value| domain.contains(width, value) && self.attempt(term, value));
            gained |= moved;
            // After a step that helped, another one of the same length may.
            if !moved {
                step /= 2;
            }
        }
        gained
    }

    /// A change whether it is for the better or not.
    fn kick(&mut self, demand: usize) {
        let proposal = if self.random.chance(60) { self.proposal(demand) } else { None };
        let (term, value) = match proposal {
            Some(proposal) => proposal,
            None => {
                let variables = self.variables_of(demand).to_vec();
                let Some(var) = self.random.pick(&variables) else { return };
                let variable = &self.walk.extract.variables[var];
                (variable.term, random::value(&mut self.random, variable))
            }
        };
        self.state.change(term, value);
        self.state.keep();
    }

    fn begin_anew(&mut self) {
        self.state.reset_weights();
        for variable in self.walk.extract.variables.iter() {
            let plain = self.random.chance(20);
            let value = if plain { plain_value(variable) } else { random::value(&mut self.random, variable) };
            self.state.change(variable.term, value);
            self.state.keep();
        }
    }

    fn variables_of(&mut self, demand: usize) -> &[Var] {
        if self.variables_of.len() <= demand {
            self.variables_of.resize(demand + 1, None);
        }
        let model = &self.walk.extract.model;
        let root = self.state.demand(demand).term;
        self.variables_of[demand].get_or_insert_with(|| variables_below(model, root))
    }
}

/// The allowed value next to one that may not be.
fn nearest_allowed(variable: &Variable, value: u64) -> u64 {
    let Variable { width, domain, .. } = *variable;
    if domain.contains(width, value) {
        return value;
    }
    if domain.interval().contains(width, value) {
        return domain.next(width, value);
    }
    let above = width.wrap(domain.lo().wrapping_sub(value));
    let below = width.wrap(value.wrapping_sub(domain.hi()));
    if above < below { domain.lo() } else { domain.hi() }
}

fn special_floats(w: FloatWidth) -> [u64; 10] {
    let (least, greatest) = number_ranks(w);
    let zero = rank(w, 0);
    let (one, minus_one) = (rank_of(w, 1.0), rank_of(w, -1.0));
    [zero, zero - 1, zero + 1, one, minus_one, least, least + 1, greatest, greatest - 1, nan_rank(w)]
}

fn variables_below(model: &Model, root: Term) -> Vec<Var> {
    let mut seen = vec![false; root.index() + 1];
    let mut stack = vec![root];
    let mut found = Vec::new();
    while let Some(term) = stack.pop() {
        if std::mem::replace(&mut seen[term.index()], true) {
            continue;
        }
        match model.node(term) {
            Node::Var(var) => found.push(*var),
            node => node.for_each_operand(|operand| stack.push(operand)),
        }
    }
    found.sort();
    found
}
