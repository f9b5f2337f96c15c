//! Truth values about variables, as C.
//!
//! The text has the value of the term wherever the variables have the values of their terms. Terms have no types, so
//! each number is asked for by how it is read, with or without a sign: what wraps is computed without a sign, and casts
//! stand where C would read a number otherwise.

use quipu_model::{Model, Node, Term};
use quipu_num::{Cast, IntCmp, IntOp, Width};
use rustc_hash::FxHashMap;

/// A text that is longer tells nobody anything.
const LONGEST: usize = 160;

/// What people call numbers.
#[derive(Default)]
pub(crate) struct Names {
    variables: FxHashMap<Term, Variable>,
}

/// A variable of the source.
#[derive(Clone, PartialEq)]
pub(crate) struct Variable {
    pub name: String,
    pub bits: u32,
    pub signed: bool,
}

/// How tightly operators of C bind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Atom,
    Cast,
    Product,
    Sum,
    Order,
    Equality,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

/// A C expression, and the type that it has after promotion.
struct Text {
    text: String,
    level: Level,
    bits: u32,
    signed: bool,
}

impl Names {
    /// Calls a number by a name, unless it has one already.
    pub fn add(&mut self, term: Term, variable: Variable) {
        self.variables.entry(term).or_insert(variable);
    }

    /// A truth value as C; none if it is about something without a name, or too long.
    pub fn tell(&self, model: &Model, term: Term) -> Option<String> {
        let told = Teller { model, names: self }.truth(term)?;
        (told.text.len() <= LONGEST).then_some(told.text)
    }
}

struct Teller<'a> {
    model: &'a Model,
    names: &'a Names,
}

impl Teller<'_> {
    fn truth(&self, term: Term) -> Option<Text> {
        match self.model.node(term) {
            Node::Not(inner) => match *self.model.node(*inner) {
                Node::Compare(relation, a, b) => {
                    let (relation, a, b) = negated(relation, a, b);
                    self.comparison(relation, a, b)
                }
                _ => {
                    let inner = self.truth(*inner)?.within(Level::Cast);
                    Some(Text::int(format!("!{inner}"), Level::Cast))
                }
            },
            Node::Compare(relation, a, b) => self.comparison(*relation, *a, *b),
            Node::All(items) => self.joined(items, " && ", Level::And),
            Node::Any(items) => self.joined(items, " || ", Level::Or),
            _ => None,
        }
    }

    fn joined(&self, items: &[Term], operator: &str, level: Level) -> Option<Text> {
        let parts: Option<Vec<String>> =
            items.iter().map(|&item| Some(self.truth(item)?.within(Level::Equality))).collect();
        Some(Text::int(parts?.join(operator), level))
    }

    fn comparison(&self, relation: IntCmp, a: Term, b: Term) -> Option<Text> {
        let (sign, level) = match relation {
            IntCmp::Eq => ("==", Level::Equality),
            IntCmp::Ne => ("!=", Level::Equality),
            IntCmp::Slt | IntCmp::Ult => ("<", Level::Order),
            IntCmp::Sle | IntCmp::Ule => ("<=", Level::Order),
        };
        let (a, b) = match relation {
            IntCmp::Eq | IntCmp::Ne => self.equated(a, b)?,
            IntCmp::Slt | IntCmp::Sle => compatible(self.number(a, true)?, self.number(b, true)?),
            IntCmp::Ult | IntCmp::Ule => (self.number(a, false)?, self.number(b, false)?),
        };
        let (a, b) = (a.within(Level::Sum), b.within(Level::Sum));
        let is_literal = a.chars().all(|letter| letter.is_ascii_digit() || letter == 'u');
        let turned = level == Level::Equality && is_literal;
        let (a, b) = if turned { (b, a) } else { (a, b) };
        Some(Text::int(format!("{a} {sign} {b}"), level))
    }

    /// The sides of an equation, with what is subtracted on the other side.
    fn equated(&self, a: Term, b: Term) -> Option<(Text, Text)> {
        let width = self.model.width(a);
        let sides = [a, b].map(|term| self.linear(term));
        if let [Some(a), Some(b)] = [&sides[0], &sides[1]].map(Linear::single) {
            return self.compared(a, b, width);
        }
        let (mut left, mut right) = (Linear::default(), Linear::default());
        for (side, negative) in sides.into_iter().zip([false, true]) {
            let parts = side.parts.into_iter().map(|(factor, part)| (factor, Some(part)));
            for (factor, part) in parts.chain([(side.constant, None)]) {
                let factor = width.signed(factor);
                let to_left = (factor >= 0) != negative;
                let side = if to_left { &mut left } else { &mut right };
                side.add(factor.unsigned_abs(), part);
            }
        }
        match (left.single(), right.single()) {
            (Some(a), Some(b)) => self.compared(a, b, width),
            _ => Some((
                self.sum(&left, width)?.wrapped(width, false),
                self.sum(&right, width)?.wrapped(width, false),
            )),
        }
    }

    fn compared(&self, a: Single, b: Single, width: Width) -> Option<(Text, Text)> {
        let signed = self.is_signed(a) && self.is_signed(b);
        Some((self.side(a, width, signed)?, self.side(b, width, signed)?))
    }

    /// A number alone: a part, or a constant.
    fn side(&self, (constant, part): Single, width: Width, signed: bool) -> Option<Text> {
        match part {
            Some(part) => self.number(part, signed),
            None if signed => Some(literal(i128::from(width.signed(width.wrap(constant))))),
            None => Some(literal(i128::from(width.wrap(constant)))),
        }
    }

    /// Whether a number is one that C reads with a sign; constants are what they stand beside.
    fn is_signed(&self, (_, part): Single) -> bool {
        part.is_none_or(|part| match (self.names.variables.get(&part), self.model.node(part)) {
            (Some(variable), _) => variable.signed,
            (None, Node::Cast(Cast::SExt(..), _) | Node::Op(IntOp::SRem | IntOp::SDiv, ..)) => true,
            _ => false,
        })
    }

    /// A term as a constant and parts with factors.
    fn linear(&self, term: Term) -> Linear {
        let one = |part: Term| Linear { constant: 0, parts: vec![(1, part)] };
        if self.names.variables.contains_key(&term) {
            return one(term);
        }
        match self.model.node(term) {
            Node::Const(bits) => Linear { constant: *bits, parts: Vec::new() },
            Node::Sum(constant, parts) => Linear { constant: *constant, parts: parts.to_vec() },
            _ => one(term),
        }
    }

    /// A sum of products, computed without a sign.
    fn sum(&self, linear: &Linear, width: Width) -> Option<Text> {
        let bits = arithmetic_bits(width)?;
        let whole = |text: String, level: Level| Text { text, level, bits, signed: false };
        let mut parts: Vec<(bool, Text)> = Vec::new();
        for &(factor, part) in &linear.parts {
            let factor = width.signed(factor);
            let operand = self.operand(part, bits)?;
            let product = match factor.unsigned_abs() {
                1 => operand,
                factor => {
                    let text = format!("{} * {}", unsigned_literal(factor), operand.within(Level::Product));
                    whole(text, Level::Product)
                }
            };
            parts.push((factor < 0, product));
        }
        let constant = width.signed(linear.constant);
        if constant != 0 || parts.is_empty() {
            parts.push((constant < 0, whole(unsigned_literal(constant.unsigned_abs()), Level::Atom)));
        }
        // What is subtracted comes last.
        parts.sort_by_key(|(negative, _)| *negative);
        let all_negative = parts[0].0;
        if let ([_], false) = (&parts[..], all_negative) {
            return parts.pop().map(|(_, text)| text);
        }
        let mut text = if all_negative { "0".to_string() } else { String::new() };
        for (negative, part) in parts {
            let operator = if negative { " - " } else { " + " };
            text.push_str(if text.is_empty() { "" } else { operator });
            text.push_str(&part.within(Level::Product));
        }
        Some(whole(text, Level::Sum))
    }

    /// A number without a sign, as an operand of arithmetic that wraps at so many bits.
    fn operand(&self, term: Term, bits: u32) -> Option<Text> {
        let number = self.number(term, false)?;
        Some(if number.bits == bits && !number.signed { number } else { number.cast(bits, false) })
    }

    /// A C expression whose value is that of a term, read with or without a sign.
    fn number(&self, term: Term, signed: bool) -> Option<Text> {
        let width = self.model.width(term);
        if let Some(variable) = self.names.variables.get(&term) {
            let name = Text::promoted(variable.name.clone(), variable.bits, variable.signed);
            let fits = variable.bits == width.bits();
            return fits
                .then(|| if variable.signed == signed { name } else { name.cast(variable.bits, signed) });
        }
        match self.model.node(term) {
            Node::Const(bits) if signed => Some(literal(i128::from(width.signed(*bits)))),
            Node::Const(bits) => Some(literal(i128::from(*bits))),
            Node::Cast(Cast::ZExt(..), inner) => self.number(*inner, false),
            Node::Cast(Cast::SExt(..), inner) => {
                let inner = self.number(*inner, true)?;
                if signed { Some(inner) } else { Some(inner.cast(c_bits(width)?, false)) }
            }
            Node::Cast(Cast::Trunc(..), inner) => {
                Some(self.number(*inner, false)?.cast(c_bits(width)?, signed))
            }
            Node::Sum(constant, parts) => match c_bits(width) {
                Some(_) => {
                    let linear = Linear { constant: *constant, parts: parts.to_vec() };
                    Some(self.sum(&linear, width)?.wrapped(width, signed))
                }
                None => self.exact_sum(width, *constant, parts).filter(|_| signed),
            },
            Node::Op(op, a, b) => self.operation(*op, *a, *b, signed),
            _ => None,
        }
    }

    fn operation(&self, op: IntOp, a: Term, b: Term, signed: bool) -> Option<Text> {
        let width = self.model.width(a);
        let (sign, level) = match op {
            IntOp::Mul => return Some(self.product(a, b)?.wrapped(width, signed)),
            IntOp::And => ("&", Level::BitAnd),
            IntOp::Or => ("|", Level::BitOr),
            IntOp::Xor => ("^", Level::BitXor),
            IntOp::URem | IntOp::SRem => ("%", Level::Product),
            IntOp::UDiv | IntOp::SDiv => ("/", Level::Product),
            _ => return None,
        };
        let reads_sign = matches!(op, IntOp::SRem | IntOp::SDiv);
        let divides = level == Level::Product;
        // A division by what may be zero, or may overflow, is not what C has.
        let divisor = self.model.constant(b);
        if divides && divisor.is_none_or(|bits| bits == 0 || reads_sign && bits == width.mask()) {
            return None;
        }
        let inner = if divides { Level::Cast } else { Level::Sum };
        let (mut x, mut y) = (self.number(a, reads_sign)?, self.number(b, reads_sign)?);
        if reads_sign {
            (x, y) = compatible(x, y);
        }
        let (bits, is_signed) = (x.bits.max(y.bits), x.signed && y.signed);
        let text = format!("{} {sign} {}", x.within(inner), y.within(inner));
        let told = Text { text, level, bits, signed: is_signed };
        Some(if reads_sign == signed { told } else { told.cast(c_bits(width)?, signed) })
    }

    fn product(&self, a: Term, b: Term) -> Option<Text> {
        let bits = arithmetic_bits(self.model.width(a))?;
        let [a, b] = [self.operand(a, bits)?, self.operand(b, bits)?].map(|side| side.within(Level::Product));
        Some(Text { text: format!("{a} * {b}"), level: Level::Product, bits, signed: false })
    }

    /// A sum in so many bits that it does not wrap, which C computes with `long long`.
    fn exact_sum(&self, width: Width, constant: u64, parts: &[(u64, Term)]) -> Option<Text> {
        let constant = i128::from(width.signed(constant));
        let mut largest = constant.abs();
        let mut texts = Vec::new();
        for &(factor, part) in parts {
            let (inner, signed) = match self.model.node(part) {
                Node::Cast(Cast::SExt(..), inner) => (*inner, true),
                Node::Cast(Cast::ZExt(..), inner) => (*inner, false),
                _ => return None,
            };
            let factor = i128::from(width.signed(factor));
            largest += factor.abs() << self.model.width(inner).bits();
            let number = self.number(inner, signed)?.cast(64, true).within(Level::Cast);
            texts.push(match factor {
                1 => number,
                -1 => format!("-{number}"),
                _ => format!("{factor} * {number}"),
            });
        }
        if constant != 0 {
            texts.push(constant.to_string());
        }
        let fits = largest < 1 << (width.bits() - 1) && !texts.is_empty();
        fits.then(|| Text { text: texts.join(" + "), level: Level::Sum, bits: 64, signed: true })
    }
}

/// A part, or else a constant.
type Single = (u64, Option<Term>);

/// A constant and parts with factors.
#[derive(Default)]
struct Linear {
    constant: u64,
    parts: Vec<(u64, Term)>,
}

impl Linear {
    fn add(&mut self, factor: u64, part: Option<Term>) {
        match part {
            Some(part) => self.parts.push((factor, part)),
            None => self.constant = self.constant.wrapping_add(factor),
        }
    }

    /// If nothing needs to be computed: a part, or a constant.
    fn single(&self) -> Option<Single> {
        match self.parts[..] {
            [] => Some((self.constant, None)),
            [(1, part)] if self.constant == 0 => Some((0, Some(part))),
            _ => None,
        }
    }
}

impl Text {
    fn int(text: String, level: Level) -> Text {
        Text { text, level, bits: 32, signed: true }
    }

    /// A variable: what is smaller than an `int` becomes one.
    fn promoted(text: String, bits: u32, signed: bool) -> Text {
        match bits < 32 {
            true => Text::int(text, Level::Atom),
            false => Text { text, level: Level::Atom, bits, signed },
        }
    }

    fn cast(self, bits: u32, signed: bool) -> Text {
        let name = match bits {
            8 if signed => "signed char",
            8 => "unsigned char",
            16 if signed => "short",
            16 => "unsigned short",
            32 if signed => "int",
            32 => "unsigned",
            _ if signed => "long long",
            _ => "unsigned long long",
        };
        let text = format!("({name}){}", self.within(Level::Cast));
        Text { level: Level::Cast, ..Text::promoted(text, bits, signed) }
    }

    /// The result of arithmetic without a sign, as a number of a width.
    fn wrapped(self, width: Width, signed: bool) -> Text {
        if width.bits() == self.bits && !signed { self } else { self.cast(width.bits(), signed) }
    }

    /// The text where operators bind as tightly as this: in parentheses if its own do not.
    fn within(self, level: Level) -> String {
        if self.level <= level { self.text } else { format!("({})", self.text) }
    }
}

/// The operands of a comparison with a sign: C must not take a negative one for a large one.
fn compatible(a: Text, b: Text) -> (Text, Text) {
    let mixed = a.signed != b.signed;
    let fixed =
        |text: Text| if mixed && !text.signed && text.bits == 32 { text.cast(64, true) } else { text };
    (fixed(a), fixed(b))
}

fn negated(relation: IntCmp, a: Term, b: Term) -> (IntCmp, Term, Term) {
    match relation {
        IntCmp::Eq => (IntCmp::Ne, a, b),
        IntCmp::Ne => (IntCmp::Eq, a, b),
        IntCmp::Ult => (IntCmp::Ule, b, a),
        IntCmp::Ule => (IntCmp::Ult, b, a),
        IntCmp::Slt => (IntCmp::Sle, b, a),
        IntCmp::Sle => (IntCmp::Slt, b, a),
    }
}

/// The width of a type of C.
fn c_bits(width: Width) -> Option<u32> {
    Some(width.bits()).filter(|bits| [8, 16, 32, 64].contains(bits))
}

/// The width of the type in which C computes modulo a width.
fn arithmetic_bits(width: Width) -> Option<u32> {
    c_bits(width).map(|bits| bits.max(32))
}

fn literal(value: i128) -> Text {
    let level = if value < 0 { Level::Cast } else { Level::Atom };
    match i32::try_from(value) {
        Ok(_) => Text::int(value.to_string(), level),
        Err(_) if value == i128::from(i64::MIN) => Text {
            text: "(-9223372036854775807 - 1)".to_string(),
            level: Level::Atom,
            bits: 64,
            signed: true,
        },
        Err(_) if value < 0 => Text { text: value.to_string(), level, bits: 64, signed: true },
        Err(_) => {
            let bits = if value <= i128::from(u32::MAX) { 32 } else { 64 };
            Text { text: format!("{value}u"), level, bits, signed: false }
        }
    }
}

fn unsigned_literal(value: u64) -> String {
    if i32::try_from(value).is_ok() { value.to_string() } else { format!("{value}u") }
}

#[cfg(test)]
mod tests {
    use quipu_model::{Reading, Role, VarInfo};

    use super::*;

    struct Scene {
        model: Model,
        names: Names,
    }

    impl Scene {
        fn new() -> Scene {
            Scene { model: Model::new(), names: Names::default() }
        }

        fn variable(&mut self, name: &str, bits: u32, signed: bool) -> Term {
            let width = Width::new(bits).expect("a width");
            let (name, reading) = (name.to_string(), Reading::integer(signed));
            let var = self.model.add_var(VarInfo {
                name: name.clone(),
                width,
                reading,
                range: None,
                role: Role::Local,
            });
            let term = self.model.var_term(var);
            self.names.add(term, Variable { name, bits, signed });
            term
        }

        fn told(&self, term: Term) -> Option<String> {
            self.names.tell(&self.model, term)
        }
    }

    #[test]
    fn orders_keep_the_sign() {
        let mut scene = Scene::new();
        let (i, n) = (scene.variable("i", 32, true), scene.variable("n", 32, false));
        let zero = scene.model.constant_term(Width::W32, 0);
        let low = scene.model.compare(IntCmp::Sle, zero, i);
        assert_eq!(scene.told(low).as_deref(), Some("0 <= i"));
        let high = scene.model.compare(IntCmp::Ule, i, n);
        assert_eq!(scene.told(high).as_deref(), Some("(unsigned)i <= n"));
        let less = scene.model.compare(IntCmp::Slt, i, n);
        assert_eq!(scene.told(less).as_deref(), Some("i < (int)n"));
        let [wide_i, wide_n] =
            [(Cast::SExt(Width::W32, Width::W64), i), (Cast::ZExt(Width::W32, Width::W64), n)]
                .map(|(cast, term)| scene.model.cast(cast, term));
        let mixed = scene.model.compare(IntCmp::Sle, wide_i, wide_n);
        assert_eq!(scene.told(mixed).as_deref(), Some("i <= (long long)n"));
    }

    #[test]
    fn equations_are_told_without_differences() {
        let mut scene = Scene::new();
        let (s, i) = (scene.variable("s", 32, false), scene.variable("i", 32, false));
        let difference = scene.model.sum(Width::W32, 1, [(1, s), (Width::W32.from_signed(-2), i)]);
        let zero = scene.model.constant_term(Width::W32, 0);
        let equal = scene.model.equal(difference, zero);
        assert_eq!(scene.told(equal).as_deref(), Some("s + 1 == 2 * i"));
        let (a, b) = (scene.variable("a", 32, true), scene.variable("b", 8, false));
        let both = scene.model.sum(Width::W32, 0, [(3, a), (1, i)]);
        let equal = scene.model.equal(both, s);
        assert_eq!(scene.told(equal).as_deref(), Some("3 * (unsigned)a + i == s"));
        let many = scene.model.constant_term(Width::W8, 251);
        let equal = scene.model.equal(many, b);
        assert_eq!(scene.told(equal).as_deref(), Some("b == 251"));
        let gap = scene.model.sum(Width::W32, 3, [(1, s), (Width::W32.mask(), i)]);
        let four = scene.model.constant_term(Width::W32, 4);
        let small = scene.model.compare(IntCmp::Ule, gap, four);
        assert_eq!(scene.told(small).as_deref(), Some("s + 3 - i <= 4"));
    }

    #[test]
    fn what_has_no_name_is_not_told() {
        let mut scene = Scene::new();
        let i = scene.variable("i", 32, true);
        let info = VarInfo {
            name: "unknown".to_string(),
            width: Width::W32,
            reading: Reading::Signed,
            range: None,
            role: Role::Local,
        };
        let var = scene.model.add_var(info);
        let other = scene.model.var_term(var);
        let less = scene.model.compare(IntCmp::Slt, i, other);
        assert_eq!(scene.told(less), None);
    }
}
