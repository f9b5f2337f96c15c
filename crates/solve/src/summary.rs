//! What a loop of a model tells whatever the number of its turns (the filtering of `w` by abstract interpretation; Denmat,
//! Gotlieb, Ducassé, 2007).

use std::collections::BTreeSet;

use quipu_abstract::{Analysis, Effort, Place, Turn, analyse, equalities, facts};
use quipu_model::{Body, Loop, Model, Node, Reading, Role, Substitution, Term, Var, VarInfo};

/// Facts that are told, at most.
const MOST_FACTS: usize = 16;

/// Relations between the values at the entry of a loop and those at its end.
pub(crate) struct Summary {
    /// Over the variables below.
    facts: Vec<Term>,
    /// Stand for values from outside, at the entry and at the end, in the order of the arguments.
    formals: Vec<Term>,
}

impl Summary {
    /// The summary of a relation, if it is a loop of which something can be told.
    pub fn of(model: &mut Model, body: &Body) -> Option<Summary> {
        let Body::Loop(own) = body else { return None };
        let mut entry = Vec::new();
        for &var in &own.state {
            let VarInfo { name, width, .. } = model.vars()[var].clone();
            let info = VarInfo { name, width, reading: Reading::Unsigned, range: None, role: Role::Formal };
            let var = model.add_var(info);
            entry.push(model.var_term(var));
        }
        let terms = |vars: &[Var]| -> Vec<Term> { vars.iter().map(|&var| model.var_term(var)).collect() };
        let (outer, heads, nexts) = (terms(&own.outer), terms(&own.state), terms(&own.next));
        let mut found = invariants(model, own, &entry, &heads, &nexts);
        found.truncate(MOST_FACTS);
        if found.is_empty() {
            return None;
        }
        found.push(model.not(own.condition));
        Some(Summary { facts: found, formals: outer.into_iter().chain(entry).chain(heads).collect() })
    }

    /// What holds of the arguments of a call that is true.
    pub fn instance(&self, model: &mut Model, arguments: &[Term]) -> Vec<Term> {
        let pairs = self.formals.iter().copied().zip(arguments.iter().copied());
        let mut substitution = Substitution::new(pairs);
        self.facts.iter().map(|&fact| substitution.apply(model, fact)).collect()
    }
}

/// What holds at the head of the loop in every turn.
fn invariants(model: &mut Model, own: &Loop, entry: &[Term], heads: &[Term], nexts: &[Term]) -> Vec<Term> {
    let ends = entry.iter().zip(nexts);
    let places: Vec<Place> =
        heads.iter().zip(ends).map(|(&head, (&first, &next))| Place { head, first, next }).collect();
    let of_a_turn: BTreeSet<Var> = own.next.iter().chain(&own.locals).copied().collect();
    let mut during = Vec::new();
    flatten(model, own.condition, &mut during);
    flatten(model, own.body, &mut during);
    let is_fixed = |var: Var| !of_a_turn.contains(&var);
    let turn = Turn { places, before: Vec::new(), during, is_fixed: &is_fixed };
    let Analysis::Found(found) = analyse(model, &turn, Effort::default()) else { return Vec::new() };
    let mut all = facts(model, &found, turn.places.len());
    let paths = found.possible_paths(model);
    all.extend(equalities(model, &turn, &paths));
    all
}

fn flatten(model: &Model, term: Term, conjuncts: &mut Vec<Term>) {
    match model.node(term) {
        Node::All(items) => items.iter().for_each(|&item| flatten(model, item, conjuncts)),
        _ => conjuncts.push(term),
    }
}
