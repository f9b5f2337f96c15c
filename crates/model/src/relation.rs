//! Relations: constraints with a name and parameters, and what a call of one says.
//!
//! A loop is the relation between the values at its entry and those at its exit (the operator `w` of the
//! InKa line of work). With state vectors `entry` and `end`, condition `c` and body `B`:
//!
//! ```text
//! w(entry, end)  =  if c(entry)  then  exists next: B(entry, next) and w(next, end)
//!                                else  entry = end
//! ```
//!
//! Recursion is given its meaning by finite derivations: a call that needs itself, with the same arguments,
//! is false. So a loop that never ends relates nothing.

use quipu_num::{IntCmp, Width};
use rustc_hash::FxHashMap;

use crate::graph::Model;
use crate::node::{Node, Relation, Term, Var};
use crate::prepare::Prepared;
use crate::substitute::Substitution;

/// A relation of a model.
#[derive(Clone, Debug)]
pub struct RelationInfo {
    pub name: String,
    pub body: Body,
}

/// What a relation says.
#[derive(Clone, Debug)]
pub enum Body {
    Procedure(Procedure),
    Loop(Loop),
    /// Known only to whoever implements [`Unfold`].
    Supplied {
        parameters: Vec<Width>,
    },
}

/// A body over formal variables of the model.
#[derive(Clone, Debug)]
pub struct Procedure {
    pub parameters: Vec<Var>,
    pub locals: Vec<Var>,
    pub body: Term,
    widths: Vec<Width>,
    prepared: Prepared,
}

/// A loop over formal variables of the model. It is called with the outer values, the entry and the end.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Values from outside, which the loop does not change.
    pub outer: Vec<Var>,
    /// The state at the start of a turn.
    pub state: Vec<Var>,
    /// The state at the end of a turn, as many as `state`.
    pub next: Vec<Var>,
    pub locals: Vec<Var>,
    /// Whether there is another turn: over `outer` and `state`.
    pub condition: Term,
    /// What a turn does: over all of these.
    pub body: Term,
    widths: Vec<Width>,
    prepared: Prepared,
}

/// Says what a call says, one step deep: calls inside stay calls.
pub trait Unfold {
    /// A term of the model that is true exactly if the call is, for some values of the locals that it adds.
    fn unfold(&self, model: &mut Model, relation: Relation, arguments: &[Term]) -> Term;
}

impl<U: Unfold + ?Sized> Unfold for &U {
    fn unfold(&self, model: &mut Model, relation: Relation, arguments: &[Term]) -> Term {
        (**self).unfold(model, relation, arguments)
    }
}

/// Unfolds the bodies that stand in the model itself.
pub struct WrittenBodies;

impl RelationInfo {
    /// Whether these are the widths of the parameters.
    pub fn accepts(&self, widths: impl Iterator<Item = Width>) -> bool {
        match &self.body {
            Body::Procedure(Procedure { widths: own, .. })
            | Body::Loop(Loop { widths: own, .. })
            | Body::Supplied { parameters: own } => widths.eq(own.iter().copied()),
        }
    }
}

impl Procedure {
    pub fn new(model: &mut Model, parameters: Vec<Var>, locals: Vec<Var>, body: Term) -> Procedure {
        let widths = parameters.iter().map(|&var| model.vars()[var].width).collect();
        let prepared = Prepared::new(model, &locals, body);
        Procedure { parameters, locals, body, widths, prepared }
    }
}

impl Loop {
    pub fn new(model: &mut Model, variables: LoopVariables, condition: Term, body: Term) -> Loop {
        let LoopVariables { outer, state, next, locals } = variables;
        assert!(state.len() == next.len(), "every variable of a loop has a next value");
        let widths = outer.iter().chain(&state).chain(&state).map(|&var| model.vars()[var].width).collect();
        let unknown: Vec<Var> = next.iter().chain(&locals).copied().collect();
        let prepared = Prepared::new(model, &unknown, body);
        Loop { outer, state, next, locals, condition, body, widths, prepared }
    }
}

/// A turn of a loop, over its formal variables.
#[derive(Clone, Debug)]
pub struct LoopTurn {
    /// The state at the end of the turn: what the body defines it to be, or else the formal variable.
    pub next: Vec<Term>,
    /// What the body says besides.
    pub body: Term,
}

/// The formal variables of a loop.
#[derive(Clone, Default, Debug)]
pub struct LoopVariables {
    pub outer: Vec<Var>,
    pub state: Vec<Var>,
    pub next: Vec<Var>,
    pub locals: Vec<Var>,
}

impl Unfold for WrittenBodies {
    fn unfold(&self, model: &mut Model, relation: Relation, arguments: &[Term]) -> Term {
        match model.relations()[relation].body.clone() {
            Body::Procedure(procedure) => procedure.unfold(model, arguments),
            Body::Loop(turn) => turn.unfold(model, relation, arguments),
            Body::Supplied { .. } => panic!("the body of a supplied relation should come from its supplier"),
        }
    }
}

impl Model {
    /// What a call says, one step deep; asked once, then remembered.
    pub fn unfold(&mut self, call: Term, bodies: &dyn Unfold) -> Term {
        if let Some(meaning) = self.unfolding(call) {
            return meaning;
        }
        let Node::Call(relation, arguments) = self.node(call).clone() else {
            panic!("only a call can be unfolded")
        };
        let meaning = bodies.unfold(self, relation, &arguments);
        // A derivation of the call that uses the call itself can be cut short.
        let meaning = self.without_call(meaning, call, &mut FxHashMap::default());
        self.set_unfolding(call, meaning);
        meaning
    }
}

impl Model {
    /// The term with a call made false. Calls stand below connectives only, so only these are searched; `done` holds
    /// what was found for terms that are shared.
    fn without_call(&mut self, term: Term, call: Term, done: &mut FxHashMap<Term, Term>) -> Term {
        if term == call {
            return self.truth(false);
        }
        if let Some(&found) = done.get(&term) {
            return found;
        }
        let without = match self.node(term).clone() {
            node @ (Node::All(_) | Node::Any(_)) => {
                let node = node.map_operands(|item| self.without_call(item, call, done));
                self.add(node, Width::W1)
            }
            Node::Select(condition, a, b) if self.width(term) == Width::W1 => {
                let (a, b) = (self.without_call(a, call, done), self.without_call(b, call, done));
                self.select(condition, a, b)
            }
            _ => term,
        };
        done.insert(term, without);
        without
    }
}

impl Procedure {
    fn unfold(&self, model: &mut Model, arguments: &[Term]) -> Term {
        let formals = self.parameters.iter().map(|&var| model.var_term(var));
        let mut substitution = Substitution::new(formals.zip(arguments.iter().copied()));
        self.prepared.bind(model, &mut substitution);
        substitution.apply(model, self.prepared.body)
    }
}

impl Loop {
    /// A turn, as far as possible without variables that it defines.
    pub fn turn(&self, model: &mut Model) -> LoopTurn {
        let mut substitution = Substitution::new([]);
        self.prepared.define(model, &mut substitution);
        let mut next = Vec::with_capacity(self.next.len());
        for &var in &self.next {
            let formal = model.var_term(var);
            next.push(substitution.apply(model, formal));
        }
        LoopTurn { next, body: substitution.apply(model, self.prepared.body) }
    }

    fn unfold(&self, model: &mut Model, relation: Relation, arguments: &[Term]) -> Term {
        let (outer, states) = arguments.split_at(self.outer.len());
        let (entry, end) = states.split_at(self.state.len());
        let formals = self.outer.iter().chain(&self.state).map(|&var| model.var_term(var));
        let mut substitution =
            Substitution::new(formals.zip(outer.iter().chain(entry).copied()).collect::<Vec<_>>());
        self.prepared.bind(model, &mut substitution);

        let condition = substitution.apply(model, self.condition);
        let body = substitution.apply(model, self.prepared.body);
        let next: Vec<Term> = self
            .next
            .iter()
            .map(|&var| {
                let formal = model.var_term(var);
                substitution.apply(model, formal)
            })
            .collect();
        let rest = model.call(relation, outer.iter().chain(&next).chain(end).copied());
        let turn = model.all([body, rest]);
        let same: Vec<Term> = entry.iter().zip(end).map(|(&a, &b)| model.compare(IntCmp::Eq, a, b)).collect();
        let leave = model.all(same);
        model.select(condition, turn, leave)
    }
}
