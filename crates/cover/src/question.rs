//! Goals as questions about an encoding.

use quipu_analysis::points_to::Site;
use quipu_encode::{Approximation, Check, Encoding, Visit};
use quipu_goals::{Off, Order, Way};
use quipu_ir::{Block, Func, InstKind, Module};
use quipu_model::{Model, Term};
use quipu_num::{Cast, FloatWidth, IntCmp, number_ranks, rank};

/// One of the ways in which something can happen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chance {
    /// Whether it does.
    pub when: Term,
    /// How many checks may come before it.
    pub n_checks: usize,
}

/// Clean beginnings of runs, as terms that share their parts: there may be thousands of checks, and of places.
#[derive(Default)]
pub(crate) struct Clean {
    /// By the number of checks that hold.
    before: Vec<Term>,
}

impl Clean {
    /// That the first checks hold.
    pub fn before(&mut self, model: &mut Model, encoding: &Encoding, n_checks: usize) -> Term {
        if self.before.is_empty() {
            self.before.push(model.truth(true));
        }
        while self.before.len() <= n_checks {
            let last = self.before[self.before.len() - 1];
            let next = encoding.checks[self.before.len() - 1].clean;
            self.before.push(if self.before.len() == 1 { next } else { model.all([last, next]) });
        }
        self.before[n_checks]
    }

    /// Some chance, in a run that is clean until then.
    pub fn until(&mut self, model: &mut Model, encoding: &Encoding, chances: &[Chance]) -> Term {
        let ways: Vec<Term> = chances
            .iter()
            .map(|chance| {
                let clean = self.before(model, encoding, chance.n_checks);
                model.all([clean, chance.when])
            })
            .collect();
        model.any(ways)
    }
}

/// The chances that a way has in an encoding.
pub(crate) fn chances(module: &Module, encoding: &Encoding, model: &mut Model, way: &Way) -> Vec<Chance> {
    let plain = |visits: Option<&Vec<Visit>>| -> Vec<Chance> {
        let visits = visits.map_or(&[][..], Vec::as_slice);
        visits.iter().map(|visit| Chance { when: visit.when, n_checks: visit.n_checks }).collect()
    };
    match way {
        Way::Entry(func) => plain(encoding.entries.get(func)),
        Way::Edge(func, block, edge) => plain(encoding.edges.get(&(*func, *block, *edge))),
        Way::Block(func, block, inst) => {
            let code = module.functions[*func].code().expect("goals are in code");
            match code.blocks[*block].insts[*inst].kind {
                InstKind::Stmt(stmt) => plain(encoding.stmts.get(&(*func, stmt))),
                _ => unreachable!("a goal of this kind is a statement"),
            }
        }
        Way::Evaluation(func, edges) => {
            let visits: Option<Vec<&Vec<Visit>>> =
                edges.iter().map(|&(block, edge)| encoding.edges.get(&(*func, block, edge))).collect();
            visits.map_or(Vec::new(), |visits| together(model, &visits))
        }
        Way::End { .. } => {
            let failures = failures(encoding, way).into_iter();
            failures.map(|(n_checks, check)| Chance { when: model.not(check.clean), n_checks }).collect()
        }
        Way::During { happens, .. } => match **happens {
            Way::Entry(_) => {
                let visits = entered(encoding, way).into_iter();
                visits.map(|visit| Chance { when: visit.when, n_checks: visit.n_checks }).collect()
            }
            _ => {
                let failures = failures(encoding, way).into_iter();
                failures.map(|(n_checks, check)| Chance { when: model.not(check.clean), n_checks }).collect()
            }
        },
        Way::Compare { func, block, inst, relation, order } => {
            let found = encoding.comparisons.get(&(*func, *block, *inst));
            let comparisons = found.map_or(&[][..], Vec::as_slice);
            comparisons
                .iter()
                .map(|comparison| {
                    let (a, b) = (comparison.a, comparison.b);
                    let related = related(model, a, b, *relation, *order);
                    let when = model.all([comparison.visit.when, related]);
                    Chance { when, n_checks: comparison.visit.n_checks }
                })
                .collect()
        }
    }
}

/// The checks by which a run ends in a way, with their numbers.
pub(crate) fn failures<'e>(encoding: &'e Encoding, way: &Way) -> Vec<(usize, &'e Check)> {
    let (end, by) = match way {
        Way::During { func, calls, happens, .. } => (&**happens, Some((*func, calls))),
        _ => (way, None),
    };
    let Way::End { func, event, spans, .. } = end else { return Vec::new() };
    let is_it = |check: &Check| {
        !check.past
            && check.event == *event
            && check.func == *func
            && spans.contains(&check.span)
            && by.is_none_or(|(func, calls)| makes(func, calls, check.caller))
    };
    encoding.checks.iter().enumerate().filter(|(_, check)| is_it(check)).collect()
}

/// The entries of a function by which something happens that a statement does by its calls.
pub(crate) fn entered<'e>(encoding: &'e Encoding, way: &Way) -> Vec<&'e Visit> {
    let Way::During { func, calls, via, happens, .. } = way else { return Vec::new() };
    let Way::Entry(callee) = **happens else { return Vec::new() };
    let visits = encoding.entries.get(&callee).map_or(&[][..], Vec::as_slice);
    let callers = encoding.callers.get(&callee).map_or(&[][..], Vec::as_slice);
    let is_it = |[inner, outer]: &[Option<Site>; 2]| match via {
        None => makes(*func, calls, *inner),
        Some(via) => inner.is_some_and(|inner| inner.func == *via) && makes(*func, calls, *outer),
    };
    visits.iter().zip(callers).filter(|(_, callers)| is_it(callers)).map(|(visit, _)| visit).collect()
}

/// Whether an instruction is one of some calls of a function.
fn makes(func: Func, calls: &[(Block, usize)], site: Option<Site>) -> bool {
    site.is_some_and(|site| site.func == func && calls.contains(&(site.block, site.inst)))
}

/// Where an end of a run may happen that no check stands for.
pub(crate) fn unchecked(encoding: &Encoding, ways: &[Way]) -> Vec<Approximation> {
    let is_there = |place: &&Approximation| {
        ways.iter().any(|way| match way {
            Way::End { func, spans, .. } => place.func == *func && spans.contains(&place.span),
            _ => false,
        })
    };
    encoding.unchecked.iter().filter(is_there).cloned().collect()
}

/// All edges in one turn of one activation.
fn together(model: &mut Model, edges: &[&Vec<Visit>]) -> Vec<Chance> {
    let Some((last, others)) = edges.split_last() else { return Vec::new() };
    let mut chances = Vec::new();
    for visit in last.iter() {
        let same = others.iter().map(|visits| visits.iter().find(|other| other.context == visit.context));
        let Some(before) = same.collect::<Option<Vec<&Visit>>>() else { continue };
        let when = model.all(before.iter().map(|visit| visit.when).chain([visit.when]).collect::<Vec<_>>());
        let n_checks = before.iter().map(|visit| visit.n_checks).max().unwrap_or(0).max(visit.n_checks);
        chances.push(Chance { when, n_checks });
    }
    chances
}

fn related(model: &mut Model, a: Term, b: Term, relation: Off, order: Order) -> Term {
    match order {
        Order::Unsigned => related_integers(model, a, b, relation, IntCmp::Ult),
        Order::Signed => related_integers(model, a, b, relation, IntCmp::Slt),
        Order::Float(w) => related_floats(model, a, b, relation, w),
        Order::Widened => {
            let [a, b] = [a, b].map(|term| model.cast(Cast::Narrow, term));
            related_floats(model, a, b, relation, FloatWidth::F32)
        }
    }
}

/// Floats are given by rank. Both zeros are taken for the negative one, and everything above moves down by one.
fn related_floats(model: &mut Model, a: Term, b: Term, relation: Off, w: FloatWidth) -> Term {
    let width = w.width();
    let bounds = number_ranks(w);
    let [least, greatest, zero] =
        [bounds.0, bounds.1, rank(w, 0)].map(|bits| model.constant_term(width, bits));
    let mut parts = Vec::new();
    let places = [a, b].map(|term| {
        parts.push(model.compare(IntCmp::Ule, least, term));
        parts.push(model.compare(IntCmp::Ule, term, greatest));
        let is_moved = model.compare(IntCmp::Ule, zero, term);
        let moved = model.sum(width, width.mask(), [(1, term)]);
        model.select(is_moved, moved, term)
    });
    parts.push(related_integers(model, places[0], places[1], relation, IntCmp::Ult));
    model.all(parts)
}

fn related_integers(model: &mut Model, a: Term, b: Term, relation: Off, less: IntCmp) -> Term {
    let width = model.width(a);
    let one = |model: &mut Model, greater: Term, lesser: Term| {
        let next = model.sum(width, 1, [(1, lesser)]);
        let equal = model.equal(greater, next);
        let in_order = model.compare(less, lesser, greater);
        model.all([equal, in_order])
    };
    match relation {
        Off::Equal => model.equal(a, b),
        Off::OneMore => one(model, a, b),
        Off::OneLess => one(model, b, a),
    }
}
