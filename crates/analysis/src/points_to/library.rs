//! What library functions do with pointers. A function that is not listed may do anything with what its arguments
//! lead to.

use quipu_ir::{Func, Function, Init, Value, ValueDef};

use super::amount::offsets_of;
use super::content::{Content, Write};
use super::object::{Object, Site};
use super::offset::Offset;
use super::state::State;
use super::step::{ALL_BYTES, Step};
use super::tables::{FunctionTable, Tables};
use super::target_set::TargetSet;

/// What a library function does with pointers; arguments are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It stores no pointer and returns none, and writes only to objects of its own.
    Nothing,
    /// It prints by the format of this argument, and writes bytes to where the other one points.
    Prints { format: usize, to: Option<usize> },
    /// It returns a pointer to an object of the library, or null.
    LibraryObject,
    /// It returns a new object, of zeros or not, or null.
    Allocates { zeroed: bool },
    /// It returns a copy of the text behind argument 0, or null.
    Duplicates,
    /// It returns a new object with the content of the one behind argument 0, or null.
    Reallocates,
    /// It stores a new object where argument 0 points.
    StoresAllocation,
    /// It returns a pointer into the object behind this argument, or null.
    PointsInto(usize),
    /// It stores a pointer into the object behind argument 0 where argument 1 points.
    StoresEnd,
    /// It writes bytes to where this argument points, and returns it, a pointer behind it, or null.
    WritesBytes(usize),
    /// `memcpy` and its relatives: argument 2 bytes from argument `from` to argument `to`.
    Copies { to: usize, from: usize },
    /// `memset`.
    Fills,
    /// It sorts the elements behind argument 0 by the function in argument 3.
    Sorts,
    /// It searches the elements behind argument 1 by the function in argument 4.
    Searches,
    /// It registers argument 0 for the end of the program, to be called with argument 1 if there is one.
    AtExit,
    /// It installs argument 1 as the handler of a signal, and returns the one before.
    Installs,
    /// It calls the handler of a signal.
    Raises,
    /// It ends the program.
    Exits,
    /// Nothing is known about it.
    Anything,
}

const PREFIXES: [&str; 3] = ["__builtin_", "__isoc99_", "__isoc23_"];

/// What a function does with pointers, by its name in the source.
pub fn effect_of(source_name: &str) -> Option<Effect> {
    let stripped = PREFIXES.iter().find_map(|prefix| source_name.strip_prefix(prefix));
    listed(source_name).or_else(|| listed(stripped?))
}

fn listed(name: &str) -> Option<Effect> {
    Some(match name {
        "strlen" | "strnlen" | "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "strcoll" | "memcmp"
        | "bcmp" | "strspn" | "strcspn" | "puts" | "fputs" | "fputc" | "putc" | "putchar" | "fflush"
        | "fclose" | "ferror" | "feof" | "clearerr" | "perror" | "getchar" | "getc" | "fgetc" | "ungetc"
        | "atoi" | "atol" | "atoll" | "atof" | "free" | "cfree" | "srand" | "srandom" | "__assert_fail"
        | "__assert" | "quipu_claim" => Effect::Nothing,
        "printf" | "vprintf" => Effect::Prints { format: 0, to: None },
        "fprintf" | "vfprintf" | "dprintf" | "vdprintf" | "__printf_chk" | "__vprintf_chk" => {
            Effect::Prints { format: 1, to: None }
        }
        "__fprintf_chk" | "__vfprintf_chk" => Effect::Prints { format: 2, to: None },
        "sprintf" | "vsprintf" => Effect::Prints { format: 1, to: Some(0) },
        "snprintf" | "vsnprintf" => Effect::Prints { format: 2, to: Some(0) },
        "__sprintf_chk" | "__vsprintf_chk" => Effect::Prints { format: 3, to: Some(0) },
        "__snprintf_chk" | "__vsnprintf_chk" => Effect::Prints { format: 4, to: Some(0) },
        "__errno_location"
        | "__error"
        | "__ctype_b_loc"
        | "__ctype_tolower_loc"
        | "__ctype_toupper_loc"
        | "fopen"
        | "fopen64"
        | "getenv"
        | "secure_getenv"
        | "strerror" => Effect::LibraryObject,
        "malloc" | "aligned_alloc" | "memalign" => Effect::Allocates { zeroed: false },
        "calloc" => Effect::Allocates { zeroed: true },
        "strdup" | "__strdup" | "strndup" | "__strndup" => Effect::Duplicates,
        "realloc" | "reallocarray" => Effect::Reallocates,
        "posix_memalign" => Effect::StoresAllocation,
        "strchr" | "index" | "strchrnul" | "strrchr" | "rindex" | "strstr" | "strpbrk" | "memchr"
        | "memrchr" => Effect::PointsInto(0),
        "strtol" | "strtoll" | "strtoul" | "strtoull" | "strtoimax" | "strtoumax" | "strtod" | "strtof"
        | "strtold" => Effect::StoresEnd,
        "strcpy" | "__strcpy_chk" | "stpcpy" | "__stpcpy_chk" | "strncpy" | "__strncpy_chk" | "strcat"
        | "__strcat_chk" | "strncat" | "__strncat_chk" | "fgets" | "gets" | "fread" => Effect::WritesBytes(0),
        "read" => Effect::WritesBytes(1),
        "memcpy" | "__memcpy_chk" | "memmove" | "__memmove_chk" | "mempcpy" | "__mempcpy_chk" => {
            Effect::Copies { to: 0, from: 1 }
        }
        "bcopy" => Effect::Copies { to: 1, from: 0 },
        "memset" | "__memset_chk" => Effect::Fills,
        "qsort" => Effect::Sorts,
        "bsearch" => Effect::Searches,
        "atexit" | "on_exit" | "at_quick_exit" | "quipu_at_end" => Effect::AtExit,
        "signal" => Effect::Installs,
        "raise" => Effect::Raises,
        "setlocale" => Effect::LibraryObject,
        "exit" | "quick_exit" | "abort" => Effect::Exits,
        _ => return None,
    })
}

/// The arguments of a call: the values, and what those that are pointers point to.
type Arguments<'a> = (&'a [Value], &'a [TargetSet]);

impl Tables<'_> {
    /// Calls a library function.
    pub fn library(
        &self,
        effect: Effect,
        site: Site,
        table: &FunctionTable<'_>,
        (values, pointers): Arguments<'_>,
        state: &mut State,
        step: &mut Step,
    ) {
        let none = TargetSet::nothing();
        let argument = |n: usize| pointers.get(n).unwrap_or(&none);
        let heap = Object::Heap(site);
        let block = TargetSet::place(heap, Offset::exact(0)).or_null();
        let into = |n: usize| argument(n).moved(Offset::ANY).or_null();
        match effect {
            Effect::Nothing => {}
            Effect::Prints { format, to } => {
                if !self.is_harmless_format(argument(format)) {
                    return self.call_outside(pointers, state, step);
                }
                if let Some(to) = to {
                    self.may_write(argument(to), Write::Raw(ALL_BYTES), state, step);
                }
            }
            Effect::LibraryObject => drop(step.result.add_all(&library_object())),
            Effect::Allocates { zeroed } => {
                state.create(heap);
                if zeroed {
                    state.get_mut(heap).add_default(&TargetSet::null());
                }
                step.result.add_all(&block);
            }
            Effect::Duplicates => {
                state.create(heap);
                self.may_write(&block.moved(Offset::ANY), Write::Raw(ALL_BYTES), state, step);
                step.result.add_all(&block);
            }
            Effect::Reallocates => {
                let piece = self.part(argument(0), ALL_BYTES, state);
                state.create(heap);
                self.may_write(&block, Write::Piece(&piece, ALL_BYTES), state, step);
                // The new object may end in the middle of a pointer, whose rest is unwritten.
                step.result.add_all(&block);
            }
            Effect::StoresAllocation => {
                state.create(heap);
                self.may_write(argument(0), Write::Pointer(&block), state, step);
            }
            Effect::PointsInto(n) => drop(step.result.add_all(&into(n))),
            Effect::StoresEnd => {
                self.may_write(argument(1), Write::Pointer(&into(0)), state, step);
            }
            Effect::WritesBytes(n) => {
                self.may_write(argument(n), Write::Raw(ALL_BYTES), state, step);
                step.result.add_all(argument(n));
                step.result.add_all(&into(n));
            }
            Effect::Copies { to, from } => {
                let len = length(table, values.get(2).copied());
                self.copy_bytes(argument(to), argument(from), len, state, step);
                step.result.add_all(argument(to));
                step.result.add_all(&into(to));
            }
            Effect::Fills => {
                let zero = values.get(1).is_some_and(|&value| is_zero(table, value));
                match length(table, values.get(2).copied()).as_exact() {
                    Some(len @ 1..) if zero => self.write(argument(0), Write::Zeros(len), state, step),
                    Some(len @ 1..) => self.write(argument(0), Write::Raw(len), state, step),
                    _ => self.may_write(argument(0), Write::Raw(ALL_BYTES), state, step),
                }
                step.result.add_all(argument(0));
            }
            Effect::Sorts => {
                let element = length(table, values.get(2).copied());
                self.sort(argument(0), element.as_exact().unwrap_or(1), state, step);
                let element = into(0);
                self.call_back(argument(3), &[element.clone(), element], state, step);
            }
            Effect::Searches => {
                self.call_back(argument(4), &[argument(0).clone(), into(1)], state, step);
                step.result.add_all(&into(1));
            }
            Effect::AtExit => {
                step.handlers.extend(self.functions_behind(argument(0), is_handler).functions);
                // What it is passed at the end is known now.
                if let Some(passed) = pointers.get(1) {
                    self.call_back(argument(0), &[none.clone(), passed.clone()], state, step);
                }
            }
            Effect::Installs => {
                step.handlers.extend(self.functions_behind(argument(1), is_handler).functions);
                step.result.add_all(&TargetSet::unknown());
            }
            Effect::Raises => {
                for &handler in &self.handlers {
                    if let Some(after) = self.call_code(handler, &[], state, step) {
                        state.join(&after, self.size);
                    }
                }
            }
            Effect::Exits => self.run_handlers(state, step),
            Effect::Anything => {
                if values.iter().any(|&value| Self::is_pointer(table, value)) {
                    self.call_outside(pointers, state, step);
                }
                step.result.add_all(&TargetSet::unknown());
            }
        }
    }

    /// Enters the functions that run at the end of the program, and handlers of signals.
    pub fn run_handlers(&self, state: &State, step: &mut Step) {
        for &handler in &self.handlers {
            self.call_code(handler, &[], state, step);
        }
    }

    /// Writes anything to objects.
    pub fn havoc(&self, objects: Vec<Object>, state: &mut State, step: &mut Step) {
        for object in objects {
            if state.get(object).is_some() {
                let anywhere = TargetSet::place(object, Offset::ANY);
                self.may_write(&anywhere, Write::Raw(ALL_BYTES), state, step);
            }
        }
    }

    fn copy_bytes(&self, to: &TargetSet, from: &TargetSet, len: Offset, state: &mut State, step: &mut Step) {
        if let Some(len @ 1..) = len.as_exact() {
            return self.copy(to, from, len, state, step);
        }
        let piece = self.part(from, ALL_BYTES, state);
        let is_aligned =
            |at: Offset| at.remainder() % self.size == 0 && at.modulus().cast_signed() % self.size == 0;
        let cells_aligned = |content: &Content| content.offsets().all(is_aligned);
        let place_aligned =
            |(object, at): (Object, Offset)| is_aligned(at) && state.get(object).is_none_or(cells_aligned);
        // Where the end is not known, it may lie in the middle of a pointer.
        let whole_pointers = is_aligned(len)
            && cells_aligned(&piece)
            && to.places().all(place_aligned)
            && !to.may_be_unknown();
        self.may_write(to, Write::Piece(&piece, ALL_BYTES), state, step);
        if !whole_pointers {
            self.may_write(to, Write::Raw(ALL_BYTES), state, step);
        }
    }

    /// Moves the elements of an array in any way.
    fn sort(&self, array: &TargetSet, element: i64, state: &mut State, step: &mut Step) {
        let piece = self.part(array, ALL_BYTES, state);
        let elements = Offset::congruent(0, element.max(1).cast_unsigned());
        // Within an element, not from one to the next.
        let is_inside = |at: Offset| !at.distances(elements, 1, self.size);
        let whole_pointers = piece.offsets().all(is_inside);
        self.may_write(&array.moved(elements), Write::Piece(&piece, ALL_BYTES), state, step);
        if !whole_pointers {
            self.may_write(&array.moved(Offset::ANY), Write::Raw(ALL_BYTES), state, step);
        }
    }

    fn call_back(&self, pointer: &TargetSet, arguments: &[TargetSet], state: &mut State, step: &mut Step) {
        let fits = |function: &Function| function.params.len() == arguments.len();
        let callees = self.functions_behind(pointer, fits);
        let result = std::mem::take(&mut step.result);
        for &func in &callees.functions {
            if let Some(after) = self.call_code_of(func, arguments, state, step) {
                state.join(&after, self.size);
            }
        }
        if callees.unknown {
            self.call_outside(arguments, state, step);
        }
        step.result = result;
    }

    fn call_code_of(
        &self,
        func: Func,
        arguments: &[TargetSet],
        state: &State,
        step: &mut Step,
    ) -> Option<State> {
        match self.module.functions[func].code() {
            Some(_) => self.call_code(func, arguments, state, step),
            None => {
                let mut state = state.clone();
                self.call_outside(arguments, &mut state, step);
                Some(state)
            }
        }
    }

    /// Whether a format is known and does not tell `printf` to write numbers to memory (`%n`).
    fn is_harmless_format(&self, format: &TargetSet) -> bool {
        let bytes_of = |(object, at): (Object, Offset)| match object {
            Object::Global(global) if self.module.globals[global].constant && at == Offset::exact(0) => {
                match &self.module.globals[global].init {
                    Init::Data { bytes, relocs } if relocs.is_empty() => Some(bytes),
                    _ => None,
                }
            }
            _ => None,
        };
        !format.may_be_unknown()
            && format.places().all(|place| bytes_of(place).is_some_and(|bytes| !writes_numbers(bytes)))
    }
}

/// Whether a format has a `%n`, whatever its flags and its length modifier.
fn writes_numbers(format: &[u8]) -> bool {
    let mut rest = format.iter().copied();
    while rest.by_ref().any(|byte| byte == b'%') {
        let conversion = rest.by_ref().find(|byte| !b"-+ #0123456789.*hlLqjzt'$".contains(byte));
        if conversion == Some(b'n') {
            return true;
        }
    }
    false
}

/// Whether a function may be called at the end, or by a signal.
fn is_handler(function: &Function) -> bool {
    function.params.len() <= 2 && function.code().is_some()
}

fn library_object() -> TargetSet {
    TargetSet::place(Object::Outside, Offset::ANY).or_null()
}

/// The number of bytes that a value may be.
fn length(table: &FunctionTable<'_>, value: Option<Value>) -> Offset {
    value.map_or(Offset::ANY, |value| offsets_of(table.body, &table.definitions, value))
}

fn is_zero(table: &FunctionTable<'_>, value: Value) -> bool {
    table.body.values[value].def == ValueDef::Const(0)
}
