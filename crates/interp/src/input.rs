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
    /// The call.
    pub span: Span,
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
    /// Whether the input ends before the next number that `scanf` wants: a truth value.
    End,
    /// A number that `scanf` converts.
    Scanned,
    /// A reading of a clock or of a random generator.
    Environment,
    /// Whether an allocation fails: a truth value.
    Refusal,
}

/// Supplies the values that a run asks for. They are canonical bits of the requested type; other bits are
/// cut off.
pub trait InputSource {
    /// The next value, or none to end the run as [`Outcome::InputsExhausted`](crate::Outcome).
    fn next(&mut self, request: InputRequest<'_>) -> Option<u64>;
}

/// Answers every request with zero; pointers are null.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroInputs;

impl InputSource for ZeroInputs {
    fn next(&mut self, _request: InputRequest<'_>) -> Option<u64> {
        Some(0)
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
        // A list of numbers goes on until it is exhausted, and does not tell what fails.
        if matches!(request.kind, InputKind::End | InputKind::Refusal) {
            return Some(0);
        }
        let value = self.values.get(self.used).copied()?;
        self.used += 1;
        Some(value)
    }
}
