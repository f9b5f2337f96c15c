//! What an analysis found, as terms.

use quipu_domain::Domain;
use quipu_model::{Model, Term};
use quipu_num::{Cast, IntCmp, IntOp, Width};

use crate::analysis::Found;
use crate::congruence::Congruence;
use crate::octagon::{Bound, Literal, Octagon};
use crate::reader::bounds;
use crate::state::{State, note_domains};
use crate::turn::Dimension;

/// A bound that is a larger number is not worth telling if it is nearly as large as bounds of single numbers make it: it
/// is what remains of them after a few rounds of narrowing.
const LARGEST_PLAIN: i128 = 1 << 12;

/// What holds of the numbers that change, as truth values: of each on its own, then of two of them, or of one and a
/// fixed number. The first `heads` dimensions are those that change.
pub fn facts(model: &mut Model, found: &Found, heads: usize) -> Vec<Term> {
    let Found { dimensions, head, .. } = found;
    let mut facts = Vec::new();
    for (n, (dimension, &domain)) in dimensions.iter().zip(&head.domains).enumerate().take(heads) {
        facts.extend(of_domain(model, dimension, domain));
        facts.extend(of_congruence(model, dimension, head.congruences[n]));
    }
    let mut known = State::full(dimensions).octagon;
    note_domains(&mut known, dimensions, &head.domains);
    let known = known.closed().unwrap_or_else(|| head.octagon.clone());
    for bound in head.octagon.essential(&known) {
        let dims = [bound.a.dim(), bound.b.dim()];
        let told = known.sum(bound.a, bound.b);
        if bound.most.abs() > LARGEST_PLAIN && told - bound.most < LARGEST_PLAIN {
            continue;
        }
        if dims.iter().any(|&dim| dim < heads) && dims.iter().all(|&dim| !dimensions[dim].passing) {
            facts.extend(of_bound(model, dimensions, &head.octagon, bound));
        }
    }
    facts
}

/// Bounds as a reading has them, and known bits.
fn of_domain(model: &mut Model, dimension: &Dimension, domain: Domain) -> Vec<Term> {
    let Dimension { term, width, signed, .. } = *dimension;
    if let Some(value) = domain.is_singleton() {
        let value = model.constant_term(width, value);
        return vec![model.equal(term, value)];
    }
    let mut facts = Vec::new();
    let (least, most) = bounds(domain, width, signed);
    let (lowest, highest) = dimension.limits();
    let below = if signed { IntCmp::Sle } else { IntCmp::Ule };
    if least > lowest {
        let least = model.constant_term(width, least as u64);
        facts.push(model.compare(below, least, term));
    }
    if most < highest {
        let most = model.constant_term(width, most as u64);
        facts.push(model.compare(below, term, most));
    }
    let bits = domain.bits();
    let by_bounds = narrowed_bits(width, least, most);
    let known = bits.known() & !by_bounds;
    if known != 0 {
        let mask = model.constant_term(width, known);
        let masked = model.op(IntOp::And, term, mask);
        let ones = model.constant_term(width, bits.ones & known);
        facts.push(model.equal(masked, ones));
    }
    facts
}

/// A remainder, if bits do not tell it.
fn of_congruence(model: &mut Model, dimension: &Dimension, congruence: Congruence) -> Option<Term> {
    let Dimension { term, width, signed, .. } = *dimension;
    let (modulus, rest) = congruence.step()?;
    let largest = dimension.limits().1;
    if modulus.count_ones() == 1 || modulus > largest {
        return None;
    }
    let divisor = model.constant_term(width, modulus as u64);
    let remainder = model.op(if signed { IntOp::SRem } else { IntOp::URem }, term, divisor);
    // The remainder has the sign of the dividend.
    let rests = if signed && rest != 0 { vec![rest, rest - modulus] } else { vec![rest] };
    let mut ways = Vec::new();
    for rest in rests {
        let rest = model.constant_term(width, rest as u64);
        ways.push(model.equal(remainder, rest));
    }
    Some(model.any(ways))
}

/// The bits that bounds tell already.
fn narrowed_bits(width: Width, least: i128, most: i128) -> u64 {
    let arc = quipu_domain::Interval::new(width, width.wrap(least as u64), width.wrap(most as u64));
    Domain::from_interval(width, arc).bits().known()
}

/// A bound of a sum or difference, if it can be said.
fn of_bound(model: &mut Model, dimensions: &[Dimension], octagon: &Octagon, bound: Bound) -> Option<Term> {
    let Bound { a, b, most } = bound;
    match (a.is_negative(), b.is_negative()) {
        _ if a == b => {
            let (least, greatest) = octagon.range(a.dim());
            one_sided(model, &dimensions[a.dim()], least, greatest, a.is_negative())
        }
        (false, true) => difference(model, dimensions, octagon, (a, b), most),
        (true, false) => difference(model, dimensions, octagon, (b, a), most),
        (negative, _) => sum(model, dimensions, (a, b), most, negative),
    }
}

fn one_sided(model: &mut Model, dimension: &Dimension, least: i128, most: i128, lower: bool) -> Option<Term> {
    let Dimension { term, width, signed, .. } = *dimension;
    let below = if signed { IntCmp::Sle } else { IntCmp::Ule };
    let bound = model.constant_term(width, if lower { least } else { most } as u64);
    Some(if lower { model.compare(below, bound, term) } else { model.compare(below, term, bound) })
}

/// `x - y <= most`.
fn difference(
    model: &mut Model,
    dimensions: &[Dimension],
    octagon: &Octagon,
    (x, y): (Literal, Literal),
    most: i128,
) -> Option<Term> {
    let pair = [dimensions[x.dim()], dimensions[y.dim()]];
    let ranges = [octagon.range(x.dim()), octagon.range(y.dim())];
    let width = pair[0].width.max(pair[1].width);
    let signed = match (pair[0].signed, pair[1].signed) {
        (a, b) if a == b => a,
        // What is never negative is the same number in both readings, if it is not too large.
        _ if ranges.iter().all(|range| range.0 >= 0 && range.1 <= i128::from(width.max_signed())) => false,
        _ => return None,
    };
    let [x, y] = pair.map(|dimension| widened(model, dimension, width));
    let (at_most, below) = if signed { (IntCmp::Sle, IntCmp::Slt) } else { (IntCmp::Ule, IntCmp::Ult) };
    if most == 0 {
        return Some(model.compare(at_most, x, y));
    }
    if most == -1 {
        return Some(model.compare(below, x, y));
    }
    let distance = u64::try_from(most.abs()).ok().filter(|distance| *distance <= width.mask())?;
    let distance = model.constant_term(width, distance);
    // The difference of a larger and a smaller number does not wrap if it is read without a sign.
    Some(if most > 0 {
        let ordered = model.compare(at_most, x, y);
        let gap = model.op(IntOp::Sub, x, y);
        let short = model.compare(IntCmp::Ule, gap, distance);
        model.any([ordered, short])
    } else {
        let ordered = model.compare(below, x, y);
        let gap = model.op(IntOp::Sub, y, x);
        let long = model.compare(IntCmp::Ule, distance, gap);
        model.all([ordered, long])
    })
}

/// `x + y <= most`, or `-x - y <= most`, computed with bits to spare.
fn sum(
    model: &mut Model,
    dimensions: &[Dimension],
    (x, y): (Literal, Literal),
    most: i128,
    negative: bool,
) -> Option<Term> {
    let pair = [dimensions[x.dim()], dimensions[y.dim()]];
    let width = Width::new(pair[0].width.max(pair[1].width).bits() + 2)?;
    let [x, y] = pair.map(|dimension| widened(model, dimension, width));
    let sum = model.op(IntOp::Add, x, y);
    let bound = if negative { -most } else { most };
    let (least, greatest) = (width.signed(width.min_signed()), width.signed(width.max_signed()));
    let bound = i64::try_from(bound).ok().filter(|bound| (least..=greatest).contains(bound))?;
    let bound = model.constant_term(width, width.from_signed(bound));
    Some(if negative {
        model.compare(IntCmp::Sle, bound, sum)
    } else {
        model.compare(IntCmp::Sle, sum, bound)
    })
}

/// The number of a dimension, as it is read, in more bits.
fn widened(model: &mut Model, dimension: Dimension, width: Width) -> Term {
    let cast = match dimension.width == width {
        true => return dimension.term,
        false if dimension.signed => Cast::SExt(dimension.width, width),
        false => Cast::ZExt(dimension.width, width),
    };
    model.cast(cast, dimension.term)
}
