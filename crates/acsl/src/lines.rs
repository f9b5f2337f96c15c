//! Text whose parts stand at given places, so that messages about them show these places.

#[derive(Default)]
pub(crate) struct Lines {
    text: String,
    line: u32,
    column: u32,
}

impl Lines {
    /// Goes on at a line and a column, as far as that is not passed.
    pub(crate) fn go_to(&mut self, line: u32, column: u32) {
        if self.line == 0 {
            (self.line, self.column) = (1, 1);
        }
        while self.line < line {
            self.text.push('\n');
            (self.line, self.column) = (self.line + 1, 1);
        }
        while self.line == line && self.column < column {
            self.write(" ");
        }
    }

    /// Writes a text without line breaks.
    pub(crate) fn write(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.len() as u32;
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }
}
