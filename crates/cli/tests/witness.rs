//! `quipu check --witness`: what the format demands, and that other tools could follow it.

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use support::{empty_folder, quipu};

/// The values of keys, by their paths.
type Fields = BTreeMap<String, String>;

/// A witness, read strictly: the values of keys, by their paths. A list's items are numbered.
fn fields(yaml: &str) -> Fields {
    let mut found = Fields::new();
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in yaml.lines() {
        let mut rest = line.trim_start_matches(' ');
        let mut indent = line.len() - rest.len();
        while let Some(item) = rest.strip_prefix("- ") {
            // A list may stand as far to the left as its key.
            let is_item = |key: &str| key.chars().all(|letter| letter.is_ascii_digit());
            open.retain(|(at, key)| *at < indent || *at == indent && !is_item(key));
            let list = open.iter().map(|(_, key)| key.as_str()).collect::<Vec<_>>().join("/");
            let count = counts.entry(list).or_default();
            open.push((indent, count.to_string()));
            *count += 1;
            (rest, indent) = (item, indent + 2);
        }
        open.retain(|(at, _)| *at < indent);
        let path =
            |key: &str| open.iter().map(|(_, part)| part.as_str()).chain([key]).collect::<Vec<_>>().join("/");
        let value = |text: &str| match text.starts_with('"') {
            true => serde_json::from_str(text).expect("a string of YAML is one of JSON here"),
            false => text.to_string(),
        };
        match rest.split_once(": ").filter(|_| !rest.starts_with('"') || rest.contains("\": ")) {
            Some((key, text)) => drop(found.insert(path(&value(key)), value(text))),
            None => match rest.strip_suffix(':') {
                Some(key) => open.push((indent, key.to_string())),
                None => drop(found.insert(path("item"), value(rest))),
            },
        }
    }
    found
}

/// The witness that a check writes, with a flag for the compiler.
fn witness(arguments: &str, flag: &str, exit: i32, name: &str) -> String {
    let file = empty_folder(name).join("witness.yml");
    let file = file.to_str().expect("the path is text");
    quipu(arguments).arg("--witness").arg(file).arg("--").arg(flag).exits(exit);
    std::fs::read_to_string(file).expect("the witness is there")
}

fn path(file: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(file)
}

/// The rest of the line at a place.
fn text_at(place: &Fields) -> String {
    let number = |name: &str| place[name].parse::<usize>().expect("a number from 1 on") - 1;
    let text = std::fs::read_to_string(path(&place["location/file_name"])).expect("the file is there");
    let line = text.lines().nth(number("location/line")).expect("the line is there");
    line[number("location/column")..].to_string()
}

/// Everything that the format demands about where a witness comes from.
fn has_metadata(fields: &Fields) {
    let field = |name: &str| {
        fields.get(&format!("0/metadata/{name}")).unwrap_or_else(|| panic!("{name}: {fields:?}"))
    };
    assert_eq!(field("format_version"), "2.0");
    assert_eq!(field("uuid").len(), 36);
    assert!(field("creation_time").ends_with('Z'));
    assert_eq!(field("producer/name"), "Quipu");
    assert!(!field("producer/version").is_empty());
    assert_eq!(field("task/language"), "C");
    assert_eq!(field("task/data_model"), "LP64");
    let file = field("task/input_files/0/item");
    assert_eq!(field(&format!("task/input_file_hashes/{file}")).len(), 64);
}

/// The waypoints of a witness: the fields of each, by their own names.
fn waypoints(fields: &Fields) -> Vec<Fields> {
    let mut all = Vec::new();
    for n in 0.. {
        let prefix = format!("0/content/{n}/segment/0/waypoint/");
        let own = fields.iter().filter_map(|(key, value)| Some((key.strip_prefix(&prefix)?, value)));
        let own: Fields = own.map(|(key, value)| (key.to_string(), value.clone())).collect();
        if own.is_empty() {
            break;
        }
        all.push(own);
    }
    all
}

#[test]
fn a_violation_can_be_followed() {
    let fields = fields(&witness("check check/sum.c", "-DWRONG", 1, "witness-violation"));
    assert_eq!(fields["0/entry_type"], "violation_sequence");
    has_metadata(&fields);
    let task = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
    assert_eq!(fields["0/metadata/task/specification"], task);
    let waypoints = waypoints(&fields);
    let (target, inputs) = waypoints.split_last().expect("there are waypoints");
    let mut values = Vec::new();
    for waypoint in inputs {
        assert_eq!(waypoint["type"], "function_return");
        assert_eq!(waypoint["action"], "follow");
        assert_eq!(waypoint["constraint/format"], "acsl_expression");
        assert!(text_at(waypoint).starts_with(");"), "the place is that of the closing parenthesis");
        let value = waypoint["constraint/value"].strip_prefix("\\result == ").expect("a result");
        values.push(value.to_string());
    }
    assert_eq!(values, ["7"]);
    assert_eq!(target["type"], "target");
    assert_eq!(target["action"], "follow");
    assert!(!target.keys().any(|key| key.starts_with("constraint")), "{target:?}");
    assert!(text_at(target).starts_with("reach_error();"), "{target:?}");
    // The interpreter, given the results, comes to the target.
    let inputs = values.join(", ");
    let ran = quipu("run check/sum.c --trace --inputs").arg(&inputs).arg("--").arg("-DWRONG").exits(1);
    let place = format!(":{}:", target["location/line"]);
    assert!(ran.stdout.lines().chain(ran.stderr.lines()).any(|line| line.contains(&place)), "{}", ran.stdout);
}

#[test]
fn arguments_are_assumed_at_the_first_statement() {
    let fields = fields(&witness("check check/own_error.c -f half", "-DNONE", 1, "witness-arguments"));
    assert_eq!(
        fields["0/metadata/task/specification"],
        "CHECK( init(half()), LTL(G ! call(reach_error())) )"
    );
    let waypoints = waypoints(&fields);
    assert_eq!(waypoints.len(), 2);
    assert_eq!(waypoints[0]["type"], "assumption");
    assert_eq!(waypoints[0]["constraint/value"], "n == 12345");
    assert_eq!(waypoints[0]["constraint/format"], "c_expression");
    assert!(text_at(&waypoints[0]).starts_with("if (n % 2"));
    assert!(text_at(&waypoints[1]).starts_with("reach_error();"));
}

#[test]
fn invariants_of_a_proof_hold() {
    let fields = fields(&witness("check check/sum.c", "-DRIGHT", 0, "witness-proof"));
    assert_eq!(fields["0/entry_type"], "invariant_set");
    has_metadata(&fields);
    let field = |name: &str| &fields[&format!("0/content/0/invariant/{name}")];
    assert_eq!(field("type"), "loop_invariant");
    assert_eq!(field("format"), "c_expression");
    let location: Fields = ["file_name", "line", "column"]
        .map(|name| (format!("location/{name}"), field(&format!("location/{name}")).clone()))
        .into();
    assert!(text_at(&location).starts_with("while (i < n)"), "{location:?}");
    // What it says can be checked where the loop decides.
    let text = std::fs::read_to_string(path(field("location/file_name"))).expect("the program is there");
    let claimed =
        text.replace("while (i < n)", &format!("while (__VERIFIER_assert({}), i < n)", field("value")));
    assert_ne!(text, claimed);
    let file = empty_folder("witness-claimed").join("claimed.c");
    std::fs::write(&file, claimed).expect("the program can be written");
    quipu("check").arg(file.to_str().expect("the path is text")).exits(0);
}
