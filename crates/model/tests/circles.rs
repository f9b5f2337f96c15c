//! Calls that need each other: true only by finite derivations.

use quipu_base::IdVec;
use quipu_model::{
    Assignment, Body, Model, Procedure, Reading, RelationInfo, Role, Term, Var, VarInfo, WrittenBodies, holds,
};
use quipu_num::Width;

/// A variable of eight bits.
fn variable(model: &mut Model, name: &str, role: Role) -> (Var, Term) {
    let var = model.add_var(VarInfo {
        name: name.into(),
        width: Width::W8,
        reading: Reading::Unsigned,
        range: None,
        role,
    });
    (var, model.var_term(var))
}

fn declared(name: &str) -> RelationInfo {
    RelationInfo { name: name.into(), body: Body::Supplied { parameters: vec![Width::W8] } }
}

/// `p(x) = q(x) or x == 1` and `q(x) = p(x)`, with something asserted about both.
fn model(pick: impl Fn(&mut Model, Term, Term) -> Term) -> Model {
    let mut model = Model::new();
    let (p_formal, p_x) = variable(&mut model, "p_x", Role::Formal);
    let (q_formal, q_x) = variable(&mut model, "q_x", Role::Formal);
    let (p, q) = (model.add_relation(declared("p")), model.add_relation(declared("q")));
    let one = model.constant_term(Width::W8, 1);
    let (call_q, is_one) = (model.call(q, [p_x]), model.equal(p_x, one));
    let (p_body, q_body) = (model.any([call_q, is_one]), model.call(p, [q_x]));
    for (relation, formal, body) in [(p, p_formal, p_body), (q, q_formal, q_body)] {
        let procedure = Procedure::new(&mut model, vec![formal], Vec::new(), body);
        let name = model.relations()[relation].name.clone();
        model.define_relation(relation, RelationInfo { name, body: Body::Procedure(procedure) });
    }
    let (_, x) = variable(&mut model, "x", Role::Input);
    let (p_of_x, q_of_x) = (model.call(p, [x]), model.call(q, [x]));
    model.unfold(p_of_x, &WrittenBodies);
    model.unfold(q_of_x, &WrittenBodies);
    let assertion = pick(&mut model, p_of_x, q_of_x);
    model.assert(assertion);
    model
}

fn holds_for(model: &Model, x: u64) -> bool {
    let mut assignment: Assignment = IdVec::filled(0, model.vars().len());
    let input = model.inputs().next().expect("there is an input");
    assignment[input] = x;
    holds(model, &assignment)
}

#[test]
fn a_circle_of_calls_is_true_only_where_something_ends_it() {
    let asserted: [fn(&mut Model, Term, Term) -> Term; 4] =
        [|_, p, _| p, |_, _, q| q, |model, p, q| model.all([p, q]), |model, p, q| model.all([q, p])];
    for pick in asserted {
        let model = model(pick);
        assert!(holds_for(&model, 1), "x == 1 ends the circle");
        assert!(!holds_for(&model, 0) && !holds_for(&model, 2), "nothing else does");
    }
}
