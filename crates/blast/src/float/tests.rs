//! All operations on all floats of tiny formats, against an oracle that computes with `f64`, where sums and products of
//! tiny floats are exact and quotients and roots are never close enough to a tie to matter, and that rounds by looking
//! for the nearest float among all.

use quipu_num::{FloatCmp, FloatFn, FloatOp, FloatUnary};
use quipu_sat::{Budget, Cadical, Lit, SatResult, SatSolver};

use super::{Format, apply, convert};
use crate::circuit::{Circuit, Edge, Gate, Word};
use crate::clauses::Clauses;
use crate::words;

// The oracle.

impl Format {
    fn floats(self) -> u64 {
        1 << self.size()
    }

    fn sign_bit(self) -> u64 {
        self.floats() / 2
    }

    fn rank(self, bits: u64) -> u64 {
        if bits & self.sign_bit() != 0 { self.floats() - 1 - bits } else { bits + self.sign_bit() }
    }

    fn unrank(self, rank: u64) -> u64 {
        if rank >= self.sign_bit() { rank - self.sign_bit() } else { self.floats() - 1 - rank }
    }

    /// The value of a magnitude; for that of infinity, the number that would come next.
    fn magnitude_value(self, magnitude: u64) -> f64 {
        let fraction = (magnitude % (1 << self.fraction)) as f64 / (1u64 << self.fraction) as f64;
        let field = (magnitude >> self.fraction) as i32;
        let bias = self.bias() as i32;
        match field {
            0 => fraction * 2f64.powi(1 - bias),
            _ => (1.0 + fraction) * 2f64.powi(field - bias),
        }
    }

    fn value(self, bits: u64) -> f64 {
        let magnitude = bits % self.sign_bit();
        let value = match magnitude.cmp(&self.infinity()) {
            std::cmp::Ordering::Less => self.magnitude_value(magnitude),
            std::cmp::Ordering::Equal => f64::INFINITY,
            std::cmp::Ordering::Greater => f64::NAN,
        };
        if bits & self.sign_bit() != 0 { -value } else { value }
    }

    /// The bits of the nearest float, of two the one with an even magnitude.
    fn nearest(self, value: f64) -> u64 {
        if value.is_nan() {
            return self.infinity() + (1 << (self.fraction - 1));
        }
        let sizes: Vec<u64> = (0..=self.infinity()).collect();
        let above = sizes.partition_point(|&m| self.magnitude_value(m) < value.abs());
        let distance = |m: u64| (self.magnitude_value(m) - value.abs()).abs();
        let closer = |&a: &u64, &b: &u64| distance(a).total_cmp(&distance(b)).then((a % 2).cmp(&(b % 2)));
        let nearest = sizes[above.saturating_sub(1)..].iter().copied().take(2).min_by(closer);
        let sign = if value.is_sign_negative() { self.sign_bit() } else { 0 };
        nearest.unwrap_or(self.infinity()) + sign
    }
}

fn expected(format: Format, function: FloatFn, ranks: &[u64]) -> u64 {
    let bits: Vec<u64> = ranks.iter().map(|&rank| format.unrank(rank)).collect();
    let (sign, x) = (format.sign_bit(), |n: usize| format.value(bits[n]));
    let exact = match function {
        FloatFn::Unary(FloatUnary::Neg) => return format.rank(bits[0] ^ sign),
        FloatFn::Unary(FloatUnary::Abs) => return format.rank(bits[0] % sign),
        FloatFn::Op(FloatOp::CopySign) => return format.rank(bits[0] % sign + (bits[1] & sign)),
        FloatFn::Compare(FloatCmp::Eq) => return u64::from(x(0) == x(1)),
        FloatFn::Compare(FloatCmp::Ne) => return u64::from(x(0) != x(1)),
        FloatFn::Compare(FloatCmp::Lt) => return u64::from(x(0) < x(1)),
        FloatFn::Compare(FloatCmp::Le) => return u64::from(x(0) <= x(1)),
        FloatFn::Unary(FloatUnary::Sqrt) => x(0).sqrt(),
        FloatFn::Unary(FloatUnary::Floor) => x(0).floor(),
        FloatFn::Unary(FloatUnary::Ceil) => x(0).ceil(),
        FloatFn::Unary(FloatUnary::Trunc) => x(0).trunc(),
        FloatFn::Unary(FloatUnary::Round) => x(0).round(),
        FloatFn::Unary(FloatUnary::RoundEven) => x(0).round_ties_even(),
        FloatFn::Op(FloatOp::Add) => x(0) + x(1),
        FloatFn::Op(FloatOp::Sub) => x(0) - x(1),
        FloatFn::Op(FloatOp::Mul) => x(0) * x(1),
        FloatFn::Op(FloatOp::Div) => x(0) / x(1),
        FloatFn::Op(FloatOp::Rem) => x(0) % x(1),
        FloatFn::Op(FloatOp::Min) => {
            if x(0).is_nan() || x(1) < x(0) {
                x(1)
            } else {
                x(0)
            }
        }
        FloatFn::Op(FloatOp::Max) => {
            if x(0).is_nan() || x(1) > x(0) {
                x(1)
            } else {
                x(0)
            }
        }
        FloatFn::Fma => x(0).mul_add(x(1), x(2)),
        FloatFn::Math(_) => unreachable!("it has no circuit"),
    };
    format.rank(format.nearest(exact))
}

// Ways to ask a circuit.

/// A circuit for a function of words.
struct Built {
    circuit: Circuit,
    operands: Vec<Word>,
    result: Word,
}

/// Checks a function of words of some sizes.
type Check<'a> = &'a dyn Fn(&str, &[usize], Make, Expected);

/// What a function of words should be.
type Expected<'a> = &'a dyn Fn(&[u64]) -> u64;

type Make<'a> = &'a dyn Fn(&mut Circuit, &[&[Edge]]) -> Word;

impl Built {
    fn new(sizes: &[usize], make: Make) -> Built {
        let mut circuit = Circuit::new();
        let operands: Vec<Word> =
            sizes.iter().map(|&size| (0..size).map(|_| circuit.input()).collect()).collect();
        let words: Vec<&[Edge]> = operands.iter().map(Vec::as_slice).collect();
        let result = make(&mut circuit, &words);
        Built { circuit, operands, result }
    }

    /// The results for up to 64 choices of operands at once.
    fn simulate(&self, choices: &[Vec<u64>]) -> Vec<u64> {
        let mut inputs = vec![0u64; self.circuit.len()];
        for (n, word) in self.operands.iter().enumerate() {
            for (i, edge) in word.iter().enumerate() {
                let lane = |(lane, choice): (usize, &Vec<u64>)| (choice[n] >> i & 1) << lane;
                inputs[edge.gate()] = choices.iter().enumerate().map(lane).sum();
            }
        }
        let mut values: Vec<u64> = Vec::with_capacity(inputs.len());
        for (number, &input) in inputs.iter().enumerate() {
            let v = |edge: Edge| values[edge.gate()] ^ if edge.is_complement() { u64::MAX } else { 0 };
            let value = match self.circuit.gate(number) {
                Gate::True => u64::MAX,
                Gate::Input => input,
                Gate::And(a, b) => v(a) & v(b),
                Gate::Xor(a, b) => v(a) ^ v(b),
                Gate::Mux(c, a, b) => (v(c) & v(a)) | (!v(c) & v(b)),
                Gate::Odd(a, b, c) => v(a) ^ v(b) ^ v(c),
                Gate::Majority(a, b, c) => (v(a) & v(b)) | (v(a) & v(c)) | (v(b) & v(c)),
            };
            values.push(value);
        }
        let bit =
            |lane: usize, edge: Edge| (values[edge.gate()] >> lane & 1) ^ u64::from(edge.is_complement());
        let result = |lane| self.result.iter().enumerate().map(|(i, &edge)| bit(lane, edge) << i).sum();
        (0..choices.len()).map(result).collect()
    }
}

/// A built circuit as clauses.
struct Solving {
    clauses: Clauses<Cadical>,
    operands: Vec<Vec<Lit>>,
    result: Vec<Lit>,
}

impl Solving {
    fn new(built: &Built) -> Solving {
        let mut clauses = Clauses::new(Cadical::default());
        let mut literals = |word: &Word| -> Vec<Lit> {
            word.iter().map(|&edge| clauses.literal(&built.circuit, edge)).collect()
        };
        let operands = built.operands.iter().map(&mut literals).collect();
        let result = literals(&built.result);
        Solving { clauses, operands, result }
    }

    fn fixed(&self, values: &[u64]) -> Vec<Lit> {
        self.operands.iter().zip(values).flat_map(|(word, &value)| fix(word, value)).collect()
    }

    /// Whether the operands can have these values together with this result.
    fn allows(&mut self, values: &[u64], result: u64) -> bool {
        let mut assumptions = self.fixed(values);
        assumptions.extend(fix(&self.result, result));
        self.clauses.solver.solve(&assumptions, Budget::UNLIMITED) == SatResult::Sat
    }

    /// Whether the operands can have these values with another result.
    fn allows_another(&mut self, values: &[u64], result: u64) -> bool {
        let fixed = self.fixed(values);
        fix(&self.result, result).into_iter().any(|bit| {
            let assumptions: Vec<Lit> = fixed.iter().copied().chain([!bit]).collect();
            self.clauses.solver.solve(&assumptions, Budget::UNLIMITED) == SatResult::Sat
        })
    }
}

fn fix(word: &[Lit], value: u64) -> Vec<Lit> {
    word.iter().enumerate().map(|(i, &lit)| lit ^ (value >> i & 1 == 0)).collect()
}

/// All choices of operands of these sizes.
fn choices(sizes: &[usize]) -> Vec<Vec<u64>> {
    let total: usize = sizes.iter().sum();
    let parts = |code: u64| {
        let mut rest = code;
        let part = |&size: &usize| {
            let value = rest % (1 << size);
            rest >>= size;
            value
        };
        sizes.iter().map(part).collect()
    };
    (0..1 << total).map(parts).collect()
}

fn check_all(name: &str, sizes: &[usize], make: Make, expected: Expected) {
    let built = Built::new(sizes, make);
    for some in choices(sizes).chunks(64) {
        for (found, operands) in built.simulate(some).into_iter().zip(some) {
            assert_eq!(found, expected(operands), "{name} of {operands:x?}");
        }
    }
}

/// The same with constant operands, which fold away.
fn check_folding(name: &str, sizes: &[usize], make: Make, expected: Expected) {
    for operands in choices(sizes) {
        let words: Vec<Word> =
            operands.iter().zip(sizes).map(|(&value, &size)| words::natural(value, size)).collect();
        let words: Vec<&[Edge]> = words.iter().map(Vec::as_slice).collect();
        let result = make(&mut Circuit::new(), &words);
        assert_eq!(words::as_constant(&result), Some(expected(&operands)), "{name} of {operands:x?}");
    }
}

/// The same by a solver, which finds the result and no other.
fn check_solving(name: &str, sizes: &[usize], step: usize, make: Make, expected: Expected) {
    let mut solving = Solving::new(&Built::new(sizes, make));
    for operands in choices(sizes).into_iter().step_by(step) {
        let result = expected(&operands);
        assert!(solving.allows(&operands, result), "{name} of {operands:x?}");
        assert!(!solving.allows_another(&operands, result), "{name} of {operands:x?}");
    }
}

// What is asked.

fn formats(
    exponents: std::ops::RangeInclusive<usize>,
    fractions: std::ops::RangeInclusive<usize>,
) -> Vec<Format> {
    exponents
        .flat_map(|exponent| fractions.clone().map(move |fraction| Format { exponent, fraction }))
        .collect()
}

fn functions() -> Vec<(FloatFn, &'static str)> {
    let mut all = Vec::new();
    all.extend(FloatOp::ALL.map(|(op, name)| (FloatFn::Op(op), name)));
    all.extend(FloatUnary::ALL.map(|(op, name)| (FloatFn::Unary(op), name)));
    all.extend(FloatCmp::ALL.map(|(cmp, name)| (FloatFn::Compare(cmp), name)));
    all
}

fn check_function(format: Format, function: FloatFn, name: &str, check: Check) {
    let sizes = vec![format.size(); function.arity()];
    let make = |circuit: &mut Circuit, operands: &[&[Edge]]| apply(circuit, function, format, operands);
    // Looked up, because the oracle is slow.
    let all = choices(&sizes);
    let table: Vec<u64> = all.iter().map(|ranks| expected(format, function, ranks)).collect();
    let code = |ranks: &[u64]| ranks.iter().rev().fold(0, |code, &rank| code << format.size() | rank);
    check(&format!("{name} in {format:?}"), &sizes, &make, &|ranks| table[code(ranks) as usize]);
}

#[test]
fn functions_are_exact_in_tiny_formats() {
    for format in formats(2..=4, 1..=4) {
        for (function, name) in functions() {
            check_function(format, function, name, &check_all);
        }
    }
}

#[test]
fn functions_of_constants_fold_away() {
    for format in formats(2..=3, 1..=2) {
        for (function, name) in functions() {
            check_function(format, function, name, &check_folding);
        }
    }
}

#[test]
fn a_solver_finds_the_value_of_a_function_and_no_other() {
    for format in formats(2..=3, 1..=3) {
        for (function, name) in functions() {
            check_function(format, function, name, &|name, sizes, make, expected| {
                check_solving(name, sizes, 1 + sizes.iter().sum::<usize>(), make, expected);
            });
        }
    }
}

#[test]
fn fused_sums_are_exact_in_tiny_formats() {
    for format in formats(2..=3, 1..=2) {
        check_function(format, FloatFn::Fma, "fma", &check_all);
    }
}

#[test]
fn conversions_between_tiny_formats_are_exact() {
    for from in formats(2..=4, 1..=4) {
        for to in formats(2..=4, 1..=4) {
            let make = |circuit: &mut Circuit, a: &[&[Edge]]| convert::reformat(circuit, from, to, a[0]);
            check_all(&format!("{from:?} to {to:?}"), &[from.size()], &make, &|ranks| {
                to.rank(to.nearest(from.value(from.unrank(ranks[0]))))
            });
        }
    }
}

#[test]
fn conversions_from_and_to_small_integers_are_exact() {
    for (format, size) in
        formats(2..=4, 1..=4).into_iter().flat_map(|format| (1..=7).map(move |size| (format, size)))
    {
        for signed in [false, true] {
            let name = format!("{size} bits, signed: {signed}, {format:?}");
            let limit = 1i64 << if signed { size - 1 } else { size };
            let least = if signed { -limit } else { 0 };
            let wrap = |value: i64| value as u64 % (1 << size);
            let value_of =
                |bits: u64| if bits as i64 >= limit { bits as i64 - 2 * limit } else { bits as i64 };
            let from =
                |circuit: &mut Circuit, a: &[&[Edge]]| convert::from_integer(circuit, format, a[0], signed);
            check_all(&name, &[size], &from, &|bits| format.rank(format.nearest(value_of(bits[0]) as f64)));
            let to = |circuit: &mut Circuit, a: &[&[Edge]]| {
                convert::to_integer(circuit, format, a[0], size, signed)
            };
            let truncated = |ranks: &[u64]| format.value(format.unrank(ranks[0])).trunc();
            check_all(&name, &[format.size()], &to, &|ranks| {
                wrap((truncated(ranks) as i64).clamp(least, limit - 1))
            });
            let fits = |circuit: &mut Circuit, a: &[&[Edge]]| {
                vec![convert::fits(circuit, format, a[0], size, signed)]
            };
            check_all(&name, &[format.size()], &fits, &|ranks| {
                u64::from(truncated(ranks) >= least as f64 && truncated(ranks) < limit as f64)
            });
        }
    }
}
