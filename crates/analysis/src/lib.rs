//! What can be said about a program by looking at its graphs: dominance, dependence, loops, calls.
//!
//! Each analysis is a function from the program (or from other analyses) to a table; none changes anything.

mod avoidance;
mod call_graph;
mod control_dependence;
mod decision_graph;
pub mod dot;
mod exits;
mod graph;
mod icfg;
mod interprocedural;
pub mod labels;
mod loops;
pub mod points_to;
mod post_dominators;
mod slice;
pub mod text;

pub use call_graph::{CallGraph, CallSite};
pub use control_dependence::{Control, ControlDependence};
pub use decision_graph::DecisionGraph;
pub use icfg::{Icfg, Next, Place, Point, PointData};
pub use interprocedural::{InterproceduralDependence, PointControl};
pub use loops::{IrreducibleRegion, Loop, LoopData, Loops};
pub use points_to::PointsTo;
pub use post_dominators::PostDominators;
pub use slice::{Scale, Slicer, Target};
