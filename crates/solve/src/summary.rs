//! What a loop of a model tells whatever the number of its turns (the filtering of `w` by abstract interpretation; Denmat,
//! Gotlieb, Ducassé, 2007).
//!
//! There are two forms of it. What holds for all arguments is found out once, and said wherever a call is unfolded. What
//! holds for arguments in domains is found out whenever these are of interest: the domains are those with which the loop
//! starts, and those in which it must end.

use std::collections::BTreeSet;

use quipu_abstract::{Analysis, Effort, Found, Place, Turn, analyse, equalities, facts};
use quipu_base::IdVec;
use quipu_cp::Closing;
use quipu_domain::Domain;
use quipu_model::{Body, Loop, Model, Node, Reading, Relation, Role, Substitution, Term, Var, VarInfo};

/// Facts that are told, at most.
const MOST_FACTS: usize = 16;
/// Turns that are followed one by one where the arguments are known to lie in domains.
const TURNS: usize = 40;

/// The loops of a model.
#[derive(Default)]
pub(crate) struct Summaries(IdVec<Relation, Option<Summary>>);

/// Relations between the values at the entry of a loop and those at its end.
pub(crate) struct Summary {
    /// What holds for all arguments, over the variables below.
    facts: Vec<Term>,
    /// Stand for values from outside, at the entry and at the end, in the order of the arguments.
    formals: Vec<Term>,
    /// How many of them stand for values at the end.
    n_state: usize,
    places: Vec<Place>,
    during: Vec<Term>,
    /// Variables that each turn has for itself.
    of_a_turn: BTreeSet<Var>,
    /// True where the loop is left.
    is_over: Term,
}

impl Summaries {
    pub fn of(model: &mut Model) -> Summaries {
        let mut summaries = IdVec::new();
        for relation in model.relations().ids() {
            let body = model.relations()[relation].body.clone();
            summaries.push(match body {
                Body::Loop(own) => Some(Summary::of(model, &own)),
                Body::Procedure(_) | Body::Supplied { .. } => None,
            });
        }
        Summaries(summaries)
    }

    /// The summary of a relation, if it is a loop.
    pub fn get(&self, relation: Relation) -> Option<&Summary> {
        self.0.get(relation)?.as_ref()
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}

impl Summary {
    fn of(model: &mut Model, own: &Loop) -> Summary {
        let mut entry = Vec::new();
        for &var in &own.state {
            let VarInfo { name, width, .. } = model.vars()[var].clone();
            let info = VarInfo { name, width, reading: Reading::Unsigned, range: None, role: Role::Formal };
            let var = model.add_var(info);
            entry.push(model.var_term(var));
        }
        let turn = own.turn(model);
        let terms = |vars: &[Var]| -> Vec<Term> { vars.iter().map(|&var| model.var_term(var)).collect() };
        let (outer, heads) = (terms(&own.outer), terms(&own.state));
        let ends = entry.iter().zip(&turn.next);
        let places: Vec<Place> =
            heads.iter().zip(ends).map(|(&head, (&first, &next))| Place { head, first, next }).collect();
        let mut during = Vec::new();
        flatten(model, own.condition, &mut during);
        flatten(model, turn.body, &mut during);
        let mut summary = Summary {
            facts: Vec::new(),
            n_state: heads.len(),
            formals: outer.into_iter().chain(entry).chain(heads).collect(),
            places,
            during,
            of_a_turn: own.next.iter().chain(&own.locals).copied().collect(),
            is_over: model.not(own.condition),
        };
        summary.facts = summary.facts_within(model, &[]).unwrap_or_default();
        summary
    }

    /// What holds of the arguments of a call that is true.
    pub fn instance(&self, model: &mut Model, arguments: &[Term]) -> Vec<Term> {
        self.applied(model, &self.facts, arguments)
    }

    /// What holds of the arguments of a call that is true if they lie in domains.
    pub fn instance_within(&self, model: &mut Model, arguments: &[Term], domains: &[Domain]) -> Vec<Term> {
        let facts = self.facts_within(model, domains).unwrap_or_default();
        self.applied(model, &facts, arguments)
    }

    fn applied(&self, model: &mut Model, facts: &[Term], arguments: &[Term]) -> Vec<Term> {
        let pairs = self.formals.iter().copied().zip(arguments.iter().copied());
        let mut substitution = Substitution::new(pairs);
        facts.iter().map(|&fact| substitution.apply(model, fact)).collect()
    }

    /// The analysis of the loop, for all arguments or for those in some domains.
    fn analysis(&self, model: &Model, domains: &[Domain]) -> Analysis {
        let effort = Effort { turns: if domains.is_empty() { 0 } else { TURNS }, ..Effort::default() };
        self.with_turn(domains, |turn| analyse(model, turn, effort))
    }

    fn with_turn<T>(&self, domains: &[Domain], then: impl FnOnce(&Turn<'_>) -> T) -> T {
        let n_given = self.formals.len() - self.n_state;
        let known = self.formals[..n_given].iter().copied().zip(domains.iter().copied()).collect();
        let is_fixed = |var: Var| !self.of_a_turn.contains(&var);
        then(&Turn {
            places: self.places.clone(),
            before: Vec::new(),
            during: self.during.clone(),
            known,
            is_fixed: &is_fixed,
        })
    }

    /// What holds at the head of the loop in every turn, and where it is left; none if nothing is known.
    fn facts_within(&self, model: &mut Model, domains: &[Domain]) -> Option<Vec<Term>> {
        let Analysis::Found(found) = self.analysis(model, domains) else { return None };
        let mut all = facts(model, &found, self.n_state);
        all.extend(self.with_turn(domains, |turn| equalities(model, turn, &found)));
        all.truncate(MOST_FACTS);
        if all.is_empty() {
            return None;
        }
        all.push(self.is_over);
        Some(all)
    }

    /// The domains of the arguments of a call that is true; none if it cannot be.
    fn close(&self, model: &Model, domains: &[Domain]) -> Option<Vec<Domain>> {
        let found: Box<Found> = match self.analysis(model, domains) {
            Analysis::Found(found) => found,
            Analysis::NeverEntered => return None,
            Analysis::GaveUp => return Some(domains.to_vec()),
        };
        let known = self.formals.iter().copied().zip(domains.iter().copied()).collect();
        found.left(model, self.is_over, known, &self.formals)
    }
}

impl Closing for Summaries {
    fn close(&self, model: &Model, relation: Relation, domains: &[Domain]) -> Option<Vec<Domain>> {
        match self.get(relation) {
            Some(summary) => summary.close(model, domains),
            None => Some(domains.to_vec()),
        }
    }
}

fn flatten(model: &Model, term: Term, conjuncts: &mut Vec<Term>) {
    match model.node(term) {
        Node::All(items) => items.iter().for_each(|&item| flatten(model, item, conjuncts)),
        _ => conjuncts.push(term),
    }
}
