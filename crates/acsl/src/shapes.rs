//! What preconditions say about pointers, in the words of `--shape`.

use crate::tree::{Binary, Expr, ExprKind, Logic};

/// The shapes that a precondition demands of parameters.
pub(crate) fn shapes(predicate: &Expr, is_parameter: &dyn Fn(&str) -> bool) -> Vec<(String, String)> {
    match &predicate.kind {
        ExprKind::Logic(Logic::And, left, right) => {
            let mut all = shapes(left, is_parameter);
            all.extend(shapes(right, is_parameter));
            all
        }
        ExprKind::Call(name, arguments) if matches!(name.as_str(), "\\valid" | "\\valid_read") => {
            arguments.iter().filter_map(|argument| shape(argument, is_parameter)).collect()
        }
        _ => Vec::new(),
    }
}

fn shape(argument: &Expr, is_parameter: &dyn Fn(&str) -> bool) -> Option<(String, String)> {
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
    let length = range.and_then(|to| length(to, is_parameter));
    let shape = length.map_or("nonnull".to_string(), |length| format!("array({length})"));
    Some((pointer.clone(), shape))
}

/// The number of elements up to the last one.
fn length(last: &Expr, is_parameter: &dyn Fn(&str) -> bool) -> Option<String> {
    match &last.kind {
        ExprKind::Int(last) if (0..1 << 16).contains(last) => Some((last + 1).to_string()),
        ExprKind::Binary(Binary::Sub, count, one) if one.kind == ExprKind::Int(1) => match &count.kind {
            ExprKind::Name(name) if is_parameter(name) => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
}
