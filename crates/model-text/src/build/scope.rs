//! Names and what they stand for.
//!
//! A frame is the inside of the top level, of a relation, or of a loop. A name of the inside of a `w` that is
//! declared outside of it is captured: it becomes a parameter of the loop, with the outer value as argument.

use std::rc::Rc;

use quipu_model::{Role, Term, Var, VarInfo};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Builder, Built, Stop};
use crate::diagnostic::{Problem, Span};
use crate::syntax::Name;
use crate::types::Type;

/// What a name stands for.
#[derive(Clone)]
pub(super) struct Binding {
    pub ty: Type,
    /// One term, or the elements of an array.
    pub terms: Rc<[Term]>,
    pub array: bool,
    /// The variables behind it, if it is no `let`.
    pub vars: Rc<[Var]>,
    /// Whether it contains the call of a relation.
    pub calls: bool,
    /// Whether its declaration failed.
    pub broken: bool,
}

/// The names inside the top level, a relation, or a loop.
pub(super) struct Frame {
    kind: FrameKind,
    scopes: Vec<FxHashMap<String, Binding>>,
    /// Variables declared inside, if it is not the top level.
    pub locals: Vec<Var>,
    /// The captured variables and the values they stand for.
    pub captured: Vec<(Var, Term)>,
    /// The names that were looked up.
    pub mentioned: FxHashSet<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    Top,
    /// Sees nothing of the outside.
    Relation,
    /// Captures what it sees of the outside.
    While,
}

impl Frame {
    pub fn top() -> Frame {
        Frame::new(FrameKind::Top)
    }

    pub fn relation() -> Frame {
        Frame::new(FrameKind::Relation)
    }

    pub fn repetition() -> Frame {
        Frame::new(FrameKind::While)
    }

    fn new(kind: FrameKind) -> Frame {
        Frame {
            kind,
            scopes: vec![FxHashMap::default()],
            locals: Vec::new(),
            captured: Vec::new(),
            mentioned: FxHashSet::default(),
        }
    }

    pub fn is_top(&self) -> bool {
        self.kind == FrameKind::Top
    }

    /// Whether names are declared directly in it, not in a block inside.
    pub fn is_outermost(&self) -> bool {
        self.scopes.len() == 1
    }

    pub fn enter(&mut self) {
        self.scopes.push(FxHashMap::default());
    }

    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    fn find(&self, name: &str) -> Option<&Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    fn declares(&self, name: &str) -> bool {
        self.scopes.last().is_some_and(|scope| scope.contains_key(name))
    }

    /// Binds a name in the innermost scope.
    pub fn bind(&mut self, name: &str, binding: Binding) {
        let scope = self.scopes.last_mut().expect("a frame has at least one scope");
        scope.insert(name.to_owned(), binding);
    }

    fn bind_outermost(&mut self, name: &str, binding: Binding) {
        self.scopes[0].insert(name.to_owned(), binding);
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.scopes.iter().flat_map(FxHashMap::keys)
    }
}

impl Binding {
    pub fn broken() -> Binding {
        let (terms, vars) = (Rc::from([]), Rc::from([]));
        Binding { ty: Type::BOOL, terms, array: false, vars, calls: false, broken: true }
    }
}

impl Builder<'_> {
    pub(super) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the top level is always there")
    }

    /// What a name stands for here.
    pub(super) fn lookup(&mut self, name: &str, span: &Span) -> Built<Binding> {
        let innermost = self.frames.len() - 1;
        match self.lookup_in(innermost, name, span)? {
            Some(binding) if binding.broken => Err(Stop),
            Some(binding) => Ok(binding),
            None => self.unknown(name, span),
        }
    }

    fn lookup_in(&mut self, frame: usize, name: &str, span: &Span) -> Built<Option<Binding>> {
        if let Some(binding) = self.frames[frame].find(name).cloned() {
            if !self.frames[frame].mentioned.contains(name) {
                self.frames[frame].mentioned.insert(name.to_owned());
            }
            return Ok(Some(binding));
        }
        if self.frames[frame].kind != FrameKind::While {
            return Ok(None);
        }
        match self.lookup_in(frame - 1, name, span)? {
            Some(outside) if !outside.broken => self.capture(frame, name, &outside, span).map(Some),
            other => Ok(other),
        }
    }

    /// Makes a name from outside a parameter of a loop.
    fn capture(&mut self, frame: usize, name: &str, outside: &Binding, span: &Span) -> Built<Binding> {
        if outside.calls {
            return self.negative(span);
        }
        self.list_elements(span, outside.terms.len())?;
        let vars = self.formals(name, outside.ty, outside.array.then_some(outside.terms.len()), None);
        let binding = self.binding_of(outside.ty, outside.array, vars);
        let pairs = binding.vars.iter().copied().zip(outside.terms.iter().copied());
        self.frames[frame].captured.extend(pairs);
        self.frames[frame].bind_outermost(name, binding.clone());
        Ok(binding)
    }

    fn unknown<T>(&mut self, name: &str, span: &Span) -> Built<T> {
        let problem = Problem::new(span.clone(), format!("there is no variable `{name}`"));
        if name == "_" {
            return self.fail(problem.hint("`_` stands only for a value at the end of a loop"));
        }
        if name.ends_with('\'') {
            return self.fail(problem.hint(
                "a prime means the next value: it belongs to a variable of a loop's state, and into the body",
            ));
        }
        if Type::named(name).is_some() {
            return self.fail(problem.hint(format!("`{name}` is a type, not a value")));
        }
        if self.signatures.contains_key(name) {
            return self.fail(problem.hint(format!("`{name}` is a relation: call it with arguments")));
        }
        let hidden = self.frames.iter().any(|frame| frame.find(name).is_some());
        if hidden {
            let hint = format!("a relation sees only its parameters: pass `{name}` as one");
            return self.fail(problem.hint(hint));
        }
        let known: Vec<&String> = self.frames.last().into_iter().flat_map(Frame::names).collect();
        match nearest(name, known.into_iter().map(String::as_str)) {
            Some(other) => {
                let hint = format!("did you mean `{other}`?");
                self.fail(problem.hint(hint))
            }
            None => self.fail(problem),
        }
    }

    /// Checks that a name may be declared here.
    pub(super) fn check_new(&mut self, name: &Name<'_>) -> Built<()> {
        if self.signatures.contains_key(name.text) {
            return self.error(&name.span, format!("`{}` is already the name of a relation", name.text));
        }
        if self.frame().declares(name.text) {
            return self.error(&name.span, format!("`{}` is already declared", name.text));
        }
        Ok(())
    }

    /// Binds a name to variables in the innermost scope.
    pub(super) fn bind_vars(&mut self, name: &str, ty: Type, array: bool, vars: Vec<Var>) {
        let binding = self.binding_of(ty, array, vars);
        self.frame().bind(name, binding);
    }

    fn binding_of(&self, ty: Type, array: bool, vars: Vec<Var>) -> Binding {
        let terms = self.var_terms(&vars).into();
        Binding { ty, terms, array, vars: vars.into(), calls: false, broken: false }
    }

    /// New formal variables for a name.
    pub(super) fn formals(
        &mut self,
        name: &str,
        ty: Type,
        size: Option<usize>,
        range: Option<(u64, u64)>,
    ) -> Vec<Var> {
        self.add_vars(name, ty, size, range, Role::Formal)
    }

    /// New variables for a name: one, or the elements of an array.
    pub(super) fn add_vars(
        &mut self,
        name: &str,
        ty: Type,
        size: Option<usize>,
        range: Option<(u64, u64)>,
        role: Role,
    ) -> Vec<Var> {
        let info = |name: String| VarInfo { name, width: ty.width(), reading: ty.reading(), range, role };
        match size {
            None => vec![self.model.add_var(info(name.to_owned()))],
            Some(size) => (0..size).map(|n| self.model.add_var(info(format!("{name}[{n}]")))).collect(),
        }
    }
}

/// The known name that a misspelt one is likeliest to mean.
pub(super) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    known
        .filter(|other| other.len() <= 64 && name.len() <= 64)
        .map(|other| (distance(name, other), other))
        .filter(|&(edits, _)| edits <= 1 + name.len() / 4)
        .min()
        .map(|(_, other)| other)
}

/// The edit distance between two names (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}
