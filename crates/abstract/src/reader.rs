//! Terms as linear forms over the dimensions, in mathematical integers: what wraps is not linear.

use quipu_domain::Domain;
use quipu_model::{Model, Node, Term};
use quipu_num::{Cast, IntOp, Width};

use crate::cone::{Cone, Domains};
use crate::linear::Linear;
use crate::octagon::Octagon;
use crate::paths::{Decisions, resolved};
use crate::turn::{Dimension, limits};

/// What is known while terms are read.
pub struct Reader<'a> {
    pub model: &'a Model,
    pub dimensions: &'a [Dimension],
    pub cone: &'a Cone,
    pub domains: &'a Domains,
    pub decisions: &'a Decisions,
}

/// Deeper terms are read as some number.
const DEEPEST: u32 = 24;

impl Reader<'_> {
    /// The value of a term, read as signed or not.
    pub fn linear(&self, octagon: &Octagon, term: Term, signed: bool) -> Linear {
        self.at_depth(octagon, term, signed, DEEPEST)
    }

    fn at_depth(&self, octagon: &Octagon, term: Term, signed: bool, depth: u32) -> Linear {
        let term = resolved(self.model, term, self.decisions);
        self.exact(octagon, term, signed, depth).unwrap_or_else(|| self.interval(term, signed))
    }

    /// Any number that the term may be.
    fn interval(&self, term: Term, signed: bool) -> Linear {
        let width = self.model.width(term);
        let (least, most) = bounds(self.cone.domain(self.domains, term), width, signed);
        Linear::between(least, most)
    }

    fn exact(&self, octagon: &Octagon, term: Term, signed: bool, depth: u32) -> Option<Linear> {
        let model = self.model;
        let width = model.width(term);
        if let Some(n) = self.dimensions.iter().position(|dimension| dimension.term == term) {
            return fitted(octagon, Linear::dimension(n), width, signed);
        }
        let depth = depth.checked_sub(1)?;
        let part = |inner: Term, signed: bool| self.at_depth(octagon, inner, signed, depth);
        let coefficient = |bits: u64| i128::from(width.signed(bits));
        let value = match model.node(term) {
            Node::Const(bits) => match signed {
                true => Linear::constant(i128::from(width.signed(*bits))),
                false => Linear::constant(i128::from(*bits)),
            },
            Node::Sum(constant, parts) => {
                let mut sum = Linear::constant(coefficient(*constant));
                for &(factor, inner) in parts {
                    sum = sum.plus(&part(inner, signed), coefficient(factor))?;
                }
                sum
            }
            Node::Op(IntOp::Add, a, b) => part(*a, signed).plus(&part(*b, signed), 1)?,
            Node::Op(IntOp::Sub, a, b) => part(*a, signed).plus(&part(*b, signed), -1)?,
            Node::Op(IntOp::Mul, a, b) => {
                let (inner, factor) = match (model.constant(*a), model.constant(*b)) {
                    (_, Some(factor)) => (*a, factor),
                    (Some(factor), _) => (*b, factor),
                    _ => return None,
                };
                Linear::constant(0).plus(&part(inner, signed), coefficient(factor))?
            }
            Node::Op(IntOp::Shl, a, b) => {
                let amount = model.constant(*b).filter(|&amount| amount < u64::from(width.bits()))?;
                Linear::constant(0).plus(&part(*a, signed), 1 << amount)?
            }
            Node::Op(op @ (IntOp::UDiv | IntOp::SDiv | IntOp::LShr | IntOp::AShr), a, b) => {
                let by = model.constant(*b)?;
                let by = match op {
                    IntOp::LShr | IntOp::AShr if by < u64::from(width.bits()) => 1 << by,
                    IntOp::LShr | IntOp::AShr => return None,
                    _ => {
                        i128::from(if *op == IntOp::SDiv { width.signed(by) } else { by.try_into().ok()? })
                    }
                };
                let dividend = part(*a, matches!(op, IntOp::SDiv | IntOp::AShr));
                // Quotients are rounded towards zero, which is down only for what is not negative.
                let down = *op != IntOp::SDiv || dividend.lower(octagon) >= 0;
                if by <= 0 || !down {
                    return None;
                }
                dividend.divided(by)?
            }
            Node::Not(a) if width != Width::W1 => Linear::constant(-1).plus(&part(*a, signed), -1)?,
            Node::Cast(Cast::ZExt(..), a) => part(*a, false),
            Node::Cast(Cast::SExt(..), a) => part(*a, true),
            Node::Cast(Cast::Trunc(..), a) => part(*a, signed),
            _ => return None,
        };
        fitted(octagon, value, width, signed)
    }
}

/// A number that is the term modulo its width, as the number that the term is. None if it may wrap in different ways.
fn fitted(octagon: &Octagon, value: Linear, width: Width, signed: bool) -> Option<Linear> {
    let (least, most) = limits(width, signed);
    let (low, high) = (value.lower(octagon), value.upper(octagon));
    let turns = (low - least).div_euclid(1 << width.bits());
    let shift = turns.checked_mul(1 << width.bits())?;
    (high.checked_sub(shift)? <= most).then(|| value.shifted(-shift))
}

/// The least and greatest value of a domain.
pub fn bounds(domain: Domain, width: Width, signed: bool) -> (i128, i128) {
    match signed {
        true => {
            let (least, most) = domain.signed_bounds(width);
            (i128::from(least), i128::from(most))
        }
        false => {
            let (least, most) = domain.unsigned_bounds(width);
            (i128::from(least), i128::from(most))
        }
    }
}
