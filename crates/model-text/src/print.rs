//! Writes a model as a text that denotes it.
//!
//! Reading the text again gives the same terms: the nodes that the assertions and the relations reach, the
//! variables with their types, ranges and roles, and the relations. What a reader cannot see is not kept:
//! unfoldings, terms that nothing uses, ranges of parameters (which mean nothing), the names of next values,
//! and names that are no identifiers or not unique, which are changed. A term that is used more than once, or
//! that would nest too deeply, is named by a `let`, so the text is linear in the size of the graph.

mod float;
mod line;
mod names;
mod operand;
mod relation;
mod scope;

use quipu_model::{Model, Role, Var};
use rustc_hash::FxHashMap;

use crate::document::Document;
use crate::query::Query;
use names::{Group, declaration};
use relation::Signatures;
use scope::Scope;

/// The text of a model.
pub fn print(model: &Model) -> String {
    text(model, &[])
}

/// The text of a model with its queries.
pub fn print_document(document: &Document) -> String {
    text(&document.model, &document.queries)
}

fn text(model: &Model, queries: &[Query]) -> String {
    let signatures = Signatures::of(model);
    let mut scope = Scope::new(model, &signatures);
    let mut out = String::new();
    for (word, role) in [("var", Role::Input), ("local", Role::Local)] {
        for group in top_groups(model, &mut scope, role) {
            let ty = scope.var_type(group.vars[0]);
            out.push_str(&declaration(word, &group, ty, model.vars()[group.vars[0]].range));
        }
    }
    signatures.print(model, &mut out);
    scope.count_uses(model.assertions().iter().copied());
    let mut queries = queries.iter().peekable();
    for n in 0..=model.assertions().len() {
        while let Some(query) = queries.next_if(|query| query.n_assertions <= n) {
            out.push_str(&query_line(model, &scope, query));
        }
        if let Some(&assertion) = model.assertions().get(n) {
            scope.statement(assertion, "", &mut out);
        }
    }
    out
}

fn top_groups(model: &Model, scope: &mut Scope<'_>, role: Role) -> Vec<Group> {
    let vars: Vec<Var> =
        model.vars().entries().filter(|(_, info)| info.role == role).map(|(var, _)| var).collect();
    scope.declare(&vars, &FxHashMap::default())
}

fn query_line(model: &Model, scope: &Scope<'_>, query: &Query) -> String {
    let mut line = query.kind.word().to_owned();
    let all_inputs = model.inputs().eq(query.variables.iter().copied());
    if query.named || !all_inputs {
        let names: Vec<&str> = query.variables.iter().map(|&var| scope.var_name(var)).collect();
        line.push(' ');
        line.push_str(&names.join(", "));
    }
    if let Some(limit) = query.limit {
        line.push_str(&format!(" limit {limit}"));
    }
    if let Some(strategy) = query.strategy {
        line.push_str(&format!(" by {strategy}"));
    }
    line.push_str(";\n");
    line
}
