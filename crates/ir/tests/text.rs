//! The text form: every construct survives printing and parsing, and errors are where they belong.

use quipu_base::Id;
use quipu_ir::{Body, FuncBody, Function, Module, Ty, Value, ValueDef, parse, print, print_function, verify};

const ALL: &str = include_str!("files/all.ir");

fn parsed(text: &str) -> Module {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn round_trip(module: &Module) {
    let text = print(module);
    assert_eq!(&parsed(&text), module, "{text}");
}

#[test]
fn every_construct_is_printed_as_it_was_read() {
    let module = parsed(ALL);
    let printed = print(&module);
    for (line, (found, expected)) in printed.lines().zip(ALL.lines()).enumerate() {
        assert_eq!(found, expected, "line {}", line + 1);
    }
    assert_eq!(printed.len(), ALL.len());
    round_trip(&module);
}

#[test]
fn every_construct_is_valid() {
    if let Err(errors) = verify(&parsed(ALL)) {
        panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    }
}

#[test]
fn one_function_is_printed_as_in_its_module() {
    let module = parsed(ALL);
    for func in module.functions.ids() {
        assert!(ALL.contains(&print_function(&module, func)));
    }
}

#[test]
fn documentation_shows_a_valid_module() {
    let source = include_str!("../src/print.rs");
    let example =
        source.split("//! ```").nth(1).and_then(|block| block.split_once('\n')).expect("an example").1;
    let lines =
        example.lines().map(|line| line.strip_prefix("//!").unwrap().trim_start_matches(' ').to_owned());
    let module = parsed(&lines.collect::<Vec<_>>().join("\n"));
    assert_eq!(verify(&module), Ok(()));
    let printed = print(&module);
    assert!(printed.lines().all(|line| example.contains(line)), "{printed}");
}

fn with_body(body: &str) -> String {
    format!(
        "module lp64\nfile0 = \"t.c\"\nt0 = void\nt1 = function () -> t0\nfunc @f() : t1 {{\n{body}\n}}\n"
    )
}

fn body_of(module: &Module) -> &FuncBody {
    module.functions.iter().next().and_then(Function::code).expect("a body")
}

#[test]
fn constants_without_a_number_stand_behind_the_other_values() {
    let module = parsed(&with_body("bb0:\n %0: i32 = add i32 7, i32 -7\n %1: i32 = add %0, i32 7\n ret"));
    let body = body_of(&module);
    let width = Ty::I32.width().unwrap();
    let values: Vec<_> = body.values.iter().map(|data| data.def).collect();
    let constants = [7, -7].map(|n| ValueDef::Const(width.from_signed(n)));
    assert_eq!(values, [ValueDef::Computed, ValueDef::Computed, constants[0], constants[1]]);
    assert!(!print(&module).contains("const"));
    round_trip(&module);
}

#[test]
fn constants_elsewhere_and_unused_ones_keep_their_numbers() {
    let mut module = parsed(&with_body("bb0:\n ret"));
    let Body::Defined(body) = &mut module.functions.iter_mut().next().unwrap().body else { panic!() };
    for n in 0..100 {
        body.constant(Ty::I16, ValueDef::Const(n));
        body.fresh(Ty::F32);
    }
    round_trip(&module);
    let text = print(&module);
    assert!(text.lines().all(|line| line.len() < 120), "long tables should be broken into lines");
    assert_eq!(body_of(&parsed(&text)).values.get(Value::new(198)).unwrap().def, ValueDef::Const(99));
}

#[test]
fn numbers_have_several_spellings() {
    let same = |a: &str, b: &str| {
        let read = |constant: &str| parsed(&with_body(&format!("bb0:\n ret {constant}")));
        assert_eq!(read(a), read(b));
    };
    same("i8 255", "i8 -1");
    same("i8 0xff", "i8 -1");
    same("i1 1", "true");
    same("i64 18446744073709551615", "i64 -1");
    same("f64 0x3ff0000000000000", "f64 1");
    same("f32 0x3f800000", "f32 1.0e+0");
    same("ptr 0x10", "ptr 16");
    same("ptr @f", "@f");
}

#[test]
fn comments_and_line_ends_are_blanks() {
    let module = parsed(&with_body("bb0:\n %0: i32 = add i32 1, i32 2\n ret"));
    let spread = with_body("bb0 : ; a comment \"\n %0:i32=add i32\n1,i32 2;\n ret");
    assert_eq!(parsed(&spread), module);
}

#[test]
fn bits_that_are_not_canonical_are_kept() {
    let text =
        with_body("bb0:\n %0: i8 = add i8 0x1ff, i1 0x2\n %1: f32 = fneg f32 0x100000000\n ret i32 @f");
    let module = parsed(&text);
    assert!(verify(&module).is_err());
    round_trip(&module);
}

/// The text of an error, with its place.
fn error_of(text: &str) -> String {
    parse(text).expect_err(text).to_string()
}

#[test]
fn errors_are_at_the_unexpected_token() {
    assert_eq!(error_of(""), "1:1: expected `module`");
    assert_eq!(error_of("module\n  lp65"), "2:3: expected `lp64` or `ilp32`");
    assert_eq!(error_of("module lp64\n\nglobal x"), "3:8: expected a name with `@`");
    assert_eq!(error_of("module lp64 file1 = \"\""), "1:13: expected `file0`: ids are counted");
    assert_eq!(error_of("module lp64 file0 = \"abc"), "1:21: this string has no end in its line");
    assert_eq!(error_of("module lp64 file0 = \"\\q\""), "1:21: this string has an unknown escape");
    assert_eq!(error_of("module lp64 file0 = \"\\xff\""), "1:21: this string should be UTF-8");
    assert_eq!(error_of("module lp64 t0 = int \"int\" 32"), "1:28: expected `signed` or `unsigned`");
    assert_eq!(error_of("module lp64 é"), "1:13: this character has no meaning here");
    assert_eq!(error_of("module lp64 t0 = array t0[5"), "1:28: expected `]`");
    let twice = "module lp64 t0 = void func @a() : t0 func @a() : t0";
    assert_eq!(error_of(twice), "1:43: this name is declared twice");
}

#[test]
fn errors_in_code_are_at_the_unexpected_token() {
    let error = |body: &str| error_of(&with_body(body));
    assert_eq!(error("bb0:\n  frob %0\n ret"), "7:3: expected an instruction");
    assert_eq!(error("bb0:\n  ret %0"), "7:7: %0 is defined nowhere: values are numbered without gaps");
    assert_eq!(error("bb0:\n  ret %1"), "7:7: values are numbered without gaps: this number is too large");
    assert_eq!(error("bb0:\n  ret i8 256"), "7:10: this is no number of type i8");
    assert_eq!(error("bb0:\n  ret i8 -129"), "7:10: this is no number of type i8");
    assert_eq!(error("bb0:\n  ret f32 1e39"), "7:11: this is no number of type f32");
    assert_eq!(error("bb0:\n  call @g()\n ret"), "7:8: this name is not declared");
    assert_eq!(
        error("bb0:\n  store ptr 0, i8 0 align 4294967296"),
        "7:27: this number should be smaller, and not negative"
    );
    assert_eq!(error("bb1:\n  ret"), "6:1: expected `bb0`: ids are counted");
    assert_eq!(error("bb0:\n  ret !1:2"), "7:7: a span is `!file:line:column-end`");
    assert_eq!(error("bb0(%0: i8):\n  %0: i9 = add %0, %0\n ret"), "7:3: %0 has another type before");
    assert_eq!(error("const %0 = i8 1, %1 = i8 1"), "6:18: this value or constant is listed twice");
    assert_eq!(error("bb0:\n"), "8:1: expected an instruction");
}

#[test]
fn large_numbers_take_no_memory() {
    let text = with_body("bb0:\n  %4294967295: i8 = add %4294967295, %4294967294\n ret");
    assert!(error_of(&text).starts_with("7:3: values are numbered without gaps"));
    let text = with_body("bb0:\n  jump bb4294967295");
    let module = parsed(&text);
    assert!(verify(&module).is_err());
    round_trip(&module);
    assert!(parse(&with_body("bb0:\n  jump bb4294967296")).is_err());
    assert!(parse(&with_body("bb0:\n  %4294967296: i8 = add i8 1, i8 1\n ret")).is_err());
}
