//! What the environment supplies to a run: results of unknown functions, bytes read, scanned numbers.

use quipu_ir::{Span, Ty};

/// A request for one value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InputRequest<'a> {
    /// The function whose call needs it, by its name in the source.
    pub function: &'a str,
    /// The type of the value.
    pub ty: Ty,
    /// What it is used for.
    pub kind: InputKind,
    /// The call, or the read of a volatile object.
    pub span: Span,
    /// For a read of a volatile object: what memory holds there.
    pub held: Option<Held>,
}

/// What memory holds where a volatile object is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    pub address: u64,
    /// The first bit of a bit-field.
    pub bit: Option<u32>,
    /// None if the program has not written all of it, and nothing is known about its start.
    pub bits: Option<u64>,
}

/// What an input value is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// The result of a function without a body and without a model, or of `__VERIFIER_nondet_*`.
    Result,
    /// A scalar member of the struct that such a function returns, in declaration order.
    ResultMember,
    /// A byte of the input as an `int`: 0 to 255, or -1 at its end.
    Byte,
    /// What comes where `scanf` wants a number: zero for a number, [`END_AHEAD`] or [`OTHER_AHEAD`].
    End,
    /// A number that `scanf` converts.
    Scanned,
    /// A reading of a clock or of a random generator.
    Environment,
    /// Whether an allocation fails: a truth value.
    Refusal,
    /// What a read of a volatile object gives; the request has no function.
    Volatile,
}

/// In the place of a byte: the end of the input, -1 as an `int`.
const END_BYTE: u64 = 0xffff_ffff;
/// The input ends before a number.
pub const END_AHEAD: u64 = 1;
/// Something else than a number comes.
pub const OTHER_AHEAD: u64 = 2;

impl InputKind {
    /// What somebody answers who has nothing more to say: the input ends, and everything else is zero. So a program
    /// that reads as long as there is something comes to an end.
    pub fn nothing_more(self) -> u64 {
        match self {
            InputKind::Byte => END_BYTE,
            InputKind::End => END_AHEAD,
            _ => 0,
        }
    }
}

impl InputRequest<'_> {
    /// The answer of somebody who supplies nothing but what a program asks for in calls: volatile objects hold what
    /// was written to them, nothing fails, and the input does not end before a list of answers does.
    pub(crate) fn without_saying(&self) -> Option<u64> {
        match self.kind {
            InputKind::End | InputKind::Refusal => Some(0),
            InputKind::Volatile => Some(self.held.and_then(|held| held.bits).unwrap_or(0)),
            _ => None,
        }
    }
}

/// Supplies the values that a run asks for. They are canonical bits of the requested type; other bits are
/// cut off.
pub trait InputSource {
    /// The next value, or none to end the run as [`Outcome::InputsExhausted`](crate::Outcome).
    fn next(&mut self, request: InputRequest<'_>) -> Option<u64>;
}

/// Answers every request with zero; pointers are null, and volatile objects hold what was written to them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroInputs;

impl InputSource for ZeroInputs {
    fn next(&mut self, request: InputRequest<'_>) -> Option<u64> {
        Some(request.without_saying().unwrap_or(0))
    }
}

/// Answers requests from a list, in order.
#[derive(Clone, Debug, Default)]
pub struct ListedInputs {
    values: Vec<u64>,
    used: usize,
}

impl ListedInputs {
    /// A source of these values.
    pub fn new(values: Vec<u64>) -> ListedInputs {
        ListedInputs { values, used: 0 }
    }

    /// How many values were asked for so far.
    pub fn used(&self) -> usize {
        self.used
    }
}

impl InputSource for ListedInputs {
    fn next(&mut self, request: InputRequest<'_>) -> Option<u64> {
        if let Some(answer) = request.without_saying() {
            return Some(answer);
        }
        let value = self.values.get(self.used).copied()?;
        self.used += 1;
        Some(value)
    }
}
