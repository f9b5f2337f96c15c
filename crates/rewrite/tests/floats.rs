//! The laws of floats that rewriting knows: each is true of NaNs, zeros, infinities and everything between.

use quipu_base::IdVec;
use quipu_model::{Assignment, Evaluation, Model, Node, Reading, Role, Term, VarInfo};
use quipu_num::{Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, Width, rank};
use quipu_rewrite::Rewriter;

const SAMPLES: [f32; 12] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1.5,
    1e-45,
    -1e-40,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

fn variable(model: &mut Model, name: &str, width: Width) -> Term {
    let reading = if width == Width::W1 { Reading::Unsigned } else { Reading::Float };
    let var = model.add_var(VarInfo { name: name.into(), width, reading, range: None, role: Role::Input });
    model.var_term(var)
}

/// Two floats, and a truth value.
fn subject() -> (Model, [Term; 2], Term) {
    let mut model = Model::new();
    let floats = ["x", "y"].map(|name| variable(&mut model, name, Width::W32));
    let condition = variable(&mut model, "c", Width::W1);
    (model, floats, condition)
}

fn assignments() -> impl Iterator<Item = Assignment> {
    let mut ranks: Vec<u64> = SAMPLES.iter().map(|x| rank(FloatWidth::F32, u64::from(x.to_bits()))).collect();
    ranks.extend([0, u64::from(u32::MAX)]);
    let pairs: Vec<(u64, u64)> =
        ranks.iter().flat_map(|&x| ranks.iter().map(move |&y| (x, y)).collect::<Vec<_>>()).collect();
    pairs.into_iter().flat_map(|(x, y)| [0, 1].map(|c| [x, y, c].into_iter().collect::<IdVec<_, _>>()))
}

/// Rewrites a term and checks its value everywhere.
#[track_caller]
fn rewritten(model: &mut Model, term: Term) -> Term {
    let simple = Rewriter::new().term(model, term);
    for assignment in assignments() {
        let mut evaluation = Evaluation::new(model, &assignment);
        let (was, is) = (evaluation.value(term), evaluation.value(simple));
        assert_eq!(was, is, "{:?} became {:?}", model.node(term), model.node(simple));
    }
    simple
}

const W: FloatWidth = FloatWidth::F32;

#[test]
fn operands_of_what_commutes_have_one_order() {
    for function in [FloatFn::Op(FloatOp::Add), FloatFn::Op(FloatOp::Mul), FloatFn::Compare(FloatCmp::Eq)] {
        let (mut model, [x, y], _) = subject();
        let (a, b) = (model.float(function, W, &[x, y]), model.float(function, W, &[y, x]));
        assert_eq!(rewritten(&mut model, a), rewritten(&mut model, b), "{function:?}");
    }
    for (op, _) in FloatOp::ALL {
        let (mut model, [x, y], _) = subject();
        let term = model.float(FloatFn::Op(op), W, &[y, x]);
        rewritten(&mut model, term);
    }
}

#[test]
fn signs_of_signs() {
    for (outer, _) in FloatUnary::ALL {
        for (inner, _) in FloatUnary::ALL {
            let (mut model, [x, _], _) = subject();
            let once = model.float(FloatFn::Unary(inner), W, &[x]);
            let twice = model.float(FloatFn::Unary(outer), W, &[once]);
            let simple = rewritten(&mut model, twice);
            if (outer, inner) == (FloatUnary::Neg, FloatUnary::Neg) {
                assert_eq!(simple, x);
            }
        }
    }
}

#[test]
fn comparisons_of_both_directions() {
    for (first, _) in FloatCmp::ALL {
        for (second, _) in FloatCmp::ALL {
            let (mut model, [x, y], _) = subject();
            let one = model.float(FloatFn::Compare(first), W, &[x, y]);
            rewritten(&mut model, one);
            for sides in [[x, y], [y, x], [x, x]] {
                let other = model.float(FloatFn::Compare(second), W, &sides);
                let simple = rewritten(&mut model, other);
                let both = model.all([one, simple]);
                let both = rewritten(&mut model, both);
                if (first, second, sides) == (FloatCmp::Lt, FloatCmp::Le, [y, x]) {
                    assert_eq!(model.constant(both), Some(0), "x < y and y <= x");
                }
            }
        }
    }
}

#[test]
fn doubles_that_are_floats_are_compared_as_floats() {
    for (cmp, _) in FloatCmp::ALL {
        for number in [0.5, 0.1, -0.0, f64::INFINITY, f64::NAN, 1e300] {
            let (mut model, [x, y], _) = subject();
            let wide = [x, y].map(|float| model.cast(Cast::Widen, float));
            let number = model.constant_term(Width::W64, rank(FloatWidth::F64, number.to_bits()));
            for sides in [[wide[0], wide[1]], [wide[0], number], [number, wide[1]]] {
                let term = model.float(FloatFn::Compare(cmp), FloatWidth::F64, &sides);
                rewritten(&mut model, term);
            }
        }
    }
}

#[test]
fn what_changes_no_number_is_nothing_in_a_comparison() {
    for number in [0.0, -0.0, 1.0f32] {
        for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div] {
            for (cmp, _) in FloatCmp::ALL {
                let (mut model, [x, y], _) = subject();
                let number = model.constant_term(Width::W32, rank(W, u64::from(number.to_bits())));
                for operands in [[x, number], [number, x]] {
                    let term = model.float(FloatFn::Op(op), W, &operands);
                    for sides in [[term, x], [x, term], [term, y]] {
                        let compared = model.float(FloatFn::Compare(cmp), W, &sides);
                        rewritten(&mut model, compared);
                    }
                }
            }
        }
    }
    let (mut model, [x, _], _) = subject();
    let zero = model.constant_term(Width::W32, rank(W, 0));
    let sum = model.float(FloatFn::Op(FloatOp::Add), W, &[zero, x]);
    let less = model.float(FloatFn::Compare(FloatCmp::Lt), W, &[sum, x]);
    let less = rewritten(&mut model, less);
    assert_eq!(model.constant(less), Some(0));
}

/// What grows keeps its operands in order.
#[test]
fn a_smaller_result_has_a_smaller_operand() {
    let numbers = [1.0, -2.5, 0.0, -0.0, 1e-40, f32::INFINITY, f32::NAN];
    for number in numbers {
        for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div] {
            for second in [false, true] {
                let (mut model, [x, y], _) = subject();
                let number = model.constant_term(Width::W32, rank(W, u64::from(number.to_bits())));
                let [a, b] = [x, y].map(|side| {
                    let operands = if second { [side, number] } else { [number, side] };
                    model.float(FloatFn::Op(op), W, &operands)
                });
                let less = model.float(FloatFn::Compare(FloatCmp::Lt), W, &[a, b]);
                rewritten(&mut model, less);
            }
        }
    }
    for (op, _) in FloatUnary::ALL {
        let (mut model, [x, y], _) = subject();
        let [a, b] = [x, y].map(|side| model.float(FloatFn::Unary(op), W, &[side]));
        let less = model.float(FloatFn::Compare(FloatCmp::Lt), W, &[a, b]);
        rewritten(&mut model, less);
        let other = model.float(FloatFn::Compare(FloatCmp::Le), W, &[y, x]);
        let both = model.all([less, other]);
        let both = rewritten(&mut model, both);
        let grows = !matches!(op, FloatUnary::Neg | FloatUnary::Abs);
        assert_eq!(model.constant(both) == Some(0), grows, "{op:?}");
    }
    let (mut model, [x, y], _) = subject();
    let casts = [x, y].map(|side| model.cast(Cast::SignedToFloat(Width::W32, W), side));
    let less = model.float(FloatFn::Compare(FloatCmp::Lt), W, &casts);
    rewritten(&mut model, less);
}

/// Behind a choice, what was computed before it is seen to be the same.
#[test]
fn functions_of_choices_are_choices_of_what_is_known() {
    let (mut model, [x, y], c) = subject();
    let two = model.constant_term(Width::W32, rank(W, u64::from(2f32.to_bits())));
    let doubled = model.float(FloatFn::Op(FloatOp::Mul), W, &[x, two]);
    let less = model.float(FloatFn::Compare(FloatCmp::Lt), W, &[x, doubled]);
    let less = rewritten(&mut model, less);
    let chosen = model.select(c, x, y);
    let of_chosen = model.float(FloatFn::Op(FloatOp::Mul), W, &[chosen, two]);
    let not_less = model.float(FloatFn::Compare(FloatCmp::Le), W, &[of_chosen, chosen]);
    let simple = rewritten(&mut model, not_less);
    let Node::Select(_, known, _) = *model.node(simple) else { panic!("it should be a choice") };
    let both = model.all([less, known]);
    let both = rewritten(&mut model, both);
    assert_eq!(model.constant(both), Some(0), "x < 2x and 2x <= x");
}

#[test]
fn bits_of_bits() {
    let (mut model, [x, _], _) = subject();
    let bits = model.cast(Cast::FloatBits(W), x);
    let back = model.cast(Cast::BitsFloat(W), bits);
    assert_eq!(rewritten(&mut model, back), x);
}
