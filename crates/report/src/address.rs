//! What an address in a run stands for.
//!
//! A run tells a pointer by its address. The interpreter lays out a program in the same way every time: globals and
//! functions first, then the objects that a test provides, in the order of the interface and with the sizes that its
//! inputs tell. Laying them out once more tells the names.

use std::cell::RefCell;

use quipu_base::IdVec;
use quipu_inputs::{Inputs, Interface, Object, place_objects};
use quipu_interp::{Limits, Machine};
use quipu_ir::{Func, Global, Init, Module};

/// What a pointer points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pointee {
    Null,
    /// Into an input object, this many bytes behind its start.
    Object(Object, u64),
    /// Into another global object with a name.
    Global(Global, u64),
    Function(Func),
    /// The start or a part of a string literal.
    Text(Vec<u8>),
    /// Something that no test can name: the heap, a local object.
    Unknown,
}

/// The addresses of a function's runs.
pub(crate) struct Addresses<'a> {
    module: &'a Module,
    interface: &'a Interface,
    machine: RefCell<Machine<'a>>,
    /// The run whose objects were laid out last.
    last: RefCell<Option<(Inputs, IdVec<Object, u64>)>>,
}

impl<'a> Addresses<'a> {
    pub(crate) fn new(module: &'a Module, interface: &'a Interface) -> Addresses<'a> {
        let machine = RefCell::new(Machine::new(module, Limits::default()));
        Addresses { module, interface, machine, last: RefCell::default() }
    }

    /// What an address points to in a run on some inputs.
    pub(crate) fn find(&self, inputs: &Inputs, address: u64) -> Pointee {
        if address == 0 {
            return Pointee::Null;
        }
        self.lay_out(inputs);
        let object = || self.object(inputs, address);
        let global = || self.global(address);
        let function = || self.function(address);
        object().or_else(global).or_else(function).unwrap_or(Pointee::Unknown)
    }

    fn lay_out(&self, inputs: &Inputs) {
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_some_and(|(known, _)| known == inputs) {
            return;
        }
        let mut machine = self.machine.borrow_mut();
        machine.reset();
        // Without room there was no run either, and so there is no address to look up.
        let nowhere = |_| IdVec::filled(u64::MAX, self.interface.objects.len());
        let bases = place_objects(&mut machine, self.interface, inputs).unwrap_or_else(nowhere);
        *last = Some((inputs.clone(), bases));
    }

    fn object(&self, inputs: &Inputs, address: u64) -> Option<Pointee> {
        let last = self.last.borrow();
        let (_, bases) = last.as_ref()?;
        bases.entries().find_map(|(object, &base)| {
            let offset = offset(address, base, self.interface.size_in(object, inputs))?;
            Some(Pointee::Object(object, offset))
        })
    }

    fn global(&self, address: u64) -> Option<Pointee> {
        self.module.globals.entries().find_map(|(global, data)| {
            let offset = offset(address, self.machine.borrow().global_address(global), data.size)?;
            match (&data.source_name, &data.init) {
                (Some(_), _) if !data.block_scope => Some(Pointee::Global(global, offset)),
                (None, Init::Data { bytes, relocs }) if relocs.is_empty() && data.constant => {
                    let rest = bytes.get(offset as usize..).unwrap_or_default();
                    let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
                    Some(Pointee::Text(rest[..end].to_vec()))
                }
                _ => None,
            }
        })
    }

    fn function(&self, address: u64) -> Option<Pointee> {
        let mut functions = self.module.functions.ids();
        let machine = self.machine.borrow();
        functions.find(|&func| machine.function_address(func) == address).map(Pointee::Function)
    }
}

/// How far behind the start of an object an address lies; its end still counts.
fn offset(address: u64, base: u64, size: u64) -> Option<u64> {
    address.checked_sub(base).filter(|&offset| offset <= size)
}
