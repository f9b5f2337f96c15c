//! Values of all terms under one assignment, with the distances of truth values, kept up to date change by change.

use quipu_base::{Id, IdVec};
use quipu_model::{Model, Node, Term, apply};
use quipu_num::Width;

use super::distance::{Distances, distances};
use super::extract::{Demand, Extract};

/// An assignment, and what follows from it. Changes since the last `keep` can be taken back.
pub(crate) struct State<'a> {
    model: &'a Model,
    demands: &'a [Demand],
    users: Users,
    values: IdVec<Term, u64>,
    distances: IdVec<Term, Distances>,
    /// The demand on a term; no term has two.
    demand_of: IdVec<Term, Option<u32>>,
    weights: Vec<f64>,
    n_unmet: usize,
    /// Terms to be computed again, as a set of bits.
    stale: Vec<u64>,
    log: Vec<Entry>,
    computed: u64,
}

/// What a term was before a change.
struct Entry {
    term: Term,
    value: u64,
    distances: Distances,
}

impl<'a> State<'a> {
    /// Everything under an assignment that gives each variable the value told.
    pub fn new(extract: &'a Extract, value: impl Fn(Term) -> u64) -> State<'a> {
        let model = &extract.model;
        let mut demand_of = model.table(None);
        for (n, demand) in extract.demands.iter().enumerate() {
            demand_of[demand.term] = Some(u32::try_from(n).expect("there are fewer demands than terms"));
        }
        let mut state = State {
            model,
            demands: &extract.demands,
            users: Users::new(model),
            values: model.table(0),
            distances: model.table([0.0; 2]),
            demand_of,
            weights: vec![1.0; extract.demands.len()],
            n_unmet: 0,
            stale: vec![0; model.terms().len().div_ceil(64)],
            log: Vec::new(),
            computed: 0,
        };
        for term in model.terms() {
            let is_variable = matches!(model.node(term), Node::Var(_));
            state.values[term] = if is_variable { value(term) } else { state.compute(term) };
            state.distances[term] = state.measure(term);
        }
        state.n_unmet = (0..state.demands.len()).filter(|&n| state.distance(n) > 0.0).count();
        state
    }

    pub fn value(&self, term: Term) -> u64 {
        self.values[term]
    }

    pub fn n_unmet(&self) -> usize {
        self.n_unmet
    }

    /// The demands that are not met.
    pub fn unmet(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.demands.len()).filter(|&n| self.distance(n) > 0.0)
    }

    pub fn demand(&self, n: usize) -> Demand {
        self.demands[n]
    }

    /// How far a demand is from being met.
    pub fn distance(&self, demand: usize) -> f64 {
        let Demand { term, wanted } = self.demands[demand];
        self.distances[term][usize::from(wanted)]
    }

    /// How far a truth value is from another one.
    pub fn distance_to(&self, term: Term, wanted: bool) -> f64 {
        self.distances[term][usize::from(wanted)]
    }

    /// How far all demands are from being met.
    pub fn weighted_distance(&self) -> f64 {
        (0..self.demands.len()).map(|n| self.weights[n] * self.distance(n)).sum()
    }

    /// How many terms have been computed; a change is one more, and so is a look at all demands.
    pub fn computed(&self) -> u64 {
        self.computed
    }

    /// Makes unmet demands more important.
    pub fn raise_weights(&mut self, factor: f64) {
        self.computed += 1;
        for n in 0..self.demands.len() {
            if self.distance(n) > 0.0 {
                self.weights[n] *= factor;
            }
        }
    }

    pub fn reset_weights(&mut self) {
        self.weights.fill(1.0);
    }

    /// Gives a variable a value. Says how the weighted distance of all demands changes.
    pub fn change(&mut self, variable: Term, value: u64) -> f64 {
        self.computed += 1;
        self.log_entry(variable);
        self.values[variable] = value;
        let mut change = self.renew_distances(variable);
        self.mark_users(variable);
        let mut word = variable.index() / 64;
        while word < self.stale.len() {
            if self.stale[word] == 0 {
                word += 1;
                continue;
            }
            let bit = self.stale[word].trailing_zeros() as usize;
            self.stale[word] &= self.stale[word] - 1;
            change += self.renew(Term::new(64 * word + bit));
        }
        change
    }

    /// The changes stay.
    pub fn keep(&mut self) {
        self.log.clear();
    }

    /// Takes all changes back.
    pub fn undo(&mut self) {
        self.undo_to(0);
    }

    /// For [`State::undo_to`]: how much there is to take back.
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Takes changes back down to a mark.
    pub fn undo_to(&mut self, mark: usize) {
        while self.log.len() > mark
            && let Some(Entry { term, value, distances }) = self.log.pop()
        {
            self.values[term] = value;
            let before = std::mem::replace(&mut self.distances[term], distances);
            self.count_unmet(term, before);
        }
    }

    /// Computes a term again. If it is as before, nothing behind it changes.
    fn renew(&mut self, term: Term) -> f64 {
        self.computed += 1;
        let value = self.compute(term);
        let is_truth = self.model.width(term) == Width::W1;
        if value == self.values[term] && !is_truth {
            return 0.0;
        }
        self.log_entry(term);
        let is_same = value == self.values[term];
        self.values[term] = value;
        let distances = self.distances[term];
        let change = self.renew_distances(term);
        if is_same && distances == self.distances[term] {
            self.log.pop();
        } else {
            self.mark_users(term);
        }
        change
    }

    fn renew_distances(&mut self, term: Term) -> f64 {
        let before = self.distances[term];
        self.distances[term] = self.measure(term);
        self.count_unmet(term, before)
    }

    /// After the distances of a term changed: the change of the weighted distance of its demand.
    fn count_unmet(&mut self, term: Term, before: Distances) -> f64 {
        let Some(demand) = self.demand_of[term] else { return 0.0 };
        let demand = demand as usize;
        let wanted = usize::from(self.demands[demand].wanted);
        let (old, new) = (before[wanted], self.distances[term][wanted]);
        match (old > 0.0, new > 0.0) {
            (true, false) => self.n_unmet -= 1,
            (false, true) => self.n_unmet += 1,
            _ => {}
        }
        self.weights[demand] * (new - old)
    }

    fn compute(&self, term: Term) -> u64 {
        apply(self.model, self.model.node(term), self.model.width(term), |operand| self.values[operand])
    }

    fn measure(&self, term: Term) -> Distances {
        if self.model.width(term) != Width::W1 {
            return [0.0; 2];
        }
        distances(self.model, term, |operand| self.values[operand], |operand| self.distances[operand])
    }

    fn log_entry(&mut self, term: Term) {
        self.log.push(Entry { term, value: self.values[term], distances: self.distances[term] });
    }

    fn mark_users(&mut self, term: Term) {
        for &user in self.users.of(term) {
            self.stale[user.index() / 64] |= 1 << (user.index() % 64);
        }
    }
}

/// The terms that each term is an operand of, in one list.
struct Users {
    starts: Vec<u32>,
    users: Vec<Term>,
}

impl Users {
    fn new(model: &Model) -> Users {
        let mut starts = vec![0u32; model.terms().len() + 1];
        for term in model.terms() {
            model.node(term).for_each_operand(|operand| starts[operand.index() + 1] += 1);
        }
        for n in 1..starts.len() {
            starts[n] += starts[n - 1];
        }
        let mut next = starts.clone();
        let mut users = vec![Term::new(0); starts[starts.len() - 1] as usize];
        for term in model.terms() {
            model.node(term).for_each_operand(|operand| {
                let place = &mut next[operand.index()];
                users[*place as usize] = term;
                *place += 1;
            });
        }
        Users { starts, users }
    }

    fn of(&self, term: Term) -> &[Term] {
        &self.users[self.starts[term.index()] as usize..self.starts[term.index() + 1] as usize]
    }
}
