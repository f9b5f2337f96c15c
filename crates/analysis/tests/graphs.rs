//! Dominators, post-dominators, control dependence and loops against their definitions on random graphs.

mod common;

use std::collections::BTreeSet;

use common::{BlockSpec, Rng, body_text, module, random_end};
use quipu_analysis::{Control, ControlDependence, Loops, PostDominators};
use quipu_base::{Id, IdVec};
use quipu_ir::{Block, Cfg, Dominators};

type Graph = IdVec<Block, Vec<Block>>;

fn random_cfg(rng: &mut Rng) -> Cfg {
    let n_blocks = 1 + rng.below(8);
    let block = |rng: &mut Rng| BlockSpec { calls: Vec::new(), end: random_end(rng, 0, n_blocks) };
    let blocks: Vec<BlockSpec> = (0..n_blocks).map(|_| block(rng)).collect();
    let module = module(&format!("func @f() : t1 {}", body_text(&blocks)));
    Cfg::compute(module.functions.iter().next().unwrap().code().unwrap())
}

fn for_random_graphs(n: u64, mut check: impl FnMut(&Cfg)) {
    for seed in 0..n {
        let cfg = random_cfg(&mut Rng::new(seed));
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&cfg)));
        assert!(outcome.is_ok(), "seed {seed}: {:?}", cfg.succs);
    }
}

/// The nodes that `from` reaches, itself included, on paths that do not touch `avoided`.
fn reach(graph: &Graph, from: Block, avoided: Option<Block>) -> BTreeSet<Block> {
    let mut reached = BTreeSet::new();
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        if Some(node) != avoided && reached.insert(node) {
            work.extend(&graph[node]);
        }
    }
    reached
}

fn dominates(cfg: &Cfg, a: Block, b: Block) -> bool {
    let entry = Block::new(0);
    a == b || !reach(&cfg.succs, entry, Some(a)).contains(&b)
}

#[test]
fn dominators_are_the_blocks_on_all_paths() {
    for_random_graphs(3000, |cfg| {
        let dominators = Dominators::compute(cfg);
        let reached = reach(&cfg.succs, Block::new(0), None);
        for a in cfg.succs.ids() {
            assert_eq!(dominators.is_reachable(a), reached.contains(&a));
            for &b in &reached {
                let expected = reached.contains(&a) && dominates(cfg, a, b);
                assert_eq!(dominators.dominates(a, b), expected, "{a} {b}");
            }
            let strict: Vec<Block> =
                reached.iter().copied().filter(|&d| d != a && dominates(cfg, d, a)).collect();
            let nearest = |d: &&Block| strict.iter().all(|&other| dominates(cfg, other, **d));
            let expected = strict.iter().find(nearest).copied().filter(|_| reached.contains(&a));
            assert_eq!(dominators.idom(a), expected, "idom of {a}");
        }
    });
}

/// The graph with a node behind all exits, real and assumed, as the last one.
fn with_exit(cfg: &Cfg, assumed: &[Block]) -> (Graph, Block) {
    let mut graph = cfg.succs.clone();
    let exit = graph.push(Vec::new());
    for block in cfg.succs.ids() {
        if cfg.succs[block].is_empty() || assumed.contains(&block) {
            graph[block].push(exit);
        }
    }
    (graph, exit)
}

fn post_dominates(graph: &Graph, exit: Block, a: Block, b: Block) -> bool {
    a == b || !reach(graph, b, Some(a)).contains(&exit)
}

#[test]
fn each_endless_region_gets_one_exit() {
    for_random_graphs(3000, |cfg| {
        let post_dominators = PostDominators::compute(cfg);
        let assumed = post_dominators.assumed_exits();
        for &block in &reach(&cfg.succs, Block::new(0), None) {
            let region = reach(&cfg.succs, block, None);
            let endless = region.iter().all(|&other| reach(&cfg.succs, other, None) == region)
                && !cfg.succs[block].is_empty();
            let n_exits = region.iter().filter(|other| assumed.contains(other)).count();
            if endless {
                assert_eq!(n_exits, 1, "{block}");
            }
            assert!(endless || !assumed.contains(&block), "{block} can be left");
        }
    });
}

#[test]
fn post_dominators_are_the_blocks_on_all_paths_to_the_exit() {
    for_random_graphs(3000, |cfg| {
        let post_dominators = PostDominators::compute(cfg);
        let (graph, exit) = with_exit(cfg, post_dominators.assumed_exits());
        let reached = reach(&cfg.succs, Block::new(0), None);
        for &b in &reached {
            assert!(reach(&graph, b, None).contains(&exit), "{b} should have a path to the exit");
            for &a in &reached {
                let expected = post_dominates(&graph, exit, a, b);
                assert_eq!(post_dominators.post_dominates(a, b), expected, "{a} {b}");
            }
            let strict: Vec<Block> =
                reached.iter().copied().filter(|&a| a != b && post_dominates(&graph, exit, a, b)).collect();
            let nearest = |a: &&Block| strict.iter().all(|&other| post_dominates(&graph, exit, other, **a));
            assert_eq!(post_dominators.ipdom(b), strict.iter().find(nearest).copied(), "ipdom of {b}");
        }
    });
}

#[test]
fn control_dependence_is_an_edge_making_a_block_inevitable() {
    for_random_graphs(3000, |cfg| {
        let post_dominators = PostDominators::compute(cfg);
        let (graph, exit) = with_exit(cfg, post_dominators.assumed_exits());
        let dependence = ControlDependence::compute(cfg, &post_dominators);
        let reached = reach(&cfg.succs, Block::new(0), None);
        for y in cfg.succs.ids() {
            let mut expected = Vec::new();
            if reached.contains(&y) {
                if post_dominates(&graph, exit, y, Block::new(0)) {
                    expected.push(Control::Root);
                }
                for &x in &reached {
                    for (edge, &target) in cfg.succs[x].iter().enumerate() {
                        let avoidable = graph[x].iter().any(|&other| !post_dominates(&graph, exit, y, other));
                        if post_dominates(&graph, exit, y, target) && avoidable {
                            expected.push(Control::Edge(x, edge));
                        }
                    }
                }
                assert!(!expected.is_empty(), "{y} should depend on something");
            }
            assert_eq!(dependence.controls(y), expected, "{y}");
        }
    });
}

/// The header's loop by definition: what it dominates and what reaches a latch without passing it.
fn natural_loop(cfg: &Cfg, header: Block, latches: &[Block]) -> BTreeSet<Block> {
    let in_loop = |&block: &Block| {
        block == header || latches.iter().any(|latch| reach(&cfg.succs, block, Some(header)).contains(latch))
    };
    let reached = reach(&cfg.succs, Block::new(0), None);
    reached.iter().copied().filter(|&block| dominates(cfg, header, block)).filter(in_loop).collect()
}

#[test]
fn loops_are_the_natural_loops() {
    for_random_graphs(3000, |cfg| {
        let loops = Loops::compute(cfg, &Dominators::compute(cfg));
        let reached = reach(&cfg.succs, Block::new(0), None);
        let mut expected = Vec::new();
        for &header in &reached {
            let is_latch =
                |&&block: &&Block| cfg.succs[block].contains(&header) && dominates(cfg, header, block);
            let latches: Vec<Block> = reached.iter().filter(is_latch).copied().collect();
            if !latches.is_empty() {
                expected.push((header, natural_loop(cfg, header, &latches), latches));
            }
        }
        assert_eq!(loops.loops.len(), expected.len());
        for (id, data) in loops.loops.entries() {
            let (_, blocks, latches) = expected.iter().find(|(header, ..)| *header == data.header).unwrap();
            assert_eq!(&data.latches, latches);
            assert_eq!(data.blocks.len(), blocks.len());
            assert_eq!(&data.blocks.iter().copied().collect::<BTreeSet<_>>(), blocks);
            let around: Vec<_> = expected.iter().filter(|(_, outer, _)| outer.is_superset(blocks)).collect();
            assert_eq!(data.depth, around.len());
            let parent = around.iter().filter(|(header, ..)| *header != data.header);
            let parent = parent.min_by_key(|(_, outer, _)| outer.len()).map(|(header, ..)| *header);
            assert_eq!(data.parent.map(|outer| loops.loops[outer].header), parent);
            let edges = data.blocks.iter().flat_map(|&b| (0..cfg.succs[b].len()).map(move |n| (b, n)));
            let exits: Vec<_> = edges.filter(|&(b, n)| !blocks.contains(&cfg.succs[b][n])).collect();
            assert_eq!(data.exits, exits);
            for block in cfg.succs.ids() {
                assert_eq!(loops.contains(id, block), blocks.contains(&block));
            }
        }
        for block in cfg.succs.ids() {
            let depth = expected.iter().filter(|(_, blocks, _)| blocks.contains(&block)).count();
            assert_eq!(loops.depth(block), depth);
            assert_eq!(loops.innermost(block).map_or(0, |id| loops.loops[id].depth), depth);
        }
    });
}

/// Hecht and Ullman's transformations: remove self-loops, merge a node into its only predecessor.
fn is_reducible(cfg: &Cfg) -> bool {
    let mut edges: BTreeSet<(Block, Block)> = BTreeSet::new();
    let mut nodes = reach(&cfg.succs, Block::new(0), None);
    for &from in &nodes {
        edges.extend(cfg.succs[from].iter().map(|&to| (from, to)));
    }
    loop {
        edges.retain(|(from, to)| from != to);
        let single_pred = |&node: &Block| {
            let mut preds = edges.iter().filter(|edge| edge.1 == node);
            preds.next().filter(|_| preds.next().is_none()).map(|edge| (edge.0, node))
        };
        let Some((pred, node)) = nodes.iter().filter(|node| node.index() != 0).find_map(single_pred) else {
            return nodes.len() == 1;
        };
        nodes.remove(&node);
        edges.remove(&(pred, node));
        edges = edges.iter().map(|&(from, to)| (if from == node { pred } else { from }, to)).collect();
    }
}

#[test]
fn irreducible_regions_are_cycles_with_several_entries() {
    let mut n_irreducible = 0;
    for_random_graphs(3000, |cfg| {
        let loops = Loops::compute(cfg, &Dominators::compute(cfg));
        assert_eq!(loops.irreducible.is_empty(), is_reducible(cfg));
        n_irreducible += usize::from(!loops.irreducible.is_empty());
        for region in &loops.irreducible {
            for &block in &region.blocks {
                let reached = reach(&cfg.succs, block, None);
                assert!(region.blocks.iter().all(|other| reached.contains(other)));
            }
            let reached = reach(&cfg.succs, Block::new(0), None);
            let from_outside = |&&block: &&Block| {
                let mut preds = cfg.preds[block].iter().filter(|pred| reached.contains(pred));
                preds.any(|pred| !region.blocks.contains(pred) && !dominates(cfg, block, *pred))
            };
            let entries: Vec<Block> = region.blocks.iter().filter(from_outside).copied().collect();
            assert_eq!(region.entries, entries);
            assert!(entries.len() > 1);
        }
    });
    assert!(n_irreducible > 100, "{n_irreducible} irreducible graphs are too few");
}

/// bb1 and bb2 form a cycle that bb0 enters at both; bb3 is a natural loop inside it.
#[test]
fn irreducible_cycle_around_a_natural_loop() {
    let targets = [vec![1, 2], vec![2], vec![3], vec![3, 1, 4], vec![]];
    let end = |targets: &Vec<usize>| match targets.is_empty() {
        true => common::End::Return,
        false => common::End::Goto(targets.clone()),
    };
    let blocks: Vec<BlockSpec> =
        targets.iter().map(|targets| BlockSpec { calls: Vec::new(), end: end(targets) }).collect();
    let module = module(&format!("func @f() : t1 {}", body_text(&blocks)));
    let cfg = Cfg::compute(module.functions.iter().next().unwrap().code().unwrap());
    let loops = Loops::compute(&cfg, &Dominators::compute(&cfg));
    let ids = |blocks: &[usize]| blocks.iter().map(|&n| Block::new(n)).collect::<Vec<_>>();
    assert_eq!(loops.irreducible.len(), 1);
    assert_eq!(loops.irreducible[0].blocks, ids(&[1, 2, 3]));
    assert_eq!(loops.irreducible[0].entries, ids(&[1, 2]));
    assert_eq!(loops.loops.len(), 1);
    assert_eq!(loops.loops.iter().next().unwrap().blocks, ids(&[3]));
}
