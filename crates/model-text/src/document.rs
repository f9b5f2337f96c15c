//! What a text says.

use quipu_model::{Model, Var};

use crate::query::Query;
use crate::types::Type;

/// A model with the questions about it and the names it was written with.
#[derive(Clone, Debug)]
pub struct Document {
    pub model: Model,
    pub queries: Vec<Query>,
    /// The variables and arrays declared at the top level, in the order of the text.
    pub names: Vec<Named>,
}

/// A declared variable or array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub name: String,
    pub ty: Type,
    /// Whether it is an array, perhaps of one element.
    pub array: bool,
    /// The variable, or the elements of the array.
    pub vars: Vec<Var>,
}

impl Document {
    /// The variable or array with this name.
    pub fn named(&self, name: &str) -> Option<&Named> {
        self.names.iter().find(|named| named.name == name)
    }
}
