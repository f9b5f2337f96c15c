//! Writes the assertions of a model in SMT-LIB 2, logic QF_BV, for comparison with other solvers.
//!
//! Every variable is a bit-vector, a truth value one of width 1, and every term that is no leaf a definition
//! of its own, so the text is linear in the size of the graph. Where SMT-LIB gives a partial operation
//! another value than `quipu-num`, the difference is written out. A call stands for what it was unfolded to.

mod guard;
mod term;

use quipu_model::{Model, Node, Role, Term, Var, VarInfo};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why a model has no form in QF_BV.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    pub message: String,
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Unsupported {}

/// The declared ranges and the assertions of a model, up to `(check-sat)`.
pub fn smtlib(model: &Model) -> Result<String, Unsupported> {
    let mut writer = Writer::new(model);
    writer.line("(set-logic QF_BV)");
    for (var, info) in model.vars().entries().filter(|(_, info)| info.role != Role::Formal) {
        writer.variable(var, info);
    }
    for &assertion in model.assertions() {
        writer.define(assertion)?;
        let line = format!("(assert (= {} #b1))", writer.text(assertion));
        writer.line(&line);
    }
    writer.line("(check-sat)");
    Ok(writer.out)
}

struct Writer<'m> {
    model: &'m Model,
    out: String,
    vars: FxHashMap<Var, String>,
    taken: FxHashSet<String>,
    /// The symbols of terms that are defined; none for a term that is being defined.
    terms: FxHashMap<Term, Option<String>>,
    definitions: usize,
}

impl<'m> Writer<'m> {
    fn new(model: &'m Model) -> Writer<'m> {
        let (vars, terms) = (FxHashMap::default(), FxHashMap::default());
        Writer { model, out: String::new(), vars, taken: FxHashSet::default(), terms, definitions: 0 }
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn variable(&mut self, var: Var, info: &VarInfo) {
        let symbol = self.symbol(&info.name);
        self.line(&format!("(declare-fun {symbol} () (_ BitVec {}))", info.width.bits()));
        if let Some((first, last)) = info.range {
            let (width, span) = (info.width, info.width.wrap(last.wrapping_sub(first)));
            let (first, span) = (number(width.bits(), first), number(width.bits(), span));
            self.line(&format!("(assert (bvule (bvsub {symbol} {first}) {span}))"));
        }
        self.vars.insert(var, symbol);
    }

    /// A quoted symbol for a name. Symbols of the theory do not end in an underscore.
    fn symbol(&mut self, name: &str) -> String {
        let plain: String =
            name.chars().map(|c| if matches!(c, '|' | '\\') || c.is_control() { '_' } else { c }).collect();
        let reserved =
            plain.starts_with("bv") || plain.starts_with("t!") || RESERVED.contains(&plain.as_str());
        let base = if reserved { format!("{plain}_") } else { plain };
        let mut symbol = base.clone();
        let mut n = 1;
        while !self.taken.insert(symbol.clone()) {
            n += 1;
            symbol = format!("{base}_{n}");
        }
        format!("|{symbol}|")
    }

    /// Writes the definitions that a term needs, operands first.
    fn define(&mut self, root: Term) -> Result<(), Unsupported> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            match self.terms.get(&term) {
                Some(Some(_)) => {
                    stack.pop();
                    continue;
                }
                Some(None) => {}
                None => {
                    self.terms.insert(term, None);
                    self.open(term, &mut stack)?;
                    continue;
                }
            }
            stack.pop();
            let symbol = self.written(term)?;
            self.terms.insert(term, Some(symbol));
        }
        Ok(())
    }

    /// Puts what a term needs onto the stack.
    fn open(&self, term: Term, stack: &mut Vec<Term>) -> Result<(), Unsupported> {
        let mut needed = Vec::new();
        match self.model.node(term) {
            Node::Call(relation, _) => match self.model.unfolding(term) {
                Some(meaning) => needed.push(meaning),
                None => {
                    let name = &self.model.relations()[*relation].name;
                    return Err(Unsupported {
                        message: format!(
                            "the relation `{name}` is called, and the call has not been unfolded"
                        ),
                    });
                }
            },
            node => node.for_each_operand(|operand| needed.push(operand)),
        }
        for operand in needed {
            match self.terms.get(&operand) {
                Some(Some(_)) => {}
                // Only terms that wait for this one are being defined.
                Some(None) => {
                    return Err(Unsupported { message: "the unfolding of a call needs itself".to_owned() });
                }
                None => stack.push(operand),
            }
        }
        Ok(())
    }
}

/// Words of SMT-LIB that cannot be declared.
const RESERVED: [&str; 28] = [
    "_",
    "!",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "ite",
    "distinct",
    "concat",
    "extract",
    "repeat",
    "zero_extend",
    "sign_extend",
    "rotate_left",
    "rotate_right",
    "Bool",
    "BitVec",
    "assert",
    "check-sat",
    "exit",
];

/// A number as a bit-vector.
fn number(bits: u32, value: u64) -> String {
    format!("(_ bv{value} {bits})")
}
