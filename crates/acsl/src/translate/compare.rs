//! Comparisons of all kinds of values.

use super::term::fits_signed;
use super::{Facts, Term, Translator, Ty};
use crate::problem::{Checked, Problem};
use crate::tree::{Expr, ExprKind, Relation};

impl Translator<'_> {
    /// `a <= b < c`.
    pub(super) fn comparisons(&mut self, relations: &[Relation], operands: &[Expr]) -> Checked<Term> {
        let terms = operands.iter().map(|operand| self.term(operand)).collect::<Checked<Vec<Term>>>()?;
        let mut texts = Vec::new();
        for (n, relation) in relations.iter().enumerate() {
            let (a, b) = (&terms[n], &terms[n + 1]);
            texts.push(self.compared(*relation, (a, &operands[n]), (b, &operands[n + 1]))?);
        }
        let facts = Facts::of(terms.iter().map(|term| &term.facts));
        Ok(Term::truth(format!("({})", texts.join(" && ")), facts))
    }

    fn compared(
        &mut self,
        relation: Relation,
        (a, left): (&Term, &Expr),
        (b, right): (&Term, &Expr),
    ) -> Checked<String> {
        super::total(a, left)?;
        super::total(b, right)?;
        if let (Some(a), Some(b)) = (a.to_integer(), b.to_integer()) {
            return Ok(self.compare_integers(relation, &a, &b));
        }
        let sign = relation.text();
        let is_null = |expr: &Expr| expr.kind == ExprKind::Int(0);
        if a.is_pointer() && (b.is_pointer() || is_null(right)) || b.is_pointer() && is_null(left) {
            let text = |term: &Term| if term.is_pointer() { term.text.clone() } else { "0".to_string() };
            // Pointers to different types can be compared in ACSL.
            return Ok(format!("((void *)({}) {sign} (void *)({}))", text(a), text(b)));
        }
        let is_number = |term: &Term| term.is_float() || term.to_integer().is_some() && term.ty != Ty::Truth;
        if is_number(a) && is_number(b) {
            let (a, b) = (self.as_real(a.clone(), &left.place)?, self.as_real(b.clone(), &right.place)?);
            return Ok(format!("({} {sign} {})", a.text, b.text));
        }
        let place = left.place.start..right.place.end;
        let message = format!("{} cannot be compared with {}", a.describe(), b.describe());
        Err(Problem::wrong(&place, message))
    }

    pub(super) fn compare_integers(&mut self, relation: Relation, a: &Term, b: &Term) -> String {
        let ((a_lo, a_hi), (b_lo, b_hi)) = (a.bounds(), b.bounds());
        let sign = relation.text();
        match (fits_signed(a_lo, a_hi), fits_signed(b_lo, b_hi)) {
            (true, true) | (false, false) => format!("({} {sign} {})", a.text, b.text),
            (false, true) => self.compare_mixed(relation, b, a, true),
            (true, false) => self.compare_mixed(relation, a, b, false),
        }
    }

    /// A signed value beside an unsigned one; `swapped` if the unsigned one comes first.
    fn compare_mixed(&mut self, relation: Relation, signed: &Term, unsigned: &Term, swapped: bool) -> String {
        let (value, other) = (self.name("s"), self.name("u"));
        // A negative number is less than all that are unsigned.
        let if_negative = match (relation, swapped) {
            (Relation::NotEqual, _)
            | (Relation::Less | Relation::LessEqual, false)
            | (Relation::Greater | Relation::GreaterEqual, true) => 1,
            _ => 0,
        };
        let natural = format!("(unsigned long long){value}");
        let (a, b) = if swapped { (&other, &natural) } else { (&natural, &other) };
        let sign = relation.text();
        // Both are evaluated in any case: what cannot be evaluated shows.
        format!(
            "__extension__ ({{ long long {value} = {}; unsigned long long {other} = {}; \
             {value} < 0 ? {if_negative} : {a} {sign} {b}; }})",
            signed.text, unsigned.text
        )
    }
}
