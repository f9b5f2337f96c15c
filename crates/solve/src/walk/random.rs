//! Random values of variables.

use quipu_base::Random;
use quipu_num::{FloatWidth, Width, rank_of};

use super::extract::Variable;

/// Exponents of floats that programs are about.
const USUAL_EXPONENTS: std::ops::RangeInclusive<i32> = -12..=30;

/// A value that a variable may have: every order of magnitude is as likely as any other.
pub(crate) fn value(random: &mut Random, variable: &Variable) -> u64 {
    let Variable { width, domain, .. } = *variable;
    let value = match variable.float {
        _ if random.chance(30) => {
            let span = domain.interval().span(width);
            let offset = if span == u64::MAX { random.number() } else { random.number() % (span + 1) };
            width.wrap(domain.lo().wrapping_add(offset))
        }
        Some(w) => float(random, w),
        None => integer(random, width),
    };
    if domain.contains(width, value) { value } else { domain.next(width, value) }
}

/// A float of a usual size, often with few digits.
fn float(random: &mut Random, w: FloatWidth) -> u64 {
    let (first, last) = (*USUAL_EXPONENTS.start(), *USUAL_EXPONENTS.end());
    let exponent = first + random.below((last - first + 1) as usize) as i32;
    let places = random.below(53) as u32;
    let fraction = (random.number() >> 12 >> (52 - places)) as f64 / (1u64 << places) as f64;
    let size = (1.0 + fraction) * 2.0f64.powi(exponent);
    rank_of(w, if random.chance(50) { size } else { -size })
}

fn integer(random: &mut Random, width: Width) -> u64 {
    let bits = random.below(width.bits() as usize + 1) as u32;
    let size = if bits == 0 { 0 } else { random.number() >> (64 - bits) };
    width.wrap(if random.chance(50) { size } else { size.wrapping_neg() })
}
