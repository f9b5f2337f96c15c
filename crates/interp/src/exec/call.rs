//! What a call instruction does, depending on what it calls.

use quipu_ir::{Body, Event, Func, Function, NULL_PAGE, Ty};

use super::frame::Cursor;
use super::{Engine, World, pay, placed};
use crate::code::{CallSite, CalleeReg, Target};
use crate::library::{Call, Host, depends_on_locale};
use crate::memory::value_width;
use crate::observer::Observer;
use crate::outcome::{Fallible, Limit, Outcome, Stop, event, unsupported};
use crate::unwritten::Unwritten;

/// Library functions have at most this many parameters.
const MOST_ARGS: usize = 16;

impl<'e, O: Observer + ?Sized> Engine<'e, O> {
    /// Executes a call: the cursor behind it, or at the start of the callee.
    #[inline]
    pub(super) fn call(
        &mut self,
        world: &mut World<'_>,
        at: Cursor<'e>,
        site_number: u32,
    ) -> Result<Cursor<'e>, Box<Outcome>> {
        let site = &at.code.calls[site_number as usize];
        let func = match site.callee {
            CalleeReg::Known(func) => func,
            CalleeReg::InRegister(reg) => {
                let pointer = self.stack[at.base + reg as usize];
                match self.indirect(world, pointer, site) {
                    Ok(func) => func,
                    Err(stop) => return Err(placed(*stop, at.code, at.pc - 1)),
                }
            }
        };
        if let Target::Code = self.program.target(func) {
            return self.push(at, site_number, func);
        }
        let mut args = [0; MOST_ARGS];
        let n_args = site.args.len().min(MOST_ARGS);
        for (arg, &reg) in args.iter_mut().zip(&site.args) {
            *arg = self.stack[at.base + reg as usize];
        }
        let span = at.code.span(at.pc - 1);
        let before = world.memory.set_lenient(self.unwritten.rule == Unwritten::Zero);
        let called = self.call_outside(world, func, &args[..n_args], span);
        world.memory.set_lenient(before);
        if world.memory.take_overlooked() {
            self.unwritten.note(at.code.func, span);
        }
        match called {
            Ok(value) => self.deliver(at, site, value)?,
            Err(stop) => return Err(placed(*stop, at.code, at.pc - 1)),
        }
        Ok(at)
    }

    /// Calls a function without code: a model, or an input.
    #[inline(never)]
    pub(crate) fn call_outside(
        &mut self,
        world: &mut World<'_>,
        func: Func,
        args: &[u64],
        span: quipu_ir::Span,
    ) -> Fallible<Option<u64>> {
        let module = self.program.module;
        let function = &module.functions[func];
        let target = self.program.target(func);
        let mut call = Call::new(world, self, module, function, args, span);
        let value = match target {
            Target::Library(_, Some(stream)) if call.arg(stream) == 0 => {
                return event(Event::NullAccess, "the stream is null".to_string());
            }
            Target::Library(_, Some(stream)) if !call.is_stream(stream) => {
                return event(Event::InvalidPointer, "the stream was not opened".to_string());
            }
            Target::Library(..) if depends_on_locale(&mut call) => {
                return unsupported(format!("`{}` in another locale than \"C\"", function.source_name));
            }
            Target::Library(model, _) => model(&mut call)?,
            // Whatever it does, nothing of this program comes behind it.
            Target::Input if function.noreturn => return Err(Box::new(Stop::Abort)),
            Target::Input => call.unknown_function()?,
            Target::Code | Target::Unsupported => return unsupported(missing_body(function)),
        };
        self.fuel = pay(self.fuel, world.memory);
        Ok(function.ret.map(|ty| value_width(module.data_model, ty).wrap(value)))
    }

    /// The function behind a pointer, if it may be called in this way (C17 6.5.2.2p9).
    fn indirect(&self, world: &World<'_>, pointer: u64, site: &CallSite) -> Fallible<Func> {
        let Some(func) = world.memory.function_at(pointer) else {
            let is_unknown = pointer >= NULL_PAGE && world.memory.object_at(pointer).is_none();
            if is_unknown || world.memory.is_device(pointer) {
                return unsupported(format!("a call of a function at the address {pointer:#x}"));
            }
            let what = if pointer == 0 { "a null pointer" } else { "a pointer to no function" };
            return event(Event::InvalidCall, format!("call of {what}"));
        };
        let function = &self.program.module.functions[func];
        let types_match = function.params.iter().map(|param| param.ty).eq(site.arg_types.iter().copied());
        let result_matches = site.result.is_none_or(|(_, ty)| function.ret == Some(ty));
        if types_match && result_matches {
            return Ok(func);
        }
        let detail =
            format!("`{}` has type {}, called as {}", function.name, interface(function), called(site));
        event(Event::InvalidCall, detail)
    }
}

impl<O: Observer + ?Sized> Host for Engine<'_, O> {
    fn call_back(&mut self, world: &mut World<'_>, pointer: u64, args: &[u64]) -> Fallible<Option<u64>> {
        let Some(func) = world.memory.function_at(pointer) else {
            return event(Event::InvalidCall, "a callback is no function".into());
        };
        let function = &self.program.module.functions[func];
        if function.params.len() != args.len() {
            return event(
                Event::InvalidCall,
                format!("the callback `{}` has other parameters", function.name),
            );
        }
        let Target::Code = self.program.target(func) else {
            return self.call_outside(world, func, args, function.span);
        };
        if self.nesting >= self.limits.nesting || self.frames.len() >= self.limits.depth {
            return Err(Box::new(Stop::Limit(Limit::Depth)));
        }
        self.nesting += 1;
        let result = self.run(world, func, args);
        self.nesting -= 1;
        result.map_err(|outcome| Box::new(Stop::Placed(*outcome)))
    }
}

fn missing_body(function: &Function) -> String {
    match &function.body {
        Body::Unsupported(reasons) if !reasons.is_empty() => {
            let reasons: Vec<&str> = reasons.iter().map(|reason| reason.what.as_str()).collect();
            format!("`{}` needs {}", function.name, reasons.join(", "))
        }
        _ => format!("`{}` has no body", function.name),
    }
}

fn interface(function: &Function) -> String {
    types_text(function.params.iter().map(|param| param.ty), function.ret)
}

fn called(site: &CallSite) -> String {
    types_text(site.arg_types.iter().copied(), site.result.map(|(_, ty)| ty))
}

fn types_text(params: impl Iterator<Item = Ty>, ret: Option<Ty>) -> String {
    let params: Vec<String> = params.map(|ty| ty.to_string()).collect();
    format!("({}) -> {}", params.join(", "), ret.map_or("void".into(), |ty| ty.to_string()))
}
