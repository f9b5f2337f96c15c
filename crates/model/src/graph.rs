//! The term graph: equal terms are one term, and an operand is always older than the term that uses it.

use quipu_base::{Id, IdVec};
use quipu_num::{Cast, FloatFn, FloatWidth, Guard, IntCmp, IntOp, IntUnary, Width};
use rustc_hash::FxHashMap;

use crate::node::{Node, Relation, Term, Var};
use crate::relation::RelationInfo;

/// What is known of a variable from its declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarInfo {
    /// Its name, for people. Names of inputs are unique.
    pub name: String,
    pub width: Width,
    /// How people read its values.
    pub reading: Reading,
    /// The values it may take, clockwise from the first to the last.
    pub range: Option<(u64, u64)>,
    pub role: Role,
}

/// What the bits of a variable mean to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    Unsigned,
    Signed,
    /// The rank of a float of the variable's width.
    Float,
}

impl Reading {
    pub fn integer(signed: bool) -> Reading {
        if signed { Reading::Signed } else { Reading::Unsigned }
    }
}

/// Why a variable exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It belongs to the question: a solution is told, and counted, by its inputs.
    Input,
    /// It exists so that a constraint can be said: some value of it must do.
    Local,
    /// It stands for an argument, or a local, in the body of a relation. It has no value.
    Formal,
}

impl VarInfo {
    /// Whether the declaration allows the value.
    pub fn allows(&self, value: u64) -> bool {
        let Some((first, last)) = self.range else { return true };
        let from_first = |x: u64| self.width.wrap(x.wrapping_sub(first));
        from_first(value) <= from_first(last)
    }
}

/// Terms, what must be true of them, and relations.
#[derive(Clone, Default, Debug)]
pub struct Model {
    nodes: IdVec<Term, Node>,
    widths: IdVec<Term, Width>,
    vars: IdVec<Var, VarInfo>,
    var_terms: IdVec<Var, Term>,
    known: FxHashMap<(Node, Width), Term>,
    assertions: Vec<Term>,
    relations: IdVec<Relation, RelationInfo>,
    unfoldings: FxHashMap<Term, Term>,
}

impl Model {
    /// A model that says nothing.
    pub fn new() -> Model {
        Model::default()
    }

    // What it contains.

    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term]
    }

    pub fn width(&self, term: Term) -> Width {
        self.widths[term]
    }

    /// All terms; operands come before their users.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = Term> + ExactSizeIterator + use<> {
        self.nodes.ids()
    }

    /// The terms added after the first `n`.
    pub fn terms_after(&self, n: usize) -> impl Iterator<Item = Term> + use<> {
        (n..self.nodes.len()).map(Term::new)
    }

    pub fn vars(&self) -> &IdVec<Var, VarInfo> {
        &self.vars
    }

    /// The variables of the question.
    pub fn inputs(&self) -> impl Iterator<Item = Var> + '_ {
        self.vars.entries().filter(|(_, info)| info.role == Role::Input).map(|(var, _)| var)
    }

    /// The term that is a variable.
    pub fn var_term(&self, var: Var) -> Term {
        self.var_terms[var]
    }

    /// The terms that must be true.
    pub fn assertions(&self) -> &[Term] {
        &self.assertions
    }

    pub fn relations(&self) -> &IdVec<Relation, RelationInfo> {
        &self.relations
    }

    /// The number that a term is, if it is one.
    pub fn constant(&self, term: Term) -> Option<u64> {
        match self.nodes[term] {
            Node::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// What a call says, one step deep, if it has been unfolded.
    pub fn unfolding(&self, call: Term) -> Option<Term> {
        self.unfoldings.get(&call).copied()
    }

    /// A table with one entry for every term.
    pub fn table<T: Clone>(&self, item: T) -> IdVec<Term, T> {
        IdVec::filled(item, self.nodes.len())
    }

    // Building.

    /// A new variable.
    pub fn add_var(&mut self, info: VarInfo) -> Var {
        let width = info.width;
        let var = self.vars.push(info);
        let term = self.intern(Node::Var(var), width);
        self.var_terms.push(term);
        var
    }

    /// A new relation; its body may refer to it.
    pub fn add_relation(&mut self, info: RelationInfo) -> Relation {
        self.relations.push(info)
    }

    /// Gives a declared relation its body.
    pub fn define_relation(&mut self, relation: Relation, info: RelationInfo) {
        self.relations[relation] = info;
    }

    /// Demands that a truth value is true.
    pub fn assert(&mut self, term: Term) {
        assert!(self.width(term) == Width::W1, "only a truth value can be asserted");
        self.assertions.push(term);
    }

    /// Withdraws all assertions behind the first `n`.
    pub fn truncate_assertions(&mut self, n: usize) {
        self.assertions.truncate(n);
    }

    /// Records what a call says.
    pub fn set_unfolding(&mut self, call: Term, meaning: Term) {
        assert!(matches!(self.nodes[call], Node::Call(..)), "only a call is unfolded");
        self.unfoldings.insert(call, meaning);
    }

    /// The term of a node, if there is one.
    pub fn existing(&self, node: &Node, width: Width) -> Option<Term> {
        self.known.get(&(node.clone(), width)).copied()
    }

    /// The term for a node whose operands are terms of this model. Widths are checked.
    pub fn add(&mut self, node: Node, width: Width) -> Term {
        self.check_widths(&node, width);
        self.intern(node, width)
    }

    pub fn constant_term(&mut self, width: Width, bits: u64) -> Term {
        self.intern(Node::Const(width.wrap(bits)), width)
    }

    pub fn truth(&mut self, value: bool) -> Term {
        self.constant_term(Width::W1, u64::from(value))
    }

    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.add(Node::Not(a), width)
    }

    pub fn op(&mut self, op: IntOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        self.add(Node::Op(op, a, b), width)
    }

    pub fn unary(&mut self, op: IntUnary, a: Term) -> Term {
        let width = self.width(a);
        self.add(Node::Unary(op, a), width)
    }

    pub fn compare(&mut self, cmp: IntCmp, a: Term, b: Term) -> Term {
        self.add(Node::Compare(cmp, a, b), Width::W1)
    }

    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        self.compare(IntCmp::Eq, a, b)
    }

    pub fn guard(&mut self, guard: Guard, a: Term, b: Term) -> Term {
        self.add(Node::Guard(guard, a, b), Width::W1)
    }

    /// The term cut, or filled with zeros or with its sign, to a width.
    pub fn resize(&mut self, a: Term, to: Width, signed: bool) -> Term {
        let from = self.width(a);
        let cast = match from.cmp(&to) {
            std::cmp::Ordering::Equal => return a,
            std::cmp::Ordering::Greater => Cast::Trunc(from, to),
            std::cmp::Ordering::Less if signed => Cast::SExt(from, to),
            std::cmp::Ordering::Less => Cast::ZExt(from, to),
        };
        self.add(Node::Cast(cast, a), to)
    }

    /// A conversion; floats are given, and result, by rank.
    pub fn cast(&mut self, cast: Cast, a: Term) -> Term {
        self.add(Node::Cast(cast, a), cast.widths().1)
    }

    /// A function of floats, which are given, and result, by rank.
    pub fn float(&mut self, function: FloatFn, w: FloatWidth, operands: &[Term]) -> Term {
        self.add(Node::Float(function, w, operands.into()), function.width(w))
    }

    pub fn select(&mut self, condition: Term, a: Term, b: Term) -> Term {
        let width = self.width(a);
        self.add(Node::Select(condition, a, b), width)
    }

    pub fn all(&mut self, items: impl IntoIterator<Item = Term>) -> Term {
        self.add(Node::All(items.into_iter().collect()), Width::W1)
    }

    pub fn any(&mut self, items: impl IntoIterator<Item = Term>) -> Term {
        self.add(Node::Any(items.into_iter().collect()), Width::W1)
    }

    pub fn sum(&mut self, width: Width, constant: u64, parts: impl IntoIterator<Item = (u64, Term)>) -> Term {
        let parts = parts.into_iter().map(|(c, part)| (width.wrap(c), part)).collect();
        self.add(Node::Sum(width.wrap(constant), parts), width)
    }

    pub fn element(&mut self, index: Term, items: impl IntoIterator<Item = Term>) -> Term {
        let items: Box<[Term]> = items.into_iter().collect();
        let width = self.width(*items.first().expect("an array has at least one element"));
        self.add(Node::Element(index, items), width)
    }

    pub fn call(&mut self, relation: Relation, arguments: impl IntoIterator<Item = Term>) -> Term {
        self.add(Node::Call(relation, arguments.into_iter().collect()), Width::W1)
    }

    fn intern(&mut self, node: Node, width: Width) -> Term {
        if let Some(&term) = self.known.get(&(node.clone(), width)) {
            return term;
        }
        let term = self.nodes.push(node.clone());
        self.widths.push(width);
        self.known.insert((node, width), term);
        term
    }

    fn check_widths(&self, node: &Node, width: Width) {
        let w = |term: Term| self.width(term);
        let fine = match node {
            Node::Const(bits) => width.wrap(*bits) == *bits,
            Node::Var(var) => w(self.var_terms[*var]) == width,
            Node::Not(a) | Node::Unary(_, a) => w(*a) == width,
            Node::Op(_, a, b) => w(*a) == width && w(*b) == width,
            Node::Compare(_, a, b) => w(*a) == w(*b) && width == Width::W1,
            Node::Guard(guard, a, b) => width == Width::W1 && guard_widths(*guard, w(*a), w(*b)),
            Node::Cast(cast, a) => is_proper(*cast) && cast.widths() == (w(*a), width),
            Node::Float(function, format, items) => {
                let operand = format.width();
                items.len() == function.arity()
                    && items.iter().all(|&item| w(item) == operand)
                    && width == function.width(*format)
            }
            Node::Select(c, a, b) => w(*c) == Width::W1 && w(*a) == width && w(*b) == width,
            Node::All(items) | Node::Any(items) => {
                width == Width::W1 && items.iter().all(|&item| w(item) == Width::W1)
            }
            Node::Sum(_, parts) => parts.iter().all(|&(_, part)| w(part) == width),
            Node::Element(_, items) => !items.is_empty() && items.iter().all(|&item| w(item) == width),
            Node::Call(relation, items) => {
                width == Width::W1 && self.relations[*relation].accepts(items.iter().map(|&item| w(item)))
            }
        };
        assert!(fine, "the operands should have the widths that the node wants: {node:?}");
    }
}

/// Whether a conversion between integers leads from one width to another in the right direction.
fn is_proper(cast: Cast) -> bool {
    match cast {
        Cast::Trunc(from, to) => from > to,
        Cast::ZExt(from, to) | Cast::SExt(from, to) => from < to,
        _ => true,
    }
}

fn guard_widths(guard: Guard, a: Width, b: Width) -> bool {
    match guard {
        Guard::AddFits(w)
        | Guard::SubFits(w)
        | Guard::MulFits(w)
        | Guard::NonZero(w)
        | Guard::AnyBit(w)
        | Guard::QuotientFits(w)
        | Guard::ShlFits(w)
        | Guard::IndexBelow(w)
        | Guard::IndexAtMost(w) => a == w && b == w,
        Guard::ShiftInRange { amount, .. } => a == amount && b == amount,
        Guard::FloatFits { from, .. } => a == from.width() && b == from.width(),
    }
}
