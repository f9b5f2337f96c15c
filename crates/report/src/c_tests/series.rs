//! Assertions about many elements of an array, as one loop over a table of what is expected.

use std::collections::BTreeMap;

use quipu_ctext::declare;
use quipu_ir::{Module, TypeId};

use super::asserts::Check;
use super::scope::Scope;

/// So many changed elements in a row are worth a loop.
pub(super) const LEAST: usize = 8;
/// The widest line of a table.
const WIDTH: usize = 100;

/// The statements for some assertions, with names for what they declare.
pub(super) fn statements(module: &Module, checks: &[Check], scope: &mut Scope) -> Vec<String> {
    let series = series(checks);
    let mut loops: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut done = vec![false; checks.len()];
    let counter = if series.is_empty() { String::new() } else { scope.pick("i", "_") };
    for one in &series {
        one.members.iter().for_each(|&n| done[n] = true);
        loops.insert(one.members[0], one.statements(module, &counter, scope));
    }
    let mut lines: Vec<String> =
        if series.is_empty() { Vec::new() } else { vec![format!("size_t {counter};")] };
    for (n, check) in checks.iter().enumerate() {
        lines.extend(loops.remove(&n).into_iter().flatten());
        lines.extend(Some(check).filter(|_| !done[n]).and_then(statement));
    }
    lines
}

/// One assertion alone.
fn statement(check: &Check) -> Option<String> {
    match check {
        Check::Equal { expression, value, changed: true, .. } => {
            Some(format!("assert({expression} == {value});"))
        }
        Check::Equal { .. } => None,
        Check::Other(text) => Some(text.clone()),
    }
}

/// Elements with consecutive numbers: `front[7]back`, `front[8]back`, ...
struct Series<'a> {
    front: &'a str,
    back: &'a str,
    ty: TypeId,
    first: u64,
    /// The numbers of the assertions, and what they expect.
    members: Vec<usize>,
    values: Vec<&'a str>,
    changed: usize,
}

/// The runs of elements with enough changes among them.
fn series(checks: &[Check]) -> Vec<Series<'_>> {
    let mut open: BTreeMap<(&str, &str), Series<'_>> = BTreeMap::new();
    let mut found = Vec::new();
    for (number, check) in checks.iter().enumerate() {
        let Check::Equal { expression, ty, value, changed } = check else { continue };
        let Some((front, index, back)) = split(expression) else { continue };
        let goes_on = |one: &Series<'_>| one.ty == *ty && one.first + one.members.len() as u64 == index;
        if !open.get(&(front, back)).is_some_and(goes_on) {
            let new =
                Series { front, back, ty: *ty, first: index, members: vec![], values: vec![], changed: 0 };
            found.extend(open.insert((front, back), new));
        }
        let one = open.get_mut(&(front, back)).expect("it is there, or was made just now");
        one.members.push(number);
        one.values.push(value);
        one.changed += usize::from(*changed);
    }
    found.extend(open.into_values());
    found.retain(|one| one.changed >= LEAST);
    found.sort_by_key(|one| one.members[0]);
    found
}

/// An expression around the number of its last subscript.
fn split(expression: &str) -> Option<(&str, u64, &str)> {
    let (start, end) = (expression.rfind('[')?, expression.rfind(']')?);
    let index = expression.get(start + 1..end)?.parse().ok()?;
    Some((&expression[..start], index, &expression[end + 1..]))
}

impl Series<'_> {
    fn statements(&self, module: &Module, counter: &str, scope: &mut Scope) -> Vec<String> {
        let Series { front, back, first, values, .. } = self;
        let count = values.len() as u64;
        let mut lines = Vec::new();
        let expected = match values.iter().all(|value| *value == values[0]) {
            true => values[0].to_string(),
            false => {
                let name = scope.pick("expected", "_");
                lines.extend(self.table(module, &name));
                let from = if *first == 0 { String::new() } else { format!(" - {first}") };
                format!("{name}[{counter}{from}]")
            }
        };
        lines.push(format!("for ({counter} = {first}; {counter} < {}; {counter}++)", first + count));
        lines.push(format!("    assert({front}[{counter}]{back} == {expected});"));
        lines
    }

    /// The declaration of a table with what is expected.
    fn table(&self, module: &Module, name: &str) -> Vec<String> {
        let declarator = format!("{name}[{}]", self.values.len());
        // Only an enumeration can be a scalar without a name; `int` holds its values.
        let declaration = declare(&module.types, self.ty, &declarator).unwrap_or(format!("int {declarator}"));
        let mut lines = vec![format!("static const {declaration} = {{")];
        let mut line = String::from("   ");
        for value in &self.values {
            if line.len() + value.len() + 2 > WIDTH {
                lines.push(std::mem::replace(&mut line, String::from("   ")));
            }
            line.push_str(&format!(" {value},"));
        }
        lines.extend([line, "};".to_string()]);
        lines
    }
}
