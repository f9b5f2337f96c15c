//! String literals and the functions of `<string.h>` on them.

use super::context::{Gen, Mode, Var};
use super::effects::Effects;
use super::expr::{Expr, Prec};
use super::range::Range;
use super::types::{IntKind, Type};

/// Characters as C writes them in a literal. Hexadecimal escapes are left out: they would swallow what
/// follows.
const CHARACTERS: [&str; 16] =
    ["a", "b", "z", "Q", "0", "7", " ", "_", "%", "\\n", "\\t", "\\\\", "\\\"", "\\177", "\\001", "?"];

impl Gen<'_> {
    /// A literal of at most so many characters, sometimes in two pieces.
    pub(super) fn string_literal(&mut self, most: usize) -> String {
        let n = self.rng.index(most + 1);
        let characters: Vec<&str> = (0..n).map(|_| *self.rng.pick(&CHARACTERS)).collect();
        if n > 2 && self.rng.chance(20) {
            let (left, right) = characters.split_at(n / 2);
            return format!("\"{}\" \"{}\"", left.concat(), right.concat());
        }
        format!("\"{}\"", characters.concat())
    }

    /// An integer computed from strings.
    pub(super) fn text_int(&mut self, depth: u32) -> Option<Expr> {
        if !self.features.strings || self.mode == Mode::Constant {
            return None;
        }
        match self.rng.below(4) {
            0 => Some(self.character_of_literal()),
            1 => Some(self.length(depth)),
            2 => {
                let text = format!("sizeof {}", self.string_literal(12));
                Some(Expr::int(text, Prec::Unary, IntKind::ULong, Range::new(1, 13), Effects::NONE))
            }
            _ => Some(self.string_comparison()),
        }
    }

    /// An array of strings at file scope.
    pub(super) fn declare_names(&mut self) {
        let name = self.global_name("names");
        let len = self.rng.below(4) + 2;
        let items: Vec<String> = (0..len).map(|_| self.string_literal(7)).collect();
        let text = format!("static const char *const {name}[{len}] = {{{}}};\n", items.join(", "));
        self.sections.globals.push_str(&text);
        self.names_table = Some((name, len));
    }

    /// A string: a literal or one of the table's.
    fn string(&mut self) -> (String, Effects) {
        match self.names_table.clone() {
            Some((name, len)) if self.rng.chance(50) => {
                let index = self.with_mode(Mode::Pure, |g| g.index_below(len));
                (format!("{name}[{}]", index.text), index.effects)
            }
            _ => (self.string_literal(7), Effects::NONE),
        }
    }

    fn character_of_literal(&mut self) -> Expr {
        let literal = self.string_literal(8);
        let index = match self.rng.below(2) {
            0 => "0".to_string(),
            _ => format!("sizeof {literal} - 1"),
        };
        let text = format!("{literal}[{index}]");
        Expr::int(text, Prec::Postfix, IntKind::Char, IntKind::Char.range(), Effects::NONE)
    }

    fn length(&mut self, depth: u32) -> Expr {
        let ((a, reads_a), (b, reads_b)) = (self.string(), self.string());
        let cond = self.condition(depth - 1);
        let text = format!("strlen({} ? {a} : {b})", cond.at(Prec::LogicalOr));
        let effects = cond.effects.and(reads_a).and(reads_b);
        Expr::int(text, Prec::Postfix, IntKind::ULong, Range::new(0, 10), effects)
    }

    /// Only the sign of the result is defined.
    fn string_comparison(&mut self) -> Expr {
        let ((a, reads_a), (b, reads_b)) = (self.string(), self.string());
        let sign = *self.rng.pick(&["<", ">", "=="]);
        let n = self.rng.below(5);
        let call = match self.rng.below(3) {
            0 => format!("strncmp({a}, {b}, {n})"),
            1 => format!("memcmp({a}, {b}, 1)"),
            _ => format!("strcmp({a}, {b})"),
        };
        Expr::truth(format!("({call} {sign} 0)"), Prec::Primary, reads_a.and(reads_b))
    }

    /// Statements that build and measure a string in a local buffer.
    pub(super) fn string_block(&mut self) {
        let (buffer, loop_var) = (self.local_name("buf"), self.local_name("i"));
        let (a, b) = (self.string_literal(12), self.string_literal(12));
        self.line("{");
        self.frame.indent += 1;
        self.line(&format!("char {buffer}[32] = {a};"));
        let function = *self.rng.pick(&["strcat", "strcpy"]);
        self.line(&format!("{function}({buffer}, {b});"));
        if self.rng.chance(50) {
            let filler = self.with_mode(Mode::Pure, |g| g.int_expr(1));
            self.line(&format!("memset({buffer} + 28, {}, 3);", filler.arg()));
        }
        if self.rng.chance(50) {
            let (from, to, n) = (self.rng.below(8), self.rng.below(8), self.rng.below(12));
            self.line(&format!("memmove({buffer} + {to}, {buffer} + {from}, {n});"));
        }
        self.mix(&format!("strlen({buffer})"));
        let length = format!("sizeof {buffer}");
        self.line(&format!("for (unsigned {loop_var} = 0; {loop_var} < {length}; {loop_var}++) {{"));
        self.frame.indent += 1;
        self.mix(&format!("{buffer}[{loop_var}]"));
        self.frame.indent -= 1;
        self.line("}");
        self.frame.indent -= 1;
        self.line("}");
        self.frame.cost += 40 * self.frame.weight;
    }

    /// `memcpy` or `memset` between variables of one type.
    pub(super) fn memory_copy(&mut self) -> Option<String> {
        let aggregate = |var: &Var| matches!(var.ty, Type::Array(..) | Type::Record(_));
        let to = self.pick_var(|var| aggregate(var) && var.writable && var.range.is_none())?;
        let from = self.pick_var(|var| var.ty == to.ty && var.name != to.name)?;
        // A pointer may hold addresses that the other variable must not keep.
        if !self.zeroable(&to.ty) && from.level > to.level {
            return None;
        }
        if self.zeroable(&to.ty) && self.rng.chance(40) {
            let byte =
                if matches!(to.ty.leaf(), Type::Int(kind) if *kind != IntKind::Bool) { 0xa5 } else { 0 };
            return Some(format!("memset(&{}, {byte}, sizeof {});", to.name, to.name));
        }
        Some(format!("memcpy(&{}, &{}, sizeof {});", to.name, from.name, from.name))
    }
}
