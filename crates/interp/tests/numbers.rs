//! Number conversion, character classes and mathematics agree with the real C library.

mod support;

use quipu_ir::{Event, Ty};
use support::{Library, run_c};

const TEXTS: &[&str] = &[
    "0",
    "12",
    "-12",
    "+7",
    "  42abc",
    "0x1F",
    "0X1g",
    "0x",
    "077",
    "08",
    "zz",
    "",
    "-",
    "2147483648",
    "-2147483649",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "-1",
    "\t\n 5",
    "1 2",
];

#[test]
fn strtol_and_its_relatives() {
    let mut source = String::from(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <errno.h>\nint main(void) { char *e; long r; unsigned long u;\n",
    );
    for text in TEXTS {
        for base in [0, 10, 16, 36] {
            source += &format!(
                "{{ const char *t = {text:?}; errno = 0; r = strtol(t, &e, {base}); printf(\"%lx %ld %d \", r, (long)(e - t), errno);\n"
            );
            source += &format!(
                "errno = 0; u = strtoul(t, &e, {base}); printf(\"%lx %ld %d \", u, (long)(e - t), errno);\n"
            );
            source += "printf(\"%x\\n\", atoi(t)); }\n";
        }
    }
    source += "return 0; }\n";
    let real = run_c("strtol", &source);
    let mut lines = real.lines();
    let mut c = Library::new(&[
        ("strtol", "ptr, ptr, i32", "i64"),
        ("__isoc23_strtoul", "ptr, ptr, i32", "i64"),
        ("atoi", "ptr", "i32"),
        ("__errno_location", "", "ptr"),
    ]);
    let (end, errno) = (c.space(8), c.call("__errno_location", &[]));
    for text in TEXTS {
        for base in [0, 10, 16, 36] {
            let at = c.string(text);
            let mut line = String::new();
            for name in ["strtol", "__isoc23_strtoul"] {
                c.machine.memory_mut().store(errno, Ty::I32, 0, 4).unwrap();
                let value = c.call(name, &[at, end, base]);
                let stop = c.machine.memory().load(end, Ty::Ptr, 8).unwrap();
                let error = c.machine.memory().load(errno, Ty::I32, 4).unwrap();
                line += &format!("{value:x} {} {error} ", stop - at);
            }
            line += &format!("{:x}", c.call("atoi", &[at]));
            assert_eq!(line, lines.next().unwrap(), "{text:?} in base {base}");
        }
    }
}

#[test]
fn nothing_behind_a_number_is_read() {
    let mut c = Library::new(&[("atoi", "ptr", "i32"), ("strtol", "ptr, ptr, i32", "i64")]);
    let open = c.bytes(b"12x");
    assert_eq!(c.call("atoi", &[open]), 12);
    let cut = c.bytes(b"12");
    assert_eq!(c.event("atoi", &[cut]), Some(Event::OutOfBounds));
}

/// A base that does not exist was a panic.
#[test]
fn bases_that_do_not_exist() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <errno.h>\nint main(void) {
        int bases[] = {1, 37, -1}; const char *t = \"12\";
        for (int i = 0; i < 3; i++) {
            char *e = (char *)t + 1; errno = 0;
            long r = strtol(t, &e, bases[i]); printf(\"%ld %ld %d\\n\", r, (long)(e - t), errno);
        }
        return 0; }";
    let real = run_c("bases", source);
    let mut c = Library::new(&[("strtol", "ptr, ptr, i32", "i64"), ("__errno_location", "", "ptr")]);
    let (end, errno, at) = (c.space(8), c.call("__errno_location", &[]), c.string("12"));
    for (base, line) in [1, 37, 0xffff_ffff].into_iter().zip(real.lines()) {
        c.machine.memory_mut().store(end, Ty::Ptr, at + 1, 8).unwrap();
        let value = c.call("strtol", &[at, end, base]);
        let stop = c.machine.memory().load(end, Ty::Ptr, 8).unwrap();
        let error = c.machine.memory().load(errno, Ty::I32, 4).unwrap();
        assert_eq!(format!("{value} {} {error}", stop - at), line, "base {base}");
    }
}

#[test]
fn long_has_32_bits_with_32_bit_pointers() {
    let mut c =
        Library::of("ilp32", &[("strtol", "ptr, ptr, i32", "i32"), ("strtoull", "ptr, ptr, i32", "i64")]);
    let text = c.string("5000000000");
    assert_eq!(c.call("strtol", &[text, 0, 10]), 0x7fff_ffff);
    assert_eq!(c.call("strtoull", &[text, 0, 10]), 5_000_000_000);
}

#[test]
fn strtod_and_strtof() {
    let texts = [
        "1.5",
        "-0",
        "1e10",
        "1e-400",
        "1e400",
        "-1e400",
        ".5",
        "5.",
        "1e",
        "1e+",
        "0x1.8p3",
        "0x1p-1080",
        "0x1p1030",
        "inf",
        "-Infinity",
        "nan",
        "nan(abc)x",
        "  3.25rest",
        "x",
        "",
        "123456789012345678901234567890",
        "4.9e-324",
        "2.2250738585072011e-308",
        "0x1.fffffffffffff8p0",
        "0x1.fffffep0",
        "0x1.ffffffp0",
        "16777217",
        "3.4028236e38",
        "1e-46",
        // Without a digit there is no number, and no sign.
        "-",
        "-x",
        "-.",
        "+.e1",
        " -.5.5",
        "1.5e+",
        "0x",
        "-0x.p1",
        "00x1",
        "-nan",
        "infi",
        "1e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "0.1e-6",
        "9007199254740993",
        "9007199254740992.99999999999999999999999999999999999999",
        "1.00000005960464477539062500001",
        "1.000000059604644775390625",
    ];
    let mut source = String::from(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <errno.h>\nint main(void) { char *e; double d; float f; unsigned long b; unsigned w;\n",
    );
    for text in texts {
        source += &format!(
            "{{ const char *t = {text:?}; errno = 0; d = strtod(t, &e); memcpy(&b, &d, 8); printf(\"%lx %ld %d \", b, (long)(e - t), errno);\n"
        );
        source += "errno = 0; f = strtof(t, &e); memcpy(&w, &f, 4); printf(\"%x %ld %d\\n\", w, (long)(e - t), errno); }\n";
    }
    source += "return 0; }\n";
    let real = run_c("strtod", &source);
    let mut c = Library::new(&[
        ("strtod", "ptr, ptr", "f64"),
        ("strtof", "ptr, ptr", "f32"),
        ("__errno_location", "", "ptr"),
    ]);
    let (end, errno) = (c.space(8), c.call("__errno_location", &[]));
    for (text, expected) in texts.iter().zip(real.lines()) {
        let at = c.string(text);
        let mut parts = Vec::new();
        for name in ["strtod", "strtof"] {
            c.machine.memory_mut().store(errno, Ty::I32, 0, 4).unwrap();
            let value = c.call(name, &[at, end]);
            let stop = c.machine.memory().load(end, Ty::Ptr, 8).unwrap();
            let error = c.machine.memory().load(errno, Ty::I32, 4).unwrap();
            parts.push(format!("{value:x} {} {error}", stop - at));
        }
        assert_eq!(parts.join(" "), expected, "{text:?}");
    }
}

#[test]
fn character_classes_and_tables() {
    const CLASSES: [&str; 12] = [
        "isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower", "isxdigit", "ispunct", "isprint",
        "isgraph", "iscntrl", "isblank",
    ];
    let mut source = String::from(
        "#include <stdio.h>\n#include <ctype.h>\nint main(void) { for (int c = -128; c < 256; c++) { printf(\"%d\", c);\n",
    );
    source += "printf(\" %x %x %x\", (*__ctype_b_loc())[c], (*__ctype_tolower_loc())[c], (*__ctype_toupper_loc())[c]);\n";
    source += "if (c >= -1) { printf(\" %x %x\", (tolower)(c), (toupper)(c));\n";
    for class in CLASSES {
        source += &format!("printf(\" %d\", ({class})(c) != 0);\n");
    }
    source += "} puts(\"\"); } return 0; }\n";
    let real = run_c("ctype", &source);
    let mut declarations: Vec<(&str, &str, &str)> =
        CLASSES.iter().map(|name| (*name, "i32", "i32")).collect();
    declarations.extend([("tolower", "i32", "i32"), ("toupper", "i32", "i32")]);
    let tables = ["__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc"];
    declarations.extend(tables.map(|name| (name, "", "ptr")));
    let mut c = Library::new(&declarations);
    for (code, expected) in (-128i64..256).zip(real.lines()) {
        let mut line = code.to_string();
        for (name, ty, size) in [(tables[0], Ty::I16, 2), (tables[1], Ty::I32, 4), (tables[2], Ty::I32, 4)] {
            let place = c.call(name, &[]);
            let table = c.machine.memory().load(place, Ty::Ptr, 8).unwrap();
            let entry = table.wrapping_add_signed(code * size);
            line += &format!(" {:x}", c.machine.memory().load(entry, ty, size as u64).unwrap());
        }
        let bits = u64::from((code as i32).cast_unsigned());
        if code >= -1 {
            line += &format!(" {:x} {:x}", c.call("tolower", &[bits]), c.call("toupper", &[bits]));
            for class in CLASSES {
                line += &format!(" {}", u8::from(c.call(class, &[bits]) != 0));
            }
        }
        assert_eq!(line, expected);
    }
    assert_eq!(c.event("isalpha", &[1000]), Some(Event::OutOfBounds));
}

#[test]
fn mathematics() {
    let unary = [
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "cbrt",
        "tgamma",
        "lgamma",
        "erf",
        "erfc",
        "logb",
        "sqrt",
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "fabs",
        "asinh",
        "acosh",
        "atanh",
    ];
    let binary =
        ["pow", "atan2", "hypot", "fmod", "remainder", "fdim", "nextafter", "copysign", "fmin", "fmax"];
    let points = [0.0f64, 0.5, -0.5, 1.0, 2.5, -3.75, 100.1, 1e-3, -0.25];
    let mut source = String::from("#include <stdio.h>\n#include <math.h>\n#include <string.h>\n");
    source += "static void p(double d) { unsigned long b; if (isnan(d)) { puts(\"nan\"); return; } memcpy(&b, &d, 8); printf(\"%lx\\n\", b); }\n";
    source += "static void q(float d) { unsigned b; if (isnan(d)) { puts(\"nan\"); return; } memcpy(&b, &d, 4); printf(\"%x\\n\", b); }\n";
    source += "int main(void) { volatile double x, y;\n";
    for x in points {
        for name in unary {
            source += &format!("x = {x:e}; p({name}(x)); q({name}f(x));\n");
        }
        for name in binary {
            source += &format!("x = {x:e}; y = 1.75; p({name}(x, y)); q({name}f(x, y));\n");
        }
    }
    source += "return 0; }\n";
    let real = run_c("math", &source);
    let mut lines = real.lines();
    let single: Vec<String> = unary.iter().chain(&binary).map(|name| format!("{name}f")).collect();
    let mut declarations: Vec<(&str, &str, &str)> = unary.iter().map(|name| (*name, "f64", "f64")).collect();
    declarations.extend(binary.iter().map(|name| (*name, "f64, f64", "f64")));
    for (n, name) in single.iter().enumerate() {
        declarations.push((name, if n < unary.len() { "f32" } else { "f32, f32" }, "f32"));
    }
    let mut c = Library::new(&declarations);
    for x in points {
        for (n, name) in unary.iter().chain(&binary).enumerate() {
            let (args, args_f) = (
                [x.to_bits(), 1.75f64.to_bits()],
                [u64::from((x as f32).to_bits()), u64::from(1.75f32.to_bits())],
            );
            let count = if n < unary.len() { 1 } else { 2 };
            let double = c.call(name, &args[..count]);
            let shown = if f64::from_bits(double).is_nan() { "nan".into() } else { format!("{double:x}") };
            assert_eq!(Some(shown.as_str()), lines.next(), "{name}({x})");
            let float = c.call(&format!("{name}f"), &args_f[..count]);
            let shown =
                if f32::from_bits(float as u32).is_nan() { "nan".into() } else { format!("{float:x}") };
            assert_eq!(Some(shown.as_str()), lines.next(), "{name}f({x})");
        }
    }
}

#[test]
fn mathematics_with_integers_and_pointers() {
    let mut c = Library::new(&[
        ("ldexp", "f64, i32", "f64"),
        ("frexp", "f64, ptr", "f64"),
        ("modf", "f64, ptr", "f64"),
        ("lround", "f64", "i64"),
        ("lrint", "f64", "i64"),
        ("ilogb", "f64", "i32"),
        ("fma", "f64, f64, f64", "f64"),
        ("log", "f64", "f64"),
        ("__errno_location", "", "ptr"),
        ("__isnan", "f64", "i32"),
        ("__fpclassifyf", "f32", "i32"),
        ("__isinff", "f32", "i32"),
    ]);
    let d = |x: f64| x.to_bits();
    assert_eq!(c.call("ldexp", &[d(1.5), 4]), d(24.0));
    let place = c.space(8);
    assert_eq!(c.call("frexp", &[d(24.0), place]), d(0.75));
    assert_eq!(c.machine.memory().load(place, Ty::I32, 4).unwrap(), 5);
    assert_eq!(c.call("modf", &[d(-3.25), place]), d(-0.25));
    assert_eq!(c.machine.memory().load(place, Ty::F64, 8).unwrap(), d(-3.0));
    assert_eq!(c.call("lround", &[d(-2.5)]), (-3i64).cast_unsigned());
    assert_eq!(c.call("lrint", &[d(2.5)]), 2);
    assert_eq!(c.call("ilogb", &[d(1024.0)]), 10);
    assert_eq!(c.call("fma", &[d(2.0), d(3.0), d(4.0)]), d(10.0));
    let errno = c.call("__errno_location", &[]);
    c.call("log", &[d(-1.0)]);
    assert_eq!(c.machine.memory().load(errno, Ty::I32, 4).unwrap(), 33);
    c.call("log", &[d(0.0)]);
    assert_eq!(c.machine.memory().load(errno, Ty::I32, 4).unwrap(), 34);
    assert_eq!(c.call("__isnan", &[d(f64::NAN)]), 1);
    assert_eq!(c.call("__fpclassifyf", &[1]), 3);
    assert_eq!(c.call("__isinff", &[u64::from(f32::NEG_INFINITY.to_bits())]), 0xffff_ffff);
}
