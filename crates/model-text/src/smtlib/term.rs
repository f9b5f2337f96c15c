//! Terms as bit-vectors, with the total meaning that `quipu-num` gives to every operation.

use quipu_model::{Node, Term};
use quipu_num::{Cast, FloatFn, Guard, IntCmp, IntOp, IntUnary, Width};

use super::form::{Form, is_computed_float, is_float, keeps_nans};
use super::{Unsupported, Writer, float, number};
use crate::types::float_of;

impl Writer<'_> {
    /// The expression for a term that is defined in a form.
    pub(super) fn text(&self, term: Term, form: Form) -> &str {
        self.terms[&(term, form)].as_deref().expect("operands are defined before their users")
    }

    fn bits(&self, term: Term) -> &str {
        self.text(term, Form::Bits)
    }

    /// Writes the definition of a term, and answers the expression for it.
    pub(super) fn written(&mut self, term: Term, form: Form) -> Result<String, Unsupported> {
        let width = self.model.width(term);
        self.floats |= form == Form::Float;
        let expression = match (self.model.node(term), form) {
            (Node::Const(bits), Form::Bits) => return Ok(number(width.bits(), *bits)),
            (Node::Const(_), Form::Float) => return self.float_expression(term),
            (Node::Var(var), _) if self.is_own_form(term, form) => {
                let missing = || Unsupported {
                    message: format!(
                        "the variable `{}` stands outside of its relation",
                        self.model.vars()[*var].name
                    ),
                };
                return self.vars.get(var).cloned().ok_or_else(missing);
            }
            (Node::Call(..), _) => {
                let meaning = self.model.unfolding(term).expect("calls without a meaning are refused");
                return Ok(self.bits(meaning).to_owned());
            }
            (_, Form::Float) => self.float_expression(term)?,
            (_, Form::Bits) if self.is_told_by_its_float(term) => self.rank_of_float(term),
            (_, Form::Bits) => self.expression(term, width),
        };
        self.definitions += 1;
        let symbol = format!("t!{}", self.definitions);
        let sort = match form {
            Form::Bits => format!("(_ BitVec {})", width.bits()),
            Form::Float => float::sort(float_of(width).expect("a float has 32 or 64 bits")),
        };
        self.line(&format!("(define-fun {symbol} () {sort} {expression})"));
        Ok(symbol)
    }

    /// Whether a variable is declared in this form.
    fn is_own_form(&self, term: Term, form: Form) -> bool {
        self.is_float_variable(term) == (form == Form::Float)
    }

    fn is_float_variable(&self, term: Term) -> bool {
        matches!(self.model.node(term), Node::Var(var) if is_float(&self.model.vars()[*var]))
    }

    /// Whether the bits of a term follow from the float that it is.
    fn is_told_by_its_float(&self, term: Term) -> bool {
        match self.model.node(term) {
            Node::Var(_) => self.is_float_variable(term),
            Node::Float(FloatFn::Compare(_), ..) => false,
            Node::Float(function, ..) => !keeps_nans(*function),
            Node::Cast(cast, _) => is_computed_float(*cast),
            _ => false,
        }
    }

    fn expression(&self, term: Term, width: Width) -> String {
        let t = |term: &Term| self.bits(*term);
        let f = |term: &Term| self.text(*term, Form::Float);
        match self.model.node(term) {
            Node::Const(_) | Node::Var(_) | Node::Call(..) => self.bits(term).to_owned(),
            Node::Not(a) => format!("(bvnot {})", t(a)),
            Node::Op(op, a, b) => operation(*op, width, t(a), t(b)),
            Node::Unary(op, a) => unary(*op, width, t(a)),
            Node::Compare(cmp @ (IntCmp::Eq | IntCmp::Ne), a, b)
                if self.natures.are_told_by_floats(*a, *b) =>
            {
                truth(&comparison(*cmp, f(a), f(b)))
            }
            Node::Compare(cmp, a, b) => truth(&comparison(*cmp, t(a), t(b))),
            Node::Guard(guard @ Guard::FloatFits { .. }, a, _) => {
                truth(&super::guard::formula(*guard, f(a), f(a)))
            }
            Node::Guard(guard, a, b) => truth(&super::guard::formula(*guard, t(a), t(b))),
            Node::Cast(Cast::FloatToSigned(w, to), a) => float::truncated(*w, *to, true, f(a)),
            Node::Cast(Cast::FloatToUnsigned(w, to), a) => float::truncated(*w, *to, false, f(a)),
            Node::Cast(cast, a) => conversion(*cast, t(a)),
            Node::Float(FloatFn::Compare(cmp), _, items) => {
                truth(&float::comparison(*cmp, f(&items[0]), f(&items[1])))
            }
            Node::Float(function, w, items) => {
                let ranks: Vec<&str> = items.iter().map(t).collect();
                float::sign_operation(*function, *w, &ranks)
            }
            Node::Select(c, a, b) => format!("(ite {} {} {})", is_true(t(c)), t(a), t(b)),
            Node::All(items) => self.junction("and", "true", items),
            Node::Any(items) => self.junction("or", "false", items),
            Node::Sum(constant, parts) => {
                let first = number(width.bits(), *constant);
                let product =
                    |(c, part): &(u64, Term)| format!("(bvmul {} {})", number(width.bits(), *c), t(part));
                balanced("bvadd", std::iter::once(first).chain(parts.iter().map(product)).collect())
            }
            Node::Element(index, items) => self.element(*index, items, Form::Bits, &number(width.bits(), 0)),
        }
    }

    fn junction(&self, connective: &str, empty: &str, items: &[Term]) -> String {
        let parts: Vec<String> = items.iter().map(|&item| is_true(self.bits(item))).collect();
        match &parts[..] {
            [] => truth(empty),
            [only] => truth(only),
            _ => truth(&format!("({connective} {})", parts.join(" "))),
        }
    }

    /// A tree of comparisons with the index.
    pub(super) fn element(&self, index: Term, items: &[Term], form: Form, behind_the_end: &str) -> String {
        let bits = self.model.width(index);
        let mut trees: Vec<(u64, String)> = items
            .iter()
            .enumerate()
            .map(|(n, &item)| (n as u64, self.text(item, form).to_owned()))
            .take_while(|&(n, _)| n <= bits.mask())
            .collect();
        let index = self.bits(index);
        let behind = trees.len() as u64;
        while trees.len() > 1 {
            trees = trees
                .chunks(2)
                .map(|pair| match pair {
                    [(low, a), (high, b)] => {
                        (*low, format!("(ite (bvult {index} {}) {a} {b})", number(bits.bits(), *high)))
                    }
                    _ => pair[0].clone(),
                })
                .collect();
        }
        let tree = trees.pop().map_or(String::new(), |(_, tree)| tree);
        if behind > bits.mask() {
            return tree;
        }
        format!("(ite (bvult {index} {}) {tree} {behind_the_end})", number(bits.bits(), behind))
    }
}

/// A formula as a bit-vector of width 1.
fn truth(formula: &str) -> String {
    format!("(ite {formula} #b1 #b0)")
}

/// A bit-vector of width 1 as a formula.
fn is_true(text: &str) -> String {
    format!("(= {text} #b1)")
}

/// An operation on many operands, as a tree of little depth.
fn balanced(op: &str, mut items: Vec<String>) -> String {
    while items.len() > 1 {
        items = items
            .chunks(2)
            .map(|pair| match pair {
                [a, b] => format!("({op} {a} {b})"),
                _ => pair[0].clone(),
            })
            .collect();
    }
    items.pop().unwrap_or_default()
}

/// SMT-LIB divides by zero to all ones; its remainders and shifts are those of `quipu-num`.
fn operation(op: IntOp, width: Width, a: &str, b: &str) -> String {
    let name = match op {
        IntOp::Add => "bvadd",
        IntOp::Sub => "bvsub",
        IntOp::Mul => "bvmul",
        IntOp::UDiv => "bvudiv",
        IntOp::SDiv => "bvsdiv",
        IntOp::URem => "bvurem",
        IntOp::SRem => "bvsrem",
        IntOp::And => "bvand",
        IntOp::Or => "bvor",
        IntOp::Xor => "bvxor",
        IntOp::Shl => "bvshl",
        IntOp::LShr => "bvlshr",
        IntOp::AShr => "bvashr",
    };
    match op {
        IntOp::UDiv | IntOp::SDiv => {
            let zero = number(width.bits(), 0);
            format!("(ite (= {b} {zero}) {zero} ({name} {a} {b}))")
        }
        _ => format!("({name} {a} {b})"),
    }
}

fn comparison(cmp: IntCmp, a: &str, b: &str) -> String {
    match cmp {
        IntCmp::Eq => format!("(= {a} {b})"),
        IntCmp::Ne => format!("(not (= {a} {b}))"),
        IntCmp::Ult => format!("(bvult {a} {b})"),
        IntCmp::Ule => format!("(bvule {a} {b})"),
        IntCmp::Slt => format!("(bvslt {a} {b})"),
        IntCmp::Sle => format!("(bvsle {a} {b})"),
    }
}

fn conversion(cast: Cast, a: &str) -> String {
    match cast {
        Cast::Trunc(_, to) => format!("((_ extract {} 0) {a})", to.bits() - 1),
        Cast::ZExt(from, to) => format!("((_ zero_extend {}) {a})", to.bits() - from.bits()),
        Cast::SExt(from, to) => format!("((_ sign_extend {}) {a})", to.bits() - from.bits()),
        Cast::FloatBits(w) => float::bits_of_rank(w, a),
        Cast::BitsFloat(w) => float::rank_of_bits(w, a),
        _ => unreachable!("conversions that round or truncate have forms of their own"),
    }
}

fn unary(op: IntUnary, width: Width, a: &str) -> String {
    let bits = width.bits();
    let bit = |n: u32| format!("((_ extract {n} {n}) {a})");
    // How many bits in front of the first that is set, in this order.
    let count = |order: &mut dyn Iterator<Item = u32>| {
        let order: Vec<u32> = order.collect();
        order.iter().enumerate().rev().fold(number(bits, width.wrap(bits.into())), |rest, (n, &position)| {
            format!("(ite (= {} #b1) {} {rest})", bit(position), number(bits, width.wrap(n as u64)))
        })
    };
    match op {
        IntUnary::Clz => count(&mut (0..bits).rev()),
        IntUnary::Ctz => count(&mut (0..bits)),
        IntUnary::Popcount => {
            let extended = |n: u32| format!("((_ zero_extend {}) {})", bits - 1, bit(n));
            balanced("bvadd", (0..bits).map(extended).collect())
        }
        IntUnary::Bswap if bits.is_multiple_of(8) => {
            let byte = |n: u32| format!("((_ extract {} {}) {a})", 8 * n + 7, 8 * n);
            balanced("concat", (0..bits / 8).map(byte).collect())
        }
        IntUnary::Bswap => a.to_owned(),
    }
}
