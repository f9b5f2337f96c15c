//! A first look over the text: which globals and functions it declares, and how many values they mention.
//!
//! Names may be used before they are declared, so the parser needs them before it starts. Errors are left
//! to the parser, which comes to the same places.

use std::borrow::Cow;

use quipu_base::Id;
use rustc_hash::FxHashMap;

use super::lexer::{Lexer, Token, unescape_text};
use crate::module::{Func, Global, Symbol};

/// What the text declares.
#[derive(Default)]
pub(super) struct Symbols<'a> {
    by_name: FxHashMap<Cow<'a, str>, Symbol>,
    mentions: Vec<Mentions>,
    n_globals: usize,
}

/// How a function's text mentions values.
#[derive(Clone, Copy, Default)]
pub(super) struct Mentions {
    /// How often.
    pub(super) count: usize,
    /// One more than the largest number.
    pub(super) end: usize,
}

impl<'a> Symbols<'a> {
    /// The declarations of a text.
    pub(super) fn scan(text: &'a str) -> Self {
        let mut symbols = Symbols::default();
        let mut lexer = Lexer::new(text);
        let mut depth = 0usize;
        let mut keyword = "";
        loop {
            match lexer.next().0 {
                Token::End => return symbols,
                Token::Punct(b'(' | b'[' | b'{') => depth += 1,
                Token::Punct(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                Token::Word(word @ ("global" | "func")) if depth == 0 => keyword = word,
                Token::Symbol(name) if depth == 0 && !keyword.is_empty() => {
                    symbols.declare(std::mem::take(&mut keyword), Cow::Borrowed(name));
                }
                Token::QuotedSymbol(escaped) if depth == 0 && !keyword.is_empty() => {
                    let name = unescape_text(escaped).unwrap_or_default();
                    symbols.declare(std::mem::take(&mut keyword), name);
                }
                Token::Value(number) => symbols.mention(number),
                _ => {}
            }
        }
    }

    /// The symbol of a name; of two declarations of one name, the first.
    pub(super) fn get(&self, name: &str) -> Option<Symbol> {
        self.by_name.get(name).copied()
    }

    /// How a function mentions values.
    pub(super) fn mentions(&self, func: Func) -> Mentions {
        self.mentions.get(func.index()).copied().unwrap_or_default()
    }

    fn declare(&mut self, keyword: &str, name: Cow<'a, str>) {
        let symbol = if keyword == "global" {
            self.n_globals += 1;
            Symbol::Global(Global::new(self.n_globals - 1))
        } else {
            self.mentions.push(Mentions::default());
            Symbol::Func(Func::new(self.mentions.len() - 1))
        };
        self.by_name.entry(name).or_insert(symbol);
    }

    fn mention(&mut self, number: u32) {
        if let Some(mentions) = self.mentions.last_mut() {
            let end = usize::try_from(number).map_or(usize::MAX, |n| n.saturating_add(1));
            mentions.count += 1;
            mentions.end = mentions.end.max(end);
        }
    }
}
