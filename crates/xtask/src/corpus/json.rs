//! The report for a program.

use super::summary::{Group, Row, Summary};

/// The report as one JSON object.
pub fn render(summary: &Summary) -> String {
    let invalid = summary
        .invalid
        .iter()
        .map(|(path, message)| object(&[("file", string(path)), ("message", string(message))]));
    let slowest = summary.slowest.iter().map(|(path, ms, kib)| {
        object(&[("file", string(path)), ("cpu_ms", ms.to_string()), ("peak_kib", kib.to_string())])
    });
    let report = object(&[
        ("passed", summary.passes().to_string()),
        ("total", row(&summary.total)),
        ("libraries", array(summary.rows.iter().map(row))),
        ("defects", array(summary.defects.iter().map(group))),
        ("unsupported", array(summary.reasons.iter().map(group))),
        ("slowest", array(slowest)),
        ("rejected_by_cc", array(invalid)),
    ]);
    report + "\n"
}

fn row(row: &Row) -> String {
    object(&[
        ("name", string(&row.name)),
        ("files", row.files.to_string()),
        ("ok", row.ok.to_string()),
        ("round_trips", row.round_trips.to_string()),
        ("functions", row.functions.to_string()),
        ("supported", row.supported.to_string()),
        ("files_with_own_functions", row.nonempty.to_string()),
        ("own_functions", row.own_functions.to_string()),
        ("own_supported", row.own_supported.to_string()),
        ("panics", row.panics.to_string()),
        ("unverified", row.unverified.to_string()),
        ("cpu_ms", row.compile_ms.to_string()),
        ("peak_kib", row.peak_kib.to_string()),
    ])
}

fn group(group: &Group) -> String {
    let examples = group.examples.iter().map(|example| string(example));
    object(&[
        ("what", string(&group.what)),
        ("count", group.count.to_string()),
        ("examples", array(examples)),
    ])
}

fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("{}:{value}", string(name))).collect();
    format!("{{{}}}", members.join(","))
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn string(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => quoted += &format!("\\u{:04x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    #[test]
    fn strings_are_escaped() {
        assert_eq!(super::string("a\"\\\n"), "\"a\\\"\\\\\\u000a\"");
    }
}
