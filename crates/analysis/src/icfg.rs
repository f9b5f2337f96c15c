//! The interprocedural control-flow graph: the points of a program, and where control goes from each.
//!
//! A point is a part of a block without calls to functions that have code: each such call ends a point, and
//! the next one starts where it returns. (The papers on interprocedural control dependence draw these as a
//! call node and a return node.) Calls to functions without code stay inside a point; those that do not
//! return end their block, and halt the program there.
//!
//! So that every point has a path to the end of the program, endless loops get the assumed exits of
//! [`exits`](crate::exits), which halt; and a function that does nothing but call itself for ever is assumed
//! to halt at its entry. An endless loop gets its exit even if a callee may halt inside: else the error exit
//! of a server would be its only end, and so inevitable.

use quipu_base::{Id, IdVec, define_id};
use quipu_ir::{Block, Cfg, Func, FuncBody, Module, Terminator};

use crate::avoidance::Avoidance;
use crate::call_graph::{CallGraph, CallSite};
use crate::exits::assumed_exits;

define_id!(
    /// A point of a program.
    Point, "p"
);

/// Where a point lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The function.
    pub func: Func,
    /// The block.
    pub block: Block,
    /// The number of calls to functions with code that precede it in the block.
    pub segment: usize,
}

/// Where control goes from a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Into one of the functions, and from its end to `resume`.
    Call {
        /// The functions with code that may be called.
        callees: Vec<Func>,
        /// Whether control may go to `resume` at once, because a function without code may be called.
        skips: bool,
        /// The point behind the call.
        resume: Point,
    },
    /// Along an edge of the control-flow graph, to the point at which its target starts.
    Goto(Vec<Point>),
    /// Back to the caller.
    Return,
}

/// A point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointData {
    /// Where it lies.
    pub place: Place,
    /// Where control goes from here.
    pub next: Next,
    /// Whether the program may end here, in fact or by assumption.
    pub halts: bool,
}

/// The part of a program that a function and its callees make up.
#[derive(Clone, Debug)]
pub struct Icfg {
    /// The points, in the order of their places.
    pub points: IdVec<Point, PointData>,
    /// The function with which the program starts.
    pub root: Func,
    /// The first point of each block, for the functions that the program may call and that have code.
    blocks: IdVec<Func, IdVec<Block, Point>>,
    /// For each point those from which control may go there: by an edge, a call, or the return of a call.
    before: IdVec<Point, Vec<Point>>,
}

impl Icfg {
    /// The program that starts with `root`, which should have code.
    pub fn compute(module: &Module, call_graph: &CallGraph, root: Func) -> Icfg {
        let blocks = IdVec::filled(IdVec::new(), module.functions.len());
        let mut icfg = Icfg { points: IdVec::new(), root, blocks, before: IdVec::new() };
        for func in call_graph.reachable_from(root) {
            if let Some(body) = module.functions[func].code() {
                icfg.add_function(module, call_graph, func, body);
            }
        }
        icfg.before = icfg.predecessors();
        icfg.end_endless_recursion(call_graph);
        icfg
    }

    /// The first point of a function; none if it has no code or is not part of the program.
    pub fn entry(&self, func: Func) -> Option<Point> {
        self.blocks[func].iter().next().copied()
    }

    /// The first point of the program.
    pub fn start(&self) -> Point {
        self.entry(self.root).expect("the root of a program should have code")
    }

    /// The point at a place.
    pub fn at(&self, place: Place) -> Option<Point> {
        let first = self.blocks[place.func].get(place.block)?;
        let point = Point::new(first.index() + place.segment);
        self.points.get(point).filter(|data| data.place == place).map(|_| point)
    }

    /// The number of functions in the module.
    pub(crate) fn n_functions(&self) -> usize {
        self.blocks.len()
    }

    /// The points from which control may go to a point: by an edge, a call, or the return of a call.
    pub(crate) fn before(&self, point: Point) -> &[Point] {
        &self.before[point]
    }

    fn add_function(&mut self, module: &Module, call_graph: &CallGraph, func: Func, body: &FuncBody) {
        let has_code = |callee: &Func| module.functions[*callee].code().is_some();
        let mut calls = IdVec::<Block, Vec<&CallSite>>::filled(Vec::new(), body.blocks.len());
        for site in call_graph.sites_in(func) {
            if site.callees.iter().any(has_code) {
                calls[site.block].push(site);
            }
        }
        let mut n_points = self.points.len();
        let number = |calls: &Vec<&CallSite>| {
            let first = Point::new(n_points);
            n_points += calls.len() + 1;
            first
        };
        let first: IdVec<Block, Point> = calls.iter().map(number).collect();
        let assumed_exits = assumed_exits(&Cfg::compute(body));
        for (block, data) in body.blocks.entries() {
            for (segment, site) in calls[block].iter().enumerate() {
                let callees: Vec<Func> = site.callees.iter().copied().filter(has_code).collect();
                let skips = callees.len() < site.callees.len();
                let resume = Point::new(self.points.len() + 1);
                let place = Place { func, block, segment };
                let next = Next::Call { callees, skips, resume };
                self.points.push(PointData { place, next, halts: false });
            }
            let place = Place { func, block, segment: calls[block].len() };
            let next = next_of(&data.term, &first);
            let halts = matches!(data.term, Terminator::Unreachable(_)) || assumed_exits.contains(&block);
            self.points.push(PointData { place, next, halts });
        }
        self.blocks[func] = first;
    }

    fn predecessors(&self) -> IdVec<Point, Vec<Point>> {
        let mut before = IdVec::<Point, Vec<Point>>::filled(Vec::new(), self.points.len());
        for (point, data) in self.points.entries() {
            match &data.next {
                Next::Goto(targets) => targets.iter().for_each(|&target| before[target].push(point)),
                Next::Call { callees, resume, .. } => {
                    before[*resume].push(point);
                    callees.iter().filter_map(|&f| self.entry(f)).for_each(|f| before[f].push(point));
                }
                Next::Return => {}
            }
        }
        before
    }

    /// Lets the functions halt that can do nothing but call themselves, directly or through others.
    fn end_endless_recursion(&mut self, call_graph: &CallGraph) {
        let ends = Avoidance::compute(self, None);
        let entries = self.blocks.ids().filter_map(|func| Some((func, self.entry(func)?)));
        let endless: Vec<Point> = entries
            .filter(|&(func, entry)| call_graph.is_recursive(func) && !ends.avoids(entry, true))
            .map(|(_, entry)| entry)
            .collect();
        endless.into_iter().for_each(|entry| self.points[entry].halts = true);
    }
}

fn next_of(term: &Terminator, first: &IdVec<Block, Point>) -> Next {
    match term {
        Terminator::Return(_) | Terminator::ReturnMissing => Next::Return,
        _ => Next::Goto(term.edges().map(|edge| first[edge.target]).collect()),
    }
}
