//! Interprocedural control dependence against its definition: by literally inlining the calls.
//!
//! With recursion the inlined program is infinite. It is cut at a depth behind which nothing new can come: a
//! fact about a function (two per function) need not be derived from itself, so a run that avoids a point
//! need not nest deeper than twice the number of functions; and each answer for the context of a function
//! (two per function) occurs at a depth of no more than twice the number of functions.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{BlockSpec, Rng, body_text, module, random_end};
use quipu_analysis::{CallGraph, Icfg, InterproceduralDependence, Next, Point, PointControl};
use quipu_ir::Module;

/// A copy of a point, for the calls that are under way.
type Copy = (Vec<Point>, Point);

/// The inlined program.
struct Inlined {
    start: usize,
    copies: Vec<Copy>,
    succs: Vec<Vec<Option<usize>>>,
}

/// The successors of a copy; none is the end of the program. Ways out come first, in order.
fn successors(icfg: &Icfg, (stack, point): &Copy, max_depth: usize) -> Vec<Option<Copy>> {
    let data = &icfg.points[*point];
    let mut succs: Vec<Option<Copy>> = match &data.next {
        Next::Goto(targets) => targets.iter().map(|&target| Some((stack.clone(), target))).collect(),
        Next::Call { callees, skips, resume } => {
            let deeper = [stack.as_slice(), &[*point]].concat();
            let entries = callees.iter().filter(|_| stack.len() < max_depth);
            let entries = entries.map(|&callee| Some((deeper.clone(), icfg.entry(callee).unwrap())));
            entries.chain(skips.then(|| Some((stack.clone(), *resume)))).collect()
        }
        Next::Return => match stack.split_last() {
            None => vec![None],
            Some((call, outer)) => {
                let Next::Call { resume, .. } = icfg.points[*call].next else { unreachable!() };
                vec![Some((outer.to_vec(), resume))]
            }
        },
    };
    if data.halts {
        succs.push(None);
    }
    succs
}

/// The inlined program, or none if it is too big for a test.
fn inline(icfg: &Icfg, max_depth: usize) -> Option<Inlined> {
    let mut number = BTreeMap::new();
    let mut inlined = Inlined { start: 0, copies: vec![(Vec::new(), icfg.start())], succs: Vec::new() };
    number.insert(inlined.copies[0].clone(), 0);
    while inlined.succs.len() < inlined.copies.len() {
        let succs = successors(icfg, &inlined.copies[inlined.succs.len()], max_depth);
        let mut numbered = Vec::new();
        for succ in succs {
            numbered.push(succ.map(|copy| {
                *number.entry(copy.clone()).or_insert_with(|| {
                    inlined.copies.push(copy);
                    inlined.copies.len() - 1
                })
            }));
        }
        inlined.succs.push(numbered);
        if inlined.copies.len() > 6000 {
            return None;
        }
    }
    Some(inlined)
}

impl Inlined {
    /// The copies from which some path to the end meets no copy of the target, if there is one.
    fn avoiding(&self, target: Option<Point>) -> Vec<bool> {
        let mut preds = vec![Vec::new(); self.copies.len()];
        let mut work = Vec::new();
        for (copy, succs) in self.succs.iter().enumerate() {
            for succ in succs {
                match succ {
                    Some(succ) => preds[*succ].push(copy),
                    None => work.push(copy),
                }
            }
        }
        let mut avoids = vec![false; self.copies.len()];
        while let Some(copy) = work.pop() {
            if Some(self.copies[copy].1) != target && !std::mem::replace(&mut avoids[copy], true) {
                work.extend(&preds[copy]);
            }
        }
        avoids
    }

    fn controls(&self, icfg: &Icfg, target: Point, max_fork_depth: usize) -> BTreeSet<PointControl> {
        let avoids = self.avoiding(Some(target));
        let avoided_by = |succ: Option<usize>| succ.is_none_or(|succ| avoids[succ]);
        let mut controls = BTreeSet::new();
        if self.copies.iter().any(|(_, point)| *point == target) && !avoids[self.start] {
            controls.insert(PointControl::Root);
        }
        for (copy, succs) in self.succs.iter().enumerate() {
            let (stack, point) = &self.copies[copy];
            if stack.len() > max_fork_depth || !succs.iter().any(|&succ| avoided_by(succ)) {
                continue;
            }
            let n_ways = succs.len() - usize::from(icfg.points[*point].halts);
            let decisive = (0..n_ways).filter(|&way| !avoided_by(succs[way]));
            controls.extend(decisive.map(|way| PointControl::Way(*point, way)));
        }
        controls
    }
}

fn agree(module: &Module, n_functions: usize, recursive: bool) -> Option<usize> {
    let icfg = Icfg::compute(module, &CallGraph::compute(module), module.function("f0").unwrap());
    let max_fork_depth = if recursive { 2 * n_functions } else { n_functions };
    let inlined = inline(&icfg, if recursive { 4 * n_functions } else { n_functions })?;
    let shallow = inlined.copies.iter().map(|(stack, _)| stack.len() <= max_fork_depth);
    let ends = inlined.avoiding(None);
    assert!(shallow.zip(ends).all(|(shallow, ends)| ends || !shallow), "every point should have an end");
    let dependence = InterproceduralDependence::compute(&icfg);
    let mut n_controls = 0;
    for target in icfg.points.ids() {
        let reached = inlined.copies.iter().any(|(_, point)| *point == target);
        assert_eq!(dependence.is_reachable(target), reached, "{:?}", icfg.points[target].place);
        let found = dependence.controls(target);
        let expected =
            if reached { inlined.controls(&icfg, target, max_fork_depth) } else { BTreeSet::new() };
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{:?}", icfg.points[target].place);
        assert_eq!(found.is_empty(), !reached);
        n_controls += found.len();
    }
    Some(n_controls)
}

/// Functions `f0` to `f(n-1)`. `callees` lists what the n-th may call, as instructions.
fn random_program(rng: &mut Rng, n_functions: usize, callees: impl Fn(usize) -> Vec<String>) -> String {
    let mut text = String::new();
    for n in 0..n_functions {
        let callees = callees(n);
        let n_blocks = 2 + rng.below(3);
        let mut n_calls = 3;
        let blocks: Vec<BlockSpec> = (0..n_blocks)
            .map(|_| {
                let wanted = rng.below(3).min(n_calls).min(callees.len());
                n_calls -= wanted;
                let calls = (0..wanted).map(|_| callees[rng.below(callees.len())].clone()).collect();
                BlockSpec { calls, end: random_end(rng, 1, n_blocks) }
            })
            .collect();
        text += &format!("func @f{n}() : t1 {}", body_text(&blocks));
    }
    text
}

/// A call that may reach what the global object `table` points to.
const INDIRECT: &str = "%v: ptr = load @table align 8\n  call_indirect %v()";

/// The declaration of `table`, with up to two of the functions in it.
fn table(rng: &mut Rng, functions: &[String]) -> String {
    let some = functions.iter().filter(|_| rng.below(2) == 0).take(2);
    let entries: Vec<String> = some.enumerate().map(|(n, f)| format!("{}: @{f}", n * 8)).collect();
    let relocs = if entries.is_empty() { String::new() } else { format!(" [{}]", entries.join(", ")) };
    format!("global @table: t3 size 16 align 8 = zero{relocs}\nfunc @library() : t1\n")
}

fn check_programs(
    recursive: bool,
    max_functions: usize,
    callees: impl Fn(usize, usize) -> Vec<String>,
) -> usize {
    let (mut n_controls, mut n_checked) = (0, 0);
    for seed in 0..4000 {
        let mut rng = Rng::new(seed);
        let n_functions = 1 + rng.below(max_functions);
        let last = format!("f{}", n_functions - 1);
        let pointed_to = [last, "library".to_string(), "f0".to_string()];
        let mut text = table(&mut rng, &pointed_to[..if recursive { 3 } else { 2 }]);
        text += &random_program(&mut rng, n_functions, |n| callees(n, n_functions));
        let outcome = std::panic::catch_unwind(|| agree(&module(&text), n_functions, recursive));
        let outcome = outcome.unwrap_or_else(|_| panic!("seed {seed}\n{text}"));
        n_checked += usize::from(outcome.is_some());
        n_controls += outcome.unwrap_or(0);
    }
    assert!(n_checked > 3000, "{n_checked} programs are too few");
    n_controls
}

#[test]
fn summaries_equal_inlining() {
    let n_controls = check_programs(false, 4, |n, n_functions| {
        let mut callees: Vec<String> = (n + 1..n_functions).map(|m| format!("call @f{m}()")).collect();
        if n + 1 < n_functions {
            callees.push(INDIRECT.to_string());
        }
        callees
    });
    assert!(n_controls > 20_000, "{n_controls}");
}

#[test]
fn summaries_equal_inlining_with_recursion() {
    let n_controls = check_programs(true, 2, |_, n_functions| {
        let mut callees: Vec<String> = (0..n_functions).map(|m| format!("call @f{m}()")).collect();
        callees.push(INDIRECT.to_string());
        callees
    });
    assert!(n_controls > 5_000, "{n_controls}");
}
