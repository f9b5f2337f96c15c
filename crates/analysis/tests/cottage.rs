//! COTTAGE's two tables for its Program-1, on a program of the same shape (`files/halting_callee.ir`).
//!
//! Several nodes of the paper share a block or a point of ours:
//!
//! | paper                  | point        | paper         | point         |
//! |------------------------|--------------|---------------|---------------|
//! | 2 entry, 3             | main bb0     | 14a, 14b      | round bb2     |
//! | 4 while                | main bb1     | 15 exit       | round bb3     |
//! | 5a / 5b, 6             | main bb2 0/1 | 16 entry, 17  | checked bb0   |
//! | 7 exit                 | main bb3     | 18, 20 exit   | checked bb1   |
//! | 8 entry, 9, 10a        | round bb0 0  | 19 exit(1)    | checked bb2   |
//! | 10b, 11a / 11b, 12     | round bb0 1/2| 21 entry, 22  | count bb0     |
//! | 13a / 13b              | round bb1 0/1| 23, 24, 25    | count bb1     |
//! |                        |              | 26 exit       | count bb2     |

use quipu_analysis::{
    CallGraph, Control, ControlDependence, DecisionGraph, Icfg, InterproceduralDependence, Place, Point,
    PointControl, PostDominators,
};
use quipu_base::Id;
use quipu_ir::{Block, Cfg, Module};

fn program() -> Module {
    let module = quipu_ir::parse(include_str!("files/halting_callee.ir")).expect("the file should parse");
    quipu_ir::verify(&module).expect("the file should be well-formed");
    module
}

/// The blocks that depend on an edge of a function's block, or on the root.
fn blocks_on(module: &Module, name: &str, control: Option<(usize, usize)>) -> Vec<usize> {
    let body = module.functions[module.function(name).unwrap()].code().unwrap();
    let cfg = Cfg::compute(body);
    let dependence = ControlDependence::compute(&cfg, &PostDominators::compute(&cfg));
    let control = control.map_or(Control::Root, |(block, edge)| Control::Edge(Block::new(block), edge));
    let depends = |block: &Block| dependence.controls(*block).contains(&control);
    body.blocks.ids().filter(depends).map(Id::index).collect()
}

#[test]
fn table_1_intraprocedural() {
    let module = program();
    assert_eq!(blocks_on(&module, "main", None), [0, 1, 3]); // 3, 4, 7 on (2, true)
    assert_eq!(blocks_on(&module, "main", Some((1, 0))), [1, 2]); // 4, 5a, 5b, 6 on (4, T)
    assert_eq!(blocks_on(&module, "main", Some((1, 1))), []);
    assert_eq!(blocks_on(&module, "round", None), [0, 3]); // 9, 10a, ..., 12, 15 on (8, true)
    assert_eq!(blocks_on(&module, "round", Some((0, 0))), [1]); // 13a, 13b on (12, T)
    assert_eq!(blocks_on(&module, "round", Some((0, 1))), [2]); // 14a, 14b on (12, F)
    assert_eq!(blocks_on(&module, "checked", None), [0]); // 17 on (16, true); 20 is the virtual exit
    assert_eq!(blocks_on(&module, "checked", Some((0, 0))), [1]); // 18 on (17, T)
    assert_eq!(blocks_on(&module, "checked", Some((0, 1))), [2]); // 19 on (17, F)
    assert_eq!(blocks_on(&module, "count", None), [0, 2]); // 22, 26 on (21, true)
    assert_eq!(blocks_on(&module, "count", Some((0, 0))), [1]); // 23, 24, 25 on (22, T)
    assert_eq!(blocks_on(&module, "count", Some((0, 1))), []);
}

struct Fixture {
    module: Module,
    icfg: Icfg,
}

impl Fixture {
    fn new() -> Fixture {
        let module = program();
        let icfg = Icfg::compute(&module, &CallGraph::compute(&module), module.function("main").unwrap());
        Fixture { module, icfg }
    }

    fn point(&self, name: &str, block: usize, segment: usize) -> Point {
        let func = self.module.function(name).unwrap();
        self.icfg.at(Place { func, block: Block::new(block), segment }).expect("the point should exist")
    }

    fn name(&self, point: Point) -> String {
        let Place { func, block, segment } = self.icfg.points[point].place;
        format!("{} {} {segment}", self.module.functions[func].name, block.index())
    }

    fn names(&self, points: impl IntoIterator<Item = Point>) -> Vec<String> {
        points.into_iter().map(|point| self.name(point)).collect()
    }
}

#[test]
fn table_2_interprocedural() {
    let fixture = Fixture::new();
    let dependence = InterproceduralDependence::compute(&fixture.icfg);
    let on = |control: PointControl| {
        let depends = |point: &Point| dependence.controls(*point).contains(&control);
        fixture.names(fixture.icfg.points.ids().filter(depends))
    };
    let way = |name: &str, block: usize, segment: usize, way: usize| {
        on(PointControl::Way(fixture.point(name, block, segment), way))
    };
    assert_eq!(on(PointControl::Root), ["main 0 0", "main 1 0"]); // 3, 4 on (2, true)
    assert_eq!(way("main", 1, 0, 0), ["main 2 0", "round 0 0", "checked 0 0"]); // 5a, 8, 9, 10a, 16, 17
    assert_eq!(way("main", 1, 0, 1), ["main 3 0"]); // 7
    assert_eq!(way("round", 0, 2, 0), ["round 1 0", "round 1 1"]); // 13a, 13b
    assert_eq!(way("round", 0, 2, 1), ["round 2 0", "round 2 1"]); // 14a, 14b
    let after_check = [
        "main 1 0",    // 4
        "main 2 1",    // 5b, 6
        "round 0 1",   // 10b, 11a
        "round 0 2",   // 11b, 12
        "round 3 0",   // 15
        "checked 0 0", // 16, 17
        "checked 1 0", // 18, 20
        "count 0 0",   // 21, 22
        "count 2 0",   // the exit of C, which the paper's table does not list
    ];
    assert_eq!(way("checked", 0, 0, 0), after_check);
    assert_eq!(way("checked", 0, 0, 1), ["checked 2 0"]); // 19
    assert_eq!(way("count", 0, 0, 0), ["count 1 0"]); // 23, 24, 25
    let n_dependences: usize = fixture.icfg.points.ids().map(|point| dependence.controls(point).len()).sum();
    assert_eq!(n_dependences, 2 + 3 + 1 + 2 + 2 + 9 + 1 + 1, "there should be no others");
}

/// The paper's example: 7 is reached by 2-4-7 without a turn, by 2-4-17-4-7 with one.
#[test]
fn decision_graph_of_the_exit() {
    let fixture = Fixture::new();
    let dependence = InterproceduralDependence::compute(&fixture.icfg);
    let exit = fixture.point("main", 3, 0);
    let graph = DecisionGraph::compute(&dependence, exit);
    assert_eq!(fixture.names(graph.controls.keys().copied()), ["main 1 0", "main 3 0", "checked 0 0"]);
    let (header, check) = (fixture.point("main", 1, 0), fixture.point("checked", 0, 0));
    assert_eq!(graph.controls[&exit], [PointControl::Way(header, 1)]);
    assert_eq!(graph.controls[&header], [PointControl::Root, PointControl::Way(check, 0)]);
    assert_eq!(graph.controls[&check], [PointControl::Way(header, 0)], "without the edge to itself");
    assert!(graph.contains(check) && !graph.contains(fixture.point("count", 0, 0)));
}
