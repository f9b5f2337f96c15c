//! Contractors of functions of libm against libm itself. `QUIPU_CASES` sets how many cases are tried per function and
//! format.

mod support;

use quipu_domain::{Domain, Interval, contract};
use quipu_num::{FloatFn, FloatWidth, MathFn, float_fn, nan_rank, rank, unrank};
use support::Random;

const FORMATS: [FloatWidth; 2] = [FloatWidth::F32, FloatWidth::F64];

fn bits(w: FloatWidth, x: f64) -> u64 {
    match w {
        FloatWidth::F32 => u64::from((x as f32).to_bits()),
        FloatWidth::F64 => x.to_bits(),
    }
}

fn number(w: FloatWidth, rank: u64) -> f64 {
    match w {
        FloatWidth::F32 => f64::from(f32::from_bits(unrank(w, rank) as u32)),
        FloatWidth::F64 => f64::from_bits(unrank(w, rank)),
    }
}

/// Numbers around which functions change their ways.
const LANDMARKS: [f64; 15] = [
    f64::NAN,
    0.0,
    1.0,
    2.0,
    0.5,
    3.0,
    std::f64::consts::PI,
    std::f64::consts::FRAC_PI_2,
    10.0,
    709.782712893384,
    745.1332191019411,
    88.72284,
    f64::INFINITY,
    1e300,
    f64::MIN_POSITIVE,
];

/// The rank of an operand: near a landmark, of moderate size, an integer, or any at all.
fn operand(random: &mut Random, w: FloatWidth) -> u64 {
    let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
    let near = if random.below(2) == 0 { 0 } else { random.below(9).wrapping_sub(4) };
    let fraction = random.next() as f64 / u64::MAX as f64;
    let x = match random.below(8) {
        0 | 1 => random.pick(&LANDMARKS),
        2 => fraction * 10.0,
        3 => fraction * 1000.0,
        4 => random.below(40) as f64,
        5 => random.below(200) as f64 * std::f64::consts::FRAC_PI_2,
        6 => fraction * (random.below(80) as f64 - 40.0).exp2(),
        _ => return random.value(w.width()),
    };
    w.width().wrap(rank(w, bits(w, sign * x)).wrapping_add(near))
}

fn cases() -> u64 {
    std::env::var("QUIPU_CASES").map_or(5_000, |text| text.parse().expect("QUIPU_CASES should be a number"))
}

/// A solution survives in any domains around it, and nothing is added.
fn keeps_solutions(function: MathFn, w: FloatWidth, random: &mut Random) {
    let width = w.width();
    for _ in 0..cases() {
        let mut values: Vec<u64> = (0..function.arity()).map(|_| operand(random, w)).collect();
        values.push(float_fn(FloatFn::Math(function), w, &values));
        let given: Vec<Domain> = values.iter().map(|&value| random.around(width, value)).collect();
        let mut left = given.clone();
        let possible = contract::float(FloatFn::Math(function), w, &mut left);
        let told = || values.iter().map(|&v| number(w, v)).collect::<Vec<f64>>();
        assert!(possible, "{function:?} {w:?} loses {:?} of {given:?}", told());
        for n in 0..values.len() {
            let kept = left[n].contains(width, values[n]);
            assert!(kept, "{function:?} {w:?} loses {n} of {:?}, {given:?}: {left:?}", told());
            assert!(left[n].is_subset(width, given[n]), "{function:?} {w:?} adds to {given:?}: {left:?}");
        }
    }
}

#[test]
fn no_function_loses_a_solution() {
    for &(function, _) in MathFn::ALL {
        for w in FORMATS {
            keeps_solutions(function, w, &mut Random::new(41));
        }
    }
}

/// What is left of operands and result, each given by its ends.
fn contracted(function: MathFn, w: FloatWidth, ends: &[(f64, f64)]) -> Option<Vec<(f64, f64)>> {
    let width = w.width();
    let domain = |&(lo, hi): &(f64, f64)| {
        Domain::from_interval(width, Interval::new(width, rank(w, bits(w, lo)), rank(w, bits(w, hi))))
    };
    let mut domains: Vec<Domain> = ends.iter().map(domain).collect();
    let possible = contract::float(FloatFn::Math(function), w, &mut domains);
    let ends = |domain: &Domain| (number(w, domain.lo()), number(w, domain.hi()));
    possible.then(|| domains.iter().map(ends).collect())
}

const ALL: (f64, f64) = (-f64::INFINITY, f64::INFINITY);
const FINITE: (f64, f64) = (-1e30, 1e30);

#[test]
fn a_result_narrows_the_operand_to_few_values() {
    let w = FloatWidth::F64;
    let inverse = |function, result: f64, x: (f64, f64)| {
        let left = contracted(function, w, &[x, (result, result)]).expect("there is a solution");
        left[0]
    };
    let near = |(lo, hi): (f64, f64), x: f64| {
        assert!(lo <= x && x <= hi && hi - lo <= x.abs() * 5e-14, "{lo:e} to {hi:e} for {x:e}");
    };
    near(inverse(MathFn::Exp, 10.0, ALL), 10f64.ln());
    near(inverse(MathFn::Log, 10.0, ALL), 10f64.exp());
    near(inverse(MathFn::Cbrt, -27.0, ALL), -19683.0);
    near(inverse(MathFn::Atan, 1.0, ALL), 1f64.tan());
    near(inverse(MathFn::Acos, 1.0, ALL), 1f64.cos());
    near(inverse(MathFn::Cosh, 10.0, (0.0, 100.0)), 10f64.acosh());
    near(inverse(MathFn::Sin, 0.5, (0.0, 1.5)), 0.5f64.asin());
    near(inverse(MathFn::Cos, 0.5, (-1.5, -0.0)), -0.5f64.acos());
    near(inverse(MathFn::Tan, 2.0, (-1.5, 1.5)), 2f64.atan());
}

#[test]
fn operands_of_two_narrow_each_other() {
    let w = FloatWidth::F64;
    let left = contracted(MathFn::Pow, w, &[(0.0, 100.0), (2.0, 2.0), (9.0, 16.0)]).unwrap();
    assert!((left[0].0 - 3.0).abs() < 1e-14 && (left[0].1 - 4.0).abs() < 1e-14, "{left:?}");
    let left = contracted(MathFn::Pow, w, &[(2.0, 2.0), FINITE, (9.0, 16.0)]).unwrap();
    assert!((left[1].0 - 9f64.log2()).abs() < 1e-14 && (left[1].1 - 4.0).abs() < 1e-14, "{left:?}");
    let left = contracted(MathFn::Pow, w, &[(-10.0, -1.0), (3.0, 3.0), (-27.0, 100.0)]).unwrap();
    assert!((left[0].0 + 3.0).abs() < 1e-14 && left[0].1 == -1.0, "{left:?}");
    let left = contracted(MathFn::Hypot, w, &[(3.0, 100.0), (0.0, 100.0), (0.0, 5.0)]).unwrap();
    assert!((left[0].1 - 5.0).abs() < 1e-14 && (left[1].1 - 4.0).abs() < 1e-14, "{left:?}");
    let left = contracted(MathFn::Atan2, w, &[(1.0, 2.0), (1.0, 2.0), ALL]).unwrap();
    assert!((left[2].0 - 0.5f64.atan()).abs() < 1e-14 && (left[2].1 - 2f64.atan()).abs() < 1e-14, "{left:?}");
    let left = contracted(MathFn::Fdim, w, &[(5.0, 9.0), ALL, (3.0, 4.0)]).unwrap();
    assert!(1.0 - left[1].0 < 1e-15 && left[1].1 == 6.0, "{left:?}");
    let left = contracted(MathFn::Remainder, w, &[(0.0, 1e9), (1.0, 8.0), ALL]).unwrap();
    assert!(left[2].1 <= 4.000001 && left[2].0 >= -4.000001, "{left:?}");
}

#[test]
fn ranges_are_those_of_the_functions() {
    for w in FORMATS {
        let range = |function, x: (f64, f64)| contracted(function, w, &[x, ALL]).map(|left| left[1]);
        assert_eq!(range(MathFn::Sin, FINITE), Some((-1.0, 1.0)));
        assert_eq!(range(MathFn::Cos, (-100.0, 100.0)), Some((-1.0, 1.0)));
        assert_eq!(range(MathFn::Exp, ALL), Some((0.0, f64::INFINITY)));
        assert_eq!(range(MathFn::Tanh, ALL), Some((-1.0, 1.0)));
        assert_eq!(range(MathFn::Cosh, (-1.0, 1.0)).unwrap().0, 1.0);
        let (lo, hi) = range(MathFn::Sin, (1.0, 2.0)).unwrap();
        assert!(0.8414 < lo && hi == 1.0, "{lo} {hi}");
        let (lo, hi) = range(MathFn::Cos, (3.0, 4.0)).unwrap();
        assert!(lo == -1.0 && (-0.6537..-0.6536).contains(&hi), "{lo} {hi}");
        let (lo, hi) = range(MathFn::Sin, (1e6, 1e6 + 0.25)).unwrap();
        assert!(hi - lo < 0.25, "{lo} {hi}");
        assert_eq!(range(MathFn::Log, (-2.0, -1.0)), None, "a NaN is no number");
        assert_eq!(range(MathFn::Logb, (-9.0, 9.0)).unwrap(), (-f64::INFINITY, 3.0));
        assert!(contracted(MathFn::Asin, w, &[(1.5, 2.0), ALL]).is_none());
    }
}

#[test]
fn an_operand_outside_gives_the_nan_and_only_it_does() {
    for w in FORMATS {
        let width = w.width();
        let arc = |lo: f64, hi: f64| Interval::new(width, rank(w, bits(w, lo)), rank(w, bits(w, hi)));
        let result = |function, lo, hi| {
            let mut domains = [Domain::from_interval(width, arc(lo, hi)), Domain::full(width)];
            assert!(contract::float(FloatFn::Math(function), w, &mut domains));
            domains[1]
        };
        let nan = nan_rank(w);
        assert_eq!(result(MathFn::Log, -2.0, -1.0).is_singleton(), Some(nan));
        assert_eq!(result(MathFn::Acosh, -2.0, 0.5).is_singleton(), Some(nan));
        assert!(result(MathFn::Sin, 0.0, f64::INFINITY).contains(width, nan));
        assert!(!result(MathFn::Sin, 0.0, 1e30).contains(width, nan));
        assert!(!result(MathFn::Log, 0.0, f64::INFINITY).contains(width, nan));
        let mut domains =
            [Domain::from_interval(width, arc(-9.0, 9.0)), Domain::from_interval(width, arc(0.25, 0.5))];
        assert!(contract::float(FloatFn::Math(MathFn::Acos), w, &mut domains));
        let (lo, hi) = (number(w, domains[0].lo()), number(w, domains[0].hi()));
        assert!((lo - 0.5f64.cos()).abs() < 1e-5 && (hi - 0.25f64.cos()).abs() < 1e-5, "{lo} {hi}");
    }
}
