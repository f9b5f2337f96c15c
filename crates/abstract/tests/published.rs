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
        let known =
            self.places.iter().zip(entry).map(|(place, range)| (place.first, domain(range))).collect();
        Turn { places: self.places.clone(), before: Vec::new(), during: self.during.clone(), known, is_fixed }
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
        claims.extend(equalities(&mut self.model, &turn, &found));
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
                    assert!(
                        self.holds(claim, &entry, &state),
                        "{entry:?} {state:?} {:?}",
                        self.model.node(claim)
                    );
                }
            }
        }
    }

    /// No claim allows these values at the head for values at the entry.
    fn excludes(&self, claims: &[Term], entry: &[i64], head: &[i64]) -> bool {
        claims.iter().any(|&claim| !self.holds(claim, entry, head))
    }
}

/// The efforts under which everything is asked: turn by turn, and widened soon or late.
fn efforts() -> [Effort; 3] {
    let default = Effort::default();
    [Effort { turns: 40, ..default }, default, Effort { delay: 0, ..default }]
}

fn in_range(width: Width, (lo, hi): (i64, i64)) -> Domain {
    let (lo, hi) = (width.from_signed(lo), width.from_signed(hi));
    Domain::from_interval(width, Interval::new(width, lo, hi))
}

/// `while (v < 2) v = v + 1`, from 0 to 3.
#[test]
fn counting_up_to_two() {
    for effort in efforts() {
        let mut counting = Loop::new(Width::new(8).unwrap(), &["v"]);
        let v = counting.heads[0];
        let (one, two) = (counting.number(1), counting.number(2));
        let more = counting.model.compare(IntCmp::Slt, v, two);
        let over = counting.model.not(more);
        let next = counting.model.op(IntOp::Add, v, one);
        let mut counting = counting.ended(vec![more], vec![next]);
        let claims = counting.claims(&[(0, 3)], effort);
        counting.check(&claims, (0..=3).map(|x| vec![x]));
        for (a, o) in (0..=3).flat_map(|a| (-128..128).map(move |o| (a, o))) {
            let published = a <= o && o <= a + 2 && o <= 4;
            assert!(published || counting.excludes(&claims, &[a], &[o]), "{a} {o}");
        }
        let found = counting.found(&[(0, 3)], effort);
        let (first, head) = (counting.places[0].first, counting.places[0].head);
        let ends = found.left(&counting.model, over, Vec::new(), &[head, first]).expect("it is left");
        // Published is 2..4; nothing ends with 4.
        assert_eq!(ends, [in_range(counting.width, (2, 3)), in_range(counting.width, (0, 3))]);
        let three = vec![(head, Domain::singleton(counting.width, 3))];
        let ends = found.left(&counting.model, over, three, &[first]).expect("3 ends as 3");
        // The difference of end and entry, at most 2, tells about the entry.
        assert!(!ends[0].contains(counting.width, 0) && ends[0].contains(counting.width, 3));
    }
}

/// By subtraction with a swap. The smaller number never grows, so it bounds the divisor.
#[test]
fn greatest_common_divisor() {
    for effort in efforts() {
        let mut gcd = Loop::new(Width::new(8).unwrap(), &["x", "y"]);
        let (x, y) = (gcd.heads[0], gcd.heads[1]);
        let zero = gcd.number(0);
        let more = gcd.model.compare(IntCmp::Slt, zero, x);
        let over = gcd.model.not(more);
        let swapped = gcd.model.compare(IntCmp::Slt, x, y);
        let (larger, smaller) = (gcd.model.select(swapped, y, x), gcd.model.select(swapped, x, y));
        let next = gcd.model.op(IntOp::Sub, larger, smaller);
        let mut gcd = gcd.ended(vec![more], vec![next, smaller]);
        let ranges = [(0, 19), (1, 10)];
        let claims = gcd.claims(&ranges, effort);
        gcd.check(&claims, (0..=19).flat_map(|x| (1..=10).map(move |y| vec![x, y])));
        assert!(gcd.excludes(&claims, &[12, 8], &[4, 9]), "the divisor is at most the second number");
        let found = gcd.found(&ranges, effort);
        let heads = [gcd.places[0].head, gcd.places[1].head];
        let ends = found.left(&gcd.model, over, Vec::new(), &heads).expect("it is left");
        assert_eq!(ends, [in_range(gcd.width, (0, 0)), in_range(gcd.width, (1, 10))]);
    }
}

/// After two turns a power of 8 to 12 is at least 64, whatever follows.
#[test]
fn power() {
    for (fits, effort) in [(false, efforts()[0]), (true, efforts()[1]), (true, efforts()[2])] {
        let width = Width::W64;
        let mut power = Loop::new(width, &["y", "n", "x"]);
        let (y, n, x) = (power.heads[0], power.heads[1], power.heads[2]);
        let one = power.number(1);
        let more = power.model.compare(IntCmp::Sle, one, n);
        let over = power.model.not(more);
        let guard = power.model.guard(Guard::MulFits(width), y, x);
        let (product, less) = (power.model.op(IntOp::Mul, y, x), power.model.op(IntOp::Sub, n, one));
        let during = if fits { vec![more, guard] } else { vec![more] };
        let power = power.ended(during, vec![product, less, x]);
        // Without guards the product does not wrap only as long as the turns are counted.
        let found = power.found(&[(64, 144), (0, 8), (8, 12)], effort);
        let [y, n] = [0, 1].map(|place| power.places[place].head);
        let ends = found.left(&power.model, over, Vec::new(), &[y, n]).expect("it is left");
        assert_eq!(ends[0].signed_bounds(width).0, 64, "{effort:?}");
        let small = vec![(y, in_range(width, (10, 14)))];
        assert!(found.left(&power.model, over, small, &[y]).is_none());
    }
}

/// Twice the sum is `i * i + i`, also modulo the width.
#[test]
fn sum_of_the_first_numbers() {
    for bits in [6, 16, 32] {
        let width = Width::new(bits).unwrap();
        let mut sum = Loop::new(width, &["s", "i"]);
        let (s, i) = (sum.heads[0], sum.heads[1]);
        let (zero, one) = (sum.number(0), sum.number(1));
        let more = sum.model.compare(IntCmp::Ult, zero, i);
        let (next_s, next_i) = (sum.model.op(IntOp::Add, s, i), sum.model.op(IntOp::Sub, i, one));
        let mut sum = sum.ended(vec![more], vec![next_s, next_i]);
        let claims = sum.claims(&[], Effort::default());
        sum.check(&claims, (0..60).map(|i| vec![0, i]));
        for s in 0..60 {
            let is_triangular = s == 28;
            assert!(
                is_triangular || sum.excludes(&claims, &[0, 7], &[s, 0]) || s == 28 + 32 % (1 << (bits - 1))
            );
        }
    }
}

/// A loop that changes nothing is left only where it is not entered.
#[test]
fn a_loop_without_end() {
    for effort in efforts() {
        let mut endless = Loop::new(Width::W32, &["x"]);
        let x = endless.heads[0];
        let ten = endless.number(10);
        let more = endless.model.compare(IntCmp::Slt, x, ten);
        let over = endless.model.not(more);
        let endless = endless.ended(vec![more], vec![x]);
        let head = endless.places[0].head;
        let below = endless.found(&[(-5000, -1)], effort);
        assert!(below.left(&endless.model, over, Vec::new(), &[head]).is_none());
        let around = endless.found(&[(-5000, 50)], effort);
        let ends = around.left(&endless.model, over, Vec::new(), &[head]).expect("10 is left");
        assert_eq!(ends, [in_range(Width::W32, (10, 50))]);
    }
}
