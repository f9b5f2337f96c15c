//! Where the source declares an input, for messages that show it.

use quipu_base::Id;
use quipu_cfront::{Program, Snippet};
use quipu_ir::{Func, Span};

use crate::render;

/// The line that declares an input of a function: its parameter, the global that it is a part of, else the function.
pub fn snippet(program: &Program, func: Func, input: &str) -> Option<Snippet> {
    render::snippet(program, place(program, func, input))
}

/// The place of that declaration.
pub fn place(program: &Program, func: Func, input: &str) -> Span {
    let module = &program.module;
    let function = &module.functions[func];
    let root = root(input);
    if function.params.iter().any(|param| param.name.as_deref() == Some(root)) {
        return parameter(program, function.span, root).unwrap_or(function.span);
    }
    let global = module.globals.iter().find(|global| global.source_name.as_deref() == Some(root));
    global.map_or(function.span, |global| global.span)
}

/// The parameter or global in which an input stands: `p` for `p->next[2].x`.
fn root(input: &str) -> &str {
    let input = input.trim_start_matches(['(', '*']);
    let end = input.find(|letter: char| !is_word(letter)).unwrap_or(input.len());
    &input[..end]
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$' || !letter.is_ascii()
}

/// The name of a parameter in the list behind the name of its function. Only the text is looked at, since the place is
/// just shown: the first such word with which a declarator can end, so that `struct s *s` names the second.
fn parameter(program: &Program, function: Span, name: &str) -> Option<Span> {
    const MOST_LINES: u32 = 64;
    let source = program.sources.get(function.file.index())?;
    let mut in_comment = false;
    for number in function.end_line..function.end_line + MOST_LINES {
        let text = source.line(number);
        let from = if number == function.end_line { function.end_column as usize - 1 } else { 0 };
        let line = without_comments(&text, &mut in_comment);
        let found = words(&line)
            .find(|&(at, word)| at >= from && word == name && ends_declarator(&line[at + word.len()..]));
        if let Some((at, _)) = found {
            let column = at as u32 + 1;
            let end_column = column + name.len() as u32;
            return Some(Span { file: function.file, line: number, column, end_line: number, end_column });
        }
        if line.get(from..).is_some_and(|rest| rest.contains(['{', ';'])) {
            return None;
        }
    }
    None
}

fn ends_declarator(rest: &str) -> bool {
    matches!(rest.trim_start().chars().next(), None | Some(',' | ')' | '[' | '(' | ';'))
}

/// The line with blanks instead of comments, so that columns stay.
fn without_comments(line: &str, in_comment: &mut bool) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let mark = if *in_comment { "*/" } else { "/*" };
        if rest.starts_with(mark) {
            *in_comment = !*in_comment;
            out.push_str("  ");
            rest = &rest[2..];
        } else if !*in_comment && rest.starts_with("//") {
            break;
        } else {
            match *in_comment {
                true => out.push_str(&" ".repeat(letter.len_utf8())),
                false => out.push(letter),
            }
            rest = &rest[letter.len_utf8()..];
        }
    }
    out
}

/// The words of a line, with the bytes at which they start.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let starts = line.char_indices().scan(false, |inside, (at, letter)| {
        let starts = is_word(letter) && !*inside;
        *inside = is_word(letter);
        Some(starts.then_some(at))
    });
    starts.flatten().map(|at| {
        let rest = &line[at..];
        (at, &rest[..rest.find(|letter: char| !is_word(letter)).unwrap_or(rest.len())])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_have_roots() {
        assert_eq!(root("p->next[2].x"), "p");
        assert_eq!(root("(*p)"), "p");
        assert_eq!(root("count"), "count");
    }

    #[test]
    fn comments_are_blank() {
        let mut inside = false;
        assert_eq!(without_comments("a /* é */ b // c", &mut inside), "a          b ");
        assert_eq!(without_comments("a /* b", &mut inside), "a     ");
        assert!(inside);
        assert_eq!(without_comments("c */ d", &mut inside), "     d");
    }

    #[test]
    fn words_have_places() {
        let found: Vec<_> = words("struct s *s, int n_2[3]").collect();
        assert_eq!(found, [(0, "struct"), (7, "s"), (10, "s"), (13, "int"), (17, "n_2"), (21, "3")]);
    }
}
