//! What preconditions say about numbers, in the words of `--range`.

use quipu_ir::{Function, Ty};
use rustc_hash::FxHashMap;

use crate::Range;
use crate::tree::{Binary, Expr, ExprKind, Logic, Relation, Unary};

/// The macros that are integers.
type Macros = FxHashMap<String, i128>;

/// The ranges in which preconditions demand integer parameters to be. Nothing outside of them satisfies these. Where
/// nothing is left of a type, it is for others to say that.
pub(crate) fn ranges<'e>(
    predicates: impl Iterator<Item = &'e Expr>,
    function: &Function,
    macros: &Macros,
) -> Vec<Range> {
    let width = |name: &str| {
        let param = function.params.iter().find(|param| param.name.as_deref() == Some(name))?;
        param.ty.width().filter(|_| matches!(param.ty, Ty::Int(_)))
    };
    let mut found = Vec::new();
    predicates.for_each(|predicate| collect(predicate, &|name| width(name).is_some(), macros, &mut found));
    found.retain(|range| {
        let bits = width(&range.name).map_or(0, |width| width.bits());
        range.low <= range.high && range.low < 1 << bits && range.high >= -(1 << bits >> 1)
    });
    found
}

fn collect(predicate: &Expr, is_parameter: &dyn Fn(&str) -> bool, macros: &Macros, found: &mut Vec<Range>) {
    match &predicate.kind {
        ExprKind::Logic(Logic::And, left, right) => {
            collect(left, is_parameter, macros, found);
            collect(right, is_parameter, macros, found);
        }
        ExprKind::Compare(relations, operands) => {
            for (relation, pair) in relations.iter().zip(operands.windows(2)) {
                compare(*relation, (&pair[0], &pair[1]), is_parameter, macros, found);
            }
        }
        _ => {}
    }
}

fn compare(
    relation: Relation,
    (left, right): (&Expr, &Expr),
    is_parameter: &dyn Fn(&str) -> bool,
    macros: &Macros,
    found: &mut Vec<Range>,
) {
    let (name, constant, relation) =
        match (&left.kind, constant(left, macros), &right.kind, constant(right, macros)) {
            (ExprKind::Name(name), None, _, Some(constant)) => (name, constant, relation),
            (_, Some(constant), ExprKind::Name(name), None) => (name, constant, swapped(relation)),
            _ => return,
        };
    if !is_parameter(name) {
        return;
    }
    let range = match found.iter_mut().position(|range| range.name == *name) {
        Some(known) => &mut found[known],
        None => {
            found.push(Range { name: name.clone(), low: i64::MIN.into(), high: u64::MAX.into() });
            found.last_mut().expect("it was just added")
        }
    };
    match relation {
        Relation::Less => range.high = range.high.min(constant - 1),
        Relation::LessEqual => range.high = range.high.min(constant),
        Relation::Greater => range.low = range.low.max(constant + 1),
        Relation::GreaterEqual => range.low = range.low.max(constant),
        Relation::Equal => {
            range.low = range.low.max(constant);
            range.high = range.high.min(constant);
        }
        Relation::NotEqual => {}
    }
}

/// The value of an expression without variables.
fn constant(expr: &Expr, macros: &Macros) -> Option<i128> {
    let value = match &expr.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Name(name) => macros.get(name).copied(),
        ExprKind::Unary(Unary::Minus, inner) => constant(inner, macros)?.checked_neg(),
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (constant(left, macros)?, constant(right, macros)?);
            match op {
                Binary::Add => left.checked_add(right),
                Binary::Sub => left.checked_sub(right),
                Binary::Mul => left.checked_mul(right),
                _ => None,
            }
        }
        _ => None,
    };
    value.filter(|value| value.unsigned_abs() <= u64::MAX.into())
}

fn swapped(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::Greater,
        Relation::LessEqual => Relation::GreaterEqual,
        Relation::Greater => Relation::Less,
        Relation::GreaterEqual => Relation::LessEqual,
        Relation::Equal | Relation::NotEqual => relation,
    }
}
