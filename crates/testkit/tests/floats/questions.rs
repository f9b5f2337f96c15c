//! What is asked of both sides: C functions from bits to bits, and the operands that each of them is called with.

use super::values;

/// What the bits of an operand or a result are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Float,
    Double,
    /// So many bits, and whether there is a sign.
    Integer(u32, bool),
    Bool,
}

/// A type by its name in C.
pub const TYPES: [(&str, Kind); 14] = [
    ("_Bool", Kind::Bool),
    ("char", Kind::Integer(8, true)),
    ("signed char", Kind::Integer(8, true)),
    ("unsigned char", Kind::Integer(8, false)),
    ("short", Kind::Integer(16, true)),
    ("unsigned short", Kind::Integer(16, false)),
    ("int", Kind::Integer(32, true)),
    ("unsigned", Kind::Integer(32, false)),
    ("long", Kind::Integer(64, true)),
    ("unsigned long", Kind::Integer(64, false)),
    ("long long", Kind::Integer(64, true)),
    ("unsigned long long", Kind::Integer(64, false)),
    ("float", Kind::Float),
    ("double", Kind::Double),
];

/// A C function of up to three words, and the operands to call it with.
pub struct Question {
    /// What it is about, for messages.
    pub about: String,
    /// The body, of the words `a`, `b` and `c`; it ends with a `return` of a word.
    pub body: String,
    pub operands: Vec<[u64; 3]>,
    /// What the first operand is converted to, where C may leave that undefined.
    pub into: Option<(Kind, Kind)>,
}

/// Every conversion, by a cast and by assignment.
pub fn conversions() -> Vec<Question> {
    let mut all = Vec::new();
    for (from, source) in TYPES {
        for (to, target) in TYPES {
            for by in [format!("{to} y = ({to})x;"), format!("{to} y; y = x;")] {
                all.push(Question {
                    about: format!("{from} to {to}"),
                    body: format!("{from} x; {} {by} {}", read("x", 'a'), result("y", target)),
                    operands: operands(source).into_iter().map(|bits| [bits, 0, 0]).collect(),
                    into: Some((source, target)),
                });
            }
        }
    }
    all
}

/// Functions and macros of `math.h`, in both formats.
pub fn mathematics() -> Vec<Question> {
    let mut all = Vec::new();
    for (ty, suffix, kind) in [("double", "", Kind::Double), ("float", "f", Kind::Float)] {
        let mut ask = |expression: String, result_kind, operands: Vec<[u64; 3]>| {
            let declared = format!("{ty} x, y, z, s = 0; int e = 0; ");
            let reads = [("x", 'a'), ("y", 'b'), ("z", 'c')].map(|(name, word)| read(name, word)).concat();
            let compute = match result_kind {
                Kind::Integer(..) => format!("long long r = {expression};"),
                _ => format!("{ty} r = {expression};"),
            };
            let body = format!("{declared}{reads} (void)s; (void)e; {compute} {}", result("r", result_kind));
            all.push(Question { about: format!("{ty}: {expression}"), body, operands, into: None });
        };
        let ones: Vec<[u64; 3]> = operands(kind).into_iter().map(|bits| [bits, 0, 0]).collect();
        for name in ["floor", "ceil", "trunc", "round", "rint", "nearbyint", "sqrt", "fabs"] {
            ask(format!("{name}{suffix}(x)"), kind, ones.clone());
        }
        for expression in ["-x", "(frexp@(x, &e))", "(modf@(x, &s))", "(modf@(x, &s), s)"] {
            ask(expression.replace('@', suffix), kind, ones.clone());
        }
        let whole = Kind::Integer(64, true);
        for name in ["lrint", "llrint", "lround", "llround", "ilogb"] {
            ask(format!("{name}{suffix}(x)"), whole, ones.clone());
        }
        for macro_name in ["isnan", "isfinite", "isnormal", "signbit", "isinf", "fpclassify"] {
            let truth = if macro_name == "fpclassify" { "" } else { " != 0" };
            ask(format!("{macro_name}(x){truth}"), whole, ones.clone());
        }
        ask(format!("(frexp{suffix}(x, &e), e)"), whole, ones.clone());
        let pairs = tuples(&values::selected(kind == Kind::Double), 2);
        for name in ["fmod", "copysign", "fdim", "nextafter", "remainder"] {
            ask(format!("{name}{suffix}(x, y)"), kind, pairs.clone());
        }
        // Which of two zeros is the less is not defined, and compilers exchange the operands.
        for name in ["fmin", "fmax"] {
            ask(format!("x == 0 && y == 0 ? 0 : {name}{suffix}(x, y)"), kind, pairs.clone());
        }
        for op in ["+", "-", "*", "/"] {
            ask(format!("x {op} y"), kind, pairs.clone());
        }
        for op in ["<", "<=", ">", ">=", "==", "!="] {
            ask(format!("x {op} y"), whole, pairs.clone());
        }
        for name in ["isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isunordered"] {
            ask(format!("{name}(x, y) != 0"), whole, pairs.clone());
        }
        ask(format!("fma{suffix}(x, y, z)"), kind, tuples(&values::selected(kind == Kind::Double), 3));
        let scaled: Vec<[u64; 3]> = values::selected(kind == Kind::Double)
            .into_iter()
            .flat_map(|bits| values::exponents().into_iter().map(move |exponent| [bits, exponent, 0]))
            .collect();
        ask(format!("ldexp{suffix}(x, (int)b)"), kind, scaled.clone());
        ask(format!("scalbn{suffix}(x, (int)b)"), kind, scaled);
    }
    all
}

/// Whether a conversion is defined (C17 6.3.1.4), by arithmetic that the program under test has no part in.
pub fn is_defined((from, to): (Kind, Kind), bits: u64) -> bool {
    let value = match from {
        Kind::Float => f64::from(f32::from_bits(bits as u32)),
        Kind::Double => f64::from_bits(bits),
        Kind::Integer(..) | Kind::Bool => return true,
    };
    let Kind::Integer(width, signed) = to else { return true };
    let (least, most) = match signed {
        true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        false => (0, (1i128 << width) - 1),
    };
    !value.is_nan() && (least..=most).contains(&(value.trunc() as i128))
}

fn operands(kind: Kind) -> Vec<u64> {
    match kind {
        Kind::Float => values::singles(),
        Kind::Double => values::doubles(),
        Kind::Integer(..) => values::integers(),
        Kind::Bool => vec![0, 1],
    }
}

/// All ways to choose so many of the values. Of three, the second and third are fewer.
fn tuples(values: &[u64], count: usize) -> Vec<[u64; 3]> {
    let some: Vec<u64> = values.iter().copied().step_by(if count == 3 { 2 } else { 1 }).collect();
    let third: &[u64] = if count == 3 { &some } else { &[0] };
    let pairs = values.iter().flat_map(|&a| some.iter().map(move |&b| (a, b)));
    pairs.flat_map(|(a, b)| third.iter().map(move |&c| [a, b, c])).collect()
}

/// Takes the low bytes of a word as the bits of a variable.
fn read(variable: &str, word: char) -> String {
    format!("memcpy(&{variable}, &{word}, sizeof {variable});")
}

/// Returns a variable as a word. Which NaN is the result of arithmetic is not defined, so all are the same.
fn result(variable: &str, kind: Kind) -> String {
    match kind {
        Kind::Float | Kind::Double => {
            format!(
                "u64 r_ = 0; if ({variable} != {variable}) return 1; memcpy(&r_, &{variable}, sizeof {variable}); return r_ + 2;"
            )
        }
        Kind::Integer(..) | Kind::Bool => format!("return (u64){variable};"),
    }
}
