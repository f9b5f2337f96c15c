//! What is claimed of random loops, against all their states.
//!
//! The loops are over numbers of a few bits, of one or two widths, so that every state they can come to is looked at. `QUIPU_CASES` is how
//! many states are compared with the claims, at least.

use std::collections::BTreeSet;

use quipu_abstract::{Analysis, Effort, Place, Turn, analyse, equalities, facts};
use quipu_domain::{Domain, Interval};
use quipu_model::{Assignment, Evaluation, Model, Node, Reading, Role, Term, Var, VarInfo};
use quipu_modelkit::{Random, Shape, random_term};
use quipu_num::{Cast, Guard, IntCmp, IntOp, Width};

/// What is said about a loop.
struct Claims {
    /// True in every turn.
    always: Vec<Term>,
    left: Leaving,
}

/// What is said about where a loop is left.
enum Leaving {
    Anyhow,
    In(Vec<(Term, Domain)>),
    Never,
}

/// Where a loop is left, and how it is analysed.
struct Left {
    /// True there.
    condition: Term,
    /// The first number lies in it there.
    domain: Domain,
    effort: Effort,
}

/// A random loop: some numbers that change, one that does not, and one that is different in each turn.
struct Case {
    model: Model,
    places: Vec<Place>,
    before: Vec<Term>,
    during: Vec<Term>,
    fixed: Var,
    /// The values that the fixed number may have.
    known: Domain,
    left: Left,
    varying: Var,
}

fn variable(model: &mut Model, name: &str, width: Width) -> Var {
    let info =
        VarInfo { name: name.into(), width, reading: Reading::Unsigned, range: None, role: Role::Input };
    model.add_var(info)
}

fn terms_of(model: &Model, width: Width) -> Vec<Term> {
    model.terms().filter(|&term| model.width(term) == width).collect()
}

impl Case {
    fn new(random: &mut Random) -> Case {
        let mut model = Model::new();
        let width = Width::new(random.pick(&[3, 4])).unwrap();
        let other = Width::new(random.pick(&[2, 5])).unwrap();
        let widths = vec![1, width.bits(), other.bits()];
        let shape = Shape { variables: 0, widths, bits: 12, terms: 0, assertions: 0 };
        model.truth(true);
        let fixed = variable(&mut model, "fixed", width);
        for _ in 0..random.below(6) {
            random_term(&mut model, random, &shape);
        }
        for (w, bits) in [width, other].into_iter().flat_map(|w| [(w, 0), (w, 1), (w, w.mask())]) {
            model.constant_term(w, bits);
        }
        let n = 1 + random.below(3);
        let mixed = random.chance(50);
        let own: Vec<Width> =
            (0..n).map(|n| if n > 0 && mixed && random.chance(60) { other } else { width }).collect();
        if mixed {
            let term = model.var_term(fixed);
            in_width(&mut model, random, term, other);
        }
        let firsts: Vec<Term> = own.iter().map(|&w| random.pick(&terms_of(&model, w))).collect();
        let truths = terms_of(&model, Width::W1);
        let before: Vec<Term> = (0..random.below(3)).map(|_| random.pick(&truths)).collect();
        let names = own.iter().enumerate().map(|(n, &w)| (format!("head{n}"), w));
        let heads: Vec<Var> = names.map(|(name, w)| variable(&mut model, &name, w)).collect();
        let varying = variable(&mut model, "varying", Width::new(2).unwrap());
        let heads: Vec<Term> = heads.into_iter().map(|var| model.var_term(var)).collect();
        if random.chance(60) {
            tidy_terms(&mut model, random, &heads, fixed);
        }
        for _ in 0..random.below(12) {
            random_term(&mut model, random, &shape);
        }
        let truths = terms_of(&model, Width::W1);
        let recent = |random: &mut Random, terms: &[Term]| {
            let from = terms.len().saturating_sub(12);
            random.pick(&terms[from..])
        };
        let nexts: Vec<Term> = own.iter().map(|&w| recent(random, &terms_of(&model, w))).collect();
        let during: Vec<Term> = (0..random.below(4)).map(|_| recent(random, &truths)).collect();
        let ends = firsts.iter().zip(&nexts);
        let places =
            heads.iter().zip(ends).map(|(&head, (&first, &next))| Place { head, first, next }).collect();
        let (known, domain) = (random_domain(random, width), random_domain(random, width));
        let condition = recent(random, &truths);
        let effort =
            Effort { turns: random.pick(&[0, 1, 5, 40]), delay: random.pick(&[0, 3]), ..Effort::default() };
        let left = Left { condition, domain, effort };
        Case { model, places, before, during, fixed, known, left, varying }
    }

    /// What is claimed; none if the loop is said to be never entered.
    fn claims(&mut self) -> Option<Claims> {
        let Case { model, places, before, during, fixed, known, left, varying } = self;
        let varying = *varying;
        let is_fixed = |var: Var| var != varying;
        let fixed = model.var_term(*fixed);
        let turn = Turn {
            places: places.clone(),
            before: before.clone(),
            during: during.clone(),
            known: vec![(fixed, *known)],
            is_fixed: &is_fixed,
        };
        match analyse(model, &turn, left.effort) {
            Analysis::NeverEntered => None,
            Analysis::GaveUp => Some(Claims { always: Vec::new(), left: Leaving::Anyhow }),
            Analysis::Found(found) => {
                let mut always = facts(model, &found, places.len());
                always.extend(equalities(model, &turn, &found));
                let wanted: Vec<Term> = places.iter().map(|place| place.head).chain([fixed]).collect();
                let ends = vec![(wanted[0], left.domain), (fixed, *known)];
                let left = match found.left(model, left.condition, ends, &wanted) {
                    Some(domains) => Leaving::In(wanted.into_iter().zip(domains).collect()),
                    None => Leaving::Never,
                };
                Some(Claims { always, left })
            }
        }
    }

    /// The assignments at the head of the loop in all turns that any run comes to.
    fn reached(&self) -> BTreeSet<Vec<u64>> {
        let mut reached = BTreeSet::new();
        let n_varying = 1 << self.model.vars()[self.varying].width.bits();
        let mut open = Vec::new();
        for value in 0..1 << self.model.vars()[self.fixed].width.bits() {
            let mut assignment: Assignment = self.model.vars().iter().map(|_| 0).collect();
            assignment[self.fixed] = value;
            if !self.known.contains(self.model.vars()[self.fixed].width, value) {
                continue;
            }
            open.extend(self.successor(&assignment, &self.before, |place| place.first));
        }
        while let Some(state) = open.pop() {
            if !reached.insert(state.clone()) {
                continue;
            }
            for value in 0..n_varying {
                let mut assignment: Assignment = state.iter().copied().collect();
                assignment[self.varying] = value;
                open.extend(self.successor(&assignment, &self.during, |place| place.next));
            }
        }
        reached
    }

    /// Whether the loop is left in a state; if so, that must be foreseen.
    fn check_leaving(&self, seed: u64, claimed: &Leaving, state: &Assignment) -> bool {
        let n_varying = 1 << self.model.vars()[self.varying].width.bits();
        let mut is_left = false;
        for value in 0..n_varying {
            let mut assignment = state.clone();
            assignment[self.varying] = value;
            let mut evaluation = Evaluation::new(&self.model, &assignment);
            let first = self.places[0].head;
            let inside = self.left.domain.contains(self.model.width(first), evaluation.value(first));
            if !inside || evaluation.value(self.left.condition) != 1 {
                continue;
            }
            is_left = true;
            match claimed {
                Leaving::Anyhow => {}
                Leaving::Never => panic!("seed {seed}: the loop is left in {assignment:?}"),
                Leaving::In(domains) => {
                    for (term, domain) in domains {
                        let value = evaluation.value(*term);
                        assert!(
                            domain.contains(self.model.width(*term), value),
                            "seed {seed}: {term:?} is {value} at the end, not in {domain:?}"
                        );
                    }
                }
            }
        }
        is_left
    }

    fn successor(
        &self,
        assignment: &Assignment,
        conditions: &[Term],
        value: impl Fn(&Place) -> Term,
    ) -> Option<Vec<u64>> {
        let mut evaluation = Evaluation::new(&self.model, assignment);
        if !conditions.iter().all(|&condition| evaluation.value(condition) == 1) {
            return None;
        }
        let mut next = assignment.clone();
        for place in &self.places {
            let Node::Var(head) = *self.model.node(place.head) else { panic!("a head is a variable") };
            next[head] = evaluation.value(value(place));
        }
        next[self.varying] = 0;
        Some(next.iter().copied().collect())
    }
}

/// All values, or an arc.
fn random_domain(random: &mut Random, width: Width) -> Domain {
    match random.chance(40) {
        true => Domain::full(width),
        false => Domain::from_interval(width, Interval::new(width, random.value(width), random.value(width))),
    }
}

/// A number in some width: extended either way, or cut.
fn in_width(model: &mut Model, random: &mut Random, number: Term, width: Width) -> Term {
    let cast = match model.width(number) {
        own if own == width => return number,
        own if own > width => Cast::Trunc(own, width),
        own if random.chance(50) => Cast::SExt(own, width),
        own => Cast::ZExt(own, width),
    };
    model.cast(cast, number)
}

/// Terms as programs have them: counters, sums, comparisons with guards.
fn tidy_terms(model: &mut Model, random: &mut Random, heads: &[Term], fixed: Var) {
    let widths: Vec<Width> = heads.iter().map(|&head| model.width(head)).collect();
    let mut all = heads.to_vec();
    all.push(model.var_term(fixed));
    for _ in 0..3 + random.below(5) {
        let width = random.pick(&widths);
        let numbers: Vec<Term> = all.iter().map(|&number| in_width(model, random, number, width)).collect();
        let (a, b) = (random.pick(&numbers), random.pick(&numbers));
        let step = random.pick(&[1, 2, 3, width.mask()]);
        let made = match random.below(7) {
            0 | 1 => model.sum(width, step, [(1, a)]),
            2 => model.op(IntOp::Add, a, b),
            3 => model.op(IntOp::Sub, a, b),
            4 => model.op(IntOp::Mul, a, b),
            _ => {
                let cmp = random.pick(&IntCmp::ALL).0;
                let condition = model.compare(cmp, a, b);
                let (x, y) = (random.pick(&numbers), random.pick(&numbers));
                model.select(condition, x, y)
            }
        };
        all.push(made);
        if random.chance(50) {
            let guard = random.pick(&[
                Guard::AddFits(width),
                Guard::SubFits(width),
                Guard::MulFits(width),
                Guard::IndexBelow(width),
            ]);
            model.guard(guard, a, b);
        }
    }
}

#[test]
fn claims_hold_in_every_state() {
    let wanted = std::env::var("QUIPU_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000_u64);
    let (mut compared, mut claimed, mut left, mut seed) = (0, 0, 0, 1);
    while compared < wanted {
        let mut case = Case::new(&mut Random::new(seed));
        let claims = case.claims();
        for state in case.reached() {
            compared += 1;
            let assignment: Assignment = state.iter().copied().collect();
            let Some(claims) = &claims else { panic!("seed {seed}: the loop is entered: {state:?}") };
            let mut evaluation = Evaluation::new(&case.model, &assignment);
            for &claim in &claims.always {
                claimed += 1;
                assert!(
                    evaluation.value(claim) == 1,
                    "seed {seed}: {:?} does not hold in {state:?}",
                    case.model.node(claim)
                );
            }
            left += u64::from(case.check_leaving(seed, &claims.left, &assignment));
        }
        seed += 1;
    }
    assert!(claimed > compared, "there should be claims: {claimed} of {compared} states");
    assert!(left > compared / 10, "loops should be left: {left} of {compared} states");
    println!("{seed} loops, {compared} states, {claimed} claims, {left} ends compared");
}
