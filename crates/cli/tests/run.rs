//! `quipu run`, end to end.

mod support;

use support::quipu;

#[test]
fn results_are_printed_as_c_values() {
    quipu("run list.c -f range --args")
        .arg("{3, -2, 9}, 3")
        .exits(0)
        .prints("returned {.low = -2, .high = 9, .ratio = -4.5}\nvalues -> {3, -2, 9}\n");
    quipu("run list.c -f count --args")
        .arg("\"banana\", 'a'")
        .exits(0)
        .prints("returned 3\ntext -> \"banana\"\n");
    quipu("run list.c -f sum --args NULL").exits(0).prints("returned 0\n");
    quipu("run list.c -f bump --args").arg("{40}, 2").exits(0).prints("returned\ncell -> 42\n");
}

#[test]
fn linked_arguments_are_built() {
    let ran = quipu("run list.c -f sum --args").arg("{{1, {{2, {{3, NULL}}}}}}").exits(0);
    assert!(ran.stdout.starts_with("returned 6\n"), "{}", ran.stdout);
}

#[test]
fn the_first_undefined_behaviour_is_shown_at_its_place() {
    quipu("run list.c -f leak --args 2").exits(1).prints(
        "list.c:41:12: undefined behaviour: use-after-free: read of 4 bytes at offset 0 of a heap object of 8 bytes\n 41 |     return p[0];\n    |            ^~~~\n",
    );
    let ran = quipu("run list.c -f range --args").arg("{1}, 2").exits(1);
    assert!(ran.stdout.starts_with("list.c:18:13: undefined behaviour: out-of-bounds"), "{}", ran.stdout);
    let ran = quipu("run list.c -f sum --args").arg("(struct node *)8").exits(2);
    assert!(ran.stdout.is_empty());
}

#[test]
fn functions_without_a_body_are_inputs() {
    quipu("run list.c -f asks --inputs 4,-2").exits(0).prints("returned 38\n");
    let ran = quipu("run list.c -f asks --inputs 4").exits(3);
    assert!(ran.stdout.contains("`oracle` needs a further value in --inputs"), "{}", ran.stdout);
}

#[test]
fn limits_end_a_run() {
    quipu("run list.c -f forever --steps 1000000")
        .exits(3)
        .prints("gave up: too many steps (raise --steps)\n");
    quipu("run list.c -f deep --args 200000").exits(0).prints("returned 200000\n");
}

#[test]
fn unsupported_functions_are_refused_with_their_place() {
    quipu("run list.c -f gives_up")
        .exits(3)
        .says("list.c:48:22: warning: `gives_up` is not supported: inline assembly");
}

#[test]
fn files_are_linked_and_flags_are_passed_on() {
    quipu("run main.c twice.c -- -DWORD=30").exits(0).prints("returned 33\nargv -> {\"main\", NULL}\n");
    quipu("run main.c twice.c -- -DWORD=sizeof(long) -m32")
        .exits(0)
        .prints("returned 7\nargv -> {\"main\", NULL}\n");
}

#[test]
fn a_trace_names_statements_conditions_and_decisions() {
    let ran = quipu("run list.c -f count --trace --args").arg("\"a\", 'a'").exits(0);
    let expected = "\
enter count
  list.c:29:5: unsigned n = 0;
  list.c:30:5: while (*text)
    condition *text: true
    decision *text: true
  list.c:31:9: n += *text++ == wanted;
    condition *text: false
    decision *text: false
  list.c:32:5: return n;
leave count
returned 1
text -> \"a\"
";
    ran.prints(expected);
}

#[test]
fn json_says_the_same() {
    let json = quipu("run list.c -f leak --json --args 2").exits(1).json();
    assert_eq!(json["schema"], 1);
    assert_eq!(json["outcome"], "undefined-behaviour");
    assert_eq!(json["event"], "use-after-free");
    assert_eq!((&json["place"]["line"], &json["place"]["column"]), (&41.into(), &12.into()));
    let json = quipu("run list.c -f deep --json --trace --args 1").exits(0).json();
    assert_eq!((&json["outcome"], &json["result"]), (&"returned".into(), &"1".into()));
    let steps: Vec<&str> =
        json["trace"].as_array().unwrap().iter().map(|step| step["step"].as_str().unwrap()).collect();
    let per_call = ["enter", "statement", "condition", "decision"];
    assert_eq!(steps, [&per_call[..], &per_call[..], &["leave", "leave"]].concat());
}

#[test]
fn wrong_arguments_are_explained() {
    quipu("run list.c -f sun").exits(2).says("there is no function `sun`\n  = hint: the program defines sum");
    quipu("run list.c -f bump --args 1")
        .exits(2)
        .says("`bump` takes 2 arguments, but 1 were given\n  = hint: --args 'cell, by'");
    quipu("run list.c -f deep --args").arg("1 +").exits(2).says("  1 +\n     ^");
    quipu("run list.c -f oracle").exits(2).says("`oracle` has no body to run");
    quipu("run no-such.c").exits(2).says("cannot read no-such.c");
    quipu("run .").exits(2).says("is a directory");
    quipu("run").exits(2).says("required");
    quipu("run list.c -- -fpack-struct").exits(2).says("compiler flag `-fpack-struct` is not supported");
}
