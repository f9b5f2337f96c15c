//! Prints the nanoseconds per call of each contractor, on domains of three kinds at 32 and 64 bits.
//!
//! `cargo run --release -p quipu-domain --example contract_speed`

use quipu_domain::{Bits, Domain, Interval, contract};
use quipu_num::{
    Cast, FloatCmp, FloatFn, FloatOp, FloatUnary, FloatWidth, Guard, IntCmp, IntOp, IntUnary, Width, rank,
};
use std::hint::black_box;
use std::time::Instant;

/// How many different operands are measured, and how often.
const OPERANDS: usize = 256;
const ROUNDS: usize = 20;
const BATCHES: usize = 40;

/// How the operands are drawn.
#[derive(Clone, Copy)]
enum Kind {
    /// Short runs near zero, results mostly unknown: what propagation meets first.
    Small,
    /// Arcs of any length anywhere.
    Wide,
    /// Arcs with known bits.
    Bits,
}

fn main() {
    for (kind, name) in [(Kind::Small, "small"), (Kind::Wide, "wide"), (Kind::Bits, "bits")] {
        for w in [Width::W32, Width::W64] {
            println!("-- {name} domains, {} bits", w.bits());
            measure_operations(kind, w);
            measure_conditions(kind, w);
            measure_rest(kind, w);
        }
    }
    for (w, name) in [(FloatWidth::F32, "float"), (FloatWidth::F64, "double")] {
        println!("-- {name}, intervals of numbers, contracted as far as possible before");
        measure_floats(w, true);
        println!("-- {name}, intervals of numbers");
        measure_floats(w, false);
    }
}

fn measure_operations(kind: Kind, w: Width) {
    for (op, name) in IntOp::ALL {
        report(name, kind, w, |[x, y, z]| contract::binary(op, w, x, y, z).is_some());
    }
    for (op, name) in IntUnary::ALL {
        report(name, kind, w, |[x, _, z]| contract::unary(op, w, x, z).is_some());
    }
    report("mul by 12", kind, w, |[x, _, z]| {
        contract::binary(IntOp::Mul, w, x, Domain::singleton(w, 12), z).is_some()
    });
    report("udiv by 10", kind, w, |[x, _, z]| {
        contract::binary(IntOp::UDiv, w, x, Domain::singleton(w, 10), z).is_some()
    });
    report("shl by 3", kind, w, |[x, _, z]| {
        contract::binary(IntOp::Shl, w, x, Domain::singleton(w, 3), z).is_some()
    });
    report("and 255", kind, w, |[x, _, z]| {
        contract::binary(IntOp::And, w, x, Domain::singleton(w, 255), z).is_some()
    });
}

fn measure_conditions(kind: Kind, w: Width) {
    for (cmp, name) in IntCmp::ALL {
        report(&format!("{name} open"), kind, w, |[x, y, _]| {
            contract::compare(cmp, w, x, y, Domain::BOTH).is_some()
        });
        report(&format!("{name} true"), kind, w, |[x, y, _]| {
            contract::compare(cmp, w, x, y, Domain::TRUE).is_some()
        });
    }
    let guards = [
        ("addfits", Guard::AddFits(w)),
        ("mulfits", Guard::MulFits(w)),
        ("shlfits", Guard::ShlFits(w)),
        ("nonzero", Guard::NonZero(w)),
    ];
    for (name, g) in guards {
        report(&format!("{name} true"), kind, w, |[x, y, _]| {
            contract::guard(g, x, y, Domain::TRUE).is_some()
        });
    }
}

fn measure_rest(kind: Kind, w: Width) {
    let short = Width::W16;
    let cut = Domain::full(short);
    report("trunc", kind, w, |[x, _, _]| contract::cast(Cast::Trunc(w, short), x, cut).is_some());
    report("zext", kind, short, |[x, _, _]| {
        contract::cast(Cast::ZExt(short, w), x, Domain::full(w)).is_some()
    });
    report("sext", kind, short, |[x, _, _]| {
        contract::cast(Cast::SExt(short, w), x, Domain::full(w)).is_some()
    });
    report("select", kind, w, |[x, y, z]| contract::select(w, Domain::BOTH, x, y, z).is_some());
    report("sum of 2", kind, w, |[x, y, mut z]| contract::sum(w, &[4, w.mask()], 7, &mut [x, y], &mut z));
    report("sum of 4", kind, w, |[x, y, mut z]| {
        contract::sum(w, &[4, 1, w.mask(), 10], 7, &mut [x, y, x, y], &mut z)
    });
    report("element of 8", kind, w, |[x, y, mut z]| {
        let mut index = Domain::full(Width::W32);
        contract::element(Width::W32, w, &mut index, &mut [x, y, x, y, x, y, x, y], &mut z)
    });
}

fn measure_floats(w: FloatWidth, is_contracted: bool) {
    let mut functions = vec![("ffma", FloatFn::Fma)];
    functions.extend(FloatOp::ALL.map(|(op, name)| (name, FloatFn::Op(op))));
    functions.extend(FloatUnary::ALL.map(|(op, name)| (name, FloatFn::Unary(op))));
    functions.extend(FloatCmp::ALL.map(|(cmp, name)| (name, FloatFn::Compare(cmp))));
    for (name, function) in functions {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut operands = Vec::new();
        while operands.len() < OPERANDS {
            let mut domains: [Domain; 4] = std::array::from_fn(|_| random.numbers(w));
            if matches!(function, FloatFn::Compare(_)) {
                domains[2] = Domain::BOTH;
            }
            let mut left = domains;
            while contract::float(function, w, &mut left[..=function.arity()]) {
                if left == domains || !is_contracted {
                    operands.push(domains);
                    break;
                }
                domains = left;
            }
        }
        time(name, &operands, |mut domains| contract::float(function, w, &mut domains[..=function.arity()]));
    }
}

fn report(name: &str, kind: Kind, w: Width, contract: impl Fn([Domain; 3]) -> bool) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let operands: Vec<[Domain; 3]> = (0..OPERANDS)
        .map(|_| [random.domain(kind, w), random.domain(kind, w), random.result(kind, w)])
        .collect();
    time(name, &operands, contract);
}

fn time<const N: usize>(name: &str, operands: &[[Domain; N]], contract: impl Fn([Domain; N]) -> bool) {
    let mut possible = 0usize;
    let mut best = f64::INFINITY;
    // The best batch is the one that other work on the machine disturbed least.
    for _ in 0..BATCHES {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            possible = operands.iter().filter(|&&domains| contract(black_box(domains))).count();
        }
        best = best.min(start.elapsed().as_nanos() as f64 / (OPERANDS * ROUNDS) as f64);
    }
    println!("{name:14} {best:8.1} ns   {:3}% possible", possible * 100 / OPERANDS);
}

/// A small seeded generator (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn domain(&mut self, kind: Kind, w: Width) -> Domain {
        let wide =
            Interval::from_span(w, self.next(), w.wrap(self.next()) >> (self.next() % u64::from(w.bits())));
        match kind {
            Kind::Small => {
                let lo = (self.next() % 200).wrapping_sub(50);
                Domain::from_interval(w, Interval::from_span(w, lo, self.next() % 100))
            }
            Kind::Wide => Domain::from_interval(w, wide),
            Kind::Bits => {
                let mask = self.next() & self.next() & self.next();
                Domain::new(w, wide, Bits::masked(w.wrap(mask), wide.lo())).unwrap_or(Domain::full(w))
            }
        }
    }

    /// An interval of floats between -100 and 100, of any length.
    fn numbers(&mut self, w: FloatWidth) -> Domain {
        let mut value = || (self.next() % 2_000_001) as f64 / 1e4 - 100.0;
        let (a, b) = (value(), value());
        let (lo, hi) = (a.min(b), if self.next().is_multiple_of(2) { a.max(b) } else { a.min(b) + 0.1 });
        let code = |x: f64| match w {
            FloatWidth::F32 => rank(w, u64::from((x as f32).to_bits())),
            FloatWidth::F64 => rank(w, x.to_bits()),
        };
        Domain::from_interval(w.width(), Interval::new(w.width(), code(lo), code(hi)))
    }

    fn result(&mut self, kind: Kind, w: Width) -> Domain {
        if self.next().is_multiple_of(4) { self.domain(kind, w) } else { Domain::full(w) }
    }
}
