//! Functions that nobody defines, in a file of tests: the text that every run used, under the names of this file.

use super::PREFIX;
use super::comment::comment;

/// What the names of the bodies start with.
const BODY: &str = "quipu_outside_";
/// What tells the linker the name of a function.
const LABEL: &str = " __asm__(\"";

/// The definition of a function for a file of tests. The source knows the function by a declaration, which may have
/// qualifiers that are not known here, so that the linker brings both together. Stubs are only known here.
pub(crate) fn definition(text: &str) -> String {
    let Some((before, after)) = text.split_once(LABEL) else { return String::new() };
    let (name, rest) = after.split_once("\")").unwrap_or((after, ""));
    let about = comment(&format!("What `{name}` does in a test, which nobody defines: as the answers say."));
    let body = format!("{BODY}{name}");
    match name.starts_with("quipu_stub_") {
        true => format!("\n{about}{}", format!("{before}{rest}").replace(&body, name)),
        false => format!("\n{about}{before}{LABEL}{PREFIX}{name}\"){rest}"),
    }
}
