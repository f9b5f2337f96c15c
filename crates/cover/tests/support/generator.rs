//! Random C functions with few inputs: dead code, nearly dead code, loops, jumps, undefined behaviour.

use quipu_cover::Range;
use quipu_inputs::Shapes;
use quipu_testkit::rng::Rng;

use super::expressions::Scope;
use super::shapes::{Shape, shape};

/// What functions may contain.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub loops: bool,
    pub calls: bool,
    /// Calls of a function without a body.
    pub environment: bool,
    /// Decisions within decisions.
    pub nested: bool,
    /// Undefined behaviour more often than by accident.
    pub undefined: bool,
    /// `exit`, `assert`, `assume`.
    pub stops: bool,
    pub jumps: bool,
    pub statements: usize,
}

/// A program with the function `f`.
#[derive(Clone, Debug)]
pub struct Case {
    pub seed: u64,
    pub text: String,
    pub flags: Vec<&'static str>,
    pub ranges: Vec<Range>,
    pub shapes: Shapes,
}

/// The program that a seed names.
pub fn case(seed: u64, config: &Config) -> Case {
    let mut rng = Rng::new(Rng::derive(0x0b57_ac1e, seed));
    let shape = shape(&mut rng);
    let mut text = String::new();
    text.push_str("extern void exit(int);\nextern void __VERIFIER_assume(int);\nextern int env(void);\n");
    text.push_str("extern void __assert_fail(const char *, const char *, unsigned, const char *);\n");
    text.push_str("#define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"f.c\", 1, \"f\"))\n");
    text.push_str("struct pair { signed char x; short y; };\n");
    text.push_str(&shape.declarations);
    text.push_str(&format!("static const int table[4] = {{ 3, -1, {}, 100 }};\n", rng.between(-9, 9)));
    let mut helpers = Vec::new();
    if config.calls {
        for n in 0..1 + rng.index(3) {
            let (name, body) = helper(&mut rng, config, n, &helpers);
            text.push_str(&body);
            helpers.push(name);
        }
        let names: Vec<&str> = (0..3).map(|_| rng.pick(&helpers).as_str()).collect();
        text.push_str(&format!("static int (*const calls[3])(int) = {{ {} }};\n", names.join(", ")));
    }
    let flags = if rng.chance(35) { vec!["-fwrapv"] } else { Vec::new() };
    let mut writer = Writer::new(&mut rng, config, helpers);
    writer.take_in(&shape);
    writer.touch = shape.touch;
    writer.scope.tables = config.calls;
    writer.function("int", "f", &shape.parameters, config.statements);
    text.push_str(&writer.text);
    Case { seed, text, flags, ranges: shape.ranges, shapes: Shapes::default() }
}

/// A function of one number: with or without loops, or one that calls itself.
fn helper(rng: &mut Rng, config: &Config, n: usize, known: &[String]) -> (String, String) {
    let name = format!("h{n}");
    if rng.chance(25) {
        let (least, most, factor) = (rng.between(-2, 1), rng.between(3, 6), rng.between(-3, 3));
        let mut writer = Writer::new(rng, config, known.to_vec());
        writer.scope.read("n");
        let (base, step) = (writer.scope.expr(1), writer.scope.condition(0));
        let text = format!(
            "static int {name}(int n) {{\n    if (n <= {least} || n > {most}) return {base};\n    \
             if ({step}) return {factor};\n    return {name}(n - 1) + {factor};\n}}\n"
        );
        return (name, text);
    }
    let small = Config { stops: false, environment: false, ..*config };
    let mut writer = Writer::new(rng, &small, known.to_vec());
    writer.scope.read("n");
    writer.scope.write("n");
    writer.function("static int", &name, "int n", 2);
    (name, writer.text)
}

struct Writer<'a> {
    config: &'a Config,
    scope: Scope<'a>,
    text: String,
    indent: usize,
    /// How many loops are around, and whether a `switch` is nearer.
    loops: usize,
    breakable: usize,
    fresh: usize,
    /// A label at the end of the function.
    out: bool,
    touch: &'static str,
}

impl<'a> Writer<'a> {
    fn new(rng: &'a mut Rng, config: &'a Config, helpers: Vec<String>) -> Writer<'a> {
        let scope = Scope::new(rng, config, helpers);
        Writer {
            config,
            scope,
            text: String::new(),
            indent: 0,
            loops: 0,
            breakable: 0,
            fresh: 0,
            out: false,
            touch: "",
        }
    }

    fn take_in(&mut self, shape: &Shape) {
        shape.reads.iter().for_each(|name| self.scope.read(name));
        shape.writes.iter().for_each(|name| self.scope.write(name));
        self.scope.constants.extend(&shape.constants);
    }

    fn function(&mut self, ret: &str, name: &str, parameters: &str, statements: usize) {
        self.line(&format!("{ret} {name}({parameters}) {{"));
        self.indent += 1;
        if !self.touch.is_empty() {
            self.line(self.touch);
        }
        self.locals();
        self.out = self.config.jumps && self.scope.rng.chance(20);
        (0..statements).for_each(|_| self.statement(2));
        if self.out {
            self.line("out:");
        }
        let result = self.scope.expr(1);
        self.line(&format!("return (int){result};"));
        self.indent -= 1;
        self.line("}");
    }

    fn locals(&mut self) {
        for (ty, name) in [("int", "x"), ("short", "y"), ("unsigned", "u"), ("signed char", "c")] {
            if self.scope.rng.chance(60) {
                let bare = self.config.undefined && self.scope.rng.chance(4);
                let value = self.scope.expr(1);
                let init = if bare { String::new() } else { format!(" = {value}") };
                self.line(&format!("{ty} {name}{init};"));
                self.scope.read(name);
                self.scope.write(name);
            }
        }
        if self.scope.rng.chance(35) {
            let (a, b) = (self.scope.expr(1), self.scope.expr(1));
            self.line(&format!("int arr[4] = {{ {a}, {b}, 5 }};"));
            self.scope.arrays.push("arr");
        }
        if self.scope.rng.chance(20) {
            let a = self.scope.expr(1);
            self.line(&format!("struct pair q = {{ 1, (short){a} }}, *pq = &q;"));
            for name in ["q.x", "pq->y", "pq->x"] {
                self.scope.read(name);
                self.scope.write(name);
            }
        }
        if self.scope.rng.chance(25) && self.scope.writes.iter().any(|name| name == "x") {
            let condition = self.scope.condition(1);
            let other = if self.scope.arrays.is_empty() { "&x" } else { "arr + 1" };
            self.line(&format!("int *ip = {condition} ? &x : {other};"));
            self.scope.read("*ip");
            self.scope.write("*ip");
        }
    }

    fn statement(&mut self, depth: usize) {
        let nest = u32::from(depth > 0);
        let loops = nest * u32::from(self.config.loops && self.loops < 2);
        let jumps = u32::from(self.config.jumps);
        let stops = u32::from(self.config.stops);
        let inside = u32::from(self.breakable > 0);
        let choice = self.scope.rng.weighted(&[
            (20, 0),
            (30 * nest, 1),
            (8 * nest, 2),
            (14 * loops, 3),
            (4 * jumps * u32::from(self.out), 4),
            (5 * inside, 5),
            (2 * stops, 6),
            (3, 7),
            (3 * jumps * loops, 8),
            (2 * u32::from(self.config.undefined), 9),
        ]);
        match choice {
            0 => self.assign(),
            1 => self.decide(depth),
            2 => self.switch(depth),
            3 => self.turns(depth),
            4 => self.guarded("goto out;"),
            5 => {
                let word = if self.loops > 0 && self.scope.rng.chance(50) { "continue;" } else { "break;" };
                self.guarded(word);
            }
            6 => self.stop(),
            7 => {
                let value = self.scope.expr(1);
                self.guarded(&format!("return (int){value};"));
            }
            8 => self.jump(depth),
            _ => {
                let (a, b) = (self.scope.expr(0), self.scope.expr(1));
                self.line(&format!("(void)({b} / {a});"));
            }
        }
    }

    fn assign(&mut self) {
        let line = self.scope.assignment();
        self.line(&format!("{line};"));
    }

    fn guarded(&mut self, what: &str) {
        let condition = self.scope.condition(1);
        self.line(&format!("if ({condition}) {what}"));
    }

    fn block(&mut self, depth: usize) {
        self.indent += 1;
        let known = self.scope.reads.len();
        (0..1 + self.scope.rng.index(2)).for_each(|_| self.statement(depth - 1));
        self.scope.reads.truncate(known);
        self.indent -= 1;
    }

    fn decide(&mut self, depth: usize) {
        let condition = self.scope.condition(2);
        self.line(&format!("if ({condition}) {{"));
        self.block(depth);
        if self.scope.rng.chance(50) {
            self.line("} else {");
            self.block(depth);
        }
        self.line("}");
    }

    fn switch(&mut self, depth: usize) {
        let value = self.scope.expr(1);
        let masked = self.scope.rng.chance(50);
        let ty = *self.scope.rng.pick(&["int", "int", "short", "long long"]);
        let value = if masked { format!("(int)({value} & 15)") } else { format!("({ty}){value}") };
        self.line(&format!("switch ({value}) {{"));
        self.breakable += 1;
        let mut next = self.scope.rng.between(-3, 3);
        let default = self.scope.rng.index(5);
        for n in 0..2 + self.scope.rng.index(2) {
            if n == default {
                self.line("default:;");
                self.block(depth);
            }
            match self.scope.rng.chance(30) {
                true => self.line(&format!("case {next} ... {}:;", next + 3)),
                false => self.line(&format!("case {next}:;")),
            }
            next += 4 + self.scope.rng.between(0, 4);
            self.block(depth);
            if self.scope.rng.chance(65) {
                self.line("    break;");
            }
        }
        self.breakable -= 1;
        self.line("}");
    }

    fn turns(&mut self, depth: usize) {
        let n = self.fresh;
        self.fresh += 1;
        let i = format!("i{n}");
        let most = self.scope.rng.between(1, 6);
        let (value, condition) = (self.scope.expr(1), self.scope.condition(1));
        self.line(&format!("int {i} = 0;"));
        self.scope.read(&i);
        self.loops += 1;
        self.breakable += 1;
        let tail = match self.scope.rng.below(6) {
            0 => self.head(&format!("for ({i} = 0; {i} < {most}; {i}++) {{"), "}"),
            1 => self.head(&format!("for (; {i} < ({value} & 7); {i} += 2) {{"), "}"),
            2 => self.head(&format!("while ({i}++ < {most} && {condition}) {{"), "}"),
            3 => self.head("do {", &format!("}} while (++{i} < ({value} & 3));")),
            4 => self.head(&format!("for ({i} = {most}; {i}--; ) {{"), "}"),
            _ => self.head(&format!("for (;;) {{ if ({condition} || {i}++ > {most}) break;"), "}"),
        };
        self.block(depth);
        self.line(&tail);
        self.loops -= 1;
        self.breakable -= 1;
    }

    fn head(&mut self, head: &str, tail: &str) -> String {
        self.line(head);
        tail.to_string()
    }

    /// A jump back, or into the middle of a loop.
    fn jump(&mut self, depth: usize) {
        let n = self.fresh;
        self.fresh += 1;
        self.line(&format!("int k{n} = 0;"));
        self.scope.read(&format!("k{n}"));
        let (value, condition) = (self.scope.expr(1), self.scope.condition(1));
        if self.scope.rng.chance(50) {
            self.line(&format!("back{n}:;"));
            self.block(depth);
            self.line(&format!("if (k{n}++ < ({value} & 3)) goto back{n};"));
            return;
        }
        self.line(&format!("if ({condition}) goto mid{n};"));
        self.line(&format!("while (k{n}++ < ({value} & 3)) {{"));
        self.loops += 1;
        self.breakable += 1;
        self.block(depth);
        self.line(&format!("mid{n}:;"));
        self.block(depth);
        self.line("}");
        self.loops -= 1;
        self.breakable -= 1;
    }

    fn stop(&mut self) {
        let condition = self.scope.condition(1);
        match self.scope.rng.below(3) {
            0 => self.line(&format!("assert({condition});")),
            1 => self.line(&format!("__VERIFIER_assume({condition});")),
            _ => self.guarded("exit(3);"),
        }
    }

    fn line(&mut self, text: &str) {
        (0..self.indent).for_each(|_| self.text.push_str("    "));
        self.text.push_str(text);
        self.text.push('\n');
    }
}
