//! Steps in an order that does not depend on what C leaves open.
//!
//! Operands of most operators, and arguments of a call, are evaluated in any order (6.5p3), so that two right runs may
//! differ in the order of what one statement does. Between two starts of statements of one call, the steps and the
//! calls with all they contain are sorted. Only the closed part is kept: a statement during which the run was cut may
//! lack steps anywhere.

use quipu_base::Id;
use quipu_interp::Step;
use quipu_ir::{Func, Stmt};
use rustc_hash::FxHashSet;

/// The steps in the order of their statements; those of one statement sorted.
/// Statements inside statement expressions are parts of the statement around them.
pub(crate) fn sorted(steps: &[Step], inner: &FxHashSet<(Func, Stmt)>, whole: bool) -> Vec<Step> {
    let mut frames = vec![Frame::default()];
    for &step in steps {
        match step {
            Step::Enter(_) => frames.push(Frame { done: vec![step], open: Vec::new() }),
            Step::Leave(_) if frames.len() > 1 => {
                let mut call = frames.pop().expect("there is more than one frame");
                call.close();
                call.done.push(step);
                frames.last_mut().expect("one frame is left").open.push(call.done);
            }
            Step::Stmt(func, stmt) if !inner.contains(&(func, stmt)) => {
                let frame = frames.last_mut().expect("there is a frame");
                frame.close();
                frame.done.push(step);
            }
            _ => frames.last_mut().expect("there is a frame").open.push(vec![step]),
        }
    }
    if !whole {
        // The function under test is the first frame; calls inside it that are open lie in its open statement.
        frames.truncate(2);
        return frames.into_iter().flat_map(|frame| frame.done).collect();
    }
    frames.into_iter().flat_map(Frame::finish).collect()
}

/// A call under way: what is in order, and the parts of the statement that is executed.
#[derive(Default)]
struct Frame {
    done: Vec<Step>,
    open: Vec<Vec<Step>>,
}

impl Frame {
    fn close(&mut self) {
        let mut parts = std::mem::take(&mut self.open);
        parts.sort_by_cached_key(|part| part.iter().copied().map(key).collect::<Vec<_>>());
        self.done.extend(parts.into_iter().flatten());
    }

    fn finish(mut self) -> Vec<Step> {
        self.close();
        self.done
    }
}

fn key(step: Step) -> (u8, usize, usize, usize) {
    match step {
        Step::Enter(func) => (0, func.index(), 0, 0),
        Step::Leave(func) => (1, func.index(), 0, 0),
        Step::Stmt(func, stmt) => (2, func.index(), stmt.index(), 0),
        Step::Cond(func, cond, value, _) => (3, func.index(), cond.index(), usize::from(value)),
        Step::Switch(func, decision, arm) => (4, func.index(), decision.index(), arm),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quipu_ir::Cond;

    fn sorted(steps: &[Step], whole: bool) -> Vec<Step> {
        super::sorted(steps, &FxHashSet::default(), whole)
    }

    fn cond(n: usize) -> Step {
        Step::Cond(Func::new(0), Cond::new(n), true, None)
    }

    fn stmt(n: usize) -> Step {
        Step::Stmt(Func::new(0), Stmt::new(n))
    }

    fn call(inside: Step) -> [Step; 3] {
        [Step::Enter(Func::new(1)), inside, Step::Leave(Func::new(1))]
    }

    #[test]
    fn the_order_inside_a_statement_does_not_matter() {
        let start = [Step::Enter(Func::new(0)), stmt(0)];
        let a = [start.as_slice(), &call(cond(0)), &[cond(2)], &call(cond(1)), &[stmt(1)]].concat();
        let b = [start.as_slice(), &call(cond(1)), &call(cond(0)), &[cond(2), stmt(1)]].concat();
        assert_eq!(sorted(&a, true), sorted(&b, true));
        assert_eq!(sorted(&a, false), sorted(&b, false));
        let other = [start.as_slice(), &call(cond(1)), &call(cond(1)), &[cond(2), stmt(1)]].concat();
        assert_ne!(sorted(&a, true), sorted(&other, true));
    }

    #[test]
    fn the_order_of_statements_matters() {
        let start = Step::Enter(Func::new(0));
        assert_ne!(sorted(&[start, stmt(0), stmt(1)], true), sorted(&[start, stmt(1), stmt(0)], true));
    }
}
