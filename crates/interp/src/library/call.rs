//! What a model sees of the call that it answers.

use quipu_ir::{Function, Module, Span, Ty};

use super::errno::{ENOMEM, set_errno};
use crate::exec::World;
use crate::input::{InputKind, InputRequest};
use crate::memory::{Memory, ObjectKind, value_width};
use crate::outcome::{Fallible, Stop};

/// Runs interpreted functions on behalf of a model.
pub(crate) trait Host {
    /// Calls the function at an address.
    fn call_back(&mut self, world: &mut World<'_>, pointer: u64, args: &[u64]) -> Fallible<Option<u64>>;
}

/// A call of a library function.
pub(crate) struct Call<'c, 'w> {
    pub world: &'c mut World<'w>,
    host: &'c mut dyn Host,
    pub module: &'c Module,
    pub function: &'c Function,
    args: &'c [u64],
    span: Span,
}

impl<'c, 'w> Call<'c, 'w> {
    pub fn new(
        world: &'c mut World<'w>,
        host: &'c mut dyn Host,
        module: &'c Module,
        function: &'c Function,
        args: &'c [u64],
        span: Span,
    ) -> Call<'c, 'w> {
        Call { world, host, module, function, args, span }
    }

    /// Whether an argument is an open stream.
    pub fn is_stream(&mut self, n: usize) -> bool {
        let address = self.arg(n);
        self.memory().is_stream_object(address)
    }

    /// An argument's bits. A program that declares the function with fewer parameters passes zero.
    pub fn arg(&self, n: usize) -> u64 {
        self.args.get(n).copied().unwrap_or(0)
    }

    /// An argument as an `int`.
    pub fn int(&self, n: usize) -> i32 {
        self.arg(n) as i32
    }

    /// An argument as a signed number of its parameter's width.
    pub fn signed(&self, n: usize) -> i64 {
        let ty = self.function.params.get(n).map_or(Ty::I32, |param| param.ty);
        value_width(self.module.data_model, ty).signed(self.arg(n))
    }

    /// An argument as an `unsigned char`.
    pub fn byte(&self, n: usize) -> u8 {
        self.arg(n) as u8
    }

    pub fn memory(&mut self) -> &mut Memory {
        self.world.memory
    }

    /// A value from the environment.
    pub fn input(&mut self, ty: Ty, kind: InputKind) -> Fallible<u64> {
        let function = self.function.source_name.as_str();
        let request = InputRequest { function, ty, kind, span: self.span, held: None };
        match self.world.inputs.next(request) {
            Some(bits) => Ok(value_width(self.module.data_model, ty).wrap(bits)),
            None => Err(Box::new(Stop::Inputs(function.to_string()))),
        }
    }

    /// Whether an allocation fails: an input, as long as allocations may fail. That sets `errno`.
    pub fn refuses(&mut self) -> Fallible<bool> {
        let Some(left) = self.world.library.may_fail.checked_sub(1) else { return Ok(false) };
        self.world.library.may_fail = left;
        let refused = self.input(Ty::BOOL, InputKind::Refusal)? == 1;
        if refused {
            set_errno(self, ENOMEM)?;
        }
        Ok(refused)
    }

    /// Calls an interpreted function.
    pub fn call_back(&mut self, pointer: u64, args: &[u64]) -> Fallible<Option<u64>> {
        self.host.call_back(self.world, pointer, args)
    }

    /// A function that nobody knows: its result is an input.
    pub fn unknown_function(&mut self) -> Fallible<u64> {
        super::unknown::call(self)
    }

    /// An argument as a `double`.
    pub fn double(&self, n: usize) -> f64 {
        f64::from_bits(self.arg(n))
    }

    /// An argument as a `float`.
    pub fn single(&self, n: usize) -> f32 {
        f32::from_bits(self.arg(n) as u32)
    }

    /// The string that an argument points to, without its terminating zero.
    pub fn string(&self, n: usize) -> Fallible<Vec<u8>> {
        self.world.memory.read_string(self.arg(n))
    }

    /// The pointer stored at an address.
    pub fn load_pointer(&self, addr: u64) -> Fallible<u64> {
        self.world.memory.load(addr, Ty::Ptr, self.module.data_model.pointer_size())
    }

    /// An object of zeros that the library keeps for itself, made when first asked for.
    pub fn library_object(&mut self, name: &'static str, size: u64, align: u64) -> Fallible<u64> {
        if let Some(addr) = self.find_library_object(name) {
            return Ok(addr);
        }
        let addr = self.memory().allocate_zeroed(ObjectKind::Global, size, align)?;
        self.world.library.objects.push((name, addr));
        Ok(addr)
    }

    /// The object that [`library_object`](Self::library_object) made, if it did.
    pub fn find_library_object(&self, name: &str) -> Option<u64> {
        self.world.library.objects.iter().find(|(known, _)| *known == name).map(|(_, addr)| *addr)
    }
}
