//! Random predicates over integers, evaluated with 128 bits and by the interpreter running what they are translated to.

mod support;

use quipu_testkit::rng::Rng;
use support::{Run, Subject};

/// The parameters of all functions: name, type, bits, signed.
const PARAMETERS: [(&str, &str, u32, bool); 6] = [
    ("a", "int", 32, true),
    ("b", "unsigned", 32, false),
    ("c", "long", 64, true),
    ("d", "unsigned long", 64, false),
    ("e", "signed char", 8, true),
    ("f", "unsigned short", 16, false),
];

const FUNCTIONS: usize = 40;
const INPUTS: usize = 25;

#[derive(Clone, Debug)]
enum Term {
    Constant(i128),
    Parameter(usize),
    Bound(usize),
    Binary(&'static str, Box<Term>, Box<Term>),
    Minus(Box<Term>),
    Complement(Box<Term>),
    Choice(Box<Predicate>, Box<Term>, Box<Term>),
    Call(&'static str, Vec<Term>),
}

#[derive(Clone, Debug)]
enum Predicate {
    /// Comparisons that follow each other.
    Chain(Vec<&'static str>, Vec<Term>),
    Logic(&'static str, Box<Predicate>, Box<Predicate>),
    Not(Box<Predicate>),
    /// All or some, the number of the variable, the first value and how many.
    Quantified(bool, usize, i128, i128, Box<Predicate>),
}

struct Generator {
    rng: Rng,
    bound: usize,
}

impl Generator {
    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.rng.below(choices.len() as u64) as usize]
    }

    fn constant(&mut self) -> i128 {
        match self.rng.below(4) {
            0 => self.pick(&[0, 1, 2, 7, 31, 63]),
            1 => self.pick(&[
                i64::MAX.into(),
                i64::MIN.into(),
                u64::MAX.into(),
                i32::MAX.into(),
                i32::MIN.into(),
            ]),
            2 => i128::from(self.rng.below(1 << 40)),
            _ => i128::from(self.rng.below(200)) - 100,
        }
    }

    fn term(&mut self, depth: u32) -> Term {
        let leaf = depth == 0 || self.rng.below(4) == 0;
        match self.rng.below(if leaf { 6 } else { 12 }) {
            0 => Term::Constant(self.constant()),
            1 if self.bound > 0 => Term::Bound(self.rng.below(self.bound as u64) as usize),
            1..=5 => Term::Parameter(self.rng.below(PARAMETERS.len() as u64) as usize),
            6 => Term::Minus(Box::new(self.term(depth - 1))),
            7 => Term::Complement(Box::new(self.term(depth - 1))),
            8 => {
                let test = Box::new(self.predicate(depth - 1));
                Term::Choice(test, Box::new(self.term(depth - 1)), Box::new(self.term(depth - 1)))
            }
            9 => match self.pick(&["\\abs", "\\min", "\\max"]) {
                "\\abs" => Term::Call("\\abs", vec![self.term(depth - 1)]),
                name => Term::Call(name, vec![self.term(depth - 1), self.term(depth - 1)]),
            },
            _ => {
                let op = self.pick(&["+", "-", "*", "/", "%", "+", "-", "*", "&", "|", "^", "<<", ">>"]);
                Term::Binary(op, Box::new(self.term(depth - 1)), Box::new(self.term(depth - 1)))
            }
        }
    }

    fn predicate(&mut self, depth: u32) -> Predicate {
        match self.rng.below(if depth == 0 { 1 } else { 8 }) {
            0..=3 => {
                let signs = self.pick(&[["<", "<="], [">=", ">"], ["==", "=="], ["!=", "!="]]);
                let length = if signs[0] == "!=" { 1 } else { 1 + self.rng.below(2) as usize };
                let terms = (0..=length).map(|_| self.term(depth)).collect();
                Predicate::Chain(signs[..length].to_vec(), terms)
            }
            4 | 5 => {
                let op = self.pick(&["&&", "||", "==>", "<==>", "^^"]);
                Predicate::Logic(op, Box::new(self.predicate(depth - 1)), Box::new(self.predicate(depth - 1)))
            }
            6 => Predicate::Not(Box::new(self.predicate(depth - 1))),
            _ => {
                let (all, number) = (self.rng.below(2) == 0, self.bound);
                let from = self.pick(&[0, -3, 5, i64::MAX as i128 - 4, 1 << 33]);
                let count = self.rng.below(4) as i128;
                self.bound += 1;
                let body = Box::new(self.predicate(depth - 1));
                self.bound -= 1;
                Predicate::Quantified(all, number, from, count, body)
            }
        }
    }
}

impl Term {
    fn text(&self) -> String {
        match self {
            Term::Constant(value) if *value < 0 => format!("({value})"),
            Term::Constant(value) => value.to_string(),
            Term::Parameter(n) => PARAMETERS[*n].0.to_string(),
            Term::Bound(n) => format!("i{n}"),
            Term::Binary(op, a, b) => format!("({} {op} {})", a.text(), b.text()),
            Term::Minus(a) => format!("(- {})", a.text()),
            Term::Complement(a) => format!("(~ {})", a.text()),
            Term::Choice(test, a, b) => format!("({} ? {} : {})", test.text(), a.text(), b.text()),
            Term::Call(name, arguments) => {
                let texts: Vec<String> = arguments.iter().map(Term::text).collect();
                format!("{name}({})", texts.join(", "))
            }
        }
    }

    /// The value; none if there is none, or 128 bits do not hold it.
    fn value(&self, state: &mut State) -> Option<i128> {
        let value = match self {
            Term::Constant(value) => *value,
            Term::Parameter(n) => state.parameters[*n],
            Term::Bound(n) => state.bound[*n],
            Term::Binary(op, a, b) => {
                let (a, b) = (a.value(state)?, b.value(state)?);
                match *op {
                    "+" => a.checked_add(b),
                    "-" => a.checked_sub(b),
                    "*" => a.checked_mul(b),
                    "/" => a.checked_div(b),
                    "%" => a.checked_rem(b),
                    "&" => Some(a & b),
                    "|" => Some(a | b),
                    "^" => Some(a ^ b),
                    // Amounts that C has no shift for count as none.
                    _ if !(0..=62).contains(&b) => None,
                    "<<" => a.checked_mul(1 << b),
                    ">>" => Some(a >> b),
                    _ => unreachable!(),
                }?
            }
            Term::Minus(a) => a.value(state)?.checked_neg()?,
            Term::Complement(a) => !a.value(state)?,
            Term::Choice(test, a, b) => match test.holds(state)? {
                true => a.value(state)?,
                false => b.value(state)?,
            },
            Term::Call("\\abs", arguments) => arguments[0].value(state)?.checked_abs()?,
            Term::Call("\\min", arguments) => arguments[0].value(state)?.min(arguments[1].value(state)?),
            Term::Call(_, arguments) => arguments[0].value(state)?.max(arguments[1].value(state)?),
        };
        state.is_small &= i64::try_from(value).is_ok();
        Some(value)
    }
}

impl Predicate {
    fn text(&self) -> String {
        match self {
            Predicate::Chain(signs, terms) => {
                let rest =
                    signs.iter().zip(&terms[1..]).map(|(sign, term)| format!(" {sign} {}", term.text()));
                format!("({}{})", terms[0].text(), rest.collect::<String>())
            }
            Predicate::Logic(op, a, b) => format!("({} {op} {})", a.text(), b.text()),
            Predicate::Not(a) => format!("!{}", a.text()),
            Predicate::Quantified(all, n, from, count, body) => {
                let (word, sign) = if *all { ("forall", "==>") } else { ("exists", "&&") };
                let to = from + count;
                format!("(\\{word} integer i{n}; {from} <= i{n} < {to} {sign} {})", body.text())
            }
        }
    }

    /// The truth, evaluated as far as it matters.
    fn holds(&self, state: &mut State) -> Option<bool> {
        Some(match self {
            Predicate::Chain(signs, terms) => {
                for (n, sign) in signs.iter().enumerate() {
                    let (a, b) = (terms[n].value(state)?, terms[n + 1].value(state)?);
                    let holds = match *sign {
                        "<" => a < b,
                        "<=" => a <= b,
                        ">" => a > b,
                        ">=" => a >= b,
                        "==" => a == b,
                        _ => a != b,
                    };
                    if !holds {
                        return Some(false);
                    }
                }
                true
            }
            Predicate::Logic("&&", a, b) => a.holds(state)? && b.holds(state)?,
            Predicate::Logic("||", a, b) => a.holds(state)? || b.holds(state)?,
            Predicate::Logic("==>", a, b) => !a.holds(state)? || b.holds(state)?,
            Predicate::Logic("<==>", a, b) => a.holds(state)? == b.holds(state)?,
            Predicate::Logic(_, a, b) => a.holds(state)? != b.holds(state)?,
            Predicate::Not(a) => !a.holds(state)?,
            Predicate::Quantified(all, n, from, count, body) => {
                for value in *from..from + count {
                    state.bound.truncate(*n);
                    state.bound.push(value);
                    if body.holds(state)? != *all {
                        return Some(!all);
                    }
                }
                *all
            }
        })
    }
}

/// Where a predicate is evaluated, and whether all values so far have 64 bits.
struct State {
    parameters: Vec<i128>,
    bound: Vec<i128>,
    is_small: bool,
}

fn input(rng: &mut Rng, bits: u32, signed: bool) -> i64 {
    let limit: u64 = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    let word = match rng.below(4) {
        0 => rng.below(5),
        1 => limit - rng.below(3),
        2 => (limit >> 1).wrapping_add(rng.below(3)),
        _ => rng.below(u64::MAX) & limit & (u64::MAX >> rng.below(64)),
    } & limit;
    let shift = 64 - bits;
    if signed { ((word << shift) as i64) >> shift } else { word as i64 }
}

#[test]
fn predicates_mean_what_mathematics_says() {
    let (mut checked, mut evaluated, mut too_large) = (0, 0, 0);
    // The last ones have found mistakes.
    for seed in [0, 1, 2, 76, 130, 992] {
        let mut generator = Generator { rng: Rng::new(seed), bound: 0 };
        let predicates: Vec<Predicate> = (0..FUNCTIONS).map(|_| generator.predicate(3)).collect();
        let list: Vec<String> = PARAMETERS.iter().map(|(name, ty, ..)| format!("{ty} {name}")).collect();
        let source: String = predicates
            .iter()
            .enumerate()
            .map(|(n, predicate)| {
                format!("/*@ ensures {}; */\nvoid f{n}({}) {{ }}\n", predicate.text(), list.join(", "))
            })
            .collect();
        let subject = Subject::new(&source);
        for (n, predicate) in predicates.iter().enumerate() {
            let name = format!("f{n}");
            if subject.contract(&name).is_none_or(|contract| contract.wrapper.is_none()) {
                continue;
            }
            checked += 1;
            for _ in 0..INPUTS {
                let values: Vec<(&str, i64)> = PARAMETERS
                    .iter()
                    .map(|(name, _, bits, signed)| (*name, input(&mut generator.rng, *bits, *signed)))
                    .collect();
                let exact = |(value, (_, _, _, signed)): (&(&str, i64), &(_, _, _, bool))| match signed {
                    true => i128::from(value.1),
                    false => i128::from(value.1 as u64),
                };
                let parameters = values.iter().zip(&PARAMETERS).map(exact).collect();
                let mut state = State { parameters, bound: Vec::new(), is_small: true };
                let expected = predicate.holds(&mut state);
                let run = subject.interpreted(&name, &values);
                let context = || format!("seed {seed}: {} on {values:?}: {run:?}", predicate.text());
                match &run {
                    Run::Fine => {
                        evaluated += 1;
                        assert_eq!(expected, Some(true), "{}", context());
                    }
                    // The claim of the evaluation stands behind that of the predicate.
                    Run::Failed(text) if text.starts_with("evaluate: ") => {
                        too_large += 1;
                        assert!(expected.is_none() || !state.is_small, "{}", context());
                    }
                    Run::Failed(_) => {
                        evaluated += 1;
                        assert_eq!(expected, Some(false), "{}", context());
                    }
                    other => panic!("{other:?}: {}", context()),
                }
            }
        }
    }
    // Most predicates are translated, most runs can be evaluated, and some cannot.
    assert!(checked > 150 && evaluated > 2000 && too_large > 100, "{checked} {evaluated} {too_large}");
}

/// An annotated program with a bit of everything.
const PROGRAM: &str = "struct s { int a; struct s *next; };\nint g;\n\
    /*@ predicate p(int *a, integer n) = \\forall integer i; 0 <= i < n ==> a[i] > 0; */\n\
    /*@ requires \\valid(a + (0 .. n-1)) && p(a, n) && (n << 2) % 3 != 0;\n\
        behavior x: assumes n > 0 ? \\true : \\false; ensures \\let v = \\result; v == \\old(a[0]) + g;\n\
        behavior y: assumes n <= 0; ensures \\result == -1 || \\exists int k; 0 <= k < n && a[k] == 3;\n\
        complete behaviors x, y; disjoint behaviors; assigns a[0 .. n], g \\from n; */\n\
    int f(int *a, int n, struct s *s) {\n\
      //@ assert s->next->a == \\at(g, Pre) <==> 'a' < 0x10 ^^ !(a == \\null);\n\
      /*@ loop invariant 0.5 <= n * 1.5 && \\abs(i) <= \\max(n, sizeof(int *)); loop variant n - i; */\n\
      for (int i = 0; i < n; i++) g++;\n\
      return n > 0 ? a[0] : -1;\n    }\n";

#[test]
fn no_text_makes_the_reader_panic() {
    let mut rng = Rng::new(7);
    assert!(support::annotated(PROGRAM).is_ok(), "{:?}", support::annotated(PROGRAM));
    let (mut refused, mut taken) = (0, 0);
    for _ in 0..600 {
        let mut bytes = PROGRAM.as_bytes().to_vec();
        for _ in 0..=rng.below(2) {
            // Only what stands in annotations, and no end of a comment, is changed.
            let inside: Vec<usize> = (0..bytes.len()).filter(|at| is_inside(&bytes, *at)).collect();
            let (at, other) = (inside[rng.index(inside.len())], inside[rng.index(inside.len())]);
            match rng.below(3) {
                0 => bytes[at] = b' ',
                1 => bytes[at] = bytes[other],
                _ => bytes.insert(at, bytes[other]),
            }
        }
        match support::annotated(&String::from_utf8(bytes).unwrap()) {
            Ok(_) => taken += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100 && taken > 50, "{refused} {taken}");
}

fn is_inside(bytes: &[u8], at: usize) -> bool {
    let before = std::str::from_utf8(&bytes[..at]).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    let in_block =
        before.rfind("/*@").is_some_and(|open| before.rfind("*/").is_none_or(|close| close < open));
    let is_plain = !matches!(bytes[at], b'*' | b'/' | b'@' | b'\n');
    is_plain && (in_block || line.contains("//@"))
}
