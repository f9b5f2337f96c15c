//! What texts denote: nodes, widths, ranges, roles, relations and queries.

use quipu_model::{Assignment, Body, Evaluation, Model, Node, Reading, Role, WrittenBodies, holds};
use quipu_model_text::{Document, QueryKind, Strategy, parse, render};
use quipu_num::{IntCmp, IntOp, Width};

fn document(text: &str) -> Document {
    match parse(text) {
        Ok(document) => document,
        Err(errors) => {
            let shown: Vec<String> = errors.iter().map(|error| render(error, text, "t.qm")).collect();
            panic!("{}", shown.join("\n"))
        }
    }
}

/// Whether the assertions hold for values of the declared variables.
fn check(document: &Document, values: &[(&str, &[i128])]) -> bool {
    let model = &document.model;
    let mut assignment: Assignment = model.vars().iter().map(|_| 0).collect();
    for (name, numbers) in values {
        let named = document.named(name).unwrap_or_else(|| panic!("{name} is declared"));
        for (&var, &number) in named.vars.iter().zip(*numbers) {
            assignment[var] = named.ty.as_integer().wrapped(number);
        }
    }
    holds(model, &assignment)
}

/// The value of an expression over `x = 200` and `y = 7` of a type, as that type reads it.
fn value(ty: &str, expression: &str) -> i128 {
    let document = document(&format!("var x, y, z : {ty}; z == ({expression});"));
    let model = &document.model;
    let ty = document.named("z").unwrap().ty.as_integer();
    let mut assignment: Assignment = model.vars().iter().map(|_| 0).collect();
    for (name, number) in [("x", 200), ("y", 7)] {
        assignment[document.named(name).unwrap().vars[0]] = ty.wrapped(number);
    }
    let Node::Compare(IntCmp::Eq, _, term) = *model.node(model.assertions()[0]) else {
        panic!("an equation")
    };
    ty.number(Evaluation::new(model, &assignment).value(term))
}

#[test]
fn signedness_selects_the_operation() {
    assert_eq!(value("u8", "x / y"), 28);
    assert_eq!(value("i8", "x / y"), -8);
    assert_eq!(value("u8", "x % y"), 4);
    assert_eq!(value("i8", "x % y"), 0);
    assert_eq!(value("u8", "x >> 1"), 100);
    assert_eq!(value("i8", "x >> 1"), -28);
    assert_eq!(value("u8", "x < y ? 1 : 0"), 0);
    assert_eq!(value("i8", "x < y ? 1 : 0"), 1);
    assert_eq!(value("i8", "(x > y) == false && (x >= y) == false ? 1 : 0"), 1);
    assert_eq!(value("u16", "x as u8 as i8 as i16 as u16"), 0xffc8);
    assert_eq!(value("u16", "x as i8 as u8 as u16"), 200);
}

#[test]
fn precedence_is_that_of_c() {
    assert_eq!(value("u8", "1 + 2 * 3 - 4"), 3);
    assert_eq!(value("u8", "1 << 2 + 1"), 8);
    assert_eq!(value("u8", "6 & 3 | 8 ^ 12"), 2 | 4);
    assert_eq!(value("i8", "-1 - -2 + 3u8 as i8"), 4);
    assert_eq!(value("u8", "~x & 0x0f"), 7);
    assert_eq!(value("u8", "x == 200 || y == 0 && y == 1 ? 5 : 6"), 5);
    assert_eq!(value("u8", "x - y - 3"), 190);
    assert_eq!(value("u8", "y == 7 ? x == 3 ? 1 : 2 : 3"), 2);
    assert_eq!(value("u8", "(y == 0 -> y == 1 -> y == 2) ? 1 : 0"), 1);
    assert_eq!(value("u8", "(y == 0 <-> y == 1) ? 1 : 0"), 1);
    assert_eq!(value("u8", "-y as u8"), 249);
}

#[test]
fn functions_have_their_meaning() {
    assert_eq!(value("u8", "clz(y) * 10 + ctz(x)"), 53);
    assert_eq!(value("u16", "bswap(y)"), 0x700);
    assert_eq!(value("u8", "popcount(x)"), 3);
    assert_eq!(value("u8", "sum(5, 2*x, -y, 3)"), 145);
    assert_eq!(value("u8", "sum(x, y, [1, 2])"), 210);
    assert_eq!(value("i8", "add_fits(x, -100) ? 1 : 0"), 0);
    assert_eq!(value("i8", "mul_fits(x, 2) && sub_fits(x, 1) && nonzero(y) && any_bit(x) ? 1 : 0"), 1);
    assert_eq!(value("i8", "quotient_fits(min(i8), -1) || shl_fits(x, 1) ? 1 : 0"), 0);
    assert_eq!(
        value("u8", "shift_in_range(y, 7) && !shift_in_range(x, 8) && shift_in_range(0, y, u8) ? 1 : 0"),
        1
    );
    assert_eq!(value("u8", "index_below(y, x) && index_at_most(y, y) ? 1 : 0"), 1);
    assert_eq!(value("u8", "all() && !any() && all(true, x > y) ? 1 : 0"), 1);
    assert_eq!(value("u8", "[10, 20, 30][y - 5]"), 30);
    assert_eq!(value("u8", "[10, 20, 30][y]"), 0);
    assert_eq!(value("u8", "[10, 20, 30][2 - 1]"), 20);
    assert_eq!(value("i16", "max(i16)"), 32767);
}

#[test]
fn literals_take_the_type_of_the_other_side() {
    let d = document(
        "var x : u8; x + 1 == 0xff; 2 * 3 == x; -5 as i8 as u8 == x; x & ~1 == 254 -> true; "
            .replace("x & ~1 == 254", "(x & ~1) == 254")
            .as_str(),
    );
    let Node::Compare(IntCmp::Eq, sum, number) = *d.model.node(d.model.assertions()[0]) else { panic!() };
    assert_eq!((d.model.constant(number), d.model.width(number)), (Some(255), Width::W8));
    assert!(matches!(d.model.node(sum), Node::Op(IntOp::Add, ..)));
    assert!(check(&document("var x : i64; x == -9223372036854775808;"), &[("x", &[i128::from(i64::MIN)])]));
}

#[test]
fn declarations_give_ranges_and_roles() {
    let d =
        document("var x, y : u3 in 5..0; var a[3] : i32 in -1..9; local t : bool; { var s : u8; s == 0; }");
    let info = |name: &str| d.model.vars()[d.named(name).unwrap().vars[0]].clone();
    assert_eq!(info("x").range, Some((5, 0)));
    assert!(info("x").allows(7) && info("y").allows(0) && !info("y").allows(3));
    assert_eq!((info("a").name.as_str(), info("a").range), ("a[0]", Some((0xffff_ffff, 9))));
    assert!(
        info("a").reading == Reading::Signed
            && info("x").role == Role::Input
            && info("t").role == Role::Local
    );
    let s = d.model.vars().iter().find(|info| info.name == "s").unwrap();
    assert_eq!(s.role, Role::Local);
    assert_eq!(d.named("a").unwrap().vars.len(), 3);
    assert!(d.named("s").is_none());
}

#[test]
fn chains_of_connectives_are_one_node() {
    let d = document("var a, b, c : bool; a && b && c; (a && b) && c; a || b || c;");
    let sizes: Vec<usize> = d
        .model
        .assertions()
        .iter()
        .map(|&term| match d.model.node(term) {
            Node::All(items) | Node::Any(items) => items.len(),
            _ => 0,
        })
        .collect();
    assert_eq!(sizes, [3, 2, 3]);
}

#[test]
fn blocks_are_constraints() {
    let text = "var b : bool; var x, y : u8;
        ite (b) { x == 1; y == 2; } else ite (x == 7) { y == 7; } else { x == 3; }
        when (b && x == 1) { y < 5; }
        either { x == 1; } or { x == 7; } or { x == 3; y == 3; }";
    let d = document(text);
    assert!(check(&d, &[("b", &[1]), ("x", &[1]), ("y", &[2])]));
    assert!(!check(&d, &[("b", &[1]), ("x", &[1]), ("y", &[3])]));
    assert!(check(&d, &[("b", &[0]), ("x", &[7]), ("y", &[7])]));
    assert!(check(&d, &[("b", &[0]), ("x", &[3]), ("y", &[3])]));
    assert!(!check(&d, &[("b", &[0]), ("x", &[3]), ("y", &[4])]));
}

#[test]
fn arrays_have_elements_and_updates() {
    let d = document(
        "var a[3], b[3], v : u8; var i : u4; a[i] == v; a[0] == 1; update(a, i, 9, b); element(i, b, 9);",
    );
    assert!(check(&d, &[("a", &[1, 2, 3]), ("b", &[1, 9, 3]), ("i", &[1]), ("v", &[2])]));
    assert!(!check(&d, &[("a", &[1, 2, 3]), ("b", &[1, 9, 3]), ("i", &[3]), ("v", &[0])]));
    assert!(!check(&d, &[("a", &[1, 2, 3]), ("b", &[1, 9, 9]), ("i", &[1]), ("v", &[2])]));
    // An index too narrow for the length reaches the first elements only.
    let d = document("var a[5], b[5] : u8; var i : u2; update(a, i, 9, b);");
    assert!(check(&d, &[("a", &[1, 2, 3, 4, 5]), ("b", &[1, 2, 3, 9, 5]), ("i", &[3])]));
}

/// Unfolds calls round by round, then checks with all locals that are determined filled in by search over
/// the given values.
fn unfold(model: &mut Model, rounds: usize) {
    for _ in 0..rounds {
        let calls: Vec<_> = model.terms().filter(|&t| matches!(model.node(t), Node::Call(..))).collect();
        for call in calls {
            model.unfold(call, &WrittenBodies);
        }
    }
}

const GCD: &str = "
rel gcd(x: u8, y: u8, z: u8) {
  ite (y == 0) { z == x; } else { gcd(y, x % y, z); }
}
var x, y, z : u8;
gcd(x, y, z);
";

#[test]
fn relations_may_call_themselves() {
    let mut d = document(GCD);
    unfold(&mut d.model, 6);
    assert!(check(&d, &[("x", &[12]), ("y", &[18]), ("z", &[6])]));
    assert!(!check(&d, &[("x", &[12]), ("y", &[18]), ("z", &[3])]));
}

#[test]
fn relations_may_call_each_other_and_take_arrays() {
    let text = "
        rel even(n: u4, a[2]: u8) { either { n == 0; a[0] == 1; } or { n != 0; odd(n - 1, [a[1], a[0]]); } }
        rel odd(n: u4, a[2]: u8) { n != 0; even(n - 1, [a[1], a[0]]); }
        var n : u4; var a[2] : u8; even(n, a);";
    let mut d = document(text);
    unfold(&mut d.model, 5);
    assert!(check(&d, &[("n", &[4]), ("a", &[1, 0])]));
    assert!(!check(&d, &[("n", &[3]), ("a", &[1, 0])]));
}

#[test]
fn the_loop_operator_relates_entry_and_end() {
    // Every next value has a definition, so that unfolding leaves no free local.
    let text = "var i0, j2 : u8; w (i = i0, j = 1) while (i != 0) { j' == j * i; i' == i - 1; } end (0, j2);";
    let mut d = document(text);
    unfold(&mut d.model, 6);
    assert!(check(&d, &[("i0", &[5]), ("j2", &[120])]));
    assert!(!check(&d, &[("i0", &[4]), ("j2", &[120])]));
    let Body::Loop(turn) = &d.model.relations().iter().next().unwrap().body else { panic!("a loop") };
    assert_eq!((turn.outer.len(), turn.state.len(), turn.locals.len()), (0, 2, 0));
}

#[test]
fn a_loop_captures_what_it_uses_and_keeps_what_it_does_not_change() {
    let text = "var a[3], target, found, i2 : u8; let limit = target - target + 3u8;
        w (i : u8 = 0, f : u8 = 0, same = target) while (i < limit) {
          f' == (a[i] == target ? 1 : f); i' == i + 1;
        } end (i2, found, target);";
    let mut d = document(text);
    let Body::Loop(turn) = &d.model.relations().iter().next().unwrap().body else { panic!("a loop") };
    assert_eq!((turn.outer.len(), turn.state.len()), (1 + 3 + 1, 3));
    unfold(&mut d.model, 5);
    assert!(check(&d, &[("a", &[5, 6, 7]), ("target", &[6]), ("found", &[1]), ("i2", &[3])]));
    assert!(check(&d, &[("a", &[5, 6, 7]), ("target", &[8]), ("found", &[0]), ("i2", &[3])]));
    assert!(!check(&d, &[("a", &[5, 6, 7]), ("target", &[8]), ("found", &[1]), ("i2", &[3])]));
}

#[test]
fn loops_nest_inside_relations() {
    let text = "
        rel mul(x: u8, y: u8, z: u8) {
          w (i = x, s : u8 = 0) while (i != 0) {
            var t : u8;
            w (j = y, t = s) while (j != 0) { t' == t + 1; j' == j - 1; } end (0, t);
            s' == t; i' == i - 1;
          } end (_, z);
        }
        var x, y, z : u8; mul(x, y, z);";
    let d = document(text);
    let loops = d.model.relations().iter().filter(|info| matches!(info.body, Body::Loop(_))).count();
    assert_eq!(loops, 2);
    let Body::Procedure(mul) = &d.model.relations().iter().next().unwrap().body else { panic!("mul") };
    assert_eq!(mul.locals.len(), 1, "the wildcard is a local of the relation");
}

#[test]
fn state_may_be_an_array() {
    let text = "var a[2], b[2] : u8; w (s = a, n : u8 = 0) while (n != 2) {
          s'[0] == s[1]; s'[1] == s[0] + 1; n' == n + 1; } end (b, 2);";
    let mut d = document(text);
    unfold(&mut d.model, 4);
    assert!(check(&d, &[("a", &[10, 20]), ("b", &[11, 21])]));
    assert!(!check(&d, &[("a", &[10, 20]), ("b", &[11, 20])]));
}

#[test]
fn named_loops_add_nothing() {
    let text = "
        loop f [k: u8] (i: u8 in 0..9, j: u8) let t = i + k; while (t != 0) { i' == i - 1; }
        var x, y : u8; f[3](x, 0) -> (y, _); true -> f[x](x, x) -> (y, y);";
    let d = document(text);
    let Body::Loop(turn) = &d.model.relations().iter().next().unwrap().body else { panic!("a loop") };
    assert!(matches!(d.model.node(turn.body), Node::Compare(..)));
    assert_eq!(d.model.vars()[turn.next[0]].range, Some((0, 9)));
    assert_eq!(d.model.assertions().len(), 2);
}

#[test]
fn queries_see_what_stands_in_front_of_them() {
    let d = document(
        "var x : u8; x > 1; propagate; var y[2], solve : u8; x < y[0]; solve == 3;
        solve x, y[1] limit 10 by random 7; all; count y by split limit 3;",
    );
    let q = &d.queries;
    assert_eq!(q.iter().map(|q| q.n_assertions).collect::<Vec<_>>(), [1, 3, 3, 3]);
    let kinds = [QueryKind::Propagate, QueryKind::Solve, QueryKind::All, QueryKind::Count];
    assert_eq!(q.iter().map(|q| q.kind).collect::<Vec<_>>(), kinds);
    assert_eq!(q.iter().map(|q| q.variables.len()).collect::<Vec<_>>(), [1, 2, 4, 2]);
    assert_eq!((q[1].limit, q[1].strategy), (Some(10), Some(Strategy::Random(7))));
    assert_eq!((q[3].limit, q[3].strategy), (Some(3), Some(Strategy::Split)));
    assert_eq!((q[0].named, q[1].named), (false, true));
}

#[test]
fn lets_name_terms_arrays_and_calls() {
    let text = format!(
        "{GCD} let s = x + y; let p = [x, s]; let c = gcd(s, x, z) || false; s == p[1]; c; x == 0 -> c;"
    );
    let d = document(&text);
    assert_eq!(d.model.assertions().len(), 4);
}

#[test]
fn names_of_functions_and_queries_are_free_for_variables() {
    document(
        "var sum, all, w, count, end, local, limit, by, element : u8; sum + w == count; end == local; limit < by; element == all;",
    );
}
