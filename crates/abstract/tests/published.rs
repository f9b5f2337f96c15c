//! Loops with published invariants (Denmat, Gotlieb, Ducassé, 2007), against all their runs: what is found is true, and
//! says at least as much.

use quipu_abstract::{Analysis, Effort, Found, Place, Turn, analyse, equalities, facts};
use quipu_domain::{Domain, Interval};
use quipu_model::{Assignment, Evaluation, Model, Node, Reading, Role, Term, Var, VarInfo};
use quipu_num::{Guard, IntCmp, IntOp, Width};

/// A loop under construction: for each number that changes its value at the head and at the entry.
struct Loop {
    model: Model,
    width: Width,
    heads: Vec<Term>,
    entries: Vec<Term>,
}

impl Loop {
    fn new(width: Width, names: &[&str]) -> Loop {
        let mut model = Model::new();
        let mut variable = |name: String| {
            let info = VarInfo { name, width, reading: Reading::Unsigned, range: None, role: Role::Formal };
            let var = model.add_var(info);
            model.var_term(var)
        };
        let heads = names.iter().map(|name| variable((*name).to_string())).collect();
        let entries = names.iter().map(|name| variable(format!("first {name}"))).collect();
        Loop { model, width, heads, entries }
    }

    fn number(&mut self, value: i64) -> Term {
        self.model.constant_term(self.width, self.width.from_signed(value))
    }

    fn ended(self, during: Vec<Term>, nexts: Vec<Term>) -> Closed {
        let ends = self.entries.iter().zip(&nexts);
        let places: Vec<Place> =
            self.heads.iter().zip(ends).map(|(&head, (&first, &next))| Place { head, first, next }).collect();
        Closed { model: self.model, width: self.width, places, during }
    }
}

struct Closed {
    model: Model,
    width: Width,
    places: Vec<Place>,
    during: Vec<Term>,
}

impl Closed {
    fn turn<'a>(&self, entry: &[(i64, i64)], is_fixed: &'a dyn Fn(Var) -> bool) -> Turn<'a> {
        let domain = |&(lo, hi): &(i64, i64)| {
            let (lo, hi) = (self.width.from_signed(lo), self.width.from_signed(hi));
            Domain::from_interval(self.width, Interval::new(self.width, lo, hi))
        };
        let known = self.places.iter().zip(entry).map(|(place, range)| (place.first, domain(range))).collect();
        Turn {
            places: self.places.clone(),
            before: Vec::new(),
            during: self.during.clone(),
            known,
            is_fixed,
        }
    }

    fn found(&self, entry: &[(i64, i64)], effort: Effort) -> Box<Found> {
        match analyse(&self.model, &self.turn(entry, &|_| true), effort) {
            Analysis::Found(found) => found,
            _ => panic!("something is found"),
        }
    }

    /// All that is claimed at the head.
    fn claims(&mut self, entry: &[(i64, i64)], effort: Effort) -> Vec<Term> {
        let found = self.found(entry, effort);
        let mut claims = facts(&mut self.model, &found, self.places.len());
        let turn = self.turn(entry, &|_| true);
        let paths = found.possible_paths(&self.model);
        claims.extend(equalities(&mut self.model, &turn, &paths));
        claims
    }

    /// Whether a claim is true of the values at the head, for values at the entry.
    fn holds(&self, claim: Term, entry: &[i64], head: &[i64]) -> bool {
        Evaluation::new(&self.model, &self.assignment(entry, head)).value(claim) == 1
    }

    fn assignment(&self, entry: &[i64], head: &[i64]) -> Assignment {
        let mut values: Assignment = self.model.vars().iter().map(|_| 0).collect();
        for (n, place) in self.places.iter().enumerate() {
            for (term, value) in [(place.first, entry[n]), (place.head, head[n])] {
                let Node::Var(var) = *self.model.node(term) else { panic!("a variable") };
                values[var] = self.width.from_signed(value);
            }
        }
        values
    }

    /// The states at the head of a run.
    fn run(&self, entry: &[i64]) -> Vec<Vec<i64>> {
        let mut states = vec![entry.to_vec()];
        loop {
            let values = self.assignment(entry, states.last().expect("there is a first one"));
            let mut evaluation = Evaluation::new(&self.model, &values);
            if !self.during.iter().all(|&condition| evaluation.value(condition) == 1) {
                return states;
            }
            let next = |place: &Place| self.width.signed(evaluation.value(place.next));
            let state: Vec<i64> = self.places.iter().map(next).collect();
            if states.contains(&state) {
                return states;
            }
            states.push(state);
        }
    }

    /// The claims are true in all runs from these entries.
    fn check(&self, claims: &[Term], entries: impl Iterator<Item = Vec<i64>>) {
        for entry in entries {
            for state in self.run(&entry) {
                for &claim in claims {
                    assert!(self.holds(claim, &entry, &state), "{entry:?} {state:?} {:?}", self.model.node(claim));
                }
            }
        }
    }

    /// No claim allows these values at the head for values at the entry.
    fn excludes(&self, claims: &[Term], entry: &[i64], head: &[i64]) -> bool {
        claims.iter().any(|&claim| !self.holds(claim, entry, head))
    }
}

#[test]
fn sum() {
    let width = Width::new(32).unwrap();
    let mut sum = Loop::new(width, &["s", "i"]);
    let (s, i) = (sum.heads[0], sum.heads[1]);
    let (zero, one) = (sum.number(0), sum.number(1));
    let more = sum.model.compare(IntCmp::Ult, zero, i);
    let next_s = sum.model.op(IntOp::Add, s, i);
    let next_i = sum.model.op(IntOp::Sub, i, one);
    let mut sum = sum.ended(vec![more], vec![next_s, next_i]);
    let claims = sum.claims(&[(0, 0), (1, 65535)], Effort::default());
    for &c in &claims { println!("{:?}", sum.model.node(c)); }
    println!("{:?}", sum.model);
    let _ = (Guard::AddFits(width), sum.excludes(&claims, &[0, 0], &[0, 0]));
    sum.check(&claims, [vec![0, 5]].into_iter());
}
