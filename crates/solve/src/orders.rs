//! That orders are transitive.
//!
//! Comparisons are independent circuits for SAT, and slow chains of bounds for propagation: that `a <= b`, `b <= c` and
//! `c < a` contradict each other takes both of them long to find out, each time anew. Here it is said, for the numbers
//! that are compared with each other: a graph with an edge for each pair of numbers that are compared, made chordal, has
//! a cycle that contradicts the order only if it has a triangle that does (Bryant and Velev, 2002).
//!
//! Every lemma is true whatever the values are.

use quipu_model::{Model, Node, Term};
use quipu_num::IntCmp;
use rustc_hash::{FxHashMap, FxHashSet};

/// A number that is compared with more others than this, when its turn comes, is left alone.
const MOST_NEIGHBOURS: usize = 8;
/// So many triangles are told at once.
const MOST_TRIANGLES: usize = 4_000;

/// The orders of numbers.
const ORDERS: [(IntCmp, IntCmp); 2] = [(IntCmp::Sle, IntCmp::Slt), (IntCmp::Ule, IntCmp::Ult)];

type Graph = FxHashMap<Term, FxHashSet<Term>>;

/// What was said.
#[derive(Default)]
pub(crate) struct Orders {
    triangles: FxHashSet<(IntCmp, [Term; 3])>,
    pairs: FxHashSet<(IntCmp, Term, Term)>,
}

impl Orders {
    /// What is to be said about the comparisons that some terms need, as far as it was not said before.
    pub fn lemmas(&mut self, model: &mut Model, needed: &[Term]) -> Vec<Term> {
        let compared = compared(model, needed);
        let mut lemmas = Vec::new();
        for (order, strict) in ORDERS {
            let graph = graph(&compared, order, strict);
            let mut linked = FxHashSet::default();
            for triangle in triangles(graph) {
                let [a, b, c] = triangle;
                linked.extend([(a, b), (a, c), (b, c)]);
                if self.triangles.insert((order, triangle)) {
                    transitive(model, order, triangle, &mut lemmas);
                }
            }
            let asked =
                compared.iter().filter(|(cmp, ..)| *cmp == IntCmp::Eq).map(|&(_, a, b)| in_turn(a, b));
            for (a, b) in asked.filter(|pair| linked.contains(pair)) {
                if self.pairs.insert((order, a, b)) {
                    antisymmetric(model, order, a, b, &mut lemmas);
                }
            }
        }
        lemmas
    }
}

fn in_turn(a: Term, b: Term) -> (Term, Term) {
    if a < b { (a, b) } else { (b, a) }
}

/// The comparisons of numbers that are not known.
fn compared(model: &Model, needed: &[Term]) -> Vec<(IntCmp, Term, Term)> {
    let mut seen = FxHashSet::default();
    let mut open = needed.to_vec();
    let mut found = Vec::new();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Node::Compare(cmp, a, b) = *model.node(term) {
            let cmp = if cmp == IntCmp::Ne { IntCmp::Eq } else { cmp };
            if model.constant(a).is_none() && model.constant(b).is_none() {
                found.push((cmp, a, b));
            }
        }
        model.node(term).for_each_operand(|operand| open.push(operand));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Which numbers are compared in an order, or for equality if both are compared in that order with others.
fn graph(compared: &[(IntCmp, Term, Term)], order: IntCmp, strict: IntCmp) -> Graph {
    let mut graph = Graph::default();
    let add = |graph: &mut Graph, a: Term, b: Term| {
        graph.entry(a).or_default().insert(b);
        graph.entry(b).or_default().insert(a);
    };
    let ordered = |cmp: IntCmp| cmp == order || cmp == strict;
    for &(_, a, b) in compared.iter().filter(|(cmp, a, b)| ordered(*cmp) && a != b) {
        add(&mut graph, a, b);
    }
    for &(_, a, b) in compared.iter().filter(|(cmp, a, b)| *cmp == IntCmp::Eq && a != b) {
        if graph.contains_key(&a) && graph.contains_key(&b) {
            add(&mut graph, a, b);
        }
    }
    graph
}

/// The triangles of the graph made chordal: the numbers leave one after the other, those with the fewest neighbours
/// first, and the neighbours of one that leaves become neighbours of each other.
fn triangles(mut graph: Graph) -> Vec<[Term; 3]> {
    let mut found = Vec::new();
    let mut queue: std::collections::BTreeSet<(usize, Term)> =
        graph.iter().map(|(&term, neighbours)| (neighbours.len(), term)).collect();
    while let Some((degree, term)) = queue.pop_first() {
        if degree > MOST_NEIGHBOURS || found.len() >= MOST_TRIANGLES {
            break;
        }
        let mut neighbours: Vec<Term> = graph.remove(&term).unwrap_or_default().into_iter().collect();
        neighbours.sort_unstable();
        let before: Vec<usize> = neighbours.iter().map(|one| graph[one].len()).collect();
        for (n, &a) in neighbours.iter().enumerate() {
            graph.get_mut(&a).expect("a neighbour is in the graph").remove(&term);
            for &b in &neighbours[n + 1..] {
                let mut triangle = [term, a, b];
                triangle.sort_unstable();
                found.push(triangle);
                graph.get_mut(&a).expect("a neighbour is in the graph").insert(b);
                graph.get_mut(&b).expect("a neighbour is in the graph").insert(a);
            }
        }
        for (&one, before) in neighbours.iter().zip(before) {
            queue.remove(&(before, one));
            queue.insert((graph[&one].len(), one));
        }
    }
    found
}

/// `a <= b` and `b <= c` imply `a <= c`, whichever the three numbers are called `a`, `b` and `c`.
fn transitive(model: &mut Model, order: IntCmp, [x, y, z]: [Term; 3], lemmas: &mut Vec<Term>) {
    for [a, b, c] in [[x, y, z], [x, z, y], [y, x, z], [y, z, x], [z, x, y], [z, y, x]] {
        let [ab, bc, ac] = [(a, b), (b, c), (a, c)].map(|(a, b)| model.compare(order, a, b));
        let (not_ab, not_bc) = (model.not(ab), model.not(bc));
        lemmas.push(model.any([not_ab, not_bc, ac]));
    }
}

/// `a <= b` or `b <= a`; both, if and only if they are equal.
fn antisymmetric(model: &mut Model, order: IntCmp, a: Term, b: Term, lemmas: &mut Vec<Term>) {
    let (up, down, equal) = (model.compare(order, a, b), model.compare(order, b, a), model.equal(a, b));
    let [not_up, not_down, differ] = [up, down, equal].map(|term| model.not(term));
    lemmas.push(model.any([up, down]));
    lemmas.push(model.any([differ, up]));
    lemmas.push(model.any([differ, down]));
    lemmas.push(model.any([not_up, not_down, equal]));
}
