//! Why nothing leads to a goal: smallest sets of conditions that conflict.

use std::collections::BTreeSet;

use quipu_encode::{Conditions, Encoding, Origin, Visit};
use quipu_goals::{Goal, Way};
use quipu_ir::{Block, Event, Func, Module, Span};
use quipu_model::{Model, Term};
use quipu_solve::{Answer, Session};
use serde::{Deserialize, Serialize};

use crate::question::{chances, entered, failures};

/// One of the things that cannot all be true.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Conflicting {
    /// This edge is taken.
    Edge { func: Func, block: Block, edge: usize },
    /// This block, where paths meet, is reached.
    Reached { func: Func, block: Block },
    /// Nothing undefined happens there.
    Defined { event: Option<Event>, func: Func, span: Span },
    /// The inputs are as the user demands.
    Precondition,
    /// What the goal itself demands.
    Goal,
    /// What is claimed there is false.
    Fails { func: Func, span: Span },
}

/// Things that cannot all be true, as few as possible.
pub type Conflict = Vec<Conflicting>;

/// The most routes to a goal that are explained.
const MOST_ROUTES: usize = 24;

/// So many show that there are too many.
const ENOUGH_ROUTES: usize = MOST_ROUTES + 1;

/// A way to a goal, as named conditions.
type Route = Vec<(Term, Part)>;

/// What a condition of a route is called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Named(Conflicting),
    /// The premise with this number.
    Premise(usize),
}

/// A route that is impossible, and why.
struct Impossible {
    conflict: Conflict,
    premises: Vec<usize>,
    /// Whether nothing of it can be left out.
    least: bool,
}

/// Why a goal is unreachable.
#[derive(Default)]
pub(crate) struct Reasons {
    pub conflicts: Vec<Conflict>,
    /// The premises used, by number.
    pub premises: BTreeSet<usize>,
    pub least: bool,
}

/// What explanations may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Questions that find conflicts.
    pub finding: u64,
    /// Questions that make them smaller. What is told then need not be the least, but it conflicts all the same.
    pub minimising: u64,
    /// The effort of all questions together, and of each.
    pub effort: u64,
    pub each: u64,
}

impl Budget {
    /// Whether assumptions contradict each other, as far as that can be found out with some effort.
    pub fn refutes(&mut self, session: &mut Session<'_>, terms: &[Term], effort: u64) -> bool {
        let before = session.effort_used();
        session.set_effort(Some(effort.min(self.each).min(self.effort)));
        let answer = session.solve_under(terms);
        self.effort = self.effort.saturating_sub(session.effort_used() - before);
        matches!(answer, Answer::Infeasible)
    }
}

/// A smaller conflict is looked for with so many times the effort that the conflict took, but with some at least.
const MINIMISING_FACTOR: u64 = 2;
const LEAST_MINIMISING: u64 = 10_000;

/// The conflicts on all routes to a goal that is unreachable; none if that cannot be told, or takes more questions
/// than are left. Premises that can be chosen are used as far as they are granted.
pub(crate) fn conflicts(
    module: &Module,
    encoding: &Encoding,
    session: &mut Session<'_>,
    goal: &Goal,
    granted: &[(Term, usize)],
    budget: &mut Budget,
) -> Reasons {
    let mut found = Reasons { least: true, ..Reasons::default() };
    for mut route in routes_to(module, encoding, session.model_mut(), goal) {
        route.extend(granted.iter().map(|&(chosen, number)| (chosen, Part::Premise(number))));
        let Some(impossible) = smallest(session, &route, budget) else { return Reasons::default() };
        found.premises.extend(impossible.premises);
        found.least &= impossible.least;
        if !found.conflicts.contains(&impossible.conflict) {
            found.conflicts.push(impossible.conflict);
        }
    }
    found
}

/// The routes to the first part of a goal that has none which is possible: all of them conflict.
fn routes_to(module: &Module, encoding: &Encoding, model: &mut Model, goal: &Goal) -> Vec<Route> {
    let mut fewest: Vec<Route> = Vec::new();
    for part in &goal.parts {
        let routes: Vec<Route> =
            part.ways.iter().flat_map(|way| Routes { module, encoding }.of(model, way)).collect();
        if !routes.is_empty() && (fewest.is_empty() || routes.len() < fewest.len()) {
            fewest = routes;
        }
    }
    if fewest.len() > MOST_ROUTES { Vec::new() } else { fewest }
}

struct Routes<'a> {
    module: &'a Module,
    encoding: &'a Encoding,
}

impl Routes<'_> {
    fn of(&self, model: &mut Model, way: &Way) -> Vec<Route> {
        let encoding = self.encoding;
        match way {
            Way::Entry(func) => self.visits(encoding.entries.get(func).into_iter().flatten()),
            Way::Edge(func, block, edge) => self.edge(*func, *block, *edge),
            Way::Block(func, block, inst) => {
                let code = self.module.functions[*func].code().expect("goals are in code");
                let stmt = match code.blocks[*block].insts[*inst].kind {
                    quipu_ir::InstKind::Stmt(stmt) => stmt,
                    _ => return Vec::new(),
                };
                match encoding.stmts.get(&(*func, stmt)) {
                    Some(visits) => self.visits(visits),
                    None => self.refused_before(*func, *block),
                }
            }
            Way::Evaluation(func, edges) => {
                let never =
                    edges.iter().find(|(block, edge)| !encoding.edges.contains_key(&(*func, *block, *edge)));
                match never {
                    Some(&(block, edge)) => self.edge(*func, block, edge),
                    None => self.wholes(model, way),
                }
            }
            Way::During { happens, calls, func, .. } => {
                let routes = match **happens {
                    Way::Entry(_) => self.visits(entered(encoding, way)),
                    _ => self.failures(model, way),
                };
                match routes.is_empty() {
                    true => calls.iter().flat_map(|&(block, _)| self.to_block(*func, block)).collect(),
                    false => routes,
                }
            }
            Way::End { func, event: None, blocks, .. } => {
                let failures = self.failures(model, way);
                match failures.is_empty() {
                    true => blocks.iter().flat_map(|&block| self.to_block(*func, block)).collect(),
                    false => failures,
                }
            }
            // That something undefined never happens is not told by the conditions on the way.
            Way::End { .. } => Vec::new(),
            Way::Compare { func, block, inst, .. } => {
                match encoding.comparisons.contains_key(&(*func, *block, *inst)) {
                    true => self.wholes(model, way),
                    false => self.refused_before(*func, *block),
                }
            }
        }
    }

    /// The checks of claims, each on its way and false.
    fn failures(&self, model: &mut Model, way: &Way) -> Vec<Route> {
        let mut routes = Vec::new();
        for (n_checks, check) in failures(self.encoding, way).into_iter().take(ENOUGH_ROUTES) {
            let mut route = self.route(&check.conditions, n_checks);
            // A call that is itself the failure demands nothing more than to be reached.
            if model.constant(check.holds) != Some(0) {
                let fails = Conflicting::Fails { func: check.func, span: check.span };
                route.insert(0, (model.not(check.holds), Part::Named(fails)));
            }
            routes.push(route);
        }
        routes
    }

    fn visits<'e>(&self, visits: impl IntoIterator<Item = &'e Visit>) -> Vec<Route> {
        visits
            .into_iter()
            .take(ENOUGH_ROUTES)
            .map(|visit| self.route(&visit.conditions, visit.n_checks))
            .collect()
    }

    fn edge(&self, func: Func, block: Block, edge: usize) -> Vec<Route> {
        match self.encoding.edges.get(&(func, block, edge)) {
            Some(visits) => self.visits(visits),
            None if self.encoding.refused.contains_key(&(func, block, edge)) => {
                self.refused(func, block, edge)
            }
            None => self.refused_before(func, block),
        }
    }

    /// Ways whose conditions have no names of their own.
    fn wholes(&self, model: &mut Model, way: &Way) -> Vec<Route> {
        let mut chances = chances(self.module, self.encoding, model, way);
        chances.truncate(ENOUGH_ROUTES);
        chances
            .iter()
            .map(|chance| {
                self.with_rest(vec![(chance.when, Part::Named(Conflicting::Goal))], chance.n_checks)
            })
            .collect()
    }

    fn refused(&self, func: Func, block: Block, edge: usize) -> Vec<Route> {
        let refused = self.encoding.refused[&(func, block, edge)].iter().take(ENOUGH_ROUTES);
        refused
            .map(|refused| {
                let mut route = self.route(&refused.conditions, refused.n_checks);
                route.push((refused.condition, Part::Named(Conflicting::Edge { func, block, edge })));
                route
            })
            .collect()
    }

    /// The edges into a block.
    fn to_block(&self, func: Func, block: Block) -> Vec<Route> {
        let code = self.module.functions[func].code().expect("goals are in code");
        let mut routes = Vec::new();
        for (from, data) in code.blocks.entries() {
            let edges = data.term.edges().enumerate().filter(|(_, edge)| edge.target == block);
            edges.for_each(|(number, _)| routes.extend(self.edge(func, from, number)));
        }
        routes
    }

    /// The edges through which a block that is never executed could be reached.
    fn refused_before(&self, func: Func, block: Block) -> Vec<Route> {
        let code = self.module.functions[func].code().expect("goals are in code");
        let mut seen = BTreeSet::from([block]);
        let mut open = vec![block];
        let mut routes = Vec::new();
        while let Some(target) = open.pop() {
            for (from, data) in code.blocks.entries() {
                let edges = data.term.edges().enumerate().filter(|(_, edge)| edge.target == target);
                for (number, _) in edges {
                    if self.encoding.refused.contains_key(&(func, from, number)) {
                        routes.extend(self.refused(func, from, number));
                    } else if seen.insert(from) {
                        open.push(from);
                    }
                }
            }
        }
        routes
    }

    fn route(&self, conditions: &Conditions, n_checks: usize) -> Route {
        let named = |condition: Term| match self.encoding.origins.get(&condition) {
            Some(&Origin::Edge { func, block, edge }) => Part::Named(Conflicting::Edge { func, block, edge }),
            Some(&Origin::Meeting { func, block }) => Part::Named(Conflicting::Reached { func, block }),
            Some(&Origin::Premise(number)) => Part::Premise(number),
            None => Part::Named(Conflicting::Goal),
        };
        let route = conditions.to_vec().into_iter().map(|condition| (condition, named(condition)));
        self.with_rest(route.collect(), n_checks)
    }

    /// What else must hold on a way.
    fn with_rest(&self, mut route: Route, n_checks: usize) -> Route {
        let assumptions = self.encoding.assumptions.iter();
        route.extend(assumptions.map(|&term| (term, Part::Named(Conflicting::Precondition))));
        let checks = self.encoding.checks[..n_checks].iter();
        route.extend(checks.map(|check| {
            let (event, func, span) = (check.event, check.func, check.span);
            (check.clean, Part::Named(Conflicting::Defined { event, func, span }))
        }));
        route
    }
}

/// A part of a route that conflicts, the smallest as far as the questions go; none if they do not go that far.
fn smallest(session: &mut Session<'_>, route: &Route, budget: &mut Budget) -> Option<Impossible> {
    let terms: Vec<Term> = route.iter().map(|(term, _)| *term).collect();
    let (core, least) = smallest_core(session, &terms, budget)?;
    let (mut conflict, mut premises) = (Conflict::new(), Vec::new());
    for (_, part) in route.iter().filter(|(term, _)| core.contains(term)) {
        match *part {
            Part::Premise(number) => premises.push(number),
            Part::Named(name) if !conflict.contains(&name) => conflict.push(name),
            Part::Named(_) => {}
        }
    }
    Some(Impossible { conflict, premises, least })
}

/// Those of some terms that cannot all be true, and whether none of them can be left out; none if the questions do not
/// go that far. What stands at the end is left out first.
pub(crate) fn smallest_core(
    session: &mut Session<'_>,
    terms: &[Term],
    budget: &mut Budget,
) -> Option<(Vec<Term>, bool)> {
    let mut seen = BTreeSet::new();
    let terms: Vec<Term> = terms.iter().copied().filter(|term| seen.insert(*term)).collect();
    budget.finding = budget.finding.checked_sub(1)?;
    let before = budget.effort;
    if !budget.refutes(session, &terms, u64::MAX) {
        return None;
    }
    let limit = (MINIMISING_FACTOR * (before - budget.effort)).max(LEAST_MINIMISING);
    let in_order = |core: &[Term]| -> Vec<Term> {
        let mut terms = terms.clone();
        terms.retain(|term| core.contains(term));
        terms
    };
    let mut core = in_order(session.core());
    let mut n = core.len();
    while n > 0 && budget.minimising > 0 && budget.effort > 0 {
        n -= 1;
        if n >= core.len() {
            continue;
        }
        let mut without = core.clone();
        without.remove(n);
        budget.minimising -= 1;
        if budget.refutes(session, &without, limit) {
            core = in_order(session.core());
        }
    }
    Some((core, n == 0))
}
