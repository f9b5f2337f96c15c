//! The bytes of initialised objects, read from the assembler text that the compiler writes.
//!
//! This way layouts of a data model are checked on machines that cannot run its programs.

use std::collections::BTreeMap;

/// The initial bytes of every object in assembler text, by name.
pub fn objects(assembly: &str) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in assembly.lines() {
        let text = line.trim();
        if let Some(label) = text.strip_suffix(':') {
            let object = !label.starts_with('.');
            current = object.then(|| label.to_string());
        } else if let (Some(name), Some(bytes)) = (&current, directive(text)) {
            found.entry(name.clone()).or_insert_with(Vec::new).extend(bytes);
        }
    }
    found
}

/// The bytes that a directive writes; none for any other line.
fn directive(text: &str) -> Option<Vec<u8>> {
    let (name, operand) = text.split_once(char::is_whitespace)?;
    let size = match name {
        ".byte" => 1,
        ".value" | ".short" => 2,
        ".long" => 4,
        ".quad" => 8,
        ".zero" => return operand.trim().parse().ok().map(|n: usize| vec![0; n]),
        _ => return None,
    };
    let value: i128 = operand.trim().parse().ok()?;
    Some(value.to_le_bytes()[..size].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_objects() {
        let text =
            "\t.globl\tx\n\t.type\tx, @object\nx:\n\t.long\t-2\n\t.byte\t7\n\t.zero\t3\ny:\n\t.quad\t1\n";
        let found = objects(text);
        assert_eq!(found["x"], [0xfe, 0xff, 0xff, 0xff, 7, 0, 0, 0]);
        assert_eq!(found["y"], [1, 0, 0, 0, 0, 0, 0, 0]);
    }
}
