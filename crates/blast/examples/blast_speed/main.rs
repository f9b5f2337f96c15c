//! Times the translation and the search on arithmetic problems: `blast_speed [part of a name] [seconds]`.
//!
//! One line for each problem: the answer, the size of the translation, and the time. A problem that takes longer than
//! the limit is stopped.

mod floats;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quipu_blast::Blaster;
use quipu_model::{Model, Reading, Role, Term, VarInfo, holds};
use quipu_num::{IntCmp, IntOp, Width};
use quipu_sat::{Budget, Cadical, SatResult, SatSolver};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let filter = arguments.first().map_or("", String::as_str);
    let seconds = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(60);
    println!(
        "{:32} {:>8} {:>8} {:>8} {:>9} {:>9}",
        "problem", "answer", "vars", "clauses", "conflicts", "ms"
    );
    for (name, model) in problems() {
        if name.contains(filter) {
            run(&name, &model, Duration::from_secs(seconds));
        }
    }
}

fn run(name: &str, model: &Model, limit: Duration) {
    let start = Instant::now();
    let flag = Arc::new(AtomicBool::new(false));
    let mut blaster = Blaster::new(Cadical::new(Arc::clone(&flag)));
    for &assertion in model.assertions() {
        blaster.assert_true(model, assertion);
    }
    let done = Arc::new(AtomicBool::new(false));
    let watch = std::thread::spawn({
        let done = Arc::clone(&done);
        move || {
            while !done.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(2));
                flag.store(start.elapsed() > limit, Ordering::Relaxed);
            }
        }
    });
    let answer = match blaster.solve(&[], Budget::UNLIMITED) {
        SatResult::Sat => {
            assert!(holds(model, &blaster.assignment(model)), "a solution of {name} should be one");
            "sat"
        }
        SatResult::Unsat => "unsat",
        SatResult::Unknown(_) => "stopped",
    };
    let time = start.elapsed();
    done.store(true, Ordering::Relaxed);
    watch.join().expect("the watch should not fail");
    let size = blaster.size();
    let conflicts = blaster.solver().statistics().conflicts;
    println!(
        "{name:32} {answer:>8} {:>8} {:>8} {conflicts:>9} {:>9.1}",
        size.variables,
        size.clauses,
        time.as_secs_f64() * 1e3
    );
}

fn problems() -> Vec<(String, Model)> {
    let mut all = Vec::new();
    let mut add = |name: String, model: Model| all.push((name, model));
    for (p, q) in [(63_029, 64_783), (40_961, 65_521), (954_377, 1_014_319), (786_433, 1_048_573)] {
        add(format!("factor {}", p * q), factoring(p * q));
    }
    // A prime between the squares of the bounds: no factors.
    add("factor prime 2147483647".into(), factoring(2_147_483_647));
    for bits in [6, 7, 8, 9, 10, 12] {
        add(format!("commute {bits}"), commutativity(bits));
    }
    for bits in [4, 5, 6] {
        add(format!("associate {bits}"), associativity(bits));
        add(format!("distribute {}", bits + 1), distributivity(bits + 1));
    }
    for bits in [8, 10, 12, 16] {
        add(format!("divide identity {bits}"), division_identity(bits));
    }
    for bits in [32, 64] {
        add(format!("divide find {bits}"), division_search(bits));
        add(format!("divide by 10 {bits}"), decimal(bits));
    }
    add("divide monotone 8".into(), division_monotone(8));
    add("hash 1 round".into(), hash(1));
    add("hash 2 rounds".into(), hash(2));
    add("hash 3 rounds".into(), hash(3));
    add("sort 4 x 16".into(), sorting(4, 16));
    add("sort 5 x 8".into(), sorting(5, 8));
    add("sort 6 x 8".into(), sorting(6, 8));
    add("cubes 32".into(), cubes());
    all.extend(floats::problems());
    all
}

fn variable(model: &mut Model, name: &str, width: Width, range: Option<(u64, u64)>) -> Term {
    let var = model.add_var(VarInfo {
        name: name.into(),
        width,
        reading: Reading::Unsigned,
        range,
        role: Role::Input,
    });
    model.var_term(var)
}

fn variables<const N: usize>(model: &mut Model, bits: u32) -> [Term; N] {
    let width = Width::new(bits).expect("a width");
    std::array::from_fn(|n| variable(model, &format!("x{n}"), width, None))
}

fn assert_equal(model: &mut Model, a: Term, b: Term) {
    let same = model.equal(a, b);
    model.assert(same);
}

fn assert_different(model: &mut Model, a: Term, b: Term) {
    let different = model.compare(IntCmp::Ne, a, b);
    model.assert(different);
}

/// Two factors of a number, each above 1 and below 2^(half its size), in 64 bits.
fn factoring(n: u64) -> Model {
    let mut model = Model::new();
    let half = 1 << (64 - n.leading_zeros()).div_ceil(2);
    let x = variable(&mut model, "x", Width::W64, Some((2, half - 1)));
    let y = variable(&mut model, "y", Width::W64, Some((2, half - 1)));
    let product = model.op(IntOp::Mul, x, y);
    let n = model.constant_term(Width::W64, n);
    assert_equal(&mut model, product, n);
    model
}

/// Schoolbook multiplication as terms, so that the two products are not one by construction.
fn shift_and_add(model: &mut Model, a: Term, b: Term) -> Term {
    let width = model.width(a);
    let zero = model.constant_term(width, 0);
    (0..width.bits()).fold(zero, |sum, i| {
        let amount = model.constant_term(width, u64::from(i));
        let shifted = model.op(IntOp::Shl, a, amount);
        let bit = model.op(IntOp::LShr, b, amount);
        let bit = model.resize(bit, Width::W1, false);
        let row = model.select(bit, shifted, zero);
        model.op(IntOp::Add, sum, row)
    })
}

fn commutativity(bits: u32) -> Model {
    let mut model = Model::new();
    let [a, b] = variables(&mut model, bits);
    let both = [model.op(IntOp::Mul, a, b), shift_and_add(&mut model, a, b), shift_and_add(&mut model, b, a)];
    let one = model.compare(IntCmp::Ne, both[0], both[1]);
    let other = model.compare(IntCmp::Ne, both[0], both[2]);
    let either = model.any([one, other]);
    model.assert(either);
    model
}

fn associativity(bits: u32) -> Model {
    let mut model = Model::new();
    let [a, b, c] = variables(&mut model, bits);
    let left = model.op(IntOp::Mul, a, b);
    let left = model.op(IntOp::Mul, left, c);
    let right = model.op(IntOp::Mul, b, c);
    let right = model.op(IntOp::Mul, a, right);
    assert_different(&mut model, left, right);
    model
}

fn distributivity(bits: u32) -> Model {
    let mut model = Model::new();
    let [a, b, c] = variables(&mut model, bits);
    let sum = model.op(IntOp::Add, b, c);
    let left = model.op(IntOp::Mul, a, sum);
    let (ab, ac) = (model.op(IntOp::Mul, a, b), model.op(IntOp::Mul, a, c));
    let right = model.op(IntOp::Add, ab, ac);
    assert_different(&mut model, left, right);
    model
}

fn division_identity(bits: u32) -> Model {
    let mut model = Model::new();
    let [x, y] = variables(&mut model, bits);
    let zero = model.constant_term(model.width(y), 0);
    assert_different(&mut model, y, zero);
    let (quotient, remainder) = (model.op(IntOp::UDiv, x, y), model.op(IntOp::URem, x, y));
    let product = model.op(IntOp::Mul, quotient, y);
    let sum = model.op(IntOp::Add, product, remainder);
    assert_different(&mut model, sum, x);
    model
}

/// Finds operands with a given quotient and remainder, signed, under which both are large.
fn division_search(bits: u32) -> Model {
    let mut model = Model::new();
    let [x, y] = variables(&mut model, bits);
    let width = model.width(x);
    let quotient = model.op(IntOp::SDiv, x, y);
    let remainder = model.op(IntOp::SRem, x, y);
    let wanted = model.constant_term(width, width.from_signed(-1234));
    assert_equal(&mut model, quotient, wanted);
    let rest = model.op(IntOp::Mul, remainder, remainder);
    let wanted = model.constant_term(width, 49 * 49);
    assert_equal(&mut model, rest, wanted);
    let large = model.constant_term(width, width.max_signed() / 3);
    let large = model.compare(IntCmp::Slt, large, x);
    model.assert(large);
    model
}

/// A number whose decimal digits from the right are 7, 3, 9 and whose rest is divisible by 97.
fn decimal(bits: u32) -> Model {
    let mut model = Model::new();
    let [x] = variables(&mut model, bits);
    let width = model.width(x);
    let ten = model.constant_term(width, 10);
    let mut rest = x;
    for digit in [7, 3, 9] {
        let last = model.op(IntOp::URem, rest, ten);
        let digit = model.constant_term(width, digit);
        assert_equal(&mut model, last, digit);
        rest = model.op(IntOp::UDiv, rest, ten);
    }
    let divisor = model.constant_term(width, 97);
    let last = model.op(IntOp::URem, rest, divisor);
    let zero = model.constant_term(width, 0);
    assert_equal(&mut model, last, zero);
    assert_different(&mut model, rest, zero);
    model
}

/// A larger divisor gives no larger quotient.
fn division_monotone(bits: u32) -> Model {
    let mut model = Model::new();
    let [x, y, z] = variables(&mut model, bits);
    let zero = model.constant_term(model.width(y), 0);
    assert_different(&mut model, y, zero);
    let less = model.compare(IntCmp::Ult, y, z);
    model.assert(less);
    let (small, large) = (model.op(IntOp::UDiv, x, z), model.op(IntOp::UDiv, x, y));
    let wrong = model.compare(IntCmp::Ult, large, small);
    model.assert(wrong);
    model
}

/// Rounds of xorshift and multiplication, inverted.
fn hash(rounds: u64) -> Model {
    let mut model = Model::new();
    let [start] = variables(&mut model, 32);
    let mut x = start;
    for round in 0..rounds {
        for (op, amount) in [(IntOp::Shl, 13), (IntOp::LShr, 17), (IntOp::Shl, 5)] {
            let amount = model.constant_term(Width::W32, amount);
            let shifted = model.op(op, x, amount);
            x = model.op(IntOp::Xor, x, shifted);
        }
        let factor = model.constant_term(Width::W32, 0x9e37_79b1 + 2 * round);
        x = model.op(IntOp::Mul, x, factor);
        x = model.op(IntOp::Add, x, start);
    }
    let wanted = model.constant_term(Width::W32, 0xdead_beef);
    assert_equal(&mut model, x, wanted);
    model
}

/// Bubble sort and odd-even transposition sort agree.
fn sorting(n: usize, bits: u32) -> Model {
    let mut model = Model::new();
    let width = Width::new(bits).expect("a width");
    let items: Vec<Term> = (0..n).map(|i| variable(&mut model, &format!("x{i}"), width, None)).collect();
    let bubble = (0..n).flat_map(|end| 0..n - 1 - end);
    let transposition = (0..n).flat_map(|turn| (turn % 2..n - 1).step_by(2));
    let left = network(&mut model, &items, bubble);
    let right = network(&mut model, &items, transposition);
    let wrong: Vec<Term> = left.iter().zip(&right).map(|(&a, &b)| model.compare(IntCmp::Ne, a, b)).collect();
    let wrong = model.any(wrong);
    model.assert(wrong);
    model
}

fn network(model: &mut Model, items: &[Term], places: impl Iterator<Item = usize>) -> Vec<Term> {
    let mut items = items.to_vec();
    for i in places {
        let (a, b) = (items[i], items[i + 1]);
        let swap = model.compare(IntCmp::Ult, b, a);
        items[i] = model.select(swap, b, a);
        items[i + 1] = model.select(swap, a, b);
    }
    items
}

/// x^3 + y^3 + z^3 = a given number, 32 bits wrapping, with x < y < z.
fn cubes() -> Model {
    let mut model = Model::new();
    let [x, y, z] = variables(&mut model, 32);
    let cubes = [x, y, z].map(|x| {
        let square = model.op(IntOp::Mul, x, x);
        model.op(IntOp::Mul, square, x)
    });
    let sum = model.sum(Width::W32, 0, cubes.map(|cube| (1, cube)));
    let wanted = model.constant_term(Width::W32, 30_001);
    assert_equal(&mut model, sum, wanted);
    let less = [model.compare(IntCmp::Ult, x, y), model.compare(IntCmp::Ult, y, z)];
    less.into_iter().for_each(|less| model.assert(less));
    model
}
