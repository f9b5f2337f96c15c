//! What runs show: by edges, by steps, and by the ways of the goals read off a trace.

mod support;

use quipu_base::Id;
use quipu_goals::{BitSet, Credit, Criterion, Goals, Item, Ledger, McdcForm, Way};
use quipu_interp::{Observer, Step, StepSink, Trace, TraceItem};
use quipu_ir::{Block, Cond, Decision, Func, Module, Stmt, Terminator};
use quipu_testkit::generate::{self, Config};
use support::{ALL, compile, goals, run, shows, shows_by_steps};

const STEPS: [Criterion; 6] = [
    Criterion::Statement,
    Criterion::Branch,
    Criterion::Condition,
    Criterion::Decision,
    Criterion::Mcdc(McdcForm::Masking),
    Criterion::Mcdc(McdcForm::UniqueCause),
];

/// The outcomes that these runs of `f` cover, as `text outcome` in order.
fn covered(text: &str, criterion: Criterion, runs: &[&[i64]]) -> Vec<String> {
    let program = compile(text);
    let goals = goals(&program, &[criterion]);
    let mut ledger = Ledger::new(&goals);
    for args in runs {
        let shown = shows(&program, &goals, "f", args);
        if criterion != Criterion::Boundary {
            assert_eq!(shown, shows_by_steps(&program, &goals, "f", args));
        }
        ledger.add_test(&shown);
    }
    let covered = goals.all().iter().filter(|goal| ledger.is_covered(goal.id));
    covered.map(|goal| format!("{} {}", goal.text, goal.outcome)).collect()
}

const MCDC: Criterion = Criterion::Mcdc(McdcForm::UniqueCause);

#[test]
fn nested_decisions_do_not_disturb_the_outer_one() {
    let text = "int f(int a, int b, int c, int d) { return a && (b ? c || d : d && c) && d ? 1 : 2; }";
    // The outer decision is a, the nested value, d: (T T T), (T F -), (F - -) and (T T F).
    let outer = ["a decides", "b ? c || d : d && c decides", "d decides"];
    let found = covered(text, MCDC, &[&[1, 1, 0, 1], &[1, 1, 0, 0], &[0, 0, 0, 0], &[1, 1, 1, 0]]);
    assert_eq!(found, ["a decides", "b ? c || d : d && c decides", "c decides", "d decides", "d decides"]);
    let found = covered(text, MCDC, &[&[1, 1, 0, 1], &[1, 0, 0, 1], &[0, 0, 0, 0]]);
    assert_eq!(found, [outer[0], outer[1], "b decides"]);
    assert_eq!(covered(text, MCDC, &[&[1, 1, 0, 1], &[0, 1, 0, 1]]), [outer[0]]);
}

#[test]
fn loops_separate_evaluations() {
    // One run evaluates i == 0 && a, then i == 1 ... : (T T), (F -), (F -).
    let text = "int f(int a) { int n = 0; for (int i = 0; i < 3; i++) if (i == 0 && a) n++; return n; }";
    assert_eq!(covered(text, MCDC, &[&[1]]), ["i < 3 decides", "i == 0 decides"]);
    assert_eq!(covered(text, MCDC, &[&[0]]), ["i < 3 decides"]);
    assert_eq!(covered(text, MCDC, &[&[0], &[1]]).len(), 3);
}

#[test]
fn recursion_separates_evaluations() {
    // f(1, b) evaluates n > 0, then f(0, b) as a whole, then what f returned.
    let text = "int f(int n, int b) { if (n > 0 && f(n - 1, b) && b) return 1; return b; }";
    assert_eq!(covered(text, MCDC, &[&[1, 1]]), ["n > 0 decides"]);
    assert_eq!(covered(text, MCDC, &[&[1, 1], &[1, 0]]), ["n > 0 decides", "f(n - 1, b) decides"]);
}

#[test]
fn leaving_a_decision_half_way_shows_no_evaluation() {
    // With b the first evaluation is left by `continue`; the second one is complete.
    let and = "int f(int a, int b) {
        for (int i = 0; i < 2; i++)
            if (i < 9 && a && ({ if (b && i == 0) continue; 1; }) && a != 7) return 1;
        return 0; }";
    let found = covered(and, MCDC, &[&[1, 1], &[0, 1], &[7, 1]]);
    assert_eq!(found, ["i < 2 decides", "a decides", "i == 0 decides", "a != 7 decides"]);
    let or = "int f(int a, int b, int z) {
        for (int i = 0; i < 2; i++)
            if (z || ({ if (b && i == 0) continue; 0; }) || a == 7) return 1;
        return 0; }";
    let found = covered(or, MCDC, &[&[1, 1, 0], &[1, 1, 1], &[7, 1, 0]]);
    assert_eq!(found, ["i < 2 decides", "z decides", "i == 0 decides", "a == 7 decides"]);
}

#[test]
fn an_event_inside_a_decision_shows_no_evaluation() {
    let text = "int f(int a, int b) { return a && 8 / b ? 1 : 0; }";
    assert_eq!(covered(text, MCDC, &[&[1, 0], &[0, 0]]), [""; 0]);
    assert_eq!(covered(text, MCDC, &[&[1, 1], &[0, 0]]), ["a decides"]);
}

#[test]
fn boundaries_do_not_wrap_around() {
    let signed = "int f(int a, int b) { return a == b; }";
    assert_eq!(covered(signed, Criterion::Boundary, &[&[2147483647, -2147483648]]), [""; 0]);
    assert_eq!(covered(signed, Criterion::Boundary, &[&[-1, 0]]), ["a == b a == b - 1"]);
    let unsigned = "int f(unsigned a, unsigned b) { return a == b; }";
    assert_eq!(covered(unsigned, Criterion::Boundary, &[&[-1, 0]]), [""; 0]);
    assert_eq!(covered(unsigned, Criterion::Boundary, &[&[-2147483648, 2147483647]]), ["a == b a == b + 1"]);
    let swapped = "int f(int a, int b) { return a >= b; }";
    assert_eq!(covered(swapped, Criterion::Boundary, &[&[4, 5]]), ["a >= b a == b - 1"]);
    assert_eq!(covered(swapped, Criterion::Boundary, &[&[5, 5], &[6, 5]]), ["a >= b a == b"]);
    let narrow = "int f(unsigned char a, signed char b) { return a > b; }";
    assert_eq!(covered(narrow, Criterion::Boundary, &[&[0, -1]]), ["a > b a == b + 1"]);
}

#[test]
fn a_log_may_miss_the_ends_of_activations() {
    let program = compile("int g(int x, int y) { return x && y; } int f(int a, int b) { return a && b; }");
    let goals = goals(&program, &[MCDC]);
    let [g, f] = ["g", "f"].map(|name| program.module.function(name).expect("a function"));
    let cond = |n| Cond::new(n);
    let mut credit = Credit::new(&goals);
    // While `a` was true and `b` to come, `g` was called and left by a jump.
    let steps = [
        Step::Enter(f),
        Step::Cond(f, cond(0), true, None),
        Step::Enter(g),
        Step::Cond(g, cond(0), true, None),
        Step::Cond(f, cond(1), true, Some(true)),
        Step::Leave(f),
    ];
    steps.into_iter().for_each(|step| credit.step(step));
    assert_eq!(*credit.items(), shows(&program, &goals, "f", &[1, 1]));
}

/// Random programs with all criteria: both forms of credit, and the ways of the goals.
#[test]
fn all_forms_agree_on_random_programs() {
    let config = Config { undefined: true, ..Config::default() };
    let (mut covered, mut missed) = (0, 0);
    for seed in 0..60 {
        let generated = generate::program(seed, "p", &config);
        let text = generate::source(std::slice::from_ref(&generated));
        let program = compile(&text);
        let by_steps = goals(&program, &STEPS);
        let shown = shows(&program, &by_steps, &generated.entry, &[]);
        assert_eq!(shown, shows_by_steps(&program, &by_steps, &generated.entry, &[]), "seed {seed}");

        let goals = goals(&program, &ALL);
        let mut shown = shows(&program, &goals, &generated.entry, &[]);
        // A decision of constants has an evaluation, but no goal.
        let is_unused = |&item: &usize| goals.uses(Item::new(item)).is_empty();
        (0..goals.items()).filter(is_unused).for_each(|item| shown.remove(item));
        let mut reference =
            Reference { module: &program.module, trace: Trace::default(), compares: Vec::new() };
        run(&program.module, &generated.entry, &[], &mut reference);
        let expected = reference.shows(&goals);
        assert_eq!(shown, expected, "seed {seed}");
        covered += shown.len();
        missed += goals.items() - shown.len();
    }
    assert!(covered > 1000 && missed > 1000, "{covered} covered, {missed} missed");
}

/// The edges of an evaluation.
type Edges = Vec<(Block, usize)>;

/// Reads the ways of goals off a trace, slowly and literally.
struct Reference<'m> {
    module: &'m Module,
    trace: Trace,
    compares: Vec<(Func, Block, usize, u64, u64)>,
}

impl Observer for Reference<'_> {
    const COMPARES: bool = true;

    fn block(&mut self, func: Func, block: Block) {
        self.trace.block(func, block);
    }
    fn edge(&mut self, func: Func, block: Block, edge: usize) {
        self.trace.edge(func, block, edge);
    }
    fn stmt(&mut self, func: Func, stmt: Stmt) {
        self.trace.stmt(func, stmt);
    }
    fn enter(&mut self, func: Func) {
        self.trace.enter(func);
    }
    fn leave(&mut self, func: Func) {
        self.trace.leave(func);
    }
    fn compare(&mut self, func: Func, block: Block, inst: usize, a: u64, b: u64) {
        let compare = (func, block, inst, a, b);
        if !self.compares.contains(&compare) {
            self.compares.push(compare);
        }
    }
}

impl Reference<'_> {
    fn shows(&self, goals: &Goals) -> BitSet {
        let items: Vec<TraceItem> = {
            let mut items = Vec::new();
            for item in &self.trace.items {
                if !matches!(item, TraceItem::Leave(_)) && !items.contains(item) {
                    items.push(*item);
                }
            }
            items
        };
        let evaluations = self.evaluations();
        let mut shown = BitSet::new(goals.items());
        for part in goals.all().iter().flat_map(|goal| &goal.parts) {
            for (n, way) in part.ways.iter().enumerate() {
                if self.happens(way, &items, &evaluations) {
                    shown.insert(part.items[n.min(part.items.len() - 1)].index());
                }
            }
        }
        shown
    }

    fn happens(&self, way: &Way, items: &[TraceItem], evaluations: &[(Func, Edges)]) -> bool {
        match way {
            Way::Entry(func) => items.contains(&TraceItem::Enter(*func)),
            Way::Edge(func, block, edge) => items.contains(&TraceItem::Edge(*func, *block, *edge)),
            Way::Block(func, block, inst) => {
                let code = self.module.functions[*func].code().expect("code");
                let quipu_ir::InstKind::Stmt(stmt) = code.blocks[*block].insts[*inst].kind else {
                    panic!("a statement should stand there");
                };
                items.contains(&TraceItem::Stmt(*func, stmt))
            }
            Way::Evaluation(func, edges) => {
                evaluations.iter().any(|known| known.0 == *func && known.1 == *edges)
            }
            Way::End { .. } | Way::During { .. } => panic!("only violations happen like this"),
            Way::Compare { func, block, inst, relation, order } => {
                self.compares.iter().any(|compare| {
                    let &(f, b, i, x, y) = compare;
                    let code = self.module.functions[f].code().expect("code");
                    let kind = &code.blocks[b].insts[i].kind;
                    let (quipu_ir::InstKind::IntCmp(_, operand, _)
                    | quipu_ir::InstKind::FloatCmp(_, operand, _)) = kind
                    else {
                        panic!("a comparison should stand there");
                    };
                    let width = code.ty(*operand).width().unwrap_or(quipu_num::Width::W64);
                    let number = |bits: u64| order.place(width, bits);
                    let off = match relation {
                        quipu_goals::Off::Equal => 0,
                        quipu_goals::Off::OneLess => -1,
                        quipu_goals::Off::OneMore => 1,
                    };
                    let Some((x, y)) = number(x).zip(number(y)) else { return false };
                    (f, b, i) == (*func, *block, *inst) && x == y + off
                })
            }
        }
    }

    /// All evaluations of decisions, each with the edges of its own conditions.
    fn evaluations(&self) -> Vec<(Func, Edges)> {
        let mut found: Vec<(Func, Edges)> = Vec::new();
        let mut activations: Vec<Vec<(Decision, Edges)>> = Vec::new();
        for item in &self.trace.items {
            match *item {
                TraceItem::Enter(_) => activations.push(Vec::new()),
                TraceItem::Leave(_) => drop(activations.pop()),
                TraceItem::Edge(func, block, edge) => {
                    let code = self.module.functions[func].code().expect("code");
                    let term = &code.blocks[block].term;
                    let Terminator::Branch { cond: Some(cond), .. } = term else { continue };
                    let decision = code.conds[*cond].decision;
                    let open = activations.last_mut().expect("an activation");
                    if code.conds_of(decision).next() == Some(*cond) {
                        open.retain(|(other, _)| *other != decision);
                        open.push((decision, Vec::new()));
                    }
                    let current = open.iter_mut().find(|(other, _)| *other == decision).expect("a start");
                    current.1.push((block, edge));
                    if term.edges().nth(edge).expect("an edge").outcome.is_some() {
                        let whole = (func, std::mem::take(&mut current.1));
                        if !found.contains(&whole) {
                            found.push(whole);
                        }
                    }
                }
                TraceItem::Block(..) | TraceItem::Stmt(..) => {}
            }
        }
        found
    }
}
