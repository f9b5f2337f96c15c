//! Relations and loops with a name: declared first, defined where they stand.

use std::rc::Rc;

use quipu_model::{Body, Loop, LoopVariables, Procedure, Relation, RelationInfo, Term, Var};
use quipu_num::Width;

use super::function::FUNCTIONS;
use super::scope::{Binding, Frame};
use super::{Builder, Built, Stop};
use crate::syntax::{Block, LoopDefinition, Name, Parameter, Rel};
use crate::types::Type;

/// What a call of a relation must look like.
#[derive(Clone)]
pub(super) struct Signature {
    pub relation: Relation,
    pub form: Rc<Form>,
}

pub(super) enum Form {
    Rel(Vec<Slot>),
    Loop {
        outer: Vec<Slot>,
        state: Vec<Slot>,
    },
    /// The declaration has an error.
    Broken,
}

/// A parameter.
#[derive(Clone)]
pub(super) struct Slot {
    pub name: String,
    pub ty: Type,
    pub size: Option<usize>,
    pub vars: Vec<Var>,
    /// In the state of a loop: the variables for the next values.
    pub next: Vec<Var>,
}

impl<'a> Builder<'a> {
    pub(super) fn declare_rel(&mut self, rel: &Rel<'a>) {
        let form = self.slots(&rel.parameters, false).map(Form::Rel);
        self.declare(&rel.name, form);
    }

    pub(super) fn declare_loop(&mut self, definition: &LoopDefinition<'a>) {
        let outer = self.slots(&definition.outer, false);
        let state = self.slots(&definition.state, true);
        let form = match (outer, state) {
            (Ok(outer), Ok(state)) => Ok(Form::Loop { outer, state }),
            _ => Err(Stop),
        };
        self.declare(&definition.name, form);
    }

    fn declare(&mut self, name: &Name<'a>, form: Built<Form>) {
        if FUNCTIONS.contains(&name.text) {
            let message = format!("`{}` is a function of the language", name.text);
            return drop(self.error::<()>(&name.span, message));
        }
        if self.signatures.contains_key(name.text) {
            let message = format!("there is already a relation `{}`", name.text);
            return drop(self.error::<()>(&name.span, message));
        }
        let form = form.unwrap_or(Form::Broken);
        let widths = form.widths();
        let body = Body::Supplied { parameters: widths };
        let relation = self.model.add_relation(RelationInfo { name: name.text.to_owned(), body });
        self.signatures.insert(name.text, Signature { relation, form: Rc::new(form) });
    }

    fn slots(&mut self, parameters: &[Parameter<'_>], state: bool) -> Built<Vec<Slot>> {
        parameters.iter().map(|parameter| self.slot(parameter, state)).collect()
    }

    fn slot(&mut self, parameter: &Parameter<'_>, state: bool) -> Built<Slot> {
        let Parameter { name, size, ty, range } = parameter;
        let ty = ty.ty;
        let size = self.size(size.as_ref())?;
        let range = self.range(range.as_ref(), ty)?;
        if let Some(size) = size {
            self.list_elements(&name.span, size)?;
        }
        let vars = self.formals(name.text, ty, size, None);
        let next = if state { self.formals(&format!("{}'", name.text), ty, size, range) } else { Vec::new() };
        Ok(Slot { name: name.text.to_owned(), ty, size, vars, next })
    }

    /// The body of a declared relation.
    pub(super) fn define_rel(&mut self, rel: &Rel<'a>) -> Built<()> {
        let (Some(block), Some(signature)) = (&rel.body, self.signatures.get(rel.name.text).cloned()) else {
            return Ok(());
        };
        let Form::Rel(slots) = &*signature.form else { return Err(Stop) };
        self.frames.push(Frame::relation());
        let body = self.rel_body(&rel.parameters, slots, block);
        let frame = self.frames.pop().expect("the frame has just been pushed");
        let parameters = slots.iter().flat_map(|slot| slot.vars.iter().copied()).collect();
        let procedure = Procedure::new(&mut self.model, parameters, frame.locals, body?);
        let info = RelationInfo { name: rel.name.text.to_owned(), body: Body::Procedure(procedure) };
        self.model.define_relation(signature.relation, info);
        Ok(())
    }

    fn rel_body(&mut self, parameters: &[Parameter<'_>], slots: &[Slot], block: &Block<'a>) -> Built<Term> {
        self.bind_slots(parameters, slots)?;
        let items = self.block_items(block)?;
        Ok(self.conjunction(items))
    }

    fn bind_slots(&mut self, parameters: &[Parameter<'_>], slots: &[Slot]) -> Built<()> {
        for (parameter, slot) in parameters.iter().zip(slots) {
            self.check_new(&parameter.name)?;
            self.bind_vars(&slot.name, slot.ty, slot.size.is_some(), slot.vars.clone());
        }
        Ok(())
    }

    /// The condition and the body of a declared loop. Nothing is added to what is written.
    pub(super) fn define_loop(&mut self, definition: &LoopDefinition<'a>) -> Built<()> {
        let Some(signature) = self.signatures.get(definition.name.text).cloned() else { return Err(Stop) };
        let Form::Loop { outer, state } = &*signature.form else { return Err(Stop) };
        self.frames.push(Frame::relation());
        let parts = self.loop_parts(definition, outer, state);
        let frame = self.frames.pop().expect("the frame has just been pushed");
        let (condition, body) = parts?;
        let variables = LoopVariables {
            outer: outer.iter().flat_map(|slot| slot.vars.iter().copied()).collect(),
            state: state.iter().flat_map(|slot| slot.vars.iter().copied()).collect(),
            next: state.iter().flat_map(|slot| slot.next.iter().copied()).collect(),
            locals: frame.locals,
        };
        let body = Body::Loop(Loop::new(&mut self.model, variables, condition, body));
        let info = RelationInfo { name: definition.name.text.to_owned(), body };
        self.model.define_relation(signature.relation, info);
        Ok(())
    }

    fn loop_parts(
        &mut self,
        definition: &LoopDefinition<'a>,
        outer: &[Slot],
        state: &[Slot],
    ) -> Built<(Term, Term)> {
        self.bind_slots(&definition.outer, outer)?;
        self.bind_slots(&definition.state, state)?;
        for item in &definition.lets {
            self.let_name(item)?;
        }
        let condition = self.condition(&definition.condition)?;
        self.bind_next(state);
        let items = self.block_items(&definition.body)?;
        Ok((condition, self.conjunction(items)))
    }

    /// Binds the primed names.
    pub(super) fn bind_next(&mut self, state: &[Slot]) {
        for slot in state {
            let name = format!("{}'", slot.name);
            self.bind_vars(&name, slot.ty, slot.size.is_some(), slot.next.clone());
        }
    }

    /// Binds a name whose declaration failed, so that it is not reported again.
    pub(super) fn bind_broken(&mut self, name: &str) {
        self.frame().bind(name, Binding::broken());
    }
}

impl Form {
    /// The widths of the arguments of a call.
    fn widths(&self) -> Vec<Width> {
        let of = |slots: &[Slot]| -> Vec<Width> {
            slots.iter().flat_map(|slot| slot.vars.iter().map(|_| slot.ty.width())).collect()
        };
        match self {
            Form::Rel(slots) => of(slots),
            Form::Loop { outer, state } => [of(outer), of(state), of(state)].concat(),
            Form::Broken => Vec::new(),
        }
    }
}
