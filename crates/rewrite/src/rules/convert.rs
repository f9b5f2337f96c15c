//! Conversions: between widths, one after the other becomes one.

use quipu_model::{Model, Node, Term};
use quipu_num::{Cast, Width};

pub(crate) fn convert(model: &mut Model, cast: Cast, a: Term) -> Term {
    match cast {
        Cast::Trunc(_, to) => truncate(model, a, to),
        Cast::ZExt(_, to) => extend(model, a, to, false),
        Cast::SExt(_, to) => extend(model, a, to, true),
        _ => super::float::convert(model, cast, a),
    }
}

fn truncate(model: &mut Model, a: Term, to: Width) -> Term {
    match *model.node(a) {
        Node::Cast(Cast::Trunc(..), x) => model.resize(x, to, false),
        Node::Cast(Cast::ZExt(from, _), x) if from <= to => extend(model, x, to, false),
        Node::Cast(Cast::SExt(from, _), x) if from <= to => extend(model, x, to, true),
        Node::Cast(Cast::ZExt(..) | Cast::SExt(..), x) => truncate(model, x, to),
        _ => model.resize(a, to, false),
    }
}

pub(super) fn extend(model: &mut Model, a: Term, to: Width, signed: bool) -> Term {
    match *model.node(a) {
        // A proper zero extension has a sign bit of 0.
        Node::Cast(Cast::ZExt(..), x) => model.resize(x, to, false),
        Node::Cast(Cast::SExt(..), x) if signed => model.resize(x, to, true),
        _ => model.resize(a, to, signed),
    }
}
