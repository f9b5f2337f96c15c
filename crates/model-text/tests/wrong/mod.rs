//! What is said about texts that mean nothing.

use quipu_model_text::{Diagnostic, parse};

pub fn errors(text: &str) -> Vec<Diagnostic> {
    match parse(text) {
        Ok(_) => panic!("there should be an error in: {text}"),
        Err(errors) => errors,
    }
}

/// The only error of a text: the text it points at, the message and the hint.
pub fn error(text: &str) -> (String, String, String) {
    let errors = errors(text);
    assert_eq!(errors.len(), 1, "{errors:#?}");
    let Diagnostic { message, hint, span, .. } = errors[0].clone();
    (text[span].to_owned(), message, hint.unwrap_or_default())
}
