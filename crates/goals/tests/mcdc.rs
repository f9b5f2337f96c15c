//! MC/DC against brute force on expression trees.
//!
//! Random expressions of `&&`, `||` and `!` are compiled and run with all inputs. What the goals say is compared with
//! definitions on the tree that know nothing of paths: a condition is evaluated or not by the rules of short circuit,
//! and masked by an operand of one of the operators above it.

mod support;

use quipu_base::Id;
use quipu_cfront::Program;
use quipu_goals::{BitSet, Criterion, GoalKind, Goals, Ledger, McdcForm};
use quipu_testkit::rng::Rng;
use support::{compile, goals, shows};

enum Expr {
    Atom(usize),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
}

/// A random expression; its atoms are numbered from left to right.
fn expression(rng: &mut Rng, atoms: std::ops::Range<usize>) -> Expr {
    if rng.chance(20) {
        return Expr::Not(Box::new(expression(rng, atoms)));
    }
    if atoms.len() == 1 {
        return Expr::Atom(atoms.start);
    }
    let middle = atoms.start + 1 + rng.index(atoms.len() - 1);
    let left = Box::new(expression(rng, atoms.start..middle));
    let right = Box::new(expression(rng, middle..atoms.end));
    if rng.chance(50) { Expr::And(left, right) } else { Expr::Or(left, right) }
}

impl Expr {
    fn text(&self) -> String {
        match self {
            Expr::Atom(n) => format!("x{n}"),
            Expr::Not(a) => format!("!({})", a.text()),
            Expr::And(a, b) => format!("({} && {})", a.text(), b.text()),
            Expr::Or(a, b) => format!("({} || {})", a.text(), b.text()),
        }
    }

    fn value(&self, input: usize) -> bool {
        match self {
            Expr::Atom(n) => input >> n & 1 != 0,
            Expr::Not(a) => !a.value(input),
            Expr::And(a, b) => a.value(input) && b.value(input),
            Expr::Or(a, b) => a.value(input) || b.value(input),
        }
    }

    /// The atoms that C evaluates, as bits.
    fn evaluated(&self, input: usize) -> usize {
        match self {
            Expr::Atom(n) => 1 << n,
            Expr::Not(a) => a.evaluated(input),
            Expr::And(a, b) => a.evaluated(input) | if a.value(input) { b.evaluated(input) } else { 0 },
            Expr::Or(a, b) => a.evaluated(input) | if a.value(input) { 0 } else { b.evaluated(input) },
        }
    }

    /// Whether an evaluated atom reaches the outcome: no operator above it has an evaluated other operand that decides
    /// by itself. An operand that was not evaluated masks nothing.
    fn reaches(&self, atom: usize, input: usize) -> bool {
        match self {
            Expr::Atom(n) => *n == atom,
            Expr::Not(a) => a.reaches(atom, input),
            Expr::And(a, b) => operand(a, b, atom, input, true),
            Expr::Or(a, b) => operand(a, b, atom, input, false),
        }
    }
}

fn operand(a: &Expr, b: &Expr, atom: usize, input: usize, neutral: bool) -> bool {
    let b_is_evaluated = a.value(input) == neutral;
    let in_a = a.reaches(atom, input) && (!b_is_evaluated || b.value(input) == neutral);
    in_a || b_is_evaluated && b.reaches(atom, input)
}

/// By value: some other input agrees wherever both evaluate, differs in the atom, and has the other outcome.
fn has_unique_cause_partner(expr: &Expr, atom: usize, input: usize, others: &[usize]) -> bool {
    others.iter().any(|&other| {
        let both = expr.evaluated(input) & expr.evaluated(other);
        (input ^ other) & both == 1 << atom && expr.value(input) != expr.value(other)
    })
}

struct Subject {
    expr: Expr,
    atoms: usize,
    program: Program,
    goals: Goals,
    /// What each input shows.
    shown: Vec<BitSet>,
}

fn subject(seed: u64) -> Subject {
    let mut rng = Rng::new(seed);
    let atoms = 1 + rng.index(5);
    let expr = expression(&mut rng, 0..atoms);
    let params: Vec<String> = (0..atoms).map(|n| format!("int x{n}")).collect();
    let (params, condition) = (params.join(", "), expr.text());
    let program = compile(&format!("int f({params}) {{ if ({condition}) return 1; return 0; }}"));
    let forms = [McdcForm::Masking, McdcForm::UniqueCause].map(Criterion::Mcdc);
    let goals = goals(&program, &forms);
    let inputs = 0..1usize << atoms;
    let args = |input: usize| (0..atoms).map(|n| (input >> n & 1) as i64).collect::<Vec<_>>();
    let shown = inputs.map(|input| shows(&program, &goals, "f", &args(input))).collect();
    Subject { expr, atoms, program, goals, shown }
}

impl Subject {
    /// The goals of a form, by atom.
    fn goals_of(&self, form: McdcForm) -> Vec<&quipu_goals::Goal> {
        let is_of = |goal: &&quipu_goals::Goal| matches!(goal.kind, GoalKind::Mcdc(_, of) if of == form);
        self.goals.all().iter().filter(is_of).collect()
    }
}

#[test]
fn halves_are_the_unmasked_evaluations() {
    for seed in 0..400 {
        let subject = subject(seed);
        for form in [McdcForm::Masking, McdcForm::UniqueCause] {
            let goals = subject.goals_of(form);
            assert_eq!(goals.len(), subject.atoms);
            for (atom, goal) in goals.into_iter().enumerate() {
                for (input, shown) in subject.shown.iter().enumerate() {
                    let unmasked =
                        subject.expr.evaluated(input) >> atom & 1 != 0 && subject.expr.reaches(atom, input);
                    let value = input >> atom & 1 != 0;
                    let met: Vec<bool> = goal
                        .parts
                        .iter()
                        .map(|part| part.items.iter().any(|item| shown.contains(item.index())))
                        .collect();
                    let expected = [unmasked && value, unmasked && !value];
                    assert_eq!(met, expected, "x{atom} of {} with {input:b}", subject.expr.text());
                }
            }
        }
    }
}

#[test]
fn every_unmasked_evaluation_has_a_unique_cause_partner() {
    for seed in 0..400 {
        let Subject { expr, atoms, .. } = subject(seed);
        let inputs: Vec<usize> = (0..1 << atoms).collect();
        for &input in &inputs {
            for atom in (0..atoms).filter(|atom| expr.evaluated(input) >> atom & 1 != 0) {
                let partner = has_unique_cause_partner(&expr, atom, input, &inputs);
                assert_eq!(partner, expr.reaches(atom, input), "x{atom} of {} with {input:b}", expr.text());
            }
        }
    }
}

#[test]
fn ledgers_agree_with_the_definitions() {
    let mut covered = [0, 0];
    for seed in 0..600 {
        let subject = subject(seed);
        let mut rng = Rng::new(seed + 1_000_000);
        let tests: Vec<usize> = (0..1 + rng.index(6)).map(|_| rng.index(1 << subject.atoms)).collect();
        let mut ledger = Ledger::new(&subject.goals);
        let mut reported = 0;
        for &test in &tests {
            let gains = ledger.gains(&subject.shown[test]);
            let new = ledger.add_test(&subject.shown[test]);
            assert!(gains || new.is_empty(), "a test without gain should cover nothing");
            reported += new.len();
        }
        assert_eq!(reported, ledger.covered());
        let expr = &subject.expr;
        for atom in 0..subject.atoms {
            let shows = |test: usize, value: bool| {
                (test >> atom & 1 != 0) == value
                    && expr.evaluated(test) >> atom & 1 != 0
                    && expr.reaches(atom, test)
            };
            let half = |value| tests.iter().any(|&test| shows(test, value));
            let masking = half(true) && half(false);
            let evaluated = |test: &&usize| expr.evaluated(**test) >> atom & 1 != 0;
            let unique = tests
                .iter()
                .filter(evaluated)
                .any(|&test| has_unique_cause_partner(expr, atom, test, &tests));
            for (n, (form, expected)) in
                [(McdcForm::Masking, masking), (McdcForm::UniqueCause, unique)].into_iter().enumerate()
            {
                let goal = subject.goals_of(form)[atom];
                let context = format!("{form:?} x{atom} of {} by {tests:?}", expr.text());
                assert_eq!(ledger.is_covered(goal.id), expected, "{context}");
                assert_eq!(ledger.independence(goal.id).is_some(), expected, "{context}");
                covered[n] += usize::from(expected);
                if let Some(pair) = ledger.independence(goal.id) {
                    check_vector(expr, subject.atoms, tests[pair.when_true], &pair.true_vector);
                    check_vector(expr, subject.atoms, tests[pair.when_false], &pair.false_vector);
                    let alone = [tests[pair.when_false]];
                    let agrees = has_unique_cause_partner(expr, atom, tests[pair.when_true], &alone);
                    assert!(agrees || form == McdcForm::Masking, "{context}");
                }
            }
        }
        assert!(subject.program.warnings.is_empty());
    }
    assert!(covered[1] > 200 && covered[0] > covered[1] + 20, "both forms should differ: {covered:?}");
}

fn check_vector(expr: &Expr, atoms: usize, input: usize, vector: &str) {
    let letter = |n: usize| match (expr.evaluated(input) >> n & 1 != 0, input >> n & 1 != 0) {
        (false, _) => "-",
        (true, true) => "T",
        (true, false) => "F",
    };
    assert_eq!(vector, (0..atoms).map(letter).collect::<Vec<_>>().join(" "));
}
