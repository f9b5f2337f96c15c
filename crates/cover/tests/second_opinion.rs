//! A second opinion sees what is wrong with a proof.

use quipu_base::Id;
use quipu_cfront::Program;
use quipu_cover::{
    Bound, Explanation, FunctionReport, Options, Proof, Subject, Verdict, cover, goals_of, second_opinion,
};
use quipu_encode::{Context, CutKind};
use quipu_goals::{Criterion, GoalKind};

const FRONT: &str = "extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"f.c\", __LINE__, \"f\"))
";

struct Checked {
    program: Program,
    subject: Subject,
    report: FunctionReport,
    options: Options,
}

fn check(text: &str) -> Checked {
    let flags = quipu_cfront::Options::from_flags::<&str>(&[]).expect("no flags are fine");
    let text = format!("{FRONT}{text}").into_bytes();
    let program = quipu_cfront::compile_source("f.c", text, &flags).expect("the program is correct");
    let options = Options { criteria: vec![Criterion::Assertion], ..Options::default() };
    let named = |function: &quipu_ir::Function| function.source_name == "f";
    let (func, _) = program.module.functions.entries().find(|(_, one)| named(one)).expect("there is f");
    let subject = Subject::new(&program.module, func, Vec::new(), &options).expect("nothing is demanded");
    let goals = goals_of(&program, func, &options);
    let all: Vec<_> = goals.all().ids().collect();
    let report = cover(&program, &subject, goals, &all, &options).expect("there are inputs");
    Checked { program, subject, report, options }
}

/// Calls everything proved, and tells the values of the first input by which that is refuted.
fn refutations(mut checked: Checked) -> Vec<u64> {
    let is_assertion = |kind: GoalKind| matches!(kind, GoalKind::Assertion(_));
    let assertions = checked.report.goals.all().iter().filter(|goal| is_assertion(goal.kind));
    for goal in assertions.map(|goal| goal.id).collect::<Vec<_>>() {
        checked.report.verdicts[goal.index()] =
            Verdict::Unreachable(Proof::Infeasible(Explanation::default()));
    }
    let Checked { program, subject, report, options } = &checked;
    let opinion = second_opinion(program, subject, report, options);
    opinion.refuted.iter().map(|(_, inputs)| inputs.leaves[0]).collect()
}

#[test]
fn a_wrong_proof_is_refuted() {
    let wrong = "void f(unsigned x) { if (x * 3u == 1234567u) assert(x == 5); }";
    let [x] = refutations(check(wrong))[..] else { panic!("one assertion is wrong") };
    assert_eq!((x as u32).wrapping_mul(3), 1_234_567);
}

#[test]
fn a_wrong_proof_about_a_loop_is_refuted() {
    let wrong = "void f(unsigned n) { unsigned i = 0; while (i < n) { i++; assert(i != 6); } }";
    let [n] = refutations(check(wrong))[..] else { panic!("one assertion is wrong") };
    assert!(n >= 6);
}

#[test]
fn what_lies_beyond_the_turns_is_not_refuted() {
    let far = "void f(unsigned n) { unsigned i = 0; while (i < n) { i++; assert(i != 600); } }";
    assert!(refutations(check(far)).is_empty());
}

#[test]
fn right_proofs_are_confirmed() {
    let right = "void f(unsigned n) { unsigned i = 0; while (i < n) { i += 2; assert(i % 2 == 0); } }";
    let Checked { program, subject, report, options } = check(right);
    let opinion = second_opinion(&program, &subject, &report, &options);
    assert!(opinion.refuted.is_empty());
    assert_eq!((opinion.confirmed, opinion.unanswered), (1, 0));
}

/// Turns that are certain once a first one was taken cost nothing to follow, but a bound is about all of them.
#[test]
fn a_proof_up_to_a_bound_says_nothing_about_certain_turns_beyond_it() {
    let far = "void f(signed char a) { signed char x = 0; unsigned char y = 0; unsigned i = 0;
        do { if (y & 1) break; x = y; y = a; i++; } while (i < 20); assert(x >= 0); }";
    let mut checked = check(far);
    let assertion =
        checked.report.goals.all().iter().find(|goal| goal.text == "x >= 0").expect("there is one").id;
    let code = checked.program.module.functions[checked.report.func].code().expect("it has code");
    let bound = Bound {
        kind: CutKind::Loop {
            context: Context::root(checked.report.func),
            head: code.entry(),
            turns: 1,
            counts: true,
        },
        func: checked.report.func,
        span: checked.report.goals.all()[assertion].span,
    };
    checked.report.verdicts[assertion.index()] = Verdict::UnreachableToBound(vec![bound]);
    let Checked { program, subject, report, options } = &checked;
    assert!(second_opinion(program, subject, report, options).refuted.is_empty());
}
