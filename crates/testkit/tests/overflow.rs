//! `__builtin_add_overflow` and its relatives on every mixture of types, against the system's compiler.
//!
//! One function per operation and three types makes a checksum of all flags and stored values over the boundary
//! values of its operands. The types have the same widths in both data models, so that the one native program, of
//! the machine's own model, answers for both.

use std::fs;

use quipu_cfront::Options;
use quipu_interp::{Limits, Machine, NoObserver, Outcome, ZeroInputs};
use quipu_testkit::native::{self, RunLimits, TempDir};

/// A type: its name in C, a name for identifiers, and the values that are tried.
const TYPES: [(&str, &str, &str); 7] = [
    ("signed char", "sc", "-128, -127, -2, -1, 0, 1, 2, 11, 127"),
    ("unsigned char", "uc", "0, 1, 2, 3, 127, 128, 254, 255"),
    ("unsigned short", "us", "0, 1, 2, 32767, 32768, 65535"),
    ("int", "si", "-2147483647 - 1, -2147483647, -65536, -2, -1, 0, 1, 3, 65536, 2147483647"),
    ("unsigned", "ui", "0, 1, 2, 65535, 65536, 2147483647, 2147483648, 4294967294, 4294967295"),
    (
        "long long",
        "sl",
        "-9223372036854775807 - 1, -9223372036854775807, -4611686018427387904, -4294967297, -4294967296, -3, -2, \
         -1, 0, 1, 2, 3, 4294967295, 4294967296, 4611686018427387904, 9223372036854775806, 9223372036854775807",
    ),
    (
        "unsigned long long",
        "ul",
        "0, 1, 2, 3, 4294967295, 4294967296, 4294967297, 6148914691236517205, 9223372036854775807, \
         9223372036854775808u, 9223372036854775809u, 18446744073709551614u, 18446744073709551615u",
    ),
];

const OPERATIONS: [&str; 3] = ["add", "sub", "mul"];

/// The C program, and the functions that it prints the results of, in this order.
fn program() -> (String, Vec<String>) {
    let mut text = String::from("#include <stdio.h>\n");
    for (ty, short, values) in TYPES {
        text.push_str(&format!("static {ty} values_{short}[] = {{{values}}};\n"));
    }
    let mut names = Vec::new();
    for op in OPERATIONS {
        for (_, a, _) in TYPES {
            for (_, b, _) in TYPES {
                for (ty, result, _) in TYPES {
                    let name = format!("{op}_{a}_{b}_{result}");
                    text.push_str(&checksum(op, a, b, ty, &name));
                    names.push(name);
                }
            }
        }
    }
    let prints: String = names.iter().map(|name| format!("    printf(\"%llu\\n\", {name}());\n")).collect();
    text.push_str(&format!("int main(void) {{\n{prints}    return 0;\n}}\n"));
    (text, names)
}

/// A function that puts every pair of values through an operation.
fn checksum(op: &str, a: &str, b: &str, result: &str, name: &str) -> String {
    format!(
        "unsigned long long {name}(void) {{
    unsigned long long sum = 7;
    for (unsigned i = 0; i < sizeof values_{a} / sizeof values_{a}[0]; i++)
        for (unsigned j = 0; j < sizeof values_{b} / sizeof values_{b}[0]; j++) {{
            {result} r;
            sum = sum * 31 + __builtin_{op}_overflow(values_{a}[i], values_{b}[j], &r);
            sum = sum * 31 + (unsigned long long)r;
            sum = sum * 31 + __builtin_{op}_overflow_p(values_{a}[i], values_{b}[j], ({result})0);
        }}
    return sum;
}}
"
    )
}

fn native_checksums(source: &str) -> Vec<u64> {
    let dir = TempDir::new().unwrap();
    let (file, program) = (dir.file("overflow.c"), dir.file("overflow"));
    fs::write(&file, source).unwrap();
    native::compile(&file, &program, &["-O0"]).unwrap().unwrap();
    let output = native::run::<&str>(&program, &[], RunLimits { seconds: 60, megabytes: None }).unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

fn interpreted_checksums(source: &str, names: &[String], flag: &str) -> Vec<u64> {
    let options = Options::from_flags(&[flag]).unwrap();
    let program = quipu_cfront::compile_source("overflow.c", source.as_bytes().to_vec(), &options).unwrap();
    let mut machine = Machine::new(&program.module, Limits::default());
    let mut run = |name: &String| {
        machine.reset();
        let func = machine.module().function(name).unwrap();
        match machine.run(func, &[], &mut ZeroInputs, &mut NoObserver) {
            Outcome::Returned(Some(value)) => value,
            other => panic!("{name} {flag}: {other:?}"),
        }
    };
    names.iter().map(&mut run).collect()
}

#[test]
fn every_mixture_of_types_overflows_as_in_the_compiler() {
    let (source, names) = program();
    let theirs = native_checksums(&source);
    assert_eq!(theirs.len(), names.len());
    for flag in ["-m64", "-m32"] {
        let ours = interpreted_checksums(&source, &names, flag);
        let sides = names.iter().zip(ours).zip(&theirs);
        let differing: Vec<&str> =
            sides.filter(|((_, ours), theirs)| ours != *theirs).map(|((name, _), _)| name.as_str()).collect();
        assert!(differing.is_empty(), "{flag}: {}", differing.join(" "));
    }
}

/// The last argument gives its type, which needs no value, and its side effects, which come first.
#[test]
fn the_type_argument_is_evaluated_only_for_its_effects() {
    let source = "static long long order;
static unsigned long a(void) { order = order * 10 + 1; return 5; }
static long b(void) { order = order * 10 + 2; return -6; }
static int type(void) { order = order * 10 + 3; return 0; }
unsigned long long test(void) {
    unsigned long never_written;
    int i = 0, wrong = 0;
    wrong += __builtin_add_overflow_p(a(), b(), never_written) != 1;
    wrong += __builtin_add_overflow_p(a(), b(), (long)never_written) != 0;
    wrong += __builtin_add_overflow_p(1, 2, i++) != 0;
    wrong += __builtin_mul_overflow_p(a(), b(), type()) != 0;
    return order * 100 + i * 10 + wrong;
}
";
    let names = ["test".to_string()];
    let main = "#include <stdio.h>\nint main(void) { printf(\"%llu\\n\", test()); return 0; }\n";
    assert_eq!(interpreted_checksums(source, &names, "-m64"), native_checksums(&format!("{source}{main}")));
}
