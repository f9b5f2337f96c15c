//! Programs with marks: one template, from which the text for Quipu is made and the text that tells what its runs come to.
//!
//! | mark | in the program | in the program under attack |
//! | --- | --- | --- |
//! | `‹` | nothing | a statement starts |
//! | `⟦c⟧` | `c` | a decision is made |
//! | `⟨c⟩` | `c` | an atomic condition is evaluated |
//! | `⦃1, 2:e⦄` | `e` | a `switch` with these labels decides on `e` |
//! | `⟬c⟭` | `assert(c);` | an assertion is made |
//! | `⌈v⌉` | `v` | something volatile is read |
//! | `⦅` | nothing | a function is entered |
//! | `⟪a¦b⟫` | `a` | `b` |
//!
//! Both texts have the same lines, and no line has two decisions or statements, so that a line is enough to find a goal.

/// What a run that comes to a slot shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    pub line: u32,
    pub slot: u32,
    pub kind: SpotKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpotKind {
    Statement,
    /// With its outcome, as reports call it.
    Decision(String),
    /// With its number in the line, and its outcome.
    Condition(usize, String),
    /// It is violated.
    Assertion,
}

/// The texts made from a template.
#[derive(Clone, Default, Debug)]
pub struct Rendered {
    pub plain: String,
    pub marked: String,
    pub spots: Vec<Spot>,
}

/// Makes both texts.
pub fn render(template: &str) -> Rendered {
    let mut renderer = Renderer::default();
    for (line, text) in (1..).zip(indented(template).lines()) {
        renderer.line(line, text);
        renderer.out.plain.push('\n');
        renderer.out.marked.push('\n');
    }
    renderer.out
}

#[derive(Default)]
struct Renderer {
    out: Rendered,
    slots: u32,
}

/// Where a character of the template goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Both,
    Plain,
    Marked,
}

impl Renderer {
    fn line(&mut self, line: u32, text: &str) {
        let mut conditions = 0;
        let mut switch = String::new();
        let mut side = Side::Both;
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '⟪' => side = Side::Plain,
                '¦' => side = Side::Marked,
                '⟫' => side = Side::Both,
                '‹' => {
                    let slot = self.spots(line, vec![SpotKind::Statement]);
                    self.mark(&format!("qa_statement({slot}, {line}); "));
                }
                '⦅' => self.mark(&format!("QA_ENTER({line}); ")),
                '⟦' => {
                    let slot = self.spots(line, truths(SpotKind::Decision));
                    self.mark(&format!("qa_decision({slot}, (qa_line({line}), "));
                }
                '⟧' => self.mark("))"),
                '⟨' => {
                    let number = conditions;
                    conditions += 1;
                    let slot = self.spots(line, truths(|outcome| SpotKind::Condition(number, outcome)));
                    self.mark(&format!("qa_condition({slot}, "));
                }
                '⟩' => self.mark(")"),
                '⦃' => {
                    let labels: String = letters.by_ref().take_while(|&letter| letter != ':').collect();
                    let cases = labels.split(", ").map(|label| format!("case {label}"));
                    let kinds = cases.chain(["default".to_string()]).map(SpotKind::Decision).collect();
                    let slot = self.spots(line, kinds);
                    self.mark(&format!("QA_SWITCH({slot}, "));
                    switch = labels;
                }
                '⦄' => self.mark(&format!(", {switch})")),
                '⟬' => {
                    let slot = self.spots(line, vec![SpotKind::Assertion]);
                    self.push(Side::Plain, "assert(");
                    self.mark(&format!("qa_assertion({slot}, (qa_line({line}), "));
                }
                '⟭' => {
                    self.push(Side::Plain, ");");
                    self.mark("));");
                }
                '⌈' => self.mark("QA_VOLATILE("),
                '⌉' => self.mark(")"),
                other => self.push(side, other.encode_utf8(&mut [0; 4])),
            }
        }
    }

    /// New slots in a row; the first of them.
    fn spots(&mut self, line: u32, kinds: Vec<SpotKind>) -> u32 {
        let first = self.slots;
        for kind in kinds {
            self.out.spots.push(Spot { line, slot: self.slots, kind });
            self.slots += 1;
        }
        first
    }

    fn mark(&mut self, text: &str) {
        self.push(Side::Marked, text);
    }

    fn push(&mut self, side: Side, text: &str) {
        if side != Side::Marked {
            self.out.plain.push_str(text);
        }
        if side != Side::Plain {
            self.out.marked.push_str(text);
        }
    }
}

/// Both outcomes, false first, as marks count them.
fn truths(kind: impl Fn(String) -> SpotKind) -> Vec<SpotKind> {
    vec![kind("false".to_string()), kind("true".to_string())]
}

/// Lines with four blanks for each brace that is open.
fn indented(text: &str) -> String {
    let mut depth = 0usize;
    let one = |line: &str| {
        let own = depth.saturating_sub(usize::from(line.starts_with('}')));
        depth = (depth + line.matches('{').count()).saturating_sub(line.matches('}').count());
        format!("{:width$}{line}\n", "", width = 4 * own)
    };
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_in_one_text_only() {
        let rendered = render("int f(int x) {\n⦅‹if (⟦⟨x > 1⟩ && ⟨⌈v⌉⟩⟧) {\n‹x = ⟪1¦2⟫;\n}\n⟬x⟭\n}");
        assert_eq!(
            rendered.plain,
            "int f(int x) {\n    if (x > 1 && v) {\n        x = 1;\n    }\n    assert(x);\n}\n"
        );
        assert!(rendered.marked.contains("qa_condition(3, x > 1) && qa_condition(5, QA_VOLATILE(v))"));
        assert!(rendered.marked.contains("x = 2;"));
        let lines: Vec<u32> = rendered.spots.iter().map(|spot| spot.line).collect();
        assert_eq!(lines, [2, 2, 2, 2, 2, 2, 2, 3, 5]);
    }

    #[test]
    fn labels_of_a_switch_are_outcomes() {
        let rendered = render("switch (⦃3, 4:x + 1⦄) {\n}");
        assert_eq!(rendered.plain, "switch (x + 1) {\n}\n");
        let last = &rendered.spots[2].kind;
        assert_eq!((rendered.spots.len(), last), (3, &SpotKind::Decision("default".to_string())));
    }
}
