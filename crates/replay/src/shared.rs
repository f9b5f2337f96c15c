//! The memory that Quipu shares with a run: a file that the run maps.
//!
//! Quipu writes the inputs in front and reads, after the process has ended, whatever it left: a crash loses nothing.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use quipu_base::Id;
use quipu_inputs::{Argument, Inputs, Interface, Leaf, Object, ObjectShape, Origin, Spot, Target};
use quipu_interp::is_library_object;
use quipu_ir::{Module, Symbol};

/// The words at the start; `core.c` has the same list.
#[derive(Clone, Copy)]
enum Word {
    Magic,
    State,
    Detail,
    Count,
    Used,
    Time,
    Space,
    Entry,
    Objects,
    Writes,
    Args,
    Values,
    Reads,
    ObjectsAt,
    WritesAt,
    ArgsAt,
    ValuesAt,
    ReadsAt,
    ResultAt,
    HitsAt,
    LogAt,
    Capacity,
    Size,
    Failing,
}

const WORDS: usize = 32;
const MAGIC: u64 = 0x21_5550_4951;

/// What does not change from run to run.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// How many entries the log has room for.
    pub(crate) capacity: u64,
    /// How many probes there are.
    pub(crate) probes: u64,
    /// In microseconds.
    pub(crate) time: u64,
    /// In bytes.
    pub(crate) space: u64,
}

/// The inputs of a run, as the runtime reads them.
pub(crate) struct Message {
    words: Vec<u64>,
    /// The leaves whose values are read back, in order.
    leaves: Vec<Leaf>,
    total: u64,
}

/// What a run left behind.
pub(crate) struct Left {
    pub(crate) state: u64,
    pub(crate) detail: u64,
    pub(crate) requests: u64,
    /// The entries of the log, and whether all found room.
    pub(crate) log: Vec<u64>,
    pub(crate) complete: bool,
    pub(crate) hits: Vec<u8>,
    /// The leaves in memory with their values before and after the call.
    pub(crate) leaves: Vec<(Leaf, u64, u64)>,
    pub(crate) result: Vec<u8>,
}

impl Message {
    /// The message that asks for a call; `number` gives the numbers of symbols.
    pub(crate) fn new(
        module: &Module,
        layout: &Layout,
        entry: usize,
        interface: &Interface,
        inputs: &Inputs,
        number: impl Fn(Symbol) -> u64,
    ) -> Message {
        let entries = interface.leaves.entries();
        let placed: Vec<(Leaf, Spot)> = entries
            .filter_map(|(leaf, _)| Some((leaf, interface.spot_in(leaf, inputs)?)))
            .filter(|(_, spot)| is_placed(module, interface, spot.object))
            .collect();
        let mut words = vec![0; WORDS];
        let objects = interface
            .objects
            .entries()
            .map(|(id, shape)| object(shape, interface.size_in(id, inputs), &number));
        section(&mut words, Word::ObjectsAt, Word::Objects, objects);
        let writes = placed.iter().map(|&(leaf, spot)| {
            let [object, offset, bit, width] = place(module, interface, leaf, spot);
            let (kind, value) = meaning(interface, inputs, leaf, &number);
            [object, offset, bit, width, kind, value]
        });
        section(&mut words, Word::WritesAt, Word::Writes, writes);
        let reads = placed.iter().map(|&(leaf, spot)| {
            let [object, offset, bit, width] = place(module, interface, leaf, spot);
            [object, offset, bit, width, 0, 0]
        });
        section(&mut words, Word::ReadsAt, Word::Reads, reads);
        let arguments = interface.arguments.iter().map(|argument| match *argument {
            Argument::Leaf(leaf) => meaning(interface, inputs, leaf, &number).into(),
            Argument::Copy(object) => [1, object.index() as u64],
            Argument::ResultPlace { .. } | Argument::NoVariadic => [0, 0],
        });
        section(&mut words, Word::ArgsAt, Word::Args, arguments);
        section(&mut words, Word::ValuesAt, Word::Values, inputs.sequence.iter().map(|value| [*value]));
        let total = finish(&mut words, layout, entry, result_size(interface));
        words[Word::Failing as usize] = u64::from(interface.failing);
        let leaves = placed.into_iter().map(|(leaf, _)| leaf).collect();
        Message { words, leaves, total }
    }

    /// Puts the message into an empty file.
    pub(crate) fn write(&self, file: &mut File) -> io::Result<()> {
        let bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&bytes)?;
        file.set_len(self.total)
    }

    /// What a run left in the file. Only the words that the run should change are believed.
    pub(crate) fn read(&self, file: &mut File) -> io::Result<Left> {
        let head = read_words(file, 0, WORDS)?;
        let told = |word: Word| head[word as usize];
        let known = |word: Word| self.words[word as usize];
        let (count, capacity) = (told(Word::Count), known(Word::Capacity));
        let kept = usize::try_from(count.min(capacity)).unwrap_or(0);
        let (result_at, hits_at, log_at) = (known(Word::ResultAt), known(Word::HitsAt), known(Word::LogAt));
        let reads = read_words(file, known(Word::ReadsAt), 6 * self.leaves.len())?;
        let leaves = self.leaves.iter().zip(reads.chunks(6));
        Ok(Left {
            state: told(Word::State),
            detail: told(Word::Detail),
            requests: told(Word::Used),
            log: read_words(file, log_at, kept)?,
            complete: count <= capacity,
            hits: read_bytes(file, hits_at, (log_at - hits_at) as usize)?,
            leaves: leaves.map(|(leaf, values)| (*leaf, values[4], values[5])).collect(),
            result: read_bytes(file, result_at, (hits_at - result_at) as usize)?,
        })
    }
}

/// Appends the entries of a section and notes where it starts and how many there are.
fn section<const N: usize>(
    words: &mut Vec<u64>,
    at: Word,
    count: Word,
    entries: impl Iterator<Item = [u64; N]>,
) {
    words[at as usize] = words.len() as u64 * 8;
    let entries: Vec<[u64; N]> = entries.collect();
    words[count as usize] = entries.len() as u64;
    words.extend(entries.into_iter().flatten());
}

/// An object of the program by its symbol, or one that the runtime provides; its size; room for its address.
fn object(shape: &ObjectShape, size: u64, number: &impl Fn(Symbol) -> u64) -> [u64; 3] {
    let symbol = match shape.origin {
        Origin::Global(global) => number(Symbol::Global(global)),
        Origin::Provided => 0,
    };
    [symbol, size, 0]
}

/// Places what the run writes behind the message, and completes the head; the size of the file.
fn finish(words: &mut [u64], layout: &Layout, entry: usize, result: u64) -> u64 {
    let result_at = (words.len() as u64 * 8).next_multiple_of(64);
    let hits_at = result_at + result.next_multiple_of(64);
    let log_at = hits_at + layout.probes.next_multiple_of(64);
    let total = log_at + 8 * layout.capacity;
    let head = [
        (Word::Magic, MAGIC),
        (Word::State, 0),
        (Word::Detail, 0),
        (Word::Count, 0),
        (Word::Used, 0),
        (Word::Time, layout.time),
        (Word::Space, layout.space.saturating_add(total)),
        (Word::Entry, entry as u64),
        (Word::ResultAt, result_at),
        (Word::HitsAt, hits_at),
        (Word::LogAt, log_at),
        (Word::Capacity, layout.capacity),
        (Word::Size, total),
    ];
    for (word, value) in head {
        words[word as usize] = value;
    }
    total
}

fn result_size(interface: &Interface) -> u64 {
    let places = interface.arguments.iter().map(|argument| match *argument {
        Argument::ResultPlace { size, .. } => size,
        _ => 0,
    });
    places.max().unwrap_or(0).max(8)
}

/// Whether an object is written to. What belongs to the C library is left alone.
fn is_placed(module: &Module, interface: &Interface, object: Object) -> bool {
    match interface.objects[object].origin {
        Origin::Global(global) => !is_library_object(&module.globals[global]),
        Origin::Provided => true,
    }
}

/// Object, offset, bit and width of a scalar in memory. A scalar that is no bit-field fills its bytes.
fn place(module: &Module, interface: &Interface, leaf: Leaf, spot: Spot) -> [u64; 4] {
    let info = &interface.leaves[leaf];
    let Spot { object, offset, bits } = spot;
    let (bit, width) = match bits {
        Some((bit, width)) => (u64::from(bit), u64::from(width)),
        None => (0, module.data_model.size_of(info.ty) * 8),
    };
    [object.index() as u64, offset, bit, width]
}

/// How the runtime finds the value of a leaf: 0 itself, 1 a place in an object, 2 the address of a symbol.
fn meaning(
    interface: &Interface,
    inputs: &Inputs,
    leaf: Leaf,
    number: &impl Fn(Symbol) -> u64,
) -> (u64, u64) {
    if interface.leaves[leaf].targets.is_none() {
        return (0, inputs.get(leaf));
    }
    match interface.target_in(leaf, inputs) {
        None => (0, 0),
        Some(Target::Object(object, offset)) => (1, object.index() as u64 | offset << 32),
        Some(Target::Device(address)) => (0, address),
        Some(Target::Function(func)) => (2, number(Symbol::Func(func))),
    }
}

fn read_words(file: &mut File, at: u64, count: usize) -> io::Result<Vec<u64>> {
    let bytes = read_bytes(file, at, 8 * count)?;
    let word = |chunk: &[u8]| u64::from_le_bytes(chunk.try_into().expect("a word has eight bytes"));
    Ok(bytes.chunks_exact(8).map(word).collect())
}

fn read_bytes(file: &mut File, at: u64, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; count];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
