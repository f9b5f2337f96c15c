//! Numbers: read from strings, and divided.
//!
//! A number in a string is found byte by byte: which of some states a byte is read in decides what it means. So the
//! bytes are those that the interpreter reads, in the same order.

use std::rc::Rc;

use quipu_ir::{Event, Ty};
use quipu_model::Term;
use quipu_num::{Guard, IntCmp, IntOp, Width};

use super::view::{Reach, View};
use super::{Call, Called};
use crate::block::Flow;
use crate::content::{Background, Content, Stretch};
use crate::encoder::{Engine, Here};
use crate::memory::ObjectId;
use crate::symbol::Symbol;

/// An integer in a string.
struct Integer {
    /// The bytes up to its end; 0 if there is none.
    length: Term,
    negative: Term,
    /// The absolute value modulo 2^64, and whether that is it.
    magnitude: Term,
    fits: Term,
}

/// In which state a byte is read: at most one of these is true.
#[derive(Clone, Copy)]
struct States {
    /// Only white space was read.
    space: Term,
    /// A sign was read.
    sign: Term,
    /// A zero was read that may be the start of a prefix.
    zero: Term,
    /// A zero and an `x` were read.
    prefix: Term,
    /// Digits were read, of one of the bases.
    digits: [Term; 3],
}

/// The bases that a number may turn out to have.
/// A base that is given stands in the last place.
const BASES: [u64; 3] = [8, 10, 16];

/// What was read so far.
#[derive(Clone, Copy)]
struct Sum {
    magnitude: Term,
    fits: Term,
    /// No magnitude is greater.
    most: u128,
}

const EINVAL: u64 = 22;
const ERANGE: u64 = 34;

impl Engine<'_> {
    /// `errno` before the call.
    pub(crate) fn clear_errno(&mut self, place: ObjectId) {
        let content = Content::new(&mut self.terms, Background::Bytes(Rc::default()));
        self.state.memory.set(place, Rc::new(content));
    }

    /// `atoi`, `atol`, `atoll`: the narrower `atoi` keeps the low bits of a `long`, as glibc does.
    pub(super) fn number_in_string(&mut self, call: &Call<'_>) -> Called {
        let found = self.integer_at(call, 10)?;
        let width = call.width().max(self.address);
        let (value, _) = self.signed_value(&found, width);
        self.number(call, value)
    }

    /// `strtol` and its relatives.
    pub(super) fn number_and_end(&mut self, call: &Call<'_>, signed: bool) -> Called {
        let base = match self.terms.known(call.args[2].int()) {
            Some(base @ (0 | 2..=36)) => base,
            Some(_) => {
                let always = self.terms.truth(true);
                self.set_errno(EINVAL, always);
                return self.nothing(call);
            }
            None => {
                self.unsupported(call.here, format!("`{}` with a base that depends on inputs", call.name));
                return None;
            }
        };
        let found = self.integer_at(call, base)?;
        self.store_end(call, found.length)?;
        let width = call.width();
        let (value, in_range) =
            if signed { self.signed_value(&found, width) } else { self.unsigned_value(&found, width) };
        let out_of_range = self.terms.not(in_range);
        self.set_errno(ERANGE, out_of_range);
        self.number(call, value)
    }

    /// Stores where a number ends, unless the place for that is null.
    pub(super) fn store_end(&mut self, call: &Call<'_>, length: Term) -> Option<()> {
        let null = self.null_pointer(call.pointer(1));
        let place = self.not_null(call.pointer(1));
        let end = self.moved(call.pointer(0), length);
        self.fork(
            null,
            |_| Some(None),
            |engine| {
                engine.store_pointer(call.here, &place, &end)?;
                Some(None)
            },
        )?;
        Some(())
    }

    pub(super) fn set_errno(&mut self, number: u64, when: Term) {
        if self.terms.is_false(when) {
            return;
        }
        let value = Symbol::Int(self.terms.constant(Width::W32, number));
        let always = self.terms.truth(true);
        let stretch = Stretch { at: 0, bits: 32, ty: Ty::I32, address: self.address };
        let mut content = (*self.content(self.library.errno)).clone();
        content.write(&mut self.terms, stretch, when, &value, always);
        self.state.memory.set(self.library.errno, Rc::new(content));
    }

    fn integer_at(&mut self, call: &Call<'_>, base: u64) -> Option<Integer> {
        let mut view = self.view(call.here, call.pointer(0))?;
        self.integer_in(call.here, &mut view, base)
    }

    fn integer_in(&mut self, here: Here, view: &mut View, base: u64) -> Option<Integer> {
        let (never, always) = (self.terms.truth(false), self.terms.truth(true));
        let mut states =
            States { space: always, sign: never, zero: never, prefix: never, digits: [never; 3] };
        let mut sum = Sum { magnitude: self.terms.constant(Width::W64, 0), fits: always, most: 0 };
        let mut length = self.terms.constant(self.address, 0);
        let mut negative = Vec::new();
        let reach = Reach { open: always, limit: None };
        self.scan(here, view, reach, |engine, k, byte, _| {
            let step = engine.number_step(states, byte, base);
            negative.push(step.minus);
            let behind = engine.terms.constant(engine.address, k + 1);
            let digit = engine.terms.any(&[step.digits[0].0, step.digits[1].0, step.digits[2].0]);
            let counted = engine.terms.any(&[digit, step.next.zero]);
            length = engine.terms.select(counted, behind, length);
            sum = engine.append_digit(sum, &step.digits, base);
            states = step.next;
            let goes_on = [states.space, states.sign, states.zero, states.prefix];
            let digits = engine.terms.any(&states.digits);
            let others = engine.terms.any(&goes_on);
            engine.terms.any(&[digits, others])
        })?;
        let negative = self.terms.any(&negative);
        Some(Integer { length, negative, magnitude: sum.magnitude, fits: sum.fits })
    }

    /// What a byte means in some states.
    fn number_step(&mut self, states: States, byte: Term, base: u64) -> Step {
        let white = self.is_white(byte);
        let space = self.link(states.space, white);
        let (minus, plus) = (self.terms.is(byte, u64::from(b'-')), self.terms.is(byte, u64::from(b'+')));
        let minus = self.link(states.space, minus);
        let plus = self.link(states.space, plus);
        let sign = self.terms.any(&[minus, plus]);
        let fresh = self.terms.any(&[states.space, states.sign]);
        let is_zero = self.terms.is(byte, u64::from(b'0'));
        let prefixed = base == 0 || base == 16;
        let zero = if prefixed { self.link(fresh, is_zero) } else { self.terms.truth(false) };
        let case = self.terms.constant(Width::W8, 32);
        let folded = self.terms.op(IntOp::Or, byte, case);
        let is_x = self.terms.is(folded, u64::from(b'x'));
        let prefix = self.link(states.zero, is_x);
        let digits = self.digit_steps(states, byte, base, fresh, zero);
        let digits_next = digits.map(|(taken, _)| taken);
        let next = States { space, sign, zero, prefix, digits: digits_next };
        Step { next, minus, digits }
    }

    /// Whether a byte is white space.
    pub(super) fn is_white(&mut self, byte: Term) -> Term {
        let terms = &mut self.terms;
        let blank = terms.is(byte, u64::from(b' '));
        let first = terms.constant(Width::W8, 9);
        let distance = terms.op(IntOp::Sub, byte, first);
        let most = terms.constant(Width::W8, 4);
        let control = terms.compare(IntCmp::Ule, distance, most);
        terms.any(&[blank, control])
    }

    /// For each base whether the byte is a digit that counts, and its value.
    fn digit_steps(
        &mut self,
        states: States,
        byte: Term,
        base: u64,
        fresh: Term,
        zero: Term,
    ) -> [(Term, Term); 3] {
        let never = self.terms.truth(false);
        let nothing = self.terms.constant(Width::W8, 0);
        let not_zero = self.terms.not(zero);
        let (octal, decimal, last) = match base {
            0 => (
                self.terms.any(&[states.zero, states.digits[0]]),
                self.terms.any(&[fresh, states.digits[1]]),
                self.terms.any(&[states.prefix, states.digits[2]]),
            ),
            16 => {
                let open = [fresh, states.zero, states.prefix, states.digits[2]];
                (never, never, self.terms.any(&open))
            }
            _ => (never, never, self.terms.any(&[fresh, states.digits[2]])),
        };
        let last_base = if base == 0 { 16 } else { base };
        let bases = [(octal, BASES[0]), (decimal, BASES[1]), (last, last_base)];
        bases.map(|(open, base)| {
            if self.terms.is_false(open) {
                return (never, nothing);
            }
            let (is_digit, value) = self.digit(byte, base);
            let taken = self.link(open, is_digit);
            (self.link(taken, not_zero), value)
        })
    }

    /// Whether a byte is a digit, and its value if it is.
    pub(super) fn digit(&mut self, byte: Term, base: u64) -> (Term, Term) {
        let zero = self.terms.constant(Width::W8, u64::from(b'0'));
        let value = self.terms.op(IntOp::Sub, byte, zero);
        let most = self.terms.constant(Width::W8, base.min(10) - 1);
        let is_decimal = self.terms.compare(IntCmp::Ule, value, most);
        if base <= 10 {
            return (is_decimal, value);
        }
        let case = self.terms.constant(Width::W8, 32);
        let folded = self.terms.op(IntOp::Or, byte, case);
        let first = self.terms.constant(Width::W8, u64::from(b'a'));
        let letter = self.terms.op(IntOp::Sub, folded, first);
        let most = self.terms.constant(Width::W8, base - 11);
        let is_letter = self.terms.compare(IntCmp::Ule, letter, most);
        let ten = self.terms.constant(Width::W8, 10);
        let letter = self.terms.add(letter, ten);
        let value = self.terms.select(is_decimal, value, letter);
        (self.terms.any(&[is_decimal, is_letter]), value)
    }

    fn append_digit(&mut self, sum: Sum, digits: &[(Term, Term); 3], base: u64) -> Sum {
        let Sum { mut magnitude, mut fits, most } = sum;
        let last_base = if base == 0 { 16 } else { base };
        for (&(taken, value), base) in digits.iter().zip([BASES[0], BASES[1], last_base]) {
            if self.terms.is_false(taken) {
                continue;
            }
            let digit = self.terms.resize(value, Width::W64, false);
            let factor = self.terms.constant(Width::W64, base);
            let product = self.terms.op(IntOp::Mul, sum.magnitude, factor);
            let longer = self.terms.add(product, digit);
            magnitude = self.terms.select(taken, longer, magnitude);
            if most * u128::from(base) + u128::from(base - 1) > u128::from(u64::MAX) {
                let fine = self.fits_behind(sum.magnitude, digit, base);
                let overflow = self.terms.not(fine);
                let overflow = self.terms.both(taken, overflow);
                let fine = self.terms.not(overflow);
                fits = self.link(fits, fine);
            }
        }
        let most = (most * u128::from(last_base) + u128::from(last_base - 1)).min(u128::from(u64::MAX));
        Sum { magnitude, fits, most }
    }

    /// Whether a number with one more digit has at most 64 bits.
    fn fits_behind(&mut self, magnitude: Term, digit: Term, base: u64) -> Term {
        let (most, rest) = (u64::MAX / base, u64::MAX % base);
        let most = self.terms.constant(Width::W64, most);
        let rest = self.terms.constant(Width::W64, rest);
        let less = self.terms.compare(IntCmp::Ult, magnitude, most);
        let equal = self.terms.equal(magnitude, most);
        let small = self.terms.compare(IntCmp::Ule, digit, rest);
        let just = self.terms.both(equal, small);
        self.terms.any(&[less, just])
    }

    /// The value clamped to a signed width, and whether it was in range.
    fn signed_value(&mut self, found: &Integer, width: Width) -> (Term, Term) {
        let least = self.terms.constant(Width::W64, width.min_signed());
        let greatest = self.terms.constant(Width::W64, width.max_signed());
        let limit = self.terms.select(found.negative, least, greatest);
        let small = self.terms.compare(IntCmp::Ule, found.magnitude, limit);
        let in_range = self.terms.both(found.fits, small);
        let magnitude = self.terms.select(in_range, found.magnitude, limit);
        (self.with_sign(magnitude, found.negative, width), in_range)
    }

    /// The value modulo an unsigned width (a minus sign negates), or the largest if out of range.
    fn unsigned_value(&mut self, found: &Integer, width: Width) -> (Term, Term) {
        let limit = self.terms.constant(Width::W64, width.mask());
        let small = self.terms.compare(IntCmp::Ule, found.magnitude, limit);
        let in_range = self.terms.both(found.fits, small);
        let value = self.with_sign(found.magnitude, found.negative, width);
        let limit = self.terms.constant(width, width.mask());
        (self.terms.select(in_range, value, limit), in_range)
    }

    fn with_sign(&mut self, magnitude: Term, negative: Term, width: Width) -> Term {
        let zero = self.terms.constant(Width::W64, 0);
        let negated = self.terms.op(IntOp::Sub, zero, magnitude);
        let value = self.terms.select(negative, negated, magnitude);
        self.terms.resize(value, width, false)
    }

    /// `abs` and its relatives.
    pub(super) fn absolute(&mut self, here: Here, value: &Symbol) -> Symbol {
        let value = value.int();
        let width = self.terms.width(value);
        let zero = self.terms.constant(width, 0);
        let fits = self.terms.guard(Guard::SubFits(width), zero, value);
        self.check(here, fits, Event::SignedOverflow);
        let negative = self.terms.compare(IntCmp::Slt, value, zero);
        let negated = self.terms.op(IntOp::Sub, zero, value);
        Symbol::Int(self.terms.select(negative, negated, value))
    }

    /// `div` and its relatives: the quotient, then the remainder, in the struct behind the hidden parameter.
    pub(super) fn divide(&mut self, call: &Call<'_>) -> Called {
        let (a, b) = (call.args[1].int(), call.args[2].int());
        let width = self.terms.width(a);
        let defined = self.terms.guard(Guard::NonZero(width), a, b);
        self.check(call.here, defined, Event::DivisionByZero);
        let defined = self.terms.guard(Guard::QuotientFits(width), a, b);
        self.check(call.here, defined, Event::DivisionOverflow);
        let bytes = width.bits() / 8;
        let skipped = self.terms.constant(self.address, u64::from(bytes));
        let second = call.pointer(0).moved(&mut self.terms, skipped);
        for (op, place) in [(IntOp::SDiv, &**call.pointer(0)), (IntOp::SRem, &second)] {
            let value = Symbol::Int(self.terms.op(op, a, b));
            let ty = Ty::Int(width);
            if self.store(call.here, place, ty, width.bits(), 0, &value, bytes) == Flow::Stopped {
                return None;
            }
        }
        Some(None)
    }
}

/// What a byte leads to.
struct Step {
    next: States,
    /// It is the sign of a negative number.
    minus: Term,
    /// For each base whether it is a digit that counts, and its value.
    digits: [(Term, Term); 3],
}
