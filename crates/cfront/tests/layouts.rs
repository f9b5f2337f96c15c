//! Layouts of records with bit-fields on which `rucc` and gcc differ. `differential --layouts` compares random ones.

use std::path::Path;

use quipu_cfront::{Options, compile, compile_source};
use quipu_ir::Body;

/// The file asserts the layouts itself.
#[test]
fn bit_fields_are_laid_out_as_by_gcc() {
    for flag in ["-m64", "-m32"] {
        let options = Options::from_flags(&[flag]).unwrap();
        let file = Path::new("tests/files/layouts/bit_fields.c").to_path_buf();
        let program = compile(&[file], &options).unwrap_or_else(|failure| panic!("{flag}: {failure}"));
        assert!(program.warnings.is_empty(), "{flag}: {:?}", program.warnings);
        assert!(program.module.functions.iter().all(|f| matches!(f.body, Body::Defined(_))));
    }
}

#[test]
fn bit_fields_with_an_unknown_layout_are_refused_with_their_place() {
    let cases = [
        ("enum { N = 4 };\nstruct s { int b : 3 __attribute__((aligned(N))); };", "power of two", (2, 37)),
        ("struct s { enum { A } a : 3, b : 2 __attribute__((aligned(4))); };", "shares", (1, 30)),
        ("struct s {\n  long long b : 64 __attribute__((aligned(2)));\n};", "64 bits", (2, 13)),
        ("typedef int T __attribute__((aligned(16)));\nint b;\nstruct s { T b : 3; };", "a name", (3, 12)),
        ("typedef int T __attribute__((aligned(2)));\nstruct s { T : 32; };", "a name", (2, 12)),
    ];
    let options = Options::from_flags(&["-m32"]).unwrap();
    for (source, message, (line, column)) in cases {
        let failure = compile_source("s.c", source.as_bytes().to_vec(), &options).unwrap_err();
        let error = &failure.errors[0];
        assert!(error.message.contains(message), "{error}");
        let place = error.place.as_ref().expect("the error should have a place");
        assert_eq!((place.line, place.column), (line, column), "{error}");
    }
}

/// A field without a width knows no straddling, and an alignment between the type's own and its size is harmless.
#[test]
fn harmless_alignments_of_types_are_accepted() {
    let source =
        "typedef long long T __attribute__((aligned(8)));\ntypedef int W __attribute__((aligned(16)));
        struct s { char c; T b : 3; };\nstruct t { char c; W : 0; char d; };
        _Static_assert(sizeof(struct s) == 8 && _Alignof(struct s) == 8, \"s\");
        _Static_assert(sizeof(struct t) == 17, \"t\");\n";
    for flag in ["-m64", "-m32"] {
        let options = Options::from_flags(&[flag]).unwrap();
        compile_source("s.c", source.as_bytes().to_vec(), &options).unwrap();
    }
}
