//! Memory objects: what the table knows about each.

/// What kind of storage an object has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A global object that may be written.
    Global,
    /// A string literal or a constant global.
    Constant,
    /// A function: an address without bytes.
    Function,
    /// A local variable.
    Slot,
    /// A local object of computed size.
    Alloca,
    /// From `malloc` and its relatives.
    Heap,
    /// An open stream of the library, of which nothing is known.
    Stream,
    /// Prepared by the caller of the run, e.g. the array behind a pointer argument.
    Input,
}

impl ObjectKind {
    /// How messages call such an object, with its article.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ObjectKind::Global => "a global object",
            ObjectKind::Constant => "a constant object",
            ObjectKind::Function => "a function",
            ObjectKind::Slot => "a local object",
            ObjectKind::Alloca => "a variable-length object",
            ObjectKind::Heap => "a heap object",
            ObjectKind::Stream => "a stream",
            ObjectKind::Input => "an input object",
        }
    }
}

/// An entry of the object table.
///
/// The two limits are the sizes up to which the fast paths may read and write without any further
/// question. They are zero for every object that needs one: a dead object, a paged one, and for writing a
/// constant or a static object that was not written yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object {
    /// Where the bytes are: a place in the arena, or for a paged object the number of its page table.
    pub storage: u32,
    /// Bytes that may be read directly.
    pub read_limit: u32,
    /// Bytes that may be written directly.
    pub write_limit: u32,
    /// The size in bytes.
    pub size: u32,
    /// The kind of storage.
    pub kind: ObjectKind,
    /// Whether its lifetime has not ended.
    pub alive: bool,
    /// Whether the bytes are in pages, created when touched.
    pub paged: bool,
    /// For a static object: whether a run has written to it.
    pub dirty: bool,
}

/// A view of an object for the users of [`Memory`](crate::Memory).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectInfo {
    /// The address of the first byte.
    pub base: u64,
    /// The size in bytes.
    pub size: u64,
    /// The kind of storage.
    pub kind: ObjectKind,
    /// Whether its lifetime has not ended.
    pub alive: bool,
    /// How far behind the base the address lies by which the object was found.
    pub offset: i64,
}
