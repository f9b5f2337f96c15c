//! From which points a run can avoid a target: reach the end of the program without meeting it.
//!
//! Calls and returns are matched: what a function does is summarised by two facts per point *p* of a function
//! *f*, whatever the context in which *f* runs:
//!
//! - `returns`: from *p*, control can come to a return of *f* without meeting the target;
//! - `halts`: from *p*, control can come to a halt in *f* or its callees without meeting the target.
//!
//! Both are least fixpoints of the obvious equations. A call can be passed if some callee `returns` from its
//! entry; then the facts of the point behind the call count as well.
//!
//! *Equivalence with inlining.* Let every call be replaced by a copy of its callee, without end for recursive
//! functions, and let *(c, p)* be the copy of *p* for the chain of calls *c*. A path from *(c, p)* to the end
//! either ends while the activation of *f* is still there, or has a first step out of it: a return. By
//! induction on the length of the path, the first kind exists iff `halts`, and a stretch up to that step iff
//! `returns`, because the stretches inside callees are shorter paths of the same form. So *(c, p)* can avoid
//! the target iff `halts` or (`returns` and the point to which *c* returns can): one bit per context. This is
//! the functional approach of Sharir and Pnueli, "Two approaches to interprocedural data flow analysis" (1981).
//! The cost is linear in the size of the program, and recursion needs no bound.

use quipu_base::IdVec;

use crate::icfg::{Icfg, Next, Point};

/// What a run can do from each point without meeting the target.
#[derive(Clone, Debug)]
pub struct Avoidance {
    facts: IdVec<Point, Facts>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Facts {
    returns: bool,
    halts: bool,
}

impl Avoidance {
    /// The ways to avoid a target, or just to come to an end.
    pub fn compute(icfg: &Icfg, target: Option<Point>) -> Avoidance {
        let mut avoidance = Avoidance { facts: IdVec::filled(Facts::default(), icfg.points.len()) };
        let mut work: Vec<Point> = Vec::new();
        for (point, data) in icfg.points.entries().filter(|&(point, _)| Some(point) != target) {
            let own = Facts { returns: data.next == Next::Return, halts: data.halts };
            if own != Facts::default() {
                avoidance.facts[point] = own;
                work.push(point);
            }
        }
        while let Some(point) = work.pop() {
            for &before in icfg.before(point).iter().filter(|&&before| Some(before) != target) {
                let gained = avoidance.gained(icfg, before, point);
                if gained != avoidance.facts[before] {
                    avoidance.facts[before] = gained;
                    work.push(before);
                }
            }
        }
        avoidance
    }

    /// Whether the target can be avoided from a point, in a context in which it can be avoided after a return
    /// from the point's function or not.
    pub fn avoids(&self, point: Point, after_return: bool) -> bool {
        self.facts[point].halts || self.returns(point) && after_return
    }

    /// Whether control can come from a point to a return of its function without meeting the target.
    pub fn returns(&self, point: Point) -> bool {
        self.facts[point].returns
    }

    /// The facts of `point`, now that those of `changed`, to which it leads, are stronger.
    fn gained(&self, icfg: &Icfg, point: Point, changed: Point) -> Facts {
        let Facts { returns, halts } = self.facts[point];
        match &icfg.points[point].next {
            Next::Goto(_) => {
                let target = self.facts[changed];
                Facts { returns: returns | target.returns, halts: halts | target.halts }
            }
            Next::Call { callees, skips, resume } => {
                let entries = || callees.iter().filter_map(|&callee| icfg.entry(callee));
                let passes = *skips || entries().any(|entry| self.returns(entry));
                let resumed = self.facts[*resume];
                Facts {
                    returns: returns | (passes && resumed.returns),
                    halts: halts | entries().any(|entry| self.facts[entry].halts) | (passes && resumed.halts),
                }
            }
            Next::Return => Facts { returns, halts },
        }
    }
}
