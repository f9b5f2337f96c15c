//! Writes the assertions of a model in SMT-LIB 2, for comparison with other solvers. The logic is QF_BV, with floats
//! QF_BVFP.
//!
//! Every variable is a bit-vector, a truth value one of width 1, or a float, and every term that is no leaf a definition
//! of its own, so the text is linear in the size of the graph. Where SMT-LIB gives a partial operation
//! another value than `quipu-num`, the difference is written out. A call stands for what it was unfolded to.

mod float;
mod form;
mod guard;
mod term;

use quipu_model::{Model, Node, Role, Term, Var, VarInfo};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::types::float_of;
use form::{Form, Natures, is_float, needed};

/// Why a model has no form in SMT-LIB.
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
    for (var, info) in model.vars().entries().filter(|(_, info)| info.role != Role::Formal) {
        writer.variable(var, info)?;
    }
    for &assertion in model.assertions() {
        writer.define(assertion, Form::Bits)?;
        let line = format!("(assert (= {} #b1))", writer.text(assertion, Form::Bits));
        writer.line(&line);
    }
    writer.line("(check-sat)");
    let logic = if writer.floats { "QF_BVFP" } else { "QF_BV" };
    Ok(format!("(set-logic {logic})\n{}", writer.out))
}

struct Writer<'m> {
    model: &'m Model,
    out: String,
    vars: FxHashMap<Var, String>,
    taken: FxHashSet<String>,
    natures: Natures,
    /// The symbols of terms that are defined; none for a term that is being defined.
    terms: FxHashMap<(Term, Form), Option<String>>,
    definitions: usize,
    /// Whether the theory of floats is needed.
    floats: bool,
}

impl<'m> Writer<'m> {
    fn new(model: &'m Model) -> Writer<'m> {
        Writer {
            model,
            out: String::new(),
            vars: FxHashMap::default(),
            taken: FxHashSet::default(),
            natures: Natures::of(model),
            terms: FxHashMap::default(),
            definitions: 0,
            floats: false,
        }
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn variable(&mut self, var: Var, info: &VarInfo) -> Result<(), Unsupported> {
        let symbol = self.symbol(&info.name);
        let float = float_of(info.width).filter(|_| is_float(info));
        let sort = float.map_or_else(|| format!("(_ BitVec {})", info.width.bits()), float::sort);
        self.floats |= float.is_some();
        self.line(&format!("(declare-fun {symbol} () {sort})"));
        self.vars.insert(var, symbol.clone());
        let Some(range) = info.range else { return Ok(()) };
        if let Some(formula) = float.and_then(|w| float::in_range(w, range, &symbol)) {
            self.line(&format!("(assert {formula})"));
            return Ok(());
        }
        let term = self.model.var_term(var);
        self.define(term, Form::Bits)?;
        let (width, span) = (info.width, info.width.wrap(range.1.wrapping_sub(range.0)));
        let (first, span) = (number(width.bits(), range.0), number(width.bits(), span));
        let line = format!("(assert (bvule (bvsub {} {first}) {span}))", self.text(term, Form::Bits));
        self.line(&line);
        Ok(())
    }

    /// A quoted symbol for a name. Symbols of the theory do not end in an underscore.
    fn symbol(&mut self, name: &str) -> String {
        let plain: String =
            name.chars().map(|c| if matches!(c, '|' | '\\') || c.is_control() { '_' } else { c }).collect();
        let reserved = ["bv", "fp", "to_fp", "t!", "b!"].iter().any(|start| plain.starts_with(start))
            || RESERVED.contains(&plain.as_str());
        let base = if reserved { format!("{plain}_") } else { plain };
        let mut symbol = base.clone();
        let mut n = 1;
        while !self.taken.insert(symbol.clone()) {
            n += 1;
            symbol = format!("{base}_{n}");
        }
        format!("|{symbol}|")
    }

    /// Writes the definitions that a term in a form needs, operands first.
    fn define(&mut self, root: Term, form: Form) -> Result<(), Unsupported> {
        let mut stack = vec![(root, form)];
        while let Some(&key) = stack.last() {
            match self.terms.get(&key) {
                Some(Some(_)) => {
                    stack.pop();
                    continue;
                }
                Some(None) => {}
                None => {
                    self.terms.insert(key, None);
                    self.open(key, &mut stack)?;
                    continue;
                }
            }
            stack.pop();
            let symbol = self.written(key.0, key.1)?;
            self.terms.insert(key, Some(symbol));
        }
        Ok(())
    }

    /// Puts what a term needs onto the stack.
    fn open(&self, (term, form): (Term, Form), stack: &mut Vec<(Term, Form)>) -> Result<(), Unsupported> {
        let needed = match self.model.node(term) {
            Node::Call(relation, _) => match self.model.unfolding(term) {
                Some(meaning) => vec![(meaning, Form::Bits)],
                None => {
                    let name = &self.model.relations()[*relation].name;
                    return Err(Unsupported {
                        message: format!(
                            "the relation `{name}` is called, and the call has not been unfolded"
                        ),
                    });
                }
            },
            _ => needed(self.model, &self.natures, term, form),
        };
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
const RESERVED: [&str; 43] = [
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
    "NaN",
    "RNE",
    "RNA",
    "RTP",
    "RTN",
    "RTZ",
    "FloatingPoint",
    "Float16",
    "Float32",
    "Float64",
    "Float128",
    "RoundingMode",
    "Real",
    "Int",
    "Array",
];

/// A number as a bit-vector.
fn number(bits: u32, value: u64) -> String {
    format!("(_ bv{value} {bits})")
}
