//! Values as C text: arguments written as C initialisers, and memory printed back in the same form.

mod constant;
mod inputs;
mod lexer;
mod parser;
mod place;
mod print;

pub use inputs::TextInputs;
pub use parser::parse_arguments;
pub use place::{place_argument, place_object};
pub use print::{print_object, print_value};

/// A value written as a C initialiser.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueText {
    /// Where it starts in the text.
    pub at: usize,
    /// What it is.
    pub kind: ValueKind,
}

/// What an initialiser is.
#[derive(Clone, PartialEq, Debug)]
pub enum ValueKind {
    /// A constant expression.
    Constant(Expr),
    /// The bytes of a string literal, without the terminating zero.
    String(Vec<u8>),
    /// `{ ... }`.
    Braces(Vec<Element>),
    /// `&` and a value: the address of a new object that holds it.
    AddressOf(Box<ValueText>),
    /// `&name` or `&name+bytes`: an address in a global object or of a function.
    AddressOfName(String, i64),
}

/// One item between braces.
#[derive(Clone, PartialEq, Debug)]
pub struct Element {
    /// Which part it initialises; the next one if empty.
    pub designators: Vec<Designator>,
    /// Its value.
    pub value: ValueText,
}

/// A step to a part of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Designator {
    /// `.name`.
    Field(String),
    /// `[index]`.
    Index(u64),
}

/// A constant expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// Where it stands.
    pub at: usize,
    /// What it computes.
    pub kind: ExprKind,
}

/// What a constant expression computes.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// An integer literal.
    Integer {
        /// Its value.
        value: u64,
        /// Whether it is written in decimal, so that it never becomes unsigned by itself.
        decimal: bool,
        /// The letters behind it, in lower case.
        suffix: String,
    },
    /// A character literal.
    Char(u8),
    /// A float literal; true for a `float`.
    Float(f64, bool),
    /// The name of a constant.
    Name(String),
    /// `-`, `+`, `~` or `!`.
    Unary(u8, Box<Expr>),
    /// `+ - * / % & | ^`, or `<` and `>` for the shifts.
    Binary(u8, Box<Expr>, Box<Expr>),
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The byte at which it was noticed.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "column {}: {}", self.at + 1, self.message)
    }
}

impl std::error::Error for TextError {}

fn error<T>(at: usize, message: impl Into<String>) -> Result<T, TextError> {
    Err(TextError { at, message: message.into() })
}
