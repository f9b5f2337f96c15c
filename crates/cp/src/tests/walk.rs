//! Random decisions, conflicts, lessons and retreats in random models, with everything checked on the way: that
//! explanations hold in all assignments, lessons in all solutions, that definitions and clauses are propagated to the
//! end, and that going back restores every domain.

use quipu_base::IdVec;
use quipu_domain::{Domain, Interval};
use quipu_model::{Assignment, Evaluation, Model, Reading, Role, Term, VarInfo, WrittenBodies, holds};
use quipu_modelkit::{Random, Shape, assignments, planted_model, random_model};
use quipu_num::Width;

use super::explanation::{made_true, were_true};
use super::random_facts::{is_true_of, open_atom};
use super::subject::is_fixpoint;
use crate::analyze::{Until, analyze};
use crate::atom::Atom;
use crate::clauses::{ClauseId, Origin};
use crate::definition::has_definition;
use crate::engine::{Engine, Fixpoint};
use crate::explain::Conflict;
use crate::limits::Limits;
use crate::solver::Solver;
use crate::store::{Reason, Time};

/// A small random model.
pub fn small_model(seed: u64) -> Model {
    let mut random = Random::new(seed);
    let widths = random.pick(&[&[1, 2][..], &[1, 3], &[1, 2, 4], &[1, 5], &[2, 3, 4], &[4]]).to_vec();
    let shape = Shape {
        variables: 1 + random.below(5),
        widths,
        bits: 10,
        terms: 4 + random.below(30),
        assertions: 1 + random.below(6),
    };
    match random.below(4) {
        0 => random_model(&mut random, &shape),
        1 | 2 => planted_model(&mut random, &shape),
        // One assertion too many: often without a solution, seldom for an obvious reason.
        _ => {
            let mut model = planted_model(&mut random, &shape);
            let last =
                model.terms().rev().find(|&term| model.width(term) == Width::W1).expect("there is true");
            model.assert(last);
            model
        }
    }
}

/// The values of all terms under every assignment that the declarations allow, and whether it is a solution.
pub struct Worlds {
    pub worlds: Vec<(IdVec<Term, u64>, bool)>,
}

impl Worlds {
    pub fn of(model: &Model) -> Worlds {
        let world = |assignment: Assignment| {
            let mut evaluation = Evaluation::new(model, &assignment);
            let values = model.terms().map(|term| evaluation.value(term)).collect();
            (values, holds(model, &assignment))
        };
        let allowed =
            |assignment: &Assignment| model.vars().entries().all(|(var, info)| info.allows(assignment[var]));
        Worlds { worlds: assignments(model).filter(allowed).map(world).collect() }
    }

    pub fn solutions(&self) -> impl Iterator<Item = &IdVec<Term, u64>> {
        self.worlds.iter().filter(|(_, solves)| *solves).map(|(values, _)| values)
    }

    /// Whether a clause holds in all solutions.
    pub fn imply(&self, model: &Model, clause: &[Atom]) -> bool {
        self.solutions().all(|values| clause.iter().any(|&atom| is_true_in(model, values, atom)))
    }

    /// Whether every solution lies in the domains at level 0.
    pub fn lie_within(&self, engine: &Engine<'_>) -> bool {
        self.solutions().all(|values| in_root(engine, values))
    }
}

pub fn is_true_in(model: &Model, values: &IdVec<Term, u64>, atom: Atom) -> bool {
    is_true_of(atom.fact, model.width(atom.term), values[atom.term])
}

fn in_root(engine: &Engine<'_>, values: &IdVec<Term, u64>) -> bool {
    let active = engine.model.terms().filter(|&term| engine.is_active(term));
    active.into_iter().all(|term| engine.store.root(term).contains(engine.store.width(term), values[term]))
}

/// Whether propagation is complete: no definition and no clause has anything left to say.
pub fn check_fixpoint(engine: &Engine<'_>) {
    let active = engine.model.terms().filter(|&term| engine.is_active(term));
    for term in active.filter(|&term| has_definition(&engine.model, term)) {
        assert!(is_fixpoint(engine, term), "the definition {:?} has more to say", engine.model.node(term));
    }
    for (id, clause) in engine.clauses.entries() {
        let mut open: Vec<Atom> = clause.atoms.clone();
        open.retain(|&atom| engine.store.status(atom) != Some(false));
        open.dedup();
        assert!(!open.is_empty(), "{id} is false: {:?}", clause.atoms);
        if let [only] = open[..] {
            let (w, domain) = (engine.store.width(only.term), engine.store.domain(only.term));
            assert_eq!(only.fact.narrow(w, domain), Some(domain), "{id} has more to say: {:?}", clause.atoms);
        }
    }
}

/// 60 000 walks, which take a minute when optimised, explain 6.5 million changes.
const N_WALKS: u64 = 2_000;

struct Walk {
    solver: Solver<'static>,
    worlds: Worlds,
    random: Random,
    /// The domains at the end of each level.
    ends: Vec<Vec<Domain>>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    explained: u64,
    by_clause: u64,
    lessons: u64,
    retreats: u64,
}

impl Walk {
    fn domains(&self) -> Vec<Domain> {
        let engine = &self.solver.engine;
        let active = engine.model.terms().filter(|&term| engine.is_active(term));
        active.map(|term| engine.store.domain(term)).collect()
    }

    /// Propagates, and learns from conflicts; false if there is no solution.
    fn settle(&mut self, mut start: Time) -> bool {
        loop {
            let outcome = self.solver.engine.propagate(true);
            self.check_changes(start);
            match outcome {
                Fixpoint::Reached => {
                    check_fixpoint(&self.solver.engine);
                    self.ends.truncate(self.solver.engine.store.level());
                    let domains = self.domains();
                    self.ends.push(domains);
                    return true;
                }
                Fixpoint::Conflict(conflict) => {
                    if self.solver.engine.store.level() == 0 || !self.learn(conflict) {
                        return false;
                    }
                    let level = self.solver.engine.store.level();
                    start = if level == 0 { 0 } else { self.solver.engine.store.level_start(level) };
                }
                other => panic!("{other:?} without a limit"),
            }
        }
    }

    fn learn(&mut self, conflict: Conflict) -> bool {
        let engine = &self.solver.engine;
        let mut atoms = Vec::new();
        engine.explainer().conflict(conflict, &mut atoms);
        assert!(were_true(engine, engine.store.now(), &atoms), "{conflict:?}: {atoms:?} are not true");
        match conflict {
            Conflict::Definition(_) => assert!(self.implies(&atoms, None), "{conflict:?}: {atoms:?} can be"),
            Conflict::Clause(id) | Conflict::Forced(id) => {
                assert!(self.clause_implies(id, &atoms, None), "{conflict:?}: {atoms:?} can be");
            }
        }
        for until in [Until::FirstPoint, Until::Decision] {
            let lesson = analyze(&mut engine.explainer(), conflict, until);
            assert!(self.worlds.imply(&engine.model, &lesson.clause), "wrong lesson {:?}", lesson.clause);
            for &atom in &lesson.clause {
                assert_eq!(engine.store.status(atom), Some(false), "a lesson is false when it is learned");
            }
            self.counts.lessons += 1;
        }
        self.solver.learn(conflict)
    }

    fn check_changes(&mut self, from: Time) {
        for time in from..self.solver.engine.store.now() {
            for goal in made_true(&self.solver.engine, time, &mut self.random) {
                self.check_change(goal, time);
            }
        }
    }

    fn check_change(&mut self, goal: Atom, time: Time) {
        let store = &self.solver.engine.store;
        let mut atoms = Vec::new();
        self.solver.engine.explainer().change(goal, time, &mut atoms);
        let reason = store.reason(time);
        let decision = store.decision(store.level_of(time));
        let mut before = atoms.clone();
        before.retain(|&atom| reason != Reason::Decision || atom != decision);
        let engine = &self.solver.engine;
        assert!(were_true(engine, time, &before), "{goal:?} by {reason:?} from later {atoms:?}");
        let follows = match reason {
            Reason::Clause(id) => {
                self.counts.by_clause += 1;
                self.clause_implies(id, &atoms, Some(goal))
            }
            Reason::Decision | Reason::Definition(_) => self.implies(&atoms, Some(goal)),
        };
        assert!(follows, "{goal:?} by {reason:?} does not follow from {atoms:?}");
        self.counts.explained += 1;
    }

    /// Whether atoms imply a goal in all assignments within the domains of level 0, whatever is asserted.
    fn implies(&self, atoms: &[Atom], goal: Option<Atom>) -> bool {
        let engine = &self.solver.engine;
        let holds = |values: &IdVec<Term, u64>, atom: Atom| is_true_in(&engine.model, values, atom);
        self.worlds
            .worlds
            .iter()
            .filter(|(values, _)| atoms.iter().all(|&atom| holds(values, atom)))
            .all(|(values, _)| goal.is_some_and(|goal| holds(values, goal)) || !in_root(engine, values))
    }

    /// Whether a clause with atoms implies a goal, term by term.
    fn clause_implies(&self, id: ClauseId, atoms: &[Atom], goal: Option<Atom>) -> bool {
        let store = &self.solver.engine.store;
        // The values of a term under the atoms, and one more.
        let values = |term: Term, more: Option<Atom>| -> Vec<u64> {
            let w = store.width(term);
            let own = |atom: &&Atom| atom.term == term;
            let all: Vec<Atom> = atoms.iter().chain(&more).filter(own).copied().collect();
            let root = store.root(term);
            let fits = |value: &u64| all.iter().all(|atom| is_true_of(atom.fact, w, *value));
            root.values(w).filter(fits).collect()
        };
        let is_goal = |term: Term, value: u64| {
            goal.is_some_and(|goal| goal.term == term && is_true_of(goal.fact, store.width(term), value))
        };
        let clause = &self.solver.engine.clauses.get(id).atoms;
        clause.iter().all(|&chosen| {
            let mut terms: Vec<Term> =
                atoms.iter().chain([&chosen]).chain(&goal).map(|atom| atom.term).collect();
            terms.dedup();
            // One term has no value left, or only values of the goal.
            terms.into_iter().any(|term| values(term, Some(chosen)).into_iter().all(|v| is_goal(term, v)))
        })
    }

    fn retreat(&mut self) -> bool {
        let level = self.random.below(self.solver.engine.store.level() + 1);
        self.solver.engine.backtrack(level);
        self.ends.truncate(level + 1);
        assert_eq!(Some(&self.domains()), self.ends.last(), "going back should restore every domain");
        self.counts.retreats += 1;
        self.settle(self.solver.engine.store.now())
    }

    fn step(&mut self) -> bool {
        let engine = &mut self.solver.engine;
        let open: Vec<Term> = engine
            .model
            .terms()
            .filter(|&term| engine.is_active(term) && engine.store.domain(term).is_singleton().is_none())
            .collect();
        if open.is_empty() || self.random.chance(15) {
            return self.retreat();
        }
        let term = self.random.pick(&open);
        let (w, domain) = (engine.store.width(term), engine.store.domain(term));
        let atom = open_atom(&mut self.random, term, w, domain);
        let said = atom.fact.narrow(w, domain).is_some_and(|domain| atom.fact.is_true(w, domain));
        if !said {
            // A decision, as the strategies take it, cuts off an end: its domain can say it.
            return true;
        }
        let start = engine.store.now();
        engine.decide(atom);
        self.settle(start)
    }
}

#[test]
fn random_walks() {
    let mut total = Counts::default();
    for seed in 0..N_WALKS {
        let model = small_model(seed);
        let worlds = Worlds::of(&model);
        let solver = Solver::new(model, WrittenBodies, Limits::default());
        let (random, counts) = (Random::new(seed ^ 0x55), Counts::default());
        let mut walk = Walk { solver, worlds, random, ends: Vec::new(), counts };
        let refuted = !walk.settle(0) || !(0..60).all(|_| walk.step());
        let n_solutions = walk.worlds.solutions().count();
        assert!(!refuted || n_solutions == 0, "seed {seed}: {n_solutions} solutions are denied");
        assert!(refuted || walk.worlds.lie_within(&walk.solver.engine), "seed {seed}: a solution is lost");
        total.explained += walk.counts.explained;
        total.by_clause += walk.counts.by_clause;
        total.lessons += walk.counts.lessons;
        total.retreats += walk.counts.retreats;
    }
    let Counts { explained, by_clause, lessons, retreats } = total;
    println!("{explained} changes explained, {by_clause} by clauses; {lessons} lessons, {retreats} retreats");
    assert!(by_clause > 1000 && lessons > 1000 && retreats > 1000, "all should happen");
}

/// An atom that was forced, could not be said, and became false later, moved away from the first place of its clause:
/// what it had changed was then explained by itself.
#[test]
fn a_forced_atom_that_is_refuted_later_stays_first_in_its_clause() {
    let mut model = Model::new();
    let mut var = |bits: u32| {
        let width = Width::new(bits).expect("a width of 1 to 64");
        let info = VarInfo {
            name: format!("x{bits}"),
            width,
            reading: Reading::Unsigned,
            range: None,
            role: Role::Input,
        };
        let var = model.add_var(info);
        model.var_term(var)
    };
    let (x, b) = (var(4), var(1));
    let (mut engine, _) = Engine::new(model, Box::new(WrittenBodies), Limits::default());
    [x, b].into_iter().for_each(|term| engine.activate(term));
    let w = engine.store.width(x);
    let within = |lo, hi| Atom::within(x, Interval::new(w, lo, hi));
    engine.apply(within(6, 4), Reason::Decision);
    engine.watch_clause(vec![within(4, 6), Atom::truth(b, true)], Origin::Told);
    assert!(matches!(engine.propagate(true), Fixpoint::Reached));
    engine.decide(Atom::truth(b, false));
    assert!(matches!(engine.propagate(true), Fixpoint::Reached));
    // Of 4 and 6, which are left, the domain can say 4, 6 or 7.
    assert_eq!(engine.store.status(within(4, 6)), None);
    engine.decide(within(7, 7));
    assert!(matches!(engine.propagate(true), Fixpoint::Conflict(Conflict::Clause(_))));
    let mut atoms = Vec::new();
    engine.explainer().change(Atom::bit(x, 2, true), 1, &mut atoms);
    assert_eq!(atoms, [Atom::truth(b, false)]);
}
