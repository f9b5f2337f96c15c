//! Library functions, as far as they have a model with terms: one file per family.
//!
//! A model does what the interpreter's does: it reads the same bytes in the same order, and demands the same of them.
//! What depends on inputs is a term; loops run over the bytes of objects, whose sizes are known.

mod allocation;
mod blocks;
mod characters;
mod comparison;
mod exits;
mod float_text;
mod format;
mod hidden;
mod input;
mod locale;
mod loose_sort;
mod math;
mod numbers;
mod output;
mod search;
mod signals;
mod signature;
mod sort;
mod strings;
mod tokens;
mod view;

use std::rc::Rc;

use quipu_inputs::Assumption;
use quipu_interp::{InputKind, stream_argument};
use quipu_ir::{Function, Ty};
use quipu_model::Term;
use quipu_num::{FloatWidth, IntOp, Width};

use crate::call::Wanted;
use crate::content::Background;
use crate::encoder::{Engine, Here};
use crate::memory::ObjectId;
use crate::merge::merge;
use crate::open::Reach;
use crate::pointer::{Base, Pointer};
use crate::state::{Arrival, State};
use crate::symbol::Symbol;
pub(crate) use exits::LIST_SIZE;
use search::Span;
pub(crate) use signals::TABLE_SIZE;
use signature::{fits, plain_name};

/// A call's result: none if it does not come back, else its value if it has one.
pub(crate) type Called = Option<Option<Symbol>>;

/// The largest block that is copied, filled or allocated.
const LARGEST_BLOCK: u64 = 1 << 12;

/// The objects that the library keeps for itself.
#[derive(Clone, Copy)]
pub(crate) struct LibraryObjects {
    /// Whether the input has ended.
    pub stream: ObjectId,
    pub errno: ObjectId,
    /// Where `strtok` goes on.
    pub token: ObjectId,
    /// How many allocations could have failed so far.
    pub allocations: ObjectId,
    /// What is to be called at the end of the program, and at a quick end of it.
    pub exits: ObjectId,
    pub quick_exits: ObjectId,
    /// The handlers of signals.
    pub signals: ObjectId,
    /// Whether another locale than "C" may have been set.
    pub locale: ObjectId,
}

/// What is taken for granted where the result of a function matters that writes.
const OUTPUT_WORKS: &str = "output does not fail";

/// A call of a library function.
pub(crate) struct Call<'c> {
    pub here: Here,
    /// The name without prefixes and suffixes.
    pub name: &'c str,
    pub args: &'c [Symbol],
    pub function: &'c Function,
    pub ret: Option<Ty>,
    /// Whether something uses the result.
    pub used: bool,
}

impl Call<'_> {
    pub fn pointer(&self, n: usize) -> &Rc<Pointer> {
        self.args[n].pointer()
    }

    /// The width of the result.
    pub fn width(&self) -> Width {
        self.ret.and_then(Ty::width).unwrap_or(Width::W32)
    }
}

impl Engine<'_> {
    /// Calls a library function by its name in the source.
    pub fn library(&mut self, here: Here, function: &Function, args: &[Symbol], wanted: Wanted) -> Called {
        let name = function.source_name.as_str();
        if let Some(Symbol::Pointer(stream)) = stream_argument(name).and_then(|n| args.get(n)) {
            let stream = stream.clone();
            self.check_not_null(here, &stream);
            self.check_stream(here, &stream);
        }
        let call =
            Call { here, name: plain_name(name), args, function, ret: function.ret, used: wanted.used };
        let result = match fits(&call) {
            true => {
                self.in_known_locale(&call, name)?;
                self.library_result(&call, name)?
            }
            false => {
                self.unsupported(here, format!("`{name}`, which is declared in an unusual way"));
                return None;
            }
        };
        Some(result.filter(|_| wanted.ty.is_some()))
    }

    fn library_result(&mut self, call: &Call<'_>, source_name: &str) -> Called {
        let (here, ty) = (call.here, call.ret);
        match (call.name, call.args) {
            ("_exit" | "_Exit", _) => None,
            ("exit" | "quick_exit", [status, ..]) => {
                let list = if call.name == "exit" { self.library.exits } else { self.library.quick_exits };
                self.end_program(here, list, status.int());
                None
            }
            ("atexit" | "quipu_at_end" | "on_exit", _) => self.register_ending(call, self.library.exits),
            ("at_quick_exit", _) => self.register_ending(call, self.library.quick_exits),
            ("signal", _) => self.install_handler(call),
            ("raise", _) => self.raise(call),
            ("setlocale", _) => self.set_locale(call),
            ("abort", _) => {
                self.handle_abort(here)?;
                let never = self.terms.truth(false);
                self.demand(here, never, None);
                None
            }
            (
                "trap"
                | "__assert_fail"
                | "__assert"
                | "__assert_perror_fail"
                | "__VERIFIER_error"
                | "reach_error",
                _,
            ) => {
                let never = self.terms.truth(false);
                self.demand(here, never, None);
                None
            }
            ("__VERIFIER_assert", [condition]) | ("quipu_claim", [_, condition]) => {
                let holds = self.is_nonzero(condition);
                self.demand(here, holds, None);
                self.state = self.state_if(holds)?;
                Some(None)
            }
            ("assume" | "__VERIFIER_assume", [condition]) => {
                let holds = self.is_nonzero(condition);
                if self.unwinding.to_the_end {
                    self.demand(here, holds, None);
                }
                self.state = self.state_if(holds)?;
                self.nothing(call)
            }
            ("getchar" | "getc" | "fgetc" | "getchar_unlocked" | "getc_unlocked" | "_IO_getc", _) => {
                Some(Some(self.read_byte(here, source_name, call.args.first())))
            }
            ("rand" | "random", []) => Some(Some(self.random(here, source_name, ty?))),
            ("srand" | "srandom" | "sleep" | "usleep" | "perror" | "setbuf", _) => self.nothing(call),
            ("fflush" | "setvbuf" | "fclose" | "ferror", _) => {
                self.grant_outside(call, OUTPUT_WORKS);
                self.nothing(call)
            }
            ("getenv" | "secure_getenv", _) => {
                self.grant_outside(call, "the environment has no variables: `getenv` returns null");
                self.nothing(call)
            }
            ("time", [place]) if self.is_null(place) => {
                Some(Some(self.request(here, 0, source_name, ty?, InputKind::Environment)))
            }
            ("clock", []) => Some(Some(self.request(here, 0, source_name, ty?, InputKind::Environment))),
            ("fgets", [_, _, _]) => self.read_line(call),
            ("fread", [_, _, _, _]) => self.read_elements(call),
            ("feof", [_]) => self.is_at_end(call),
            ("clearerr", [stream]) if self.is_standard(Some(stream)) => {
                let never = self.terms.truth(false);
                self.set_ended(never);
                self.nothing(call)
            }
            ("scanf", [format, values]) => self.scan_numbers(here, source_name, format, values),
            ("__errno_location" | "__error", []) => {
                let base = Base::Object(self.library.errno);
                let place = Pointer::start_of(&mut self.terms, base, self.address);
                Some(Some(Symbol::Pointer(Rc::new(place))))
            }
            _ => self.block_function(call),
        }
    }

    /// The heap, and blocks of memory.
    fn block_function(&mut self, call: &Call<'_>) -> Called {
        let here = call.here;
        match (call.name, call.args) {
            ("malloc", _) => {
                let size = self.size_argument(call, 0);
                self.allocate(call, size, Background::Unwritten)
            }
            ("calloc", _) => {
                let (count, size) = (self.size_argument(call, 0), self.size_argument(call, 1));
                let bytes = self.total_size(count, size);
                self.allocate(call, bytes, Background::Bytes(Rc::default()))
            }
            ("aligned_alloc" | "memalign", [align, _]) => {
                let align = self.terms.known(align.int());
                if !align.is_some_and(u64::is_power_of_two) {
                    self.unsupported(here, format!("`{}` with an unusual alignment", call.name));
                    return None;
                }
                let size = self.size_argument(call, 1);
                self.allocate(call, size, Background::Unwritten)
            }
            ("realloc", _) => {
                let size = self.size_argument(call, 1);
                self.reallocate(call, size)
            }
            ("reallocarray", _) => {
                let (count, size) = (self.size_argument(call, 1), self.size_argument(call, 2));
                let bytes = self.total_size(count, size);
                self.reallocate(call, bytes)
            }
            ("free" | "cfree", [pointer]) => self.free(here, pointer.pointer()),
            ("memcpy" | "memmove", [dst, src, ..]) => {
                let size = self.size_argument(call, 2);
                let overlap = call.name == "memmove";
                self.copy_block(here, dst.pointer(), src.pointer(), size, overlap)?;
                Some(Some(dst.clone()))
            }
            ("mempcpy", [dst, src, ..]) => {
                let size = self.size_argument(call, 2);
                self.copy_block(here, dst.pointer(), src.pointer(), size, false)?;
                Some(Some(Symbol::Pointer(Rc::new(dst.pointer().moved(&mut self.terms, size)))))
            }
            ("bcopy", [src, dst, ..]) => {
                let size = self.size_argument(call, 2);
                self.copy_block(here, dst.pointer(), src.pointer(), size, true)?;
                Some(None)
            }
            ("memset", [dst, ..]) => {
                let (byte, size) = (self.byte_argument(call, 1), self.size_argument(call, 2));
                self.fill_block(here, dst.pointer(), byte, size)?;
                Some(Some(dst.clone()))
            }
            ("bzero" | "explicit_bzero", [dst, ..]) => {
                let (byte, size) = (self.zero_byte(), self.size_argument(call, 1));
                self.fill_block(here, dst.pointer(), byte, size)?;
                Some(None)
            }
            ("memcmp" | "bcmp", _) => self.compare_blocks(call),
            ("memchr", _) => {
                let size = self.size_argument(call, 2);
                self.find_byte(call, Some(size), false)
            }
            ("memrchr", _) => self.find_last_in_block(call),
            _ => self.string_function(call),
        }
    }

    /// `string.h`.
    fn string_function(&mut self, call: &Call<'_>) -> Called {
        match call.name {
            "strlen" => self.string_length(call, None),
            "strnlen" => {
                let limit = self.size_argument(call, 1);
                self.string_length(call, Some(limit))
            }
            "strcpy" => self.copy_string(call, false),
            "stpcpy" => self.copy_string(call, true),
            "strncpy" => self.copy_string_up_to(call),
            "strcat" => self.append_string(call, None),
            "strncat" => {
                let limit = self.size_argument(call, 2);
                self.append_string(call, Some(limit))
            }
            "strdup" => self.duplicate(call, None),
            "strndup" => {
                let limit = self.size_argument(call, 1);
                self.duplicate(call, Some(limit))
            }
            "strcmp" | "strcoll" => self.compare_strings(call, None, false),
            "strcasecmp" => self.compare_strings(call, None, true),
            "strncmp" | "strncasecmp" => {
                let limit = self.size_argument(call, 2);
                self.compare_strings(call, Some(limit), call.name == "strncasecmp")
            }
            "strchr" | "index" => self.find_byte(call, None, false),
            "strchrnul" => self.find_byte(call, None, true),
            "strrchr" | "rindex" => self.find_last(call),
            "strstr" => self.find_string(call),
            "strspn" => self.span_length(call, Span::Inside),
            "strcspn" => self.span_length(call, Span::Outside),
            "strpbrk" => self.find_any(call),
            "strtok" => self.next_token(call),
            "strtok_r" => self.next_token_from(call),
            "strsep" => self.separate(call),
            _ => self.other_function(call),
        }
    }

    /// Numbers, sorting, text.
    fn other_function(&mut self, call: &Call<'_>) -> Called {
        match call.name {
            "abs" | "labs" | "llabs" | "imaxabs" => Some(Some(self.absolute(call.here, &call.args[0]))),
            "div" | "ldiv" | "lldiv" | "imaxdiv" => self.divide(call),
            "atoi" | "atol" | "atoll" => self.number_in_string(call),
            "strtol" | "strtoll" | "strtoimax" => self.number_and_end(call, true),
            "strtoul" | "strtoull" | "strtoumax" => self.number_and_end(call, false),
            "atof" => self.float_in_string(call, FloatWidth::F64, false),
            "strtod" => self.float_in_string(call, FloatWidth::F64, true),
            "strtof" => self.float_in_string(call, FloatWidth::F32, true),
            "qsort" => self.sort(call),
            "bsearch" => self.binary_search(call),
            "sprintf" | "vsprintf" => self.print_to_buffer(call, 1, false),
            "__sprintf_chk" | "__vsprintf_chk" => self.print_to_buffer(call, 3, false),
            "snprintf" | "vsnprintf" => self.print_to_buffer(call, 2, true),
            "__snprintf_chk" | "__vsnprintf_chk" => self.print_to_buffer(call, 4, true),
            _ => match self.output(call) {
                Some(called) => {
                    self.grant_outside(call, OUTPUT_WORKS);
                    called
                }
                None => self.character_function(call),
            },
        }
    }

    /// What writes to streams; none if the function is no such one.
    fn output(&mut self, call: &Call<'_>) -> Option<Called> {
        Some(match call.name {
            "puts" => self.put_string(call, true),
            "fputs" | "fputs_unlocked" => self.put_string(call, false),
            "putchar" | "putchar_unlocked" | "fputc" | "putc" | "_IO_putc" => self.put_character(call),
            "fwrite" | "fwrite_unlocked" => self.put_blocks(call),
            "write" => self.put_block(call),
            "printf" | "vprintf" => self.print(call, 0),
            "fprintf" | "vfprintf" | "dprintf" | "vdprintf" => self.print(call, 1),
            "__printf_chk" | "__vprintf_chk" => self.print(call, 1),
            "__fprintf_chk" | "__vfprintf_chk" => self.print(call, 2),
            _ => return None,
        })
    }

    /// An argument as a number of bytes or elements.
    fn size_argument(&mut self, call: &Call<'_>, n: usize) -> Term {
        self.terms.resize(call.args[n].int(), self.address, false)
    }

    /// An argument as an `unsigned char`.
    fn byte_argument(&mut self, call: &Call<'_>, n: usize) -> Term {
        self.low_byte(call.args[n].int())
    }

    /// A number as the result of a call.
    fn number(&mut self, call: &Call<'_>, value: Term) -> Called {
        Some(Some(Symbol::Int(self.terms.resize(value, call.width(), true))))
    }

    /// A result that is zero, or none.
    /// Takes something for granted about the world outside, if somebody uses what a call says about it.
    fn grant_outside(&mut self, call: &Call<'_>, what: &str) {
        if call.used {
            let trusted = self.take_for_granted(Assumption::World(what.to_string()));
            self.escape_unless(trusted, Reach::Result);
        }
    }

    fn nothing(&mut self, call: &Call<'_>) -> Called {
        Some(call.ret.map(|ty| Symbol::nothing(&mut self.terms, ty, self.address)))
    }

    /// Does one thing where a condition is true, and another one elsewhere.
    fn fork(
        &mut self,
        condition: Term,
        then: impl FnOnce(&mut Self) -> Called,
        otherwise: impl FnOnce(&mut Self) -> Called,
    ) -> Called {
        let not = self.terms.not(condition);
        let before = self.state.clone();
        let mut guards = before.guard.split(&mut self.terms, &[condition, not]).into_iter();
        let mut returns = Vec::new();
        if let Some(guard) = guards.next().flatten() {
            self.state = State { guard, memory: before.memory.clone() };
            let result = then(self);
            returns.extend(self.arrival(result));
        }
        if let Some(guard) = guards.next().flatten() {
            self.state = State { guard, memory: before.memory };
            let result = otherwise(self);
            returns.extend(self.arrival(result));
        }
        if returns.is_empty() {
            return None;
        }
        let Arrival { state, mut args, .. } = merge(&mut self.terms, &self.objects, returns);
        self.state = state;
        Some(args.pop())
    }

    fn arrival(&mut self, result: Called) -> Option<Arrival> {
        let args = result?.into_iter().collect();
        Some(Arrival { state: self.state.clone(), args, carried: Vec::new() })
    }

    fn is_nonzero(&mut self, value: &Symbol) -> Term {
        let zero = self.terms.is(value.int(), 0);
        self.terms.not(zero)
    }

    fn is_null(&self, pointer: &Symbol) -> bool {
        matches!(&pointer.pointer().cases[..], [only]
            if only.base == Base::Null && self.terms.known(only.offset) == Some(0))
    }

    fn made_up(&mut self, here: Here, what: &str, ty: Ty) -> Symbol {
        let address = self.address;
        self.noting(here, what, |engine| Symbol::unknown(&mut engine.terms, ty, address))
    }

    fn random(&mut self, here: Here, name: &str, ty: Ty) -> Symbol {
        let value = self.request(here, 0, name, Ty::I32, InputKind::Environment).int();
        let mask = self.terms.constant(Width::W32, 0x7fff_ffff);
        let value = self.terms.op(IntOp::And, value, mask);
        Symbol::Int(self.terms.resize(value, ty.width().expect("a number is returned"), false))
    }
}
