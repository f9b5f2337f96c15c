//! Memory: the content of all objects at some point of the execution.

use std::rc::Rc;

use quipu_analysis::points_to;
use quipu_base::{Id, IdVec, define_id};
use quipu_model::Term;

use crate::content::Content;
use crate::merge::FEW;
use crate::table::Table;
use crate::terms::Terms;

define_id!(
    /// A memory object.
    ObjectId, "o"
);

/// What does not change about an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectInfo {
    /// In bytes, at most.
    pub size: u64,
    /// The size in the run, where that is not always the same.
    pub extent: Option<Term>,
    pub kind: ObjectKind,
    /// What its address is a multiple of.
    pub align: u64,
    pub source: Source,
    /// Where this is true, its size is as assumed. None if that is certain.
    pub trusted: Option<Term>,
    /// Whether its size is certain all the same, and only what it holds beyond what is known of it is not.
    pub is_sized: bool,
}

impl ObjectInfo {
    /// An object that always has one size.
    pub fn new(size: u64, kind: ObjectKind) -> ObjectInfo {
        ObjectInfo { size, extent: None, kind, align: 1, source: Source::Any, trusted: None, is_sized: false }
    }

    pub fn aligned(self, align: u64) -> ObjectInfo {
        ObjectInfo { align, ..self }
    }

    pub fn from(self, source: Source) -> ObjectInfo {
        ObjectInfo { source, ..self }
    }
}

/// What the analysis of pointers calls an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// Nothing: no pointer of the program leads to it.
    Hidden,
    /// It may call it anything.
    Any,
    Known(points_to::Object),
}

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ObjectKind {
    /// It exists before the run, or is made by the caller.
    Static,
    /// Writing to it is undefined.
    Constant,
    /// A local variable. Without content it is dead.
    Local,
    /// What tells which life of a local variable is the present one; out of reach of the program. Without content
    /// there is none.
    Register,
    /// It can be freed.
    Heap,
    /// A stream of the library, of which nothing is known.
    Stream,
}

impl ObjectKind {
    /// Whether an object without content is one that is not there.
    pub fn is_local(self) -> bool {
        matches!(self, ObjectKind::Local | ObjectKind::Register)
    }
}

/// What one of two memories holds where they differ.
type Difference = Option<Rc<Content>>;

/// The objects of an encoding.
pub(crate) type Objects = IdVec<ObjectId, ObjectInfo>;

/// The content of all objects at some point of the execution. An object that is not local and has no content does not
/// exist on the paths there: no pointer to it does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    contents: Table<Content>,
}

impl Memory {
    pub fn get(&self, object: ObjectId) -> Option<&Rc<Content>> {
        self.contents.get(object.index())
    }

    pub fn set(&mut self, object: ObjectId, content: Rc<Content>) {
        *self.contents.place(object.index()) = Some(content);
    }

    /// Forgets an object.
    pub fn remove(&mut self, object: ObjectId) {
        if self.get(object).is_some() {
            *self.contents.place(object.index()) = None;
        }
    }

    /// The content, to be changed.
    pub fn change(&mut self, object: ObjectId) -> Option<&mut Content> {
        self.contents.place(object.index()).as_mut().map(Rc::make_mut)
    }

    /// The objects in which two memories differ, with their contents.
    pub fn differences(a: &Memory, b: &Memory) -> Vec<(ObjectId, Difference, Difference)> {
        let mut found = Vec::new();
        Table::join(&[&a.contents, &b.contents], |n, contents| {
            found.push((ObjectId::new(n), contents[0].cloned(), contents[1].cloned()));
            None
        });
        found
    }

    /// All objects that have a content.
    pub fn objects(&self) -> Vec<(ObjectId, Rc<Content>)> {
        let all = Memory::differences(self, &Memory::default());
        all.into_iter().filter_map(|(object, content, _)| Some((object, content?))).collect()
    }

    /// The memory where several paths meet; `choices` tell each from those behind it.
    pub fn join(terms: &mut Terms<'_>, objects: &Objects, memories: &[&Memory], choices: &[Term]) -> Memory {
        let tables: Vec<&Table<Content>> = memories.iter().map(|memory| &memory.contents).collect();
        let mut choices = Choices { choices, first: Vec::new() };
        let contents = Table::join(&tables, |n, contents| {
            let local = objects[ObjectId::new(n)].kind.is_local();
            join_contents(terms, local, contents, &mut choices)
        });
        Memory { contents }
    }
}

fn join_contents(
    terms: &mut Terms<'_>,
    local: bool,
    contents: &[Option<&Rc<Content>>],
    choices: &mut Choices<'_>,
) -> Option<Rc<Content>> {
    if contents.len() > FEW
        && let Some(joined) = join_many(terms, local, contents, choices)
    {
        return Some(joined);
    }
    let (last, others) = contents.split_last()?;
    let mut joined: Option<Rc<Content>> = last.cloned();
    for (content, &choice) in others.iter().zip(choices.choices).rev() {
        joined = match (content, joined) {
            (None, None) => None,
            (Some(content), Some(rest)) if Rc::ptr_eq(content, &rest) => Some(rest),
            (Some(content), Some(rest)) => Some(Rc::new(Content::select(terms, choice, content, &rest))),
            (None, Some(rest)) if local => {
                let not = terms.not(choice);
                Some(alive_only_if(terms, &rest, not))
            }
            (Some(content), None) if local => Some(alive_only_if(terms, content, choice)),
            (Some(content), None) => Some((*content).clone()),
            (None, joined) => joined,
        };
    }
    joined
}

/// Which of several paths was taken: the first one whose choice is true, or the last one.
struct Choices<'c> {
    choices: &'c [Term],
    /// For each path that it is the one, as far as that was asked for.
    first: Vec<Term>,
}

impl Choices<'_> {
    /// That it was the path with this number. There may be thousands of paths, and of objects that ask.
    fn first(&mut self, terms: &mut Terms<'_>, number: usize) -> Term {
        if self.first.is_empty() {
            let mut none_before = terms.truth(true);
            for &choice in self.choices {
                self.first.push(terms.both(none_before, choice));
                let other = terms.not(choice);
                none_before = terms.both(none_before, other);
            }
            self.first.push(none_before);
        }
        self.first[number]
    }
}

/// The same for many paths, if the contents are alike. A local object that is not there is not alive.
fn join_many(
    terms: &mut Terms<'_>,
    local: bool,
    contents: &[Option<&Rc<Content>>],
    choices: &mut Choices<'_>,
) -> Option<Rc<Content>> {
    let there: Vec<usize> = (0..contents.len()).filter(|&n| contents[n].is_some()).collect();
    let some: Vec<&Content> = contents.iter().flatten().map(|content| &***content).collect();
    let is_everywhere = some.len() == contents.len();
    if is_everywhere && some.windows(2).all(|pair| std::ptr::eq(pair[0], pair[1])) {
        return None;
    }
    let its_choices: Vec<Term> = there.iter().filter_map(|&n| choices.choices.get(n).copied()).collect();
    let mut joined = Content::choose(terms, &some, &its_choices)?;
    if local && !is_everywhere {
        let alive: Vec<Term> = there
            .iter()
            .zip(&some)
            .map(|(&n, content)| {
                let taken = choices.first(terms, n);
                terms.both(taken, content.alive)
            })
            .collect();
        joined.alive = terms.any(&alive);
    }
    Some(Rc::new(joined))
}

fn alive_only_if(terms: &mut Terms<'_>, content: &Content, condition: Term) -> Rc<Content> {
    let alive = terms.both(content.alive, condition);
    Rc::new(content.alive_if(alive))
}
