//! Relations of `quipu-num` with their contractors, and what is required of a contractor.

use super::{Random, members, set, width};
use quipu_domain::{Domain, contract};
use quipu_num::{Cast, Guard, IntCmp, IntOp, IntUnary, Width, int_cmp, int_op, int_unary};

/// A domain with its values.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub domain: Domain,
    pub values: u64,
}

/// Domains with their values.
pub fn known(w: Width, domains: Vec<Domain>) -> Vec<Known> {
    domains.into_iter().map(|domain| Known { domain, values: set(w, domain) }).collect()
}

/// A relation between two operands and a result, all of known widths, with its contractor.
pub struct Relation<'a> {
    pub name: String,
    pub widths: [Width; 3],
    pub value: &'a dyn Fn(u64, u64) -> u64,
    pub contract: &'a dyn Fn(Domain, Domain, Domain) -> Option<[Domain; 3]>,
}

impl Relation<'_> {
    /// The values of each operand and of the result that belong to a solution.
    pub fn solutions(&self, given: [Known; 3]) -> [u64; 3] {
        let mut left = [0u64; 3];
        for x in members(given[0].values) {
            for y in members(given[1].values) {
                let z = (self.value)(x, y);
                if given[2].values >> z & 1 == 1 {
                    left[0] |= 1 << x;
                    left[1] |= 1 << y;
                    left[2] |= 1 << z;
                }
            }
        }
        left
    }

    /// No solution is lost, nothing is added, and fixed values are decided.
    pub fn check(&self, given: [Known; 3]) {
        let wanted = self.solutions(given);
        let found = (self.contract)(given[0].domain, given[1].domain, given[2].domain);
        let fixed = given.iter().all(|g| g.values.count_ones() == 1);
        assert!(!fixed || found.is_some() == (wanted[0] != 0), "{} undecided {given:?}", self.name);
        let Some(found) = found else {
            assert_eq!(wanted[0], 0, "{} loses everything of {given:?}", self.name);
            return;
        };
        for n in 0..3 {
            let left = set(self.widths[n], found[n]);
            assert_eq!(
                wanted[n] & !left,
                0,
                "{} loses values of operand {n} of {given:?}: {found:?}",
                self.name
            );
            assert_eq!(
                left & !given[n].values,
                0,
                "{} adds values to operand {n} of {given:?}: {found:?}",
                self.name
            );
        }
    }

    /// Checks all triples of domains.
    pub fn check_all(&self, domains: [&[Known]; 3]) {
        for &x in domains[0] {
            for &y in domains[1] {
                for &z in domains[2] {
                    self.check([x, y, z]);
                }
            }
        }
    }

    /// Checks random triples of domains.
    pub fn check_some(&self, random: &mut Random, count: u32, domains: [&[Known]; 3]) {
        for _ in 0..count {
            self.check([random.pick(domains[0]), random.pick(domains[1]), random.pick(domains[2])]);
        }
    }

    /// A solution within random domains survives.
    pub fn check_solution(&self, random: &mut Random) {
        let [wx, wy, wz] = self.widths;
        let (x, y) = (random.domain(wx), random.domain(wy));
        let (a, b) = (random.member(wx, x), random.member(wy, y));
        let value = (self.value)(a, b);
        let z = random.around(wz, value);
        let given = [x, y, z];
        let found = (self.contract)(x, y, z);
        let Some(found) = found else { panic!("{} loses {a} {b} {value} of {given:?}", self.name) };
        for (n, v) in [a, b, value].into_iter().enumerate() {
            assert!(
                found[n].contains(self.widths[n], v),
                "{} loses {a} {b} {value} of {given:?}: {found:?}",
                self.name
            );
            assert!(
                found[n].is_subset(self.widths[n], given[n]),
                "{} adds to {n} of {given:?}: {found:?}",
                self.name
            );
        }
        let fixed = [a, b, value].into_iter().zip(self.widths).map(|(v, w)| Domain::singleton(w, v));
        let fixed: Vec<Domain> = fixed.collect();
        assert!(
            (self.contract)(fixed[0], fixed[1], fixed[2]).is_some(),
            "{} denies {a} {b} {value}",
            self.name
        );
    }
}

/// Calls `f` with every binary operation at a width.
pub fn for_operations(w: Width, mut f: impl FnMut(&Relation)) {
    for (op, name) in IntOp::ALL {
        f(&Relation {
            name: format!("{name} i{}", w.bits()),
            widths: [w; 3],
            value: &|a, b| int_op(op, w, a, b),
            contract: &|x, y, z| contract::binary(op, w, x, y, z),
        });
    }
}

/// Calls `f` with every relation that has a truth value as its result.
pub fn for_conditions(w: Width, mut f: impl FnMut(&Relation)) {
    for (cmp, name) in IntCmp::ALL {
        f(&Relation {
            name: format!("{name} i{}", w.bits()),
            widths: [w, w, Width::W1],
            value: &|a, b| u64::from(int_cmp(cmp, w, a, b)),
            contract: &|x, y, b| contract::compare(cmp, w, x, y, b),
        });
    }
    let shifted = [Width::W1, width(2), width(3), Width::W8, Width::W64];
    let in_range = shifted.map(|shifted| Guard::ShiftInRange { amount: w, shifted });
    let guards = [
        Guard::AddFits(w),
        Guard::SubFits(w),
        Guard::MulFits(w),
        Guard::NonZero(w),
        Guard::AnyBit(w),
        Guard::QuotientFits(w),
        Guard::ShlFits(w),
        Guard::IndexBelow(w),
        Guard::IndexAtMost(w),
    ];
    for g in guards.into_iter().chain(in_range) {
        f(&Relation {
            name: format!("{g:?}"),
            widths: [w, w, Width::W1],
            value: &|a, b| u64::from(g.holds((a, b))),
            contract: &|x, y, b| contract::guard(g, x, y, b),
        });
    }
}

/// Calls `f` with every relation of one operand, the second operand being a dummy of width 1.
pub fn for_unary(w: Width, targets: &[u32], mut f: impl FnMut(&Relation)) {
    for (op, name) in IntUnary::ALL {
        f(&Relation {
            name: format!("{name} i{}", w.bits()),
            widths: [w, Width::W1, w],
            value: &|a, _| int_unary(op, w, a),
            contract: &|x, y, z| contract::unary(op, w, x, z).map(|[x, z]| [x, y, z]),
        });
    }
    f(&Relation {
        name: format!("complement i{}", w.bits()),
        widths: [w, Width::W1, w],
        value: &|a, _| w.mask() - a,
        contract: &|x, y, z| contract::complement(w, x, z).map(|[x, z]| [x, y, z]),
    });
    for &bits in targets {
        let to = width(bits);
        let casts =
            if to < w { vec![Cast::Trunc(w, to)] } else { vec![Cast::ZExt(w, to), Cast::SExt(w, to)] };
        for c in casts {
            f(&Relation {
                name: format!("{c:?}"),
                widths: [w, Width::W1, to],
                value: &|a, _| quipu_num::cast(c, a),
                contract: &|x, y, z| contract::cast(c, x, z).map(|[x, z]| [x, y, z]),
            });
        }
    }
}
