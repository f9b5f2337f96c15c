//! Bodies made ready for unfolding: locals that a body defines need not become variables.
//!
//! `x == e` defines `x`, where `e` is known. So does a choice both of whose branches define it: with `x == e` in one
//! and `x == f` in the other, `x` is `c ? e : f`. What a loop or a function computes is defined in this way, so that
//! unfolding it adds terms, and no variable whose value would have to be searched.

use quipu_num::{IntCmp, Width};
use rustc_hash::FxHashSet;

use crate::graph::{Model, Role, VarInfo};
use crate::node::{Node, Term, Var};
use crate::substitute::Substitution;

/// A body with its definitions.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    /// Each uses parameters, free locals and earlier definitions only.
    definitions: Vec<(Var, Term)>,
    /// Locals without a definition.
    free: Vec<Var>,
    /// What is left to say.
    pub body: Term,
}

impl Prepared {
    /// Takes the definitions of the unknown variables out of a body. A variable whose declaration limits its values
    /// is left as it is.
    pub fn new(model: &mut Model, unknown: &[Var], body: Term) -> Prepared {
        let mut work = Work { open: FxHashSet::default(), unknown, definitions: Vec::new() };
        work.open.extend(unknown.iter().copied().filter(|&var| model.vars()[var].range.is_none()));
        let mut conjuncts = Vec::new();
        flatten(model, body, &mut conjuncts);
        while let Some((n, definition)) =
            conjuncts.iter().enumerate().find_map(|(n, &part)| Some((n, work.defined_by(model, part)?)))
        {
            let (var, value, rest) = definition.build(model, conjuncts[n]);
            work.definitions.push((var, value));
            work.open.remove(&var);
            conjuncts[n] = rest;
        }
        let is_free = |&var: &Var| work.definitions.iter().all(|&(other, _)| other != var);
        let free = unknown.iter().copied().filter(is_free).collect();
        Prepared { definitions: work.definitions, free, body: model.all(conjuncts) }
    }

    /// Gives free locals fresh variables, and the others their definitions.
    pub fn bind(&self, model: &mut Model, substitution: &mut Substitution) {
        for &var in &self.free {
            let info = VarInfo { role: Role::Local, ..model.vars()[var].clone() };
            let fresh = model.add_var(info);
            substitution.set(model.var_term(var), model.var_term(fresh));
        }
        self.define(model, substitution);
    }

    /// Gives locals their definitions, and leaves free ones as they are.
    pub fn define(&self, model: &mut Model, substitution: &mut Substitution) {
        for &(var, definition) in &self.definitions {
            let value = substitution.apply(model, definition);
            substitution.set(model.var_term(var), value);
        }
    }
}

/// How a conjunct defines a variable.
enum Definition {
    Equal(Var, Term),
    /// In both branches of a choice.
    Choice {
        var: Var,
        then: Term,
        otherwise: Term,
    },
}

impl Definition {
    /// The variable, its value, and what the conjunct still says.
    fn build(self, model: &mut Model, conjunct: Term) -> (Var, Term, Term) {
        match self {
            Definition::Equal(var, value) => (var, value, model.truth(true)),
            Definition::Choice { var, then, otherwise } => {
                let Node::Select(condition, a, b) = *model.node(conjunct) else {
                    panic!("only a choice defines in two branches")
                };
                let value = model.select(condition, then, otherwise);
                let term = model.var_term(var);
                let a = Substitution::new([(term, then)]).apply(model, a);
                let b = Substitution::new([(term, otherwise)]).apply(model, b);
                (var, value, model.select(condition, a, b))
            }
        }
    }
}

struct Work<'a> {
    /// Variables that may be defined.
    open: FxHashSet<Var>,
    unknown: &'a [Var],
    definitions: Vec<(Var, Term)>,
}

impl Work<'_> {
    fn defined_by(&self, model: &Model, conjunct: Term) -> Option<Definition> {
        match *model.node(conjunct) {
            Node::Compare(IntCmp::Eq, a, b) => [(a, b), (b, a)].into_iter().find_map(|(left, right)| {
                let Node::Var(var) = *model.node(left) else { return None };
                let fits = self.open.contains(&var) && self.is_known(model, right);
                fits.then_some(Definition::Equal(var, right))
            }),
            Node::Select(condition, a, b)
                if model.width(conjunct) == Width::W1 && self.is_known(model, condition) =>
            {
                let (left, right) = (self.equations(model, a), self.equations(model, b));
                left.iter().find_map(|&(var, then)| {
                    let &(_, otherwise) = right.iter().find(|&&(other, _)| other == var)?;
                    Some(Definition::Choice { var, then, otherwise })
                })
            }
            _ => None,
        }
    }

    /// The definitions among the conjuncts of a branch.
    fn equations(&self, model: &Model, branch: Term) -> Vec<(Var, Term)> {
        let mut conjuncts = Vec::new();
        flatten(model, branch, &mut conjuncts);
        let equation = |&part: &Term| match self.defined_by(model, part) {
            Some(Definition::Equal(var, value)) => Some((var, value)),
            _ => None,
        };
        conjuncts.iter().filter_map(equation).collect()
    }

    /// Whether a term contains no variable that is neither given nor defined.
    fn is_known(&self, model: &Model, root: Term) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Node::Var(var) = *model.node(term)
                && self.unknown.contains(&var)
                && self.definitions.iter().all(|&(other, _)| other != var)
            {
                return false;
            }
            model.node(term).for_each_operand(|operand| stack.push(operand));
        }
        true
    }
}

fn flatten(model: &Model, term: Term, conjuncts: &mut Vec<Term>) {
    match model.node(term) {
        Node::All(items) => items.iter().for_each(|&item| flatten(model, item, conjuncts)),
        _ => conjuncts.push(term),
    }
}
