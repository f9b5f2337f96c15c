//! Floats: what is asked of them, how they are told, and what is said about those that are not supported.

mod support;

use support::{Ran, quipu};

fn cover(function: &str, options: &str) -> support::Quipu {
    quipu(&format!("cover floats/ranges.c -f {function} {options}"))
}

#[test]
fn ranges_of_floats_exclude_what_is_outside() {
    cover("limit", "--range x=0.5..2.5").exits(0).has("`x` is in 0.5..2.5").has("2 unreachable (proved)");
    cover("limit", "--range x=0.4375..2.5").exits(0).has("1 unreachable (proved)");
    cover("limit", "--range x=-inf..inf").exits(0).has("0 unreachable (proved)");
    cover("limit", "--fix x=1e-3").exits(0).has("`x` is 0.001").has("x=0.001").has("2 unreachable (proved)");
    cover("kind", "--range x=-inf..inf").exits(0).has("1 unreachable (proved)");
    cover("kind", "--fix x=nan").exits(0).has("x=NaN").has("covered");
    cover("kind", "--fix x=-inf").exits(0).has("x=-inf");
    cover("kind", "--fix x=0x1.8p1").exits(0).has("x=3.0").has("`x` is 3.0");
}

#[test]
fn bounds_are_rounded_to_the_input() {
    // Half an ulp around 0.5 there is only 0.5 itself.
    cover("single", "--range x=0.49999999..0.50000001").exits(0).has("x=0.5").has("1 unreachable (proved)");
    cover("single", "--range x=0.50000001..0.50000002")
        .exits(2)
        .says("no value of `x` lies in its range")
        .says("--range 'x=0.50000001..0.50000002' asks for it");
    cover("whole", "--range n=2.5..3.5").exits(0).has("n=3").has("`n` is in 2.5..3.5");
    cover("whole", "--range n=2.25..2.75").exits(2).says("no value of `n` lies in its range");
    cover("whole", "--fix n=nan").exits(2).says("no value of `n` lies in its range");
}

#[test]
fn wrong_bounds_are_told() {
    cover("limit", "--range x=nan..1")
        .exits(2)
        .says("a NaN is no bound of the range of `x`")
        .says("--fix 'x=nan'");
    cover("limit", "--range x=2.5..0.5").exits(2).says("the range of `x` is empty: 2.5 is greater than 0.5");
    cover("limit", "--fix x=1.5f").exits(2).says("is not of the form NAME=VALUE");
}

#[test]
fn floats_from_outside_may_be_finite() {
    let told = "float inputs are finite";
    cover("kind", "--floats finite").exits(0).has(told).has("2 unreachable (proved)");
    cover("kind", "--floats all").exits(0).has("0 unreachable (proved)");
    cover("measured", "--floats finite").exits(0).has(told).has("1 unreachable (proved)");
    cover("measured", "").exits(0).has("0 unreachable (proved)");
    cover("kind", "--floats finite --fix x=inf").exits(2).says("no value of `x` lies in its range");
    let json = cover("kind", "--floats finite --json").exits(0).json();
    assert_eq!(json["functions"][0]["assumptions"][0], told);
}

#[test]
fn values_are_simple() {
    cover("limit", "--range x=2.51..2.5199").exits(0).has("x=2.51 ");
    cover("limit", "--range x=2.601..2.98").exits(0).has("x=2.7 ");
    cover("measured", "").exits(0).has("sensor -> 36.7 ");
}

#[test]
fn domains_are_told_as_floats() {
    let reach = |place: &str| -> Ran { quipu(&format!("reach floats/ranges.c:{place} --domains")).exits(0) };
    reach("7").prints("x in 2.5000000000000004..inf\n");
    reach("8").prints("x in -inf..2.5 or NaN\n");
    reach("21").prints("x in NaN\n");
    let json = quipu("reach floats/ranges.c:8 --domains --json").exits(0).json();
    assert_eq!(json["domains"]["x"], serde_json::json!({ "low": "-inf", "high": "2.5", "nan": true }));
    quipu("reach floats/ranges.c:7 --range x=2.5..2.5000000000000013 --all")
        .exits(0)
        .has("x = 2.5000000000000004\n")
        .has("3 inputs\n");
}

#[test]
fn formats_that_are_not_supported_are_told_and_the_rest_is_tested() {
    let ran = quipu("cover floats/unusual.c --time 20").exits(3);
    let ran = ran
        .says("unusual.c:10:5: warning: `parameter` is not supported: type `long double`")
        .says("warning: `local` is not supported: type `long double`")
        .says("warning: `conversion` is not supported: type `long double`")
        .says("warning: `global` is not supported: type `long double`")
        .says("warning: `half` is not supported: type `_Float16`")
        .says("warning: `quadruple` is not supported: type `_Float128`")
        .says("warning: `complex_number` is not supported: complex type `_Complex double`");
    // In front of the change of rounding, all is decided.
    ran.has("there is no model of the library function `fesetround`, in `rounding` at")
        .has("floats/unusual.c:56:5")
        .has("6 goals: 4 covered, 0 unreachable (proved), 2 gave up");
}

#[test]
fn flags_that_change_floats_take_proofs_away() {
    for flag in ["-ffast-math", "-Ofast", "-ffinite-math-only", "-mfpmath=387", "-mfma"] {
        cover("never", &format!("-- {flag}"))
            .exits(3)
            .says(&format!("warning: `{flag}` lets the compiler compute floats otherwise"))
            .has(&format!("floats are those of IEEE 754 despite `{flag}`"))
            .has("no input meets it if floats are those of IEEE 754, but")
            .has("0 unreachable (proved)");
    }
    // What has nothing to do with floats is proved all the same.
    cover("plain", "-- -ffast-math").exits(0).has("1 unreachable (proved)");
    let ran = cover("never", "-- -O2 -march=native -ffp-contract=off").exits(0).has("1 unreachable (proved)");
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
}

#[test]
fn comparisons_of_floats_have_boundaries() {
    let ran = cover("limit", "--criterion boundary").exits(0);
    ran.has("x == 2.5").has("x just above 2.5").has("x=2.5000000000000004").has("x=0.49999999999999994");
    // Neighbours of a `float` are `float`s, also where it is compared as a `double`.
    cover("mixed", "--criterion boundary")
        .exits(0)
        .has("x=0.49999997")
        .has("2 covered, 0 unreachable (proved)");
    cover("zero", "--criterion boundary").exits(0).has("3 covered, 0 unreachable (proved)");
}

#[test]
fn answers_of_the_environment_are_told_as_floats() {
    quipu("reach floats/ranges.c:32").exits(0).has("the environment answers 36.7\n");
    let json = quipu("reach floats/ranges.c:32 --json").exits(0).json();
    assert_eq!(json["environment"][0], "36.7");
}

/// What cannot be followed is not a finding, and other functions are decided.
#[test]
fn changed_rounding_is_given_up_with_its_place() {
    let ran = quipu("cover floats/rounding.c").exits(3);
    ran.has("there is no model of the library function `fesetround`, in `rounding` at")
        .has("floats/rounding.c:7:5")
        .has("4 goals: 2 covered, 0 unreachable (proved), 2 gave up")
        .has("2 goals: 1 covered, 1 unreachable (proved), 0 gave up");
    // Also where nothing is left open but how a run ends.
    quipu("cover floats/rounding.c -f at_the_end").exits(3).has("2 goals: 2 covered");
}

#[test]
fn flags_that_change_floats_take_lists_away() {
    let doubt =
        "if floats are those of IEEE 754, but `-ffast-math` lets the compiler compute them otherwise\n";
    let reach = |options: &str| {
        quipu(&format!("reach floats/ranges.c:7 --range x=2.5..2.5000000000000013 {options} -- -ffast-math"))
            .exits(3)
    };
    reach("--count").prints(&format!("3 inputs {doubt}"));
    reach("--all").has(&format!("3 inputs {doubt}"));
    reach("--domains").prints(&format!("x in 2.5000000000000004..2.5000000000000013\n{doubt}"));
    let json = reach("--count --json").json();
    assert_eq!(json["complete"], false);
    assert_eq!(json["assumptions"][1], "floats are those of IEEE 754 despite `-ffast-math`");
    // What has nothing to do with floats is complete all the same.
    let ran = quipu("reach floats/ranges.c:52 --range n=1..3 --count -- -ffast-math").exits(0);
    ran.prints("3 inputs\n");
}

#[test]
fn members_without_a_representation_are_listed() {
    let cover = |function: &str| quipu(&format!("cover floats/members.c -f {function}")).runs();
    let zero = "assuming `m->wide`, whose type `long double` is not supported, is zero";
    cover("by_pointer").has(zero);
    cover("by_bytes").has(zero).has("excluded by what Quipu assumes: ");
    cover("global")
        .has("assuming `state.wide`, whose type `long double` is not supported, has its initial content");
}

#[test]
fn floats_in_strings_are_found() {
    quipu("cover floats/text.c -f price")
        .exits(0)
        .has("text=\"2.5\"  -> returns 1")
        .has("8 goals: 7 covered, 1 unreachable (proved), 0 gave up");
    // What is not followed is no proof.
    quipu("cover floats/text.c -f large")
        .exits(3)
        .has("there is no model of a number in a string that is more than a few digits and a point")
        .has("2 goals: 1 covered, 0 unreachable (proved), 1 gave up");
}
