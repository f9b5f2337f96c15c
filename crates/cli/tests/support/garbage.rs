//! Random functions that read locals, arrays, structs and blocks which they wrote in part only, and runs of them with all
//! arguments and several contents of the memory. Quipu takes no part in the runs.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use quipu_base::Random;

/// Arguments are in this range, both ends inclusive.
pub const ARGUMENTS: (i32, i32) = (-2, 3);

/// A function `f` of two arguments.
pub struct Garbled {
    /// For Quipu: each decision on a line of its own.
    pub source: String,
    /// The same with marks, and a `main` that runs it.
    marked: String,
}

/// A decision by its line, and how it came out.
pub type Seen = BTreeSet<(u64, bool)>;

/// The variables, all of them without an initial value, and forms that name them.
const DECLARATIONS: &str = "    unsigned a, b; unsigned char c; short h; long long w; _Bool t;\n    \
     unsigned v[3]; struct two { unsigned char m; unsigned n; } s, u;\n    \
     unsigned *p = malloc(3 * sizeof *p); if (!p) return 0;\n";
const PLACES: [&str; 13] =
    ["a", "b", "c", "h", "w", "t", "v[0]", "v[x & 1]", "v[2]", "s.m", "s.n", "p[0]", "p[y & 1]"];

struct Writer {
    random: Random,
    lines: Vec<String>,
    depth: usize,
}

impl Garbled {
    pub fn new(seed: u64) -> Garbled {
        let mut writer = Writer { random: Random::new(seed), lines: Vec::new(), depth: 0 };
        let count = 5 + writer.random.below(6);
        (0..count).for_each(|_| writer.statement());
        let start = "#include <stdlib.h>\nint f(int x, int y)\n{\n".to_string() + DECLARATIONS;
        let first = 1 + start.lines().count();
        let body = |marked: bool| -> String {
            let lines = writer.lines.iter().enumerate();
            lines.map(|(n, line)| format!("{}\n", decided(line, marked.then_some(first + n)))).collect()
        };
        let range = format!("#define LOW ({})\n#define HIGH ({})\n", ARGUMENTS.0, ARGUMENTS.1);
        let text = |marked: bool| format!("{start}{}    return 0;\n}}\n", body(marked));
        Garbled { source: text(false), marked: format!("{range}{MARKS}{}{MAIN}", text(true)) }
    }

    /// What the compiled function does for all arguments, with zeros, a pattern, or remains of other calls in memory.
    pub fn runs(&self, folder: &Path) -> Seen {
        let file = folder.join("marked.c");
        std::fs::write(&file, &self.marked).expect("the file can be written");
        let mut seen = Seen::new();
        let ways = [
            ("zero", "-ftrivial-auto-var-init=zero", &["255"][..]),
            ("pattern", "-ftrivial-auto-var-init=pattern", &["1"]),
            ("remains", "-DREMAINS", &["254", "250", "170", "128"]),
        ];
        for (name, flag, fillings) in ways {
            let program = folder.join(name);
            let built = Command::new("cc")
                .args(["-O0", "-w", "-fwrapv", "-fno-stack-protector", flag, "-o"])
                .args([&program, &file])
                .output()
                .expect("there is a compiler");
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
            for filling in fillings {
                let ran = Command::new(&program)
                    .env("MALLOC_PERTURB_", filling)
                    .env("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0")
                    .output()
                    .expect("the program starts");
                assert!(ran.status.success(), "{ran:?}");
                let out = String::from_utf8_lossy(&ran.stdout).into_owned();
                let one = |line: &str| {
                    let (line, value) = line.split_once(' ').expect("two numbers");
                    (line.parse().expect("a line"), value == "1")
                };
                seen.extend(out.lines().map(one));
            }
        }
        seen
    }
}

/// A line, with its decision marked if that is wanted.
fn decided(line: &str, mark: Option<usize>) -> String {
    let Some((before, rest)) = line.split_once('@') else { return line.to_string() };
    let (condition, after) = rest.split_once('@').expect("marks come in pairs");
    match mark {
        Some(number) => format!("{before}mark({number}, {condition}){after}"),
        None => format!("{before}{condition}{after}"),
    }
}

const MARKS: &str = "#define LINES 400\nstatic unsigned char seen[LINES][2];\n\
     static int mark(int line, int value) { value = value != 0; seen[line][value] = 1; return value; }\n#line 1\n";

/// Remains of calls are numbers that the functions compare with.
const MAIN: &str = "#include <stdio.h>
static void remain(unsigned value)
{
    volatile unsigned old[256];
    for (int n = 0; n < 256; n++) old[n] = value;
}
int main(void)
{
    static const unsigned values[] = { 0, 1, 2, 3, 5, 7, 255, 256, 0x01010101, 0x02020202, 0x7fffffff, 0xffffffff };
    for (int x = LOW; x <= HIGH; x++)
        for (int y = LOW; y <= HIGH; y++)
#ifdef REMAINS
            for (unsigned n = 0; n < sizeof values / sizeof *values; n++) { remain(values[n]); f(x, y); }
#else
            f(x, y);
#endif
    for (int line = 0; line < LINES; line++)
        for (int value = 0; value < 2; value++)
            if (seen[line][value]) printf(\"%d %d\\n\", line, value);
    return 0;
}
";

impl Writer {
    fn line(&mut self, text: &str) {
        let indent = "    ".repeat(self.depth + 1);
        self.lines.push(format!("{indent}{text}"));
    }

    fn place(&mut self) -> &'static str {
        PLACES[self.random.below(PLACES.len())]
    }

    fn operand(&mut self) -> String {
        match self.random.below(6) {
            0 => "x".to_string(),
            1 => "y".to_string(),
            2 => format!("{}", [0, 1, 2, 3, 5, 7, 254, 255][self.random.below(8)]),
            _ => self.place().to_string(),
        }
    }

    fn expression(&mut self) -> String {
        let (a, b) = (self.operand(), self.operand());
        match self.random.below(7) {
            0 => format!("{a} + {b}"),
            1 => format!("{a} - {b}"),
            2 => format!("({a} & {b})"),
            3 => format!("({a} ^ {b})"),
            4 => format!("(({a}) & 1) * 2"),
            _ => a,
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.expression(), self.expression());
        let relation = ["==", "!=", "<", ">", "<="][self.random.below(5)];
        match self.random.below(4) {
            0 => format!("(unsigned char)({a}) > 255 - (({b}) & 1)"),
            1 => format!("(({a}) & 3) {relation} {}", self.random.below(5)),
            _ => format!("({a}) {relation} ({b})"),
        }
    }

    fn statement(&mut self) {
        match self.random.below(10) {
            0..=2 => {
                let text = format!("{} = {};", self.place(), self.expression());
                self.line(&text);
            }
            3 => {
                let text = format!("{}++;", ["a", "c", "w", "v[1]", "p[2]"][self.random.below(5)]);
                self.line(&text);
            }
            4 => self.line("u = s; s = u;"),
            5 if self.depth < 2 => {
                let turns = 1 + self.random.below(3);
                let name = ["i", "j"][self.depth];
                let head = format!("for (int {name} = 0; {name} < {turns}; {name}++) {{ unsigned k;");
                self.line(&head);
                self.nested();
                let text = format!("    if (@k == {}@) a++;", self.random.below(3));
                self.line(&text);
                let text = format!("    k = {}; }}", self.expression());
                self.line(&text);
            }
            _ if self.depth < 3 => {
                let head = format!("if (@{}@) {{", self.condition());
                self.line(&head);
                self.nested();
                self.line("}");
            }
            _ => self.line("b ^= 1;"),
        }
    }

    fn nested(&mut self) {
        self.depth += 1;
        let count = 1 + self.random.below(2);
        (0..count).for_each(|_| self.statement());
        self.depth -= 1;
    }
}

impl std::fmt::Display for Garbled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::new();
        for (n, line) in self.source.lines().enumerate() {
            writeln!(text, "{:>3}  {line}", n + 1)?;
        }
        f.write_str(&text)
    }
}
