//! Where the keyword of a loop stands.

use quipu_cfront::Program;
use quipu_ir::{Block, DecisionKind, FileId, Func, Terminator};

/// The line and the column of the keyword of a loop that decides at its head whether it goes on: of `while` and `for`.
pub(super) fn keyword(program: &Program, func: Func, head: Block) -> Option<(FileId, (u32, u32))> {
    use quipu_base::Id;
    let code = program.module.functions[func].code()?;
    let Terminator::Branch { cond: Some(cond), .. } = code.blocks[head].term else { return None };
    let decision = &code.decisions[code.conds[cond].decision];
    if !matches!(decision.kind, DecisionKind::While | DecisionKind::For) {
        return None;
    }
    let source = program.sources.get(decision.span.file.index())?;
    let at = before_parenthesis(|line| source.line(line), decision.span.line, decision.span.column)?;
    Some((decision.span.file, at))
}

/// The word in front of the parenthesis that a place stands in, if it is the keyword of a loop.
fn before_parenthesis(line: impl Fn(u32) -> String, start: u32, column: u32) -> Option<(u32, u32)> {
    let mut open = 0;
    let mut found = false;
    for number in (1..=start).rev() {
        let text = line(number).into_bytes();
        let end =
            if number == start { (column as usize).saturating_sub(1).min(text.len()) } else { text.len() };
        for at in (0..end).rev() {
            match text[at] {
                b')' if !found => open += 1,
                b'(' if !found && open > 0 => open -= 1,
                b'(' if !found => found = true,
                letter if found && !letter.is_ascii_whitespace() => {
                    let word =
                        ["while", "for"].into_iter().find(|word| text[..=at].ends_with(word.as_bytes()))?;
                    let first = at + 1 - word.len();
                    let alone =
                        first == 0 || !(text[first - 1].is_ascii_alphanumeric() || text[first - 1] == b'_');
                    return alone.then(|| (number, first as u32 + 1));
                }
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keyword_stands_before_the_parenthesis() {
        let text = ["  for (int i = f(1); i < 3; i++)", "  while", "  ( x )", "  if (y)", "  meanwhile (z)"];
        let line = |number: u32| text[number as usize - 1].to_string();
        assert_eq!(before_parenthesis(line, 1, 22), Some((1, 3)));
        assert_eq!(before_parenthesis(line, 3, 5), Some((2, 3)));
        assert_eq!(before_parenthesis(line, 4, 7), None);
        assert_eq!(before_parenthesis(line, 5, 14), None);
    }
}
