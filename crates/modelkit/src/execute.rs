//! What a model means, by running it: calls are executed with the values of their arguments. Shares neither the
//! unfolding of relations nor the evaluation of models with `quipu-model`, only the meaning of single nodes.
//!
//! "Some value must do" is decided by trying all values, so undetermined locals must be few and narrow; a local that
//! the body defines by an equation is computed, which the generator tells by [`Meanings`].

use quipu_base::IdVec;
use quipu_model::{Assignment, Body, Model, Node, Relation, Role, Term, Var, apply};

/// For each relation, the unknowns that its body equates with a term over what is known before, in order.
pub type Meanings = IdVec<Relation, Vec<(Var, Term)>>;

/// A model whose calls can be executed.
pub struct Specimen {
    pub model: Model,
    pub meanings: Meanings,
}

/// Deeper derivations are not looked for.
const MOST_CALLS: usize = 400;

impl Specimen {
    /// Whether an assignment to the variables of the model is a solution; nothing if that would take too long.
    pub fn holds(&self, assignment: &Assignment) -> Option<bool> {
        let mut execution = Execution { specimen: self, calls: Vec::new(), too_deep: false };
        let mut frame = Frame::new(&self.model, |var| assignment[var]);
        let vars = self.model.vars().entries().filter(|(_, info)| info.role != Role::Formal);
        let allowed = vars.into_iter().all(|(var, info)| info.allows(assignment[var]));
        let assertions = self.model.assertions();
        let holds = allowed && assertions.iter().all(|&term| execution.value(&mut frame, term) == 1);
        (!execution.too_deep).then_some(holds)
    }
}

struct Execution<'a> {
    specimen: &'a Specimen,
    /// The calls that are being executed: one that needs itself is false.
    calls: Vec<(Relation, Vec<u64>)>,
    too_deep: bool,
}

/// The values of variables, and of the terms over them that were computed.
struct Frame {
    vars: Vec<u64>,
    terms: Vec<Option<u64>>,
}

impl Frame {
    fn new(model: &Model, value: impl Fn(Var) -> u64) -> Frame {
        Frame { vars: model.vars().ids().map(value).collect(), terms: vec![None; model.terms().len()] }
    }

    fn set(&mut self, var: Var, value: u64) {
        self.vars[quipu_base::Id::index(var)] = value;
        self.terms.fill(None);
    }
}

impl Execution<'_> {
    /// The value of a term; what does not matter is not looked at.
    fn value(&mut self, frame: &mut Frame, term: Term) -> u64 {
        let place = quipu_base::Id::index(term);
        if let Some(value) = frame.terms[place] {
            return value;
        }
        let model = &self.specimen.model;
        let value = match model.node(term) {
            Node::Var(var) => frame.vars[quipu_base::Id::index(*var)],
            Node::All(items) => u64::from(items.iter().all(|&item| self.value(frame, item) == 1)),
            Node::Any(items) => u64::from(items.iter().any(|&item| self.value(frame, item) == 1)),
            Node::Select(condition, yes, no) => {
                let chosen = if self.value(frame, *condition) == 1 { *yes } else { *no };
                self.value(frame, chosen)
            }
            Node::Call(relation, arguments) => {
                let values = arguments.iter().map(|&argument| self.value(frame, argument)).collect();
                u64::from(self.call(*relation, values))
            }
            node => {
                node.for_each_operand(|operand| {
                    self.value(frame, operand);
                });
                let known = |operand: Term| {
                    frame.terms[quipu_base::Id::index(operand)].expect("operands were just computed")
                };
                apply(model, node, model.width(term), known)
            }
        };
        frame.terms[place] = Some(value);
        value
    }

    fn call(&mut self, relation: Relation, values: Vec<u64>) -> bool {
        let call = (relation, values);
        if self.calls.len() >= MOST_CALLS {
            self.too_deep = true;
        }
        if self.too_deep || self.calls.contains(&call) {
            return false;
        }
        self.calls.push(call.clone());
        let holds = self.execute(relation, &call.1);
        self.calls.pop();
        holds
    }

    fn execute(&mut self, relation: Relation, values: &[u64]) -> bool {
        let model = &self.specimen.model;
        let mut frame = Frame::new(model, |_| 0);
        match &model.relations()[relation].body {
            Body::Procedure(procedure) => {
                for (&var, &value) in procedure.parameters.iter().zip(values) {
                    frame.set(var, value);
                }
                self.some_value_does(relation, &mut frame, &procedure.locals, &mut |execution, frame| {
                    execution.value(frame, procedure.body) == 1
                })
            }
            Body::Loop(turn) => {
                let (outer, states) = values.split_at(turn.outer.len());
                let (entry, end) = states.split_at(turn.state.len());
                for (&var, &value) in turn.outer.iter().chain(&turn.state).zip(outer.iter().chain(entry)) {
                    frame.set(var, value);
                }
                if self.value(&mut frame, turn.condition) == 0 {
                    return entry == end;
                }
                let unknown: Vec<Var> = turn.next.iter().chain(&turn.locals).copied().collect();
                self.some_value_does(relation, &mut frame, &unknown, &mut |execution, frame| {
                    let next = turn.next.iter().map(|&var| frame.vars[quipu_base::Id::index(var)]);
                    let again: Vec<u64> =
                        outer.iter().copied().chain(next).chain(end.iter().copied()).collect();
                    execution.value(frame, turn.body) == 1 && execution.call(relation, again)
                })
            }
            Body::Supplied { .. } => panic!("a specimen supplies no bodies"),
        }
    }

    /// Whether some values of the unknowns, which their declarations allow, satisfy `test`.
    fn some_value_does(
        &mut self,
        relation: Relation,
        frame: &mut Frame,
        unknown: &[Var],
        test: &mut dyn FnMut(&mut Self, &mut Frame) -> bool,
    ) -> bool {
        let specimen = self.specimen;
        let defined = &specimen.meanings[relation];
        for &(var, definition) in defined {
            let value = self.value(frame, definition);
            frame.set(var, value);
        }
        let allows = |var: Var, value: u64| specimen.model.vars()[var].allows(value);
        if !defined.iter().all(|&(var, _)| allows(var, frame.vars[quipu_base::Id::index(var)])) {
            return false;
        }
        let free: Vec<Var> =
            unknown.iter().copied().filter(|var| defined.iter().all(|(other, _)| other != var)).collect();
        let bits: u32 = free.iter().map(|&var| specimen.model.vars()[var].width.bits()).sum();
        assert!(bits <= 6, "too many values to try");
        (0..1u64 << bits).any(|mut number| {
            let mut fine = true;
            for &var in &free {
                let width = specimen.model.vars()[var].width;
                let value = width.wrap(number);
                number >>= width.bits();
                fine &= allows(var, value);
                frame.set(var, value);
            }
            fine && test(self, frame)
        })
    }
}
