//! `quipu check`, end to end: properties, their verdicts, evidence and exit codes.

mod support;

use serde_json::Value;
use support::{empty_folder, quipu};

#[test]
fn each_property_has_the_verdict_that_it_deserves() {
    quipu("check -v check/limits.c")
        .exits(1)
        .has("proved  9:12  assertion  `r >= low && r <= high`")
        .has("only-after-undefined  18:12  assertion  `d >= 0`")
        .has("violated  19:12  assertion  `d < 1000 || a > b`")
        .has("confirmed by the")
        .has("unreachable  26:16  assertion  `x == 7`")
        .has("proved  35:12  assertion  `s == n * (n + 1u) / 2`")
        .has("5 properties: 1 violated, 2 proved, 1 violated only after undefined behaviour, 1 unreachable");
    quipu("check -v check/limits.c -f clamp").exits(0).has("1 property: 1 proved");
}

#[test]
fn every_strategy_comes_to_the_same_verdicts() {
    for strategy in ["auto", "dpvs-lifo", "dpvs-fifo", "dpvs-heap", "cpbpv", "sat"] {
        quipu(&format!("check -v check/gate.c --strategy {strategy}"))
            .exits(1)
            .has("proved  17:12  assertion  `power <= 100`")
            .has("violated  18:12  assertion  `!door || power <= 5`")
            .has("unreachable  20:16  assertion  `load == 0`");
        quipu(&format!("check -v check/main.c --strategy {strategy} -- -DWRONG"))
            .exits(1)
            .has("confirmed by the");
    }
    quipu("check -v check/gate.c --strategy dpvs").exits(2).says("dpvs-lifo");
}

#[test]
fn a_violation_comes_with_the_way_to_it() {
    quipu("check -v check/limits.c -f distance --fix b=5000 --range a=4000..4001")
        .exits(1)
        .has("by a=4000, b=5000")
        .has("limits.c:16: `d < 0` is true (-1000, 0)")
        .has("limits.c:19: `d < 1000` is false (1000, 1000)")
        .has("limits.c:19: `a > b` is false (4000, 5000)");
}

#[test]
fn a_program_is_checked_from_its_start() {
    quipu("check -v check/main.c").exits(0).has("1 property: 1 proved").has("error-call  `reach_error()`");
    quipu("check -v check/main.c -- -DWRONG")
        .exits(1)
        .has("violated")
        .has("__VERIFIER_nondet_int -> ")
        .has("confirmed by the");
}

#[test]
fn a_function_that_must_not_be_called_may_have_a_body() {
    quipu("check -v check/own_error.c -f half").exits(1).has("by n=12345").has("violated");
}

#[test]
fn where_nothing_is_asserted_undefined_behaviour_counts() {
    let ran = quipu("check -v check/plain.c").exits(1);
    assert!(ran.stderr.contains("--ub all"), "{}", ran.stderr);
    quipu("check -v check/plain.c --ub all")
        .exits(1)
        .has("violated  4:13  signed-overflow  `a + b`")
        .has("sanitizer: ")
        .has("violated  14:16  division-overflow  `a / b`")
        .has("proved  14:16  division-by-zero  `a / b`");
    quipu("check -v check/plain.c --ub division-by-zero").exits(0).has("1 property: 1 proved");
    quipu("check -v check/plain.c --ub none").exits(0).has("no properties");
    let wrong = quipu("check -v check/plain.c --ub overfow").exits(2);
    assert!(wrong.stderr.contains("did you mean `overflow`?"), "{}", wrong.stderr);
}

#[test]
fn contradictory_preconditions_prove_nothing() {
    let ran = quipu("check -v check/limits.c -f clamp --assume x>5 --assume x<3")
        .exits(3)
        .has("vacuous: no input satisfies the preconditions");
    assert!(!ran.stdout.contains("proved"), "{}", ran.stdout);
    assert!(ran.stderr.contains("satisfies all of"), "{}", ran.stderr);
}

#[test]
fn json_tells_everything() {
    let ran = quipu("check -v check/limits.c -f distance --json").exits(1);
    let value: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    assert_eq!(value["schema"], 1);
    let properties = value["properties"].as_array().expect("a list");
    assert_eq!(properties.len(), 2);
    let (proved, violated) = (&properties[0], &properties[1]);
    // It fails where the subtraction overflows, and nowhere else.
    assert_eq!(proved["verdict"], "only-after-undefined");
    assert_eq!(proved["inputs"], Value::Null);
    assert_eq!(violated["id"], "p2");
    assert_eq!(violated["kind"], "assertion");
    assert_eq!((&violated["line"], &violated["column"]), (&19.into(), &12.into()));
    assert_eq!(violated["text"], "d < 1000 || a > b");
    assert_eq!(violated["replay"], "confirmed");
    let input = |name: &str| violated["inputs"][name].as_i64().expect("a number");
    let (a, b) = (input("a"), input("b"));
    assert!((a - b).abs() >= 1000 && a <= b, "{a} {b}");
    assert_eq!(violated["trace"].as_array().and_then(|way| way.last()).expect("a way")["text"], "a > b");
    assert_eq!(value["summary"]["violated"], 1);
    assert_eq!(value["summary"]["properties"], 2);
}

#[test]
fn witnesses_tell_inputs_and_the_place() {
    let folder = empty_folder("check-witness");
    let file = folder.join("witness.yml");
    let written = |arguments: &str, exit: i32| {
        quipu(arguments).arg(file.to_str().expect("the path is text")).exits(exit);
        std::fs::read_to_string(&file).expect("the witness is there")
    };
    let violation = written("check check/own_error.c -f half --witness", 1);
    assert!(violation.starts_with("# Written by quipu\n- entry_type: violation_sequence\n"), "{violation}");
    assert!(violation.contains("value: \"n == 12345\""), "{violation}");
    let proof = written("check check/limits.c -f clamp --witness", 0);
    assert!(proof.starts_with("# Written by quipu\n- entry_type: invariant_set\n"), "{proof}");
    assert!(proof.contains("data_model: LP64"), "{proof}");
}

#[test]
fn a_clause_that_nobody_checks_leaves_something_open() {
    let ran = quipu("check -v check/unchecked.c").exits(3).has("1 property: 1 proved");
    assert!(ran.stderr.contains("\\fresh"), "{}", ran.stderr);
}

#[test]
fn every_statement_that_checks_is_a_property() {
    quipu("check -v check/sum.c")
        .exits(0)
        .has("proved  27:9  assertion  `i <= n`")
        .has("proved  29:5  assertion  `s == 2 * i`")
        .has("2 properties: 2 proved");
    quipu("check -v check/sum.c -- -DWRONG")
        .exits(1)
        .has("proved  27:9  assertion  `i <= n`")
        .has("violated  31:5  assertion  `s != 14`")
        .has("__VERIFIER_nondet_int -> 7")
        .has("... 5 turns like this ...")
        .has("violated  33:9  error-call  `reach_error()`")
        .has("__VERIFIER_nondet_int -> 900");
}

#[test]
fn proofs_tell_what_they_rest_on() {
    quipu("check -v check/even.c -f until")
        .exits(0)
        .has("it is impossible that `i % 2 == 0` is false at 9:12")
        .has("in every turn of the loop")
        .has("`(i & 1) == 0`");
    let ran = quipu("check -v check/even.c -f count --json").exits(0);
    let value: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    let reasons = value["properties"][0]["rests_on"].as_array().expect("a list");
    let of_kind = |kind: &str| -> Vec<&Value> { reasons.iter().filter(|one| one["kind"] == kind).collect() };
    let conditions = of_kind("condition");
    assert!(conditions.iter().any(|one| one["text"] == "`ensures \\result == n` is false"), "{reasons:?}");
    let invariants = of_kind("invariant");
    assert!(!invariants.is_empty(), "{reasons:?}");
    for invariant in invariants {
        assert_eq!(invariant["line"], 19, "{invariant}");
        let text = invariant["text"].as_str().expect("C text");
        assert!(text.contains('i') && text.contains("<="), "{text}");
    }
}

#[test]
fn callers_must_establish_what_is_required() {
    quipu("check -v check/callers.c")
        .exits(1)
        .has("half  check/callers.c:12")
        .has("violated  4:5  requires  `requires level >= 0`")
        .has("proved  3:5  requires  `requires 0 < percent <= 100`")
        .has("all  check/callers.c:17")
        .has("6 properties: 1 violated, 5 proved");
    quipu("check -v check/callers.c -f all").exits(0).has("2 properties: 2 proved");
}

#[test]
fn a_clause_that_is_undefined_is_violated() {
    quipu("check -v check/places.c -f clear")
        .exits(1)
        .has("violated  5:5  ensures")
        .has("undefined behaviour: out-of-bounds")
        .has("1 property: 1 violated");
    quipu("check -v check/places.c -f gone")
        .exits(1)
        .has("violated  12:5  ensures  `ensures \\valid(\\result)`");
}

#[test]
fn what_is_never_evaluated_is_not_proved() {
    quipu("check -v check/places.c -f partial")
        .exits(0)
        .has("unreachable  19:51  ensures  `ensures \\result == 42`")
        .has("proved  20:35  ensures  `ensures \\result == x`");
    quipu("check -v check/places.c -f late")
        .exits(0)
        .has("unreachable  29:12  assertion  `x == 1`")
        .has("unreachable  30:9  assert  `assert x == 2`")
        .has("2 properties: 2 unreachable");
}

#[test]
fn claims_at_one_place_are_told_apart() {
    let ran = quipu("check -v check/places.c -f several")
        .exits(1)
        .has("proved  35:9  assert  `assert x <= x`")
        .has("violated  35:24  assert  `assert x != 7`")
        .has("`assert x != 7` is false, at check/places.c:35:24; confirmed by the")
        .has("violated  35:39  assert  `assert x < 100`")
        .has("(proofs are about runs in which no other property is violated before)");
    assert!(!ran.stdout.contains("quipu_"), "{}", ran.stdout);
}

#[test]
fn preconditions_may_be_loops() {
    quipu("check -v check/quantified.c")
        .exits(0)
        .has("proved  4:5  ensures  `ensures \\result != 5`")
        .has("proved  12:5  ensures  `ensures \\result > 0`")
        .has("proved  19:5  ensures  `ensures 0 <= \\result <= n`");
}

#[test]
fn what_happens_before_an_assumption_counts() {
    quipu("check -v check/assumed.c -f before")
        .exits(1)
        .has("violated  19:5  assertion  `x != 3`")
        .has("`x != 3` is false, at check/assumed.c:19:5; confirmed by the compiled program")
        .has("proved  21:5  assertion  `x != 3`");
    quipu("check -v check/assumed.c -f turns").exits(1).has("violated  31:13  error-call  `reach_error()`");
}

#[test]
fn what_the_compiler_decides_is_not_proved() {
    // A compiler may make one object of both literals, so that the interpreter is wrong about a run.
    quipu("check -v check/outside.c -f literals")
        .exits(1)
        .has("disagreement: on any run the compiled program does something else than predicted")
        .has("gave-up  13:12  assertion  `differ(a, c)`")
        .has("its proof is withdrawn")
        .has("gave-up  14:12  assertion  `differ(a, b)`")
        .has("whether pointers to different objects are equal");
    // Whether the compiler puts one right behind the other is its choice, too.
    quipu("check -v check/outside.c -f neighbours")
        .runs()
        .has("gave-up  22:12  assertion  `differ(first, second)`")
        .has("gave-up  23:12  assertion  `differ(first + 1, second)`")
        .has("gave-up  24:12  assertion  `differ(first + 2, second)`");
    quipu("check -v check/outside.c -f environment")
        .exits(3)
        .has("excluded by what Quipu assumes: the environment has no variables: `getenv` returns null");
}

#[test]
fn contracts_that_the_preprocessor_leaves_out_do_not_count() {
    quipu("check -v check/excluded.c")
        .exits(0)
        .has("5:5  ensures  `ensures \\result == 2`")
        .has("1 property: 1 proved");
    quipu("check -v check/excluded.c -- -DOTHER").exits(0).has("2:5  ensures").has("1 property: 1 proved");
}

#[test]
fn large_arrays_of_truth_values_and_long_products_are_no_trouble() {
    quipu("check -v check/flags.c --ub none").exits(0).has("2 properties: 2 proved");
}

#[test]
fn what_is_called_from_elsewhere_is_checked() {
    quipu("check -v check/called_back.c")
        .exits(1)
        .has("violated  9:12  assertion  `*(const int *)a > 0`")
        .has("violated  check/called_back.h:3:12  assertion  `x >= 0`")
        .has("proved  26:5  ensures  `ensures \\result == 10 / x`")
        .has("violated  35:12  assertion  `x != 5`");
    quipu("check -v check/at_exit.c")
        .exits(1)
        .has("violated  8:12  assertion  `open_files < 3`")
        .has("confirmed by the compiled program");
}

#[test]
fn annotations_beside_directives_count_where_they_stand() {
    quipu("check -v check/branches.c")
        .exits(1)
        .has("violated  8:5  ensures  `ensures \\result != 5`")
        .has("violated  12:9  assert  `assert x != 7`")
        .has("violated  24:9  assert  `assert x < 1000`")
        .has("violated  28:61  ensures  `ensures \\result == 0`");
    quipu("check -v check/branches.c -f same -- -DOTHER").exits(0).has("2 properties: 2 proved");
}

#[test]
fn what_cannot_be_kept_is_no_violation() {
    quipu("check -v check/branches.c -f keep").exits(3).has("gave-up").has("cannot be read");
}

/// The compiler compares `x` with 19, and no sanitizer sees a sum.
#[test]
fn a_sum_that_the_compiler_does_without_is_predicted() {
    let ran = quipu("check -v check/places.c -f beyond --ub overflow").exits(1);
    let ran = ran.has("violated  41:12  signed-overflow  `x + 1`");
    assert!(!ran.stdout.contains("disagreement"), "{}", ran.stdout);
}

#[test]
fn results_that_are_needed_in_part_are_predicted() {
    let ran = quipu("check -v check/in_part.c -f narrow").exits(0).has("1 property: 1 proved");
    assert!(!ran.stdout.contains("disagreement"), "{}", ran.stdout);
    quipu("check -v check/in_part.c -f narrow -f nothing -f low --ub overflow,bounds --strict")
        .exits(1)
        .has("violated  6:23  signed-overflow  `x + 1`")
        .has("violated  14:12  out-of-bounds  `a[x]`")
        .has("violated  17:43  signed-overflow  `x * y`");
}

#[test]
fn preconditions_that_only_assumptions_about_lengths_exclude_are_vacuous() {
    quipu("check -v check/too_long.c")
        .exits(3)
        .has("vacuous: no input satisfies the preconditions")
        .says("= note: assuming `n` is at most 65536");
}

#[test]
fn properties_are_asked_about_what_matters_for_them() {
    quipu("check -v check/strands.c")
        .exits(1)
        .has("proved  19:12  assertion  `out <= limit`")
        .has("violated  39:12  assertion  `x * 3 != 21`")
        .has("by x=7, n=4")
        .has("unreachable  49:16  assertion  `x != 5`");
}

/// Objects of thousands of turns met in quadratic time where the assertion fails, and no limit stopped that.
#[test]
fn limits_of_time_hold_where_many_turns_meet() {
    let start = std::time::Instant::now();
    quipu("check -v check/turns.c --time 2").exits(3).has("proved-to-bound");
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// A pointer that walks through an array between calls is anywhere in there at the start of one.
#[test]
fn pointers_into_arrays_point_to_any_element() {
    let confirmed = |options: &str, place: &str| {
        let ran = quipu(&format!("check -v check/ring.c {options}")).exits(1);
        let ran = ran.has(&format!("violated  {place}")).has("confirmed by the");
        assert!(!ran.stdout.contains("disagreement"), "{}", ran.stdout);
    };
    confirmed("-f put", "10:12  assertion  `wr <= buf + 1`");
    confirmed("-f from_start", "20:12  assertion  `wr - buf == 0`");
    confirmed("-f from_start --shape wr=alias(buf)", "20:12  assertion  `wr - buf == 0`");
    confirmed("-f behind", "25:12  assertion  `wr - rd <= 0`");
    confirmed("-f behind --shape wr=alias(buf) --shape rd=alias(buf)", "25:12  assertion  `wr - rd <= 0`");
    confirmed("-f before", "30:12  assertion  `wr - rd >= 0`");
    confirmed("-f member", "57:12  assertion  `ring.at != ring.buf + 3`");
    confirmed("-f behind_a_pointer", "62:12  assertion  `r->at != r->buf + 4`");
    confirmed("-f size", "91:12  assertion  `end - table != 2999`");
}

#[test]
fn what_is_known_about_a_pointer_into_an_array_must_be_said() {
    quipu("check -v check/ring.c -f inside").exits(1).has("violated  35:12").has("wr=&buf[7] + 1");
    let known = "--assume wr>=buf&&wr<buf+8";
    quipu(&format!("check -v check/ring.c -f inside {known}")).exits(0).has("proved  35:12");
    quipu("check -v check/ring.c -f put_inside").exits(0).has("proved  40:5  ensures");
}

#[test]
fn how_far_a_pointer_reaches_into_an_array_is_told() {
    let any = "or points to any element of `buf` or just behind the last, or is null";
    let ran = quipu("check -v check/ring.c -f inside").exits(1);
    let told = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains(any), "{told}");
    // Where nothing tells the elements apart, the start stands for all of them.
    let start = "assuming `cell` points to 8 elements, or points to the start of `cells`, or is null";
    quipu("check -v check/ring.c -f followed").exits(1).has(start);
    let element = "assuming `cell` points to 8 elements, or points to any element of `cells`, or is null";
    quipu("check -v check/ring.c -f overlaps")
        .exits(1)
        .has(element)
        .has("violated  80:12  assertion  `cells[3] == 1`");
}

#[test]
fn registers_may_change_between_two_reads() {
    quipu("check -v check/registers.c")
        .exits(1)
        .has("violated  10:17  assertion  `(status & 0x80) == 0`")
        .has("violated  22:12  assertion  `d <= 512`")
        .has("violated  23:12  assertion  `d != 300`")
        .has("port.data reads 300, 300")
        .has("proved  31:12  assertion  `d <= 512`");
}
