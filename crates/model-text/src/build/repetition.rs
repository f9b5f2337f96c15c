//! The loop operator `w`: a loop relation and its only call.

use quipu_model::{Body, Loop, LoopVariables, RelationInfo, Role, Term, Var};
use rustc_hash::FxHashSet;

use super::number::bare;
use super::relation::Slot;
use super::scope::Frame;
use super::{Builder, Built, Position};
use crate::diagnostic::Problem;
use crate::syntax::{Entry, Expr, ExprKind, While};
use crate::types::Type;

/// A state variable with its values at the entry and at the end.
struct Passed {
    slot: Slot,
    entry: Vec<Term>,
    end: Vec<Term>,
}

impl<'a> Builder<'a> {
    /// The call of the loop that the statement defines.
    pub(super) fn repetition(&mut self, statement: &While<'a>) -> Built<Term> {
        let passed = self.passed(statement)?;
        let slots: Vec<Slot> = passed.iter().map(|passed| passed.slot.clone()).collect();
        self.frames.push(Frame::repetition());
        let parts = self.turn(statement, &slots);
        let frame = self.frames.pop().expect("the frame has just been pushed");
        let (condition, body) = parts?;
        let (outer, outside): (Vec<Var>, Vec<Term>) = frame.captured.into_iter().unzip();
        let variables = LoopVariables {
            outer,
            state: slots.iter().flat_map(|slot| slot.vars.iter().copied()).collect(),
            next: slots.iter().flat_map(|slot| slot.next.iter().copied()).collect(),
            locals: frame.locals,
        };
        let body = Body::Loop(Loop::new(&mut self.model, variables, condition, body));
        let name = self.loop_name();
        let relation = self.model.add_relation(RelationInfo { name, body });
        let entry = passed.iter().flat_map(|passed| passed.entry.iter().copied());
        let end = passed.iter().flat_map(|passed| passed.end.iter().copied());
        let arguments = outside.into_iter().chain(entry).chain(end).collect();
        Ok(self.relation_call(relation, arguments).term)
    }

    /// The values that go in and come out, and fresh variables for the state.
    fn passed(&mut self, statement: &While<'a>) -> Built<Vec<Passed>> {
        let While { state, end, end_span, .. } = statement;
        if state.len() != end.len() {
            let message =
                format!("the loop has {} variables, and {} values at its end", state.len(), end.len());
            return self.error(end_span, message);
        }
        let mut seen = FxHashSet::default();
        if let Some(twice) = state.iter().find(|entry| !seen.insert(entry.name.text)) {
            let message = format!("`{}` is already declared", twice.name.text);
            return self.error(&twice.name.span, message);
        }
        state.iter().zip(end).map(|(entry, end)| self.pass(entry, end)).collect()
    }

    fn pass(&mut self, entry: &Entry<'a>, end: &Expr<'a>) -> Built<Passed> {
        let known = self.state_type(entry, end)?;
        let (entry_terms, ty, size) = match self.array_length(&entry.value)? {
            Some(_) => {
                let (terms, ty) = self.array(&entry.value, known)?;
                let terms = terms.to_vec();
                let size = terms.len();
                (terms, ty, Some(size))
            }
            None => {
                let value = self.scalar(&entry.value, known, Position::Other)?;
                (vec![value.term], value.ty, None)
            }
        };
        if let Some(written) = &entry.ty
            && written.ty != ty
        {
            let hint = self.conversion(&entry.value.span, ty, written.ty);
            let message = format!("this should have type `{}`, and has type `{ty}`", written.ty);
            return self.fail(Problem::new(entry.value.span.clone(), message).hint(hint));
        }
        let range = self.range(entry.range.as_ref(), ty)?;
        let name = entry.name.text.to_owned();
        let end_terms = self.end_value(&name, ty, size, end)?;
        let vars = self.formals(&name, ty, size, None);
        let next = self.formals(&format!("{name}'"), ty, size, range);
        Ok(Passed { slot: Slot { name, ty, size, vars, next }, entry: entry_terms, end: end_terms })
    }

    /// The type of a state variable whose entry is a bare number, from what else is written.
    fn state_type(&mut self, entry: &Entry<'a>, end: &Expr<'a>) -> Built<Option<Type>> {
        if let Some(written) = &entry.ty {
            return Ok(Some(written.ty));
        }
        if !bare(&entry.value) {
            return Ok(None);
        }
        if is_wildcard(end) || bare(end) {
            let name = entry.name.text;
            let problem =
                Problem::new(entry.value.span.clone(), format!("nothing here gives `{name}` a type"));
            return self.fail(
                problem.hint(format!("write it, as in `{name} : u32 = {}`", self.written(&entry.value.span))),
            );
        }
        match self.array_length(end)? {
            Some(_) => self.array(end, None).map(|(_, ty)| Some(ty)),
            None => self.scalar(end, None, Position::Other).map(|value| Some(value.ty)),
        }
    }

    /// How many elements an expression has, if it is an array.
    fn array_length(&mut self, expression: &Expr<'_>) -> Built<Option<usize>> {
        match &expression.kind {
            ExprKind::List(items) => Ok(Some(items.len())),
            ExprKind::Name(name) => {
                let binding = self.lookup(name, &expression.span)?;
                Ok(binding.array.then_some(binding.terms.len()))
            }
            _ => Ok(None),
        }
    }

    /// The terms for a value at the end of a loop; `_` is a fresh local.
    pub(super) fn end_value(
        &mut self,
        name: &str,
        ty: Type,
        size: Option<usize>,
        end: &Expr<'_>,
    ) -> Built<Vec<Term>> {
        if !is_wildcard(end) {
            return self.argument(ty, size, end);
        }
        let top = self.frame().is_top();
        let role = if top { Role::Local } else { Role::Formal };
        let vars = self.add_vars(&format!("{name}_end"), ty, size, None, role);
        if !top {
            self.frame().locals.extend(&vars);
        }
        Ok(self.var_terms(&vars))
    }

    /// The condition and the body. A variable whose next value is never mentioned stays as it is.
    fn turn(&mut self, statement: &While<'a>, slots: &[Slot]) -> Built<(Term, Term)> {
        for slot in slots {
            self.bind_vars(&slot.name, slot.ty, slot.size.is_some(), slot.vars.clone());
        }
        let condition = self.condition(&statement.condition)?;
        self.bind_next(slots);
        let mut items = self.block_items(&statement.body)?;
        for slot in slots {
            if self.frame().mentioned.contains(&format!("{}'", slot.name)) {
                continue;
            }
            for (&now, &next) in slot.vars.iter().zip(&slot.next) {
                let (now, next) = (self.model.var_term(now), self.model.var_term(next));
                items.push(self.model.equal(next, now));
            }
        }
        Ok((condition, self.conjunction(items)))
    }

    /// A name that no relation has.
    fn loop_name(&mut self) -> String {
        loop {
            self.loops += 1;
            let name = format!("w{}", self.loops);
            if !self.signatures.contains_key(name.as_str()) {
                return name;
            }
        }
    }
}

fn is_wildcard(expression: &Expr<'_>) -> bool {
    matches!(expression.kind, ExprKind::Name("_"))
}
