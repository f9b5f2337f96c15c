//! Every function of floats and every conversion, for `float` and `double`, at the boundaries and at random: with constant
//! operands the word is the value that the model gives it, and with variables it can have no other.

use quipu_blast::Blaster;
use quipu_domain::{Domain, Interval};
use quipu_model::{Assignment, Evaluation, Model, Reading, Role, Term, VarInfo};
use quipu_modelkit::Random;
use quipu_num::{Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, Guard, Width, rank, unrank};
use quipu_sat::{Budget, Cadical, Lit, SatResult};

/// Makes a term of three operands, of which it may use fewer.
type Make = Box<dyn Fn(&mut Model, [Term; 3]) -> Term>;

const FORMATS: [FloatWidth; 2] = [FloatWidth::F32, FloatWidth::F64];

#[test]
fn functions_are_exact() {
    let mut random = Random::new(1);
    for w in FORMATS {
        for (function, name) in functions() {
            let make: Make =
                Box::new(move |model, operands| model.float(function, w, &operands[..function.arity()]));
            let values = |random: &mut Random| [(); 3].map(|()| float(random, w));
            check(&format!("{name} of {w:?}"), w.width(), &make, &mut random, values);
        }
    }
}

/// Of larger quotients nothing but the truth is allowed to be excluded.
#[test]
fn remainders_are_exact_up_to_quotients_of_64_bits() {
    let mut random = Random::new(4);
    for w in FORMATS {
        let mut question = Question::new(w.width(), &move |model, operands| {
            model.float(FloatFn::Op(FloatOp::Rem), w, &operands[..2])
        });
        for _ in 0..60 {
            let [a, b] = [(); 2].map(|()| float(&mut random, w));
            let exponent = |rank: u64| match w {
                FloatWidth::F32 => (unrank(w, rank) >> 23 & 0xff) as i64,
                FloatWidth::F64 => (unrank(w, rank) >> 52 & 0x7ff) as i64,
            };
            // Subnormal divisors may have smaller exponents than they seem to.
            let is_small = exponent(b) > 0 && exponent(a) - exponent(b) < 64;
            let operands = [a, b, 0];
            let expected = question.expected(operands);
            assert!(question.allows(operands, expected, true), "{operands:x?}");
            assert!(!is_small || !question.allows(operands, expected, false), "{operands:x?}");
        }
    }
}

#[test]
fn conversions_from_floats_are_exact() {
    let mut random = Random::new(2);
    for w in FORMATS {
        let mut casts = vec![Cast::FloatBits(w)];
        casts.push(if w == FloatWidth::F32 { Cast::Widen } else { Cast::Narrow });
        for to in widths() {
            casts.extend([Cast::FloatToSigned(w, to), Cast::FloatToUnsigned(w, to)]);
        }
        for cast in casts {
            let make: Make = Box::new(move |model, [a, ..]| model.cast(cast, a));
            let values = |random: &mut Random| [near_integers(random, w, cast.widths().1); 3];
            check(&format!("{cast:?}"), w.width(), &make, &mut random, values);
        }
        for (to, signed) in widths().into_iter().flat_map(|to| [(to, false), (to, true)]) {
            let guard = Guard::FloatFits { from: w, to, signed };
            let make: Make = Box::new(move |model, [a, ..]| model.guard(guard, a, a));
            let values = |random: &mut Random| [near_integers(random, w, to); 3];
            check(&format!("{guard:?}"), w.width(), &make, &mut random, values);
        }
    }
}

#[test]
fn conversions_to_floats_are_exact() {
    let mut random = Random::new(3);
    for w in FORMATS {
        let mut casts = vec![Cast::BitsFloat(w)];
        for from in widths() {
            casts.extend([Cast::SignedToFloat(from, w), Cast::UnsignedToFloat(from, w)]);
        }
        for cast in casts {
            let from = cast.widths().0;
            let make: Make = Box::new(move |model, [a, ..]| model.cast(cast, a));
            let values = |random: &mut Random| [random.value(from); 3];
            check(&format!("{cast:?}"), from, &make, &mut random, values);
        }
    }
}

/// Facts about terms that are true of some values of the variables never exclude these.
#[test]
fn facts_keep_what_they_are_true_of() {
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let mut model = Model::new();
        let w = random.pick(&FORMATS);
        let values: Assignment = (0..3).map(|_| float(&mut random, w)).collect();
        let mut terms: Vec<Term> = Vec::new();
        for &value in values.iter() {
            let arc = arc_around(&mut random, w.width(), value);
            terms.push(variable(&mut model, w.width(), Some((arc.lo(), arc.hi()))));
        }
        for _ in 0..6 {
            let (function, _) = random.pick(&functions());
            let operands: Vec<Term> = (0..function.arity()).map(|_| random.pick(&terms)).collect();
            if function.width(w) == w.width() {
                terms.push(model.float(function, w, &operands));
            }
        }
        let mut blaster = Blaster::new(Cadical::default());
        let mut assumptions = Vec::new();
        for &term in &terms {
            let value = Evaluation::new(&model, &values).value(term);
            if random.chance(60) {
                let arc = arc_around(&mut random, w.width(), value);
                blaster.narrow(&model, term, Domain::from_interval(w.width(), arc));
            }
        }
        for &term in &terms {
            let value = Evaluation::new(&model, &values).value(term);
            assumptions.extend(fix(&blaster.bits(&model, term), value));
        }
        let answer = blaster.solve(&assumptions, Budget::UNLIMITED);
        assert_eq!(answer, SatResult::Sat, "seed {seed}: {:x?}", values.iter().collect::<Vec<_>>());
    }
}

/// An arc of any size that holds a value, sometimes at an end.
fn arc_around(random: &mut Random, width: Width, value: u64) -> Interval {
    let mut distance = || {
        let bits = random.below(width.bits() as usize - 1);
        random.number() % (1 << bits)
    };
    let (before, behind) = (distance(), distance());
    Interval::from_span(width, width.wrap(value.wrapping_sub(before)), before + behind)
}

/// With constants many times, with variables a few times.
fn check(
    name: &str,
    width: Width,
    make: &Make,
    random: &mut Random,
    values: impl Fn(&mut Random) -> [u64; 3],
) {
    check_constants(name, width, make, (0..300).map(|_| values(random)));
    let mut question = Question::new(width, make);
    for _ in 0..12 {
        let values = values(random);
        let expected = question.expected(values);
        assert!(question.allows(values, expected, true), "{name} {values:x?}");
        assert!(!question.allows(values, expected, false), "{name} {values:x?}");
    }
}

/// A term of variables, and whether it is a result, which is a variable too.
struct Question {
    model: Model,
    term: Term,
    blaster: Blaster<Cadical>,
    operands: Vec<Vec<Lit>>,
    result: Vec<Lit>,
    is_result: Lit,
}

impl Question {
    fn new(width: Width, make: &dyn Fn(&mut Model, [Term; 3]) -> Term) -> Question {
        let mut model = Model::new();
        let operands = [(); 3].map(|()| variable(&mut model, width, None));
        let term = make(&mut model, operands);
        let result_width = model.width(term);
        let result = variable(&mut model, result_width, None);
        let same = model.equal(term, result);
        let mut blaster = Blaster::new(Cadical::default());
        Question {
            operands: operands.iter().map(|&operand| blaster.bits(&model, operand)).collect(),
            result: blaster.bits(&model, result),
            is_result: blaster.literal(&model, same),
            model,
            term,
            blaster,
        }
    }

    fn expected(&self, operands: [u64; 3]) -> u64 {
        let assignment: Assignment = operands.into_iter().chain([0]).collect();
        Evaluation::new(&self.model, &assignment).value(self.term)
    }

    /// Whether the term can have this value of these operands, or, if not `same`, another.
    fn allows(&mut self, operands: [u64; 3], result: u64, same: bool) -> bool {
        let mut assumptions = fix(&self.result, result);
        for (word, value) in self.operands.iter().zip(operands) {
            assumptions.extend(fix(word, value));
        }
        assumptions.push(self.is_result ^ !same);
        self.blaster.solve(&assumptions, Budget::UNLIMITED) == SatResult::Sat
    }
}

fn check_constants(name: &str, width: Width, make: &Make, values: impl Iterator<Item = [u64; 3]>) {
    let mut model = Model::new();
    let mut blaster = Blaster::new(Cadical::default());
    for values in values {
        let operands = values.map(|value| model.constant_term(width, value));
        let term = make(&mut model, operands);
        let expected = Evaluation::new(&model, &Assignment::new()).value(term);
        let assumptions = fix(&blaster.bits(&model, term), expected);
        assert_eq!(blaster.solve(&assumptions, Budget::UNLIMITED), SatResult::Sat, "{name} {values:x?}");
        assert!(blaster.size().variables <= 1, "{name} {values:x?} should fold away");
    }
}

fn fix(word: &[Lit], value: u64) -> Vec<Lit> {
    word.iter().enumerate().map(|(i, &lit)| lit ^ (value >> i & 1 == 0)).collect()
}

fn variable(model: &mut Model, width: Width, range: Option<(u64, u64)>) -> Term {
    let name = format!("x{}", model.vars().len());
    let var = model.add_var(VarInfo { name, width, reading: Reading::Unsigned, range, role: Role::Input });
    model.var_term(var)
}

/// All functions that have circuits for all operands.
fn functions() -> Vec<(FloatFn, &'static str)> {
    let mut all = vec![(FloatFn::Fma, "fma")];
    all.extend(FloatOp::ALL.map(|(op, name)| (FloatFn::Op(op), name)));
    all.extend(FloatUnary::ALL.map(|(op, name)| (FloatFn::Unary(op), name)));
    all.extend(FloatCmp::ALL.map(|(cmp, name)| (FloatFn::Compare(cmp), name)));
    all.retain(|&(function, _)| function != FloatFn::Op(FloatOp::Rem));
    all
}

fn widths() -> Vec<Width> {
    [1, 2, 7, 8, 16, 24, 25, 31, 32, 33, 53, 54, 63, 64].map(|bits| Width::new(bits).unwrap()).to_vec()
}

/// The rank of a float: special, with a small exponent, or with any bits; fractions often have few bits.
fn float(random: &mut Random, w: FloatWidth) -> u64 {
    let fraction_bits = if w == FloatWidth::F32 { 23 } else { 52 };
    let exponent_bits = w.bits() - 1 - fraction_bits;
    let largest = (1u64 << exponent_bits) - 1;
    let bias = largest / 2;
    let field = match below(random, 8) {
        0 => 0,
        1 => 1 + below(random, 3),
        2 => largest,
        3 => largest - 1 - below(random, 2),
        4 => bias + below(random, 5) - 2,
        5 => random.number() % largest,
        _ => bias + below(random, 2 * u64::from(fraction_bits)) - u64::from(fraction_bits),
    };
    let any = random.value(Width::new(fraction_bits).unwrap());
    let fraction = match below(random, 4) {
        0 => 0,
        1 => any & !((1 << (fraction_bits - 4)) - 1),
        _ => any,
    };
    let sign = below(random, 2) << (w.bits() - 1);
    rank(w, sign | field << fraction_bits | fraction)
}

/// The rank of a float, often one close to an integer of a type.
fn near_integers(random: &mut Random, w: FloatWidth, to: Width) -> u64 {
    if below(random, 3) == 0 {
        return float(random, w);
    }
    let integer = to.signed(random.value(to)) as f64;
    let value = integer + [0.0, 0.5, -0.5, 1.0, -1.0][below(random, 5) as usize];
    let value = if below(random, 2) == 0 { value.abs() } else { value };
    let bits = match w {
        FloatWidth::F32 => u64::from((value as f32).to_bits()),
        FloatWidth::F64 => value.to_bits(),
    };
    rank(w, bits) + below(random, 3) - 1
}

fn below(random: &mut Random, n: u64) -> u64 {
    random.number() % n
}
