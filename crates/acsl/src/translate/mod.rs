//! Predicates of ACSL as expressions of C.
//!
//! Integers are those of mathematics. Each term knows bounds of its value; where these fit into 64 bits, it is computed
//! there as it stands, else the operation is checked, and leaving 64 bits ends as a claim of its own (or, in a
//! precondition, lets the input pass, so that the claim at the entry of the function finds it).

mod arithmetic;
mod call;
mod compare;
mod memory;
mod past;
mod quantifier;
mod real;
mod term;

use quipu_ir::Func;

use crate::names::{Meaning, Names};
use crate::problem::{Checked, Problem};
use crate::source::Place;
use crate::tree::{Expr, ExprKind, Logic, Unary};
use crate::types::CType;
pub(crate) use quantifier::collect_names;
pub(crate) use term::{Facts, Term, Ty};

/// What is translated for what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// A function that says whether an input counts.
    Gate,
    /// A claim; this number is that of the claim that its arithmetic stays within 64 bits.
    Claim { arithmetic: usize },
}

/// In which state of the program terms are evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    /// When the function is called.
    Before,
    /// When it came back.
    After,
    /// In its body, at a place.
    Inside(usize),
}

/// A variable of a quantifier whose body is translated.
#[derive(Clone, Debug)]
struct Running {
    variable: String,
    /// The first value, and the condition under which there are more.
    from: Term,
    condition: Term,
    /// What must be declared for the condition.
    setup: String,
}

/// What a name of an annotation means, and the moment at which its text has that value.
#[derive(Clone, Debug)]
struct Meant {
    name: String,
    term: Term,
    moment: Moment,
}

/// Translates the expressions of one clause.
pub(crate) struct Translator<'p> {
    names: &'p Names<'p>,
    function: Func,
    purpose: Purpose,
    moment: Moment,
    /// What names of annotations mean: variables of quantifiers, of `\let`, parameters of predicates.
    scope: Vec<Meant>,
    /// The predicates that are being expanded.
    expanding: Vec<String>,
    running: Vec<Running>,
    /// What holds where the current term is evaluated.
    guards: Vec<Term>,
    /// Makes names unique.
    fresh: usize,
    pub(crate) made: Made,
}

/// What translating left behind.
#[derive(Default, Debug)]
pub(crate) struct Made {
    /// Declarations that keep values of the state before the call.
    pub(crate) snapshots: Vec<String>,
    /// Whether arithmetic is checked.
    pub(crate) checks: bool,
    /// Where numbers are rounded, which reals are not.
    pub(crate) rounded: Vec<Place>,
}

impl<'p> Translator<'p> {
    /// `fresh` is the number from which on names are made.
    pub(crate) fn new(
        names: &'p Names<'p>,
        function: Func,
        purpose: Purpose,
        moment: Moment,
        fresh: usize,
    ) -> Translator<'p> {
        Translator {
            names,
            function,
            purpose,
            moment,
            scope: Vec::new(),
            expanding: Vec::new(),
            running: Vec::new(),
            guards: Vec::new(),
            fresh,
            made: Made::default(),
        }
    }

    /// Takes something for granted that was evaluated before the call.
    pub(crate) fn grant(&mut self, text: &str) {
        self.guards.push(Term::truth(text.to_string(), Facts::constant()));
    }

    /// The number from which on names are unused.
    pub(crate) fn fresh(&self) -> usize {
        self.fresh
    }

    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("quipu_{stem}_{}", self.fresh)
    }

    /// A predicate.
    pub(crate) fn predicate(&mut self, expr: &Expr) -> Checked<Term> {
        let term = self.term(expr)?;
        as_truth(term, &expr.place)
    }

    /// An integer of mathematics.
    pub(crate) fn integer(&mut self, expr: &Expr) -> Checked<Term> {
        let term = self.term(expr)?;
        let found = || Problem::wrong(&expr.place, format!("expected an integer, found {}", term.describe()));
        term.to_integer().ok_or_else(found)
    }

    pub(crate) fn term(&mut self, expr: &Expr) -> Checked<Term> {
        let place = &expr.place;
        match &expr.kind {
            ExprKind::Int(value) => Term::constant(*value)
                .ok_or_else(|| Problem::unsupported(place, "a constant of more than 64 bits")),
            ExprKind::Real(text) => Ok(self.real_constant(text, place)),
            ExprKind::Truth(value) => Ok(Term::truth(u8::from(*value).to_string(), Facts::constant())),
            ExprKind::Null => {
                let ty = Ty::C(CType::Pointer(Box::new(CType::Void)));
                Ok(Term { text: "((void *)0)".to_string(), ty, facts: Facts::constant() })
            }
            ExprKind::Result => self.result(place),
            ExprKind::Name(name) => self.named(name, place),
            ExprKind::Unary(Unary::Deref, operand) => self.dereference(operand),
            ExprKind::Unary(Unary::Address, operand) => self.address(operand),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, place),
            ExprKind::Compare(relations, operands) => self.comparisons(relations, operands),
            ExprKind::Logic(op, left, right) => self.logic(*op, left, right),
            ExprKind::Not(operand) => {
                let term = self.predicate(operand)?;
                let facts = total(&term, operand)?;
                Ok(Term::truth(format!("(!{})", term.text), facts))
            }
            ExprKind::If(condition, yes, no) => self.conditional(condition, yes, no),
            ExprKind::Quantified(quantifier, binders, body) => {
                self.quantified(*quantifier, binders, body, place)
            }
            ExprKind::Let(name, value, body) => {
                let value = self.term(value)?;
                self.scope.push(Meant { name: name.clone(), term: value, moment: self.moment });
                let body = self.term(body);
                self.scope.pop();
                body
            }
            ExprKind::At(inner, label) => self.at(inner, label, place),
            ExprKind::Index(base, index) => self.index(base, index),
            ExprKind::Member(base, name) => self.member(base, name, place),
            ExprKind::Arrow(base, name) => self.arrow(base, name, place),
            ExprKind::Cast(ty, operand) => self.cast(ty, operand, place),
            ExprKind::SizeofType(ty) => self.size_of_type(ty),
            ExprKind::SizeofExpr(operand) => self.size_of(operand),
            ExprKind::Call(name, arguments) => self.call(name, arguments, place),
            ExprKind::Range(..) => {
                Err(Problem::wrong(place, "a range can only stand in the place of an index")
                    .hint("for instance \\valid(p + (0 .. n-1))"))
            }
        }
    }

    fn named(&mut self, name: &str, place: &Place) -> Checked<Term> {
        if let Some(meant) = self.scope.iter().rfind(|meant| meant.name == name) {
            return match meant.moment == self.moment || meant.term.facts.steady {
                true => Ok(meant.term.clone()),
                false => Err(Problem::unsupported(place, format!("`{name}`, a value of another state,"))),
            };
        }
        // The body of a predicate sees its parameters and what the file has, but no variables of a function.
        if let Some(definition) = self.names.definitions.get(name).filter(|one| one.parameters.is_empty()) {
            return self.expand(&definition.clone(), &[], place);
        }
        let inside = match self.moment {
            Moment::Inside(at) => Some(at),
            Moment::Before | Moment::After => None,
        };
        let meaning = match self.expanding.is_empty() {
            true => self.names.meaning(self.function, inside, name),
            false => {
                let constant = self.names.macros.get(name).map(|value| Meaning::Constant(*value));
                self.names.global(name).or(constant)
            }
        };
        match meaning {
            Some(Meaning::Constant(value)) => Term::constant(value)
                .ok_or_else(|| Problem::unsupported(place, "a constant of more than 64 bits")),
            Some(Meaning::Parameter(ty)) => {
                // A body may change its parameters; to a contract they are what they were.
                let facts = if inside.is_some() { Facts::unsteady() } else { Facts::constant() };
                Ok(Term { text: name.to_string(), ty: Ty::C(ty), facts })
            }
            Some(Meaning::Variable(ty)) => {
                Ok(Term { text: name.to_string(), ty: Ty::C(ty), facts: Facts::unsteady() })
            }
            None => Err(self.unknown(name, place)),
        }
    }

    fn unknown(&self, name: &str, place: &Place) -> Problem {
        let problem = Problem::wrong(place, format!("nothing is called `{name}` here"));
        let function = &self.names.module.functions[self.function];
        if self.names.module.functions.iter().any(|own| own.source_name == name) {
            return problem.hint("functions of C cannot be used in annotations");
        }
        let params: Vec<&str> = function.params.iter().filter_map(|param| param.name.as_deref()).collect();
        match params.is_empty() || !self.expanding.is_empty() {
            true => problem,
            false => {
                problem.hint(format!("`{}` has the parameters {}", function.source_name, params.join(", ")))
            }
        }
    }

    fn result(&self, place: &Place) -> Checked<Term> {
        let module = self.names.module;
        let function = &module.functions[self.function];
        if self.moment != Moment::After {
            return Err(Problem::wrong(place, "`\\result` has a meaning only in `ensures`"));
        }
        let ret = match module.types[function.ty] {
            quipu_ir::SourceType::Function { ret, .. } => CType::of(module, ret),
            _ => CType::Other,
        };
        match ret {
            CType::Void => Err(Problem::wrong(place, format!("`{}` has no result", function.source_name))),
            ty => Ok(Term { text: "quipu_result".to_string(), ty: Ty::C(ty), facts: Facts::unsteady() }),
        }
    }

    fn logic(&mut self, op: Logic, left: &Expr, right: &Expr) -> Checked<Term> {
        let first = self.predicate(left)?;
        let guard = match op {
            Logic::And | Logic::Implies => Some(first.clone()),
            Logic::Or => Some(Term::truth(format!("(!{})", first.text), first.facts.clone())),
            Logic::Xor | Logic::Equivalent => None,
        };
        let second = self.under(guard, |this| this.predicate(right))?;
        let (a, b) = (&first.text, &second.text);
        let facts = Facts::both(&first, &second);
        let text = match op {
            Logic::And => format!("({a} && {b})"),
            // What may be undefined instead of false comes last, where it decides.
            Logic::Or if first.facts.partial => {
                total(&second, right)?;
                format!("({b} || {a})")
            }
            Logic::Or => format!("({a} || {b})"),
            Logic::Implies => {
                total(&first, left)?;
                format!("(!{a} || {b})")
            }
            Logic::Xor | Logic::Equivalent => {
                total(&first, left)?;
                total(&second, right)?;
                let sign = if op == Logic::Xor { "!=" } else { "==" };
                format!("(!{a} {sign} !{b})")
            }
        };
        Ok(Term::truth(text, facts))
    }

    /// Translates where something more holds.
    fn under<T>(&mut self, guard: Option<Term>, work: impl FnOnce(&mut Self) -> T) -> T {
        let kept = self.guards.len();
        // What may be undefined is no help.
        self.guards.extend(guard.filter(|guard| !guard.facts.partial));
        let result = work(self);
        self.guards.truncate(kept);
        result
    }

    fn conditional(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Checked<Term> {
        let test = self.predicate(condition)?;
        total(&test, condition)?;
        let not = Term::truth(format!("(!{})", test.text), test.facts.clone());
        let first = self.under(Some(test.clone()), |this| this.term(yes))?;
        let second = self.under(Some(not), |this| this.term(no))?;
        let facts = Facts::of([&test.facts, &first.facts, &second.facts]);
        if first.ty == Ty::Truth && second.ty == Ty::Truth {
            return Ok(Term::truth(format!("({} ? {} : {})", test.text, first.text, second.text), facts));
        }
        if let (Some(a), Some(b)) = (first.to_integer(), second.to_integer()) {
            let ((a_lo, a_hi), (b_lo, b_hi)) = (a.bounds(), b.bounds());
            let (lo, hi) = (a_lo.min(b_lo), a_hi.max(b_hi));
            if !term::fits_signed(lo, hi) && lo < 0 {
                return Err(Problem::unsupported(
                    &no.place,
                    "a choice between signed and unsigned 64-bit values",
                ));
            }
            let ty = term::carrier(lo, hi);
            let text = format!("({} ? ({ty})({}) : ({ty})({}))", test.text, a.text, b.text);
            return Ok(Term::integer(text, lo, hi, facts));
        }
        if first.is_float() || second.is_float() {
            let (a, b) = (self.as_real(first, &yes.place)?, self.as_real(second, &no.place)?);
            return Ok(Term {
                text: format!("({} ? {} : {})", test.text, a.text, b.text),
                ty: Ty::Real,
                facts,
            });
        }
        if first.is_pointer() && second.is_pointer() {
            let text = format!("({} ? {} : {})", test.text, first.text, second.text);
            return Ok(Term { text, ty: first.ty, facts });
        }
        Err(Problem::wrong(&no.place, "both sides of a choice must be of one kind"))
    }
}

/// A term as a predicate: an integer is true unless it is zero.
fn as_truth(term: Term, place: &Place) -> Checked<Term> {
    match &term.ty {
        Ty::Truth => Ok(term),
        Ty::Integer { .. } | Ty::C(CType::Int { .. }) => {
            Ok(Term::truth(format!("(({}) != 0)", term.text), term.facts))
        }
        _ => Err(Problem::wrong(place, format!("expected a predicate, found {}", term.describe()))),
    }
}

/// The facts of a predicate in a place where it must be true or false. Validity is known only as far as an access to
/// something invalid is undefined.
fn total(term: &Term, expr: &Expr) -> Checked<Facts> {
    match term.facts.partial {
        true => Err(Problem::unsupported(&expr.place, "`\\valid` as something that may be false")
            .hint("it can be required, claimed, or follow from something: `p != \\null ==> \\valid(p)`")),
        false => Ok(term.facts.clone()),
    }
}
