//! Terms in normal form: whatever is known already is computed at once.

use quipu_model::{Model, Node, Reading, Role, Term, Var, VarInfo};
use quipu_num::{Cast, FloatFn, FloatWidth, Guard, IntCmp, IntOp, IntUnary, Width};
use quipu_rewrite::Rewriter;

use crate::address::Addresses;

/// Builds terms of a model.
pub(crate) struct Terms<'a> {
    pub model: &'a mut Model,
    pub rewriter: &'a mut Rewriter,
    /// How many numbers were made up because nobody knows them.
    pub n_unknown: u64,
    /// When values were made up that matter only then, since somebody took note of them, and what they are.
    pub doubts: Vec<(Term, &'static str)>,
    /// How many of these there were in all.
    pub n_doubts: u64,
    /// Whether what was never written can be read: then it is kept as the zero that it is in tests.
    pub indeterminate: bool,
    /// How many random numbers were drawn.
    pub n_weights: u64,
    pub addresses: Addresses,
}

impl<'a> Terms<'a> {
    pub fn new(model: &'a mut Model, rewriter: &'a mut Rewriter) -> Terms<'a> {
        Terms {
            model,
            rewriter,
            n_unknown: 0,
            doubts: Vec::new(),
            n_doubts: 0,
            indeterminate: false,
            n_weights: 0,
            addresses: Addresses::default(),
        }
    }
}

impl Terms<'_> {
    fn simple(&mut self, term: Term) -> Term {
        self.rewriter.term(self.model, term)
    }

    pub fn constant(&mut self, width: Width, bits: u64) -> Term {
        self.model.constant_term(width, bits)
    }

    pub fn truth(&mut self, value: bool) -> Term {
        self.model.truth(value)
    }

    /// The number that a term is, if it is one.
    pub fn known(&self, term: Term) -> Option<u64> {
        self.model.constant(term)
    }

    pub fn is_true(&self, term: Term) -> bool {
        self.known(term) == Some(1)
    }

    pub fn is_false(&self, term: Term) -> bool {
        self.known(term) == Some(0)
    }

    /// Whether nobody will ever look at a value that was written where this is true.
    pub fn is_forgotten(&self, written: Term) -> bool {
        self.is_false(written) && !self.indeterminate
    }

    pub fn width(&self, term: Term) -> Width {
        self.model.width(term)
    }

    pub fn op(&mut self, op: IntOp, a: Term, b: Term) -> Term {
        let term = self.model.op(op, a, b);
        self.simple(term)
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.op(IntOp::Add, a, b)
    }

    pub fn unary(&mut self, op: IntUnary, a: Term) -> Term {
        let term = self.model.unary(op, a);
        self.simple(term)
    }

    pub fn compare(&mut self, cmp: IntCmp, a: Term, b: Term) -> Term {
        let term = self.model.compare(cmp, a, b);
        self.simple(term)
    }

    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        self.compare(IntCmp::Eq, a, b)
    }

    /// Whether a term has a value.
    pub fn is(&mut self, a: Term, bits: u64) -> Term {
        let constant = self.constant(self.width(a), bits);
        self.equal(a, constant)
    }

    pub fn guard(&mut self, guard: Guard, a: Term, b: Term) -> Term {
        let term = self.model.guard(guard, a, b);
        self.simple(term)
    }

    pub fn cast(&mut self, cast: Cast, a: Term, to: Width) -> Term {
        let term = self.model.add(Node::Cast(cast, a), to);
        self.simple(term)
    }

    /// A function of floats, by rank.
    pub fn float(&mut self, function: FloatFn, w: FloatWidth, operands: &[Term]) -> Term {
        let term = self.model.float(function, w, operands);
        self.simple(term)
    }

    /// A term that the model puts together.
    pub fn made(&mut self, make: impl FnOnce(&mut Model) -> Term) -> Term {
        let term = make(self.model);
        self.simple(term)
    }

    pub fn resize(&mut self, a: Term, to: Width, signed: bool) -> Term {
        let term = self.model.resize(a, to, signed);
        self.simple(term)
    }

    pub fn not(&mut self, a: Term) -> Term {
        let term = self.model.not(a);
        self.simple(term)
    }

    pub fn select(&mut self, condition: Term, a: Term, b: Term) -> Term {
        match self.known(condition) {
            _ if a == b => a,
            Some(1) => a,
            Some(_) => b,
            None => {
                let term = self.model.select(condition, a, b);
                self.simple(term)
            }
        }
    }

    pub fn both(&mut self, a: Term, b: Term) -> Term {
        self.all(&[a, b])
    }

    pub fn all(&mut self, items: &[Term]) -> Term {
        let term = self.model.all(items.iter().copied());
        self.simple(term)
    }

    pub fn any(&mut self, items: &[Term]) -> Term {
        let term = self.model.any(items.iter().copied());
        self.simple(term)
    }

    /// Whether the second follows from the first.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not = self.not(a);
        self.any(&[not, b])
    }

    pub fn element(&mut self, index: Term, items: &[Term]) -> Term {
        let term = self.model.element(index, items.iter().copied());
        self.simple(term)
    }

    /// The item with a number; the index does not matter if they are all the same.
    pub fn pick(&mut self, index: Term, items: &[Term]) -> Term {
        match items.iter().all(|item| *item == items[0]) {
            true => items[0],
            false => self.element(index, items),
        }
    }

    /// `count` bits of a term from bit `from` on.
    pub fn extract(&mut self, a: Term, from: u32, count: Width) -> Term {
        let width = self.width(a);
        let amount = self.constant(width, u64::from(from));
        let shifted = if from == 0 { a } else { self.op(IntOp::LShr, a, amount) };
        self.resize(shifted, count, false)
    }

    /// A number that nobody knows.
    pub fn unknown(&mut self, width: Width) -> Term {
        self.unknown_as(width, Reading::Unsigned)
    }

    /// A value that nobody knows.
    pub fn unknown_as(&mut self, width: Width, reading: Reading) -> Term {
        self.n_unknown += 1;
        self.made_up(width, reading, None)
    }

    /// A number that nobody knows, but for two bounds that it keeps to, read as signed.
    pub fn unknown_between(&mut self, width: Width, low: i64, high: i64) -> Term {
        self.n_unknown += 1;
        let bits = |bound: i64| width.wrap(bound.cast_unsigned());
        self.made_up(width, Reading::Signed, Some((bits(low), bits(high))))
    }

    /// A value that nobody knows, and that matters only where a condition is true.
    pub fn unknown_where(&mut self, width: Width, condition: Term, what: &'static str) -> Term {
        self.doubt(condition, what);
        self.made_up(width, Reading::Unsigned, None)
    }

    /// Something that was made up matters where a condition is true.
    pub fn doubt(&mut self, condition: Term, what: &'static str) {
        self.doubts.push((condition, what));
        self.n_doubts += 1;
    }

    fn made_up(&mut self, width: Width, reading: Reading, range: Option<(u64, u64)>) -> Term {
        let name = format!("unknown{}", self.model.vars().len());
        let var = self.model.add_var(VarInfo { name, width, reading, range, role: Role::Local });
        self.model.var_term(var)
    }

    /// A random number: the same in every run of the program, but different for every call.
    pub fn new_weight(&mut self) -> u128 {
        self.n_weights += 1;
        let (low, high) = (mixed(2 * self.n_weights), mixed(2 * self.n_weights + 1));
        u128::from(high) << 64 | u128::from(low)
    }

    pub fn new_var(
        &mut self,
        name: String,
        width: Width,
        reading: Reading,
        range: Option<(u64, u64)>,
    ) -> Var {
        self.model.add_var(VarInfo { name, width, reading, range, role: Role::Input })
    }
}

/// The finalizer of SplitMix64 (Steele et al., 2014): a bijection that looks random.
fn mixed(n: u64) -> u64 {
    let mut bits = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
