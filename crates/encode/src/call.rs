//! Calls: of functions with code, of library functions, and of functions that nobody knows.

use quipu_inputs::{Assumption, Effects, Outside, only_returns};
use quipu_interp::{InputKind, is_modelled};
use quipu_ir::{Body, Callee, Event, Func, NULL_PAGE, Ty, Value};
use quipu_model::Term;

use crate::encoder::{Engine, Here};
use crate::encoding::CutKind;
use crate::frame::{Frame, Returned};
use crate::open::Reach;
use crate::pointer::{Base, Case, Pointer};
use crate::state::{Arrival, State};
use crate::symbol::Symbol;

/// What a caller expects.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub ty: Option<Ty>,
    /// Whether the result is used.
    pub used: bool,
}

impl<'a> Engine<'a> {
    /// Calls something. None if no path comes back, else the result if there is one.
    pub fn call(
        &mut self,
        frame: &Frame<'a>,
        here: Here,
        callee: Callee,
        args: Vec<Symbol>,
        wanted: Wanted,
    ) -> Option<Option<Symbol>> {
        match callee {
            Callee::Direct(func) => self.call_function(here, func, args, wanted),
            Callee::Indirect(pointer) => {
                let pointer = self.called(frame, here, pointer);
                self.call_pointer(here, &pointer, &args, wanted)
            }
        }
    }

    /// What is passed to a callee. Functions of the library do not look for themselves what an unknown pointer means.
    pub fn argument_of(&mut self, frame: &Frame<'a>, here: Here, callee: Callee, value: Value) -> Symbol {
        let argument = self.value(frame, value);
        let has_code = |func: Func| self.module.functions[func].code().is_some();
        match (&argument, callee) {
            (Symbol::Pointer(pointer), Callee::Direct(func)) if !has_code(func) => {
                Symbol::Pointer(self.passed(here, value, pointer))
            }
            _ => argument,
        }
    }

    /// Calls what a pointer points to.
    pub fn call_pointer(
        &mut self,
        here: Here,
        pointer: &Pointer,
        args: &[Symbol],
        wanted: Wanted,
    ) -> Option<Option<Symbol>> {
        let pointer = self.with_devices(pointer, 1);
        let before = self.state.clone();
        let mut returns = Vec::new();
        let conditions: Vec<Term> = pointer.cases.iter().map(|case| case.when).collect();
        let guards = before.guard.split(&mut self.terms, &conditions);
        for (case, guard) in pointer.cases.iter().zip(guards) {
            let Some(guard) = guard else { continue };
            self.state = State { guard, memory: before.memory.clone() };
            let Some(func) = self.function_at(here, case, args, wanted) else { continue };
            if !self.may_follow_into(func) {
                continue;
            }
            if let Some(result) = self.call_function(here, func, args.to_vec(), wanted) {
                let args = result.into_iter().collect();
                let state = self.state.clone();
                returns.push(Arrival { state, args, carried: Vec::new() });
            }
        }
        if returns.is_empty() {
            return None;
        }
        let (mut args, _) = self.meet(here, returns);
        Some(args.pop())
    }

    /// The function that a case of a pointer calls, if it may be called in this way.
    fn function_at(&mut self, here: Here, case: &Case, args: &[Symbol], wanted: Wanted) -> Option<Func> {
        match case.base {
            Base::Function(func) if self.accepts(func, args, wanted) => {
                let at_start = self.terms.is(case.offset, 0);
                self.check(here, at_start, Event::InvalidCall);
                return Some(func);
            }
            Base::Unknown => self.unsupported(here, "a call through an unknown pointer"),
            Base::Null if self.is_named_address(case.offset) => {
                self.unsupported(here, "a call of a function at an address that the program names");
            }
            Base::Object(object) if self.is_device(object) => {
                self.unsupported(here, "a call of a function at an address that the program names");
            }
            _ => {
                self.fail(here, Event::InvalidCall);
                // Compiled programs often go on all the same, somehow. No clean run gets there.
                self.unsupported(here, "what comes behind an undefined call");
            }
        }
        None
    }

    /// Whether a pointer is a number behind the first page, where the program says that there is something.
    fn is_named_address(&self, address: Term) -> bool {
        self.terms.known(address).is_some_and(|address| address >= NULL_PAGE)
    }

    fn accepts(&self, func: Func, args: &[Symbol], wanted: Wanted) -> bool {
        let params = &self.module.functions[func].params;
        let result = self.module.functions[func].ret;
        params.len() == args.len()
            && wanted.ty.is_none_or(|ty| result == Some(ty))
            && params.iter().zip(args).all(|(param, arg)| match (param.ty, arg) {
                (Ty::Int(width), Symbol::Int(term)) => self.terms.width(*term) == width,
                (Ty::Float(width), Symbol::Float(float)) => float.width == width,
                (Ty::Ptr, Symbol::Pointer(_)) => true,
                _ => false,
            })
    }

    fn call_function(
        &mut self,
        here: Here,
        func: Func,
        args: Vec<Symbol>,
        wanted: Wanted,
    ) -> Option<Option<Symbol>> {
        let module: &'a quipu_ir::Module = self.module;
        let function = &module.functions[func];
        match &function.body {
            Body::Defined(_) => {
                let Returned { mut value, given } = self.enter_unless_too_deep(here, func, args)?;
                if let Some(outside) = Outside::of(module, func) {
                    self.doubt_effects(&function.source_name, outside.effects);
                    value = value.map(|value| self.doubt_pointer(&function.source_name, value));
                    self.state = self.state_unless_null(value.as_ref().filter(|_| outside.nonnull))?;
                }
                if function.weak {
                    self.may_be_replaced(&function.source_name);
                }
                if wanted.used {
                    self.check(here, given, Event::MissingReturnValue);
                }
                Some(value.filter(|_| wanted.ty.is_some()))
            }
            Body::Unsupported(why) => {
                let what = why.first().map_or("a function without a model", |why| why.what.as_str());
                self.unsupported(here, format!("`{}`: {what}", function.source_name));
                None
            }
            Body::Declared if is_modelled(&function.source_name) => {
                self.library(here, function, &args, wanted)
            }
            Body::Declared => self.outside(here, func, wanted.ty),
        }
    }

    /// The definition of a weak function is one of two things that may run: the linker takes another one if there is
    /// one, of which nothing is known.
    fn may_be_replaced(&mut self, name: &str) {
        let text = format!("`{name}`, which is weak, has no other definition");
        let trusted = self.take_for_granted(Assumption::World(text));
        self.escape_unless(trusted, Reach::Operands);
        self.escape_unless(trusted, Reach::Memory);
    }

    fn enter_unless_too_deep(&mut self, here: Here, func: Func, args: Vec<Symbol>) -> Option<Returned> {
        let allowed = self.unwinding.recursive.get(&func).copied().unwrap_or(self.unwinding.recursion);
        let active = self.active.iter().filter(|&&active| active == func).count() as u64;
        if active >= allowed {
            self.cut(here, CutKind::Recursion { callee: func, depth: allowed });
            return None;
        }
        if self.is_too_large() {
            self.cut(here, CutKind::Size);
            return None;
        }
        self.calls.push(here.site());
        let returned = self.enter(func, args, here.context.call(here.block, here.inst, func));
        self.calls.pop();
        returned
    }

    /// What a function that nobody defines changes may be more than its body does.
    fn doubt_effects(&mut self, function: &str, effects: Effects) {
        let (what, reach) = match effects {
            Effects::Assumed => ("changes nothing that it is not given", Reach::Memory),
            Effects::Named(arguments) => {
                let what = "changes no pointers in what it is given, and the first 16 elements at most";
                (what, Reach::Targets { arguments })
            }
            Effects::Stated => return,
        };
        let (function, what) = (function.to_string(), what.to_string());
        let trusted = self.take_for_granted(Assumption::Outside { function, what });
        self.escape_unless(trusted, reach);
    }

    /// A pointer from outside may point to anything, whatever the body returns.
    fn doubt_pointer(&mut self, function: &str, value: Symbol) -> Symbol {
        if !matches!(value, Symbol::Pointer(_)) {
            return value;
        }
        let what = "returns null, or a pointer to an object that nobody else knows".to_string();
        let trusted = self.take_for_granted(Assumption::Outside { function: function.to_string(), what });
        self.pointer_if(trusted, value)
    }

    /// The state in which a pointer is not null, if there is such a pointer.
    fn state_unless_null(&mut self, value: Option<&Symbol>) -> Option<State> {
        let Some(Symbol::Pointer(pointer)) = value else { return Some(self.state.clone()) };
        let null = self.null_pointer(pointer);
        let somewhere = self.terms.not(null);
        self.state_if(somewhere)
    }

    /// A function that nobody defines: its result is an input.
    fn outside(&mut self, here: Here, func: Func, ty: Option<Ty>) -> Option<Option<Symbol>> {
        let function = &self.module.functions[func];
        if function.returns_struct {
            self.unsupported(here, format!("`{}` returns a struct and has no body", function.source_name));
            return None;
        }
        if function.noreturn {
            return None;
        }
        let name = function.source_name.clone();
        if !only_returns(&name) {
            let what = "changes no memory".to_string();
            let trusted = self.take_for_granted(Assumption::Outside { function: name.clone(), what });
            self.escape_unless(trusted, Reach::Memory);
        }
        let value = ty.map(|ty| self.request(here, 0, &name, ty, InputKind::Result));
        Some(value.map(|value| self.doubt_pointer(&name, value)))
    }
}
