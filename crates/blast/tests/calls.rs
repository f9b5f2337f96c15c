//! Calls are free until they are unfolded, and then say what they mean.

use quipu_blast::Blaster;
use quipu_model::{
    Body, Loop, LoopVariables, Model, Reading, Relation, RelationInfo, Role, Term, Var, VarInfo,
    WrittenBodies, holds,
};
use quipu_num::{IntCmp, IntOp, Width};
use quipu_sat::{Budget, Cadical, Lit, SatResult};

const W: Width = Width::W8;

fn variable(model: &mut Model, name: &str, role: Role) -> Var {
    model.add_var(VarInfo { name: name.into(), width: W, reading: Reading::Unsigned, range: None, role })
}

/// `while (i < n) { s = s + i; i = i + 1; }`, called with n, i, s, and i, s at the end.
fn sum_loop(model: &mut Model) -> Relation {
    let relation = model
        .add_relation(RelationInfo { name: "sum".into(), body: Body::Supplied { parameters: vec![W; 5] } });
    let mut formal = |name: &str| variable(model, name, Role::Formal);
    let (n, i, s, i2, s2) = (formal("n"), formal("i"), formal("s"), formal("i2"), formal("s2"));
    let [tn, ti, ts, ti2, ts2] = [n, i, s, i2, s2].map(|var| model.var_term(var));
    let condition = model.compare(IntCmp::Ult, ti, tn);
    let one = model.constant_term(W, 1);
    let next_i = model.op(IntOp::Add, ti, one);
    let next_s = model.op(IntOp::Add, ts, ti);
    let equations = [model.equal(ti2, next_i), model.equal(ts2, next_s)];
    let body = model.all(equations);
    let variables =
        LoopVariables { outer: vec![n], state: vec![i, s], next: vec![i2, s2], locals: Vec::new() };
    let body = Body::Loop(Loop::new(model, variables, condition, body));
    model.define_relation(relation, RelationInfo { name: "sum".into(), body });
    relation
}

/// The loop from 0, 0 with `s == wanted` at the end, and its inputs.
fn question(wanted: u64) -> (Model, Term) {
    let mut model = Model::new();
    let relation = sum_loop(&mut model);
    let [n, i, s] = ["n", "i", "s"].map(|name| {
        let var = variable(&mut model, name, Role::Input);
        model.var_term(var)
    });
    let zero = model.constant_term(W, 0);
    let call = model.call(relation, [n, zero, zero, i, s]);
    let wanted = model.constant_term(W, wanted);
    let end = model.equal(s, wanted);
    model.assert(call);
    model.assert(end);
    (model, call)
}

#[test]
fn unfolding_step_by_step_finds_the_number_of_turns() {
    let (mut model, _) = question(36);
    let mut blaster = Blaster::new(Cadical::default());
    let mut steps = 0;
    loop {
        for assertion in model.assertions().to_vec() {
            blaster.assert_true(&model, assertion);
        }
        let calls = blaster.calls();
        assert_eq!(blaster.solve(&[], Budget::UNLIMITED), SatResult::Sat, "an open call says nothing");
        let closed: Vec<Lit> = calls.iter().map(|&(_, lit)| !lit).collect();
        if blaster.solve(&closed, Budget::UNLIMITED) == SatResult::Sat {
            break;
        }
        assert_eq!(calls.len(), 1);
        model.unfold(calls[0].0, &WrittenBodies);
        steps += 1;
        assert!(steps < 20, "nine turns are enough");
    }
    // 0 + 1 + ... + 8 = 36, the condition is evaluated ten times.
    assert_eq!(steps, 10);
    let assignment = blaster.assignment(&model);
    assert!(holds(&model, &assignment));
}

#[test]
fn calls_that_are_unfolded_from_the_start_are_linked_at_once() {
    for (wanted, possible) in [(36, true), (37, false)] {
        let (mut model, mut call) = question(wanted);
        for _ in 0..12 {
            let meaning = model.unfold(call, &WrittenBodies);
            call = innermost_call(&model, meaning);
        }
        let mut blaster = Blaster::new(Cadical::default());
        for assertion in model.assertions().to_vec() {
            blaster.assert_true(&model, assertion);
        }
        let calls = blaster.calls();
        assert_eq!(calls.iter().map(|&(call, _)| call).collect::<Vec<_>>(), [call]);
        let answer = blaster.solve(&[!calls[0].1], Budget::UNLIMITED);
        assert_eq!(answer == SatResult::Sat, possible, "{wanted}");
    }
}

fn innermost_call(model: &Model, root: Term) -> Term {
    let mut stack = vec![root];
    while let Some(term) = stack.pop() {
        match model.node(term) {
            quipu_model::Node::Call(..) => return term,
            node => node.for_each_operand(|operand| stack.push(operand)),
        }
    }
    panic!("an unfolded loop contains a call")
}
