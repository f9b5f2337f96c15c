//! The statements of one scope: the top level, or the inside of a relation. Terms become lines of text,
//! operands first; a term used more than once, a deep one and a long one become a `let`.

use quipu_model::{Model, Node, Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::line::{Line, level};
use super::names::{Group, groups, unique};
use super::relation::Signatures;
use crate::query::QueryKind;
use crate::types::Type;

/// An operand that nests deeper than this, or is longer, is named.
const DEEP: usize = 12;
const LONG: usize = 160;

pub(super) struct Scope<'m> {
    pub model: &'m Model,
    pub signatures: &'m Signatures,
    names: FxHashMap<Var, String>,
    /// Arrays by their first element.
    arrays: FxHashMap<Var, Vec<Group>>,
    taken: FxHashSet<String>,
    lets: usize,
    uses: FxHashMap<Term, usize>,
    /// Terms that have a name.
    named: FxHashMap<Term, Line>,
    /// Terms whose text waits for its only user.
    lines: FxHashMap<Term, Line>,
}

impl<'m> Scope<'m> {
    pub fn new(model: &'m Model, signatures: &'m Signatures) -> Scope<'m> {
        Scope {
            model,
            signatures,
            names: FxHashMap::default(),
            arrays: FxHashMap::default(),
            taken: signatures.names(),
            lets: 0,
            uses: FxHashMap::default(),
            named: FxHashMap::default(),
            lines: FxHashMap::default(),
        }
    }

    /// Gives names to variables. For a state, `next` holds the variables of its next values.
    pub fn declare(&mut self, vars: &[Var], next: &FxHashMap<Var, Var>) -> Vec<Group> {
        let groups = groups(self.model, vars, next, &mut self.taken);
        for group in &groups {
            self.name_group(group);
            let later: Vec<Var> = group.vars.iter().filter_map(|var| next.get(var)).copied().collect();
            if !later.is_empty() {
                self.name_group(&Group { name: format!("{}'", group.name), vars: later, ..*group });
            }
        }
        groups
    }

    fn name_group(&mut self, group: &Group) {
        for (n, &var) in group.vars.iter().enumerate() {
            let name = if group.array { format!("{}[{n}]", group.name) } else { group.name.clone() };
            self.names.insert(var, name);
        }
        if group.array {
            self.arrays.entry(group.vars[0]).or_default().push(group.clone());
        }
    }

    pub fn var_type(&self, var: Var) -> Type {
        Type::of(&self.model.vars()[var])
    }

    /// The text for a variable. One that was not declared is outside of its relation, and has no text.
    pub fn var_name(&self, var: Var) -> &str {
        self.names.get(&var).map_or("_", String::as_str)
    }

    /// The name of the array that consists of exactly these terms, and the type of its elements.
    pub fn array_name(&self, items: &[Term]) -> Option<(&str, Type)> {
        let &Node::Var(first) = self.model.node(*items.first()?) else { return None };
        let same = |group: &&Group| {
            let terms = group.vars.iter().map(|&var| self.model.var_term(var));
            terms.eq(items.iter().copied())
        };
        let group = self.arrays.get(&first)?.iter().find(same)?;
        Some((&group.name, self.var_type(first)))
    }

    /// Counts how often each term is used by these roots and by the terms below them. Terms that have a name
    /// by now keep it.
    pub fn count_uses(&mut self, roots: impl Iterator<Item = Term>) {
        self.uses.clear();
        let mut stack: Vec<Term> = roots.collect();
        while let Some(term) = stack.pop() {
            let uses = self.uses.entry(term).or_insert(0);
            *uses += 1;
            if *uses == 1 && !self.named.contains_key(&term) {
                self.model.node(term).for_each_operand(|operand| stack.push(operand));
            }
        }
    }

    /// Writes a constraint, behind the `let`s that it needs.
    pub fn statement(&mut self, root: Term, indent: &str, out: &mut String) {
        let line = self.root(root, indent, out);
        let query = QueryKind::ALL.iter().any(|(_, word)| *word == line.text);
        let text = line.converted(Type::BOOL).at(if query { level::PRIMARY + 1 } else { level::LOOSEST });
        out.push_str(&format!("{indent}{text};\n"));
    }

    /// The line of a root, behind the `let`s that it needs.
    pub fn root(&mut self, root: Term, indent: &str, out: &mut String) -> Line {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.is_ready(term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            self.model.node(term).for_each_operand(|operand| {
                if !self.is_ready(operand) {
                    stack.push(operand);
                }
            });
            if stack.len() == before {
                stack.pop();
                let line = self.line(term);
                let often = self.uses.get(&term).is_some_and(|&uses| uses > 1);
                let big = term != root && (line.depth > DEEP || line.text.len() > LONG);
                if often || big {
                    let name = self.name_line(line, indent, out);
                    self.named.insert(term, name);
                } else {
                    self.lines.insert(term, line);
                }
            }
        }
        self.take(root)
    }

    fn name_line(&mut self, line: Line, indent: &str, out: &mut String) -> Line {
        self.lets += 1;
        while self.taken.contains(&format!("t{}", self.lets)) {
            self.lets += 1;
        }
        let name = unique(&format!("t{}", self.lets), &mut self.taken);
        out.push_str(&format!("{indent}let {name} = {};\n", line.text));
        Line::new(name, level::PRIMARY, line.ty, 0)
    }

    /// Whether the text of a term is known.
    fn is_ready(&self, term: Term) -> bool {
        matches!(self.model.node(term), Node::Const(_) | Node::Var(_))
            || self.named.contains_key(&term)
            || self.lines.contains_key(&term)
    }

    /// The line of an operand. A number is written with its type.
    pub fn take(&mut self, term: Term) -> Line {
        let unsigned = Type::unsigned(self.model.width(term));
        match self.model.node(term) {
            Node::Const(bits) => Line::number(*bits, unsigned, true),
            Node::Var(var) => Line::new(self.var_name(*var), level::PRIMARY, self.var_type(*var), 0),
            _ => {
                let named = self.named.get(&term).cloned();
                named.or_else(|| self.lines.remove(&term)).expect("operands are written before their users")
            }
        }
    }
}
