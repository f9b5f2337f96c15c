//! Queries: which variables they show, and which assertions they see.

use quipu_model::{Role, Var};

use super::{Builder, Built};
use crate::diagnostic::Span;
use crate::query::Query;
use crate::syntax::{Expr, Name, QueryText};

impl<'a> Builder<'a> {
    pub(super) fn query(&mut self, query: &QueryText<'a>, span: &Span) -> Built<()> {
        let mut variables = Vec::new();
        for (name, index) in &query.names {
            variables.extend(self.shown(name, index.as_ref())?);
        }
        let named = !query.names.is_empty();
        if !named {
            let infos = self.model.vars();
            let declared = self.names.iter().flat_map(|named| named.vars.iter().copied());
            variables.extend(declared.filter(|&var| infos[var].role == Role::Input));
        }
        self.queries.push(Query {
            kind: query.kind,
            variables,
            named,
            limit: query.limit,
            strategy: query.strategy,
            n_assertions: self.model.assertions().len(),
            span: span.clone(),
        });
        Ok(())
    }

    /// The variables behind a name.
    fn shown(&mut self, name: &Name<'a>, index: Option<&Expr<'a>>) -> Built<Vec<Var>> {
        let binding = self.lookup(name.text, &name.span)?;
        if binding.vars.is_empty() {
            return self.error(&name.span, format!("`{}` names an expression, not a variable", name.text));
        }
        match index {
            None => Ok(binding.vars.to_vec()),
            Some(index) if binding.array => {
                let position = self.position(index, binding.vars.len())?;
                Ok(vec![binding.vars[position]])
            }
            Some(index) => self.error(&index.span, format!("`{}` is no array", name.text)),
        }
    }
}
