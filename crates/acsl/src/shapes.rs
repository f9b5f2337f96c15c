//! What preconditions say about pointers, in the words of `--shape`.

use crate::Range;
use crate::tree::{Binary, Expr, ExprKind, Logic};

/// The shapes that a precondition demands of parameters. What is known about these bounds lengths.
pub(crate) fn shapes(
    predicate: &Expr,
    is_parameter: &dyn Fn(&str) -> bool,
    ranges: &[Range],
) -> Vec<(String, String)> {
    match &predicate.kind {
        ExprKind::Logic(Logic::And, left, right) => {
            let mut all = shapes(left, is_parameter, ranges);
            all.extend(shapes(right, is_parameter, ranges));
            all
        }
        ExprKind::Call(name, arguments) if matches!(name.as_str(), "\\valid" | "\\valid_read") => {
            arguments.iter().filter_map(|argument| shape(argument, is_parameter, ranges)).collect()
        }
        _ => Vec::new(),
    }
}

fn shape(argument: &Expr, is_parameter: &dyn Fn(&str) -> bool, ranges: &[Range]) -> Option<(String, String)> {
    let (base, range) = match &argument.kind {
        ExprKind::Binary(Binary::Add, base, index) => match &index.kind {
            ExprKind::Range(Some(from), Some(to)) if from.kind == ExprKind::Int(0) => (&**base, Some(to)),
            _ => return None,
        },
        _ => (argument, None),
    };
    let ExprKind::Name(pointer) = &base.kind else { return None };
    if !is_parameter(pointer) {
        return None;
    }
    let length = range.and_then(|to| length(to, is_parameter, ranges));
    let shape = length.map_or("valid".to_string(), |length| format!("array({length})"));
    Some((pointer.clone(), shape))
}

/// The number of elements up to the last one.
fn length(last: &Expr, is_parameter: &dyn Fn(&str) -> bool, ranges: &[Range]) -> Option<String> {
    match &last.kind {
        ExprKind::Int(last) if (0..1 << 16).contains(last) => Some((last + 1).to_string()),
        ExprKind::Binary(Binary::Sub, count, one) if one.kind == ExprKind::Int(1) => match &count.kind {
            ExprKind::Name(name) if is_parameter(name) => {
                let most = ranges.iter().find(|range| range.name == *name).map(|range| range.high);
                let bound = most.filter(|most| (1..1 << 16).contains(most));
                Some(bound.map_or(name.clone(), |most| format!("{name} <= {most}")))
            }
            _ => None,
        },
        _ => None,
    }
}
