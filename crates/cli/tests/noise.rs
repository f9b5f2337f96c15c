//! `quipu check` on code as people write it: what matters comes first, and what is no mistake is told once.

mod support;

use support::{Ran, quipu};

/// Where a text stands in what was printed.
#[track_caller]
fn position(ran: &Ran, text: &str) -> usize {
    ran.stdout.find(text).unwrap_or_else(|| panic!("{text:?} is not in:\n{}", ran.stdout))
}

/// The verdicts of properties of a kind, by entry, function and line.
fn verdicts(ran: &Ran, kind: &str) -> Vec<(String, String, u64, String)> {
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let properties = report["properties"].as_array().expect("a list");
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_string();
    let of_kind = properties.iter().filter(|one| one["kind"] == kind);
    of_kind
        .map(|one| {
            let line = one["line"].as_u64().expect("a line");
            (text(&one["entry"]), text(&one["function"]), line, text(&one["verdict"]))
        })
        .collect()
}

/// The verdict on a function's properties of a kind, from one of its entries.
#[track_caller]
fn verdict(all: &[(String, String, u64, String)], entry: &str, function: &str) -> Vec<String> {
    let own = all.iter().filter(|one| one.0 == entry && one.1 == function);
    own.map(|one| one.3.clone()).collect()
}

#[test]
fn violations_come_first_and_are_repeated() {
    let ran = quipu("check noise/driver.c").exits(1);
    let first = position(&ran, "null-access  `dev->mode`");
    let relied =
        position(&ran, "relies on `dev != NULL`: 4 accesses; to state it: //@ requires \\valid(dev);");
    let proofs = position(&ran, "sensor_set_mode: 1 property proved");
    let again = position(&ran, "violated  noise/driver.c:62:12 null-access `dev->mode`, by dev=NULL, flag=0");
    let counts = position(&ran, "91 properties: 2 violated");
    assert!(first < relied && relied < proofs && proofs < again && again < counts, "{}", ran.stdout);
    assert!(ran.stdout.lines().count() < 70, "{}", ran.stdout);
    assert!(!ran.stdout.contains("  proved  "), "{}", ran.stdout);
}

#[test]
fn proofs_are_told_one_by_one_if_asked_for() {
    let ran = quipu("check noise/driver.c --verbose").exits(1);
    assert!(
        position(&ran, "  violated  62:12") < position(&ran, "  relied-on  30:14  null-access  `dev->read`")
    );
    assert!(position(&ran, "  relied-on  30:14") < position(&ran, "  proved  "));
    position(&ran, "assuming `dev` points to 1 element");
}

#[test]
fn what_the_code_relies_on_is_told_once() {
    let ran = quipu("check noise/ring.c").exits(3);
    position(&ran, "relies on `r->tail <= 15`: 1 use; to state it: //@ requires r->tail <= 15;");
    position(&ran, "relies on `out != NULL`: 1 access; to state it: //@ requires \\valid(out);");
    assert!(!ran.stdout.contains("violated"), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("relies on `r != NULL`").count(), 3, "{}", ran.stdout);
}

#[test]
fn strict_checks_report_everything() {
    let ran = quipu("check noise/ring.c --strict").exits(1);
    position(&ran, "violated  ring.c:40:12".replace("ring.c", "noise/ring.c").as_str());
    assert!(!ran.stdout.contains("relies on"), "{}", ran.stdout);
    // A static function by itself.
    position(&ran, "store  noise/ring.c:16");
}

#[test]
fn what_is_tested_anywhere_is_not_relied_on() {
    let all = verdicts(&quipu("check noise/relies.c --ub all --json").exits(1), "null-access");
    let is = |entry: &str, verdicts: &[&str]| assert_eq!(verdict(&all, entry, entry), verdicts, "{entry}");
    is("followed", &["relied-on", "relied-on"]);
    is("tested_elsewhere", &["violated"]);
    is("tested_later", &["violated"]);
    is("tested_by_another", &["violated"]);
    is("overwritten", &["relied-on", "violated"]);
}

#[test]
fn a_caller_that_breaks_what_is_relied_on_is_wrong() {
    let ran = quipu("check noise/relies.c --ub all --json").exits(1);
    let all = verdicts(&ran, "null-access");
    // Through another function that relies on the same.
    assert_eq!(verdict(&all, "passes_on", "followed"), ["relied-on", "relied-on"]);
    assert_eq!(verdict(&all, "passes_null", "followed")[0], "violated");
    let all = verdicts(&ran, "division-by-zero");
    assert_eq!(verdict(&all, "share", "share"), ["relied-on"]);
    assert_eq!(verdict(&all, "shares_badly", "share"), ["violated"]);
    // What is divided by is not the input itself; and one of two inputs is compared.
    assert_eq!(verdict(&all, "divides_more", "divides_more"), ["violated"]);
    assert_eq!(verdict(&all, "compared", "compared"), ["relied-on", "violated"]);
}

#[test]
fn what_is_relied_on_can_be_stated() {
    let folder = support::empty_folder("noise-stated");
    let source = "struct point { int x, y; };\n\
                  int quotient(const struct point *p, int n) { return p->x % 10 / n; }\n";
    std::fs::write(folder.join("open.c"), source).expect("a file");
    let ran = quipu("check open.c --ub all --json").at(&folder).exits(3);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let relied = report["functions"][0]["relies_on"].as_array().expect("a list");
    let contract: Vec<&str> = relied.iter().map(|one| one["contract"].as_str().expect("a line")).collect();
    assert_eq!(contract, ["//@ requires \\valid(p);", "//@ requires n != 0;"]);
    assert_eq!(relied[0]["condition"], "p != NULL");
    assert_eq!(report["summary"]["proved"].as_u64(), Some(1));
    let lines: Vec<&str> = source.lines().collect();
    let stated = format!("{}\n{}\n{}\n", lines[0], contract.join("\n"), lines[1]);
    std::fs::write(folder.join("stated.c"), stated).expect("a file");
    let ran = quipu("check stated.c --ub all").at(&folder).exits(0);
    assert!(!ran.stdout.contains("relies on"), "{}", ran.stdout);
}

#[test]
fn static_functions_are_judged_through_their_callers() {
    let ran = quipu("check noise/helpers.c --ub all --json").exits(1);
    let bounds = verdicts(&ran, "out-of-bounds");
    assert_eq!(verdict(&bounds, "first", "at"), ["proved"]);
    assert_eq!(verdict(&bounds, "second", "at"), ["proved"]);
    assert!(verdict(&bounds, "at", "at").is_empty());
    let divisions = verdicts(&ran, "division-by-zero");
    // Two calls away, with the argument that makes it wrong.
    assert_eq!(verdict(&divisions, "third", "share"), ["violated"]);
    assert!(verdict(&divisions, "share", "share").is_empty());
    // Nobody calls it, or nobody knows who does: it stands for itself.
    assert_eq!(verdict(&divisions, "unused", "unused"), ["relied-on"]);
    assert_eq!(verdict(&divisions, "by_address", "by_address"), ["proved"]);
    // What holds for all arguments is proved once.
    let overflows = verdicts(&ran, "division-overflow");
    assert_eq!(verdict(&overflows, "third", "share"), ["proved"]);
}

#[test]
fn static_functions_that_are_asked_for_stand_for_themselves() {
    quipu("check noise/helpers.c --ub all -f at --strict").exits(1).has("out-of-bounds  `table[i]`");
    quipu("check noise/helpers.c --ub all -f at").exits(3).has("relies on `i >= 0 && i <= 7`: 1 use");
}

#[test]
fn what_the_user_states_is_told_with_the_proofs() {
    quipu("check noise/helpers.c --ub division -f share --range n=1..9")
        .exits(0)
        .has("share: 2 properties proved; as stated: `n` is in 1..9");
}

/// No predicate says how much is behind a pointer without a type.
#[test]
fn what_is_offered_for_a_pointer_to_void_can_be_stated() {
    quipu("check noise/relies.c --ub null -f untyped")
        .exits(3)
        .has("`p` is not null (changed by `//@ requires p != \\null;`)");
}

/// The only caller of `average` divides by 2, and the position of the parser is its own.
#[test]
fn helpers_of_a_parser_get_what_it_passes() {
    let ran = quipu("check noise/parser.c --json").exits(1);
    assert_eq!(verdict(&verdicts(&ran, "division-by-zero"), "parse_pair", "average"), ["proved"]);
    assert_eq!(verdict(&verdicts(&ran, "out-of-bounds"), "parse_pair", "peek").last().unwrap(), "proved");
    // Alone, both would be wrong.
    let alone = verdicts(&quipu("check noise/parser.c --json --strict").exits(1), "division-by-zero");
    assert_eq!(verdict(&alone, "average", "average"), ["violated"]);
}
