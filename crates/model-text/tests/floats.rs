//! Floats in texts: what expressions of them mean, how they are printed, and what is said about wrong ones.

mod wrong;

use quipu_model::{Assignment, Evaluation, Node, Reading, holds};
use quipu_model_text::{Document, Type, parse, print, render};
use quipu_num::{FloatWidth, IntCmp, rank};
use wrong::error;

fn document(text: &str) -> Document {
    parse(text).unwrap_or_else(|errors| panic!("{}", render(&errors[0], text, "t.qm")))
}

/// The value of an expression of a type over `x = 2.5`, `y = -0.0` of type `f64`, `s = 0.1` of type `f32`, and
/// `n = -7` of type `i32`, as it is written in that type.
fn value(ty: &str, expression: &str) -> String {
    let text = format!("var x, y : f64; var s : f32; var n : i32; var z : {ty}; same(z, {expression});");
    let document = document(&text);
    let model = &document.model;
    let mut assignment: Assignment = model.vars().iter().map(|_| 0).collect();
    let values = [
        ("x", rank(FloatWidth::F64, 2.5_f64.to_bits())),
        ("y", rank(FloatWidth::F64, (-0.0_f64).to_bits())),
        ("s", rank(FloatWidth::F32, 0.1_f32.to_bits().into())),
        ("n", u64::from((-7_i32) as u32)),
    ];
    for (name, bits) in values {
        assignment[document.named(name).unwrap().vars[0]] = bits;
    }
    let Node::Compare(IntCmp::Eq, _, term) = *model.node(model.assertions()[0]) else {
        panic!("an equation")
    };
    Type::named(ty).unwrap().show(Evaluation::new(model, &assignment).value(term))
}

#[track_caller]
fn is(ty: &str, expression: &str, expected: &str) {
    assert_eq!(value(ty, expression), expected, "{expression}");
}

#[track_caller]
fn holds_here(condition: &str) {
    is("bool", condition, "1");
}

#[test]
fn arithmetic_is_that_of_the_format() {
    is("f64", "x + 1", "3.5");
    is("f64", "x * x - x / 2.0", "5.0");
    is("f64", "-x", "-2.5");
    is("f64", "-y", "0.0");
    is("f64", "0.1 + 0.2", "0.30000000000000004");
    is("f32", "s + 0.2", "0.3");
    is("f32", "s * s", "0.010000001");
    is("f64", "x / y", "-inf");
    is("f64", "y / y", "nan");
    is("f64", "1e308 * 10.0", "inf");
    is("f32", "16777216f32 + 1", "16777216.0");
    is("f64", "2 - x", "-0.5");
    is("f64", "x > 2 ? 1e-3 : inf", "0.001");
}

#[test]
fn literals() {
    is("f64", "0x1.8p1", "3.0");
    is("f32", "0x1p-149", "1e-45");
    is("f64", "-0x1p0f64", "-1.0");
    is("f64", "1_000.25", "1000.25");
    is("f32", "0.1", "0.1");
    is("f64", "-inf", "-inf");
    is("f64", "nan", "nan");
    is("f64", "-nan", "nan(0xfff8000000000000)");
    is("f32", "nan(0x7f800001)", "nan(0x7f800001)");
    is("f64", "0", "0.0");
    is("f64", "-0.0", "-0.0");
    is("f64", "-(0.0f64)", "-0.0");
    is("f64", "max(f64)", "1.7976931348623157e308");
    is("f32", "min(f32)", "-3.4028235e38");
    is("f64", "5e-324 / 2", "0.0");
    is("f64", "[1.5, x, nan][n as u32 - 4294967288]", "2.5");
    is("f64", "[1.5, x][n as u32]", "nan(0xffffffffffffffff)");
}

#[test]
fn comparisons_are_those_of_c() {
    holds_here("y == 0.0 && !same(y, 0.0)");
    holds_here("!(nan < x) && !(nan >= x) && !(x == nan) && x != nan && !(y / y == y / y)");
    holds_here("same(y / y, nan) && nan != y / y");
    holds_here("x > 2 && x >= 2.5 && 2.5 <= x && y < x && -inf < y && x < inf");
    holds_here("s < 0.2 && s as f64 != 0.1 && s == 0.1");
}

#[test]
fn functions_have_their_meaning() {
    is("f64", "sqrt(x * 10.0)", "5.0");
    is("f64", "sqrt(2.0)", "1.4142135623730951");
    is("f64", "fma(x, x, 0.25)", "6.5");
    is("f64", "abs(n as f64)", "7.0");
    is("f64", "min(x, nan) + max(-1.0, y)", "2.5");
    is("f64", "floor(-x) + ceil(x) * 100.0", "297.0");
    is("f64", "trunc(-x)", "-2.0");
    is("f64", "round(x) * 10.0 + roundeven(x)", "32.0");
    is("f64", "fmod(n as f64, x)", "-2.0");
    is("f64", "copysign(x, y)", "-2.5");
    holds_here("is_nan(y / y) && !is_nan(x) && is_inf(x / y) && !is_inf(y / y) && !is_inf(max(f64))");
    holds_here("is_finite(x) && !is_finite(inf as f64) && !is_finite(nan as f64)");
    holds_here("is_normal(x) && !is_normal(y) && !is_normal(5e-324f64) && !is_normal(inf as f64)");
    holds_here("sign_bit(y) && !sign_bit(x) && sign_bit(-nan as f64) && !sign_bit(nan as f32)");
    holds_here(
        "float_fits(x, i8) && !float_fits(-x, u8) && float_fits(255.9f64, u8) && !float_fits(256.0f64, u8)",
    );
    holds_here("!float_fits(y / y, i64) && float_fits(x, y, i32)");
}

#[test]
fn conversions() {
    is("i32", "x as i32", "2");
    is("i32", "-x as i32", "-2");
    is("u8", "-x as u8", "0");
    is("u8", "1e9f64 as u8", "255");
    is("i8", "-inf as f64 as i8", "-128");
    is("i32", "(y / y) as i32", "0");
    is("f64", "n as f64 / 2.0", "-3.5");
    is("f32", "16777217u32 as f32", "16777216.0");
    is("f64", "n as u32 as f64", "4294967289.0");
    is("f64", "max(u64) as f64", "1.8446744073709552e19");
    is("f64", "s as f64", "0.10000000149011612");
    is("f32", "0.1f64 as f32", "0.1");
    is("f32", "1e300f64 as f32", "inf");
    is("f64", "(x > 2.0) as f64", "1.0");
    is("u64", "bits(x)", "4612811918334230528");
    is("f32", "from_bits(0x3f800000u32)", "1.0");
    is("f64", "from_bits(bits(y))", "-0.0");
    is("f64", "from_rank(rank(y) + 1)", "0.0");
    is("f64", "from_rank(rank(x) - 1)", "2.4999999999999996");
}

#[test]
fn declarations_have_floats() {
    let d = document(
        "var x : f64 in -1.0..1.0; var a[2] : f32 in 0..max(f32); local t : f32; var c : f32 in 5.0..-3;
         var i : f64 in nan(0x7ff0000000000001)..-inf;",
    );
    let info = |name: &str| d.model.vars()[d.named(name).unwrap().vars[0]].clone();
    let double = |x: f64| rank(FloatWidth::F64, x.to_bits());
    let single = |x: f32| rank(FloatWidth::F32, x.to_bits().into());
    assert_eq!(info("x").reading, Reading::Float);
    assert_eq!(info("x").range, Some((double(-1.0), double(1.0))));
    assert_eq!(info("a").range, Some((single(0.0), single(f32::MAX))));
    assert!(info("x").allows(double(-0.0)) && !info("x").allows(double(f64::NAN)));
    assert!(
        info("c").allows(single(f32::NAN))
            && info("c").allows(single(-3.0))
            && !info("c").allows(single(0.0))
    );
    assert!(info("i").allows(double(f64::NAN)) && !info("i").allows(double(0.0)));
}

#[test]
fn loops_and_relations_pass_floats_as_they_are() {
    let text = "rel half(x: f32, y: f32) { same(y, x / 2.0); }
        var x, y : f32; half(x, y);
        var a[2], b[2] : f64;
        w (s = a, n : u8 = 0, t : f64 = 1.5) while (n != 2) {
          same(s'[0], s[1]); same(s'[1], s[0] + t); n' == n + 1; } end (b, 2, 1.5);";
    let mut d = document(text);
    for _ in 0..4 {
        let calls: Vec<_> =
            d.model.terms().filter(|&term| matches!(d.model.node(term), Node::Call(..))).collect();
        calls.into_iter().for_each(|call| {
            d.model.unfold(call, &quipu_model::WrittenBodies);
        });
    }
    let mut assignment: Assignment = d.model.vars().iter().map(|_| 0).collect();
    for name in ["x", "y"] {
        assignment[d.named(name).unwrap().vars[0]] = rank(FloatWidth::F32, (-0.0_f32).to_bits().into());
    }
    for (name, values) in [("a", [f64::NAN, 2.0]), ("b", [f64::NAN, 3.5])] {
        for (&var, value) in d.named(name).unwrap().vars.iter().zip(values) {
            assignment[var] = rank(FloatWidth::F64, value.to_bits());
        }
    }
    assert!(holds(&d.model, &assignment));
    for name in ["y", "b"] {
        let mut other = assignment.clone();
        other[d.named(name).unwrap().vars[0]] += 1;
        assert!(!holds(&d.model, &other), "{name} is another zero, or another NaN");
    }
}

#[test]
fn printed_as_written() {
    let text = "\
var x : f64 in -1.0..1e300;
var s[2] : f32 in -0.0..nan(0x7f800001);
var c : bool;
var n : u32;
x * 0.1 + -2.0 < sqrt(x) / inf;
same(x, nan);
-x == -(1.5f64);
fma(x, x, 1.0) != fmod(x, 3.0);
s[n] == (x as f32) - 6e-45;
x as i8 == 3 && float_fits(x, i8);
s[0] as f64 <= x;
bits(s[1]) == n && rank(s[1]) < n;
same(from_bits(n), min(s[0], nan(0xffffffff)));
(c ? s[0] : 1.0) == s[1];
s[0] < (c ? 1.5 : [2.0f32, inf, nan][n]);
";
    let printed = print(&document(text).model);
    assert_eq!(printed, text.replace("(x as f32) -", "x as f32 -"));
    assert_eq!(print(&document(&printed).model), printed);
}

#[track_caller]
fn wrong(text: &str, place: &str, message: &str, hint: &str) {
    let (found_place, found_message, found_hint) =
        error(&format!("var x : f64; var s : f32; var n : i32; {text}"));
    assert_eq!(found_place, place, "{text}: {found_message}");
    assert_eq!((found_message.as_str(), found_hint.as_str()), (message, hint), "{text}");
}

#[test]
fn integers_and_floats_are_not_mixed() {
    wrong(
        "x + n < 3.0;",
        "n",
        "this has type `i32`, and what it is combined with has type `f64`",
        "write `n as f64`, or `x as i32`",
    );
    wrong(
        "x == s;",
        "s",
        "this has type `f32`, and what it is combined with has type `f64`",
        "write `s as f64`, or `x as f32`",
    );
    wrong(
        "n < 1.5;",
        "1.5",
        "1.5 is no `i32`",
        "convert what it is combined with by `as f64`, or write `(1.5f64) as i32`",
    );
    wrong("x;", "x", "a constraint is true or false, and this has type `f64`", "write `x != 0.0`");
    wrong("x as bool;", "bool", "a `f64` is not converted to `bool`", "write `x != 0.0`");
    wrong("[1u8, 2][x] == 1;", "x", "an index is an integer, and this has type `f64`", "write `x as u32`");
    wrong("var z : f32 in 0.0f64..1.0;", "0.0f64", "a constant `f32` should stand here", "");
    wrong("var z : f32 in 0..x;", "x", "a constant `f32` should stand here", "");
    wrong("var z : i32 in 0..1.5;", "1.5", "a constant number should stand here", "");
}

#[test]
fn operations_on_integers_are_told_about_floats() {
    wrong("x % 2.0 == 1;", "x", "`%` is about integers, and this has type `f64`", "write `fmod(x, (2.0))`");
    let bits = "write `bits(x)` for the bits of it, or convert it by `as`";
    wrong("x << 2 == 1;", "x", "`<<` is about integers, and this has type `f64`", bits);
    wrong("(x & 1) == 1;", "x", "`&` is about integers, and this has type `f64`", bits);
    wrong("~x == 1;", "x", "`~` is about integers, and this has type `f64`", bits);
    wrong("clz(x) == 1;", "x", "`clz` is about integers, and this has type `f64`", bits);
    wrong("nonzero(x);", "x", "`nonzero` is about integers, and this has type `f64`", bits);
    wrong("add_fits(x, 1.0);", "x", "`add_fits` is about integers, and this has type `f64`", bits);
    wrong("shift_in_range(x, n);", "x", "`shift_in_range` is about integers, and this has type `f64`", bits);
    wrong("sum(x, 1) == x;", "x", "`sum` is about integers, and this has type `f64`", bits);
    wrong("sqrt(n) == 1;", "n", "`sqrt` is about floats, and this has type `i32`", "write `n as f64`");
    wrong("is_nan(n);", "n", "`is_nan` is about floats, and this has type `i32`", "write `n as f64`");
    wrong("bits(n) == 1;", "n", "`bits` is about floats, and this has type `i32`", "write `n as f64`");
    wrong(
        "from_bits(n as u8) == x;",
        "n as u8",
        "`from_bits` takes an integer of 32 or 64 bits, not a `u8`",
        "write `(n as u8) as u32`",
    );
    wrong("from_bits(x) == x;", "x", "`from_bits` takes an integer of 32 or 64 bits, not a `f64`", "");
    wrong("float_fits(x, f32);", "f32", "the last argument of `float_fits` is a type of integers", "");
    wrong("fma(x, x) == x;", "fma", "`fma` takes 3 arguments, not 2", "");
    wrong("min(x) == x;", "x", "`min` is of a type", "write a type, as in `max(u8)`");
}

#[test]
fn literals_that_are_no_floats() {
    let up_to = "write `inf` for the infinity";
    wrong("s < 1e39;", "1e39", "1e39 is no `f32`, which has up to 3.4028235e38", up_to);
    wrong(
        "s < 16777217;",
        "16777217",
        "16777217 is no `f32`, but lies between two",
        "write `16777217.0` for the nearest one",
    );
    wrong("same(s, nan(5));", "nan(5)", "`nan(5)` does not have the bits of a NaN of type `f32`", "");
    let untyped = "nothing here gives this number a type";
    wrong("1.5 == 1.5;", "1.5", untyped, "write the type behind it, as in `1.5f64`");
    wrong("inf > nan;", "inf", untyped, "write the type behind it, as in `inf as f64`");
    wrong(
        "x < 1.5u8;",
        "1.5u8",
        "behind a number with a point or an exponent stands f32 or f64, or nothing",
        "",
    );
    wrong("x < 0x1.8;", "0x1", "a hexadecimal number with a point has an exponent, as in 0x1.8p3", "");
    wrong("x < 1e;", "1e", "this exponent has no digits", "");
    wrong("var inf : u8;", "inf", "this word has a meaning of its own and cannot be a name", "");
    wrong("rel sqrt(x: f64) {}", "sqrt", "`sqrt` is a function of the language", "");
}
