//! Control dependence across calls.
//!
//! A halt in a callee makes what follows the call depend on the callee's decisions, and what a callee does
//! depends on the decisions around its calls; after Sinha, Harrold and Rothermel, "Interprocedural control
//! dependence" (TOSEM 2001), as used by COTTAGE. The definition is the one that reproduces COTTAGE's tables:
//!
//! - replace every call by a copy of its callee, so that calls and returns match;
//! - a point is *inevitable* from a node of that graph iff every path from there to the end of the program
//!   meets some copy of it, the node itself included;
//! - a point depends on the way `i` out of a point *X* iff, for some copy of *X* that the start reaches, it is
//!   inevitable from the `i`-th successor but not from all successors;
//! - the points that are inevitable from the start depend on the root.
//!
//! The copies are not made. By the equivalence explained in [`avoidance`](crate::avoidance), a copy matters
//! only through one bit: whether the target can be avoided after the return from its function. The values of
//! that bit that occur for a function are found by following the calls from the root. The cost is linear in
//! the size of the program for each target.
//!
//! Every point that the start reaches depends, possibly through other points, on the root: on a path to a copy
//! of it, look at the last node from which it is not inevitable. This node is another point, has a way out
//! that avoids the target, and comes earlier on the path.

use quipu_base::IdVec;
use quipu_ir::Func;

use crate::avoidance::Avoidance;
use crate::icfg::{Icfg, Next, Point};

/// What a point depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PointControl {
    /// The program being started.
    Root,
    /// A way out of a point: the index of an edge, or of a callee of a call through a pointer, behind which
    /// stand the functions without code.
    Way(Point, usize),
}

/// The interprocedural control dependences of a program, computed as they are asked for.
#[derive(Clone, Debug)]
pub struct InterproceduralDependence<'a> {
    icfg: &'a Icfg,
    reachable: IdVec<Point, bool>,
    /// The points of each function that end in a call, as far as the start reaches them.
    calls: IdVec<Func, Vec<Point>>,
    /// The points with several ways out, as far as the start reaches them.
    forks: Vec<Point>,
}

impl<'a> InterproceduralDependence<'a> {
    /// Prepares the dependences of a program.
    pub fn compute(icfg: &'a Icfg) -> InterproceduralDependence<'a> {
        let reachable = reachable(icfg);
        let reached = || icfg.points.entries().filter(|&(point, _)| reachable[point]);
        let mut calls = IdVec::<Func, Vec<Point>>::filled(Vec::new(), icfg.n_functions());
        for (point, data) in reached() {
            if matches!(data.next, Next::Call { .. }) {
                calls[data.place.func].push(point);
            }
        }
        let n_ways = |next: &Next| match next {
            Next::Goto(targets) => targets.len(),
            Next::Call { callees, skips, .. } => callees.len() + usize::from(*skips),
            Next::Return => 1,
        };
        let forks = reached()
            .filter(|(_, data)| n_ways(&data.next) + usize::from(data.halts) > 1)
            .map(|(point, _)| point)
            .collect();
        InterproceduralDependence { icfg, reachable, calls, forks }
    }

    /// The program.
    pub fn icfg(&self) -> &'a Icfg {
        self.icfg
    }

    /// Whether some path from the start leads to a point, as far as the graph can tell.
    pub fn is_reachable(&self, point: Point) -> bool {
        self.reachable[point]
    }

    /// What a point depends on, the root first; nothing for an unreachable point.
    pub fn controls(&self, target: Point) -> Vec<PointControl> {
        if !self.reachable[target] {
            return Vec::new();
        }
        let avoidance = Avoidance::compute(self.icfg, Some(target));
        let contexts = self.contexts(&avoidance);
        let root = (!avoidance.avoids(self.icfg.start(), true)).then_some(PointControl::Root);
        let mut controls: Vec<PointControl> = root.into_iter().collect();
        for &fork in &self.forks {
            let seen = contexts[self.icfg.points[fork].place.func];
            let mut decisive: Vec<usize> = [false, true]
                .into_iter()
                .filter(|&after_return| seen.contains(after_return))
                .flat_map(|after_return| self.decisive_ways(&avoidance, fork, after_return))
                .collect();
            decisive.sort_unstable();
            decisive.dedup();
            controls.extend(decisive.into_iter().map(|way| PointControl::Way(fork, way)));
        }
        controls
    }

    /// The ways out of a fork that make the target inevitable, if another one avoids it.
    fn decisive_ways(&self, avoidance: &Avoidance, fork: Point, after_return: bool) -> Vec<usize> {
        let avoiding = self.avoiding_ways(avoidance, fork, after_return);
        let some_avoids = self.icfg.points[fork].halts || avoiding.contains(&true);
        let decisive = avoiding.iter().enumerate().filter(|&(_, &avoids)| some_avoids && !avoids);
        decisive.map(|(way, _)| way).collect()
    }

    /// For each way out of a fork whether it can avoid the target.
    fn avoiding_ways(&self, avoidance: &Avoidance, fork: Point, after_return: bool) -> Vec<bool> {
        match &self.icfg.points[fork].next {
            Next::Goto(targets) => {
                targets.iter().map(|&target| avoidance.avoids(target, after_return)).collect()
            }
            Next::Call { callees, skips, resume } => {
                let resumed = avoidance.avoids(*resume, after_return);
                let entries = callees.iter().filter_map(|&callee| self.icfg.entry(callee));
                let into = entries.map(|entry| avoidance.avoids(entry, resumed));
                into.chain(skips.then_some(resumed)).collect()
            }
            Next::Return => vec![after_return],
        }
    }

    /// For each function whether the target can be avoided after its return: the answers that occur.
    fn contexts(&self, avoidance: &Avoidance) -> IdVec<Func, Contexts> {
        let mut contexts = IdVec::<Func, Contexts>::filled(Contexts::default(), self.calls.len());
        let mut work = vec![(self.icfg.root, true)];
        while let Some((func, after_return)) = work.pop() {
            if !contexts[func].insert(after_return) {
                continue;
            }
            for &call in &self.calls[func] {
                let Next::Call { callees, resume, .. } = &self.icfg.points[call].next else { continue };
                let resumed = avoidance.avoids(*resume, after_return);
                work.extend(callees.iter().map(|&callee| (callee, resumed)));
            }
        }
        contexts
    }
}

/// A set of truth values.
#[derive(Clone, Copy, Default)]
struct Contexts([bool; 2]);

impl Contexts {
    fn contains(self, after_return: bool) -> bool {
        self.0[usize::from(after_return)]
    }

    /// Adds a value; whether it is new.
    fn insert(&mut self, after_return: bool) -> bool {
        !std::mem::replace(&mut self.0[usize::from(after_return)], true)
    }
}

/// The points that the start reaches. A call is passed only if some callee can return.
fn reachable(icfg: &Icfg) -> IdVec<Point, bool> {
    let ends = Avoidance::compute(icfg, None);
    let mut reached = IdVec::filled(false, icfg.points.len());
    let mut work = vec![icfg.start()];
    while let Some(point) = work.pop() {
        if std::mem::replace(&mut reached[point], true) {
            continue;
        }
        match &icfg.points[point].next {
            Next::Goto(targets) => work.extend(targets),
            Next::Call { callees, skips, resume } => {
                let entries: Vec<Point> = callees.iter().filter_map(|&callee| icfg.entry(callee)).collect();
                if *skips || entries.iter().any(|&entry| ends.returns(entry)) {
                    work.push(*resume);
                }
                work.extend(entries);
            }
            Next::Return => {}
        }
    }
    reached
}
