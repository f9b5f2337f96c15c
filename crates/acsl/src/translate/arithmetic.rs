//! Operations on integers, exact or checked.

use super::term::{LARGEST, SIGNED, carrier, fits_signed};
use super::{Facts, Purpose, Term, Translator, Ty};
use crate::problem::{Checked, Problem};
use crate::source::Place;
use crate::tree::{Binary, Expr, Unary};
use crate::types::CType;

impl Translator<'_> {
    pub(super) fn unary(&mut self, op: Unary, operand: &Expr) -> Checked<Term> {
        let term = self.term(operand)?;
        if term.is_float() && op != Unary::Complement {
            let real = self.as_real(term, &operand.place)?;
            let sign = if op == Unary::Minus { "-" } else { "" };
            return Ok(Term { text: format!("({sign}{})", real.text), ..real });
        }
        let Some(value) = term.to_integer().filter(|_| term.ty != Ty::Truth) else {
            let message = format!("expected a number, found {}", term.describe());
            return Err(Problem::wrong(&operand.place, message));
        };
        match op {
            Unary::Minus => {
                let zero = Term::constant(0).expect("zero is small");
                Ok(self.exact(Binary::Sub, &zero, &value))
            }
            Unary::Complement => {
                // ~x is -x - 1 for all integers.
                let minus_one = Term::constant(-1).expect("one is small");
                Ok(self.exact(Binary::Sub, &minus_one, &value))
            }
            Unary::Plus | Unary::Deref | Unary::Address => Ok(value),
        }
    }

    pub(super) fn binary(&mut self, op: Binary, left: &Expr, right: &Expr, place: &Place) -> Checked<Term> {
        let (a, b) = (self.term(left)?, self.term(right)?);
        if a.is_pointer() || b.is_pointer() {
            return self.pointer_arithmetic(op, &a, &b, place);
        }
        if a.is_float() || b.is_float() {
            let (a, b) = (self.as_real(a, &left.place)?, self.as_real(b, &right.place)?);
            return self.real_operation(op, &a, &b, place);
        }
        let number = |term: &Term, expr: &Expr| {
            let message = format!("expected a number, found {}", term.describe());
            term.to_integer()
                .filter(|_| term.ty != Ty::Truth)
                .ok_or_else(|| Problem::wrong(&expr.place, message))
        };
        let (a, b) = (number(&a, left)?, number(&b, right)?);
        match op {
            Binary::Add | Binary::Sub | Binary::Mul => Ok(self.exact(op, &a, &b)),
            Binary::Div | Binary::Rem => self.division(op, &a, &b, place),
            Binary::Shl | Binary::Shr => self.shift(op, &a, &b, place),
            Binary::And | Binary::Xor | Binary::Or => bits(op, &a, &b, place),
        }
    }

    /// A sum, difference or product.
    pub(super) fn exact(&mut self, op: Binary, a: &Term, b: &Term) -> Term {
        let (lo, hi) = bounds(op, a.bounds(), b.bounds());
        let facts = Facts::both(a, b);
        let is_signed = [a, b].iter().all(|term| fits_signed(term.bounds().0, term.bounds().1));
        if fits_signed(lo, hi) && is_signed || 0 <= lo && hi <= LARGEST {
            // It cannot overflow, and arithmetic modulo 2^64 says so to everybody.
            let (ty, sign) = (carrier(lo, hi), sign(op));
            let text =
                format!("(({ty})((unsigned long long)({}) {sign} (unsigned long long)({})))", a.text, b.text);
            return Term::integer(text, lo, hi, facts);
        }
        let (least, most) = if lo >= 0 { (0, LARGEST) } else { SIGNED };
        let name = match op {
            Binary::Add => "add",
            Binary::Sub => "sub",
            _ => "mul",
        };
        let result = self.name("r");
        let overflows = format!("__builtin_{name}_overflow({}, {}, &{result})", a.text, b.text);
        let check = self.check(&format!("!{overflows}"));
        let text = format!("__extension__ ({{ {} {result}; {check} {result}; }})", carrier(least, most));
        Term::integer(text, lo.max(least), hi.min(most), facts)
    }

    /// A statement that ends the evaluation unless a condition holds.
    pub(super) fn check(&mut self, condition: &str) -> String {
        self.made.checks = true;
        match self.purpose {
            Purpose::Gate => format!("if (!({condition})) return 1;"),
            Purpose::Claim { arithmetic } => {
                format!("extern void quipu_claim(int, int); quipu_claim({arithmetic}, {condition});")
            }
        }
    }

    fn division(&mut self, op: Binary, a: &Term, b: &Term, place: &Place) -> Checked<Term> {
        let ((a_lo, a_hi), (b_lo, b_hi)) = (a.bounds(), b.bounds());
        let (lo, hi) = match op {
            Binary::Div if b_lo > 0 => (a_lo.min(0), a_hi.max(0)),
            Binary::Div => {
                let largest = a_lo.abs().max(a_hi.abs());
                (-largest, largest)
            }
            _ => {
                let largest = (b_lo.abs().max(b_hi.abs()) - 1).max(0);
                (if a_lo < 0 { -largest } else { 0 }, if a_hi > 0 { largest } else { 0 })
            }
        };
        let is_unsigned = a_lo >= 0 && b_lo >= 0;
        let fits = |lo, hi| fits_signed(lo, hi) || is_unsigned;
        if !fits(a_lo, a_hi) || !fits(b_lo, b_hi) {
            return Err(Problem::unsupported(place, "division of signed by unsigned 64-bit values"));
        }
        let ty = if is_unsigned { "unsigned long long" } else { "long long" };
        let (x, y) = (self.name("a"), self.name("b"));
        let mut checks = String::new();
        if b_lo <= 0 && b_hi >= 0 {
            checks.push_str(&self.check(&format!("{y} != 0")));
        }
        let overflows = a_lo <= SIGNED.0 && b_lo <= -1 && b_hi >= -1;
        if overflows && op == Binary::Div {
            checks.push_str(&self.check(&format!("{x} != (-{}LL - 1) || {y} != -1", SIGNED.1)));
        }
        let (lo, hi) = if is_unsigned { (lo.max(0), hi) } else { (lo.max(SIGNED.0), hi.min(SIGNED.1)) };
        let sign = sign(op);
        // By minus one nothing remains; to C that is the remainder of a quotient that overflows.
        let guard = if overflows && op == Binary::Rem { format!("{y} == -1 ? 0 : ") } else { String::new() };
        let quotient = format!(
            "__extension__ ({{ {ty} {x} = {}, {y} = {}; {checks} {guard}{x} {sign} {y}; }})",
            a.text, b.text
        );
        let text = format!("(({})({quotient}))", carrier(lo, hi));
        Ok(Term::integer(text, lo, hi, Facts::both(a, b)))
    }

    /// `x << n` is x times a power of two, `x >> n` the quotient rounded down.
    fn shift(&mut self, op: Binary, a: &Term, b: &Term, place: &Place) -> Checked<Term> {
        let ((a_lo, a_hi), (b_lo, b_hi)) = (a.bounds(), b.bounds());
        // Bounds alone do not make a constant: what has only one value may still be impossible to evaluate.
        let is_constant = Term::constant(b_lo).is_some_and(|constant| constant.text == b.text);
        if op == Binary::Shl && is_constant && (0..=62).contains(&b_lo) {
            let power = Term::constant(1 << b_lo).expect("a small power of two");
            return Ok(self.exact(Binary::Mul, a, &power));
        }
        if !fits_signed(b_lo, b_hi) {
            return Err(Problem::unsupported(place, "a shift by an unsigned 64-bit value"));
        }
        let amount = self.name("n");
        let check = match (0..=62).contains(&b_lo) && b_hi <= 62 {
            true => String::new(),
            false => self.check(&format!("0 <= {amount} && {amount} <= 62")),
        };
        let power = Term::integer(format!("(1LL << {amount})"), 1, 1 << 62, Facts::constant());
        let result = match op {
            Binary::Shl => self.exact(Binary::Mul, a, &power),
            _ => {
                let (lo, hi) = (a_lo.min(0), a_hi.max(0));
                Term::integer(format!("({} >> {amount})", a.text), lo, hi, Facts::constant())
            }
        };
        let text = format!("__extension__ ({{ long long {amount} = {}; {check} {}; }})", b.text, result.text);
        Ok(Term { text, facts: Facts::both(a, b), ..result })
    }

    fn pointer_arithmetic(&mut self, op: Binary, a: &Term, b: &Term, place: &Place) -> Checked<Term> {
        let facts = Facts::both(a, b);
        let moved = |pointer: &Term| match &pointer.ty {
            Ty::C(CType::Array(to)) => Ty::C(CType::Pointer(to.clone())),
            ty => ty.clone(),
        };
        match (op, a.is_pointer(), b.is_pointer()) {
            (Binary::Add | Binary::Sub, true, false) => {
                let Some(by) = b.to_integer() else {
                    return Err(Problem::wrong(place, "a pointer moves by an integer"));
                };
                let text = format!("(({}) {} {})", a.text, sign(op), by.text);
                Ok(Term { text, ty: moved(a), facts })
            }
            (Binary::Add, false, true) => self.pointer_arithmetic(op, b, a, place),
            (Binary::Sub, true, true) => {
                let text = format!("((long long)(({}) - ({})))", a.text, b.text);
                Ok(Term::integer(text, SIGNED.0, SIGNED.1, facts))
            }
            _ => Err(Problem::wrong(place, "pointers can only be moved, subtracted and compared")),
        }
    }
}

fn sign(op: Binary) -> &'static str {
    match op {
        Binary::Mul => "*",
        Binary::Div => "/",
        Binary::Rem => "%",
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Shl => "<<",
        Binary::Shr => ">>",
        Binary::And => "&",
        Binary::Xor => "^",
        Binary::Or => "|",
    }
}

/// The bounds of a sum, difference or product. Those of operands have at most 65 bits, so that 128 hold all of them
/// but for some products, which are far outside anyway.
fn bounds(op: Binary, (a_lo, a_hi): (i128, i128), (b_lo, b_hi): (i128, i128)) -> (i128, i128) {
    match op {
        Binary::Add => (a_lo + b_lo, a_hi + b_hi),
        Binary::Sub => (a_lo - b_hi, a_hi - b_lo),
        _ => {
            let corners =
                [(a_lo, b_lo), (a_lo, b_hi), (a_hi, b_lo), (a_hi, b_hi)].map(|(a, b)| a.saturating_mul(b));
            (*corners.iter().min().expect("four"), *corners.iter().max().expect("four"))
        }
    }
}

/// Operations on bits, which mean the same for all integers in two's complement.
fn bits(op: Binary, a: &Term, b: &Term, place: &Place) -> Checked<Term> {
    let ((a_lo, a_hi), (b_lo, b_hi)) = (a.bounds(), b.bounds());
    let is_signed = fits_signed(a_lo, a_hi) && fits_signed(b_lo, b_hi);
    let is_natural = a_lo >= 0 && b_lo >= 0;
    if !is_signed && !is_natural {
        return Err(Problem::unsupported(place, "mixing the bits of signed and unsigned 64-bit values"));
    }
    // The smallest range of the form -2^k .. 2^k - 1 around both.
    let largest = [a_lo, a_hi, b_lo, b_hi].iter().map(|bound| if *bound < 0 { !bound } else { *bound }).max();
    let hi = (largest.unwrap_or(0) as u128 + 1).next_power_of_two() as i128 - 1;
    let (lo, hi) = match (is_natural, op) {
        (true, Binary::And) => (0, a_hi.min(b_hi)),
        (true, _) => (0, hi),
        (false, _) => (-hi - 1, hi),
    };
    let ty = carrier(lo, hi);
    let text = format!("(({ty})({}) {} ({ty})({}))", a.text, sign(op), b.text);
    Ok(Term::integer(text, lo, hi, Facts::both(a, b)))
}
