//! What is said about texts that mean nothing.

mod wrong;

use quipu_model_text::{parse, render};
use wrong::{error, errors};

#[track_caller]
fn check(text: &str, place: &str, message: &str, hint: &str) {
    let (found_place, found_message, found_hint) = error(text);
    assert_eq!(found_place, place, "{text}: {found_message}");
    assert!(found_message.contains(message), "{text}: {found_message}");
    assert!(found_hint.contains(hint), "{text}: {found_hint}");
}

#[test]
fn names() {
    check(
        "var count1 : u8; cuont1 == 1;",
        "cuont1",
        "there is no variable `cuont1`",
        "did you mean `count1`?",
    );
    check("var x : u8; var x : u8;", "x", "already declared", "");
    check("var x, x : u8;", "x", "already declared", "");
    check("rel f(x: u8) { x == 1; } var f : u8;", "f", "already the name of a relation", "");
    check("rel f() {} rel f() {}", "f", "already a relation", "");
    check("rel sum() {}", "sum", "a function of the language", "");
    check("rel f(x: u8, x: u8) {}", "x", "already declared", "");
    check("var y : u8; rel f(x: u8) { x == y; }", "y", "no variable `y`", "pass `y` as one");
    check("{ var t : u8; } t == 1;", "t", "no variable `t`", "");
    check("true && f(1);", "f", "no function or relation `f`", "");
    check("rel gcd() {} gcf();", "gcf", "no function or relation", "did you mean `gcd`?");
    check("rel gcd() {} gcd == 1;", "gcd", "no variable", "is a relation");
    check("var let : u8;", "let", "cannot be a name", "");
    check("var x' : u8;", "x'", "prime", "");
    check("var x : u8; x' == 1;", "x'", "no variable `x'`", "a prime means the next value");
    check("var x : u8; x == _;", "_", "no variable", "end of a loop");
    check("var x : u8; u8 == x;", "u8", "no variable", "is a type");
}

#[test]
fn types() {
    let text = "var x : u32; var y : i32; x < y;";
    check(
        text,
        "y",
        "has type `i32`, and what it is combined with has type `u32`",
        "`y as u32`, or `x as i32`",
    );
    check(
        "var x : u8; var y : u16; x + 1 == y * 2;",
        "y * 2",
        "`u16`",
        "`(y * 2) as u8`, or `(x + 1) as u16`",
    );
    check("var x : u8; x;", "x", "a constraint is true or false, and this has type `u8`", "`x != 0`");
    check("var x : u8; x && true;", "x", "should have type `bool`, and has type `u8`", "`x != 0`");
    check("var x : u8; !x;", "x", "should have type `bool`", "");
    check("var x : u8; x as bool;", "bool", "not converted to `bool`", "`x != 0`, or `x as u1`");
    check("var x : u8; x == 256;", "256", "256 is no `u8`, which has 0 to 255", "");
    check("var x : u8; x == -1;", "-1", "-1 is no `u8`", "");
    check("var x : i8; x < 128i8;", "128i8", "128 is no `i8`", "");
    check("var x : u3 in 0..8;", "8", "8 is no `u3`", "");
    check("var x : u8 in -1..8;", "-1", "-1 is no `u8`", "");
    check("var x : u8 in 0..y;", "y", "constant number", "");
    check("1 == 1;", "1", "nothing here gives this number a type", "5u32");
    check("var x : u65;", "u65", "no type `u65`", "u1 to u64");
    check("var x : u8; add_fits(x, 1);", "x", "signed numbers", "`x as i8`");
    check(
        "var x : u8; var y : u9; sum(1, 2*x, y) == 1;",
        "y",
        "the rest of the sum has type `u8`",
        "y as u8",
    );
    check("var x : u8; sum(256, x) == 1;", "256", "more bits", "");
    check("var x : u8; 1 <= x <= 5;", "<=", "comparisons do not chain", "a < b && b < c");
    check("rel f(x: u8) {} var y : i8; f(y);", "y", "should have type `u8`, and has type `i8`", "y as u8");
}

#[test]
fn arrays() {
    check("var a[3] : u8; a[3] == 1;", "3", "the index 3 is out of range", "from 0 to 2");
    check("var a[3] : u8; a[-1] == 1;", "-1", "the index -1 is out of range", "");
    check("var a[0] : u8;", "0", "1 to 65536 elements", "");
    check("var a[65537] : u8;", "65537", "1 to 65536 elements", "");
    check("var a[3] : u8; a == 1;", "a", "an array, not a single value", "`a[0]`");
    check("var x : u8; x[0] == 1;", "x", "a single value, not an array", "");
    check("var a[2], i : u8; a[i][0] == 1;", "[", "one dimension", "");
    check("rel f(a[3]: u8) {} var b[2] : u8; f(b);", "b", "an array of 3 `u8`, and is one of 2 `u8`", "");
    check("var a[2], b[3], i : u8; update(a, i, 1, b);", "update", "one type and one length", "");
    check("var a[2] : u8; element(0, a);", "element", "takes 3 arguments, not 2", "");
    check("var x : u8; element(0, [], x);", "[]", "at least one element", "");
}

#[test]
fn calls() {
    let rel = "rel f(x: u8) { x == 1; } var x : u8; var b : bool;";
    for (text, place) in [
        ("!f(x);", "f"),
        ("f(x) -> b;", "f"),
        ("f(x) <-> b;", "f"),
        ("b == f(x);", "f"),
        ("(f(x) ? 1 : 2) == x;", "f"),
        ("ite (f(x)) {} else {}", "f"),
        ("when (f(x)) {}", "f"),
        ("f(x) as u8 == x;", "f"),
        ("w (i = x) while (f(i)) {} end (_);", "f"),
        ("let c = b && f(x); !c;", "c"),
        ("let c = f(x); w (i = x) while (i == 0) { c; } end (_);", "c"),
    ] {
        check(&format!("{rel} {text}"), place, "cannot be called under a negation", "as a constraint");
    }
    for text in
        ["b -> f(x);", "f(x) || b;", "b ? f(x) : f(1);", "all(f(x), any(f(2)));", "let c = f(x); c || b;"]
    {
        assert!(parse(&format!("{rel} {text}")).is_ok(), "{text}");
    }
    check("rel f(x: u8) {} f();", "f", "`f` takes 1 argument, not 0", "");
    check("rel f(x: u8 in 1..2) {}", "1..2", "a parameter has no range", "body");
    check("loop g (x: u8) while (x == 0) {} g(1) -> ();", "g(1) -> ()", "0 outer, 1 entry and 1 end", "");
}

#[test]
fn loops() {
    check("w (i = 1) while (i != 0) {} end (_);", "1", "nothing here gives `i` a type", "`i : u32 = 1`");
    check("var x : u8; w (i = x) while (i' != 0) {} end (_);", "i'", "no variable `i'`", "into the body");
    check("var x : u8; w (i = x, j = x) while (i != 0) {} end (x);", "(x)", "2 variables, and 1 values", "");
    check("var x : u8; w (i = x, i = x) while (i != 0) {} end (x, x);", "i", "already declared", "");
    check("var x : u8; w (i : i8 = x) while (i != 0) {} end (_);", "x", "should have type `i8`", "x as i8");
    check("var x : u8; w (i = x) while (i != 0) {} end (1u9);", "1u9", "should have type `u8`", "");
    check("{ rel f() {} }", "rel", "top level only", "");
    check("{ solve; }", "solve", "top level only", "");
}

#[test]
fn syntax() {
    check("var x : u8\nx == 1;", "", "expected `;` here", "");
    check("var x : u8; { x == 1;", "{", "this `{` has no `}`", "");
    check("var x : u8; /* x == 1;", "/*", "this comment has no end", "");
    check("var x : u8; x == 1; }", "}", "closes nothing", "");
    check("var x : u8; x == (1;", ";", "expected `)`, found `;`", "");
    check("var x : u8; x == ;", ";", "expected an expression, found `;`", "");
    check("var x : u8; x == 12z;", "12z", "no number", "");
    check("var x : u8; x == 1 é;", "é", "means nothing", "");
    check("var x : u8; solve by magic;", "magic", "no strategy `magic`", "first_fail");
    check("var x : u8; solve limit 5 y;", "y", "no variable `y`", "");
    check("let t = 1u8; solve t;", "t", "names an expression", "");
    check("ite (true) {}", "", "expected `else`, found the end of the text", "");
}

#[test]
fn several_errors_are_reported_in_order() {
    let text = "var x : u8;\nx == ;\ny = 1;\nvar : u8;\nwhen (true) { x +; x == 1; x *; }\nx == 1";
    let lines: Vec<u32> = errors(text).iter().map(|error| error.line).collect();
    assert_eq!(lines, [2, 3, 4, 5, 5, 6]);
    let text = "var x : u8 in 0..999;\nx == z;\nlet t = z;\nt == x;\nx == 256;\nrel f(a[0]: u8) {}\nf(x);";
    let lines: Vec<u32> = errors(text).iter().map(|error| error.line).collect();
    assert_eq!(lines, [1, 3, 6], "what follows from a reported error is not reported");
}

#[test]
fn the_look_is_that_of_the_command_line() {
    let text = "var x : u32;\nvar y : i32;\n\tx < y;\n";
    let shown = render(&errors(text)[0], text, "m.qm");
    let expected = "m.qm:3:6: error: this has type `i32`, and what it is combined with has type `u32`\n 3 | \tx < y;\n   | \t    ^\n  = hint: write `y as u32`, or `x as i32`";
    assert_eq!(shown, expected);
}

#[test]
fn nesting_is_limited_and_never_overflows_the_stack() {
    let n = 100_000;
    let deep = |open: &str, middle: &str, close: &str| {
        format!("var x : u8; var b : bool; {}{middle}{};", open.repeat(n), close.repeat(n))
    };
    for text in [
        deep("(", "b", ")"),
        deep("!", "b", ""),
        deep("-", "x == 1", ""),
        deep("{", "b;", "}"),
        deep("b -> ", "b", ""),
        deep("b ? b : ", "b", ""),
        deep("b ? ", "b", ": b"),
        deep("all(", "b", ")"),
        deep("[", "b", "]"),
        deep("a[", "b", "]"),
        deep("when (b) {", "b;", "}"),
        deep("ite (b) {} else ", "ite (b) {} else {}", ""),
        deep("either {", "b;", "}"),
        deep("(", "", ""),
        deep("{", "", ""),
    ] {
        let errors = errors(&text);
        assert_eq!(errors.len(), 1, "{}", &text[..60]);
        assert!(errors[0].message.contains("nests more than 200 levels"), "{}", errors[0].message);
        assert!(render(&errors[0], &text, "m.qm").len() < 1000);
    }
    let fine = |text: String| assert!(parse(&text).is_ok(), "{}", &text[..60]);
    let level =
        |open: &str, close: &str| format!("var b : bool; {}b{};", open.repeat(150), close.repeat(150));
    fine(level("(", ")"));
    fine(level("!", ""));
    fine(level("b -> ", ""));
}

#[test]
fn long_chains_are_no_nesting() {
    let chain = |item: &str| format!("var x : u8; var b : bool; {};", vec![item; 50_000].join(" "));
    for text in [
        chain("x +").replace("+;", "+ x == 1;"),
        chain("b &&").replace("&&;", "&& b;"),
        chain("b <->").replace("<->;", "<-> b;"),
        chain("x == 1;"),
        format!("var x : u8; x {} == 1;", "as u8 ".repeat(50_000)),
    ] {
        assert!(parse(&text).is_ok(), "{}", &text[..60]);
    }
}

#[test]
fn short_texts_cannot_fill_the_memory() {
    let text = format!("var a[65536] : u8; var i : u32; {}", "a[i] == a[i + 1];".repeat(1000));
    assert!(error(&text).1.contains("elements of arrays"));
}

/// Texts cut, and with single characters changed, are answered without a panic.
#[test]
fn damaged_texts_are_answered() {
    let text = "rel gcd(x: u8, y: u8, z: u8) { ite (y == 0) { z == x; } else { gcd(y, x % y, z); } }
        loop l [o: u8] (i: u8 in 0..9) let t = i + o; while (t != 0) { var s : i8; s as u8 == i'; }
        var x, a[3] : u8 in 5..0; let q = [x, 2][x] + sum(1, -2*x);
        when (x < 3 && !(q == 1)) { l[x](1) -> (_); } w (i = x, j : u8 = 1) while (i != 0) { i' == a[i] - 1; } end (0, _);
        solve x, a[1] limit 3 by random 5; # end\n/* é */ either { x == 1; } or { x ? 1 : 2; }";
    for cut in (0..text.len()).filter(|&n| text.is_char_boundary(n)) {
        let _ = parse(&text[..cut]).map_err(|errors| render(&errors[0], &text[..cut], "m.qm"));
        let _ = parse(&text[cut..]).map_err(|errors| render(&errors[0], &text[cut..], "m.qm"));
        for change in ["(", "}", "x", "'", ";", "9", ":", "", "é", "["] {
            let end = (cut + 1..=text.len()).find(|&n| text.is_char_boundary(n)).unwrap();
            let changed = format!("{}{change}{}", &text[..cut], &text[end..]);
            let _ = parse(&changed)
                .map_err(|errors| errors.iter().map(|e| render(e, &changed, "m.qm").len()).sum::<usize>());
        }
    }
}
