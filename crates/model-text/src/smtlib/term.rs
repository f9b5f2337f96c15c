//! Terms as expressions of QF_BV, with the total meaning that `quipu-num` gives to every operation.

use quipu_model::{Node, Term};
use quipu_num::{Cast, IntCmp, IntOp, IntUnary, Width};

use super::{Unsupported, Writer, number};

impl Writer<'_> {
    /// The expression for a term that is defined.
    pub(super) fn text(&self, term: Term) -> &str {
        self.terms[&term].as_deref().expect("operands are defined before their users")
    }

    /// Writes the definition of a term, and answers the expression for it.
    pub(super) fn written(&mut self, term: Term) -> Result<String, Unsupported> {
        let width = self.model.width(term);
        let expression = match self.model.node(term) {
            Node::Const(bits) => return Ok(number(width.bits(), *bits)),
            Node::Var(var) => {
                let missing = || Unsupported {
                    message: format!(
                        "the variable `{}` stands outside of its relation",
                        self.model.vars()[*var].name
                    ),
                };
                return self.vars.get(var).cloned().ok_or_else(missing);
            }
            Node::Call(..) => {
                let meaning = self.model.unfolding(term).expect("calls without a meaning are refused");
                return Ok(self.text(meaning).to_owned());
            }
            _ => self.expression(term, width),
        };
        self.definitions += 1;
        let symbol = format!("t!{}", self.definitions);
        self.line(&format!("(define-fun {symbol} () (_ BitVec {}) {expression})", width.bits()));
        Ok(symbol)
    }

    fn expression(&self, term: Term, width: Width) -> String {
        let t = |term: &Term| self.text(*term);
        match self.model.node(term) {
            Node::Const(_) | Node::Var(_) | Node::Call(..) => self.text(term).to_owned(),
            Node::Not(a) => format!("(bvnot {})", t(a)),
            Node::Op(op, a, b) => operation(*op, width, t(a), t(b)),
            Node::Unary(op, a) => unary(*op, width, t(a)),
            Node::Compare(cmp, a, b) => truth(&comparison(*cmp, t(a), t(b))),
            Node::Guard(guard, a, b) => truth(&super::guard::formula(*guard, t(a), t(b))),
            Node::Cast(cast, a) => conversion(*cast, t(a)),
            Node::Float(..) => unreachable!("a model without floats is printed"),
            Node::Select(c, a, b) => format!("(ite {} {} {})", is_true(t(c)), t(a), t(b)),
            Node::All(items) => self.junction("and", "true", items),
            Node::Any(items) => self.junction("or", "false", items),
            Node::Sum(constant, parts) => {
                let first = number(width.bits(), *constant);
                let product =
                    |(c, part): &(u64, Term)| format!("(bvmul {} {})", number(width.bits(), *c), t(part));
                balanced("bvadd", std::iter::once(first).chain(parts.iter().map(product)).collect())
            }
            Node::Element(index, items) => self.element(*index, items, width),
        }
    }

    fn junction(&self, connective: &str, empty: &str, items: &[Term]) -> String {
        let parts: Vec<String> = items.iter().map(|&item| is_true(self.text(item))).collect();
        match &parts[..] {
            [] => truth(empty),
            [only] => truth(only),
            _ => truth(&format!("({connective} {})", parts.join(" "))),
        }
    }

    /// A tree of comparisons with the index; 0 behind the end.
    fn element(&self, index: Term, items: &[Term], width: Width) -> String {
        let bits = self.model.width(index);
        let mut trees: Vec<(u64, String)> = items
            .iter()
            .enumerate()
            .map(|(n, &item)| (n as u64, self.text(item).to_owned()))
            .take_while(|&(n, _)| n <= bits.mask())
            .collect();
        let index = self.text(index);
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
        let zero = number(width.bits(), 0);
        format!("(ite (bvult {index} {}) {tree} {zero})", number(bits.bits(), behind))
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
        // A model has no conversions of floats.
        _ => a.to_owned(),
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
