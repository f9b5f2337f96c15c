//! Contractors of many operands against brute force: choice, conjunction, disjunction, sums and tables.

mod support;

use quipu_domain::{Domain, Interval, contract};
use quipu_num::Width;
use support::{Random, all_domains, members, set, width};

/// Checks what a contractor left of some domains: all solutions, and nothing that was not there.
fn check(name: &str, widths: &[Width], given: &[Domain], found: Option<&[Domain]>, wanted: &[u64]) {
    let fixed = given.iter().all(|d| d.is_singleton().is_some());
    assert!(!fixed || found.is_some() == (wanted[0] != 0), "{name} undecided {given:?}");
    let Some(found) = found else {
        assert_eq!(wanted[0], 0, "{name} loses everything of {given:?}");
        return;
    };
    for n in 0..given.len() {
        let (before, after) = (set(widths[n], given[n]), set(widths[n], found[n]));
        assert_eq!(wanted[n] & !after, 0, "{name} loses values of {n} of {given:?}: {found:?}");
        assert_eq!(after & !before, 0, "{name} adds values to {n} of {given:?}: {found:?}");
    }
}

/// The values of each operand that belong to a solution of a relation.
fn solutions(widths: &[Width], given: &[Domain], holds: &dyn Fn(&[u64]) -> bool) -> Vec<u64> {
    let mut left = vec![0; given.len()];
    let mut values = Vec::new();
    extend(widths, given, holds, &mut values, &mut left);
    left
}

fn extend(
    widths: &[Width],
    given: &[Domain],
    holds: &dyn Fn(&[u64]) -> bool,
    values: &mut Vec<u64>,
    left: &mut [u64],
) {
    let n = values.len();
    if n == given.len() {
        if holds(values) {
            values.iter().zip(left).for_each(|(&v, set)| *set |= 1 << v);
        }
        return;
    }
    for v in members(set(widths[n], given[n])) {
        values.push(v);
        extend(widths, given, holds, values, left);
        values.pop();
    }
}

#[test]
fn select_loses_no_solution_on_all_domains_of_two_bits_and_many_of_three() {
    let mut random = Random::new(5);
    let conditions = all_domains(Width::W1);
    for bits in 1..=3 {
        let w = width(bits);
        let domains = all_domains(w);
        let one = |c: Domain, x: Domain, y: Domain, z: Domain| {
            let widths = [Width::W1, w, w, w];
            let wanted = solutions(&widths, &[c, x, y, z], &|v| v[3] == if v[0] == 1 { v[1] } else { v[2] });
            let found = contract::select(w, c, x, y, z);
            check("select", &widths, &[c, x, y, z], found.as_ref().map(|f| &f[..]), &wanted);
        };
        for _ in 0..60_000 {
            one(
                random.pick(&conditions),
                random.pick(&domains),
                random.pick(&domains),
                random.pick(&domains),
            );
        }
    }
}

#[test]
fn conjunction_and_disjunction_are_exact() {
    let truths = [Domain::FALSE, Domain::TRUE, Domain::BOTH];
    for count in 0..=4u32 {
        for choice in 0..3usize.pow(count + 1) {
            let given: Vec<Domain> = (0..=count).map(|n| truths[choice / 3usize.pow(n) % 3]).collect();
            let widths = vec![Width::W1; given.len()];
            for conjunction in [true, false] {
                let holds = |v: &[u64]| {
                    let (z, items) = v.split_last().unwrap();
                    *z == u64::from(if conjunction {
                        items.iter().all(|&i| i == 1)
                    } else {
                        items.contains(&1)
                    })
                };
                let wanted = solutions(&widths, &given, &holds);
                let mut left = given.clone();
                let (z, items) = left.split_last_mut().unwrap();
                let possible = if conjunction { contract::all(items, z) } else { contract::any(items, z) };
                check("conjunction", &widths, &given, possible.then_some(&left), &wanted);
                let exact = left.iter().zip(&wanted).all(|(d, w)| set(Width::W1, *d) == *w);
                assert!(
                    if possible { exact } else { wanted[count as usize] == 0 },
                    "{given:?} gives {left:?}"
                );
            }
        }
    }
}

#[test]
fn sums_lose_no_solution_on_many_domains_of_small_widths() {
    let mut random = Random::new(6);
    for bits in 1..=4 {
        let w = width(bits);
        let domains = all_domains(w);
        for _ in 0..if bits < 4 { 30_000 } else { 8_000 } {
            let count = random.below(4) as usize;
            let coefficients: Vec<u64> = (0..count).map(|_| w.wrap(random.next())).collect();
            let constant = w.wrap(random.next());
            let given: Vec<Domain> = (0..=count).map(|_| random.pick(&domains)).collect();
            let widths = vec![w; count + 1];
            let holds = |v: &[u64]| {
                let total: u64 = coefficients.iter().zip(v).map(|(c, x)| c * x).sum();
                w.wrap(total + constant) == v[count]
            };
            let wanted = solutions(&widths, &given, &holds);
            let mut left = given.clone();
            let (z, items) = left.split_last_mut().unwrap();
            let possible = contract::sum(w, &coefficients, constant, items, z);
            let name = format!("sum i{bits} {coefficients:?} + {constant}");
            check(&name, &widths, &given, possible.then_some(&left), &wanted);
        }
    }
}

#[test]
fn sums_keep_random_solutions_at_large_widths() {
    let mut random = Random::new(8);
    for _ in 0..120_000 {
        let w = width(random.pick(&[5, 8, 16, 31, 32, 33, 63, 64]));
        let count = random.below(6) as usize;
        let coefficients: Vec<u64> = (0..count).map(|_| random.value(w)).collect();
        let constant = random.value(w);
        let items: Vec<Domain> = (0..count).map(|_| random.domain(w)).collect();
        let values: Vec<u64> = items.iter().map(|&d| random.member(w, d)).collect();
        let exact = coefficients.iter().zip(&values).map(|(&c, &x)| u128::from(c) * u128::from(x));
        let result = (exact.fold(u128::from(constant), u128::wrapping_add) & u128::from(w.mask())) as u64;
        let z = random.around(w, result);
        let (mut items_left, mut z_left) = (items.clone(), z);
        let possible = contract::sum(w, &coefficients, constant, &mut items_left, &mut z_left);
        let text = || format!("{coefficients:?} * {items:?} + {constant} = {z:?} with {values:?}, {result}");
        assert!(possible, "{}", text());
        assert!(z_left.contains(w, result) && z_left.is_subset(w, z), "{}", text());
        for n in 0..count {
            assert!(
                items_left[n].contains(w, values[n]) && items_left[n].is_subset(w, items[n]),
                "{}",
                text()
            );
        }
    }
}

#[test]
fn tables_lose_no_solution_on_many_small_domains() {
    let mut random = Random::new(9);
    for index_bits in 1..=3 {
        for bits in 1..=3 {
            let (iw, w) = (width(index_bits), width(bits));
            let (indices, domains) = (all_domains(iw), all_domains(w));
            for _ in 0..3_000 {
                let count = random.below(5) as usize;
                let mut given = vec![random.pick(&indices), random.pick(&domains)];
                given.extend((0..count).map(|_| random.pick(&domains)));
                let mut widths = vec![w; count + 2];
                widths[0] = iw;
                let holds = |v: &[u64]| v[1] == v[2..].get(v[0] as usize).copied().unwrap_or(0);
                let wanted = solutions(&widths, &given, &holds);
                let mut left = given.clone();
                let (head, items) = left.split_at_mut(2);
                let (index, z) = head.split_at_mut(1);
                let possible = contract::element(iw, w, &mut index[0], items, &mut z[0]);
                check("element", &widths, &given, possible.then_some(&left), &wanted);
            }
        }
    }
}

fn run(w: Width, lo: i64, hi: i64) -> Domain {
    Domain::from_interval(w, Interval::from_signed(w, lo, hi))
}

#[test]
fn a_linear_equation_without_wrapping_gets_the_classical_bounds() {
    // 3x + 5y = 17 with x and y from 0 to 10: x <= 17 / 3, then 5y >= 17 - 15 and y <= 17 / 5.
    let w = Width::W32;
    let (mut items, mut z) = ([run(w, 0, 10), run(w, 0, 10)], run(w, 17, 17));
    assert!(contract::sum(w, &[3, 5], 0, &mut items, &mut z));
    assert_eq!(items[0].signed_bounds(w), (0, 5));
    assert_eq!(items[1].signed_bounds(w), (1, 3));
}

#[test]
fn coefficients_are_signed() {
    // z = x - y with x in 0..5 and y in 0..3.
    let w = Width::W32;
    let (mut items, mut z) = ([run(w, 0, 5), run(w, 0, 3)], Domain::full(w));
    assert!(contract::sum(w, &[1, w.mask()], 0, &mut items, &mut z));
    assert_eq!(z.signed_bounds(w), (-3, 5));
    // 2x = 7 has no solution, 2x = 6 has two, whose low bits agree.
    assert!(!contract::sum(w, &[2], 0, &mut [Domain::full(w)], &mut run(w, 7, 7)));
    let mut x = [Domain::full(w)];
    assert!(contract::sum(w, &[2], 0, &mut x, &mut run(w, 6, 6)));
    assert_eq!(x[0].values(w).collect::<Vec<_>>(), [3, 0x8000_0003]);
}

#[test]
fn the_example_of_the_paper_on_modular_products_is_exact() {
    // X = 5, Y in 2..7, Z in 5..0 modulo 8 with Z = X * Y gives Y in 3..6 and Z in 6..7.
    let w = width(3);
    let (y, z) =
        (Domain::from_interval(w, Interval::new(w, 2, 7)), Domain::from_interval(w, Interval::new(w, 5, 0)));
    let [_, y, z] = contract::binary(quipu_num::IntOp::Mul, w, Domain::singleton(w, 5), y, z).unwrap();
    assert_eq!((y.lo(), y.hi(), z.lo(), z.hi()), (3, 6, 6, 7));
}
