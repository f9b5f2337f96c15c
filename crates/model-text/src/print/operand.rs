//! Nodes as text. An operation that needs signed or unsigned operands gets them by a conversion, which adds
//! no node, as does one that needs floats, or the ranks of floats; one that does not takes the type of its first
//! operand that is no number.

use quipu_model::{Node, Relation, Term};
use quipu_num::{Cast, Guard, IntCmp, IntOp, IntUnary, Width};

use super::line::{Line, level};
use super::relation::Shape;
use super::scope::Scope;
use crate::types::{Integer, Type, float_of};

/// Which operands an operation takes.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// Of any type.
    Anything,
    /// Integers, signed or not.
    Integers,
    Signed,
    Unsigned,
    Of(Type),
}

impl Scope<'_> {
    /// The text of a node whose operands have lines.
    pub fn line(&mut self, term: Term) -> Line {
        let model = self.model;
        let width = model.width(term);
        match model.node(term) {
            Node::Const(_) | Node::Var(_) => self.take(term),
            Node::Not(a) => {
                let a = self.take(*a).integer();
                let sign = if a.ty == Type::BOOL { '!' } else { '~' };
                Line::new(format!("{sign}{}", a.at(level::PREFIX)), level::PREFIX, a.ty, a.depth + 1)
            }
            Node::Op(op, a, b) => self.operation(*op, *a, *b),
            Node::Unary(op, a) => {
                let a = self.take(*a).integer();
                let ty = a.ty;
                a.called(unary_name(*op), ty)
            }
            Node::Compare(cmp, a, b) => self.comparison(*cmp, *a, *b),
            Node::Guard(guard, a, b) => self.guard(*guard, *a, *b),
            Node::Cast(cast, a) => self.cast(*cast, *a),
            Node::Float(function, w, items) => self.float(*function, *w, items),
            Node::Select(condition, a, b) => self.select(self.chosen(term), *condition, *a, *b),
            Node::All(items) => self.junction(items, "all", " && ", level::AND),
            Node::Any(items) => self.junction(items, "any", " || ", level::OR),
            Node::Sum(constant, parts) => self.sum(width, *constant, parts),
            Node::Element(index, items) => self.element(self.chosen(term), *index, items),
            Node::Call(relation, arguments) => self.call(*relation, arguments),
        }
    }

    /// The lines of operands that must have one type: the wanted one, or that of the first that is no number.
    /// If all are numbers and no type is known around, the first is written with its type.
    pub(super) fn alike(&mut self, items: &[Term], wanted: Wanted, typed: bool) -> Vec<Line> {
        let first = items.iter().find(|&&item| self.model.constant(item).is_none()).copied();
        let mut lines: Vec<Option<Line>> =
            items.iter().map(|&item| self.model.constant(item).is_none().then(|| self.take(item))).collect();
        let unsigned = Type::unsigned(self.model.width(items[0]));
        let found = lines.iter().flatten().next().map_or(unsigned, |line| line.ty);
        let ty = wanted.of(found);
        for (n, (line, &item)) in lines.iter_mut().zip(items).enumerate() {
            let converted = match (line.take(), self.model.constant(item)) {
                (None, Some(bits)) => Line::number(bits, ty, typed && first.is_none() && n == 0),
                (line, _) => line.map_or_else(|| self.take(item), |line| line.converted(ty)),
            };
            *line = Some(converted);
        }
        lines.into_iter().flatten().collect()
    }

    /// The line of an operand of a type; a number is written with it.
    pub(super) fn operand(&mut self, item: Term, ty: Type) -> Line {
        match self.model.constant(item) {
            Some(bits) => Line::number(bits, ty, true),
            None => self.take(item).converted(ty),
        }
    }

    pub(super) fn binary(&mut self, symbol: &str, binds: u8, lines: &[Line], ty: Type) -> Line {
        // Comparisons do not chain; the other operators group from the left.
        let left = if matches!(binds, level::EQUALITY | level::ORDER) { binds + 1 } else { binds };
        let text = format!("{} {symbol} {}", lines[0].at(left), lines[1].at(binds + 1));
        Line::new(text, binds, ty, deepest(lines) + 1)
    }

    fn operation(&mut self, op: IntOp, a: Term, b: Term) -> Line {
        let (symbol, binds, wanted) = match op {
            IntOp::Add => ("+", level::SUM, Wanted::Integers),
            IntOp::Sub => ("-", level::SUM, Wanted::Integers),
            IntOp::Mul => ("*", level::PRODUCT, Wanted::Integers),
            IntOp::UDiv => ("/", level::PRODUCT, Wanted::Unsigned),
            IntOp::SDiv => ("/", level::PRODUCT, Wanted::Signed),
            IntOp::URem => ("%", level::PRODUCT, Wanted::Unsigned),
            IntOp::SRem => ("%", level::PRODUCT, Wanted::Signed),
            IntOp::And => ("&", level::BIT_AND, Wanted::Integers),
            IntOp::Or => ("|", level::BIT_OR, Wanted::Integers),
            IntOp::Xor => ("^", level::BIT_XOR, Wanted::Integers),
            IntOp::Shl => ("<<", level::SHIFT, Wanted::Integers),
            IntOp::LShr => (">>", level::SHIFT, Wanted::Unsigned),
            IntOp::AShr => (">>", level::SHIFT, Wanted::Signed),
        };
        let lines = self.alike(&[a, b], wanted, true);
        let ty = lines[0].ty;
        self.binary(symbol, binds, &lines, ty)
    }

    fn comparison(&mut self, cmp: IntCmp, a: Term, b: Term) -> Line {
        let (symbol, binds, wanted) = match cmp {
            IntCmp::Eq => return self.equation(a, b),
            IntCmp::Ne => ("!=", level::EQUALITY, Wanted::Integers),
            IntCmp::Ult => ("<", level::ORDER, Wanted::Unsigned),
            IntCmp::Ule => ("<=", level::ORDER, Wanted::Unsigned),
            IntCmp::Slt => ("<", level::ORDER, Wanted::Signed),
            IntCmp::Sle => ("<=", level::ORDER, Wanted::Signed),
        };
        let lines = self.alike(&[a, b], wanted, true);
        self.binary(symbol, binds, &lines, Type::BOOL)
    }

    /// `a == b`; of floats, which may be equal without being one, that they are the same.
    fn equation(&mut self, a: Term, b: Term) -> Line {
        let lines = self.alike(&[a, b], Wanted::Anything, true);
        if lines[0].ty.float().is_none() {
            return self.binary("==", level::EQUALITY, &lines, Type::BOOL);
        }
        Line::new(format!("same({})", joined(&lines)), level::PRIMARY, Type::BOOL, deepest(&lines) + 1)
    }

    fn guard(&mut self, guard: Guard, a: Term, b: Term) -> Line {
        let (name, wanted) = match guard {
            Guard::AddFits(_) => ("add_fits", Wanted::Signed),
            Guard::SubFits(_) => ("sub_fits", Wanted::Signed),
            Guard::MulFits(_) => ("mul_fits", Wanted::Signed),
            Guard::QuotientFits(_) => ("quotient_fits", Wanted::Signed),
            Guard::ShlFits(_) => ("shl_fits", Wanted::Signed),
            Guard::NonZero(_) => ("nonzero", Wanted::Integers),
            Guard::AnyBit(_) => ("any_bit", Wanted::Integers),
            Guard::ShiftInRange { .. } => ("shift_in_range", Wanted::Integers),
            Guard::IndexBelow(_) => ("index_below", Wanted::Integers),
            Guard::IndexAtMost(_) => ("index_at_most", Wanted::Integers),
            Guard::FloatFits { from, to, signed } => {
                return self.float_fits(from, Type::Integer(Integer { signed, width: to }), a, b);
            }
        };
        let lines = self.alike(&[a, b], wanted, true);
        let ending = match guard {
            Guard::ShiftInRange { shifted, .. } => format!(", u{}", shifted.bits()),
            _ => String::new(),
        };
        let text = format!("{name}({}, {}{ending})", lines[0].text, lines[1].text);
        Line::new(text, level::PRIMARY, Type::BOOL, deepest(&lines) + 1)
    }

    fn cast(&mut self, cast: Cast, a: Term) -> Line {
        let (from, to) = match cast {
            Cast::ZExt(_, width) => (self.take(a).signed(false), Integer { signed: false, width }),
            Cast::SExt(_, width) => (self.take(a).signed(true), Integer { signed: true, width }),
            Cast::Trunc(_, width) => {
                let from = self.take(a).integer();
                let signed = from.ty.as_integer().signed && width != Width::W1;
                (from, Integer { signed, width })
            }
            _ => return self.float_cast(cast, a),
        };
        from.converted(Type::Integer(to))
    }

    /// The type of a choice among values: floats if something takes it for one.
    fn chosen(&self, term: Term) -> Wanted {
        let float = float_of(self.model.width(term)).filter(|_| self.signatures.floats[term]);
        float.map_or(Wanted::Anything, |w| Wanted::Of(Type::Float(w)))
    }

    fn select(&mut self, wanted: Wanted, condition: Term, a: Term, b: Term) -> Line {
        let condition = self.take(condition).converted(Type::BOOL);
        let wanted = if self.model.width(a) == Width::W1 { Wanted::Unsigned } else { wanted };
        let lines = self.alike(&[a, b], wanted, true);
        let text = format!(
            "{} ? {} : {}",
            condition.at(level::CHOICE + 1),
            lines[0].at(level::CHOICE + 1),
            lines[1].at(level::CHOICE + 1)
        );
        Line::new(text, level::CHOICE, lines[0].ty, deepest(&lines).max(condition.depth) + 1)
    }

    fn junction(&mut self, items: &[Term], name: &str, joint: &str, binds: u8) -> Line {
        let lines: Vec<Line> = items.iter().map(|&item| self.take(item).converted(Type::BOOL)).collect();
        let depth = deepest(&lines) + 1;
        if lines.len() < 2 {
            let inner: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
            return Line::new(format!("{name}({})", inner.join(", ")), level::PRIMARY, Type::BOOL, depth);
        }
        let parts: Vec<String> = lines.iter().map(|line| line.at(binds + 1)).collect();
        Line::new(parts.join(joint), binds, Type::BOOL, depth)
    }

    fn sum(&mut self, width: Width, constant: u64, parts: &[(u64, Term)]) -> Line {
        let terms: Vec<Term> = parts.iter().map(|&(_, term)| term).collect();
        let all_numbers = terms.iter().all(|&term| self.model.constant(term).is_some());
        let lines = if terms.is_empty() { Vec::new() } else { self.alike(&terms, Wanted::Integers, false) };
        let ty = lines.first().map_or(Type::unsigned(width), |line| line.ty);
        let number = ty.show(constant);
        let mut text =
            if all_numbers { format!("sum({number}u{}", width.bits()) } else { format!("sum({number}") };
        for (&(coefficient, _), line) in parts.iter().zip(&lines) {
            text.push_str(&format!(", {} * {}", ty.show(coefficient), line.at(level::CAST)));
        }
        text.push(')');
        Line::new(text, level::PRIMARY, ty, deepest(&lines) + 1)
    }

    fn element(&mut self, wanted: Wanted, index: Term, items: &[Term]) -> Line {
        let index = self.take(index).integer();
        if let Some((name, ty)) = self.array_name(items) {
            return Line::new(format!("{name}[{}]", index.text), level::PRIMARY, ty, index.depth + 1);
        }
        let lines = self.alike(items, wanted, true);
        let text = format!("[{}][{}]", joined(&lines), index.text);
        Line::new(text, level::PRIMARY, lines[0].ty, deepest(&lines).max(index.depth) + 1)
    }

    fn call(&mut self, relation: Relation, arguments: &[Term]) -> Line {
        let signature = &self.signatures.of[relation];
        let name = &signature.name;
        let (outer, arguments) = arguments.split_at(length(&signature.outer));
        let mut depth = 0;
        let mut text = name.clone();
        if !outer.is_empty() {
            text.push_str(&format!("[{}]", self.arguments(&signature.outer, outer, &mut depth)));
        }
        let (entry, end) = arguments.split_at(length(&signature.parameters));
        text.push_str(&format!("({})", self.arguments(&signature.parameters, entry, &mut depth)));
        if signature.is_loop {
            text.push_str(&format!(" -> ({})", self.arguments(&signature.parameters, end, &mut depth)));
        }
        Line::new(text, level::PRIMARY, Type::BOOL, depth + 1)
    }

    fn arguments(&mut self, shapes: &[Shape], terms: &[Term], depth: &mut usize) -> String {
        let mut rest = terms;
        let mut texts = Vec::new();
        for &Shape { array, length, ty } in shapes {
            let (own, behind) = rest.split_at(length);
            rest = behind;
            if let Some((name, _)) = self.array_name(own).filter(|&(_, found)| array && found == ty) {
                texts.push(name.to_owned());
                continue;
            }
            let lines = self.alike(own, Wanted::Of(ty), false);
            *depth = deepest(&lines).max(*depth);
            texts.push(if array { format!("[{}]", joined(&lines)) } else { joined(&lines) });
        }
        texts.join(", ")
    }
}

impl Wanted {
    /// The type of all operands if that of one is known.
    fn of(self, found: Type) -> Type {
        let sign = |signed: bool| Type::Integer(Integer { signed, width: found.width() });
        match self {
            Wanted::Anything => found,
            Wanted::Integers => Type::Integer(found.as_integer()),
            Wanted::Signed => sign(true),
            Wanted::Unsigned => sign(false),
            Wanted::Of(ty) => ty,
        }
    }
}

pub(super) fn joined(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(", ")
}

pub(super) fn deepest(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.depth).max().unwrap_or(0)
}

fn length(shapes: &[Shape]) -> usize {
    shapes.iter().map(|shape| shape.length).sum()
}

fn unary_name(op: IntUnary) -> &'static str {
    IntUnary::ALL.iter().find(|(other, _)| *other == op).map_or("", |&(_, name)| name)
}
