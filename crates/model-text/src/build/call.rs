//! Calls of functions, relations and loops.

use quipu_model::{Node, Term};
use quipu_num::Width;

use super::function::FUNCTIONS;
use super::relation::{Form, Slot};
use super::scope::nearest;
use super::{Builder, Built, Position, Stop, Typed};
use crate::diagnostic::{Problem, Span};
use crate::syntax::{Expr, LoopCall, Name};
use crate::types::Type;

impl Builder<'_> {
    pub(super) fn call(
        &mut self,
        name: &Name<'_>,
        arguments: &[Expr<'_>],
        hint: Option<Type>,
        position: Position,
    ) -> Built<Typed> {
        if FUNCTIONS.contains(&name.text) {
            return self.function(name, arguments, hint, position);
        }
        let Some(signature) = self.signatures.get(name.text).cloned() else {
            return self.no_such_relation(name);
        };
        self.check_positive(&name.span, position)?;
        match &*signature.form {
            Form::Broken => Err(Stop),
            Form::Rel(slots) => {
                if slots.len() != arguments.len() {
                    return self.wrong_number(name, &slots.len().to_string(), arguments.len());
                }
                let terms = self.arguments(slots, arguments)?;
                Ok(self.relation_call(signature.relation, terms))
            }
            Form::Loop { .. } => {
                let problem = Problem::new(name.span.clone(), format!("`{}` is a loop", name.text));
                self.fail(problem.hint("call it as `name[outer](entry) -> (end)`"))
            }
        }
    }

    pub(super) fn loop_call(&mut self, call: &LoopCall<'_>, span: &Span, position: Position) -> Built<Typed> {
        let LoopCall { name, outer, entry, end } = call;
        let Some(signature) = self.signatures.get(name.text).cloned() else {
            return self.no_such_relation(name);
        };
        self.check_positive(span, position)?;
        let Form::Loop { outer: outer_slots, state } = &*signature.form else { return Err(Stop) };
        let wanted = (outer_slots.len(), state.len(), state.len());
        let found = (outer.len(), entry.len(), end.len());
        if wanted != found {
            let message = format!(
                "the loop `{}` takes {} outer, {} entry and {} end values, not {}, {} and {}",
                name.text, wanted.0, wanted.1, wanted.2, found.0, found.1, found.2
            );
            return self.error(span, message);
        }
        let mut terms = self.arguments(outer_slots, outer)?;
        terms.extend(self.arguments(state, entry)?);
        terms.extend(self.end_arguments(state, end)?);
        Ok(self.relation_call(signature.relation, terms))
    }

    fn end_arguments(&mut self, slots: &[Slot], end: &[Expr<'_>]) -> Built<Vec<Term>> {
        let mut terms = Vec::new();
        for (slot, expression) in slots.iter().zip(end) {
            terms.extend(self.end_value(&slot.name, slot.ty, slot.size, expression)?);
        }
        Ok(terms)
    }

    pub(super) fn relation_call(&mut self, relation: quipu_model::Relation, arguments: Vec<Term>) -> Typed {
        self.calls += 1;
        let term = self.model.add(Node::Call(relation, arguments.into()), Width::W1);
        Typed { term, ty: Type::BOOL }
    }

    /// The terms for parameters; arrays are spread out.
    fn arguments(&mut self, slots: &[Slot], arguments: &[Expr<'_>]) -> Built<Vec<Term>> {
        let mut terms = Vec::new();
        for (slot, argument) in slots.iter().zip(arguments) {
            terms.extend(self.argument(slot.ty, slot.size, argument)?);
        }
        Ok(terms)
    }

    /// The terms of an argument, which must have a type, and a length if it is an array.
    pub(super) fn argument(
        &mut self,
        ty: Type,
        size: Option<usize>,
        argument: &Expr<'_>,
    ) -> Built<Vec<Term>> {
        let Some(size) = size else { return Ok(vec![self.typed(argument, ty, Position::Other)?]) };
        let (terms, found) = self.array(argument, Some(ty))?;
        if found != ty || terms.len() != size {
            let message =
                format!("this should be an array of {size} `{ty}`, and is one of {} `{found}`", terms.len());
            return self.error(&argument.span, message);
        }
        Ok(terms.to_vec())
    }

    /// Whether a relation may be called here.
    pub(super) fn check_positive(&mut self, span: &Span, position: Position) -> Built<()> {
        if position == Position::Positive { Ok(()) } else { self.negative(span) }
    }

    pub(super) fn negative<T>(&mut self, span: &Span) -> Built<T> {
        let message = "a relation cannot be called under a negation, in a condition, or as a number";
        let hint = "call it as a constraint, and use the values that it relates";
        self.fail(Problem::new(span.clone(), message).hint(hint))
    }

    fn no_such_relation<T>(&mut self, name: &Name<'_>) -> Built<T> {
        let problem =
            Problem::new(name.span.clone(), format!("there is no function or relation `{}`", name.text));
        let known = self.signatures.keys().copied().chain(FUNCTIONS);
        match nearest(name.text, known).map(str::to_owned) {
            Some(other) => self.fail(problem.hint(format!("did you mean `{other}`?"))),
            None => self.fail(problem),
        }
    }
}
