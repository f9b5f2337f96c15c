//! Many questions to one session on a model that grows between them, each answer and each core against brute force.

use quipu_model::{Assignment, Model, Reading, Role, Term, VarInfo, WrittenBodies, all_hold};
use quipu_modelkit::{
    Random, Shape, assignments, input_bits, planted_model, random_model, random_term, with_relations,
};
use quipu_num::Width;
use quipu_solve::{Answer, Limit, Options, Session};

/// Parts of the solver switched on: rewriting, search, SAT.
const PARTS: [(bool, bool, bool); 5] = [
    (true, true, true),
    (false, true, false),
    (true, true, false),
    (false, false, true),
    (true, false, true),
];
const MOST_BITS: u32 = 9;
const N_QUESTIONS: usize = 12;

/// A session, and what has been demanded of it.
struct Dialogue {
    random: Random,
    shape: Shape,
    session: Session<'static>,
    asserted: Vec<Term>,
    excluded: Vec<Assignment>,
    /// For messages.
    name: String,
    counts: Counts,
}

#[derive(Default, Debug)]
struct Counts {
    solutions: u32,
    refuted: u32,
    smaller_cores: u32,
    gave_up: u32,
}

impl Dialogue {
    fn new(seed: u64, (rewrite, search, sat): (bool, bool, bool)) -> Dialogue {
        let mut random = Random::new(seed.wrapping_mul(5) ^ 0x51ab);
        let shape = Shape { bits: 6, assertions: random.below(3), ..Shape::small(&mut random) };
        let plant = random.chance(70);
        let model =
            if plant { planted_model(&mut random, &shape) } else { random_model(&mut random, &shape) };
        let asserted = model.assertions().to_vec();
        let options = Options { rewrite, search, sat, ..Options::default() };
        let name = format!("seed {seed}, rewrite {rewrite}, search {search}, SAT {sat}");
        let session = Session::new(model, &WrittenBodies, options);
        Dialogue { random, shape, session, asserted, excluded: Vec::new(), name, counts: Counts::default() }
    }

    /// Adds terms, and sometimes a variable.
    fn grow(&mut self) {
        let model = self.session.model_mut();
        let widths = &self.shape.widths;
        let width = Width::new(self.random.pick(widths)).expect("a width of 1 to 64");
        if self.random.chance(30) && input_bits(model) + width.bits() <= MOST_BITS {
            let range = self.random.chance(50).then(|| (self.random.value(width), self.random.value(width)));
            let name = format!("y{}", model.vars().len());
            model.add_var(VarInfo { name, width, reading: Reading::Unsigned, range, role: Role::Input });
        }
        for _ in 0..self.random.below(6) {
            random_term(model, &mut self.random, &self.shape);
        }
    }

    fn truth(&mut self) -> Term {
        let model = self.session.model_mut();
        let truths: Vec<Term> = model.terms().filter(|&term| model.width(term) == Width::W1).collect();
        let term = self.random.pick(&truths);
        if self.random.chance(40) { model.not(term) } else { term }
    }

    fn ask(&mut self) {
        let n = self.random.below(5);
        let assumptions: Vec<Term> = (0..n).map(|_| self.truth()).collect();
        let possible = self.is_possible(&assumptions);
        let n_vars = self.session.model().vars().len();
        match self.session.solve_under(&assumptions) {
            Answer::Solution(solution) => {
                self.counts.solutions += 1;
                assert_eq!(solution.len(), n_vars, "{}: every variable has a value", self.name);
                assert!(self.solves(&assumptions, &solution), "{}: no solution", self.name);
                if self.random.chance(15) {
                    self.exclude(solution);
                }
            }
            Answer::Infeasible => {
                self.counts.refuted += 1;
                assert!(!possible, "{}: a solution was missed", self.name);
                self.check_core(&assumptions);
            }
            Answer::GaveUp(limit) => {
                assert_eq!(limit, Limit::Effort, "{}", self.name);
                self.counts.gave_up += 1;
            }
        }
    }

    fn check_core(&mut self, assumptions: &[Term]) {
        let core = self.session.core().to_vec();
        self.counts.smaller_cores += u32::from(core.len() < assumptions.len());
        assert!(core.iter().all(|term| assumptions.contains(term)), "{}: the core is assumed", self.name);
        assert!(!self.is_possible(&core), "{}: the core has a solution", self.name);
    }

    fn exclude(&mut self, solution: Assignment) {
        let vars: Vec<_> = self.session.model().vars().ids().collect();
        self.session.exclude(&solution, &vars);
        self.excluded.push(solution);
    }

    fn is_possible(&self, assumptions: &[Term]) -> bool {
        assignments(self.session.model()).any(|assignment| self.solves(assumptions, &assignment))
    }

    fn solves(&self, assumptions: &[Term], assignment: &Assignment) -> bool {
        let demanded: Vec<Term> = self.asserted.iter().chain(assumptions).copied().collect();
        let told = |told: &Assignment| told.entries().all(|(var, &value)| assignment[var] == value);
        all_hold(self.session.model(), &demanded, assignment) && !self.excluded.iter().any(told)
    }

    /// Asserts something that leaves solutions.
    fn assert(&mut self) {
        let term = self.truth();
        if self.is_possible(&[term]) {
            self.session.assert(term);
            self.asserted.push(term);
        }
    }
}

fn run(mut dialogue: Dialogue) -> Counts {
    for _ in 0..N_QUESTIONS {
        dialogue.grow();
        if dialogue.random.chance(10) {
            dialogue.assert();
        }
        let effort = dialogue.random.chance(10).then_some(3);
        dialogue.session.set_effort(effort);
        dialogue.ask();
    }
    dialogue.counts
}

#[test]
fn every_combination_of_parts_answers_every_question() {
    for parts in PARTS {
        let mut all = Counts::default();
        for seed in 0..400 {
            let counts = run(Dialogue::new(seed, parts));
            all.solutions += counts.solutions;
            all.refuted += counts.refuted;
            all.smaller_cores += counts.smaller_cores;
            all.gave_up += counts.gave_up;
        }
        println!("{parts:?}: {all:?}");
        let all_seen = all.solutions > 300 && all.refuted > 300 && all.smaller_cores > 100;
        assert!(all_seen, "all kinds of answers should be seen: {all:?}");
    }
}

#[test]
fn what_is_infeasible_under_assumptions_is_not_so_for_good() {
    let mut model = Model::new();
    let info = VarInfo {
        name: "x".into(),
        width: Width::W32,
        reading: Reading::Signed,
        range: None,
        role: Role::Input,
    };
    let x = model.add_var(info);
    let x = model.var_term(x);
    let (two, three) = (model.constant_term(Width::W32, 2), model.constant_term(Width::W32, 3));
    let (is_two, is_three) = (model.equal(x, two), model.equal(x, three));
    let mut session = Session::new(model, &WrittenBodies, Options::default());
    assert_eq!(session.solve_under(&[is_two, is_three]), Answer::Infeasible);
    assert_eq!(session.core().len(), 2);
    assert!(matches!(session.solve_under(&[is_three]), Answer::Solution(_)));
    session.assert(is_two);
    assert_eq!(session.solve_under(&[is_three]), Answer::Infeasible);
    assert_eq!(session.core(), &[is_three]);
    assert!(matches!(session.solve(), Answer::Solution(_)));
}

/// The declared range of a variable that is younger than the session is kept by all parts.
#[test]
fn a_new_variable_keeps_its_range() {
    for (rewrite, search, sat) in PARTS {
        let options = Options { rewrite, search, sat, ..Options::default() };
        let mut session = Session::new(Model::new(), &WrittenBodies, options);
        assert!(matches!(session.solve(), Answer::Solution(_)));
        let range = Some((5, 9));
        let info = VarInfo {
            name: "x".into(),
            width: Width::W32,
            reading: Reading::Unsigned,
            range,
            role: Role::Input,
        };
        let model = session.model_mut();
        let var = model.add_var(info);
        let x = model.var_term(var);
        let nine = model.constant_term(Width::W32, 9);
        let above = model.compare(quipu_num::IntCmp::Ult, nine, x);
        let below = model.not(above);
        assert_eq!(session.solve_under(&[above]), Answer::Infeasible);
        let Answer::Solution(solution) = session.solve_under(&[below]) else { panic!("5 to 9 are left") };
        assert!((5..=9).contains(&solution[var]));
    }
}

/// Calls that stand in assumptions only: unfolded for one question, there for the next.
#[test]
fn calls_may_be_assumed() {
    let (mut solutions, mut refuted, mut gave_up) = (0, 0, 0);
    for (seed, (rewrite, search, sat)) in (0..120).flat_map(|seed| PARTS.map(|parts| (seed, parts))) {
        let mut random = Random::new(seed ^ 0xca11);
        let shape = Shape { bits: 6, terms: 8, assertions: 1, ..Shape::small(&mut random) };
        let model = random_model(&mut random, &shape);
        let mut specimen = with_relations(model, &mut random);
        let assertions = specimen.model.assertions().to_vec();
        specimen.model.truncate_assertions(0);
        let options = Options { rewrite, search, sat, unfoldings: 300, ..Options::default() };
        let mut session = Session::new(specimen.model.clone(), &WrittenBodies, options);
        session.set_effort(Some(100_000));
        for n in 0..6 {
            let mut assumptions = assertions.clone();
            assumptions.retain(|_| random.chance(60));
            specimen.model.truncate_assertions(0);
            assumptions.iter().for_each(|&term| specimen.model.assert(term));
            let name = format!("seed {seed}, question {n}, rewrite {rewrite}, search {search}, SAT {sat}");
            match session.solve_under(&assumptions) {
                Answer::Solution(solution) => {
                    solutions += 1;
                    assert_ne!(specimen.holds(&solution), Some(false), "{name}: no solution");
                }
                Answer::Infeasible => {
                    refuted += 1;
                    specimen.model.truncate_assertions(0);
                    session.core().iter().for_each(|&term| specimen.model.assert(term));
                    let missed =
                        assignments(&specimen.model).find(|found| specimen.holds(found) == Some(true));
                    assert_eq!(missed, None, "{name}: the core has a solution");
                }
                Answer::GaveUp(Limit::Effort | Limit::Unfoldings) => gave_up += 1,
                Answer::GaveUp(limit) => panic!("{name}: {limit:?}"),
            }
        }
    }
    println!("{solutions} solutions, {refuted} refuted, {gave_up} given up");
    assert!(solutions > 300 && refuted > 300, "both should be seen: {solutions} {refuted} {gave_up}");
}
