//! C to IR on golden files, and what the front end says about source that it cannot take.

mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use quipu_cfront::{Options, Program, compile};
use quipu_ir::{Body, SourceType, Span};
use support::expect;

fn options(flags: &[&str]) -> Options {
    Options::from_flags(flags).unwrap()
}

fn program(files: &[&str], flags: &[&str]) -> Program {
    let files: Vec<PathBuf> = files.iter().map(|file| Path::new("tests/files").join(file)).collect();
    let program = compile(&files, &options(flags)).unwrap_or_else(|failure| panic!("{failure}"));
    quipu_ir::verify(&program.module).unwrap_or_else(|errors| panic!("{errors:?}"));
    program
}

fn place(span: Span) -> String {
    format!("{}:{}-{}:{}", span.line, span.column, span.end_line, span.end_column)
}

#[test]
fn lowering_is_as_in_the_golden_files() {
    for name in ["arith", "control", "interface", "memory"] {
        let text = quipu_ir::print(&program(&[&format!("lower/{name}.c")], &[]).module);
        expect(Path::new(&format!("tests/files/lower/{name}.ir")), &text);
        assert_eq!(quipu_ir::print(&quipu_ir::parse(&text).unwrap()), text);
    }
}

#[test]
fn conditions_have_their_own_places_also_through_macros() {
    for name in ["macros", "arguments"] {
        let out = decisions(&program(&[&format!("decisions/{name}.c")], &[]));
        expect(Path::new(&format!("tests/files/decisions/{name}.txt")), &out);
    }
}

/// The decisions, conditions and statements of the function `f`.
fn decisions(program: &Program) -> String {
    let body = program.module.functions[program.module.function("f").unwrap()].code().unwrap();
    let mut out = String::new();
    for (decision, data) in body.decisions.entries() {
        writeln!(out, "{} {} `{}`", place(data.span), data.kind.name(), data.text).unwrap();
        for cond in body.conds_of(decision) {
            let data = &body.conds[cond];
            let constant = data.constant.map_or(String::new(), |outcome| format!(" always {outcome}"));
            writeln!(out, "  {} `{}`{constant}", place(data.span), data.text).unwrap();
        }
    }
    for data in body.stmts.iter() {
        writeln!(out, "stmt {}", place(data.span)).unwrap();
    }
    out
}

#[test]
fn what_is_not_supported_affects_only_its_functions() {
    let program = program(&["unsupported/all.c"], &[]);
    let mut out = String::new();
    for function in program.module.functions.iter() {
        match &function.body {
            Body::Declared => {}
            Body::Defined(_) => writeln!(out, "{}: supported", function.name).unwrap(),
            Body::Unsupported(reasons) => {
                for reason in reasons {
                    writeln!(out, "{}: {} at {}", function.name, reason.what, place(reason.span)).unwrap();
                }
            }
        }
    }
    expect(Path::new("tests/files/unsupported/all.txt"), &out);
}

#[test]
fn files_are_linked_by_their_external_names() {
    let program = program(&["link/a.c", "link/b.c"], &[]);
    let module = &program.module;
    let names: Vec<&str> = module.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names.iter().filter(|name| name.starts_with("helper")).count(), 2, "{names:?}");
    assert_eq!(names.iter().filter(|&&name| name == "twice").count(), 1);
    assert!(module.functions.iter().all(|f| f.code().is_some()), "{names:?}");
    let shared = module.globals.iter().find(|global| global.name == "shared").unwrap();
    assert_eq!(shared.init, quipu_ir::Init::Data { bytes: vec![7], relocs: vec![] });
    let tentative = module.globals.iter().find(|global| global.name == "tentative").unwrap();
    assert_eq!(tentative.init, quipu_ir::Init::Data { bytes: vec![3], relocs: vec![] });
}

#[test]
fn a_second_definition_is_an_error_with_its_place() {
    let files = ["link/b.c", "link/c.c"].map(|file| Path::new("tests/files").join(file));
    let failure = compile(&files, &options(&[])).unwrap_err();
    let error = &failure.errors[0];
    assert!(error.message.contains("`twice` is defined in more than one file"), "{error}");
    assert_eq!(error.place.as_ref().unwrap().line, 1);
}

#[test]
fn the_data_model_decides_sizes() {
    for (flags, pointer, long) in [(&[][..], 8, 64), (&["-m32"][..], 4, 32)] {
        let program = program(&["lower/memory.c"], flags);
        let module = &program.module;
        assert_eq!(module.data_model.pointer_size(), pointer);
        let bits = module.types.iter().find_map(|ty| match ty {
            SourceType::Int { name, bits, .. } if name == "long" => Some(*bits),
            _ => None,
        });
        assert_eq!(bits, Some(long));
    }
}

/// gcc promotes a bit-field by its width, whatever type it was declared with.
#[test]
fn bit_fields_promote_by_their_width() {
    let source = b"enum e { A, B }; typedef enum { P, Q } T;\n\
        struct s { enum e a : 3; T b : 4; enum { X, Y } c : 2, d : 5; const T e : 3; long long l : 8; };\n\
        int a(struct s *s) { return s->a - 1 < 0; }\nint b(struct s *s) { return s->b - 1 < 0; }\n\
        int c(struct s *s) { return s->c - Y < 0; }\nint d(struct s *s) { return s->d - 1 < 0; }\n\
        int e(struct s *s) { return s->e - 1 < 0; }\n";
    let program = quipu_cfront::compile_source("fields.c", source.to_vec(), &options(&[])).unwrap();
    for function in program.module.functions.iter() {
        let text =
            quipu_ir::print_function(&program.module, program.module.function(&function.name).unwrap());
        assert!(text.contains("slt"), "the comparison should be signed: {text}");
    }
    let source = b"struct s { long long l : 8; };\nvoid f(struct s *s) { s->l /= 287u; }\n";
    let program = quipu_cfront::compile_source("fields.c", source.to_vec(), &options(&[])).unwrap();
    let text = quipu_ir::print(&program.module);
    assert!(text.contains("udiv"), "the division should be unsigned: {text}");
    let source = b"struct s { unsigned u : 16; };\nvoid f(struct s *s) { s->u /= -8; }\n";
    let program = quipu_cfront::compile_source("fields.c", source.to_vec(), &options(&[])).unwrap();
    let text = quipu_ir::print(&program.module);
    assert!(text.contains("sdiv"), "the division should be signed: {text}");
}

#[test]
fn undeclared_intrinsics_affect_only_their_functions() {
    let source = b"#include <immintrin.h>\n\
        __attribute__((target(\"avx512f\"))) int wide(int t) { __m512i p = _mm512_set1_epi32(t); (void)p; return t; }\n\
        int plain(int t) { return t + 1; }\n";
    let program = quipu_cfront::compile_source("simd.c", source.to_vec(), &options(&[])).unwrap();
    let body = |name: &str| &program.module.functions[program.module.function(name).unwrap()].body;
    assert!(matches!(body("plain"), Body::Defined(_)));
    let Body::Unsupported(reasons) = body("wide") else { panic!("the function should not be supported") };
    assert!(reasons[0].what.starts_with("vector intrinsics"), "{reasons:?}");
    assert_eq!(reasons[0].span.line, 2);
    // An error elsewhere is still the user's error.
    let wrong = [source.as_slice(), b"int wrong(void) { return nothing; }\n"].concat();
    let failure = quipu_cfront::compile_source("simd.c", wrong, &options(&[])).unwrap_err();
    assert!(failure.to_string().contains("nothing"), "{failure}");
}

/// Lengths of array parameters are looked at behind the file, where names of the parameter list mean nothing.
#[test]
fn lengths_of_array_parameters_make_no_errors() {
    let source = "enum { N = 2 }; int g;\n\
        void a(enum { A = 3 } e, int a[A]) {}\n\
        void b(struct s { int x; } *p, char a[sizeof(struct s)]) {}\n\
        void c(int N, int a[N]) {}\n\
        void d(int n, int a[sizeof(int[n])], int b[sizeof n]) {}\n\
        void e(int a[g], int b[g++], int c[({ int x = 3; x; })], int d[*&g]) {}\n\
        void f(x, a) enum { B = 3 } x; int a[B]; {}\n\
        void h(__typeof__(g) t, int a[N]) {}\n\
        int k(int a[N * 2 + (int)sizeof(long)], unsigned b[(unsigned char)257], int c['a'], int d[N > 1 ? 4 : 5])\n\
        { return a[0] + (int)b[0] + c[0] + d[0]; }\n\
        #define WHOLE void m(int n, int a[3], int b[n], int c[N]) {}\n\
        WHOLE\n";
    let program = quipu_cfront::compile_source("params.c", source.into(), &options(&[]))
        .unwrap_or_else(|failure| panic!("{failure}"));
    let lengths = |function: &quipu_ir::Function| {
        let known = function.params.iter().filter_map(|param| Some((param.name.clone()?, param.elements?)));
        known.map(|(name, elements)| format!("{name}[{elements}]")).collect::<Vec<_>>().join(" ")
    };
    let found = program.module.functions.iter().map(|function| (function.name.as_str(), lengths(function)));
    let found: Vec<_> = found.filter(|(_, lengths)| !lengths.is_empty()).collect();
    let expected = [("k", "a[12] b[1] c[97] d[4]"), ("m", "a[3] c[2]")];
    assert_eq!(found, expected.map(|(name, lengths)| (name, lengths.to_string())));
    assert!(program.warnings.is_empty(), "{:?}", program.warnings);
}

/// The checks that a function makes when it is translated with these flags.
fn checks(source: &str, flags: &[&str]) -> Vec<String> {
    let program =
        quipu_cfront::compile_source("wrap.c", source.as_bytes().to_vec(), &options(flags)).unwrap();
    let text = quipu_ir::print(&program.module);
    let words = text.lines().filter_map(|line| line.trim().strip_prefix("check "));
    words.map(|check| check.split(' ').next().unwrap().to_string()).collect()
}

#[test]
fn signed_overflow_wraps_if_the_user_wants_it() {
    let arithmetic = "int f(int a, long b) { a++; b -= a; return a * 3 + (int)-b; }";
    let undefined = ["add_fits", "sub_fits", "mul_fits", "sub_fits", "add_fits"];
    for flags in [&[][..], &["-ftrapv"], &["-fwrapv", "-fno-wrapv"]] {
        assert_eq!(checks(arithmetic, flags), undefined);
    }
    for flags in [&["-fwrapv"][..], &["-fno-strict-overflow"]] {
        assert_eq!(checks(arithmetic, flags), [""; 0]);
        // Quotients and the amounts of shifts do not wrap.
        assert_eq!(checks("int f(int a, int b) { return a / b; }", flags), ["nonzero", "quotient_fits"]);
        assert_eq!(checks("int f(int a, int b) { return a << b; }", flags), ["shift_in_range"]);
        assert_eq!(checks("int f(int a) { return __builtin_abs(a); }", flags), [""; 0]);
    }
    assert_eq!(checks("int f(int a, int b) { return a << b; }", &[]), ["shift_in_range", "shl_fits"]);
}

#[test]
fn wrapping_is_an_option_too() {
    let mut options = options(&[]);
    options.wrap_overflow(true);
    let source = b"int f(int a) { return a + 1; }".to_vec();
    let program = quipu_cfront::compile_source("wrap.c", source, &options).unwrap();
    assert!(!quipu_ir::print(&program.module).contains("check"));
}
