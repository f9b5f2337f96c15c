//! Inputs of a run, written as a list of constants.

use quipu_ir::Module;

use super::constant::{Constant, evaluate};
use super::{TextError, ValueKind, error, parse_arguments};
use crate::input::{InputRequest, InputSource};

/// Answers requests from a list of constants, each converted to the type that is asked for.
#[derive(Clone, Debug)]
pub struct TextInputs {
    values: std::vec::IntoIter<Constant>,
}

impl TextInputs {
    /// The inputs in a text such as `3, -4, 2.5, 'a'`.
    pub fn parse(module: &Module, text: &str) -> Result<TextInputs, TextError> {
        let constant = |value: &super::ValueText| match &value.kind {
            ValueKind::Constant(expr) => evaluate(module, expr),
            _ => error(value.at, "expected a number"),
        };
        let values: Vec<Constant> = parse_arguments(text)?.iter().map(constant).collect::<Result<_, _>>()?;
        Ok(TextInputs { values: values.into_iter() })
    }
}

impl InputSource for TextInputs {
    fn next(&mut self, request: InputRequest<'_>) -> Option<u64> {
        if let Some(answer) = request.without_saying() {
            return Some(answer);
        }
        self.values.next().map(|constant| constant.convert(request.ty, true))
    }
}
