//! Writes random programs and their worlds.

use std::fmt::Write as _;

use super::features::{ALWAYS, FEATURES, Feature, PARAMETERS, Parameter};
use super::marks::{Rendered, render};
use crate::rng::Rng;

/// A program, and the world around it as C.
#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    pub text: Rendered,
    pub world: String,
}

/// Integer types of objects.
const TYPES: [&str; 6] = ["int", "unsigned char", "short", "unsigned", "signed char", "long long"];
/// What stands in front of every program: the same types as in `attack.h`.
const FRONT: &str = "#include <assert.h>
#include <stdlib.h>
#include <string.h>
⟪struct node { int v; struct node *next; };¦⟫
⟪struct dev { int id; unsigned char state; short level; int *out; int (*hook)(int); };¦⟫
⟪struct box { int *p; int n; };¦⟫
⟪struct small { unsigned char a; short b; };¦⟫
⟪union word { int i; unsigned char b[4]; unsigned short h[2]; };¦#define malloc qa_malloc⟫
";

/// The program that a seed names.
pub fn program(seed: u64) -> Program {
    Writer::new(seed).program(seed)
}

struct Writer {
    rng: Rng,
    unique: u32,
    constants: Vec<String>,
    features: Vec<Instance>,
}

/// A feature of this program.
struct Instance {
    feature: &'static Feature,
    names: Names,
}

/// A parameter of the function that is written.
struct Given {
    parameter: &'static Parameter,
    names: Names,
}

/// What stands for the names in templates.
#[derive(Clone)]
struct Names {
    number: usize,
    ty: &'static str,
    small: i64,
}

/// A function under test, as far as others call it.
struct Written {
    template: String,
    /// The calls that the world makes.
    call: String,
    declaration: String,
    /// A call with numbers only, by other functions; none if it wants something else.
    simple: Option<String>,
    is_static: bool,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        Writer { rng: Rng::new(seed ^ 0x0be7_0a11), unique: 0, constants: Vec::new(), features: Vec::new() }
    }

    fn program(mut self, seed: u64) -> Program {
        let count = 2 + self.rng.index(5);
        let always = Instance { feature: &ALWAYS, names: self.names(0) };
        self.features.push(always);
        for number in 1..=count {
            let feature = &FEATURES[self.rng.index(FEATURES.len())];
            let names = self.names(number);
            self.features.push(Instance { feature, names });
        }
        let mut template = FRONT.to_string();
        for n in 0..self.features.len() {
            let (feature, names) = (self.features[n].feature, self.features[n].names.clone());
            let front = self.fill(feature.front, &names);
            let _ = writeln!(template, "{front}");
        }
        let mut functions: Vec<Written> = Vec::new();
        for n in 0..2 + self.rng.index(2) {
            let function = self.function(n, &functions);
            template.push_str(&function.template);
            functions.push(function);
        }
        let text = render(&template);
        let world = self.world(&functions);
        Program { seed, text, world }
    }

    fn names(&mut self, number: usize) -> Names {
        Names { number, ty: TYPES[self.rng.index(TYPES.len())], small: self.rng.between(2, 9) }
    }

    /// A constant that runs know about.
    fn constant(&mut self) -> String {
        if !self.constants.is_empty() && self.rng.chance(30) {
            return self.rng.pick(&self.constants.clone()).clone();
        }
        let value = match self.rng.below(4) {
            0 => self.rng.between(0, 9),
            1 => self.rng.between(10, 200),
            2 => *self.rng.pick(&[0x60, 42, 77, 1000]),
            _ => self.rng.between(100, 30000),
        };
        self.constants.push(value.to_string());
        value.to_string()
    }

    /// Replaces names in a template, and constants.
    fn fill(&mut self, template: &str, names: &Names) -> String {
        self.unique += 1;
        let scoped = match template.strip_prefix("{\n") {
            Some(rest) => format!("{{ ⟪¦QA_SCOPE;⟫\n{rest}"),
            None => template.to_string(),
        };
        let text = scoped
            .replace("@n", &names.number.to_string())
            .replace("@u", &self.unique.to_string())
            .replace("@T", names.ty)
            .replace("@S", &names.small.to_string());
        // Most constants of a template are one.
        let one = self.constant();
        let mut parts = text.split("@K");
        let mut filled = parts.next().unwrap_or_default().to_string();
        for part in parts {
            filled.push_str(&if self.rng.chance(75) { one.clone() } else { self.constant() });
            filled.push_str(part);
        }
        filled
    }
}

/// What a function is made of.
struct Parts {
    given: Vec<Given>,
    /// Calls of other functions that are numbers.
    calls: Vec<String>,
    depth: u32,
}

impl Writer {
    fn function(&mut self, number: usize, earlier: &[Written]) -> Written {
        let mut given = Vec::new();
        for n in 0..1 + self.rng.index(3) {
            let parameter = &PARAMETERS[self.rng.index(PARAMETERS.len())];
            let names = self.names(n);
            given.push(Given { parameter, names });
        }
        let calls = earlier.iter().filter_map(|function| function.simple.clone()).collect();
        let is_static = number == 0 && self.rng.chance(35);
        let name = format!("f{number}");
        let mut parts = Parts { given, calls, depth: 0 };
        let mut body = String::new();
        for _ in 0..2 + self.rng.index(4) {
            body.push_str(&self.statement(&mut parts));
        }
        let declared: Vec<String> =
            parts.given.iter().map(|one| self.fill(one.parameter.declaration, &one.names)).collect();
        let head = format!("int {name}({})", declared.join(", "));
        let prefix = if is_static { "static " } else { "" };
        let template = format!(
            "{prefix}{head} {{\n⦅‹int r = {}, t = 1, loc[4] = {{ 0 }};\n{body}‹return r;\n}}\n",
            if self.rng.chance(50) { "1".to_string() } else { self.constant() },
        );
        let (mut before, mut arguments, mut numbers) = (String::new(), Vec::new(), Vec::new());
        for one in &parts.given {
            before.push_str(&self.fill(one.parameter.before, &one.names));
            arguments.push(self.fill(one.parameter.argument, &one.names));
            numbers.extend(one.parameter.argument.starts_with("(int)").then(|| "r".to_string()));
        }
        let simple = (numbers.len() == parts.given.len()).then(|| format!("{name}({})", numbers.join(", ")));
        let call = format!("{before} {name}({});", arguments.join(", "));
        Written { template, call, declaration: head, simple, is_static }
    }

    /// A statement, of one or several lines.
    fn statement(&mut self, parts: &mut Parts) -> String {
        let mut choices: Vec<(u32, String)> = vec![
            (2, "‹r = $E;\n".to_string()),
            (1, "‹r ^= $E;\n".to_string()),
            (1, "‹t = $E;\n".to_string()),
        ];
        if parts.depth < 2 {
            choices.push((6, "‹if (⟦$D⟧) {\n$B}\n".to_string()));
            choices.push((2, "‹if (⟦$D⟧) {\n$B} else {\n$B}\n".to_string()));
            choices.push((1, "‹switch (⦃0, 3, 77:$E⦄) {\ncase 0:\n$Bbreak;\ncase 3:\n$Bbreak;\ncase 77:\n$Bbreak;\ndefault:\n$B}\n".to_string()));
            choices.push((1, "‹for (int k@u = 0; ⟦⟨k@u < @S⟩⟧; k@u++) {\n$B}\n".to_string()));
            choices.push((1, "⟬$E != @K⟭\n".to_string()));
        } else {
            choices.push((2, "‹return @S;\n".to_string()));
        }
        let mut templates = Vec::new();
        for one in &self.features {
            let few = if parts.depth < 2 { 3 } else { 0 };
            let statements = one.feature.statements.iter();
            templates.extend(statements.map(|text| (few, format!("{text}\n"), one.names.clone())));
        }
        for one in &parts.given {
            let few = if parts.depth < 2 { 3 } else { 0 };
            let statements = one.parameter.statements.iter();
            templates.extend(statements.map(|text| (few, format!("{text}\n"), one.names.clone())));
        }
        let names = self.names(0);
        templates.extend(choices.into_iter().map(|(weight, text)| (weight, text, names.clone())));
        let weights: Vec<(u32, usize)> = templates.iter().enumerate().map(|(n, one)| (one.0, n)).collect();
        let (_, template, names) = templates.swap_remove(self.rng.weighted(&weights));
        let template = self.fill(&template, &names);
        self.expand(&template, parts)
    }

    /// Replaces letters.
    fn expand(&mut self, template: &str, parts: &mut Parts) -> String {
        let mut text = String::new();
        let mut letters = template.chars();
        while let Some(letter) = letters.next() {
            if letter != '$' {
                text.push(letter);
                continue;
            }
            match letters.next() {
                Some('E') => text.push_str(&self.number(parts)),
                Some('D') => text.push_str(&self.decision(parts)),
                Some('B') => {
                    parts.depth += 1;
                    for _ in 0..1 + self.rng.index(2) {
                        text.push_str(&self.statement(parts));
                    }
                    parts.depth -= 1;
                }
                other => unreachable!("`${other:?}` should stand for something"),
            }
        }
        text
    }

    fn atom(&mut self, parts: &mut Parts) -> String {
        let mut atoms: Vec<(&str, Names)> = Vec::new();
        let own = Names { number: 0, ty: "int", small: 2 };
        atoms.extend(["r", "t", "loc[1]"].map(|text| (text, own.clone())));
        for one in &self.features {
            atoms.extend(one.feature.atoms.iter().map(|text| (*text, one.names.clone())));
        }
        for one in &parts.given {
            atoms.extend(one.parameter.atoms.iter().map(|text| (*text, one.names.clone())));
        }
        if !parts.calls.is_empty() && self.rng.chance(15) {
            return self.rng.pick(&parts.calls.clone()).clone();
        }
        let (text, names) = atoms.swap_remove(self.rng.index(atoms.len()));
        let text = self.fill(text, &names);
        parts.depth += 1;
        let text = if parts.depth > 6 { text.replace("$E", "r") } else { self.expand(&text, parts) };
        parts.depth -= 1;
        text
    }

    /// An expression. Most of them do not overflow.
    fn number(&mut self, parts: &mut Parts) -> String {
        let atom = self.atom(parts);
        match self.rng.below(8) {
            0 => format!("({atom} & {})", self.rng.pick(&[1, 3, 7, 15, 255])),
            1 => format!("(int)({atom} ^ {})", self.constant()),
            2 => self.constant(),
            3 if self.rng.chance(30) => format!("{atom} + {}", self.constant()),
            _ => atom,
        }
    }

    fn condition(&mut self, parts: &mut Parts) -> String {
        let mut special: Vec<(&str, Names)> = Vec::new();
        for one in &self.features {
            special.extend(one.feature.conditions.iter().map(|text| (*text, one.names.clone())));
        }
        for one in &parts.given {
            special.extend(one.parameter.conditions.iter().map(|text| (*text, one.names.clone())));
        }
        if !special.is_empty() && self.rng.chance(55) {
            let (text, names) = special.swap_remove(self.rng.index(special.len()));
            let text = self.fill(text, &names);
            return self.expand(&text, parts);
        }
        let number = self.number(parts);
        let with = match self.rng.chance(80) {
            true => self.constant(),
            false => self.atom(parts),
        };
        // A compiler that sees the same on both sides may drop its reads, with what is undefined about them.
        let with = if number.contains(&with) { self.constant() } else { with };
        format!("{number} {} {with}", self.rng.pick(&["==", "==", "!=", "<", ">"]))
    }

    fn decision(&mut self, parts: &mut Parts) -> String {
        let first = self.condition(parts);
        let mut text = marked(&first);
        while self.rng.chance(30) {
            let next = self.condition(parts);
            let _ = write!(text, " {} {}", self.rng.pick(&["&&", "&&", "||"]), marked(&next));
        }
        text
    }
}

impl Writer {
    /// The world around the program.
    fn world(&mut self, functions: &[Written]) -> String {
        let mut text = "#include \"attack.h\"\n#include <stdarg.h>\n#include <string.h>\n".to_string();
        let (mut changes, mut calls, mut start, mut devices) =
            (Vec::new(), Vec::new(), String::new(), Vec::new());
        for n in 0..self.features.len() {
            let (feature, names) = (self.features[n].feature, self.features[n].names.clone());
            let _ = writeln!(text, "{}", self.fill(feature.world, &names));
            let list = |writer: &mut Writer, template: &str, list: &mut Vec<String>| {
                if !template.is_empty() {
                    list.push(writer.fill(template, &names));
                }
            };
            list(self, feature.changes, &mut changes);
            list(self, feature.calls, &mut calls);
            list(self, feature.device, &mut devices);
            start.push_str(&self.fill(feature.start, &names));
        }
        for function in functions.iter().filter(|function| !function.is_static) {
            let _ = writeln!(text, "{};", function.declaration);
            // Functions under test are called more often than others.
            calls.extend([function.call.clone(), function.call.clone()]);
        }
        let _ = writeln!(text, "void qa_start(void) {{ {start} }}");
        text.push_str(&choice("qa_change_global", "qa_globals", &changes));
        text.push_str(&choice("qa_call", "qa_calls", &calls));
        text.push_str(&list("long", "qa_constants", "qa_constant_count", &self.constants));
        text.push_str(&list("unsigned long", "qa_devices", "qa_device_count", &devices));
        text
    }
}

/// A function that does one of several things.
fn choice(name: &str, count: &str, cases: &[String]) -> String {
    let mut text =
        format!("const int {count} = {};\nvoid {name}(int which) {{ switch (which) {{\n", cases.len());
    for (n, case) in cases.iter().enumerate() {
        let _ = writeln!(text, "case {n}: {{ {case} break; }}");
    }
    text + "} }\n"
}

fn list(ty: &str, name: &str, count: &str, items: &[String]) -> String {
    let values: String = items.iter().map(|item| format!("{item}, ")).collect();
    format!("const {ty} {name}[] = {{ {values}0 }};\nconst int {count} = {};\n", items.len())
}

/// Conditions with a mark for each.
fn marked(conditions: &str) -> String {
    format!("⟨{}⟩", conditions.replace(" && ", "⟩ && ⟨"))
}
