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
fn floats_are_floats_of_smt_lib() {
    let text = "var x : f32 in -1.0..2.5; var RNE : f64; x * 0.5 + 1.0 < x; RNE == 2.0 && x as f64 <= RNE; x as i8 == 1;";
    let model = parse(text).unwrap().model;
    let expected = "\
(set-logic QF_BVFP)
(declare-fun |x| () (_ FloatingPoint 8 24))
(assert (and (fp.leq (fp #b1 #b01111111 #b00000000000000000000000) |x|) (fp.leq |x| (fp #b0 #b10000000 #b01000000000000000000000))))
(declare-fun |RNE_| () (_ FloatingPoint 11 53))
(define-fun t!1 () (_ FloatingPoint 8 24) (fp.mul RNE |x| (fp #b0 #b01111110 #b00000000000000000000000)))
(define-fun t!2 () (_ FloatingPoint 8 24) (fp.add RNE t!1 (fp #b0 #b01111111 #b00000000000000000000000)))
(define-fun t!3 () (_ BitVec 1) (ite (fp.lt t!2 |x|) #b1 #b0))
(assert (= t!3 #b1))
(define-fun t!4 () (_ FloatingPoint 11 53) ((_ to_fp 11 53) RNE |x|))
(define-fun t!5 () (_ BitVec 1) (ite (fp.leq t!4 |RNE_|) #b1 #b0))
(define-fun t!6 () (_ BitVec 1) (ite (fp.eq |RNE_| (fp #b0 #b10000000000 #b0000000000000000000000000000000000000000000000000000)) #b1 #b0))
(define-fun t!7 () (_ BitVec 1) (ite (and (= t!6 #b1) (= t!5 #b1)) #b1 #b0))
(assert (= t!7 #b1))
(define-fun t!8 () (_ BitVec 8) (ite (fp.isNaN |x|) (_ bv0 8) (ite (fp.geq |x| (fp #b0 #b10000110 #b00000000000000000000000)) (_ bv127 8) (ite (fp.leq |x| (fp #b1 #b10000110 #b00000000000000000000000)) (_ bv128 8) ((_ fp.to_sbv 8) RTZ |x|)))))
(define-fun t!9 () (_ BitVec 1) (ite (= t!8 (_ bv1 8)) #b1 #b0))
(assert (= t!9 #b1))
(check-sat)
";
    assert_eq!(smtlib(&model).unwrap(), expected);
}

#[test]
fn ranks_are_written_only_where_integers_are_needed() {
    let exported = |text: &str| smtlib(&parse(text).unwrap().model).unwrap();
    let ranks = |text: &str| exported(text).matches("declare-fun b!").count();
    assert_eq!(ranks("var x, y : f32 in -1.0..1.0; same(y, x + 1.0);"), 0, "neither can be an odd NaN");
    assert_eq!(ranks("var x, y : f32; same(y, x + 1.0);"), 2);
    assert_eq!(ranks("var x, y : f32; bits(x) == 5; y == x;"), 1);
    assert_eq!(ranks("var x : f32 in 0.0..1.0; x < 0.5;"), 1, "comparisons do not tell the zeros apart");
    assert_eq!(ranks("var n : u32; from_rank(n) < 1.0;"), 0);
    assert!(exported("var n : u32; n == 5;").starts_with("(set-logic QF_BV)\n"));
    assert!(exported("var n : u32; from_rank(n) < 1.0;").starts_with("(set-logic QF_BVFP)\n"));
}

#[test]
fn the_remainder_of_c_is_refused() {
    let error = smtlib(&parse("var x : f64; fmod(x, 2.0) == 1;").unwrap().model).unwrap_err();
    let expected = "`fmod` has no form in SMT-LIB, whose remainder `fp.rem` rounds the quotient to nearest";
    assert_eq!(error.to_string(), expected);
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
        has_a_sound_form(&smtlib(&random::model(seed, false)).unwrap());
        // All but the remainder has a form.
        match smtlib(&random::float_model(seed, false)) {
            Ok(text) => has_a_sound_form(&text),
            Err(error) => assert!(error.to_string().contains("fmod"), "{error}"),
        }
    }
}

fn has_a_sound_form(text: &str) {
    for line in text.lines() {
        let outside: String = line.split('|').step_by(2).collect();
        let count = |c: char| outside.chars().filter(|&d| d == c).count();
        assert_eq!(count('('), count(')'), "{line}");
    }
    let mut known = std::collections::HashSet::new();
    for line in text.lines() {
        let own_words = |word: &&str| word.starts_with("t!") || word.starts_with("b!");
        let words = line.split(['(', ')', ' ']).filter(own_words);
        let defines = line.starts_with("(define-fun") || line.starts_with("(declare-fun");
        let mut words = words.peekable();
        let own = if defines { words.next() } else { None };
        assert!(words.all(|word| known.contains(word)), "{line}");
        known.extend(own.map(str::to_owned));
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
