//! How text looks.

/// What the terminal can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether to use colours.
    pub colour: bool,
    /// The number of columns.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Style {
        Style { colour: false, width: 100 }
    }
}

/// What a colour says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tint {
    Good,
    Proved,
    Open,
    Bad,
    Bold,
    Plain,
}

impl Style {
    /// The text in a colour, if there are colours.
    pub(crate) fn tint(self, tint: Tint, text: &str) -> String {
        let code = match tint {
            Tint::Good => "32",
            Tint::Proved => "36",
            Tint::Open => "33",
            Tint::Bad => "31;1",
            Tint::Bold => "1",
            Tint::Plain => return text.to_string(),
        };
        if self.colour && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
}
