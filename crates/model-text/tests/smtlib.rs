//! The export to SMT-LIB. Its meaning was checked against other solvers by hand; here, its form is.

mod random;

use quipu_model::{Node, Role, WrittenBodies};
use quipu_model_text::{parse, smtlib};

#[test]
fn a_small_model() {
    let text = "var x, and : u8 in 5..0; var b : bool; b -> x / and == 3; x as i8 < -2;";
    let model = parse(text).unwrap().model;
    let expected = "\
(set-logic QF_BV)
(declare-fun |x| () (_ BitVec 8))
(assert (bvule (bvsub |x| (_ bv5 8)) (_ bv251 8)))
(declare-fun |and_| () (_ BitVec 8))
(assert (bvule (bvsub |and_| (_ bv5 8)) (_ bv251 8)))
(declare-fun |b| () (_ BitVec 1))
(define-fun t!1 () (_ BitVec 8) (ite (= |and_| (_ bv0 8)) (_ bv0 8) (bvudiv |x| |and_|)))
(define-fun t!2 () (_ BitVec 1) (ite (= t!1 (_ bv3 8)) #b1 #b0))
(define-fun t!3 () (_ BitVec 1) (bvnot |b|))
(define-fun t!4 () (_ BitVec 1) (ite (or (= t!3 #b1) (= t!2 #b1)) #b1 #b0))
(assert (= t!4 #b1))
(define-fun t!5 () (_ BitVec 1) (ite (bvslt |x| (_ bv254 8)) #b1 #b0))
(assert (= t!5 #b1))
(check-sat)
";
    assert_eq!(smtlib(&model).unwrap(), expected);
}

#[test]
fn calls_must_be_unfolded() {
    let mut model = parse("rel f(x: u8, y: u8) { y == x + 1; } var x, y : u8; f(x, y);").unwrap().model;
    let error = smtlib(&model).unwrap_err();
    assert_eq!(error.to_string(), "the relation `f` is called, and the call has not been unfolded");
    let call = model.assertions()[0];
    model.unfold(call, &WrittenBodies);
    let text = smtlib(&model).unwrap();
    assert!(text.contains("bvadd") && !text.contains("Formal"), "{text}");
    assert!(model.vars().iter().any(|info| info.role == Role::Formal));
}

#[test]
fn a_call_that_needs_itself_is_refused() {
    let mut model = parse("rel f() { f() || g(); } rel g() { f(); } f();").unwrap().model;
    for _ in 0..3 {
        let calls: Vec<_> = model.terms().filter(|&t| matches!(model.node(t), Node::Call(..))).collect();
        for call in calls {
            model.unfold(call, &WrittenBodies);
        }
    }
    assert_eq!(smtlib(&model).unwrap_err().to_string(), "the unfolding of a call needs itself");
}

/// Brackets match and every symbol is defined in front of its use.
#[test]
fn random_models_have_a_sound_form() {
    for seed in 0..300 {
        let model = random::model(seed, false);
        let text = smtlib(&model).unwrap();
        for line in text.lines() {
            let outside: String = line.split('|').step_by(2).collect();
            let count = |c: char| outside.chars().filter(|&d| d == c).count();
            assert_eq!(count('('), count(')'), "{line}");
        }
        let mut known = std::collections::HashSet::new();
        for line in text.lines() {
            let words = line.split(['(', ')', ' ']).filter(|w| w.starts_with("t!"));
            let (mut words, defines) = (words.peekable(), line.starts_with("(define-fun"));
            let own = if defines { words.next() } else { None };
            assert!(words.all(|word| known.contains(word)), "{line}");
            known.extend(own.map(str::to_owned));
        }
    }
}

#[test]
fn wide_terms_do_not_nest_deeply() {
    let items: Vec<String> = (0..2000).map(|n| format!("{n}*x")).collect();
    let list: Vec<String> = (0..2000).map(|n| format!("{n}")).collect();
    let text = format!(
        "var x : u16; sum({}) == 1; [{}][x] == x; x == {};",
        items.join(","),
        list.join(","),
        items.join("+")
    );
    let text = smtlib(&parse(&text).unwrap().model).unwrap();
    for line in text.lines() {
        let (mut depth, mut most) = (0, 0);
        for c in line.chars() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            most = most.max(depth);
        }
        assert!(most < 60, "{most}");
    }
}
