//! Numbers in the width of an equality: narrower ones extended, wider ones cut.
//!
//! What is added to a narrow number is added to what it is in more bits only if the narrow sum does not wrap. So
//! extended terms are read as integers, as octagons read them: a form that is exact is also right modulo 2^w, with each
//! number in it extended as it is read. Cutting needs no such care, as it commutes with sums and products.

use quipu_domain::Domain;
use quipu_model::{Model, Node, Term};
use quipu_num::{Cast, Guard, IntOp, Width};
use rustc_hash::FxHashSet;

use crate::image::Way;
use crate::octagon::Octagon;
use crate::paths::resolved;
use crate::polynomial::Polynomial;
use crate::reader::Reader;
use crate::turn::{Dimension, limits};

/// So many products in each other are looked into.
const DEEPEST: u32 = 4;

/// How terms of other widths are read on a way.
pub struct Extension<'a> {
    pub width: Width,
    /// For each dimension its integer modulo 2^w, as a term.
    numbers: &'a [Term],
    reader: Reader<'a>,
    octagon: &'a Octagon,
    /// Factors whose product is known to fit as a signed number.
    fitting: FxHashSet<(Term, Term)>,
}

impl<'a> Extension<'a> {
    pub fn new(
        model: &'a Model,
        dimensions: &'a [Dimension],
        numbers: &'a [Term],
        width: Width,
        way: &'a Way<'_>,
    ) -> Extension<'a> {
        let reader = way.reader(model, dimensions);
        let is_true = |term: Term| reader.cone.domain(reader.domains, term) == Domain::TRUE;
        let fitting = reader.cone.terms().iter().filter_map(|&term| match *model.node(term) {
            Node::Guard(Guard::MulFits(_), a, b) if is_true(term) => Some((a.min(b), a.max(b))),
            _ => None,
        });
        Extension { width, numbers, fitting: fitting.collect(), octagon: &way.octagon, reader }
    }

    /// The integer that a narrower term is, modulo 2^w; none if it may wrap in different ways.
    pub fn of(&self, term: Term, signed: bool) -> Option<Polynomial> {
        let is_known = self.reader.cone.contains(term);
        if is_known { self.at_depth(term, signed, DEEPEST) } else { None }
    }

    fn at_depth(&self, term: Term, signed: bool, depth: u32) -> Option<Polynomial> {
        let model = self.reader.model;
        let term = resolved(model, term, self.reader.decisions);
        let depth = depth.checked_sub(1)?;
        if let Some((parts, constant)) = self.reader.linear(self.octagon, term, signed).as_sum() {
            let parts = parts.iter().map(|&(dim, factor)| (vec![self.numbers[dim]], factor as u64));
            return Some(Polynomial::from_parts(self.width, parts.chain([(Vec::new(), constant as u64)])));
        }
        match *model.node(term) {
            Node::Op(IntOp::Mul, a, b) if self.product_fits(a, b, signed) => {
                self.at_depth(a, signed, depth)?.times(self.width, &self.at_depth(b, signed, depth)?)
            }
            Node::Cast(Cast::ZExt(..), a) => self.at_depth(a, false, depth),
            Node::Cast(Cast::SExt(..), a) if signed => self.at_depth(a, true, depth),
            _ => None,
        }
    }

    fn product_fits(&self, a: Term, b: Term, signed: bool) -> bool {
        let bounds = |factor: Term| {
            let form = self.reader.linear(self.octagon, factor, signed);
            [form.lower(self.octagon), form.upper(self.octagon)]
        };
        let (least, most) = limits(self.reader.model.width(a), signed);
        let products = bounds(a).into_iter().flat_map(|x| bounds(b).map(|y| x.checked_mul(y)));
        let is_within =
            |product: Option<i128>| product.is_some_and(|product| (least..=most).contains(&product));
        signed && self.fitting.contains(&(a.min(b), a.max(b))) || products.into_iter().all(is_within)
    }

    /// How a number is read, if it is a dimension.
    pub fn reading(&self, number: Term) -> Option<bool> {
        let dimension = self.reader.dimensions.iter().find(|dimension| dimension.term == number)?;
        Some(dimension.signed)
    }

    /// What is left of a wider number, if there is a term for that.
    pub fn cut(&self, number: Term) -> Option<Term> {
        let dim = self.reader.dimensions.iter().position(|dimension| dimension.term == number)?;
        (self.reader.dimensions[dim].width > self.width).then(|| self.numbers[dim])
    }
}

/// The bits of a dimension, or of a value of it, in some width.
pub fn in_width(model: &mut Model, dimension: &Dimension, value: Term, width: Width) -> Term {
    let cast = match dimension.width {
        own if own == width => return value,
        own if own > width => Cast::Trunc(own, width),
        own if dimension.signed => Cast::SExt(own, width),
        own => Cast::ZExt(own, width),
    };
    model.cast(cast, value)
}
