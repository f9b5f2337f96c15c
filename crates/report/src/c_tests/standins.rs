//! Library functions whose results are inputs: small functions of the test file that stand in for them.
//!
//! They mean what the interpreter takes the library functions to mean. Only those that the program uses are written,
//! with what they need, because a static function that nobody calls is worth a warning.

use std::collections::BTreeSet;

use quipu_inputs::Request;
use quipu_interp::InputKind;
use quipu_ir::Ty;

use crate::requests::{float, plain_name, seen_bits};

/// A part of the text that several stand-ins share, in the order of the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    Items,
    Bytes,
    GiveBack,
    Scan,
}

struct StandIn {
    name: &'static str,
    headers: &'static [&'static str],
    parts: &'static [Part],
    text: &'static str,
}

const BYTES: &[Part] = &[Part::Items, Part::Bytes];
const BACK: &[Part] = &[Part::Items, Part::Bytes, Part::GiveBack];
const SCAN: &[Part] = &[Part::Items, Part::Bytes, Part::GiveBack, Part::Scan];
const ITEMS: &[Part] = &[Part::Items];

const STAND_INS: [StandIn; 14] = [
    StandIn {
        name: "getchar",
        headers: &[],
        parts: BYTES,
        text: "static int quipu_getchar(void) { return quipu_next_byte(); }\n",
    },
    StandIn {
        name: "getc",
        headers: &[],
        parts: BYTES,
        text: "static int quipu_getc(FILE *stream) { (void)stream; return quipu_next_byte(); }\n",
    },
    StandIn {
        name: "fgetc",
        headers: &[],
        parts: BYTES,
        text: "static int quipu_fgetc(FILE *stream) { (void)stream; return quipu_next_byte(); }\n",
    },
    StandIn {
        name: "feof",
        headers: &[],
        parts: BYTES,
        text: "static int quipu_feof(FILE *stream) { (void)stream; return quipu_at_end; }\n",
    },
    StandIn {
        name: "ungetc",
        headers: &[],
        parts: BACK,
        text: "\
static int quipu_ungetc(int byte, FILE *stream)
{
    (void)stream;
    if (byte < 0)
        return EOF;
    quipu_give_back(byte);
    return (unsigned char)byte;
}
",
    },
    StandIn {
        name: "fgets",
        headers: &[],
        parts: BYTES,
        text: "\
static char *quipu_fgets(char *buffer, int size, FILE *stream)
{
    int length = 0, byte = 0;
    (void)stream;
    if (size < 1)
        return NULL;
    while (length < size - 1 && byte != '\\n' && (byte = quipu_next_byte()) >= 0)
        buffer[length++] = (char)byte;
    if (length == 0 && size > 1)
        return NULL;
    buffer[length] = 0;
    return buffer;
}
",
    },
    StandIn {
        name: "fread",
        headers: &[],
        parts: BYTES,
        text: "\
static size_t quipu_fread(void *buffer, size_t size, size_t count, FILE *stream)
{
    size_t length = 0;
    int byte = 0;
    (void)stream;
    while (length < size * count && (byte = quipu_next_byte()) >= 0)
        ((unsigned char *)buffer)[length++] = (unsigned char)byte;
    return size ? length / size : 0;
}
",
    },
    StandIn {
        name: "clearerr",
        headers: &[],
        parts: BYTES,
        text: "static void quipu_clearerr(FILE *stream) { (void)stream; quipu_at_end = 0; }\n",
    },
    StandIn {
        name: "scanf",
        headers: &["stdarg.h"],
        parts: SCAN,
        text: "\
static int quipu_scanf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int stored = quipu_scan(format, &args);
    va_end(args);
    return stored;
}
",
    },
    StandIn {
        name: "fscanf",
        headers: &["stdarg.h"],
        parts: SCAN,
        text: "\
static int quipu_fscanf(FILE *stream, const char *format, ...)
{
    va_list args;
    (void)stream;
    va_start(args, format);
    int stored = quipu_scan(format, &args);
    va_end(args);
    return stored;
}
",
    },
    StandIn {
        name: "rand",
        headers: &[],
        parts: ITEMS,
        text: "static int quipu_rand(void) { return (int)quipu_next_item().number; }\n",
    },
    StandIn {
        name: "random",
        headers: &[],
        parts: ITEMS,
        text: "static long quipu_random(void) { return (long)quipu_next_item().number; }\n",
    },
    StandIn {
        name: "time",
        headers: &["time.h"],
        parts: ITEMS,
        text: "\
static time_t quipu_time(time_t *place)
{
    time_t now = (time_t)quipu_next_item().number;
    if (place)
        *place = now;
    return now;
}
",
    },
    StandIn {
        name: "clock",
        headers: &["time.h"],
        parts: ITEMS,
        text: "static clock_t quipu_clock(void) { return (clock_t)quipu_next_item().number; }\n",
    },
];

/// The stand-ins of a test file.
pub(crate) struct StandIns {
    used: Vec<&'static StandIn>,
}

impl StandIns {
    /// Those for the functions with these names.
    pub(crate) fn of<'a>(names: impl Iterator<Item = &'a str>) -> StandIns {
        let names: BTreeSet<&str> = names.map(plain_name).collect();
        StandIns { used: STAND_INS.iter().filter(|one| names.contains(one.name)).collect() }
    }

    /// The headers that they need.
    pub(crate) fn headers(&self) -> impl Iterator<Item = &'static str> {
        self.used.iter().flat_map(|one| one.headers.iter().copied())
    }

    /// Their definitions, and macros by which the program calls them.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for part in self.parts() {
            text.push_str(match part {
                Part::Items => include_str!("runtime/items.c"),
                Part::Bytes => include_str!("runtime/bytes.c"),
                Part::GiveBack => include_str!("runtime/give_back.c"),
                Part::Scan => include_str!("runtime/scan.c"),
            });
            text.push('\n');
        }
        self.used.iter().for_each(|one| text.push_str(&format!("{}\n", one.text)));
        for StandIn { name, .. } in &self.used {
            text.push_str(&format!("#define {name}(...) quipu_{name}(__VA_ARGS__)\n"));
        }
        text
    }

    /// Statements that forget what a test before has left.
    pub(crate) fn reset(&self) -> Vec<String> {
        let parts = self.parts();
        let mut lines = Vec::new();
        if parts.contains(&Part::Items) {
            lines.push("quipu_input.left = 0;".to_string());
        }
        if parts.contains(&Part::Bytes) {
            lines.push("quipu_pushed_count = 0;".to_string());
            lines.push("quipu_at_end = 0;".to_string());
        }
        lines
    }

    /// An answer as an item of the queue; none if nobody stands in for the function.
    pub(crate) fn item(&self, request: &Request) -> Option<String> {
        let name = plain_name(&request.function);
        let is_asked = self.used.iter().any(|one| one.name == name);
        let bits = seen_bits(request);
        is_asked.then(|| match (request.ty, request.kind) {
            (Ty::Float(_), _) => format!("{{.real = {}}}", real(float(request))),
            (Ty::Int(width), InputKind::Byte) => match u8::try_from(width.signed(bits)) {
                Ok(byte @ (b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9')) => {
                    format!("{{.number = '{}'}}", char::from(byte))
                }
                _ => format!("{{.number = {}}}", width.signed(bits)),
            },
            (Ty::BOOL, _) => format!("{{.number = {bits}}}"),
            (Ty::Int(width), _) if width.bits() <= 32 => format!("{{.number = {}}}", width.signed(bits)),
            _ => format!("{{.number = {bits}ULL}}"),
        })
    }

    fn parts(&self) -> BTreeSet<Part> {
        self.used.iter().flat_map(|one| one.parts.iter().copied()).collect()
    }
}

fn real(value: f64) -> String {
    match value {
        value if value.is_nan() => "__builtin_nan(\"\")".to_string(),
        f64::INFINITY => "__builtin_inf()".to_string(),
        f64::NEG_INFINITY => "-__builtin_inf()".to_string(),
        value => format!("{value:?}"),
    }
}
