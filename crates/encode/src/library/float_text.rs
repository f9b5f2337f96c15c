//! Floats in strings: `strtod`, `strtof`, `atof`.
//!
//! Digits with or without a point are read exactly: while an integer and the power of ten below it are both floats, one
//! division rounds correctly (Clinger, "How to read floating point numbers accurately", 1990). What else a number may be,
//! exponents, hexadecimal digits, infinities, NaNs and more digits than that, is not followed: value, end and `errno` are
//! then unknown, and so is how far the string is read.

use quipu_ir::Ty;
use quipu_model::Term;
use quipu_num::{Cast, FloatFn, FloatOp, FloatUnary, FloatWidth, IntOp, Width, rank_of};

use super::view::Reach;
use super::{Call, Called};
use crate::encoder::{Engine, Here};
use crate::float::Float;
use crate::symbol::Symbol;

const ERANGE: u64 = 34;

/// What is not followed.
const UNKNOWN: &str = "a number in a string that is more than a few digits and a point";

/// How many digits an integer may have that surely is a float of a format, as are the powers of ten up to it.
fn exact_digits(w: FloatWidth) -> u64 {
    match w {
        FloatWidth::F32 => 7,
        FloatWidth::F64 => 15,
    }
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
    /// Digits were read, a zero alone included; digits and a point; a point alone.
    whole: Term,
    fraction: Term,
    point: Term,
}

/// A number in a string, as far as it was read.
struct Number {
    states: States,
    negative: Term,
    /// The digits as an integer, how many there are, and how many of them stand behind the point.
    digits: Term,
    count: Term,
    behind_point: Term,
    /// The bytes up to the last digit or point.
    length: Term,
    /// Whether it goes on in a way that is not followed.
    strange: Term,
}

impl Engine<'_> {
    /// `strtod` and `strtof`, or `atof`, which does not tell where the number ends.
    pub(super) fn float_in_string(&mut self, call: &Call<'_>, w: FloatWidth, tells_end: bool) -> Called {
        if call.ret != Some(Ty::Float(w)) {
            return self.unknown_function(call);
        }
        let number = self.float_text_at(call)?;
        let long = self.has_more_digits(&number, exact_digits(w));
        self.leave_unread(call.here, number.strange);
        let unfollowed = self.terms.any(&[number.strange, long]);
        let exact = self.float_of_digits(&number, w);
        let rank = match self.terms.is_false(unfollowed) {
            true => exact.rank,
            false => {
                let any = self.terms.unknown_where(w.width(), unfollowed, UNKNOWN);
                self.terms.select(unfollowed, any, exact.rank)
            }
        };
        // Before something is demanded of where the end is to be stored.
        self.note_doubts(call.here);
        if tells_end {
            let length = self.length_of(&number);
            self.store_end(call, length)?;
            self.maybe_out_of_range(unfollowed);
        }
        Some(Some(Symbol::Float(Float { width: w, rank })))
    }

    fn float_text_at(&mut self, call: &Call<'_>) -> Option<Number> {
        let mut view = self.view(call.here, call.pointer(0))?;
        let (never, always) = (self.terms.truth(false), self.terms.truth(true));
        let states =
            States { space: always, sign: never, zero: never, whole: never, fraction: never, point: never };
        let nothing = self.terms.constant(Width::W64, 0);
        let length = self.terms.constant(self.address, 0);
        let mut number = Number {
            states,
            negative: never,
            digits: nothing,
            count: nothing,
            behind_point: nothing,
            length,
            strange: never,
        };
        let reach = Reach { open: always, limit: None };
        self.scan(call.here, &mut view, reach, |engine, k, byte, _| engine.float_step(&mut number, k, byte))?;
        Some(number)
    }

    /// What a byte means. Whether the next one is read, too.
    fn float_step(&mut self, number: &mut Number, k: u64, byte: Term) -> Term {
        let before = number.states;
        let fresh = self.terms.any(&[before.space, before.sign]);
        let has_digits = self.terms.any(&[before.whole, before.fraction]);
        let letters = [(fresh, b'i'), (fresh, b'n'), (before.zero, b'x'), (has_digits, b'e')];
        for (open, letter) in letters {
            let is_letter = self.is_letter(byte, letter);
            let here = self.link(open, is_letter);
            number.strange = self.terms.any(&[number.strange, here]);
        }
        let white = self.is_white(byte);
        let [minus, plus, dot, zero] = [b'-', b'+', b'.', b'0'].map(|c| self.terms.is(byte, u64::from(c)));
        let (minus, plus) = (self.link(before.space, minus), self.link(before.space, plus));
        let (is_digit, value) = self.digit(byte, 10);
        let in_whole = self.terms.any(&[fresh, before.whole]);
        let behind_point = self.terms.any(&[before.fraction, before.point]);
        let whole = self.link(in_whole, is_digit);
        let counted = self.link(behind_point, is_digit);
        let dot_behind = self.link(before.whole, dot);
        let dot_first = self.link(fresh, dot);
        number.states = States {
            space: self.link(before.space, white),
            sign: self.terms.any(&[minus, plus]),
            zero: self.link(fresh, zero),
            whole,
            fraction: self.terms.any(&[counted, dot_behind]),
            point: dot_first,
        };
        number.negative = self.terms.any(&[number.negative, minus]);
        self.count_digit(number, value, whole, counted);
        let taken = self.terms.any(&[whole, counted, dot_behind, dot_first]);
        let behind = self.terms.constant(self.address, k + 1);
        number.length = self.terms.select(taken, behind, number.length);
        let States { space, sign, .. } = number.states;
        self.terms.any(&[space, sign, taken])
    }

    fn count_digit(&mut self, number: &mut Number, value: Term, whole: Term, counted: Term) {
        let digit = self.terms.resize(value, Width::W64, false);
        let [ten, one] = [10, 1].map(|n| self.terms.constant(Width::W64, n));
        let taken = self.terms.any(&[whole, counted]);
        let shifted = self.terms.op(IntOp::Mul, number.digits, ten);
        let longer = self.terms.add(shifted, digit);
        number.digits = self.terms.select(taken, longer, number.digits);
        let more = self.terms.add(number.count, one);
        number.count = self.terms.select(taken, more, number.count);
        let more = self.terms.add(number.behind_point, one);
        number.behind_point = self.terms.select(counted, more, number.behind_point);
    }

    fn is_letter(&mut self, byte: Term, letter: u8) -> Term {
        let case = self.terms.constant(Width::W8, 32);
        let folded = self.terms.op(IntOp::Or, byte, case);
        self.terms.is(folded, u64::from(letter))
    }

    fn has_more_digits(&mut self, number: &Number, most: u64) -> Term {
        let within = self.terms.constant(Width::W64, most);
        self.terms.compare(quipu_num::IntCmp::Ult, within, number.count)
    }

    /// The quotient of the digits and a power of ten: no more than the digits that are exact.
    fn float_of_digits(&mut self, number: &Number, w: FloatWidth) -> Float {
        let digits = self.terms.cast(Cast::UnsignedToFloat(Width::W64, w), number.digits, w.width());
        let powers: Vec<Term> = (0..=exact_digits(w))
            .map(|k| self.terms.constant(w.width(), rank_of(w, 10f64.powi(k as i32))))
            .collect();
        let power = self.terms.pick(number.behind_point, &powers);
        let size = self.terms.float(FloatFn::Op(FloatOp::Div), w, &[digits, power]);
        let opposite = self.terms.float(FloatFn::Unary(FloatUnary::Neg), w, &[size]);
        let none = self.terms.is(number.count, 0);
        let some = self.terms.not(none);
        let negative = self.terms.both(number.negative, some);
        Float { width: w, rank: self.terms.select(negative, opposite, size) }
    }

    /// Where the number ends: at its start if it has no digits.
    fn length_of(&mut self, number: &Number) -> Term {
        let none = self.terms.is(number.count, 0);
        let zero = self.terms.constant(self.address, 0);
        let length = self.terms.select(none, zero, number.length);
        if self.terms.is_false(number.strange) {
            return length;
        }
        let any = self.terms.unknown_where(self.address, number.strange, UNKNOWN);
        self.terms.select(number.strange, any, length)
    }

    /// A number that is not followed may be too large or too small.
    fn maybe_out_of_range(&mut self, unfollowed: Term) {
        if self.terms.is_false(unfollowed) {
            return;
        }
        let sets = self.terms.unknown_where(Width::W1, unfollowed, UNKNOWN);
        let error = self.terms.both(unfollowed, sets);
        self.set_errno(ERANGE, error);
    }

    /// Bytes that no check stands for are read where a condition is true.
    fn leave_unread(&mut self, here: Here, condition: Term) {
        if let Some(state) = self.state_if(condition) {
            let before = std::mem::replace(&mut self.state, state);
            self.leave_unchecked(here, UNKNOWN);
            self.state = before;
        }
    }
}
