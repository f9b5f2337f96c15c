//! Calls of compiler builtins and of library functions whose results the standards define exactly.

use super::arith::{BinOp, plain};
use super::context::{Gen, Mode};
use super::effects::Effects;
use super::expr::{Expr, Prec};
use super::range::Range;
use super::types::{FloatKind, IntKind, Type};

impl Gen<'_> {
    /// An integer from a builtin or a library function.
    pub(super) fn library_int(&mut self, depth: u32) -> Option<Expr> {
        if !self.features.library || self.mode == Mode::Constant {
            return None;
        }
        Some(match self.rng.below(8) {
            0 | 1 => self.bit_counting(depth),
            2 => self.byte_swap(depth),
            3 => self.expectation(depth),
            4 => self.absolute_value(depth),
            5 => self.character_class(depth),
            6 => self.text_to_int(),
            _ => return self.checked_operation(depth),
        })
    }

    /// A float from a library function that rounds correctly or not at all.
    pub(super) fn library_float(&mut self, depth: u32) -> Option<Expr> {
        if !self.features.library || self.mode == Mode::Constant {
            return None;
        }
        let (kind, suffix) = *self.rng.pick(&[(FloatKind::Double, ""), (FloatKind::Float, "f")]);
        let x = self.float_expr(depth - 1);
        let name =
            *self.rng.pick(&["sqrt", "floor", "ceil", "trunc", "round", "rint", "fabs", "fmod", "ldexp"]);
        let (text, effects) = match name {
            "fmod" => {
                let y = self.beside(x.effects, |e: &Expr| e.effects, |g| g.float_expr(depth - 1));
                (format!("fmod{suffix}({}, {})", x.arg(), y.arg()), x.effects.and(y.effects))
            }
            "ldexp" => (format!("ldexp{suffix}({}, {})", x.arg(), self.rng.between(-40, 40)), x.effects),
            _ => (format!("{name}{suffix}({})", x.arg()), x.effects),
        };
        Some(Expr::float(text, Prec::Postfix, kind, None, effects))
    }

    /// The `unsigned` builtins come in three widths; zero is excluded where it is undefined.
    fn bit_counting(&mut self, depth: u32) -> Expr {
        let x = self.int_expr(depth - 1);
        let suffix = *self.rng.pick(&["", "l", "ll"]);
        let name = *self.rng.pick(&["popcount", "parity", "ffs", "clz", "ctz"]);
        let operand = if matches!(name, "clz" | "ctz") {
            format!("{} | {}", x.at(Prec::Or), 1u64 << self.rng.below(20))
        } else {
            x.arg()
        };
        let text = format!("__builtin_{name}{suffix}({operand})");
        Expr::int(text, Prec::Postfix, IntKind::Int, Range::new(0, 64), x.effects)
    }

    fn byte_swap(&mut self, depth: u32) -> Expr {
        let x = self.int_expr(depth - 1);
        let (bits, kind) =
            *self.rng.pick(&[(16, IntKind::UShort), (32, IntKind::UInt), (64, IntKind::ULong)]);
        Expr::int(format!("__builtin_bswap{bits}({})", x.arg()), Prec::Postfix, kind, kind.range(), x.effects)
    }

    /// The value of the first operand, converted to `long`.
    fn expectation(&mut self, depth: u32) -> Expr {
        let x = self.int_expr(depth - 1);
        let text = format!("__builtin_expect({}, {})", x.arg(), self.rng.below(2));
        let range = x.range().or_all_of(IntKind::Long.range());
        Expr::int(text, Prec::Postfix, IntKind::Long, range, x.effects)
    }

    fn absolute_value(&mut self, depth: u32) -> Expr {
        let x = self.int_expr_within(Range::new(-1000, 1000), depth - 1);
        let (name, kind) =
            *self.rng.pick(&[("abs", IntKind::Int), ("labs", IntKind::Long), ("llabs", IntKind::LLong)]);
        Expr::int(format!("{name}({})", x.arg()), Prec::Postfix, kind, Range::new(0, 1000), x.effects)
    }

    /// These may be macros: commas of the argument need parentheses, and `sizeof` refuses a bit-field.
    fn character_class(&mut self, depth: u32) -> Expr {
        let x = self.int_expr_within(Range::new(0, 127), depth - 1);
        if self.rng.chance(30) {
            let name = *self.rng.pick(&["toupper", "tolower"]);
            let text = format!("{name}((+{}))", x.unary_operand());
            return Expr::int(text, Prec::Postfix, IntKind::Int, Range::new(0, 127), x.effects);
        }
        let name =
            *self.rng.pick(&["isdigit", "isalpha", "isspace", "ispunct", "isxdigit", "isupper", "iscntrl"]);
        Expr::truth(format!("({name}((+{})) != 0)", x.unary_operand()), Prec::Primary, x.effects)
    }

    fn text_to_int(&mut self) -> Expr {
        let digits = self.rng.between(-99_999, 99_999);
        let text = match self.rng.below(4) {
            0 => format!("strtol(\"  {digits}z\", NULL, 10)"),
            1 => format!("strtol(\"0x{:x}\", NULL, 0)", digits.unsigned_abs()),
            2 => format!("strtol(\"{:o}9\", NULL, 8)", digits.unsigned_abs()),
            _ => format!("atol(\"{digits}\")"),
        };
        let range = Range::new(-(1 << 20), 1 << 20);
        Expr::int(text, Prec::Postfix, IntKind::Long, range, Effects::NONE)
    }

    /// `__builtin_add_overflow` and its relatives, on any mixture of types. A unary plus promotes bit-fields, whose
    /// own type differs between compilers.
    fn checked_operation(&mut self, depth: u32) -> Option<Expr> {
        if !self.features.statement_expressions {
            return None;
        }
        let (result, wrapped) = (self.local_name("t"), self.local_name("w"));
        let a = self.int_expr(depth - 1);
        let b = self.beside(a.effects, |e: &Expr| e.effects, |g| g.int_expr(depth - 1));
        let kind = *self.rng.pick(&IntKind::ALL[1..]);
        let op = *self.rng.pick(&["add", "sub", "mul"]);
        let declared = self.declare(&Type::Int(kind), &result);
        let args = format!("+{}, +{}", a.unary_operand(), b.unary_operand());
        let call = format!("_Bool {wrapped} = __builtin_{op}_overflow({args}, &{result});");
        let text = format!("({{ {declared}; {call} {wrapped} ? -1 : (int)({result} & 63); }})");
        let effects = a.effects.and(b.effects);
        let effects = Effects { direct: effects.writes, ..effects };
        Some(Expr::int(text, Prec::Primary, IntKind::Int, Range::new(-1, 63), effects))
    }

    /// Sorts a local array with `qsort` and searches it with `bsearch`.
    pub(super) fn sorting_block(&mut self) {
        let name = self.local_name("sorted");
        let len = self.rng.below(8) + 1;
        self.open_block();
        let place = self.unnamed(&Type::INT.array(len));
        let (list, _) = self.initializer(&place, 1);
        self.line(&format!("int {name}[{len}] = {list};"));
        self.line(&format!("qsort({name}, {len}, sizeof {name}[0], qk_compare);"));
        let wanted = self.index_below(len);
        let key = format!("&{name}[{}]", wanted.text);
        self.mix(&format!("bsearch({key}, {name}, {len}, sizeof(int), qk_compare) != NULL"));
        let index = self.local_name("i");
        self.line(&format!("for (int {index} = 0; {index} < {len}; {index}++) {{"));
        self.frame.indent += 1;
        self.mix(&format!("{name}[{index}]"));
        self.frame.indent -= 1;
        self.line("}");
        self.frame.cost += 10 * len * self.frame.weight;
        self.close_block();
    }

    /// An argument for `snprintf` with a directive that suits it.
    fn directive(&mut self) -> (String, String) {
        match self.rng.below(6) {
            0 | 1 => self.integer_directive(),
            2 if self.features.floats => self.float_directive(),
            3 => {
                let c = self.with_mode(Mode::Pure, |g| g.int_expr_within(Range::new(0, 63), 1));
                let shifted = plain(BinOp::Add, &self.literal_32(), &c);
                (self.layout_of("-", "c", false), format!("(int)({})", shifted.text))
            }
            4 => {
                let text = self.string_literal(9);
                (self.layout_of("-", "s", true), text)
            }
            _ => self.integer_directive(),
        }
    }

    fn literal_32(&self) -> Expr {
        Expr::int("32".to_string(), Prec::Primary, IntKind::Int, Range::point(32), Effects::NONE)
    }

    fn integer_directive(&mut self) -> (String, String) {
        let (length, kind) = *self.rng.pick(&[
            ("", IntKind::Int),
            ("hh", IntKind::Int),
            ("h", IntKind::Int),
            ("l", IntKind::Long),
            ("ll", IntKind::LLong),
        ]);
        let signed = self.rng.chance(50);
        let kind = if signed { kind } else { kind.to_unsigned() };
        let conversion =
            if signed { *self.rng.pick(&["d", "i"]) } else { *self.rng.pick(&["u", "x", "X", "o"]) };
        let flags = match conversion {
            "d" | "i" => "-+ 0",
            "u" => "-0",
            _ => "-#0",
        };
        let value = self.with_mode(Mode::Pure, |g| g.int_expr(1));
        let directive = self.layout_of(flags, &format!("{length}{conversion}"), true);
        (directive, format!("({}){}", kind.name(), value.unary_operand()))
    }

    fn float_directive(&mut self) -> (String, String) {
        let value = self.with_mode(Mode::Pure, |g| g.float_expr(1));
        let conversion = *self.rng.pick(&["f", "e", "g", "E", "G", "a"]);
        let value = self.without_nan(&value);
        (self.layout_of("-+ #0", conversion, true), value)
    }

    /// `%`, some flags, perhaps a width and a precision, and the conversion.
    fn layout_of(&mut self, flags: &str, conversion: &str, has_precision: bool) -> String {
        let flags: String = flags.chars().filter(|_| self.rng.chance(25)).collect();
        let width = if self.rng.chance(40) { self.rng.below(14).max(1).to_string() } else { String::new() };
        let precise = has_precision && self.rng.chance(40);
        let precision = if precise { format!(".{}", self.rng.below(12)) } else { String::new() };
        format!("%{flags}{width}{precision}{conversion}")
    }

    /// Formats some values into a buffer and observes every character.
    pub(super) fn format_block(&mut self) {
        let (buffer, length, index) = (self.local_name("buf"), self.local_name("n"), self.local_name("i"));
        let items: Vec<(String, String)> = (0..self.rng.between(1, 3)).map(|_| self.directive()).collect();
        let format: Vec<&str> = items.iter().map(|(directive, _)| directive.as_str()).collect();
        let args: Vec<&str> = items.iter().map(|(_, arg)| arg.as_str()).collect();
        let size = *self.rng.pick(&[8, 40, 400]);
        self.line("{");
        self.frame.indent += 1;
        self.line(&format!("char {buffer}[{size}];"));
        let call =
            format!("snprintf({buffer}, sizeof {buffer}, \"{}\", {})", format.join("|"), args.join(", "));
        self.line(&format!("int {length} = {call};"));
        self.mix(&length);
        self.line(&format!("for (int {index} = 0; {buffer}[{index}]; {index}++) {{"));
        self.frame.indent += 1;
        self.mix(&format!("{buffer}[{index}]"));
        self.frame.indent -= 1;
        self.line("}");
        self.frame.indent -= 1;
        self.line("}");
        self.frame.cost += 60 * self.frame.weight;
    }
}
