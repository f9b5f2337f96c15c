//! The goals of functions.
//!
//! Goals are in the order of the source. Constant expressions have no goal for the outcome that they cannot have, and
//! none for themselves as conditions. `assert` is a check of the program, not a decision to test. A `switch` has one
//! goal for each `case` label, and one for the default even where the source writes none. Code that the front end found
//! unreachable keeps its goals, but for the arms of its switches; they have no ways.

use std::collections::BTreeSet;

use quipu_base::IdVec;
use quipu_ir::{
    Case, CondData, Decision, DecisionData, DecisionKind, Func, FuncBody, Module, Span, Terminator,
};

use crate::assertions::{Assertion, assertions};
use crate::boundary;
use crate::criterion::{Criterion, McdcForm};
use crate::decision_graph::DecisionGraph;
use crate::evaluation::Evaluations;
use crate::goal::{Goal, GoalId, GoalKind, Item, Outcome, Part, Way};
use crate::places::Places;
use crate::signedness::Signs;
use crate::sites::Sites;
use crate::source_text::{SourceFiles, balanced};
use crate::undefined::{Danger, dangers};

/// The goals of some functions, and the tables by which runs are followed.
#[derive(Clone, Debug)]
pub struct Goals {
    goals: IdVec<GoalId, Goal>,
    not_analysed: Vec<NotAnalysed>,
    /// The goals that belong to these.
    too_large: BTreeSet<GoalId>,
    evaluations: Vec<Evaluations>,
    /// For an MC/DC goal: the evaluations of its decision, and its condition's number in the decision.
    obligations: IdVec<GoalId, Option<(usize, usize)>>,
    /// The goals and parts that each item is good for.
    uses: IdVec<Item, Vec<(GoalId, usize)>>,
    pub(crate) sites: Sites,
}

/// A decision whose MC/DC goals are given up because it is too large.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotAnalysed {
    pub func: Func,
    pub decision: Decision,
    pub span: Span,
    pub text: String,
    /// Its conditions, each of which has a goal.
    pub conditions: usize,
    pub reason: String,
}

impl Goals {
    /// The goals of these functions under these criteria, function by function in source order. Functions without
    /// code have none.
    pub fn of(
        module: &Module,
        sources: &SourceFiles<'_>,
        functions: &[Func],
        criteria: &[Criterion],
    ) -> Goals {
        let mut goals = Goals {
            goals: IdVec::new(),
            not_analysed: Vec::new(),
            too_large: BTreeSet::new(),
            evaluations: Vec::new(),
            obligations: IdVec::new(),
            uses: IdVec::new(),
            sites: Sites::new(module, functions),
        };
        for &func in functions {
            if let Some(body) = module.functions[func].code() {
                let places = Places::of(body);
                let mut collector = Collector { module, sources, func, body, places, drafts: Vec::new() };
                let criteria = Criterion::ALL.into_iter().filter(|(one, _)| criteria.contains(one));
                criteria.for_each(|(criterion, _)| collector.collect(criterion, &mut goals));
                goals.number(module, collector.drafts);
            }
        }
        goals
    }

    /// All goals, by id.
    pub fn all(&self) -> &IdVec<GoalId, Goal> {
        &self.goals
    }

    /// The decisions that are too large for MC/DC.
    pub fn not_analysed(&self) -> &[NotAnalysed] {
        &self.not_analysed
    }

    /// The number of items that runs can show.
    pub fn items(&self) -> usize {
        self.uses.len()
    }

    /// The goals, with the number of the part, that an item is good for.
    pub fn uses(&self, item: Item) -> &[(GoalId, usize)] {
        &self.uses[item]
    }

    /// Whether nobody knows what would meet a goal, because its decision is too large.
    pub fn is_too_large(&self, goal: GoalId) -> bool {
        self.too_large.contains(&goal)
    }

    /// For an MC/DC goal: the evaluations of its decision, and the number of its condition in the decision.
    pub fn obligation(&self, goal: GoalId) -> Option<(&Evaluations, usize)> {
        self.obligations[goal].map(|(evaluations, cond)| (&self.evaluations[evaluations], cond))
    }

    /// Whether any two ways of the two parts of a goal meet it together, as under masking.
    pub fn any_pair(&self, goal: GoalId) -> bool {
        !matches!(self.goals[goal].kind, GoalKind::Mcdc(_, McdcForm::UniqueCause))
    }

    /// Whether an item of the first part of an MC/DC goal and one of its second part meet the goal together.
    pub fn pair(&self, goal: GoalId, when_true: Item, when_false: Item) -> bool {
        let Some((evaluations, cond)) = self.obligation(goal) else { return false };
        let agree = match (evaluations.path(when_true), evaluations.path(when_false)) {
            (Some(one), Some(other)) => one.pairs_with(other, cond),
            _ => false,
        };
        agree || self.any_pair(goal)
    }

    /// Numbers the goals of a function and enters what they need into the tables.
    fn number(&mut self, module: &Module, mut drafts: Vec<Draft>) {
        drafts.sort_by_key(|Draft { span, kind, .. }| (span.file, span.line, span.column, kind.criterion()));
        for Draft { func, kind, span, text, outcome, need } in drafts {
            let id = self.goals.next_id();
            let (parts, obligation) = match need {
                Need::Way(ways) => (vec![self.part(module, ways)], None),
                Need::Influence(evaluations, cond) => {
                    let halves = [true, false].map(|value| self.half(evaluations, cond, value));
                    (halves.into(), Some((evaluations, cond)))
                }
                Need::TooMuch => {
                    self.too_large.insert(id);
                    (vec![Part { ways: Vec::new(), items: Vec::new() }], None)
                }
            };
            for (number, part) in parts.iter().enumerate() {
                part.items.iter().for_each(|&item| self.uses[item].push((id, number)));
            }
            self.obligations.push(obligation);
            self.goals.push(Goal { id, func, kind, span, text: balanced(&text), outcome, parts });
        }
    }

    fn part(&mut self, module: &Module, ways: Vec<Way>) -> Part {
        let item = self.uses.push(Vec::new());
        ways.iter().for_each(|way| self.sites.shows(module, way, item));
        Part { ways, items: vec![item] }
    }

    fn half(&self, evaluations: usize, cond: usize, value: bool) -> Part {
        let evaluations = &self.evaluations[evaluations];
        let paths = evaluations.unmasked(cond, value);
        Part {
            ways: paths.iter().map(|&path| evaluations.way(path)).collect(),
            items: paths.iter().map(|&path| evaluations.item(path)).collect(),
        }
    }
}

/// A goal without a number.
struct Draft {
    func: Func,
    kind: GoalKind,
    span: Span,
    text: String,
    outcome: String,
    need: Need,
}

/// What meets a goal.
enum Need {
    /// One of these ways.
    Way(Vec<Way>),
    /// A condition that decides, by evaluations of this number.
    Influence(usize, usize),
    /// Nobody knows: the decision is too large.
    TooMuch,
}

/// Collects the goals of a function.
struct Collector<'a> {
    module: &'a Module,
    sources: &'a SourceFiles<'a>,
    func: Func,
    body: &'a FuncBody,
    places: Places,
    drafts: Vec<Draft>,
}

impl Collector<'_> {
    fn collect(&mut self, criterion: Criterion, goals: &mut Goals) {
        match criterion {
            Criterion::Statement => self.statements(),
            Criterion::Branch => self.decisions(GoalKind::Branch, steers),
            Criterion::Condition => self.conditions(),
            Criterion::Decision => {
                self.entry();
                self.decisions(GoalKind::Decision, |kind| kind != DecisionKind::Assert);
            }
            Criterion::Mcdc(form) => self.influences(form, goals),
            Criterion::Boundary => self.boundaries(),
            Criterion::Undefined => self.dangers(),
            Criterion::Assertion => self.assertions(),
        }
    }

    fn draft(&mut self, kind: GoalKind, span: Span, text: &str, outcome: String, ways: Vec<Way>) {
        let need = Need::Way(ways);
        self.drafts.push(Draft { func: self.func, kind, span, text: text.into(), outcome, need });
    }

    fn statements(&mut self) {
        for (stmt, data) in self.body.stmts.entries() {
            let place = self.places.stmts[stmt].map(|(block, inst)| Way::Block(self.func, block, inst));
            let text = self.sources.text(data.span);
            let ways = place.into_iter().collect();
            self.draft(GoalKind::Statement(stmt), data.span, &text, "executed".into(), ways);
        }
    }

    fn entry(&mut self) {
        let function = &self.module.functions[self.func];
        let ways = vec![Way::Entry(self.func)];
        self.draft(GoalKind::Entry, function.span, &function.source_name, "entered".into(), ways);
    }

    fn conditions(&mut self) {
        for (cond, data) in self.body.conds.entries() {
            if !self.is_tested(data) {
                continue;
            }
            for value in [true, false] {
                let edge = |block| Way::Edge(self.func, block, usize::from(!value));
                let ways = self.places.conds[cond].map(edge).into_iter().collect();
                self.draft(GoalKind::Condition(cond, value), data.span, &data.text, value.to_string(), ways);
            }
        }
    }

    /// Whether a condition can have both outcomes and stands in a decision to test.
    fn is_tested(&self, cond: &CondData) -> bool {
        cond.constant.is_none() && self.body.decisions[cond.decision].kind != DecisionKind::Assert
    }

    fn decisions(&mut self, kind: fn(Decision, Outcome) -> GoalKind, wanted: fn(DecisionKind) -> bool) {
        let body = self.body;
        for (decision, data) in body.decisions.entries().filter(|(_, data)| wanted(data.kind)) {
            if data.kind == DecisionKind::Switch {
                self.arms(decision, data, kind);
            } else {
                self.truths(decision, data, kind);
            }
        }
    }

    fn truths(&mut self, decision: Decision, data: &DecisionData, kind: fn(Decision, Outcome) -> GoalKind) {
        let graph = DecisionGraph::of(self.body, &self.places, decision);
        let is_code = graph.blocks.first().is_some_and(Option::is_some);
        for value in [true, false] {
            let constant = |cond| self.body.conds[cond].constant == Some(!value);
            let impossible = if is_code {
                !graph.possible(value)
            } else {
                graph.conds.len() == 1 && constant(graph.conds[0])
            };
            if !impossible {
                let ways = self.settling_edges(&graph, value);
                self.draft(
                    kind(decision, Outcome::Truth(value)),
                    data.span,
                    &data.text,
                    value.to_string(),
                    ways,
                );
            }
        }
    }

    fn settling_edges(&self, graph: &DecisionGraph, outcome: bool) -> Vec<Way> {
        let edges = graph.blocks.iter().flatten().flat_map(|&block| {
            let edges = self.body.blocks[block].term.edges().enumerate();
            edges.filter(move |(_, edge)| edge.outcome == Some(outcome)).map(move |(n, _)| (block, n))
        });
        edges.map(|(block, edge)| Way::Edge(self.func, block, edge)).collect()
    }

    fn arms(&mut self, decision: Decision, data: &DecisionData, kind: fn(Decision, Outcome) -> GoalKind) {
        let Some(block) = self.places.switches[decision] else { return };
        let body = self.body;
        let Terminator::Switch { value, cases, .. } = &body.blocks[block].term else { return };
        let signed = Signs::new(self.module, &self.module.functions[self.func], body).of_one(*value);
        let width = body.ty(*value).width().expect("a switch should be one over integers");
        let number = |bits| if signed { width.signed(bits).to_string() } else { bits.to_string() };
        let label = |Case { low, high, .. }: &Case| match low == high {
            true => format!("case {}", number(*low)),
            false => format!("case {} ... {}", number(*low), number(*high)),
        };
        let labels: Vec<String> = cases.iter().map(label).chain(["default".to_string()]).collect();
        for (arm, label) in labels.into_iter().enumerate() {
            let ways = vec![Way::Edge(self.func, block, arm)];
            self.draft(kind(decision, Outcome::Arm(arm)), data.span, &data.text, label, ways);
        }
    }

    fn influences(&mut self, form: McdcForm, goals: &mut Goals) {
        for (decision, data) in self.body.decisions.entries() {
            if matches!(data.kind, DecisionKind::Switch | DecisionKind::Assert) {
                continue;
            }
            let number = self.evaluations(decision, data, goals);
            let conds = match number {
                Some(number) => goals.evaluations[number].conds().to_vec(),
                None => DecisionGraph::of(self.body, &self.places, decision).conds,
            };
            for (n, cond) in conds.into_iter().enumerate() {
                let data = &self.body.conds[cond];
                if data.constant.is_none() {
                    self.drafts.push(Draft {
                        func: self.func,
                        kind: GoalKind::Mcdc(cond, form),
                        span: data.span,
                        text: data.text.clone(),
                        outcome: "decides".into(),
                        need: number.map_or(Need::TooMuch, |number| Need::Influence(number, n)),
                    });
                }
            }
        }
    }

    /// The number of a decision's evaluations, which both forms of MC/DC share.
    fn evaluations(&self, decision: Decision, data: &DecisionData, goals: &mut Goals) -> Option<usize> {
        let same = |known: &Evaluations| known.func == self.func && known.decision == decision;
        if let Some(known) = goals.evaluations.iter().rposition(same) {
            return Some(known);
        }
        let graph = DecisionGraph::of(self.body, &self.places, decision);
        let conditions = graph.conds.len();
        match Evaluations::of(self.func, decision, graph, goals.uses.len()) {
            Ok(evaluations) => {
                for _ in &evaluations.paths {
                    goals.uses.push(Vec::new());
                }
                goals.sites.follow(&evaluations);
                goals.evaluations.push(evaluations);
                Some(goals.evaluations.len() - 1)
            }
            Err(reason) => {
                let (func, span, text) = (self.func, data.span, balanced(&data.text));
                let failed = NotAnalysed { func, decision, span, text, conditions, reason };
                if !goals.not_analysed.contains(&failed) {
                    goals.not_analysed.push(failed);
                }
                None
            }
        }
    }

    fn boundaries(&mut self) {
        let function = &self.module.functions[self.func];
        for found in boundary::comparisons(self.module, function, self.body, self.sources) {
            let (func, block, inst, order) = (self.func, found.block, found.inst, found.order);
            for (relation, outcome) in found.points {
                let ways = vec![Way::Compare { func, block, inst, relation, order }];
                let kind = GoalKind::Boundary(block, inst, relation);
                self.draft(kind, found.span, &found.text, outcome, ways);
            }
        }
    }

    fn dangers(&mut self) {
        for Danger { span, event, spans, blocks } in dangers(self.module, self.func) {
            let ways = vec![Way::End { func: self.func, event: Some(event), spans, blocks }];
            let text = self.sources.text(span);
            self.draft(GoalKind::Undefined(event), span, &text, event.to_string(), ways);
        }
    }

    fn assertions(&mut self) {
        for Assertion { span, text, is_argument, kind, ways } in assertions(self.module, self.func) {
            let text = text.unwrap_or_else(|| self.sources.text(span));
            let text = if is_argument { argument(&text) } else { &text };
            self.draft(GoalKind::Assertion(kind), span, text, "fails".into(), ways);
        }
    }
}

/// The argument of a call, or the text itself if it does not look like a call.
fn argument(call: &str) -> &str {
    let inner =
        call.split_once('(').and_then(|(_, rest)| rest.trim_end_matches([';', ' ']).strip_suffix(')'));
    inner.map_or(call, str::trim)
}

/// Whether the outcome of such a decision chooses what is executed next.
fn steers(kind: DecisionKind) -> bool {
    !matches!(kind, DecisionKind::Assert | DecisionKind::Logical)
}
