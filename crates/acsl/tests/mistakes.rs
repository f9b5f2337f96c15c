//! What is wrong with annotations, or not supported, told with the place.

mod support;

use support::annotated;

/// The whole message about a program with one mistake.
fn mistake(source: &str) -> String {
    match annotated(source) {
        Ok(annotations) => panic!("nothing is wrong: {annotations:#?}"),
        Err(message) => message,
    }
}

/// What is noted about a program, without hints.
fn notes(source: &str) -> Vec<String> {
    let annotations = annotated(source).unwrap_or_else(|message| panic!("{message}"));
    let place = |note: &quipu_acsl::Note| {
        let place = note.message.place.as_ref().expect("a note has a place");
        format!("{}:{}: {}", place.line, place.column, note.message.message)
    };
    annotations.notes.iter().map(place).collect()
}

#[track_caller]
fn is(found: &str, expected: &[&str]) {
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn syntax_is_told_with_a_caret() {
    is(
        &mistake("/*@ requires x > ; */\nint f(int x) { return x; }\n"),
        &[
            "a.c:1:18: error: expected an expression, found `;`",
            " 1 | /*@ requires x > ; */",
            "   |                  ^",
        ],
    );
    is(
        &mistake("int f(int x) {\n  //@ assert x > 0\n  return x; }\n"),
        &[
            "a.c:2:19: error: expected `;`, found the end of the annotation",
            " 2 |   //@ assert x > 0",
            "   |                   ^",
        ],
    );
    is(
        &mistake("/*@ requires 0 < x > 3; */\nint f(int x) { return x; }\n"),
        &[
            "a.c:1:20: error: comparisons in different directions cannot follow each other",
            " 1 | /*@ requires 0 < x > 3; */",
            "   |                    ^",
            "  = hint: join them with `&&`",
        ],
    );
    is(
        &mistake("/*@ require x; */\nint f(int x) { return x; }\n"),
        &[
            "a.c:1:5: error: no clause of ACSL starts with `require`",
            " 1 | /*@ require x; */",
            "   |     ^~~~~~~",
            "  = hint: known are requires, ensures, assumes, behavior, assert, loop invariant",
        ],
    );
    is(
        &mistake("/*@ requires x # 3; */\nint f(int x) { return x; }\n"),
        &[
            "a.c:1:16: error: unexpected `#` in an annotation",
            " 1 | /*@ requires x # 3; */",
            "   |                ^",
        ],
    );
}

#[test]
fn types_are_told_with_a_caret() {
    is(
        &mistake("/*@ ensures \\result == y; */\nint f(int x) { return x; }\n"),
        &[
            "a.c:1:24: error: nothing is called `y` here",
            " 1 | /*@ ensures \\result == y; */",
            "   |                        ^",
            "  = hint: `f` has the parameters x",
        ],
    );
    is(
        &mistake("struct s { int a; };\n/*@ requires p->b > 0; */\nint f(struct s *p) { return p->a; }\n"),
        &[
            "a.c:2:14: error: the struct has no member `b`",
            " 2 | /*@ requires p->b > 0; */",
            "   |              ^~~~",
        ],
    );
    is(
        &mistake("/*@ requires *x > 0; */\nint f(int x) { return x; }\n"),
        &[
            "a.c:1:15: error: expected a pointer, found an integer",
            " 1 | /*@ requires *x > 0; */",
            "   |               ^",
        ],
    );
    is(
        &mistake("/*@ requires p; */\nint f(int *p) { return *p; }\n"),
        &[
            "a.c:1:14: error: expected a predicate, found a pointer",
            " 1 | /*@ requires p; */",
            "   |              ^",
        ],
    );
    is(
        &mistake("/*@ requires p == x; */\nint f(int *p, int x) { return *p + x; }\n"),
        &[
            "a.c:1:14: error: a pointer cannot be compared with an integer",
            " 1 | /*@ requires p == x; */",
            "   |              ^~~~~~",
        ],
    );
    is(
        &mistake("/*@ ensures f(x) == 0; */\nint f(int x) { return x; }\n"),
        &[
            "a.c:1:13: error: no predicate or logic function is called `f`",
            " 1 | /*@ ensures f(x) == 0; */",
            "   |             ^~~~",
            "  = hint: functions of C cannot be used in annotations",
        ],
    );
}

#[test]
fn states_and_results_have_their_places() {
    is(
        &mistake("/*@ requires \\result > 0; */\nint f(int x) { return x; }\n"),
        &[
            "a.c:1:14: error: `\\result` has a meaning only in `ensures`",
            " 1 | /*@ requires \\result > 0; */",
            "   |              ^~~~~~~",
        ],
    );
    is(
        &mistake("/*@ ensures \\result > 0; */\nvoid f(int x) { }\n"),
        &[
            "a.c:1:13: error: `f` has no result",
            " 1 | /*@ ensures \\result > 0; */",
            "   |             ^~~~~~~",
        ],
    );
    is(
        &mistake("int f(int x) {\n  //@ assert x == \\old(x);\n  return x; }\n"),
        &[
            "a.c:2:19: error: `\\old` has a meaning only in `ensures`",
            " 2 |   //@ assert x == \\old(x);",
            "   |                   ^~~~~~~",
            "  = hint: `\\at(e, Pre)` is the value at the start of the function",
        ],
    );
    is(
        &mistake("int f(int x) {\n  { int y = x; }\n  //@ assert y == x;\n  return x; }\n"),
        &[
            "a.c:3:14: error: nothing is called `y` here",
            " 3 |   //@ assert y == x;",
            "   |              ^",
            "  = hint: `f` has the parameters x",
        ],
    );
}

#[test]
fn clauses_stand_where_they_belong() {
    is(
        &mistake("/*@ requires x > 0; */\nint y;\nint f(int x) { return x; }\n"),
        &[
            "a.c:1:5: error: this contract is about no function of the program",
            " 1 | /*@ requires x > 0; */",
            "   |     ^~~~~~~~",
            "  = hint: a contract stands in front of the function that it is about",
        ],
    );
    is(
        &mistake("int f(int x) {\n  if (x) //@ assert x > 0;\n    x++;\n  return x; }\n"),
        &[
            "a.c:2:10: error: an assertion stands between the statements of a block",
            " 2 |   if (x) //@ assert x > 0;",
            "   |          ^",
            "  = hint: put braces around it",
        ],
    );
    is(
        &mistake("int f(int x) {\n  //@ loop invariant x > 0;\n  x++;\n  return x; }\n"),
        &[
            "a.c:2:7: error: an invariant stands in front of a loop",
            " 2 |   //@ loop invariant x > 0;",
            "   |       ^",
            "  = hint: the body of a `do` loop needs braces",
        ],
    );
    is(
        &mistake("/*@ assumes x > 0; ensures x > 1; */\nint f(int x) { return x; }\n"),
        &[
            "a.c:1:5: error: `assumes` belongs into a behavior",
            " 1 | /*@ assumes x > 0; ensures x > 1; */",
            "   |     ^~~~~~~",
        ],
    );
    is(
        &mistake("/*@ behavior a: ensures x > 1; complete behaviors a, b; */\nint f(int x) { return x; }\n"),
        &[
            "a.c:1:32: error: no behavior is called `b`",
            " 1 | /*@ behavior a: ensures x > 1; complete behaviors a, b; */",
            "   |                                ^~~~~~~~",
        ],
    );
}

#[test]
fn quantifiers_need_ranges() {
    is(
        &mistake(
            "/*@ requires \\forall integer i; i < n ==> a[i] > 0; */\nint f(int *a, int n) { return a[n]; }\n",
        ),
        &[
            "a.c:1:14: error: the range of `i` is not given by the quantified predicate",
            " 1 | /*@ requires \\forall integer i; i < n ==> a[i] > 0; */",
            "   |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~",
            "  = hint: write `\\forall integer i; 0 <= i < n ==> ...`",
        ],
    );
}

#[test]
fn several_mistakes_are_told_together() {
    let message = mistake("/*@ requires y > 0;\n ensures z > 0; */\nint f(int x) { return x; }\n");
    let errors: Vec<&str> = message.lines().filter(|line| line.contains("error:")).collect();
    assert_eq!(
        errors,
        ["a.c:1:14: error: nothing is called `y` here", "a.c:2:10: error: nothing is called `z` here"]
    );
}

#[test]
fn what_is_not_supported_is_noted() {
    assert_eq!(
        notes(
            "/*@ axiomatic A { axiom a: \\true; } */\n\
             /*@ requires !\\valid(p); ensures \\fresh(p, 4);\n assigns *p \\from x;\n ensures \\result == x; */\n\
             int f(int *p, int x) {\n\
               //@ ghost int g = 0;\n\
               //@ assert \\at(x, L) == 0;\n\
               return x;\n\
             }\n\
             int h(int);\n\
             /*@ ensures \\result == 0; */\nint h(int x);\n int g(int x) { return h(x); }\n"
        ),
        [
            "1:5: `axiomatic` is not supported in annotations",
            "2:15: `\\valid` as something that may be false is not supported in annotations",
            "2:34: `\\fresh` is not supported in annotations",
            "3:2: `assigns` is read as documentation",
            "11:5: `h` has no body: its contract is not checked",
            "6:5: `ghost` is not supported in annotations",
            "7:12: the label `L` is not supported in annotations",
        ]
    );
}

#[test]
fn rounding_is_noted() {
    assert_eq!(
        notes("/*@ ensures \\result >= 0.5 && \\result <= x + 0.1; */\ndouble f(double x) { return x; }\n"),
        ["1:46: this is computed with doubles, which round"]
    );
    assert_eq!(notes("/*@ ensures \\result >= 0.5; */\ndouble f(double x) { return x; }\n"), [""; 0]);
}

#[test]
fn a_program_without_annotations_stays_as_it_is() {
    let annotations = annotated("int f(int x) { /* @ no */ return x; }\n").unwrap();
    assert!(annotations.is_empty());
    assert_eq!(annotations, quipu_acsl::Annotations::default());
}

#[test]
fn a_clause_that_is_not_supported_leaves_the_others() {
    let source = "/*@ requires \\forall integer i; 0 <= i < x ==> i \\in {1, 2};\n  requires x > 0;\n\
         ensures p{Pre}(x); assigns \\nothing;\n ensures \\result > 0; */\nint f(int x) { return x; }\n";
    assert_eq!(
        notes(source),
        [
            "1:50: `\\in` between terms is not supported in annotations",
            "3:10: a label of a predicate is not supported in annotations",
            "3:20: `assigns` is read as documentation",
        ]
    );
    let annotations = annotated(source).unwrap();
    let contract = &annotations.contracts[0];
    assert_eq!(contract.gates.iter().map(|gate| gate.text.as_str()).collect::<Vec<_>>(), ["requires x > 0"]);
    assert_eq!(
        annotations.claims.iter().map(|claim| claim.text.as_str()).collect::<Vec<_>>(),
        ["ensures \\result > 0"]
    );
}
