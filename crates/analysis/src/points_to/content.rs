//! What the pointers inside one object may point to.
//!
//! A cell is a place of a pointer's size. The cells at single offsets are complete: whatever is written over one, as
//! a whole or in part, goes into it. What the other places hold is the union of the cells with classes of offsets
//! that may be there, of the default, and of "unknown" where bytes were written that are not known to be a pointer.

use std::collections::BTreeMap;

use super::offset::Offset;
use super::target_set::TargetSet;

/// The pointers inside an object.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Content {
    cells: BTreeMap<Offset, TargetSet>,
    /// Where bytes were written that are no pointer, and how many.
    raw: BTreeMap<Offset, i64>,
    /// What a place holds to which nothing was written.
    default: TargetSet,
    /// Whether all cells stand for classes of offsets, because there were too many.
    coarse: bool,
}

/// What is written to an object.
#[derive(Clone, Copy, Debug)]
pub enum Write<'a> {
    /// A pointer.
    Pointer(&'a TargetSet),
    /// So many bytes that are no pointer.
    Raw(i64),
    /// So many zeros.
    Zeros(i64),
    /// A part of another object, of this size, that starts at offset 0.
    Piece(&'a Content, i64),
}

/// More cells than this become a few classes.
const MOST_CELLS: usize = 64;
/// More places of bytes than this become one class.
const MOST_RAW: usize = 32;

impl Content {
    /// An object whose places hold one of these unless something is written to them.
    pub fn holding(default: TargetSet) -> Content {
        Content { default, ..Content::default() }
    }

    /// Whether any pointer inside may be unknown, so that writing bytes anywhere changes nothing.
    pub fn is_unknown(&self, bytes: i64) -> bool {
        self.raw.iter().any(|(&raw, &len)| len >= bytes && raw == Offset::ANY)
            && self.cells.iter().all(|(cell, targets)| cell.as_exact().is_none() || targets.may_be_unknown())
    }

    /// What a pointer read at an offset may be. `size` is that of pointers.
    pub fn load(&self, at: Offset, size: i64) -> TargetSet {
        if let Some(cell) = at.as_exact().and_then(|_| self.cells.get(&at)) {
            return cell.clone();
        }
        let mut found = self.default.clone();
        let mut pieced = self.raw.iter().any(|(&raw, &len)| raw.distances(at, 1 - size, len));
        for (&cell, targets) in &self.cells {
            if cell.distances(at, 0, 1) {
                found.add_all(targets);
            }
            pieced |= partly(cell, at, size, size);
        }
        if pieced {
            found.add_all(&TargetSet::unknown());
        }
        found
    }

    /// All pointers inside.
    pub fn targets(&self) -> impl Iterator<Item = &TargetSet> {
        self.cells.values().chain([&self.default])
    }

    /// The pointers of which some byte lies in `len` bytes at an offset.
    pub fn overlapping(&self, at: Offset, len: i64, size: i64) -> impl Iterator<Item = &TargetSet> {
        let cells = self.cells.iter().filter(move |&(&cell, _)| at.distances(cell, 1 - size, len));
        cells.map(|(_, targets)| targets).chain([&self.default])
    }

    /// Writes; `strong` if surely at this offset. `size` is that of pointers, `whole` that of the object if known.
    pub fn write(&mut self, at: Offset, write: Write<'_>, strong: bool, size: i64, whole: Option<i64>) {
        let strong = strong && !self.coarse;
        match (write, at.as_exact().filter(|_| strong)) {
            (Write::Pointer(targets), Some(_)) => {
                self.spoil_neighbours(at, size);
                self.cells.insert(at, targets.clone());
            }
            (Write::Pointer(targets), None) => {
                self.spoil_neighbours(at, size);
                self.add_pointer(at, targets, size);
            }
            (Write::Raw(len), _) => self.write_raw(at, len, size),
            (Write::Zeros(len), exact) => self.write_zeros(at, len, exact.is_some(), size, whole),
            (Write::Piece(piece, len), Some(0)) if whole.is_some_and(|whole| len >= whole) => {
                self.clone_from(piece);
            }
            (Write::Piece(piece, len), Some(from)) => self.replace(from, piece, len, size),
            (Write::Piece(piece, len), None) => self.add_piece(at, piece, len, size),
        }
        self.limit(size);
    }

    /// The part of `len` bytes at an offset, moved to offset 0.
    pub fn part(&self, at: Offset, len: i64, size: i64) -> Content {
        let mut part = Content { default: self.default.clone(), coarse: self.coarse, ..Content::default() };
        for (&cell, targets) in &self.cells {
            let exact = cell.as_exact().is_some() && at.as_exact().is_some();
            if !exact || at.distances(cell, 0, len - size + 1) {
                part.cells.entry(cell.minus(at)).or_default().add_all(targets);
            } else if at.distances(cell, 1 - size, len) {
                // A part of a pointer is just bytes.
                part.note_raw(cell.minus(at), size);
            }
        }
        for (&raw, &n) in &self.raw {
            if at.distances(raw, 1 - n, len) {
                part.note_raw(raw.minus(at), n);
            }
        }
        part.limit(size);
        part
    }

    /// Adds what another path leads to; whether anything is new.
    pub fn join(&mut self, other: &Content, size: i64) -> bool {
        let before = self.clone();
        let exact = |cells: &BTreeMap<Offset, TargetSet>| {
            cells.keys().copied().filter(|cell| cell.as_exact().is_some()).collect::<Vec<_>>()
        };
        let mut joined: Vec<(Offset, TargetSet)> = Vec::new();
        for cell in exact(&self.cells).into_iter().chain(exact(&other.cells)) {
            let mut both = self.load(cell, size);
            both.add_all(&other.load(cell, size));
            joined.push((cell, both));
        }
        self.cells.extend(joined);
        for (&cell, targets) in other.cells.iter().filter(|(cell, _)| cell.as_exact().is_none()) {
            self.cells.entry(cell).or_default().add_all(targets);
        }
        for (&raw, &len) in &other.raw {
            self.note_raw(raw, len);
        }
        self.default.add_all(&other.default);
        self.coarse |= other.coarse;
        self.limit(size);
        *self != before
    }

    /// Replaces the targets that have ended.
    pub fn with_ended(&self, ended: &impl Fn(super::object::Object) -> bool) -> Content {
        Content {
            cells: self.cells.iter().map(|(&cell, targets)| (cell, targets.with_ended(ended))).collect(),
            raw: self.raw.clone(),
            default: self.default.with_ended(ended),
            coarse: self.coarse,
        }
    }

    /// The offsets of the cells that something was written to, in order.
    pub fn offsets(&self) -> impl Iterator<Item = Offset> + '_ {
        self.cells.keys().copied()
    }

    /// Lets places to which nothing was written hold more.
    pub fn add_default(&mut self, targets: &TargetSet) {
        self.default.add_all(targets);
    }

    /// Makes unknown what a pointer at this offset would overwrite in part.
    fn spoil_neighbours(&mut self, at: Offset, size: i64) {
        for (&cell, targets) in &mut self.cells {
            if cell.as_exact().is_some() && partly(at, cell, size, size) {
                targets.add_all(&TargetSet::unknown());
            }
        }
    }

    fn add_pointer(&mut self, at: Offset, targets: &TargetSet, size: i64) {
        if at.as_exact().is_some() && !self.coarse {
            let mut cell = self.load(at, size);
            cell.add_all(targets);
            self.cells.insert(at, cell);
            return;
        }
        for (&cell, old) in &mut self.cells {
            if cell.as_exact().is_some() && at.distances(cell, 0, 1) {
                old.add_all(targets);
            }
        }
        self.cells.entry(at).or_default().add_all(targets);
    }

    fn write_raw(&mut self, at: Offset, len: i64, size: i64) {
        for (&cell, targets) in &mut self.cells {
            if cell.as_exact().is_some() && at.distances(cell, 1 - size, len) {
                targets.add_all(&TargetSet::unknown());
            }
        }
        self.note_raw(at, len);
    }

    fn write_zeros(&mut self, at: Offset, len: i64, strong: bool, size: i64, whole: Option<i64>) {
        if strong && at == Offset::exact(0) && whole.is_some_and(|whole| len >= whole) {
            *self = Content::holding(TargetSet::null());
            return;
        }
        for (&cell, targets) in self.cells.iter_mut().filter(|(cell, _)| cell.as_exact().is_some()) {
            if partly(at, cell, len, size) {
                targets.add_all(&TargetSet::unknown());
            } else if strong && at.distances(cell, 0, len) {
                *targets = TargetSet::null();
            } else if at.distances(cell, 0, len) {
                targets.add_all(&TargetSet::null());
            }
        }
        self.default.add_all(&TargetSet::null());
    }

    /// Overwrites `len` bytes with a piece.
    fn replace(&mut self, from: i64, piece: &Content, len: i64, size: i64) {
        let at = Offset::exact(from);
        self.cells.retain(|&cell, _| cell.as_exact().is_none() || !at.distances(cell, 0, len - size + 1));
        for (&cell, targets) in &mut self.cells {
            if cell.as_exact().is_some() && partly(at, cell, len, size) {
                targets.add_all(&TargetSet::unknown());
            }
        }
        for (&cell, targets) in &piece.cells {
            match cell.as_exact() {
                Some(_) => drop(self.cells.insert(cell.plus(at), targets.clone())),
                None => self.add_pointer(cell.plus(at), targets, size),
            }
        }
        self.add_rest(at, piece);
    }

    /// Writes a piece that may be written elsewhere instead.
    fn add_piece(&mut self, at: Offset, piece: &Content, len: i64, size: i64) {
        for (&cell, targets) in self.cells.iter_mut().filter(|(cell, _)| cell.as_exact().is_some()) {
            if at.distances(cell, 1 - size, len) {
                targets.add_all(&piece.load(cell.minus(at), size));
                if partly(at, cell, len, size) {
                    targets.add_all(&TargetSet::unknown());
                }
            }
        }
        for (&cell, targets) in &piece.cells {
            self.add_pointer(cell.plus(at), targets, size);
        }
        self.add_rest(at, piece);
    }

    fn add_rest(&mut self, at: Offset, piece: &Content) {
        for (&raw, &len) in &piece.raw {
            self.note_raw(raw.plus(at), len);
        }
        self.default.add_all(&piece.default);
        self.coarse |= piece.coarse;
    }

    fn note_raw(&mut self, at: Offset, len: i64) {
        // What a class covers is not listed again, so that the list grows only a limited number of times.
        if self.raw.iter().any(|(&raw, &n)| n >= len && raw.join(at) == raw) {
            return;
        }
        let old = self.raw.entry(at).or_insert(len);
        *old = len.max(*old);
    }

    /// Keeps the tables small, and is the same however often it is done.
    fn limit(&mut self, size: i64) {
        self.coarse |= self.cells.len() > MOST_CELLS;
        if self.coarse {
            for (cell, targets) in std::mem::take(&mut self.cells) {
                let class = cell.join(cell.plus(Offset::exact(size)));
                self.cells.entry(class).or_default().add_all(&targets);
            }
        }
        if self.raw.len() > MOST_RAW {
            let class = self.raw.keys().copied().reduce(Offset::join).unwrap_or(Offset::ANY);
            let longest = self.raw.values().copied().max().unwrap_or(0);
            self.raw = BTreeMap::from([(class, longest)]);
        }
    }
}

/// Whether `len` bytes at an offset may cover a part of a pointer at another offset, but not all of it.
fn partly(at: Offset, cell: Offset, len: i64, size: i64) -> bool {
    at.distances(cell, 1 - size, 0) || at.distances(cell, (len - size + 1).max(0), len)
}
