//! Paths on which floats and real numbers differ, in both formats: those with which the solvers of the literature were
//! compared (Botella, Gotlieb and Michel, "Symbolic execution of floating-point computations", 2006), with the values
//! that the compiled programs have.

mod support;

use support::{Ran, quipu};

/// A format, and the options that set what the program leaves open.
#[derive(Clone, Copy)]
struct Format(&'static str);

const SINGLE: Format = Format("float");
const DOUBLE: Format = Format("double");

impl Format {
    fn reach(self, place: &str, result: &str, turns: u32) -> Ran {
        let flags = format!("-DREAL={} -DRESULT={result} -DTURNS={turns}", self.0);
        quipu(&format!("reach floats/paths.c:{place} -- {flags}")).exits(0)
    }

    /// The statement behind a comparison is reached with these inputs, the one behind it is not.
    fn always(self, [then, otherwise]: [u32; 2], inputs: &str, result: &str) {
        self.reach(&format!("{then} {inputs}"), result, 0).has("(confirmed on the compiled program)");
        self.reach(&format!("{otherwise} {inputs}"), result, 0).has("is unreachable for all inputs");
    }

    fn never(self, line: u32) {
        self.reach(&line.to_string(), "0", 0).has("is unreachable for all inputs: these conflict");
    }

    fn domain(self, line: u32, expected: &str) {
        self.reach(&format!("{line} --domains"), "0", 0).prints(expected);
    }
}

#[test]
fn sums_that_cancel() {
    SINGLE.always([CANCELS, CANCELS + 1], "", "0");
    DOUBLE.always([CANCELS, CANCELS + 1], "", "0");
}

#[test]
fn discriminants() {
    let inputs = "--fix a=1.22 --fix b=3.34 --fix c=2.28";
    SINGLE.always([TWO_ROOTS, TWO_ROOTS + 1], inputs, "0.029199600219726562");
    DOUBLE.always([TWO_ROOTS, TWO_ROOTS + 1], inputs, "0.029200000000001225");
    // The other way round: with which factor it is zero.
    SINGLE.reach(&format!("{ONE_ROOT} --all"), "0", 0).prints("c = 2.2859836\n1 input\n");
    DOUBLE.reach(&format!("{ONE_ROOT} --all"), "0", 0).prints("c = 2.285983606557377\n1 input\n");
}

#[test]
fn powers() {
    let lines = [POWERS, POWERS + 1];
    SINGLE.always(lines, "--fix x=10 --fix y=-40", "0.0");
    DOUBLE.always(lines, "--fix x=10 --fix y=-40", "1.0000000000000001e-40");
    SINGLE.always(lines, "--fix x=10 --fix y=-350", "0.0");
    DOUBLE.always(lines, "--fix x=10 --fix y=-350", "0.0");
}

#[test]
fn small_numbers_are_absorbed() {
    SINGLE.domain(ABSORBED, "x in 1e-45..32767.998\n");
    DOUBLE.domain(ABSORBED, "x in 5e-324..6.103515625e-5\n");
    SINGLE.never(GROWS);
    SINGLE.domain(GROWS, "propagation finds no input\n");
    // Half a unit alone is rounded to even, and absorbed.
    DOUBLE.domain(GROWS, "x in 6.103515625000001e-5..9999.999999999998\n");
}

#[test]
fn contradictions() {
    for format in [SINGLE, DOUBLE] {
        format.never(CONTRADICTS);
        format.never(WITHOUT_A_TURN);
    }
}

#[test]
fn turns_say_how_large_a_number_was() {
    let domain = |format: Format, turns: u32| {
        format.reach(&format!("{TURNS} --domains --turns {}", turns + 1), "0", turns)
    };
    domain(SINGLE, 40).prints("y in -40.0..-39.000004\n");
    domain(DOUBLE, 40).prints("y in -40.0..-39.00000000000001\n");
    domain(SINGLE, 350).prints("y in -350.0..-349.00003\n");
    domain(DOUBLE, 350).prints("y in -350.0..-349.00000000000006\n");
}

// Where the paths end.
const CANCELS: u32 = 7;
const TWO_ROOTS: u32 = 17;
const ONE_ROOT: u32 = 23;
const POWERS: u32 = 38;
const ABSORBED: u32 = 47;
const GROWS: u32 = 57;
const CONTRADICTS: u32 = 68;
const WITHOUT_A_TURN: u32 = 77;
const TURNS: u32 = 91;
