//! Entering and leaving functions.

use quipu_ir::{Block, Event, Func};

use super::{Engine, World, placed};
use crate::code::{CallSite, Code};
use crate::observer::Observer;
use crate::outcome::{Limit, Outcome, Stop};

/// A function that waits for one it called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    func: Func,
    /// The operation behind the call.
    pc: u32,
    site: u32,
    block: Block,
    base: usize,
    allocas: usize,
}

/// Where a run is.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'p> {
    pub code: &'p Code,
    /// The next operation.
    pub pc: usize,
    /// The block it belongs to.
    pub block: Block,
    /// The function's first register.
    pub base: usize,
    /// The number of variable-length objects when the function was entered.
    allocas: usize,
}

/// Where control goes when a function returns.
pub(super) enum Left<'p> {
    /// Back to the caller.
    ToFrame(Cursor<'p>),
    /// Out of the run.
    Run(Option<u64>),
}

impl Cursor<'_> {
    /// The registers of the running function.
    #[inline(always)]
    pub fn registers<'s>(&self, stack: &'s mut [u64]) -> &'s mut [u64] {
        &mut stack[self.base..self.base + self.code.n_regs as usize]
    }
}

impl<'e, O: Observer + ?Sized> Engine<'e, O> {
    /// Enters the first function of a run.
    pub(super) fn start(&mut self, func: Func, args: &[u64]) -> Cursor<'e> {
        let at = self.enter(func);
        let params = at.base + at.code.template.len();
        self.stack[params..params + args.len()].copy_from_slice(args);
        self.observer.enter(func);
        at
    }

    /// Enters a function that the running one calls.
    #[inline]
    pub(super) fn push(
        &mut self,
        caller: Cursor<'e>,
        site: u32,
        func: Func,
    ) -> Result<Cursor<'e>, Box<Outcome>> {
        if self.frames.len() >= self.limits.depth {
            return Err(Box::new(Outcome::LimitReached(Limit::Depth)));
        }
        self.frames.push(Frame {
            func: caller.code.func,
            pc: caller.pc as u32,
            site,
            block: caller.block,
            base: caller.base,
            allocas: caller.allocas,
        });
        let at = self.enter(func);
        let params = at.base + at.code.template.len();
        for (n, &arg) in caller.code.calls[site as usize].args.iter().enumerate() {
            self.stack[params + n] = self.stack[caller.base + arg as usize];
        }
        self.observer.enter(func);
        Ok(at)
    }

    /// A frame above the running one, its constants in place.
    #[inline]
    fn enter(&mut self, func: Func) -> Cursor<'e> {
        let code = self.program.code(func);
        let base = self.top;
        self.top = base + code.n_regs as usize;
        if self.stack.len() < self.top {
            self.stack.resize(self.top.next_power_of_two().max(1 << 10), 0);
        }
        self.stack[base..base + code.template.len()].copy_from_slice(&code.template);
        Cursor { code, pc: 0, block: code.entry, base, allocas: self.allocas.len() }
    }

    /// Leaves a function: its local objects die, its result goes to the caller.
    #[inline]
    pub(super) fn leave(
        &mut self,
        world: &mut World<'_>,
        at: Cursor<'e>,
        value: Option<u64>,
        floor: usize,
    ) -> Result<Left<'e>, Box<Outcome>> {
        self.end_locals(world, at);
        self.observer.leave(at.code.func);
        self.top = at.base;
        if self.frames.len() == floor {
            return Ok(Left::Run(value));
        }
        let frame = self.frames.pop().expect("a called function should have a caller");
        let code = self.program.code(frame.func);
        let caller = Cursor {
            code,
            pc: frame.pc as usize,
            block: frame.block,
            base: frame.base,
            allocas: frame.allocas,
        };
        self.top = frame.base + code.n_regs as usize;
        self.deliver(caller, &code.calls[frame.site as usize], value)?;
        Ok(Left::ToFrame(caller))
    }

    /// Gives a call its result. C17 6.9.1p12: falling off the end is undefined only if the value is used.
    #[inline]
    pub(super) fn deliver(
        &mut self,
        caller: Cursor<'e>,
        site: &CallSite,
        value: Option<u64>,
    ) -> Result<(), Box<Outcome>> {
        match (site.result, value) {
            (Some((reg, _)), Some(value)) => {
                self.stack[caller.base + reg as usize] = value;
                if O::WATCHES_MEMORY {
                    let (func, inst) = (caller.code.func, caller.code.inst(caller.pc - 1));
                    self.observer.result(func, caller.block, inst, value);
                }
            }
            (Some(_), None) if site.result_used => {
                let stop = Stop::Event(Event::MissingReturnValue, "the callee returned no value".into());
                return Err(placed(stop, caller.code, caller.pc - 1));
            }
            _ => {}
        }
        Ok(())
    }

    #[inline]
    fn end_locals(&mut self, world: &mut World<'_>, at: Cursor<'e>) {
        for reg in at.code.slot_regs.clone() {
            let object = self.stack[at.base + reg as usize];
            if object != 0 {
                world.memory.kill(object);
            }
        }
        for object in self.allocas.drain(at.allocas..) {
            world.memory.kill(object);
        }
    }
}
