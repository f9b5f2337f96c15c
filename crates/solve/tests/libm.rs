//! Questions about functions of libm, answered by propagation and search.

use quipu_model::{Model, Reading, Role, Term, VarInfo, WrittenBodies, holds};
use quipu_num::{FloatFn, FloatWidth, MathFn, rank, unrank};
use quipu_solve::{Answer, Options, Session};

const W: FloatWidth = FloatWidth::F64;

fn number(model: &mut Model, name: &str, (least, greatest): (f64, f64)) -> Term {
    let range = Some((rank(W, least.to_bits()), rank(W, greatest.to_bits())));
    let info =
        VarInfo { name: name.into(), width: W.width(), reading: Reading::Float, range, role: Role::Input };
    let var = model.add_var(info);
    model.var_term(var)
}

/// Values of the inputs for which the function's result lies between two numbers.
fn operands(function: MathFn, ranges: &[(f64, f64)], result: (f64, f64)) -> Option<Vec<f64>> {
    let mut model = Model::new();
    let operand = |(name, &range): (&str, &(f64, f64))| number(&mut model, name, range);
    let inputs: Vec<Term> = ["x", "y"].into_iter().zip(ranges).map(operand).collect();
    let value = model.float(FloatFn::Math(function), W, &inputs);
    let wanted = number(&mut model, "z", result);
    let same = model.equal(value, wanted);
    model.assert(same);
    let options = Options { effort: Some(2_000_000), ..Options::default() };
    match Session::new(model.clone(), &WrittenBodies, options).solve() {
        Answer::Solution(solution) => {
            assert!(holds(&model, &solution));
            let values = model.inputs().map(|var| f64::from_bits(unrank(W, solution[var])));
            Some(values.take(inputs.len()).collect())
        }
        Answer::Infeasible => None,
        Answer::GaveUp(limit) => panic!("{function:?}: {limit:?}"),
    }
}

const ALL: (f64, f64) = (-f64::INFINITY, f64::INFINITY);

#[test]
fn an_operand_is_found_for_a_result() {
    let x = operands(MathFn::Exp, &[ALL], (10.0, 10.000_000_1)).unwrap()[0];
    assert!((10.0..=10.000_000_1).contains(&x.exp()), "{x}");
    let x = operands(MathFn::Sin, &[(3.0, 6.0)], (-0.500_000_1, -0.5)).unwrap()[0];
    assert!((-0.500_000_1..=-0.5).contains(&x.sin()), "{x}");
    let found = operands(MathFn::Pow, &[(1.5, 100.0), (1.5, 100.0)], (1000.0, 1000.001)).unwrap();
    assert!((1000.0..=1000.001).contains(&found[0].powf(found[1])), "{found:?}");
    let found = operands(MathFn::Hypot, &[(-9.0, 9.0), (4.0, 9.0)], (5.0, 5.0)).unwrap();
    assert!((found[0].hypot(found[1]) - 5.0).abs() < 1e-14, "{found:?}");
}

#[test]
fn exact_results_are_found_among_the_last_operands() {
    let x = operands(MathFn::Log, &[ALL], (2.0, 2.0)).unwrap()[0];
    assert_eq!(x.ln(), 2.0);
    let x = operands(MathFn::Cbrt, &[ALL], (-3.0, -3.0)).unwrap()[0];
    assert!((x + 27.0).abs() < 1e-13, "{x}");
}

#[test]
fn what_is_out_of_range_is_infeasible() {
    assert_eq!(operands(MathFn::Sin, &[(-1e300, 1e300)], (1.5, 2.0)), None);
    assert_eq!(operands(MathFn::Exp, &[(0.0, 1.0)], (3.0, 4.0)), None);
    assert_eq!(operands(MathFn::Log, &[(-5.0, -1.0)], ALL), None, "a NaN is no number");
    assert_eq!(operands(MathFn::Pow, &[(2.0, 3.0), (2.0, 3.0)], (27.1, 30.0)), None);
    assert_eq!(operands(MathFn::Atan2, &[(1.0, 2.0), (1.0, 2.0)], (-4.0, 0.4)), None);
}
