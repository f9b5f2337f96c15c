//! What is known of examples in the literature, by contractors alone.

use crate::contract::float;
use crate::domain::Domain;
use crate::interval::Interval;
use quipu_num::{FloatCmp, FloatFn, FloatOp, FloatWidth, number_ranks, rank, unrank};

const SINGLE: FloatWidth = FloatWidth::F32;
const DOUBLE: FloatWidth = FloatWidth::F64;

/// Constraints on floats of one format, of which each has a function and the places of its variables.
struct System {
    w: FloatWidth,
    domains: Vec<Domain>,
    constraints: Vec<(FloatFn, Vec<usize>)>,
}

impl System {
    fn new(w: FloatWidth) -> System {
        System { w, domains: Vec::new(), constraints: Vec::new() }
    }

    fn code(&self, value: f64) -> u64 {
        match self.w {
            SINGLE => rank(SINGLE, u64::from((value as f32).to_bits())),
            DOUBLE => rank(DOUBLE, value.to_bits()),
        }
    }

    fn add(&mut self, domain: Domain) -> usize {
        self.domains.push(domain);
        self.domains.len() - 1
    }

    fn constant(&mut self, value: f64) -> usize {
        let code = self.code(value);
        self.add(Domain::singleton(self.w.width(), code))
    }

    fn number(&mut self) -> usize {
        let (least, most) = number_ranks(self.w);
        self.add(Domain::from_interval(self.w.width(), Interval::new(self.w.width(), least, most)))
    }

    fn apply(&mut self, op: FloatOp, x: usize, y: usize) -> usize {
        let z = self.number();
        self.constraints.push((FloatFn::Op(op), vec![x, y, z]));
        z
    }

    fn require(&mut self, cmp: FloatCmp, x: usize, y: usize) {
        let truth = self.add(Domain::TRUE);
        self.constraints.push((FloatFn::Compare(cmp), vec![x, y, truth]));
    }

    /// Whether there may be a solution after all constraints were contracted until nothing changes.
    fn propagate(&mut self) -> bool {
        loop {
            let before = self.domains.clone();
            for (function, places) in &self.constraints {
                let mut domains: Vec<Domain> = places.iter().map(|&place| self.domains[place]).collect();
                if !float(*function, self.w, &mut domains) {
                    return false;
                }
                for (&place, domain) in places.iter().zip(domains) {
                    self.domains[place] = domain;
                }
            }
            if self.domains == before {
                return true;
            }
        }
    }

    fn bounds(&self, variable: usize) -> (f64, f64) {
        let value = |code: u64| match self.w {
            SINGLE => f64::from(f32::from_bits(unrank(SINGLE, code) as u32)),
            DOUBLE => f64::from_bits(unrank(DOUBLE, code)),
        };
        (value(self.domains[variable].lo()), value(self.domains[variable].hi()))
    }
}

/// `x > 0 && x + 1e12 == 1e12`: impossible over the reals.
fn absorbed(w: FloatWidth) -> (f64, f64) {
    let mut system = System::new(w);
    let (x, zero, y) = (system.number(), system.constant(0.0), system.constant(1.0e12));
    system.require(FloatCmp::Lt, zero, x);
    let z = system.apply(FloatOp::Add, x, y);
    system.require(FloatCmp::Eq, z, y);
    assert!(system.propagate());
    system.bounds(x)
}

#[test]
fn absorbed_summands_are_bounded_exactly() {
    assert_eq!(absorbed(SINGLE), (f64::from(f32::from_bits(1)), 32767.998046875));
    assert_eq!(absorbed(DOUBLE), (f64::from_bits(1), 2.0f64.powi(-14)));
}

/// `x < 10000 && x + 1e12 > 1e12`: possible over the reals.
fn not_absorbed(w: FloatWidth) -> Option<(f64, f64)> {
    let mut system = System::new(w);
    let (x, limit, y) = (system.number(), system.constant(10_000.0), system.constant(1.0e12));
    system.require(FloatCmp::Lt, x, limit);
    let z = system.apply(FloatOp::Add, x, y);
    system.require(FloatCmp::Lt, y, z);
    system.propagate().then(|| system.bounds(x))
}

#[test]
fn a_summand_that_is_always_absorbed_is_found_out() {
    assert_eq!(not_absorbed(SINGLE), None);
    // 2^-14 is half a step, and the tie goes to 1e12, which is even.
    assert_eq!(not_absorbed(DOUBLE), Some((2.0f64.powi(-14).next_up(), 10_000.0f64.next_down())));
}

/// The discriminant `3.34 * 3.34 - 4 * (1.22 * c)`, forwards and backwards.
#[test]
fn a_discriminant_is_solved_for_a_coefficient() {
    for (w, c, expected) in
        [(SINGLE, f64::from(2.28f32), 0.029199600219726562), (DOUBLE, 2.28, 0.029200000000001225)]
    {
        let discriminant = |c: Option<f64>, d: Option<f64>| {
            let mut system = System::new(w);
            let (a, b, four) = (system.constant(1.22), system.constant(3.34), system.constant(4.0));
            let c = c.map(|c| system.constant(c)).unwrap_or_else(|| system.number());
            let square = system.apply(FloatOp::Mul, b, b);
            let product = system.apply(FloatOp::Mul, a, c);
            let product = system.apply(FloatOp::Mul, four, product);
            let result = system.apply(FloatOp::Sub, square, product);
            if let Some(d) = d {
                let d = system.constant(d);
                system.require(FloatCmp::Eq, result, d);
            }
            assert!(system.propagate());
            (system.bounds(c), system.bounds(result))
        };
        assert_eq!(discriminant(Some(c), None).1, (expected, expected));
        let ((lo, hi), _) = discriminant(None, Some(0.0));
        let (solution, step) = match w {
            SINGLE => (2.2859835624694824, 2.0f64.powi(-22)),
            DOUBLE => (2.285983606557377, 2.0f64.powi(-51)),
        };
        assert!(lo <= solution && solution <= hi && hi - lo <= 2.0 * step, "{lo} {hi}");
    }
}

/// `0 < x - y <= 1` bounds both, since floats are too sparse beyond some size to be that near each other.
#[test]
fn a_small_difference_bounds_its_operands() {
    for (w, limit) in [(SINGLE, 2.0f64.powi(24)), (DOUBLE, 2.0f64.powi(53))] {
        let mut system = System::new(w);
        let (x, y, zero, one) =
            (system.number(), system.number(), system.constant(0.0), system.constant(1.0));
        let z = system.apply(FloatOp::Sub, x, y);
        system.require(FloatCmp::Lt, zero, z);
        system.require(FloatCmp::Le, z, one);
        assert!(system.propagate());
        assert_eq!(system.bounds(x), (1.0 - limit, limit));
        assert_eq!(system.bounds(y), (-limit, limit - 1.0));
    }
}
