//! Conversions of formats of a few bits.

use super::super::convert;
use super::brute::Relation;
use super::tiny::Tiny;
use super::{Format, Random};
use crate::domain::Domain;
use quipu_num::{Cast, FloatWidth, Guard, Width, cast};

fn width(bits: u32) -> Width {
    Width::new(bits).expect("a test width should be valid")
}

fn store(domains: &mut [Domain], left: Option<[Domain; 2]>) -> bool {
    left.map(|left| domains.copy_from_slice(&left)).is_some()
}

type Contractor<'a> = &'a dyn Fn(Domain, Domain) -> Option<[Domain; 2]>;

/// Checks a conversion on random domains.
fn check(name: &str, widths: [Width; 2], value: impl Fn(u64) -> u64, contractor: Contractor) {
    let mut random = Random(7);
    let relation = Relation::new(name.to_string(), &widths, |values| value(values[0]));
    let contract = |domains: &mut [Domain]| store(domains, contractor(domains[0], domains[1]));
    for _ in 0..3_000 {
        relation.check(&[random.domain(widths[0]), random.domain(widths[1])], contract);
    }
}

fn check_integers<F: Format>(bits: u32) {
    let to = width(bits);
    for is_signed in [false, true] {
        let kind = if is_signed { "signed" } else { "unsigned" };
        let truncated = match is_signed {
            true => Cast::FloatToSigned(FloatWidth::F64, to),
            false => Cast::FloatToUnsigned(FloatWidth::F64, to),
        };
        let to_integer = |rank: u64| cast(truncated, F::value(rank).to_bits());
        check(&format!("float to {kind} {bits}"), [F::WIDTH, to], to_integer, &|x, z| {
            convert::to_integer::<F>(to, is_signed, x, z)
        });
        let from_integer = |value: u64| F::of_integer(is_signed, to, value);
        check(&format!("{kind} {bits} to float"), [to, F::WIDTH], from_integer, &|x, z| {
            convert::from_integer::<F>(to, is_signed, x, z)
        });
        let guard = Guard::FloatFits { from: FloatWidth::F64, to, signed: is_signed };
        let fits = |rank: u64| u64::from(guard.holds((F::value(rank).to_bits(), 0)));
        check(&format!("float fits {kind} {bits}"), [F::WIDTH, Width::W1], fits, &|x, b| {
            convert::fits::<F>(to, is_signed, x, b)
        });
    }
}

fn check_formats<F: Format, G: Format>() {
    let name = format!("{}+{} to {}+{} bits", F::EXPONENT, F::FRACTION, G::EXPONENT, G::FRACTION);
    let value = |rank: u64| G::nearest(F::value(rank));
    check(&name, [F::WIDTH, G::WIDTH], value, &|x, z| convert::to_format::<F, G>(x, z));
}

#[test]
fn integers_lose_nothing() {
    for bits in 1..=6 {
        check_integers::<Tiny<3, 2>>(bits);
        check_integers::<Tiny<4, 1>>(bits);
        check_integers::<Tiny<2, 3>>(bits);
    }
}

#[test]
fn formats_lose_nothing() {
    check_formats::<Tiny<2, 1>, Tiny<3, 2>>();
    check_formats::<Tiny<3, 2>, Tiny<2, 1>>();
    check_formats::<Tiny<3, 2>, Tiny<4, 1>>();
    check_formats::<Tiny<4, 1>, Tiny<2, 2>>();
}
