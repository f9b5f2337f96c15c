//! Programs of the kinds that constraints over whole loops were published for: what is asked of them is found, and what
//! cannot be is proved for all inputs.

mod support;

use std::path::PathBuf;

use support::quipu;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/deductions"))
}

fn reached(place: &str, inputs: &[&str]) {
    let ran = quipu(&format!("reach {place} --time 60")).at(&folder()).exits(0);
    let ran = ran.has("is reached with").has("confirmed on the compiled program");
    inputs.iter().for_each(|input| assert!(ran.stdout.contains(input), "{}", ran.stdout));
}

fn unreachable(place: &str) {
    quipu(&format!("reach {place} --time 60")).at(&folder()).exits(0).has("is unreachable for all inputs");
}

#[test]
fn a_power_between_bounds() {
    reached("power.c:12", &["x = 7", "n = 3"]);
    reached("power.c:14", &["n = 1"]);
    unreachable("power.c:16");
}

#[test]
fn a_sum_between_bounds() {
    reached("triangle.c:12", &["i = 14"]);
    unreachable("triangle.c:14");
}

#[test]
fn a_greatest_common_divisor() {
    quipu("check divisor.c --time 60").at(&folder()).exits(0).has("2 properties: 2 proved");
    reached("divisor.c:8", &[]);
}

#[test]
fn a_loop_without_end() {
    unreachable("sinking.c:10");
}

#[test]
fn a_product_of_numbers_that_are_near() {
    quipu("check distance.c --time 60")
        .at(&folder())
        .exits(1)
        .has("violated")
        .has("a=30")
        .has("confirmed by the");
    quipu("check distance.c --time 60 -- -DLEAST=-901").at(&folder()).exits(0).has("1 proved");
}

#[test]
fn a_sum_that_wraps() {
    reached("room.c:7", &["start = "]);
    unreachable("room.c:7 -f room --assume start<1073741824");
    reached("room.c:7 -f room --assume start<=1073741824", &["start = 1073741824"]);
}
