//! Places of tokens that come from macros.
//!
//! A token from a macro's body stands where the macro is called. A token from a macro's *argument* stands where the
//! user wrote it, so that the conditions in `assert(a && b)` have places of their own. `rucc` tells only the outermost
//! call of a token. So that in `assert(p != NULL && LARGE(q))` what `NULL` and `LARGE` stand for is found at their own
//! places, each argument of a call is expanded once more for itself, where the calls in it are the outermost, and
//! the result is looked for in what the whole call became.
//!
//! A token that this does not find stands at the outermost call: in arguments that are expanded further, pasted or
//! made by macros defined anew since; in very long or deep calls; and where an argument is a mere macro name whose tokens appear more than once.

use std::ops::Range;

use rucc_base::Interner;
use rucc_diag::{BytePos, SourceMap, Span};
use rucc_lex::{Lexer, PpToken, PpTokenKind, Punct, TokenFlags};
use rucc_pp::{Expander, MacroTable, Tok};

/// Calls that become more tokens are tables of data, not conditions.
const LONGEST_EXPANSION: usize = 4096;

/// Arguments are expanded once for each call that they stand in, up to this many.
const DEEPEST_CALL: u32 = 16;

/// A comma between two arguments of a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Separator {
    /// Where it stands.
    pub(crate) at: BytePos,
    /// The call, from its name to the last bracket.
    pub(crate) call: (BytePos, BytePos),
}

/// The tokens of a unit with the places that a reader would point at, and what separates the arguments of calls, in
/// the order of places.
pub(crate) fn locate(
    tokens: &[Tok],
    macros: &MacroTable,
    sources: &SourceMap,
    interner: &mut Interner,
) -> (Vec<PpToken>, Vec<Separator>) {
    let expander = Expander::new();
    let mut finder = Finder { macros, sources, interner, expander, separators: Vec::new(), depth: 0 };
    let places = finder.places(tokens);
    let mut separators = finder.separators;
    separators.sort_unstable();
    separators.dedup();
    let located = tokens.iter().zip(places).map(|(token, span)| PpToken { span, ..token.to_pp() });
    (located.collect(), separators)
}

struct Finder<'a> {
    macros: &'a MacroTable,
    sources: &'a SourceMap,
    interner: &'a mut Interner,
    expander: Expander,
    separators: Vec<Separator>,
    /// How many calls the current tokens stand in.
    depth: u32,
}

/// An argument of a call, expanded for itself.
struct Argument {
    tokens: Vec<Tok>,
    places: Vec<Span>,
    /// Whether it contains what the user wrote, so that nothing else looks like it.
    is_unique: bool,
}

impl Finder<'_> {
    fn places(&mut self, tokens: &[Tok]) -> Vec<Span> {
        let mut places: Vec<Span> = tokens.iter().map(|token| outermost_place(token, self.sources)).collect();
        let mut start = 0;
        for run in tokens.chunk_by(|a, b| a.expansion == b.expansion) {
            let range = start..start + run.len();
            start = range.end;
            let is_short = run.len() <= LONGEST_EXPANSION && self.depth < DEEPEST_CALL;
            if !run[0].expansion.is_dummy() && is_short {
                self.refine(run, &mut places[range]);
            }
        }
        places
    }

    /// Finds the places of tokens that calls in the arguments of a call became.
    fn refine(&mut self, run: &[Tok], places: &mut [Span]) {
        let Some(call) = self.arguments(run[0].expansion) else { return };
        let with_macros = |argument: &Vec<PpToken>| argument.iter().any(|token| self.is_macro(token));
        let written: Vec<Vec<PpToken>> = call.into_iter().filter(with_macros).collect();
        let arguments: Vec<Argument> = written.iter().map(|argument| self.expand(argument)).collect();
        for (n, argument) in arguments.iter().enumerate() {
            let found = occurrences(&argument.tokens, run);
            let alike = |other: &&Argument| same_tokens(&other.tokens, &argument.tokens);
            let (before, behind) = (&arguments[..n], &arguments[n..]);
            let rank = before.iter().filter(alike).count();
            let n_alike = rank + behind.iter().filter(alike).count();
            let chosen: &[Range<usize>] = match found.len() {
                _ if argument.is_unique => &found,
                len if len == n_alike => &found[rank..=rank],
                _ => &[],
            };
            for range in chosen {
                places[range.clone()].copy_from_slice(&argument.places);
            }
        }
    }

    fn is_macro(&self, token: &PpToken) -> bool {
        token.kind == PpTokenKind::Ident && token.value.is_some_and(|name| self.macros.is_defined(name))
    }

    fn expand(&mut self, argument: &[PpToken]) -> Argument {
        let tokens = self.expander.expand(argument, self.macros, self.interner, self.sources);
        self.depth += 1;
        let places = self.places(&tokens);
        self.depth -= 1;
        let is_unique = tokens.iter().any(|token| argument.iter().any(|written| written.span == token.span));
        Argument { tokens, places, is_unique }
    }

    /// The arguments of the call of a function-like macro at a place, as they are written there.
    fn arguments(&mut self, call: Span) -> Option<Vec<Vec<PpToken>>> {
        let file = self.sources.file(self.sources.lookup_file(call.lo)?);
        if self.sources.is_system(call.lo) {
            return None;
        }
        let rest = file.bytes().get((call.lo - file.start) as usize..)?;
        let mut lexer = Lexer::new(rest, call.lo, rucc_lex::Options::new());
        let name = lexer.next_token(self.interner).value?;
        let is_call = self.macros.lookup(name).is_some_and(|definition| definition.function_like);
        if !is_call || lexer.next_token(self.interner).punct() != Some(Punct::LParen) {
            return None;
        }
        let (arguments, commas, end) = split_arguments(&mut lexer, self.interner)?;
        let call = (call.lo, end);
        self.separators.extend(commas.into_iter().map(|at| Separator { at, call }));
        Some(arguments)
    }
}

/// The arguments of a call whose first bracket is read, the commas between them, and the end of the call.
fn split_arguments(
    lexer: &mut Lexer<'_>,
    interner: &mut Interner,
) -> Option<(Vec<Vec<PpToken>>, Vec<BytePos>, BytePos)> {
    let mut arguments = vec![Vec::new()];
    let mut commas = Vec::new();
    let mut depth = 0usize;
    loop {
        let token = lexer.next_token(interner);
        let is_directive = token.punct() == Some(Punct::Hash) && token.flags.has(TokenFlags::START_OF_LINE);
        match token.punct() {
            _ if token.is_eof() || is_directive => return None,
            Some(Punct::RParen) if depth == 0 => return Some((arguments, commas, token.span.hi)),
            Some(Punct::Comma) if depth == 0 => {
                commas.push(token.span.lo);
                arguments.push(Vec::new());
                continue;
            }
            Some(Punct::LParen) => depth += 1,
            Some(Punct::RParen) => depth -= 1,
            _ => {}
        }
        arguments.last_mut().expect("there is a first argument").push(token);
    }
}

/// The place of a token by its outermost call.
fn outermost_place(token: &Tok, sources: &SourceMap) -> Span {
    let is_argument = !token.expansion.is_dummy() && is_written_in_call(token, sources);
    if is_argument { token.span } else { token.report_span() }
}

/// A macro is defined before it is called, so what is spelled behind the call in the same file can only be an
/// argument of that call.
fn is_written_in_call(token: &Tok, sources: &SourceMap) -> bool {
    let call = token.expansion.lo;
    token.span.lo > call
        && sources.lookup_file(call).is_some_and(|file| sources.file(file).contains(token.span.lo))
}

/// Where tokens stand among others, one place behind the other.
fn occurrences(wanted: &[Tok], tokens: &[Tok]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while !wanted.is_empty() && at + wanted.len() <= tokens.len() {
        let range = at..at + wanted.len();
        if same_tokens(wanted, &tokens[range.clone()]) {
            at = range.end;
            found.push(range);
        } else {
            at += 1;
        }
    }
    found
}

/// Whether tokens are the same ones, from the same place of a file.
fn same_tokens(a: &[Tok], b: &[Tok]) -> bool {
    let same = |(a, b): (&Tok, &Tok)| (a.kind, a.value, a.span) == (b.kind, b.value, b.span);
    a.len() == b.len() && a.iter().zip(b).all(same)
}
