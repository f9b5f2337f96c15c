//! The content of an object: cells of bits, each with a value and the condition under which it was written.
//!
//! Cells follow the accesses of the program, so that a value read is mostly the value that was written, as it is.
//! Where a program reads what it wrote in other pieces, values are cut and put together. What was never written may
//! be anything: a read of it is an event, so that a join need not keep it. Where such reads go on, joins keep it as the
//! zero that it is in tests.

use std::rc::Rc;

use quipu_ir::Ty;
use quipu_model::Term;
use quipu_num::{IntOp, Width};

use crate::float::Float;
use crate::log::{self, Grid, Log, Logged};
use crate::overlap::Kind;
use crate::pointer::{self, Pointer};
use crate::symbol::Symbol;
use crate::terms::Terms;

/// The content of an object.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Content {
    /// Whether its lifetime has begun and not ended.
    pub alive: Term,
    /// By position, without overlap.
    cells: Vec<Cell>,
    background: Background,
    /// Writes to computed places, over all that.
    pub(crate) log: Log,
    /// Where something else may have changed all that.
    stale: Vec<Stale>,
}

/// That something of a kind may have changed where a condition is true.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Stale {
    pub kind: Kind,
    pub when: Term,
}

/// What stands between the cells.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Background {
    Unwritten,
    /// These bytes, and zeros behind them.
    Bytes(Rc<Vec<u8>>),
    /// Nobody knows what, nor whether it was ever written, and each read finds something else.
    Anything,
    /// The first where the condition is true, else the second.
    Either(Term, Rc<Background>, Rc<Background>),
}

/// Some bits of an object.
#[derive(Clone, PartialEq, Debug)]
struct Cell {
    /// The first bit, counted from the start of the object.
    at: u64,
    bits: u32,
    value: Symbol,
    written: Term,
}

/// Where a cell is in its object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CellPlace {
    at: u64,
    bits: u32,
}

impl CellPlace {
    pub fn overlaps(self, other: CellPlace) -> bool {
        self.at < other.at + u64::from(other.bits) && other.at < self.at + u64::from(self.bits)
    }

    /// The place as that of a number.
    pub fn stretch(self, address: Width) -> Stretch {
        let ty = Ty::Int(Width::new(self.bits).expect("a cell has 1 to 64 bits"));
        Stretch { at: self.at, bits: self.bits, ty, address }
    }
}

/// A value read, and the condition under which all of it was written before.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub value: Symbol,
    pub written: Term,
}

/// A stretch of bits, and the type of the value there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stretch {
    pub at: u64,
    pub bits: u32,
    pub ty: Ty,
    pub address: Width,
}

impl Stretch {
    /// Where it starts, if it is a number of 1, 2, 4 or 8 bytes at a multiple of its size.
    pub fn aligned(&self) -> Option<u64> {
        let fits = matches!(self.bits, 8 | 16 | 32 | 64) && self.at.is_multiple_of(u64::from(self.bits));
        fits.then_some(self.at / 8)
    }

    /// The bytes in which it lies.
    fn bytes(&self) -> impl Iterator<Item = Stretch> + use<> {
        let address = self.address;
        let byte = move |n| Stretch { at: n * 8, bits: 8, ty: Ty::I8, address };
        (self.at / 8..self.end().div_ceil(8)).map(byte)
    }

    fn end(&self) -> u64 {
        self.at + u64::from(self.bits)
    }

    /// The width of the bits as they are stored.
    fn stored(&self) -> Width {
        Width::new(self.bits).expect("a value has 1 to 64 bits")
    }
}

impl Content {
    pub fn new(terms: &mut Terms<'_>, background: Background) -> Content {
        Content {
            alive: terms.truth(true),
            cells: Vec::new(),
            background,
            log: Log::new(),
            stale: Vec::new(),
        }
    }

    /// The same content, alive under a condition.
    pub fn alive_if(&self, alive: Term) -> Content {
        Content { alive, ..self.clone() }
    }

    /// The first where the condition is true, else the second. Contents that do not have the same cells are cut
    /// into the same ones first.
    pub fn select(terms: &mut Terms<'_>, condition: Term, a: &Content, b: &Content) -> Content {
        let (mut a, mut b) = (a.clone(), b.clone());
        a.align_with(terms, &b);
        b.align_with(terms, &a);
        let cells = a.cells.iter().zip(&b.cells).map(|(x, y)| {
            debug_assert!(x.at == y.at && x.bits == y.bits, "contents were aligned");
            Cell::select(terms, condition, x, y)
        });
        let cells = cells.collect();
        let alive = terms.select(condition, a.alive, b.alive);
        let background = match a.background == b.background {
            true => a.background,
            false => Background::Either(condition, Rc::new(a.background), Rc::new(b.background)),
        };
        let log = log::select(terms, condition, &a.log, &b.log);
        let stale = select_stale(terms, condition, &a.stale, &b.stale);
        Content { alive, cells, background, log, stale }
    }

    /// That of the first choice that is true; the last one needs no choice. The same as to select one after the other, but
    /// pointers are chosen from at once. None if the contents do not have the same cells.
    pub fn choose(terms: &mut Terms<'_>, contents: &[&Content], choices: &[Term]) -> Option<Content> {
        let (last, others) = contents.split_last()?;
        let is_alike = |other: &&Content| {
            let places = |content: &Content| -> Vec<(u64, u32)> {
                content.cells.iter().map(|cell| (cell.at, cell.bits)).collect()
            };
            other.background == last.background
                && other.log.is_empty()
                && other.stale.is_empty()
                && places(other) == places(last)
        };
        if !last.log.is_empty() || !last.stale.is_empty() || !others.iter().all(is_alike) {
            return None;
        }
        let cells = (0..last.cells.len()).map(|n| {
            let cells: Vec<&Cell> = contents.iter().map(|content| &content.cells[n]).collect();
            Cell::choose(terms, &cells, choices)
        });
        let cells = cells.collect();
        let rest = (others.iter().zip(choices)).rev();
        let alive = rest.fold(last.alive, |alive, (other, &choice)| terms.select(choice, other.alive, alive));
        let background = last.background.clone();
        Some(Content { alive, cells, background, log: Log::new(), stale: Vec::new() })
    }

    /// Something else may have changed it.
    pub fn age(&mut self, terms: &mut Terms<'_>, stale: Stale) {
        match self.stale.iter_mut().find(|known| known.kind == stale.kind) {
            Some(known) => known.when = terms.any(&[known.when, stale.when]),
            None => self.stale.push(stale),
        }
    }

    pub fn is_stale(&self) -> bool {
        !self.stale.is_empty()
    }

    /// The same content with anything where something else may have changed it.
    pub fn refreshed(&self, terms: &mut Terms<'_>, address: Width) -> Content {
        let mut fresh = Content { stale: Vec::new(), ..self.clone() };
        for &Stale { kind, when } in &self.stale {
            if kind == Kind::Any || !fresh.log.is_empty() {
                let anything = Content::new(terms, Background::Anything).alive_if(fresh.alive);
                fresh = Content::select(terms, when, &anything, &fresh);
                continue;
            }
            for cell in fresh.cells.iter_mut().filter(|cell| kind.changes(&cell.value)) {
                let ty = type_of(terms, &cell.value);
                let anything = Symbol::unknown(terms, ty, address);
                cell.value = Symbol::select(terms, when, &anything, &cell.value);
            }
            let (before, anything) = (Rc::new(fresh.background), Rc::new(Background::Anything));
            fresh.background = Background::Either(when, anything, before);
        }
        fresh
    }

    /// Starts a new life where the last one is over: nothing is written there.
    pub fn begin(&mut self, terms: &mut Terms<'_>) {
        let alive = self.alive;
        if terms.indeterminate {
            let new = Content::new(terms, Background::Unwritten);
            *self = Content::select(terms, alive, self, &new);
        }
        for cell in &mut self.cells {
            cell.written = terms.both(cell.written, alive);
        }
        for entry in &mut self.log {
            entry.write.written = terms.both(entry.write.written, alive);
        }
        if self.background != Background::Unwritten {
            let before = Rc::new(self.background.clone());
            self.background = Background::Either(alive, before, Rc::new(Background::Unwritten));
        }
        self.alive = terms.truth(true);
    }

    /// Gives this content a cell wherever the other one has one, with the same borders.
    fn align_with(&mut self, terms: &mut Terms<'_>, other: &Content) {
        for cell in &other.cells {
            let end = cell.at + u64::from(cell.bits);
            if self.cells_in(cell.at, end).iter().any(|own| own.at == cell.at && own.bits == cell.bits) {
                continue;
            }
            self.cut(terms, cell.at);
            self.cut(terms, end);
            self.fill(terms, cell.at, end, &cell.value);
        }
    }

    fn range(&self, from: u64, to: u64) -> std::ops::Range<usize> {
        let first = self.cells.partition_point(|cell| cell.at + u64::from(cell.bits) <= from);
        let last = self.cells.partition_point(|cell| cell.at < to);
        first..last.max(first)
    }

    /// The cells that share bits with a stretch.
    fn cells_in(&self, from: u64, to: u64) -> &[Cell] {
        &self.cells[self.range(from, to)]
    }

    /// Makes a border between cells at a bit.
    fn cut(&mut self, terms: &mut Terms<'_>, at: u64) {
        let range = self.range(at, at + 1);
        let Some(cell) =
            self.cells.get(range.start).filter(|cell| !range.is_empty() && cell.at < at).cloned()
        else {
            return;
        };
        let low = u32::try_from(at - cell.at).expect("a cell has at most 64 bits");
        let (low_width, high_width) = (Width::new(low), Width::new(cell.bits - low));
        let (low_width, high_width) = (low_width.expect("not empty"), high_width.expect("not empty"));
        let whole = as_bits(terms, &cell.value);
        let low_part = terms.extract(whole, 0, low_width);
        let high_part = terms.extract(whole, low, high_width);
        let parts = [
            Cell { at: cell.at, bits: low, value: Symbol::Int(low_part), written: cell.written },
            Cell { at, bits: cell.bits - low, value: Symbol::Int(high_part), written: cell.written },
        ];
        self.cells.splice(range.start..=range.start, parts);
    }

    /// Puts cells where a stretch has none; `like` tells which type of value stands there in another content.
    fn fill(&mut self, terms: &mut Terms<'_>, from: u64, to: u64, like: &Symbol) {
        let mut gaps = Vec::new();
        let mut at = from;
        for cell in self.cells_in(from, to) {
            if cell.at > at {
                gaps.push((at, cell.at));
            }
            at = cell.at + u64::from(cell.bits);
        }
        if at < to {
            gaps.push((at, to));
        }
        for (start, end) in gaps {
            let whole = (start, end) == (from, to);
            let cell = self.background_cell(terms, start, end, whole.then_some(like));
            let position = self.cells.partition_point(|cell| cell.at < start);
            self.cells.insert(position, cell);
        }
    }

    fn background_cell(&self, terms: &mut Terms<'_>, from: u64, to: u64, like: Option<&Symbol>) -> Cell {
        let bits = u32::try_from(to - from).expect("a gap within a cell is small");
        let width = Width::new(bits).expect("a gap within a cell has 1 to 64 bits");
        let (number, written) = self.background.bits(terms, from, width);
        let value = match (like, terms.known(number)) {
            (Some(Symbol::Float(float)), Some(bits)) => {
                Symbol::Float(Float::constant(terms, float.width, bits))
            }
            (Some(Symbol::Pointer(_)), Some(0)) => Symbol::nothing(terms, Ty::Ptr, width),
            _ => Symbol::Int(number),
        };
        Cell { at: from, bits, value, written }
    }

    /// The value in a stretch.
    pub fn read(&self, terms: &mut Terms<'_>, stretch: Stretch) -> Read {
        if self.log.is_empty() {
            return self.read_cells(terms, stretch);
        }
        match stretch.aligned() {
            Some(place) => {
                let offset = terms.constant(stretch.address, place);
                let grid = Grid { first: place, last: place, step: u64::from(stretch.bits / 8) };
                self.read_far(terms, offset, stretch, &grid)
            }
            None => self.read_bits(terms, stretch),
        }
    }

    /// The value in a stretch that does not fill aligned bytes: of those around it.
    fn read_bits(&self, terms: &mut Terms<'_>, stretch: Stretch) -> Read {
        self.around(terms, stretch).read_cells(terms, stretch)
    }

    /// The bytes in which a stretch lies, without a log.
    fn around(&self, terms: &mut Terms<'_>, stretch: Stretch) -> Content {
        let always = terms.truth(true);
        let mut around = Content::new(terms, Background::Unwritten);
        for byte in stretch.bytes() {
            let Read { value, written } = self.read(terms, byte);
            around.write(terms, byte, always, &value, written);
        }
        around
    }

    /// The value in a stretch, below the log.
    pub(crate) fn read_cells(&self, terms: &mut Terms<'_>, stretch: Stretch) -> Read {
        if let [cell] = self.cells_in(stretch.at, stretch.end())
            && cell.at == stretch.at
            && cell.bits == stretch.bits
            && let Some(value) = as_type(terms, &cell.value, &stretch)
        {
            return Read { value, written: cell.written };
        }
        self.read_pieces(terms, stretch)
    }

    fn read_pieces(&self, terms: &mut Terms<'_>, stretch: Stretch) -> Read {
        let width = stretch.stored();
        let mut number = terms.constant(width, 0);
        let mut written = Vec::new();
        let mut at = stretch.at;
        while at < stretch.end() {
            let (piece, end) = self.piece(terms, at, stretch.end());
            written.push(piece.written);
            let bits = as_bits(terms, &piece.value);
            let skip = u32::try_from(at - piece.at).expect("a cell has at most 64 bits");
            let part_width = Width::new((end - at) as u32).expect("a piece has 1 to 64 bits");
            let part = terms.extract(bits, skip, part_width);
            let part = terms.resize(part, width, false);
            let amount = terms.constant(width, at - stretch.at);
            let placed = if at == stretch.at { part } else { terms.op(IntOp::Shl, part, amount) };
            number = terms.op(IntOp::Or, number, placed);
            at = end;
        }
        let written = terms.all(&written);
        let value = as_type(terms, &Symbol::Int(number), &stretch);
        Read { value: value.unwrap_or_else(|| Symbol::unknown(terms, stretch.ty, stretch.address)), written }
    }

    /// The cell around a bit, or what stands there without one, and where it ends or the stretch does.
    fn piece(&self, terms: &mut Terms<'_>, at: u64, to: u64) -> (Cell, u64) {
        let range = self.range(at, to);
        match self.cells[range].first() {
            Some(cell) if cell.at <= at => (cell.clone(), to.min(cell.at + u64::from(cell.bits))),
            next => {
                let end = next.map_or(to, |cell| cell.at);
                (self.background_cell(terms, at, end, None), end)
            }
        }
    }

    /// Writes a value into a stretch where the condition is true.
    pub fn write(
        &mut self,
        terms: &mut Terms<'_>,
        stretch: Stretch,
        when: Term,
        value: &Symbol,
        written: Term,
    ) {
        if !self.log.is_empty() {
            return self.write_over_log(terms, stretch, when, value, written);
        }
        let exact = matches!(self.cells_in(stretch.at, stretch.end()),
            [cell] if cell.at == stretch.at && cell.bits == stretch.bits);
        if !exact {
            self.cut(terms, stretch.at);
            self.cut(terms, stretch.end());
        }
        let value = stored(terms, value, stretch.bits);
        let new = Cell { at: stretch.at, bits: stretch.bits, value, written };
        let range = self.range(stretch.at, stretch.end());
        if terms.is_true(when) {
            self.cells.splice(range, [new]);
            return;
        }
        if exact {
            let cell = &mut self.cells[range.start];
            *cell = Cell::select(terms, when, &new, cell);
            return;
        }
        // Piece by piece, as some of what stands there may have been written and some not.
        let background = self.background.clone();
        let part = |cells: Vec<Cell>| Content {
            alive: when,
            cells,
            background: background.clone(),
            log: Log::new(),
            stale: self.stale.clone(),
        };
        let (new, old) = (part(vec![new]), part(self.cells[range.clone()].to_vec()));
        let joined = Content::select(terms, when, &new, &old);
        self.cells.splice(range, joined.cells);
    }

    /// Where writes are kept, this is one more of them. Pieces of bytes are written with what is around them.
    fn write_over_log(
        &mut self,
        terms: &mut Terms<'_>,
        stretch: Stretch,
        when: Term,
        value: &Symbol,
        written: Term,
    ) {
        let value = stored(terms, value, stretch.bits);
        if let Some(place) = stretch.aligned() {
            let offset = terms.constant(stretch.address, place);
            let size = u64::from(stretch.bits / 8);
            return self.note(terms, Logged { offset, size, value, written, when });
        }
        let mut around = self.around(terms, stretch);
        let always = terms.truth(true);
        around.write(terms, stretch, always, &value, written);
        for byte in stretch.bytes() {
            let Read { value, written } = around.read(terms, byte);
            self.write_over_log(terms, byte, when, &value, written);
        }
    }

    /// Copies bits of another content to here; both stretches have the same length.
    pub fn copy(&mut self, terms: &mut Terms<'_>, to: u64, from: &Content, source: (u64, u64), when: Term) {
        let (start, end) = source;
        if !from.log.is_empty() {
            return self.copy_words(terms, to, from, source, when);
        }
        let mut at = start;
        while at < end {
            let most = end.min(at + 64 - at % 8);
            let (piece, stop) = from.piece(terms, at, most);
            let bits = (stop - at) as u32;
            let exact = piece.at == at && piece.bits == bits;
            let value = match exact {
                true => piece.value,
                false => {
                    let whole = as_bits(terms, &piece.value);
                    let width = Width::new(bits).expect("a piece has 1 to 64 bits");
                    Symbol::Int(terms.extract(whole, (at - piece.at) as u32, width))
                }
            };
            let ty = Ty::Int(Width::new(bits).expect("a piece has 1 to 64 bits"));
            let stretch = Stretch { at: to + (at - start), bits, ty, address: Width::W64 };
            self.write(terms, stretch, when, &value, piece.written);
            at = stop;
        }
    }

    /// Copies whole bytes from below a log, in the largest pieces there are.
    fn copy_words(&mut self, terms: &mut Terms<'_>, to: u64, from: &Content, source: (u64, u64), when: Term) {
        let (start, end) = source;
        let mut at = start;
        while at < end {
            let fits = |bits: &&u64| at.is_multiple_of(**bits) && at + **bits <= end;
            let bits = *[64, 32, 16, 8].iter().find(fits).expect("blocks have whole bytes") as u32;
            let ty = Ty::Int(Width::new(bits).expect("a piece has 1 to 64 bits"));
            let piece = Stretch { at, bits, ty, address: Width::W64 };
            let Read { value, written } = from.read(terms, piece);
            let place = Stretch { at: to + (at - start), ..piece };
            self.write(terms, place, when, &value, written);
            at += u64::from(bits);
        }
    }

    /// The bytes from which to which there are cells.
    pub(crate) fn cell_bytes(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.cells.iter().map(|cell| (cell.at / 8, (cell.at + u64::from(cell.bits)).div_ceil(8)))
    }

    pub fn n_cells(&self) -> usize {
        self.cells.len()
    }

    /// Whether all that is here was surely written.
    pub fn is_written(&self, terms: &Terms<'_>) -> bool {
        self.cells.iter().all(|cell| terms.is_true(cell.written))
            && self.log.iter().all(|entry| terms.is_true(entry.write.written))
            && self.background.is_written()
    }

    /// Whether the same stands in all places that have no cell.
    pub(crate) fn is_even(&self, places: &Grid) -> bool {
        self.background.is_even(places)
    }

    /// What stands in a stretch if it has no cell.
    pub(crate) fn read_background(&self, terms: &mut Terms<'_>, stretch: Stretch) -> Read {
        Content::new(terms, self.background.clone()).read_cells(terms, stretch)
    }

    /// What stands in the same places of two contents; none if that cannot be told.
    pub fn paired(&self, terms: &mut Terms<'_>, other: &Content) -> Option<Vec<(CellPlace, Read, Read)>> {
        let (mut a, mut b) = (self.clone(), other.clone());
        a.align_with(terms, &b);
        b.align_with(terms, &a);
        if a.background != b.background || a.log != b.log {
            return None;
        }
        let read = |cell: Cell| Read { value: cell.value, written: cell.written };
        let place = |cell: &Cell| CellPlace { at: cell.at, bits: cell.bits };
        Some(a.cells.into_iter().zip(b.cells).map(|(x, y)| (place(&x), read(x), read(y))).collect())
    }

    /// Whether nothing but constant bytes stands here.
    pub fn is_data(&self) -> bool {
        self.cells.is_empty() && self.log.is_empty()
    }
}

impl Cell {
    /// The one of the first choice that is true; all have the same place.
    fn choose(terms: &mut Terms<'_>, cells: &[&Cell], choices: &[Term]) -> Cell {
        let (last, others) = cells.split_last().expect("there are cells to choose from");
        let pointers: Option<Vec<&Pointer>> = cells
            .iter()
            .map(|cell| cell.value.as_pointer().filter(|_| cell.written == last.written))
            .collect();
        match pointers {
            Some(pointers) => {
                let value = Symbol::Pointer(Rc::new(pointer::choose(terms, &pointers, choices)));
                Cell { value, ..(*last).clone() }
            }
            None => {
                let rest = others.iter().zip(choices).rev();
                rest.fold((*last).clone(), |rest, (cell, &choice)| Cell::select(terms, choice, cell, &rest))
            }
        }
    }

    /// The first where the condition is true, else the second; both have the same place.
    fn select(terms: &mut Terms<'_>, condition: Term, a: &Cell, b: &Cell) -> Cell {
        let value = if terms.is_forgotten(a.written) {
            b.value.clone()
        } else if terms.is_forgotten(b.written) {
            a.value.clone()
        } else {
            join_values(terms, condition, &a.value, &b.value)
        };
        Cell { at: a.at, bits: a.bits, value, written: terms.select(condition, a.written, b.written) }
    }
}

impl Background {
    fn is_written(&self) -> bool {
        match self {
            Background::Unwritten | Background::Anything => false,
            Background::Bytes(_) => true,
            Background::Either(_, a, b) => a.is_written() && b.is_written(),
        }
    }

    /// Whether the same stands in all of some places.
    fn is_even(&self, places: &Grid) -> bool {
        match self {
            Background::Unwritten | Background::Anything => true,
            Background::Bytes(bytes) => {
                let from = usize::try_from(places.first).unwrap_or(usize::MAX).min(bytes.len());
                let to = usize::try_from(places.last + places.step).unwrap_or(usize::MAX).min(bytes.len());
                bytes[from..to].iter().all(|&byte| byte == 0)
            }
            Background::Either(_, a, b) => a.is_even(places) && b.is_even(places),
        }
    }

    /// Some bits as a number, and whether they were written.
    fn bits(&self, terms: &mut Terms<'_>, from: u64, width: Width) -> (Term, Term) {
        match self {
            Background::Unwritten => (terms.constant(width, 0), terms.truth(false)),
            Background::Anything => (terms.unknown(width), terms.unknown(Width::W1)),
            Background::Bytes(bytes) => {
                let number = bits_of(bytes, from, width);
                (terms.constant(width, number), terms.truth(true))
            }
            Background::Either(condition, a, b) => {
                let (x, x_written) = a.bits(terms, from, width);
                let (y, y_written) = b.bits(terms, from, width);
                let number = if terms.is_forgotten(x_written) {
                    y
                } else if terms.is_forgotten(y_written) {
                    x
                } else {
                    terms.select(*condition, x, y)
                };
                (number, terms.select(*condition, x_written, y_written))
            }
        }
    }
}

/// The bits of constant data.
fn bits_of(bytes: &[u8], from: u64, width: Width) -> u64 {
    let first = usize::try_from(from / 8).unwrap_or(usize::MAX);
    let mut number = 0u128;
    for n in 0..9 {
        let byte = first.checked_add(n).and_then(|n| bytes.get(n)).copied().unwrap_or(0);
        number |= u128::from(byte) << (8 * n);
    }
    width.wrap((number >> (from % 8)) as u64)
}

/// The bits of a value as a number.
pub(crate) fn as_bits(terms: &mut Terms<'_>, value: &Symbol) -> Term {
    match value {
        Symbol::Int(term) => *term,
        Symbol::Float(float) => float.bits(terms),
        Symbol::Pointer(pointer) => terms.address_of(pointer),
    }
}

/// A value as it is stored: a truth value fills its byte.
pub(crate) fn stored(terms: &mut Terms<'_>, value: &Symbol, bits: u32) -> Symbol {
    match value {
        Symbol::Int(term) => {
            let width = Width::new(bits).expect("a value has 1 to 64 bits");
            Symbol::Int(terms.resize(*term, width, false))
        }
        other => other.clone(),
    }
}

/// A stored value as one of a type; none where that is not known.
pub(crate) fn as_type(terms: &mut Terms<'_>, value: &Symbol, stretch: &Stretch) -> Option<Symbol> {
    match (value, stretch.ty) {
        (Symbol::Int(term), Ty::Int(width)) => Some(Symbol::Int(terms.resize(*term, width, false))),
        (Symbol::Pointer(_), Ty::Ptr) => Some(value.clone()),
        (Symbol::Float(float), Ty::Float(width)) if float.width == width => Some(value.clone()),
        (Symbol::Float(float), Ty::Int(width)) => {
            let bits = float.bits(terms);
            (terms.width(bits) == width).then_some(Symbol::Int(bits))
        }
        (Symbol::Int(term), Ty::Float(width)) => {
            let fits = terms.width(*term) == width.width();
            fits.then(|| Symbol::Float(Float::from_bits(terms, width, *term)))
        }
        (Symbol::Int(term), Ty::Ptr) => Some(terms.pointer_at(*term)),
        (Symbol::Pointer(pointer), Ty::Int(width)) => {
            let number = terms.address_of(pointer);
            Some(Symbol::Int(terms.resize(number, width, false)))
        }
        (Symbol::Pointer(_), _) | (Symbol::Float(_), _) => None,
    }
}

/// A value for both of two.
pub(crate) fn join_values(terms: &mut Terms<'_>, condition: Term, a: &Symbol, b: &Symbol) -> Symbol {
    match (a, b) {
        (Symbol::Int(x), Symbol::Int(y)) => Symbol::Int(terms.select(condition, *x, *y)),
        (Symbol::Pointer(_), Symbol::Pointer(_)) => Symbol::select(terms, condition, a, b),
        (Symbol::Float(x), Symbol::Float(y)) if x.width == y.width => Symbol::select(terms, condition, a, b),
        (Symbol::Pointer(_), Symbol::Int(number)) => {
            let number = terms.pointer_at(*number);
            Symbol::select(terms, condition, a, &number)
        }
        (Symbol::Int(number), Symbol::Pointer(_)) => {
            let number = terms.pointer_at(*number);
            Symbol::select(terms, condition, &number, b)
        }
        (Symbol::Float(float), Symbol::Int(bits)) if terms.width(*bits) == float.width.width() => {
            let other = Symbol::Float(Float::from_bits(terms, float.width, *bits));
            Symbol::select(terms, condition, a, &other)
        }
        (Symbol::Int(bits), Symbol::Float(float)) if terms.width(*bits) == float.width.width() => {
            let other = Symbol::Float(Float::from_bits(terms, float.width, *bits));
            Symbol::select(terms, condition, &other, b)
        }
        // A float and a pointer, or another float: nobody knows what stands there.
        (Symbol::Float(float), _) | (_, Symbol::Float(float)) => {
            Symbol::unknown(terms, Ty::Float(float.width), Width::W64)
        }
    }
}

/// What may have changed in one of two contents.
fn select_stale(terms: &mut Terms<'_>, condition: Term, a: &[Stale], b: &[Stale]) -> Vec<Stale> {
    let mut stale: Vec<Stale> = Vec::new();
    let otherwise = terms.not(condition);
    let all = a.iter().map(|one| (condition, one)).chain(b.iter().map(|one| (otherwise, one)));
    for (taken, one) in all {
        let when = terms.both(taken, one.when);
        match stale.iter_mut().find(|known| known.kind == one.kind) {
            Some(known) => known.when = terms.any(&[known.when, when]),
            None => stale.push(Stale { kind: one.kind, when }),
        }
    }
    stale
}

/// The type that a value has.
fn type_of(terms: &Terms<'_>, value: &Symbol) -> Ty {
    match value {
        Symbol::Int(term) => Ty::Int(terms.width(*term)),
        Symbol::Float(float) => Ty::Float(float.width),
        Symbol::Pointer(_) => Ty::Ptr,
    }
}
