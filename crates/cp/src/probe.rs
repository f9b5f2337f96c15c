//! Probing: what follows from both sides of an open question follows from the model.
//!
//! At level 0 a condition is assumed true, then false, each time propagated without unfolding anything; calls that become
//! true are closed, if somebody knows them as a whole. A side that leads to a conflict is excluded (the four guarded rules
//! of `ite` and of `w`); if neither
//! does, each domain shrinks to the hull of what the two sides left of it (constructive disjunction). The same is
//! done with the two signs of a variable, and the ends of its domain can be shaved off while they are refuted. Of a float
//! it is also asked whether it is a NaN, and what is shaved off are slices of its ranks, from large to small (box
//! consistency, Benhamou, McAllester, Van Hentenryck 1994).
//!
//! Somebody who reasons about all domains at once, as linear relaxations do, may take part: on each side, so that the hull
//! of the sides has what each of them says about sums (the weak join of `ite`), and without any assumption.

use quipu_domain::{Domain, Interval};
use quipu_model::{Node, Role, Term, Var, VarInfo};
use quipu_num::{FloatWidth, Width};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::atom::Atom;
use crate::cases::{Conclusion, Place, Reasoner};
use crate::engine::Fixpoint;
use crate::float_label::{format_of, numbers_apart};
use crate::limits::Stop;
use crate::solver::{Propagation, Solver};
use crate::store::Reason;

/// How far probing goes.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rounds over all questions.
    pub rounds: usize,
    /// Values shaved off each end of a variable's domain in a round; of a float, sizes of slices that are tried.
    pub shaves: usize,
    /// Whether the parts of conditions are questions as well.
    pub parts: bool,
}

/// A variable without a value yet, with its format if it is a float.
struct OpenVariable {
    term: Term,
    width: Width,
    float: Option<FloatWidth>,
}

/// What somebody concluded from all domains.
enum Reasoned {
    Nothing,
    Narrowed,
    Refuted,
}

/// How often somebody is asked about one side: what is concluded from domains narrows them, and so on.
const MOST_REASONED: usize = 3;

/// What an assumption led to.
enum Side {
    Refuted,
    /// The domains that it changed.
    Possible(FxHashMap<Term, Domain>),
    Stopped(Stop),
}

impl Solver<'_> {
    /// Propagates, then probes conditions, disjunctions and domains until nothing more is found.
    pub fn probe(&mut self, effort: Effort) -> Propagation {
        Probing { solver: self, reasoner: None }.run(effort)
    }

    /// The same, where somebody reasons about all domains at once, on each side of a question and on none.
    pub fn probe_with(&mut self, effort: Effort, reasoner: &mut dyn Reasoner) -> Propagation {
        Probing { solver: self, reasoner: Some(reasoner) }.run(effort)
    }

    /// Open conditions of conditionals, and open members of disjunctions that are true; with parts, also what these are
    /// made of.
    pub(crate) fn questions(&self, parts: bool) -> Vec<Term> {
        let engine = &self.engine;
        let mut questions = Vec::new();
        for term in engine.model.terms().filter(|&term| engine.is_active(term)) {
            match engine.model.node(term) {
                Node::Select(condition, ..) => questions.push(*condition),
                Node::Any(items) if engine.store.is_true(term) => questions.extend_from_slice(items),
                _ => {}
            }
        }
        let mut next = 0;
        let mut seen: FxHashSet<Term> = questions.iter().copied().collect();
        while parts && next < questions.len() {
            if let Node::All(items) | Node::Any(items) = engine.model.node(questions[next]) {
                questions.extend(items.iter().filter(|&&item| seen.insert(item)));
            }
            next += 1;
        }
        questions.sort();
        questions.dedup();
        questions.retain(|&question| engine.store.domain(question) == Domain::BOTH);
        questions
    }
}

/// Somebody who probes.
struct Probing<'s, 'a> {
    solver: &'s mut Solver<'a>,
    reasoner: Option<&'s mut dyn Reasoner>,
}

impl Probing<'_, '_> {
    fn run(&mut self, effort: Effort) -> Propagation {
        for _ in 0..effort.rounds {
            let before = self.solver.engine.counters.narrowings;
            match self.solver.propagate() {
                Propagation::Open => {}
                other => return other,
            }
            match self.probe_round(effort) {
                Ok(false) => return Propagation::Open,
                Ok(true) => {}
                Err(end) => return end,
            }
            debug_assert!(self.solver.engine.counters.narrowings > before, "a change is a narrowing");
        }
        self.solver.propagate()
    }

    /// One round; whether something was found.
    fn probe_round(&mut self, effort: Effort) -> Result<bool, Propagation> {
        let mut found = self.reason_for_good()?;
        for question in self.solver.questions(effort.parts) {
            found |= self.ask(question)?;
        }
        for OpenVariable { term, width, float } in self.open_variables() {
            if let Some(w) = float {
                found |= self.ask_for_nan(term, w)?;
            }
            found |= self.split_by_sign(term, width)?;
            found |= match float {
                Some(_) => self.shave_slices(term, width, effort.shaves)?,
                None => self.shave(term, width, effort.shaves)?,
            };
        }
        Ok(found)
    }

    fn open_variables(&self) -> Vec<OpenVariable> {
        let engine = &self.solver.engine;
        let vars = engine.model.vars().entries().filter(|(_, info)| info.role != Role::Formal);
        let variable = |(var, info): (Var, &VarInfo)| {
            let term = engine.model.var_term(var);
            OpenVariable { term, width: info.width, float: format_of(info) }
        };
        vars.map(variable)
            .filter(|v| engine.is_active(v.term) && engine.store.domain(v.term).is_singleton().is_none())
            .collect()
    }

    fn ask(&mut self, question: Term) -> Result<bool, Propagation> {
        if self.solver.engine.store.domain(question) != Domain::BOTH {
            return Ok(false);
        }
        self.split(Atom::truth(question, true))
    }

    /// Numbers on one side, NaNs on the other: most functions of floats say much on each, and little on both.
    fn ask_for_nan(&mut self, term: Term, w: FloatWidth) -> Result<bool, Propagation> {
        match numbers_apart(w, self.solver.engine.store.domain(term)) {
            Some(numbers) => self.split(Atom::within(term, numbers)),
            None => Ok(false),
        }
    }

    /// Splits a domain of either sign: sums and comparisons that may wrap are decided on each side.
    fn split_by_sign(&mut self, term: Term, w: Width) -> Result<bool, Propagation> {
        let domain = self.solver.engine.store.domain(term);
        if domain.bits().known() & w.min_signed() != 0 {
            return Ok(false);
        }
        self.split(Atom::within(term, Interval::new(w, 0, w.max_signed())))
    }

    /// Tries both sides of a question.
    fn split(&mut self, atom: Atom) -> Result<bool, Propagation> {
        let negated = atom.negated(self.solver.engine.store.width(atom.term));
        let yes = match self.assume(atom) {
            Side::Stopped(stop) => return Err(Propagation::Stopped(stop)),
            Side::Refuted => return self.settle(negated).map(|()| true),
            Side::Possible(domains) => domains,
        };
        let no = match self.assume(negated) {
            Side::Stopped(stop) => return Err(Propagation::Stopped(stop)),
            Side::Refuted => return self.settle(atom).map(|()| true),
            Side::Possible(domains) => domains,
        };
        self.join(&yes, &no)
    }

    /// What follows from an atom that is open at level 0.
    fn assume(&mut self, atom: Atom) -> Side {
        if self.solver.engine.store.status(atom) == Some(false) {
            return Side::Refuted;
        }
        let start = self.solver.engine.store.now();
        self.solver.engine.decide(atom);
        let side = match self.propagate_side() {
            Err(stop) => Side::Stopped(stop),
            Ok(false) => Side::Refuted,
            Ok(true) => {
                let store = &self.solver.engine.store;
                Side::Possible(store.changed_since(start).map(|term| (term, store.domain(term))).collect())
            }
        };
        self.solver.engine.backtrack(0);
        side
    }

    /// Propagates an assumption, where nobody will ask for reasons; whether it is possible.
    fn propagate_side(&mut self) -> Result<bool, Stop> {
        for _ in 0..MOST_REASONED {
            match self.solver.engine.propagate_closing() {
                Fixpoint::Conflict(_) => return Ok(false),
                Fixpoint::Stopped(stop) => return Err(stop),
                Fixpoint::Reached | Fixpoint::TooDeep => {}
            }
            match self.reason(Place::Domains) {
                Reasoned::Refuted => return Ok(false),
                Reasoned::Nothing => return Ok(true),
                Reasoned::Narrowed => {}
            }
        }
        Ok(true)
    }

    /// Narrows the present domains by what somebody concludes from all of them, without a reason.
    fn reason(&mut self, place: Place) -> Reasoned {
        let Some(reasoner) = &mut self.reasoner else { return Reasoned::Nothing };
        let engine = &mut self.solver.engine;
        let arcs = match reasoner.reason(&engine.model, &|term| engine.store.domain(term), place) {
            Conclusion::Infeasible => return Reasoned::Refuted,
            Conclusion::Arcs(arcs) => arcs,
            Conclusion::Nothing => return Reasoned::Nothing,
            Conclusion::Enough => {
                self.reasoner = None;
                return Reasoned::Nothing;
            }
        };
        let before = engine.counters.narrowings;
        for (term, arc) in arcs {
            let narrowed = engine.store.domain(term).narrow(engine.store.width(term), arc);
            let Some(domain) = narrowed else { return Reasoned::Refuted };
            engine.narrow(term, domain, Reason::Decision);
        }
        if engine.counters.narrowings > before { Reasoned::Narrowed } else { Reasoned::Nothing }
    }

    /// Narrows the domains of all solutions by what somebody concludes from them; whether that is possible and new.
    fn reason_for_good(&mut self) -> Result<bool, Propagation> {
        match self.reason(Place::Root) {
            Reasoned::Nothing => Ok(false),
            Reasoned::Refuted => Err(self.solver.refuted()),
            Reasoned::Narrowed => match self.solver.propagate() {
                Propagation::Open => Ok(true),
                end => Err(end),
            },
        }
    }

    /// Makes an atom true at level 0, with everything that follows.
    fn settle(&mut self, atom: Atom) -> Result<(), Propagation> {
        if !self.solver.engine.add_clause(vec![atom], crate::clauses::Origin::Told, 1, 0) {
            return Err(self.solver.refuted());
        }
        match self.solver.propagate() {
            Propagation::Open => Ok(()),
            end => Err(end),
        }
    }

    /// Keeps what both sides agree on.
    fn join(
        &mut self,
        yes: &FxHashMap<Term, Domain>,
        no: &FxHashMap<Term, Domain>,
    ) -> Result<bool, Propagation> {
        let mut common: Vec<Term> = yes.keys().filter(|term| no.contains_key(term)).copied().collect();
        common.sort();
        let mut found = false;
        for term in common {
            let w = self.solver.engine.store.width(term);
            let old = self.solver.engine.store.domain(term);
            let hull = old.join_within(w, yes[&term], no[&term]);
            match old.meet(w, hull) {
                Some(new) if new != old => {
                    self.solver.engine.narrow(term, new, Reason::Decision);
                    found = true;
                }
                Some(_) => {}
                None => return Err(self.solver.refuted()),
            }
        }
        if found {
            match self.solver.propagate() {
                Propagation::Open => {}
                end => return Err(end),
            }
        }
        Ok(found)
    }

    /// Takes values off the ends of a domain while they are refuted.
    fn shave(&mut self, term: Term, w: Width, most: usize) -> Result<bool, Propagation> {
        let mut found = false;
        for _ in 0..most {
            let domain = self.solver.engine.store.domain(term);
            if domain.is_singleton().is_some() {
                break;
            }
            let (low, high) = (self.shave_end(term, w, true)?, self.shave_end(term, w, false)?);
            if !low && !high {
                break;
            }
            found = true;
        }
        Ok(found)
    }

    fn shave_end(&mut self, term: Term, w: Width, low: bool) -> Result<bool, Propagation> {
        let domain = self.solver.engine.store.domain(term);
        if domain.is_singleton().is_some() {
            return Ok(false);
        }
        let end = if low { domain.lo() } else { domain.hi() };
        let atom = Atom::within(term, Interval::singleton(end));
        match self.assume(atom) {
            Side::Stopped(stop) => Err(Propagation::Stopped(stop)),
            Side::Possible(_) => Ok(false),
            Side::Refuted => self.settle(atom.negated(w)).map(|()| true),
        }
    }
    /// Takes slices off the ends of a float's domain while they are refuted: a quarter of it first, larger ones after
    /// each success, much smaller ones after a failure.
    fn shave_slices(&mut self, term: Term, w: Width, most_failures: usize) -> Result<bool, Propagation> {
        let mut found = false;
        for low in [true, false] {
            let mut slice = self.solver.engine.store.domain(term).interval().span(w) / 4;
            let mut failures = 0;
            while failures < most_failures {
                let arc = self.solver.engine.store.domain(term).interval();
                if arc.span(w) <= slice.saturating_add(1) {
                    break;
                }
                let start = if low { arc.lo() } else { arc.hi().wrapping_sub(slice) };
                let atom = Atom::within(term, Interval::from_span(w, start, slice));
                match self.assume(atom) {
                    Side::Stopped(stop) => return Err(Propagation::Stopped(stop)),
                    Side::Possible(_) => {
                        failures += 1;
                        slice >>= 8;
                    }
                    Side::Refuted => {
                        self.settle(atom.negated(w))?;
                        found = true;
                        slice = slice.saturating_mul(2);
                    }
                }
            }
        }
        Ok(found)
    }
}
