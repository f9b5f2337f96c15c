//! Arcs, bits and their product against sets of values, exhaustively at small widths.

mod support;

use quipu_domain::{Bits, Domain, Interval};
use quipu_num::Width;
use support::{Random, all_arcs, all_bits, all_domains, arc_set, members, set, width};

/// The smallest number of values of an arc that holds a set.
fn hull_size(w: Width, wanted: u64) -> u32 {
    all_arcs(w)
        .into_iter()
        .map(|a| arc_set(w, a))
        .filter(|s| wanted & !s == 0)
        .map(u64::count_ones)
        .min()
        .unwrap()
}

#[test]
fn an_arc_knows_its_values() {
    for bits in 1..=4 {
        let w = width(bits);
        for arc in all_arcs(w) {
            let values = arc_set(w, arc);
            assert_eq!(arc.span(w) + 1, u64::from(values.count_ones()));
            assert_eq!(arc.is_full(w), values == (1 << (w.mask() + 1)) - 1);
            assert_eq!(arc.is_singleton().is_some(), values.count_ones() == 1);
            for v in 0..=w.mask() {
                assert_eq!(arc.contains(w, v), values >> v & 1 == 1);
            }
            let rest = ((1 << (w.mask() + 1)) - 1) & !values;
            assert_eq!(arc.complement(w).map_or(0, |c| arc_set(w, c)), rest);
        }
    }
}

#[test]
fn bounds_are_the_extremes_of_both_orders() {
    for bits in 1..=4 {
        let w = width(bits);
        for arc in all_arcs(w) {
            let signed = || members(arc_set(w, arc)).map(|v| w.signed(v));
            let (lo, hi) = arc.unsigned_bounds(w);
            assert_eq!(
                (Some(lo), Some(hi)),
                (members(arc_set(w, arc)).min(), members(arc_set(w, arc)).max())
            );
            let (lo, hi) = arc.signed_bounds(w);
            assert_eq!((Some(lo), Some(hi)), (signed().min(), signed().max()));
            assert_eq!(arc_set(w, Interval::from_signed(w, lo, hi)).count_ones() as i64, hi - lo + 1);
        }
    }
}

#[test]
fn narrow_is_the_smallest_part_with_all_common_values() {
    for bits in 1..=4 {
        let w = width(bits);
        let arcs = all_arcs(w);
        for &a in &arcs {
            for &b in &arcs {
                let common = arc_set(w, a) & arc_set(w, b);
                let Some(narrowed) = a.narrow(w, b) else {
                    assert_eq!(common, 0, "{a:?} {b:?}");
                    continue;
                };
                let parts =
                    arcs.iter().filter(|c| a.is_full(w) || sub_arc(w, **c, a)).map(|c| arc_set(w, *c));
                let best = parts.filter(|s| common & !s == 0).map(u64::count_ones).min();
                assert!(a.is_full(w) || sub_arc(w, narrowed, a), "{a:?} {b:?}");
                assert!(common != 0 && common & !arc_set(w, narrowed) == 0, "{a:?} {b:?}");
                assert_eq!(Some(arc_set(w, narrowed).count_ones()), best, "{a:?} {b:?}");
            }
        }
    }
}

/// Whether the walk along `part` is a part of the walk along `whole`.
fn sub_arc(w: Width, part: Interval, whole: Interval) -> bool {
    let steps = |v: u64| v.wrapping_sub(whole.lo()) & w.mask();
    arc_set(w, part) & !arc_set(w, whole) == 0 && steps(part.lo()) <= steps(part.hi())
}

#[test]
fn hulls_of_two_arcs_are_smallest_and_prefer_unsigned_runs() {
    for bits in 1..=4 {
        let w = width(bits);
        let arcs = all_arcs(w);
        for &a in &arcs {
            for &b in &arcs {
                let (x, y) = (arc_set(w, a), arc_set(w, b));
                assert_eq!(a.is_subset(w, b), x & !y == 0, "{a:?} {b:?}");
                check_hull(w, &arcs, x | y, Some(a.join(w, b)));
                check_hull(w, &arcs, x & y, a.meet_hull(w, b));
            }
        }
    }
}

fn check_hull(w: Width, arcs: &[Interval], wanted: u64, found: Option<Interval>) {
    let Some(found) = found else {
        assert_eq!(wanted, 0);
        return;
    };
    let size = hull_size(w, wanted);
    assert!(wanted != 0 && wanted & !arc_set(w, found) == 0);
    assert_eq!(arc_set(w, found).count_ones(), size);
    let equal = |a: &&Interval| arc_set(w, **a).count_ones() == size && wanted & !arc_set(w, **a) == 0;
    let proper = arcs.iter().filter(equal).any(|a| a.lo() <= a.hi());
    assert_eq!(found.lo() <= found.hi(), proper, "{found:?} for {wanted:b}");
}

#[test]
fn sums_differences_and_negations_of_arcs_are_exact() {
    for bits in 1..=4 {
        let w = width(bits);
        for a in all_arcs(w) {
            let image =
                |f: &dyn Fn(u64) -> u64| members(arc_set(w, a)).fold(0u64, |s, v| s | 1 << (f(v) & w.mask()));
            assert_eq!(arc_set(w, a.negate(w)), image(&|v| v.wrapping_neg()));
            assert_eq!(arc_set(w, a.flip(w)), image(&|v| !v));
            for b in all_arcs(w) {
                let pairs = |f: &dyn Fn(u64, u64) -> u64| {
                    members(arc_set(w, b)).fold(0, |s, u| s | image(&|v| f(v, u)))
                };
                assert_eq!(arc_set(w, a.add(w, b)), pairs(&|v, u| v + u));
                assert_eq!(arc_set(w, a.sub(w, b)), pairs(&|v, u| v.wrapping_sub(u)));
            }
        }
    }
}

#[test]
fn stepping_by_bits_finds_the_nearest_value() {
    for bits in 1..=5 {
        let w = width(bits);
        for b in all_bits(w) {
            for v in 0..=w.mask() {
                let up = (0..=w.mask()).map(|d| (v + d) & w.mask()).find(|&u| b.contains(u));
                let down = (0..=w.mask()).map(|d| v.wrapping_sub(d) & w.mask()).find(|&u| b.contains(u));
                assert_eq!((Some(b.next(w, v)), Some(b.previous(w, v))), (up, down), "{b:?} {v}");
            }
        }
    }
}

#[test]
fn bits_of_sums_and_differences_are_exact() {
    for bits in 1..=3 {
        let w = width(bits);
        let values = |b: Bits| (0..=w.mask()).filter(move |&v| b.contains(v));
        for a in all_bits(w) {
            for b in all_bits(w) {
                let known = |f: &dyn Fn(u64, u64) -> u64| {
                    let all = || values(a).flat_map(|x| values(b).map(move |y| f(x, y) & w.mask()));
                    Bits {
                        zeros: w.mask() & !all().fold(0, |s, v| s | v),
                        ones: all().fold(w.mask(), |s, v| s & v),
                    }
                };
                assert_eq!(a.add(w, b, 0), known(&|x, y| x + y));
                assert_eq!(a.sub(w, b), known(&|x, y| x.wrapping_sub(y)));
            }
        }
    }
}

#[test]
fn reduction_is_exact_and_a_set_has_one_form() {
    for bits in 1..=4 {
        let w = width(bits);
        let mut forms = std::collections::BTreeMap::new();
        for arc in all_arcs(w) {
            for b in all_bits(w) {
                let wanted =
                    members(arc_set(w, arc)).filter(|&v| b.contains(v)).fold(0u64, |s, v| s | 1 << v);
                let Some(domain) = Domain::new(w, arc, b) else {
                    assert_eq!(wanted, 0, "{arc:?} {b:?}");
                    continue;
                };
                assert_eq!(set(w, domain), wanted, "{arc:?} {b:?}");
                assert_eq!(*forms.entry(wanted).or_insert(domain), domain, "two forms of {wanted:b}");
                check_facts(w, domain, wanted);
            }
        }
    }
}

/// Everything a domain says about itself, against its set of values.
fn check_facts(w: Width, domain: Domain, values: u64) {
    let ones = members(values).fold(w.mask(), |s, v| s & v);
    let zeros = w.mask() & !members(values).fold(0, |s, v| s | v);
    assert_eq!(domain.bits(), Bits { zeros, ones }, "all common bits are known");
    assert!(values >> domain.lo() & 1 == 1 && values >> domain.hi() & 1 == 1, "the ends are values");
    assert_eq!(values & !arc_set(w, domain.hull(w)), 0, "the hull holds all values");
    assert_eq!(domain.is_singleton(), (values.count_ones() == 1).then(|| values.trailing_zeros().into()));
    assert!(domain.span(w) + 1 >= u64::from(values.count_ones()));
    assert_eq!(domain.values(w).fold(0u64, |s, v| s | 1 << v), values);
    assert_eq!(domain.values(w).count(), values.count_ones() as usize);
    let signed = || members(values).map(|v| w.signed(v));
    assert_eq!(Some(domain.min_unsigned(w)), members(values).min());
    assert_eq!(Some(domain.max_unsigned(w)), members(values).max());
    assert_eq!((Some(domain.min_signed(w)), Some(domain.max_signed(w))), (signed().min(), signed().max()));
    for v in 0..=w.mask() {
        assert_eq!(domain.contains(w, v), values >> v & 1 == 1);
        let first = (0..=w.mask()).map(|d| (v + d) & w.mask()).find(|u| values >> u & 1 == 1);
        assert_eq!(Some(domain.next(w, v)), first);
        let rest = domain.without(w, v).map_or(0, |d| set(w, d));
        assert!(rest & !values == 0 && values & !rest & !(1 << v) == 0, "{domain:?} without {v}");
    }
    assert_eq!(set(w, domain.flip(w)), members(values).fold(0, |s, v| s | 1 << (!v & w.mask())));
    let negated = members(values).fold(0, |s, v| s | 1 << (v.wrapping_neg() & w.mask()));
    assert_eq!(negated & !set(w, domain.negate(w)), 0);
}

#[test]
fn meet_and_join_bound_intersection_and_union() {
    for bits in 1..=3 {
        let w = width(bits);
        let domains = all_domains(w);
        for &a in &domains {
            for &b in &domains {
                let (x, y) = (set(w, a), set(w, b));
                assert_eq!(a.is_subset(w, b), x & !y == 0, "{a:?} {b:?}");
                assert_eq!((x | y) & !set(w, a.join(w, b)), 0, "{a:?} {b:?}");
                let Some(met) = a.meet(w, b) else {
                    assert_eq!(x & y, 0, "{a:?} {b:?}");
                    continue;
                };
                let found = set(w, met);
                assert!(x & y != 0 && x & y & !found == 0 && found & !x == 0, "{a:?} {b:?}");
                assert!((x & y) >> met.lo() & 1 == 1 && (x & y) >> met.hi() & 1 == 1, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn joins_within_a_domain_stay_in_it() {
    for bits in 1..=3 {
        let w = width(bits);
        let domains = all_domains(w);
        for &whole in &domains {
            let parts: Vec<Domain> = domains.iter().filter_map(|&d| whole.meet(w, d)).collect();
            for &a in &parts {
                for &b in parts.iter().step_by(3) {
                    let joined = set(w, whole.join_within(w, a, b));
                    assert_eq!((set(w, a) | set(w, b)) & !joined, 0, "{whole:?} {a:?} {b:?}");
                    assert_eq!(joined & !set(w, whole), 0, "{whole:?} {a:?} {b:?}");
                }
            }
        }
    }
}

#[test]
fn a_domain_takes_32_bytes() {
    assert_eq!(size_of::<Domain>(), 32);
}

#[test]
fn a_missing_value_does_not_fix_the_order_of_a_full_circle() {
    let w = Width::W32;
    let nonzero = Domain::full(w).without(w, 0).unwrap();
    let small = nonzero.narrow(w, Interval::from_signed(w, -10, 10)).unwrap();
    assert_eq!(small.signed_bounds(w), (-10, 10));
    let from_zero = Domain::from_interval(w, Interval::new(w, 0, 10)).without(w, 0).unwrap();
    assert_eq!(from_zero.unsigned_bounds(w), (1, 10));
}

#[test]
fn a_bound_on_an_arc_with_a_small_gap_is_kept_by_its_bits() {
    let w = Width::W32;
    let other_than_five = Domain::from_interval(w, Interval::new(w, 6, 4));
    let small = other_than_five.narrow(w, Interval::new(w, 0, 10)).unwrap();
    assert_eq!(small.unsigned_bounds(w), (0, 15));
    assert!(!small.contains(w, 5));
    assert_eq!(small.hull(w), Interval::new(w, 0, 15));
}

#[test]
fn random_domains_keep_common_values_at_large_widths() {
    let mut random = Random::new(7);
    for _ in 0..60_000 {
        let w = width(random.pick(&[5, 8, 16, 31, 32, 33, 63, 64]));
        let value = random.value(w);
        let (a, b) = (random.around(w, value), random.around(w, value));
        let met = a.meet(w, b).expect("a common value");
        assert!(met.contains(w, value) && met.is_subset(w, a) && a.join(w, b).contains(w, value));
        assert!(a.is_subset(w, a.join(w, b)) && b.is_subset(w, a.join(w, b)));
        let other = random.domain(w);
        let joined = a.join(w, other);
        assert!(a.is_subset(w, joined) && other.is_subset(w, joined));
        assert_eq!(a.meet(w, other).is_none(), other.meet(w, a).is_none());
        let v = random.member(w, a);
        assert!(a.contains(w, v) && a.flip(w).contains(w, w.wrap(!v)));
        assert!(a.negate(w).contains(w, w.wrap(v.wrapping_neg())));
    }
}
