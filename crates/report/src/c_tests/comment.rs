//! C comments.

/// The widest line of a comment.
const WIDTH: usize = 100;

/// A comment with this text, in as many lines as needed.
pub(crate) fn comment(text: &str) -> String {
    let text = text.replace("*/", "* /").replace("/*", "/ *");
    let mut lines = vec![String::from("/*")];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a first line");
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(format!("   {word}"));
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines.join("\n") + " */\n"
}
