//! The compiled program against the interpreter.

mod control;
mod endings;
mod inputs;
mod random;
mod support;
