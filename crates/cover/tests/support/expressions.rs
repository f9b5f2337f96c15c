//! Random expressions over what is in scope.

use quipu_testkit::rng::Rng;

use super::generator::Config;

/// What can be read and written.
pub struct Scope<'a> {
    pub rng: &'a mut Rng,
    config: &'a Config,
    pub reads: Vec<String>,
    pub writes: Vec<String>,
    pub arrays: Vec<&'static str>,
    pub constants: Vec<i64>,
    helpers: Vec<String>,
    /// Whether there is a table of functions.
    pub tables: bool,
    /// Calls of the environment that may still be written.
    env: usize,
}

const CASTS: [&str; 9] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long long",
    "unsigned long long",
    "_Bool",
];

impl<'a> Scope<'a> {
    pub fn new(rng: &'a mut Rng, config: &'a Config, helpers: Vec<String>) -> Scope<'a> {
        let env = if config.environment { 2 } else { 0 };
        let (reads, writes) = (Vec::new(), Vec::new());
        Scope {
            rng,
            config,
            reads,
            writes,
            arrays: Vec::new(),
            constants: Vec::new(),
            helpers,
            tables: false,
            env,
        }
    }

    pub fn read(&mut self, name: &str) {
        self.reads.push(name.to_string());
    }

    pub fn write(&mut self, name: &str) {
        self.writes.push(name.to_string());
    }

    /// A condition, not always in parentheses.
    pub fn condition(&mut self, depth: usize) -> String {
        let more = u32::from(depth > 0);
        let nested = more * u32::from(self.config.nested);
        let effect = u32::from(!self.writes.is_empty());
        match self.rng.weighted(&[
            (40, 0),
            (14 * more, 1),
            (14 * more, 2),
            (6 * more, 3),
            (8, 4),
            (7, 5),
            (9, 6),
            (4 * effect, 7),
            (3 * nested, 8),
            (3 * nested, 9),
        ]) {
            0 => self.comparison(),
            1 => format!("{} && {}", self.closed(depth - 1), self.closed(depth - 1)),
            2 => format!("{} || {}", self.closed(depth - 1), self.closed(depth - 1)),
            3 => format!("!{}", self.closed(depth - 1)),
            4 => self.expr(1),
            5 => self.dead(),
            6 => self.nearly_dead(),
            7 => {
                let name = self.rng.pick(&self.writes).clone();
                format!("{name}{} > {}", self.rng.pick(&["++", "--"]).to_owned(), self.rng.between(-3, 9))
            }
            8 => {
                let (a, b, c) = (self.closed(0), self.closed(0), self.closed(0));
                format!("({a} ? {b} : {c})")
            }
            _ => format!("({} && {}) == {}", self.closed(0), self.closed(0), self.rng.below(3)),
        }
    }

    /// A condition in parentheses.
    fn closed(&mut self, depth: usize) -> String {
        format!("({})", self.condition(depth))
    }

    fn comparison(&mut self) -> String {
        let op = *self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let left = self.expr(1);
        let right = if self.rng.chance(70) { self.constant() } else { self.expr(1) };
        format!("{left} {op} {right}")
    }

    /// A condition that never holds.
    fn dead(&mut self) -> String {
        let (e, k) = (self.expr(0), self.rng.between(-9, 9));
        match self.rng.below(7) {
            0 => format!("{e} > {k} && {e} < {k}"),
            1 => format!("(({e} * 2) & 1)"),
            2 => format!("({e} & 3) == 5"),
            3 => format!("({e} & 7) * ({e} & 7) % 4 == 2"),
            4 => format!("({e} | 4) == {}", k & !4),
            5 => format!("({e} ^ {e}) != 0"),
            _ => format!("(unsigned char){e} > 255"),
        }
    }

    /// A condition that few values satisfy.
    fn nearly_dead(&mut self) -> String {
        let (a, b) = (self.expr(0), self.expr(0));
        let (k, l) = (self.constant(), self.constant());
        match self.rng.below(4) {
            0 => format!("{a} == {k} && {b} == {l}"),
            1 => format!("(unsigned char)({a} ^ {k}) == (unsigned char)({b} + 77) && {a} > {l}"),
            2 => format!("((unsigned){a} * 37u + {b}) % 251 == {}", self.rng.below(251)),
            _ => format!("((unsigned){a} * (unsigned){b} & 0xff) == {}", self.rng.below(256)),
        }
    }

    pub fn assignment(&mut self) -> String {
        if self.writes.is_empty() && self.arrays.is_empty() {
            return "(void)0".to_string();
        }
        let value = self.expr(2);
        if !self.arrays.is_empty() && (self.writes.is_empty() || self.rng.chance(25)) {
            let array = *self.rng.pick(&self.arrays);
            return format!("{array}[{}] = {value}", self.index(3));
        }
        let name = self.rng.pick(&self.writes).clone();
        match self.rng.below(10) {
            0 => format!("{name}++"),
            1 => format!("--{name}"),
            2 => format!("{name} += {value}"),
            3 => format!("{name} -= {value}"),
            4 => format!("{name} ^= {value}"),
            5 => format!("{name} >>= ({value} & 3)"),
            _ => format!("{name} = {value}"),
        }
    }

    fn index(&mut self, mask: u32) -> String {
        let index = self.expr(0);
        match self.config.undefined && self.rng.chance(25) {
            true => index,
            false => format!("{index} & {mask}"),
        }
    }

    fn constant(&mut self) -> String {
        let number = match self.rng.below(10) {
            0..=4 => self.rng.between(-3, 12),
            5 | 6 if !self.constants.is_empty() => *self.rng.pick(&self.constants) + self.rng.between(-1, 1),
            7 => *self.rng.pick(&[127, 128, 255, 256, -128, 32767, 65535, 2_147_483_647]),
            _ => self.rng.between(-140, 260),
        };
        match number < 0 {
            true => format!("({number})"),
            false => number.to_string(),
        }
    }

    /// An expression that can stand anywhere.
    pub fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.chance(25) {
            return self.leaf();
        }
        let d = depth - 1;
        let arrays = u32::from(!self.arrays.is_empty());
        let calls = u32::from(!self.helpers.is_empty());
        let nested = u32::from(self.config.nested);
        let effect = u32::from(!self.writes.is_empty());
        let choice = self.rng.weighted(&[
            (30, 0),
            (8, 1),
            (8, 2),
            (6, 3),
            (12, 4),
            (4, 5),
            (5 * nested, 6),
            (2 * effect, 7),
            (6 * arrays, 8),
            (3, 9),
            (7 * calls, 10),
            (3 * u32::from(self.tables), 11),
            (2 * nested, 12),
            (8, 13),
        ]);
        match choice {
            0 => {
                let op = *self.rng.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.expr(d), self.expr(d))
            }
            1 => self.shift(d),
            2 => self.division(d),
            3 => format!("({}{})", self.rng.pick(&["~", "-", "!"]).to_owned(), self.expr(d)),
            4 => format!("(({}){})", self.rng.pick(&CASTS).to_owned(), self.expr(d)),
            5 => format!("({} < {})", self.expr(d), self.expr(d)),
            6 => format!("({} ? {} : {})", self.closed(0), self.expr(d), self.expr(d)),
            7 => {
                let name = self.rng.pick(&self.writes).clone();
                format!("({name}{}, {})", self.rng.pick(&["++", "--"]).to_owned(), self.expr(d))
            }
            8 => {
                let array = *self.rng.pick(&self.arrays);
                format!("{array}[{}]", self.index(3))
            }
            9 => format!("table[{}]", self.index(3)),
            10 => {
                let name = self.rng.pick(&self.helpers).clone();
                format!("{name}({})", self.expr(d))
            }
            11 => {
                let index = self.leaf();
                let raw = self.config.undefined && self.rng.chance(20);
                let index = if raw { index } else { format!("(unsigned){index} % 3") };
                format!("calls[{index}]({})", self.expr(d))
            }
            12 => format!("({} || {})", self.closed(0), self.closed(0)),
            _ => format!(
                "({} {} {})",
                self.expr(d),
                self.rng.pick(&["+", "-", "*"]).to_owned(),
                self.constant()
            ),
        }
    }

    fn leaf(&mut self) -> String {
        if self.env > 0 && self.rng.chance(12) {
            self.env -= 1;
            return "env()".to_string();
        }
        match self.reads.is_empty() || self.rng.chance(15) {
            true => self.constant(),
            false => self.rng.pick(&self.reads).clone(),
        }
    }

    fn shift(&mut self, depth: usize) -> String {
        let (a, b) = (self.expr(depth), self.expr(depth));
        let op = *self.rng.pick(&["<<", ">>"]);
        match self.rng.below(4) {
            0 => format!("((unsigned){a} {op} ({b} & 31))"),
            1 => format!("((unsigned short){a} {op} ({b} & 7))"),
            2 if self.config.undefined => format!("({a} {op} {b})"),
            _ => format!("({a} >> ({b} & 7))"),
        }
    }

    fn division(&mut self, depth: usize) -> String {
        let (a, b) = (self.expr(depth), self.expr(depth));
        let op = *self.rng.pick(&["/", "%"]);
        match self.rng.below(5) {
            0 => format!("({a} {op} (({b} & 7) + 1))"),
            1 => format!("({a} {op} ({b} | 1))"),
            2 if self.config.undefined => format!("({a} {op} {b})"),
            _ => format!("({a} {op} {})", 2 + self.rng.below(9)),
        }
    }
}
