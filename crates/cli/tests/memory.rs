//! Memory, end to end: what propagation alone knows about inputs behind pointers, rings of pointers, lists on the heap.

mod support;

use support::{Ran, quipu};

/// Where in a file a text stands for the first time behind another one, as a place to be reached.
fn place(file: &str, function: &str, text: &str) -> String {
    let path = format!("{}/tests/files/memory/{file}", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(path).expect("the file exists");
    let start = source.find(function).expect("the function exists");
    let at = start + source[start..].find(text).expect("the text exists");
    let line = source[..at].matches('\n').count() + 1;
    format!("memory/{file}:{line}")
}

/// Asks about the place of `return 1` in a function of `alias.c`.
fn alias(function: &str, flags: &str) -> Ran {
    quipu(&format!("reach {} {flags} --time 100", place("alias.c", function, "return 1"))).exits(0)
}

/// The values of `n` that an enumeration printed, in order.
fn values_of_n(ran: &Ran) -> Vec<u64> {
    let values = ran.stdout.lines().filter_map(|line| line.strip_prefix("n = "));
    let mut values: Vec<u64> = values.map(|value| value.parse().expect("a number")).collect();
    values.sort_unstable();
    values
}

#[test]
fn the_condition_of_an_alias_is_known_by_propagation() {
    alias("chosen", "--domains").prints("c in 1\nv in 20\n");
    alias("chosen", "--all").prints("c = 1  v = 20\n1 input\n");
}

#[test]
fn two_steps_through_pointers_have_one_solution() {
    alias("two_steps", "--domains").prints("a in 5\nb in 11\n");
    alias("two_steps", "--all").prints("a = 5  b = 11\n1 input\n");
}

#[test]
fn pointers_to_pointers_are_followed_by_propagation() {
    alias("two_levels", "--domains").prints("n in 16..19\n");
    alias("two_levels", "--count").prints("4 inputs\n");
}

#[test]
fn a_branch_that_sets_no_alias_is_refuted_by_propagation() {
    alias("one_branch", "--domains").prints("n in 101..2147483647\nm in 7..8\n");
    alias("one_branch", "--fix n=200 --count").prints("2 inputs\n");
    alias("one_branch", "--fix n=100 --domains").prints("propagation finds no input\n");
}

/// The second target of `q` is what `p` points to.
#[test]
fn an_input_pointer_is_an_alias_by_propagation() {
    let shapes = "--shape p=object --shape q=object|alias(p)";
    alias("given", &format!("{shapes} --domains")).has("q in 2\nm in 6..8\n");
    alias("given", "--shape p=object --shape q=object --domains").prints("propagation finds no input\n");
}

#[test]
fn a_ring_of_three_pointers() {
    let place = place("ring.c", "int three", "return 1");
    quipu(&format!("reach {place} --domains --turns 30")).exits(0).has("n in 2..29\n");
    let ran = quipu(&format!("reach {place} --all --turns 30")).exits(0);
    assert_eq!(values_of_n(&ran), [2, 5, 8, 11, 14, 17, 20, 23, 26, 29], "{}", ran.stdout);
}

#[test]
fn rings_of_many_places() {
    let place = place("ring.c", "int many", "return 1");
    for size in [2, 3, 7, 20, 50] {
        let asked =
            |how: &str| quipu(&format!("reach {place} {how} --turns {} -- -DSIZE={size}", 2 * size)).exits(0);
        asked("--domains").has(&format!("n in {}..", size - 1));
        let ran = asked("--all");
        assert_eq!(values_of_n(&ran), [size - 1, 2 * size - 1], "{}", ran.stdout);
    }
}

#[test]
fn counting_out_is_covered() {
    quipu("cover memory/counting_out.c -- -DTURNS=14")
        .exits(0)
        .has("  10 goals: 10 covered, 0 unreachable (proved), 0 gave up; 3 tests, all confirmed\n");
    quipu("cover memory/counting_out.c --fix step=3 -- -DTURNS=40")
        .exits(0)
        .has("people=41  step=3  -> returns 31 ");
}

/// Without any luck: all inputs that there are.
#[test]
fn counting_out_has_one_solution() {
    let place = place("counting_out.c", "int left_over", "return place");
    quipu(&format!("reach {place} --fix step=3 --all --turns 8 -- -DTURNS=6"))
        .exits(0)
        .prints("people = 7  step = 3\n1 input within the turns of loops allowed (--turns)\n");
}

/// The comparison of a link with the start of its list made the list a single node.
#[test]
fn lists_may_lead_back_to_their_start() {
    quipu("cover memory/circular.c -f length --time 100")
        .exits(0)
        .has("  8 goals: 8 covered, 0 unreachable (proved), 0 gave up; 4 tests, all confirmed\n");
}

/// A loop that is sure to go on was followed until the encoding became too large.
#[test]
fn what_stands_behind_an_endless_loop_is_unreachable() {
    let ran = quipu("cover memory/circular.c -f endless --range a=0..7 --timeout 0.2 --time 100").exits(1);
    let after = ran.stdout.lines().filter(|line| line.contains("unreachable") && line.starts_with('>'));
    assert_eq!(after.count(), 3, "{}", ran.stdout);
    ran.has(" 0 gave up");
}
