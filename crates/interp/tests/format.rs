//! `printf` and `scanf` agree with the real C library.

mod support;

use quipu_interp::{Limits, ListedInputs, Machine, NoObserver, ObjectKind, Outcome};
use quipu_ir::{Event, Ty};
use support::{Library, run_c};

/// A variadic argument.
#[derive(Clone, Debug)]
enum Arg {
    Int(i32),
    Long(i64),
    Double(f64),
    Str(&'static str),
    Null,
}

use Arg::{Double, Int, Long, Null, Str};

impl Arg {
    fn c(&self) -> String {
        match self {
            Int(value) => format!("(int){}LL", i64::from(*value)),
            Long(value) => format!("(long){}ULL", value.cast_unsigned()),
            Double(value) if value.is_nan() => {
                format!("{}__builtin_nan(\"\")", if value.is_sign_negative() { "-" } else { "" })
            }
            Double(value) if value.is_infinite() => {
                format!("{}__builtin_inf()", if *value < 0.0 { "-" } else { "" })
            }
            Double(value) => format!("{value:e}"),
            Str(text) => format!("{text:?}"),
            Null => "(void*)0".into(),
        }
    }
}

/// Packs arguments as the front end does.
fn pack(c: &mut Library, args: &[Arg]) -> u64 {
    let place = c.space(8 * args.len() as u64);
    for (n, arg) in args.iter().enumerate() {
        let at = place + 8 * n as u64;
        let (ty, bits) = match arg {
            Int(value) => (Ty::I32, u64::from(value.cast_unsigned())),
            Long(value) => (Ty::I64, value.cast_unsigned()),
            Double(value) => (Ty::F64, value.to_bits()),
            Str(text) => (Ty::Ptr, c.string(text)),
            Null => (Ty::Ptr, 0),
        };
        c.machine.memory_mut().store(at, ty, bits, 4).unwrap();
    }
    place
}

fn cases() -> Vec<(String, Vec<Arg>)> {
    let mut cases: Vec<(String, Vec<Arg>)> = vec![
        ("plain %% text".into(), vec![]),
        ("%d items of %s at %5.1f%%".into(), vec![Int(3), Str("wood"), Double(12.25)]),
        ("%c%c|%5c|%-3c|".into(), vec![Int(65), Int(66), Int(67), Int(68)]),
        (
            "%s|%10s|%-10s|%.2s|%10.3s|".into(),
            vec![Str("abc"), Str("abc"), Str("abc"), Str("abc"), Str("abcdef")],
        ),
        (
            "%*d|%-*d|%.*f|%*d".into(),
            vec![Int(6), Int(42), Int(6), Int(42), Int(2), Double(3.24159), Int(-6), Int(42)],
        ),
        ("%.*d|%.*s".into(), vec![Int(-1), Int(7), Int(2), Str("xyz")]),
        ("%hhd %hd %hhu %hx".into(), vec![Int(300), Int(70000), Int(-1), Int(-1)]),
        (
            "%ld %lld %lu %llx %zu %jd %td".into(),
            vec![Long(-5), Long(i64::MIN), Long(-1), Long(-1), Long(7), Long(-7), Long(8)],
        ),
        ("%p".into(), vec![Null]),
    ];
    let ints = [0, 1, -1, 42, i32::MAX, i32::MIN];
    for flags in ["", "-", "+", " ", "0", "#", "+0", "- ", "#0"] {
        for width in ["", "1", "8"] {
            for precision in ["", ".", ".0", ".4"] {
                for conversion in ["d", "i", "u", "x", "X", "o"] {
                    let spec = format!("[%{flags}{width}{precision}{conversion}]");
                    cases.push((spec.repeat(ints.len()), ints.iter().map(|&n| Int(n)).collect()));
                }
            }
        }
    }
    let doubles = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.5,
        2.5,
        0.1,
        123456.789,
        1e-5,
        9.9999995,
        0.0001,
        1e10,
        1e15,
        123456789.0,
        1e100,
        5e-324,
        2.2250738585072014e-308,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        0.125,
        99.5,
        1e6,
    ];
    // glibc 2.36 writes `%#g` of this value as `1.e+06`, without the zeros that C17 7.21.6.1p6 asks for.
    cases.push(("%g %e %f".into(), vec![Double(999999.5), Double(999999.5), Double(999999.5)]));
    for flags in ["", "-", "+", " ", "0", "#"] {
        for width in ["", "15"] {
            for precision in ["", ".0", ".1", ".3", ".17"] {
                for conversion in ["f", "e", "g", "E", "G", "a", "A"] {
                    let spec = format!("[%{flags}{width}{precision}{conversion}]");
                    cases.push((spec.repeat(doubles.len()), doubles.iter().map(|&x| Double(x)).collect()));
                }
            }
        }
    }
    cases
}

#[test]
fn printf_is_that_of_the_c_library() {
    let cases = cases();
    let mut source = String::from("#include <stdio.h>\nstatic char b[1<<20];\nint main(void) { int n;\n");
    for (format, args) in &cases {
        let args: String = args.iter().map(|arg| format!(", {}", arg.c())).collect();
        source += &format!("n = snprintf(b, sizeof b, {format:?}{args}); printf(\"%d %s\\n\", n, b);\n");
    }
    source += "return 0; }\n";
    let real = run_c("printf", &source);
    let mut c = Library::new(&[("snprintf", "ptr, i64, ptr, ...", "i32")]);
    let buffer = c.machine.memory_mut().allocate(ObjectKind::Input, 1 << 20, 1).unwrap();
    for ((format, args), expected) in cases.iter().zip(real.lines()) {
        let (format_at, packed) = (c.string(format), pack(&mut c, args));
        let length = c.call("snprintf", &[buffer, 1 << 20, format_at, packed]);
        assert_eq!(format!("{length} {}", c.read(buffer)), expected, "{format} {args:?}");
    }
    assert_eq!(real.lines().count(), cases.len());
}

#[test]
fn printing_to_buffers() {
    let mut c = Library::new(&[
        ("sprintf", "ptr, ptr, ...", "i32"),
        ("snprintf", "ptr, i64, ptr, ...", "i32"),
        ("vsnprintf", "ptr, i64, ptr, ptr", "i32"),
        ("__sprintf_chk", "ptr, i32, i64, ptr, ...", "i32"),
        ("printf", "ptr, ...", "i32"),
    ]);
    let (format, buffer) = (c.string("%d-%s"), c.space(8));
    let args = pack(&mut c, &[Int(-12), Str("xyz")]);
    assert_eq!(c.call("sprintf", &[buffer, format, args]), 7);
    assert_eq!(c.read(buffer), "-12-xyz");
    assert_eq!(c.call("snprintf", &[buffer, 4, format, args]), 7);
    assert_eq!(c.read(buffer), "-12");
    assert_eq!(c.call("snprintf", &[0, 0, format, args]), 7);
    assert_eq!(c.call("vsnprintf", &[buffer, 8, format, args]), 7);
    assert_eq!(c.call("__sprintf_chk", &[buffer, 1, 8, format, args]), 7);
    assert_eq!(c.call("printf", &[format, args]), 7);
    let small = c.space(7);
    assert_eq!(c.event("sprintf", &[small, format, args]), Some(Event::OutOfBounds));
    let one = pack(&mut c, &[Int(1)]);
    assert_eq!(c.event("printf", &[format, one]), Some(Event::OutOfBounds));
    let (count, place) = (c.string("abc%n"), c.space(4));
    let pointer = c.space(8);
    c.machine.memory_mut().store_pointer(pointer, place).unwrap();
    assert_eq!(c.call("printf", &[count, pointer]), 3);
    assert_eq!(c.machine.memory().load(place, Ty::I32, 4).unwrap(), 3);
    let positional = c.string("%1$d");
    assert!(matches!(c.outcome("printf", &[positional, args]), Outcome::Unsupported { .. }));
}

#[test]
fn a_list_of_array_type_is_passed_by_address() {
    let text = "
t5 = struct \"__va_list_tag\" size 24 align 8 { }
t6 = pointer t5
func @vsnprintf(ptr, i64, ptr, ptr t6) -> i32 : t2";
    let module = Box::leak(Box::new(support::module(text)));
    let mut c = Library { module, machine: Machine::new(module, Limits::default()) };
    let (format, buffer, list) = (c.string("%d"), c.space(8), c.space(24));
    let args = pack(&mut c, &[Int(77)]);
    c.machine.memory_mut().store_pointer(list, args).unwrap();
    assert_eq!(c.call("vsnprintf", &[buffer, 8, format, list]), 2);
    assert_eq!(c.read(buffer), "77");
}

/// Texts and formats with the types of their results.
const SCANS: &[(&str, &str, &str)] = &[
    ("12 -34", "%d%d", "ii"),
    ("12,34", "%d,%d", "ii"),
    ("12;34", "%d,%d", "ii"),
    ("0x1f 077", "%i %i", "ii"),
    ("ff FF", "%x %X", "ii"),
    ("  abc def", "%s %s", "ss"),
    ("abcdef", "%3s%s", "ss"),
    ("key=value", "%[^=]=%s", "ss"),
    ("abc123", "%[a-z]%d", "si"),
    ("", "%d", "i"),
    ("   ", "%d", "i"),
    ("x", "%d", "i"),
    ("12x", "%d%d", "ii"),
    ("1.5e3x", "%f%c", "fc"),
    ("-2.25 7", "%lf %d", "Fi"),
    ("12345678901", "%ld", "l"),
    ("99999999999999999999", "%ld", "l"),
    ("4294967297", "%d", "i"),
    ("300", "%hhd", "b"),
    ("1 2 3", "%*d %d %n", "ii"),
    ("100%", "%d%%%c", "ic"),
    ("100% x", "%d%% %c", "ic"),
    ("a b", "%c%c%c", "ccc"),
    ("12345", "%2d%3d", "ii"),
    ("]x", "%[]]%c", "sc"),
    ("nan inf", "%f %f", "ff"),
    ("3 4", "%d %*d %d", "ii"),
];

#[test]
fn sscanf_is_that_of_the_c_library() {
    let mut source = String::from(
        "#include <stdio.h>\n#include <string.h>\nint main(void) { static char m[4][32]; int n, i;\n",
    );
    for (text, format, types) in SCANS {
        let args: String = (0..types.len()).map(|n| format!(", (void*)m[{n}]")).collect();
        source += &format!("memset(m, 0x5a, sizeof m); n = sscanf({text:?}, {format:?}{args});\n");
        source += "printf(\"%d\", n); for (i = 0; i < 4; i++) for (n = 0; n < 16; n++) printf(\" %02x\", m[i][n] & 255); puts(\"\");\n";
    }
    source += "return 0; }\n";
    let real = run_c("sscanf", &source);
    let mut c = Library::new(&[("sscanf", "ptr, ptr, ...", "i32")]);
    for ((text, format, types), expected) in SCANS.iter().zip(real.lines()) {
        let (text_at, format_at) = (c.string(text), c.string(format));
        let places: Vec<u64> = (0..4).map(|_| c.bytes(&[0x5a; 32])).collect();
        let args = c.space(8 * types.len() as u64);
        for (n, &place) in places.iter().take(types.len()).enumerate() {
            c.machine.memory_mut().store_pointer(args + 8 * n as u64, place).unwrap();
        }
        let mut line = (c.call("sscanf", &[text_at, format_at, args]) as i32).to_string();
        for &place in &places {
            for byte in c.machine.memory().read_bytes(place, 16).unwrap() {
                line += &format!(" {byte:02x}");
            }
        }
        assert_eq!(line, expected, "{text:?} {format:?}");
    }
}

#[test]
fn scanf_takes_typed_inputs() {
    let mut c = Library::new(&[("__isoc99_scanf", "ptr, ...", "i32"), ("getchar", "", "i32")]);
    let (format, word) = (c.string("%d %lf"), c.string("%3s"));
    let (n, x, s) = (c.space(4), c.space(8), c.space(4));
    let args = c.space(16);
    c.machine.memory_mut().store_pointer(args, n).unwrap();
    c.machine.memory_mut().store_pointer(args + 8, x).unwrap();
    let scanf = c.module.function("__isoc99_scanf").unwrap();
    let mut inputs = ListedInputs::new(vec![7, 2.5f64.to_bits()]);
    let outcome = c.machine.run(scanf, &[format, args], &mut inputs, &mut NoObserver);
    assert_eq!(outcome, Outcome::Returned(Some(2)));
    assert_eq!(c.machine.memory().load(n, Ty::I32, 4).unwrap(), 7);
    assert_eq!(c.machine.memory().load(x, Ty::F64, 8).unwrap(), 2.5f64.to_bits());
    c.machine.memory_mut().store_pointer(args, s).unwrap();
    let mut bytes = ListedInputs::new("ab cd".bytes().map(u64::from).collect());
    let outcome = c.machine.run(scanf, &[word, args], &mut bytes, &mut NoObserver);
    assert_eq!(outcome, Outcome::Returned(Some(1)));
    assert_eq!(c.read(s), "ab");
    let getchar = c.module.function("getchar").unwrap();
    let next = c.machine.run(getchar, &[], &mut bytes, &mut NoObserver);
    assert_eq!(next, Outcome::Returned(Some(32)), "the space was not consumed");
}
