//! The paths through a function: what each decision on the way chooses, with a limited number of turns of each loop.

use quipu_ir::{Block, Cond, Decision, Func, FuncBody, Terminator};
use rustc_hash::FxHashSet;

use crate::context::Context;
use crate::order::Order;

/// What a decision chooses on a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// In which turns of the loops around.
    pub context: Context,
    /// The most turns of one of them before.
    pub turns: u64,
    pub decision: Option<Decision>,
    /// The truth value, or the arm of a switch.
    pub outcome: usize,
    /// The edges by which the decision comes to this: one of them is taken.
    pub edges: Vec<(Block, usize)>,
}

/// Some paths of a function.
#[derive(Clone, Debug)]
pub struct Paths {
    pub paths: Vec<Vec<PathStep>>,
    /// Whether there are more than were wanted.
    pub more: bool,
    /// The most turns of a loop that one of them takes.
    pub turns: u64,
    /// The edges that are steps of paths.
    steps: FxHashSet<(Block, usize)>,
}

/// The paths of a function with at most `turns` turns of each loop; no more than `most`.
pub fn paths(func: Func, code: &FuncBody, turns: u64, most: usize) -> Paths {
    let order = Order::of(code);
    let walk = Walk { code, order: &order, turns, root: Context::root(func) };
    let mut found = Vec::new();
    let mut open = vec![walk.start()];
    while let Some(point) = open.pop() {
        if found.len() >= most {
            return walk.paths(found, true);
        }
        if walk.is_end(point.block) {
            found.push(point.steps);
            continue;
        }
        // The first choice is walked first.
        open.extend(walk.next(&point).into_iter().rev().map(|(_, next)| next));
    }
    walk.paths(found, false)
}

/// A step of a path as a user names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// One of these decides.
    pub decisions: Vec<Decision>,
    pub outcome: WantedOutcome,
}

/// What a decision is to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WantedOutcome {
    Truth(bool),
    /// The arm of a switch for this value.
    Case(i64),
    Default,
}

/// Why there is no path with the steps named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stray {
    /// So many steps fit.
    pub fitting: usize,
    /// What decides behind these; none if the function ends.
    pub next: Option<Decision>,
}

/// The path that takes these steps, in the order of execution, and no others.
///
/// # Errors
///
/// If there is none, how far one gets.
pub fn named_path(func: Func, code: &FuncBody, wanted: &[Wanted]) -> Result<Paths, Stray> {
    let order = Order::of(code);
    let walk = Walk { code, order: &order, turns: u64::MAX, root: Context::root(func) };
    let mut stray = Stray { fitting: 0, next: None };
    let mut open = vec![(walk.start(), 0, 0)];
    while let Some((point, taken, silent)) = open.pop() {
        if walk.is_end(point.block) {
            if taken == wanted.len() {
                return Ok(walk.paths(vec![point.steps], false));
            }
            if taken >= stray.fitting {
                stray = Stray { fitting: taken, next: None };
            }
            continue;
        }
        // A loop without decisions leads nowhere.
        if silent > code.blocks.len() {
            continue;
        }
        for (choice, next) in walk.next(&point) {
            match choice.and_then(|choice| choice.decision.map(|decision| (decision, choice))) {
                None => open.push((next, taken, silent + 1)),
                Some((decision, choice)) => {
                    if taken >= stray.fitting {
                        stray = Stray { fitting: taken, next: Some(decision) };
                    }
                    if wanted.get(taken).is_some_and(|wanted| walk.fits(wanted, decision, &choice)) {
                        open.push((next, taken + 1, 0));
                    }
                }
            }
        }
    }
    Err(stray)
}

impl Paths {
    /// Whether an edge is a step of paths; the others are inside a decision, or there is no choice.
    pub fn is_step(&self, block: Block, edge: usize) -> bool {
        self.steps.contains(&(block, edge))
    }

    /// The path that these steps of a run make, if it is one of those.
    pub fn of_run(&self, steps: &[(Block, usize)]) -> Option<usize> {
        let same = |path: &Vec<PathStep>| {
            path.len() == steps.len() && path.iter().zip(steps).all(|(step, edge)| step.edges.contains(edge))
        };
        self.paths.iter().position(same)
    }
}

struct Walk<'a> {
    code: &'a FuncBody,
    order: &'a Order,
    turns: u64,
    root: Context,
}

/// A way on from a block.
struct Choice {
    decision: Option<Decision>,
    outcome: usize,
    edges: Vec<(Block, usize)>,
    target: Block,
}

/// A place on a path: the block, the turns of the loops around it, and the steps before.
struct Point {
    block: Block,
    turns: Vec<u64>,
    steps: Vec<PathStep>,
}

impl Walk<'_> {
    fn paths(&self, paths: Vec<Vec<PathStep>>, more: bool) -> Paths {
        let choices = self.code.blocks.ids().flat_map(|block| self.choices(block));
        let steps = choices.flat_map(|choice| choice.edges).collect();
        let turns = paths.iter().flatten().map(|step| step.turns).max().unwrap_or(0);
        Paths { paths, more, turns, steps }
    }

    fn start(&self) -> Point {
        self.enter(self.code.entry(), &[], &[], Vec::new())
    }

    fn is_end(&self, block: Block) -> bool {
        self.code.blocks[block].term.edges().next().is_none()
    }

    /// The points that follow, each with what is chosen on the way.
    fn next(&self, point: &Point) -> Vec<(Option<Choice>, Point)> {
        if let Terminator::Jump(edge) = &self.code.blocks[point.block].term {
            let next = self.follow(point, point.block, edge.target, None);
            return next.map(|next| (None, next)).into_iter().collect();
        }
        let choices = self.choices(point.block).into_iter();
        choices
            .filter_map(|choice| {
                let next = self.follow(point, choice.edges[0].0, choice.target, Some(&choice))?;
                Some((Some(choice), next))
            })
            .collect()
    }

    /// Whether a choice is the one that the user names.
    fn fits(&self, wanted: &Wanted, decision: Decision, choice: &Choice) -> bool {
        let term = &self.code.blocks[choice.edges[0].0].term;
        let chosen = match (wanted.outcome, term) {
            (WantedOutcome::Truth(truth), Terminator::Branch { .. }) => usize::from(truth),
            (WantedOutcome::Case(value), Terminator::Switch { cases, value: decided, .. }) => {
                let width = self.code.values[*decided].ty.width().expect("a switch is over numbers");
                let value = width.wrap(value.cast_unsigned());
                let matches =
                    |case: &quipu_ir::Case| value.wrapping_sub(case.low) <= case.high.wrapping_sub(case.low);
                cases.iter().position(matches).unwrap_or(cases.len())
            }
            (WantedOutcome::Default, Terminator::Switch { cases, .. }) => cases.len(),
            _ => return false,
        };
        wanted.decisions.contains(&decision) && choice.outcome == chosen
    }

    fn enter(&self, block: Block, around: &[Block], turns: &[u64], steps: Vec<PathStep>) -> Point {
        let heads = &self.order.around[block];
        let shared = heads.iter().zip(around).take_while(|(a, b)| a == b).count();
        let mut own = turns[..shared].to_vec();
        own.resize(heads.len(), 0);
        Point { block, turns: own, steps }
    }

    /// The point behind an edge; none if that is a turn too many.
    fn follow(&self, point: &Point, from: Block, to: Block, choice: Option<&Choice>) -> Option<Point> {
        let mut steps = point.steps.clone();
        if let Some(choice) = choice {
            let context = self.context(point.block, &point.turns);
            let (decision, outcome) = (choice.decision, choice.outcome);
            let turns = point.turns.iter().copied().max().unwrap_or(0);
            steps.push(PathStep { context, turns, decision, outcome, edges: choice.edges.clone() });
        }
        let around = &self.order.around[point.block];
        let mut next = self.enter(to, around, &point.turns, steps);
        if self.order.is_back(from, to) {
            let turn = next.turns.last_mut()?;
            *turn += 1;
            if *turn > self.turns {
                return None;
            }
        }
        Some(next)
    }

    fn context(&self, block: Block, turns: &[u64]) -> Context {
        let loops = self.order.around[block].iter().zip(turns);
        loops.fold(self.root, |context, (&head, &turn)| context.in_loop(head).turn(turn))
    }

    /// What can be chosen at a block: the outcomes of its decision if that is evaluated by conditions alone, else the
    /// edges of the block.
    fn choices(&self, block: Block) -> Vec<Choice> {
        match &self.code.blocks[block].term {
            Terminator::Branch { cond: Some(cond), .. } => {
                self.outcomes(block, *cond).unwrap_or_else(|| self.plain(block))
            }
            Terminator::Branch { .. } | Terminator::Switch { .. } => self.plain(block),
            _ => Vec::new(),
        }
    }

    fn plain(&self, block: Block) -> Vec<Choice> {
        let term = &self.code.blocks[block].term;
        let decision = match term {
            Terminator::Switch { decision, .. } => *decision,
            Terminator::Branch { cond, .. } => cond.map(|cond| self.code.conds[cond].decision),
            _ => None,
        };
        let is_branch = matches!(term, Terminator::Branch { .. });
        let choice = |(number, edge): (usize, &quipu_ir::Edge)| Choice {
            decision,
            outcome: if is_branch { usize::from(number == 0) } else { number },
            edges: vec![(block, number)],
            target: edge.target,
        };
        term.edges().enumerate().map(choice).collect()
    }

    /// The two outcomes of a decision whose evaluation starts at a block; none if other decisions lie within.
    fn outcomes(&self, start: Block, cond: Cond) -> Option<Vec<Choice>> {
        let decision = self.code.conds[cond].decision;
        let mut edges: [Vec<(Block, usize)>; 2] = [Vec::new(), Vec::new()];
        let mut targets: [Option<Block>; 2] = [None, None];
        let (mut open, mut seen) = (vec![start], FxHashSet::default());
        while let Some(block) = open.pop() {
            if !seen.insert(block) {
                continue;
            }
            let Terminator::Branch { cond: Some(cond), .. } = &self.code.blocks[block].term else {
                return None;
            };
            if self.code.conds[*cond].decision != decision
                || self.order.around[block] != self.order.around[start]
            {
                return None;
            }
            for (number, edge) in self.code.blocks[block].term.edges().enumerate() {
                let Some(outcome) = edge.outcome.map(usize::from) else {
                    open.push(edge.target);
                    continue;
                };
                if targets[outcome].is_some_and(|target| target != edge.target) {
                    return None;
                }
                targets[outcome] = Some(edge.target);
                edges[outcome].push((block, number));
            }
        }
        let [no, yes] = edges;
        let choice = |outcome: usize, edges: Vec<(Block, usize)>| {
            let target = targets[outcome]?;
            Some(Choice { decision: Some(decision), outcome, edges, target })
        };
        Some([choice(1, yes), choice(0, no)].into_iter().flatten().collect())
    }
}
