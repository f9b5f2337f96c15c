//! Every operation, with its operands as constants and as variables, has the value that the model gives it, and no
//! other: exhaustively at small widths, at random and at the boundaries for large ones.

use quipu_blast::Blaster;
use quipu_model::{Assignment, Evaluation, Model, Node, Reading, Role, Term, VarInfo};
use quipu_modelkit::Random;
use quipu_num::{Cast, Guard, IntCmp, IntOp, IntUnary, Width};
use quipu_sat::{Budget, Cadical, Lit, SatResult};

/// Makes a term of two operands of one width and a truth value.
type Make = Box<dyn Fn(&mut Model, Term, Term, Term) -> Term>;

/// Which of the two operands are constants.
const MODES: [[bool; 2]; 4] = [[false, false], [true, false], [false, true], [true, true]];

#[test]
fn exact_at_small_widths() {
    for bits in 1..=4 {
        let width = Width::new(bits).unwrap();
        for (name, make) in operations(width) {
            let values = || (0..=width.mask()).flat_map(|a| (0..=width.mask()).map(move |b| [a, b]));
            let question = Question::new(&name, width, &make);
            question.check_variables(values());
            values().for_each(|values| question.check_constants(values));
        }
    }
}

#[test]
fn exact_at_large_widths() {
    let mut random = Random::new(1);
    for bits in [5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64] {
        let width = Width::new(bits).unwrap();
        for (name, make) in operations(width) {
            let rounds = if bits > 16 { 4 } else { 12 };
            let values: Vec<[u64; 2]> =
                (0..rounds).map(|_| [random.value(width), random.value(width)]).collect();
            let question = Question::new(&name, width, &make);
            question.check_variables(values.iter().copied());
            values.iter().for_each(|&values| question.check_constants(values));
        }
    }
}

/// Whether a term has the right value.
struct Question<'a> {
    name: &'a str,
    width: Width,
    make: &'a Make,
}

impl<'a> Question<'a> {
    fn new(name: &'a str, width: Width, make: &'a Make) -> Question<'a> {
        Question { name, width, make }
    }

    /// One translation, with the operands fixed by assumptions.
    fn check_variables(&self, values: impl Iterator<Item = [u64; 2]>) {
        let mut model = Model::new();
        let [a, b] = ["a", "b"].map(|name| variable(&mut model, name, self.width));
        let c = variable(&mut model, "c", Width::W1);
        let term = (self.make)(&mut model, a, b, c);
        let mut blaster = Blaster::new(Cadical::default());
        let operands = [a, b, c].map(|operand| blaster.bits(&model, operand));
        let result = blaster.bits(&model, term);
        for (n, [x, y]) in values.enumerate() {
            let z = n as u64 % 3 % 2;
            let assignment: Assignment = [x, y, z].into_iter().collect();
            let expected = Evaluation::new(&model, &assignment).value(term);
            let fixed: Vec<Lit> =
                operands.iter().zip([x, y, z]).flat_map(|(word, value)| fix(word, value)).collect();
            forced(&mut blaster, &fixed, &result, expected, &|| format!("{} {x} {y} {z}", self.name));
        }
    }

    /// New translations, in which some operands are constants.
    fn check_constants(&self, values: [u64; 2]) {
        for mode in MODES.into_iter().skip(1) {
            let mut model = Model::new();
            let mut operand = |n: usize| match mode[n] {
                true => model.constant_term(self.width, values[n]),
                false => variable(&mut model, "x", self.width),
            };
            let (a, b) = (operand(0), operand(1));
            let c = model.truth(values[0] % 2 == 1);
            let term = (self.make)(&mut model, a, b, c);
            let mut blaster = Blaster::new(Cadical::default());
            let result = blaster.bits(&model, term);
            let mut fixed = Vec::new();
            for (operand, value) in [a, b].into_iter().zip(values) {
                fixed.extend(fix(&blaster.bits(&model, operand), value));
            }
            let variables: Vec<u64> = (0..2).filter(|&n| !mode[n]).map(|n| values[n]).collect();
            let assignment: Assignment = variables.into_iter().collect();
            let expected = Evaluation::new(&model, &assignment).value(term);
            let about = || format!("{} {values:?}, constant: {mode:?}", self.name);
            forced(&mut blaster, &fixed, &result, expected, &about);
        }
    }
}

/// Under assumptions, the result has the expected value and none of its bits can have another.
fn forced(
    blaster: &mut Blaster<Cadical>,
    fixed: &[Lit],
    result: &[Lit],
    expected: u64,
    about: &dyn Fn() -> String,
) {
    let wanted = fix(result, expected);
    let assumptions: Vec<Lit> = fixed.iter().chain(&wanted).copied().collect();
    assert_eq!(blaster.solve(&assumptions, Budget::UNLIMITED), SatResult::Sat, "{}", about());
    for &bit in &wanted {
        let assumptions: Vec<Lit> = fixed.iter().copied().chain([!bit]).collect();
        assert_eq!(blaster.solve(&assumptions, Budget::UNLIMITED), SatResult::Unsat, "{}", about());
    }
}

fn fix(word: &[Lit], value: u64) -> Vec<Lit> {
    word.iter().enumerate().map(|(i, &lit)| lit ^ (value >> i & 1 == 0)).collect()
}

fn variable(model: &mut Model, name: &str, width: Width) -> Term {
    let name = name.to_string();
    let var =
        model.add_var(VarInfo { name, width, reading: Reading::Unsigned, range: None, role: Role::Input });
    model.var_term(var)
}

/// All kinds of nodes on operands of one width.
fn operations(w: Width) -> Vec<(String, Make)> {
    let mut all: Vec<(String, Make)> = Vec::new();
    let mut add = |name: &str, make: Make| all.push((format!("{name} at {}", w.bits()), make));
    for (op, name) in IntOp::ALL {
        add(name, Box::new(move |m, a, b, _| m.op(op, a, b)));
    }
    for (op, name) in IntUnary::ALL {
        add(name, Box::new(move |m, a, _, _| m.unary(op, a)));
    }
    for (cmp, name) in IntCmp::ALL {
        add(name, Box::new(move |m, a, b, _| m.compare(cmp, a, b)));
    }
    for guard in guards(w) {
        add(&format!("{guard:?}"), Box::new(move |m, a, b, _| m.guard(guard, a, b)));
    }
    for cast in casts(w) {
        let to = match cast {
            Cast::Trunc(_, to) | Cast::ZExt(_, to) | Cast::SExt(_, to) => to,
            _ => unreachable!("an integer conversion"),
        };
        add(&format!("{cast:?}"), Box::new(move |m, a, _, _| m.add(Node::Cast(cast, a), to)));
    }
    add("not", Box::new(|m, a, _, _| m.not(a)));
    add("select", Box::new(|m, a, b, c| m.select(c, a, b)));
    add("square", Box::new(|m, a, _, _| m.op(IntOp::Mul, a, a)));
    add("all", Box::new(move |m, a, b, c| truths(m, a, b, c, true)));
    add("any", Box::new(move |m, a, b, c| truths(m, a, b, c, false)));
    for seed in 0..4 {
        add("sum", Box::new(move |m, a, b, _| sum(m, a, b, seed)));
        add("element", Box::new(move |m, a, b, _| element(m, a, b, seed)));
    }
    all
}

fn guards(w: Width) -> Vec<Guard> {
    let shifted = |bits| Guard::ShiftInRange { amount: w, shifted: Width::new(bits).unwrap() };
    vec![
        Guard::AddFits(w),
        Guard::SubFits(w),
        Guard::MulFits(w),
        Guard::NonZero(w),
        Guard::AnyBit(w),
        Guard::QuotientFits(w),
        shifted(1),
        shifted(3),
        shifted(8),
        shifted(32),
        Guard::ShlFits(w),
        Guard::IndexBelow(w),
        Guard::IndexAtMost(w),
    ]
}

fn casts(w: Width) -> Vec<Cast> {
    let other = |bits: u32| Width::new(bits).filter(|&to| to != w);
    let narrower = [1, w.bits() / 2, w.bits() - 1].into_iter().filter_map(other);
    let wider = [w.bits() + 1, w.bits() + 3, 64].into_iter().filter_map(other);
    let extended = wider.flat_map(|to| [Cast::ZExt(w, to), Cast::SExt(w, to)]);
    narrower.filter(|&to| to < w).map(|to| Cast::Trunc(w, to)).chain(extended).collect()
}

fn truths(model: &mut Model, a: Term, b: Term, c: Term, all: bool) -> Term {
    let less = model.compare(IntCmp::Slt, a, b);
    let same = model.equal(a, b);
    let items = [less, c, model.not(same)];
    if all { model.all(items) } else { model.any(items) }
}

fn sum(model: &mut Model, a: Term, b: Term, seed: u64) -> Term {
    let mut random = Random::new(seed);
    let w = model.width(a);
    let narrow = model.compare(IntCmp::Ult, a, b);
    let narrow = if w == Width::W1 { narrow } else { model.resize(narrow, w, seed % 2 == 1) };
    let parts = [a, b, narrow].map(|part| (random.value(w), part));
    model.sum(w, random.value(w), parts)
}

fn element(model: &mut Model, a: Term, b: Term, seed: u64) -> Term {
    let not = model.not(a);
    let five = model.constant_term(model.width(a), 5);
    let items = [a, b, not, five, b];
    model.element(b, items.into_iter().take(2 + seed as usize))
}

#[test]
fn products_and_quotients_of_filled_up_operands() {
    let mut random = Random::new(7);
    for (bits, to) in [(2, 4), (3, 4), (3, 6), (4, 8), (3, 8), (8, 16)] {
        let (w, wide) = (Width::new(bits).unwrap(), Width::new(to).unwrap());
        for signs in 0..4 {
            for op in [IntOp::Mul, IntOp::UDiv, IntOp::URem, IntOp::SDiv, IntOp::SRem] {
                let make: Make = Box::new(move |m, a, b, _| {
                    let (a, b) = (m.resize(a, wide, signs & 1 == 1), m.resize(b, wide, signs & 2 == 2));
                    m.op(op, a, b)
                });
                let values: Vec<[u64; 2]> = (0..40).map(|_| [random.value(w), random.value(w)]).collect();
                Question::new(&format!("{op:?} {bits} {to} {signs}"), w, &make)
                    .check_variables(values.into_iter());
            }
            let make: Make = Box::new(move |m, a, b, _| {
                let (a, b) = (m.resize(a, wide, signs & 1 == 1), m.resize(b, wide, signs & 2 == 2));
                let (fits, product) = (m.guard(Guard::MulFits(wide), a, b), m.op(IntOp::Mul, a, b));
                let fits = m.resize(fits, wide, true);
                m.op(IntOp::Xor, fits, product)
            });
            let values: Vec<[u64; 2]> = (0..40).map(|_| [random.value(w), random.value(w)]).collect();
            Question::new(&format!("fits {bits} {to} {signs}"), w, &make).check_variables(values.into_iter());
        }
    }
}
