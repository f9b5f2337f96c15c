//! Relations and loops as text.

use quipu_base::IdVec;
use quipu_model::{Body, Loop, Model, Node, Procedure, Relation, Term, Var};
use quipu_num::{Guard, Width};
use rustc_hash::{FxHashMap, FxHashSet};

use super::line::level;
use super::names::{Group, declaration, groups, range_text, unique};
use super::scope::Scope;
use crate::build::FUNCTIONS;
use crate::types::Type;

/// How the relations of a model are called, and what else is the same in all of them.
pub(super) struct Signatures {
    pub of: IdVec<Relation, Signature>,
    /// Terms that something takes for a float.
    pub floats: IdVec<Term, bool>,
}

pub(super) struct Signature {
    pub name: String,
    pub outer: Vec<Shape>,
    /// The parameters; of a loop, the state.
    pub parameters: Vec<Shape>,
    pub is_loop: bool,
}

/// What an argument looks like.
pub(super) struct Shape {
    pub array: bool,
    pub length: usize,
    pub ty: Type,
}

impl Signatures {
    pub fn of(model: &Model) -> Signatures {
        let mut taken: FxHashSet<String> = FUNCTIONS.iter().map(|&name| name.to_owned()).collect();
        // Variables of the question keep their names; a relation of the same name gives way.
        let questions =
            model.inputs().map(|var| model.vars()[var].name.split('[').next().unwrap_or_default());
        taken.extend(questions.map(str::to_owned));
        let names: Vec<String> =
            model.relations().iter().map(|info| unique(&info.name, &mut taken)).collect();
        let own: FxHashSet<String> = names.iter().cloned().collect();
        let infos = model.relations().iter().zip(names);
        let of = infos.map(|(info, name)| Signature::of(model, &info.body, name, own.clone())).collect();
        Signatures { of, floats: taken_for_floats(model) }
    }

    /// The names of relations, which variables cannot have.
    pub fn names(&self) -> FxHashSet<String> {
        self.of.iter().map(|signature| signature.name.clone()).collect()
    }

    /// Writes all relations, in order.
    pub fn print(&self, model: &Model, out: &mut String) {
        for (relation, info) in model.relations().entries() {
            let name = &self.of[relation].name;
            match &info.body {
                Body::Procedure(procedure) => self.procedure(model, name, procedure, out),
                Body::Loop(turn) => self.repetition(model, name, turn, out),
                Body::Supplied { parameters } => {
                    let parameters: Vec<String> = parameters
                        .iter()
                        .enumerate()
                        .map(|(n, &width)| format!("p{n}: {}", Type::unsigned(width)))
                        .collect();
                    out.push_str(&format!("rel {name}({});\n", parameters.join(", ")));
                }
            }
        }
    }

    fn procedure(&self, model: &Model, name: &str, procedure: &Procedure, out: &mut String) {
        let mut scope = Scope::new(model, self);
        let parameters = scope.declare(&procedure.parameters, &FxHashMap::default());
        out.push_str(&format!(
            "rel {name}({}) {{\n",
            parameter_list(&scope, &parameters, &FxHashMap::default())
        ));
        let locals = scope.declare(&procedure.locals, &FxHashMap::default());
        body(&mut scope, &locals, procedure.body, out);
    }

    fn repetition(&self, model: &Model, name: &str, turn: &Loop, out: &mut String) {
        let next = next_of(turn);
        let mut scope = Scope::new(model, self);
        let outer = scope.declare(&turn.outer, &FxHashMap::default());
        let state = scope.declare(&turn.state, &next);
        let locals = scope.declare(&turn.locals, &FxHashMap::default());
        out.push_str(&format!("loop {name} "));
        if !outer.is_empty() {
            out.push_str(&format!("[{}] ", parameter_list(&scope, &outer, &FxHashMap::default())));
        }
        out.push_str(&format!("({})\n", parameter_list(&scope, &state, &next)));
        scope.count_uses(std::iter::once(turn.condition));
        let condition = scope.root(turn.condition, "  ", out).converted(Type::BOOL).at(level::LOOSEST);
        out.push_str(&format!("while ({condition}) {{\n"));
        body(&mut scope, &locals, turn.body, out);
    }
}

impl Signature {
    /// Parameters are grouped as the scope of the relation groups them, where the same names are taken.
    fn of(model: &Model, body: &Body, name: String, mut taken: FxHashSet<String>) -> Signature {
        let mut shapes = |vars: &[Var], next: &FxHashMap<Var, Var>| -> Vec<Shape> {
            groups(model, vars, next, &mut taken).iter().map(|group| Shape::of(model, group)).collect()
        };
        let none = FxHashMap::default();
        let (outer, parameters) = match body {
            Body::Procedure(procedure) => (Vec::new(), shapes(&procedure.parameters, &none)),
            Body::Loop(turn) => (shapes(&turn.outer, &none), shapes(&turn.state, &next_of(turn))),
            Body::Supplied { parameters } => {
                let shape = |&width: &Width| Shape { array: false, length: 1, ty: Type::unsigned(width) };
                (Vec::new(), parameters.iter().map(shape).collect())
            }
        };
        Signature { name, outer, parameters, is_loop: matches!(body, Body::Loop(_)) }
    }
}

impl Shape {
    fn of(model: &Model, group: &Group) -> Shape {
        let ty = Type::of(&model.vars()[group.vars[0]]);
        Shape { array: group.array, length: group.vars.len(), ty }
    }
}

/// The operands of functions of floats, and what a choice among values makes of these. Terms that are not written do not
/// count, so that the text is the same when it is read and written again.
fn taken_for_floats(model: &Model) -> IdVec<Term, bool> {
    let (mut floats, mut written) = (model.table(false), model.table(false));
    model.assertions().iter().for_each(|&assertion| written[assertion] = true);
    for info in model.relations().iter() {
        match &info.body {
            Body::Procedure(procedure) => written[procedure.body] = true,
            Body::Loop(turn) => [turn.condition, turn.body].into_iter().for_each(|term| written[term] = true),
            Body::Supplied { .. } => {}
        }
    }
    for term in model.terms().rev() {
        if !written[term] {
            continue;
        }
        let node = model.node(term);
        node.for_each_operand(|operand| written[operand] = true);
        let operands: &[Term] = match node {
            Node::Float(_, _, items) => items,
            Node::Cast(cast, a) if cast.floats().0.is_some() => &[*a],
            Node::Guard(Guard::FloatFits { .. }, a, b) => &[*a, *b],
            Node::Select(_, a, b) if floats[term] => &[*a, *b],
            Node::Element(_, items) if floats[term] => items,
            _ => &[],
        };
        operands.iter().for_each(|&operand| floats[operand] = true);
    }
    floats
}

fn next_of(turn: &Loop) -> FxHashMap<Var, Var> {
    turn.state.iter().copied().zip(turn.next.iter().copied()).collect()
}

/// `x: u8, a[3]: i32`. The range of a state variable is that of its next value.
fn parameter_list(scope: &Scope<'_>, groups: &[Group], next: &FxHashMap<Var, Var>) -> String {
    let parameter = |group: &Group| {
        let ty = scope.var_type(group.vars[0]);
        let range = next.get(&group.vars[0]).and_then(|&var| scope.model.vars()[var].range);
        format!("{}: {ty}{}", group.declarator(), range_text(ty, range))
    };
    groups.iter().map(parameter).collect::<Vec<_>>().join(", ")
}

/// Locals and constraints, up to the closing brace. The items of a conjunction are statements.
fn body(scope: &mut Scope<'_>, locals: &[Group], root: Term, out: &mut String) {
    for group in locals {
        let first = group.vars[0];
        let range = scope.model.vars()[first].range;
        out.push_str(&format!("  {}", declaration("var", group, scope.var_type(first), range)));
    }
    let items: Vec<Term> = match scope.model.node(root) {
        Node::All(items) if items.len() != 1 => items.to_vec(),
        _ => vec![root],
    };
    scope.count_uses(items.iter().copied());
    for item in items {
        scope.statement(item, "  ", out);
    }
    out.push_str("}\n");
}
