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
    for name in ["arith", "control", "memory"] {
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
