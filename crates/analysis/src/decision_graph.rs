//! The decisions that matter for reaching a point: COTTAGE's decision graph.
//!
//! The smallest part of the interprocedural control dependence graph that contains all paths from the root to
//! the point. Every point of that graph is reached from the root (see
//! [`interprocedural`](crate::interprocedural)), so it is what the point depends on, what that depends on, and
//! so forth. Dependences of a point on itself lead nowhere and are left out.

use std::collections::BTreeMap;

use crate::icfg::Point;
use crate::interprocedural::{InterproceduralDependence, PointControl};

/// The decision graph of a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionGraph {
    /// The point to be reached.
    pub target: Point,
    /// The points of the graph, each with what it depends on.
    pub controls: BTreeMap<Point, Vec<PointControl>>,
}

impl DecisionGraph {
    /// The decision graph of a point; the point alone if the start does not reach it.
    pub fn compute(dependence: &InterproceduralDependence, target: Point) -> DecisionGraph {
        let mut controls = BTreeMap::new();
        let mut work = vec![target];
        while let Some(point) = work.pop() {
            if controls.contains_key(&point) {
                continue;
            }
            let mut of_point = dependence.controls(point);
            of_point.retain(|control| control_point(control) != Some(point));
            work.extend(of_point.iter().filter_map(control_point));
            controls.insert(point, of_point);
        }
        DecisionGraph { target, controls }
    }

    /// Whether the choice at a point matters for reaching the target.
    pub fn contains(&self, point: Point) -> bool {
        self.controls.contains_key(&point)
    }
}

fn control_point(control: &PointControl) -> Option<Point> {
    match *control {
        PointControl::Root => None,
        PointControl::Way(point, _) => Some(point),
    }
}
